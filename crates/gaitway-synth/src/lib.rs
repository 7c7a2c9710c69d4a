//! From motion graphs to motion: walks through the graph, and the frames along them.
//!
//! ```text
//!  MotionGraph ──► walks: random_walk, connect, find_loop ──► Walk ──► assemble ──► Motion
//!                                                              └─────► Player: one pose at a time
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`walk`] | edges that meet |
//! | [`walks`] | how to find them: at random, from here to there, round and round |
//! | [`search`] | walks that do as they are told: searches, and motion along a path |
//! | [`assemble`](mod@assemble) | from a walk to frames: copied, moved, blended |
//! | [`cleanup`] | feet that should stand, stand |
//! | [`mod@make`] | all of it in one go: a finished motion from a walk |

pub mod assemble;
pub mod cleanup;
mod error;
pub mod make;
pub mod search;
pub mod walk;
pub mod walks;

pub use assemble::{
    AssembleOptions, Blend, Motion, Origin, Player, Pose, Preview, PreviewOptions, Shown,
    TransitionMark, TransitionRow, assemble, preview, timeline,
};
pub use error::SynthError;
pub use make::{Made, MakeOptions, make};
pub use walk::Walk;
pub use walks::{
    By, Loop, LoopOptions, Place, RandomWalk, Within, connect, find_label, find_loop, parse_place,
    random_walk, take_out_net,
};
