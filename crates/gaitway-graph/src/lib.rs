//! Motion graphs: thresholds, transitions, pruning, one file, and an account of what was lost.

mod array;
mod candidates;
mod clip_info;
mod error;
mod frames;
mod graph;
mod ids;
mod label_set;
mod options;
mod thresholds;

pub use array::Array;
pub use candidates::{CandidateGroup, CandidateTable};
pub use clip_info::{ClipInfo, LabelRun, Provenance};
pub use error::GraphError;
pub use frames::Frames;
pub use graph::{Edge, EdgeKind, MotionGraph, Node, Piece, Transition};
pub use ids::{CandidateId, ClipId, EdgeId, LabelId, NodeId};
pub use label_set::{LabelSet, LabelTable, UNLABELLED};
pub use options::{BuildOptions, ContactRule};
pub use thresholds::ThresholdMatrix;
