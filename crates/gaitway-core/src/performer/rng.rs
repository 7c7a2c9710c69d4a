//! The performer's own random numbers: SplitMix64.
//!
//!   s ← s + 0x9E3779B97F4A7C15,   z = mix(s)
//!
//! A counter through a bijective mixer: period 2⁶⁴, any seed is good, and only integer operations, so the
//! same seed gives the same take on every machine. Not for secrets.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    /// A stream of its own for a seed and a name, so that takes do not depend on their order.
    pub(super) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a over the name's bytes.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
        });
        let mut rng = Self(seed ^ hash.rotate_left(17));
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub(super) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// About normal (the sum of three uniforms), never beyond ±`spread` · 1.5: people vary, they do not jump.
    pub(super) fn vary(&mut self, spread: f64) -> f64 {
        (self.unit() + self.unit() + self.unit() - 1.5) * spread
    }

    /// True half of the time.
    pub(super) fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }
}
