//! Numbers and pictures of motion and of motion graphs.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`connectivity`] | how well a graph holds together: components, times between frames, maneuverability, how much a way bends the truth |
//! | [`draw`] | pictures of clips: strobe sheets, maps, animations; charts, heat maps, an HTML page |
//! | [`mod@quality`] | skate, pops, stretch, floor and seams of a clip, and bars to hold them against |

pub mod connectivity;
#[cfg(feature = "draw")]
pub mod draw;
pub mod quality;

pub use quality::{Quality, QualityLimits, QualityOptions, quality};
