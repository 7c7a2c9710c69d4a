//! Plays a walk frame by frame.
//!
//! Cost per frame: a copy along a clip, two samples and a slerp per joint in a transition. Nothing is allocated after
//! [`Player::new`].

use gaitway_core::{ContactPoint, JointIdx, Planar};
use gaitway_graph::{ClipId, EdgeId, Frames, LabelSet, MotionGraph};

use super::blend::{Blend, Offsets, blend};
use super::marks::Marks;
use super::sample::{Pose, SNAP, sample};
use super::timeline::{Span, Track, spans};
use super::{AssembleOptions, motion::HIGHEST_RATE};
use crate::{SynthError, Walk};

/// Where a frame was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The clip; in a transition the one left up to the middle frame, then the one entered.
    pub clip: ClipId,
    /// Seconds from the clip's first frame.
    pub seconds: f64,
}

/// A frame as it is played, beside its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The frame's number, from 0.
    pub frame: usize,
    /// Where it was recorded.
    pub origin: Origin,
    /// What is done; in a transition what either motion does.
    pub labels: LabelSet,
    /// What stands, a bit per point of [`Player::contact_points`].
    pub contacts: u32,
    /// In a transition its place in [`Player::transitions`].
    pub transition: Option<usize>,
}

/// A transition along a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransitionMark {
    /// The edge.
    pub edge: EdgeId,
    /// Seconds from the motion's start to the transition's middle.
    pub t: f64,
    /// Seconds from the motion's start to its first frame.
    pub start_s: f64,
    /// Seconds from the motion's start to the first frame after it.
    pub end_s: f64,
    /// Its middle in the clip left.
    pub from: Origin,
    /// Its middle in the clip entered.
    pub to: Origin,
    /// √D.
    pub distance_cm: f64,
}

/// Plays a walk: fills one pose after another.
pub struct Player<'g> {
    graph: &'g MotionGraph,
    frames: Frames<'g>,
    rate_hz: f64,
    blend: Blend,
    spans: Vec<Span>,
    /// Transitions before each span.
    marks_before: Vec<usize>,
    transitions: Vec<TransitionMark>,
    marks: Marks,
    moving: Vec<JointIdx>,
    world_from_end: Planar,
    count: usize,
    frame: usize,
    /// The span under way.
    at: usize,
    /// The span whose offsets are taken.
    switched: Option<usize>,
    offsets: Offsets,
    other: Pose,
}

impl<'g> Player<'g> {
    /// A player at the start of a walk. It shows what is there at each output frame; to go down in rate without
    /// aliasing see [`super::assemble`].
    ///
    /// # Errors
    /// When the walk is not one of this graph, the rate is not possible, the walk has no frames, or the graph's frames
    /// are damaged.
    pub fn new(
        graph: &'g MotionGraph,
        walk: &Walk,
        options: &AssembleOptions,
    ) -> Result<Self, SynthError> {
        walk.check(graph)?;
        let frames = graph.frames()?;
        let rate_hz = options.out_fps.unwrap_or_else(|| graph.output_rate_hz());
        if !(rate_hz > 0.0 && rate_hz <= HIGHEST_RATE) {
            let what = format!("a rate of {rate_hz} frames a second is not possible");
            return Err(SynthError::Options { what });
        }
        let (spans, world_from_end) = spans(graph, walk, rate_hz, options.world_from_start);
        let total = (spans.last().map_or(0.0, |s| s.end) - SNAP).ceil();
        if total < 1.0 {
            return Err(SynthError::EmptyWalk);
        }
        let (transitions, marks_before) = transition_marks(graph, &spans, rate_hz);
        let moving = moving_joints(graph, &spans);
        let joints = graph.skeleton().joint_count();
        Ok(Self {
            graph,
            frames,
            rate_hz,
            blend: options.blend,
            marks: Marks::new(graph, &spans),
            spans,
            marks_before,
            transitions,
            world_from_end,
            count: total as usize,
            frame: 0,
            at: 0,
            switched: None,
            offsets: Offsets::new(joints, moving.len()),
            other: Pose::new(joints, moving.len()),
            moving,
        })
    }

    /// Frames a second.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Frames of the whole walk.
    pub fn frame_count(&self) -> usize {
        self.count
    }

    /// Joints that move in their parents, as a pose lists them.
    pub fn translation_joints(&self) -> &[JointIdx] {
        &self.moving
    }

