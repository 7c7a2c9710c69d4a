//! Clips cut where contacts change, and which of the segments can be interpolated with which.
//!
//! A *segment* is a stretch of working frames in which the same limbs stand. Feet that stand are seen a little late and left a little
//! early, so every contact is taken to last [`EnrichOptions::widen_s`] longer at both ends; a walk would else read left, none, right.
//! Two segments go together where the same limbs stand in both, before both and after both (so that a step of the left foot is
//! never mixed with one of the right), and the one lasts at most [`EnrichOptions::stretch`] times as long as the other.
//! Neighbours that go together are chained: one interpolation plays through all of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use gaitway_core::PoseSource;

use super::EnrichOptions;
use crate::{ClipId, GraphError, MotionGraph};

/// Working frames of a clip in which the same limbs stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub frames: Range<u32>,
    /// A bit per limb that stands.
    pub state: u32,
}

/// A clip that can be interpolated, and its segments in order.
pub(super) struct Cut {
    pub clip: ClipId,
    pub source: Arc<dyn PoseSource>,
    pub segments: Vec<Segment>,
}

/// Clips whose contacts are known, cut where they change. Interpolated clips are left out: they are made from the others.
pub(super) fn cut(graph: &MotionGraph, options: &EnrichOptions) -> Result<Vec<Cut>, GraphError> {
    let widen = (options.widen_s * graph.options.fps).round() as usize;
    let mut limbs: BTreeMap<String, u32> = BTreeMap::new();
    let mut out = Vec::new();
    for clip in graph.clip_ids() {
        let info = graph.clip_info(clip);
        if info.is_interpolated() {
            continue;
        }
        let source = graph.source(clip)?;
        let Some(points) = source.contact_points() else {
            continue;
        };
        let bits: Vec<u32> = points
            .iter()
            .map(|p| {
                let next = limbs.len() as u32;
                *limbs.entry(limb(&p.name).to_owned()).or_insert(next)
            })
            .collect();
        let state = |f: u32| {
            let mask = source.contact_mask(info.source_frame(f));
            let stands = bits.iter().enumerate().filter(|(p, _)| mask >> p & 1 == 1);
            stands.fold(0_u32, |s, (_, &b)| s | 1_u32.checked_shl(b).unwrap_or(0))
        };
        let states: Vec<u32> = (0..info.working_frames()).map(state).collect();
        let segments = segments(&widened(&states, widen));
        out.push(Cut {
            clip,
            source,
            segments,
        });
    }
    Ok(out)
}

/// Heel and toe of a foot are one limb.
fn limb(point: &str) -> &str {
    ["_heel", "_toe"]
        .iter()
        .find_map(|end| point.strip_suffix(end))
        .unwrap_or(point)
}

/// What stands in any of the frames within `by` of each.
fn widened(states: &[u32], by: usize) -> Vec<u32> {
    let near = |f: usize| &states[f.saturating_sub(by)..(f + by + 1).min(states.len())];
    let any = |f: usize| near(f).iter().fold(0, |all, s| all | s);
    (0..states.len()).map(any).collect()
}

fn segments(states: &[u32]) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::new();
    for (f, &state) in states.iter().enumerate() {
        let f = f as u32;
        match out.last_mut() {
            Some(last) if last.state == state => last.frames.end = f + 1,
            _ => out.push(Segment {
                frames: f..f + 1,
                state,
            }),
        }
    }
    out
}

/// Segments of two clips that go together one after another: `count` of them, from these on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    /// Among the cut clips.
    pub clips: [usize; 2],
    pub first: [usize; 2],
    pub count: usize,
}

impl Chain {
    /// Working boundaries at which its segments begin, and the last one's end.
    pub fn borders(&self, cuts: &[Cut]) -> Vec<[u32; 2]> {
        let of = |side: usize, k: usize| &cuts[self.clips[side]].segments[self.first[side] + k];
        let starts = (0..self.count).map(|k| [0, 1].map(|s| of(s, k).frames.start));
        let end = [0, 1].map(|s| of(s, self.count - 1).frames.end);
        starts.chain([end]).collect()
    }
}

/// Pairs of segments that go together, and the chains they make.
pub(super) struct Matched {
    pub pairs: usize,
    pub chains: Vec<Chain>,
}

