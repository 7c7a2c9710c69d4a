//! Reading a graph by memory map: arrays are used where they lie.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use bytemuck::Pod;
use gaitway_core::{
    ContactPoint, EndSite, JointIdx, LabelMoment, LabelSpan, LabelTrack, PointIdx, Provenance,
    Skeleton, limits,
};
use safetensors::tensor::{Dtype, Metadata};
use safetensors::{SafeTensorError, SafeTensors};

use super::meta::{self, ClipMeta, Meta};
use super::recipes::is_interpolation;
use super::{Bytes, CHECKSUM, FRAME_ARRAYS, check};
use crate::build::draft::edge_seconds;
use crate::build::thresholds::ThresholdMatrix;
use crate::model::array::Array;
use crate::model::candidates::{CandidateTable, EndTable};
use crate::model::clip_info::{ClipInfo, label_runs, working_frames};
use crate::model::library::{FrameStore, Library};
use crate::model::topology::{Topology, kind};
use crate::{ClipId, GraphError, LabelTable, MotionGraph};

pub(super) fn damaged(what: impl Into<String>) -> GraphError {
    GraphError::Damaged { what: what.into() }
}

impl MotionGraph {
    /// Opens a graph file by memory map. Everything but the frames is checked now; frames are checked when first
    /// used, or by [`MotionGraph::verify`].
    ///
    /// # Errors
    /// When the file cannot be opened, is no graph, is newer than this program, or is damaged.
    pub fn load(path: &Path) -> Result<Self, GraphError> {
        Self::from_file_bytes(Bytes::map(path)?)
    }

    /// A graph from the bytes of its file.
    ///
    /// # Errors
    /// As [`MotionGraph::load`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GraphError> {
        Self::from_file_bytes(Bytes::from_slice(bytes))
    }

    /// Checks the frames as well, which loading leaves for later.
    ///
    /// # Errors
    /// When they do not match their checksum or hold values no clip can have.
    pub fn verify(&self) -> Result<(), GraphError> {
        self.clip_ids()
            .try_for_each(|clip| self.clip(clip).map(drop))
    }

    fn from_file_bytes(bytes: Bytes) -> Result<Self, GraphError> {
        let (length, header) =
            SafeTensors::read_metadata(&bytes).map_err(|e| not_a_graph(&bytes, &e))?;
        let text = header.metadata().as_ref().and_then(|m| m.get("gaitway"));
        let text = text.ok_or_else(|| GraphError::NotAGraph {
            what: "it has no `gaitway` metadata".to_owned(),
        })?;
        let meta = meta::from_text(text)?;
        let file = File {
            bytes: Arc::new(bytes),
            header,
            start: length + 8,
        };
        file.check_sum()?;
        file.graph(&meta)
    }
}

