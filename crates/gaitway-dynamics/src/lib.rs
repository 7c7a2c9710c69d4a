//! Bodies with mass: where the centre of mass is, which torques a motion takes, what the ground pushes, and what motion costs.
//!
//! ```text
//!  skeleton + roles ──► MassBody (table: masses, centres, inertias)
//!  PoseSource ──► StateReader (velocities, accelerations) ──► Inverse (torques, root wrench) ──► carry (ground, residual) ──► CostTrack
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`table`] | the published table of masses, centres and radii of gyration |
//! | [`body`] | a skeleton with mass, from the table and its roles |
//! | [`state`], [`kinematics`] | how a body moves at a moment, read from poses |
//! | [`inverse`] | recursive Newton–Euler; energy and power |
//! | [`ground`] | forces at planted soles, split by least torque; residuals |
//! | [`motion`] | all of it along a motion |
//! | [`cost`] | what motion costs, by name |
//! | [`naive`] | the slow twin of inverse dynamics |
//!
//! ```
//! use gaitway_core::performer::{Move, Performer, Script};
//! use gaitway_dynamics::{ForceReader, MassBody, MassOptions, Smoothing};
//!
//! let take = Performer::new(1).perform(&Script::new("stand", [Move::Idle { seconds: 2.0 }]))?;
//! let body = MassBody::of_clip(&take.clip, &MassOptions::default())?;
//! let moment = ForceReader::new(&take.clip, &body, Smoothing::default()).read(60.0);
//! assert!((moment.weights(&body) - 1.0).abs() < 0.02, "the ground carries who stands");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod body;
pub mod cost;
pub mod ground;
pub mod inverse;
pub mod kinematics;
pub mod motion;
pub mod naive;
mod nonnegative;
mod part;
mod segments;
pub mod state;
pub mod table;

pub use body::{Bearing, MassBody, MassError, MassOptions, Sole};
pub use cost::{CostKind, CostOptions, CostTrack};
pub use ground::{Ground, Push, Supports, carry};
pub use inverse::{GRAVITY, Inverse};
pub use kinematics::{Smoothing, StateReader};
pub use motion::{ForceReader, Moment};
pub use part::Part;
pub use state::{JointState, State};
pub use table::{Segment, Sex};
