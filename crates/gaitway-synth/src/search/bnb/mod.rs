//! Branch and bound, whole or in bites.                                            [Kovar04] section 4.2.1
//!
//! Depth first, children in order of g. A branch ends when its cost and the estimate of the rest reach the cost of the
//! r-th best complete walk. A bite that is too large for its budget is not searched from its left edge alone: of what a
//! branch may spend its best child gets half, the next half of the rest, and so on, the last all that is left, so that early
//! choices are reconsidered too; where the budget suffices nothing is left out. Incrementally: the best walk of n frames, its first m frames kept, and on from there.
//!
//! Cost: a child is one [`Space::step`]. Children of all open branches lie on one stack, whose size is known ahead: no
//! branch is deeper than n actions, and no state has more children than [`Space::most_actions`]. Nothing else is allocated
//! while a bite is searched. Checked by: full enumeration on small graphs (tests/search.rs) and grids (tests/spaces.rs).

mod arena;
mod bite;

use self::arena::{Arena, Best};
use self::bite::{DEEPEST, Search};
use super::dead_end::DeadEnds;
use super::heuristics::{Explain, Guide, Layers};
use super::result::{BestSolution, Outcome, SearchEnd, SearchResult, Solution};
use super::run::{Budget, Control, Meter};
use super::space::{Ask, Space};
use crate::walk::Rng;

/// In which order children are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By g: the paper's.
    Cost,
    /// By g over the frames it pays for. Where a graph is cut densely, g alone prefers the shortest edge, and
    /// transitions, which are long, come last.
    #[default]
    PerFrame,
}

/// How branch and bound searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BnbOptions {
    /// n: frames of a bite; `None` searches complete walks at once, which proves its result and takes for ever.
    pub horizon: Option<u32>,
    /// m: frames kept of a bite; a bite is kept up to the first node at or after them.
    pub keep: u32,
    /// Halt a bite when a walk costs less than this.
    pub epsilon: f64,
    /// r: how many best walks of a bite are kept to draw from.
    pub best: usize,
    /// Those within this factor of the best are drawn from.
    pub tolerance: f64,
    /// Edges tried per bite, about: the walk under way is finished. Default 12,000.
    pub per_bite: u64,
    /// In which order children are tried.
    pub order: Order,
    /// Starts looked at closely, by the cost of their greedy walks.
    pub start_states: usize,
    /// Same seed, same walk. Only matters with `best` above 1.
    pub seed: u64,
}

impl Default for BnbOptions {
    fn default() -> Self {
        Self {
            horizon: Some(90),
            keep: 30,
            epsilon: 0.0,
            best: 1,
            tolerance: 1.1,
            per_bite: 12_000,
            order: Order::default(),
            start_states: 16,
            seed: 0,
        }
    }
}

type ArenaOf<S> = Arena<<S as Space>::State, <S as Space>::Action>;
type BestOf<S> = Best<<S as Space>::State, <S as Space>::Action>;

/// Searches by branch and bound.
pub fn branch_and_bound<S: Layers + Guide + Explain>(
    space: &S,
    options: &BnbOptions,
    budget: &Budget,
    control: Control<'_, BestSolution<S::State, S::Action>>,
) -> SearchResult<S::State, S::Action> {
    let mut meter = Meter::new(budget, control);
    // Walks without a horizon are as deep as the goal is far; the arena's memory then is the limit.
    let frames = options.horizon.unwrap_or(u32::MAX).max(1);
    let depth = frames.saturating_mul(DEEPEST).min(100_000) as usize;
    let mut arena = ArenaOf::<S>::new(depth, space.most_actions(), options.best, budget.memory);
    let mut search = Search {
        space,
        options: *options,
        frames,
        dead_ends: DeadEnds::default(),
    };
    let all = space.start_states();
    let mut starts = if options.horizon.is_some() {
        search.rank_starts(&mut meter, all)
    } else {
        all
    };
    if starts.is_empty() {
        return SearchResult::none(space.explain(&search.dead_ends));
    }
    let mut rng = Rng::new(options.seed);
    let mut found = SearchResult {
        outcome: Outcome::BudgetSpent,
        deterministic: meter.deterministic(),
        ..SearchResult::none(String::new())
    };
    let mut short = false;
    loop {
        let bite = search.deep_bite(&mut arena, &mut meter, &starts);
        short |= bite.short;
        if arena.best[0].end.is_none() {
            found.outcome = if bite.whole {
                Outcome::NoWalk {
                    reason: space.explain(&search.dead_ends),
                }
            } else {
                Outcome::BudgetSpent
            };
            break;
        }
        let chosen = draw(&arena, options, &mut rng);
        let before = found.actions.len();
        let end = take(&mut found, space, &arena.best[chosen], &starts, options);
        if found.actions.len() == before {
            found.outcome = Outcome::NoWalk {
                reason: space.explain(&search.dead_ends),
            };
            break;
        }
        let first_bite = before == 0;
        if found.complete {
            found.outcome = Outcome::Solved;
            let proven = bite.whole && first_bite && chosen == 0 && options.horizon.is_none();
            found.bound = proven.then_some(found.cost);
            break;
        }
        let part = space.progress(&end) / space.progress_at_goal().max(1e-9);
        meter.tell(part, None);
        if let (true, Some(start)) = (meter.may_show(), found.start) {
            let way = Solution {
                start,
                end,
                actions: found.actions.clone(),
                last_frames: found.last_frames,
                cost: found.cost,
                complete: false,
            };
            meter.show(space, way);
        }
        if meter.spent() {
            break;
        }
        starts = vec![end];
    }
    found.search = if short || found.outcome == Outcome::BudgetSpent {
        SearchEnd::Budget
    } else {
        SearchEnd::Complete
    };
    found.expansions = meter.expansions;
    found.seconds = meter.since.elapsed().as_secs_f64();
    found
}

/// One of the best within tolerance.
fn draw<S, A>(arena: &Arena<S, A>, options: &BnbOptions, rng: &mut Rng) -> usize {
    let limit = arena.best[0].cost * options.tolerance.max(1.0);
    let near = arena.best[..arena.kept]
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
    found: &mut SearchResult<S::State, S::Action>,
    space: &S,
    best: &BestOf<S>,
    starts: &[S::State],
    options: &BnbOptions,
) -> S::State {
    let start = starts[best.start];
    let complete = best.end.is_some_and(|e| space.is_goal(&e));
    found.start.get_or_insert(start);
    let (mut state, mut total) = (start, 0);
    for &(action, frames) in &best.actions {
        if !complete && total >= options.keep {
            break;
        }
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
        total += step.frames;
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
