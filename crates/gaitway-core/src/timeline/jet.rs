//! Place and velocity of a source where it is cut.
//!
//! At a cut one source ends and another begins, so neither may have frames on both sides. A parabola is fitted to five of its
//! own frames, x = −2 … 2 about their middle,
//!
//!   y(x) = ȳ + b x + c (x² − 2),     b = Σ x y / 10,     c = Σ (x² − 2) y / 14
//!
//! and y′(x) = b + 2 c x is the velocity where the cut is: at x = 0 where there are frames on both sides, else at the border of
//! the five. A straight line there would be late by two frames of acceleration, and two halves of one motion would not
//! agree on how fast it goes. One frame past the last is y(3): where a source is left at its very end. Rotations are
//! fitted as rotation vectors from the middle frame's. Checked by: a clip cut in two is given back (tests/timeline.rs).

use glam::{DVec3, Quat, Vec3};

use super::blend::turn_between;
use crate::{Pose, PoseSource};

/// Frames of a fit.
const POINTS: usize = 5;

/// A value that follows frames, such as the root's place on the ground, at a frame that may be one past the last, and its
/// change per frame there: what a cut sees of it.
pub fn value_and_speed(
    at: usize,
    count: usize,
    value: impl Fn(usize) -> [f64; 2],
) -> ([f64; 2], [f64; 2]) {
    let last = count.saturating_sub(1);
    let here = value(at.min(last));
    if count < POINTS {
        let (a, b) = match at {
            0 => (0, last.min(1)),
            _ => (at.min(last).saturating_sub(1), at.min(last)),
        };
        let (a, b) = (value(a), value(b));
        return (here, [b[0] - a[0], b[1] - a[1]]);
    }
    let middle = at.clamp(2, last - 2);
    let (values, speeds) = weights(at as f64 - middle as f64);
    let centre = value(middle);
    let (mut place, mut speed) = ([0.0; 2], [0.0; 2]);
    for k in 0..POINTS {
        let v = value(middle + k - 2);
        for c in 0..2 {
            place[c] += values[k] * (v[c] - centre[c]);
            speed[c] += speeds[k] * (v[c] - centre[c]);
        }
    }
    let fitted = [centre[0] + place[0], centre[1] + place[1]];
    (if at > last { fitted } else { here }, speed)
}

/// Weights of five frames that give a fit's value and velocity at x.
fn weights(x: f64) -> ([f64; POINTS], [f64; POINTS]) {
    let of = |k: usize| k as f64 - 2.0;
    let value = |k: usize| 0.2 + of(k) * x / 10.0 + (of(k).powi(2) - 2.0) * (x * x - 2.0) / 14.0;
    let speed = |k: usize| of(k) / 10.0 + 2.0 * x * (of(k).powi(2) - 2.0) / 14.0;
    (std::array::from_fn(value), std::array::from_fn(speed))
}

/// Poses of a source at one of its own frames, which may be one past its last, and a moment later as its velocity there has it:
/// `step` of its own frames. Nothing is moved into the world yet.
pub(super) fn jet(source: &dyn PoseSource, at: usize, step: f64, now: &mut Pose, later: &mut Pose) {
    let count = source.frame_count();
    if count == 0 {
        return;
    }
    let last = count - 1;
    source.frame_into(at.min(last), now);
    later.clone_from(now);
    if count < POINTS {
        // Too short for a parabola: what it did last, or does first.
        if count > 1 {
            let mut other = now.clone();
            let (a, b) = if at == 0 { (0, 1) } else { (at.min(last) - 1, at.min(last)) };
            source.frame_into(a, now);
            source.frame_into(b, &mut other);
            extend(now, &other, if at == 0 { step } else { 1.0 + step }, later);
            source.frame_into(at.min(last), now);
        }
        return;
    }
    let middle = at.clamp(2, last - 2);
    let x = at as f64 - middle as f64;
    let (value, speed) = weights(x);
    let mut centre = now.clone();
    source.frame_into(middle, &mut centre);
    let joints = now.rotations.len();
    let (mut place, mut travel) = (DVec3::ZERO, DVec3::ZERO);
    let mut turns = vec![[Vec3::ZERO; 2]; joints];
    let mut shifts = vec![[Vec3::ZERO; 2]; now.translations.len()];
    let mut frame = now.clone();
    for k in 0..POINTS {
        source.frame_into(middle + k - 2, &mut frame);
        let (v, s) = (value[k], speed[k]);
        // From the middle frame, so that a walk kilometres away keeps its millimetres.
        let away = frame.root - centre.root;
        place += away * v;
        travel += away * s;
        for (j, turn) in turns.iter_mut().enumerate() {
            let w = turn_between(frame.rotations[j], centre.rotations[j]);
            *turn = [turn[0] + w * v as f32, turn[1] + w * s as f32];
        }
        for (shift, (&p, &c)) in shifts.iter_mut().zip(frame.translations.iter().zip(&centre.translations)) {
            *shift = [shift[0] + (p - c) * v as f32, shift[1] + (p - c) * s as f32];
        }
    }
    if at > last {
        now.root = centre.root + place;
        for (j, turn) in turns.iter().enumerate() {
            now.rotations[j] = turned(turn[0], centre.rotations[j]);
        }
        for (k, shift) in shifts.iter().enumerate() {
            now.translations[k] = centre.translations[k] + shift[0];
        }
    }
    later.root = now.root + travel * step;
    for (j, turn) in turns.iter().enumerate() {
        later.rotations[j] = turned(turn[1] * step as f32, now.rotations[j]);
    }
    for (k, shift) in shifts.iter().enumerate() {
        later.translations[k] = now.translations[k] + shift[1] * step as f32;
    }
}

/// The straight line through two poses, `by` times their difference past the first.
fn extend(a: &Pose, b: &Pose, by: f64, out: &mut Pose) {
    out.root = a.root + (b.root - a.root) * by;
    for (j, q) in out.rotations.iter_mut().enumerate() {
        let turn = turn_between(b.rotations[j], a.rotations[j]);
        *q = turned(turn * by as f32, a.rotations[j]);
    }
    for (k, p) in out.translations.iter_mut().enumerate() {
        *p = a.translations[k] + (b.translations[k] - a.translations[k]) * by as f32;
    }
}

fn turned(turn: Vec3, q: Quat) -> Quat {
    (Quat::from_scaled_axis(turn) * q).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_its_own_fit() {
        let y = |x: f64| 3.0 - 0.7 * x + 0.25 * x * x;
        for x in [-2.0, 0.0, 1.0, 2.0, 3.0] {
            let (value, speed) = weights(x);
            let sum = |w: [f64; POINTS]| (0..POINTS).map(|k| w[k] * y(k as f64 - 2.0)).sum::<f64>();
            assert!((sum(value) - y(x)).abs() < 1e-12);
            assert!((sum(speed) - (-0.7 + 0.5 * x)).abs() < 1e-12);
        }
    }
}
