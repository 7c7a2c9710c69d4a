//! Holes of one channel that may be spikes.

use std::ops::Range;

use glam::DVec3;

use super::SpikeKind;
use super::channel::Channel;
use super::fit::{AROUND, Hole};
use crate::Clip;

/// Longest hole, in seconds; a frame is always allowed.
const LONGEST_S: f64 = 0.02;
const LONGEST: usize = 2;
/// Longest hole at a clip's end, in frames.
const LONGEST_END: usize = 3;
/// What no body does: rad/s² and m/s².
const TURN_LIMIT: f64 = 3000.0;
const PLACE_LIMIT: f64 = 300.0;
/// The least that is worth a change: 2° and 4 mm; half of that beside a larger one.
const LEAST_TURN: f64 = 0.035;
const LEAST_PLACE: f64 = 0.004;
/// The least leap at a clip's end: 20° and 10 cm.
const LEAST_END_TURN: f64 = 0.35;
const LEAST_END_PLACE: f64 = 0.1;

/// A hole in one channel.
#[derive(Clone, Debug)]
pub(super) struct Suspect {
    pub channel: usize,
    pub frames: Range<usize>,
    /// The frame that values are seen from.
    pub origin: usize,
    pub size: f64,
    /// Over what is needed, to choose between holes that overlap.
    pub clear: f64,
    /// Beyond any body by itself.
    pub certain: bool,
    /// What belongs in the hole.
    pub values: Vec<DVec3>,
}

/// Holes of every length that is looked for.
pub(super) struct Shapes {
    pub within: Vec<Hole>,
    start: Vec<Hole>,
    end: Vec<Hole>,
}

impl Shapes {
    pub fn new(rate_hz: f64) -> Self {
        let longest = ((LONGEST_S * rate_hz) as usize).clamp(1, LONGEST);
        Self {
            within: (1..=longest).map(Hole::within).collect(),
            start: (1..=LONGEST_END).map(Hole::at_start).collect(),
            end: (1..=LONGEST_END).map(Hole::at_end).collect(),
        }
    }
}

/// One channel of a clip.
pub(super) struct Look<'a> {
    pub clip: &'a Clip,
    pub channel: &'a Channel,
    pub index: usize,
}

/// How far off, how sure.
pub(super) struct Bar {
    /// How rough the frames around may be, and how far from its pace it may get over the hole, as parts of the size.
    pub rough: f64,
    pub back: f64,
    pub least: f64,
}

