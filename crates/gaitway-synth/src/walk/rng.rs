//! Random numbers of our own: SplitMix64, a counter through a bijective mixer.
//!
//! Integer operations only, so a seed gives the same walk on every machine. Not for secrets.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
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
