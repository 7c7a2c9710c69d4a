//! Clips turned into the arrays a library holds.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use gaitway_core::mirror::MirrorMap;
use gaitway_core::{Clip, ClipSet, JointIdx, Provenance, Skeleton};
use rayon::prelude::*;

use super::{FrameStore, Library, Recipe};
use crate::build::builder::count_working;
use crate::model::clip_info::{ClipInfo, label_runs};
use crate::{ClipId, GraphError, LabelTable};

/// What a library is made from.
pub(crate) struct Intake<'a> {
    /// Sorted by name and complete, mirrored copies among them.
    pub clips: &'a ClipSet,
    /// For each clip the one it is the mirrored copy of, where it is.
    pub mirrored: &'a [Option<ClipId>],
    pub mirror: Option<MirrorMap>,
    pub labels: &'a LabelTable,
    pub sources: &'a BTreeMap<String, Provenance>,
    pub fps: f64,
}

impl Library {
    /// Takes clips in: frames of captured ones, recipes of the others.
    pub(crate) fn take_in(intake: Intake<'_>) -> Result<Self, GraphError> {
        let skeleton = intake.clips.skeleton().clone();
        let clips = intake.clips.clips();
        let contents: Vec<[u8; 32]> = clips.par_iter().map(|c| content(c, &skeleton)).collect();
        let captured = |k: usize| intake.mirrored[k].is_none();
        let frames = (0..clips.len())
            .filter(|&k| captured(k))
            .map(|k| clips[k].frame_count())
            .sum();
        let mut library = Self {
            skeleton,
            clips: Vec::with_capacity(clips.len()),
            contact_points: Vec::new(),
            mirror: intake.mirror.map(Arc::new),
            store: FrameStore::default(),
        };
        let (mut root, mut contacts) = (Vec::with_capacity(frames), Vec::with_capacity(frames));
        let mut rotations: Vec<[f32; 4]> =
            Vec::with_capacity(frames * library.skeleton.joint_count());
        let mut translations: Vec<[f32; 3]> = Vec::new();
        let mut boundaries = 0_u64;
        for (k, (clip, content)) in clips.iter().zip(contents).enumerate() {
            let working = count_working(clip, intake.fps)?;
            boundaries += u64::from(working) + 1;
            let step = clip.rate_hz() / intake.fps;
            let contact_points = clip.contacts().map(|c| library.contact_list(c.points()));
            library.clips.push(ClipInfo {
                name: clip.name().to_owned(),
                provenance: intake.sources.get(clip.name()).cloned().unwrap_or_default(),
                content,
                rate_hz: clip.rate_hz(),
                frames: clip.frame_count() as u32,
                working_frames: working,
                step,
                first_frame: root.len(),
                translation_joints: clip.translations().iter().map(|t| t.joint).collect(),
                first_translation: translations.len(),
                contact_points,
                recipe: intake.mirrored[k].map(|of| Recipe::Mirror { of }),
                runs: label_runs(clip.labels(), intake.labels, step, working, false),
                labels: clip.labels().clone(),
            });
            if !captured(k) {
                continue;
            }
            root.extend(clip.root().iter().map(|p| p.to_array()));
            rotations.extend(clip.rotations().iter().map(|q| q.to_array()));
            translations.extend(
                clip.translations()
                    .iter()
                    .flat_map(|t| &t.values)
                    .map(|v| v.to_array()),
            );
            match clip.contacts() {
                Some(track) => contacts.extend_from_slice(track.masks()),
                None => contacts.resize(root.len(), 0),
            }
        }
        if boundaries > u64::from(u32::MAX / 2) {
            return Err(GraphError::Options {
                what: "the clips have more frames than can be counted".to_owned(),
            });
        }
        library.store = FrameStore {
            root: root.into(),
            rotations: rotations.into(),
            translations: translations.into(),
            contacts: contacts.into(),
            expected: None,
            checked: OnceLock::new(),
        };
        Ok(library)
    }

    /// The place of a list of contact points, added where it is new.
    fn contact_list(&mut self, points: &[gaitway_core::ContactPoint]) -> usize {
        let known = self.contact_points.iter().position(|list| list == points);
        known.unwrap_or_else(|| {
            self.contact_points.push(points.to_vec());
            self.contact_points.len() - 1
        })
    }
}

/// BLAKE3 of all that distances depend on: body, rate and frames. Labels and contacts are no part of it.
fn content(clip: &Clip, skeleton: &Skeleton) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    hash.update(b"gaitway clip 1");
    for joint in skeleton.joints() {
        hash.update(
            &skeleton
                .parent(joint)
                .map_or(u32::MAX, |p| p.0)
                .to_le_bytes(),
        );
        hash.update(bytemuck::cast_slice(&skeleton.offset(joint).to_array()));
    }
    for site in skeleton.end_sites() {
        hash.update(&site.parent.0.to_le_bytes());
        hash.update(bytemuck::cast_slice(&site.offset.to_array()));
    }
    hash.update(&clip.rate_hz().to_le_bytes());
    hash.update(&(clip.frame_count() as u64).to_le_bytes());
    clip.root().iter().for_each(|p| {
        hash.update(bytemuck::cast_slice(&p.to_array()));
    });
    clip.rotations().iter().for_each(|q| {
        hash.update(bytemuck::cast_slice(&q.to_array()));
    });
    for track in clip.translations() {
        let JointIdx(joint) = track.joint;
        hash.update(&joint.to_le_bytes());
        track.values.iter().for_each(|v| {
            hash.update(bytemuck::cast_slice(&v.to_array()));
        });
    }
    *hash.finalize().as_bytes()
}