impl Look<'_> {
    fn is_turn(&self) -> bool {
        self.channel.kind == SpikeKind::Rotation
    }

    pub fn least(&self) -> f64 {
        if self.is_turn() {
            LEAST_TURN
        } else {
            LEAST_PLACE
        }
    }

    /// Spikes between the ends, none overlapping another.
    pub fn within(&self, shapes: &Shapes, departures: &[f64]) -> Vec<Suspect> {
        let usual = usual(departures);
        let least = self.least().max(20.0 * usual.0).max(4.0 * usual.1);
        let mut out: Vec<Suspect> = Vec::new();
        // A spike of size d departs by about d from the cubic through its neighbours, two frames by half of it.
        let departs = departures.iter().enumerate();
        for (start, _) in departs.filter(|(_, d)| **d >= 0.4 * least) {
            for hole in &shapes.within {
                let bar = Bar {
                    rough: 0.1,
                    back: 1.0 / 3.0,
                    least,
                };
                let Some(next) = self.hole(hole, start, &bar) else {
                    continue;
                };
                match out.last_mut().filter(|l| l.frames.end > start) {
                    Some(last) if last.clear < next.clear => *last = next,
                    Some(_) => {}
                    None => out.push(next),
                }
            }
        }
        out
    }

    /// A hole that passes a bar.
    pub fn hole(&self, hole: &Hole, start: usize, bar: &Bar) -> Option<Suspect> {
        let end = start + hole.len();
        let half = AROUND / 2;
        if start < half || end + half > self.clip.frame_count() {
            return None;
        }
        let origin = start - 1;
        let at = |f: usize| self.channel.from(self.clip, origin, f);
        let around = hole.around.map(|x| at((start as i64 + x) as usize));
        let values: Vec<DVec3> = hole.fill(&around).collect();
        let off = |k: usize| at(start + k).distance(values[k]);
        let size = (0..hole.len()).map(off).fold(0.0, f64::max);
        let least_off = (0..hole.len()).map(off).fold(f64::INFINITY, f64::min);
        let rough = hole.roughness(&around).max(1e-9);
        // The way over the hole, less what the frames beside it go in as much time.
        let pace = (around[half - 1] - around[0] + around[AROUND - 1] - around[half]) / 4.0;
        let back = (around[half] - around[half - 1] - pace * (hole.len() + 1) as f64).length();
        let passes = size >= bar.least
            && least_off > 0.4 * size
            && rough <= bar.rough * size
            && back <= bar.back * size;
        let rate = self.clip.rate_hz();
        // Out and back within one frame takes twice the change of speed that out, and a frame later back, does.
        let push = size * rate * rate * if hole.len() == 1 { 2.0 } else { 1.0 };
        let limit = if self.is_turn() {
            TURN_LIMIT
        } else {
            PLACE_LIMIT
        };
        passes.then(|| Suspect {
            channel: self.index,
            frames: start..end,
            origin,
            size,
            clear: size / rough,
            certain: push >= limit,
            values,
        })
    }

    /// Leaps that part a clip's first or last frames from the rest.
    pub fn at_ends(&self, shapes: &Shapes) -> Vec<Suspect> {
        let n = self.clip.frame_count();
        let mut out = Vec::new();
        if n < 2 * (LONGEST_END + AROUND) {
            return out;
        }
        for hole in shapes.start.iter().rev() {
            let len = hole.len();
            if let Some(found) = self.end(hole, 0..len, len, |k| len + k) {
                out.push(found);
                break;
            }
        }
        for hole in shapes.end.iter().rev() {
            let first = n - hole.len();
            if let Some(found) = self.end(hole, first..n, first - 1, |k| first - 1 - k) {
                out.push(found);
                break;
            }
        }
        out
    }

    /// `inner`: frames from the hole's border inwards.
    fn end(
        &self,
        hole: &Hole,
        frames: Range<usize>,
        origin: usize,
        inner: impl Fn(usize) -> usize,
    ) -> Option<Suspect> {
        let last = if frames.start == 0 {
            frames.end - 1
        } else {
            frames.start
        };
        let step = |a: usize, b: usize| self.channel.from(self.clip, a, b).length();
        let leap = step(origin, last);
        let least = if self.is_turn() {
            LEAST_END_TURN
        } else {
            LEAST_END_PLACE
        };
        let rate = self.clip.rate_hz();
        let limit = if self.is_turn() {
            TURN_LIMIT
        } else {
            PLACE_LIMIT
        };
        if leap < least || leap * rate * rate < limit {
            return None;
        }
        let steps = (1..AROUND).map(|k| step(inner(k - 1), inner(k)));
        if steps.fold(0.0, f64::max) > leap / 8.0 {
            return None;
        }
        let at = |f: usize| self.channel.from(self.clip, origin, f);
        let around = hole.around.map(|x| at((frames.start as i64 + x) as usize));
        let values: Vec<DVec3> = hole.fill(&around).collect();
        let off = frames.clone().zip(&values).map(|(f, v)| at(f).distance(*v));
        let size = off.fold(0.0, f64::max);
        Some(Suspect {
            channel: self.index,
            size,
            clear: f64::INFINITY,
            certain: true,
            frames,
            origin,
            values,
        })
    }
}

/// Median and 95th percentile.
fn usual(departures: &[f64]) -> (f64, f64) {
    let inner = departures.len().saturating_sub(4);
    if inner == 0 {
        return (f64::INFINITY, f64::INFINITY);
    }
    let mut sorted = departures[2..2 + inner].to_vec();
    let at = |part: f64| ((inner - 1) as f64 * part) as usize;
    let (_, high, _) = sorted.select_nth_unstable_by(at(0.95), f64::total_cmp);
    let high = *high;
    let (_, middle, _) = sorted.select_nth_unstable_by(at(0.5), f64::total_cmp);
    (*middle, high)
}
