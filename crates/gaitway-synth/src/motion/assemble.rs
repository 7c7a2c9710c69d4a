//! A whole motion at once.

use gaitway_core::clip::ClipParts;
use gaitway_core::resample::resample;
use gaitway_core::retime::TimeMap;
use gaitway_core::{Clip, ContactTrack, LabelSpan, LabelTrack, Planar, Pose, TranslationTrack};
use gaitway_graph::{ClipId, LabelId, LabelSet, MotionGraph, TransitionKind};
use serde::Serialize;

use super::AssembleOptions;
use super::player::{TransitionMark, WalkPlayer};
use crate::walk::ClipTime;
use crate::{SynthError, Walk};

/// A motion made from a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The frames, with labels and contacts.
    pub clip: Clip,
    /// Where each frame was recorded.
    pub origin: Vec<ClipTime>,
    /// The transitions taken.
    pub transitions: Vec<TransitionMark>,
    /// What carries the clip under way at the end into the world: where another walk would go on.
    pub world_from_end: Planar,
    /// When its frames are shown, where that is not as they were assembled.
    pub times: Option<TimeMap>,
}

/// A transition as reports tell it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TransitionRow {
    /// Seconds from the motion's start to where the clips meet: a blend's middle, a cut's start.
    pub t: f64,
    /// `blend` or `cut`.
    pub kind: &'static str,
    /// How long it lasts: a blend of both clips, or a cut's jump until it has faded.
    pub seconds: f64,
    /// Where they meet in the clip left, as CLIP@SECONDS.
    pub from: String,
    /// Where they meet in the clip entered.
    pub to: String,
    /// √D.
    pub distance_cm: f64,
}

impl Motion {
    /// The clips its frames come from, one per frame: what its quality is held against.
    pub fn clips_used(&self) -> impl Iterator<Item = ClipId> {
        self.origin.iter().map(|o| o.clip)
    }

    /// When its clips meet, in seconds: a blend's middle, a cut's start.
    pub fn transition_times(&self) -> Vec<f64> {
        self.transitions.iter().map(|m| m.t).collect()
    }

    /// The transitions as reports tell them.
    pub fn transition_rows(&self, graph: &MotionGraph) -> Vec<TransitionRow> {
        let row = |m: &TransitionMark| TransitionRow {
            t: m.t,
            kind: match m.kind {
                TransitionKind::Blend => "blend",
                TransitionKind::Cut => "cut",
            },
            seconds: m.end_s - m.start_s,
            from: place_name(graph, m.from),
            to: place_name(graph, m.to),
            distance_cm: m.distance_cm,
        };
        self.transitions.iter().map(row).collect()
    }
}

/// CLIP@SECONDS.
pub(crate) fn place_name(graph: &MotionGraph, at: ClipTime) -> String {
    format!("{}@{:.3}", graph.clip_info(at.clip).name(), at.seconds)
}

/// The motion along a walk.
///
/// ```
/// use gaitway_core::{ClipSet, testing::swinging_clip};
/// use gaitway_graph::{GraphBuilder, Thresholds};
/// use gaitway_synth::{AssembleOptions, RandomWalk, assemble, random_walk};
///
/// let clips = ClipSet::new(vec![swinging_clip("a", 240, 60.0), swinging_clip("b", 180, 60.0)])?;
/// let (graph, _) = GraphBuilder::new(clips).thresholds(Thresholds::cm(5.0)).build(&mut ())?;
/// let walk = random_walk(&graph, &RandomWalk { seconds: 10.0, ..RandomWalk::default() })?;
/// let motion = assemble(&graph, &walk, &AssembleOptions::default())?;
/// assert_eq!(motion.clip.rate_hz(), 60.0);
/// assert!(!motion.transitions.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the rate is not possible, the walk has no frames or more than can be held, or the graph's frames are
/// damaged.
pub fn assemble(
    graph: &MotionGraph,
    walk: &Walk,
    options: &AssembleOptions,
) -> Result<Motion, SynthError> {
    let source = graph.output_rate_hz();
    let asked = options.out_fps.unwrap_or(source);
    if asked > 0.0 && asked < source * (1.0 - 1e-9) {
        let at_source = AssembleOptions {
            out_fps: None,
            ..options.clone()
        };
        return at_lower_rate(collect(graph, walk, &at_source)?, asked);
    }
    collect(graph, walk, options)
}

