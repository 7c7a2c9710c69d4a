//! What a search runs over.
//!
//!   f(w) = Σ g([a₁ … a_{i−1}], a_i),   g ≥ 0                                             [Kovar04] eq. 4.14
//!
//! A *state* is all that g needs to know about what was done so far, an *action* what can be done next. Searches see states,
//! actions and costs, never poses: a motion graph is one space among others (see [`GraphProblem`](super::GraphProblem)).

use gaitway_graph::EdgeId;

use super::dead_end::DeadEnd;

/// A space to be searched: where to start, what can be done, what it costs and leads to, when it is over.
///
/// Laws: costs are not negative, nor NaN; the same state and action give the same step, whoever asks and whenever; actions of a
/// state come in the same order each time. What some searches need beside it are traits of their own:
/// [`Estimate`](super::Estimate), [`Key`](super::Key), [`Layers`](super::Layers), [`Guide`](super::Guide),
/// [`Explain`](super::Explain).
///
/// ```
/// use gaitway_synth::search::{Ask, DeadEnd, Space, Step};
///
/// /// From 0 to 10 by steps of 1 and 3; a long step costs as much as two short ones.
/// struct Stairs;
///
/// impl Space for Stairs {
///     type State = u32;
///     type Action = u32;
///     fn start_states(&self) -> Vec<u32> { vec![0] }
///     fn actions(&self, _: &u32) -> impl Iterator<Item = u32> { [1, 3].into_iter() }
///     fn step(&self, from: &u32, by: u32, _: Ask) -> Result<Step<u32>, DeadEnd> {
///         let cost = if by == 1 { 1.0 } else { 2.0 };
///         Ok(Step { state: from + by, cost, frames: 1 })
///     }
///     fn is_goal(&self, at: &u32) -> bool { *at >= 10 }
/// }
/// assert_eq!(Stairs.successors(&4, Ask::ALL).filter_map(|(_, s)| s.ok()).map(|s| s.state).sum::<u32>(), 12);
/// ```
pub trait Space: Sync {
    /// What must be known of the way so far to go on. Plain data: searches copy it into arenas sized ahead.
    type State: Copy + Send + Sync;

    /// What can be done in a state: an edge, for graphs.
    type Action: Action;

    /// Where to begin, in a fixed order.
    fn start_states(&self) -> Vec<Self::State>;

    /// What can be done in a state, in a fixed order. Searches ask for the next when they want it, and may stop before the
    /// last.
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = Self::Action>;

    /// Takes an action, or at most its first `ask.most_frames` frames where the space can cut actions. A step that would cost
    /// more than `ask.limit` may end as [`DeadEnd::Bound`].
    ///
    /// # Errors
    /// The reason a hard constraint, or the limit, ends this branch.
    fn step(
        &self,
        from: &Self::State,
        action: Self::Action,
        ask: Ask,
    ) -> Result<Step<Self::State>, DeadEnd>;

    /// Whether the way is complete.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// All steps from a state, each made when it is asked for: [`Space::actions`] and [`Space::step`] in one, for searches
    /// that expand a state at once.
    #[inline]
    fn successors(
        &self,
        state: &Self::State,
        ask: Ask,
    ) -> impl Iterator<Item = (Self::Action, Result<Step<Self::State>, DeadEnd>)> {
        let actions = self.actions(state);
        actions.map(move |action| (action, self.step(state, action, ask)))
    }

    /// No state has more actions than this, where that is known: memory is sized by it ahead. Where it is not, all that the
    /// budget allows is set aside.
    fn most_actions(&self) -> Option<usize> {
        None
    }

    /// A number that tells starts apart where a seed jitters their ranks; the node, for graphs. All alike by default.
    fn start_number(&self, _start: &Self::State) -> u64 {
        0
    }
}

/// Something that can be done, small enough to be kept once per state. Of actions that are as good as each other the lower
/// is taken first.
pub trait Action: Copy + Ord + Send + Sync {
    /// What is kept with a start, which no action led to. It is never taken, and may be a true one too.
    const NONE: Self;

    /// A number that tells actions apart where a seed jitters ranks.
    fn number(self) -> u64;
}

impl Action for EdgeId {
    const NONE: Self = Self(u32::MAX);

    #[inline]
    fn number(self) -> u64 {
        u64::from(self.0)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Action for $number {
            const NONE: Self = <$number>::MAX;

            #[inline]
            fn number(self) -> u64 {
                self as u64
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize);

/// What a search wants of one step.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Frames of interest.
    pub most_frames: u32,
    /// Costs above this are of no use.
    pub limit: f64,
}

impl Ask {
    /// The whole action at any price.
    pub const ALL: Self = Self {
        most_frames: u32::MAX,
        limit: f64::INFINITY,
    };
}

/// A way made longer by an action.
#[derive(Clone, Copy, Debug)]
pub struct Step<S> {
    /// The state at the end of what was done.
    pub state: S,
    /// g.
    pub cost: f64,
    /// How long it is: working frames walked, for graphs; at least 1, and 1 where a space knows no time.
    pub frames: u32,
}
