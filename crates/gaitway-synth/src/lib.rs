//! From motion graphs to motion: walks through the graph, and the frames along them.
//!
//! ```text
//!  MotionGraph ──► walks: random_walk, connect, find_loop ──► Walk ──► assemble ──► Motion
//!          │                                                   └─────► WalkPlayer: one pose at a time
//!          └──── PathRequest ──► plan_path: searched, assembled, bent, feet planted ──► PathMotion
//! ```
//!
//! | folder | what it holds |
//! | --- | --- |
//! | [`walk`] | walks, edges that meet: at random, from here to there, round and round |
//! | [`search`] | searches over any space, told apart from what they search |
//! | [`path`] | motion along a path: what is asked for, the problem a search is given, and the plan from one end to the other |
//! | [`motion`] | from a walk to frames: copied, moved, blended, finished |
//! | [`cleanup`] | footskate cleanup: feet that should stand, stand |
//! | [`report`] | what came of a request, in numbers; walks kept in reports and taken up again |

pub use gaitway_cleanup as cleanup;
mod error;
pub mod motion;
pub mod path;
pub mod report;
pub mod search;
pub mod walk;

pub use error::SynthError;
pub use motion::{
    AssembleOptions, Blend, FeetApart, FinishOptions, FinishedMotion, FrameInfo, InterpolatedSpan,
    Motion, Pose, Preview, PreviewOptions, TransitionMark, TransitionRow, WalkPlayer, assemble,
    between, finish_motion, preview, timeline,
};
pub use path::{PathMotion, PathRequest, plan_path};
pub use walk::{
    ClipTime, ConnectBy, Loop, LoopOptions, LoopScope, Mixing, RandomWalk, Repeats, STRAIGHT_RAD,
    Walk, Wandering, connect, find_label, find_loop, mixing, parse_clip_time, random_walk, repeats,
    take_out_net, wander,
};
