//! From a walk to a motion: frames copied, moved and blended.
//!
//! A walk comes down to a [`timeline()`]: spans of clips, moved by the planar transform gathered along the walk, and the joins
//! between them. The one road from there to frames is [`WalkPlayer`], which fills one pose at a time; [`assemble`] is a loop
//! over it.
//!
//! | module | its part |
//! | --- | --- |
//! | `timeline` | what plays along an edge, and so along a walk |
//! | `labels` | labels along a walk |
//! | `player` | frame by frame |
//! | `assemble` | all frames, with where they came from |
//! | `feet_apart` | how far standing feet are apart where a transition joins two clips |
//! | `finish` | all of it in one go: assembled, bent onto its path where asked, feet planted |
//! | `interpolated` | where it plays what was never captured |
//! | `retime` | shown slower or faster |
//! | `preview` | one transition to look at |

mod assemble;
mod feet_apart;
mod finish;
mod interpolated;
mod labels;
mod looped;
mod player;
mod preview;
mod retime;
mod timeline;

pub use assemble::{Motion, TransitionRow, assemble};
pub use feet_apart::FeetApart;
pub use finish::{FinishOptions, FinishedMotion, finish_motion, plant};
pub use gaitway_core::Pose;
pub use gaitway_runtime::timeline::Blend;
pub use interpolated::{InterpolatedSpan, between};
pub use looped::finish_loop;
pub use player::{FrameInfo, TransitionMark, WalkPlayer};
pub use preview::{Preview, PreviewOptions, preview};
pub use retime::retime;
pub(crate) use timeline::edge_span;
pub use timeline::timeline;

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
