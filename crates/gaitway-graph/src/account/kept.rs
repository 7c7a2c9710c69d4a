//! Which frames of clips are kept: those that some kept edge plays, as recorded or under a cut's displacement.

use crate::build::draft::Draft;
use crate::build::select::Material;
use crate::{LabelId, MotionGraph};

/// Kept source frames per clip: those that some kept edge plays, as recorded or under a displacement, each once.
pub(crate) fn kept_frames(material: &Material<'_>, draft: &Draft) -> Vec<usize> {
    let kept = stretches(draft, |e| draft.pruned.keep[e]);
    let frames = |(clip, stretches): (usize, Vec<(u32, u32)>)| {
        let info = &material.clips[clip];
        let one = |(a, b): (u32, u32)| info.source_boundary(b) - info.source_boundary(a);
        stretches.into_iter().map(one).sum()
    };
    kept.into_iter()
        .enumerate()
        .map(frames)
        .take(material.clips.len())
        .collect()
}

/// Per clip, the stretches of boundaries that some edges play, joined and in order.
pub(crate) fn stretches(draft: &Draft, wanted: impl Fn(usize) -> bool) -> Vec<Vec<(u32, u32)>> {
    let clips = draft.raw.nodes.last().map_or(0, |n| n[0] as usize + 1);
    let mut out: Vec<Vec<(u32, u32)>> = vec![Vec::new(); clips];
    for e in (0..draft.raw.edge_count()).filter(|&e| wanted(e)) {
        if let Some((clip, start, end)) = draft.raw.clip_frames(e) {
            out[clip.index()].push((start, end));
        }
    }
    for list in &mut out {
        list.sort_unstable();
        list.dedup_by(|next, kept| {
            let joined = next.0 <= kept.1;
            if joined {
                kept.1 = kept.1.max(next.1);
            }
            joined
        });
    }
    out
}

/// Seconds of clip frames that edges of a label's component play, those under cuts too, each once.
pub(super) fn component_seconds(graph: &MotionGraph, draft: &Draft, label: LabelId) -> f64 {
    let inside = |e: usize| {
        let [from, to] = draft.raw.ends[e].map(|n| draft.pruned.member[n as usize]);
        draft.raw.labels[e].contains(label) && (from & to) >> label.0 & 1 == 1
    };
    seconds_of(graph, draft, label, inside)
}

/// Seconds of clip frames of a label that kept edges play, each once, in whatever component.
pub(super) fn label_seconds(graph: &MotionGraph, draft: &Draft, label: LabelId) -> f64 {
    let kept = |e: usize| draft.pruned.keep[e] && draft.raw.labels[e].contains(label);
    seconds_of(graph, draft, label, kept)
}

/// Of the frames that some edges play, those that carry a label themselves: a transition carries the labels of both its
/// clips, and a cut plays frames of the one it enters.
fn seconds_of(
    graph: &MotionGraph,
    draft: &Draft,
    label: LabelId,
    wanted: impl Fn(usize) -> bool,
) -> f64 {
    let of = |(clip, list): (usize, &Vec<(u32, u32)>)| {
        let info = &graph.library.clips[clip];
        let labelled = info.runs.iter().filter(|r| r.labels.contains(label));
        let both = labelled.flat_map(|r| {
            list.iter()
                .map(|&(a, b)| (a.max(r.start), b.min(r.end)))
                .filter(|(a, b)| a < b)
        });
        both.map(|(a, b)| info.seconds_between(a, b)).sum::<f64>()
    };
    let all = stretches(draft, wanted);
    // The sum of no numbers is −0, which reads badly.
    let own = all.iter().take(graph.captured_count());
    own.enumerate().map(of).fold(0.0, |a, b| a + b)
}

/// The parts of a stretch that lie in none of some others, which are in order.
pub(super) fn gaps(taken: Option<&Vec<(u32, u32)>>, start: u32, end: u32) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    let mut at = start;
    for &(from, to) in taken.into_iter().flatten() {
        if from.min(end) > at {
            out.push((at, from.min(end)));
        }
        at = at.max(to);
    }
    if at < end {
        out.push((at, end));
    }
    out
}
