//! A drawing of a graph as plain data: clips as lanes along time, transitions as arcs between them.

use serde::Serialize;

use super::labels::members;
use crate::{LabelSet, MotionGraph};

/// A clip as a horizontal lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lane {
    /// The clip.
    pub clip: String,
    /// Its length in seconds.
    pub seconds: f64,
    /// Its pieces from left to right, lost ones included.
    pub stretches: Vec<LaneSegment>,
    /// Times of its nodes, in seconds.
    pub nodes: Vec<f64>,
}

/// A part of a lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LaneSegment {
    /// Seconds from the clip's start.
    pub start_s: f64,
    /// Seconds, exclusive.
    pub end_s: f64,
    /// Labels its frames carry, by number in the label table.
    pub labels: Vec<u32>,
    /// The label in whose component it lies, by number: its colour. `None` for bridges.
    pub component: Option<u32>,
    /// Whether the graph keeps it.
    pub kept: bool,
}

/// A transition between two lanes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Arc {
    /// Lane left.
    pub from_lane: u32,
    /// Where, in seconds.
    pub from_s: f64,
    /// Lane entered.
    pub to_lane: u32,
    /// Where, in seconds.
    pub to_s: f64,
    /// √D in centimetres.
    pub distance_cm: f64,
    /// The label in whose component it lies; `None` for bridges.
    pub component: Option<u32>,
}

/// A drawing of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphLayout {
    /// Names of the labels, by number.
    pub labels: Vec<String>,
    /// A lane per clip.
    pub lanes: Vec<Lane>,
    /// The transitions, cheapest first, so that a painter may stop early.
    pub arcs: Vec<Arc>,
    /// Transitions in all, where `arcs` was cut short.
    pub transitions: usize,
    /// Ways through interpolated clips, which have no lane of their own: from where a captured clip is left to where the next is entered.
    pub interpolated: Vec<Arc>,
}

/// Lays a graph out; at most `most_arcs` transitions, the cheapest.
pub fn layout(graph: &MotionGraph, most_arcs: usize) -> GraphLayout {
    let member = members(graph);
    let colour = |edge: crate::EdgeId| {
        let (from, to) = (graph.from(edge).index(), graph.to(edge).index());
        LabelSet(graph.edge_labels(edge).0 & member[from] & member[to])
            .iter()
            .next()
            .map(|l| l.0)
    };
    let lanes = graph.captured_ids().map(|clip| {
        let info = graph.clip_info(clip);
        let nodes = graph.nodes_of(clip);
        let boundary = |n: u32| graph.node(crate::NodeId(n)).boundary;
        let mut stretches = Vec::new();
        let mut done = 0;
        for n in nodes.clone() {
            let piece = graph
                .out_edges(crate::NodeId(n))
                .find(|&e| !graph.is_transition(e));
            let Some(edge) = piece else { continue };
            lost_stretches(info, done, boundary(n), &mut stretches);
            done = graph.node(graph.to(edge)).boundary;
            stretches.push(LaneSegment {
                start_s: info.seconds_at(boundary(n)),
                end_s: info.seconds_at(done),
                labels: graph.edge_labels(edge).iter().map(|l| l.0).collect(),
                component: colour(edge),
                kept: true,
            });
        }
        lost_stretches(info, done, info.working_frames(), &mut stretches);
        Lane {
            clip: info.name().to_owned(),
            seconds: info.seconds(),
            stretches,
            nodes: nodes.map(|n| info.seconds_at(boundary(n))).collect(),
        }
    });
    let mut arcs: Vec<Arc> = graph
        .edges()
        .filter_map(|e| Some((e, graph.transition(e)?)))
        .filter(|(_, t)| !graph.is_interpolated(t.from_clip) && !graph.is_interpolated(t.to_clip))
        .map(|(e, t)| Arc {
            from_lane: t.from_clip.0,
            from_s: graph.clip_info(t.from_clip).seconds_at(t.from_frame),
            to_lane: t.to_clip.0,
            to_s: graph.clip_info(t.to_clip).seconds_at(t.to_frame),
            distance_cm: t.distance_cm(),
            component: colour(e),
        })
        .collect();
    let transitions = arcs.len();
    let interpolated = ways_through(graph, most_arcs);
    arcs.sort_by(|a, b| a.distance_cm.total_cmp(&b.distance_cm));
    arcs.truncate(most_arcs);
    GraphLayout {
        labels: graph.labels.names().to_vec(),
        lanes: lanes.collect(),
        arcs,
        transitions,
        interpolated,
    }
}

/// From where a captured clip is left for an interpolated one to the nearest captured place it leads to: drawn as one arc, since interpolated
/// clips have no lane.
fn ways_through(graph: &MotionGraph, most: usize) -> Vec<Arc> {
    let mut out = Vec::new();
    for edge in graph.edges() {
        let Some(left) = graph.transition(edge) else {
            continue;
        };
        if graph.is_interpolated(left.from_clip) || !graph.is_interpolated(left.to_clip) {
            continue;
        }
        if let Some((to_clip, frame, distance_cm)) = next_captured(graph, graph.to(edge)) {
            out.push(Arc {
                from_lane: left.from_clip.0,
                from_s: graph.clip_info(left.from_clip).seconds_at(left.from_frame),
                to_lane: to_clip.0,
                to_s: graph.clip_info(to_clip).seconds_at(frame),
                distance_cm: left.distance_cm().max(distance_cm),
                component: None,
            });
        }
    }
    out.sort_by(|a, b| a.distance_cm.total_cmp(&b.distance_cm));
    out.truncate(most);
    out
}

/// The captured place reached first from a node of an interpolated clip, and the largest jump on the way.
fn next_captured(graph: &MotionGraph, from: crate::NodeId) -> Option<(crate::ClipId, u32, f64)> {
    let mut open = std::collections::BinaryHeap::from([(std::cmp::Reverse(0_u32), from, 0_u64)]);
    let mut seen = std::collections::BTreeSet::new();
    while let Some((std::cmp::Reverse(now), node, jump)) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        for edge in graph.out_edges(node) {
            let then = now + graph.working_length(edge);
            let Some(t) = graph.transition(edge) else {
                open.push((std::cmp::Reverse(then), graph.to(edge), jump));
                continue;
            };
            let jump = jump.max(t.distance_cm().to_bits());
            if !graph.is_interpolated(t.to_clip) {
                return Some((t.to_clip, t.to_frame, f64::from_bits(jump)));
            }
            open.push((std::cmp::Reverse(then), graph.to(edge), jump));
        }
    }
    None
}

/// What lies between two boundaries and is not kept, split where labels change.
fn lost_stretches(info: &crate::ClipInfo, start: u32, end: u32, out: &mut Vec<LaneSegment>) {
    for run in info.label_runs() {
        let (from, to) = (run.start.max(start), run.end.min(end));
        if from < to {
            out.push(LaneSegment {
                start_s: info.seconds_at(from),
                end_s: info.seconds_at(to),
                labels: run.labels.iter().map(|l| l.0).collect(),
                component: None,
                kept: false,
            });
        }
    }
}
