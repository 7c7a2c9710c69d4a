//! The normal equations of a joint, in one pass over the frames.
//!
//! With d = t_j − t_i, M = mean R_iᵀ R_j, a = mean R_iᵀ d and b = mean R_jᵀ d,
//!
//!   [ I   −M ] [c]   [ a]
//!   [−Mᵀ   I ] [l] = [−b],      residual² = mean |d|² − 2 xᵀ rhs + xᵀ H x,
//!
//! and the eigenvalues of the matrix are 1 ± σ, σ the singular values of M: 1 − σ says how well a direction can be told. All
//! sums are of differences of places, so that how far the world's origin is does not matter.

use glam::{DMat3, DVec3};

use crate::linalg::{Square, symmetric_eigen};
use crate::noise::Noise;
use crate::tracks::Track;

/// Means over the frames that both bodies have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairSums {
    /// How many frames, or the sum of their weights.
    pub frames: f64,
    /// M = mean R_iᵀ R_j.
    pub turn: DMat3,
    /// a = mean R_iᵀ (t_j − t_i), metres.
    pub in_first: DVec3,
    /// b = mean R_jᵀ (t_j − t_i), metres.
    pub in_second: DVec3,
    /// mean |t_j − t_i|², m².
    pub apart2: f64,
}

/// The sums of two tracks, each frame counted as `weight` says.
pub fn pair_sums(first: &Track, second: &Track, weight: impl Fn(usize) -> f64) -> PairSums {
    let mut turn = DMat3::ZERO;
    let (mut a, mut b) = (DVec3::ZERO, DVec3::ZERO);
    let (mut apart2, mut frames) = (0.0, 0.0);
    for (frame, (p, q)) in first.poses.iter().zip(&second.poses).enumerate() {
        if !(p.seen && q.seen) {
            continue;
        }
        let w = weight(frame);
        if w == 0.0 {
            continue;
        }
        let d = q.place - p.place;
        let pt = p.turn.transpose();
        turn += pt * q.turn * w;
        a += pt * d * w;
        b += q.turn.transpose() * d * w;
        apart2 += d.length_squared() * w;
        frames += w;
    }
    let n = if frames > 0.0 { frames } else { 1.0 };
    PairSums {
        frames,
        turn: turn * (1.0 / n),
        in_first: a / n,
        in_second: b / n,
        apart2: apart2 / n,
    }
}

/// The solution of the normal equations, direction by direction.
#[derive(Clone, Debug, PartialEq)]
pub struct PairFit {
    /// Eigenvalues of the normal matrix with the shortening by rotation noise taken out, rising: 1 − σ, then 1 + σ.
    pub values: [f64; 6],
    /// Their eigenvectors: the first three numbers in the first body's frame.
    pub vectors: [[f64; 6]; 6],
    /// The right side.
    rhs: [f64; 6],
}

impl PairSums {
    /// Solves the sums; how much rotation noise shortens means is taken out (METHODS: M / ρ_i ρ_j, a / ρ_i, b / ρ_j).
    pub fn solve(&self, noise: [Noise; 2]) -> PairFit {
        let [p, q] = noise.map(|n| n.shrink());
        let h = normal_matrix(&(self.turn * (1.0 / (p * q))));
        let (values, vectors) = symmetric_eigen(&h);
        let rhs = join(self.in_first / p, -self.in_second / q);
        let six = |v: &[f64]| -> [f64; 6] { std::array::from_fn(|k| v[k]) };
        PairFit {
            values: six(&values),
            vectors: std::array::from_fn(|k| six(&vectors[k])),
            rhs,
        }
    }

    /// Mean squared distance of the two points, m².
    pub fn residual2(&self, first: DVec3, second: DVec3) -> f64 {
        let rhs = first.dot(self.in_first) - second.dot(self.in_second);
        let quadratic =
            first.length_squared() + second.length_squared() - 2.0 * first.dot(self.turn * second);
        (self.apart2 - 2.0 * rhs + quadratic).max(0.0)
    }

    /// How the two move against each other: variance of the second's place in the first's frame and the other way round, m².
    pub fn place_motion2(&self) -> f64 {
        let spread = |mean: DVec3| (self.apart2 - mean.length_squared()).max(0.0);
        spread(self.in_first) + spread(self.in_second)
    }

    /// Variance of the relative rotation about its mean, rad²: Σ (1 − σ).
    pub fn turn_motion2(&self) -> f64 {
        let (values, _) = symmetric_eigen(&normal_matrix(&self.turn));
        values[..3].iter().map(|v| v.max(0.0)).sum()
    }
}

impl PairFit {
    /// The points that stay together: along eigenvectors that are `observable` as the equations say, along others such that both
    /// are nearest to `near`.
    pub fn points(
        &self,
        observable: impl Fn(usize) -> bool,
        near: (DVec3, DVec3),
    ) -> (DVec3, DVec3) {
        let near = join(near.0, near.1);
        let mut x = [0.0; 6];
        for k in 0..6 {
            let v = &self.vectors[k];
            let dot = |u: &[f64; 6]| -> f64 { v.iter().zip(u).map(|(a, b)| a * b).sum() };
            let along = if observable(k) {
                dot(&self.rhs) / self.values[k]
            } else {
                dot(&near)
            };
            for (x, v) in x.iter_mut().zip(v) {
                *x += along * v;
            }
        }
        (DVec3::new(x[0], x[1], x[2]), DVec3::new(x[3], x[4], x[5]))
    }
}

/// [[I, −M], [−Mᵀ, I]].
fn normal_matrix(turn: &DMat3) -> Square {
    let mut h = Square::zero(6);
    for k in 0..6 {
        *h.at_mut(k, k) = 1.0;
    }
    h.add_block(0, 3, &-*turn);
    h.add_block(3, 0, &-turn.transpose());
    h
}

fn join(a: DVec3, b: DVec3) -> [f64; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}
