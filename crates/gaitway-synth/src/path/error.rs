//! What can be wrong with a path or what is asked along it.

use gaitway_core::limits::{LONGEST_PATH_M, OutOfLimits, Shown};

use super::times::TimeWish;

/// A path, styles or obstacles that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing in it.
    #[error("the path is empty")]
    Empty,
    /// No direction to go.
    #[error(
        "a path needs two points or more, 5 cm apart at least; this one has {points} that differ, {length:.3} m in all"
    )]
    TooShort {
        /// Different points.
        points: usize,
        /// Metres.
        length: f64,
    },
    /// Further than anyone walks.
    #[error("the path is {} m long; the most is {LONGEST_PATH_M} m (is the scale right?)", Shown(.length.round()))]
    TooLong {
        /// Metres.
        length: f64,
    },
    /// More points than a sketch has.
    #[error("the path has {found} points; the most is a million")]
    TooManyPoints {
        /// How many.
        found: usize,
    },
    /// NaN or infinity.
    #[error("point {at} of the path is not a finite number")]
    NotFinite {
        /// Which, from 0.
        at: usize,
    },
    /// A number or a count that cannot be.
    #[error("{what}: {wrong}")]
    Limits {
        /// Of what.
        what: String,
        /// What may be, and what is.
        wrong: OutOfLimits,
    },
    /// A name that is none.
    #[error("there is no curve `{name}`; known: line, circle, figure8, zigzag, spiral, s, hello")]
    UnknownCurve {
        /// The name.
        name: String,
    },
    /// A scale that leaves nothing.
    #[error("a path cannot be scaled by {scale}")]
    Scale {
        /// The factor.
        scale: f64,
    },
    /// Text that does not read.
    #[error("line {line}: {what}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What was expected.
        what: String,
    },
    /// A style that cannot be.
    #[error("style `{piece}`: {what}")]
    Style {
        /// The piece.
        piece: String,
        /// What is wrong.
        what: String,
    },
    /// A wish in time that cannot be.
    #[error("`{piece}`: {what}")]
    Time {
        /// The wish as written.
        piece: String,
        /// What is wrong.
        what: String,
        /// Which of the wishes; nothing of one that does not read.
        wish: Option<TimeWish>,
    },
    /// An action without a moment to place.
    #[error("action `{label}`: no event is found, {what}")]
    Action {
        /// Its label.
        label: String,
        /// Why.
        what: String,
    },
    /// An obstacle that cannot be.
    #[error("obstacle {at}: {what}")]
    Obstacle {
        /// Which, from 0.
        at: usize,
        /// What is wrong.
        what: String,
    },
}
