//! Frames that capture got wrong: for a frame or two a joint is somewhere else, and then back.
//!
//! A solver that loses a marker puts out one frame in which the hips are turned by thirty degrees and both thighs
//! turned back; a clip begins with two frames in which an arm hangs as at rest. Nothing that lives moves like this. A
//! *spike* is a hole of one or two frames (no longer than a fiftieth of a second, one frame at least) in which
//!
//! - a joint is d away from the cubic fitted through three frames on either side,
//! - those six frames lie on that cubic to within d / 10, and over the hole it gets as far as the frames beside it say, to
//!   within d / 3: it is back where it was going,
//! - d is 20 times what is usual for this joint in this clip (the median), and 4 times its 95th percentile,
//! - and no body does it: a joint would have to speed up at 3000 rad/s² (the root's place at 300 m/s²) twice, or three
//!   joints do it in the same frame at 50 Hz or more.
//!
//! Solvers make up for one joint by others, so in a frame that holds a spike all joints are looked at with a
//! lower bar (d / 5, d / 2). What then belongs in the hole is the cubic. At a clip's ends there is one side only: up
//! to three frames that a leap of 20° (10 cm) or more parts from six frames that go on in steps of an eighth of it.
//! They are filled by the line through those six. Last, a repair must calm the body: over the frames it touches, the sum
//! of squared accelerations of all points must fall to half or less, else it is left.
//!
//! A joint that does this more than once a second is not spiked but noisy, and is left alone. A leap that does
//! not come back (a cut, a head that is lost for a second) is none, either.
//!
//! Cost: O(frames · joints), and kinematics of the few frames around what is found.
//! Checked by: smooth random motion keeps its bits; injected spikes are found and removed to within the noise; counts on
//! real clips.

mod channel;
mod fit;
#[cfg(test)]
mod tests;

use std::ops::Range;

use glam::DVec3;

use crate::clip::ClipParts;
use crate::{Clip, JointIdx, edit, fk};
use channel::{Channel, channels};
use fit::{AROUND, Hole};

/// What of a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Motion {
    /// Where it is: the root in the world, other joints (with a translation track) in their parent.
    Place,
    /// How it is turned in its parent.
    Turn,
}

/// Frames in which one joint is somewhere else.
#[derive(Clone, Debug, PartialEq)]
pub struct Spike {
    /// The joint.
    pub joint: JointIdx,
    /// What of it.
    pub motion: Motion,
    /// First frame to one past the last.
    pub frames: Range<usize>,
    /// How far from where it belongs, at most: metres for places, radians for turns.
    pub size: f64,
}

impl Spike {
    /// The size in centimetres or degrees, with its unit.
    pub fn measure(&self) -> (f64, &'static str) {
        match self.motion {
            Motion::Place => (100.0 * self.size, "cm"),
            Motion::Turn => (self.size.to_degrees(), "deg"),
        }
    }
}

/// A clip without its spikes.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The clip.
    pub clip: Clip,
    /// What was taken out, by frame, then joint.
    pub spikes: Vec<Spike>,
}

/// Times that spikes close together are looked for again once the first are out.
const MOST_PASSES: usize = 4;
/// Longest hole, in seconds; a frame is always allowed.
const LONGEST_S: f64 = 0.02;
const LONGEST: usize = 2;
/// Longest hole at a clip's end, in frames.
const LONGEST_END: usize = 3;
/// What no body does: rad/s² and m/s².
const TURN_LIMIT: f64 = 3000.0;
const PLACE_LIMIT: f64 = 300.0;
/// Joints that leap at once, and the rate from which on no jolt of a body is a frame long.
const AT_ONCE: usize = 3;
const AT_ONCE_HZ: f64 = 50.0;
/// The least that is worth a change: 2° and 4 mm; half of that beside a larger one.
const LEAST_TURN: f64 = 0.035;
const LEAST_PLACE: f64 = 0.004;
/// The least leap at a clip's end: 20° and 10 cm.
const LEAST_END_TURN: f64 = 0.35;
const LEAST_END_PLACE: f64 = 0.1;
/// Spikes of one joint per second that are no accident any more.
const NOISE_PER_S: f64 = 1.0;

