//! Searches, and what they search.
//!
//! ```text
//!   Space (states, actions, costs, goal)   ◄──  branch_and_bound (the paper's)     ──►  Found: actions, cost, bound,
//!     │  + Estimate, Key, Layers,          ◄──  beam_search (global, the default)       outcome, how it ended
//!     │    Guide, Explain: as a search needs
//!     ├─ any GraphProblem: actions are the edges that leave a state's node
//!     │    ├─ path::PathProblem (eq. 4.15), a window of one, a clip at a place
//!     │    └─ your own objective on a motion graph
//!     └─ your own space, which need not be a graph
//! ```
//!
//! A search knows what it searches only by these traits, and names in its bounds those it needs: write your own objective
//! and every search runs on it.

mod beam;
mod bnb;
mod cut;
mod facets;
mod found;
mod graph;
mod run;
mod space;

pub use beam::{BeamOptions, beam_search};
pub use bnb::{BnbOptions, Order, branch_and_bound};
pub use cut::{Cut, Cuts};
pub use facets::{Estimate, Explain, Guide, Key, Layers};
pub use found::{BestWay, Found, Outcome, SearchEnd, replay};
pub use graph::{BestSoFar, GraphProblem, watched};
pub use run::{Budget, Control, SearchProgress};
pub use space::{Action, Ask, Space, Step};
