//! How far it is, at least, from every node to the next style.
//!
//! Dijkstra backwards from the edges that carry the next piece's label, through edges the present piece allows, by
//! metres of root path. A walk that is nearer to the border than that cannot change style in time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use super::edge_paths::EdgePaths;

/// Metres from each node to the next edge that is a `goal`, along edges one may go `through`; infinite where there is none.
pub(crate) fn metres_to(
    graph: &MotionGraph,
    edges: &EdgePaths,
    goal: impl Fn(EdgeId) -> bool,
    through: impl Fn(EdgeId) -> bool,
) -> Vec<f64> {
    let mut out = vec![f64::INFINITY; graph.node_count()];
    // Lengths are not negative, so their bits are in the order of their values.
    let mut open: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for edge in graph.edges().filter(|&e| goal(e)) {
        let from = graph.from(edge);
        if out[from.index()] > 0.0 {
            out[from.index()] = 0.0;
            open.push(Reverse((0, from.0)));
        }
    }
    while let Some(Reverse((bits, node))) = open.pop() {
        let so_far = f64::from_bits(bits);
        if so_far > out[node as usize] {
            continue;
        }
        for edge in graph.in_edges(NodeId(node)) {
            if !through(edge) {
                continue;
            }
            let length: f64 = edges.rows(edge).iter().map(|r| r.ds).sum();
            let from = graph.from(edge).index();
            if so_far + length < out[from] {
                out[from] = so_far + length;
                open.push(Reverse(((so_far + length).to_bits(), from as u32)));
            }
        }
    }
    out
}
