//! What may change: the root's place, and joints between the root and what is constrained.

use std::sync::Arc;

use gaitway_core::{Clip, JointIdx, Skeleton, fk::FkScratch};
use glam::DVec3;

use super::{Constraint, Wish, ancestors};
use crate::body::Body;
use crate::roles::{Part, RoleSide};

/// How a joint may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Any way.
    Free,
    /// About one axis of its own frame.
    Hinge(DVec3),
}

/// A joint that may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Freedom {
    /// The joint.
    pub joint: JointIdx,
    /// How.
    pub turn: Turn,
    /// What a radian costs against the whole body moved by a metre.
    pub weight: f64,
}

/// The freedoms of a body for constraints: hips and legs for feet, arms and spine for what hangs on arms, everything up to the root for what is neither.
/// Joints that no role knows stay as they are, but where nothing on the way to the root is known.
pub fn freedoms(body: &Body, clip: &Clip, constraints: &[Constraint]) -> Vec<Freedom> {
    let weights = weights(clip);
    let mut joints: Vec<JointIdx> = Vec::new();
    for c in constraints {
        let points = match &c.wish {
            Wish::At { point, .. } => vec![*point],
            Wish::Apart { from, to, .. } => vec![*from, *to],
            Wish::Above { points, .. } => points.clone(),
        };
        for point in points {
            joints.extend(ancestors(clip, point).filter(|&j| may_turn(body, j)));
        }
    }
    joints.sort();
    joints.dedup();
    let hinge = |j: JointIdx| {
        let is = |part, s| body.roles.joint(part, s) == Some(j);
        RoleSide::BOTH.into_iter().find_map(|s| {
            let knee = body.knees[s.index()].filter(|_| is(Part::Shank, s));
            knee.or(body.elbows[s.index()].filter(|_| is(Part::Forearm, s)))
        })
    };
    joints
        .into_iter()
        .map(|joint| Freedom {
            joint,
            turn: hinge(joint).map_or(Turn::Free, Turn::Hinge),
            weight: weights[joint.index()] * stiffness(body, joint),
        })
        .collect()
}

/// A trunk leans only for what arms cannot reach.
fn stiffness(body: &Body, joint: JointIdx) -> f64 {
    /// An arm that points to where its hand shall go has no way left but the trunk's; ten times an arm's weight is enough for all others to be the arm's.
    const TRUNK: f64 = 10.0;
    match body.roles.role_of(joint).map(|r| r.part) {
        Some(Part::Spine) => TRUNK,
        _ => 1.0,
    }
}

fn may_turn(body: &Body, joint: JointIdx) -> bool {
    match body.roles.role_of(joint) {
        None => false,
        Some(role) => !matches!(
            role.part,
            Part::Toe | Part::Hand | Part::Neck | Part::Head | Part::Shoulder
        ),
    }
}

/// Per joint the mean square of how far a radian moves the body's points, metres²: all of them counted, also those that it does not move. A tenth of a metre is
/// added, or feet and hands would turn for nothing.
fn weights(clip: &Clip) -> Vec<f64> {
    let skeleton: &Arc<Skeleton> = clip.skeleton();
    let (joints, points) = (skeleton.joint_count(), skeleton.point_count());
    let mut sums = vec![0.0; joints];
    let mut scratch = FkScratch::new(skeleton);
    let frames = clip.frame_count();
    let mut seen = 0.0;
    for frame in (0..frames).step_by(frames.div_ceil(16).max(1)) {
        scratch.solve(clip, frame);
        for p in 0..points {
            let point = gaitway_core::PointIdx(p as u32);
            for j in ancestors(clip, point) {
                sums[j.index()] +=
                    f64::from(scratch.from_root[p].distance_squared(scratch.from_root[j.index()]));
            }
        }
        seen += 1.0;
    }
    sums.iter()
        .map(|s| s / (seen * points as f64).max(1.0) + 0.01)
        .collect()
}
