//! One state further: what it leads to, and what of that is new or cheaper.

use super::arena::{Arena, Full, NOBODY, Node, Status, hash_of};
use super::queue::{Entry, Queue};
use crate::search::dead_end::DeadEnds;
use crate::search::heuristics::{Estimate, Identity};
use crate::search::space::{Action, Ask, Space};

/// What steps may be off by rounding, as a part of what they are made of.
pub(super) const ROUNDING: f64 = 1e-9;

/// A state that an action leads to.
struct Next<S: Identity> {
    state: S::State,
    action: S::Action,
    g: f64,
    id: S::Id,
    hash: u64,
}

/// A complete way.
#[derive(Clone, Copy)]
pub(super) struct Goal<S: Space> {
    pub(super) state: S::State,
    pub(super) from: u32,
    pub(super) action: S::Action,
}

/// All that a search knows.
pub(super) struct Known<'a, S: Identity> {
    pub(super) space: &'a S,
    pub(super) arena: Arena<S>,
    pub(super) queue: Queue,
    pub(super) epsilon: f64,
    /// Bytes that may be taken.
    pub(super) memory: usize,
    /// The cheapest complete way.
    pub(super) goal: Option<Goal<S>>,
    /// What it costs, or what a way costs that was known before: what costs as much is of no use.
    pub(super) upper: f64,
    /// States that are open.
    pub(super) open: usize,
    pub(super) expanded: u64,
    /// The least estimate of any state expanded.
    pub(super) nearest: f64,
    /// Steps that lower the estimate by more than they cost.
    pub(super) falls: u64,
    /// A goal's estimate was not 0, or one before a goal more than the step to it.
    pub(super) too_high: bool,
    pub(super) dead_ends: DeadEnds<S::State>,
    next: Vec<Next<S>>,
}

impl<'a, S: Estimate + Identity> Known<'a, S> {
    pub(super) fn new(space: &'a S, queue: Queue, memory: usize, known: Option<f64>) -> Self {
        Self {
            space,
            arena: Arena::new(memory),
            queue,
            epsilon: 1.0,
            memory,
            goal: None,
            upper: known.filter(|k| !k.is_nan()).unwrap_or(f64::INFINITY),
            open: 0,
            expanded: 0,
            nearest: f64::INFINITY,
            falls: 0,
            too_high: false,
            dead_ends: DeadEnds::default(),
            next: Vec::new(),
        }
    }

    /// The estimate as the search has it: not negative.
    #[inline]
    pub(super) fn estimate(&self, state: &S::State) -> f64 {
        self.space.estimate(state).max(0.0)
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.queue.bytes()
    }

    /// Whether there may be no room for another entry of the queue.
    #[inline]
    fn crowded(&self) -> bool {
        self.bytes() + self.queue.next_bytes() > self.memory
    }

    /// Takes in where ways begin.
    pub(super) fn begin(&mut self, starts: Vec<S::State>) -> Result<(), Full> {
        for state in starts {
            self.meet(state, S::Action::NONE, (0.0, NOBODY));
        }
        self.take_in(0.0, (0.0, NOBODY))
    }

    /// Expands an open state. Returns how many actions were tried.
    pub(super) fn expand(&mut self, at: u32) -> Result<u64, Full> {
        let space = self.space;
        let node = self.arena.node_mut(at);
        let (state, g) = (node.state, node.g);
        node.set_status(Status::Closed);
        self.open -= 1;
        self.expanded += 1;
        let h = self.estimate(&state);
        self.nearest = self.nearest.min(h);
        let mut tried = 0;
        // What costs as much as the best way is of no use; a space that stops there saves itself the rest of the step.
        let ask = Ask {
            limit: self.upper - g,
            ..Ask::ALL
        };
        for (action, step) in space.successors(&state, ask) {
            tried += 1;
            match step {
                Ok(step) if step.cost.is_nan() => {}
                Ok(step) => {
                    let next = (g + step.cost.max(0.0), at);
                    // Where one step is enough, the estimate may not say more than that step.
                    let arrives = h > 0.0 && space.is_goal(&step.state);
                    self.too_high |= arrives && h > next.0 - g + ROUNDING * (1.0 + next.0);
                    self.meet(step.state, action, next);
                }
                Err(why) => self.dead_ends.note_at(-h, &state, why),
            }
        }
        self.take_in(h, (g, at))?;
        Ok(tried)
    }

    /// Goals are kept apart; all others wait until all of them are there.
    #[inline]
    fn meet(&mut self, state: S::State, action: S::Action, (g, from): (f64, u32)) {
        if g >= self.upper {
            return;
        }
        if self.space.is_goal(&state) {
            self.too_high |= self.estimate(&state) > ROUNDING * g.max(1.0);
            self.upper = g;
            self.goal = Some(Goal {
                state,
                from,
                action,
            });
            return;
        }
        let id = self.space.identity(&state);
        let hash = hash_of(&id);
        self.next.push(Next {
            state,
            action,
            g,
            id,
            hash,
        });
    }

    /// Takes in what was met.
    fn take_in(&mut self, h_from: f64, (g_from, from): (f64, u32)) -> Result<(), Full> {
        // Each of these may wait for memory; one after the other, with nothing between that depends on them, they wait together.
        let near = self.next.iter().map(|n| self.arena.touch(n.hash));
        std::hint::black_box(near.fold(0, |a, b| a ^ b));
        let mut next = std::mem::take(&mut self.next);
        let mut end = Ok(());
        for n in next.drain(..) {
            end = end.and_then(|()| self.take(n, h_from, (g_from, from)));
        }
        self.next = next;
        end
    }

    #[inline]
    fn take(&mut self, n: Next<S>, h_from: f64, (g_from, from): (f64, u32)) -> Result<(), Full> {
        let space = self.space;
        let there = self.arena.find(space, n.id, n.hash);
        let cheaper = there.is_none_or(|at| n.g < self.arena.node(at).g);
        if !cheaper && !cfg!(debug_assertions) {
            return Ok(());
        }
        let h = self.estimate(&n.state);
        // h(from) ≤ c + h; c as the difference of sums.
        let falls = h_from - h - (n.g - g_from);
        self.falls += u64::from(from != NOBODY && falls > ROUNDING * (1.0 + n.g + h_from));
        // What cannot cost less than the best way is of no use, ever: that only gets cheaper.
        if !cheaper || n.g + h >= self.upper {
            return Ok(());
        }
        let at = match there {
            Some(at) => {
                let node = self.arena.node_mut(at);
                node.reached(n.g, from, n.action);
                match node.status() {
                    Status::Closed | Status::Inconsistent => {
                        node.set_status(Status::Inconsistent);
                        return Ok(());
                    }
                    Status::Open => {}
                    Status::Settled => {
                        node.set_status(Status::Open);
                        self.open += 1;
                    }
                }
                at
            }
            None => {
                let mut node = Node::new(n.state, n.g, from, n.action);
                node.set_status(Status::Open);
                let left = self.memory.saturating_sub(self.queue.bytes());
                let at = self.arena.add(space, node, n.hash, left)?;
                self.open += 1;
                at
            }
        };
        if self.crowded() {
            return Err(Full);
        }
        self.queue.push(Entry::new(n.g + self.epsilon * h, at));
        Ok(())
    }
}
