//! A moment of a clip, and where it lies in a graph.

use gaitway_graph::{ClipId, EdgeId, LabelId, LabelSet, MotionGraph, NodeId};

use crate::SynthError;

/// A moment of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipTime {
    /// The clip.
    pub clip: ClipId,
    /// Seconds from its first frame; the nearest working boundary is meant.
    pub seconds: f64,
}

impl ClipTime {
    /// CLIP@SECONDS.
    pub fn name(&self, graph: &MotionGraph) -> String {
        format!("{}@{:.3}", graph.clip_info(self.clip).name(), self.seconds)
    }

    /// The labels of the frame there, as words.
    pub(crate) fn label_words(&self, graph: &MotionGraph) -> String {
        graph.labels().names_of(self.labels(graph)).join(", ")
    }

    pub(crate) fn labels(&self, graph: &MotionGraph) -> LabelSet {
        let info = graph.clip_info(self.clip);
        let last = info.working_frames().saturating_sub(1);
        info.labels_at(info.boundary_at(self.seconds).min(last))
    }
}

/// Reads CLIP@SECONDS; the clip by name or any unique suffix of it.
///
/// # Errors
/// When there is no number after the last `@`, or the graph has no such clip.
pub fn parse_clip_time(graph: &MotionGraph, text: &str) -> Result<ClipTime, SynthError> {
    let parts = text.rsplit_once('@');
    let seconds = |t: &str| t.trim().parse::<f64>().ok();
    // No clip lasts longer; a number that is none of these is a slip.
    let possible = |s: &f64| (0.0..=1e6).contains(s);
    let parsed = parts.and_then(|(clip, t)| Some((clip, seconds(t).filter(possible)?)));
    let Some((clip, seconds)) = parsed else {
        let what = format!("expected CLIP@SECONDS such as walk_01@1.5, found `{text}`");
        return Err(SynthError::Options { what });
    };
    match graph.find_clip(clip) {
        Some(clip) => Ok(ClipTime { clip, seconds }),
        None => Err(SynthError::UnknownClip {
            clip: clip.to_owned(),
        }),
    }
}

/// The label of this name.
///
/// # Errors
/// When no clip carries it.
pub fn find_label(graph: &MotionGraph, name: &str) -> Result<LabelId, SynthError> {
    graph
        .labels()
        .find(name)
        .ok_or_else(|| SynthError::UnknownLabel {
            label: name.to_owned(),
            known: graph.labels().names().to_vec(),
        })
}

/// Where a moment lies in the kept graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// At a node.
    Node(NodeId),
    /// This many working frames into a piece.
    Inside(EdgeId, u32),
}

/// The piece of a clip that leaves a node, where it was kept.
pub(crate) fn piece_from(graph: &MotionGraph, node: NodeId) -> Option<EdgeId> {
    graph.out_edges(node).find(|&e| !graph.is_transition(e))
}

/// Finds a moment in the kept graph.
pub(crate) fn locate(graph: &MotionGraph, place: ClipTime) -> Result<Spot, SynthError> {
    let found = || {
        let info = graph.clip_info(place.clip);
        // Half a working frame beyond the end still means the end.
        let slack = 0.5 / graph.working_rate_hz();
        if !(-slack..=info.seconds() + slack).contains(&place.seconds) {
            return None;
        }
        let boundary = info.boundary_at(place.seconds);
        let node = graph.node_at_or_before(place.clip, boundary)?;
        let into = boundary - graph.node(node).boundary;
        if into == 0 {
            return Some(Spot::Node(node));
        }
        let piece = piece_from(graph, node)?;
        (into < graph.working_length(piece)).then_some(Spot::Inside(piece, into))
    };
    if place.clip.index() >= graph.clip_count() {
        let what = format!("clip {}", place.clip.0);
        return Err(SynthError::NotInGraph { what });
    }
    found().ok_or_else(|| {
        let kept_s = kept(graph, place.clip);
        SynthError::PlaceLost {
            place: place.name(graph),
            nearest: nearest(&kept_s, place).map(|n| n.name(graph)),
            kept_s,
        }
    })
}

/// The nearest moment that is kept.
fn nearest(kept: &[(f64, f64)], place: ClipTime) -> Option<ClipTime> {
    let moments = kept.iter().map(|&(a, b)| place.seconds.clamp(a, b));
    let apart = |s: &f64| (s - place.seconds).abs();
    let best = moments.min_by(|a, b| apart(a).total_cmp(&apart(b)))?;
    Some(ClipTime {
        seconds: best,
        ..place
    })
}

/// What is kept of a clip, in seconds.
fn kept(graph: &MotionGraph, clip: ClipId) -> Vec<(f64, f64)> {
    let info = graph.clip_info(clip);
    let mut out: Vec<(f64, f64)> = Vec::new();
    for node in graph.nodes_of(clip).map(NodeId) {
        if let Some(piece) = piece_from(graph, node) {
            let at = |n: NodeId| info.seconds_at(graph.node(n).boundary);
            let (start, end) = (at(node), at(graph.to(piece)));
            match out.last_mut() {
                Some(last) if last.1 == start => last.1 = end,
                _ => out.push((start, end)),
            }
        }
    }
    out
}
