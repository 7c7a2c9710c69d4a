//! One start: its rounds, and the end of a walk solved again.

use super::BeamOptions;
use super::arena::{ArenaOf, arena, collect};
use super::round::{Beam, Before, PASS};
use crate::search::dead_end::DeadEnds;
use crate::search::heuristics::{Explain, Guide, Key, Layers};
use crate::search::result::{Outcome, SearchResult, replay};
use crate::search::run::{Budget, ControlOf, Meter};
use crate::search::space::{Ask, Space};

/// Where a walk is cut.
#[derive(Clone, Copy)]
pub(super) struct CutAt {
    /// At this part of its progress,
    pub(super) part: f64,
    /// or before the n-th worst of its places, where it has so many.
    pub(super) worst: Option<usize>,
}

/// What a search over a space brings back.
pub(super) type ResultOf<S> = SearchResult<<S as Space>::State, <S as Space>::Action>;

/// A search with memory and a budget of its own.
pub(super) struct Searcher<'a, S: Space> {
    space: &'a S,
    options: BeamOptions,
    beam: Beam<'a, S>,
    arena: ArenaOf<S>,
    pub(super) meter: Meter<'a, S>,
    /// The best complete walk, or the one that came furthest.
    pub(super) found: ResultOf<S>,
    /// Its rounds ended by themselves: there was budget for another.
    pub(super) whole: bool,
    /// A walk that is better than the one it was asked to make better.
    pub(super) better: Option<ResultOf<S>>,
}

impl<'a, S: Layers + Key + Guide + Explain> Searcher<'a, S> {
    pub(super) fn new(
        space: &'a S,
        options: BeamOptions,
        budget: &Budget,
        control: ControlOf<'a, S>,
        places: usize,
    ) -> Self {
        let meter = Meter::new(budget, control);
        Self {
            space,
            options,
            beam: Beam {
                space,
                options,
                dead_ends: DeadEnds::default(),
                known: false,
                before: None,
            },
            arena: arena(space, &options, budget, places),
            found: SearchResult {
                outcome: Outcome::BudgetSpent,
                deterministic: meter.deterministic(),
                cost: f64::INFINITY,
                ..SearchResult::none(String::new())
            },
            meter,
            whole: false,
            better: None,
        }
    }

    /// Rounds with growing budgets, from all places where walks may begin.
    pub(super) fn rounds(&mut self, places: &[S::State]) {
        let limit = self.meter.limit as f64;
        // What is left for the rounds when the ends of the walk are to be solved again.
        let kept = (limit * self.options.improve.clamp(0.0, 0.9)) as u64;
        // No action tried leaves more than an entry: within this the memory suffices.
        let room = (self.arena.most.saturating_sub(places.len() + 1)).max(64) as u64;
        let mut share = ((limit * self.options.first.clamp(0.001, 1.0)) as u64).min(room);
        let mut partial: Option<ResultOf<S>> = None;
        for round in 0.. {
            let before = self.meter.expansions;
            let most = if self.found.complete {
                self.found.cost
            } else {
                f64::INFINITY
            };
            let ask = (share.max(64), PASS[round % PASS.len()], most);
            let end = self
                .beam
                .round(&mut self.arena, &mut self.meter, places, ask);
            match end.best {
                Some(best) => collect(&self.arena, best, &mut self.found),
                None if !self.found.complete && !self.arena.entries.is_empty() => {
                    let mut way = self.found.clone();
                    collect(&self.arena, end.furthest, &mut way);
                    if partial
                        .as_ref()
                        .is_none_or(|p| self.far(&way) > self.far(p))
                    {
                        partial = Some(way);
                    }
                }
                None => {}
            }
            self.found.complete |= end.best.is_some();
            self.beam.known = self.found.complete;
            if end.best.is_some() {
                let walk = self.found.clone();
                self.weigh(&walk);
            }
            let best = self.found.complete.then_some(self.found.cost);
            self.meter.tell(1.0, best);
            let left = self
                .meter
                .limit
                .saturating_sub(self.meter.expansions + kept);
            let used = self.meter.expansions - before;
            // A round that did not use its share has seen all there is.
            let seen = used < share / 4;
            if end.spent || end.full || left < share || seen {
                self.whole = seen && !end.spent && !end.full;
                break;
            }
            if share == room {
                // As wide as memory allows already: what is left goes to others of that width.
                self.beam.options.seed = self.options.seed_of(round + 64);
            }
            let next = (share as f64 * self.options.growth.max(1.5)) as u64;
            share = if next.saturating_mul(2) > left {
                left.min(room)
            } else {
                next.min(room)
            };
        }
        self.beam.options.seed = self.options.seed;
        if self.found.complete {
            self.found.outcome = Outcome::Solved;
            self.found.checked(self.space);
            return;
        }
        if let Some(way) = partial {
            self.found = way;
        }
        self.found.outcome = if self.meter.spent() {
            Outcome::BudgetSpent
        } else {
            let reason = self.space.explain(&self.beam.dead_ends);
            Outcome::NoWalk { reason }
        };
    }

    /// How far a walk has come.
    pub(super) fn far(&self, found: &ResultOf<S>) -> f64 {
        found.end.as_ref().map_or(0.0, |e| self.space.progress(e))
    }

