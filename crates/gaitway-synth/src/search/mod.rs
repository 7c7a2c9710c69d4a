//! Searches, and what they search.
//!
//! ```text
//!   Space (states, actions, costs, goal)   ◄──  branch_and_bound (the paper's)     ──►  SearchResult: actions, cost, bound,
//!     │  + Estimate, Key, Identity,        ◄──  beam_search (global, the default)       outcome, how it ended
//!     │    Layers, Guide, Explain:         ◄──  ara_star (any time, proven; A*, Dijkstra)
//!     │    as a search needs
//!     ├─ any GraphProblem: actions are the edges that leave a state's node
//!     │    ├─ path::PathProblem (eq. 4.15), a window of one, a clip at a place
//!     │    └─ your own objective on a motion graph
//!     └─ your own space, which need not be a graph
//! ```
//!
//! A search knows what it searches only by these traits, and names in its bounds those it needs: write your own objective
//! and every search runs on it.

mod ara;
mod beam;
mod bnb;
mod dead_end;
mod graph;
mod heuristics;
mod result;
mod run;
mod space;

pub use ara::{AraOptions, AraResult, Bounded, Epsilons, OpenList, Phase, ara_star};
pub use beam::{BeamOptions, beam_search};
pub use bnb::{BnbOptions, Order, branch_and_bound};
pub use dead_end::{DeadEnd, DeadEnds};
pub use graph::{BestSoFar, GraphProblem, watched};
pub use heuristics::{Estimate, Explain, Guide, Identity, Key, Layers};
pub use result::{BestSolution, Outcome, SearchEnd, SearchResult, replay};
pub use run::{Budget, Control, SearchProgress};
pub use space::{Action, Ask, Space, Step};
