//! The joint of two rigid bodies (O'Brien, Bodenheimer, Brostow and Hodgins 2000): a point of each that stay together,
//!
//!   R_i c + t_i = R_j l + t_j   in all frames, by least squares.

mod fit;
mod sums;

pub use fit::{FitOptions, JointFit, JointKind, fit_joint};
pub(crate) use fit::{is_rigid, motion_noise2};
pub use sums::{PairFit, PairSums, pair_sums};
