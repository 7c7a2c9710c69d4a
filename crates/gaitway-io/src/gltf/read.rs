//! A glTF file's animations as clips.

use glam::{DQuat, DVec3, Mat4, Quat};

use gaitway_core::{WarningCode, Warnings};

use super::accessor::{Buffers, Resolve};
use super::container;
use super::document::{self, Animation, Document, Sampler};
use super::sample::Keys;
use crate::error::{Place, ReadError};
use crate::nodes::grid::{Grid, unique_times};
use crate::nodes::{self, Chosen, Node, NodeMotion};
use crate::raw::{RawClip, UpAxis};

/// Reads every animation of a glTF or GLB file. `resolve` gives the bytes of buffers kept in files of their
/// own; it is asked only for relative names inside the document's folder.
///
/// glTF has no frame rate: it is found from the key times (or in our own `extras`), and all channels are
/// sampled on that grid from the first key to the last.
///
/// # Errors
/// When the bytes are not glTF 2.0, a number is missing or out of range, or nothing moves.
pub fn read(file: &str, bytes: &[u8], resolve: Resolve<'_>) -> Result<Vec<RawClip>, ReadError> {
    let parts = container::split(file, bytes)?;
    let document = document::parse(file, &parts)?;
    let buffers = Buffers::new(file, &document, parts.bin, resolve, bytes.len());
    let mut warnings = Warnings::new();
    let scene = Scene::new(file, &document, &mut warnings)?;
    let mut room = Room::for_file(bytes.len());
    let mut clips = Vec::new();
    for (index, animation) in document.animations.iter().enumerate() {
        let reader = Reader {
            file,
            animation,
            place: format!("animations[{index}]"),
            buffers: &buffers,
            scene: &scene,
        };
        if let Some(mut clip) = reader.clip(&mut room)? {
            if document.animations.len() > 1 {
                let named = animation.name.clone().filter(|n| !n.is_empty());
                clip.name = named.unwrap_or_else(|| format!("animation{index}"));
            }
            let mut all = warnings.clone();
            all.extend(std::mem::take(&mut clip.warnings));
            clip.warnings = all;
            clips.push(clip);
        }
    }
    if clips.is_empty() {
        return Err(ReadError::content(file, "no animation moves the body")
            .with_hint("export the animation with the figure; Blender: Data › Animation"));
    }
    // Our own files say offsets and tracks apart.
    if !scene.ours {
        nodes::fold_constant_tracks(&mut clips);
    }
    Ok(clips)
}

/// How much memory the file's size justifies for sampled frames.
struct Room {
    bytes: usize,
}

impl Room {
    /// A sparse file may become much larger when sampled: two keys a minute apart are 3,600 frames.
    fn for_file(bytes: usize) -> Self {
        Self {
            bytes: (64 << 20) + 64 * bytes,
        }
    }

    fn take(&mut self, frames: usize, joints: usize) -> bool {
        let wanted = frames
            .saturating_mul(joints)
            .saturating_mul(size_of::<Quat>());
        match self.bytes.checked_sub(wanted) {
            Some(left) => {
                self.bytes = left;
                true
            }
            None => false,
        }
    }
}

/// The nodes, and which of them are the body in all animations.
pub(super) struct Scene {
    pub nodes: Vec<Node>,
    pub chosen: Chosen,
    /// Joint or end-site point of each node, for contacts.
    point_of: Vec<Option<u32>>,
    pub root_offset: Option<DVec3>,
    /// Written by us.
    ours: bool,
}

impl Scene {
    pub fn new(
        file: &str,
        document: &Document,
        warnings: &mut Warnings,
    ) -> Result<Self, ReadError> {
        let nodes = rest_nodes(file, document)?;
        let order = nodes::parents_first(&nodes).ok_or_else(|| {
            ReadError::content(file, "`nodes` are linked in a ring")
                .with_hint("a node cannot be its own ancestor; export the file again")
        })?;
        let wanted = wanted(file, document, &nodes, &order, warnings)?;
        let generator = document.asset.generator.as_deref().unwrap_or_default();
        let ours = generator.starts_with("gaitway");
        let chosen = nodes::choose(&nodes, &order, &wanted, ours, warnings).map_err(|message| {
            ReadError::content(file, message)
                .with_hint("the file holds no animated figure; export it with its animation")
        })?;
        let mut point_of = vec![None; nodes.len()];
        let sites = chosen.end_sites.iter().map(|&(n, _)| Some(n));
        for (point, n) in chosen.joints.iter().copied().chain(sites).enumerate() {
            if let Some(n) = n {
                point_of[n] = Some(point as u32);
            }
        }
        let root = chosen.joints[0].and_then(|n| document.nodes[n].ours.as_ref()?.root_offset);
        Ok(Self {
            nodes,
            chosen,
            point_of,
            root_offset: root.map(|o| DVec3::from_array(o.map(f64::from))),
            ours,
        })
    }
}

