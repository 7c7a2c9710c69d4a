//! The shortest walk between two moments, through real transitions.
//!
//! Dijkstra over nodes, with a key of two numbers compared one after the other: by time (working frames, then √D), or by
//! cost (Σ √D of the transitions and what [`FeetApart`] adds to it, then working frames). Both sum along edges and never fall, so the first arrival is the
//! best. Time is counted in whole working frames, so that equal times are equal: seconds of different rates sum to numbers
//! that differ in their last bit, and the second measure would never be asked.
//! Cost: O((nodes + edges) log edges). Checked by: a brute force over working frames on small graphs.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use gaitway_graph::{EdgeId, LabelSet, MotionGraph, NodeId};

use super::place::{ClipTime, Spot, locate};
use crate::{FeetApart, SynthError, Walk};

/// What makes a connection short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConnectBy {
    /// Working frames until it arrives; of equals the one that costs less. The default.
    #[default]
    Time,
    /// √D of its transitions and what feet that stand apart add to it ([`FeetApart`]), summed; of equals the one that
    /// arrives first.
    Cost,
}

impl ConnectBy {
    /// The measure of this name (`time`, `cost`).
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "time" => Some(Self::Time),
            "cost" => Some(Self::Cost),
            _ => None,
        }
    }

    fn edge(self, graph: &MotionGraph, feet: &FeetApart<'_>, edge: EdgeId) -> Key {
        let own = |t: gaitway_graph::Transition| t.distance_cm() + feet.as_distance_cm(edge);
        let cm = graph.transition(edge).map_or(0.0, own);
        let frames = f64::from(graph.working_length(edge));
        match self {
            Self::Time => Key([frames, cm]),
            Self::Cost => Key([cm, frames]),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Key([f64; 2]);

impl Key {
    const NEVER: Self = Self([f64::INFINITY; 2]);

    fn plus(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let first = self.0[0].total_cmp(&other.0[0]);
        first.then(self.0[1].total_cmp(&other.0[1]))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The edges from a node to the nearest one that `goal` accepts; `Err` has the nodes that can be reached.
pub(crate) fn nearest(
    graph: &MotionGraph,
    start: NodeId,
    by: ConnectBy,
    goal: impl Fn(NodeId) -> bool,
) -> Result<Vec<EdgeId>, Vec<bool>> {
    let mut best = vec![Key::NEVER; graph.node_count()];
    let mut came: Vec<Option<EdgeId>> = vec![None; graph.node_count()];
    let mut done = vec![false; graph.node_count()];
    let mut open = BinaryHeap::new();
    let feet = FeetApart::new(graph);
    best[start.index()] = Key([0.0; 2]);
    open.push(Reverse((best[start.index()], start)));
    while let Some(Reverse((key, node))) = open.pop() {
        if std::mem::replace(&mut done[node.index()], true) {
            continue;
        }
        if goal(node) {
            let mut edges = Vec::new();
            let mut at = node;
            while let Some(edge) = came[at.index()] {
                edges.push(edge);
                at = graph.from(edge);
            }
            edges.reverse();
            return Ok(edges);
        }
        for edge in graph.out_edges(node) {
            let to = graph.to(edge);
            let next = key.plus(by.edge(graph, &feet, edge));
            if next < best[to.index()] && !done[to.index()] {
                best[to.index()] = next;
                came[to.index()] = Some(edge);
                open.push(Reverse((next, to)));
            }
        }
    }
    Err(done)
}

/// The shortest walk from one moment to another. Both may lie inside pieces of clips. A place is no distance from
/// itself: that walk has no frames.
///
/// # Errors
/// When a moment is not in the graph or no walk leads there.
pub fn connect(
    graph: &MotionGraph,
    from: ClipTime,
    to: ClipTime,
    by: ConnectBy,
) -> Result<Walk, SynthError> {
    let (start, end) = (locate(graph, from)?, locate(graph, to)?);
    // Further along in the same piece: any other way would have to come back to it.
    if let (Spot::Inside(piece, a), Spot::Inside(other, b)) = (start, end)
        && piece == other
        && a <= b
    {
        let length = graph.working_length(piece);
        return Walk::new(graph, graph.from(piece), vec![piece])?.trimmed(graph, a, length - b);
    }
    let (first, skip, leaves) = match start {
        Spot::Node(node) => (None, 0, node),
        Spot::Inside(piece, into) => (Some(piece), into, graph.to(piece)),
    };
    let (last, drop, enters) = match end {
        Spot::Node(node) => (None, 0, node),
        Spot::Inside(piece, into) => {
            let rest = graph.working_length(piece) - into;
            (Some(piece), rest, graph.from(piece))
        }
    };
    let between = nearest(graph, leaves, by, |n| n == enters)
        .map_err(|reached| no_way(graph, from, to, &reached))?;
    let edges: Vec<EdgeId> = first.into_iter().chain(between).chain(last).collect();
    let node = edges.first().map_or(leaves, |&e| graph.from(e));
    Walk::new(graph, node, edges)?.trimmed(graph, skip, drop)
}

fn no_way(graph: &MotionGraph, from: ClipTime, to: ClipTime, reached: &[bool]) -> SynthError {
    let inside = graph
        .edges()
        .filter(|&e| reached[graph.from(e).index()] && reached[graph.to(e).index()]);
    let mut labels = LabelSet::EMPTY;
    let mut seconds = 0.0;
    for edge in inside.filter(|&e| !graph.is_transition(e)) {
        labels = labels.union(graph.edge_labels(edge));
        seconds += graph.seconds(edge);
    }
    let wanted = to.labels(graph);
    let missing = graph.labels().names_of(LabelSet(wanted.0 & !labels.0));
    let reason = if missing.is_empty() {
        format!("they lie in different components; {seconds:.1} s of clips can be reached")
    } else {
        let missing = missing.join("`, `");
        format!("nothing labelled `{missing}` can be reached from there; a bridge is missing")
    };
    SynthError::NotConnected {
        from: from.name(graph),
        from_labels: from.label_words(graph),
        to: to.name(graph),
        to_labels: to.label_words(graph),
        reason,
    }
}
