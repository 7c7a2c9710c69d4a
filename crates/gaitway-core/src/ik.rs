//! Two-bone inverse kinematics: hip, knee, ankle (or shoulder, elbow, wrist).
//!
//! The limb lies towards its target already; then both bones turn about one hinge axis n, which the caller gives, until they span
//! the wanted reach. Seen along n the bones and the way e from the first joint to the last make a triangle, whose corners the law
//! of cosines gives. What of the bones lies along n cancels between the two, since together they go along e ⟂ n: so
//! the reach is exact with any n, and lengths never change. A target out of reach is approached as far as the limb goes.
//!
//! Nothing here asks how far a limb is bent: with a hinge that changes smoothly the bones do too, straight limbs included.
//! Which hinge to take where the pose does not show one is for the caller to know.

use glam::{DQuat, DVec3};

/// Lengths of no more than a nanometre are none, in metres.
const NOTHING: f64 = 1e-9;

/// The triangle that two bones of a length each make with the way from the first joint to the last: cosines of its corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Between the upper bone and the way.
    pub top: f64,
    /// Between the way, looked at from its end, and the lower bone.
    pub tip: f64,
    /// Between the upper bone and the lower one as its continuation: 1 for a straight limb, −1 for a folded one.
    pub bend: f64,
}

impl Triangle {
    /// By the law of cosines. A reach that the bones do not have gives a limb that is straight or folded.
    pub fn of(upper: f64, lower: f64, reach: f64) -> Self {
        let (a, b) = (upper, lower);
        let corner = |a: f64, b: f64| (a * a + reach * reach - b * b) / (2.0 * a * reach);
        Self {
            top: corner(a, b).clamp(-1.0, 1.0),
            tip: corner(b, a).clamp(-1.0, 1.0),
            bend: ((reach * reach - a * a - b * b) / (2.0 * a * b)).clamp(-1.0, 1.0),
        }
    }

    /// Where the upper bone points to: `along` is where the tip is, `front` ⟂ `along` where the middle joint goes; both of unit length.
    pub fn upper(&self, along: DVec3, front: DVec3) -> DVec3 {
        along * self.top + front * (1.0 - self.top * self.top).sqrt()
    }
}

/// How far two bones reach with the joint between them bent by an angle from straight: the law of cosines the other way.
pub fn reach_of(upper: f64, lower: f64, bend: f64) -> f64 {
    (upper * upper + lower * lower + 2.0 * upper * lower * bend.cos()).sqrt()
}

