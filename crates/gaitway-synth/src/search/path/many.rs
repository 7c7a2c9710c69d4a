//! Several searches for one walk, on several threads: the best is kept.
//!
//! Searches with different seeds make different mistakes. They share nothing but the problem, and the cheapest complete walk
//! wins, the earlier seed among equals, so that the result does not depend on how many threads there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::follow::{Followed, Search, solve};
use super::objective::PathProblem;
use crate::SynthError;
use crate::search::{Budget, Control, Outcome};

/// Searches with each of some seeds, each with the whole budget, and keeps the best walk: its expansions are those of all.
///
/// Two seeds of half a budget each cost what one search does, on two cores half the time.
///
/// # Errors
/// As [`solve`], and when there is no seed.
pub fn solve_many(
    problem: &PathProblem<'_>,
    search: Search,
    budget: &Budget,
    seeds: &[u64],
    threads: usize,
    control: Control<'_>,
) -> Result<Followed, SynthError> {
    let since = std::time::Instant::now();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<Followed, SynthError>>>> =
        Mutex::new(seeds.iter().map(|_| None).collect());
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = seeds.get(k) else { return };
            let one = solve(problem, search.with_seed(seed), budget, control);
            done.lock().unwrap_or_else(PoisonError::into_inner)[k] = Some(one);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, seeds.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    let all = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut best: Option<Followed> = None;
    let mut expansions = 0;
    for one in all.into_iter().flatten() {
        let one = one?;
        expansions += one.found.expansions;
        if best.as_ref().is_none_or(|b| better(&one, b)) {
            best = Some(one);
        }
    }
    let Some(mut best) = best else {
        let what = "there is no seed to search with".to_owned();
        return Err(SynthError::Options { what });
    };
    best.found.expansions = expansions;
    best.found.seconds = since.elapsed().as_secs_f64();
    Ok(best)
}

fn better(a: &Followed, b: &Followed) -> bool {
    let rank = |f: &Followed| match f.found.outcome {
        Outcome::Solved => 0,
        Outcome::BudgetSpent => 1,
        Outcome::NoWalk { .. } => 2,
    };
    let complete = (!a.found.complete, rank(a)).cmp(&(!b.found.complete, rank(b)));
    let arc = |f: &Followed| f.found.end.map_or(0.0, |e| e.arc());
    complete.is_lt()
        || (complete.is_eq()
            && if a.found.complete {
                a.found.cost < b.found.cost
            } else {
                arc(a) > arc(b)
            })
}
