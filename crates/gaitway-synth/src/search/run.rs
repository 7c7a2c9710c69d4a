//! What searches have in common while they run: budgets, and a way to stop and to watch them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::graph::BestSoFar;
use super::heuristics::Layers;
use super::result::{BestSolution, Solution};
use super::space::Space;

/// How much a search may spend. Whichever is spent first ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Actions (for graphs, edges) tried, all bites and rounds together. This one is deterministic.
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
    /// So many actions tried.
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
    /// Actions tried so far.
    pub expansions: u64,
    /// Progress of the furthest state over that of a complete way, 0 to 1.
    pub part: f64,
    /// Cost of the best complete way so far.
    pub best: Option<f64>,
}

/// A way to stop a search from outside and to hear from it. All are optional, and none changes what is found.
///
/// `B` is what is shown: [`BestSoFar`] for walks through graphs, [`BestSolution`] where a search over any space is called itself
/// ([`watched`](super::watched) makes one of the other).
///
/// ```no_run
/// # use gaitway_synth::search::{BestSoFar, Control};
/// let show = |best: BestSoFar| println!("{} edges, {:.0} %", best.edges.len(), 100.0 * best.part);
/// let control = Control { best: Some(&show), ..Control::default() };
/// ```
pub struct Control<'a, B = BestSoFar> {
    /// Set to stop: the best so far comes back.
    pub cancel: Option<&'a AtomicBool>,
    /// Called now and then.
    pub progress: Option<&'a (dyn Fn(SearchProgress) + Sync)>,
    /// Called with the best so far where there is a better one than was shown last, from a thread that searches, one
    /// at a time, and no more often than `best_every`. What is left when the search ends is what it returns.
    pub best: Option<&'a (dyn Fn(B) + Sync)>,
    /// The least time between two calls of `best`; 0.1 s where not given.
    pub best_every: Option<Duration>,
}

// Derived, these would ask the same of what is shown.
impl<B> Clone for Control<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Control<'_, B> {}

impl<B> Default for Control<'_, B> {
    fn default() -> Self {
        Self {
            cancel: None,
            progress: None,
            best: None,
            best_every: None,
        }
    }
}

/// The least time between two looks at the best so far where not said otherwise.
pub(crate) const BEST_EVERY: Duration = Duration::from_millis(100);

/// Counts what is spent.
pub(crate) struct Meter<'a, S: Space> {
    pub expansions: u64,
    pub limit: u64,
    pub since: Instant,
    time: Option<Duration>,
    /// The part of the time that may be used.
    part: f64,
    control: ControlOf<'a, S>,
    stopped: bool,
    next_look: u64,
    next_best: Option<Instant>,
}

/// What a search over a space is watched by.
pub(crate) type ControlOf<'a, S> =
    Control<'a, BestSolution<<S as Space>::State, <S as Space>::Action>>;

impl<'a, S: Space> Meter<'a, S> {
    /// How many actions are tried between two looks at the clock and the caller's wishes.
    const LOOK_EVERY: u64 = 1024;

    pub fn new(budget: &Budget, control: ControlOf<'a, S>) -> Self {
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

    /// Whether somebody wants to see the best so far, and may again.
    #[inline]
    pub fn may_show(&self) -> bool {
        self.next_best.is_some_and(|t| Instant::now() >= t)
    }

    /// Shows a way, whoever may see it: ask [`Meter::may_show`] first.
    pub fn show(&mut self, space: &S, way: Solution<S::State, S::Action>)
    where
        S: Layers,
    {
        let Some(best) = self.control.best else {
            return;
        };
        let part = space.progress(&way.end) / space.progress_at_goal().max(1e-9);
        best(BestSolution {
            start: way.start,
            end: way.end,
            actions: way.actions,
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
