//! From clips to a graph.
//!
//! Clips are sorted by name, so neither the order they are given in nor the order they are added in shows in the
//! result: adding clips to a graph gives the bytes that building all at once gives, and computes only the
//! clip pairs that are new.

mod ends;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::mirror::{MirrorMap, mirror};
use gaitway_core::{
    Clip, ClipFiles, ClipSet, ClipSetError, LabelTrack, Provenance, WarningCode, Warnings, ground,
};
use gaitway_metric::{
    CandidateList, CandidateSearch, CandidateStore, KeepApart, MetricOptions, PairCandidates,
    PointCloud, Progress, Removed, find_candidates,
};
use rayon::prelude::*;

use crate::account::Account;
use crate::build::label_index::LabelIndex;
use crate::build::lost_frames::LostFrames;
use crate::build::options::BuildOptions;
use crate::build::thresholds::Thresholds;
use crate::model::candidates::{CandidateTable, EndTable};
use crate::model::clip_info::working_frames;
use crate::model::library::{Intake, Library};
use crate::model::topology::Topology;
use crate::{
    CandidateId, ClipId, GraphError, GraphWarning, LabelSet, LabelTable, MotionGraph,
    ThresholdMatrix,
};

/// What a clip is kept apart by: its labels, its folders and its own name.
pub(crate) fn tags<'a>(name: &'a str, labels: &'a LabelTrack) -> impl Iterator<Item = String> + 'a {
    let labels = labels.spans().iter().map(|s| s.label.clone());
    labels.chain(name.split('/').map(str::to_owned))
}

/// What follows a clip's name in that of its mirrored copy.
pub const MIRROR_SUFFIX: &str = "~mirror";

/// Builds a [`MotionGraph`].
///
/// ```
/// use gaitway_core::{ClipSet, testing::swinging_clip};
/// use gaitway_graph::{GraphBuilder, Thresholds};
///
/// let clips = ClipSet::new(vec![swinging_clip("a", 240, 60.0), swinging_clip("b", 180, 60.0)])?;
/// let (graph, account) = GraphBuilder::new(clips).thresholds(Thresholds::cm(5.0)).build(&mut ())?;
/// assert!(graph.transition_count() > 0);
/// assert!(account.kept_seconds > 4.0 && account.kept_seconds <= account.seconds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GraphBuilder<'g> {
    clips: Vec<Clip>,
    provenance: BTreeMap<String, Provenance>,
    noise_joints: Vec<String>,
    reading: Warnings,
    thresholds: Thresholds,
    options: BuildOptions,
    known: Option<&'g MotionGraph>,
    /// Whether the known graph's clips are added to those given.
    adopt: bool,
    journal: Option<PathBuf>,
}

impl<'g> GraphBuilder<'g> {
    /// A builder for clips at their source rate.
    pub fn new(clips: ClipSet) -> Self {
        let mut reading = Warnings::new();
        if let Some(nearly) = clips.nearly_same() {
            reading.add(WarningCode::SkeletonsNearlySame, nearly.to_string());
        }
        Self {
            clips: clips.into_clips(),
            provenance: BTreeMap::new(),
            noise_joints: Vec::new(),
            reading,
            thresholds: Thresholds::Auto,
            options: BuildOptions::default(),
            known: None,
            adopt: false,
            journal: None,
        }
    }

    /// A builder for clips as they were read: where each came from is kept in the graph, joints that carry noise are not compared, and
    /// what was found while reading stands in the account.
    ///
    /// # Errors
    /// When the clips are not of one skeleton.
    pub fn from_files(files: impl Into<ClipFiles>) -> Result<Self, ClipSetError> {
        let ClipFiles {
            clips,
            provenance,
            noise_joints,
            warnings,
        } = files.into();
        let mut builder = Self::new(ClipSet::new(clips)?);
        let found = std::mem::replace(&mut builder.reading, warnings);
        builder.reading.extend(found);
        Ok(Self {
            provenance,
            noise_joints,
            ..builder
        })
    }

