//! Pruning by label, with bridges (DESIGN 3.4).
//!
//! For each label ℓ, the edges that carry ℓ form a subgraph; K_ℓ is its strongly connected component with the most
//! seconds of clip frames (ties: most edges, then the lowest node). An edge u → v stays if
//!
//!   (a) some label ℓ it carries has u, v ∈ K_ℓ, or
//!   (b) from(u) + length(u → v) + to(v) ≤ B,
//!
//! where from(u) is the least time from any node of any K to u, to(v) the least time from v to one, over all edges, and
//! B the longest bridge: then the edge lies on a walk of at most B that leaves a kept component and enters one.
//! Times are whole working frames, so a ring of buckets serves as the queue.
//!
//! Cost: O(edges per label summed over labels + edges). Checked by: `naive` closures on random graphs (`tests`).

#[cfg(test)]
mod tests;

use rayon::prelude::*;

use crate::LabelSet;
use crate::build::raw::RawGraph;
use crate::build::scc::{NONE, SccScratch};
use crate::model::topology::row_offsets;

/// The largest component of one label.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Component {
    /// Seconds of clip frames inside.
    pub seconds: f64,
    /// Components of the label with at least one edge.
    pub count: u32,
    /// Nodes inside.
    pub nodes: Vec<u32>,
}

/// What pruning found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruned {
    /// Whether each edge stays.
    pub keep: Vec<bool>,
    /// Per label; empty where the label has no loop.
    pub components: Vec<Component>,
    /// Per node, a bit per label whose component it lies in.
    pub member: Vec<u128>,
}

/// Prunes a graph. `seconds` are clip seconds per edge, `bridge` the longest bridge in working frames. Marks keep nothing: their components are those of what actions keep.
pub(crate) fn prune(
    graph: &RawGraph,
    labels: usize,
    marks: LabelSet,
    seconds: &[f64],
    bridge: u32,
) -> Pruned {
    let mut components = components(graph, labels, seconds);
    let mut member = vec![0_u128; graph.nodes.len()];
    let is_mark = |label: usize| marks.0 >> label & 1 == 1;
    for (label, component) in components.iter().enumerate().filter(|c| !is_mark(c.0)) {
        let nodes = component.nodes.iter();
        nodes.for_each(|&n| member[n as usize] |= 1 << label);
    }
    let (from, to) = rayon::join(
        || times(graph, &member, bridge, Direction::Ahead),
        || times(graph, &member, bridge, Direction::Back),
    );
    let keep: Vec<bool> = (0..graph.edge_count())
        .map(|e| {
            let [u, v] = graph.ends[e].map(|n| n as usize);
            let inside = graph.labels[e].0 & member[u] & member[v] != 0;
            inside
                || u64::from(from[u]) + u64::from(graph.lengths[e]) + u64::from(to[v])
                    <= u64::from(bridge)
        })
        .collect();
    for label in (0..labels).filter(|&l| is_mark(l)) {
        let carries = |&e: &u32| keep[e as usize] && graph.labels[e as usize].0 >> label & 1 == 1;
        let edges: Vec<u32> = (0..graph.edge_count() as u32).filter(carries).collect();
        components[label] = largest(graph, &edges, seconds, &mut SccScratch::default());
        let nodes = components[label].nodes.iter();
        nodes.for_each(|&n| member[n as usize] |= 1 << label);
    }
    Pruned {
        keep,
        components,
        member,
    }
}

/// The largest component of every label.
pub(crate) fn components(graph: &RawGraph, labels: usize, seconds: &[f64]) -> Vec<Component> {
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); labels];
    for (e, set) in graph.labels.iter().enumerate() {
        set.iter().for_each(|l| edges[l.index()].push(e as u32));
    }
    edges
        .into_par_iter()
        .map_init(SccScratch::default, |scratch, edges| {
            largest(graph, &edges, seconds, scratch)
        })
        .collect()
}

/// The largest component over some edges, which are copied together so that the search runs through memory in order.
fn largest(
    graph: &RawGraph,
    edges: &[u32],
    seconds: &[f64],
    scratch: &mut SccScratch,
) -> Component {
    let ends: Vec<[u32; 2]> = edges.iter().map(|&e| graph.ends[e as usize]).collect();
    let mut roots: Vec<u32> = ends.iter().map(|e| e[0]).collect();
    let out_starts = row_offsets(graph.nodes.len(), roots.iter().copied());
    roots.dedup();
    let count = scratch.run(&out_starts, &ends, roots.iter().copied(), |_| true) as usize;
    let component = &scratch.component;
    // Seconds, edges inside and lowest node of each component; edges come by the node they leave.
    let mut sums = vec![(0.0_f64, 0_u32, NONE); count];
    for (&[from, to], &e) in ends.iter().zip(edges) {
        let here = component[from as usize];
        if here == component[to as usize] {
            let sum = &mut sums[here as usize];
            *sum = (sum.0 + seconds[e as usize], sum.1 + 1, sum.2.min(from));
        }
    }
    let better = |&a: &usize, &b: &usize| {
        let (a, b) = (sums[a], sums[b]);
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(b.2.cmp(&a.2))
    };
    let Some(best) = (0..count).filter(|&c| sums[c].1 > 0).max_by(better) else {
        return Component::default();
    };
    Component {
        seconds: sums[best].0,
        count: sums.iter().filter(|s| s.1 > 0).count() as u32,
        nodes: roots
            .into_iter()
            .filter(|&n| component[n as usize] as usize == best)
            .collect(),
    }
}

/// Which way time is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From kept components on.
    Ahead,
    /// Back from kept components.
    Back,
}

/// Least time in working frames from (or to) any node with `member` bits; `u32::MAX` past `limit`.
pub(crate) fn times(
    graph: &RawGraph,
    member: &[u128],
    limit: u32,
    direction: Direction,
) -> Vec<u32> {
    let back = direction == Direction::Back;
    let (in_starts, in_edges) = if back {
        incoming(graph)
    } else {
        (Vec::new(), Vec::new())
    };
    let mut time = vec![u32::MAX; graph.nodes.len()];
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); limit as usize + 1];
    for (n, &bits) in member.iter().enumerate() {
        if bits != 0 {
            time[n] = 0;
            buckets[0].push(n as u32);
        }
    }
    for now in 0..=limit {
        while let Some(node) = buckets[now as usize].pop() {
            let n = node as usize;
            if time[n] != now {
                continue;
            }
            let mut relax = |e: usize, to: u32| {
                let then = now.saturating_add(graph.lengths[e]);
                if then <= limit && then < time[to as usize] {
                    time[to as usize] = then;
                    buckets[then as usize].push(to);
                }
            };
            if back {
                let range = in_starts[n] as usize..in_starts[n + 1] as usize;
                in_edges[range]
                    .iter()
                    .for_each(|&e| relax(e as usize, graph.ends[e as usize][0]));
            } else {
                (graph.out_starts[n] as usize..graph.out_starts[n + 1] as usize)
                    .for_each(|e| relax(e, graph.ends[e][1]));
            }
        }
    }
    time
}

/// Edges by the node they enter.
pub(crate) fn incoming(graph: &RawGraph) -> (Vec<u32>, Vec<u32>) {
    let in_starts = row_offsets(graph.nodes.len(), graph.ends.iter().map(|e| e[1]));
    let mut next = in_starts.clone();
    let mut in_edges = vec![0; graph.edge_count()];
    for (e, &[_, to]) in graph.ends.iter().enumerate() {
        in_edges[next[to as usize] as usize] = e as u32;
        next[to as usize] += 1;
    }
    (in_starts, in_edges)
}
