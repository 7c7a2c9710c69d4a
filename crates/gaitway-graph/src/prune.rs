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

use crate::LabelId;
use crate::graph::starts;
use crate::raw::RawGraph;
use crate::scc::{NONE, SccScratch};

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

/// Prunes a graph. `seconds` are clip seconds per edge, `bridge` the longest bridge in working frames.
pub(crate) fn prune(graph: &RawGraph, labels: usize, seconds: &[f64], bridge: u32) -> Pruned {
    let components = components(graph, labels, seconds);
    let mut member = vec![0_u128; graph.nodes.len()];
    for (label, component) in components.iter().enumerate() {
        component
            .nodes
            .iter()
            .for_each(|&n| member[n as usize] |= 1 << label);
    }
    let (from, to) = rayon::join(
        || times(graph, &member, bridge, Direction::Ahead),
        || times(graph, &member, bridge, Direction::Back),
    );
    let keep = (0..graph.edge_count())
        .map(|e| {
            let [u, v] = graph.ends[e].map(|n| n as usize);
            let inside = graph.labels[e].0 & member[u] & member[v] != 0;
            inside
                || u64::from(from[u]) + u64::from(graph.lengths[e]) + u64::from(to[v])
                    <= u64::from(bridge)
        })
        .collect();
    Pruned {
        keep,
        components,
        member,
    }
}

/// The largest component of every label.
pub(crate) fn components(graph: &RawGraph, labels: usize, seconds: &[f64]) -> Vec<Component> {
    let mut roots: Vec<Vec<u32>> = vec![Vec::new(); labels];
    for (e, ends) in graph.ends.iter().enumerate() {
        for label in graph.labels[e].iter() {
            let list = &mut roots[label.index()];
            if list.last() != Some(&ends[0]) {
                list.push(ends[0]);
            }
        }
    }
    let run = |scratch: &mut SccScratch, (label, roots): (usize, Vec<u32>)| {
        largest(graph, LabelId(label as u32), &roots, seconds, scratch)
    };
    roots
        .into_par_iter()
        .enumerate()
        .map_init(SccScratch::default, run)
        .collect()
}

fn largest(
    graph: &RawGraph,
    label: LabelId,
    roots: &[u32],
    seconds: &[f64],
    scratch: &mut SccScratch,
) -> Component {
    let bit = 1_u128 << label.0;
    let follow = |e: usize| graph.labels[e].0 & bit != 0;
    let count = scratch.run(
        &graph.out_starts,
        &graph.ends,
        roots.iter().copied(),
        follow,
    ) as usize;
    let component = &scratch.component;
    // Seconds, edges inside and lowest node of each component.
    let mut sums = vec![(0.0_f64, 0_u32); count];
    let mut lowest = vec![NONE; count];
    for &n in roots {
        for e in graph.out_starts[n as usize] as usize..graph.out_starts[n as usize + 1] as usize {
            let (here, there) = (component[n as usize], component[graph.ends[e][1] as usize]);
            if follow(e) && here == there {
                let sum = &mut sums[here as usize];
                *sum = (sum.0 + seconds[e], sum.1 + 1);
                let low = &mut lowest[here as usize];
                *low = (*low).min(n);
            }
        }
    }
    let better = |&a: &usize, &b: &usize| {
        sums[a]
            .0
            .total_cmp(&sums[b].0)
            .then(sums[a].1.cmp(&sums[b].1))
            .then(lowest[b].cmp(&lowest[a]))
    };
    let Some(best) = (0..count).filter(|&c| sums[c].1 > 0).max_by(better) else {
        return Component::default();
    };
    Component {
        seconds: sums[best].0,
        count: sums.iter().filter(|s| s.1 > 0).count() as u32,
        nodes: roots
            .iter()
            .copied()
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
    let in_starts = starts(graph.nodes.len(), graph.ends.iter().map(|e| e[1]));
    let mut next = in_starts.clone();
    let mut in_edges = vec![0; graph.edge_count()];
    for (e, &[_, to]) in graph.ends.iter().enumerate() {
        in_edges[next[to as usize] as usize] = e as u32;
        next[to as usize] += 1;
    }
    (in_starts, in_edges)
}
