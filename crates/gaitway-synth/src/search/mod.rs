//! Searches, and the problems they solve.
//!
//! ```text
//!   Problem (states, costs, goal)  ◄──  branch_and_bound (the paper's)      ──►  Found: edges, cost, bound, outcome
//!     └─ PathProblem (eq. 4.15)    ◄──  beam_search (global, the default)
//! ```
//!
//! A search knows a problem only by [`Problem`]: write your own objective and every search runs on it.

mod beam;
mod bnb;
pub mod path;
mod problem;
mod run;

pub use beam::{BeamOptions, beam_search};
pub use bnb::{BnbOptions, Order, branch_and_bound};
pub use problem::{Ask, Cut, Cuts, Problem, Step};
pub use run::{BestSoFar, Budget, Control, Found, Outcome, SearchProgress, replay};
