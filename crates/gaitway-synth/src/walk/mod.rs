//! A walk: edges of a graph, one after another.
//!
//! Found at random (`random`), from here to there (`connect`), round and round (`loops`).

mod connect;
mod escape;
mod in_place;
mod level;
mod loops;
mod mixing;
mod pace;
mod place;
mod random;
mod recent;
mod region;
mod repeats;
mod rng;

pub use connect::{ConnectBy, connect};
pub use in_place::take_out_net;
pub use loops::{Loop, LoopOptions, LoopScope, STRAIGHT_RAD, find_loop};
pub use mixing::{Mixing, mixing};
pub use place::{ClipTime, find_label, parse_clip_time};
pub use random::{RandomWalk, Wandering, random_walk, wander};
pub use repeats::{Repeats, repeats};

pub(crate) use rng::Rng;

use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use crate::SynthError;

/// A sequence of edges that meet. It may begin inside its first edge and end inside its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    start: NodeId,
    edges: Vec<EdgeId>,
    /// Working frames of the first edge that are not played.
    skip_first: u32,
    /// Working frames of the last edge that are not played.
    drop_last: u32,
}

impl Walk {
    /// A walk from a node along edges.
    ///
    /// # Errors
    /// When the graph lacks a node or an edge, or an edge does not leave the node where the one before it ends.
    pub fn new(graph: &MotionGraph, start: NodeId, edges: Vec<EdgeId>) -> Result<Self, SynthError> {
        let walk = Self {
            start,
            edges,
            skip_first: 0,
            drop_last: 0,
        };
        walk.check(graph)?;
        Ok(walk)
    }

    /// Checks that this is a walk of a graph: it may have been made for another, or with other thresholds.
    ///
    /// # Errors
    /// As [`Walk::new`] and [`Walk::trimmed`].
    pub fn check(&self, graph: &MotionGraph) -> Result<(), SynthError> {
        if self.start.index() >= graph.node_count() {
            let what = format!("node {}", self.start.0);
            return Err(SynthError::NotInGraph { what });
        }
        let mut at = self.start;
        for &edge in &self.edges {
            if edge.index() >= graph.edge_count() {
                let what = format!("edge {}", edge.0);
                return Err(SynthError::NotInGraph { what });
            }
            let leaves = graph.from(edge);
            if leaves != at {
                return Err(SynthError::DoesNotMeet { edge, leaves, at });
            }
            at = graph.to(edge);
        }
        self.check_trim(graph)
    }

    fn check_trim(&self, graph: &MotionGraph) -> Result<(), SynthError> {
        let length = |e: Option<&EdgeId>| e.map_or(0, |&e| graph.working_length(e));
        let (first, last) = (length(self.edges.first()), length(self.edges.last()));
        let (skip, drop) = (self.skip_first, self.drop_last);
        let both = u64::from(skip) + u64::from(drop);
        let one = self.edges.len() <= 1;
        if skip > first || drop > last || (one && both > u64::from(first)) {
            let what = format!("cannot leave out {skip} and {drop} frames of a walk");
            return Err(SynthError::Options { what });
        }
        Ok(())
    }

    /// The same walk without the first `skip_first` working frames of its first edge and the last `drop_last` of
    /// its last.
    ///
    /// # Errors
    /// When less than nothing would be left.
    pub fn trimmed(
        mut self,
        graph: &MotionGraph,
        skip_first: u32,
        drop_last: u32,
    ) -> Result<Self, SynthError> {
        (self.skip_first, self.drop_last) = (skip_first, drop_last);
        self.check_trim(graph)?;
        Ok(self)
    }

    /// The node it starts from (before the frames left out).
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// The node it leads to (after the frames left out).
    pub fn end(&self, graph: &MotionGraph) -> NodeId {
        self.edges.last().map_or(self.start, |&e| graph.to(e))
    }

    /// Its edges in order.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// Working frames of the first edge that are left out.
    pub fn skip_first(&self) -> u32 {
        self.skip_first
    }

    /// Working frames of the last edge that are left out.
    pub fn drop_last(&self) -> u32 {
        self.drop_last
    }

    /// The working frames played along the edge at a place of the walk, as a range counted from the edge's start.
    pub fn played(&self, graph: &MotionGraph, place: usize) -> (u32, u32) {
        let length = graph.working_length(self.edges[place]);
        let skip = if place == 0 { self.skip_first } else { 0 };
        let last = place + 1 == self.edges.len();
        (skip, length - if last { self.drop_last } else { 0 })
    }

    /// Source frames played along the edge at a place of the walk, counted in the clip that keeps its time.
    pub(crate) fn source_range(
        &self,
        graph: &MotionGraph,
        place: usize,
    ) -> (gaitway_graph::ClipId, usize, usize) {
        let node = graph.timed_by(self.edges[place]);
        let info = graph.clip_info(node.clip);
        let (a, b) = self.played(graph, place);
        let at = |offset: u32| info.source_boundary(node.boundary + offset);
        (node.clip, at(a), at(b))
    }

    /// Seconds of motion along the walk.
    pub fn seconds(&self, graph: &MotionGraph) -> f64 {
        let piece = |place| {
            let (clip, a, b) = self.source_range(graph, place);
            (b - a) as f64 / graph.clip_info(clip).rate_hz()
        };
        (0..self.edges.len()).map(piece).sum()
    }

    /// Σ √D of its transitions, in centimetres.
    pub fn distance_cm(&self, graph: &MotionGraph) -> f64 {
        let of = |&e: &EdgeId| graph.transition(e).map_or(0.0, |t| t.distance_cm());
        self.edges.iter().map(of).sum()
    }

    /// Number of its transitions.
    pub fn transition_count(&self, graph: &MotionGraph) -> usize {
        let of = |e: &&EdgeId| graph.is_transition(**e);
        self.edges.iter().filter(of).count()
    }
}