    /// Thresholds; chosen from the data unless given.
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// All other options.
    pub fn options(mut self, options: BuildOptions) -> Self {
        self.options = options;
        self
    }

    /// Where clips came from, by their names. A clip without an entry is its own source.
    pub fn provenance(mut self, sources: BTreeMap<String, Provenance>) -> Self {
        self.provenance = sources;
        self
    }

    /// Adds the clips to those of a graph, with its options and thresholds unless others are set after this call.
    /// Distances between its clips are not computed again.
    pub fn add_to(mut self, graph: &'g MotionGraph) -> Self {
        self.options = BuildOptions {
            metric: MetricOptions {
                kernel_choice: self.options.metric.kernel_choice,
                ..graph.options.metric.clone()
            },
            ..graph.options.clone()
        };
        self.thresholds = graph.thresholds.spec(&graph.labels);
        self.known = Some(graph);
        self.adopt = true;
        self
    }

    /// Takes distances from a graph where it has the same clips and options, and nothing else of it: to build again with
    /// other labels, contacts or clips.
    pub fn reuse(mut self, graph: &'g MotionGraph) -> Self {
        self.known = Some(graph);
        self.adopt = false;
        self
    }

    /// Keeps finished distances in a folder while the build runs, so that one that is stopped can go on; see
    /// [`journal_path`] and [`remove_journal`].
    pub fn journal(mut self, folder: impl Into<PathBuf>) -> Self {
        self.journal = Some(folder.into());
        self
    }

    /// Builds the graph and says what became of the clips. The same on any number of threads.
    ///
    /// # Errors
    /// When thresholds or options do not fit the clips, or the search fails or is stopped.
    pub fn build(
        mut self,
        progress: &mut dyn Progress,
    ) -> Result<(MotionGraph, Account), GraphError> {
        let begin = Instant::now();
        let reading = std::mem::take(&mut self.reading);
        let mut warnings: Vec<GraphWarning> =
            reading.iter().cloned().map(GraphWarning::Reading).collect();
        if !self.adopt {
            // A graph that is added to compares what it compared before.
            let excluded = &mut self.options.markers.excluded;
            excluded.append(&mut self.noise_joints);
            excluded.sort();
            excluded.dedup();
        }
        let window = self.options.metric.window(self.options.fps)?;
        let (clips, mirror) = self.prepare(&mut warnings)?;
        let names = clips
            .clips()
            .iter()
            .flat_map(|c| c.labels().spans())
            .map(|s| s.label.clone());
        let names: std::collections::BTreeSet<String> = names.collect();
        let found = names.len() + 1;
        let too_many = GraphError::TooManyLabels {
            found,
            limit: LabelSet::MAX_LABELS,
        };
        let labels = LabelTable::new(names).ok_or(too_many)?;
        // Bad thresholds are told before the long search, not after it.
        let given = self
            .thresholds
            .matrix(&labels, self.options.metric.ceiling_cm)?;
        let library = Arc::new(Library::take_in(Intake {
            clips: &clips,
            mirrored: &mirrored_copies(&clips, mirror.is_some()),
            mirror,
            labels: &labels,
            sources: &self.provenance,
            fps: self.options.fps,
        })?);
        let (candidates, ends) =
            self.candidates(&clips, &library, window.half(), progress, &mut warnings)?;
        drop(clips);
        let searched = begin.elapsed().as_secs_f64();

        let begin = Instant::now();
        let index = LabelIndex::new(&library.clips);
        let graph = MotionGraph {
            thresholds: ThresholdMatrix::uniform(0.0, labels.len()),
            options: self.options,
            half: window.half() as u32,
            labels: Arc::new(labels),
            library,
            candidates,
            ends,
            topology: Topology::default(),
        };
        let material = graph.material(&index)?;
        let matrix = match given {
            Some(matrix) => matrix,
            None => crate::build::auto::choose(&material, &graph.labels, &graph.options)?,
        };
        let (graph, mut account) = graph.cut_with(&index, matrix)?;
        account.warnings.splice(0..0, warnings);
        account.timings_s.candidates = searched;
        account.timings_s.graph = begin.elapsed().as_secs_f64();
        Ok((graph, account))
    }

