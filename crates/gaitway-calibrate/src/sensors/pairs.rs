//! All pairs of bodies: their sums, which of them are one body, and what it costs to join them.

use gaitway_core::{WarningCode, Warnings};
use gaitway_io::SensorClip;
use glam::DVec3;
use rayon::prelude::*;

use super::SensorOptions;
use crate::joint::{FitOptions, PairSums, pair_sums};
use crate::linalg::mean_rotation;
use crate::noise::Noise;
use crate::tracks::Track;
use crate::tree::{Sets, edge_cost};

/// Fewest frames that two bodies must share.
const FEWEST_COMMON: f64 = 10.0;
/// What is no joint: bodies whose points stay apart by more than this, metres, and by more than this share of how they move.
const APART_M: f64 = 0.03;
const APART_SHARE: f64 = 0.35;

/// One pair.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Mean squared residual beyond noise, m².
    excess2: f64,
    residual2: f64,
    expected2: f64,
    motion2: f64,
    rigid: bool,
}

/// All pairs of the bodies in use.
pub(super) struct Pairs<'a> {
    tracks: &'a [Track],
    /// The sensor that speaks for each body.
    pub(super) bodies: Vec<usize>,
    /// Noise of each sensor.
    pub(super) noises: Vec<Noise>,
    sets: Sets,
    used: Vec<usize>,
    table: Vec<Option<Pair>>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(
        tracks: &'a [Track],
        used: &[usize],
        noises: &[Noise],
        options: &SensorOptions,
        names: &[String],
        warnings: &mut Warnings,
    ) -> Self {
        let list: Vec<(usize, usize)> = used
            .iter()
            .enumerate()
            .flat_map(|(k, &i)| used[k + 1..].iter().map(move |&j| (i, j)))
            .collect();
        let sums: Vec<PairSums> = list
            .par_iter()
            .map(|&(i, j)| pair_sums(&tracks[i], &tracks[j], |_| 1.0))
            .collect();
        let mut noises = noises.to_vec();
        let judge = |noises: &[Noise]| -> Vec<Option<Pair>> {
            list.par_iter()
                .zip(&sums)
                .map(|(&(i, j), s)| Pair::of(*s, [noises[i], noises[j]], &options.fit))
                .collect()
        };
        let mut pairs = judge(&noises);
        // Quick motion at a low rate looks like noise; no pair fits better than its noise, so noise is no more than that.
        if options.noise.is_none() {
            // The plain fit has the least residual there is.
            let plain = judge(&vec![Noise::default(); noises.len()]);
            let both = plain.iter().flatten().zip(pairs.iter().flatten());
            let over = both.filter(|(_, p)| p.expected2 > 0.0);
            let share = over.map(|(plain, p)| plain.residual2 / p.expected2);
            let share = share.fold(1.0, f64::min);
            if share < 1.0 {
                for noise in &mut noises {
                    noise.place_m *= share.sqrt();
                    noise.turn_rad *= share.sqrt();
                }
                pairs = judge(&noises);
            }
        }
        let mut sets = Sets::new(tracks.len());
        for (&(i, j), pair) in list.iter().zip(&pairs) {
            if pair.is_some_and(|p| p.rigid) && sets.join(i, j) {
                let message = format!(
                    "`{}` and `{}` do not move against each other: they are taken for two sensors on one body",
                    names[i], names[j]
                );
                warnings.add(WarningCode::Unusual, message);
            }
        }
        let bodies: Vec<usize> = used
            .iter()
            .copied()
            .filter(|&k| sets.find(k) == k)
            .collect();
        let n = bodies.len();
        let mut table = vec![None; n * n];
        let place = |s: usize| bodies.iter().position(|&b| b == s);
        for (&(i, j), pair) in list.iter().zip(pairs) {
            if let (Some(a), Some(b)) = (place(i), place(j)) {
                table[a.min(b) * n + a.max(b)] = pair;
            }
        }
        Self {
            tracks,
            bodies,
            noises,
            sets,
            used: used.to_vec(),
            table,
        }
    }

    fn pair(&self, i: usize, j: usize) -> Option<&Pair> {
        self.table[i.min(j) * self.bodies.len() + i.max(j)].as_ref()
    }

    /// What it costs to join two bodies: [`edge_cost`].
    pub(super) fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let pair = self.pair(i, j)?;
        Some(edge_cost(pair.residual2, pair.expected2, pair.motion2))
    }

    /// Whether two bodies turn about no common point.
    pub(super) fn is_apart(&self, i: usize, j: usize) -> bool {
        let far = |p: &Pair| p.excess2.sqrt() > APART_M;
        self.pair(i, j).is_none_or(far) && self.cost(i, j).is_none_or(|c| c > APART_SHARE)
    }

    /// All sensors of a body with their places in its frame, the speaker first, at the origin.
    pub(super) fn on_body(&self, clip: &SensorClip, speaker: usize) -> Vec<(usize, DVec3)> {
        let mut out = vec![(speaker, DVec3::ZERO)];
        for &k in &self.used {
            if k != speaker && self.sets.find(k) == speaker {
                let sums = pair_sums(&self.tracks[speaker], &self.tracks[k], |_| 1.0);
                out.push((k, sums.in_first));
            }
        }
        debug_assert!(out.iter().all(|s| s.0 < clip.sensor_count()));
        out
    }

    /// How another sensor of a body is turned against its speaker.
    pub(super) fn mounted(&self, clip: &SensorClip, speaker: usize, other: usize) -> glam::DQuat {
        let both = (0..clip.frames).filter_map(|f| {
            let (a, b) = (clip.at(f, speaker)?, clip.at(f, other)?);
            Some(a.turn.conjugate() * b.turn)
        });
        mean_rotation(both)
    }

    /// The usual noise of the sensors, and no less than an instrument's.
    pub(super) fn usual_noise(&self, fit: &FitOptions) -> Noise {
        let median = |mut list: Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        };
        let of = |f: fn(&Noise) -> f64| {
            median(self.bodies.iter().map(|&b| f(&self.noises[b])).collect())
        };
        Noise {
            place_m: of(|n| n.place_m).max(fit.least_noise_m),
            turn_rad: of(|n| n.turn_rad).max(1e-3),
        }
    }
}

