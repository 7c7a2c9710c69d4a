//! Plays a walk frame by frame.
//!
//! Poses and contacts are the timeline's own (see `gaitway_runtime::timeline`); what a walk adds is which clip a frame comes from, what
//! is done, and which transition is under way. Nothing is allocated after [`WalkPlayer::new`] but for what a cut needs once.

use std::sync::Arc;

use gaitway_core::source::SNAP;
use gaitway_core::{ContactPoint, JointIdx, Planar, Pose};
use gaitway_graph::{ClipId, EdgeId, LabelSet, MotionGraph, TransitionKind};
use gaitway_runtime::timeline::{Join, Timeline, TimelinePlayer};

use super::AssembleOptions;
use super::labels::Labels;
use super::timeline::timeline;
use crate::walk::ClipTime;
use crate::{SynthError, Walk};

/// A frame as it is played, beside its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameInfo {
    /// The frame's number, from 0.
    pub frame: usize,
    /// Where it was recorded.
    pub origin: ClipTime,
    /// What is done; in a transition what either motion does.
    pub labels: LabelSet,
    /// What stands, a bit per point of [`WalkPlayer::contact_points`].
    pub contacts: u32,
    /// In a transition its place in [`WalkPlayer::transitions`].
    pub transition: Option<usize>,
}

/// A transition along a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransitionMark {
    /// The edge.
    pub edge: EdgeId,
    /// Whether both clips are blended, or one is cut into the other.
    pub kind: TransitionKind,
    /// Seconds from the motion's start to where the two clips meet: a blend's middle, a cut's start.
    pub t: f64,
    /// Seconds from the motion's start to its first frame.
    pub start_s: f64,
    /// Seconds from the motion's start to the first frame after it.
    pub end_s: f64,
    /// Where the two meet in the clip left.
    pub from: ClipTime,
    /// Where the two meet in the clip entered.
    pub to: ClipTime,
    /// √D.
    pub distance_cm: f64,
}

/// Plays a walk: fills one pose after another. It owns what it plays, but for the graph it names clips of.
pub struct WalkPlayer {
    inner: TimelinePlayer,
    timeline: Arc<Timeline>,
    /// The clip of each source.
    clips: Vec<ClipId>,
    labels: Labels,
    /// Transitions before each span.
    marks_before: Vec<usize>,
    transitions: Vec<TransitionMark>,
    world_from_end: Planar,
    count: usize,
    frame: usize,
    /// The span under way.
    at: usize,
}

impl WalkPlayer {
    /// A player at the start of a walk. It shows what is there at each output frame; to go down in rate without
    /// aliasing see [`super::assemble`].
    ///
    /// # Errors
    /// When the walk is not one of this graph, the rate is not possible, the walk has no frames, or the graph's frames
    /// are damaged.
    pub fn new(
        graph: &MotionGraph,
        walk: &Walk,
        options: &AssembleOptions,
    ) -> Result<Self, SynthError> {
        let (timeline, world_from_end) = timeline(graph, walk, options)?;
        let count = timeline.frame_count();
        if count < 1 {
            return Err(SynthError::EmptyWalk);
        }
        let (transitions, marks_before) = transition_marks(graph, &timeline);
        let timeline = Arc::new(timeline);
        Ok(Self {
            inner: TimelinePlayer::new(timeline.clone()),
            clips: clips_of(graph, &timeline),
            labels: Labels::new(graph.labels(), &timeline),
            marks_before,
            transitions,
            world_from_end,
            count,
            frame: 0,
            at: 0,
            timeline,
        })
    }

    /// What plays when.
    pub fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }

    /// Frames a second.
    pub fn rate_hz(&self) -> f64 {
        self.timeline.rate_hz()
    }

    /// Frames of the whole walk.
    pub fn frame_count(&self) -> usize {
        self.count
    }

    /// Joints that move in their parents, as a pose lists them.
    pub fn translation_joints(&self) -> &[JointIdx] {
        self.inner.moving_joints()
    }

    /// The points whose bits frames carry; `None` where a clip of the walk has no contacts.
    pub fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.inner.contact_points()
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
        self.inner.pose()
    }

    /// Goes to a frame; the next one filled in is this.
    pub fn seek(&mut self, frame: usize) {
        self.frame = frame.min(self.count);
        self.at = self.timeline.span_at(self.frame as f64);
    }

    /// Fills in the next pose; `None` at the walk's end.
    pub fn next_into(&mut self, pose: &mut Pose) -> Option<FrameInfo> {
        if self.frame >= self.count {
            return None;
        }
        let now = self.frame as f64;
        let spans = self.timeline.spans();
        while self.at + 1 < spans.len() && spans[self.at].end <= now + SNAP {
            self.at += 1;
        }
        let span = &spans[self.at];
        let offset = (now - span.origin).max(0.0);
        self.inner.pose_into(self.at, offset, pose);
        let track = span.leading(offset);
        let source = &self.timeline.sources()[track.source];
        let shown = FrameInfo {
            frame: self.frame,
            origin: ClipTime {
                clip: self.clips[track.source],
                seconds: (track.frame_at(offset) / source.rate_hz()).max(0.0),
            },
            labels: self.labels.at(span, offset),
            contacts: self.inner.contacts(self.at, offset),
            transition: (span.join != Join::None).then(|| self.marks_before[self.at]),
        };
        self.frame += 1;
        Some(shown)
    }
}

/// The clip of each source of a walk's timeline.
fn clips_of(graph: &MotionGraph, timeline: &Timeline) -> Vec<ClipId> {
    let mut clips = vec![ClipId(0); timeline.sources().len()];
    for span in timeline.spans() {
        let edge = EdgeId(span.tag);
        match (graph.transition(edge), &span.to) {
            (Some(t), Some(to)) => {
                clips[span.from.source] = t.from_clip;
                clips[to.source] = t.to_clip;
            }
            _ => clips[span.from.source] = graph.timed_by(edge).clip,
        }
    }
    clips
}

fn transition_marks(graph: &MotionGraph, timeline: &Timeline) -> (Vec<TransitionMark>, Vec<usize>) {
    let mut marks = Vec::new();
    let mut before = Vec::with_capacity(timeline.spans().len());
    let rate_hz = timeline.rate_hz();
    let place = |clip: ClipId, frame: u32| {
        let info = graph.clip_info(clip);
        ClipTime {
            clip,
            seconds: info.source_frame(frame) as f64 / info.rate_hz(),
        }
    };
    for span in timeline.spans() {
        before.push(marks.len());
        let edge = EdgeId(span.tag);
        if let Some(t) = graph.transition(edge) {
            let meets = match t.kind {
                TransitionKind::Blend => span.origin + 0.5 * (span.length - 1.0),
                TransitionKind::Cut => span.origin,
            };
            marks.push(TransitionMark {
                edge,
                kind: t.kind,
                t: meets.max(0.0) / rate_hz,
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
