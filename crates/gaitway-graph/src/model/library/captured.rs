//! A captured clip as a source: a view of the library's store.

use std::sync::Arc;

use gaitway_core::{ContactPoint, JointIdx, LabelTrack, Pose, PoseSource, Skeleton};
use glam::{DVec3, Quat, Vec3};

use super::Library;
use crate::{ClipId, ClipInfo};

/// A clip whose frames the library holds. Arrays lie there as plain numbers, because a mapped file is not aligned for SIMD
/// types; turning them into `glam` types costs nothing on use.
pub(super) struct Captured {
    library: Arc<Library>,
    clip: ClipId,
}

impl Captured {
    pub fn new(library: Arc<Library>, clip: ClipId) -> Self {
        Self { library, clip }
    }

    fn info(&self) -> &ClipInfo {
        &self.library.clips[self.clip.index()]
    }
}

impl PoseSource for Captured {
    fn skeleton(&self) -> &Arc<Skeleton> {
        &self.library.skeleton
    }

    fn rate_hz(&self) -> f64 {
        self.info().rate_hz
    }

    fn frame_count(&self) -> usize {
        self.info().frame_count()
    }

    fn moving_joints(&self) -> &[JointIdx] {
        &self.info().translation_joints
    }

    fn frame_into(&self, frame: usize, pose: &mut Pose) {
        let (info, store) = (self.info(), &self.library.store);
        let joints = self.library.skeleton.joint_count();
        let at = info.first_frame + frame;
        pose.root = DVec3::from_array(store.root[at]);
        let rotations = &store.rotations[at * joints..(at + 1) * joints];
        for (out, &q) in pose.rotations.iter_mut().zip(rotations) {
            *out = Quat::from_array(q);
        }
        for k in 0..pose.moving().len() {
            let joint = pose.moving()[k];
            pose.translations[k] = match info.translation_joints.binary_search(&joint) {
                Ok(track) => {
                    let first = info.first_translation + track * info.frame_count();
                    Vec3::from_array(store.translations[first + frame])
                }
                Err(_) => self.library.skeleton.offset(joint),
            };
        }
    }

    fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.library.contact_points(self.clip)
    }

    fn contact_mask(&self, frame: usize) -> u32 {
        self.library.store.contacts[self.info().first_frame + frame]
    }

    fn labels(&self) -> &LabelTrack {
        &self.info().labels
    }
}
