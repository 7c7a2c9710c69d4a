//! How a graph is built.

use gaitway_metric::{MarkerSet, MetricOptions};
use serde::{Deserialize, Serialize};

/// Which contacts may meet in a transition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactRule {
    /// Any. The default.
    #[default]
    Any,
    /// Only equal contact states at the two middle frames.
    Same,
    /// Only where both clips change their contacts alike near the middle.
    Change,
}

impl ContactRule {
    /// The rule of this name (`any`, `same`, `change`).
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "any" => Some(Self::Any),
            "same" => Some(Self::Same),
            "change" => Some(Self::Change),
            _ => None,
        }
    }
}

/// Options of a build. Those of the distance are the metric's own.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildOptions {
    /// The working rate in Hz; 30 as in the papers.
    pub fps: f64,
    /// Distance, window, ceiling.
    pub metric: MetricOptions,
    /// Markers and their weights.
    pub markers: MarkerSet,
    /// Which contacts may meet.
    pub contacts: ContactRule,
    /// Of transitions between the same two clips whose middles lie within this many seconds of each other,
    /// only the best is kept; 0 keeps all. Default 0.1: three frames at 30 Hz, closer than anyone tells apart.
    pub thin_s: f64,
    /// The longest bridge between kept components, in seconds; default 10.
    pub bridge_s: f64,
    /// Adds a mirrored copy of every clip.
    pub with_mirrored: bool,
    /// Pairs of labels, folders or clip names whose clips are never compared, such as football and ballet: nothing then
    /// leads directly from one to the other.
    pub keep_apart: Vec<(String, String)>,
    /// A label's component with less than this many seconds is warned about; default 2, about four steps.
    pub small_component_s: f64,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            fps: 30.0,
            metric: MetricOptions::default(),
            markers: MarkerSet::default(),
            contacts: ContactRule::default(),
            thin_s: 0.1,
            bridge_s: 10.0,
            with_mirrored: false,
            keep_apart: Vec::new(),
            small_component_s: 2.0,
        }
    }
}
