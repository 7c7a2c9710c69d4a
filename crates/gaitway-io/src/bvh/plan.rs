//! What a BVH file is going to hold: which joints in which order, with which channels, and what their position
//! channels mean, chosen so that [`read`](super::read) will understand it the same way.

use glam::{DQuat, DVec3};

use gaitway_core::rotation::Axis;
use gaitway_core::{Clip, JointIdx, WarningCode, Warnings};

use crate::raw::UpAxis;

use super::layout::{self, BvhJoint, BvhLayout, Channel, Position, PositionMode};
use super::solve::Solver;

/// Movement up to this many metres needs no position channel: a twentieth of what a file may be off.
const STILL_M: f64 = 5e-7;

/// From the clip's metres and Y up to the file's unit and axes.
pub struct ToFile {
    per_metre: f64,
    file_from_clip: DQuat,
}

impl ToFile {
    pub fn new(unit_m: f64, up: UpAxis) -> Self {
        // The f32 turn is exact to seven digits; halves make it exact.
        let turn = up.to_y_up().as_dquat();
        let halves = DQuat::from_array(turn.to_array().map(|v| (2.0 * v).round() / 2.0));
        Self {
            per_metre: 1.0 / unit_m,
            file_from_clip: halves.conjugate(),
        }
    }

    pub fn vector(&self, v: DVec3) -> DVec3 {
        self.file_from_clip * v * self.per_metre
    }

    pub fn rotation(&self, q: DQuat) -> DQuat {
        self.file_from_clip * q.normalize() * self.file_from_clip.conjugate()
    }
}

/// One joint of the file.
pub struct Planned {
    pub joint: JointIdx,
    /// Whether it is written as `ROOT`.
    pub is_root: bool,
    pub channels: Vec<Channel>,
    pub solver: Solver,
    /// OFFSET, in the file's unit.
    pub offset: DVec3,
    /// Taken off the translation before it is written.
    pub base: DVec3,
    /// The clip's translation track, by its place in [`Clip::translations`].
    track: Option<usize>,
    mode: PositionMode,
}

impl Planned {
    fn has_position(&self, axis: Axis) -> bool {
        self.channels.contains(&Channel::Position(axis))
    }

    fn has_positions(&self) -> bool {
        [Axis::X, Axis::Y, Axis::Z]
            .iter()
            .any(|&a| self.has_position(a))
    }

    /// `v` along the axes that have a position channel.
    fn on_channels(&self, v: DVec3) -> DVec3 {
        let on = |a| if self.has_position(a) { 1.0 } else { 0.0 };
        v * DVec3::new(on(Axis::X), on(Axis::Y), on(Axis::Z))
    }

    /// Where the joint is in its parent's frame, in the file's unit.
    pub fn translation(&self, clip: &Clip, to_file: &ToFile, frame: usize) -> DVec3 {
        if self.joint == JointIdx::ROOT {
            return to_file.vector(clip.root()[frame]);
        }
        match self.track {
            Some(t) => to_file.vector(clip.translations()[t].values[frame].as_dvec3()),
            None => to_file.vector(clip.skeleton().offset(self.joint).as_dvec3()),
        }
    }
}

/// Plans all joints of the file, in clip order. Where joint 0 only holds a source's several roots and has not
/// moved, it is left out.
pub fn plan(
    clip: &Clip,
    layout: Option<&BvhLayout>,
    to_file: &ToFile,
    warnings: &mut Warnings,
) -> Vec<Planned> {
    let skeleton = clip.skeleton();
    let several = layout.is_some_and(|l| l.made_root) && root_is_idle(clip);
    let mut planned: Vec<Planned> = skeleton
        .joints()
        .filter(|&j| !(several && j == JointIdx::ROOT))
        .map(|joint| {
            let own = layout.and_then(|l| source_joint(l, clip, joint));
            let is_root = match skeleton.parent(joint) {
                None => true,
                Some(parent) => several && parent == JointIdx::ROOT,
            };
            let channels = own.map_or_else(|| standard_channels(is_root), |j| j.channels.clone());
            Planned {
                joint,
                is_root,
                solver: Solver::new(&rotation_axes(&channels)),
                channels,
                offset: to_file.vector(skeleton.offset(joint).as_dvec3()),
                base: DVec3::ZERO,
                track: clip.translations().iter().position(|t| t.joint == joint),
                mode: own.map_or(PositionMode::Replace, |j| j.positions),
            }
        })
        .collect();
    for joint in &mut planned {
        complete_rotations(joint, clip, to_file, warnings);
        complete_positions(joint, clip, to_file);
    }
    if layout.is_none() {
        repeat_offsets(&mut planned, clip, to_file);
    }
    settle_modes(&mut planned, clip, to_file, warnings);
    planned
}

/// The source's joint of the same name, or in the same place where the door renamed it.
fn source_joint<'a>(layout: &'a BvhLayout, clip: &Clip, joint: JointIdx) -> Option<&'a BvhJoint> {
    let name = clip.skeleton().name(joint);
    let same_place = layout.joints.get(joint.index());
    if same_place.is_some_and(|j| j.name == name) || layout.joints.len() == clip.joint_count() {
        return same_place;
    }
    layout.joints.iter().find(|j| j.name == name)
}

fn root_is_idle(clip: &Clip) -> bool {
    let joints = clip.joint_count();
    let still = clip.root().iter().all(|p| p.abs().max_element() < STILL_M);
    let unturned = |q: &glam::Quat| q.w.abs() > 1.0 - 1e-6 && q.xyz().length() < 1e-6;
    let no_tip = clip
        .skeleton()
        .end_sites()
        .iter()
        .all(|e| e.parent != JointIdx::ROOT);
    joints > 1 && still && no_tip && clip.rotations().iter().step_by(joints).all(unturned)
}

