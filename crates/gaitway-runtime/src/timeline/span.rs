//! One stretch of a timeline.

use glam::Quat;

use super::Blend;
use gaitway_core::Planar;
use gaitway_core::source::SNAP;

/// A source under way: where it is at a time, and where that is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// The source, by its number in the timeline.
    pub source: usize,
    /// Its own frame at the span's origin.
    pub first: f64,
    /// Its own frames per frame of the timeline.
    pub step: f64,
    world_from_source: Planar,
    /// The turn of `world_from_source`, as `Clip::moved` applies it.
    turn: Quat,
    /// Nothing moves: bits stay as they are.
    still: bool,
}

impl Track {
    /// A source that is at its own frame `first` at the span's origin.
    pub fn new(source: usize, first: f64, step: f64, world_from_source: Planar) -> Self {
        Self {
            source,
            first,
            step,
            world_from_source,
            turn: world_from_source.rotation().as_quat(),
            still: world_from_source == Planar::IDENTITY,
        }
    }

    /// What carries the source into the world.
    pub fn world_from_source(&self) -> Planar {
        self.world_from_source
    }

    /// Its own frame, with a fraction, `offset` frames after the span's origin.
    pub fn frame_at(&self, offset: f64) -> f64 {
        self.first + offset * self.step
    }

    /// Moves a pose of the source into the world.
    pub(super) fn place(&self, pose: &mut gaitway_core::Pose) {
        if !self.still {
            pose.root = self.world_from_source.apply(pose.root);
            pose.rotations[0] = (self.turn * pose.rotations[0]).normalize();
        }
    }
}

/// How the sources of a span become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// There is only one.
    None,
    /// The one left is blended into the one entered.
    Blend(Blend),
    /// Only the one entered plays, and what the one left differed by at the span's origin is added to it, fading until the
    /// span's end: frames of the source entered, under a displacement.
    Cut,
}

/// One stretch of a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Frames from the timeline's start to where the span's own time is 0; before its start where its beginning is left out.
    pub origin: f64,
    /// Frames from the timeline's start to where it ends to play.
    pub end: f64,
    /// Frames that all of it would last.
    pub length: f64,
    /// The source that plays, or is left.
    pub from: Track,
    /// The source entered.
    pub to: Option<Track>,
    /// How both become one.
    pub join: Join,
    /// What it was made from: a number of whoever made it, such as that of a graph's edge.
    pub tag: u32,
}

impl Span {
    /// The sources it names.
    pub fn tracks(&self) -> impl Iterator<Item = &Track> {
        [Some(&self.from), self.to.as_ref()].into_iter().flatten()
    }

    /// The sources that are played `offset` frames after its origin, each with its weight; a weight of 0 is left out.
    pub fn weights(&self, offset: f64) -> impl Iterator<Item = (&Track, f64)> {
        let from = match self.join {
            Join::None => 1.0,
            Join::Blend(blend) => blend.weight(offset, self.length),
            Join::Cut => 0.0,
        };
        let to = self.to.as_ref().map(|t| (t, 1.0 - from));
        let both = [Some((&self.from, from)), to].into_iter().flatten();
        both.filter(|(_, weight)| *weight > 0.0)
    }

    /// The source a frame is told to come from: the one left up to the middle frame of a blend, then the one entered.
    pub fn leading(&self, offset: f64) -> &Track {
        // Up to and including the middle frame, (m + 1) / (M + 1) = 1/2.
        let past = 2.0 * (offset + 1.0) > self.length + 1.0 + SNAP;
        match &self.to {
            Some(to) if past || self.join == Join::Cut => to,
            _ => &self.from,
        }
    }
}
