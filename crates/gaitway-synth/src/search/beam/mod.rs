//! A global beam: all walks at once, compared at equal progress.
//!
//! States wait in layers of progress (10 cm of path). Layers are taken in order; in each, states are sorted by cost and
//! guide, all but the cheapest of a cell are dropped (dominance), and the best go on, as many as the layer's share of
//! the budget pays for. A walk is judged by all of the path before it, not by a second of it, and a detour that pays
//! later survives as long as it ranks among the best. Rounds with growing budgets make it anytime: each knows the
//! cost of the best walk so far and drops what costs more. With what is left the walk is cut at a few places and what
//! follows each cut is solved again.
//!
//! Cost: a step per edge tried, a sort and a hash look-up per state kept. Entries lie in one arena sized ahead; nothing
//! else is allocated while a layer is expanded. Same problem, options and budget: same walk.

mod arena;
mod improve;
mod round;

use self::arena::{arena, collect};
use self::round::{Beam, PASS};
use super::problem::{Cuts, Problem};
use super::run::{Budget, Control, Found, Meter, Outcome};

/// How the beam searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamOptions {
    /// What the first round may spend, as a part of all; default 0.06.
    pub first: f64,
    /// Each round may spend this much more than the one before; default 3.5.
    pub growth: f64,
    /// What is kept for solving the ends of the walk again, as a part of all; default 0.25.
    pub improve: f64,
    /// Progress per layer; default 0.1 (metres, for paths).
    pub layer: f64,
    /// Jitter of ranks by the seed, as a part of them; no jitter with seed 0.
    pub jitter: f64,
    /// Same seed, same walk; another seed, another walk.
    pub seed: u64,
}

impl Default for BeamOptions {
    fn default() -> Self {
        Self {
            first: 0.06,
            growth: 3.5,
            improve: 0.25,
            layer: 0.1,
            jitter: 0.15,
            seed: 0,
        }
    }
}

/// Searches by a global beam in rounds.
pub fn beam_search<P: Problem>(
    problem: &P,
    options: &BeamOptions,
    budget: &Budget,
    control: Control<'_>,
) -> Found<P::State> {
    let mut meter = Meter::new(budget, control);
    let starts = problem.starts();
    let mut beam = Beam {
        problem,
        options: *options,
        cuts: Cuts::default(),
        known: false,
        before: None,
    };
    if starts.is_empty() {
        return Found::none(problem.explain(&beam.cuts));
    }
    let mut arena = arena(problem, options, budget, starts.len());
    let mut found = Found {
        outcome: Outcome::BudgetSpent,
        deterministic: meter.deterministic(),
        cost: f64::INFINITY,
        ..Found::none(String::new())
    };
    // What is left for the rounds when the ends of the walk are to be solved again.
    let kept = (budget.expansions as f64 * options.improve.clamp(0.0, 0.9)) as u64;
    let mut share = (budget.expansions as f64 * options.first.clamp(0.001, 1.0)) as u64;
    let mut round = 0;
    let mut partial: Option<Found<P::State>> = None;
    loop {
        let before = meter.expansions;
        let pass = PASS[round % PASS.len()];
        round += 1;
        let limit = if found.complete {
            found.cost
        } else {
            f64::INFINITY
        };
        let end = beam.round(
            &mut arena,
            &mut meter,
            &starts,
            (share.max(64), pass, limit),
        );
        match end.best {
            Some(best) => collect(&arena, best, &mut found),
            None if !found.complete && !arena.entries.is_empty() => {
                let mut way = found.clone();
                collect(&arena, end.furthest, &mut way);
                let of = |f: &Found<P::State>| f.end.as_ref().map_or(0.0, |e| problem.progress(e));
                if partial.as_ref().is_none_or(|p| of(&way) > of(p)) {
                    partial = Some(way);
                }
            }
            None => {}
        }
        found.complete |= end.best.is_some();
        beam.known = found.complete;
        meter.tell(1.0, found.complete.then_some(found.cost));
        let left = meter.limit.saturating_sub(meter.expansions + kept);
        let used = meter.expansions - before;
        // A round that did not use its share has seen all there is.
        if end.spent || end.full || left < share || used < share / 4 {
            break;
        }
        let next = (share as f64 * options.growth.max(1.5)) as u64;
        share = if next.saturating_mul(2) > left {
            left
        } else {
            next
        };
    }
    if found.complete {
        found.outcome = Outcome::Solved;
        found.edges_checked(problem);
        beam.improve(&mut arena, &mut meter, &mut found);
    } else {
        let spent = meter.spent();
        if let Some(way) = partial {
            found = way;
        }
        let reason = problem.explain(&beam.cuts);
        found.outcome = if spent {
            Outcome::BudgetSpent
        } else {
            Outcome::NoWalk { reason }
        };
    }
    found.expansions = meter.expansions;
    found.seconds = meter.since.elapsed().as_secs_f64();
    found
}
