//! Random draws of walks.

use gaitway_core::random::SplitMix64;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng(SplitMix64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// A place in a list, each with the probability of its weight. 0 where all weights are 0.
    pub fn pick(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (k, w) in weights.iter().enumerate() {
            left -= w;
            if left < 0.0 {
                return k;
            }
        }
        // Rounding can leave a rest after the last: the last that has a weight is meant.
        weights.iter().rposition(|&w| w > 0.0).unwrap_or(0)
    }
}
