//! A directed graph in which every arc takes whole frames, and the quickest ways through it.
//!
//! Times are whole numbers below a small bound, so a ring of buckets takes the place of a heap (Dial 1969). Of ways that are
//! equally quick the one with the least sum of √D counts: every arc takes a frame or more, so a node's sum is final before the
//! node is left.
//! Cost: O(nodes + arcs + time of the farthest). Checked by: Floyd–Warshall on random graphs.

/// Never.
pub const NEVER: u32 = u32::MAX;

/// Arcs sorted by the node they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arcs {
    /// Where each node's arcs begin; one more at the end.
    pub starts: Vec<u32>,
    /// From, to.
    pub ends: Vec<[u32; 2]>,
    /// Frames each takes, 1 or more.
    pub frames: Vec<u32>,
    /// √D in centimetres; 0 where a clip goes on as recorded.
    pub cm: Vec<f32>,
}

/// An arc: from, to, frames, √D in cm.
pub type Arc = (u32, u32, u32, f32);

impl Arcs {
    /// The arcs that `each` hands over; it is asked twice, and must hand over the same in the same order.
    pub fn collect(nodes: usize, each: impl Fn(&mut dyn FnMut(Arc))) -> Self {
        let mut starts = vec![0_u32; nodes + 1];
        each(&mut |(from, ..)| starts[from as usize + 1] += 1);
        for n in 0..nodes {
            starts[n + 1] += starts[n];
        }
        let count = starts[nodes] as usize;
        let mut out = Self {
            ends: vec![[0; 2]; count],
            frames: vec![0; count],
            cm: vec![0.0; count],
            starts: Vec::new(),
        };
        let mut next = starts.clone();
        each(&mut |(from, to, frames, cm)| {
            let at = &mut next[from as usize];
            out.ends[*at as usize] = [from, to];
            out.frames[*at as usize] = frames;
            out.cm[*at as usize] = cm;
            *at += 1;
        });
        out.starts = starts;
        out
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The same arcs the other way round.
    pub fn reversed(&self) -> Self {
        Self::collect(self.nodes(), |give| {
            for (e, &[from, to]) in self.ends.iter().enumerate() {
                give((to, from, self.frames[e], self.cm[e]));
            }
        })
    }

    /// Arcs that leave a node.
    pub fn leaving(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }
}

/// Quickest ways from some nodes to all; the memory serves one search after another.
#[derive(Clone, Debug)]
pub struct Quickest<'a> {
    arcs: &'a Arcs,
    /// Frames to each node; [`NEVER`] where there is no way.
    pub time: Vec<u32>,
    /// Σ √D in centimetres along the way.
    pub cm: Vec<f64>,
    came: Vec<u32>,
    ring: Vec<Vec<u32>>,
}

impl<'a> Quickest<'a> {
    /// Memory for searches along some arcs.
    pub fn new(arcs: &'a Arcs) -> Self {
        let longest = arcs.frames.iter().copied().max().unwrap_or(1) as usize;
        Self {
            arcs,
            time: vec![NEVER; arcs.nodes()],
            cm: vec![0.0; arcs.nodes()],
            came: vec![NEVER; arcs.nodes()],
            ring: vec![Vec::new(); longest + 1],
        }
    }

    /// Finds the quickest ways from any of some nodes to all.
    pub fn from(&mut self, sources: impl Iterator<Item = u32>) {
        self.time.fill(NEVER);
        self.cm.fill(0.0);
        self.came.fill(NEVER);
        let mut waiting = 0_usize;
        for node in sources {
            if self.time[node as usize] == NEVER {
                self.time[node as usize] = 0;
                self.ring[0].push(node);
                waiting += 1;
            }
        }
        let mut now = 0_u32;
        while waiting > 0 {
            let slot = now as usize % self.ring.len();
            // No arc takes a whole round of the ring or nothing at all, so this bucket does not grow while it is emptied.
            let mut bucket = std::mem::take(&mut self.ring[slot]);
            waiting -= bucket.len();
            for node in bucket.drain(..) {
                // What was reached sooner has been left already.
                if self.time[node as usize] == now {
                    waiting += self.leave(node, now);
                }
            }
            self.ring[slot] = bucket;
            now += 1;
        }
    }

