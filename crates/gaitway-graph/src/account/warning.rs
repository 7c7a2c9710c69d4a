//! What a user should know about a graph, as values with sentences.

use std::fmt;

/// Something found while building. `code` is a stable word, `to_string` a sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GraphWarning {
    /// Rows of a labels file name files that are not among the clips.
    LabelsForMissingFiles {
        /// The labels file.
        file: String,
        /// What its rows name, in order, each once.
        missing: Vec<String>,
    },
    /// A label begins after its clip ends.
    LabelPastEnd {
        /// The clip.
        clip: String,
        /// The label.
        label: String,
        /// Where it begins, in seconds.
        start_s: f64,
    },
    /// Clips were left out, because a clip with the same motion is there.
    SameMotion {
        /// The clips left out, each with the one that stays.
        clips: Vec<(String, String)>,
    },
    /// Frames that capture got wrong were mended before the clip went in.
    SpikesRepaired {
        /// The clip.
        clip: String,
        /// Each joint with its frame, time and how far it was off.
        list: Vec<String>,
    },
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
    /// Anything a lower layer told, passed on.
    Told {
        /// The sentence.
        message: String,
    },
}

impl GraphWarning {
    /// A stable word for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::LabelsForMissingFiles { .. } => "labels-for-missing-files",
            Self::LabelPastEnd { .. } => "label-past-end",
            Self::SameMotion { .. } => "same-motion",
            Self::SpikesRepaired { .. } => "spikes-repaired",
            Self::ContactsUnknown { .. } => "contacts-unknown",
            Self::CandidatesCapped { .. } => "candidates-capped",
            Self::NoTransitions { .. } => "no-transitions",
            Self::NoComponent { .. } => "no-component",
            Self::SmallComponent { .. } => "small-component",
            Self::Unreachable { .. } => "unreachable",
            Self::Told { .. } => "told",
        }
    }
}

impl fmt::Display for GraphWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LabelsForMissingFiles { file, missing } => {
                const SHOWN: usize = 5;
                let shown: Vec<&str> = missing.iter().take(SHOWN).map(String::as_str).collect();
                write!(
                    f,
                    "{file} labels {} files that are not among the clips: {}",
                    missing.len(),
                    shown.join(", ")
                )?;
                if missing.len() > SHOWN {
                    write!(f, " and {} more", missing.len() - SHOWN)
                } else {
                    Ok(())
                }
            }
            Self::LabelPastEnd {
                clip,
                label,
                start_s,
            } => {
                write!(
                    f,
                    "label `{label}` begins at {start_s} s, after the end of `{clip}`; left out"
                )
            }
            Self::SameMotion { clips } => {
                const SHOWN: usize = 3;
                let shown = clips.iter().take(SHOWN);
                let shown: Vec<String> = shown.map(|(a, b)| format!("`{a}` is `{b}`")).collect();
                match clips.len() {
                    1 => write!(f, "1 clip was")?,
                    n => write!(f, "{n} clips were")?,
                }
                let words = "passed over, because the same motion is there already";
                write!(f, " {words}: {}", shown.join(", "))?;
                match clips.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::SpikesRepaired { clip, list } => {
                write!(f, "spikes of `{clip}` were mended: {}", list.join(", "))
            }
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
                    "no two places in the clips come closer than the ceiling, so nothing is kept"
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
                    "`{label}` keeps only {kept_seconds:.1} s of its {seconds:.1} s in one component"
                )
            }
            Self::Unreachable { from, to } => write!(f, "no walk leads from `{from}` to `{to}`"),
            Self::Told { message } => f.write_str(message),
        }
    }
}
