//! Random numbers for virtual data, normal ones by Box and Muller.

use gaitway_core::random::SplitMix64;
use glam::DVec3;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// A stream for a seed.
    pub fn new(seed: u64) -> Self {
        let mut stream = SplitMix64::new(seed ^ 0x5851_f42d_4c95_7f2d);
        stream.draw();
        Self(stream)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0.range(low, high)
    }

    /// A whole number below `end`; 0 where that is none.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f64) as usize).min(end.saturating_sub(1))
    }

    /// Normal, of standard deviation 1.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.unit(), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Three normal numbers.
    pub fn normal3(&mut self) -> DVec3 {
        DVec3::new(self.normal(), self.normal(), self.normal())
    }

    /// A direction, each alike.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.normal3();
            if v.length() > 1e-6 {
                return v.normalize();
            }
        }
    }
}
