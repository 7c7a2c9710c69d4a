//! Poses of a timeline, one after another or at any time.
//!
//! Cost per pose: a copy along a piece, two samples and a slerp per joint in a blend, a sample and an offset per joint after a
//! cut. Nothing is allocated after [`TimelinePlayer::new`] but for what a cut needs once, when it is entered.

use std::sync::Arc;

use super::blend::{Offsets, blend};
use super::contacts::Contacts;
use super::{Blend, Join, Span, Timeline, Track};
use gaitway_core::{ContactPoint, JointIdx, Pose};

/// Fills in poses of a timeline. It owns what it plays.
#[derive(Clone)]
pub struct TimelinePlayer {
    timeline: Arc<Timeline>,
    moving: Arc<[JointIdx]>,
    contacts: Contacts,
    /// The span whose offsets are taken.
    switched: Option<usize>,
    offsets: Offsets,
    other: Pose,
    between: Pose,
}

impl TimelinePlayer {
    /// A player for a timeline.
    pub fn new(timeline: Arc<Timeline>) -> Self {
        let moving: Arc<[JointIdx]> = timeline.moving_joints().into();
        let joints = timeline.skeleton().joint_count();
        let tracks = timeline.spans().iter().flat_map(Span::tracks);
        let contacts = Contacts::new(timeline.sources(), tracks.map(|t| t.source));
        Self {
            contacts,
            switched: None,
            offsets: Offsets::new(joints, moving.len()),
            other: Pose::new(joints, moving.clone()),
            between: Pose::new(joints, moving.clone()),
            moving,
            timeline,
        }
    }

    /// What it plays.
    pub fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }

    /// Joints that move in their parents, as poses list them.
    pub fn moving_joints(&self) -> &[JointIdx] {
        &self.moving
    }

    /// The points whose bits [`TimelinePlayer::contacts`] gives; `None` where a source has no contacts.
    pub fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.contacts.points.as_deref()
    }

    /// A pose of the right size.
    pub fn pose(&self) -> Pose {
        Pose::new(self.timeline.skeleton().joint_count(), self.moving.clone())
    }

    /// Fills in the pose of a span, `offset` frames after its origin.
    pub fn pose_into(&mut self, span: usize, offset: f64, pose: &mut Pose) {
        pose.fit(self.timeline.skeleton().joint_count(), &self.moving);
        let at = span;
        let span = self.timeline.spans()[at];
        match (span.join, &span.to) {
            (Join::Blend(Blend::Inertialized), Some(to)) => {
                self.switch(
                    at,
                    |this, pose, other| {
                        this.sample(&span.from, 0.0, pose);
                        this.sample(to, 0.0, other);
                        this.offsets.begin(pose, other);
                        this.sample(&span.from, 1.0, pose);
                        this.sample(to, 1.0, other);
                        this.offsets.speed(pose, other);
                    },
                    pose,
                );
                self.sample(to, offset, pose);
                self.offsets.add(pose, offset, span.length);
            }
            (Join::Blend(how), Some(to)) => {
                let mut other = std::mem::take(&mut self.other);
                self.sample(&span.from, offset, pose);
                self.sample(to, offset, &mut other);
                blend(pose, &other, how.weight(offset, span.length));
                self.other = other;
            }
            (Join::Cut, Some(to)) => {
                self.switch(
                    at,
                    |this, pose, other| this.take_offsets(&span.from, to, pose, other),
                    pose,
                );
                self.sample(to, offset, pose);
                self.offsets.add(pose, offset, span.length);
            }
            _ => self.sample(&span.from, offset, pose),
        }
    }

    /// What stands in a span, `offset` frames after its origin.
    pub fn contacts(&self, span: usize, offset: f64) -> u32 {
        let track = self.timeline.spans()[span].leading(offset);
        let at = track.frame_at(offset);
        self.contacts.at(self.timeline.sources(), track.source, at)
    }

    /// Takes a span's offsets, once.
    fn switch(
        &mut self,
        span: usize,
        take: impl FnOnce(&mut Self, &mut Pose, &mut Pose),
        pose: &mut Pose,
    ) {
        if self.switched != Some(span) {
            self.switched = Some(span);
            let mut other = std::mem::take(&mut self.other);
            take(self, pose, &mut other);
            self.other = other;
        }
    }

    /// What the source left differs by from the one entered at a cut, and how fast that changes.
    fn take_offsets(&mut self, from: &Track, to: &Track, pose: &mut Pose, other: &mut Pose) {
        let sources = self.timeline.sources();
        let (left, entered) = (&*sources[from.source], &*sources[to.source]);
        let room = (pose, other, &mut self.between);
        self.offsets.at_cut((left, from), (entered, to), room);
    }

    fn sample(&mut self, track: &Track, offset: f64, pose: &mut Pose) {
        let source = &self.timeline.sources()[track.source];
        source.sample(track.frame_at(offset), pose, &mut self.between);
        track.place(pose);
    }
}
