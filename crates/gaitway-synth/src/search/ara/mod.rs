//! ARA*: a solution soon, better ones later, and at every moment a proven bound.             [Likhachev 2003]
//!
//!   f(s) = g(s) + ε h(s)        cost ≤ ε C* when the goal's g is no more than any f that is open
//!   C* ≥ min over OPEN ∪ INCONS of g + h, or the goal's g where that is less
//!
//! States are expanded in the order of f. A large ε makes the search go by the estimate alone and arrive soon; then ε falls, and what was
//! found is kept: states whose cost fell since they were expanded (INCONS) are open again, all others stay as they are. With ε = 1 alone it is
//! A*, and where the estimate is 0 Dijkstra's search. The same space, options and budget of expansions and memory give the same bytes.
//!
//! **What is asked of the estimate.** That it never says too much ([`Estimate`]): then the second line holds, whatever the order
//! of expansions was. *Proof:* walk along a cheapest way from its start to the first state that was not expanded since its g fell
//! last. All before it handed on their g, so its g is its part of C*, and g + h ≤ C*. If there is none, the goal's g is C*. The first
//! line needs more, that the estimate is consistent, and is used where the space says so ([`Estimate::consistent`]). Where it does not,
//! a pass is repeated with the same ε until the second line proves it. What is seen on the way is checked, and an estimate found to be wrong is told and takes
//! the bound away ([`AraResult::estimate_wrong`]): it is not 0 at a goal, above what a step to a goal costs, above what the way
//! found still costs there, or said to be consistent while a step lowers it by more than it costs. Builds with debug assertions look at every step for the
//! last, others at those that lead to new states or reach one more cheaply. What nobody looked at is not found out: that the estimate is what it is said
//! to be is for the space to prove, and to test.
//!
//! | module | its part |
//! | --- | --- |
//! | `arena` | nodes and the table of identities, 37 to 42 bytes a state of 16 |
//! | `queue` | what is open, by f: a heap, or buckets of which the lowest is a heap |
//! | `expand` | one state: its successors, taken in together so that they wait for memory together |
//! | `passes` | ε by ε, budgets, bounds, what is told |
//!
//! Checked by: tests/ara.rs (Dijkstra's search written plainly, laws on random spaces). Measured by: benches/ara.

mod arena;
mod epsilons;
mod expand;
mod passes;
mod queue;

pub use self::epsilons::Epsilons;
use super::heuristics::{Estimate, Explain, Identity};
use super::result::{BestSolution, SearchResult};
use super::run::{Budget, Control};

/// How what is open is kept in order. Both find the same, at different speeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpenList {
    /// A binary heap.
    Heap,
    /// Buckets of f, of which the lowest is a heap: a third faster where many states are open, 100 KB more where few are.
    #[default]
    Buckets,
}

/// How ARA* searches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AraOptions {
    /// By how much the estimate is inflated; default 10 to 1.
    pub epsilons: Epsilons,
    /// How what is open is kept in order.
    pub open: OpenList,
    /// What a complete way costs that is known already: only cheaper ones are looked for, and the bound is of both.
    pub known: Option<f64>,
}

impl AraOptions {
    /// A*: the cheapest way and nothing before it.
    pub const OPTIMAL: Self = Self {
        epsilons: Epsilons::OPTIMAL,
        open: OpenList::Buckets,
        known: None,
    };
}

/// A pass with one ε.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Phase {
    /// The ε it was made with.
    pub epsilon: f64,
    /// What the best way costs after it; none where there is none.
    pub cost: Option<f64>,
    /// Proven after it: no complete way costs less.
    pub bound: f64,
    /// Whether it went to its end; the last may not.
    pub complete: bool,
    /// States expanded in it.
    pub expanded: u64,
    /// Actions tried since the beginning.
    pub expansions: u64,
    /// Seconds since the beginning.
    pub seconds: f64,
}

impl Phase {
    /// ε′: the way costs at most so many times what the best does.
    pub fn proven(&self) -> Option<f64> {
        ratio(self.cost?, self.bound)
    }
}

