//! ε by ε: what is expanded for each, what is proven after it, and what is told.

use super::arena::{Full, NOBODY, Status};
use super::expand::{Known, ROUNDING};
use super::queue::{Entry, Queue};
use super::{AraOptions, AraResult, Bounded, Phase};
use crate::search::heuristics::{Estimate, Explain, Identity};
use crate::search::result::{BestSolution, Outcome, SearchEnd, SearchResult};
use crate::search::run::{Budget, Control, Meter};
use crate::search::space::{Ask, Space};

/// Entries of the queue for each open state, and how many more, before those that mean nothing any more are thrown out.
const STALE: (usize, usize) = (2, 4096);
/// States expanded between two words about how far it is.
const TELL_EVERY: u64 = 1 << 14;

type Shown<S> = Bounded<<S as Space>::State, <S as Space>::Action>;

/// Why a pass ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PassEnd {
    /// Nothing open can make the way cheaper than its ε allows.
    Done,
    /// Budget, memory, clock or a cancel.
    Spent,
}

struct Passes<'a, S: Identity> {
    known: Known<'a, S>,
    meter: Meter<'a, S>,
    best: Option<&'a (dyn Fn(Shown<S>) + Sync)>,
    every: Option<std::time::Duration>,
    shown_at: Option<std::time::Instant>,
    /// Proven: no complete way costs less.
    lower: f64,
    /// The estimate of the start that promises most.
    ahead: f64,
    /// The space says that its estimate is consistent.
    claims: bool,
    phases: Vec<Phase>,
}

pub(super) fn search<S: Estimate + Identity + Explain>(
    space: &S,
    options: &AraOptions,
    budget: &Budget,
    control: Control<'_, Shown<S>>,
) -> AraResult<S::State, S::Action> {
    let plain = Control {
        cancel: control.cancel,
        progress: control.progress,
        ..Control::default()
    };
    let queue = Queue::new(options.open);
    let mut run = Passes {
        known: Known::new(space, queue, budget.memory, options.known),
        meter: Meter::new(budget, plain),
        best: control.best,
        every: control.best_every,
        shown_at: None,
        lower: 0.0,
        ahead: 0.0,
        claims: space.consistent(),
        phases: Vec::new(),
    };
    let end = run.all(options);
    run.result(end)
}

