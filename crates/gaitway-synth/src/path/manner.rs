//! The manner of a path: what may be played where no style is asked for.
//!
//! A walk that may play anything plays a punch where a punch happens to lead the right way. Where nothing is asked for, a path
//! is walked in the manner of its start, and it starts in the graph's most common way of going forward:
//!
//! - Where clips are labelled, that is the label with the most seconds of travel ahead (faster than 0.5 m/s, facing within 40° of
//!   it). What also carries a label of another manner is left out: one that names an action ([`EventKind`]), one that usually
//!   goes sideways or backwards, one whose root climbs by more than 25 cm.
//! - Where nothing is labelled, or hardly anything of what goes forward, it is measured ([`Measured`](super::edge_paths)): a frame is out of manner
//!   when it travels more than 60° off its facing, or its root is higher or lower than is usual while going forward by 8 % of the body's height
//!   (jumps, seats, stairs). An edge with more than a fifth of such frames is left out.
//!
//! `any` asks for no manner at all.

use gaitway_core::events::EventKind;
use gaitway_graph::{EdgeId, LabelId, LabelSet, MotionGraph};

use super::edge_paths::EdgePaths;
use super::objective::ASIDE_RAD;

/// Slower than this is not on its way, m/s.
const GOES_M_S: f64 = 0.5;
/// Within this angle of travel a body goes ahead, radians.
const AHEAD_RAD: f32 = 0.7;
/// A label whose root climbs by more than this is one of stairs, metres.
const CLIMBS_M: f64 = 0.25;
/// A label must have this part of all travel ahead to speak for the graph.
const LEAST_PART: f64 = 0.2;
/// Facing further off travel than this is another manner, radians.
const OFF_RAD: f32 = 1.05;
/// A root higher or lower by this part of the body's height is another manner. Not of its own height: rigs there are whose root lies on the floor.
const OFF_HEIGHT: f64 = 0.08;
/// An edge with more than this part of frames out of manner is.
const MOST_OUT: f64 = 0.2;

/// What may be played where no style is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Manner {
    /// Frames of a label that carry none of others.
    Label {
        /// The label.
        label: LabelId,
        /// Labels of another manner.
        without: LabelSet,
    },
    /// These edges, by the motion's own measure.
    Measured(Vec<bool>),
}

impl Manner {
    /// The manner of a graph: see the module.
    pub fn of(graph: &MotionGraph, edges: &EdgePaths) -> Self {
        let without = foreign(graph, edges);
        let mut ahead = vec![0.0_f64; graph.labels().len()];
        let mut all = 0.0;
        for edge in graph.edges().filter(|&e| !graph.is_transition(e)) {
            let labels = graph.edge_labels(edge);
            let frames = edges.frames_ahead(edge, GOES_M_S, AHEAD_RAD);
            all += frames;
            if labels.intersection(without).is_empty() {
                labels.iter().for_each(|l| ahead[l.index()] += frames);
            }
        }
        let others = graph.labels().ids();
        others
            .filter(|&l| !graph.labels().is_action(l))
            .for_each(|l| ahead[l.index()] = 0.0);
        let best = graph.labels().ids().max_by(|a, b| {
            // Of labels with as many, the first by name.
            ahead[a.index()].total_cmp(&ahead[b.index()]).then(b.cmp(a))
        });
        match best.filter(|l| ahead[l.index()] > LEAST_PART * all) {
            Some(label) => Self::Label { label, without },
            None => Self::Measured(measured(graph, edges)),
        }
    }

    /// Whether frames with these labels are of this manner, as far as labels say.
    pub fn fits(&self, labels: LabelSet) -> bool {
        match self {
            Self::Label { label, without } => {
                labels.contains(*label) && labels.intersection(*without).is_empty()
            }
            Self::Measured(_) => true,
        }
    }

    /// Whether an edge is of this manner, as far as its motion says.
    pub fn plays(&self, edge: EdgeId) -> bool {
        match self {
            Self::Label { .. } => true,
            Self::Measured(edges) => edges[edge.index()],
        }
    }

    /// What it is called.
    pub fn words(&self, graph: &MotionGraph) -> String {
        match self {
            Self::Label { label, .. } => format!("`{}`", graph.labels().name(*label)),
            Self::Measured(_) => "going forward on level ground".to_owned(),
        }
    }
}

/// Labels that name another manner than going forward.
fn foreign(graph: &MotionGraph, edges: &EdgePaths) -> LabelSet {
    let other = |&l: &LabelId| {
        let kind = EventKind::of_label(graph.labels().name(l));
        kind.is_some_and(EventKind::is_act)
            || edges.typical_aside[l.index()] > ASIDE_RAD
            || edges.climbs[l.index()] > CLIMBS_M
    };
    let all = graph
        .labels()
        .ids()
        .filter(|&l| graph.labels().is_action(l));
    all.filter(other)
        .fold(LabelSet::EMPTY, |set, l| set.union(LabelSet::of(l)))
}

fn measured(graph: &MotionGraph, edges: &EdgePaths) -> Vec<bool> {
    let mut heights: Vec<f32> = Vec::new();
    for edge in graph.edges().filter(|&e| !graph.is_transition(e)) {
        heights.extend(edges.heights_ahead(edge, GOES_M_S, AHEAD_RAD));
    }
    if heights.is_empty() {
        return vec![true; graph.edge_count()];
    }
    let middle = heights.len() / 2;
    let usual = *heights.select_nth_unstable_by(middle, f32::total_cmp).1;
    let off = (OFF_HEIGHT * edges.body_height) as f32;
    let inside = |e: EdgeId| edges.part_outside(e, OFF_RAD, usual, off) <= MOST_OUT;
    graph.edges().map(inside).collect()
}
