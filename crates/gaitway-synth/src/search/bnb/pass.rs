//! One way from start to goal in bites, going back where a bite runs off.
//!
//! A bite keeps, beside the walk it takes, the next best ones that begin otherwise. A bite runs off when its best walk costs more
//! a frame than [`Guide::run_off`] allows, or when there is none: then the bite before it is dropped, and its next best is taken.
//! Where graphs are dense next bests are much alike, so every [`TRIES_A_LEVEL`] tries it goes back one bite further. Nobody goes
//! back for ever: after [`MOST_TRIES`] the least bad of what was tried is taken, and it goes on from there.

use super::arena::{Arena, Best};
use super::bite::Search;
use super::{ArenaOf, BestOf, BnbOptions};
use crate::search::heuristics::{Explain, Guide, Layers};
use crate::search::result::{Outcome, SearchResult, Solution};
use crate::search::run::Meter;
use crate::search::space::{Ask, Space};
use crate::walk::Rng;

/// Bites that are tried in vain at one place before the least bad is taken.
const MOST_TRIES: usize = 24;
/// Of these, those for which the same bite is the last that may stay.
const TRIES_A_LEVEL: usize = 2;

type ResultOf<S> = SearchResult<<S as Space>::State, <S as Space>::Action>;

/// What came of a pass.
pub(super) struct Pass<S: Space> {
    pub(super) found: ResultOf<S>,
    /// Every bite was seen whole: the next pass would find the same.
    pub(super) whole: bool,
    /// Something was left out for want of time, memory or edges to try.
    pub(super) short: bool,
    /// Bites taken, in all.
    pub(super) bites: u64,
    levels: Vec<Level<S>>,
    wall: Option<Wall<S>>,
}

/// A bite that was taken, to go back to.
struct Level<S: Space> {
    /// The way before it.
    before: Mark<S>,
    starts: Vec<S::State>,
    /// Its other walks, the next best last.
    spare: Vec<BestOf<S>>,
}

/// How far the way had come.
struct Mark<S: Space> {
    actions: usize,
    cost: f64,
    last_frames: u32,
    start: Option<S::State>,
    end: Option<S::State>,
}

impl<S: Space> Mark<S> {
    fn of(found: &ResultOf<S>) -> Self {
        Self {
            actions: found.actions.len(),
            cost: found.cost,
            last_frames: found.last_frames,
            start: found.start,
            end: found.end,
        }
    }

    fn back(&self, found: &mut ResultOf<S>) {
        found.actions.truncate(self.actions);
        (found.cost, found.last_frames) = (self.cost, self.last_frames);
        (found.start, found.end, found.complete) = (self.start, self.end, false);
    }
}

/// A place that is not got past.
struct Wall<S: Space> {
    /// The progress from which it is behind.
    until: f64,
    /// Bites before it when it was met.
    levels: usize,
    tries: usize,
    /// The least bad way past it: its cost a frame, and the way with it.
    least: Option<(f64, ResultOf<S>)>,
}

impl<S: Layers + Guide + Explain> Pass<S> {
    /// Goes all the way, or until it costs more than what was found before.
    pub(super) fn run(
        search: &mut Search<'_, S>,
        arena: &mut ArenaOf<S>,
        meter: &mut Meter<'_, S>,
        all: &[S::State],
        before: Option<&ResultOf<S>>,
    ) -> Self {
        let (space, options) = (search.space, search.options);
        let mut starts = match options.horizon {
            Some(_) => search.rank_starts(meter, all.to_vec()),
            None => all.to_vec(),
        };
        let mut pass = Self {
            found: SearchResult {
                outcome: Outcome::BudgetSpent,
                ..SearchResult::none(String::new())
            },
            whole: true,
            short: false,
            bites: 0,
            levels: Vec::new(),
            wall: None,
        };
        if starts.is_empty() {
            pass.found.outcome = no_walk(search);
            return pass;
        }
        let known = before.filter(|b| b.complete).map(|b| b.cost);
        let goes_back = options.spare > 0 && options.horizon.is_some();
        let mut rng = Rng::new(options.seed);
        let mut shown = 0.0;
        loop {
            search.share_out(meter, &starts[0]);
            let bite = search.deep_bite(arena, meter, &starts);
            pass.short |= bite.short;
            pass.whole &= bite.whole;
            let chosen = draw(arena, &options, &mut rng);
            let best = &arena.best[chosen];
            let (mark, mut end) = (Mark::of(&pass.found), None);
            if best.end.is_some() {
                let there = take(&mut pass.found, space, best, &starts);
                end = (pass.found.actions.len() > mark.actions).then_some(there);
            }
            let mean = end.map_or(f64::INFINITY, |_| best.mean());
            if goes_back && mean > space.run_off() && !meter.spent() {
                let again = search.may_go_back(meter, &starts[0], pass.bites);
                end = pass.ran_off(space, mean, &starts[0], again);
            } else if let Some(end) = end {
                pass.keep(arena, (chosen, mark, starts));
                let behind = |w: &Wall<S>| space.progress(&end) > w.until;
                pass.wall = pass.wall.take().filter(|w| !behind(w));
            }
            if pass.found.complete {
                pass.found.outcome = Outcome::Solved;
                let proven = options.horizon.is_none() && bite.whole && chosen == 0;
                pass.found.bound = proven.then_some(pass.found.cost);
                break;
            }
            let Some(end) = end else {
                if bite.whole {
                    pass.found.outcome = no_walk(search);
                }
                break;
            };
            let part = space.progress(&end) / space.progress_at_goal().max(1e-9);
            meter.tell(part, known);
            // What is shown only gets better: a way that went back is shown again when it is past where it was.
            if known.is_none() && part > shown && meter.may_show() {
                shown = part;
                pass.show(space, meter);
            }
            if meter.spent() || known.is_some_and(|cost| pass.found.cost >= cost) {
                break;
            }
            starts = vec![end];
        }
        pass
    }

