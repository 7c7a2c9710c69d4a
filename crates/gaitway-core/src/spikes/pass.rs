//! One look at a whole clip: what is certain goes, with what goes along.

use std::ops::Range;

use super::channel::{Channel, channels};
use super::fit::AROUND;
use super::look::{Bar, Look, Shapes, Suspect};
use super::{Repaired, Spike};
use crate::clip::ClipParts;
use crate::{Clip, edit, fk};

/// Joints that leap at once, and the rate from which on no jolt of a body is a frame long.
const AT_ONCE: usize = 3;
const AT_ONCE_HZ: f64 = 50.0;
/// Spikes of one joint per second that are no accident any more.
const NOISE_PER_S: f64 = 1.0;

/// What one look finds and what the clip is then.
pub(super) fn pass(clip: &Clip) -> Option<Repaired> {
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
        if !calms(clip, &all, &group, &frames, 0.5) {
            continue;
        }
        clear_from = frames.end + AROUND;
        let parts = parts.get_or_insert_with(|| clip.clone().into_parts());
        fill(parts, &all, &group, 0);
        spikes.extend(group.iter().map(|g| Spike {
            joint: all[g.channel].joint,
            kind: all[g.channel].kind,
            frames: g.frames.clone(),
            size: g.size,
        }));
    }
    let clip = parts?.build().ok()?;
    Some(Repaired { clip, spikes })
}

/// Frames in which something is beyond any body, in order; holes that overlap are one.
fn certain_holes(found: &[Suspect], rate_hz: f64) -> Vec<Range<usize>> {
    let mut sure: Vec<Range<usize>> = Vec::new();
    for one in found {
        let same = |o: &&Suspect| o.frames == one.frames;
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
    found: &[Suspect],
    frames: &Range<usize>,
) -> Vec<Suspect> {
    let inside = |r: &Range<usize>| r.start >= frames.start && r.end <= frames.end;
    let mut out: Vec<Suspect> = Vec::new();
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
pub(super) fn fill(parts: &mut ClipParts, all: &[Channel], group: &[Suspect], first: usize) {
    for one in group {
        for (frame, value) in one.frames.clone().zip(&one.values) {
            let channel = &all[one.channel];
            channel.put(parts, one.origin - first, frame - first, *value);
        }
    }
}

/// Whether filling these holes leaves at most a share of the squared accelerations.
pub(super) fn calms(
    clip: &Clip,
    all: &[Channel],
    group: &[Suspect],
    hole: &Range<usize>,
    share: f64,
) -> bool {
    let first = hole.start.saturating_sub(2);
    let end = (hole.end + 2).min(clip.frame_count());
    let before = edit::cut(clip, first..end);
    let mut parts = before.clone().into_parts();
    fill(&mut parts, all, group, first);
    // What lies between finite frames is finite, or else close to overflow and nothing to touch; so are squares that overflow,
    // of which none is less than another.
    let unrest = restlessness(&before);
    let after = parts.build();
    unrest.is_finite() && after.is_ok_and(|after| restlessness(&after) <= share * unrest)
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
