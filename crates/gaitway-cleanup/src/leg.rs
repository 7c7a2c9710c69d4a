//! The leg: two bones that turn about one axis, damped near full extension, stretched a little where they must be.
//!
//! First the whole leg swings from its captured to its wanted direction e; then thigh and shin turn about one hinge
//! axis n ⟂ e ([`ik::fold`]): the knee's own ([`knee`](super::knee)), swung along.
//!
//! Damping: up to the reach t (as captured, or that of a knee with its least bend) the leg follows; beyond, its own reach
//! comes ever slower to full length m,  r(w) = t + (m − t)(1 − e^{−(w − t)/(m − t)}),  so that dr/dw is continuous and the
//! knee never snaps; the rest, w / r, is stretch, bounded and told.

use gaitway_core::ik;
use glam::{DQuat, DVec3};

use super::root::allowed;

/// A leg as captured, in one frame of reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bones {
    pub hip: DVec3,
    pub knee: DVec3,
    pub ankle: DVec3,
    /// The axis the knee bends about.
    pub hinge: DVec3,
}

/// How a leg is to be turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    /// World turn of the thigh and of the shin.
    pub thigh: DQuat,
    pub shin: DQuat,
    /// Length over captured length.
    pub stretch: f64,
    /// Where the ankle is then.
    pub ankle: DVec3,
}

/// Solves for an ankle. `hip` may have moved from the captured one.
pub(super) fn solve(
    bones: &Bones,
    hip: DVec3,
    wanted: DVec3,
    full: f64,
    max_stretch: f64,
) -> Solved {
    let (upper, lower) = (bones.knee - bones.hip, bones.ankle - bones.knee);
    let (captured, to_ankle) = (upper + lower, wanted - hip);
    let (now, want) = (captured.length(), to_ankle.length());
    let length = upper.length() + lower.length();
    if now < 1e-6 || want < 1e-6 || length < 1e-6 {
        return Solved {
            thigh: DQuat::IDENTITY,
            shin: DQuat::IDENTITY,
            stretch: 1.0,
            ankle: hip + captured,
        };
    }
    let (reach, stretch) = damped(want, now, length, full, max_stretch);
    let along = to_ankle / want;
    let swing = DQuat::from_rotation_arc(captured / now, along);
    let (u, v) = (swing * upper, swing * lower);
    let across = (swing * bones.hinge).reject_from_normalized(along);
    let hinge = across
        .try_normalize()
        .unwrap_or_else(|| along.any_orthonormal_vector());
    let (turn_u, turn_v) = ik::fold(u, v, along, hinge, reach);
    let (thigh, shin) = (turn_u * swing, turn_v * swing);
    let spanned = thigh * upper + shin * lower;
    // Bones that are bent aside span less than their lengths, however straight the knee: stretch makes up for that too.
    let stretch = if spanned.length() < reach - 1e-7 {
        (want / spanned.length()).clamp(1.0, 1.0 + max_stretch)
    } else {
        stretch
    };
    Solved {
        thigh,
        shin,
        stretch,
        ankle: hip + stretch * spanned,
    }
}

/// The leg's own reach and the stretch that makes up for the rest.
fn damped(want: f64, captured: f64, length: f64, full: f64, max_stretch: f64) -> (f64, f64) {
    let from = allowed(captured, length, full);
    if want <= from {
        return (want, 1.0);
    }
    let most = length.max(from);
    let room = most - from;
    let reach = if room > 1e-9 {
        from + room * (1.0 - (-(want - from) / room).exp())
    } else {
        from
    };
    (reach, (want / reach).min(1.0 + max_stretch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bones(bend: f64, twist: f64) -> Bones {
        let turn = DQuat::from_rotation_y(twist);
        let knee = turn * DVec3::new(0.02, -0.42 * bend.cos(), 0.42 * bend.sin());
        let ankle = knee + turn * DVec3::new(-0.01, -0.4 * bend.cos(), -0.4 * bend.sin());
        Bones {
            hip: DVec3::ZERO,
            knee,
            ankle,
            hinge: turn * DVec3::NEG_X,
        }
    }

    proptest! {
        #[test]
        fn the_ankle_is_reached_and_lengths_hold(
            bend in -0.05..1.2_f64, twist in -3.0..3.0_f64, x in -0.3..0.3_f64, y in -0.9..-0.3_f64, z in -0.3..0.3_f64,
        ) {
            let b = bones(bend, twist);
            let wanted = DVec3::new(x, y, z);
            let s = solve(&b, DVec3::ZERO, wanted, 0.995, 0.03);
            let length = b.knee.length() + (b.ankle - b.knee).length();
            prop_assert!((1.0..=1.03 + 1e-12).contains(&s.stretch));
            if wanted.length() < 1.02 * length {
                prop_assert!(s.ankle.distance(wanted) < 1e-4, "missed by {}", s.ankle.distance(wanted));
            }
            if wanted.length() < 0.99 * length {
                prop_assert_eq!(s.stretch, 1.0);
                // The knee points forward.
                let knee = s.thigh * b.knee;
                let along = wanted.normalize();
                prop_assert!((knee - along * knee.dot(along)).dot(b.hinge.cross(along)) > -0.05);
            }
        }
    }

    #[test]
    fn a_straight_leg_that_is_bent_aside_reaches_its_ankle() {
        let wanted = DVec3::new(0.0, -0.821_489_956_336_236_1, 0.147_950_395_240_948_08);
        let s = solve(&bones(0.0, 0.0), DVec3::ZERO, wanted, 0.995, 0.03);
        assert!(s.ankle.distance(wanted) < 1e-6, "{:?}", s.ankle - wanted);
    }

    #[test]
    fn nothing_moves_when_nothing_is_asked() {
        for bend in [0.0, 0.005, 0.05, 0.3, 1.0] {
            let b = bones(bend, 0.4);
            let s = solve(&b, b.hip, b.ankle, 0.995, 0.03);
            assert!((s.thigh * b.knee).distance(b.knee) < 0.021, "{bend}");
            assert!(s.ankle.distance(b.ankle) < 1e-6, "{bend}");
        }
    }

    #[test]
    fn reach_and_its_slope_are_continuous() {
        let reach = |w: f64| damped(w, 0.5, 1.0, 0.995, 0.03).0;
        for k in 0..60 {
            let w = 0.99 + 0.0005 * f64::from(k);
            let (before, after) = (reach(w) - reach(w - 1e-6), reach(w + 1e-6) - reach(w));
            assert!((before - after).abs() < 1e-9, "at {w}");
            assert!(reach(w) < 1.0);
        }
    }
}
