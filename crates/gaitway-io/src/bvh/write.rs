//! Writing: the tree, then the frames, through one buffer.

use std::io::Write;

use glam::DVec3;

use gaitway_core::rotation::Axis;
use gaitway_core::{Clip, Warnings};

use crate::error::WriteError;
use crate::raw::UpAxis;

use super::layout::{BvhLayout, Channel, Indent};
use super::number::push_fixed;
use super::plan::{self, Planned, ToFile};

/// Fewest decimals a file gets.
const LEAST_DECIMALS: usize = 6;
/// More decimals than `f64` has digits for in a usual clip say nothing.
const MOST_DECIMALS: usize = 12;
/// Bytes gathered before they go to the sink.
const BUFFER: usize = 1 << 16;

/// How to write a BVH file.
#[derive(Clone, Copy, Debug)]
pub struct BvhWriteOptions<'a> {
    /// The file's name, for messages.
    pub file_name: &'a str,
    /// The source's own ways, where the clip came from a BVH file.
    pub layout: Option<&'a BvhLayout>,
    /// Metres per unit of the file. Centimetres by default, which most programs take BVH to be in.
    pub unit_m: f64,
    /// The axis that points up in the file.
    pub up: UpAxis,
}

impl Default for BvhWriteOptions<'_> {
    fn default() -> Self {
        Self {
            file_name: "",
            layout: None,
            unit_m: 0.01,
            up: UpAxis::Y,
        }
    }
}

/// Writes a clip as BVH: with the source's channels, order, indentation, line ends and precision where its
/// layout is given, else six channels on the root and ZYX rotations below. Joints that move in their parent's
/// frame get position channels. Angles go on from frame to frame without jumps. Labels and contacts have no
/// place in BVH. Gives what had to differ from the layout.
///
/// # Errors
/// When the sink fails, or the unit is not a positive number.
///
/// ```
/// use gaitway_io::bvh::{self, BvhWriteOptions};
/// let clip = gaitway_core::testing::swinging_clip("swing", 3, 60.0);
/// let mut file = Vec::new();
/// bvh::write(&mut file, &clip, &BvhWriteOptions::default())?;
/// let (back, _) = bvh::read("swing.bvh", &file)?;
/// assert_eq!((back.root.len(), back.rate_hz), (3, 60.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    sink: &mut dyn Write,
    clip: &Clip,
    options: &BvhWriteOptions<'_>,
) -> Result<Warnings, WriteError> {
    if !(options.unit_m.is_finite() && options.unit_m > 0.0) {
        return Err(WriteError::CannotHold {
            file: options.file_name.into(),
            message: format!("{} metres are no unit of length", options.unit_m),
            hint: None,
        });
    }
    let mut warnings = Warnings::new();
    let to_file = ToFile::new(options.unit_m, options.up);
    let planned = plan::plan(clip, options.layout, &to_file, &mut warnings);
    let order = preorder(&planned, clip);
    let more = options.unit_m.log10().ceil().max(0.0) as usize;
    let decimals = |source: Option<usize>| {
        source
            .unwrap_or(0)
            .max(LEAST_DECIMALS + more)
            .min(MOST_DECIMALS)
    };
    let mut writer = Writer {
        clip,
        to_file,
        columns: order.iter().filter_map(Step::joint).collect(),
        order,
        planned,
        line_end: options.layout.map_or("\n", |l| l.line_end),
        indent: options.layout.map_or(Indent::Tab, |l| l.indent),
        offset_decimals: decimals(options.layout.map(|l| l.offset_decimals)),
        motion_decimals: decimals(options.layout.map(|l| l.motion_decimals)),
        out: Vec::with_capacity(BUFFER + 4096),
    };
    writer.tree();
    writer.header(options.layout);
    let sent = writer.frames(sink);
    sent.map_err(|source| WriteError::Io {
        file: options.file_name.into(),
        source,
    })?;
    Ok(warnings)
}

/// A line of the tree.
enum Step {
    /// A joint, by its place in the plan.
    Joint(usize),
    /// An end site, by its place in the skeleton.
    EndSite(usize),
    /// The end of a joint's block.
    Close,
}

impl Step {
    fn joint(&self) -> Option<usize> {
        match self {
            Self::Joint(planned) => Some(*planned),
            _ => None,
        }
    }
}

struct Writer<'a> {
    clip: &'a Clip,
    to_file: ToFile,
    planned: Vec<Planned>,
    order: Vec<Step>,
    /// The planned joints in file order.
    columns: Vec<usize>,
    line_end: &'static str,
    indent: Indent,
    offset_decimals: usize,
    motion_decimals: usize,
    out: Vec<u8>,
}

