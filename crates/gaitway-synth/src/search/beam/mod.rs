//! The default search: a beam over progress, in rounds, by several searchers, and a found walk made better.
//!
//! Branch and bound in bites is greedy: a second of motion is too short to prepare a corner. Here all walks go on at once
//! and are compared *at equal progress*: states wait in layers of a step of progress; in each layer the cheapest of
//! every key (see [`Key`]) stay, ranked by cost and guide, and the best go on, as many as the
//! layer's share of the budget pays for. A walk is judged by all of the path before it, not by a second of it, and a detour
//! that pays later survives as long as it ranks among the best. A first round with little makes it anytime; the next knows
//! the cost of the best walk so far and drops what costs more.
//!
//! Several *searches* run side by side with seeds of their own, on as many threads as there are: they make different
//! mistakes. With what is left of the budget all of them work on the best walk of any: it is cut at as many places, and what
//! follows each cut is solved again. Searchers meet only between these steps, so that the walk does not depend on threads.
//!
//! | module | its part |
//! | --- | --- |
//! | `arena` | memory, sized ahead |
//! | `round` | layer by layer |
//! | `searcher` | the rounds of one start, and the end of a walk solved again |
//! | `team` | several of them, and what they say to whoever watches |
//!
//! Cost: a step per action tried, a sort and a hash look-up per state kept. Entries lie in one arena per start, sized ahead;
//! nothing else is allocated while a layer is expanded. Same space, options and budget: same walk.

mod arena;
mod round;
mod searcher;
mod team;

use super::dead_end::DeadEnds;
use super::heuristics::{Explain, Guide, Key, Layers};
use super::result::{BestSolution, SearchResult};
use super::run::{Budget, Control};

/// How the beam searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamOptions {
    /// What the first round may spend, as a part of all; default 0.06.
    pub first: f64,
    /// Each round may spend this much more than the one before; default 20: with the usual budgets the second is the last.
    pub growth: f64,
    /// What is kept for solving the ends of the walk again, as a part of all; default 0.25.
    pub improve: f64,
    /// Progress per layer; default 0.1 (metres, for paths).
    pub layer: f64,
    /// Jitter of ranks by the seed, as a part of them; no jitter with seed 0.
    pub jitter: f64,
    /// Same seed, same walk; another seed, another walk.
    pub seed: u64,
    /// Searches that share the budget and its memory, 1 to 64, each with a seed of its own (the first with `seed`); default 1.
    pub searches: usize,
    /// Threads they run on; 0, the default, is as many as the machine has. Changes nothing but the time.
    pub threads: usize,
}

impl Default for BeamOptions {
    fn default() -> Self {
        Self {
            first: 0.06,
            growth: 20.0,
            improve: 0.25,
            layer: 0.1,
            jitter: 0.15,
            seed: 0,
            searches: 1,
            threads: 0,
        }
    }
}

impl BeamOptions {
    /// The seed of one of the searches. They lie far apart: those of seed 1 are none of seed 0's.
    fn seed_of(&self, start: usize) -> u64 {
        match start {
            0 => self.seed,
            k => self
                .seed
                .wrapping_add((k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        }
    }

    fn searches(&self) -> usize {
        self.searches.clamp(1, 64)
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}

/// Searches by a global beam in rounds.
pub fn beam_search<S: Layers + Key + Guide + Explain>(
    space: &S,
    options: &BeamOptions,
    budget: &Budget,
    control: Control<'_, BestSolution<S::State, S::Action>>,
) -> SearchResult<S::State, S::Action> {
    let places = space.start_states();
    if places.is_empty() {
        return SearchResult::none(space.explain(&DeadEnds::default()));
    }
    team::search(space, options, budget, control, &places)
}
