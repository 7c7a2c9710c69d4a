//! Which nodes can reach one another.

use super::labels::as_raw;
use crate::build::scc::SccScratch;
use crate::{EdgeId, MotionGraph};

/// The strongly connected components of a kept graph, over all labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    /// Per node, its component's place in `seconds`; −1 for a node on no loop.
    pub of_node: Vec<i32>,
    /// Clip seconds of each component, most first.
    pub seconds: Vec<f64>,
}

/// The components of a graph, the one with the most seconds of clip first (ties: the one with the lowest node).
pub fn components_of(graph: &MotionGraph) -> Components {
    components_where(graph, |_| true)
}

/// The same of the edges that `follow` allows alone.
pub fn components_where(graph: &MotionGraph, follow: impl Fn(EdgeId) -> bool) -> Components {
    let follow = |e: usize| follow(EdgeId(e as u32));
    let (raw, seconds) = as_raw(graph);
    let mut scratch = SccScratch::default();
    let nodes = raw.nodes.len();
    let count = scratch.run(&raw.out_starts, &raw.ends, 0..nodes as u32, follow) as usize;
    let mut sums = vec![(0.0_f64, false, u32::MAX); count];
    for (e, ends) in raw.ends.iter().enumerate() {
        let [from, to] = ends.map(|n| scratch.component[n as usize]);
        if from == to && follow(e) {
            let sum = &mut sums[from as usize];
            *sum = (sum.0 + seconds[e], true, sum.2.min(ends[0]));
        }
    }
    let mut order: Vec<usize> = (0..count).filter(|&c| sums[c].1).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (sums[a], sums[b]);
        b.0.total_cmp(&a.0).then(a.2.cmp(&b.2))
    });
    let mut rank = vec![-1; count];
    for (place, &c) in order.iter().enumerate() {
        rank[c] = place as i32;
    }
    Components {
        of_node: (0..nodes)
            .map(|n| rank[scratch.component[n] as usize])
            .collect(),
        seconds: order.iter().map(|&c| sums[c].0).collect(),
    }
}

/// The strongly connected component of every node of any directed graph, and how many there are. Edges of node n are
/// `out_starts[n]..out_starts[n + 1]`, each told as `[from, to]`. A component's number is higher than those of all it leads to.
pub fn strong_components(out_starts: &[u32], ends: &[[u32; 2]]) -> (u32, Vec<u32>) {
    let nodes = out_starts.len().saturating_sub(1) as u32;
    if nodes == 0 {
        return (0, Vec::new());
    }
    let mut scratch = SccScratch::default();
    let count = scratch.run(out_starts, ends, 0..nodes, |_| true);
    (count, scratch.component)
}
