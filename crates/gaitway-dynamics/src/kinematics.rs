//! Velocities and accelerations of motion that is given by poses.
//!
//! Around each moment a cubic is fitted by least squares to a short window of the source's own frames (Savitzky and Golay 1964), place by place; its slope and
//! bend at the moment are velocity and acceleration. Rotations are fitted as φ_k = log(R(t)⁻¹ R(t + k h)): of R exp φ(s) with φ(0) = 0 the angular velocity in
//! the joint's own frame is φ′ and its change φ″ (the next term of the exponential, ½ φ′ × φ′, is none). At the ends of a source the window is cut and the
//! fit is a parabola. A motion that is a polynomial of second degree is found exactly.
//!
//! Cost: one pose and one logarithm per joint and frame of the window.

use gaitway_core::source::around;
use gaitway_core::{Pose, PoseSource};
use glam::{DQuat, DVec3};

use crate::state::{JointState, State};

/// How poses become velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothing {
    /// Half of the window, seconds. Longer is smoother and blunter; 0.09 s lets through what is slower than about 8 Hz; chosen on walks and jumps of
    /// CMU 16 (the book's chapter on bodies with mass has the numbers).
    pub half_window_s: f64,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self {
            half_window_s: 0.09,
        }
    }
}

/// The most samples on either side; frames between are left out where a source has more.
const MOST: usize = 8;

/// Weights of slope and bend per sample, for a window of so many samples before and after.
struct Fit {
    window: (usize, usize),
    weights: Vec<[f64; 2]>,
}

/// Reads states out of a source. Working memory of one thread.
pub struct StateReader<'s> {
    source: &'s dyn PoseSource,
    step: f64,
    side: usize,
    window: Vec<Pose>,
    between: Pose,
    fits: Vec<Fit>,
}

impl<'s> StateReader<'s> {
    /// Reads a source.
    pub fn new(source: &'s dyn PoseSource, smoothing: Smoothing) -> Self {
        let frames = (smoothing.half_window_s * source.rate_hz()).clamp(2.0, 1e6);
        let step = (frames / MOST as f64).ceil().max(1.0);
        let side = ((frames / step).round() as usize).max(2);
        let pose = Pose::new(
            source.skeleton().joint_count(),
            source.moving_joints().into(),
        );
        Self {
            source,
            step,
            side,
            window: vec![pose.clone(); 2 * side + 1],
            between: pose,
            fits: Vec::new(),
        }
    }

    /// The state at a time in the source's own frames; times outside are held at the ends, moving as they do there.
    pub fn read(&mut self, at: f64) -> State {
        let count = self.source.frame_count();
        let last = count.saturating_sub(1) as f64;
        let at = at.clamp(0.0, last);
        let (low, part) = around(at, count.max(1));
        let at = if part.is_none() { low as f64 } else { at };
        // The window is cut where the source ends.
        let room = |space: f64| ((space / self.step + 1e-9).floor() as usize).min(self.side);
        let (before, after) = (room(at), room(last - at));
        let n = before + after + 1;
        for k in 0..n {
            let t = at + (k as f64 - before as f64) * self.step;
            self.source
                .sample(t, &mut self.window[k], &mut self.between);
        }
        let h = self.step / self.source.rate_hz();
        let fit = self.fit(before, after);
        let weights = &self.fits[fit].weights;
        let slopes = |value: &dyn Fn(&Pose) -> DVec3| {
            let mut out = [DVec3::ZERO; 2];
            for (pose, w) in self.window[..n].iter().zip(weights) {
                let v = value(pose);
                out[0] += v * (w[0] / h);
                out[1] += v * (w[1] / (h * h));
            }
            out
        };
        let now = &self.window[before];
        let [velocity, acceleration] = slopes(&|p| p.root - now.root);
        let skeleton = self.source.skeleton();
        let joints = skeleton.joints().map(|joint| {
            let j = joint.index();
            let rotation = now.rotations[j].as_dquat().normalize();
            let back = rotation.inverse();
            let [omega, alpha] = slopes(&|p| log(back * p.rotations[j].as_dquat().normalize()));
            let offset = now.translation(skeleton, joint).as_dvec3();
            let sliding = match now.moving().binary_search(&joint) {
                Ok(at) => slopes(&|p| p.translations[at].as_dvec3() - offset),
                Err(_) => [DVec3::ZERO; 2],
            };
            JointState {
                rotation,
                omega,
                alpha,
                offset,
                sliding,
            }
        });
        State {
            root: now.root,
            velocity,
            acceleration,
            joints: joints.collect(),
        }
    }

