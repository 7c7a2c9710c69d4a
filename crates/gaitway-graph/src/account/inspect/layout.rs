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
    let lanes = graph.clip_ids().map(|clip| {
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
    arcs.sort_by(|a, b| a.distance_cm.total_cmp(&b.distance_cm));
    arcs.truncate(most_arcs);
    GraphLayout {
        labels: graph.labels.names().to_vec(),
        lanes: lanes.collect(),
        arcs,
        transitions,
    }
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
