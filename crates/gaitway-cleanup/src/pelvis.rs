//! The pelvis follows its feet: a smooth displacement and tilt with which legs keep the bend they were captured with.
//!
//! Near straight, a knee moves far for little: a leg of length L bent by β spans r = L cos β/2, and its knee goes by
//! g = dz/dr = ½ cot β/2 for each unit that the ankle comes nearer to the hip: 3.6 at 16°, 14 at 4°. With d the way from hip to
//! corrected ankle, e its direction and u = (x, y, z, q) what the pelvis does in frame t — the root's displacement, and q how far a tilt to the
//! side brings the hips up and down — all of
//!
//!   Σₜ [ Σ over legs g⁴ (e·v − (|d| − r))² + μ |u|² ] + λ Σₜ |ü|²,     v = (x, y, z) ± tilt, the way of that leg's hip,
//!
//! is as small as can be: what bent legs can take up they do, what straight ones cannot the pelvis does, and it never does it
//! abruptly. (Two straight legs side by side ask for two heights of one root; only a tilt gives both.) The normal equations are
//! block-pentadiagonal. They are eliminated frame by frame as frames come; a frame's u is then found from `lag` frames
//! later, or from the motion's end.

use glam::{DMat4, DQuat, DVec3, DVec4};

use super::ingest::{Slot, Sources};
use super::rig::Rig;

/// μ: what a displacement costs beside a knee's way, both in metres. A leg bent by 32° counts for as much.
const STAY: f64 = 10.0;
/// The same for what a tilt does: a pelvis shifts more readily than it tilts.
const LEVEL: f64 = 60.0;
/// λ: what acceleration costs beside a knee's way, in s⁴. The time it takes, (λ / weight)^¼, is 1.7 ms where a leg is straight and 10 ms where
/// nothing but μ holds the pelvis.
const SMOOTH: f64 = 1e-7;
/// A pelvis never tilts as far as this, in radians: 20°. Feet levelled by several centimetres, as on ground that is not even, would
/// ask for more; there the legs bend.
const MOST_TILT: f64 = 0.35;
/// No leg counts for more than one bent by this much, in radians: 4°.
const STRAIGHTEST: f64 = 0.07;

/// What the pelvis does in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Follow {
    /// Displacement of the middle between the hips.
    pub shift: DVec3,
    /// Turn about it, as a rotation vector.
    pub tilt: DVec3,
}

impl Follow {
    pub const NONE: Self = Self {
        shift: DVec3::ZERO,
        tilt: DVec3::ZERO,
    };

    pub fn turn(&self) -> DQuat {
        DQuat::from_scaled_axis(self.tilt)
    }

    /// Where something that hangs on the pelvis goes, relative to the root as it came.
    pub fn place(&self, slot: &Slot, at: DVec3) -> DVec3 {
        if *self == Self::NONE {
            return at;
        }
        let middle = middle(slot);
        middle + self.turn() * (at - middle) + self.shift
    }
}

/// Between the hips.
fn middle(slot: &Slot) -> DVec3 {
    0.5 * (slot.legs[0].hip + slot.legs[1].hip).as_dvec3()
}

/// The rotation vector of a tilt that moves hips by one unit: about what is ahead, less the more the hips are one above the other.
fn tilt_axis(rig: &Rig, slot: &Slot) -> DVec3 {
    let across = (slot.legs[1].hip - slot.legs[0].hip).as_dvec3();
    let wide = across.length();
    if rig.legs.iter().any(Option::is_none) || wide < 1e-3 {
        return DVec3::ZERO;
    }
    across.cross(DVec3::Y) / (0.5 * wide * wide)
}

/// A tilt that nears but never reaches [`MOST_TILT`]; at a third of it, it is what was asked to within a third of a per cent.
fn bounded(tilt: DVec3) -> DVec3 {
    let share = tilt.length() / MOST_TILT;
    tilt / (1.0 + share.powi(4)).powf(0.25)
}

/// What one frame asks for: its part of the normal equations.
fn wishes(rig: &Rig, slot: &Slot) -> (DMat4, DVec4) {
    let (mut normal, mut right) = (DMat4::ZERO, DVec4::ZERO);
    let tilt = tilt_axis(rig, slot);
    let middle = middle(slot);
    for (i, leg) in slot.legs.iter().enumerate() {
        if rig.legs[i].is_none() {
            continue;
        }
        let way = (leg.ankle - leg.hip).as_dvec3();
        let d = way + slot.shift[i];
        let length = f64::from(leg.hip.distance(leg.knee) + leg.knee.distance(leg.ankle));
        let Some(e) = d.try_normalize().filter(|_| length > 1e-6) else {
            continue;
        };
        let cosine = (way.length().max(d.length()) / length).min(1.0);
        let sine = (1.0 - cosine * cosine + (0.5 * STRAIGHTEST).powi(2)).sqrt();
        let weight = (0.5 * cosine / sine).powi(4);
        let a = e.extend(e.dot(tilt.cross(leg.hip.as_dvec3() - middle)));
        normal += DMat4::from_cols(a * a.x, a * a.y, a * a.z, a * a.w) * weight;
        right += a * (weight * (d.length() - way.length()));
    }
    (normal, right)
}