/// Turns, about `hinge`, of the upper and of the lower bone with which they span `reach` along `along`, the joint between them
/// towards `hinge` × `along`.
///
/// `upper + lower` goes along `along`; `hinge` ⟂ `along`; both are of unit length. Bones that lie along the hinge cannot be
/// bent about it, and stay.
pub fn fold(upper: DVec3, lower: DVec3, along: DVec3, hinge: DVec3, reach: f64) -> (DQuat, DQuat) {
    let front = hinge.cross(along);
    let flat = |b: DVec3| (b.dot(along), b.dot(front));
    let ((ux, uy), (vx, vy)) = (flat(upper), flat(lower));
    let (a, b) = (ux.hypot(uy), vx.hypot(vy));
    if a < NOTHING || b < NOTHING {
        return (DQuat::IDENTITY, DQuat::IDENTITY);
    }
    // Two bones of one length can be folded to no reach at all, where the way has no direction.
    let reach = reach.clamp((a - b).abs() + NOTHING, a + b);
    let corners = Triangle::of(a, b, reach);
    // A positive angle about the hinge turns `along` towards `front`.
    let turn_upper = corners.top.acos() - uy.atan2(ux);
    let turn_lower = -corners.tip.acos() - vy.atan2(vx);
    (
        DQuat::from_axis_angle(hinge, turn_upper),
        DQuat::from_axis_angle(hinge, turn_lower),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    /// Both bones after folding.
    fn folded(
        upper: DVec3,
        lower: DVec3,
        along: DVec3,
        hinge: DVec3,
        reach: f64,
    ) -> (DVec3, DVec3) {
        let (u, v) = fold(upper, lower, along, hinge, reach);
        (u * upper, v * lower)
    }

    /// A unit axis across a direction.
    fn across(along: DVec3, angle: f64) -> DVec3 {
        DQuat::from_axis_angle(along, angle) * along.any_orthonormal_vector()
    }

    proptest! {
        #[test]
        fn reaches_what_is_reachable_and_keeps_lengths(
            upper in vector(1.0), lower in vector(1.0), angle in -3.2..3.2_f64, reach in 0.0..4.0_f64,
        ) {
            prop_assume!(upper.length() > 0.05 && lower.length() > 0.05 && (upper + lower).length() > 0.05);
            let along = (upper + lower).normalize();
            let hinge = across(along, angle);
            let (u, v) = folded(upper, lower, along, hinge, reach);
            prop_assert!((u.length() - upper.length()).abs() < 1e-12);
            prop_assert!((v.length() - lower.length()).abs() < 1e-12);
            // The hinge's share of the bones is out of reach: what is left of them across it spans the way.
            let flat = |b: DVec3| b.reject_from_normalized(hinge).length();
            let (a, b) = (flat(upper), flat(lower));
            prop_assume!(a > 1e-3 && b > 1e-3);
            let wanted = along * reach.clamp((a - b).abs(), a + b);
            prop_assert!((u + v).distance(wanted) < 1e-7, "missed by {}", (u + v).distance(wanted));
            prop_assert!(u.dot(hinge.cross(along)) > -1e-7, "the joint between is behind");
        }

        #[test]
        fn straight_and_folded_limbs_reach_too(
            a in 0.05..1.0_f64, b in 0.05..1.0_f64, angle in -3.2..3.2_f64, part in 0.0..=1.0_f64, back in any::<bool>(),
        ) {
            prop_assume!(!back || (a - b).abs() > 0.01);
            let along = DVec3::new(0.48, -0.6, 0.64);
            // The one bone upon the other, with the sum along `along`.
            let sign = if a > b { 1.0 } else { -1.0 };
            let (upper, lower) = if back { (along * a * sign, -along * b * sign) } else { (along * a, along * b) };
            let hinge = across(along, angle);
            let reach = (a - b).abs() + part * (a + b - (a - b).abs());
            let (u, v) = folded(upper, lower, along, hinge, reach);
            prop_assert!((u + v).distance(along * reach) < 1e-7);
            prop_assert!(u.dot(hinge).abs() < 1e-12 && v.dot(hinge).abs() < 1e-12);
            prop_assert!(u.dot(hinge.cross(along)) > -1e-7);
        }

        #[test]
        fn the_triangle_is_the_fold(a in 0.05..1.0_f64, b in 0.05..1.0_f64, part in 0.01..0.99_f64) {
            let (along, hinge) = (DVec3::NEG_Y, DVec3::NEG_X);
            let reach = (a - b).abs() + part * (a + b - (a - b).abs());
            let (u, v) = folded(along * a, along * b, along, hinge, reach);
            let triangle = Triangle::of(a, b, reach);
            prop_assert!(triangle.upper(along, DVec3::Z).distance(u / a) < 1e-7);
            prop_assert!((u.dot(v) / (a * b) - triangle.bend).abs() < 1e-7);
            prop_assert!((reach_of(a, b, triangle.bend.acos()) - reach).abs() < 1e-7);
        }
    }

    #[test]
    fn bones_move_smoothly_through_straight() {
        // The captured bend goes through straight to overstretched; the wanted reach and the hinge stay.
        let (along, hinge) = (DVec3::NEG_Y, DVec3::NEG_X);
        let mut last: Option<DVec3> = None;
        for k in -100..=100 {
            let bend = 1e-3 * f64::from(k);
            let upper = DVec3::new(0.0, -0.4 * bend.cos(), 0.4 * bend.sin());
            let lower = DVec3::new(0.0, -0.4 * bend.cos(), -0.4 * bend.sin());
            let (u, _) = folded(upper, lower, along, hinge, 0.79);
            assert!(u.z > 0.05, "the knee went behind at a bend of {bend}");
            assert!(last.is_none_or(|l| l.distance(u) < 1e-9), "at {bend}");
            last = Some(u);
        }
    }

    #[test]
    fn what_cannot_fold_stays() {
        let along = DVec3::NEG_Y;
        for upper in [DVec3::ZERO, DVec3::X * 0.4] {
            let (u, v) = fold(upper, along, along, DVec3::X, 0.5);
            assert_eq!((u, v), (DQuat::IDENTITY, DQuat::IDENTITY));
        }
        let (u, v) = folded(along, along, along, DVec3::NEG_X, 0.0);
        assert!((u + v).length() < 1e-8);
    }
}
