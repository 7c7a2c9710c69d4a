//! Stretches that capture lost: a joint that stands still to the bit and then leaps, a root that lies at the origin.
//!
//! Solvers that lose a limb repeat its last turn (or the rest pose) until they find it again. A *lapse* of a turn or of the root's
//! place is
//!
//! - six frames or more, and a twentieth of a second, in which it does not change at all: no captured joint does that,
//! - with a leap at either end: 10° (5 cm) or more and faster than 1000°/s (6 m/s) in one frame, three times as far as each of the two frames beyond it goes.
//!
//! A root that is at the exact origin, and over 30 cm away in the frame beside, is lost as well, for however few frames.
//!
//! What is short is filled: within a clip up to a fifth of a second, by the cubic through both neighbours with their speeds; at a
//! clip's ends up to a tenth, by the neighbour, whose speed dies away. As with spikes, what is filled must calm the body. What is longer nobody can
//! know; it is left, and builders of graphs let no transition touch it.
//!
//! Joints that stand still in the very frames of a lapse and leap less (1°, 5 mm) are lost with it.
//!
//! A joint that does this more than once a second is keyed in steps, or noisy, and is left alone.

use std::ops::Range;

use glam::DVec3;

use super::channel::{Channel, channels};
use super::look::Suspect;
use super::pass::{calms, fill};
use super::{Spike, SpikeKind};
use crate::{Clip, JointIdx};

/// Fewer frames, or seconds, may be a joint at its stop.
const FEWEST: usize = 6;
const SHORTEST_S: f64 = 0.05;
/// The least leap: 10° and 5 cm, and how fast: rad/s and m/s.
const LEAST_TURN: f64 = 0.175;
const LEAST_PLACE: f64 = 0.05;
const FAST_TURN: f64 = 17.5;
const FAST_PLACE: f64 = 6.0;
/// What lies beyond a leap goes on in steps of at most this share of it.
const BEYOND: f64 = 1.0 / 3.0;
/// What is lost with it may leap less far: this share of the least leap.
const ALONG: f64 = 0.1;
/// Does not change: rad and m, well below what files write.
const STILL: f64 = 1e-6;
/// From this far off, in metres, the exact origin is no place a body passes through.
const FAR_M: f64 = 0.3;
/// The longest that is filled, in seconds: within a clip, and at its ends.
const FILLED_S: f64 = 0.2;
const FILLED_END_S: f64 = 0.1;
/// What is left of a speed a frame farther from where it was measured.
const FADES: f64 = 0.7;
/// Lapses of one joint per second that are no accident any more.
const OFTEN_PER_S: f64 = 1.0;

/// A stretch that capture lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Lapse {
    /// Which joint, where, and how far it leaps.
    pub at: Spike,
    /// Whether it can be, and in what was made of the clip has been, filled.
    pub filled: bool,
}

/// A clip with the lapses filled that could be.
#[derive(Clone, Debug, PartialEq)]
pub struct Bridged {
    /// The clip.
    pub clip: Clip,
    /// What was found, by frame, then joint.
    pub lapses: Vec<Lapse>,
}

/// Frames in which the root lies at the exact origin although it is far from it right before or after.
pub fn dropouts(clip: &Clip) -> Vec<Range<usize>> {
    let root = clip.root();
    let lost = |f: usize| root[f].length() < 1e-9;
    let far = |f: usize| root[f].length() > FAR_M;
    let mut out = Vec::new();
    let mut frame = 0;
    while frame < root.len() {
        let start = frame;
        while frame < root.len() && lost(frame) {
            frame += 1;
        }
        let beside = [
            start.checked_sub(1),
            Some(frame).filter(|&f| f < root.len()),
        ];
        let mut beside = beside.into_iter().flatten().peekable();
        if frame > start && beside.peek().is_some() && beside.all(far) {
            out.push(start..frame);
        }
        frame = frame.max(start + 1);
    }
    out
}

