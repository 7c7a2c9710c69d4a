//! Motion graphs: from candidates to a graph that never traps the character, and an account of what it lost.
//!
//! [`GraphBuilder`] turns a set of clips into a [`MotionGraph`]: candidates from `gaitway-metric`, [`Labels`],
//! [`Thresholds`] per ordered pair of labels, transitions both ways, pruning by label with bridges. The
//! [`Account`] that comes with it says which clips and how many seconds were lost, why, and which candidates would bring them back.
//! [`MotionGraph::save`] and [`MotionGraph::load`] keep all of it in one `.gway` file that is read by memory map;
//! [`MotionGraph::rethreshold`] changes thresholds without computing distances again. [`inspect`] has the
//! numbers and drawings.
//!
//! | module | its part |
//! | --- | --- |
//! | `graph`, `topology` | the graph, its nodes and edges |
//! | `library`, `clip_info`, `array` | its clips as sources of poses, captured or made |
//! | `candidates` | where clips could be joined |
//! | `labels`, `label_set`, `label_index` | what is done when, as bits |
//! | `thresholds`, [`auto`] | how much a transition may differ |
//! | `select`, `end_cuts`, `displacement`, `raw`, `scc`, `prune`, `cut` | from candidates to the pruned graph, in flat arrays |
//! | `account`, `reconnect`, `verdict`, `warning` | what was lost, and why |
//! | `builder`, `rethreshold`, `tryout` | clips in, graph out; the same graph cut anew, or only measured |
//! | `file` | the `.gway` file |

pub mod account;
mod array;
pub mod auto;
mod builder;
mod candidates;
mod clip_info;
mod cut;
mod displacement;
mod end_cuts;
mod error;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod graph;
mod ids;
pub mod inspect;
mod label_index;
mod label_set;
mod labels;
mod library;
mod options;
mod prune;
mod raw;
mod reconnect;
mod rethreshold;
mod scc;
mod select;
mod tag;
mod thresholds;
mod topology;
mod tryout;
mod verdict;
mod warning;

pub use account::{Account, LabelAccount, Lost, LostReason, Reconnect, Timings};
pub use array::Array;
pub use builder::{GraphBuilder, MIRROR_SUFFIX, journal_path, remove_journal};
pub use candidates::{CandidateGroup, CandidateTable, EndTable};
pub use clip_info::{ClipInfo, LabelRun, Provenance};
pub use error::GraphError;
pub use file::{Bytes, VERSION};
pub use graph::MotionGraph;
pub use ids::{CandidateId, ClipId, EdgeId, EndCandidateId, LabelId, NodeId};
pub use label_set::{LabelSet, LabelTable, UNLABELLED};
pub use labels::{LabelRow, Labels};
pub use library::{Library, Recipe};
pub use options::{BuildOptions, ContactRule, Transitions};
pub use thresholds::{ThresholdMatrix, Thresholds};
pub use topology::{Edge, EdgeKind, Node, Piece, Transition, TransitionKind, Via};
pub use tryout::TryOut;
pub use verdict::{Verdict, Verdicts};
pub use warning::GraphWarning;

pub use gaitway_metric::{Progress, ProgressState};