/// The tree in file order. End sites stand among a joint's children where their numbering puts them, so that
/// reading gives them the same numbers.
fn preorder(planned: &[Planned], clip: &Clip) -> Vec<Step> {
    let skeleton = clip.skeleton();
    let count = skeleton.joint_count();
    let mut items: Vec<Vec<(usize, Step)>> = (0..count).map(|_| Vec::new()).collect();
    // The first end site at or below each joint; children come after parents, so one backward pass does.
    let mut first_site = vec![usize::MAX; count];
    for (s, site) in skeleton.end_sites().iter().enumerate() {
        let first = &mut first_site[site.parent.index()];
        *first = (*first).min(s);
    }
    for joint in skeleton.joints().rev() {
        if let Some(parent) = skeleton.parent(joint) {
            first_site[parent.index()] = first_site[parent.index()].min(first_site[joint.index()]);
        }
    }
    for (p, joint) in planned.iter().enumerate() {
        if let (false, Some(parent)) = (joint.is_root, skeleton.parent(joint.joint)) {
            let site = first_site[joint.joint.index()];
            items[parent.index()].push((site, Step::Joint(p)));
        }
    }
    for (s, site) in skeleton.end_sites().iter().enumerate() {
        let own = &mut items[site.parent.index()];
        let later = |(first, _): &(usize, Step)| *first > s && *first != usize::MAX;
        let at = own.iter().position(later).unwrap_or(own.len());
        own.insert(at, (s, Step::EndSite(s)));
    }
    let mut order = Vec::new();
    let roots = (0..planned.len()).filter(|&p| planned[p].is_root);
    let mut todo: Vec<Step> = roots.rev().map(Step::Joint).collect();
    while let Some(step) = todo.pop() {
        if let Step::Joint(p) = step {
            todo.push(Step::Close);
            let below = std::mem::take(&mut items[planned[p].joint.index()]);
            todo.extend(below.into_iter().rev().map(|(_, step)| step));
        }
        order.push(step);
    }
    order
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, words: &str) {
        self.set_in(depth);
        self.out.extend_from_slice(words.as_bytes());
        self.out.extend_from_slice(self.line_end.as_bytes());
    }

    fn set_in(&mut self, depth: usize) {
        match self.indent {
            Indent::Tab => self.out.resize(self.out.len() + depth, b'\t'),
            Indent::Spaces(n) => self
                .out
                .resize(self.out.len() + depth * usize::from(n), b' '),
        }
    }

    fn offset_line(&mut self, depth: usize, offset: DVec3) {
        self.set_in(depth);
        self.out.extend_from_slice(b"OFFSET");
        for value in offset.to_array() {
            self.out.push(b' ');
            push_fixed(&mut self.out, value, self.offset_decimals);
        }
        self.out.extend_from_slice(self.line_end.as_bytes());
    }

    fn tree(&mut self) {
        self.line(0, "HIERARCHY");
        let mut depth = 0;
        for step in std::mem::take(&mut self.order) {
            match step {
                Step::Joint(p) => {
                    let joint = &self.planned[p];
                    let word = if joint.is_root { "ROOT" } else { "JOINT" };
                    let title = format!(
                        "{word} {}",
                        plain_name(self.clip.skeleton().name(joint.joint))
                    );
                    let names: Vec<&str> = joint.channels.iter().map(|c| c.as_str()).collect();
                    let channels = format!("CHANNELS {} {}", names.len(), names.join(" "));
                    let offset = joint.offset;
                    self.line(depth, &title);
                    self.line(depth, "{");
                    depth += 1;
                    self.offset_line(depth, offset);
                    self.line(depth, channels.trim_end());
                }
                Step::EndSite(s) => {
                    let offset = self
                        .to_file
                        .vector(self.clip.skeleton().end_sites()[s].offset.as_dvec3());
                    self.line(depth, "End Site");
                    self.line(depth, "{");
                    self.offset_line(depth + 1, offset);
                    self.line(depth, "}");
                }
                Step::Close => {
                    depth -= 1;
                    self.line(depth, "}");
                }
            }
        }
    }

    fn header(&mut self, layout: Option<&BvhLayout>) {
        let rate = self.clip.rate_hz();
        let frames = self.clip.frame_count();
        let time = match layout {
            Some(l) if l.rate_hz == rate => l.frame_time.clone(),
            _ if rate.fract() == 0.0 && rate < 1e6 => format!("{:.9}", 1.0 / rate),
            _ => format!("{}", 1.0 / rate),
        };
        self.line(0, "MOTION");
        self.line(0, &format!("Frames: {frames}"));
        self.line(0, &format!("Frame Time: {time}"));
    }

    fn frames(&mut self, sink: &mut dyn Write) -> std::io::Result<()> {
        let columns = std::mem::take(&mut self.columns);
        let mut angles: Vec<Option<[f64; 3]>> = vec![None; self.planned.len()];
        for frame in 0..self.clip.frame_count() {
            let start = self.out.len();
            for &p in &columns {
                self.joint_values(p, frame, &mut angles[p]);
            }
            if self.out.len() > start {
                self.out.pop();
            }
            self.out.extend_from_slice(self.line_end.as_bytes());
            if self.out.len() >= BUFFER {
                sink.write_all(&self.out)?;
                self.out.clear();
            }
        }
        sink.write_all(&self.out)
    }

    /// One joint's numbers, each with a space after it.
    fn joint_values(&mut self, p: usize, frame: usize, near: &mut Option<[f64; 3]>) {
        let joint = &self.planned[p];
        let rotation = self
            .to_file
            .rotation(self.clip.rotation(frame, joint.joint).as_dquat());
        let angles = joint.solver.solve(rotation, *near);
        *near = Some(angles);
        let place = joint.translation(self.clip, &self.to_file, frame) - joint.base;
        let mut turn = 0;
        for channel in &joint.channels {
            let value = match channel {
                Channel::Position(Axis::X) => place.x,
                Channel::Position(Axis::Y) => place.y,
                Channel::Position(Axis::Z) => place.z,
                Channel::Scale(_) => 1.0,
                Channel::Rotation(_) => {
                    let used = joint.solver.channels.iter().position(|&c| c == turn);
                    turn += 1;
                    used.map_or(0.0, |i| angles[i].to_degrees())
                }
            };
            push_fixed(&mut self.out, value, self.motion_decimals);
            self.out.push(b' ');
        }
    }
}

/// A name that stays on its line and out of the braces.
fn plain_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_control() || matches!(c, '{' | '}') {
            '_'
        } else {
            c
        }
    };
    let name: String = name.trim().chars().map(plain).collect();
    if name.is_empty() {
        "joint".into()
    } else {
        name
    }
}