/// Takes the spikes out of a clip; `None` where there is none to be sure of.
///
/// ```
/// use gaitway_core::spikes::repair;
/// use gaitway_core::testing::{Walker, walking_clip};
/// use glam::Quat;
///
/// let clip = walking_clip(&Walker::default());
/// assert!(repair(&clip).is_none());
/// let mut parts = clip.clone().into_parts();
/// let knee = clip.skeleton().find("LeftLeg").unwrap();
/// let at = 100 * clip.joint_count() + knee.index();
/// parts.rotations[at] *= Quat::from_rotation_x(1.0);
/// let mended = repair(&parts.build()?).unwrap();
/// assert_eq!((mended.spikes[0].joint, mended.spikes[0].frames.clone()), (knee, 100..101));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repair(clip: &Clip) -> Option<Repaired> {
    let mut out: Option<Repaired> = None;
    for _ in 0..MOST_PASSES {
        let now = out.as_ref().map_or(clip, |r| &r.clip);
        let Some(mut next) = pass(now) else { break };
        if let Some(before) = out.take() {
            next.spikes.extend(before.spikes);
        }
        out = Some(next);
    }
    if let Some(out) = &mut out {
        out.spikes
            .sort_by_key(|s| (s.frames.start, s.joint.index(), s.motion));
    }
    out
}

/// A hole in one channel.
#[derive(Clone, Debug)]
struct Found {
    channel: usize,
    frames: Range<usize>,
    origin: usize,
    size: f64,
    /// Over what is needed, to choose between holes that overlap.
    clear: f64,
    /// Beyond any body by itself.
    certain: bool,
    values: Vec<DVec3>,
}

/// What one look finds and what the clip is then.
fn pass(clip: &Clip) -> Option<Repaired> {
    let all = channels(clip);
    let shapes = Shapes::new(clip.rate_hz());
    let mut found = Vec::new();
    let mut departures = Vec::new();
    for (index, channel) in all.iter().enumerate() {
        let look = Look {
            clip,
            channel,
            index,
        };
        channel.departures(clip, &mut departures);
        let mut own = look.within(&shapes, &departures);
        own.extend(look.at_ends(&shapes));
        let most = (NOISE_PER_S * clip.seconds()).max(3.0);
        if (own.len() as f64) <= most {
            found.extend(own);
        }
    }
    let mut parts = None;
    let mut spikes = Vec::new();
    let mut clear_from = 0;
    for frames in certain_holes(&found, clip.rate_hz()) {
        // What lies beside a hole that was just filled is looked at in the next pass.
        if frames.start < clear_from {
            continue;
        }
        let group = gather(clip, &all, &shapes, &found, &frames);
        if !calms(clip, &all, &group, &frames) {
            continue;
        }
        clear_from = frames.end + AROUND;
        let parts = parts.get_or_insert_with(|| clip.clone().into_parts());
        fill(parts, &all, &group, 0);
        spikes.extend(group.iter().map(|g| Spike {
            joint: all[g.channel].joint,
            motion: all[g.channel].motion,
            frames: g.frames.clone(),
            size: g.size,
        }));
    }
    let clip = parts?.build().ok()?;
    Some(Repaired { clip, spikes })
}

/// Holes of every length that is looked for.
struct Shapes {
    within: Vec<Hole>,
    start: Vec<Hole>,
    end: Vec<Hole>,
}

impl Shapes {
    fn new(rate_hz: f64) -> Self {
        let longest = ((LONGEST_S * rate_hz) as usize).clamp(1, LONGEST);
        Self {
            within: (1..=longest).map(Hole::within).collect(),
            start: (1..=LONGEST_END).map(Hole::at_start).collect(),
            end: (1..=LONGEST_END).map(Hole::at_end).collect(),
        }
    }
}

/// One channel of a clip.
struct Look<'a> {
    clip: &'a Clip,
    channel: &'a Channel,
    index: usize,
}

/// How far off, how sure.
struct Bar {
    rough: f64,
    back: f64,
    least: f64,
}

