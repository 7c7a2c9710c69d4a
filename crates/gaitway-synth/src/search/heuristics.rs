//! Heuristics and keys: what some searches need to know of a space, and others do not.
//!
//! | trait | says | without a word of one's own |
//! | --- | --- | --- |
//! | [`Estimate`] | what is still to be paid, at most | nothing |
//! | [`Key`] | which states can stand for one another | must be said |
//! | [`Identity`] | which states are the same | must be said |
//! | [`Layers`] | how far along a state is | must be said; all states are of one group |
//! | [`Guide`] | a guess at what is to come | the estimate; no action is glanced at |
//! | [`Explain`] | why there is no way | the dead end that came furthest |

use std::hash::Hash;

use super::dead_end::DeadEnds;
use super::space::Space;

/// An admissible heuristic, a lower bound of the cost to go: `impl Estimate for X {}` is one that is always right.
pub trait Estimate: Space {
    /// At most what a complete way still costs from here. Law: never more than that, and not negative; 0 is always right, and
    /// infinite says that no way leads on from here.
    fn estimate(&self, _state: &Self::State) -> f64 {
        0.0
    }

    /// Whether the estimate is consistent: no step lowers it by more than the step costs, h(s) ≤ c(s, s′) + h(s′), and it is 0 at
    /// goals. Such an estimate is admissible; not every admissible one is such. Say it only where it is proven:
    /// [`ara_star`](super::ara_star) then takes a bound from its ε, and expands no state twice for one ε.
    fn consistent(&self) -> bool {
        false
    }
}

/// Which states can stand for one another.
pub trait Key: Space {
    /// States of one key can stand for one another, at equal progress where the space has [`Layers`]: only the cheaper is
    /// kept. Law: what costs the same from here on has the same key, or the search works twice; what does not has another, or
    /// the search loses ways.
    fn key(&self, state: &Self::State) -> u64;
}

/// Which states are the same: what a search needs that remembers all it has seen.
///
/// A [`Key`] says what is much alike, which is good enough for a search that proves nothing. An identity is exact.
pub trait Identity: Space {
    /// What tells states apart; 16 bytes or fewer are kept and compared best.
    type Id: Copy + Eq + Hash;

    /// Law: from states of one identity the same actions lead to states of one identity, at the same costs, and either both or none
    /// are goals. Places that are rounded keep it only where the state itself is what was rounded to.
    fn identity(&self, state: &Self::State) -> Self::Id;
}

/// How far along states are: who is compared with whom.
pub trait Layers: Space {
    /// How far along a state is, in metres or any unit that grows: states are compared at equal progress. Law: a step never
    /// leads to a state with less.
    fn progress(&self, state: &Self::State) -> f64;

    /// The progress of a complete way.
    fn progress_at_goal(&self) -> f64;

    /// States of different groups are not compared: the highest number and all others get even shares of what is spent at
    /// equal progress. For spaces whose guide cannot tell what the next task will cost from what the present one does.
    fn group(&self, _state: &Self::State) -> u32 {
        0
    }
}

/// A heuristic for ranking, not a bound: guesses at what is to come, for searches that must choose where to look: `impl Guide for X {}` guesses the estimate.
pub trait Guide: Estimate {
    /// What is added to a state's cost to compare it with others: a guess, not a bound.
    fn guide(&self, state: &Self::State) -> f64 {
        self.estimate(state)
    }

    /// What a frame may cost on the mean of a part of the way before that part has run off, so that a search that decides part by
    /// part had better go back: nothing is too dear by default.
    fn run_off(&self) -> f64 {
        f64::INFINITY
    }

    /// A look at where an action would lead, far cheaper than a step: the progress at its end, and about the least that its
    /// cost and the guide there come to. Searches may leave out actions that look hopeless.
    fn glance(&self, _state: &Self::State, _action: Self::Action) -> Option<(f64, f64)> {
        None
    }
}

/// Why there is no way, in words: `impl Explain for X {}` tells the dead end that came furthest.
pub trait Explain: Space {
    /// Why there is no way, from the branch that came furthest.
    fn explain(&self, dead_ends: &DeadEnds<Self::State>) -> String {
        match dead_ends.furthest {
            None => "there is nowhere to start".to_owned(),
            Some((_, why)) => format!("every branch was cut: {}", why.words()),
        }
    }
}
