//! Which frames of which clip play when.
//!
//! Time is counted in output frames from the walk's start. An edge of n source frames at rate r lasts n·R/r output
//! frames at rate R, a whole number where the rates agree, so nothing is rounded at the source rate. In a
//! transition the clip entered is timed from its *end*: it arrives at its node exactly when the transition is
//! over, whatever working boundaries were rounded to, and plays on without a jump in time.

use gaitway_core::Planar;
use gaitway_graph::{ClipId, EdgeId, MotionGraph};
use glam::Quat;

use crate::Walk;

/// A clip under way: where it is at an output frame, and where that is in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    pub clip: ClipId,
    /// Source frame at the edge's start.
    first: f64,
    /// Source frames per output frame.
    step: f64,
    pub world_from_clip: Planar,
    /// The turn of `world_from_clip`, as Clip::moved applies it.
    pub turn: Quat,
    /// Nothing moves: bits stay as they are.
    pub still: bool,
}

impl Track {
    pub fn new(clip: ClipId, first: f64, step: f64, world_from_clip: Planar) -> Self {
        Self {
            clip,
            first,
            step,
            world_from_clip,
            turn: world_from_clip.rotation().as_quat(),
            still: world_from_clip == Planar::IDENTITY,
        }
    }

    /// The source frame, with a fraction, `offset` output frames after the edge's start.
    pub fn frame_at(&self, offset: f64) -> f64 {
        self.first + offset * self.step
    }
}

/// One edge of the walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub edge: EdgeId,
    /// Output frames from the walk's start to the edge's own start; before 0 where its beginning is left out.
    pub origin: f64,
    /// Output frames from the walk's start to the end of what is played.
    pub end: f64,
    /// Output frames the whole edge would last.
    pub length: f64,
    pub from: Track,
    /// The clip a transition enters.
    pub to: Option<Track>,
}

/// The spans of a walk, and the transform after the last.
pub(crate) fn spans(
    graph: &MotionGraph,
    walk: &Walk,
    rate_hz: f64,
    world_from_start: Planar,
) -> (Vec<Span>, Planar) {
    let mut out = Vec::with_capacity(walk.edges().len());
    let mut world_from_clip = world_from_start;
    let mut clock = 0.0;
    for (place, &edge) in walk.edges().iter().enumerate() {
        let (clip, range) = graph.source_range(edge);
        let (_, first, last) = walk.source_range(graph, place);
        let step = graph.clip_info(clip).rate_hz() / rate_hz;
        let length = range.len() as f64 / step;
        let from = Track::new(clip, range.start as f64, step, world_from_clip);
        let to = graph.transition(edge).map(|t| {
            world_from_clip = world_from_clip.compose(t.before_from_after);
            let info = graph.clip_info(t.to_clip);
            let arrives = info.source_boundary(graph.node(graph.to(edge)).boundary) as f64;
            let step = info.rate_hz() / rate_hz;
            Track::new(t.to_clip, arrives - length * step, step, world_from_clip)
        });
        let origin = clock - (first - range.start) as f64 / step;
        clock += (last - first) as f64 / step;
        out.push(Span {
            edge,
            origin,
            end: clock,
            length,
            from,
            to,
        });
    }
    (out, world_from_clip)
}
