//! Clips turned into the arrays a graph holds.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use gaitway_core::{Clip, ClipSet, JointIdx, Skeleton};
use rayon::prelude::*;

use crate::builder::count_working;
use crate::candidates::CandidateTable;
use crate::clip_info::{ClipInfo, ContactPoints, Provenance, label_runs};
use crate::frames::FrameStore;
use crate::graph::Topology;
use crate::options::BuildOptions;
use crate::{GraphError, LabelTable, MotionGraph, ThresholdMatrix};

/// Everything about the clips of a graph.
pub(crate) struct Stock {
    pub skeleton: Arc<Skeleton>,
    pub clips: Vec<ClipInfo>,
    contact_points: Vec<ContactPoints>,
    store: FrameStore,
}

impl Stock {
    /// Takes in clips that are sorted by name and complete.
    pub fn new(
        set: &ClipSet,
        labels: &LabelTable,
        sources: &BTreeMap<String, Provenance>,
        fps: f64,
    ) -> Result<Self, GraphError> {
        let skeleton = set.skeleton().clone();
        let contents: Vec<[u8; 32]> = set
            .clips()
            .par_iter()
            .map(|c| content(c, &skeleton))
            .collect();
        let mut stock = Self {
            skeleton,
            clips: Vec::new(),
            contact_points: Vec::new(),
            store: FrameStore::default(),
        };
        let frames = set.clips().iter().map(Clip::frame_count).sum();
        let (mut root, mut contacts) = (Vec::with_capacity(frames), Vec::with_capacity(frames));
        let mut rotations: Vec<[f32; 4]> =
            Vec::with_capacity(frames * stock.skeleton.joint_count());
        let mut translations: Vec<[f32; 3]> = Vec::new();
        let mut boundaries = 0_u64;
        for (clip, content) in set.clips().iter().zip(contents) {
            let working = count_working(clip, fps)?;
            boundaries += u64::from(working) + 1;
            let step = clip.rate_hz() / fps;
            let contact_points = clip.contacts().map(|c| stock.contact_list(c.points()));
            stock.clips.push(ClipInfo {
                name: clip.name().to_owned(),
                provenance: sources.get(clip.name()).cloned().unwrap_or_default(),
                content,
                rate_hz: clip.rate_hz(),
                frames: clip.frame_count() as u32,
                working_frames: working,
                step,
                first_frame: root.len(),
                translation_joints: clip.translations().iter().map(|t| t.joint).collect(),
                first_translation: translations.len(),
                contact_points,
                runs: label_runs(clip.labels(), labels, step, working),
                labels: clip.labels().clone(),
            });
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
        stock.store = FrameStore {
            root: root.into(),
            rotations: rotations.into(),
            translations: translations.into(),
            contacts: contacts.into(),
            expected: None,
            checked: OnceLock::new(),
        };
        Ok(stock)
    }

    /// The place of a list of contact points, added where it is new.
    fn contact_list(&mut self, points: &[gaitway_core::ContactPoint]) -> usize {
        let known = self.contact_points.iter().position(|list| list == points);
        known.unwrap_or_else(|| {
            self.contact_points.push(points.to_vec());
            self.contact_points.len() - 1
        })
    }

    /// A graph that has its clips and candidates, and no node yet.
    pub fn into_graph(
        self,
        options: BuildOptions,
        half: u32,
        labels: LabelTable,
        candidates: CandidateTable,
    ) -> MotionGraph {
        MotionGraph {
            thresholds: ThresholdMatrix::uniform(0.0, labels.len()),
            options,
            half,
            skeleton: self.skeleton,
            clips: Arc::new(self.clips),
            contact_points: Arc::new(self.contact_points),
            labels: Arc::new(labels),
            store: Arc::new(self.store),
            candidates,
            topology: Topology::default(),
        }
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
