//! Plays motion: what a game or a viewer needs at run time, and nothing else.
//!
//! ```text
//!  PoseSource (a clip, a mirrored view, …) ──► Timeline: what plays when ──► Player: tick(dt) ──► Pose
//! ```
//!
//! No threads, no files, no clock, no memory map: time comes in as `dt`, poses go out, and a player owns what it plays by `Arc`.
//! It builds for `wasm32-unknown-unknown`.

mod player;
pub mod timeline;

pub use gaitway_core::{Clip, Planar, Pose, PoseSource, Skeleton};
pub use player::{Player, Tick};
pub use timeline::{Timeline, TimelinePlayer};