/// All chains, by clips and places.
pub(super) fn chains(
    cuts: &[Cut],
    options: &EnrichOptions,
    may_meet: impl Fn(ClipId, ClipId) -> bool,
    may_switch: impl Fn((ClipId, u32), (ClipId, u32)) -> bool,
) -> Matched {
    let (mut pairs, mut chains) = (0, Vec::new());
    for a in 0..cuts.len() {
        for b in a..cuts.len() {
            if cuts[a].source.contact_points() != cuts[b].source.contact_points()
                || !may_meet(cuts[a].clip, cuts[b].clip)
            {
                continue;
            }
            let (rows, columns) = (&cuts[a].segments, &cuts[b].segments);
            // Along diagonals; a clip with itself only above the middle one.
            let least = if a == b { 1 } else { 1 - rows.len() as isize };
            for diagonal in least..columns.len() as isize {
                let start = (-diagonal).max(0) as usize;
                let mut run = 0;
                let end = rows.len().min((columns.len() as isize - diagonal) as usize);
                for s in start..=end {
                    let t = (s as isize + diagonal) as usize;
                    let middle = |c: &Cut, k: usize| {
                        let frames = &c.segments[k].frames;
                        (c.clip, (frames.start + frames.end) / 2)
                    };
                    if s < end
                        && go_together(rows, s, columns, t, options)
                        && may_switch(middle(&cuts[a], s), middle(&cuts[b], t))
                    {
                        run += 1;
                        pairs += 1;
                    } else if run > 0 {
                        chains.push(Chain {
                            clips: [a, b],
                            first: [s - run, t - run],
                            count: run,
                        });
                        run = 0;
                    }
                }
            }
        }
    }
    Matched { pairs, chains }
}

fn go_together(a: &[Segment], s: usize, b: &[Segment], t: usize, options: &EnrichOptions) -> bool {
    let (p, q) = (&a[s], &b[t]);
    let lengths = [p, q].map(|x| x.frames.len() as f64);
    let state = |list: &[Segment], at: Option<usize>| Some(list.get(at?)?.state);
    // What is before the first segment of a clip or after its last is not known.
    let alike = |x: Option<u32>, y: Option<u32>| x.zip(y).is_none_or(|(x, y)| x == y);
    p.state == q.state
        && lengths[0] <= lengths[1] * options.stretch
        && lengths[1] <= lengths[0] * options.stretch
        && (!options.neighbours
            || alike(state(a, s.checked_sub(1)), state(b, t.checked_sub(1)))
                && alike(state(a, Some(s + 1)), state(b, Some(t + 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_is_cut_where_feet_change() {
        // Left, both, right, none.
        let states = [1, 1, 1, 1, 1, 3, 3, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0];
        let cut = segments(&widened(&states, 1));
        let told: Vec<(u32, u32)> = cut
            .iter()
            .map(|s| (s.state, s.frames.len() as u32))
            .collect();
        assert_eq!(told, [(1, 4), (3, 4), (2, 5), (0, 6)]);
        assert_eq!(
            [limb("left_heel"), limb("left_toe"), limb("hips")],
            ["left", "left", "hips"]
        );
    }

    #[test]
    fn only_what_has_the_same_neighbours_goes_together() {
        let list = |states: &[(u32, u32)]| {
            let mut at = 0;
            let segment = |&(state, length): &(u32, u32)| {
                at += length;
                Segment {
                    frames: at - length..at,
                    state,
                }
            };
            states.iter().map(segment).collect::<Vec<_>>()
        };
        let options = EnrichOptions::default();
        let a = list(&[(1, 10), (3, 4), (2, 10), (3, 4), (1, 10)]);
        // Both feet stand in the second segment of either, but a goes from left to right, b from right to left.
        let b = list(&[(2, 10), (3, 4), (1, 10)]);
        assert!(!go_together(&a, 1, &b, 1, &options));
        assert!(go_together(&a, 3, &b, 1, &options));
        assert!(go_together(&a, 4, &b, 2, &options));
        let loose = EnrichOptions {
            neighbours: false,
            ..options.clone()
        };
        assert!(go_together(&a, 1, &b, 1, &loose));
        // One lasts more than twice as long.
        let slow = list(&[(2, 10), (3, 9), (1, 10)]);
        assert!(!go_together(&a, 3, &slow, 1, &options));
    }
}