    /// The clips of the graph to be: travel on the root, contacts known, sorted by name, and with mirrored copies where
    /// they are asked for, and then how they are mirrored.
    fn prepare(
        &mut self,
        warnings: &mut Vec<GraphWarning>,
    ) -> Result<(ClipSet, Option<MirrorMap>), GraphError> {
        let mut clips = std::mem::take(&mut self.clips);
        if let Some(known) = self.known.filter(|_| self.adopt) {
            // Interpolated clips are made from all clips, again.
            for id in known.captured_ids() {
                let info = known.clip_info(id);
                // Mirrored copies are made again from all clips; unchanged ones are recognised by content.
                if !(self.options.with_mirrored && info.name.ends_with(MIRROR_SUFFIX)) {
                    clips.push(known.clip(id)?);
                    self.provenance
                        .entry(info.name.clone())
                        .or_insert_with(|| info.provenance.clone());
                }
            }
        }
        for clip in &clips {
            let own = || Provenance {
                file: clip.name().to_owned(),
                checksum: [0; 32],
            };
            self.provenance
                .entry(clip.name().to_owned())
                .or_insert_with(own);
        }
        clips.sort_by(|a, b| a.name().cmp(b.name()));
        // One skeleton first: travel is moved to the root against the offset of the joint it sits on.
        let set = ClipSet::new(clips)?;
        if let Some(nearly) = set.nearly_same() {
            let code = WarningCode::SkeletonsNearlySame;
            let mut told = Warnings::new();
            told.add(code, nearly.to_string());
            warnings.extend(told.iter().cloned().map(GraphWarning::Reading));
        }
        let clips = set.into_clips();
        let prepared: Vec<(Clip, Option<GraphWarning>)> =
            clips.into_par_iter().map(prepare_clip).collect();
        let mut clips = Vec::with_capacity(prepared.len());
        for (clip, warning) in prepared {
            clips.push(clip);
            warnings.extend(warning);
        }
        let mut clips = ClipSet::new(clips)?.into_clips();
        let mut mirrored = None;
        if self.options.with_mirrored {
            let reference: Vec<&Clip> = clips.iter().collect();
            let map = MirrorMap::new(clips[0].skeleton(), &reference);
            let copy = |c: &Clip| mirror(c, &map).with_name(format!("{}{MIRROR_SUFFIX}", c.name()));
            let copies: Vec<Clip> = clips.par_iter().map(copy).collect();
            for (clip, twin) in clips.iter().zip(&copies) {
                if let Some(source) = self.provenance.get(clip.name()).cloned() {
                    self.provenance.insert(twin.name().to_owned(), source);
                }
            }
            clips.extend(copies);
            clips.sort_by(|a, b| a.name().cmp(b.name()));
            mirrored = Some(map);
        }
        Ok((ClipSet::new(clips)?, mirrored))
    }

    /// Which clips are not compared: those whose distances are known already, and those the user keeps apart. A clip goes
    /// by its labels, its folders and its own name.
    fn keep_apart(&self, clips: &ClipSet, long: &[usize], known: &[Option<ClipId>]) -> KeepApart {
        // No label or name holds this: it begins with a control character.
        const KNOWN: &str = "\u{1}known";
        let tags = long.iter().map(|&k| {
            let clip = &clips.clips()[k];
            let known = known[k].map(|_| KNOWN.to_owned());
            tags(clip.name(), clip.labels()).chain(known).collect()
        });
        let mut rules = self.options.keep_apart.clone();
        rules.push((KNOWN.to_owned(), KNOWN.to_owned()));
        KeepApart::new(tags.collect(), rules)
    }

