//! What a join between two clips costs, in one of four forms that are never mixed.
//!
//! ```text
//!  cut     A  ─o─o─o─i          frame i is played, then the clip entered goes on at j+1: one frame   (Zhao, Safonova 2009)
//!          B        j o─o─o─►
//!
//!  decay   B        j ·─·─·─o─► the same, but until the jump has faded (0.2 s) nothing else can be left: no second join
//!
//!  bounded                      the same, and over any half second of a way the joins' √D add up to no more than a bound
//!
//!  blend   A  ─o─p              the transitions of the graph as it is played: both clips for as long as the blend lasts,
//!          B        ╲──── q─o─► or the clip entered under a displacement that fades
//! ```

use serde::Serialize;

/// How long the jump at a cut fades in [`Form::Decay`], seconds.
pub const DECAY_S: f64 = 0.2;

/// The bound of [`Form::Bounded`] where nobody sets another, in thresholds.
pub const BOUND_TIMES: f64 = 1.5;

/// What a join between two clips costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// One frame, at every candidate below the threshold: the form of the paper.
    #[default]
    Cut,
    /// The same, and no second cut while the jump still fades.
    Decay,
    /// The same, and √D summed over any half second of a way keeps a bound.
    Bounded,
    /// What the graph plays: its transitions, as long as they last, pruned as always.
    Blend,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Cut, Self::Decay, Self::Bounded, Self::Blend];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Decay => "decay",
            Self::Bounded => "bounded",
            Self::Blend => "blend",
        }
    }
}

/// Which joins there are, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameOptions {
    /// What a join costs.
    pub form: Form,
    /// The threshold in centimetres. `None`: the graph's own thresholds, which only [`Form::Blend`] knows; the other forms then
    /// take the graph's default one.
    pub threshold_cm: Option<f64>,
    /// Also join near the ends of clips, where no whole window fits.
    pub ends: bool,
    /// What ways of [`Form::Bounded`] may jump in half a second, in thresholds.
    pub bound_times: f64,
}

impl Default for FrameOptions {
    fn default() -> Self {
        Self {
            form: Form::Cut,
            threshold_cm: None,
            ends: true,
            bound_times: BOUND_TIMES,
        }
    }
}
