//! What a user should know about a graph, as values with sentences.

use std::fmt;

use gaitway_core::Warning;

/// Something found while building. `code` is a stable word, `to_string` a sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GraphWarning {
    /// Something found while the clips were read.
    Reading(Warning),
    /// Contacts of a clip could not be told.
    ContactsUnknown {
        /// The clip.
        clip: String,
        /// Why.
        reason: String,
    },
    /// More candidates than the cap.
    CandidatesCapped {
        /// How many were dropped.
        dropped: u64,
    },
    /// Nothing below threshold: the graph has no transition at all.
    NoTransitions {
        /// The cheapest candidate, in centimetres, where there is one.
        cheapest_cm: Option<f64>,
    },
    /// A label of which nothing can be repeated: it has no component.
    NoComponent {
        /// The label.
        label: String,
        /// Seconds of it in the clips.
        seconds: f64,
    },
    /// A label's component holds too little to be useful.
    SmallComponent {
        /// The label.
        label: String,
        /// Seconds of clip frames in it.
        kept_seconds: f64,
        /// Seconds of the label in the clips.
        seconds: f64,
    },
    /// No walk leads from one label's component to another's.
    Unreachable {
        /// Where one would start.
        from: String,
        /// What cannot be reached.
        to: String,
    },
    /// The journal of a build could not be read or written in part; what it lacks is computed again.
    Journal {
        /// What is the matter with it.
        message: String,
    },
}

impl GraphWarning {
    /// A stable word for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Reading(warning) => warning.code.as_str(),
            Self::ContactsUnknown { .. } => "contacts-unknown",
            Self::CandidatesCapped { .. } => "candidates-capped",
            Self::NoTransitions { .. } => "no-transitions",
            Self::NoComponent { .. } => "no-component",
            Self::SmallComponent { .. } => "small-component",
            Self::Unreachable { .. } => "unreachable",
            Self::Journal { .. } => "journal",
        }
    }
}

impl fmt::Display for GraphWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reading(warning) => f.write_str(&warning.message),
            Self::ContactsUnknown { clip, reason } => {
                write!(f, "the contacts of `{clip}` are not known: {reason}")
            }
            Self::CandidatesCapped { dropped } => {
                write!(
                    f,
                    "{dropped} candidates were dropped because there were more than the cap; the best of every clip pair and block stay"
                )
            }
            Self::NoTransitions {
                cheapest_cm: Some(cm),
            } => {
                write!(
                    f,
                    "no transition lies below its threshold, so nothing is kept; the cheapest candidate is {cm:.2} cm"
                )
            }
            Self::NoTransitions { cheapest_cm: None } => {
                write!(
                    f,
                    "no two places in the clips come closer than the ceiling, so nothing is kept; --ceiling looks further"
                )
            }
            Self::NoComponent { label, seconds } => {
                write!(
                    f,
                    "none of the {seconds:.1} s of `{label}` can go on as `{label}`: no transition closes a loop"
                )
            }
            Self::SmallComponent {
                label,
                kept_seconds,
                seconds,
            } => {
                write!(
                    f,
                    "of the {seconds:.1} s of `{label}` only {kept_seconds:.1} s lead back to one another: long walks in `{label}` repeat these"
                )
            }
            Self::Unreachable { from, to } => write!(f, "no walk leads from `{from}` to `{to}`"),
            Self::Journal { message } => f.write_str(message),
        }
    }
}