    /// All candidates: those of the known graph where they still hold, the rest computed.
    fn candidates(
        &self,
        clips: &ClipSet,
        library: &Arc<Library>,
        half: usize,
        progress: &mut dyn Progress,
        warnings: &mut Vec<GraphWarning>,
    ) -> Result<(CandidateTable, EndTable), GraphError> {
        let known = self.known_clips(library);
        let cloud = |k: usize| {
            PointCloud::from_clip(&clips.clips()[k], &self.options.markers, self.options.fps)
        };
        let all: Vec<usize> = (0..library.clips.len())
            .filter(|&k| library.clips[k].working_frames > 0)
            .collect();
        let mut clouds: Vec<PointCloud> = all
            .par_iter()
            .map(|&k| cloud(k))
            .collect::<Result<_, _>>()?;
        let lost = LostFrames::new(clips, library, half);
        let ends = self.end_candidates(
            &clouds, clips, library, &lost, &all, &known, progress, warnings,
        )?;
        let fits = |k: usize| library.clips[k].working_frames as usize > 2 * half;
        let mut keep = all.iter().map(|&k| fits(k));
        clouds.retain(|_| keep.next().unwrap_or(false));
        let long: Vec<usize> = all.into_iter().filter(|&k| fits(k)).collect();
        if long.is_empty() {
            let none = CandidateTable {
                starts: vec![0].into(),
                ..CandidateTable::default()
            };
            return Ok((none, ends));
        }
        let apart = self.keep_apart(clips, &long, &known);
        let store = self
            .journal
            .as_ref()
            .map(CandidateStore::open)
            .transpose()?;
        let mut search = if long.iter().all(|&k| known[k].is_some()) {
            CandidateSearch::default()
        } else {
            find_candidates(
                &clouds,
                &self.options.metric,
                store.as_ref(),
                &apart,
                progress,
            )?
        };
        warnings.extend(
            search
                .warnings
                .iter()
                .map(|w| GraphWarning::Journal { message: w.clone() }),
        );
        if let Some(graph) = self.known {
            search.pairs.extend(known_pairs(graph, &long, &known));
            search.apply_cap(self.options.metric.max_candidates);
        }
        for pair in &mut search.pairs {
            let (a, b) = (long[pair.a], long[pair.b]);
            pair.found
                .candidates
                .retain(|c| !lost.touched(a, c.i) && !lost.touched(b, c.j));
        }
        if search.dropped > 0 {
            warnings.push(GraphWarning::CandidatesCapped {
                dropped: search.dropped,
            });
        }
        if search.candidate_count() >= u32::MAX as usize {
            return Err(GraphError::Options {
                what: "there are more candidates than can be counted; lower the ceiling".to_owned(),
            });
        }
        let table = CandidateTable::new(&search.pairs, |row| ClipId(long[row] as u32));
        Ok((table, ends))
    }

    /// For every clip, the clip of the known graph with the same name and frames, if distances are the same too.
    fn known_clips(&self, library: &Library) -> Vec<Option<ClipId>> {
        let usable = self.known.filter(|g| {
            same_distances(&g.options, &self.options) && g.library.skeleton == library.skeleton
        });
        let Some(graph) = usable else {
            return vec![None; library.clips.len()];
        };
        let by_name: HashMap<&str, usize> = graph
            .library
            .clips
            .iter()
            .enumerate()
            .map(|(k, c)| (c.name.as_str(), k))
            .collect();
        let find = |clip: &crate::ClipInfo| {
            let at = *by_name.get(clip.name.as_str())?;
            (graph.library.clips[at].content == clip.content).then_some(ClipId(at as u32))
        };
        library.clips.iter().map(find).collect()
    }
}

