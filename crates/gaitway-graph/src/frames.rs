//! The source-rate frames of all clips, one after another, owned or memory-mapped.

use std::sync::OnceLock;

use gaitway_core::{Clip, ContactTrack, JointIdx, TranslationTrack};
use glam::{DVec3, Quat, Vec3};

use crate::array::Array;
use crate::{ClipId, ClipInfo, GraphError, MotionGraph};

/// Frames of all clips as arrays. What a clip's arrays are is said by its [`ClipInfo`].
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameStore {
    /// Metres, world, one per frame.
    pub root: Array<[f64; 3]>,
    /// Local rotations x y z w, frame-major.
    pub rotations: Array<[f32; 4]>,
    /// Translation tracks: clip by clip, track by track, a value per frame.
    pub translations: Array<[f32; 3]>,
    /// One bit per contact point, one mask per frame; 0 where contacts are not known.
    pub contacts: Array<u32>,
    /// What the file says the BLAKE3 of these arrays is; `None` for frames that were never in a file.
    pub expected: Option<[u8; 32]>,
    /// Filled on first use.
    pub checked: OnceLock<Result<(), String>>,
}

impl FrameStore {
    /// BLAKE3 over all arrays in the order of the file.
    pub fn checksum(&self) -> [u8; 32] {
        let mut hash = blake3::Hasher::new();
        hash.update_rayon(bytemuck::cast_slice(&self.root));
        hash.update_rayon(bytemuck::cast_slice(&self.contacts));
        hash.update_rayon(bytemuck::cast_slice(&self.rotations));
        hash.update_rayon(bytemuck::cast_slice(&self.translations));
        *hash.finalize().as_bytes()
    }

    /// Checks frames that came from a file, once; later calls are free.
    pub fn check(&self) -> Result<(), GraphError> {
        let result = self.checked.get_or_init(|| match self.expected {
            None => Ok(()),
            Some(expected) if expected != self.checksum() => {
                Err("the frames do not match their checksum".to_owned())
            }
            Some(_) => self.check_values(),
        });
        result.clone().map_err(|what| GraphError::Damaged { what })
    }

    /// Numbers that a clip could not hold, in a file whose checksum is right.
    fn check_values(&self) -> Result<(), String> {
        if !self.root.iter().flatten().all(|v| v.is_finite()) {
            return Err("a root position is not finite".to_owned());
        }
        if !self.translations.iter().flatten().all(|v| v.is_finite()) {
            return Err("a translation is not finite".to_owned());
        }
        let unit = |q: &[f32; 4]| (q.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() <= 1e-4;
        if !self.rotations.iter().all(unit) {
            return Err("a rotation is not a unit quaternion".to_owned());
        }
        Ok(())
    }
}

/// Read access to the frames of a graph, handed out by [`MotionGraph::frames`] once they are known to be whole.
///
/// Frames are counted per clip, at the clip's source rate. Arrays come as plain numbers, because a
/// mapped file is not aligned for SIMD types; turning them into `glam` types costs nothing on use.
#[derive(Clone, Copy)]
pub struct Frames<'g> {
    graph: &'g MotionGraph,
    joints: usize,
}

impl<'g> Frames<'g> {
    pub(crate) fn new(graph: &'g MotionGraph) -> Result<Self, GraphError> {
        graph.store.check()?;
        Ok(Self {
            graph,
            joints: graph.skeleton().joint_count(),
        })
    }

    fn info(&self, clip: ClipId) -> &'g ClipInfo {
        self.graph.clip_info(clip)
    }

    /// The root's place per frame of a clip, in metres.
    pub fn roots(&self, clip: ClipId) -> &'g [[f64; 3]] {
        let info = self.info(clip);
        &self.graph.store.root[info.first_frame..info.first_frame + info.frame_count()]
    }

    /// The root's place in a frame.
    pub fn root(&self, clip: ClipId, frame: usize) -> DVec3 {
        DVec3::from_array(self.roots(clip)[frame])
    }

    /// All local rotations of a clip, frame-major, x y z w.
    pub fn clip_rotations(&self, clip: ClipId) -> &'g [[f32; 4]] {
        let info = self.info(clip);
        let first = info.first_frame * self.joints;
        &self.graph.store.rotations[first..first + info.frame_count() * self.joints]
    }

    /// The local rotations of a frame in joint order, x y z w.
    pub fn rotations(&self, clip: ClipId, frame: usize) -> &'g [[f32; 4]] {
        &self.clip_rotations(clip)[frame * self.joints..(frame + 1) * self.joints]
    }

    /// The local rotation of a joint in a frame.
    pub fn rotation(&self, clip: ClipId, frame: usize, joint: JointIdx) -> Quat {
        Quat::from_array(self.rotations(clip, frame)[joint.index()])
    }

    /// The translation of a joint in a frame: its track's value, or its rest offset where it has none.
    pub fn translation(&self, clip: ClipId, frame: usize, joint: JointIdx) -> Vec3 {
        match self.info(clip).translation_joints.binary_search(&joint) {
            Ok(track) => Vec3::from_array(self.translation_track(clip, track)[frame]),
            Err(_) => self.graph.skeleton().offset(joint),
        }
    }

    /// A translation track of a clip, by its place in [`ClipInfo::translation_joints`].
    pub fn translation_track(&self, clip: ClipId, track: usize) -> &'g [[f32; 3]] {
        let info = self.info(clip);
        assert!(
            track < info.translation_joints.len(),
            "track {track} of clip {}",
            clip.0
        );
        let first = info.first_translation + track * info.frame_count();
        &self.graph.store.translations[first..first + info.frame_count()]
    }

    /// The contact bits of a clip's frames; bits follow [`MotionGraph::contact_points`]. 0 where unknown.
    pub fn contacts(&self, clip: ClipId) -> &'g [u32] {
        let info = self.info(clip);
        &self.graph.store.contacts[info.first_frame..info.first_frame + info.frame_count()]
    }

    /// A clip made from its arrays, equal to the one the graph was built from.
    ///
    /// # Errors
    /// When the arrays do not make a clip: a damaged file.
    pub fn clip(&self, clip: ClipId) -> Result<Clip, GraphError> {
        let info = self.info(clip);
        let damaged = |e: gaitway_core::ClipError| GraphError::Damaged {
            what: format!("clip `{}`: {e}", info.name),
        };
        let root = self
            .roots(clip)
            .iter()
            .map(|&p| DVec3::from_array(p))
            .collect();
        let rotations = self
            .clip_rotations(clip)
            .iter()
            .map(|&q| Quat::from_array(q))
            .collect();
        let skeleton = self.graph.skeleton().clone();
        let tracks = info
            .translation_joints
            .iter()
            .enumerate()
            .map(|(track, &joint)| TranslationTrack {
                joint,
                values: self
                    .translation_track(clip, track)
                    .iter()
                    .map(|&v| Vec3::from_array(v))
                    .collect(),
            });
        let contacts = self.graph.contact_points(clip).map(|points| {
            let mut track = ContactTrack::new(points.to_vec(), info.frame_count());
            self.contacts(clip)
                .iter()
                .enumerate()
                .for_each(|(f, &mask)| track.set_mask(f, mask));
            track
        });
        Clip::new(info.name.clone(), skeleton, info.rate_hz, root, rotations)
            .and_then(|c| c.with_translations(tracks.collect()))
            .and_then(|c| c.with_labels(info.labels.clone()).with_contacts(contacts))
            .map_err(damaged)
    }
}
