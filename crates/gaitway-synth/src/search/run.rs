//! What searches have in common: budgets, a way to stop them, and what they bring back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};
use serde::Serialize;

use super::problem::{Problem, Step};
use crate::{SynthError, Walk};

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

/// The best walk while a search is under way: the cheapest complete one, or, before there is one, the best of those that
/// have come furthest.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSoFar {
    /// The node it starts from.
    pub start: NodeId,
    /// What carries its first clip into the world: see [`Problem::placement`].
    pub world_from_start: Planar,
    /// Its edges.
    pub edges: Vec<EdgeId>,
    /// Working frames played of the last edge.
    pub last_frames: u32,
    /// f of what is walked so far.
    pub cost: f64,
    /// Whether it is complete.
    pub complete: bool,
    /// How far it has come, 0 to 1.
    pub part: f64,
    /// Edges tried so far.
    pub expansions: u64,
}

impl BestSoFar {
    /// The walk itself, ready to be assembled with `world_from_start`; `None` before its first edge.
    ///
    /// # Errors
    /// When it is none of this graph.
    pub fn walk(&self, graph: &MotionGraph) -> Result<Option<Walk>, SynthError> {
        walk_of(graph, self.start, &self.edges, self.last_frames)
    }
}

/// A walk of whole edges but for the last.
pub(crate) fn walk_of(
    graph: &MotionGraph,
    start: NodeId,
    edges: &[EdgeId],
    last_frames: u32,
) -> Result<Option<Walk>, SynthError> {
    let Some(&last) = edges.last() else {
        return Ok(None);
    };
    let walk = Walk::new(graph, start, edges.to_vec())?;
    let drop = graph.working_length(last).saturating_sub(last_frames);
    walk.trimmed(graph, 0, drop).map(Some)
}

/// A way to stop a search from outside and to hear from it. All are optional, and none changes what is found.
///
/// ```no_run
/// # use gaitway_synth::search::{BestSoFar, Control};
/// let show = |best: BestSoFar| println!("{} edges, {:.0} %", best.edges.len(), 100.0 * best.part);
/// let control = Control { best: Some(&show), ..Control::default() };
/// ```
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// Set to stop: the best walk so far comes back.
    pub cancel: Option<&'a AtomicBool>,
    /// Called now and then.
    pub progress: Option<&'a (dyn Fn(SearchProgress) + Sync)>,
    /// Called with the best walk so far where there is a better one than was shown last, from a thread that searches, one
    /// at a time, and no more often than `best_every`. What is left when the search ends is what it returns.
    pub best: Option<&'a (dyn Fn(BestSoFar) + Sync)>,
    /// The least time between two calls of `best`; 0.1 s where not given.
    pub best_every: Option<Duration>,
}

/// The least time between two looks at the best so far where not said otherwise.
pub(crate) const BEST_EVERY: Duration = Duration::from_millis(100);

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
    /// Edges tried, by all starts together.
    pub expansions: u64,
    /// Searches that shared the budget: see `starts` of [`BeamOptions`](super::BeamOptions).
    pub starts: usize,
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
            starts: 1,
            complete: false,
            outcome: Outcome::NoWalk { reason },
            deterministic: true,
            seconds: 0.0,
        }
    }
}

/// A walk as a search has it.
pub(crate) struct Way<S> {
    pub start: S,
    pub end: S,
    pub edges: Vec<EdgeId>,
    pub last_frames: u32,
    pub cost: f64,
    pub complete: bool,
}

/// Counts what is spent.
pub(crate) struct Meter<'a> {
    pub expansions: u64,
    pub limit: u64,
    pub since: Instant,
    time: Option<Duration>,
    /// The part of the time that may be used.
    part: f64,
    control: Control<'a>,
    stopped: bool,
    next_look: u64,
    next_best: Option<Instant>,
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
            part: 1.0,
            control,
            stopped: false,
            next_look: 0,
            // The first is shown as soon as there is one.
            next_best: control.best.is_some().then(Instant::now),
        }
    }

    /// Whether to stop now.
    #[inline]
    pub fn spent(&mut self) -> bool {
        if self.expansions >= self.next_look {
            self.next_look = self.expansions + Self::LOOK_EVERY;
            let cancelled = self.control.cancel;
            self.stopped |= cancelled.is_some_and(|c| c.load(Ordering::Relaxed));
            let over = |t: Duration| self.since.elapsed() >= t.mul_f64(self.part);
            self.stopped |= self.time.is_some_and(over);
        }
        self.stopped || self.expansions >= self.limit
    }

    /// From now on so much of the time may be used, counted from the beginning; what was stopped by less goes on.
    pub fn part_of_time(&mut self, part: f64) {
        let cancelled = self.control.cancel;
        self.stopped = cancelled.is_some_and(|c| c.load(Ordering::Relaxed));
        (self.part, self.next_look) = (part, 0);
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

    /// Whether somebody wants to see the best walk so far, and may again.
    #[inline]
    pub fn may_show(&self) -> bool {
        self.next_best.is_some_and(|t| Instant::now() >= t)
    }

    /// Shows a walk, whoever may see it: ask [`Meter::may_show`] first.
    pub fn show<P: Problem>(&mut self, problem: &P, way: Way<P::State>) {
        let Some(best) = self.control.best else {
            return;
        };
        let part = problem.progress(&way.end) / problem.progress_at_goal().max(1e-9);
        best(BestSoFar {
            start: problem.node(&way.start),
            world_from_start: problem.placement(&way.start),
            edges: way.edges,
            last_frames: way.last_frames,
            cost: way.cost,
            complete: way.complete,
            part: if way.complete {
                1.0
            } else {
                part.clamp(0.0, 1.0)
            },
            expansions: self.expansions,
        });
        let every = self.control.best_every.unwrap_or(BEST_EVERY);
        self.next_best = Some(Instant::now() + every);
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
