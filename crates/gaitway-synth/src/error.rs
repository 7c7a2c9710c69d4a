//! What can go wrong between a graph and a motion.

use gaitway_core::ClipError;
use gaitway_graph::{EdgeId, GraphError, NodeId};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SynthError {
    /// The graph's frames cannot be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The frames made do not form a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// A path, or what is asked along it, cannot be.
    #[error(transparent)]
    Path(#[from] crate::path::PathError),
    /// An option that cannot be.
    #[error("{what}")]
    Options {
        /// What is wrong with it.
        what: String,
    },
    /// A walk names a node or an edge that the graph does not have.
    #[error("the walk names {what}, which the graph does not have")]
    NotInGraph {
        /// The node or edge.
        what: String,
    },
    /// Two edges of a walk do not meet.
    #[error("edge {} of the walk leaves node {}, but the walk is at node {}", .edge.0, .leaves.0, .at.0)]
    DoesNotMeet {
        /// The edge.
        edge: EdgeId,
        /// The node it leaves.
        leaves: NodeId,
        /// The node where the walk is by then.
        at: NodeId,
    },
    /// A walk without a frame.
    #[error("the walk has no frames")]
    EmptyWalk,
    /// A walk with more frames than can be held.
    #[error("{frames} frames at {rate_hz} Hz are more than a motion can hold")]
    TooLong {
        /// How many there would be.
        frames: f64,
        /// At which rate.
        rate_hz: f64,
    },
    /// The graph has no edges: nothing can be played.
    #[error("the graph has no edges; its thresholds may be too low for its clips")]
    EmptyGraph,
    /// A label that no clip of the graph carries.
    #[error("no clip carries the label `{label}`; known labels: {}", .known.join(", "))]
    UnknownLabel {
        /// The label asked for.
        label: String,
        /// The labels there are.
        known: Vec<String>,
    },
    /// A label in whose frames no endless motion is possible.
    #[error(
        "the label `{label}` has no component in the graph: its clips do not connect below threshold"
    )]
    NoComponent {
        /// The label asked for.
        label: String,
    },
    /// A clip the graph does not have.
    #[error("the graph has no clip `{clip}`, or the name fits several")]
    UnknownClip {
        /// The name asked for.
        clip: String,
    },
    /// A place in a clip that pruning took out of the graph.
    #[error("{place} is not in the graph: {}", kept_ranges(.kept_s))]
    PlaceLost {
        /// The place, as CLIP@SECONDS.
        place: String,
        /// The nearest place that is, likewise; `None` where nothing of the clip was kept.
        nearest: Option<String>,
        /// What is kept of the clip, as ranges in seconds.
        kept_s: Vec<(f64, f64)>,
    },
    /// No walk leads from one place to another.
    #[error("no walk leads from {from} ({from_labels}) to {to} ({to_labels}): {reason}")]
    NotConnected {
        /// Where it should start.
        from: String,
        /// Labels there.
        from_labels: String,
        /// Where it should end.
        to: String,
        /// Labels there.
        to_labels: String,
        /// What lies between them.
        reason: String,
    },
    /// No walk does what is asked for along a path.
    #[error("no walk: {reason}")]
    NoWalk {
        /// Why.
        reason: String,
    },
    /// No cycle of the graph fits what was asked for.
    #[error("no loop of {min_s} to {max_s} s in {within}: {hint}")]
    NoLoop {
        /// The clip or label looked at.
        within: String,
        /// Shortest allowed.
        min_s: f64,
        /// Longest allowed.
        max_s: f64,
        /// What there is instead.
        hint: String,
    },
}

fn kept_ranges(kept: &[(f64, f64)]) -> String {
    if kept.is_empty() {
        return "nothing of this clip was kept".to_owned();
    }
    let ranges: Vec<String> = kept
        .iter()
        .map(|(a, b)| format!("{a:.2} to {b:.2} s"))
        .collect();
    format!("of this clip it keeps {}", ranges.join(", "))
}

/// What cannot be put on a timeline was asked for wrongly: rates and lengths come from options.
impl From<gaitway_runtime::timeline::TimelineError> for SynthError {
    fn from(error: gaitway_runtime::timeline::TimelineError) -> Self {
        Self::Options {
            what: error.to_string(),
        }
    }
}
