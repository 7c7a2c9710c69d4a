//! Quickest ways that keep a bound: what they jump, √D summed over the joins of any stretch of time, stays below it.
//!
//! A node alone does not say where one may go on to: it depends on what was joined a moment ago. So a node has labels, each a time and
//! the joins it remembers. A label is dropped where another came no later and, of any age, remembers no more: whatever the one may do,
//! the other may do too.
//! Cost: labels × arcs of their nodes. Checked by: all ways of small random graphs.

use super::arcs::{Arcs, NEVER};

/// The most that ways may jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Over any so many frames in a row.
    pub frames: u32,
    /// Σ √D, centimetres.
    pub cm: f64,
}

/// A way to a node.
#[derive(Clone, Copy, Debug)]
struct Label {
    node: u32,
    time: u32,
    /// The label and the arc it came by.
    came: [u32; 2],
    /// Its last join.
    last: u32,
    /// Another label of the node, settled before.
    other: u32,
}

/// A join of a way.
#[derive(Clone, Copy, Debug)]
struct Jump {
    time: u32,
    cm: f64,
    before: u32,
}

/// Quickest ways that keep a bound; the memory serves one search after another.
#[derive(Clone, Debug)]
pub(super) struct Bounded<'a> {
    arcs: &'a Arcs,
    bound: Bound,
    pub time: Vec<u32>,
    labels: Vec<Label>,
    jumps: Vec<Jump>,
    /// Of each node, the label settled last and the one settled first.
    settled: Vec<[u32; 2]>,
    ring: Vec<Vec<u32>>,
}

impl<'a> Bounded<'a> {
    pub fn new(arcs: &'a Arcs, bound: Bound) -> Self {
        let longest = arcs.frames.iter().copied().max().unwrap_or(1) as usize;
        Self {
            arcs,
            bound,
            time: vec![NEVER; arcs.nodes()],
            labels: Vec::new(),
            jumps: Vec::new(),
            settled: vec![[NEVER; 2]; arcs.nodes()],
            ring: vec![Vec::new(); longest + 1],
        }
    }

    pub fn from(&mut self, sources: impl Iterator<Item = u32>) {
        self.time.fill(NEVER);
        self.settled.fill([NEVER; 2]);
        self.labels.clear();
        self.jumps.clear();
        let mut waiting = 0_usize;
        for node in sources {
            self.wait(node, 0, [NEVER; 2], NEVER);
            waiting += 1;
        }
        let mut now = 0_u32;
        while waiting > 0 {
            let slot = now as usize % self.ring.len();
            // As without a bound: this bucket does not grow while it is emptied.
            let mut bucket = std::mem::take(&mut self.ring[slot]);
            waiting -= bucket.len();
            for label in bucket.drain(..) {
                if self.settle(label) {
                    waiting += self.leave(label);
                }
            }
            self.ring[slot] = bucket;
            now += 1;
        }
    }

    fn wait(&mut self, node: u32, time: u32, came: [u32; 2], last: u32) {
        let slot = time as usize % self.ring.len();
        self.ring[slot].push(self.labels.len() as u32);
        self.labels.push(Label {
            node,
            time,
            came,
            last,
            other: NEVER,
        });
    }

    /// Keeps a label where it adds anything to those its node has.
    fn settle(&mut self, label: u32) -> bool {
        let new = self.labels[label as usize];
        if self.is_dominated(new.node, new.time, new.last) {
            return false;
        }
        let [newest, first] = self.settled[new.node as usize];
        self.labels[label as usize].other = newest;
        let first = if first == NEVER { label } else { first };
        self.settled[new.node as usize] = [label, first];
        let time = &mut self.time[new.node as usize];
        *time = (*time).min(new.time);
        true
    }

    /// Whether a node has a label that came no later and at every age sums up no more.
    fn is_dominated(&self, node: u32, time: u32, last: u32) -> bool {
        let mut at = self.settled[node as usize][0];
        while at != NEVER {
            let old = &self.labels[at as usize];
            if self.remembers_no_more((old.time, old.last), (time, last)) {
                return true;
            }
            at = old.other;
        }
        false
    }

    /// A join as it is remembered at a time, its age and √D; `None` where it is too long ago.
    fn remembered(&self, now: u32, jump: u32) -> Option<(u32, &Jump)> {
        let jump = self.jumps.get(jump as usize)?;
        let age = now - jump.time;
        (age < self.bound.frames).then_some((age, jump))
    }

    /// Whether at every age the first (now, its last join) sums up no more than the second.
    fn remembers_no_more(&self, a: (u32, u32), b: (u32, u32)) -> bool {
        let (mut sum_a, mut sum_b) = (0.0, 0.0);
        let (mut of_a, mut of_b) = (a.1, b.1);
        while let Some((age, jump)) = self.remembered(a.0, of_a) {
            sum_a += jump.cm;
            of_a = jump.before;
            while let Some((_, jump)) = self.remembered(b.0, of_b).filter(|b| b.0 <= age) {
                sum_b += jump.cm;
                of_b = jump.before;
            }
            if sum_a > sum_b {
                return false;
            }
        }
        true
    }

