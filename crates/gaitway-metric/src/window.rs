//! The window of frames around a pair: its weights ρ_r, r = −L … L, and a basis for centred paths.

use crate::error::MetricError;
use serde::{Deserialize, Serialize};

/// How the frames of a window are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowKernel {
    /// All frames alike.
    Box,
    /// Falling evenly from the middle: ρ_r ∝ L + 1 − |r|. The default.
    #[default]
    Triangle,
    /// ρ_r ∝ exp(−r² / 2s²) with s = (L + 1) / 2.
    Gaussian,
}

/// A window of 2L + 1 frames with weights that sum to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    half: usize,
    kernel: WindowKernel,
    weights: Vec<f64>,
}

/// The longest half window taken: 512 frames are 17 s at 30 Hz, far past any transition.
const MAX_HALF: f64 = 512.0;

impl Window {
    /// The window of `seconds` at `rate_hz`: L = floor(seconds · rate / 2).
    pub fn new(seconds: f64, rate_hz: f64, kernel: WindowKernel) -> Result<Self, MetricError> {
        let half = (seconds * rate_hz / 2.0 + 1e-9).floor();
        if !(0.0..=MAX_HALF).contains(&half) || !rate_hz.is_finite() || rate_hz <= 0.0 {
            return Err(MetricError::Window { seconds, rate_hz });
        }
        Ok(Self::with_half(half as usize, kernel))
    }

    /// The window of L = `half` frames on each side.
    pub fn with_half(half: usize, kernel: WindowKernel) -> Self {
        let l = half as f64;
        let mut weights: Vec<f64> = (-(half as isize)..=half as isize)
            .map(|r| {
                let r = r.unsigned_abs() as f64;
                match kernel {
                    WindowKernel::Box => 1.0,
                    WindowKernel::Triangle => l + 1.0 - r,
                    WindowKernel::Gaussian => (-2.0 * (r / (l + 1.0)).powi(2)).exp(),
                }
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
        Self {
            half,
            kernel,
            weights,
        }
    }

    /// L: frames on each side of the middle one.
    pub fn half(&self) -> usize {
        self.half
    }

    /// 2L + 1.
    pub fn frames(&self) -> usize {
        2 * self.half + 1
    }

    /// The kernel.
    pub fn kernel(&self) -> WindowKernel {
        self.kernel
    }

    /// ρ_{−L} … ρ_L.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// How the hot stage applies this window, and the scale that each side of a product carries so that
    /// plain sums of rows come out weighted.
    pub(crate) fn filter(&self) -> (Filter, f64) {
        let n = self.frames() as f64;
        match self.kernel {
            WindowKernel::Triangle => (Filter::BoxTwice, 1.0 / (self.half as f64 + 1.0)),
            WindowKernel::Box => (Filter::Box, 1.0 / n.sqrt()),
            WindowKernel::Gaussian => (
                Filter::Weights(self.weights.iter().map(|&w| w as f32).collect()),
                1.0,
            ),
        }
    }

    /// Σ_r ρ_r value(i + r) for every frame that has its window; `value.len() − 2L` numbers.
    pub(crate) fn smooth(&self, value: &[f64]) -> Vec<f64> {
        value
            .windows(self.frames())
            .map(|w| w.iter().zip(&self.weights).map(|(v, w)| v * w).sum())
            .collect()
    }

    /// Polynomials of degree 1 … 2L, orthonormal under ρ and to the constant, times ρ: row k dotted with a
    /// window of the path gives coefficient α_k, and Σ_k α_k conj(β_k) is the centred, weighted product of
    /// two windows. Smooth paths need only the first few.
    ///
    /// Built by multiplying the last polynomial with r and orthogonalising twice, which stays exact where a
    /// Vandermonde basis would not.
    pub(crate) fn path_basis(&self) -> Vec<Vec<f64>> {
        let n = self.frames();
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            a.iter()
                .zip(b)
                .zip(&self.weights)
                .map(|((a, b), w)| a * b * w)
                .sum()
        };
        let mut basis = vec![vec![1.0; n]];
        for k in 1..n {
            let mut next: Vec<f64> = (0..n)
                .map(|r| (r as f64 - self.half as f64) / self.half.max(1) as f64 * basis[k - 1][r])
                .collect();
            for _ in 0..2 {
                for q in &basis {
                    let d = dot(q, &next);
                    next.iter_mut().zip(q).for_each(|(n, q)| *n -= d * q);
                }
            }
            let norm = dot(&next, &next).sqrt();
            next.iter_mut().for_each(|v| *v /= norm);
            basis.push(next);
        }
        basis.remove(0);
        basis
            .iter_mut()
            .for_each(|q| q.iter_mut().zip(&self.weights).for_each(|(q, w)| *q *= w));
        basis
    }
}

/// How rows of products are summed into a window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    /// A box of L + 1 rows, twice.
    BoxTwice,
    /// A box of 2L + 1 rows.
    Box,
    /// A weight for each row.
    Weights(Vec<f32>),
}

impl Filter {
    /// Raw rows kept before a chunk: 2L, rounded up so that rows come in fours.
    pub(crate) fn lead(&self, half: usize) -> usize {
        (2 * half).next_multiple_of(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangle_at_thirty_hertz_is_seven() {
        let w = Window::new(0.5, 30.0, WindowKernel::Triangle).unwrap();
        assert_eq!((w.half(), w.frames()), (7, 15));
        assert!((w.weights()[7] - 8.0 / 64.0).abs() < 1e-15);
        assert!(Window::new(f64::NAN, 30.0, WindowKernel::Box).is_err());
        assert!(Window::new(0.5, 0.0, WindowKernel::Box).is_err());
        assert!(Window::new(1e9, 30.0, WindowKernel::Box).is_err());
    }

    #[test]
    fn basis_reproduces_the_centred_product() {
        for kernel in [
            WindowKernel::Box,
            WindowKernel::Triangle,
            WindowKernel::Gaussian,
        ] {
            for half in [0, 1, 7, 40] {
                let w = Window::with_half(half, kernel);
                let n = w.frames();
                let a: Vec<f64> = (0..n).map(|r| (r as f64 * 0.7).sin() + 5.0).collect();
                let b: Vec<f64> = (0..n).map(|r| (r as f64 * 1.3).cos() - 3.0).collect();
                let mean =
                    |v: &[f64]| -> f64 { v.iter().zip(w.weights()).map(|(v, w)| v * w).sum() };
                let (ma, mb) = (mean(&a), mean(&b));
                let direct: f64 = (0..n)
                    .map(|r| w.weights()[r] * (a[r] - ma) * (b[r] - mb))
                    .sum();
                let dot =
                    |q: &[f64], v: &[f64]| -> f64 { q.iter().zip(v).map(|(q, v)| q * v).sum() };
                let by_basis: f64 = w.path_basis().iter().map(|q| dot(q, &a) * dot(q, &b)).sum();
                assert!(
                    (direct - by_basis).abs() < 1e-11,
                    "{kernel:?} {half}: {direct} {by_basis}"
                );
            }
        }
    }
}
