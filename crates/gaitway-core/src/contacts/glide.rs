//! Feet that glide: low, fast and flat.
//!
//! A toe *glides* while it is within [`LOW_M`] of the height it stands at and goes faster than [`FAST_M_S`] over the
//! ground, if on the whole of such a stretch it gets farther than [`TRAVEL_M`] and is lifted by less than [`LIFT_M`]. Whether
//! anything is said to stand there makes no difference. (Lengths and speeds are those of a person with legs of 0.85 m and
//! grow with the body.)
//!
//! A stretch ends where the toe slows down or leaves the low band. One that leaves the band upwards was lifted to the
//! band's edge, however few frames that took, so that the measure does not depend on the rate. People drag their toes,
//! too: captured clips have glides, and a motion made from them is held against their rate.
//!
//! Most glides of good walking are toes that pass low in the middle of a swing, which nobody minds. A glide is a *low swing* when
//! the toe is on its way from one stand to the next in earnest, else it is a *slide*:
//!
//! - between the two stands (or from the motion's beginning, or to its end) the toe leaves the low band somewhere;
//! - it goes, on average, at least half as fast as this person's toes usually do in a swing: the median, over all stretches
//!   between stands in which a toe leaves the band, of its largest speed;
//! - it goes faster than the body, which a foot in swing passes and a foot that is carried along does not.

use std::ops::Range;

use glam::DVec3;

use super::{Detection, Kind, points};
use crate::fk::WorldPoints;

/// Higher than this above its standing height a toe is in the air, in metres.
pub const LOW_M: f64 = 0.025;
/// Slower than this a toe creeps, in m/s.
pub const FAST_M_S: f64 = 0.15;
/// What gets no farther than this is no glide, in metres.
pub const TRAVEL_M: f64 = 0.05;
/// What is lifted by this much takes a step, in metres.
pub const LIFT_M: f64 = 0.012;
/// The part of the usual speed of a swing below which a toe is not swung.
const SWING_PART: f64 = 0.5;
/// Half of the time over which a toe's speed is measured, in seconds.
const HALF_S: f64 = 1.0 / 60.0;

/// What a glide looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlideKind {
    /// A foot that slips or is dragged over the floor.
    Slide,
    /// A toe that passes low on its way from step to step.
    LowSwing,
}

/// One stretch in which a toe goes over the floor without being lifted.
#[derive(Clone, Debug, PartialEq)]
pub struct Glide {
    /// Index into the track's points.
    pub point: usize,
    /// First frame to one past the last.
    pub frames: Range<usize>,
    /// The farthest it gets from where it begins, over the ground, in metres.
    pub travel_m: f64,
    /// Its largest speed over the ground, in m/s.
    pub fastest_m_s: f64,
    /// Its mean speed over the ground, in m/s.
    pub mean_m_s: f64,
    /// Its highest less its lowest place, in metres.
    pub lift_m: f64,
    /// Whether it is a slide or a swing that passes low.
    pub kind: GlideKind,
}

/// All glides of the toes of a motion, by start. A foot of which only the heel is known is looked at there.
pub fn glides(world: &WorldPoints, found: &Detection, rate_hz: f64) -> Vec<Glide> {
    let body: Vec<DVec3> = world.track(found.body).collect();
    let body = speeds(&body, rate_hz);
    let toes: Vec<Toe> = toes(found)
        .into_iter()
        .map(|point| Toe::new(world, found, point, rate_hz))
        .collect();
    let mut swings: Vec<f64> = toes.iter().flat_map(Toe::swings).collect();
    let middle = swings.len() / 2;
    let usual =
        (!swings.is_empty()).then(|| *swings.select_nth_unstable_by(middle, f64::total_cmp).1);
    let mut out = Vec::new();
    for toe in &toes {
        for mut glide in toe.glides() {
            glide.kind = toe.kind_of(&glide, usual, &body);
            out.push(glide);
        }
    }
    out.sort_by_key(|g| (g.frames.start, g.point));
    out
}