    fn leave(&mut self, label: u32) -> usize {
        let (from, arcs) = (self.labels[label as usize], self.arcs);
        let (mut sum, mut at) = (0.0, from.last);
        while let Some((_, jump)) = self.remembered(from.time, at) {
            sum += jump.cm;
            at = jump.before;
        }
        let mut pushed = 0;
        for e in arcs.leaving(from.node) {
            let cm = f64::from(arcs.cm[e]);
            if cm > 0.0 && sum + cm > self.bound.cm {
                continue;
            }
            let mut last = from.last;
            if cm > 0.0 {
                last = self.jumps.len() as u32;
                self.jumps.push(Jump {
                    time: from.time,
                    cm,
                    before: from.last,
                });
            }
            let (to, then) = (arcs.ends[e][1], from.time + arcs.frames[e]);
            // Most add nothing to what is known already, and need not wait to be told so.
            if self.is_dominated(to, then, last) {
                if cm > 0.0 {
                    self.jumps.pop();
                }
                continue;
            }
            self.wait(to, then, [label, e as u32], last);
            pushed += 1;
        }
        pushed
    }

    /// The arcs of the way found first to a node, in order.
    pub fn way(&self, node: u32) -> Vec<u32> {
        let mut out = Vec::new();
        let mut at = self.settled[node as usize][1];
        while let Some(label) = self.labels.get(at as usize) {
            let [before, arc] = label.came;
            if arc != NEVER {
                out.push(arc);
            }
            at = before;
        }
        out.reverse();
        out
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use proptest::prelude::*;

    use super::super::arcs::tests::{arcs_of, graphs};
    use super::super::arcs::{Arc, Quickest};
    use super::*;

    /// Frames to every node up to `longest`: all states of a node and the joins before it, frame by frame.
    fn plainly(nodes: usize, list: &[Arc], source: u32, bound: Bound, longest: u32) -> Vec<u32> {
        type State = (u32, u32, Vec<(u32, u32)>);
        let mut time = vec![NEVER; nodes];
        let mut open: BTreeSet<State> = BTreeSet::from([(0, source, Vec::new())]);
        let mut seen: HashSet<State> = HashSet::new();
        while let Some(state) = open.pop_first() {
            let (now, node, joins) = state.clone();
            if now > longest || !seen.insert(state) {
                continue;
            }
            time[node as usize] = time[node as usize].min(now);
            for &(_, to, frames, cm) in list.iter().filter(|a| a.0 == node) {
                let recent = joins.iter().filter(|j| now - j.0 < bound.frames);
                let mut then: Vec<(u32, u32)> = recent.copied().collect();
                if cm > 0.0 {
                    then.push((now, cm as u32));
                }
                let sum: u32 = then.iter().map(|j| j.1).sum();
                if cm == 0.0 || f64::from(sum) <= bound.cm {
                    open.insert((now + frames, to, then));
                }
            }
        }
        time
    }

    proptest! {
        #[test]
        fn the_quickest_ways_within_a_bound_are_found((nodes, list) in graphs(), frames in 1_u32..8, cm in 1_u32..6) {
            const LONGEST: u32 = 16;
            let bound = Bound { frames, cm: f64::from(cm) };
            let arcs = arcs_of(nodes, &list);
            let mut search = Bounded::new(&arcs, bound);
            for source in 0..nodes as u32 {
                search.from(std::iter::once(source));
                let expected = plainly(nodes, &list, source, bound, LONGEST);
                for (node, &expected) in expected.iter().enumerate() {
                    let found = Some(search.time[node]).filter(|t| *t <= LONGEST).unwrap_or(NEVER);
                    prop_assert_eq!(found, expected);
                    let way = search.way(node as u32);
                    let (mut now, mut joins) = (0, Vec::new());
                    for &e in &way {
                        joins.push((now, f64::from(arcs.cm[e as usize])));
                        now += arcs.frames[e as usize];
                    }
                    prop_assert!(way.is_empty() || now == search.time[node]);
                    prop_assert!(super::super::bend::largest_sum(&joins, frames) <= bound.cm);
                }
            }
        }

        /// As long as every arc takes one frame, as in the forms that fade: joins are then as far apart in time either way.
        #[test]
        fn the_other_way_round_times_are_the_same((nodes, mut list) in graphs(), frames in 1_u32..8, cm in 1_u32..6) {
            list.iter_mut().for_each(|arc| arc.2 = 1);
            let arcs = arcs_of(nodes, &list);
            let back = arcs.reversed();
            let bound = Bound { frames, cm: f64::from(cm) };
            let (mut there, mut again) = (Bounded::new(&arcs, bound), Bounded::new(&back, bound));
            for a in 0..nodes as u32 {
                there.from(std::iter::once(a));
                for b in 0..nodes as u32 {
                    again.from(std::iter::once(b));
                    prop_assert_eq!(there.time[b as usize], again.time[a as usize]);
                }
            }
        }

        #[test]
        fn a_bound_above_all_sums_changes_nothing((nodes, list) in graphs()) {
            let arcs = arcs_of(nodes, &list);
            let bound = Bound { frames: 20, cm: 1e6 };
            let (mut bounded, mut free) = (Bounded::new(&arcs, bound), Quickest::new(&arcs));
            for source in 0..nodes as u32 {
                bounded.from(std::iter::once(source));
                free.from(std::iter::once(source));
                prop_assert_eq!(&bounded.time, &free.time);
            }
        }
    }
}
