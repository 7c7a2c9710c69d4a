//! Feet that must move from one plant to the next without being lifted take a step instead.
//!
//! Where a transition joins stances whose feet stand apart, a foot is let go at one place and held again at another, and
//! what was captured has no step in between: it would slide, or swivel about its heel. Such a gap between plants of a toe is found
//! by the toe, which stays low ([`FLAT`]) and gets somewhere ([`FAR`]). It is made as long as such a step takes, from the plants on either side, as far as the other foot
//! stands all the while. In it the ankle goes, with u from 0 to 1,
//!
//!   x(u) = cubic from where and how fast it was held to where and how fast it will be  +  h sin²(πu)
//!
//! so that place and velocity are continuous, and h lifts the toe as high as the person lifts it.
//!
//! *How long and how high* is taken from the person's own steps in this motion, away from transitions: those whose
//! length ℓ is nearest to the d wanted. A step of the same strength takes √(d/ℓ) of their time and of their height.
//!
//! Steps need the whole motion at hand: whether the other foot stands, and what steps there are, is not known while it plays.

use std::ops::Range;

use glam::{DQuat, DVec3};

use super::ease::Gap;
use super::ingest::Sources;
use super::pipeline::Pipeline;
use super::rig::CHANNELS;
use super::watch::Plants;

/// A toe that is lifted by less than this between two plants, in metres for a person, was not meant to step.
const FLAT: f64 = 0.02;
/// What gets no farther than this, in metres for a person, is carried over from plant to plant.
const FAR: f64 = 0.03;
/// A gap that lasts longer than this, in seconds, is no hop from plant to plant.
const LONGEST_S: f64 = 0.6;
/// A gap this near to a transition, in seconds, comes of it.
const NEAR_S: f64 = 0.1;
/// No plant is made shorter than this for a step, in seconds.
const KEEP_S: f64 = 0.08;
/// Bounds of how long a step takes, in seconds, and how high it goes, in metres for a person.
const TAKES_S: (f64, f64) = (0.2, 0.45);
const RISES: (f64, f64) = (0.022, 0.06);
/// How many of the person's own steps are asked.
const ASKED: usize = 9;

/// A step that is taken.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Frames in which the foot is not held.
    pub frames: Range<usize>,
    /// How far it goes, as captured.
    pub distance: f64,
    /// How high the toe goes.
    pub rise: f64,
}

/// Steps of both legs, by time.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps([Vec<Step>; 2]);

impl Steps {
    pub fn of(&self, leg: usize) -> &[Step] {
        &self.0[leg]
    }

    /// The step a leg takes in a frame.
    fn at(&self, leg: usize, frame: usize) -> Option<&Step> {
        let list = &self.0[leg];
        let after = list.partition_point(|s| s.frames.end <= frame);
        list.get(after).filter(|s| s.frames.start <= frame)
    }
}

/// A person's own step.
#[derive(Clone, Copy, Debug)]
struct OwnStep {
    distance: f64,
    seconds: f64,
    rise: f64,
}