/// The toe of each foot, or its only point.
fn toes(found: &Detection) -> Vec<usize> {
    let listed = found.track.points();
    let side = |k: usize| crate::anatomy::side_of(&listed[k].name);
    let kind = |k: usize| points::kind_of(&listed[k].name);
    let all = 0..listed.len();
    let lacks_toe = |k: usize| {
        kind(k) == Kind::Heel
            && !all
                .clone()
                .any(|o| kind(o) == Kind::Toe && side(o) == side(k))
    };
    all.clone()
        .filter(|&k| kind(k) == Kind::Toe || lacks_toe(k))
        .collect()
}

/// The heights a point stands at: on each level the median over its plants there, else the level and the height of the
/// point in a standing foot. Ascending.
fn standing_heights(found: &Detection, point: usize, at: &[DVec3]) -> Vec<f64> {
    let level_height = |&level: &f64| {
        let here = |p: &&super::Plant| p.point == point && p.height == level;
        let plants = found.plants.iter().filter(here);
        let mut stood: Vec<f64> = plants
            .flat_map(|p| at[p.frames.clone()].iter().map(|p| p.y))
            .collect();
        if stood.is_empty() {
            return level + found.floor.sole_heights[point];
        }
        let middle = (stood.len() - 1) / 2;
        *stood.select_nth_unstable_by(middle, f64::total_cmp).1
    };
    let mut heights: Vec<f64> = found.floor.levels.iter().map(level_height).collect();
    heights.sort_by(f64::total_cmp);
    heights
}

/// A toe's way through a motion.
struct Toe {
    /// Index into the track's points.
    point: usize,
    /// Of the body against a person with legs of 0.85 m.
    scale: f64,
    at: Vec<DVec3>,
    /// The top of the low band that a place is in or under; `None` in the air.
    tops: Vec<Option<f64>>,
    /// Over the ground, in m/s.
    speeds: Vec<f64>,
    /// From one stand to the next, from the beginning to the first and from the last to the end.
    between: Vec<Range<usize>>,
}

impl Toe {
    fn new(world: &WorldPoints, found: &Detection, point: usize, rate_hz: f64) -> Self {
        let at: Vec<DVec3> = world.track(found.track.points()[point].point).collect();
        let heights = standing_heights(found, point, &at);
        let scale = found.thresholds.scale;
        let low_m = LOW_M * scale;
        let top = |p: &DVec3| {
            let tops = heights.iter().map(|h| h + low_m);
            let mut above = tops.filter(|t| p.y < *t);
            let first = above.next()?;
            // Between two levels a foot is in the air; below the lowest it is in the floor.
            (p.y > first - 2.0 * low_m || first == heights[0] + low_m).then_some(first)
        };
        let mut stands: Vec<Range<usize>> = found
            .plants
            .iter()
            .filter(|p| p.point == point)
            .map(|p| p.frames.clone())
            .collect();
        stands.sort_by_key(|f| f.start);
        let mut between = Vec::new();
        let mut done = 0;
        for stand in stands {
            if done < stand.start {
                between.push(done..stand.start);
            }
            done = done.max(stand.end);
        }
        if done < at.len() {
            between.push(done..at.len());
        }
        Self {
            point,
            scale,
            tops: at.iter().map(top).collect(),
            speeds: speeds(&at, rate_hz),
            at,
            between,
        }
    }

    /// Whether the toe leaves the low band within some frames.
    fn is_lifted(&self, frames: &Range<usize>) -> bool {
        self.tops[frames.clone()].iter().any(Option::is_none)
    }

