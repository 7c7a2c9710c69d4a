//! Where poses come from: anything that has a pose, contacts and labels at any time of its duration.
//!
//! A *source* is a clip in memory, a clip of a mapped graph file, a mirrored view of another source, or an interpolation
//! of two. Whoever plays, measures or writes motion asks a source for poses and never for arrays of frames, which may
//! not exist.
//!
//! Time is counted in the source's own frames, with a fraction: whole frames stay whole, so a source asked for one of its own
//! frames gives it back to the bit. [`PoseSource::seconds`] and [`PoseSource::rate_hz`] lead to seconds and back.

use std::sync::Arc;

use glam::Quat;

use crate::clip::ClipParts;
use crate::rotation::slerp;
use crate::{
    Clip, ClipError, ContactPoint, ContactTrack, JointIdx, LabelTrack, Pose, Skeleton,
    TranslationTrack,
};

/// Motion of one body that can be asked for a pose at any time.
///
/// Laws: asked for a whole frame it gives that frame's bits; times before the first frame and after the last are held; the
/// same time gives the same pose.
pub trait PoseSource: Send + Sync {
    /// The body that moves.
    fn skeleton(&self) -> &Arc<Skeleton>;

    /// Frames a second, of its own.
    fn rate_hz(&self) -> f64;

    /// Number of its own frames.
    fn frame_count(&self) -> usize;

    /// Joints that move in their parents, in joint order.
    fn moving_joints(&self) -> &[JointIdx];

    /// Fills a pose with that of one of its own frames, below [`PoseSource::frame_count`]. The pose fits the skeleton and
    /// holds at least the source's moving joints; any others are put to their rest offsets.
    fn frame_into(&self, frame: usize, pose: &mut Pose);

    /// The points whose contacts are known, in bit order; `None` where contacts are not known.
    fn contact_points(&self) -> Option<&[ContactPoint]>;

    /// What stands in one of its own frames, one bit per contact point; 0 where contacts are not known.
    fn contact_mask(&self, frame: usize) -> u32;

    /// What is done when, in its own frames.
    fn labels(&self) -> &LabelTrack;

    /// Fills a pose with the one at a time in its own frames; between two frames by slerp. `between` is room for the
    /// second of them.
    fn sample(&self, at: f64, pose: &mut Pose, between: &mut Pose) {
        if self.frame_count() == 0 {
            return;
        }
        let (low, part) = around(at, self.frame_count());
        self.frame_into(low, pose);
        if let Some(t) = part {
            self.frame_into(low + 1, between);
            pose.root = pose.root.lerp(between.root, t);
            for (q, &next) in pose.rotations.iter_mut().zip(&between.rotations) {
                *q = slerp(*q, next, t as f32).normalize();
            }
            for (p, &next) in pose.translations.iter_mut().zip(&between.translations) {
                *p = p.lerp(next, t as f32);
            }
        }
    }

    /// What stands at a time in its own frames: of the nearest frame, since there is nothing between standing and not.
    fn contacts_at(&self, at: f64) -> u32 {
        match self.frame_count() {
            0 => 0,
            count => self.contact_mask(nearest(at, count)),
        }
    }

    /// Calls with each label at a time in its own frames: those of the frame the time lies in, since labels begin at frames.
    fn labels_at(&self, at: f64, each: &mut dyn FnMut(&str)) {
        self.labels()
            .at(within(at, self.frame_count()))
            .for_each(each);
    }

    /// Frames over rate: each frame lasts one tick.
    fn seconds(&self) -> f64 {
        self.frame_count() as f64 / self.rate_hz()
    }
}

/// Within this part of a frame there is nothing to interpolate and the source's bits stay.
pub const SNAP: f64 = 1e-6;

/// The frame at or before a time, and the part of the way to the next; held at both ends.
pub fn around(at: f64, count: usize) -> (usize, Option<f64>) {
    let last = count.saturating_sub(1);
    let at = at.clamp(0.0, last as f64);
    let low = at.floor() as usize;
    let part = at - low as f64;
    if part < SNAP {
        (low, None)
    } else if part > 1.0 - SNAP {
        (low + 1, None)
    } else {
        (low, Some(part))
    }
}

/// The frame nearest to a time: for contacts.
pub fn nearest(at: f64, count: usize) -> usize {
    (at.max(0.0).round() as usize).min(count.saturating_sub(1))
}

/// The frame a time lies in: for labels.
pub fn within(at: f64, count: usize) -> usize {
    ((at + SNAP).max(0.0) as usize).min(count.saturating_sub(1))
}

/// All frames of a source as a clip.
///
/// # Errors
/// When the source's numbers make no clip.
pub fn bake(source: &dyn PoseSource, name: impl Into<String>) -> Result<Clip, ClipError> {
    let count = source.frame_count();
    let contacts = source.contact_points().map(|points| {
        let mut track = ContactTrack::new(points.to_vec(), count);
        (0..count).for_each(|f| track.set_mask(f, source.contact_mask(f)));
        track
    });
    let frames = bake_frames(source, count, |frame, pose| source.frame_into(frame, pose));
    ClipParts {
        name: name.into(),
        labels: source.labels().clone(),
        contacts,
        ..frames
    }
    .build()
}

/// So many poses of a source's body, by whatever says the k-th of them: without a name, labels and contacts, and at the source's rate.
pub fn bake_frames(
    source: &dyn PoseSource,
    count: usize,
    mut pose_at: impl FnMut(usize, &mut Pose),
) -> ClipParts {
    let joints = source.skeleton().joint_count();
    let mut pose = Pose::new(joints, source.moving_joints().into());
    let mut root = Vec::with_capacity(count);
    let mut rotations: Vec<Quat> = Vec::with_capacity(count * joints);
    let mut translations: Vec<TranslationTrack> = source
        .moving_joints()
        .iter()
        .map(|&joint| TranslationTrack {
            joint,
            values: Vec::with_capacity(count),
        })
        .collect();
    for frame in 0..count {
        pose_at(frame, &mut pose);
        root.push(pose.root);
        rotations.extend_from_slice(&pose.rotations);
        for (track, &value) in translations.iter_mut().zip(&pose.translations) {
            track.values.push(value);
        }
    }
    ClipParts {
        name: String::new(),
        skeleton: source.skeleton().clone(),
        rate_hz: source.rate_hz(),
        root,
        rotations,
        translations,
        labels: LabelTrack::default(),
        contacts: None,
    }
}

impl PoseSource for Clip {
    fn skeleton(&self) -> &Arc<Skeleton> {
        Self::skeleton(self)
    }

    fn rate_hz(&self) -> f64 {
        Self::rate_hz(self)
    }

    fn frame_count(&self) -> usize {
        Self::frame_count(self)
    }

    fn moving_joints(&self) -> &[JointIdx] {
        self.moving()
    }

    fn frame_into(&self, frame: usize, pose: &mut Pose) {
        pose.root = self.root()[frame];
        pose.rotations.copy_from_slice(self.frame_rotations(frame));
        for k in 0..pose.moving().len() {
            let joint = pose.moving()[k];
            pose.translations[k] = match self.translation_track(joint) {
                Some(track) => track.values[frame],
                None => Self::skeleton(self).offset(joint),
            };
        }
    }

    fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.contacts().map(ContactTrack::points)
    }

    fn contact_mask(&self, frame: usize) -> u32 {
        self.contacts().map_or(0, |c| c.mask(frame))
    }

    fn labels(&self) -> &LabelTrack {
        Self::labels(self)
    }
}
