//! From clips to a graph: compare, choose transitions, prune, number anew.
//!
//! ```text
//!  clips ─► builder ─► candidates (gaitway-metric) ─► select, end_cuts: which become transitions (thresholds, contact rule, thinning)
//!                                                        │
//!                        the finished graph ◄─ draft ◄─ prune (by label, with bridges) ◄─ raw: every clip whole, every transition
//! ```

pub mod auto;
pub(crate) mod builder;
mod displacement;
pub(crate) mod draft;
pub(crate) mod end_cuts;
pub(crate) mod label_index;
pub(crate) mod lost_frames;
pub(crate) mod options;
pub(crate) mod prune;
pub(crate) mod raw;
pub(crate) mod rethreshold;
pub(crate) mod scc;
pub(crate) mod select;
pub(crate) mod thresholds;
pub(crate) mod tryout;
pub(crate) mod verdict;