impl Look<'_> {
    fn is_turn(&self) -> bool {
        self.channel.motion == Motion::Turn
    }

    fn least(&self) -> f64 {
        if self.is_turn() {
            LEAST_TURN
        } else {
            LEAST_PLACE
        }
    }

    /// Spikes between the ends, none overlapping another.
    fn within(&self, shapes: &Shapes, departures: &[f64]) -> Vec<Found> {
        let usual = usual(departures);
        let least = self.least().max(20.0 * usual.0).max(4.0 * usual.1);
        let mut out: Vec<Found> = Vec::new();
        for start in 0..departures.len() {
            // A spike of size d departs by about d from the cubic through its neighbours, two frames by half of it.
            if departures[start] < 0.4 * least {
                continue;
            }
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
    fn hole(&self, hole: &Hole, start: usize, bar: &Bar) -> Option<Found> {
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
        passes.then(|| Found {
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
    fn at_ends(&self, shapes: &Shapes) -> Vec<Found> {
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
    ) -> Option<Found> {
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
        Some(Found {
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

/// Frames in which something is beyond any body, in order; holes that overlap are one.
fn certain_holes(found: &[Found], rate_hz: f64) -> Vec<Range<usize>> {
    let mut sure: Vec<Range<usize>> = Vec::new();
    for one in found {
        let same = |o: &&Found| o.frames == one.frames;
        let at_once = found.iter().filter(same).count() >= AT_ONCE && rate_hz >= AT_ONCE_HZ;
        if one.certain || at_once {
            sure.push(one.frames.clone());
        }
    }
    sure.sort_by_key(|r| (r.start, r.end));
    let mut out: Vec<Range<usize>> = Vec::new();
    for next in sure {
        match out.last_mut().filter(|l| l.end > next.start) {
            Some(last) => last.end = last.end.max(next.end),
            None => out.push(next),
        }
    }
    out
}

/// Everything that is off in certain frames, with a lower bar for what goes along.
fn gather(
    clip: &Clip,
    all: &[Channel],
    shapes: &Shapes,
    found: &[Found],
    frames: &Range<usize>,
) -> Vec<Found> {
    let inside = |r: &Range<usize>| r.start >= frames.start && r.end <= frames.end;
    let mut out: Vec<Found> = Vec::new();
    for (index, channel) in all.iter().enumerate() {
        let own = found
            .iter()
            .find(|f| f.channel == index && inside(&f.frames));
        if let Some(own) = own {
            out.push(own.clone());
            continue;
        }
        let look = Look {
            clip,
            channel,
            index,
        };
        let bar = Bar {
            rough: 0.2,
            back: 0.5,
            least: 0.5 * look.least(),
        };
        let holes = shapes.within.iter().flat_map(|hole| {
            let starts = frames.start..(frames.end + 1).saturating_sub(hole.len());
            starts.map(move |s| (hole, s))
        });
        let passing = holes.filter_map(|(hole, start)| look.hole(hole, start, &bar));
        out.extend(passing.max_by(|a, b| a.clear.total_cmp(&b.clear)));
    }
    out
}

/// Puts into holes what belongs there; `first`: the frame of the clip that is the parts' first.
fn fill(parts: &mut ClipParts, all: &[Channel], group: &[Found], first: usize) {
    for one in group {
        for (frame, value) in one.frames.clone().zip(&one.values) {
            let channel = &all[one.channel];
            channel.put(parts, one.origin - first, frame - first, *value);
        }
    }
}

/// Whether filling these holes takes at least half of the squared accelerations away.
fn calms(clip: &Clip, all: &[Channel], group: &[Found], hole: &Range<usize>) -> bool {
    let first = hole.start.saturating_sub(2);
    let end = (hole.end + 2).min(clip.frame_count());
    let before = edit::cut(clip, first..end);
    let mut parts = before.clone().into_parts();
    fill(&mut parts, all, group, first);
    // What lies between finite frames is finite, or else close to overflow and nothing to touch.
    let after = parts.build();
    after.is_ok_and(|after| restlessness(&after) <= 0.5 * restlessness(&before))
}

/// The sum of squared second differences of all points.
fn restlessness(clip: &Clip) -> f64 {
    let world = fk::world_points(clip);
    let mut sum = 0.0;
    for f in 1..world.frame_count().saturating_sub(1) {
        let (a, b, c) = (world.frame(f - 1), world.frame(f), world.frame(f + 1));
        let bends = a.iter().zip(b).zip(c);
        sum += bends
            .map(|((a, b), c)| ((*a - *b) + (*c - *b)).length_squared())
            .sum::<f64>();
    }
    sum
}
