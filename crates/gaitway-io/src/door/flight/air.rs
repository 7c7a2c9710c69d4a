//! Flights of a clip: stretches in which no foot stands, no hand holds, and the centre of mass goes along a parabola whose
//! axis is upright.

use std::ops::Range;

use gaitway_core::anatomy::{Anatomy, Leg};
use gaitway_core::fk::{self, WorldPoints};
use gaitway_core::{Clip, PointIdx};
use glam::DVec3;

use super::centre::centres;

/// How far above where it stands every point of a foot is in the air. Runners' feet rise no more than a hand's breadth.
const CLEAR_M: f64 = 0.03;
/// Fewer frames say nothing of a second derivative.
const SHORTEST: usize = 6;
/// Feet leave and meet the ground within a stretch that looks clear of it; at least this share of it must be a parabola.
const LEAST_SHARE: f64 = 0.6;
/// Longer stretches are looked at as a whole only: nobody flies so long, and trying all parts would take its square.
const LONGEST: usize = 256;
/// A foot or hand that stays within this much, in metres, stands or holds on.
const HELD_M: f64 = 0.05;
/// How far from a parabola the centre may be (RMS), as a share of how high the parabola is.
const ROUGH: f64 = 0.05;
/// How much the centre may speed up along the ground, as a share of its fall: legs that push do more.
const SIDEWAYS: f64 = 0.25;
/// A parabola lower than this, in metres, is no flight.
const LOWEST_M: f64 = 0.003;
/// How far the centre of mass may be off by the end of a flight, in metres, because masses and joints are not a person's own.
const CENTRE_M: f64 = 0.002;
/// How far apart falls of flights of one person are, as a share.
const SCATTER: f64 = 0.08;
/// From hip to ankle, in metres, a person measures this. With another unit falls would be another by as much, and say nothing
/// of the rate.
const LEG_M: std::ops::RangeInclusive<f64> = 0.6..=1.1;

/// A stretch in which nothing holds the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// How fast it falls, in metres per frame².
    pub fall: f64,
    /// Standard error of that, as a share of it.
    pub error: f64,
    /// How many frames it was measured over.
    pub frames: usize,
}

/// All flights of a clip; none where the body is not known or has no person's size.
pub fn flights(clip: &Clip) -> Vec<Flight> {
    let anatomy = Anatomy::of_clip(clip);
    let (Some(legs), true) = (anatomy.both_legs(), clip.frame_count() >= 3 * SHORTEST) else {
        return Vec::new();
    };
    let points = fk::world_points(clip);
    if !legs.iter().all(|l| LEG_M.contains(&leg_length(&points, l))) {
        return Vec::new();
    }
    let Some(centres) = centres(&points, &anatomy, &legs) else {
        return Vec::new();
    };
    let feet: Vec<PointIdx> = legs
        .iter()
        .flat_map(|l| [Some(l.ankle.into()), l.toe.map(PointIdx::from), l.tip])
        .flatten()
        .collect();
    let hands = anatomy.both_arms().into_iter().flatten();
    let limbs: Vec<PointIdx> = feet
        .iter()
        .copied()
        .chain(hands.map(|a| a.wrist.into()))
        .collect();
    let look = Look {
        centres: &centres,
        points: &points,
        limbs: &limbs,
    };
    stretches(&points, &feet)
        .into_iter()
        .filter_map(|air| look.flight(&air))
        .collect()
}

fn leg_length(points: &WorldPoints, leg: &Leg) -> f64 {
    let at = |p: gaitway_core::JointIdx| points.at(0, p.index());
    at(leg.hip).distance(at(leg.knee)) + at(leg.knee).distance(at(leg.ankle))
}

/// Frames in which every point of the feet is clear of where it stands.
fn stretches(points: &WorldPoints, feet: &[PointIdx]) -> Vec<Range<usize>> {
    let stands: Vec<f64> = feet
        .iter()
        .map(|&p| low_height(points.track(p).map(|v| v.y)))
        .collect();
    let clear = |f: usize| {
        let mut each = feet.iter().zip(&stands);
        each.all(|(p, low)| points.at(f, p.index()).y - low > CLEAR_M)
    };
    let mut out = Vec::new();
    let mut start = None;
    for f in 0..=points.frame_count() {
        let flies = f < points.frame_count() && clear(f);
        match (flies, start) {
            (true, None) => start = Some(f),
            (false, Some(s)) => {
                start = None;
                if f - s >= SHORTEST {
                    out.push(s..f);
                }
            }
            _ => {}
        }
    }
    out
}

