//! What a graph knows about each of its clips beside the frames.

use gaitway_core::{ContactPoint, JointIdx, LabelTrack, Provenance};

use crate::model::library::Recipe;
use crate::{LabelSet, LabelTable};

/// A stretch of working frames that carry one set of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelRun {
    /// First working frame.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// What these frames carry; empty only between two labels, in interpolated clips.
    pub labels: LabelSet,
}

/// One clip of a graph: captured, its frames in the library's store, or made by a recipe.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipInfo {
    pub(crate) name: String,
    pub(crate) provenance: Provenance,
    pub(crate) content: [u8; 32],
    pub(crate) rate_hz: f64,
    pub(crate) frames: u32,
    pub(crate) working_frames: u32,
    /// Source frames per working frame.
    pub(crate) step: f64,
    pub(crate) first_frame: usize,
    pub(crate) translation_joints: Vec<JointIdx>,
    pub(crate) first_translation: usize,
    /// Which of the graph's lists of contact points the masks refer to.
    pub(crate) contact_points: Option<usize>,
    /// How it is made; `None` where it was captured.
    pub(crate) recipe: Option<Recipe>,
    pub(crate) labels: LabelTrack,
    pub(crate) runs: Vec<LabelRun>,
}

impl ClipInfo {
    /// The clip's name: its path without extension, `~mirror` after it for a mirrored copy.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it came from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// How the clip is made from others; `None` where it was captured and the library holds its frames.
    pub fn recipe(&self) -> Option<&Recipe> {
        self.recipe.as_ref()
    }

    /// BLAKE3 of the clip's frames.
    pub fn content_checksum(&self) -> &[u8; 32] {
        &self.content
    }

    /// Source frames a second.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Number of source frames.
    pub fn frame_count(&self) -> usize {
        self.frames as usize
    }

    /// Number of frames at the working rate; boundaries go from 0 to this.
    pub fn working_frames(&self) -> u32 {
        self.working_frames
    }

    /// Source frames over source rate.
    pub fn seconds(&self) -> f64 {
        f64::from(self.frames) / self.rate_hz
    }

    /// The source boundary of a working boundary: round(b · source / working). The last working boundary
    /// is the clip's end.
    pub fn source_boundary(&self, boundary: u32) -> usize {
        if boundary >= self.working_frames {
            return self.frames as usize;
        }
        ((f64::from(boundary) * self.step).round() as usize).min(self.frames as usize)
    }

    /// The source frame that a working frame shows.
    pub fn source_frame(&self, frame: u32) -> usize {
        self.source_boundary(frame)
            .min((self.frames as usize).saturating_sub(1))
    }

    /// Seconds of source frames between two working boundaries.
    pub fn seconds_between(&self, start: u32, end: u32) -> f64 {
        self.source_boundary(end)
            .saturating_sub(self.source_boundary(start)) as f64
            / self.rate_hz
    }

    /// Seconds from the clip's first frame to a working boundary.
    pub fn seconds_at(&self, boundary: u32) -> f64 {
        self.source_boundary(boundary) as f64 / self.rate_hz
    }

    /// The working boundary nearest to a time in seconds, within the clip.
    pub fn boundary_at(&self, seconds: f64) -> u32 {
        let b = (seconds * self.rate_hz / self.step).round();
        (b.max(0.0) as u64).min(u64::from(self.working_frames)) as u32
    }

    /// Labels in source frames.
    pub fn labels(&self) -> &LabelTrack {
        &self.labels
    }

    /// Labels at the working rate: runs that cover the clip, neighbours differ.
    pub fn label_runs(&self) -> &[LabelRun] {
        &self.runs
    }

    /// The labels of a working frame.
    pub fn labels_at(&self, frame: u32) -> LabelSet {
        let at = self.runs.partition_point(|r| r.end <= frame);
        self.runs.get(at).map_or(LabelSet::EMPTY, |r| r.labels)
    }

    /// Joints that have a translation track, in order.
    pub fn translation_joints(&self) -> &[JointIdx] {
        &self.translation_joints
    }
}

/// The label runs of a clip at the working rate, from its track in source frames. A frame under no span but those of marks
/// carries `unlabelled`, or nothing in an interpolated clip: there it is between two labels.
pub(crate) fn label_runs(
    track: &LabelTrack,
    table: &LabelTable,
    step: f64,
    working_frames: u32,
    interpolated: bool,
) -> Vec<LabelRun> {
    let map = |source: usize| {
        ((source as f64 / step).round() as u64).min(u64::from(working_frames)) as u32
    };
    // A span that reaches the last source frame reaches the last working frame, whatever rounding says.
    let spans: Vec<(u32, u32, LabelSet)> = track
        .spans()
        .iter()
        .filter_map(|s| {
            let label = table.find(&s.label)?;
            let whole = s.end as f64 > (f64::from(working_frames) - 1.0) * step + 0.5;
            let end = if whole { working_frames } else { map(s.end) };
            Some((map(s.start), end, LabelSet::of(label)))
        })
        .collect();
    let mut borders: Vec<u32> = spans
        .iter()
        .flat_map(|s| [s.0, s.1])
        .chain([0, working_frames])
        .collect();
    borders.sort_unstable();
    borders.dedup();
    let mut runs: Vec<LabelRun> = Vec::new();
    for pair in borders.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let covering = spans.iter().filter(|s| s.0 <= start && end <= s.1);
        let mut labels = covering.fold(LabelSet::EMPTY, |set, s| set.union(s.2));
        if !interpolated && labels.iter().all(|l| table.is_mark(l)) {
            labels = labels.union(LabelSet::of(crate::LabelId::UNLABELLED));
        }
        match runs.last_mut() {
            Some(last) if last.labels == labels => last.end = end,
            _ => runs.push(LabelRun { start, end, labels }),
        }
    }
    runs
}

/// A list of contact points that some clips share.
pub type ContactPoints = Vec<ContactPoint>;

/// Frames at the working rate, as resampling gives them; `None` if there would be more than can be counted.
pub(crate) fn working_frames(frames: u32, rate_hz: f64, fps: f64) -> Option<u32> {
    /// A thousand working frames a source frame are a slip, not a wish.
    const LEAST_STEP: f64 = 1e-3;
    let step = rate_hz / fps;
    if frames == 0 || (rate_hz - fps).abs() <= 1e-9 * rate_hz {
        return Some(frames);
    }
    let count = ((f64::from(frames - 1) + 1e-6) / step).floor() + 1.0;
    (step.is_finite() && step >= LEAST_STEP && count < f64::from(u32::MAX / 4))
        .then_some(count as u32)
}
