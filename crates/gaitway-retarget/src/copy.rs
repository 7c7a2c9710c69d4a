//! The first guess: turns copied, travel scaled.
//!
//! Every driven joint turns in the world as its source does ([`mod@crate::align`]); others keep their rest rotation in their parents, twist joints
//! take their share of the twist below. The middle of the hip joints, which all bodies have at the same place of the body, goes to
//!
//!   p_t = c + σ (p_s − c),    σ = leg_t / leg_s,   c on the floor below the first frame's
//!
//! so that the way is as long as the legs are.

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, ClipError, JointIdx, LabelTrack, TranslationTrack};
use glam::{DQuat, DVec3, Quat};

use crate::align::{Alignment, Drive};
use crate::body::Body;
use crate::roles::{Part, RoleSide};

/// What the first guess needs beside both bodies.
#[derive(Clone, Copy, Debug)]
pub struct CopyOptions {
    /// Height of the floor the source stands on, metres.
    pub floor: f64,
}

/// Puts a clip on another body, angles copied, travel scaled.
///
/// # Errors
/// When the arrays make no clip, which finite input does not.
pub fn copy(
    clip: &Clip,
    source: &Body,
    target: &Body,
    alignment: &Alignment,
    options: &CopyOptions,
) -> Result<Clip, ClipError> {
    if alignment.same {
        return Clip::new(
            clip.name(),
            target.skeleton.clone(),
            clip.rate_hz(),
            clip.root().to_vec(),
            clip.rotations().to_vec(),
        )?
        .with_translations(clip.translations().to_vec())
        .map(|c| c.with_labels(clip.labels().clone()));
    }
    let skeleton = &target.skeleton;
    let joints = skeleton.joint_count();
    let frames = clip.frame_count();
    let mut from = FkScratch::new(&source.skeleton);
    let mut onto = FkScratch::new(skeleton);
    let mut rotations = Vec::with_capacity(frames * joints);
    let mut root = Vec::with_capacity(frames);
    let mut world = vec![DQuat::IDENTITY; joints];
    let mut locals = vec![Quat::IDENTITY; joints];
    let mut centre: Option<DVec3> = None;
    for frame in 0..frames {
        from.solve(clip, frame);
        for joint in skeleton.joints() {
            let j = joint.index();
            let above = skeleton
                .parent(joint)
                .map_or(DQuat::IDENTITY, |p| world[p.index()]);
            let turn = |(s, a): (JointIdx, DQuat)| from.rotations[s.index()].as_dquat() * a;
            world[j] = match &alignment.drives[j] {
                Some(Drive::One(s, a)) => turn((*s, *a)).normalize(),
                Some(Drive::Between([a, b], u)) => between(turn(*a), turn(*b), *u),
                None => (above * target.locals[j].as_dquat()).normalize(),
            };
            locals[j] = (above.inverse() * world[j]).normalize().as_quat();
        }
        twist(target, alignment, &mut world, &mut locals);
        onto.solve_pose(skeleton, &locals);
        let here = clip.root()[frame] + middle(source, &from);
        let c = *centre.get_or_insert(DVec3::new(here.x, options.floor, here.z));
        root.push(c + alignment.scale * (here - c) - middle(target, &onto));
        rotations.extend_from_slice(&locals);
    }
    let labels: LabelTrack = clip.labels().clone();
    let out = Clip::new(
        clip.name(),
        skeleton.clone(),
        clip.rate_hz(),
        root,
        rotations,
    )?
    .with_labels(labels);
    let tracks = loose_feet(&out, target);
    out.with_translations(tracks)
}

/// Feet that hang on no leg are led to where the leg ends, by a track of their own.
fn loose_feet(clip: &Clip, target: &Body) -> Vec<TranslationTrack> {
    let skeleton = &target.skeleton;
    let loose = RoleSide::BOTH.into_iter().filter_map(|side| {
        let foot = target.roles.joint(Part::Foot, side)?;
        let shank = target.roles.joint(Part::Shank, side)?;
        let hangs = gaitway_core::anatomy::is_at_or_below(skeleton, foot, shank);
        (!hangs && foot != JointIdx::ROOT).then_some((foot, shank))
    });
    let mut scratch = FkScratch::new(skeleton);
    let mut out = Vec::new();
    for (foot, shank) in loose {
        let Some(parent) = skeleton.parent(foot) else {
            continue;
        };
        let from_shank =
            target.rest[shank.index()].inverse() * (target.place(foot) - target.place(shank));
        let values = (0..clip.frame_count()).map(|frame| {
            scratch.solve_pose(skeleton, clip.frame_rotations(frame));
            let at = |j: JointIdx| scratch.from_root[j.index()].as_dvec3();
            let turn = |j: JointIdx| scratch.rotations[j.index()].as_dquat();
            let end = at(shank) + turn(shank) * from_shank;
            (turn(parent).inverse() * (end - at(parent))).as_vec3()
        });
        out.push(TranslationTrack {
            joint: foot,
            values: values.collect(),
        });
    }
    out
}

fn between(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    a.slerp(b, u).normalize()
}

/// From the root to the middle of the hip joints, or to the hips where there are no two legs.
pub(crate) fn middle(body: &Body, solved: &FkScratch) -> DVec3 {
    let at = |j: JointIdx| solved.from_root[j.index()].as_dvec3();
    match body.hip_joints() {
        Some([l, r]) => 0.5 * (at(l) + at(r)),
        None => body.roles.trunk(Part::Hips).map_or(DVec3::ZERO, at),
    }
}

/// Twist joints turn about the bone they lie on by their share of what the joint below turns about it.
fn twist(target: &Body, alignment: &Alignment, world: &mut [DQuat], locals: &mut [Quat]) {
    let skeleton = &target.skeleton;
    for &(joint, below, share) in &alignment.twists {
        let (Some(parent), j) = (skeleton.parent(joint), joint.index()) else {
            continue;
        };
        let axis = (target.place(below) - target.place(parent)).try_normalize();
        let Some(axis) = axis.map(|a| target.rest[parent.index()].inverse() * a) else {
            continue;
        };
        // How the joint below is turned in this one's parent, beyond rest, about the bone.
        let now = world[parent.index()].inverse() * world[below.index()];
        let rest = target.rest[parent.index()].inverse() * target.rest[below.index()];
        let turn = now * rest.inverse();
        let angle = 2.0 * DVec3::new(turn.x, turn.y, turn.z).dot(axis).atan2(turn.w);
        let angle = gaitway_core::planar::wrap_angle(angle) * share;
        let rest_local = target.locals[j].as_dquat();
        let local = DQuat::from_axis_angle(axis, angle) * rest_local;
        locals[j] = local.normalize().as_quat();
        world[j] = (world[parent.index()] * local).normalize();
        // What hangs on it keeps its place in the world.
        for child in skeleton.children(joint) {
            locals[child.index()] = (world[j].inverse() * world[child.index()])
                .normalize()
                .as_quat();
        }
    }
}