fn standard_channels(is_root: bool) -> Vec<Channel> {
    let turns = [Axis::Z, Axis::Y, Axis::X].map(Channel::Rotation);
    let places = [Axis::X, Axis::Y, Axis::Z].map(Channel::Position);
    if is_root {
        [places, turns].concat()
    } else {
        turns.to_vec()
    }
}

fn rotation_axes(channels: &[Channel]) -> Vec<Axis> {
    let axis = |c: &Channel| match c {
        Channel::Rotation(axis) => Some(*axis),
        _ => None,
    };
    channels.iter().filter_map(axis).collect()
}

/// Gives three rotation channels to a joint whose own cannot hold the clip's rotations.
fn complete_rotations(
    planned: &mut Planned,
    clip: &Clip,
    to_file: &ToFile,
    warnings: &mut Warnings,
) {
    if planned.solver.is_full() {
        return;
    }
    let holds = |frame| {
        let q = to_file.rotation(clip.rotation(frame, planned.joint).as_dquat());
        planned.solver.can_hold(q)
    };
    if (0..clip.frame_count()).all(holds) {
        return;
    }
    let axes = planned.solver.completed();
    planned
        .channels
        .retain(|c| !matches!(c, Channel::Rotation(_)));
    planned
        .channels
        .extend(axes.iter().map(|&a| Channel::Rotation(a)));
    planned.solver = Solver::new(&axes);
    let name = clip.skeleton().name(planned.joint);
    warnings.add(
        WarningCode::Unusual,
        format!("`{name}` turns about more axes than its source's channels have; three rotation channels are written"),
    );
}

/// Gives position channels to a joint that leaves its offset along an axis without one.
fn complete_positions(planned: &mut Planned, clip: &Clip, to_file: &ToFile) {
    if planned.joint != JointIdx::ROOT && planned.track.is_none() {
        return;
    }
    let still = STILL_M * to_file.per_metre;
    let leaves = |frame| {
        let away = planned.translation(clip, to_file, frame) - planned.offset;
        (away - planned.on_channels(away)).abs().max_element() > still
    };
    if (0..clip.frame_count()).any(leaves) {
        planned
            .channels
            .retain(|c| !matches!(c, Channel::Position(_)));
        let places = [Axis::X, Axis::Y, Axis::Z].map(Channel::Position);
        planned.channels.splice(0..0, places);
    }
}

/// A free choice: where a joint below the root moves and readers could not tell whether its positions add to
/// OFFSET, all joints get position channels. Those that repeat OFFSET then show that they replace it.
fn repeat_offsets(planned: &mut [Planned], clip: &Clip, to_file: &ToFile) {
    let moving = planned.iter().any(|p| !p.is_root && p.has_positions());
    if moving && modes_read_back(planned, clip, to_file).contains(&PositionMode::Add) {
        for joint in planned.iter_mut().filter(|p| !p.has_positions()) {
            let places = [Axis::X, Axis::Y, Axis::Z].map(Channel::Position);
            joint.channels.splice(0..0, places);
        }
    }
}

/// What a reader will take the position channels below the roots to mean, as they are planned now.
fn modes_read_back(planned: &[Planned], clip: &Clip, to_file: &ToFile) -> Vec<PositionMode> {
    let below = planned.iter().filter(|p| !p.is_root && p.has_positions());
    let evidence: Vec<Position> = below
        .map(|p| Position {
            offset: p.on_channels(p.offset),
            first: match clip.frame_count() {
                0 => DVec3::ZERO,
                _ => p.on_channels(p.translation(clip, to_file, 0) - p.base),
            },
        })
        .collect();
    layout::decide(&evidence)
}

fn set_bases(planned: &mut [Planned], mode: impl Fn(&Planned) -> PositionMode) {
    for joint in planned.iter_mut().filter(|p| !p.is_root) {
        joint.mode = mode(joint);
        joint.base = match joint.mode {
            PositionMode::Replace => DVec3::ZERO,
            PositionMode::Add => joint.on_channels(joint.offset),
        };
    }
}

/// Whether each joint will be read as it is meant. With OFFSET 0 both meanings are one.
fn understood(planned: &[Planned], clip: &Clip, to_file: &ToFile) -> Vec<bool> {
    let back = modes_read_back(planned, clip, to_file);
    let below = planned.iter().filter(|p| !p.is_root && p.has_positions());
    below
        .zip(back)
        .map(|(p, mode)| p.on_channels(p.offset) == DVec3::ZERO || p.mode == mode)
        .collect()
}

/// Chooses what position channels mean: as in the source, else all replacing, else all adding, whichever the
/// first frame will be read as. What is still read otherwise gets OFFSET 0, where both are the same.
fn settle_modes(planned: &mut [Planned], clip: &Clip, to_file: &ToFile, warnings: &mut Warnings) {
    set_bases(planned, |p| p.mode);
    for mode in [PositionMode::Replace, PositionMode::Add] {
        if understood(planned, clip, to_file).iter().all(|&ok| ok) {
            return;
        }
        set_bases(planned, |_| mode);
    }
    let mut understood = understood(planned, clip, to_file).into_iter();
    for joint in planned
        .iter_mut()
        .filter(|p| !p.is_root && p.has_positions())
    {
        if understood.next() == Some(false) {
            joint.offset -= joint.on_channels(joint.offset);
            joint.base = DVec3::ZERO;
            let name = clip.skeleton().name(joint.joint);
            warnings.add(
                WarningCode::CannotHold,
                format!("`{name}` is written with OFFSET 0, because its first frame would be misread with its own"),
            );
        }
    }
}
