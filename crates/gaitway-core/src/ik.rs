//! Two-bone inverse kinematics: hip, knee, ankle (or shoulder, elbow, wrist).
//!
//! The law of cosines gives the angle at the middle joint; the bones stay in the plane they are in,
//! then the whole limb swings to the target. Lengths never change. A target out of reach is approached
//! as far as the limb goes, and the answer says how far it fell short.

use glam::{Quat, Vec3};

/// A limb of two bones in one common frame.
#[derive(Clone, Copy, Debug)]
pub struct TwoBones {
    /// Hip or shoulder.
    pub top: Vec3,
    /// Knee or elbow.
    pub middle: Vec3,
    /// Ankle or wrist.
    pub tip: Vec3,
}

/// How to turn a limb so that its tip reaches a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneSolution {
    /// To be applied, in the common frame, to everything below the top joint.
    pub turn_top: Quat,
    /// To be applied, in the common frame and before `turn_top`, to everything below the middle joint.
    pub turn_middle: Quat,
    /// How far the tip stays from the target, in metres; 0 when it is reached.
    pub short_by: f32,
}

/// Solves for a target. `bend` is the direction the middle joint points to when the limb is straight (or
/// folded) and its plane is not given by itself; it need not be of unit length or exactly perpendicular.
pub fn solve_two_bones(limb: TwoBones, target: Vec3, bend: Vec3) -> TwoBoneSolution {
    let upper = limb.middle - limb.top;
    let lower = limb.tip - limb.middle;
    let (a, b) = (upper.length(), lower.length());
    let to_target = target - limb.top;
    let wanted = to_target.length();
    let (nearest, farthest) = ((a - b).abs(), a + b);
    let reach = wanted.clamp(nearest, farthest);
    if a < 1e-6 || b < 1e-6 || wanted < 1e-9 {
        let short_by = (limb.tip - target).length();
        return TwoBoneSolution {
            turn_top: Quat::IDENTITY,
            turn_middle: Quat::IDENTITY,
            short_by,
        };
    }
    let axis = hinge_axis(upper, lower, bend);
    // Signed angle from the upper to the lower bone about the hinge, now and wanted.
    let now = upper.cross(lower).dot(axis).atan2(upper.dot(lower));
    let cos = ((reach * reach - a * a - b * b) / (2.0 * a * b)).clamp(-1.0, 1.0);
    let turn_middle = Quat::from_axis_angle(axis, cos.acos() - now);
    let tip = upper + turn_middle * lower;
    let turn_top = arc_between(tip, to_target);
    TwoBoneSolution {
        turn_top,
        turn_middle,
        short_by: (wanted - reach).abs(),
    }
}

/// The unit axis about which a positive turn bends the lower bone the way it is bent already, or, for a
/// straight limb, the way that brings the middle joint towards `bend`.
fn hinge_axis(upper: Vec3, lower: Vec3, bend: Vec3) -> Vec3 {
    let cross = upper.cross(lower);
    if cross.length_squared() > 1e-8 * upper.length_squared() * lower.length_squared() {
        return cross.normalize();
    }
    // The middle moves towards `bend` when the lower bone turns away from it.
    let axis = bend.cross(upper);
    if axis.length_squared() > 1e-12 {
        return axis.normalize();
    }
    upper.any_orthogonal_vector().normalize()
}

/// The shortest turn from one direction to another, stable when they are opposite.
pub fn arc_between(from: Vec3, to: Vec3) -> Quat {
    let (f, t) = (from.normalize_or_zero(), to.normalize_or_zero());
    if f == Vec3::ZERO || t == Vec3::ZERO {
        return Quat::IDENTITY;
    }
    let w = 1.0 + f.dot(t);
    if w < 1e-6 {
        return Quat::from_axis_angle(f.any_orthonormal_vector(), std::f32::consts::PI);
    }
    let c = f.cross(t);
    Quat::from_xyzw(c.x, c.y, c.z, w).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(r: f32) -> impl Strategy<Value = Vec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn reaches_what_is_reachable_and_keeps_lengths(
            middle in vector(1.0), tip in vector(1.0), target in vector(2.5), bend in vector(1.0),
        ) {
            prop_assume!(middle.length() > 0.05 && (tip - middle).length() > 0.05 && target.length() > 0.05);
            let limb = TwoBones { top: Vec3::ZERO, middle, tip };
            let s = solve_two_bones(limb, target, bend);
            let new_middle = s.turn_top * middle;
            let new_tip = s.turn_top * (middle + s.turn_middle * (tip - middle));
            prop_assert!((new_middle.length() - middle.length()).abs() < 1e-4);
            prop_assert!(((new_tip - new_middle).length() - (tip - middle).length()).abs() < 1e-4);
            prop_assert!(((new_tip - target).length() - s.short_by).abs() < 2e-3);
            let reach = middle.length() + (tip - middle).length();
            let least = (middle.length() - (tip - middle).length()).abs();
            if target.length() < reach - 1e-3 && target.length() > least + 1e-3 {
                prop_assert!((new_tip - target).length() < 2e-3, "missed by {}", (new_tip - target).length());
            }
        }
    }

    #[test]
    fn a_straight_leg_bends_its_knee_towards_the_bend_direction() {
        let limb = TwoBones {
            top: Vec3::ZERO,
            middle: Vec3::NEG_Y,
            tip: 2.0 * Vec3::NEG_Y,
        };
        let s = solve_two_bones(limb, 1.5 * Vec3::NEG_Y, Vec3::Z);
        let knee = s.turn_top * limb.middle;
        assert!(knee.z > 0.5, "the knee went to {knee}");
    }
}
