//! The account of a graph as the API's document describes it.
//!
//! It is served as `gaitway-graph` writes it, which knows nothing of documents; a test reads what is served by these types, so that
//! neither gets a field the other has not.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::wire::words;

/// Why motion is not in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LostReasonView {
    /// The clip is too short for any transition.
    Short,
    /// No transition below threshold touches the clip.
    NoCandidate,
    /// Too near to the clip's start or end for a blend.
    Border,
    /// Nothing leads here.
    NoEntry,
    /// Leads nowhere.
    DeadEnd,
    /// Loops, but never leads back.
    Sink,
    /// Loops by itself, cut off from what is kept.
    Island,
    /// Only on bridges that are too long.
    Far,
}

/// A candidate above threshold that would bring something back.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReconnectView {
    /// The clip at the other end.
    pub clip: String,
    /// Where both meet in the clip it would leave.
    pub from_s: f64,
    /// Where both meet in the clip it would enter.
    pub to_s: f64,
    /// √D.
    pub distance_cm: f64,
    /// out or in.
    #[schema(schema_with = words::direction)]
    pub direction: String,
}

/// What a remedy takes away elsewhere.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemedyCostView {
    /// The clip or label, in words.
    pub what: String,
    /// Fewer; 0 where it is a way from one label to another.
    pub seconds: f64,
}

/// What can be done about a row of lost motion.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(tag = "try", rename_all = "kebab-case", deny_unknown_fields)]
pub enum RemedyView {
    /// No threshold lower than this; tried.
    AtLeast {
        /// √D.
        cm: f64,
        /// Of the row that are kept then.
        seconds: f64,
        /// What is lost elsewhere.
        #[serde(default)]
        costs: Vec<RemedyCostView>,
    },
    /// Longer ways between components; tried.
    Bridge {
        /// The longest way.
        bridge_s: f64,
        /// Of the row that are kept then.
        seconds: f64,
    },
    /// No threshold up to the ceiling brings it back.
    Ceiling {
        /// The graph's ceiling.
        cm: f64,
    },
    /// The clip is too short.
    Longer {
        /// It must have more seconds than this.
        than_s: f64,
    },
    /// Blends cannot reach it, cuts can.
    ReachEnds,
}

/// Seconds of one clip lost for one reason.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LostView {
    /// The clip's name.
    pub clip: String,
    /// Of its frames.
    pub seconds: f64,
    /// Why.
    pub reason: LostReasonView,
    /// The cheapest candidates that would help, best first.
    pub reconnect: Vec<ReconnectView>,
    /// What brings it back, if anything that was tried does.
    pub remedy: Option<RemedyView>,
}

/// One label in figures.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelAccountView {
    /// The label.
    pub label: String,
    /// Of frames that carry it.
    pub seconds: f64,
    /// In its largest component.
    pub kept_seconds: f64,
    /// Of its frames that are in the graph at all.
    pub graph_seconds: f64,
    /// Components with a loop.
    pub components: u32,
}

/// A threshold in use.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThresholdView {
    /// Label left.
    pub from: String,
    /// Label entered.
    pub to: String,
    /// √D.
    pub cm: f64,
}

/// Seconds a build spent; zero where the graph was not built by this server.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimingsView {
    /// Reading the clips.
    pub read: f64,
    /// Searching for candidates.
    pub candidates: f64,
    /// Thresholds, transitions, pruning and this account.
    pub graph: f64,
    /// Writing the file.
    pub save: f64,
}

/// Seconds of interpolated motion between two labels.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BetweenView {
    /// Labels of both sources, in order.
    pub labels: [String; 2],
    /// Kept.
    pub seconds: f64,
}

/// Interpolated clips in figures.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InterpolatedView {
    /// Those of which something is kept.
    pub clips: usize,
    /// Seconds of theirs that are kept.
    pub kept_seconds: f64,
    /// Cuts to, from and between them, and those between captured clips that came with them.
    pub joins: usize,
    /// Seconds of captured clips that are kept with them and were lost without.
    pub brought_back_seconds: f64,
    /// Seconds of captured clips that were kept without them and are lost now.
    pub given_up_seconds: f64,
    /// Between which labels, most seconds first.
    pub between: Vec<BetweenView>,
}

/// What became of the clips.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountView {
    /// Captured ones, mirrored copies included.
    pub clips: usize,
    /// Of motion in all.
    pub seconds: f64,
    /// Of motion that is in reach, each frame once.
    pub kept_seconds: f64,
    /// Nodes.
    pub nodes: usize,
    /// Edges, pieces and transitions.
    pub edges: usize,
    /// Transitions, blends and cuts.
    pub transitions: usize,
    /// Also those above threshold.
    pub candidates: usize,
    /// Candidates that became transitions; one may serve in both directions.
    pub candidates_used: usize,
    /// Transitions that are cuts near the ends of clips.
    pub end_cuts: usize,
    /// Interpolated clips, where there are any.
    #[serde(default)]
    #[schema(nullable = false)]
    pub interpolated: Option<InterpolatedView>,
    /// Those that some frame carries.
    pub labels: Vec<LabelAccountView>,
    /// A row per clip and reason.
    pub lost: Vec<LostView>,
    /// Where the time went.
    pub timings_s: TimingsView,
    /// Where no pair of labels matches.
    pub default_threshold_cm: f64,
    /// Of pairs of labels.
    pub thresholds: Vec<ThresholdView>,
    /// What one should know.
    pub warnings: Vec<WarningJson>,
}

/// A finding about a graph.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
pub struct WarningJson {
    /// The stable word.
    pub code: String,
    /// A sentence with numbers.
    pub message: String,
}
