//! The way out of what was played too often.
//!
//! Looking a stride ahead does not find the way out of a small circle whose only exit leads through what was just played.
//! Where all that a walk could play next was played lately, the cheapest way is searched to where nothing was, and gone.
//! Dijkstra over the edges that the walk may take; the key is Σ cost of transitions in centimetres, and one for every second.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use gaitway_graph::{EdgeId, MotionGraph, NodeId};

/// The edges from a node to the nearest one that `cold` accepts, over those that `allowed` does; `None` where there is none.
pub(super) fn way_out(
    graph: &MotionGraph,
    start: NodeId,
    allowed: impl Fn(EdgeId) -> bool,
    cost_cm: impl Fn(EdgeId) -> f64,
    cold: impl Fn(NodeId) -> bool,
) -> Option<Vec<EdgeId>> {
    // Costs are not negative, so their bits sort as they do.
    let mut best: BTreeMap<NodeId, (u64, Option<EdgeId>)> = BTreeMap::new();
    let mut open = BinaryHeap::new();
    best.insert(start, (0, None));
    open.push(Reverse((0_u64, start)));
    while let Some(Reverse((bits, node))) = open.pop() {
        if best.get(&node).is_some_and(|b| b.0 < bits) {
            continue;
        }
        if node != start && cold(node) {
            let mut edges = Vec::new();
            let mut at = node;
            while let Some(&(_, Some(edge))) = best.get(&at) {
                edges.push(edge);
                at = graph.from(edge);
            }
            edges.reverse();
            return Some(edges);
        }
        for edge in graph.out_edges(node).filter(|&e| allowed(e)) {
            let next = f64::from_bits(bits) + cost_cm(edge) + graph.seconds(edge);
            let (next, to) = (next.to_bits(), graph.to(edge));
            if best.get(&to).is_none_or(|b| next < b.0) {
                best.insert(to, (next, Some(edge)));
                open.push(Reverse((next, to)));
            }
        }
    }
    None
}