/// Why bytes are no graph: whether they once were one and were cut short, or never were.
fn not_a_graph(bytes: &[u8], error: &SafeTensorError) -> GraphError {
    // As files begin: the header's length, eight bytes, then the header itself.
    let ours = bytes
        .get(8..)
        .is_some_and(|h| h.starts_with(br#"{"__metadata__":{"gaitway":"#));
    let short = matches!(
        error,
        SafeTensorError::InvalidHeaderLength | SafeTensorError::MetadataIncompleteBuffer
    );
    let what = if ours && short {
        format!(
            "it was one, and ends too early, after {} bytes: copy or build it again",
            bytes.len()
        )
    } else {
        error.to_string()
    };
    GraphError::NotAGraph { what }
}

/// An opened file.
struct File {
    bytes: Arc<Bytes>,
    header: Metadata,
    /// Where arrays begin.
    start: usize,
}

impl File {
    /// The BLAKE3 of the header and of every array but the frames and itself, in the order of the file.
    fn check_sum(&self) -> Result<(), GraphError> {
        let mut hash = blake3::Hasher::new();
        hash.update(&self.bytes[..self.start]);
        for name in self.header.offset_keys() {
            if name != CHECKSUM && !FRAME_ARRAYS.contains(&name.as_str()) {
                hash.update_rayon(&self.bytes[self.range(&name)?]);
            }
        }
        let expected = self.array::<u8>(CHECKSUM, Dtype::U8, &[Some(32)])?;
        if hash.finalize().as_bytes()[..] != expected[..] {
            return Err(damaged("it does not match its checksum"));
        }
        Ok(())
    }

    fn range(&self, name: &str) -> Result<std::ops::Range<usize>, GraphError> {
        let info = self
            .header
            .info(name)
            .ok_or_else(|| damaged(format!("array `{name}` is missing")))?;
        Ok(self.start + info.data_offsets.0..self.start + info.data_offsets.1)
    }

    /// An array of this type and shape; `None` in the shape stands for any number.
    fn array<T: Pod>(
        &self,
        name: &str,
        dtype: Dtype,
        shape: &[Option<usize>],
    ) -> Result<Array<T>, GraphError> {
        let range = self.range(name)?;
        let info = self
            .header
            .info(name)
            .ok_or_else(|| damaged(format!("array `{name}` is missing")))?;
        let fits = info.shape.len() == shape.len()
            && info
                .shape
                .iter()
                .zip(shape)
                .all(|(n, s)| s.is_none_or(|s| s == *n));
        if info.dtype != dtype || !fits {
            return Err(damaged(format!(
                "array `{name}` has shape {:?} of {:?}",
                info.shape, info.dtype
            )));
        }
        Array::mapped(&self.bytes, range)
            .ok_or_else(|| damaged(format!("array `{name}` is not aligned")))
    }

    fn graph(&self, meta: &Meta) -> Result<MotionGraph, GraphError> {
        let options = meta.options.build_options();
        limits::rate(options.fps).map_err(|e| damaged(format!("the working rate: {e}")))?;
        let half = options
            .metric
            .window(options.fps)
            .map_err(|e| damaged(e.to_string()))?
            .half() as u32;
        let labels =
            LabelTable::new(meta.labels.iter().cloned()).filter(|t| t.names() == meta.labels);
        let labels = labels.ok_or_else(|| damaged("the label table is not in order"))?;
        let skeleton = self.skeleton(meta)?;
        let contact_points = contact_points(meta, &skeleton)?;
        let clips = self.clips(meta, &labels, &skeleton, options.fps)?;
        let mirror = meta.mirror.as_ref().map(|m| {
            let map = m.map(&skeleton).map(Arc::new);
            map.ok_or_else(|| damaged("the pairs of left and right do not fit the skeleton"))
        });
        let candidates = self.candidates()?;
        let topology = self.topology(meta.version, half, &clips, &candidates)?;
        let library = Library {
            store: self.store(&clips, skeleton.joint_count())?,
            skeleton: Arc::new(skeleton),
            clips,
            contact_points,
            mirror: mirror.transpose()?,
        };
        let graph = MotionGraph {
            half,
            thresholds: thresholds(meta, &labels)?,
            library: Arc::new(library),
            labels: Arc::new(labels),
            candidates,
            ends: self.ends(meta.version)?,
            topology,
            options,
        };
        check::check(graph)
    }

    fn skeleton(&self, meta: &Meta) -> Result<Skeleton, GraphError> {
        let n = meta.joints.len();
        let parents: Array<u32> = self.array("joint_parents", Dtype::U32, &[Some(n)])?;
        let offsets: Array<[f32; 3]> =
            self.array("joint_offsets", Dtype::F32, &[Some(n), Some(3)])?;
        let site_parents: Array<u32> = self.array("end_site_parents", Dtype::U32, &[None])?;
        let sites = site_parents.len();
        let site_offsets: Array<[f32; 3]> =
            self.array("end_site_offsets", Dtype::F32, &[Some(sites), Some(3)])?;
        let mut builder = Skeleton::builder();
        for (k, name) in meta.joints.iter().enumerate() {
            let offset = offsets[k].into();
            match parents[k] {
                u32::MAX => builder.root(name.clone(), offset),
                parent => builder.joint(name.clone(), JointIdx(parent), offset),
            };
        }
        for (&parent, &offset) in site_parents.iter().zip(site_offsets.iter()) {
            let EndSite { parent, offset } = EndSite {
                parent: JointIdx(parent),
                offset: offset.into(),
            };
            builder.end_site(parent, offset);
        }
        let skeleton = builder
            .build()
            .map_err(|e| damaged(format!("skeleton: {e}")))?;
        limits::skeleton(&skeleton).map_err(|e| damaged(format!("skeleton: {e}")))?;
        Ok(skeleton)
    }

    fn clips(
        &self,
        meta: &Meta,
        labels: &LabelTable,
        skeleton: &Skeleton,
        fps: f64,
    ) -> Result<Vec<ClipInfo>, GraphError> {
        let n = meta.clips.len();
        let rates: Array<f64> = self.array("clip_rate_hz", Dtype::F64, &[Some(n)])?;
        let frames: Array<u32> = self.array("clip_frames", Dtype::U32, &[Some(n)])?;
        let tracks = self.label_tracks(meta, labels, &frames)?;
        let (mut first_frame, mut first_translation) = (0, 0);
        let mut out = Vec::with_capacity(n);
        for ((k, clip), track) in meta.clips.iter().enumerate().zip(tracks) {
            limits::rate(rates[k]).map_err(|e| damaged(format!("clip `{}`: {e}", clip.name)))?;
            let info = clip_info(
                clip,
                rates[k],
                frames[k],
                fps,
                (first_frame, first_translation),
                track,
                labels,
                skeleton,
                meta.contact_points.len(),
            );
            let info = info.map_err(|what| damaged(format!("clip `{}`: {what}", clip.name)))?;
            if clip.recipe.is_none() {
                first_frame += info.frame_count();
                first_translation += info.frame_count() * info.translation_joints.len();
            }
            out.push(info);
        }
        // Captured and mirrored clips by name, then interpolated ones by name.
        let first_made = meta.clips.iter().position(|c| is_interpolation(&c.recipe));
        let (own, made) = out.split_at(first_made.unwrap_or(n));
        let sorted = |list: &[ClipInfo]| list.is_sorted_by(|a, b| a.name < b.name);
        let whole = |c: &ClipMeta| is_interpolation(&c.recipe);
        if !sorted(own) || !sorted(made) || !meta.clips[own.len()..].iter().all(whole) {
            return Err(damaged("clips are not in order of their names"));
        }
        let own = own.len();
        let find = |name: &str| {
            let at = meta.clips[..own].binary_search_by(|c| c.name.as_str().cmp(name));
            at.ok().map(|k| ClipId(k as u32))
        };
        for (clip, info) in meta.clips.iter().zip(&mut out) {
            let recipe = clip.recipe.as_ref().map(|r| r.recipe(find)).transpose();
            info.recipe = recipe.map_err(|missing| GraphError::Recipe {
                clip: clip.name.clone(),
                what: format!("it is made from `{missing}`, which is not there"),
            })?;
        }
        Ok(out)
    }

    fn label_tracks(
        &self,
        meta: &Meta,
        labels: &LabelTable,
        frames: &[u32],
    ) -> Result<Vec<LabelTrack>, GraphError> {
        let spans: Array<[u32; 4]> = self.array("label_spans", Dtype::U32, &[None, Some(4)])?;
        let mut tracks: Vec<Vec<LabelSpan>> = vec![Vec::new(); meta.clips.len()];
        for &[clip, label, start, end] in spans.iter() {
            let fits = frames
                .get(clip as usize)
                .is_some_and(|&n| start < end && end <= n);
            let name = labels.names().get(label as usize).filter(|_| fits);
            let name = name
                .ok_or_else(|| damaged("a label span lies outside its clip or the label table"))?;
            tracks[clip as usize].push(LabelSpan {
                start: start as usize,
                end: end as usize,
                label: name.clone(),
            });
        }
        let mut moments: Vec<Vec<LabelMoment>> = vec![Vec::new(); meta.clips.len()];
        for &[clip, label, frame] in self.label_moments()?.iter() {
            let fits = frames.get(clip as usize).is_some_and(|&n| frame < n);
            let name = labels.names().get(label as usize).filter(|_| fits);
            let name = name.ok_or_else(|| {
                damaged("a label's moment lies outside its clip or the label table")
            })?;
            moments[clip as usize].push(LabelMoment {
                frame: frame as usize,
                label: name.clone(),
            });
        }
        let pairs = tracks.into_iter().zip(moments);
        let track = |(spans, moments)| LabelTrack::new(spans).with_moments(moments);
        Ok(pairs.map(track).collect())
    }

    /// Only there where somebody wrote moments down.
    fn label_moments(&self) -> Result<Array<[u32; 3]>, GraphError> {
        match self.header.info("label_moments") {
            Some(_) => self.array("label_moments", Dtype::U32, &[None, Some(3)]),
            None => Ok(Array::from(Vec::new())),
        }
    }

    fn store(&self, clips: &[ClipInfo], joints: usize) -> Result<FrameStore, GraphError> {
        let captured = || clips.iter().filter(|c| c.recipe.is_none());
        let total = captured().map(ClipInfo::frame_count).sum();
        let translations = captured()
            .map(|c| c.frame_count() * c.translation_joints.len())
            .sum();
        let expected: Array<u8> = self.array("frames_checksum", Dtype::U8, &[Some(32)])?;
        Ok(FrameStore {
            root: self.array("frame_root", Dtype::F64, &[Some(total), Some(3)])?,
            rotations: self.array(
                "frame_rotations",
                Dtype::F32,
                &[Some(total), Some(joints), Some(4)],
            )?,
            translations: self.array(
                "frame_translations",
                Dtype::F32,
                &[Some(translations), Some(3)],
            )?,
            contacts: self.array("frame_contacts", Dtype::U32, &[Some(total)])?,
            expected: expected[..].try_into().ok(),
            checked: OnceLock::new(),
        })
    }

    fn candidates(&self) -> Result<CandidateTable, GraphError> {
        let distances: Array<f64> = self.array("candidate_distance_m2", Dtype::F64, &[None])?;
        let n = distances.len();
        let pairs: Array<[u32; 2]> = self.array("candidate_pairs", Dtype::U32, &[None, Some(2)])?;
        Ok(CandidateTable {
            starts: self.array("candidate_starts", Dtype::U32, &[Some(pairs.len() + 1)])?,
            pairs,
            distances,
            transforms: self.array("candidate_transform", Dtype::F64, &[Some(n), Some(3)])?,
            frames: self.array("candidate_frames", Dtype::U32, &[Some(n), Some(2)])?,
        })
    }

    /// Version 1 had no candidates near ends.
    fn ends(&self, version: u64) -> Result<EndTable, GraphError> {
        if version < 2 {
            return Ok(EndTable::empty());
        }
        let distances: Array<f64> = self.array("end_distance_m2", Dtype::F64, &[None])?;
        let n = distances.len();
        let pairs: Array<[u32; 2]> = self.array("end_pairs", Dtype::U32, &[None, Some(2)])?;
        Ok(EndTable {
            starts: self.array("end_starts", Dtype::U32, &[Some(pairs.len() + 1)])?,
            pairs,
            distances,
            transforms: self.array("end_transform", Dtype::F64, &[Some(n), Some(3)])?,
            frames: self.array("end_frames", Dtype::U32, &[Some(n), Some(2)])?,
            windows: self.array("end_window", Dtype::U32, &[Some(n)])?,
            // Only there where cuts have lengths of their own.
            fades: match self.header.info("end_fade") {
                Some(_) => self.array("end_fade", Dtype::U32, &[Some(n)])?,
                None => Array::default(),
            },
        })
    }

    fn topology(
        &self,
        version: u64,
        half: u32,
        clips: &[ClipInfo],
        candidates: &CandidateTable,
    ) -> Result<Topology, GraphError> {
        let ends: Array<[u32; 2]> = self.array("edge_ends", Dtype::U32, &[None, Some(2)])?;
        let n = ends.len();
        let mut topology = Topology {
            nodes: self.array("nodes", Dtype::U32, &[None, Some(2)])?,
            ends,
            candidates: self.array("edge_candidate", Dtype::U32, &[Some(n)])?,
            kinds: self.array("edge_kind", Dtype::U8, &[Some(n)])?,
            labels: self.array("edge_labels", Dtype::U64, &[Some(n), Some(2)])?,
            transforms: self.array("edge_transform", Dtype::F64, &[Some(n), Some(3)])?,
            ..Topology::default()
        };
        if version >= 2 {
            topology.lengths = self.array("edge_length", Dtype::U32, &[Some(n)])?;
            topology.seconds = self.array("edge_seconds", Dtype::F64, &[Some(n)])?;
            topology.costs = self.array("edge_cost_m2", Dtype::F64, &[Some(n)])?;
        } else {
            of_version_one(&mut topology, half, clips, candidates)
                .ok_or_else(|| damaged("an edge does not fit its nodes or its candidate"))?;
        }
        Ok(topology)
    }
}

/// What edges of version 1 did not say for themselves: every transition was a blend of one length at a candidate. `None` where
/// an index leads nowhere.
fn of_version_one(
    topology: &mut Topology,
    half: u32,
    clips: &[ClipInfo],
    candidates: &CandidateTable,
) -> Option<()> {
    let count = topology.ends.len();
    let (mut lengths, mut costs) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (e, &[from, to]) in topology.ends.iter().enumerate() {
        let node = |n: u32| {
            let node = topology.nodes.get(n as usize)?;
            clips.get(node[0] as usize).map(|_| node)
        };
        let (from, to) = (node(from)?, node(to)?);
        let (length, cost) = match topology.kinds[e] {
            kind::PIECE => (to[1].checked_sub(from[1])?, 0.0),
            _ => {
                let candidate = topology.candidates[e] as usize;
                (2 * half + 1, *candidates.distances.get(candidate)?)
            }
        };
        lengths.push(length);
        costs.push(cost);
    }
    let t = &*topology;
    let seconds = edge_seconds(clips, &t.nodes, &t.ends, &t.kinds, &lengths);
    topology.lengths = lengths.into();
    topology.seconds = seconds.into();
    topology.costs = costs.into();
    Some(())
}

#[allow(clippy::too_many_arguments)] // Parts of one row that come from as many places.
fn clip_info(
    meta: &ClipMeta,
    rate_hz: f64,
    frames: u32,
    fps: f64,
    first: (usize, usize),
    labels: LabelTrack,
    table: &LabelTable,
    skeleton: &Skeleton,
    contact_lists: usize,
) -> Result<ClipInfo, &'static str> {
    if !(rate_hz.is_finite() && rate_hz > 0.0) {
        return Err("its rate is not positive");
    }
    let working = working_frames(frames, rate_hz, fps)
        .ok_or("its rate and the working rate do not go together")?;
    let step = rate_hz / fps;
    let translation_joints: Vec<JointIdx> = meta
        .translation_joints
        .iter()
        .map(|&j| JointIdx(j))
        .collect();
    let fits = |j: &JointIdx| *j != JointIdx::ROOT && j.index() < skeleton.joint_count();
    if !translation_joints.is_sorted_by(|a, b| a < b) || !translation_joints.iter().all(fits) {
        return Err("its translation joints are not joints in order");
    }
    let contact_points = meta.contact_points.map(|k| k as usize);
    if contact_points.is_some_and(|k| k >= contact_lists) {
        return Err("its contact points are not there");
    }
    Ok(ClipInfo {
        name: meta.name.clone(),
        provenance: Provenance {
            file: meta.file.clone(),
            checksum: meta::unhex(&meta.file_blake3).ok_or("its checksum is not hexadecimal")?,
        },
        content: meta::unhex(&meta.frames_blake3).ok_or("its checksum is not hexadecimal")?,
        rate_hz,
        frames,
        working_frames: working,
        step,
        first_frame: first.0,
        translation_joints,
        first_translation: first.1,
        contact_points,
        recipe: None,
        runs: label_runs(
            &labels,
            table,
            step,
            working,
            is_interpolation(&meta.recipe),
        ),
        labels,
    })
}

fn contact_points(meta: &Meta, skeleton: &Skeleton) -> Result<Vec<Vec<ContactPoint>>, GraphError> {
    let fits = |p: &meta::PointMeta| (p.point as usize) < skeleton.point_count();
    let most = gaitway_core::ContactTrack::MAX_POINTS;
    if !meta
        .contact_points
        .iter()
        .all(|list| list.len() <= most && list.iter().all(fits))
    {
        return Err(damaged("a contact point is not on the skeleton"));
    }
    let point = |p: &meta::PointMeta| ContactPoint {
        name: p.name.clone(),
        point: PointIdx(p.point),
    };
    Ok(meta
        .contact_points
        .iter()
        .map(|list| list.iter().map(point).collect())
        .collect())
}

fn thresholds(meta: &Meta, labels: &LabelTable) -> Result<ThresholdMatrix, GraphError> {
    let mut matrix = ThresholdMatrix::uniform(meta.thresholds.default_cm, labels.len());
    matrix.auto = meta.thresholds.auto;
    for pair in &meta.thresholds.pairs {
        let (Some(from), Some(to)) = (labels.find(&pair.from), labels.find(&pair.to)) else {
            return Err(damaged(
                "a threshold names a label that is not in the table",
            ));
        };
        matrix.set(from, to, pair.cm);
    }
    Ok(matrix)
}
