//! What of all interpolated frames is needed: those on best ways between captured ones.
//!
//! From every captured frame at which one can leave, the best ways to all captured frames at which one can arrive (Dijkstra; costs are whole
//! numbers, so a ring of buckets serves as the queue); what lies on them is kept. With μ > 1 whatever is not kept yet costs μ times as
//! much, so that ways found later reuse what earlier ones needed (Zhao and Safonova, eq. 1); with μ = 1 the best ways between captured frames
//! are those of the whole graph. Nodes at which nothing leaves or arrives are left out beforehand, and a way's pieces between them
//! are one arc. With μ > 1 a few sources are searched at a time against the same kept set, so that threads may share them: the same result
//! on any number of threads. What is kept for the first sources is what the others reuse, so the first lie far apart: neighbours in time,
//! searched together, would keep the same way many times over, a frame beside each other.

use rayon::prelude::*;

/// Cost of a frame, and of a centimetre of √D: a way's seconds and its jumps count alike, as in the paper.
const UNIT: f64 = 8.0;

/// Arcs that searches may look at, all together: a minute or two. Where graphs are larger only some sources are searched from, evenly over
/// them: what ways from their neighbours need is mostly the same.
pub(super) const MOST_WORK: u64 = 20_000_000_000;

/// Sources searched at a time where what they find depends on what was kept before.
const AT_ONCE: usize = 4;

const NONE: u32 = u32::MAX;

/// From one clip into another: leaves at a boundary, and is free again at another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Join {
    pub from: (u32, u32),
    /// Where nothing of the jump is left.
    pub to: (u32, u32),
    pub frames: u32,
    pub cm: f32,
}

/// Clips and joins as nodes and arcs.
pub(super) struct Net {
    /// Clip and boundary, in order.
    pub nodes: Vec<(u32, u32)>,
    captured: u32,
    starts: Vec<u32>,
    heads: Vec<u32>,
    costs: Vec<u32>,
    /// The join an arc is; `NONE` along a clip.
    joins: Vec<u32>,
}

/// What is kept.
pub(super) struct Kept {
    /// Of all joins.
    pub joins: Vec<bool>,
    /// Stretches of interpolated clips as they are played, by clip: working boundaries.
    pub pieces: Vec<(u32, std::ops::Range<u32>)>,
    /// Sources searched from, and how many there are.
    pub sources: [usize; 2],
}

impl Net {
    /// Of clips, the first `captured` of which are, and joins between them.
    pub fn new(captured: u32, joins: &[Join]) -> Self {
        let mut nodes: Vec<(u32, u32)> = joins.iter().flat_map(|j| [j.from, j.to]).collect();
        nodes.par_sort_unstable();
        nodes.dedup();
        let number = |at: (u32, u32)| nodes.binary_search(&at).unwrap_or(0) as u32;
        let follows = |k: usize| nodes[k].0 == nodes[k + 1].0;
        let count = nodes.len();
        let pieces = (0..count.saturating_sub(1)).filter(|&k| follows(k));
        let mut arcs: Vec<(u32, u32, u32, u32)> = pieces
            .map(|k| {
                let frames = nodes[k + 1].1 - nodes[k].1;
                (k as u32, k as u32 + 1, cost(frames, 0.0), NONE)
            })
            .collect();
        let joined: Vec<(u32, u32, u32, u32)> = joins
            .par_iter()
            .enumerate()
            .map(|(k, j)| {
                let cost = cost(j.frames, f64::from(j.cm));
                (number(j.from), number(j.to), cost, k as u32)
            })
            .collect();
        arcs.extend(joined);
        arcs.par_sort_unstable();
        let mut starts = vec![0; count + 1];
        arcs.iter().for_each(|a| starts[a.0 as usize + 1] += 1);
        for n in 0..count {
            starts[n + 1] += starts[n];
        }
        let captured = nodes.partition_point(|n| n.0 < captured) as u32;
        Self {
            nodes,
            captured,
            starts,
            heads: arcs.iter().map(|a| a.1).collect(),
            costs: arcs.iter().map(|a| a.2).collect(),
            joins: arcs.iter().map(|a| a.3).collect(),
        }
    }

