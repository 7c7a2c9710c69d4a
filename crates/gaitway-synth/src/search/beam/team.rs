//! Several searchers for one walk.
//!
//! They share nothing while they search. After the rounds the best walk of any is everybody's, and then step by step: each
//! cuts it at a place of its own, the first at some parts of its length, the others before the places that cost most, and
//! solves the rest again; the best that comes of it is the next walk.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::BeamOptions;
use super::searcher::{CutAt, ResultOf, Searcher};
use crate::search::heuristics::{Explain, Guide, Key, Layers};
use crate::search::result::{BestSolution, Outcome, SearchEnd};
use crate::search::run::{BEST_EVERY, Budget, Control, ControlOf, SearchProgress};

/// Where a walk is cut to solve what follows again, as parts of its progress; the last is its end.
const CUTS: [f64; 6] = [0.2, 0.4, 0.55, 0.7, 0.85, 1.0];

pub(super) fn search<S: Layers + Key + Guide + Explain>(
    space: &S,
    options: &BeamOptions,
    budget: &Budget,
    control: ControlOf<'_, S>,
    places: &[S::State],
) -> ResultOf<S> {
    let since = Instant::now();
    let searches = options.searches();
    let threads = options.threads().min(searches);
    let share = Budget {
        expansions: budget.expansions / searches as u64,
        memory: budget.memory / searches,
        ..*budget
    };
    let desk = Desk::new(control, searches);
    let (tells, shows) = (desk.tells(), desk.shows());
    let one = |k: usize| {
        let options = BeamOptions {
            seed: options.seed_of(k),
            ..*options
        };
        let control = match searches {
            1 => control,
            _ => Control {
                progress: control.progress.map(|_| &*tells[k] as _),
                best: control.best.map(|_| &*shows[k] as _),
                ..control
            },
        };
        Searcher::new(space, options, &share, control, places.len())
    };
    let mut team: Vec<Searcher<'_, S>> = (0..searches).map(one).collect();
    // Those who wait for a thread wait for a part of the time, if there is a clock.
    let waves = searches.div_ceil(threads);
    for (k, searcher) in team.iter_mut().enumerate() {
        searcher
            .meter
            .part_of_time((k / threads + 1) as f64 / waves as f64);
    }
    each(&mut team, threads, |_, s| s.rounds(places));
    let mut found = best_of(&team);
    if found.complete {
        for searcher in &mut team {
            searcher.meter.part_of_time(1.0);
        }
        let last = CUTS.len() - 1;
        for step in 0..last {
            let (from, to) = (CUTS[step], CUTS[step + 1]);
            let walk = &found;
            each(&mut team, threads, |k, s| {
                let part = from + (to - from) * k as f64 / searches as f64;
                // The first goes through the walk place by place, the others to where it is worst.
                let worst = (k > 0).then(|| step * (searches - 1) + k - 1);
                s.again(walk, CutAt { part, worst }, last - step, step);
            });
            for searcher in &mut team {
                match searcher.better.take() {
                    Some(better) if better.cost < found.cost => found = better,
                    _ => {}
                }
            }
        }
    }
    let by_itself = team.iter_mut().all(|s| s.whole && !s.meter.spent());
    found.search = if by_itself {
        SearchEnd::Complete
    } else {
        SearchEnd::Budget
    };
    found.expansions = team.iter().map(|s| s.meter.expansions).sum();
    found.seconds = since.elapsed().as_secs_f64();
    found.searches = searches;
    found
}

/// The cheapest complete walk, the earlier start among equals; else the one that came furthest.
fn best_of<S: Layers + Key + Guide + Explain>(team: &[Searcher<'_, S>]) -> ResultOf<S> {
    let mut best = &team[0];
    for s in &team[1..] {
        let (a, b) = (&s.found, &best.found);
        let better = match (a.complete, b.complete) {
            (true, true) => a.cost < b.cost,
            (false, false) => s.far(a) > s.far(b),
            (a, _) => a,
        };
        if better {
            best = s;
        }
    }
    let mut found = best.found.clone();
    // One who ran out of budget may have missed it: that there is no walk is only said where all say so.
    let spent = |s: &Searcher<'_, S>| s.found.outcome == Outcome::BudgetSpent;
    if !found.complete && team.iter().any(spent) {
        found.outcome = Outcome::BudgetSpent;
    }
    found
}

/// Has everybody work, on so many threads.
fn each<T: Send>(team: &mut [T], threads: usize, work: impl Fn(usize, &mut T) + Sync) {
    if threads <= 1 || team.len() <= 1 {
        for (k, one) in team.iter_mut().enumerate() {
            work(k, one);
        }
        return;
    }
    let queue = Mutex::new(team.iter_mut().enumerate());
    let go = || loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((k, one)) = next else { return };
        work(k, one);
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(go);
        }
        go();
    });
}

/// Where what several searchers say becomes what one would say.
struct Desk<'a, S, A> {
    control: Control<'a, BestSolution<S, A>>,
    /// What each said last, and the best that was shown.
    said: Mutex<(Vec<SearchProgress>, Option<Last>)>,
}

/// What was shown last.
struct Last {
    complete: bool,
    cost: f64,
    part: f64,
    at: Instant,
}

type Tell<'a> = Box<dyn Fn(SearchProgress) + Sync + 'a>;
type Show<'a, S, A> = Box<dyn Fn(BestSolution<S, A>) + Sync + 'a>;

impl<'a, S, A> Desk<'a, S, A> {
    fn new(control: Control<'a, BestSolution<S, A>>, searches: usize) -> Self {
        let nothing = SearchProgress {
            expansions: 0,
            part: 0.0,
            best: None,
        };
        Self {
            control,
            said: Mutex::new((vec![nothing; searches], None)),
        }
    }

    fn count(&self) -> usize {
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .len()
    }

    fn tells(&self) -> Vec<Tell<'_>> {
        let one = |k| Box::new(move |p| self.tell(k, p)) as Tell<'_>;
        (0..self.count()).map(one).collect()
    }

    fn shows(&self) -> Vec<Show<'_, S, A>> {
        let one = |_| Box::new(move |b| self.show(b)) as Show<'_, S, A>;
        (0..self.count()).map(one).collect()
    }

    /// Expansions of all, the mean of how far they are, the best of any.
    fn tell(&self, k: usize, progress: SearchProgress) {
        let Some(tell) = self.control.progress else {
            return;
        };
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let best = progress.best.or(said.0[k].best);
        said.0[k] = SearchProgress { best, ..progress };
        let all = &said.0;
        let best = all.iter().filter_map(|p| p.best).min_by(f64::total_cmp);
        let sum = SearchProgress {
            expansions: all.iter().map(|p| p.expansions).sum(),
            part: all.iter().map(|p| p.part).sum::<f64>() / all.len() as f64,
            best: progress.best.and(best),
        };
        drop(said);
        tell(sum);
    }

    /// Passes a walk on if it is better than what was shown. The lock is held meanwhile: one at a time.
    fn show(&self, walk: BestSolution<S, A>) {
        let Some(show) = self.control.best else {
            return;
        };
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let every = self.control.best_every.unwrap_or(BEST_EVERY);
        let better = match &said.1 {
            None => true,
            Some(s) if s.at.elapsed() < every => false,
            Some(s) if s.complete => walk.complete && walk.cost < s.cost,
            Some(s) => walk.complete || walk.part > s.part,
        };
        if better {
            let (complete, cost, part) = (walk.complete, walk.cost, walk.part);
            show(walk);
            said.1 = Some(Last {
                complete,
                cost,
                part,
                at: Instant::now(),
            });
        }
    }
}
