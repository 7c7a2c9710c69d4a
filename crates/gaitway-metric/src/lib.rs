//! Distances between frames of motion, and where motions meet.
//!
//! A clip becomes a [`PointCloud`]: markers on joints and end sites, with weights. The distance between frame i of
//! one cloud and frame j of another compares the windows of frames around them, after the best turn about the
//! vertical and shift on the ground have been taken out:
//!
//! ```text
//! D(i,j) = min over θ, x₀, z₀ of  Σ_r ρ_r Σ_s σ_s ‖ p_{i+r,s} − T(θ,x₀,z₀) p′_{j+r,s} ‖²
//! ```
//!
//! √D is the RMS marker distance, told in centimetres. Its local minima below a ceiling are *candidates* for
//! transitions: [`candidates_between`] finds those of two clips, [`find_candidates`] those of a whole set, with a
//! [`CandidateStore`] that makes runs incremental and resumable. [`find_end_candidates`] looks where a whole window does
//! not fit, near the ends of clips. [`distance_grid`] is for looking at a pair.
//!
//! | module | its part |
//! | --- | --- |
//! | `cloud`, `markers`, `window`, `options` | what is compared, and how |
//! | `prepare` | a cloud packed for the kernel: body in f32, path as few coefficients, c |
//! | `simd` | the hot stages for AVX-512, AVX2 and plain Rust |
//! | `strip` | the walk of one strip of diagonals through those stages |
//! | `bound` | exact skipping |
//! | `exact` | the f64 value of a candidate |
//! | `ends` | the same distance over shortened windows, near the ends of clips |
//! | [`naive`] | the slow twin that tests hold all of this against |

mod bound;
mod candidate;
mod cap;
mod cloud;
mod coarse;
mod ends;
mod error;
mod exact;
mod grid;
mod markers;
pub mod naive;
mod options;
pub mod peak;
mod prepare;
mod search;
mod simd;
mod store;
mod strip;
mod window;

pub use candidate::{Candidate, CandidateList, candidates_between};
pub use cloud::PointCloud;
pub use coarse::{CoarseCandidates, CoarseOptions, coarse_candidates_between};
pub use ends::{EndCandidate, EndMinima, EndOptions, EndPair, EndSearch, find_end_candidates};
pub use error::MetricError;
pub use grid::{DistanceGrid, DistanceReport, Minimum, distance_grid};
pub use markers::{MarkerLayout, MarkerSet, WeightPreset};
pub use options::{MetricOptions, Placement, Skipping};
pub use search::{
    CandidateSearch, KeepApart, PairCandidates, Progress, ProgressState, find_candidates,
};
pub use simd::KernelChoice;
pub use store::{CandidateStore, Removed};
pub use window::{Window, WindowKernel};