    /// The largest speed of each stretch between stands in which the toe is lifted.
    fn swings(&self) -> impl Iterator<Item = f64> + '_ {
        let lifted = self.between.iter().filter(|f| self.is_lifted(f));
        lifted.map(|f| self.speeds[f.clone()].iter().copied().fold(0.0, f64::max))
    }

    fn kind_of(&self, glide: &Glide, usual: Option<f64>, body: &[f64]) -> GlideKind {
        let middle = (glide.frames.start + glide.frames.end) / 2;
        let stretch = self.between.iter().find(|f| f.contains(&middle));
        let lifted = stretch.is_some_and(|f| self.is_lifted(f));
        let swung = usual.is_some_and(|u| glide.mean_m_s >= SWING_PART * u);
        let frames = glide.frames.clone();
        let count = frames.len() as f64;
        let body = body[frames].iter().sum::<f64>() / count;
        match lifted && swung && glide.mean_m_s > body {
            true => GlideKind::LowSwing,
            false => GlideKind::Slide,
        }
    }

    fn glides(&self) -> Vec<Glide> {
        let count = self.at.len();
        let moves = |f: usize| self.tops[f].is_some() && self.speeds[f] > FAST_M_S * self.scale;
        let mut out = Vec::new();
        let mut start = 0;
        while start < count {
            if !moves(start) {
                start += 1;
                continue;
            }
            let end = (start..count).find(|&f| !moves(f)).unwrap_or(count);
            out.extend(self.glide(start..end));
            start = end;
        }
        out
    }

    /// The stretch as a glide, if it is one.
    fn glide(&self, frames: Range<usize>) -> Option<Glide> {
        let places = &self.at[frames.clone()];
        let apart = |p: &DVec3| (*p - places[0]).with_y(0.0).length();
        let travel_m = places.iter().map(apart).fold(0.0, f64::max);
        let lowest = places.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let highest = places.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        // Beyond a border the toe is above the band: it went through the band's edge in between.
        let inside = [frames.start, frames.end - 1];
        let beyond = [frames.start.checked_sub(1), Some(frames.end)];
        let edges = inside.into_iter().zip(beyond).filter_map(|(f, next)| {
            let edge = self.tops[f]?;
            (self.at.get(next?)?.y >= edge).then_some(edge)
        });
        let lift_m = edges.fold(highest, f64::max) - lowest;
        let is_one = travel_m > TRAVEL_M * self.scale && lift_m < LIFT_M * self.scale;
        let speeds = &self.speeds[frames.clone()];
        is_one.then(|| Glide {
            point: self.point,
            travel_m,
            fastest_m_s: speeds.iter().copied().fold(0.0, f64::max),
            mean_m_s: speeds.iter().sum::<f64>() / speeds.len() as f64,
            lift_m,
            // Until the others are known.
            kind: GlideKind::Slide,
            frames,
        })
    }
}

/// Speeds over the ground, each over [`HALF_S`] on either side.
fn speeds(at: &[DVec3], rate_hz: f64) -> Vec<f64> {
    let half = ((HALF_S * rate_hz).round() as usize).max(1);
    let last = at.len().saturating_sub(1);
    (0..at.len())
        .map(|f| {
            let (a, b) = (f.saturating_sub(half), (f + half).min(last));
            let way = (at[b] - at[a]).with_y(0.0).length();
            way * rate_hz / (b - a).max(1) as f64
        })
        .collect()
}

/// Whether a time lies near one of some transitions, and for how long a motion does.
#[derive(Clone, Debug, PartialEq)]
pub struct NearTransitions {
    /// Disjoint, ascending, in seconds.
    stretches: Vec<(f64, f64)>,
}

impl NearTransitions {
    /// What is no farther than this from a transition is near it, in seconds.
    pub const WITHIN_S: f64 = 0.4;

    /// Of transitions at some times of a motion of some length, in seconds.
    pub fn new(times: &[f64], seconds: f64) -> Self {
        let mut times: Vec<f64> = times.iter().copied().filter(|t| t.is_finite()).collect();
        times.sort_by(f64::total_cmp);
        let mut stretches: Vec<(f64, f64)> = Vec::new();
        for t in times {
            let from = (t - Self::WITHIN_S).max(0.0);
            let to = (t + Self::WITHIN_S).min(seconds);
            match stretches.last_mut() {
                Some((_, end)) if from <= *end => *end = end.max(to),
                _ if from < to => stretches.push((from, to)),
                _ => {}
            }
        }
        Self { stretches }
    }

    /// Whether a time is near one.
    pub fn has(&self, t: f64) -> bool {
        self.stretches.iter().any(|&(a, b)| (a..=b).contains(&t))
    }

    /// How much of the motion is near one, in seconds.
    pub fn seconds(&self) -> f64 {
        self.stretches.iter().map(|(a, b)| b - a).sum()
    }
}

impl Glide {
    /// The middle of it, in seconds: what says whether it is near a transition.
    pub fn middle_s(&self, rate_hz: f64) -> f64 {
        0.5 * (self.frames.start + self.frames.end - 1) as f64 / rate_hz
    }
}