    /// Solves what follows a cut of a walk again with a part of what is left: a shorter way to go with the same budget is
    /// searched more widely. Only what costs less than before counts.
    pub(super) fn again(&mut self, walk: &ResultOf<S>, at: CutAt, left: usize, pass: usize) {
        self.better = None;
        self.weigh(walk);
        let share = self.meter.limit.saturating_sub(self.meter.expansions) / left.max(1) as u64;
        let share = share.min(self.arena.most.saturating_sub(2) as u64);
        if share < 64 || self.meter.spent() {
            return;
        }
        let at = match at.worst.and_then(|nth| self.before_worst(nth)) {
            Some(at) => at,
            None => at.part * self.space.progress_at_goal(),
        };
        let Some((state, cost, count)) = self.cut(walk, at) else {
            return;
        };
        self.beam.known = true;
        self.beam.before = walk.start.map(|start| Before {
            start,
            actions: walk.actions[..count].to_vec(),
            cost,
        });
        let ask = (share, PASS[pass % PASS.len()], walk.cost - cost);
        let end = self
            .beam
            .round(&mut self.arena, &mut self.meter, &[state], ask);
        let Some(best) = end.best else { return };
        let mut tail = walk.clone();
        collect(&self.arena, best, &mut tail);
        let mut better = walk.clone();
        better.actions.truncate(count);
        better.actions.append(&mut tail.actions);
        better.last_frames = tail.last_frames;
        better.checked(self.space);
        self.better = (better.cost < walk.cost).then_some(better);
    }

    /// Progress some way before the n-th worst place of the walk weighed last; nothing where there are not so many.
    fn before_worst(&self, nth: usize) -> Option<f64> {
        /// Layers between two places, and from a cut to the window in which a place lies.
        const APART: usize = 20;
        const LEAD: usize = 10;
        let hard = &self.arena.hard;
        let mut taken: Vec<usize> = Vec::with_capacity(nth + 1);
        for _ in 0..=nth {
            let free = |l: &usize| taken.iter().all(|t| t.abs_diff(*l) >= APART);
            let worst = (LEAD + 1..hard.len())
                .filter(free)
                .reduce(|a, b| if hard[b].0 > hard[a].0 { b } else { a })?;
            taken.push(worst);
        }
        Some((taken[nth] - LEAD) as f64 * self.options.layer)
    }

    /// Notes where a walk costs much: layers before and at such a place get up to so many times the share of the others.
    fn weigh(&mut self, walk: &ResultOf<S>) {
        /// How many layers before a place the beam should be wide for it: three metres, where a corner is prepared.
        const AHEAD: usize = 30;
        /// A stretch that costs more than this many times the mean counts as this much.
        const MOST: f64 = 6.0;
        let Some(mut state) = walk.start else { return };
        let hard = &mut self.arena.hard;
        let layer = |at: f64| ((at / self.options.layer).max(0.0) as usize).min(hard.len() - 1);
        let mut spent = vec![0.0; hard.len()];
        let mut total = 0.0;
        for &action in &walk.actions {
            let Ok(step) = self.space.step(&state, action, Ask::ALL) else {
                return;
            };
            let a = layer(self.space.progress(&state));
            let b = layer(self.space.progress(&step.state)).max(a);
            let passed = &mut spent[a..=b];
            let each = step.cost / passed.len() as f64;
            passed.iter_mut().for_each(|s| *s += each);
            total += step.cost;
            state = step.state;
        }
        let mean = (total / hard.len() as f64).max(1e-12);
        let (mut rest, mut window) = (0.0, 0.0);
        for l in (0..hard.len()).rev() {
            window += spent[l];
            if let Some(past) = spent.get(l + AHEAD) {
                window -= past;
            }
            let here = window.max(0.0) / AHEAD.min(hard.len() - l) as f64;
            let weight = 1.0 + (here / mean).min(MOST);
            rest += weight;
            hard[l] = (weight, rest);
        }
        // Whatever they are counted in, all together are as many as there are.
        let unit = hard.len() as f64 / rest;
        for (weight, rest) in hard.iter_mut() {
            (*weight, *rest) = (*weight * unit, *rest * unit);
        }
    }

    /// The first state of a walk at some progress, its cost, and the actions before it.
    fn cut(&self, walk: &ResultOf<S>, at: f64) -> Option<(S::State, f64, usize)> {
        let (mut state, mut cost) = (walk.start?, 0.0);
        for (k, &action) in walk.actions.iter().enumerate() {
            if self.space.progress(&state) >= at {
                return (k > 0).then_some((state, cost, k));
            }
            let step = self.space.step(&state, action, Ask::ALL).ok()?;
            state = step.state;
            cost += step.cost;
        }
        None
    }
}

impl<T: Copy, A: Copy> SearchResult<T, A> {
    /// The end and cost as a replay of the walk gives them: sums in walking order.
    fn checked<S: Space<State = T, Action = A>>(&mut self, space: &S) {
        if let Some((end, cost)) = self
            .start
            .and_then(|s| replay(space, &s, &self.actions, self.last_frames))
        {
            (self.end, self.cost) = (Some(end), cost);
        }
    }
}
