//! Pruning against its slow, obvious twin: closures of small random graphs.

use proptest::prelude::*;

use super::{Pruned, prune};
use crate::LabelSet;
use crate::build::raw::RawGraph;
use crate::model::topology::{kind, row_offsets};

const LABELS: usize = 3;

/// Edges as (from, to, length, labels, is a piece).
type Row = (u32, u32, u32, u8, bool);

fn raw(nodes: usize, mut rows: Vec<Row>) -> (RawGraph, Vec<f64>) {
    rows.sort_unstable();
    let graph = RawGraph {
        nodes: (0..nodes as u32).map(|n| [0, n]).collect(),
        ends: rows.iter().map(|r| [r.0, r.1]).collect(),
        candidates: vec![0; rows.len()],
        kinds: rows
            .iter()
            .map(|r| if r.4 { kind::PIECE } else { kind::BLEND })
            .collect(),
        labels: rows.iter().map(|r| LabelSet(u128::from(r.3))).collect(),
        lengths: rows.iter().map(|r| r.2).collect(),
        out_starts: row_offsets(nodes, rows.iter().map(|r| r.0)),
    };
    // Powers of two: sums are exact, so ties are ties in any order of adding.
    let seconds = rows
        .iter()
        .map(|r| if r.4 { f64::from(r.2) / 32.0 } else { 0.0 })
        .collect();
    (graph, seconds)
}

/// Least lengths between all nodes over some edges; the length of the empty walk is 0.
fn closure(graph: &RawGraph, follow: impl Fn(usize) -> bool) -> Vec<Vec<u64>> {
    let n = graph.nodes.len();
    let mut d = vec![vec![u64::MAX / 4; n]; n];
    for (k, row) in d.iter_mut().enumerate() {
        row[k] = 0;
    }
    for (e, &[a, b]) in graph.ends.iter().enumerate().filter(|(e, _)| follow(*e)) {
        let cell = &mut d[a as usize][b as usize];
        *cell = (*cell).min(u64::from(graph.lengths[e]));
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
            }
        }
    }
    d
}

mod naive {
    use super::*;

    /// The nodes of each label's largest component, by the definition.
    pub fn components(graph: &RawGraph, seconds: &[f64]) -> Vec<Vec<u32>> {
        let of = |label: usize| {
            let follow = |e: usize| graph.labels[e].0 >> label & 1 == 1;
            let d = closure(graph, follow);
            let linked = |a: usize, b: usize| d[a][b] < u64::MAX / 4 && d[b][a] < u64::MAX / 4;
            let inside = |e: usize| {
                follow(e) && linked(graph.ends[e][0] as usize, graph.ends[e][1] as usize)
            };
            let mut best: Option<(f64, usize, std::cmp::Reverse<usize>)> = None;
            for n in 0..graph.nodes.len() {
                let edges: Vec<usize> = (0..graph.edge_count())
                    .filter(|&e| inside(e) && linked(n, graph.ends[e][0] as usize))
                    .collect();
                let first = (0..n).all(|m| !linked(m, n));
                if !edges.is_empty() && first {
                    let key = (
                        edges.iter().map(|&e| seconds[e]).sum(),
                        edges.len(),
                        std::cmp::Reverse(n),
                    );
                    if best.is_none_or(|b| key > b) {
                        best = Some(key);
                    }
                }
            }
            best.map_or(Vec::new(), |b| {
                (0..graph.nodes.len())
                    .filter(|&n| linked(n, b.2.0))
                    .map(|n| n as u32)
                    .collect()
            })
        };
        (0..LABELS).map(of).collect()
    }

    /// Whether each edge stays, by the definition.
    pub fn keep(graph: &RawGraph, components: &[Vec<u32>], bridge: u32) -> Vec<bool> {
        let kept: Vec<usize> = components.iter().flatten().map(|&n| n as usize).collect();
        let d = closure(graph, |_| true);
        let stays = |e: usize| {
            let [u, v] = graph.ends[e];
            let a = (0..LABELS).any(|l| {
                graph.labels[e].0 >> l & 1 == 1
                    && components[l].contains(&u)
                    && components[l].contains(&v)
            });
            let b = kept.iter().any(|&s| {
                kept.iter().any(|&t| {
                    d[s][u as usize] + u64::from(graph.lengths[e]) + d[v as usize][t]
                        <= u64::from(bridge)
                })
            });
            a || b
        };
        (0..graph.edge_count()).map(stays).collect()
    }
}

fn check_laws(graph: &RawGraph, pruned: &Pruned) {
    for e in (0..graph.edge_count()).filter(|&e| pruned.keep[e]) {
        let [u, v] = graph.ends[e].map(|n| n as usize);
        let label = LabelSet(graph.labels[e].0 & pruned.member[u] & pruned.member[v])
            .iter()
            .next();
        if let Some(label) = label {
            // (a): on a cycle of one label it carries, inside the kept graph.
            let d = closure(graph, |k| pruned.keep[k] && graph.labels[k].contains(label));
            assert!(d[v][u] < u64::MAX / 4);
        }
        let goes_on = (graph.out_starts[v] as usize..graph.out_starts[v + 1] as usize)
            .any(|k| pruned.keep[k]);
        assert!(goes_on, "a dead end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn equals_the_naive_closure(
        nodes in 2_usize..12,
        rows in prop::collection::vec((0_u32..12, 0_u32..12, 1_u32..9, 0_u8..8, any::<bool>()), 1..32),
        bridge in 0_u32..24,
    ) {
        let rows: Vec<Row> = rows.into_iter().filter(|r| (r.0 as usize) < nodes && (r.1 as usize) < nodes && r.0 != r.1).collect();
        let (graph, seconds) = raw(nodes, rows);
        let pruned = prune(&graph, LABELS, LabelSet::EMPTY, &seconds, bridge);
        let expected = naive::components(&graph, &seconds);
        for (found, expected) in pruned.components.iter().zip(&expected) {
            prop_assert_eq!(&found.nodes, expected);
        }
        prop_assert_eq!(&pruned.keep, &naive::keep(&graph, &expected, bridge));
        check_laws(&graph, &pruned);
    }
}
