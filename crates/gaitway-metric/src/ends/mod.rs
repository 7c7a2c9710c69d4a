//! Where one clip may be left near its end for another near its start (METHODS 1): distances for *cuts*.
//!
//! The search for candidates compares whole windows and therefore knows nothing of the first and last L frames of a
//! clip. Here D(i,j) of equation 4.1 runs over the frames that both clips have,
//!
//! ```text
//! D(i,j) = min over θ, x₀, z₀ of  Σ_r ρ̂_r Σ_s σ_s ‖ p_{i+r,s} − T(θ,x₀,z₀) p′_{j+r,s} ‖²,
//!          r = −min(L, i, j) … min(L, W−1−i, W′−1−j),    ρ̂ = ρ scaled to sum to one over those
//! ```
//!
//! for every ordered pair of clips of W and W′ frames (a clip with itself included), at pairs of frames that lie near
//! the end of the clip left (i + L ≥ W) or near the start of the clip entered (j < L), with i ≥ 1 and at least `room`
//! frames of the clip entered from j on. Within one clip |i − j| > 2L + 1. A window of n frames sees less than one of
//! 2L + 1, so it is asked for more: candidates are minima with D · (2L+1)/n below the ceiling. Clips shorter than a
//! window take part; they have no other way in.
//!
//! Minima are those of D among *all* pairs of frames that the two clips have: neighbours outside the region count
//! (as in DESIGN 3.2, where pairs too near the diagonal do), pairs beyond a clip's first or last frame are +∞.
//!
//! With ρ̂ in place of ρ everything of DESIGN 3.1 holds: D = c + c′ − 2Y − 2|Z|. What is new is that ρ̂ changes from pair to
//! pair. Sums are therefore taken with ρ over frames that are zero where a clip has none, and divided by Σρ over those
//! it has. The region is covered by *strips*:
//!
//! ```text
//!            j →  clip entered                     rows: one end of a clip, L + 1 centres (one as a neighbour),
//!      i   ┌──┬────────────┐                             reaching 2L + 1 frames
//!      ↓   │▒▒│            │   ▒ its first frames    columns: all frames of the other clip, in runs
//!    clip  │▒▒│            │
//!    left  ├──┴────────────┤
//!          │▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓│   ▓ its last frames, corners included
//!          └───────────────┘
//! ```
//!
//! A task is a run of columns of one clip, packed once, that meets the ends of all clips. The body's products are f32, from
//! the kernel of the whole search; heights are measured from the means of the columns' clip on both sides; the path, c and
//! the root are f64. Every minimum kept is computed again in f64 from the clouds (`exact`).
//!
//! Cost: 2L + 1 rows of products per end and column, so O(L · markers · clips · frames) for a set; memory O(frames +
//! candidates), and per thread O(L²) beside O(L) per column of a run.
//!
//! Where we differ from the paper: it compares whole windows and leaves the ends of clips alone. That the ceiling on √D
//! falls with √(n / (2L+1)) is a choice of ours (METHODS 1.3). D itself also falls with n, as a shorter window is easier
//! to fit, so that minima among all neighbours lean towards the very ends.
//!
//! Checked by: a naive scan with [`naive::end_align`](crate::naive::end_align) on random and captured clips, and the
//! laws in `tests/ends.rs`.

mod clip;
mod columns;
mod exact;
mod fill;
mod kept;
mod minima;
mod row;
mod run;

use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::options::MetricOptions;
use crate::search::{KeepApart, Progress, Watch};
use kept::Kept;
use rayon::prelude::*;
use run::{Run, Scratch};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// A pair of frames at which one clip may be left for another where a whole window does not fit, and how the clip
/// entered is to be moved onto the clip left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EndCandidate {
    /// D in m² over the frames that both clips have.
    pub distance_m2: f64,
    /// Turn of the clip entered about the vertical in radians, positive to the left.
    pub theta: f64,
    /// Shift along x after the turn.
    pub x0: f64,
    /// Shift along z after the turn.
    pub z0: f64,
    /// Frame of the clip left, at the working rate.
    pub i: u32,
    /// Frame of the clip entered.
    pub j: u32,
    /// n: frames of the window that both clips have, 1 … 2L + 1.
    pub frames: u32,
}

