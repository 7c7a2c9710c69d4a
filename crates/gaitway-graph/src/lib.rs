//! Motion graphs: from candidates to a graph that never traps the character, and an account of what it lost.
//!
//! [`GraphBuilder`] turns a set of clips into a [`MotionGraph`]: candidates from `gaitway-metric`, labels,
//! [`Thresholds`] per ordered pair of labels, transitions both ways, pruning by label with bridges. The
//! [`Account`] that comes with it says which clips and how many seconds were lost, why, and which candidates would bring them back.
//! [`MotionGraph::save`] and [`MotionGraph::load`] keep all of it in one `.gway` file that is read by memory map;
//! [`MotionGraph::rethreshold`] changes thresholds without computing distances again. [`inspect`] has the
//! numbers and drawings.
//!
//! | folder | its part |
//! | --- | --- |
//! | `model/` | the graph itself: its clips as sources of poses (`library/`), where they could be joined (`candidates`), nodes and edges (`topology`), labels as bits (`label_set`) |
//! | `build/` | from clips to that graph: `builder`; thresholds (`thresholds`, [`auto`]); which candidates become transitions (`select`, `end_cuts`, `displacement`); the whole graph (`raw`), its components (`scc`), what stays of it (`prune`, `draft`); the same again with other thresholds (`rethreshold`, `tryout`), and why a candidate is in or out (`verdict`) |
//! | `enrich/` | the same graph connected better, by interpolated clips |
//! | `account/` | what was kept, what was lost and why, what would bring it back (`reconnect`); numbers and drawings of a graph ([`inspect`]) |
//! | `file/` | the `.gway` file: written whole, checked, read by memory map |

mod account;
mod build;
mod enrich;
mod error;
mod file;
mod model;

pub use account::{events, inspect};
pub use build::auto;
#[doc(hidden)]
pub use file::fuzzing;

pub use account::warning::GraphWarning;
pub use account::{
    Account, Between, InterpolatedAccount, LabelAccount, Lost, LostReason, Reconnect, Remedy,
    RemedyCost, Timings,
};
pub use build::builder::{GraphBuilder, MIRROR_SUFFIX, journal_path, remove_journal};
pub use build::options::{BuildOptions, ContactRule, Transitions};
pub use build::thresholds::{ThresholdMatrix, Thresholds};
pub use build::tryout::TryOut;
pub use build::verdict::{Verdict, Verdicts};
pub use enrich::{
    EnrichOptions, EnrichProgress, EnrichStep, Enriched, FADE_S as JOIN_FADE_S, INTERPOLATED,
    JoinForm,
};
pub use error::GraphError;
pub use file::{Bytes, VERSION};
pub use model::array::Array;
pub use model::candidates::{CandidateGroup, CandidateTable, EndTable};
pub use model::clip_info::{ClipInfo, LabelRun};
pub use model::graph::MotionGraph;
pub use model::ids::{CandidateId, ClipId, EdgeId, EndCandidateId, LabelId, NodeId};
pub use model::label_set::{LabelSet, LabelTable, UNLABELLED};
pub use model::library::{Library, Recipe};
pub use model::topology::{Edge, EdgeKind, Node, Piece, Transition, TransitionKind, Via};

pub use gaitway_core::Provenance;
pub use gaitway_metric::{Progress, ProgressState};
