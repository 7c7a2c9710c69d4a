//! What is known of a walk along a path so far.

use gaitway_core::Planar;
use gaitway_graph::NodeId;

use crate::path::edge_paths::Turn;

/// How many transitions back a repetition is noticed.
pub(crate) const RECENT: usize = 6;

/// A walk along a path so far.
#[derive(Clone, Copy, Debug)]
pub struct PathState {
    pub(crate) node: NodeId,
    pub(crate) frames: u32,
    /// World from the clip under way.
    pub(crate) world: Turn,
    /// t: arc length so far.
    pub(crate) arc: f64,
    /// Waiting for an action at its point: metres that count as progress, but not on the path.
    pub(crate) waited: f64,
    /// Where the root was last, in the world.
    pub(crate) last: [f64; 2],
    pub(crate) piece: u16,
    pub(crate) piece_frames: u32,
    /// In a piece that leads to an action: it has been done.
    pub(crate) happened: bool,
    pub(crate) done: bool,
    /// Seconds of clips entered last.
    pub(crate) recent: [u16; RECENT],
}

impl PathState {
    /// What carries the clip under way into the world.
    pub fn world_from_clip(&self) -> Planar {
        let theta = self.world[1].atan2(self.world[0]);
        Planar::new(theta, self.world[2], self.world[3])
    }

    /// Arc length so far, metres.
    pub fn arc(&self) -> f64 {
        self.arc
    }

    /// Working frames so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }
}