impl EndCandidate {
    /// √D: RMS marker distance in centimetres.
    pub fn distance_cm(&self) -> f64 {
        self.distance_m2.sqrt() * 100.0
    }

    /// √(D · (2L+1)/n) in centimetres, the value that stays below the ceiling; `window` is 2L + 1.
    pub fn scaled_cm(&self, window: usize) -> f64 {
        self.distance_cm() * (window as f64 / f64::from(self.frames)).sqrt()
    }
}

/// Candidates of an ordered pair of clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndPair {
    /// The clip left, by place in the list of clouds.
    pub from: usize,
    /// The clip entered; may be the same.
    pub to: usize,
    /// Sorted by (i, j).
    pub candidates: Vec<EndCandidate>,
}

/// The result of [`find_end_candidates`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndSearch {
    /// In order of (from, to); pairs without candidates are left out.
    pub pairs: Vec<EndPair>,
    /// Candidates dropped because there were more than the cap.
    pub dropped: u64,
}

impl EndSearch {
    /// Candidates in all.
    pub fn candidate_count(&self) -> usize {
        self.pairs.iter().map(|p| p.candidates.len()).sum()
    }
}

/// Which neighbours a candidate is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndMinima {
    /// All eight. The default.
    #[default]
    Both,
    /// Only those along the clip that is not at its end: (i, j ± 1) near the end of the clip left, (i ± 1, j) near the
    /// start of the clip entered, and all four where a pair is both.
    Along,
}

/// Options of [`find_end_candidates`] beside those of the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndOptions {
    /// Working frames of the clip entered, frame j among them, that must be left to play; default 6.
    pub room: u32,
    /// Which neighbours count; default all eight.
    pub minima: EndMinima,
}

impl Default for EndOptions {
    fn default() -> Self {
        Self {
            room: 6,
            minima: EndMinima::default(),
        }
    }
}

/// The candidates for cuts between all ordered pairs of clouds, each with itself included, but for those kept apart:
/// local minima of D over shortened windows, below the ceiling, exact in f64.
///
/// The same clouds and options give the same result on any number of threads. Clips of any length take part.
///
/// ```
/// # use gaitway_metric::{EndOptions, KeepApart, MetricOptions, PointCloud, find_end_candidates};
/// # use glam::DVec3;
/// let walk = |first: usize| -> Vec<DVec3> {
///     let at = |t: f64| [DVec3::new(0.1, 1.0, t), DVec3::new(0.0, 0.1 + 0.1 * (6.0 * t).sin(), t + 0.2 * (6.0 * t).cos())];
///     (first..first + 20).flat_map(|f| at(f as f64 / 30.0)).collect()
/// };
/// let cloud = |name, first| PointCloud::from_positions(name, 30.0, &[1.0, 1.0], &walk(first));
/// // The second clip begins in frame 15 of the first.
/// let clips = [cloud("a", 0)?, cloud("b", 15)?];
/// let found = find_end_candidates(&clips, &MetricOptions::default(), &EndOptions::default(), &KeepApart::default(), &mut ())?;
/// let pair = found.pairs.iter().find(|p| (p.from, p.to) == (0, 1)).unwrap();
/// assert!(pair.candidates.iter().any(|c| c.i == c.j + 15 && c.distance_cm() < 0.1));
/// # Ok::<(), gaitway_metric::MetricError>(())
/// ```
pub fn find_end_candidates(
    clouds: &[PointCloud],
    options: &MetricOptions,
    ends: &EndOptions,
    apart: &KeepApart,
    progress: &mut dyn Progress,
) -> Result<EndSearch, MetricError> {
    let run = Run::new(clouds, options, ends, apart)?;
    if progress.cancelled() {
        return Err(MetricError::Cancelled);
    }
    let watch = Watch::new(run.pair_count(), progress);
    let kept = Mutex::new(Kept::new(options.max_candidates));
    run.tasks()
        .par_iter()
        .for_each_init(Scratch::default, |scratch, task| {
            run.task(task, scratch, &watch, &kept);
        });
    watch.last();
    if watch.stopped() {
        return Err(MetricError::Cancelled);
    }
    Ok(kept
        .into_inner()
        .unwrap_or_else(|e| e.into_inner())
        .finish())
}