/// All lapses of a clip, by frame, then joint. The size is that of the larger leap.
///
/// ```
/// use gaitway_core::spikes::lapses;
/// use gaitway_core::testing::swinging_clip;
///
/// let clip = swinging_clip("swing", 300, 120.0);
/// assert!(lapses(&clip).is_empty());
/// let mut parts = clip.clone().into_parts();
/// let arm = clip.skeleton().find("LeftArm").unwrap();
/// let joints = clip.joint_count();
/// for frame in 100..160 {
///     parts.rotations[frame * joints + arm.index()] = glam::Quat::from_rotation_z(1.2);
/// }
/// let found = lapses(&parts.build()?);
/// assert_eq!((found[0].joint, found[0].frames.clone()), (arm, 100..160));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lapses(clip: &Clip) -> Vec<Spike> {
    let lost = dropouts(clip).into_iter().map(|frames| {
        let beside = [frames.start.wrapping_sub(1), frames.end];
        let away = beside.iter().filter_map(|&f| clip.root().get(f));
        Spike {
            joint: JointIdx::ROOT,
            kind: SpikeKind::Position,
            size: away.map(|p| p.length()).fold(0.0, f64::max),
            frames,
        }
    });
    let mut out = standing_still(clip);
    out.extend(lost);
    out.sort_by_key(|s| (s.frames.start, s.joint.index(), s.kind));
    out
}

/// Lapses of all joints but for a root at the origin, by frame, then joint.
fn standing_still(clip: &Clip) -> Vec<Spike> {
    let at_origin = dropouts(clip);
    let often = (OFTEN_PER_S * clip.seconds()).max(3.0);
    let mut out = Vec::new();
    for channel in channels(clip) {
        let mut own = frozen(clip, &channel);
        own.retain(|s| s.kind == SpikeKind::Rotation || !at_origin.contains(&s.frames));
        if own.len() as f64 <= often {
            out.extend(own);
        }
    }
    out.sort_by_key(|s: &Spike| (s.frames.start, s.joint.index(), s.kind));
    out
}

fn frozen(clip: &Clip, channel: &Channel) -> Vec<Spike> {
    let (frames, rate) = (clip.frame_count(), clip.rate_hz());
    let (least, fast) = match channel.kind {
        SpikeKind::Rotation => (LEAST_TURN, FAST_TURN),
        SpikeKind::Position => (LEAST_PLACE, FAST_PLACE),
    };
    let least = least.max(fast / rate);
    let fewest = FEWEST.max((SHORTEST_S * rate).ceil() as usize);
    let step = |f: usize| channel.from(clip, f - 1, f).length();
    // A leap into a frame, and steps from there on.
    let leap = |into: usize, beyond: [usize; 2]| {
        let size = step(into);
        let calm = |f: &usize| *f == 0 || *f >= frames || step(*f) <= BEYOND * size;
        (size >= least && beyond.iter().all(calm)).then_some(size)
    };
    let mut out = Vec::new();
    let mut start = 0;
    for f in 1..=frames {
        if f < frames && step(f) < STILL {
            continue;
        }
        let run = start..f;
        start = f;
        if run.len() < fewest || run.len() == frames {
            continue;
        }
        let before = (run.start > 0).then(|| {
            let s = run.start;
            leap(s, [s - 1, s.saturating_sub(2)])
        });
        let after = (f < frames).then(|| leap(f, [f + 1, f + 2]));
        let size = before.flatten().into_iter().chain(after.flatten());
        let size = size.fold(0.0, f64::max);
        if size > 0.0 {
            out.push(Spike {
                joint: channel.joint,
                kind: channel.kind,
                frames: run,
                size,
            });
        }
    }
    out
}

/// Fills the lapses of joints that are short enough; `None` where there is none at all. A root at the origin is the door's to fill.
pub fn bridge(clip: &Clip) -> Option<Bridged> {
    let mut open = standing_still(clip);
    if open.is_empty() {
        return None;
    }
    let all = channels(clip);
    let mut parts = clip.clone().into_parts();
    let mut out: Vec<Lapse> = Vec::new();
    // Joints that are lost together are found together, and filled so.
    while let Some(first) = open.first() {
        let frames = first.frames.clone();
        let mut group: Vec<Spike> = open.extract_if(.., |s| s.frames == frames).collect();
        along(clip, &all, &mut group, &frames);
        let suspects = group.iter().map(|s| suspect(clip, &all, s));
        let suspects: Option<Vec<Suspect>> = suspects.collect();
        let suspects = suspects.filter(|s| calms(clip, &all, s, &frames, 0.9));
        let filled = suspects.is_some();
        fill(&mut parts, &all, &suspects.unwrap_or_default(), 0);
        out.extend(group.into_iter().map(|at| Lapse { at, filled }));
    }
    let clip = parts.build().ok()?;
    Some(Bridged { clip, lapses: out })
}