/// What is shown while it is under way: at each better way, and at the end of each ε.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded<S, A> {
    /// The best way there is.
    pub way: BestSolution<S, A>,
    /// Proven: no complete way costs less.
    pub bound: f64,
    /// The ε that the search is at.
    pub epsilon: f64,
    /// That it has done with this ε; otherwise there is a better way, and more to come.
    pub phase_over: bool,
}

impl<S, A> Bounded<S, A> {
    /// ε′: the way costs at most so many times what the best does; nothing while nothing is proven.
    pub fn proven(&self) -> Option<f64> {
        ratio(self.way.cost, self.bound)
    }
}

/// What ARA* brings back.
#[derive(Clone, Debug)]
pub struct AraResult<S, A> {
    /// The way, its cost, and the bound that is proven.
    pub found: SearchResult<S, A>,
    /// ε by ε.
    pub phases: Vec<Phase>,
    /// States expanded, in all.
    pub expanded: u64,
    /// States met.
    pub states: usize,
    /// Bytes that were taken at the end.
    pub bytes: usize,
    /// Steps seen that lower the estimate by more than they cost: it is not consistent where there are any.
    pub estimate_falls: u64,
    /// The estimate is not what the space says it is, somewhere that was seen: nothing is proven.
    pub estimate_wrong: bool,
}

impl<S, A> AraResult<S, A> {
    /// ε′: the way found costs at most so many times what the best does; nothing where nothing is proven.
    pub fn proven(&self) -> Option<f64> {
        self.found.epsilon()
    }
}

/// Cost over bound; 1 for what costs nothing, nothing where nothing is proven.
fn ratio(cost: f64, bound: f64) -> Option<f64> {
    if cost <= bound {
        Some(1.0)
    } else {
        (bound > 0.0).then(|| cost / bound)
    }
}

/// Searches by ARA*: the best way within budget, and what no way costs less than.
///
/// The budget's expansions are actions tried, its memory is bytes of states, and its time, where one is given, makes the result depend on
/// the machine. With [`AraOptions::known`] and no cheaper way the outcome is `NoWalk`, and the bound is what it would be of both.
///
/// ```
/// use gaitway_synth::search::*;
///
/// /// From 0 to 100 by steps of 1 and 7; the long one costs as much as three short ones.
/// struct Stairs;
/// impl Space for Stairs {
///     type State = u32;
///     type Action = u32;
///     fn start_states(&self) -> Vec<u32> { vec![0] }
///     fn actions(&self, _: &u32) -> impl Iterator<Item = u32> { [1, 7].into_iter() }
///     fn step(&self, from: &u32, by: u32, _: Ask) -> Result<Step<u32>, DeadEnd> {
///         let cost = if by == 1 { 1.0 } else { 3.0 };
///         if from + by > 100 { Err(DeadEnd::Other) } else { Ok(Step { state: from + by, cost, frames: 1 }) }
///     }
///     fn is_goal(&self, at: &u32) -> bool { *at == 100 }
/// }
/// impl Identity for Stairs {
///     type Id = u32;
///     fn identity(&self, at: &u32) -> u32 { *at }
/// }
/// impl Estimate for Stairs {
///     fn estimate(&self, at: &u32) -> f64 { f64::from(100 - at) * 3.0 / 7.0 }
///     fn consistent(&self) -> bool { true }
/// }
/// impl Explain for Stairs {}
///
/// let all = ara_star(&Stairs, &AraOptions::default(), &Budget::default(), Control::default());
/// assert_eq!((all.found.cost, all.found.bound), (44.0, Some(44.0)));
/// assert!(all.phases.iter().all(|p| p.cost.unwrap() <= p.epsilon * 44.0));
/// ```
pub fn ara_star<S: Estimate + Identity + Explain>(
    space: &S,
    options: &AraOptions,
    budget: &Budget,
    control: Control<'_, Bounded<S::State, S::Action>>,
) -> AraResult<S::State, S::Action> {
    passes::search(space, options, budget, control)
}
