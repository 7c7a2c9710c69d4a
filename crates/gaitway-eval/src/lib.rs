//! Numbers and pictures of motion.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`draw`] | pictures of clips: strobe sheets, maps, animations; charts, heat maps, an HTML page |
//! | [`mod@quality`] | skate, pops, stretch, floor and seams of a clip, and bars to hold them against |

#[cfg(feature = "draw")]
pub mod draw;
pub mod quality;

pub use quality::{Quality, QualityLimits, QualityOptions, quality};
