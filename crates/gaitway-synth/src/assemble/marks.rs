//! Labels and contacts along a walk, in one alphabet for all its clips.
//!
//! Clips may know different contact points (or the same in another order). The walk's list is the union in order of
//! appearance, and each clip's bits are carried over to it. Where one clip of a walk has no contacts at all the walk
//! has none: "nothing stands" would be a lie.

use std::collections::BTreeMap;

use gaitway_core::{ContactPoint, ContactTrack};
use gaitway_graph::{ClipId, Frames, LabelId, LabelSet, MotionGraph};

use super::sample::{nearest, within};
use super::timeline::{Span, Track};

/// What is known beside the poses of the clips of a walk.
pub(crate) struct Marks {
    clips: Vec<Option<ClipMarks>>,
    pub points: Option<Vec<ContactPoint>>,
}

struct ClipMarks {
    /// One past the last source frame of each run, and its labels.
    runs: Vec<(usize, LabelSet)>,
    /// The walk's bit for each of the clip's; `None` where they are the same.
    bits: Option<Vec<u32>>,
}

impl Marks {
    pub fn new(graph: &MotionGraph, spans: &[Span]) -> Self {
        let mut clips: Vec<Option<ClipMarks>> = (0..graph.clip_count()).map(|_| None).collect();
        let mut points = Some(Vec::new());
        let tracks = spans.iter().flat_map(|s| [Some(s.from), s.to]).flatten();
        for track in tracks {
            let slot = &mut clips[track.clip.index()];
            if slot.is_none() {
                *slot = Some(ClipMarks {
                    runs: label_runs(graph, track.clip),
                    bits: gather_points(graph.contact_points(track.clip), &mut points),
                });
            }
        }
        Self { clips, points }
    }

    /// Labels of a clip's frame under way.
    pub fn labels(&self, graph: &MotionGraph, track: &Track, offset: f64) -> LabelSet {
        let count = graph.clip_info(track.clip).frame_count();
        let frame = within(track.frame_at(offset), count);
        let Some(marks) = &self.clips[track.clip.index()] else {
            return LabelSet::EMPTY;
        };
        let at = marks.runs.partition_point(|r| r.0 <= frame);
        marks.runs.get(at).map_or(LabelSet::EMPTY, |r| r.1)
    }

    /// Contacts of a clip's frame under way, in the walk's bits.
    pub fn contacts(&self, frames: &Frames<'_>, track: &Track, offset: f64) -> u32 {
        if self.points.is_none() {
            return 0;
        }
        let masks = frames.contacts(track.clip);
        if masks.is_empty() {
            return 0;
        }
        let mask = masks[nearest(track.frame_at(offset), masks.len())];
        match self.clips[track.clip.index()].as_ref().map(|m| &m.bits) {
            Some(Some(bits)) => {
                let set = bits.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1);
                set.fold(0, |out, (_, bit)| out | bit)
            }
            _ => mask,
        }
    }
}

/// Adds a clip's points to the walk's; the walk's bit for each, or `None` where nothing needs carrying over.
fn gather_points(
    known: Option<&[ContactPoint]>,
    points: &mut Option<Vec<ContactPoint>>,
) -> Option<Vec<u32>> {
    let Some((known, all)) = known.zip(points.as_mut()) else {
        *points = None;
        return None;
    };
    let mut bits = Vec::with_capacity(known.len());
    for point in known {
        let at = all.iter().position(|p| p == point).unwrap_or_else(|| {
            all.push(point.clone());
            all.len() - 1
        });
        // Points beyond what a track can hold are dropped, as ContactTrack does.
        let fits = at < ContactTrack::MAX_POINTS;
        bits.push(if fits { 1 << at } else { 0 });
    }
    let same = bits.iter().enumerate().all(|(k, &b)| b == 1 << k);
    (!same).then_some(bits)
}

/// Labels of a clip in source frames as runs that cover it.
fn label_runs(graph: &MotionGraph, clip: ClipId) -> Vec<(usize, LabelSet)> {
    let info = graph.clip_info(clip);
    let count = info.frame_count();
    // Labels that begin (+1) or end (−1) at a frame.
    let mut changes: BTreeMap<usize, Vec<(LabelId, i32)>> = BTreeMap::new();
    for span in info.labels().spans() {
        if let Some(label) = graph.labels().find(&span.label) {
            let (start, end) = (span.start.min(count), span.end.min(count));
            changes.entry(start).or_default().push((label, 1));
            changes.entry(end).or_default().push((label, -1));
        }
    }
    changes.entry(count).or_default();
    let mut depth = vec![0_i32; graph.labels().len()];
    let mut runs = Vec::new();
    let mut start = 0;
    for (frame, list) in changes {
        if frame > start {
            let set = (0..depth.len()).filter(|&l| depth[l] > 0);
            let set = set.fold(LabelSet::EMPTY, |s, l| {
                s.union(LabelSet::of(LabelId(l as u32)))
            });
            let bare = LabelSet::of(LabelId::UNLABELLED);
            runs.push((frame, if set.is_empty() { bare } else { set }));
            start = frame;
        }
        list.iter().for_each(|&(l, d)| depth[l.index()] += d);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::PointIdx;

    fn point(name: &str, index: u32) -> ContactPoint {
        ContactPoint {
            name: name.into(),
            point: PointIdx(index),
        }
    }

    #[test]
    fn contact_points_are_joined_by_what_they_are() {
        let (heel, toe, hand) = (point("heel", 1), point("toe", 2), point("hand", 3));
        let mut all = Some(Vec::new());
        assert_eq!(
            gather_points(Some(&[heel.clone(), toe.clone()]), &mut all),
            None
        );
        let bits = gather_points(Some(&[toe, hand, heel]), &mut all);
        assert_eq!(bits, Some(vec![2, 4, 1]));
        assert_eq!(all.as_ref().map(Vec::len), Some(3));
        gather_points(None, &mut all);
        assert_eq!(all, None);
    }
}
