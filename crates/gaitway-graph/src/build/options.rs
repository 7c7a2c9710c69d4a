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
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "any" => Some(Self::Any),
            "same" => Some(Self::Same),
            "change" => Some(Self::Change),
            _ => None,
        }
    }
}

/// How transitions get from one clip into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transitions {
    /// Blends where they fit, cuts at the ends of clips, where none does. The default.
    #[default]
    Auto,
    /// Blends alone: the first and last half second of a clip then has no way in or out.
    Blend,
    /// Cuts everywhere.
    Cut,
}

impl Transitions {
    /// The choice of this name (`auto`, `blend`, `cut`).
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "blend" => Some(Self::Blend),
            "cut" => Some(Self::Cut),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Blend => "blend",
            Self::Cut => "cut",
        }
    }

    /// Whether there are cuts near the ends of clips.
    pub fn reach_ends(self) -> bool {
        self != Self::Blend
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
    /// How transitions get from one clip into another.
    pub transitions: Transitions,
    /// How long a cut's displacement lasts at most, in seconds; default 0.5, as long as a blend.
    pub fade_s: f64,
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
            transitions: Transitions::default(),
            fade_s: 0.5,
            contacts: ContactRule::default(),
            thin_s: 0.1,
            bridge_s: 10.0,
            with_mirrored: false,
            keep_apart: Vec::new(),
            small_component_s: 2.0,
        }
    }
}
