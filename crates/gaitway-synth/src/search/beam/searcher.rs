//! One start: its rounds, and the end of a walk solved again.

use super::BeamOptions;
use super::arena::{Arena, arena, collect};
use super::round::{Beam, Before, PASS};
use crate::search::problem::{Ask, Cuts, Problem};
use crate::search::run::{Budget, Control, Found, Meter, Outcome, replay};

/// Where a walk is cut.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// At this part of its progress,
    pub(super) part: f64,
    /// or before the n-th worst of its places, where it has so many.
    pub(super) worst: Option<usize>,
}

/// A search with memory and a budget of its own.
pub(super) struct Searcher<'a, P: Problem> {
    problem: &'a P,
    options: BeamOptions,
    beam: Beam<'a, P>,
    arena: Arena<P::State>,
    pub(super) meter: Meter<'a>,
    /// The best complete walk, or the one that came furthest.
    pub(super) found: Found<P::State>,
    /// A walk that is better than the one it was asked to make better.
    pub(super) better: Option<Found<P::State>>,
}

impl<'a, P: Problem> Searcher<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        options: BeamOptions,
        budget: &Budget,
        control: Control<'a>,
        places: usize,
    ) -> Self {
        let meter = Meter::new(budget, control);
        Self {
            problem,
            options,
            beam: Beam {
                problem,
                options,
                cuts: Cuts::default(),
                known: false,
                before: None,
            },
            arena: arena(problem, &options, budget, places),
            found: Found {
                outcome: Outcome::BudgetSpent,
                deterministic: meter.deterministic(),
                cost: f64::INFINITY,
                ..Found::none(String::new())
            },
            meter,
            better: None,
        }
    }

    /// Rounds with growing budgets, from all places where walks may begin.
    pub(super) fn rounds(&mut self, places: &[P::State]) {
        let limit = self.meter.limit as f64;
        // What is left for the rounds when the ends of the walk are to be solved again.
        let kept = (limit * self.options.improve.clamp(0.0, 0.9)) as u64;
        // No edge tried leaves more than an entry: within this the memory suffices.
        let room = (self.arena.most.saturating_sub(places.len() + 1)).max(64) as u64;
        let mut share = ((limit * self.options.first.clamp(0.001, 1.0)) as u64).min(room);
        let mut partial: Option<Found<P::State>> = None;
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
            if end.spent || end.full || left < share || used < share / 4 {
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
            self.found.edges_checked(self.problem);
            return;
        }
        if let Some(way) = partial {
            self.found = way;
        }
        self.found.outcome = if self.meter.spent() {
            Outcome::BudgetSpent
        } else {
            let reason = self.problem.explain(&self.beam.cuts);
            Outcome::NoWalk { reason }
        };
    }

    /// How far a walk has come.
    pub(super) fn far(&self, found: &Found<P::State>) -> f64 {
        found.end.as_ref().map_or(0.0, |e| self.problem.progress(e))
    }

    /// Solves what follows a cut of a walk again with a part of what is left: a shorter way to go with the same budget is
    /// searched more widely. Only what costs less than before counts.
    pub(super) fn again(&mut self, walk: &Found<P::State>, at: Cut, left: usize, pass: usize) {
        self.better = None;
        self.weigh(walk);
        let share = self.meter.limit.saturating_sub(self.meter.expansions) / left.max(1) as u64;
        let share = share.min(self.arena.most.saturating_sub(2) as u64);
        if share < 64 || self.meter.spent() {
            return;
        }
        let at = match at.worst.and_then(|nth| self.before_worst(nth)) {
            Some(at) => at,
            None => at.part * self.problem.progress_at_goal(),
        };
        let Some((state, cost, count)) = self.cut(walk, at) else {
            return;
        };
        self.beam.known = true;
        self.beam.before = walk.start.map(|start| Before {
            start,
            edges: walk.edges[..count].to_vec(),
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
        better.edges.truncate(count);
        better.edges.append(&mut tail.edges);
        better.last_frames = tail.last_frames;
        better.edges_checked(self.problem);
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
    fn weigh(&mut self, walk: &Found<P::State>) {
        /// How many layers before a place the beam should be wide for it: three metres, where a corner is prepared.
        const AHEAD: usize = 30;
        /// A stretch that costs more than this many times the mean counts as this much.
        const MOST: f64 = 6.0;
        let Some(mut state) = walk.start else { return };
        let hard = &mut self.arena.hard;
        let layer = |at: f64| ((at / self.options.layer).max(0.0) as usize).min(hard.len() - 1);
        let mut spent = vec![0.0; hard.len()];
        let mut total = 0.0;
        for &edge in &walk.edges {
            let Ok(step) = self.problem.step(&state, edge, Ask::ALL) else {
                return;
            };
            let a = layer(self.problem.progress(&state));
            let b = layer(self.problem.progress(&step.state)).max(a);
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

    /// The first state of a walk at some progress, its cost, and the edges before it.
    fn cut(&self, walk: &Found<P::State>, at: f64) -> Option<(P::State, f64, usize)> {
        let (mut state, mut cost) = (walk.start?, 0.0);
        for (k, &edge) in walk.edges.iter().enumerate() {
            if self.problem.progress(&state) >= at {
                return (k > 0).then_some((state, cost, k));
            }
            let step = self.problem.step(&state, edge, Ask::ALL).ok()?;
            state = step.state;
            cost += step.cost;
        }
        None
    }
}

impl<S: Copy> Found<S> {
    /// The end and cost as a replay of the walk gives them: sums in walking order.
    fn edges_checked<P: Problem<State = S>>(&mut self, problem: &P) {
        if let Some((end, cost)) = self
            .start
            .and_then(|s| replay(problem, &s, &self.edges, self.last_frames))
        {
            (self.end, self.cost) = (Some(end), cost);
        }
    }
}
