//! What searches have in common: budgets, a way to stop them, and what they bring back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gaitway_graph::EdgeId;
use serde::Serialize;

use super::problem::{Problem, Step};

/// How much a search may spend. Whichever is spent first ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Edges tried, all bites and rounds together. This one is deterministic.
    pub expansions: u64,
    /// Wall-clock time; results then differ from machine to machine, and the report says so.
    pub time: Option<Duration>,
    /// Bytes of arena; default 256 MiB.
    pub memory: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            expansions: 2_000_000,
            time: None,
            memory: 256 << 20,
        }
    }
}

impl Budget {
    /// So many edges tried.
    pub fn expansions(expansions: u64) -> Self {
        Self {
            expansions,
            ..Self::default()
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchProgress {
    /// Edges tried so far.
    pub expansions: u64,
    /// Progress of the furthest state over that of a complete walk, 0 to 1.
    pub part: f64,
    /// Cost of the best complete walk so far.
    pub best: Option<f64>,
}

/// A way to stop a search from outside and to hear from it. Both are optional.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// Set to stop: the best walk so far comes back.
    pub cancel: Option<&'a AtomicBool>,
    /// Called now and then.
    pub progress: Option<&'a (dyn Fn(SearchProgress) + Sync)>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// A complete walk, and the search had its way to the end.
    Solved,
    /// The budget was spent, or the search was stopped; the best walk so far, complete or not.
    BudgetSpent,
    /// There is no complete walk, or none was met.
    NoWalk {
        /// Why.
        reason: String,
    },
}

/// What a search brings back.
#[derive(Clone, Debug)]
pub struct Found<S> {
    /// The state the walk starts from.
    pub start: Option<S>,
    /// The state it leads to.
    pub end: Option<S>,
    /// Its edges.
    pub edges: Vec<EdgeId>,
    /// Working frames played of the last edge.
    pub last_frames: u32,
    /// f(w).
    pub cost: f64,
    /// Proven: no complete walk costs less. `None` where nothing is proven.
    pub bound: Option<f64>,
    /// Edges tried.
    pub expansions: u64,
    /// Whether the walk is complete.
    pub complete: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// False where a clock had a say.
    pub deterministic: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl<S> Found<S> {
    /// Nothing, for a reason.
    pub fn none(reason: String) -> Self {
        Self {
            start: None,
            end: None,
            edges: Vec::new(),
            last_frames: 0,
            cost: 0.0,
            bound: None,
            expansions: 0,
            complete: false,
            outcome: Outcome::NoWalk { reason },
            deterministic: true,
            seconds: 0.0,
        }
    }
}

/// Counts what is spent.
pub(crate) struct Meter<'a> {
    pub expansions: u64,
    pub limit: u64,
    pub since: Instant,
    time: Option<Duration>,
    control: Control<'a>,
    stopped: bool,
    next_look: u64,
}

impl<'a> Meter<'a> {
    /// How many edges are tried between two looks at the clock and the caller's wishes.
    const LOOK_EVERY: u64 = 1024;

    pub fn new(budget: &Budget, control: Control<'a>) -> Self {
        Self {
            expansions: 0,
            limit: budget.expansions,
            since: Instant::now(),
            time: budget.time,
            control,
            stopped: false,
            next_look: 0,
        }
    }

    /// Whether to stop now.
    #[inline]
    pub fn spent(&mut self) -> bool {
        if self.expansions >= self.next_look {
            self.next_look = self.expansions + Self::LOOK_EVERY;
            let cancelled = self.control.cancel;
            self.stopped |= cancelled.is_some_and(|c| c.load(Ordering::Relaxed));
            self.stopped |= self.time.is_some_and(|t| self.since.elapsed() >= t);
        }
        self.stopped || self.expansions >= self.limit
    }

    pub fn tell(&self, part: f64, best: Option<f64>) {
        if let Some(progress) = self.control.progress {
            progress(SearchProgress {
                expansions: self.expansions,
                part: part.clamp(0.0, 1.0),
                best,
            });
        }
    }

    pub fn deterministic(&self) -> bool {
        self.time.is_none()
    }
}

/// Walks edges from a state, the last one only in part: states and costs as a search would see them.
///
/// `None` where a constraint cuts the walk.
pub fn replay<P: Problem>(
    problem: &P,
    start: &P::State,
    edges: &[EdgeId],
    last_frames: u32,
) -> Option<(P::State, f64)> {
    let (mut state, mut cost) = (*start, 0.0);
    for (k, &edge) in edges.iter().enumerate() {
        let mut ask = super::problem::Ask::ALL;
        if k + 1 == edges.len() {
            ask.most_frames = last_frames;
        }
        let Step {
            state: s, cost: c, ..
        } = problem.step(&state, edge, ask).ok()?;
        state = s;
        cost += c;
    }
    Some((state, cost))
}
