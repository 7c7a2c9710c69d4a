//! What can go wrong between clips and candidates.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// A clip has fewer frames than a window.
    #[error(
        "clip `{clip}` has {frames} frames at the working rate, fewer than the window of {window}"
    )]
    TooShort {
        /// The clip's name.
        clip: String,
        /// Its frames at the working rate.
        frames: usize,
        /// Frames of the window.
        window: usize,
    },
    /// A clip holds a value that is no number.
    #[error("clip `{clip}` has a position that is not finite in frame {frame}")]
    NotFinite {
        /// The clip's name.
        clip: String,
        /// Frame at the working rate.
        frame: usize,
    },
    /// No marker carries weight.
    #[error("no marker has a weight above zero")]
    NoWeight,
    /// A weight is negative or not finite.
    #[error("weight of `{joint}` is {weight}; weights are finite and not negative")]
    BadWeight {
        /// The joint named.
        joint: String,
        /// The weight given.
        weight: f64,
    },
    /// A line of a weights file cannot be read.
    #[error("weights line {line}: {what}")]
    WeightsFile {
        /// Line, counted from one.
        line: usize,
        /// What was expected and what was found.
        what: String,
    },
    /// A weights file names a joint the skeleton lacks.
    #[error("weights name joint `{joint}`, which the skeleton does not have")]
    UnknownJoint {
        /// The joint named.
        joint: String,
    },
    /// Two clips have different markers.
    #[error("clips `{a}` and `{b}` have different skeletons or markers")]
    DifferentMarkers {
        /// First clip.
        a: String,
        /// Second clip.
        b: String,
    },
    /// Two clips have different working rates.
    #[error("clips `{a}` and `{b}` have different rates, {a_hz} and {b_hz} Hz")]
    DifferentRates {
        /// First clip.
        a: String,
        /// Second clip.
        b: String,
        /// Rate of the first.
        a_hz: f64,
        /// Rate of the second.
        b_hz: f64,
    },
    /// A window that cannot be.
    #[error("a window of {seconds} s at {rate_hz} Hz is not possible")]
    Window {
        /// Window asked for, in seconds.
        seconds: f64,
        /// Working rate.
        rate_hz: f64,
    },
    /// A ceiling under which nothing can lie.
    #[error("a ceiling of {cm} cm leaves no candidates; give one above 0")]
    Ceiling {
        /// Ceiling asked for, in centimetres.
        cm: f64,
    },
    /// The processor lacks the kernel asked for.
    #[error("this processor cannot run the {kernel} kernel")]
    Kernel {
        /// Name of the kernel.
        kernel: &'static str,
    },
    /// Nothing to compare.
    #[error("no clips given")]
    NoClips,
    /// An impossible choice of options.
    #[error("{what}")]
    Options {
        /// What is wrong with them.
        what: String,
    },
    /// The clip could not be brought to the working rate.
    #[error("clip `{clip}`: {source}")]
    Clip {
        /// The clip's name.
        clip: String,
        /// The reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The candidate store cannot be read or written.
    #[error("candidate store {path}: {source}")]
    Store {
        /// File or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The caller asked to stop; what was finished is in the store.
    #[error("stopped before all clip pairs were compared")]
    Cancelled,
}