/// Nodes with their parents and rest transforms, indices and numbers checked.
fn rest_nodes(file: &str, document: &Document) -> Result<Vec<Node>, ReadError> {
    let mut nodes: Vec<Node> = Vec::with_capacity(document.nodes.len());
    for (i, node) in document.nodes.iter().enumerate() {
        let (scale, rotation, translation) = local_transform(node);
        let finite = scale.is_finite() && rotation.is_finite() && translation.is_finite();
        if !finite {
            let expected = format!("finite numbers at `nodes[{i}]`");
            return Err(ReadError::syntax(
                file,
                Place::File,
                expected,
                "one that is not",
            ));
        }
        nodes.push(Node {
            name: match &node.name {
                Some(name) if !name.is_empty() => name.clone(),
                _ => format!("node{i}"),
            },
            parent: None,
            translation,
            rotation,
            scale,
            end_site: node.children.is_empty() && node.ours.as_ref().is_some_and(|o| o.end_site),
        });
    }
    for (i, node) in document.nodes.iter().enumerate() {
        for (c, &child) in node.children.iter().enumerate() {
            let place = format!("`nodes[{i}].children[{c}]`");
            let Some(below) = nodes.get_mut(child) else {
                let found = format!("{child} of {} nodes", document.nodes.len());
                let expected = format!("a node at {place}");
                return Err(ReadError::syntax(file, Place::File, expected, found));
            };
            if below.parent.is_some_and(|p| p != i) {
                let found = format!("node {child}, which has another parent");
                let expected = format!("a node without a parent at {place}");
                return Err(ReadError::syntax(file, Place::File, expected, found));
            }
            below.parent = Some(i);
        }
    }
    Ok(nodes)
}

/// Scale, rotation and translation of a node; a matrix is taken apart (shear does not survive that).
fn local_transform(node: &document::Node) -> (DVec3, DQuat, DVec3) {
    if let Some(matrix) = &node.matrix {
        let matrix = Mat4::from_cols_array(matrix).as_dmat4();
        if matrix.determinant().abs() > 1e-30 {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            return (scale, rotation.normalize(), translation);
        }
        return (DVec3::ONE, DQuat::IDENTITY, matrix.w_axis.truncate());
    }
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let rotation = node.rotation.map_or(DQuat::IDENTITY, |r| {
        let q = DQuat::from_array(r.map(f64::from));
        let length = q.length_squared();
        // Bits of unit length within rounding are kept.
        match (length - 1.0).abs() {
            apart if apart <= 1e-6 => q,
            _ if length > 1e-12 && length.is_finite() => q.normalize(),
            _ => DQuat::IDENTITY,
        }
    });
    (
        node.scale.map_or(DVec3::ONE, vector),
        rotation,
        node.translation.map_or(DVec3::ZERO, vector),
    )
}

