//! Planted feet: footskate cleanup in the manner of Kovar, Schreiner, Gleicher 2002.
//!
//! ```text
//!  frames, contacts ─► knee ─► watch ─► place ─► ease (turn, then place of the ankle) ─► lift ─► pelvis, root ─► leg ─► toes ─► frames
//!                      least   plants   one world   corrections of the foot, C¹        out of   shift, tilt    two-bone   bent up
//!                      bend             position    between plants                     the floor               IK, damped
//! ```
//!
//! Every stage looks a bounded time ahead, so one pipeline ([`pipeline`](self)) serves two callers: [`plant_feet`]
//! feeds it a whole motion, [`OnlinePlanter`] feeds it frame by frame and hands each one back a fixed time later.
//!
//! Where the correction is zero, frames keep their bits. Hands are left alone.
//!
//! Cost: one pass of kinematics over the legs and O(window) sums per frame; nothing allocated per frame online.
//! Checked by: `tests/` (laws, bad input), `gaitway-synth/tests/cleanup_*.rs` (captured clips) and `benches/feet.sh`.
//!
//! ```
//! use gaitway_core::testing::{Walker, walking_clip};
//! use gaitway_cleanup::{PlantOptions, plant_feet};
//!
//! let skating = walking_clip(&Walker { slide: 0.05, ..Walker::default() });
//! let planted = plant_feet(&skating, skating.contacts(), &PlantOptions::default())?;
//! assert!(planted.report.worst_residual_m < 1e-3);
//! # Ok::<(), gaitway_cleanup::PlantError>(())
//! ```

mod ease;
mod emit;
mod ground;
mod hand_over;
mod ingest;
mod knee;
mod leg;
mod lift;
mod offline;
mod online;
mod options;
mod pelvis;
mod pipeline;
mod place;
mod report;
mod rig;
mod root;
mod slope;
mod soles;
mod steps;
mod toes;
mod watch;

pub use ground::StandingHeights;
pub use knee::LegHinges;
pub use offline::{Planted, plant_feet};
pub use online::{FrameIn, FrameOut, OnlinePlanter};
pub use options::{PlantError, PlantOptions};
pub use report::{
    EnforcedPlant, OverextendedKnee, PlantReport, SkipReason, SkippedPlant, TakenStep,
};
