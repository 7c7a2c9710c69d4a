//! Strongly connected components by Tarjan's method, without recursion: chains of frames are long.
//!
//! Cost: O(nodes + edges looked at). Checked by: petgraph's Kosaraju on random graphs.

/// No component.
pub(crate) const NONE: u32 = u32::MAX;

/// Working memory, cleared by touching only what a run touched.
#[derive(Default)]
pub(crate) struct SccScratch {
    /// Order of discovery from 1; 0 for nodes not seen.
    order: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    calls: Vec<(u32, u32)>,
    touched: Vec<u32>,
    /// Component of each node of the last run.
    pub component: Vec<u32>,
}

impl SccScratch {
    /// Finds the components among nodes reachable from `roots` over edges that `follow` allows; returns how many.
    /// Edges of node n are `out_starts[n]..out_starts[n + 1]`, their targets `ends[e][1]`.
    pub fn run(
        &mut self,
        out_starts: &[u32],
        ends: &[[u32; 2]],
        roots: impl Iterator<Item = u32>,
        follow: impl Fn(usize) -> bool,
    ) -> u32 {
        self.clear(out_starts.len() - 1);
        let (mut clock, mut count) = (0, 0);
        for root in roots {
            if self.order[root as usize] == 0 {
                self.enter(root, &mut clock, out_starts);
                while let Some((node, next)) = self.calls.pop() {
                    self.step(
                        node, next, out_starts, ends, &follow, &mut clock, &mut count,
                    );
                }
            }
        }
        count
    }

    fn clear(&mut self, nodes: usize) {
        if self.order.len() != nodes {
            *self = Self {
                order: vec![0; nodes],
                low: vec![0; nodes],
                component: vec![NONE; nodes],
                ..Self::default()
            };
        }
        for node in self.touched.drain(..) {
            self.order[node as usize] = 0;
            self.component[node as usize] = NONE;
        }
    }

    fn enter(&mut self, node: u32, clock: &mut u32, out_starts: &[u32]) {
        *clock += 1;
        self.order[node as usize] = *clock;
        self.low[node as usize] = *clock;
        self.stack.push(node);
        self.touched.push(node);
        self.calls.push((node, out_starts[node as usize]));
    }

    #[allow(clippy::too_many_arguments)] // One step of the loop above, cut out to be read.
    #[inline]
    fn step(
        &mut self,
        node: u32,
        mut next: u32,
        out_starts: &[u32],
        ends: &[[u32; 2]],
        follow: &impl Fn(usize) -> bool,
        clock: &mut u32,
        count: &mut u32,
    ) {
        let n = node as usize;
        while next < out_starts[n + 1] {
            let edge = next as usize;
            next += 1;
            if !follow(edge) {
                continue;
            }
            let to = ends[edge][1];
            if self.order[to as usize] == 0 {
                self.calls.push((node, next));
                self.enter(to, clock, out_starts);
                return;
            }
            if self.component[to as usize] == NONE {
                self.low[n] = self.low[n].min(self.order[to as usize]);
            }
        }
        if self.low[n] == self.order[n] {
            while let Some(member) = self.stack.pop() {
                self.component[member as usize] = *count;
                if member == node {
                    break;
                }
            }
            *count += 1;
        }
        if let Some(&(parent, _)) = self.calls.last() {
            let p = parent as usize;
            self.low[p] = self.low[p].min(self.low[n]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::graph::DiGraph;
    use proptest::prelude::*;

    fn csr(nodes: usize, edges: &[(u32, u32)]) -> (Vec<u32>, Vec<[u32; 2]>) {
        let mut ends: Vec<[u32; 2]> = edges.iter().map(|&(a, b)| [a, b]).collect();
        ends.sort_unstable();
        (
            crate::model::topology::row_offsets(nodes, ends.iter().map(|e| e[0])),
            ends,
        )
    }

    proptest! {
        #[test]
        fn equals_kosaraju(nodes in 1_usize..30, raw in prop::collection::vec((0_u32..30, 0_u32..30), 0..80), odd in any::<bool>()) {
            let edges: Vec<(u32, u32)> = raw.into_iter().filter(|e| (e.0 as usize) < nodes && (e.1 as usize) < nodes).collect();
            let (starts, ends) = csr(nodes, &edges);
            let follow = |e: usize| !odd || e.is_multiple_of(2);
            let mut scratch = SccScratch::default();
            // A second run on the same scratch must not see the first.
            scratch.run(&starts, &ends, 0..nodes as u32, |_| true);
            let count = scratch.run(&starts, &ends, 0..nodes as u32, follow);
            let mut graph: DiGraph<(), ()> = DiGraph::new();
            let ids: Vec<_> = (0..nodes).map(|_| graph.add_node(())).collect();
            for (e, &[a, b]) in ends.iter().enumerate() {
                if follow(e) {
                    graph.add_edge(ids[a as usize], ids[b as usize], ());
                }
            }
            let expected = petgraph::algo::kosaraju_scc(&graph);
            prop_assert_eq!(expected.len(), count as usize);
            for part in expected {
                let first = scratch.component[part[0].index()];
                prop_assert!(part.iter().all(|n| scratch.component[n.index()] == first));
            }
        }
    }

    #[test]
    fn a_chain_of_a_million_nodes_is_no_trouble() {
        let nodes = 1_000_000;
        let ends: Vec<[u32; 2]> = (0..nodes as u32)
            .map(|n| [n, (n + 1) % nodes as u32])
            .collect();
        let starts: Vec<u32> = (0..=nodes as u32).collect();
        assert_eq!(
            SccScratch::default().run(&starts, &ends, 0..nodes as u32, |_| true),
            1
        );
    }
}