/// The joints of all skins and the nodes any animation moves; where there are skins, moving things that
/// hang neither on a joint nor above one are no part of the body.
fn wanted(
    file: &str,
    document: &Document,
    nodes: &[Node],
    order: &[usize],
    warnings: &mut Warnings,
) -> Result<Vec<bool>, ReadError> {
    let mut joints = vec![false; nodes.len()];
    for (s, skin) in document.skins.iter().enumerate() {
        for (j, &joint) in skin.joints.iter().enumerate() {
            *joints.get_mut(joint).ok_or_else(|| {
                let expected = format!("a node at `skins[{s}].joints[{j}]`");
                let found = format!("{joint} of {} nodes", nodes.len());
                ReadError::syntax(file, Place::File, expected, found)
            })? = true;
        }
    }
    let mut moved = vec![false; nodes.len()];
    for (a, animation) in document.animations.iter().enumerate() {
        for (c, channel) in animation.channels.iter().enumerate() {
            let Some(node) = channel
                .target
                .node
                .filter(|_| is_motion(&channel.target.path))
            else {
                continue;
            };
            *moved.get_mut(node).ok_or_else(|| {
                let expected = format!("a node at `animations[{a}].channels[{c}].target`");
                let found = format!("{node} of {} nodes", nodes.len());
                ReadError::syntax(file, Place::File, expected, found)
            })? = true;
        }
    }
    if joints.contains(&true) {
        let mut near = joints.clone();
        for &n in order {
            near[n] |= nodes[n].parent.is_some_and(|p| near[p]);
        }
        for &n in order.iter().rev() {
            if let (true, Some(p)) = (near[n], nodes[n].parent) {
                near[p] = true;
            }
        }
        let apart = |n: &usize| moved[*n] && !near[*n];
        let left: Vec<usize> = (0..nodes.len()).filter(apart).collect();
        if let Some(&first) = left.first() {
            let message = format!(
                "{} moving nodes that no skin's joints hang on were left out (first `{}`)",
                left.len(),
                nodes[first].name
            );
            warnings.add(WarningCode::LeftOut, message);
            left.iter().for_each(|&n| moved[n] = false);
        }
    }
    // Our own end sites are no skin's joints; they come along with the joint they are fixed to.
    let wanted: Vec<bool> = joints.iter().zip(&moved).map(|(j, m)| *j || *m).collect();
    let tip = |n: usize| nodes[n].end_site && nodes[n].parent.is_some_and(|p| wanted[p]);
    Ok((0..nodes.len()).map(|n| wanted[n] || tip(n)).collect())
}

fn is_motion(path: &str) -> bool {
    matches!(path, "translation" | "rotation" | "scale")
}

/// Reads one animation.
struct Reader<'a> {
    file: &'a str,
    animation: &'a Animation,
    place: String,
    buffers: &'a Buffers<'a>,
    scene: &'a Scene,
}

