//! Distances between frames of motion, and where motions meet.
#![cfg_attr(not(test), warn(missing_docs))]

mod bound;
mod candidate;
mod cap;
mod cloud;
mod error;
mod exact;
mod markers;
pub mod naive;
mod options;
mod prepare;
mod simd;
mod strip;
mod window;

pub use candidate::{Candidate, Found, candidates_between};
pub use cloud::PointCloud;
pub use error::MetricError;
pub use markers::{MarkerLayout, MarkerSet, WeightPreset};
pub use options::{MetricOptions, Placement, Skipping};
pub use simd::KernelChoice;
pub use window::{Window, WindowKernel};