/// Leaves out frames, smoothed first so that nothing aliases.
fn at_lower_rate(motion: Motion, rate_hz: f64) -> Result<Motion, SynthError> {
    let step = motion.clip.rate_hz() / rate_hz;
    let clip = resample(&motion.clip, rate_hz)?;
    let last = motion.origin.len().saturating_sub(1);
    let nearest = |k: usize| motion.origin[((k as f64 * step).round() as usize).min(last)];
    Ok(Motion {
        origin: (0..clip.frame_count()).map(nearest).collect(),
        clip,
        ..motion
    })
}

fn collect(
    graph: &MotionGraph,
    walk: &Walk,
    options: &AssembleOptions,
) -> Result<Motion, SynthError> {
    let mut player = WalkPlayer::new(graph, walk, options)?;
    let mut frames = Collected::new(&player, graph.skeleton().joint_count())?;
    let mut pose = player.pose();
    while let Some(shown) = player.next_into(&mut pose) {
        frames.push(&pose, shown.labels, shown.contacts);
        frames.origin.push(shown.origin);
    }
    let origin = std::mem::take(&mut frames.origin);
    Ok(Motion {
        clip: frames.finish(graph, &player, &options.name)?,
        origin,
        transitions: player.transitions().to_vec(),
        world_from_end: player.world_from_end(),
        times: None,
    })
}

/// Arrays that grow frame by frame.
struct Collected {
    root: Vec<glam::DVec3>,
    rotations: Vec<glam::Quat>,
    translations: Vec<TranslationTrack>,
    contacts: Vec<u32>,
    origin: Vec<ClipTime>,
    /// Runs of equal label sets: first frame, labels.
    runs: Vec<(usize, LabelSet)>,
}

impl Collected {
    fn new(player: &WalkPlayer, joints: usize) -> Result<Self, SynthError> {
        let count = player.frame_count();
        let too_long = || SynthError::TooLong {
            frames: count as f64,
            rate_hz: player.rate_hz(),
        };
        let mut out = Self {
            root: Vec::new(),
            rotations: Vec::new(),
            translations: Vec::new(),
            contacts: Vec::new(),
            origin: Vec::new(),
            runs: Vec::new(),
        };
        // Asked for ahead, so that a motion that cannot be held is an error and not the program's end.
        let rotations = count.checked_mul(joints).ok_or_else(too_long)?;
        let held = out
            .rotations
            .try_reserve_exact(rotations)
            .and_then(|()| out.root.try_reserve_exact(count))
            .and_then(|()| out.contacts.try_reserve_exact(count))
            .and_then(|()| out.origin.try_reserve_exact(count));
        held.map_err(|_| too_long())?;
        for &joint in player.translation_joints() {
            let mut values = Vec::new();
            values.try_reserve_exact(count).map_err(|_| too_long())?;
            out.translations.push(TranslationTrack { joint, values });
        }
        Ok(out)
    }

    fn push(&mut self, pose: &Pose, labels: LabelSet, contacts: u32) {
        if self.runs.last().is_none_or(|r| r.1 != labels) {
            self.runs.push((self.root.len(), labels));
        }
        self.root.push(pose.root);
        self.rotations.extend_from_slice(&pose.rotations);
        self.contacts.push(contacts);
        for (track, &value) in self.translations.iter_mut().zip(&pose.translations) {
            track.values.push(value);
        }
    }

    fn finish(
        self,
        graph: &MotionGraph,
        player: &WalkPlayer,
        name: &str,
    ) -> Result<Clip, SynthError> {
        let count = self.root.len();
        let ends = self.runs.iter().skip(1).map(|r| r.0).chain([count]);
        let mut spans = Vec::new();
        for (&(start, labels), end) in self.runs.iter().zip(ends) {
            for label in labels.iter().filter(|&l| l != LabelId::UNLABELLED) {
                let label = graph.labels().name(label).to_owned();
                spans.push(LabelSpan { start, end, label });
            }
        }
        let contacts = player.contact_points().map(|points| {
            let mut track = ContactTrack::new(points.to_vec(), count);
            let masks = self.contacts.iter().enumerate();
            masks.for_each(|(f, &mask)| track.set_mask(f, mask));
            track
        });
        let parts = ClipParts {
            name: name.to_owned(),
            skeleton: graph.skeleton().clone(),
            rate_hz: player.rate_hz(),
            root: self.root,
            rotations: self.rotations,
            translations: self.translations,
            labels: LabelTrack::new(spans),
            contacts,
        };
        Ok(parts.build()?)
    }
}