    fn leaving(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// Captured nodes at which a clip can be left.
    fn sources(&self) -> Vec<u32> {
        let leaves = |n: &u32| self.leaving(*n).any(|e| self.joins[e] != NONE);
        (0..self.captured).filter(leaves).collect()
    }

    /// Captured nodes at which a join arrives.
    fn targets(&self) -> Vec<bool> {
        let mut out = vec![false; self.captured as usize];
        for (&head, &join) in self.heads.iter().zip(&self.joins) {
            if join != NONE && head < self.captured {
                out[head as usize] = true;
            }
        }
        out
    }

    /// Keeps what best ways need, looking at about `most_work` arcs. `on` hears how many of how many searches are done and says whether to go on; `None` where it did not.
    pub fn reduce(
        &self,
        mu: f64,
        all_joins: usize,
        most_work: u64,
        on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Kept> {
        let (all, targets) = (self.sources(), self.targets());
        let step = (all.len() as u64 * self.heads.len() as u64).div_ceil(most_work);
        let sources = spread(all.iter().copied().step_by(step.max(1) as usize));
        // Along captured clips everything is kept.
        let mut used = vec![false; self.heads.len()];
        let mut held = vec![false; self.nodes.len()];
        held[..self.captured as usize].fill(true);
        for n in 0..self.captured {
            for e in self.leaving(n).filter(|&e| self.joins[e] == NONE) {
                used[e] = true;
            }
        }
        let at_once = if mu > 1.0 { AT_ONCE } else { 256 };
        let mut done = 0;
        for batch in sources.chunks(at_once) {
            let found: Vec<Vec<u32>> = batch
                .par_iter()
                .map_init(
                    || Search::new(self, mu),
                    |search, &source| search.ways(self, source, &targets, &held, &used),
                )
                .collect();
            for e in found.into_iter().flatten() {
                used[e as usize] = true;
                held[self.heads[e as usize] as usize] = true;
            }
            done += batch.len();
            if !on(done, sources.len()) {
                return None;
            }
        }
        let mut kept = self.kept(&used, all_joins);
        kept.sources = [sources.len(), all.len()];
        Some(kept)
    }

    fn kept(&self, used: &[bool], all_joins: usize) -> Kept {
        let mut out = Kept {
            joins: vec![false; all_joins],
            pieces: Vec::new(),
            sources: [0; 2],
        };
        for n in 0..self.nodes.len() as u32 {
            for e in self.leaving(n).filter(|&e| used[e]) {
                let head = self.nodes[self.heads[e] as usize];
                match self.joins[e] {
                    NONE if n >= self.captured => {
                        out.pieces.push((head.0, self.nodes[n as usize].1..head.1));
                    }
                    NONE => {}
                    join => out.joins[join as usize] = true,
                }
            }
        }
        out
    }
}

/// In an order in which every part of the list has its turn early: halves, quarters, eighths.
fn spread(list: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut turns: Vec<(u32, u32)> = list
        .zip(0_u32..)
        .map(|(n, k)| (k.reverse_bits(), n))
        .collect();
    turns.sort_unstable();
    turns.into_iter().map(|(_, n)| n).collect()
}

fn cost(frames: u32, cm: f64) -> u32 {
    ((f64::from(frames) + cm) * UNIT).round() as u32
}

/// Room for searches.
struct Search {
    mu: f64,
    least: Vec<u32>,
    /// The arc a node is reached by, and where from.
    came: Vec<[u32; 2]>,
    /// Nodes whose values are not those of an untouched node.
    touched: Vec<u32>,
    marked: Vec<bool>,
    ring: Vec<Vec<u32>>,
}

impl Search {
    fn new(net: &Net, mu: f64) -> Self {
        let dearest = net.costs.iter().copied().max().unwrap_or(1);
        let longest = (f64::from(dearest) * mu).ceil() as usize + 1;
        Self {
            mu,
            least: vec![NONE; net.nodes.len()],
            came: vec![[NONE; 2]; net.nodes.len()],
            touched: Vec::new(),
            marked: vec![false; net.nodes.len()],
            ring: vec![Vec::new(); longest + 1],
        }
    }

    /// The arcs of the best ways from a node to all targets that are not used yet.
    fn ways(
        &mut self,
        net: &Net,
        source: u32,
        targets: &[bool],
        held: &[bool],
        used: &[bool],
    ) -> Vec<u32> {
        for &n in &self.touched {
            self.least[n as usize] = NONE;
            self.marked[n as usize] = false;
        }
        self.touched.clear();
        self.ring.iter_mut().for_each(Vec::clear);
        self.reach(source, 0, [NONE; 2]);
        let (mut waiting, mut now) = (1_usize, 0_u32);
        let mut left = targets.iter().filter(|t| **t).count();
        let mut arrived = Vec::new();
        while waiting > 0 && left > 0 {
            let slot = now as usize % self.ring.len();
            let mut k = 0;
            while k < self.ring[slot].len() {
                let node = self.ring[slot][k];
                k += 1;
                waiting -= 1;
                if self.least[node as usize] != now
                    || std::mem::replace(&mut self.marked[node as usize], true)
                {
                    continue;
                }
                if targets.get(node as usize) == Some(&true) {
                    left -= 1;
                    arrived.push(node);
                }
                for e in net.leaving(node) {
                    let head = net.heads[e];
                    let (h, n) = (head as usize, node as usize);
                    // Among what is kept an arc costs what it costs; all else is dearer: frames of interpolated clips, and half of a join
                    // with such an end, which is half what it leaves and half what it enters.
                    let dearer = match net.joins[e] {
                        NONE if used[e] => 1.0,
                        NONE => self.mu,
                        _ if held[n] && held[h] => 1.0,
                        _ => f64::midpoint(1.0, self.mu),
                    };
                    let cost = (f64::from(net.costs[e]) * dearer).round() as u32;
                    let then = now + cost.max(1);
                    if then < self.least[h] {
                        self.reach(head, then, [e as u32, node]);
                        waiting += 1;
                    }
                }
            }
            self.ring[slot].clear();
            now += 1;
        }
        self.marked.iter_mut().for_each(|m| *m = false);
        let mut out = Vec::new();
        for target in arrived {
            let mut at = target;
            while !std::mem::replace(&mut self.marked[at as usize], true) {
                let [arc, before] = self.came[at as usize];
                if arc == NONE {
                    break;
                }
                if !used[arc as usize] {
                    out.push(arc);
                }
                at = before;
            }
        }
        out
    }

    fn reach(&mut self, node: u32, at: u32, came: [u32; 2]) {
        if self.least[node as usize] == NONE {
            self.touched.push(node);
        }
        self.least[node as usize] = at;
        self.came[node as usize] = came;
        let slot = at as usize % self.ring.len();
        self.ring[slot].push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Least costs between captured nodes that can be left and reached, over all joins or some, by relaxing until nothing changes.
    fn plainly(net: &Net, joins: Option<&[bool]>) -> Vec<Vec<u32>> {
        let mut out = Vec::new();
        for source in net.sources() {
            let mut least = vec![NONE; net.nodes.len()];
            least[source as usize] = 0;
            loop {
                let mut changed = false;
                for n in 0..net.nodes.len() as u32 {
                    for e in net.leaving(n) {
                        let there =
                            joins.is_none_or(|k| net.joins[e] == NONE || k[net.joins[e] as usize]);
                        let then = least[n as usize].saturating_add(net.costs[e]);
                        let best = &mut least[net.heads[e] as usize];
                        if there && then < *best {
                            *best = then;
                            changed = true;
                        }
                    }
                }
                if !changed {
                    break;
                }
            }
            let targets = net.targets();
            out.push(
                (0..targets.len())
                    .filter(|&t| targets[t])
                    .map(|t| least[t])
                    .collect(),
            );
        }
        out
    }

    fn nets() -> impl Strategy<Value = Vec<Join>> {
        let join = (
            0_u32..6,
            0_u32..12,
            0_u32..6,
            2_u32..12,
            1_u32..3,
            0_u32..40,
        );
        prop::collection::vec(join, 1..60).prop_map(|list| {
            let join = |(a, i, b, j, frames, mm): (u32, u32, u32, u32, u32, u32)| Join {
                from: (a, i),
                to: (b, j),
                frames,
                cm: mm as f32 / 10.0,
            };
            list.into_iter().map(join).collect()
        })
    }

    proptest! {
        /// μ = 1 keeps every best cost between captured nodes.
        #[test]
        fn best_ways_stay_best(joins in nets()) {
            let net = Net::new(2, &joins);
            let kept = net.reduce(1.0, joins.len(), MOST_WORK, &mut |_, _| true).expect("not stopped");
            prop_assert_eq!(plainly(&net, None), plainly(&net, Some(&kept.joins)));
        }

        /// μ > 1 keeps every way there was, and none that costs more than μ times as much.
        #[test]
        fn dearer_ways_are_bounded(joins in nets(), mu in 1.5_f64..8.0) {
            let net = Net::new(2, &joins);
            let kept = net.reduce(mu, joins.len(), MOST_WORK, &mut |_, _| true).expect("not stopped");
            let (whole, some) = (plainly(&net, None), plainly(&net, Some(&kept.joins)));
            for (a, b) in whole.iter().flatten().zip(some.iter().flatten()) {
                prop_assert_eq!(*a == NONE, *b == NONE);
                prop_assert!(*a == NONE || f64::from(*b) <= f64::from(*a) * mu + 30.0);
            }
        }
    }

    #[test]
    fn too_much_work_is_done_in_part_and_told() {
        let join = |k: u32| Join {
            from: (0, 3 + k),
            to: (1, 9 + k),
            frames: 2,
            cm: 1.0,
        };
        let net = Net::new(2, &[join(0), join(1), join(2), join(3)]);
        let all = net.reduce(1.0, 4, MOST_WORK, &mut |_, _| true);
        assert_eq!(all.expect("not stopped").sources, [4, 4]);
        let half = net.heads.len() as u64 * 2;
        let some = net.reduce(1.0, 4, half, &mut |_, _| true);
        assert_eq!(some.expect("not stopped").sources, [2, 4]);
    }

    #[test]
    fn a_stopped_reduction_gives_nothing() {
        let join = Join {
            from: (0, 3),
            to: (1, 9),
            frames: 2,
            cm: 1.0,
        };
        let net = Net::new(2, &[join]);
        assert!(net.reduce(1.0, 1, MOST_WORK, &mut |_, _| false).is_none());
    }
}
