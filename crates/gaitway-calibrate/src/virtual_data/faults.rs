//! What goes wrong with sensors and markers.

use glam::{DQuat, DVec3};

use crate::linalg::rotation_vector;
use crate::rng::Rng;

/// Straps that slip: every third one, at a moment of its own.
pub(super) struct Slip(Vec<Option<(usize, DVec3)>>);

impl Slip {
    pub(super) fn new(count: usize, frames: usize, by_m: f64, rng: &mut Rng) -> Self {
        let slips = (0..count).map(|k| {
            let from = frames / 4 + rng.below(frames / 2 + 1);
            let by = rng.direction() * by_m;
            (k % 3 == 0 && by_m > 0.0).then_some((from, by))
        });
        Self(slips.collect())
    }

    pub(super) fn at(&self, k: usize, frame: usize) -> DVec3 {
        match self.0[k] {
            Some((from, by)) if frame >= from => by,
            _ => DVec3::ZERO,
        }
    }
}

/// Metal in the room: three waves of about a metre, the same at the same place.
pub(super) struct Metal(Vec<(DVec3, DVec3, f64)>);

impl Metal {
    pub(super) fn new(by_m: f64, rng: &mut Rng) -> Self {
        let wave = |_| {
            let number = rng.direction() * (std::f64::consts::TAU / rng.range(0.8, 1.6));
            (number, rng.direction() * by_m, rng.range(0.0, 6.0))
        };
        Self(if by_m > 0.0 {
            (0..3).map(wave).collect()
        } else {
            Vec::new()
        })
    }

    pub(super) fn bend(&self, place: DVec3) -> DVec3 {
        let off = |w: &(DVec3, DVec3, f64)| w.1 * (w.0.dot(place) + w.2).sin();
        place + self.0.iter().map(off).sum::<DVec3>()
    }
}

/// Skin over bone: what is stuck on it moves with how far the joint is turned, and no farther than given.
pub(super) struct Tissue(Vec<(DVec3, DVec3)>);

impl Tissue {
    pub(super) fn new(count: usize, by_m: f64, rng: &mut Rng) -> Self {
        Self(
            (0..count)
                .map(|_| (rng.direction(), rng.direction() * by_m))
                .collect(),
        )
    }

    pub(super) fn at(&self, k: usize, local: DQuat) -> DVec3 {
        let (about, by) = self.0[k];
        by * rotation_vector(local.normalize()).dot(about).tanh()
    }
}

/// Samples that are not seen, in runs.
pub(super) struct Gaps {
    lost: Vec<bool>,
    begin: f64,
    end: f64,
}

impl Gaps {
    pub(super) fn new(count: usize, share: f64, rate_hz: f64) -> Self {
        let share = share.clamp(0.0, 0.95);
        let run = (rate_hz / 6.0).max(1.0);
        let end = 1.0 / run;
        Self {
            lost: vec![false; count],
            begin: end * share / (1.0 - share),
            end,
        }
    }

    pub(super) fn is_seen(&mut self, k: usize, rng: &mut Rng) -> bool {
        if self.begin > 0.0 {
            let chance = if self.lost[k] { self.end } else { self.begin };
            if rng.unit() < chance {
                self.lost[k] = !self.lost[k];
            }
        }
        !self.lost[k]
    }
}
