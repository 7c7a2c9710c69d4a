//! Motion on a body that is known already: its lengths are kept, and its joints' frames are those of its own rest pose.

use std::sync::Arc;

use gaitway_core::{Clip, JointIdx, Skeleton, WarningCode, Warnings};
use glam::{DQuat, DVec3};

use crate::error::CalibrateError;
use crate::linalg::fit_rotation;
use crate::model::{BodyPose, Model};

/// A known skeleton beside the bodies that were found.
pub(crate) struct Known {
    skeleton: Arc<Skeleton>,
    /// The skeleton's joint of each body.
    joints: Vec<JointIdx>,
    /// Body from joint: how the joint's frame lies in the body's.
    turns: Vec<DQuat>,
}

impl Known {
    /// Takes lengths over into a model. Joints are told by name.
    pub(crate) fn take(
        skeleton: &Arc<Skeleton>,
        names: &[String],
        model: &mut Model,
        poses: &[BodyPose],
        warnings: &mut Warnings,
    ) -> Result<Self, CalibrateError> {
        let joints: Option<Vec<JointIdx>> = names.iter().map(|n| skeleton.find(n)).collect();
        let joints = joints.ok_or_else(|| {
            let missing: Vec<&str> = names
                .iter()
                .filter(|n| skeleton.find(n).is_none())
                .map(String::as_str)
                .collect();
            CalibrateError::new(format!(
                "the skeleton has no joints for {}",
                missing.join(", ")
            ))
            .with_hint("name bodies after its joints: --names TABLE.csv with rows of body,name")
        })?;
        for (body, &joint) in joints.iter().enumerate() {
            let said = model.parents[body].map(|p| joints[p]);
            if skeleton.parent(joint) != said {
                return Err(CalibrateError::new(format!(
                    "`{}` hangs on `{}` in the skeleton and on `{}` in the data",
                    names[body],
                    skeleton
                        .parent(joint)
                        .map_or("nothing", |p| skeleton.name(p)),
                    model.parents[body].map_or("nothing", |p| names[p].as_str()),
                ))
                .with_hint("use a skeleton that `calibrate` made from the same markers"));
            }
        }
        let rest = rest_places(skeleton, &joints);
        let (pose, whole) = nearest_pose(model, poses, &rest);
        let mut turns = Vec::with_capacity(joints.len());
        for (body, name) in names.iter().enumerate() {
            let below: Vec<usize> = (0..joints.len())
                .filter(|&c| model.parents[c] == Some(body))
                .collect();
            let theirs = |c: usize| skeleton.offset(joints[c]).as_dvec3();
            let pairs: Vec<(DVec3, DVec3, f64)> = below
                .iter()
                .map(|&c| (theirs(c), model.offsets[c], 1.0))
                .collect();
            // World from joint at the pose that is most like the rest pose.
            let world = match pairs.as_slice() {
                [] => whole,
                [(a, b, _)] => {
                    let from = (whole * *a).normalize_or(DVec3::Y);
                    let to = (pose.turns[body] * *b).normalize_or(DVec3::Y);
                    DQuat::from_rotation_arc(from, to) * whole
                }
                many => {
                    let mut about: Vec<(DVec3, DVec3, f64)> = many.to_vec();
                    about.push((DVec3::ZERO, DVec3::ZERO, 1.0));
                    pose.turns[body] * fit_rotation(&about).0
                }
            };
            let turn = (pose.turns[body].conjugate() * world).normalize();
            let mut off = 0.0_f64;
            for &c in &below {
                let length = model.offsets[c].length();
                off = off.max((theirs(c).length() - length).abs());
            }
            if off > 0.05 {
                let message = format!(
                    "bones of `{name}` are {:.0} mm off from what the markers say",
                    1e3 * off
                );
                warnings.add(WarningCode::Unusual, message);
            }
            for &c in &below {
                model.offsets[c] = turn * theirs(c);
            }
            turns.push(turn);
        }
        Ok(Self {
            skeleton: skeleton.clone(),
            joints,
            turns,
        })
    }

    /// The motion as a clip of the known skeleton; joints that nothing was seen of do not turn.
    pub(crate) fn clip(
        &self,
        name: &str,
        model: &Model,
        poses: &[BodyPose],
        rate_hz: f64,
    ) -> Result<Clip, CalibrateError> {
        let count = self.skeleton.joint_count();
        let mut rotations = vec![glam::Quat::IDENTITY; count * poses.len()];
        for (frame, pose) in poses.iter().enumerate() {
            let world = |b: usize| pose.turns[b] * self.turns[b];
            for (body, joint) in self.joints.iter().enumerate() {
                let local = match model.parents[body] {
                    None => world(body),
                    Some(p) => world(p).conjugate() * world(body),
                };
                rotations[frame * count + joint.index()] = local.as_quat().normalize();
            }
        }
        let root = poses.iter().map(|p| p.root).collect();
        Clip::new(name, self.skeleton.clone(), rate_hz, root, rotations)
            .map_err(|e| CalibrateError::new(e.to_string()))
    }
}

/// Where the joints are at rest.
fn rest_places(skeleton: &Skeleton, joints: &[JointIdx]) -> Vec<DVec3> {
    joints
        .iter()
        .map(|&joint| {
            let (mut at, mut place) = (joint, DVec3::ZERO);
            while let Some(parent) = skeleton.parent(at) {
                place += skeleton.offset(at).as_dvec3();
                at = parent;
            }
            place
        })
        .collect()
}

/// The pose that is most like the rest pose, and the turn of the whole that makes it so.
fn nearest_pose<'a>(model: &Model, poses: &'a [BodyPose], rest: &[DVec3]) -> (&'a BodyPose, DQuat) {
    let off = |pose: &BodyPose| {
        let joints = model.joints(pose);
        let pairs: Vec<(DVec3, DVec3, f64)> = rest
            .iter()
            .zip(&joints)
            .map(|(a, b)| (*a, *b, 1.0))
            .collect();
        let (turn, a, b) = fit_rotation(&pairs);
        let left: f64 = pairs
            .iter()
            .map(|(x, y, _)| (turn * (*x - a)).distance_squared(*y - b))
            .sum();
        (left, turn)
    };
    let mut best = (f64::MAX, DQuat::IDENTITY, &poses[0]);
    for pose in poses {
        let (left, turn) = off(pose);
        if left < best.0 {
            best = (left, turn, pose);
        }
    }
    (best.2, best.1)
}
