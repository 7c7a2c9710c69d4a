//! Labels: how much of each holds together, and how each leads to the others.

use serde::Serialize;

use crate::account::LabelAccount;
use crate::build::prune::components;
use crate::build::raw::RawGraph;
use crate::{LabelId, MotionGraph, NodeId};

/// A kept graph in the arrays the algorithms use, with the seconds of captured clips along each edge.
pub(crate) fn as_raw(graph: &MotionGraph) -> (RawGraph, Vec<f64>) {
    let t = &graph.topology;
    let edges = 0..t.ends.len();
    let seconds = graph.edges().map(|e| graph.captured_seconds(e));
    let raw = RawGraph {
        nodes: t.nodes.to_vec(),
        ends: t.ends.to_vec(),
        candidates: t.candidates.to_vec(),
        kinds: t.kinds.to_vec(),
        labels: t
            .labels
            .iter()
            .map(|&w| crate::LabelSet::from_words(w))
            .collect(),
        lengths: edges
            .map(|e| graph.working_length(crate::EdgeId(e as u32)))
            .collect(),
        out_starts: t.out_starts.clone(),
    };
    (raw, seconds.collect())
}

/// Per node of the kept graph, a bit per label in whose component it lies.
pub(crate) fn members(graph: &MotionGraph) -> Vec<u128> {
    let (raw, seconds) = as_raw(graph);
    let mut member = vec![0; graph.node_count()];
    for (label, component) in components(&raw, graph.labels.len(), &seconds)
        .iter()
        .enumerate()
    {
        component
            .nodes
            .iter()
            .for_each(|&n| member[n as usize] |= 1 << label);
    }
    member
}

/// Per node of the kept graph, the labels in whose largest component it lies: where endless motion of that label is
/// possible.
pub fn label_members(graph: &MotionGraph) -> Vec<crate::LabelSet> {
    members(graph).into_iter().map(crate::LabelSet).collect()
}

/// Per label of the kept graph: seconds on kept pieces, seconds in its largest component, number of components.
pub fn component_shares(graph: &MotionGraph) -> Vec<LabelAccount> {
    let (raw, seconds) = as_raw(graph);
    let mut sums = vec![0.0; graph.labels.len()];
    for (e, labels) in raw.labels.iter().enumerate() {
        labels.iter().for_each(|l| sums[l.index()] += seconds[e]);
    }
    let found = components(&raw, graph.labels.len(), &seconds);
    let rows = graph.labels.ids().filter(|l| sums[l.index()] > 0.0);
    rows.map(|l| LabelAccount {
        label: graph.labels.name(l).to_owned(),
        seconds: sums[l.index()],
        kept_seconds: found[l.index()].seconds,
        // Of the kept graph all is in the graph.
        graph_seconds: sums[l.index()],
        components: found[l.index()].count,
    })
    .collect()
}

/// How one label leads to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelLink {
    /// Label left.
    pub from: String,
    /// Label entered.
    pub to: String,
    /// Transitions from frames of the one to frames of the other.
    pub transitions: usize,
    /// The cheapest of them, in centimetres.
    pub cheapest_cm: Option<f64>,
    /// The shortest walk from the component of the one to that of the other, in seconds; 0 where they share a node,
    /// `None` where there is none.
    pub shortest_s: Option<f64>,
}

/// A row per ordered pair of labels that the kept graph has, by (from, to).
pub fn label_links(graph: &MotionGraph) -> Vec<LabelLink> {
    let n = graph.labels.len();
    let mut counts = vec![(0_usize, f64::INFINITY); n * n];
    let mut used = vec![false; n];
    for edge in graph.edges() {
        graph
            .edge_labels(edge)
            .iter()
            .for_each(|l| used[l.index()] = true);
        if let Some(t) = graph.transition(edge) {
            let (from, to) = (
                graph.clip_info(t.from_clip).labels_at(t.from_frame),
                graph.clip_info(t.to_clip).labels_at(t.to_frame),
            );
            for a in from.iter() {
                for b in to.iter() {
                    let cell = &mut counts[a.index() * n + b.index()];
                    *cell = (cell.0 + 1, cell.1.min(t.distance_m2));
                }
            }
        }
    }
    let member = members(graph);
    let used: Vec<LabelId> = graph.labels.ids().filter(|l| used[l.index()]).collect();
    let mut out = Vec::new();
    for &a in &used {
        let times = least_seconds(
            graph,
            (0..member.len()).filter(|&k| member[k] >> a.0 & 1 == 1),
        );
        for &b in &used {
            let (transitions, least) = counts[a.index() * n + b.index()];
            let inside = (0..member.len()).filter(|&k| member[k] >> b.0 & 1 == 1);
            let shortest = inside.map(|k| times[k]).fold(f64::INFINITY, f64::min);
            out.push(LabelLink {
                from: graph.labels.name(a).to_owned(),
                to: graph.labels.name(b).to_owned(),
                transitions,
                cheapest_cm: least.is_finite().then(|| least.sqrt() * 100.0),
                shortest_s: shortest.is_finite().then_some(shortest),
            });
        }
    }
    out
}

/// Least seconds from any of some nodes to every node (Dijkstra).
pub(crate) fn least_seconds(graph: &MotionGraph, from: impl Iterator<Item = usize>) -> Vec<f64> {
    // Times are not negative, so their bits sort as they do.
    let mut time = vec![f64::INFINITY; graph.node_count()];
    let mut queue = std::collections::BinaryHeap::new();
    for n in from {
        time[n] = 0.0;
        queue.push(std::cmp::Reverse((0_u64, n as u32)));
    }
    while let Some(std::cmp::Reverse((bits, n))) = queue.pop() {
        if f64::from_bits(bits) > time[n as usize] {
            continue;
        }
        for edge in graph.out_edges(NodeId(n)) {
            let (to, then) = (graph.to(edge), f64::from_bits(bits) + graph.seconds(edge));
            if then < time[to.index()] {
                time[to.index()] = then;
                queue.push(std::cmp::Reverse((then.to_bits(), to.0)));
            }
        }
    }
    time
}