impl Pair {
    fn of(sums: PairSums, noise: [Noise; 2], options: &FitOptions) -> Option<Self> {
        if sums.frames < FEWEST_COMMON {
            return None;
        }
        let fit = sums.solve(noise);
        let made_up: f64 = 4.0 * noise.iter().map(|n| n.turn_rad.powi(2)).sum::<f64>();
        let near = (sums.in_first / 2.0, -sums.in_second / 2.0);
        let (c, l) = fit.points(|k| fit.values[k] > made_up.max(1e-9), near);
        let residual2 = sums.residual2(c, l);
        let [p, q] = noise;
        let expected2 = 3.0 * (p.place_m.powi(2) + q.place_m.powi(2))
            + 2.0 * (p.turn_rad.powi(2) * c.length_squared())
            + 2.0 * (q.turn_rad.powi(2) * l.length_squared());
        let turn2 = sums.turn_motion2();
        let (place_noise2, turn_noise2) = crate::joint::motion_noise2(&sums, noise);
        let beyond = |motion2: f64, noise2: f64| (motion2 - noise2).max(0.0);
        // Rotation on a lever of 0.1 m, so that sensors that sit at the joint itself move too.
        let motion2 =
            beyond(sums.place_motion2(), place_noise2) + 0.01 * beyond(turn2, turn_noise2);
        Some(Self {
            excess2: (residual2 - expected2).max(0.0),
            residual2,
            expected2,
            motion2,
            rigid: crate::joint::is_rigid(&sums, noise, options, turn2),
        })
    }
}
