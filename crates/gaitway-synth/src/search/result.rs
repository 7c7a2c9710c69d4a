//! What searches bring back, and show on the way.

use gaitway_graph::EdgeId;
use serde::Serialize;

use super::space::{Ask, Space, Step};

/// What a search has to say. Whether it was the budget that ended it is another matter: see [`SearchEnd`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// A complete way, by whatever end: the beam goes on looking for a better one as long as its budget lasts.
    Solved,
    /// The budget was spent, or the search was stopped, before a way was complete; the best so far.
    BudgetSpent,
    /// There is no complete way, or none was met.
    NoWalk {
        /// Why.
        reason: String,
    },
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// It ended by itself, with budget to spare. No proof that nothing is better: that is `bound`.
    Complete,
    /// The budget, the clock or a cancel ended it: more might find something better.
    Budget,
}

impl SearchEnd {
    /// `Budget` where the budget had a say in either.
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Budget }
    }
}

/// What a search brings back.
#[derive(Clone, Debug)]
pub struct SearchResult<S, A = EdgeId> {
    /// The state the way starts from.
    pub start: Option<S>,
    /// The state it leads to.
    pub end: Option<S>,
    /// Its actions: for graphs, its [edges](SearchResult::edges).
    pub actions: Vec<A>,
    /// Frames of the last action that were taken.
    pub last_frames: u32,
    /// f(w).
    pub cost: f64,
    /// Proven: no complete way costs less. `None` where nothing is proven: only ARA*, and branch and bound over complete ways, prove anything.
    pub bound: Option<f64>,
    /// Actions tried, by all searches together.
    pub expansions: u64,
    /// Searches that shared the budget: see `searches` of [`BeamOptions`](super::BeamOptions).
    pub searches: usize,
    /// Whether the way is complete.
    pub complete: bool,
    /// What came of it.
    pub outcome: Outcome,
    /// What ended it.
    pub search: SearchEnd,
    /// False where a clock had a say.
    pub deterministic: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl<S, A> SearchResult<S, A> {
    /// Nothing, for a reason.
    pub fn none(reason: String) -> Self {
        Self {
            start: None,
            end: None,
            actions: Vec::new(),
            last_frames: 0,
            cost: 0.0,
            bound: None,
            expansions: 0,
            searches: 1,
            complete: false,
            outcome: Outcome::NoWalk { reason },
            search: SearchEnd::Complete,
            deterministic: true,
            seconds: 0.0,
        }
    }
}

impl<S, A> SearchResult<S, A> {
    /// ε: the way costs at most so many times what the best does; nothing where there is no complete way, or nothing is proven.
    pub fn epsilon(&self) -> Option<f64> {
        let bound = self.bound.filter(|_| self.complete)?;
        if self.cost <= bound {
            Some(1.0)
        } else {
            (bound > 0.0).then(|| self.cost / bound)
        }
    }
}

impl<S> SearchResult<S> {
    /// The edges of a walk through a graph.
    pub fn edges(&self) -> &[EdgeId] {
        &self.actions
    }
}

/// The best way while a search is under way: the cheapest complete one, or, before there is one, the best of those that have
/// come furthest. For walks through graphs see [`BestSoFar`](super::BestSoFar).
#[derive(Clone, Debug, PartialEq)]
pub struct BestSolution<S, A> {
    /// The state it starts from.
    pub start: S,
    /// The state it leads to.
    pub end: S,
    /// Its actions.
    pub actions: Vec<A>,
    /// Frames of the last action that were taken.
    pub last_frames: u32,
    /// f of what is done so far.
    pub cost: f64,
    /// Whether it is complete.
    pub complete: bool,
    /// How far it has come, 0 to 1.
    pub part: f64,
    /// Actions tried so far.
    pub expansions: u64,
}

/// A way as a search has it.
pub(crate) struct Solution<S, A> {
    pub start: S,
    pub end: S,
    pub actions: Vec<A>,
    pub last_frames: u32,
    pub cost: f64,
    pub complete: bool,
}

/// Takes actions from a state, the last one only in part: states and costs as a search would see them.
///
/// `None` where a constraint ends the way.
pub fn replay<S: Space>(
    space: &S,
    start: &S::State,
    actions: &[S::Action],
    last_frames: u32,
) -> Option<(S::State, f64)> {
    let (mut state, mut cost) = (*start, 0.0);
    for (k, &action) in actions.iter().enumerate() {
        let mut ask = Ask::ALL;
        if k + 1 == actions.len() {
            ask.most_frames = last_frames;
        }
        let Step {
            state: s, cost: c, ..
        } = space.step(&state, action, ask).ok()?;
        state = s;
        cost += c;
    }
    Some((state, cost))
}
