//! A clip: recorded motion of one skeleton, as arrays.
//!
//! Rotations are local (parent from joint), frame-major: frame 0's joints, then frame 1's. The root's
//! place is kept in `f64`, because an hour's walk goes kilometres and millimetres still count there.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use thiserror::Error;

use crate::{ContactTrack, JointIdx, LabelTrack, Planar, Skeleton};

/// Translations of one joint in its parent's frame, one per frame, instead of its rest offset.
#[derive(Clone, Debug, PartialEq)]
pub struct TranslationTrack {
    /// The joint that moves; never the root.
    pub joint: JointIdx,
    /// Metres, in the parent's frame.
    pub values: Vec<Vec3>,
}

/// Why arrays do not make a clip.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipError {
    /// An array has the wrong length for the skeleton and the number of frames.
    #[error("{what} has {found} values where {expected} belong")]
    Length {
        /// Which array.
        what: &'static str,
        /// How many values it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// The rate is not a positive, finite number.
    #[error("a rate of {0} frames a second is not possible")]
    Rate(f64),
    /// A number is NaN or infinite.
    #[error("frame {frame}: {what} is not a finite number")]
    NotFinite {
        /// The first frame where it happens.
        frame: usize,
        /// What it is.
        what: String,
    },
    /// A translation track names the root, a joint that does not exist, or one that has a track.
    #[error("joint {0} cannot have a translation track")]
    TranslationJoint(u32),
}

/// Recorded motion of one skeleton. Cheap to clone only in its skeleton; frames are owned.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    skeleton: Arc<Skeleton>,
    rate_hz: f64,
    root: Vec<DVec3>,
    rotations: Vec<Quat>,
    translations: Vec<TranslationTrack>,
    /// The joints of `translations`, for those who ask as a source is asked.
    moving: Vec<JointIdx>,
    labels: LabelTrack,
    contacts: Option<ContactTrack>,
}

