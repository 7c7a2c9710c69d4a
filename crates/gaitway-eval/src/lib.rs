//! Numbers and pictures of motion.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`mod@quality`] | skate, pops, stretch, floor and seams of a clip, and bars to hold them against |

pub mod quality;

pub use quality::{Quality, QualityLimits, QualityOptions, quality};