/// Where a point stands: the height that 5 % of its frames lie below.
fn low_height(heights: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = heights.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 20]
}

struct Look<'a> {
    centres: &'a [DVec3],
    points: &'a WorldPoints,
    limbs: &'a [PointIdx],
}

impl Look<'_> {
    /// The longest part of a stretch that is a flight; of parts as long, the smoothest.
    fn flight(&self, air: &Range<usize>) -> Option<Flight> {
        let whole = air.len();
        let least = match whole > LONGEST {
            true => whole,
            false => ((LEAST_SHARE * whole as f64).ceil() as usize).max(SHORTEST),
        };
        (least..=whole).rev().find_map(|len| {
            let starts = air.start..=air.end - len;
            let fits = starts.filter_map(|s| self.parabola(s..s + len));
            let best = fits.min_by(|a, b| a.1.total_cmp(&b.1));
            best.map(|(flight, _)| flight)
        })
    }

    /// These frames as a flight, with how far from a parabola they are.
    fn parabola(&self, frames: Range<usize>) -> Option<(Flight, f64)> {
        let fit = Parabola::through(&self.centres[frames.clone()]);
        let fall = -fit.bend.y;
        let n = frames.len() as f64;
        let high = fall * n * n / 8.0;
        let sideways = fit.bend.x.hypot(fit.bend.z);
        // What is not a number passes none of these.
        let flies = high > LOWEST_M && fit.rms < ROUGH * high && sideways < SIDEWAYS * fall;
        if !flies || self.is_held(&frames) {
            return None;
        }
        let parts = [SCATTER, fit.error / fall, CENTRE_M / high];
        let error = parts.iter().map(|p| p * p).sum::<f64>().sqrt();
        let frames = frames.len();
        let flight = Flight {
            fall,
            error,
            frames,
        };
        Some((flight, fit.rms))
    }

    /// Whether a foot or hand stays where it is.
    fn is_held(&self, frames: &Range<usize>) -> bool {
        self.limbs.iter().any(|p| {
            let places = frames.clone().map(|f| self.points.at(f, p.index()));
            let (low, high) = places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), v| {
                (l.min(v), h.max(v))
            });
            (high - low).length() < HELD_M
        })
    }
}

/// The least-squares parabola through evenly spaced places.
struct Parabola {
    /// Second derivative per step².
    bend: DVec3,
    /// RMS of what is left upwards.
    rms: f64,
    /// Standard error of the upward bend, from what is left.
    error: f64,
}

impl Parabola {
    /// The orthogonal polynomials of degree 0 to 2 make it three sums.
    fn through(places: &[DVec3]) -> Self {
        let n = places.len() as f64;
        let middle = (n - 1.0) / 2.0;
        let square_mean = (n * n - 1.0) / 12.0;
        let first = places[0];
        let (mut mean, mut slope, mut bend) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        let (mut slope_norm, mut bend_norm) = (0.0, 0.0);
        for (i, v) in places.iter().enumerate() {
            let t = i as f64 - middle;
            let q = t * t - square_mean;
            let v = *v - first;
            mean += v;
            slope += v * t;
            slope_norm += t * t;
            bend += v * q;
            bend_norm += q * q;
        }
        let (mean, slope, bend) = (mean / n, slope / slope_norm, bend / bend_norm);
        let left = |(i, v): (usize, &DVec3)| {
            let t = i as f64 - middle;
            let fit = mean + slope * t + bend * (t * t - square_mean);
            (v.y - first.y - fit.y).powi(2)
        };
        let square: f64 = places.iter().enumerate().map(left).sum();
        Self {
            bend: 2.0 * bend,
            rms: (square / n).sqrt(),
            error: 2.0 * (square / (n - 3.0).max(1.0) / bend_norm).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_found_exactly() {
        let way = |i: usize| {
            let t = i as f64;
            DVec3::new(
                0.2 * t,
                1.0 + 0.3 * t - 0.02 * t * t,
                4.0 - 0.1 * t + 0.003 * t * t,
            )
        };
        let places: Vec<DVec3> = (0..20).map(way).collect();
        let fit = Parabola::through(&places);
        assert!(fit.bend.distance(DVec3::new(0.0, -0.04, 0.006)) < 1e-12);
        assert!(fit.rms < 1e-12 && fit.error < 1e-12);
    }
}