impl<S: Estimate + Identity + Explain> Passes<'_, S> {
    fn all(&mut self, options: &AraOptions) -> PassEnd {
        self.known.epsilon = options.epsilons.values()[0];
        if self.known.begin(self.known.space.start_states()).is_err() {
            return PassEnd::Spent;
        }
        self.sweep();
        self.ahead = self.lower;
        if self.known.goal.is_some() {
            self.show(false);
        }
        for &epsilon in options.epsilons.values() {
            let last = epsilon == options.epsilons.last();
            // What is proven already needs no pass; where nothing is open any more, all is.
            if !self.phases.is_empty() && !last && self.is_proven(epsilon) {
                continue;
            }
            if !self.phases.is_empty() && self.is_proven(options.epsilons.last()) {
                break;
            }
            self.known.epsilon = epsilon;
            let end = self.phase(epsilon);
            if end == PassEnd::Spent {
                return end;
            }
        }
        PassEnd::Done
    }

    /// Whether the best way is proven to cost at most ε times what any does.
    fn is_proven(&self, epsilon: f64) -> bool {
        self.known.upper <= epsilon * self.lower * (1.0 + 1e-12)
    }

    /// Whether the ε of a pass that went to its end is a bound by itself.
    fn trusts(&self) -> bool {
        self.claims && self.known.falls == 0
    }

    /// All that is to be done for one ε: a pass, and others where the estimate is not consistent.
    fn phase(&mut self, epsilon: f64) -> PassEnd {
        let before = self.known.expanded;
        let end = loop {
            self.reopen();
            let end = match self.refill() {
                Ok(()) => self.pass(),
                Err(Full) => PassEnd::Spent,
            };
            if end == PassEnd::Done && self.trusts() && self.known.upper.is_finite() {
                self.lower = self.lower.max(self.known.upper / epsilon);
            }
            let inconsistent = self.sweep();
            if end == PassEnd::Spent || self.is_proven(epsilon) || inconsistent == 0 {
                break end;
            }
        };
        self.tighten();
        self.phases.push(Phase {
            epsilon,
            cost: self.known.goal.as_ref().map(|_| self.known.upper),
            bound: self.lower,
            complete: end == PassEnd::Done,
            expanded: self.known.expanded - before,
            expansions: self.meter.expansions,
            seconds: self.meter.since.elapsed().as_secs_f64(),
        });
        self.show(true);
        end
    }

    /// Expands by f until nothing that is open is below the best way.
    fn pass(&mut self) -> PassEnd {
        let mut tell = self.known.expanded + TELL_EVERY;
        while let Some(next) = self.known.queue.peek() {
            if next.f() >= self.known.upper {
                break;
            }
            self.known.queue.pop();
            if self.known.arena.node(next.node).status() != Status::Open {
                continue;
            }
            if self.meter.spent() {
                return PassEnd::Spent;
            }
            let upper = self.known.upper;
            match self.known.expand(next.node) {
                Ok(tried) => self.meter.expansions += tried,
                Err(Full) => {
                    // What it leads to is not all known: it counts as not expanded.
                    let node = self.known.arena.node_mut(next.node);
                    node.set_status(Status::Open);
                    return PassEnd::Spent;
                }
            }
            if self.known.upper < upper {
                self.tighten();
                self.show(false);
            }
            if self.known.queue.len() > STALE.0 * self.known.open + STALE.1 {
                self.sweep();
                if self.refill().is_err() {
                    return PassEnd::Spent;
                }
            }
            if self.known.expanded >= tell {
                tell = self.known.expanded + TELL_EVERY;
                self.tell();
            }
        }
        PassEnd::Done
    }

    /// Looks at all states: what is proven by those that are open or inconsistent, and how many of the latter there are. What can be of no
    /// use any more is not open any more.
    fn sweep(&mut self) -> usize {
        let known = &mut self.known;
        let (space, upper) = (known.space, known.upper);
        let (mut least, mut inconsistent) = (upper, 0);
        known.open = 0;
        for (_, node) in known.arena.nodes_mut() {
            let status = node.status();
            if matches!(status, Status::Settled | Status::Closed) {
                continue;
            }
            let way = node.g + space.estimate(&node.state).max(0.0);
            if way >= upper {
                // No way through it is cheaper than the best, nor ever will be.
                node.set_status(Status::Settled);
                continue;
            }
            least = least.min(way);
            match status {
                Status::Open => known.open += 1,
                _ => inconsistent += 1,
            }
        }
        self.lower = self.lower.max(least);
        inconsistent
    }

    /// What was inconsistent is open, and what was closed may be opened again.
    fn reopen(&mut self) {
        let known = &mut self.known;
        for (_, node) in known.arena.nodes_mut() {
            match node.status() {
                Status::Closed => node.set_status(Status::Settled),
                Status::Inconsistent => {
                    node.set_status(Status::Open);
                    known.open += 1;
                }
                Status::Open | Status::Settled => {}
            }
        }
    }

    /// The queue anew, of all that is open.
    fn refill(&mut self) -> Result<(), Full> {
        let known = &mut self.known;
        let (space, epsilon) = (known.space, known.epsilon);
        // f is at least what is proven, and of use up to the best way; before there is one, nobody knows.
        let high = match known.upper.is_finite() {
            true => known.upper,
            false => 2.0 * epsilon * self.lower,
        };
        let left = known.memory.saturating_sub(known.arena.bytes());
        known.queue.restart((self.lower, high), known.open, left)?;
        for (at, node) in known.arena.nodes_mut() {
            if node.status() == Status::Open {
                let f = node.g + epsilon * space.estimate(&node.state).max(0.0);
                known.queue.push(Entry::new(f, at));
            }
        }
        Ok(())
    }

    /// The best way, made from its last state back. Where a state before was reached more cheaply since, it costs less than was known.
    fn way(&self) -> Option<BestSolution<S::State, S::Action>> {
        let known = &self.known;
        let goal = known.goal.as_ref()?;
        let mut actions = Vec::new();
        let mut out = BestSolution {
            start: goal.state,
            end: goal.state,
            actions: Vec::new(),
            last_frames: 0,
            cost: known.upper,
            complete: true,
            part: 1.0,
            expansions: self.meter.expansions,
        };
        let mut at = goal.from;
        if at != NOBODY {
            actions.push(goal.action);
        }
        while at != NOBODY {
            let node = known.arena.node(at);
            out.start = node.state;
            at = node.parent();
            if at != NOBODY {
                actions.push(node.action);
            }
        }
        actions.reverse();
        let (mut state, mut cost) = (out.start, 0.0);
        for &action in &actions {
            let Ok(step) = known.space.step(&state, action, Ask::ALL) else {
                // Two states of one identity that are not the same: what was summed up stands.
                cost = f64::INFINITY;
                break;
            };
            (state, cost) = (step.state, cost + step.cost.max(0.0));
            out.last_frames = step.frames;
        }
        out.cost = out.cost.min(cost);
        out.actions = actions;
        Some(out)
    }

    /// Takes the best way for what it costs, where that is less than was known when it was met.
    fn tighten(&mut self) {
        if let Some(way) = self.way() {
            self.known.upper = way.cost;
        }
    }

    /// Whether the estimate says more, somewhere on the way, than the way still costs there.
    fn too_high(&self, way: &BestSolution<S::State, S::Action>) -> bool {
        let space = self.known.space;
        let (mut state, mut left) = (way.start, way.cost);
        let over = |state: &S::State, left: f64| {
            self.known.estimate(state) > left + ROUNDING * (1.0 + way.cost)
        };
        for &action in &way.actions {
            if over(&state, left) {
                return true;
            }
            let Ok(step) = space.step(&state, action, Ask::ALL) else {
                return false;
            };
            (state, left) = (step.state, left - step.cost.max(0.0));
        }
        over(&state, left)
    }

    fn show(&mut self, phase_over: bool) {
        let Some(show) = self.best else { return };
        let due = match (self.every, self.shown_at) {
            (Some(every), Some(at)) => at.elapsed() >= every,
            _ => true,
        };
        if !(due || phase_over) {
            return;
        }
        let Some(way) = self.way() else { return };
        self.shown_at = Some(std::time::Instant::now());
        show(Bounded {
            bound: self.lower.min(way.cost),
            way,
            epsilon: self.known.epsilon,
            phase_over,
        });
    }

    /// Before there is a way: how much of the estimate is behind. After: how much of its cost is proven.
    fn tell(&self) {
        let upper = self.known.upper;
        let part = if upper.is_finite() {
            self.lower / upper.max(f64::MIN_POSITIVE)
        } else {
            1.0 - self.known.nearest / self.ahead.max(f64::MIN_POSITIVE)
        };
        let best = upper.is_finite().then_some(upper);
        self.meter
            .tell(if part.is_nan() { 0.0 } else { part }, best);
    }

    fn result(mut self, end: PassEnd) -> AraResult<S::State, S::Action> {
        let way = self.way();
        let too_high = self.known.too_high || way.as_ref().is_some_and(|w| self.too_high(w));
        let wrong = too_high || (self.claims && self.known.falls > 0);
        let exhausted = end == PassEnd::Done;
        let mut found = match way {
            Some(way) => SearchResult {
                start: Some(way.start),
                end: Some(way.end),
                actions: way.actions,
                last_frames: way.last_frames,
                cost: way.cost,
                complete: true,
                outcome: Outcome::Solved,
                ..SearchResult::none(String::new())
            },
            None => SearchResult {
                outcome: match (exhausted, self.known.upper.is_finite()) {
                    (false, _) => Outcome::BudgetSpent,
                    (true, true) => Outcome::NoWalk {
                        reason: "no way is cheaper than the one known".to_owned(),
                    },
                    (true, false) => Outcome::NoWalk {
                        reason: self.known.space.explain(&self.known.dead_ends),
                    },
                },
                ..SearchResult::none(String::new())
            },
        };
        let cost = if found.complete {
            found.cost
        } else {
            self.known.upper
        };
        // With no way at all there is nothing to bound.
        let bounds = !wrong && (found.complete || self.known.upper.is_finite());
        found.bound = bounds.then(|| self.lower.min(cost));
        found.search = [SearchEnd::Budget, SearchEnd::Complete][usize::from(exhausted)];
        found.deterministic = self.meter.deterministic();
        found.expansions = self.meter.expansions;
        found.seconds = self.meter.since.elapsed().as_secs_f64();
        if wrong {
            self.phases.iter_mut().for_each(|p| p.bound = 0.0);
        }
        AraResult {
            found,
            phases: self.phases,
            expanded: self.known.expanded,
            states: self.known.arena.len(),
            bytes: self.known.bytes(),
            estimate_falls: self.known.falls,
            estimate_wrong: wrong,
        }
    }
}