    /// The points whose bits frames carry; `None` where a clip of the walk has no contacts.
    pub fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.marks.points.as_deref()
    }

    /// The transitions along the walk, in order.
    pub fn transitions(&self) -> &[TransitionMark] {
        &self.transitions
    }

    /// What carries the clip under way at the walk's end into the world.
    pub fn world_from_end(&self) -> Planar {
        self.world_from_end
    }

    /// A pose of the right size.
    pub fn pose(&self) -> Pose {
        Pose::new(self.graph.skeleton().joint_count(), self.moving.len())
    }

    /// Goes to a frame; the next one filled in is this.
    pub fn seek(&mut self, frame: usize) {
        self.frame = frame.min(self.count);
        let now = self.frame as f64 + SNAP;
        self.at = self.spans.partition_point(|s| s.end <= now);
    }

    /// Fills in the next pose; `None` at the walk's end.
    pub fn next_into(&mut self, pose: &mut Pose) -> Option<Shown> {
        if self.frame >= self.count {
            return None;
        }
        let now = self.frame as f64;
        while self.at + 1 < self.spans.len() && self.spans[self.at].end <= now + SNAP {
            self.at += 1;
        }
        let span = self.spans[self.at];
        let offset = (now - span.origin).max(0.0);
        pose.fit(self.graph.skeleton().joint_count(), self.moving.len());
        match span.to {
            None => self.sample(&span.from, offset, pose),
            Some(to) => self.fill_transition(&span, &to, offset, pose),
        }
        let shown = self.shown(&span, offset);
        self.frame += 1;
        Some(shown)
    }

    fn sample(&self, track: &Track, offset: f64, pose: &mut Pose) {
        sample(self.graph, &self.frames, &self.moving, track, offset, pose);
    }

    fn fill_transition(&mut self, span: &Span, to: &Track, offset: f64, pose: &mut Pose) {
        let mut other = std::mem::take(&mut self.other);
        if self.blend == Blend::Inertialized {
            if self.switched != Some(self.at) {
                self.switched = Some(self.at);
                self.sample(&span.from, 0.0, pose);
                self.sample(to, 0.0, &mut other);
                self.offsets.begin(pose, &other);
                self.sample(&span.from, 1.0, pose);
                self.sample(to, 1.0, &mut other);
                self.offsets.speed(pose, &other);
            }
            self.sample(to, offset, pose);
            self.offsets.add(pose, offset, span.length);
        } else {
            self.sample(&span.from, offset, pose);
            self.sample(to, offset, &mut other);
            blend(pose, &other, self.blend.weight(offset, span.length));
        }
        self.other = other;
    }

    fn shown(&self, span: &Span, offset: f64) -> Shown {
        // M's up to and including the middle frame, (m + 1) / (M + 1) = 1/2, then M′'s.
        let past = 2.0 * (offset + 1.0) > span.length + 1.0 + SNAP;
        let track = match &span.to {
            Some(to) if past => to,
            _ => &span.from,
        };
        let mut labels = self.marks.labels(self.graph, &span.from, offset);
        if let Some(to) = &span.to {
            labels = labels.union(self.marks.labels(self.graph, to, offset));
        }
        let info = self.graph.clip_info(track.clip);
        Shown {
            frame: self.frame,
            origin: Origin {
                clip: track.clip,
                seconds: (track.frame_at(offset) / info.rate_hz()).max(0.0),
            },
            labels,
            contacts: self.marks.contacts(&self.frames, track, offset),
            transition: span.to.map(|_| self.marks_before[self.at]),
        }
    }
}

/// Joints that have a translation track in any clip of the walk.
fn moving_joints(graph: &MotionGraph, spans: &[Span]) -> Vec<JointIdx> {
    let mut seen = vec![false; graph.clip_count()];
    let mut out = Vec::new();
    let tracks = spans.iter().flat_map(|s| [Some(s.from), s.to]).flatten();
    for track in tracks {
        if !std::mem::replace(&mut seen[track.clip.index()], true) {
            out.extend_from_slice(graph.clip_info(track.clip).translation_joints());
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn transition_marks(
    graph: &MotionGraph,
    spans: &[Span],
    rate_hz: f64,
) -> (Vec<TransitionMark>, Vec<usize>) {
    let mut marks = Vec::new();
    let mut before = Vec::with_capacity(spans.len());
    let place = |clip: ClipId, frame: u32| {
        let info = graph.clip_info(clip);
        Origin {
            clip,
            seconds: info.source_frame(frame) as f64 / info.rate_hz(),
        }
    };
    for span in spans {
        before.push(marks.len());
        if let Some(t) = graph.transition(span.edge) {
            marks.push(TransitionMark {
                edge: span.edge,
                t: (span.origin + 0.5 * (span.length - 1.0)).max(0.0) / rate_hz,
                start_s: span.origin.max(0.0) / rate_hz,
                end_s: span.end / rate_hz,
                from: place(t.from_clip, t.from_frame),
                to: place(t.to_clip, t.to_frame),
                distance_cm: t.distance_cm(),
            });
        }
    }
    (marks, before)
}
