//! From markers and sensors to a skeleton and its motion.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`joint`] | the joint of two rigid bodies, its kind, and how sure it is |
//! | [`tree`] | which body hangs on which |
//! | [`sensors`] | from sensors to a skeleton and its motion |
//! | [`markers`] | the same from markers |
//! | [`model`] | a body of rigid parts, and the pose that fits what was seen |
//! | [`names`] | a humanoid in an unnamed tree |
//! | [`virtual_data`] | sensors and markers of a clip, with faults as asked: test data with truth |
//! | [`report`] | what was found, for people and machines |

pub mod build;
mod error;
pub mod joint;
pub mod linalg;
pub mod markers;
pub mod model;
pub mod names;
pub mod noise;
pub mod report;
pub mod rng;
pub mod sensors;
pub mod tracks;
pub mod tree;
pub mod virtual_data;

pub use error::CalibrateError;
pub use markers::{MarkerOptions, calibrate_markers, join_trials};
pub use noise::Noise;
pub use report::{BodyReport, Calibration, JointReport};
pub use sensors::{SensorOptions, calibrate_sensors};