/// What elimination leaves of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Eliminated {
    /// The pivot and its inverse.
    pivot: DMat4,
    inverse: DMat4,
    /// Factors of the frame before and the one before that.
    one: DMat4,
    two: DMat4,
    right: DVec4,
}

/// Coefficients of |ü|²: of u(t)², of u(t)·u(t−1) and of u(t)·u(t−2), where the motion has `end` frames.
fn second_differences(t: usize, end: Option<usize>) -> (f64, f64, f64) {
    // The difference centred at k is there if k − 1, k and k + 1 are.
    let there = |k: usize| k >= 1 && end.is_none_or(|end| k + 1 < end);
    let mut own = if there(t) { 4.0 } else { 0.0 };
    own += if there(t + 1) { 1.0 } else { 0.0 };
    own += if t >= 1 && there(t - 1) { 1.0 } else { 0.0 };
    let mut one = 0.0;
    if t >= 1 {
        one -= if there(t) { 2.0 } else { 0.0 };
        one -= if there(t - 1) { 2.0 } else { 0.0 };
    }
    let two = if t >= 2 && there(t - 1) { 1.0 } else { 0.0 };
    (own, one, two)
}

/// Eliminates a frame. `end`: how many frames there are, once that is known.
pub(super) fn eliminate(
    rig: &Rig,
    sources: &Sources,
    frame: usize,
    end: Option<usize>,
    rate_hz: f64,
) -> Eliminated {
    let (normal, mut right) = wishes(rig, sources.slot(frame));
    let diagonal = |v: f64| DMat4::from_diagonal(DVec4::splat(v));
    let smooth = SMOOTH * rate_hz.powi(4);
    let (own, one, two) = second_differences(frame, end);
    let stay = DVec4::new(STAY, STAY, STAY, LEVEL);
    let mut pivot = normal + DMat4::from_diagonal(stay) + diagonal(smooth * own);
    let (mut first, mut second) = (DMat4::ZERO, DMat4::ZERO);
    if frame >= 2 {
        let before = &sources.slot(frame - 2).root_path;
        second = before.inverse * (smooth * two);
        pivot -= second * before.pivot * second.transpose();
        right -= second * before.right;
    }
    if frame >= 1 {
        let before = &sources.slot(frame - 1).root_path;
        let mut beside = diagonal(smooth * one);
        if frame >= 2 {
            beside -= second * sources.slot(frame - 2).root_path.pivot * before.one.transpose();
        }
        first = beside * before.inverse;
        pivot -= first * before.pivot * first.transpose();
        right -= first * before.right;
    }
    Eliminated {
        inverse: pivot.inverse(),
        pivot,
        one: first,
        two: second,
        right,
    }
}

/// What moves hips by less than this, in metres, is nothing: far from what is corrected frames stay as they are.
const NOTHING: f64 = 1e-5;

/// What the pelvis does in the frames from `last`, which is eliminated, back to `first`.
pub(super) fn back(rig: &Rig, sources: &mut Sources, first: usize, last: usize) {
    let (mut after, mut then) = (DVec4::ZERO, DVec4::ZERO);
    for t in (first..=last).rev() {
        let slot = sources.slot(t);
        let own = &slot.root_path;
        let mut u = own.inverse * own.right;
        if t < last {
            u -= sources.slot(t + 1).root_path.one.transpose() * after;
        }
        if t + 1 < last {
            u -= sources.slot(t + 2).root_path.two.transpose() * then;
        }
        let far = u.length();
        let kept = if far > NOTHING {
            u * (1.0 - NOTHING / far)
        } else {
            DVec4::ZERO
        };
        let follow = Follow {
            shift: kept.truncate(),
            tilt: bounded(tilt_axis(rig, slot) * kept.w),
        };
        sources.slot_mut(t).follow = follow;
        (after, then) = (u, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilt_is_what_was_asked_until_it_nears_its_bound() {
        let asked = |t: f64| bounded(DVec3::X * t).x;
        for k in 1..400 {
            let t = 0.01 * f64::from(k);
            assert!(asked(t) > asked(t - 0.01) && asked(t) < MOST_TILT, "{t}");
        }
        assert!((asked(MOST_TILT / 3.0) * 3.0 / MOST_TILT - 1.0).abs() < 1.0 / 300.0);
        assert_eq!(bounded(DVec3::ZERO), DVec3::ZERO);
    }
}