    /// Keeps what else a bite found, to go back to.
    fn keep(
        &mut self,
        arena: &ArenaOf<S>,
        (chosen, before, starts): (usize, Mark<S>, Vec<S::State>),
    ) {
        let others = arena.best[..arena.kept].iter().enumerate().rev();
        let spare = others.filter(|(k, b)| *k != chosen && b.end.is_some());
        self.levels.push(Level {
            before,
            starts,
            spare: spare.map(|(_, b)| b.clone()).collect(),
        });
        self.bites += 1;
    }

    /// Goes back behind a bite that ran off, or takes the least bad of what was tried: where it goes on from, if anywhere.
    fn ran_off(
        &mut self,
        space: &S,
        mean: f64,
        from: &S::State,
        may_go_back: bool,
    ) -> Option<S::State> {
        let here = space.progress(from);
        let levels = self.levels.len();
        let mut wall = self.wall.take().unwrap_or(Wall {
            until: here,
            levels,
            tries: 0,
            least: None,
        });
        wall.tries += 1;
        wall.until = wall.until.max(here);
        let better = wall.least.as_ref().is_none_or(|l| mean < l.0);
        if mean.is_finite() && better {
            wall.least = Some((mean, self.found.clone()));
        }
        let stay = wall.levels.saturating_sub((wall.tries - 1) / TRIES_A_LEVEL);
        let may_change = self.levels.iter().take(stay);
        let again = may_change.rev().position(|l| !l.spare.is_empty());
        let stay = stay.min(self.levels.len());
        let again = again.filter(|_| may_go_back && wall.tries < MOST_TRIES);
        let at = again.map(|back| stay - 1 - back);
        let next = at.and_then(|at| Some((at, self.levels[at].spare.pop()?)));
        if let Some((at, next)) = next {
            self.bites -= (self.levels.len() - at - 1) as u64;
            self.levels.truncate(at + 1);
            self.wall = Some(wall);
            let level = &self.levels[at];
            level.before.back(&mut self.found);
            return Some(take(&mut self.found, space, &next, &level.starts));
        }
        let (_, least) = wall.least?;
        // Whatever led here was tried in vain: from here on nobody goes back behind it.
        self.levels.clear();
        self.bites += 1;
        self.found = least;
        self.found.end
    }

    /// Shows the way so far.
    pub(super) fn show(&self, space: &S, meter: &mut Meter<'_, S>) {
        let found = &self.found;
        if let (Some(start), Some(end)) = (found.start, found.end) {
            let way = Solution {
                start,
                end,
                actions: found.actions.clone(),
                last_frames: found.last_frames,
                cost: found.cost,
                complete: found.complete,
            };
            meter.show(space, way);
        }
    }
}

fn no_walk<S: Explain>(search: &Search<'_, S>) -> Outcome {
    Outcome::NoWalk {
        reason: search.space.explain(&search.dead_ends),
    }
}

/// One of the best within tolerance.
fn draw<S: Copy, A: Copy + PartialEq>(
    arena: &Arena<S, A>,
    options: &BnbOptions,
    rng: &mut Rng,
) -> usize {
    let limit = arena.best[0].cost * options.tolerance.max(1.0);
    let near = arena.best[..options.best.clamp(1, arena.kept)]
        .iter()
        .take_while(|b| b.end.is_some() && b.cost <= limit)
        .count();
    if near <= 1 {
        return 0;
    }
    ((rng.unit() * near as f64) as usize).min(near - 1)
}

/// Appends the part of a bite that is kept, and gives the state after it.
fn take<S: Space>(
    found: &mut ResultOf<S>,
    space: &S,
    best: &Best<S::State, S::Action>,
    starts: &[S::State],
) -> S::State {
    let start = starts[best.start];
    let complete = best.end.is_some_and(|e| space.is_goal(&e));
    found.start.get_or_insert(start);
    let mut state = start;
    for &(action, frames) in &best.actions[..best.keeps] {
        // What is kept ends at a node: an action cut by the horizon is taken whole.
        let ask = Ask {
            most_frames: if complete { frames } else { u32::MAX },
            limit: f64::INFINITY,
        };
        let Ok(step) = space.step(&state, action, ask) else {
            // The rest of a cut action runs into something: the bite goes on from the state before.
            break;
        };
        state = step.state;
        found.cost += step.cost;
        found.actions.push(action);
        found.last_frames = step.frames;
        if space.is_goal(&state) {
            found.complete = true;
            break;
        }
    }
    found.end = Some(state);
    state
}