impl Reader<'_> {
    /// The clip, or `None` where the animation moves no joint.
    fn clip(&self, room: &mut Room) -> Result<Option<RawClip>, ReadError> {
        let mut warnings = Warnings::new();
        let channels = self.channels(&mut warnings)?;
        if channels.is_empty() {
            return Ok(None);
        }
        let grid = self.grid(&channels, &mut warnings)?;
        let joints = self.scene.chosen.joints.len();
        if !room.take(grid.frames, joints) {
            let message = format!(
                "`{}` asks for {} frames of {joints} joints, more than the file's size justifies",
                self.place, grid.frames
            );
            return Err(ReadError::content(self.file, message)
                .with_hint("key times may be in the wrong unit; glTF counts seconds"));
        }
        let motions = self.motions(&channels, &grid, &mut warnings)?;
        let chosen = &self.scene.chosen;
        let nodes = &self.scene.nodes;
        let mut clip = nodes::assemble(nodes, chosen, &motions, grid.frames, &mut warnings);
        clip.rate_hz = grid.rate_hz;
        clip.unit_m = Some(1.0);
        clip.up = Some(UpAxis::Y);
        if let Some(offset) = self.scene.root_offset {
            clip.joints[0].offset = offset;
        }
        self.marks(&mut clip);
        clip.warnings = warnings;
        Ok(Some(clip))
    }

    /// Channels that move joints: their node, path and sampler. The first of several for one target counts.
    fn channels(&self, warnings: &mut Warnings) -> Result<Vec<(usize, &str, usize)>, ReadError> {
        let mut seen = std::collections::HashSet::new();
        let mut out = Vec::new();
        let mut twice = 0;
        for (c, channel) in self.animation.channels.iter().enumerate() {
            let path = channel.target.path.as_str();
            let Some(node) = channel.target.node.filter(|_| is_motion(path)) else {
                continue;
            };
            if self.scene.point_of[node].is_none() {
                continue;
            }
            if channel.sampler >= self.animation.samplers.len() {
                let expected = format!("a sampler at `{}.channels[{c}]`", self.place);
                let found = format!("{} of {}", channel.sampler, self.animation.samplers.len());
                return Err(ReadError::syntax(self.file, Place::File, expected, found));
            }
            if seen.insert((node, path)) {
                out.push((node, path, channel.sampler));
            } else {
                twice += 1;
            }
        }
        if twice > 0 {
            let message =
                format!("{twice} channels move what another channel moves; the first counts");
            warnings.add(WarningCode::Unusual, message);
        }
        Ok(out)
    }

    fn times(&self, sampler: usize) -> Result<Vec<f64>, ReadError> {
        let place = format!("{}.samplers[{sampler}].input", self.place);
        let input = self.animation.samplers[sampler].input;
        let times = self.buffers.floats(input, 1, &place)?;
        let rising = times.is_sorted() && times.iter().all(|t| t.is_finite());
        if !rising || times.is_empty() {
            let expected = format!("rising times at `{place}`");
            let found = match times.windows(2).position(|w| w[0] > w[1]) {
                Some(i) => format!("{} after {}", times[i + 1], times[i]),
                None if times.is_empty() => "no keys".into(),
                None => "a time that is not finite".into(),
            };
            return Err(ReadError::syntax(self.file, Place::File, expected, found));
        }
        Ok(times.into_iter().map(f64::from).collect())
    }

    fn grid(
        &self,
        channels: &[(usize, &str, usize)],
        warnings: &mut Warnings,
    ) -> Result<Grid, ReadError> {
        if let Some(ours) = &self.animation.ours
            && ours.rate_hz.is_finite()
            && ours.rate_hz > 0.0
            && ours.frames > 0
        {
            return Ok(Grid {
                start_s: 0.0,
                rate_hz: ours.rate_hz,
                frames: ours.frames,
            });
        }
        let inputs = channels
            .iter()
            .map(|&(_, _, s)| (self.animation.samplers[s].input, s));
        let inputs: std::collections::BTreeMap<usize, usize> = inputs.collect();
        let mut times = Vec::new();
        for &sampler in inputs.values() {
            times = unique_times({
                times.extend(self.times(sampler)?);
                times
            });
        }
        Ok(Grid::detect(&times, None, warnings))
    }

    fn motions(
        &self,
        channels: &[(usize, &str, usize)],
        grid: &Grid,
        warnings: &mut Warnings,
    ) -> Result<Vec<NodeMotion>, ReadError> {
        let mut motions = vec![NodeMotion::default(); self.scene.nodes.len()];
        let mut filled = 0;
        for &(node, path, index) in channels {
            let sampler = &self.animation.samplers[index];
            let places: Vec<f64> = self.times(index)?.iter().map(|&t| grid.place(t)).collect();
            let width = if path == "rotation" { 4 } else { 3 };
            let mut values = self.values(sampler, index, width, places.len())?;
            filled += fill_gaps(&mut values, width);
            let keys = Keys {
                places: &places,
                interpolation: sampler.interpolation,
                values: &values,
                frame_s: 1.0 / grid.rate_hz,
            };
            let motion = &mut motions[node];
            match path {
                "rotation" => motion.rotation = Some(keys.rotations(grid.frames)),
                "translation" => motion.translation = Some(keys.vectors(grid.frames)),
                _ => motion.scale = Some(keys.vectors(grid.frames)),
            }
        }
        if filled > 0 {
            let message = format!("{filled} key values are not numbers; the key before was held");
            warnings.add(WarningCode::GapsFilled, message);
        }
        Ok(motions)
    }

    fn values(
        &self,
        sampler: &Sampler,
        index: usize,
        width: usize,
        keys: usize,
    ) -> Result<Vec<f32>, ReadError> {
        let place = format!("{}.samplers[{index}].output", self.place);
        let values = self.buffers.floats(sampler.output, width, &place)?;
        let expected = Keys::elements(sampler.interpolation, keys);
        if values.len() / width < expected {
            let found = format!("{}", values.len() / width);
            let expected = format!("{expected} values for {keys} keys at `{place}`");
            return Err(ReadError::syntax(self.file, Place::File, expected, found));
        }
        Ok(values)
    }

    /// Labels and contacts of our own files.
    fn marks(&self, clip: &mut RawClip) {
        let Some(ours) = &self.animation.ours else {
            return;
        };
        clip.labels = super::marks::labels_from(&ours.labels, clip.root.len());
        let point_of = |node: usize| self.scene.point_of.get(node).copied().flatten();
        clip.contacts = super::marks::contacts_from(&ours.contacts, clip.root.len(), point_of);
    }
}

/// Holds the key before where a component is not finite; returns how many elements were filled.
fn fill_gaps(values: &mut [f32], width: usize) -> usize {
    let mut filled = 0;
    for i in 0..values.len() / width {
        let element = i * width..(i + 1) * width;
        if values[element.clone()].iter().all(|v| v.is_finite()) {
            continue;
        }
        filled += 1;
        if i == 0 {
            values[element.clone()].fill(0.0);
            if width == 4 {
                values[3] = 1.0;
            }
        } else {
            values.copy_within((i - 1) * width..i * width, i * width);
        }
    }
    filled
}