/// Adds what stands still in the same frames and then makes a lesser leap: a trunk that waited with its arms must not leap alone.
fn along(clip: &Clip, all: &[Channel], group: &mut Vec<Spike>, frames: &Range<usize>) {
    for channel in all {
        let named = |s: &Spike| (s.joint, s.kind) == (channel.joint, channel.kind);
        let step = |f: usize| channel.from(clip, f - 1, f).length();
        if group.iter().any(named) || (frames.start + 1..frames.end).any(|f| step(f) >= STILL) {
            continue;
        }
        let least = match channel.kind {
            SpikeKind::Rotation => LEAST_TURN,
            SpikeKind::Position => LEAST_PLACE,
        };
        let ends = [frames.start, frames.end];
        let ends = ends
            .into_iter()
            .filter(|&f| f > 0 && f < clip.frame_count());
        let size = ends.map(step).fold(0.0, f64::max);
        if size > ALONG * least {
            group.push(Spike {
                joint: channel.joint,
                kind: channel.kind,
                frames: frames.clone(),
                size,
            });
        }
    }
    group.sort_by_key(|s| (s.joint.index(), s.kind));
}

/// What belongs into a lapse, where it is short enough to say.
fn suspect(clip: &Clip, all: &[Channel], lapse: &Spike) -> Option<Suspect> {
    let index = all
        .iter()
        .position(|c| (c.joint, c.kind) == (lapse.joint, lapse.kind))?;
    let channel = &all[index];
    let Range { start, end } = lapse.frames;
    let (frames, long) = (clip.frame_count(), lapse.frames.len());
    let seconds = long as f64 / clip.rate_hz();
    let inside = start > 0 && end < frames;
    let longest = if inside { FILLED_S } else { FILLED_END_S };
    if seconds > longest + 1e-9 {
        return None;
    }
    let origin = if start > 0 { start - 1 } else { end };
    let at = |f: usize| channel.from(clip, origin, f);
    let values: Vec<DVec3> = if inside {
        let speed = |a: usize, b: usize| at(b) - at(a);
        let before = match start {
            1 => DVec3::ZERO,
            _ => speed(start - 2, start - 1),
        };
        let after = match end + 1 < frames {
            true => speed(end, end + 1),
            false => DVec3::ZERO,
        };
        let n = (long + 1) as f64;
        let (p, q, u, v) = (at(start - 1), at(end), before * n, after * n);
        (1..=long)
            .map(|k| {
                let t = k as f64 / n;
                let (t2, t3) = (t * t, t * t * t);
                p * (2.0 * t3 - 3.0 * t2 + 1.0)
                    + u * (t3 - 2.0 * t2 + t)
                    + q * (3.0 * t2 - 2.0 * t3)
                    + v * (t3 - t2)
            })
            .collect()
    } else {
        // Away from the neighbour, which is the origin, ever more slowly.
        let outward = if start > 0 {
            start.checked_sub(2)
        } else {
            Some(end + 1).filter(|&f| f < frames)
        };
        let speed = outward.map_or(DVec3::ZERO, |f| -at(f));
        let way = |k: usize| {
            let steps = FADES * (1.0 - FADES.powi(k as i32)) / (1.0 - FADES);
            speed * steps
        };
        match start > 0 {
            true => (1..=long).map(way).collect(),
            false => (1..=long).rev().map(way).collect(),
        }
    };
    Some(Suspect {
        channel: index,
        frames: lapse.frames.clone(),
        origin,
        size: lapse.size,
        clear: f64::INFINITY,
        certain: true,
        values,
    })
}
