//! Why a picture cannot be drawn.

use thiserror::Error;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// There is no frame to show.
    #[error("a clip without frames has nothing to draw")]
    NoFrames,
    /// The picture would have no pixels, or more than the limit.
    #[error(
        "a picture of {width} by {height} pixels cannot be drawn: each side may have 1 to {side}, all together {pixels}"
    )]
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
        /// The longest side there may be.
        side: u32,
        /// The most pixels there may be.
        pixels: u64,
    },
    /// The body or its way is so large that a picture would show nothing (a unit or number gone wrong).
    #[error("the motion spans {metres:.3e} m, more than a picture can show")]
    Extent {
        /// The longest side of the box around it.
        metres: f64,
    },
    /// An option is outside its range.
    #[error("{option} is {value}, which must be {expected}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What it is.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A grid's number of values does not fit its sides.
    #[error("a grid of {rows} by {columns} needs {} values, not {found}", rows.saturating_mul(*columns))]
    Grid {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
        /// Values given.
        found: usize,
    },
    /// Nothing in the data can be placed on the axes.
    #[error("{what} holds no finite value to draw")]
    NoData {
        /// Which plot.
        what: &'static str,
    },
    /// Whoever watched ended it.
    #[error("stopped before all frames were drawn")]
    Stopped,
    /// A file format's own encoder refused.
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
}