    /// Weights of slope and bend for a window, per step and step².
    fn fit(&mut self, before: usize, after: usize) -> usize {
        let window = (before, after);
        if let Some(at) = self.fits.iter().position(|f| f.window == window) {
            return at;
        }
        let weights = weights(before, after);
        self.fits.push(Fit { window, weights });
        self.fits.len() - 1
    }
}

/// The rotation vector of a turn, at most half a turn long.
pub(crate) fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sin = v.length();
    // 2 asin(s)/s is 2 near 0.
    if sin < 1e-9 {
        v * 2.0
    } else {
        v * (2.0 * sin.atan2(q.w) / sin)
    }
}

/// Least-squares weights of the first and second derivative at 0 of samples at −before … after.
fn weights(before: usize, after: usize) -> Vec<[f64; 2]> {
    let n = before + after + 1;
    let whole = before == after && n >= 5;
    let degree = if whole { 3 } else { 2.min(n - 1) };
    let x = |k: usize| k as f64 - before as f64;
    // Rows of (AᵀA) c = Aᵀ y, with one right side per sample.
    let size = degree + 1;
    let mut normal = vec![vec![0.0; size + n]; size];
    for k in 0..n {
        for (r, row) in normal.iter_mut().enumerate() {
            let power = |e: usize| x(k).powi(e as i32);
            for (c, value) in row.iter_mut().take(size).enumerate() {
                *value += power(r + c);
            }
            row[size + k] = power(r);
        }
    }
    eliminate(&mut normal);
    (0..n)
        .map(|k| {
            let of = |d: usize, times: f64| match normal.get(d) {
                Some(row) => times * row[size + k],
                None => 0.0,
            };
            [of(1, 1.0), of(2, 2.0)]
        })
        .collect()
}

/// Gauss and Jordan with the largest pivot: the left square becomes the identity.
fn eliminate(rows: &mut [Vec<f64>]) {
    for c in 0..rows.len() {
        let best = (c..rows.len()).max_by(|&a, &b| rows[a][c].abs().total_cmp(&rows[b][c].abs()));
        let Some(best) = best else { return };
        rows.swap(c, best);
        let pivot = rows[c].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            let by = if r == c {
                1.0 - 1.0 / pivot[c]
            } else {
                row[c] / pivot[c]
            };
            for (value, p) in row.iter_mut().zip(&pivot) {
                *value -= by * p;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_found_exactly() {
        for (before, after) in [(4, 4), (8, 8), (2, 2), (0, 4), (3, 1), (5, 0), (0, 2)] {
            let fit = weights(before, after);
            let sum = |f: &dyn Fn(f64) -> f64, d: usize| -> f64 {
                let x = |k: usize| k as f64 - before as f64;
                let all = fit.iter().enumerate();
                all.map(|(k, w)| w[d] * f(x(k))).sum()
            };
            let parabola = |x: f64| 3.0 - 2.0 * x + 0.7 * x * x;
            assert!((sum(&parabola, 0) + 2.0).abs() < 1e-9, "{before} {after}");
            assert!((sum(&parabola, 1) - 1.4).abs() < 1e-9, "{before} {after}");
            if before == after {
                let cubic = |x: f64| x * (1.0 + 0.5 * x * x);
                assert!((sum(&cubic, 0) - 1.0).abs() < 1e-9);
            }
        }
        assert_eq!(weights(0, 0), vec![[0.0, 0.0]]);
        assert_eq!(weights(0, 1), vec![[-1.0, 0.0], [1.0, 0.0]]);
    }

    #[test]
    fn logarithms_come_back() {
        for v in [
            DVec3::new(0.3, -0.2, 0.9),
            DVec3::new(1e-12, 0.0, 2e-12),
            DVec3::new(0.0, 3.1, 0.0),
            DVec3::ZERO,
        ] {
            let q = DQuat::from_scaled_axis(v);
            assert!(log(q).distance(v) < 1e-12);
            assert!(log(-q).distance(v) < 1e-12);
        }
    }
}
