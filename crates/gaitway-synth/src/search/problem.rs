//! What a search asks of a problem.
//!
//!   f(w) = Σ g([e₁ … e_{i−1}], e_i),   g ≥ 0                                             [Kovar04] eq. 4.14
//!
//! A *state* is all that g needs to know about the walk so far. Searches see states, edges and costs, never poses.

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

/// A walk problem: who starts where, what an edge costs, when it is over.
///
/// Laws: costs are not negative; [`Problem::estimate`] never exceeds what a complete walk still costs from there (0 is
/// always right); the same state and edge give the same step.
pub trait Problem: Sync {
    /// What must be known of a walk to go on. Plain data: searches copy it into arenas sized ahead.
    type State: Copy + Send + Sync;

    /// The graph walked on.
    fn graph(&self) -> &MotionGraph;

    /// Where walks may begin, in a fixed order.
    fn starts(&self) -> Vec<Self::State>;

    /// The node a state is at.
    fn node(&self, state: &Self::State) -> NodeId;

    /// Appends an edge, or at most its first `ask.most_frames` frames where the problem can cut edges. A step that
    /// would cost more than `ask.limit` may be cut off as [`Cut::Bound`].
    ///
    /// # Errors
    /// The reason a hard constraint, or the limit, cuts this branch.
    fn step(&self, from: &Self::State, edge: EdgeId, ask: Ask) -> Result<Step<Self::State>, Cut>;

    /// At most what a complete walk still costs from here.
    fn estimate(&self, _state: &Self::State) -> f64 {
        0.0
    }

    /// Whether the walk is complete.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// How far along a walk is, in metres or any unit that grows: states are compared at equal progress.
    fn progress(&self, state: &Self::State) -> f64;

    /// The progress of a complete walk.
    fn progress_at_goal(&self) -> f64;

    /// States of one cell at equal progress can stand for one another: only the cheaper is kept.
    fn cell(&self, state: &Self::State) -> u64;

    /// States of different groups are not compared: the highest number and all others get even shares of what is spent at
    /// equal progress. For problems whose guide cannot tell what the next task will cost from what the present one does.
    fn group(&self, _state: &Self::State) -> u32 {
        0
    }

    /// What the beam adds to a state's cost to compare it with others: a guess, not a bound.
    fn guide(&self, state: &Self::State) -> f64 {
        self.estimate(state)
    }

    /// A look at where an edge would lead, far cheaper than a step: the progress at its end, and about the least that its
    /// cost and the guide there come to. Searches may leave out edges that look hopeless.
    fn glance(&self, _state: &Self::State, _edge: EdgeId) -> Option<(f64, f64)> {
        None
    }

    /// What carries the clip of a start into the world, for those who watch; nothing where a problem has no ground.
    fn placement(&self, _start: &Self::State) -> Planar {
        Planar::IDENTITY
    }

    /// Why there is no walk, from the branch that came furthest.
    fn explain(&self, cuts: &Cuts<Self::State>) -> String {
        match cuts.furthest {
            None => "there is nowhere to start".to_owned(),
            Some((_, cut)) => format!("every branch was cut: {}", cut.words()),
        }
    }
}

/// What a search wants of one step.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Frames of interest.
    pub most_frames: u32,
    /// Costs above this are of no use.
    pub limit: f64,
}

impl Ask {
    /// The whole edge at any price.
    pub const ALL: Self = Self {
        most_frames: u32::MAX,
        limit: f64::INFINITY,
    };
}

/// A walk made longer by an edge.
#[derive(Clone, Copy, Debug)]
pub struct Step<S> {
    /// The state at the end of what was walked.
    pub state: S,
    /// g.
    pub cost: f64,
    /// Working frames walked, at least one.
    pub frames: u32,
}

/// Why a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cut {
    /// Dearer than the limit.
    Bound,
    /// The edge does not carry the label asked for.
    Label,
    /// Into an obstacle, by its place in the list.
    Obstacle(u32),
    /// Too near another motion, by its place in the list.
    Someone(u32),
    /// Out of the corridor.
    Corridor,
    /// Forbidden by name.
    Forbidden,
    /// Longer in time than allowed.
    TooSlow,
    /// Anything else.
    Other,
}

impl Cut {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Bound => "it costs too much",
            Self::Label => "no edge carries the label asked for",
            Self::Obstacle(_) => "an obstacle is in the way",
            Self::Someone(_) => "somebody else is in the way",
            Self::Corridor => "it leaves the corridor",
            Self::Forbidden => "the clip is forbidden",
            Self::TooSlow => "it takes too long",
            Self::Other => "a hard constraint does not hold",
        }
    }
}

/// The branch that came furthest before a hard constraint cut it.
#[derive(Clone, Copy, Debug)]
pub struct Cuts<S> {
    /// The state before the cut and why it was cut.
    pub furthest: Option<(S, Cut)>,
    progress: f64,
}

impl<S: Copy> Default for Cuts<S> {
    fn default() -> Self {
        Self {
            furthest: None,
            progress: f64::NEG_INFINITY,
        }
    }
}

impl<S: Copy> Cuts<S> {
    /// Notes a cut; those by price do not count.
    pub fn note<P: Problem<State = S>>(&mut self, problem: &P, state: &S, cut: Cut) {
        if cut == Cut::Bound {
            return;
        }
        let progress = problem.progress(state);
        // An obstacle says more than the labels beside it, at the same place.
        let better = match self.furthest {
            None => true,
            Some((_, Cut::Label | Cut::Forbidden)) => progress >= self.progress - 0.25,
            Some(_) => progress > self.progress && !matches!(cut, Cut::Label | Cut::Forbidden),
        };
        if better {
            self.progress = self.progress.max(progress);
            self.furthest = Some((*state, cut));
        }
    }
}
