//! What can go wrong between clips and a graph, and between a graph and its file.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// An option that cannot be.
    #[error("{what}")]
    Options {
        /// What is wrong with it.
        what: String,
    },
    /// The search for candidates failed or was stopped.
    #[error(transparent)]
    Metric(#[from] gaitway_metric::MetricError),
    /// Clips do not make a set.
    #[error(transparent)]
    Clips(#[from] gaitway_core::ClipSetError),
    /// More labels than a graph can tell apart.
    #[error("{found} labels are more than the {limit} a graph can tell apart")]
    TooManyLabels {
        /// How many there are.
        found: usize,
        /// The most there may be.
        limit: usize,
    },
    /// A thresholds file cannot be read.
    #[error("{file}: {what}")]
    ThresholdsFile {
        /// The file.
        file: String,
        /// What was expected and what was found.
        what: String,
    },
    /// A threshold names a label that no clip carries.
    #[error("thresholds name the label `{label}`, which no clip carries; known labels: {}", known.join(", "))]
    UnknownLabel {
        /// The label named.
        label: String,
        /// The labels there are.
        known: Vec<String>,
    },
    /// The file cannot be opened, read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is not a graph.
    #[error("not a graph file: {what}")]
    NotAGraph {
        /// What it lacks.
        what: String,
    },
    /// The file is a graph of a newer version.
    #[error("the graph file has version {found}; this program reads up to version {known}")]
    NewerVersion {
        /// The file's version.
        found: u64,
        /// The newest this program reads.
        known: u64,
    },
    /// The file is a graph, but not whole.
    #[error("the graph file is damaged: {what}")]
    Damaged {
        /// What does not fit.
        what: String,
    },
    /// A clip's recipe cannot be followed.
    #[error("clip `{clip}` cannot be made: {what}")]
    Recipe {
        /// The clip.
        clip: String,
        /// What is wrong with its recipe.
        what: String,
    },
    /// Two graphs or a graph and clips that do not go together.
    #[error("{what}")]
    Mismatch {
        /// What does not fit.
        what: String,
    },
}