    fn leave(&mut self, node: u32, now: u32) -> usize {
        let mut pushed = 0;
        let sum = self.cm[node as usize];
        for e in self.arcs.leaving(node) {
            let to = self.arcs.ends[e][1] as usize;
            let then = now + self.arcs.frames[e];
            let cm = sum + f64::from(self.arcs.cm[e]);
            if then < self.time[to] {
                let slot = then as usize % self.ring.len();
                self.ring[slot].push(to as u32);
                pushed += 1;
            } else if then > self.time[to] || cm >= self.cm[to] {
                continue;
            }
            self.time[to] = then;
            self.cm[to] = cm;
            self.came[to] = e as u32;
        }
        pushed
    }

    /// The arcs of the way found to a node, in order; empty for a source and for what cannot be reached.
    pub fn way(&self, node: u32) -> Vec<u32> {
        let mut out = Vec::new();
        let mut at = node;
        while self.came[at as usize] != NEVER {
            let arc = self.came[at as usize];
            out.push(arc);
            at = self.arcs.ends[arc as usize][0];
        }
        out.reverse();
        out
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn arcs_of(nodes: usize, list: &[Arc]) -> Arcs {
        Arcs::collect(nodes, |give| list.iter().for_each(|&a| give(a)))
    }

    /// All pairs by Floyd and Warshall, over (frames, hundredths of a centimetre).
    pub fn all_pairs(nodes: usize, list: &[Arc]) -> Vec<Vec<Option<(u32, i64)>>> {
        let mut best = vec![vec![None; nodes]; nodes];
        let better = |a: Option<(u32, i64)>, b: (u32, i64)| Some(a.map_or(b, |a| a.min(b)));
        for (n, row) in best.iter_mut().enumerate() {
            row[n] = Some((0, 0));
        }
        for &(from, to, frames, cm) in list {
            let cell = &mut best[from as usize][to as usize];
            *cell = better(*cell, (frames, (cm * 100.0).round() as i64));
        }
        for k in 0..nodes {
            for a in 0..nodes {
                for b in 0..nodes {
                    if let (Some(x), Some(y)) = (best[a][k], best[k][b]) {
                        best[a][b] = better(best[a][b], (x.0 + y.0, x.1 + y.1));
                    }
                }
            }
        }
        best
    }

    /// Random graphs: nodes, and arcs with √D in whole centimetres.
    pub fn graphs() -> impl Strategy<Value = (usize, Vec<Arc>)> {
        (1_usize..14).prop_flat_map(|nodes| {
            let n = nodes as u32;
            let arc = (0..n, 0..n, 1_u32..9, 0_u8..5)
                .prop_map(|(a, b, frames, cm)| (a, b, frames, f32::from(cm)));
            (Just(nodes), prop::collection::vec(arc, 0..40))
        })
    }

    proptest! {
        #[test]
        fn buckets_find_what_floyd_and_warshall_find((nodes, list) in graphs()) {
            let arcs = arcs_of(nodes, &list);
            let expected = all_pairs(nodes, &list);
            let mut search = Quickest::new(&arcs);
            for (source, expected) in expected.iter().enumerate() {
                search.from(std::iter::once(source as u32));
                for (node, expected) in expected.iter().enumerate() {
                    let found = (search.time[node] != NEVER)
                        .then(|| (search.time[node], (search.cm[node] * 100.0).round() as i64));
                    prop_assert_eq!(found, *expected);
                    let way = search.way(node as u32);
                    let frames: u32 = way.iter().map(|&e| arcs.frames[e as usize]).sum();
                    prop_assert_eq!(found.map_or(0, |f| f.0), frames);
                }
            }
        }

        #[test]
        fn the_other_way_round_times_are_the_same((nodes, list) in graphs()) {
            let arcs = arcs_of(nodes, &list);
            let back = arcs.reversed();
            let (mut there, mut again) = (Quickest::new(&arcs), Quickest::new(&back));
            for a in 0..nodes as u32 {
                there.from(std::iter::once(a));
                for b in 0..nodes as u32 {
                    again.from(std::iter::once(b));
                    prop_assert_eq!(there.time[b as usize], again.time[a as usize]);
                }
            }
        }
    }
}
