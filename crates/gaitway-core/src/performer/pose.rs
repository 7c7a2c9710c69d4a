//! From the plan to joint rotations at one time.
//!
//! Legs come first, since feet are exact: two bones by the law of cosines, the knee in the plane of hip,
//! ankle and the direction that pelvis and foot point to. Clips hold `f32`; each joint of a leg is aimed from
//! where `f32` kinematics has really put its parent, so rounding does not add up down the leg and a planted
//! point stays within a micrometre.

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::body::{self, HIP, SHIN, THIGH, joint, leg_length};
use super::curve::soft_min;
use super::feet::FootPose;
use super::stage::{Chan, Pelvis, Stage};
use super::upper;
use crate::ik::Triangle;

/// Root place and local rotations of one frame.
pub(super) struct Pose {
    pub(super) root: DVec3,
    pub(super) locals: [Quat; joint::COUNT],
}

/// Solves the plan at a time.
pub(super) fn solve(stage: &Stage, t: f64) -> Pose {
    let feet = [stage.feet[0].at(t), stage.feet[1].at(t)];
    let pelvis = stage.pelvis(t, &feet);
    let mut locals = [Quat::IDENTITY; joint::COUNT];
    locals[joint::HIPS] = pelvis.rotation.as_quat().normalize();
    for (side, foot) in feet.iter().enumerate() {
        let knees_out = stage.value(Chan::KneesOut, t) * body::sign(side);
        leg(&mut locals, &pelvis, foot, side, knees_out);
    }
    upper::solve(stage, t, &pelvis, &mut locals);
    Pose {
        root: pelvis.place,
        locals,
    }
}

/// A rotation whose −Y goes along `down` and whose Z is as near to `forward` as that allows.
fn bone(down: DVec3, forward: DVec3) -> DQuat {
    let y = -down.normalize();
    let z = (forward - y * forward.dot(y)).normalize();
    DQuat::from_mat3(&DMat3::from_cols(y.cross(z), y, z))
}

/// The shortest turn from straight down to a direction; fine for any leg that does not point at the sky.
fn from_down(to: DVec3) -> DQuat {
    let c = DVec3::NEG_Y.cross(to);
    DQuat::from_xyzw(c.x, c.y, c.z, 1.0 - to.y).normalize()
}

fn leg(locals: &mut [Quat], pelvis: &Pelvis, foot: &FootPose, side: usize, knees_out: f64) {
    let j = joint::LEG[side];
    let hips = locals[joint::HIPS];
    let hip = hips
        * Vec3::new(
            (HIP.x * body::sign(side)) as f32,
            HIP.y as f32,
            HIP.z as f32,
        );
    let mut to_ankle = foot.ankle - pelvis.place - hip.as_dvec3();
    // A foot in the air need not reach its plan where that is too far: it is drawn in softly.
    if foot.free > 0.0 {
        let far = to_ankle.length();
        // At both ends the limit lies just beyond what the hips leave to a standing leg, so nothing jumps.
        let (end, middle) = (leg_length(0.25), leg_length(0.36));
        let limit = end + foot.free * (middle - end);
        let soft = foot.soft + foot.free * (0.05 - foot.soft);
        to_ankle *= soft_min(far, limit, soft) / far;
    }
    let reach = to_ankle.length().clamp(0.12, leg_length(0.02));
    let along = to_ankle.normalize();
    let knee_yaw = 0.5 * (pelvis.yaw + foot.yaw) + knees_out;
    let pole = from_down(along) * DQuat::from_rotation_y(knee_yaw) * DVec3::Z;
    // Only the thigh is asked for: the shin is aimed from where `f32` puts the knee.
    let thigh = Triangle::of(THIGH, SHIN, reach).upper(along, pole);
    let thigh_in_world = set(locals, j, hips, bone(thigh, pole));
    let knee = hip + thigh_in_world * Vec3::new(0.0, -THIGH as f32, 0.0);
    let ankle = hip.as_dvec3() + along * reach;
    let shin = ankle - knee.as_dvec3();
    let shin_in_world = set(locals, j + 1, thigh_in_world, bone(shin, pole));
    set(locals, j + 2, shin_in_world, foot.rotation());
    locals[j + 3] = DQuat::from_rotation_x(foot.toe_bend).as_quat();
}

/// Stores a joint's local rotation so that it comes to lie as wanted under its parent as stored; returns
/// its world rotation as kinematics will find it.
pub(super) fn set(locals: &mut [Quat], j: usize, parent: Quat, wanted: DQuat) -> Quat {
    let local = (parent.as_dquat().inverse() * wanted).normalize();
    let local = if local.w < 0.0 { -local } else { local };
    locals[j] = local.as_quat();
    parent * locals[j]
}
