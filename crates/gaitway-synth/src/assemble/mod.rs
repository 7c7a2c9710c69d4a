//! From a walk to a motion: frames copied, moved and blended.
//!
//! Clip pieces are copied from source-rate frames and moved by the planar transform gathered along the walk;
//! transitions are blended on demand. The one road from walk to frames is [`Player`], which fills one pose at a
//! time and allocates nothing while it plays; [`assemble`] is a loop over it.
//!
//! | module | its part |
//! | --- | --- |
//! | `timeline` | which frames of which clip play when, and where in the world |
//! | `sample` | a pose of a clip at any time, moved on the ground |
//! | `blend` | weights, blends, inertialized offsets |
//! | `marks` | labels and contacts as one alphabet over all clips of a walk |
//! | `player` | frame by frame |
//! | `motion` | all frames, with where they came from |
//! | `preview` | one transition to look at |

mod blend;
mod marks;
mod motion;
mod player;
mod preview;
mod sample;
mod timeline;

pub use blend::{Blend, ease};
pub use motion::{Motion, TransitionRow, assemble};
pub use player::{Origin, Player, Shown, TransitionMark};
pub use preview::{Preview, PreviewOptions, preview};
pub use sample::Pose;

use gaitway_core::Planar;

/// How a walk becomes a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct AssembleOptions {
    /// How transitions are made.
    pub blend: Blend,
    /// Frames a second; the highest source rate in the graph where not given. Below that the motion is made at
    /// the graph's rate and low-passed before frames are left out, as `gaitway_core::resample` does.
    pub out_fps: Option<f64>,
    /// What carries the first clip into the world; the first clip stays where it was recorded by default.
    pub world_from_start: Planar,
    /// What the motion is called.
    pub name: String,
}

impl Default for AssembleOptions {
    fn default() -> Self {
        Self {
            blend: Blend::default(),
            out_fps: None,
            world_from_start: Planar::IDENTITY,
            name: "walk".to_owned(),
        }
    }
}
