//! The events of a graph's labelled clips, and which pieces play them.

use std::collections::BTreeMap;

use gaitway_core::Clip;
use gaitway_core::events::{Event, EventFinder, EventKind, Usual, is_ordinary};
use serde::Serialize;

use crate::{ClipId, EdgeId, GraphError, LabelId, MotionGraph};

/// The most clips that what is usual is measured on, evenly over the library.
const USUAL_CLIPS: usize = 48;

/// A moment of a clip at which what a label names happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipEvent {
    /// The clip.
    pub clip: ClipId,
    /// The label.
    pub label: LabelId,
    /// When, where, and by what it was found.
    pub event: Event,
    /// The working frame it lies in.
    pub working_frame: u32,
    /// The piece that plays it; `None` where the graph did not keep that moment.
    pub piece: Option<EdgeId>,
}

/// A row of `inspect`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventRow {
    /// The clip's name.
    pub clip: String,
    /// The label.
    pub label: String,
    /// Seconds from the clip's first frame.
    pub time_s: f64,
    /// What it was found by.
    pub kind: &'static str,
    /// Whether the moment was written down beside the label.
    pub given: bool,
    /// x, height above the floor and z of the hand, foot or pelvis that it is about, metres, in the clip's own world.
    pub place_m: [f64; 3],
    /// Where the body faces then, degrees.
    pub heading_deg: f64,
    /// Whether the graph kept that moment, so that it can be asked for.
    pub kept: bool,
}

/// What events of a graph's clips are measured against.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn usual(graph: &MotionGraph) -> Result<Usual, GraphError> {
    // Mirrored copies say nothing new, nor do interpolated clips.
    let own = |c: &ClipId| graph.clip_info(*c).recipe().is_none();
    let ids: Vec<ClipId> = graph.clip_ids().filter(own).collect();
    let step = ids.len().div_ceil(USUAL_CLIPS).max(1);
    let clips: Result<Vec<Clip>, GraphError> = ids
        .into_iter()
        .step_by(step)
        .map(|c| graph.clip(c))
        .collect();
    Ok(Usual::of(&clips?))
}

/// The events of some labels in every clip that has them, by clip and time.
///
/// Cost: what is usual once, then one forward kinematics of each clip that has one of the labels.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn events_of(graph: &MotionGraph, labels: &[LabelId]) -> Result<Vec<ClipEvent>, GraphError> {
    let usual = usual(graph)?;
    let pieces = pieces(graph);
    let mut out = Vec::new();
    // An event is something that was captured: half of one and half of another is none that anybody asks for.
    for id in graph.captured_ids() {
        let info = graph.clip_info(id);
        let wanted = |name: &str| graph.labels().find(name).filter(|l| labels.contains(l));
        let track = info.labels();
        if !track.spans().iter().any(|s| wanted(&s.label).is_some()) {
            continue;
        }
        let clip = graph.clip(id)?;
        let finder = EventFinder::new(&clip);
        for span in track.spans() {
            let Some(label) = wanted(&span.label) else {
                continue;
            };
            for event in finder.events_in(span.start..span.end, &span.label, &usual) {
                let working_frame = working_frame(graph, id, event.frame);
                out.push(ClipEvent {
                    clip: id,
                    label,
                    event,
                    working_frame,
                    piece: piece_at(&pieces, id, working_frame),
                });
            }
        }
    }
    out.sort_by_key(|e| (e.clip, e.event.frame, e.label));
    Ok(out)
}

/// The events of all labels but those of ordinary going and turning, which have them only where they are written down, as
/// `inspect` shows them.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn event_rows(graph: &MotionGraph) -> Result<Vec<EventRow>, GraphError> {
    let written = |name: &str| {
        let mut infos = graph.clip_ids().map(|c| graph.clip_info(c).labels());
        infos.any(|t| t.moments().iter().any(|m| m.label == name))
    };
    let acts = |&l: &LabelId| {
        let name = graph.labels().name(l);
        let goes = is_ordinary(name) || EventKind::of_label(name) == Some(EventKind::Turn);
        (graph.labels().is_action(l) && !goes) || written(name)
    };
    let labels: Vec<LabelId> = graph.labels().ids().filter(acts).collect();
    if labels.is_empty() {
        return Ok(Vec::new());
    }
    let row = |e: &ClipEvent| {
        let info = graph.clip_info(e.clip);
        EventRow {
            clip: info.name().to_owned(),
            label: graph.labels().name(e.label).to_owned(),
            time_s: e.event.frame as f64 / info.rate_hz(),
            kind: e.event.kind.name(),
            given: e.event.given,
            place_m: e.event.place.to_array(),
            heading_deg: e.event.heading.to_degrees(),
            kept: e.piece.is_some(),
        }
    };
    Ok(events_of(graph, &labels)?.iter().map(row).collect())
}

/// The working frame that plays a source frame.
fn working_frame(graph: &MotionGraph, clip: ClipId, frame: usize) -> u32 {
    let info = graph.clip_info(clip);
    let last = info.working_frames().saturating_sub(1);
    let at = info.boundary_at(frame as f64 / info.rate_hz());
    at.min(last)
}

/// First and last boundary of every piece, by clip.
type Pieces = BTreeMap<ClipId, Vec<(u32, u32, EdgeId)>>;

fn pieces(graph: &MotionGraph) -> Pieces {
    let mut out = Pieces::new();
    for edge in graph.edges().filter(|&e| !graph.is_transition(e)) {
        let (from, to) = (graph.node(graph.from(edge)), graph.node(graph.to(edge)));
        let list = out.entry(from.clip).or_default();
        list.push((from.boundary, to.boundary, edge));
    }
    out
}

fn piece_at(pieces: &Pieces, clip: ClipId, frame: u32) -> Option<EdgeId> {
    let list = pieces.get(&clip)?;
    let holds = |p: &&(u32, u32, EdgeId)| (p.0..p.1).contains(&frame);
    list.iter().find(holds).map(|p| p.2)
}
