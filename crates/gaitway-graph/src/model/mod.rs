//! The graph itself, built once and then only read: clips as sources of poses, candidates, nodes and edges, labels.

pub(crate) mod array;
pub(crate) mod candidates;
pub(crate) mod clip_info;
pub(crate) mod graph;
pub(crate) mod ids;
pub(crate) mod label_set;
pub(crate) mod library;
mod tag;
pub(crate) mod topology;
