//! Where the root must be: the least displacement with which all legs reach.
//!
//! Each leg allows the hip inside a ball around its ankle, so the displacements allowed are a ball each, and the
//! least one is the point of their intersection nearest to 0: Dykstra's projections find it. Smoothing it in time
//! would take some of it away; the largest need within a window, smoothed over the same window, does not.
//!
//! Before that the pelvis has followed its feet ([`pelvis`](super::pelvis)): what is left is what no bend of a leg can do.

use glam::DVec3;

use super::ingest::{Slot, Sources};
use super::pelvis::Follow;
use super::rig::Rig;

/// Two balls need few projections; legs rarely need any.
const PROJECTIONS: usize = 16;

/// A ball of displacements with which one leg reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub centre: DVec3,
    pub radius: f64,
}

impl Reach {
    fn project(&self, x: DVec3) -> DVec3 {
        let off = x - self.centre;
        let far = off.length();
        if far <= self.radius {
            x
        } else {
            self.centre + off * (self.radius / far)
        }
    }
}

/// The least displacement inside all balls, or a compromise where they have nothing in common.
pub(super) fn least(reaches: &[Option<Reach>; 2]) -> DVec3 {
    let mut x = DVec3::ZERO;
    let mut left = [DVec3::ZERO; 2];
    for _ in 0..PROJECTIONS {
        let before = x;
        for (reach, left) in reaches.iter().zip(&mut left) {
            if let Some(reach) = reach {
                let y = reach.project(x + *left);
                *left += x - y;
                x = y;
            }
        }
        if x.distance_squared(before) < 1e-14 {
            break;
        }
    }
    x
}

/// How far a leg may reach: to its full length less a little, or as far as it was captured.
pub(super) fn allowed(captured: f64, length: f64, full: f64) -> f64 {
    captured.max(full * length)
}

/// The displacement, beside `slot.follow`, that a frame's corrected feet ask for.
pub(super) fn need(rig: &Rig, slot: &Slot, full: f64) -> DVec3 {
    if slot.shift == [DVec3::ZERO; 2] && slot.follow == Follow::NONE {
        return DVec3::ZERO;
    }
    let reaches = [0, 1].map(|i| {
        rig.legs[i].as_ref()?;
        let leg = &slot.legs[i];
        let (hip, knee, ankle) = (
            leg.hip.as_dvec3(),
            leg.knee.as_dvec3(),
            leg.ankle.as_dvec3(),
        );
        let length = hip.distance(knee) + knee.distance(ankle);
        let captured = hip.distance(ankle);
        // A leg within its ball at no displacement must see exactly 0, not a rounding of it.
        let radius = allowed(captured, length, full) + 1e-9;
        let centre = ankle + slot.shift[i] - slot.follow.place(slot, hip);
        Some(Reach { centre, radius })
    });
    least(&reaches)
}

/// The largest need within `window` frames on either side.
pub(super) fn widest(sources: &Sources, frame: usize, window: usize, end: usize) -> DVec3 {
    let range = frame.saturating_sub(window)..(frame + window + 1).min(end);
    let mut best = (0.0, DVec3::ZERO);
    for f in range {
        let need = sources.slot(f).need;
        let size = need.length_squared();
        if size > best.0 {
            best = (size, need);
        }
    }
    best.1
}

/// A value of the frames around one, averaged with the weights of a raised cosine.
pub(super) fn smoothed(
    sources: &Sources,
    weights: &[f64],
    frame: usize,
    end: usize,
    value: impl Fn(&Slot) -> DVec3,
) -> DVec3 {
    let window = weights.len() / 2;
    let mut sum = DVec3::ZERO;
    for (k, weight) in weights.iter().enumerate() {
        // Beyond the ends of the motion the last value goes on.
        let f = (frame + k)
            .saturating_sub(window)
            .min(end.saturating_sub(1));
        sum += *weight * value(sources.slot(f));
    }
    sum
}

/// Weights of a raised cosine over `window` frames on either side, sum 1.
pub(super) fn weights(window: usize) -> Vec<f64> {
    let angle = |k: usize| std::f64::consts::TAU * (k + 1) as f64 / (2 * window + 2) as f64;
    let raw: Vec<f64> = (0..=2 * window).map(|k| 1.0 - angle(k).cos()).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|w| w / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_least_displacement_is_inside_and_near_the_least(
            a in prop::array::uniform3(-0.5..0.5_f64), b in prop::array::uniform3(-0.5..0.5_f64),
            ra in 0.3..0.8_f64, rb in 0.3..0.8_f64,
        ) {
            let (a, b) = (DVec3::from(a), DVec3::from(b));
            prop_assume!(a.distance(b) < 0.8 * (ra + rb));
            let reaches = [Some(Reach { centre: a, radius: ra }), Some(Reach { centre: b, radius: rb })];
            let x = least(&reaches);
            prop_assert!(x.distance(a) < ra + 5e-3 && x.distance(b) < rb + 5e-3);
            // No shorter one on a coarse grid is inside.
            for i in -6..=6 { for j in -6..=6 { for k in -6..=6 {
                let y = DVec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.15;
                if y.distance(a) <= ra && y.distance(b) <= rb {
                    prop_assert!(x.length() < y.length() + 0.02, "{x} {y}");
                }
            }}}
        }
    }

    #[test]
    fn legs_that_reach_ask_for_nothing() {
        let r = Some(Reach {
            centre: DVec3::X,
            radius: 1.1,
        });
        assert_eq!(least(&[r, None]), DVec3::ZERO);
    }
}