impl Clip {
    /// Builds a clip from the root's place per frame and the local rotations, frame-major. Rotations
    /// are brought to unit length.
    ///
    /// # Errors
    /// When lengths do not fit, the rate is not positive, or a number is not finite.
    pub fn new(
        name: impl Into<String>,
        skeleton: Arc<Skeleton>,
        rate_hz: f64,
        root: Vec<DVec3>,
        mut rotations: Vec<Quat>,
    ) -> Result<Self, ClipError> {
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(ClipError::Rate(rate_hz));
        }
        let joints = skeleton.joint_count();
        let expected = root.len() * joints;
        if rotations.len() != expected {
            let found = rotations.len();
            return Err(ClipError::Length {
                what: "the array of rotations",
                found,
                expected,
            });
        }
        if let Some(frame) = root.iter().position(|p| !p.is_finite()) {
            return Err(ClipError::NotFinite {
                frame,
                what: "the root's place".into(),
            });
        }
        for (i, q) in rotations.iter_mut().enumerate() {
            let length = q.length_squared();
            if !(length.is_finite() && length > 1e-12) {
                let joint = &skeleton.names()[i % joints];
                let what = format!("the rotation of `{joint}`");
                return Err(ClipError::NotFinite {
                    frame: i / joints,
                    what,
                });
            }
            // Already unit within rounding: leave the bits alone, so that copies stay identical.
            if (length - 1.0).abs() > 1e-6 {
                *q = q.normalize();
            }
        }
        Ok(Self {
            name: name.into(),
            skeleton,
            rate_hz,
            root,
            rotations,
            translations: Vec::new(),
            moving: Vec::new(),
            labels: LabelTrack::default(),
            contacts: None,
        })
    }

    /// The same clip with translation tracks instead of those it has.
    ///
    /// # Errors
    /// When a track's length or joint does not fit, or a value is not finite.
    pub fn with_translations(
        mut self,
        mut tracks: Vec<TranslationTrack>,
    ) -> Result<Self, ClipError> {
        tracks.sort_by_key(|t| t.joint);
        for (i, track) in tracks.iter().enumerate() {
            let twice = i > 0 && tracks[i - 1].joint == track.joint;
            if track.joint == JointIdx::ROOT || track.joint.index() >= self.joint_count() || twice {
                return Err(ClipError::TranslationJoint(track.joint.0));
            }
            if track.values.len() != self.root.len() {
                return Err(ClipError::Length {
                    what: "a translation track",
                    found: track.values.len(),
                    expected: self.root.len(),
                });
            }
            if let Some(frame) = track.values.iter().position(|p| !p.is_finite()) {
                let what = format!("the translation of `{}`", self.skeleton.name(track.joint));
                return Err(ClipError::NotFinite { frame, what });
            }
        }
        self.moving = tracks.iter().map(|t| t.joint).collect();
        self.translations = tracks;
        Ok(self)
    }

    /// The same clip with other labels.
    pub fn with_labels(mut self, labels: LabelTrack) -> Self {
        self.labels = labels;
        self
    }

    /// The same clip with other contacts (or none).
    ///
    /// # Errors
    /// When the track's length is not the clip's.
    pub fn with_contacts(mut self, contacts: Option<ContactTrack>) -> Result<Self, ClipError> {
        if let Some(track) = &contacts
            && track.frame_count() != self.frame_count()
        {
            return Err(ClipError::Length {
                what: "the contact track",
                found: track.frame_count(),
                expected: self.frame_count(),
            });
        }
        self.contacts = contacts;
        Ok(self)
    }

    /// The same clip under another name.
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same frames played at another rate (a header that lied), nothing resampled.
    ///
    /// # Errors
    /// When the rate is not positive.
    pub fn with_rate(mut self, rate_hz: f64) -> Result<Self, ClipError> {
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(ClipError::Rate(rate_hz));
        }
        self.rate_hz = rate_hz;
        Ok(self)
    }

    /// The same frames on a skeleton that agrees with this one, so that a set shares one value.
    pub(crate) fn with_shared_skeleton(mut self, skeleton: Arc<Skeleton>) -> Self {
        debug_assert_eq!(self.skeleton.joint_count(), skeleton.joint_count());
        self.skeleton = skeleton;
        self
    }

    /// What the clip is called; usually its file's path without extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The body that moves.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Frames a second.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.root.len()
    }

    /// Number of joints of the skeleton.
    pub fn joint_count(&self) -> usize {
        self.skeleton.joint_count()
    }

    /// Frames over rate: each frame lasts one tick.
    pub fn seconds(&self) -> f64 {
        self.root.len() as f64 / self.rate_hz
    }

    /// The root's place in the world, per frame, in metres.
    pub fn root(&self) -> &[DVec3] {
        &self.root
    }

    /// All local rotations, frame-major.
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }

    /// One frame's local rotations in joint order.
    pub fn frame_rotations(&self, frame: usize) -> &[Quat] {
        let joints = self.joint_count();
        &self.rotations[frame * joints..(frame + 1) * joints]
    }

    /// The local rotation of a joint in a frame.
    pub fn rotation(&self, frame: usize, joint: JointIdx) -> Quat {
        self.rotations[frame * self.joint_count() + joint.index()]
    }

    /// Joints whose translation moves, in joint order.
    pub fn translations(&self) -> &[TranslationTrack] {
        &self.translations
    }

    /// The joints that have a translation track, in joint order.
    pub(crate) fn moving(&self) -> &[JointIdx] {
        &self.moving
    }

    /// The translation track of a joint, where it has one.
    pub fn translation_track(&self, joint: JointIdx) -> Option<&TranslationTrack> {
        self.translations.iter().find(|t| t.joint == joint)
    }

    /// What is done when.
    pub fn labels(&self) -> &LabelTrack {
        &self.labels
    }

    /// What touches the ground when, where known.
    pub fn contacts(&self) -> Option<&ContactTrack> {
        self.contacts.as_ref()
    }

    /// The whole clip moved on the ground: the root's place and heading change, nothing else does.
    pub fn moved(mut self, world_from_clip: Planar) -> Self {
        let joints = self.joint_count();
        let turn = world_from_clip.rotation().as_quat();
        for place in &mut self.root {
            *place = world_from_clip.apply(*place);
        }
        for rotation in self.rotations.iter_mut().step_by(joints) {
            *rotation = (turn * *rotation).normalize();
        }
        self
    }

    /// Takes the clip apart, for those who make a new one from its arrays.
    pub fn into_parts(self) -> ClipParts {
        ClipParts {
            name: self.name,
            skeleton: self.skeleton,
            rate_hz: self.rate_hz,
            root: self.root,
            rotations: self.rotations,
            translations: self.translations,
            labels: self.labels,
            contacts: self.contacts,
        }
    }
}

/// A clip's arrays, free to change; [`ClipParts::build`] checks them again.
#[derive(Clone, Debug)]
pub struct ClipParts {
    /// See [`Clip::name`].
    pub name: String,
    /// See [`Clip::skeleton`].
    pub skeleton: Arc<Skeleton>,
    /// See [`Clip::rate_hz`].
    pub rate_hz: f64,
    /// See [`Clip::root`].
    pub root: Vec<DVec3>,
    /// See [`Clip::rotations`].
    pub rotations: Vec<Quat>,
    /// See [`Clip::translations`].
    pub translations: Vec<TranslationTrack>,
    /// See [`Clip::labels`].
    pub labels: LabelTrack,
    /// See [`Clip::contacts`].
    pub contacts: Option<ContactTrack>,
}

impl ClipParts {
    /// Checks the arrays and makes a clip of them.
    ///
    /// # Errors
    /// As [`Clip::new`] and its `with_…` companions.
    pub fn build(self) -> Result<Clip, ClipError> {
        Clip::new(
            self.name,
            self.skeleton,
            self.rate_hz,
            self.root,
            self.rotations,
        )?
        .with_translations(self.translations)?
        .with_labels(self.labels)
        .with_contacts(self.contacts)
    }
}
