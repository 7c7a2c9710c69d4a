//! The performer's random numbers: how people vary.

use crate::random::SplitMix64;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Rng(SplitMix64);

impl Rng {
    /// A stream of its own for a seed and a name, so that takes do not depend on their order.
    pub(super) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a over the name's bytes.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
        });
        let mut stream = SplitMix64::new(seed ^ hash.rotate_left(17));
        stream.draw();
        Self(stream)
    }

    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// Uniform in [low, high).
    pub(super) fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0.range(low, high)
    }

    /// About normal (the sum of three uniforms), never beyond ±`spread` · 1.5: people vary, they do not jump.
    pub(super) fn vary(&mut self, spread: f64) -> f64 {
        (self.unit() + self.unit() + self.unit() - 1.5) * spread
    }

    /// True half of the time.
    pub(super) fn coin(&mut self) -> bool {
        self.0.draw() >> 63 == 1
    }
}
