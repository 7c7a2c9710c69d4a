//! Branch and bound, whole or in bites.                                            [Kovar04] section 4.2.1
//!
//! Depth first, children in order of g and of what the space guesses is to come ([`Order`]). A branch ends when its cost and
//! the estimate of the rest reach the cost of the r-th best complete walk. A bite that is too large for its budget is not
//! searched from its left edge alone: of what a branch may spend its best child gets half, the next half of the rest, and so
//! on, the last all that is left, so that early choices are reconsidered too; where the budget suffices nothing is left out.
//! Incrementally: the best walk of n frames, its first m frames kept, and on from there, or back (`pass.rs`). A first pass over
//! the whole way is cheap; those after it share out what is left of the budget, and the best way of any is the result.
//!
//! Cost: a child is one [`Space::step`]. Children of all open branches lie on one stack, whose size is known ahead: no
//! branch is deeper than n actions, and no state has more children than [`Space::most_actions`]. Nothing else is allocated
//! while a bite is searched. Checked by: full enumeration on small graphs (tests/search.rs) and grids (tests/spaces.rs).

mod arena;
mod bite;
mod pass;

use self::arena::{Arena, Best};
use self::bite::{DEEPEST, Search};
use self::pass::Pass;
use super::dead_end::DeadEnds;
use super::heuristics::{Explain, Guide, Layers};
use super::result::{BestSolution, Outcome, SearchEnd, SearchResult};
use super::run::{Budget, Control, Meter};
use super::space::Space;
use crate::SynthError;

/// In which order children are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By g: the paper's.
    Cost,
    /// By g over the frames it pays for. Where a graph is cut densely, g alone prefers the shortest edge, and
    /// transitions, which are long, come last.
    PerFrame,
    /// By what m frames of it would cost and what the space [guesses](Guide::guide) is to come after it. Bites are compared with that
    /// guess at their ends too.
    #[default]
    Guided,
}

/// How branch and bound searches. The letters are those of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BnbOptions {
    /// n: frames of a bite; `None` searches complete walks at once, which proves its result and takes for ever. Default 90.
    pub horizon: Option<u32>,
    /// m: frames kept of a bite; a bite is kept up to the first node at or after them. Default 30.
    pub keep: u32,
    /// ε: halt a bite when a walk costs less than this. Default 0: never.
    pub epsilon: f64,
    /// r: how many best walks of a bite are kept to draw from. Default 1: the best is taken.
    pub best: usize,
    /// Those within this factor of the best are drawn from. Default 1.1.
    pub tolerance: f64,
    /// Edges tried per bite, about: the walk under way is finished. `None`, the default: what the budget allows, in passes over
    /// the whole way that may spend more each time.
    pub per_bite: Option<u64>,
    /// In which order children are tried.
    pub order: Order,
    /// Starts looked at closely, by the cost of their greedy walks.
    pub start_states: usize,
    /// How many next bests of a bite are kept to go back to when a later bite runs off: see [`Guide::run_off`]. Default 3; 0
    /// never goes back, as in the paper.
    pub spare: usize,
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
            per_bite: None,
            order: Order::default(),
            start_states: 16,
            spare: 3,
            seed: 0,
        }
    }
}

impl BnbOptions {
    /// The longest bite, in frames: two minutes at 30 Hz.
    pub const LONGEST_BITE: u32 = 3600;
    /// The most walks that are kept to draw from.
    pub const MOST_BEST: usize = 100;

    /// Says what cannot be.
    ///
    /// # Errors
    /// When a bite has no frames or more than [`BnbOptions::LONGEST_BITE`], nothing or more than all of it is kept, ε is
    /// negative or NaN, or none or more than [`BnbOptions::MOST_BEST`] walks are to be drawn from.
    pub fn check(&self) -> Result<(), SynthError> {
        let wrong = |what: String| Err(SynthError::Options { what });
        if let Some(n) = self.horizon {
            if !(1..=Self::LONGEST_BITE).contains(&n) {
                let most = Self::LONGEST_BITE;
                return wrong(format!("a bite of {n} frames cannot be: 1 to {most} can"));
            }
            if !(1..=n).contains(&self.keep) {
                let m = self.keep;
                return wrong(format!("{m} frames cannot be kept of a bite of {n}"));
            }
        }
        if self.epsilon.is_nan() || self.epsilon < 0.0 {
            let epsilon = self.epsilon;
            return wrong(format!("no walk costs less than {epsilon}"));
        }
        if !(1..=Self::MOST_BEST).contains(&self.best) {
            let (r, most) = (self.best, Self::MOST_BEST);
            return wrong(format!(
                "cannot draw from {r} walks of a bite: 1 to {most} can be kept"
            ));
        }
        Ok(())
    }
}

/// What a bite of the first pass may spend where nothing is said.
const FIRST_PASS: u64 = 6_000;
/// What a bite of a pass may spend at most over what one of the pass before it could.
const GROWTH: u64 = 16;

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
    let spare = options.horizon.map_or(0, |_| options.spare);
    let best = options.best.max(1 + spare);
    let mut arena = ArenaOf::<S>::new(depth, space.most_actions(), best, budget.memory);
    let whole = options.horizon.is_none().then_some(u64::MAX);
    let fixed = options.per_bite.or(whole);
    let mut search = Search {
        space,
        options: *options,
        frames,
        per_bite: fixed.unwrap_or(FIRST_PASS),
        most_per_bite: u64::MAX,
        shared: None,
        dead_ends: DeadEnds::default(),
    };
    let all = space.start_states();
    let mut found: Option<SearchResult<S::State, S::Action>> = None;
    let mut short = false;
    loop {
        let pass = Pass::run(&mut search, &mut arena, &mut meter, &all, found.as_ref());
        short |= pass.short;
        let better = match &found {
            None => true,
            Some(f) => pass.found.complete && (!f.complete || pass.found.cost < f.cost),
        };
        if better {
            if pass.found.complete && meter.may_show() {
                pass.show(space, &mut meter);
            }
            found = Some(pass.found);
        }
        // What was seen whole is the same again.
        if fixed.is_some() || pass.whole || pass.bites == 0 {
            break;
        }
        // From now on what is left is shared by the bites there are to come, but no bite grows by more at once than makes the
        // passes before it cheap.
        let share = meter.limit.saturating_sub(meter.expansions) / pass.bites;
        if meter.spent() || share <= search.per_bite {
            short = true;
            break;
        }
        search.shared = Some(pass.bites);
        search.most_per_bite = search.per_bite.saturating_mul(GROWTH);
        search.per_bite = share.min(search.most_per_bite);
    }
    let mut found = found.unwrap_or_else(|| SearchResult::none(String::new()));
    found.search = if short || found.outcome == Outcome::BudgetSpent {
        SearchEnd::Budget
    } else {
        SearchEnd::Complete
    };
    found.deterministic = meter.deterministic();
    found.expansions = meter.expansions;
    found.seconds = meter.since.elapsed().as_secs_f64();
    found
}
