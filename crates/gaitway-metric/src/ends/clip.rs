//! Clips and their ends, as the search takes them.

use crate::cloud::PointCloud;
use crate::prepare::mean_heights;
use crate::simd::ROWS;
use std::ops::Range;

/// A clip of the set, with what every comparison asks of it.
pub(super) struct Member<'a> {
    pub cloud: &'a PointCloud,
    /// Σ_s σ_s |v_s|² of every frame: the body's spread on the ground, in m².
    pub ground: Vec<f64>,
    /// Mean height of every marker, padded.
    pub rest: Vec<f64>,
    /// √σ_s, so that products of two clips come out weighted.
    pub root: Vec<f64>,
}

impl<'a> Member<'a> {
    pub(super) fn new(cloud: &'a PointCloud) -> Self {
        let ground = (0..cloud.frame_count())
            .map(|f| {
                let [x, z, _] = cloud.frame(f);
                let weights = cloud.padded_weights().iter();
                let spread = weights.zip(x.iter().zip(z));
                spread.map(|(w, (x, z))| w * (x * x + z * z)).sum()
            })
            .collect();
        Self {
            cloud,
            ground,
            rest: mean_heights(cloud),
            root: cloud.weights().iter().map(|w| w.sqrt()).collect(),
        }
    }

    /// Σσ(|v|² + η²) of a frame, its heights η measured from `rest`.
    pub(super) fn spread(&self, frame: usize, rest: &[f64]) -> f64 {
        let heights = self.cloud.frame(frame)[2].iter().zip(rest);
        let weights = self.cloud.weights().iter();
        let up: f64 = weights
            .zip(heights)
            .map(|(w, (y, h))| w * (y - h) * (y - h))
            .sum();
        self.ground[frame] + up
    }

    pub(super) fn frames(&self) -> usize {
        self.cloud.frame_count()
    }
}

/// Which end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Its last frames: the clip is left for another.
    Last,
    /// Its first frames: the clip is entered from another.
    First,
}

/// One end of a clip: the *rows* of every strip it takes part in. The *columns* are all frames of another clip, or of
/// the same.
pub(super) struct End {
    pub clip: usize,
    pub side: Side,
    /// Frames that windows of the centres reach: at most 2L + 1.
    pub frames: Range<usize>,
    /// Centre frames whose D is wanted: those near the end, and the next one inwards as their neighbour.
    pub centres: Range<usize>,
    /// Centre frames that can be candidates.
    pub own: Range<usize>,
    /// Ground coordinates for the kernel, `[block of ROWS][marker][x z y][row]`, with √σ folded in; heights are still to
    /// come, as they depend on the clip that is met.
    pub packed: Vec<f32>,
}

impl End {
    /// An end of a clip under a half window of `half`; none where it has no pair to offer.
    pub(super) fn new(
        clip: usize,
        member: &Member<'_>,
        side: Side,
        half: usize,
        room: usize,
    ) -> Option<Self> {
        let frames = member.frames();
        let last = |count: usize| frames.saturating_sub(count)..frames;
        let first = |count: usize| 0..count.min(frames);
        let (reach, centres, own) = match side {
            Side::Last => {
                let own = last(half);
                (last(2 * half + 1), last(half + 1), own.start.max(1)..frames)
            }
            Side::First => {
                let own = 0..half.min(entered(frames, room));
                (first(2 * half + 1), first(half + 1), own)
            }
        };
        (!own.is_empty()).then(|| Self {
            clip,
            side,
            packed: pack_ground(member, reach.clone()),
            frames: reach,
            centres,
            own,
        })
    }

    /// Columns that can be candidates in a clip of `frames` frames. Pairs that are near both ends belong to the strip of
    /// the clip that is left.
    pub(super) fn columns(&self, frames: usize, half: usize, room: usize) -> Range<usize> {
        match self.side {
            Side::Last => 0..entered(frames, room),
            Side::First => 1..frames.saturating_sub(half).max(1),
        }
    }

    /// (i, j) of a row and a column.
    pub(super) fn pair(&self, row: usize, column: usize) -> (usize, usize) {
        match self.side {
            Side::Last => (row, column),
            Side::First => (column, row),
        }
    }
}

/// Frames of a clip at which it can be entered: those from which `room` frames are left.
fn entered(frames: usize, room: usize) -> usize {
    frames.min((frames + 1).saturating_sub(room))
}

fn pack_ground(member: &Member<'_>, frames: Range<usize>) -> Vec<f32> {
    let markers = member.cloud.marker_count();
    let mut packed = vec![0.0; frames.len().next_multiple_of(ROWS) * markers * 3];
    for (k, f) in frames.enumerate() {
        let [x, z, _] = member.cloud.frame(f);
        let out = &mut packed[k / ROWS * ROWS * markers * 3 + k % ROWS..];
        for (s, root) in member.root.iter().enumerate() {
            out[s * 3 * ROWS] = (x[s] * root) as f32;
            out[(s * 3 + 1) * ROWS] = (z[s] * root) as f32;
        }
    }
    packed
}