/// The known graph's candidates between clips that are still there, as rows of a search.
fn known_pairs(
    graph: &MotionGraph,
    long: &[usize],
    known: &[Option<ClipId>],
) -> Vec<PairCandidates> {
    let rows = long
        .iter()
        .enumerate()
        .filter_map(|(row, &k)| Some((known[k]?, row)));
    let row_of: HashMap<ClipId, usize> = rows.collect();
    let groups = graph.candidates.groups();
    groups
        .filter_map(|g| {
            // Both lists are sorted by name, so first stays first.
            let (a, b) = (*row_of.get(&g.a)?, *row_of.get(&g.b)?);
            let candidates = (g.start..g.end)
                .map(|k| graph.candidates.get(CandidateId(k)))
                .collect();
            Some(PairCandidates {
                a,
                b,
                found: CandidateList {
                    candidates,
                    ..CandidateList::default()
                },
            })
        })
        .collect()
}

/// For each clip the one it is the mirrored copy of, where copies were made.
fn mirrored_copies(clips: &ClipSet, made: bool) -> Vec<Option<ClipId>> {
    let place: HashMap<&str, usize> = clips
        .clips()
        .iter()
        .enumerate()
        .map(|(k, c)| (c.name(), k))
        .collect();
    let of = |c: &Clip| {
        let original = c.name().strip_suffix(MIRROR_SUFFIX).filter(|_| made)?;
        place.get(original).map(|&k| ClipId(k as u32))
    };
    clips.clips().iter().map(of).collect()
}

/// Whether two builds have the same candidates between the same clips.
pub(crate) fn same_distances(a: &BuildOptions, b: &BuildOptions) -> bool {
    let key = |o: &BuildOptions| {
        (
            o.fps,
            o.metric.window_s,
            o.metric.kernel,
            o.metric.ceiling_cm,
            o.metric.placement,
            o.metric.max_candidates,
        )
    };
    key(a) == key(b) && a.markers == b.markers
}

fn prepare_clip(clip: Clip) -> (Clip, Option<GraphWarning>) {
    let clip = ground::travel_to_root(&clip);
    if clip.contacts().is_some() {
        return (clip, None);
    }
    match detect(&clip, &ContactOptions::default()) {
        Ok(found) => match clip.clone().with_contacts(Some(found.track)) {
            Ok(clip) => (clip, None),
            Err(e) => {
                let warning = GraphWarning::ContactsUnknown {
                    clip: clip.name().to_owned(),
                    reason: e.to_string(),
                };
                (clip, Some(warning))
            }
        },
        Err(e) => {
            let warning = GraphWarning::ContactsUnknown {
                clip: clip.name().to_owned(),
                reason: e.to_string(),
            };
            (clip, Some(warning))
        }
    }
}

/// Where the journal of a build lies: beside its output.
pub fn journal_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".journal");
    output.with_file_name(name)
}

/// Removes the journal of a build whose output is written: what is the journal's own goes, what is not stays, and a sentence says so. The
/// output is good either way.
pub fn remove_journal(folder: &Path) -> Option<GraphWarning> {
    let message = match CandidateStore::remove(folder) {
        Removed::All => return None,
        Removed::InUse => "another build fills it; it stays until that one ends".to_owned(),
        Removed::Foreign(names) => {
            let names: Vec<String> = names
                .iter()
                .map(|n| format!("`{}`", n.to_string_lossy()))
                .collect();
            format!(
                "the folder stays, for what is not of the build: {}",
                names.join(", ")
            )
        }
        Removed::Failed(e) => format!("the folder could not be removed: {e}"),
    };
    Some(GraphWarning::Journal {
        message: format!("{}: {message}", folder.display()),
    })
}

/// Frames at the working rate, or why there are none.
pub(crate) fn count_working(clip: &Clip, fps: f64) -> Result<u32, GraphError> {
    let too_long = || GraphError::Options {
        what: format!(
            "clip `{}` at {fps} Hz has more frames than can be counted",
            clip.name()
        ),
    };
    let frames = u32::try_from(clip.frame_count()).map_err(|_| too_long())?;
    working_frames(frames, clip.rate_hz(), fps).ok_or_else(too_long)
}
