//! The performer's body: 22 joints, 1.75 m, in a T-pose at rest, facing +Z, left is +X.
//!
//! Segment lengths follow the usual proportions of a standing adult (leg 0.52 of the height at the hip joint,
//! arm span about the height). The foot has three points on its sole: the heel (an end site), the ball (the
//! toe joint) and the tip of the toes.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use crate::{ContactPoint, Skeleton, ik};

/// Joints by index, in the order of [`skeleton`].
pub(super) mod joint {
    pub(in super::super) const HIPS: usize = 0;
    pub(in super::super) const SPINE: usize = 1;
    pub(in super::super) const CHEST: usize = 2;
    pub(in super::super) const UPPER_CHEST: usize = 3;
    pub(in super::super) const NECK: usize = 4;
    pub(in super::super) const HEAD: usize = 5;
    /// Shoulder, arm, forearm, hand; left, then right.
    pub(in super::super) const ARM: [usize; 2] = [6, 10];
    /// Thigh, shin, foot, toes; left, then right.
    pub(in super::super) const LEG: [usize; 2] = [14, 18];
    pub(in super::super) const COUNT: usize = 22;
}

/// Thigh and shin, metres.
pub(super) const THIGH: f64 = 0.42;
pub(super) const SHIN: f64 = 0.41;
/// Upper arm and forearm, metres.
pub(super) const UPPER_ARM: f64 = 0.285;
pub(super) const FOREARM: f64 = 0.255;
/// From the wrist to the middle of the palm.
pub(super) const PALM: f64 = 0.09;
/// Hip joint in the pelvis (left; the right has −x).
pub(super) const HIP: DVec3 = DVec3::new(0.09, -0.05, 0.0);
/// Height of the ankle over the sole.
pub(super) const ANKLE: f64 = 0.08;
/// Heel in the foot's frame.
pub(super) const HEEL: DVec3 = DVec3::new(0.0, -ANKLE, -0.055);
/// Ball of the foot in the foot's frame.
pub(super) const BALL: DVec3 = DVec3::new(0.0, -0.065, 0.125);
/// From the ball to the tip of the toes.
pub(super) const TOES: DVec3 = DVec3::new(0.0, -0.015, 0.07);
/// Half the distance of the feet when standing.
pub(super) const HALF_STANCE: f64 = 0.095;
/// How far toes point outwards, radians.
pub(super) const TOE_OUT: f64 = 0.11;

/// +1 for the left, −1 for the right: the sign of x.
pub(super) fn sign(side: usize) -> f64 {
    if side == 0 { 1.0 } else { -1.0 }
}

/// Distance from hip to ankle with the knee flexed by an angle.
pub(super) fn leg_length(flexion: f64) -> f64 {
    ik::reach_of(THIGH, SHIN, flexion)
}

/// The skeleton all performed clips share.
pub fn skeleton() -> Arc<Skeleton> {
    let v = |x: f64, y: f64, z: f64| Vec3::new(x as f32, y as f32, z as f32);
    let mut b = Skeleton::builder();
    let hips = b.root("Hips", v(0.0, 0.96, 0.0));
    let spine = b.joint("Spine", hips, v(0.0, 0.08, -0.01));
    let chest = b.joint("Chest", spine, v(0.0, 0.13, 0.0));
    let upper = b.joint("UpperChest", chest, v(0.0, 0.13, 0.0));
    let neck = b.joint("Neck", upper, v(0.0, 0.17, -0.01));
    let head = b.joint("Head", neck, v(0.0, 0.10, 0.015));
    b.end_site(head, v(0.0, 0.185, 0.01));
    for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
        let shoulder = b.joint(format!("{side}Shoulder"), upper, v(0.025 * s, 0.125, 0.0));
        let arm = b.joint(format!("{side}Arm"), shoulder, v(0.15 * s, -0.01, 0.0));
        let forearm = b.joint(format!("{side}ForeArm"), arm, v(UPPER_ARM * s, 0.0, 0.0));
        let hand = b.joint(format!("{side}Hand"), forearm, v(FOREARM * s, 0.0, 0.0));
        b.end_site(hand, v(0.18 * s, 0.0, 0.0));
    }
    for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
        let thigh = b.joint(format!("{side}UpLeg"), hips, v(HIP.x * s, HIP.y, HIP.z));
        let shin = b.joint(format!("{side}Leg"), thigh, v(0.0, -THIGH, 0.0));
        let foot = b.joint(format!("{side}Foot"), shin, v(0.0, -SHIN, 0.0));
        b.end_site(foot, HEEL.as_vec3());
        let toes = b.joint(format!("{side}ToeBase"), foot, BALL.as_vec3());
        b.end_site(toes, TOES.as_vec3());
    }
    b.build().expect("the performer's body is a tree").shared()
}

/// The four points whose contacts are known, in the order of [`super::Truth`]: left heel, left toe, right
/// heel, right toe. The heel is the end site of the foot; the toe is the ball, where the foot rolls.
pub(super) fn contact_points(skeleton: &Skeleton) -> Vec<ContactPoint> {
    let names = [
        ("left_heel", "LeftFoot_end"),
        ("left_toe", "LeftToeBase"),
        ("right_heel", "RightFoot_end"),
        ("right_toe", "RightToeBase"),
    ];
    names
        .into_iter()
        .filter_map(|(name, point)| {
            let point = skeleton.find_point(point)?;
            Some(ContactPoint {
                name: name.into(),
                point,
            })
        })
        .collect()
}