/// How long a step takes and how high it goes, from steps of other lengths.
fn like(own: &[OwnStep], distance: f64, scale: f64) -> (f64, f64) {
    let apart = |s: &OwnStep| (s.distance / distance).ln().abs();
    let mut nearest = own.to_vec();
    nearest.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
    nearest.truncate(ASKED);
    let median = |of: &dyn Fn(&OwnStep) -> f64| {
        let mut all: Vec<f64> = nearest.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    let share = |s: &OwnStep| (distance / s.distance).sqrt();
    let seconds = median(&|s| s.seconds * share(s)).unwrap_or(0.0);
    let rise = median(&|s| s.rise * share(s)).unwrap_or(0.0);
    (
        seconds.clamp(TAKES_S.0, TAKES_S.1),
        rise.clamp(RISES.0 * scale, RISES.1 * scale),
    )
}

/// Frames in which any point of a leg is held, ascending.
fn held(plants: &[Plants; CHANNELS], leg: usize) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = plants[2 * leg..2 * leg + 2]
        .iter()
        .flat_map(Plants::ranges)
        .collect();
    all.sort_by_key(|r| r.start);
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in all {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// What lies between two plants of a toe, as captured.
struct Captured {
    distance: f64,
    rise: f64,
    of_transition: bool,
}

/// `near`: frames beside the gap in which a transition counts.
fn captured(
    sources: &Sources,
    toe: usize,
    [before, after]: [&Range<usize>; 2],
    near: usize,
) -> Captured {
    let at = |f: usize| sources.slot(f).point(toe);
    let (last, next) = (before.end - 1, after.start);
    let stands = at(last).y.min(at(next).y);
    let highest = (last..=next)
        .map(|f| at(f).y)
        .fold(f64::NEG_INFINITY, f64::max);
    // Plants are held at their means, and one that drifts ends some way off it.
    let mean = |r: &Range<usize>| r.clone().map(at).sum::<DVec3>() / r.len() as f64;
    let around = before.end.saturating_sub(near)..(next + near).min(after.end);
    Captured {
        distance: (mean(after) - mean(before)).with_y(0.0).length(),
        rise: highest - stands,
        of_transition: around.into_iter().any(|f| sources.slot(f).blend),
    }
}

/// A gap that should be a step.
struct Wanted {
    leg: usize,
    gap: Range<usize>,
    distance: f64,
}

/// Decides which gaps become steps, and makes room for them in the plants around.
pub(super) fn plan(pipeline: &mut Pipeline, rate_hz: f64) -> Steps {
    let frames = |s: f64| (s * rate_hz).round() as usize;
    let scale = pipeline.rig.scale;
    let mut own = Vec::new();
    let mut wanted: Vec<Wanted> = Vec::new();
    for leg in 0..2 {
        let toe = 2 * leg + usize::from(pipeline.rig.bit(2 * leg + 1).is_some());
        if pipeline.rig.bit(toe).is_none() {
            continue;
        }
        let stands: Vec<Range<usize>> = pipeline.plants[toe].ranges().collect();
        for pair in stands.windows(2) {
            let gap = pair[0].end..pair[1].start;
            if gap.len() > frames(LONGEST_S) {
                continue;
            }
            let pair = [&pair[0], &pair[1]];
            let found = captured(&pipeline.sources, toe, pair, frames(NEAR_S));
            let far = found.distance > FAR * scale;
            let flat = found.rise < FLAT * scale;
            if far && flat && found.of_transition {
                wanted.push(Wanted {
                    leg,
                    gap,
                    distance: found.distance,
                });
            } else if far && !flat && !found.of_transition {
                own.push(OwnStep {
                    distance: found.distance,
                    seconds: gap.len() as f64 / rate_hz,
                    rise: found.rise,
                });
            }
        }
    }
    wanted.sort_by_key(|w| (w.gap.start, w.leg));
    let keep = frames(KEEP_S).max(pipeline.frames.min_plant);
    let mut steps = Steps::default();
    let mut take =
        |plants: &mut [Plants; CHANNELS], want: &Wanted, gap: Range<usize>, near: usize| {
            move_borders(plants, want.leg, &want.gap, &gap, near);
            steps.0[want.leg].push(Step {
                frames: gap,
                distance: want.distance,
                rise: like(&own, want.distance, scale).1,
            });
        };
    let long = |want: &Wanted| frames(like(&own, want.distance, scale).0);
    let plants = &mut pipeline.plants;
    let mut rest = wanted.iter().peekable();
    while let Some(want) = rest.next() {
        // Both feet at once: one after the other, the one first that is let go first, of equals the one that goes farther.
        let both = |other: &&Wanted| other.leg != want.leg && other.gap.start < want.gap.end;
        if let Some(&other) = rest.peek().filter(|o| both(o)) {
            let swap = other.gap.start == want.gap.start && other.distance > want.distance;
            let (first, second) = if swap { (other, want) } else { (want, other) };
            let lengths = [long(first), long(second)];
            if let Some([a, b]) = in_turn(plants, [first, second], lengths, keep) {
                take(plants, first, a, frames(NEAR_S));
                take(plants, second, b, frames(NEAR_S));
                rest.next();
                continue;
            }
        }
        if let Some(gap) = widened(plants, want.leg, &want.gap, long(want), keep) {
            take(plants, want, gap, 0);
        }
    }
    for list in &mut steps.0 {
        list.sort_by_key(|s| s.frames.start);
    }
    steps
}

/// Two gaps that overlap, as one step after the other about their common middle; `None` where plants are too short for
/// that.
fn in_turn(
    plants: &[Plants; CHANNELS],
    [first, second]: [&Wanted; 2],
    lengths: [usize; 2],
    keep: usize,
) -> Option<[Range<usize>; 2]> {
    let start = first.gap.start.min(second.gap.start);
    let end = first.gap.end.max(second.gap.end);
    let middle = usize::midpoint(start, end);
    let (least, _) = room(plants, first.leg, &first.gap, keep);
    let (_, most) = room(plants, second.leg, &second.gap, keep);
    let begin = (middle.saturating_sub(lengths[0])).max(least);
    let done = (middle + lengths[1]).min(most);
    // Steps so short would be twitches.
    let shortest = lengths.map(|n| n / 2);
    let fits = middle >= begin + shortest[0] && done >= middle + shortest[1];
    fits.then_some([begin..middle, middle..done])
}

/// The first frame a gap may begin with and the last it may end with, so that all plants beside it are kept for a while.
fn room(
    plants: &[Plants; CHANNELS],
    leg: usize,
    gap: &Range<usize>,
    keep: usize,
) -> (usize, usize) {
    let (mut least, mut most) = (0, usize::MAX);
    for plant in plants[2 * leg..2 * leg + 2].iter().flat_map(Plants::ranges) {
        // What begins before the gap is kept before it, what ends after it is kept after it; what spans it, both.
        if plant.start < gap.start {
            least = least.max((plant.start + keep).min(gap.start));
        }
        if plant.end > gap.end {
            most = most.min(plant.end.saturating_sub(keep).max(gap.end));
        }
    }
    (least, most)
}

/// The gap, made as long as wanted where plants on either side and the other foot allow; `None` where the other foot does
/// not stand all the while.
fn widened(
    plants: &[Plants; CHANNELS],
    leg: usize,
    gap: &Range<usize>,
    wanted: usize,
    keep: usize,
) -> Option<Range<usize>> {
    let stands = held(plants, 1 - leg)
        .into_iter()
        .find(|r| r.start <= gap.start && r.end >= gap.end)?;
    let (least, most) = room(plants, leg, gap, keep);
    let before = gap.start.saturating_sub(least.max(stands.start));
    let after = most.min(stands.end).saturating_sub(gap.end);
    let more = wanted.saturating_sub(gap.len());
    let early = (more / 2).max(more.saturating_sub(after)).min(before);
    let late = (more - early).min(after);
    Some(gap.start - early..gap.end + late)
}

/// Makes room for a step in place of a gap between plants of a leg's toe: plants that reach into it are cut, and those whose
/// border is within `near` of the gap's get the step's.
fn move_borders(
    plants: &mut [Plants; CHANNELS],
    leg: usize,
    gap: &Range<usize>,
    step: &Range<usize>,
    near: usize,
) {
    for plants in &mut plants[2 * leg..2 * leg + 2] {
        let list = std::mem::take(&mut plants.list);
        for mut plant in list {
            let end = plant.end.unwrap_or(usize::MAX);
            if plant.start < step.start && end > step.end {
                // The heel stands on while the toe goes: it goes along.
                let mut rest = plant.clone();
                rest.start = step.end;
                (plant.end, plant.handed) = (Some(step.start), None);
                plants.list.extend([plant, rest]);
                continue;
            }
            let beside = |a: usize, b: usize| a.abs_diff(b) < near;
            if plant.start < step.start && (end > step.start || beside(end, gap.start)) {
                (plant.end, plant.handed) = (Some(step.start), None);
            } else if end > step.end && (plant.start < step.end || beside(plant.start, gap.end)) {
                plant.start = step.end;
            }
            // What lies in the step altogether is none.
            if plant.start < step.start || plant.start >= step.end {
                plants.list.push_back(plant);
            }
        }
    }
}

impl Pipeline {
    /// The shift of an ankle in a frame of a step, with the gap it is in.
    pub fn step_shift(&self, frame: usize, leg: usize) -> Option<(DVec3, Gap)> {
        let step = self.steps.at(leg, frame)?;
        let (from, to) = (step.frames.start - 1, step.frames.end);
        let gap = Gap {
            before: self.feet[leg].shift_border(),
            after: self.border_at(to, leg),
        };
        let (a, b) = (self.held_ankle(from, leg)?, self.held_ankle(to, leg)?);
        let before = from.checked_sub(1).and_then(|f| self.held_ankle(f, leg));
        let after = (to + 1 < self.pushed())
            .then(|| self.held_ankle(to + 1, leg))
            .flatten();
        let path = Path {
            ends: [a, b],
            slopes: [
                before.map_or(DVec3::ZERO, |p| a - p),
                after.map_or(DVec3::ZERO, |p| p - b),
            ],
            frames: (to - from) as f64,
        };
        // How much higher than where it stands the toe is in the middle already, the foot turned as it is.
        let middle = usize::midpoint(from, to);
        let toe = |f: usize, ankle: DVec3| ankle.y + self.toe_arm(f, leg).y;
        let stands = toe(from, a).min(toe(to, b));
        let clear = toe(middle, path.at((middle - from) as f64)) - stands;
        let lift = (step.rise - clear).clamp(0.0, 2.0 * step.rise);
        let t = (frame - from) as f64;
        let up = lift * (std::f64::consts::PI * t / path.frames).sin().powi(2);
        let slot = self.sources.slot(frame);
        let captured = slot.root + slot.legs[leg].ankle.as_dvec3();
        Some((path.at(t) + DVec3::Y * up - captured, gap))
    }

    /// Where the ankle of a held foot is put.
    fn held_ankle(&self, frame: usize, leg: usize) -> Option<DVec3> {
        let slot = self.sources.slot(frame);
        Some(slot.root + slot.legs[leg].ankle.as_dvec3() + self.held_shift(frame, leg)?)
    }

    /// From the ankle to the toe, the foot turned as decided.
    fn toe_arm(&self, frame: usize, leg: usize) -> DVec3 {
        let slot = self.sources.slot(frame);
        let foot = &slot.legs[leg];
        DQuat::from_scaled_axis(slot.turn[leg]) * (foot.points[1] - foot.ankle).as_dvec3()
    }
}

/// A cubic with given ends and slopes (per frame) there.
struct Path {
    ends: [DVec3; 2],
    slopes: [DVec3; 2],
    frames: f64,
}

impl Path {
    fn at(&self, t: f64) -> DVec3 {
        let (u, n) = (t / self.frames, self.frames);
        let (u2, u3) = (u * u, u * u * u);
        let [a, b] = self.ends;
        let [da, db] = self.slopes;
        a * (2.0 * u3 - 3.0 * u2 + 1.0)
            + b * (3.0 * u2 - 2.0 * u3)
            + da * (n * (u3 - 2.0 * u2 + u))
            + db * (n * (u3 - u2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_take_the_time_and_height_of_steps_like_them() {
        let own = [
            OwnStep {
                distance: 0.4,
                seconds: 0.5,
                rise: 0.06,
            },
            OwnStep {
                distance: 0.4,
                seconds: 0.5,
                rise: 0.06,
            },
            OwnStep {
                distance: 0.4,
                seconds: 0.5,
                rise: 0.06,
            },
        ];
        let (seconds, rise) = like(&own, 0.1, 1.0);
        assert!((seconds - 0.25).abs() < 1e-12 && (rise - 0.03).abs() < 1e-12);
        // Within bounds, which grow with the body.
        assert_eq!(like(&own, 0.001, 1.0), (TAKES_S.0, RISES.0));
        assert_eq!(like(&[], 0.1, 2.0), (TAKES_S.0, 2.0 * RISES.0));
        assert_eq!(like(&own, 90.0, 1.0), (TAKES_S.1, RISES.1));
    }

    #[test]
    fn a_path_begins_and_ends_as_it_should() {
        let path = Path {
            ends: [DVec3::X, DVec3::Z],
            slopes: [DVec3::Y, -DVec3::Y],
            frames: 20.0,
        };
        assert!((path.at(0.0) - DVec3::X).length() < 1e-12);
        assert!((path.at(20.0) - DVec3::Z).length() < 1e-12);
        let slope = |t: f64| (path.at(t + 1e-6) - path.at(t - 1e-6)) / 2e-6;
        assert!((slope(0.0) - DVec3::Y).length() < 1e-6);
        assert!((slope(20.0) + DVec3::Y).length() < 1e-6);
    }
}
