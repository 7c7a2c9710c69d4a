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
//! Checked by: a naive scan with [`naive::end_align`](crate::naive::end_align) on random and captured clips, and the
//! laws in `tests/ends.rs`.

mod clip;
mod columns;
mod exact;
mod fill;
mod kept;
mod minima;

use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::options::{MetricOptions, Placement};
use crate::search::{KeepApart, Progress, Watch};
use crate::simd::Backend;
use crate::window::Window;
use clip::{End, Member, Side};
use columns::Columns;
use kept::Kept;
use minima::Strip;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Mutex;

/// Frames of a clip taken at once as columns.
const CHUNK: usize = 448;

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
    let first = clouds.first().ok_or(MetricError::NoClips)?;
    clouds.iter().try_for_each(|c| first.check_match(c))?;
    let window = options.window(first.rate_hz())?;
    let members: Vec<Member<'_>> = clouds.par_iter().map(Member::new).collect();
    let (half, room) = (window.half(), ends.room as usize);
    let rows: Vec<End> = (0..members.len())
        .flat_map(|k| [Side::Last, Side::First].map(|side| (k, side)))
        .filter_map(|(k, side)| End::new(k, &members[k], side, half, room))
        .collect();
    let tasks: Vec<Task> = (0..members.len())
        .flat_map(|clip| {
            let frames = members[clip].frames();
            let chunk = move |from| from..frames.min(from + CHUNK);
            let starts = (0..frames).step_by(CHUNK);
            starts.map(move |from| Task {
                clip,
                columns: chunk(from),
            })
        })
        .collect();
    let run = Run {
        ceiling_m2: options.ceiling_m2()?,
        backend: options.backend()?,
        fixed: options.placement == Placement::Fixed,
        members,
        rows,
        window,
        room,
        rule: ends.minima,
        apart,
    };
    if progress.cancelled() {
        return Err(MetricError::Cancelled);
    }
    let watch = Watch::new(run.pair_count(), progress);
    let kept = Mutex::new(Kept::new(options.max_candidates));
    tasks
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

/// Some frames of a clip, against all ends.
struct Task {
    clip: usize,
    columns: Range<usize>,
}

/// Working memory of one thread.
#[derive(Default)]
struct Scratch {
    columns: Columns,
    fill: fill::Scratch,
    strip: Strip,
    found: Vec<EndCandidate>,
}

struct Run<'a> {
    members: Vec<Member<'a>>,
    rows: Vec<End>,
    window: Window,
    room: usize,
    rule: EndMinima,
    apart: &'a KeepApart,
    ceiling_m2: f64,
    backend: Backend,
    fixed: bool,
}

impl Run<'_> {
    /// Pairs of frames that are looked at.
    fn pair_count(&self) -> u64 {
        let rows = self.rows.iter();
        rows.map(|end| {
            let met = (0..self.members.len()).filter(|&k| self.apart.may_meet(end.clip, k));
            let frames: u64 = met.map(|k| self.members[k].frames() as u64).sum();
            frames * end.own.len() as u64
        })
        .sum()
    }

    fn task(&self, task: &Task, scratch: &mut Scratch, watch: &Watch<'_>, kept: &Mutex<Kept>) {
        let clip = &self.members[task.clip];
        scratch
            .columns
            .take(clip, task.columns.clone(), &self.window);
        scratch.fill.begin(&scratch.columns, &self.window);
        for end in &self.rows {
            if watch.stopped() {
                return;
            }
            if !self.apart.may_meet(end.clip, task.clip) {
                continue;
            }
            self.compare(end, task, scratch);
            if !scratch.found.is_empty() {
                let (from, to) = end.pair(end.clip, task.clip);
                let mut kept = kept.lock().unwrap_or_else(|e| e.into_inner());
                kept.add(from, to, &scratch.found);
            }
            let pairs = end.own.len() as u64 * task.columns.len() as u64;
            watch.advance(pairs, 0, scratch.found.len() as u64);
        }
    }

    /// Leaves the candidates of one end with one run of frames in `scratch.found`.
    fn compare(&self, end: &End, task: &Task, scratch: &mut Scratch) {
        scratch.found.clear();
        let (short, long) = (&self.members[end.clip], &self.members[task.clip]);
        let (half, frames) = (self.window.half(), long.frames());
        let own = end.columns(frames, half, self.room);
        let own = own.start.max(task.columns.start)..own.end.min(task.columns.end);
        if own.is_empty() {
            return;
        }
        let terms = fill::Terms {
            window: &self.window,
            fixed: self.fixed,
            backend: self.backend,
            // D of the strip may differ from the exact one in the seventh digit.
            ceiling: self.ceiling_m2 * 1.0001 + 1e-6,
        };
        let (columns, strip) = (&scratch.columns, &mut scratch.strip);
        scratch.fill.fill(&terms, end, short, long, columns, strip);
        let shown = scratch.columns.shown.clone();
        let itself = end.clip == task.clip;
        for row in end.own.clone() {
            let k = row - end.centres.start;
            let inner = own.start - shown.start..own.end - shown.start;
            let hits = scratch.strip.minima(k, inner, end.side, self.rule).to_vec();
            for column in hits {
                let corner = end.side == Side::Last && shown.start + (column as usize) < half;
                if corner
                    && self.rule == EndMinima::Along
                    && !scratch.strip.lowest_of_column(k, column as usize)
                {
                    continue;
                }
                let (i, j) = end.pair(row, shown.start + column as usize);
                if itself && i.abs_diff(j) <= 2 * half + 1 {
                    continue;
                }
                let (left, entered) = end.pair(end.clip, task.clip);
                let (found, n) = exact::align(
                    &self.members[left],
                    i,
                    &self.members[entered],
                    j,
                    &self.window,
                    self.fixed,
                    self.backend,
                );
                if found.distance_m2 * self.window.frames() as f64 / (n as f64) < self.ceiling_m2 {
                    scratch.found.push(EndCandidate {
                        distance_m2: found.distance_m2,
                        theta: found.theta,
                        x0: found.x0,
                        z0: found.z0,
                        i: i as u32,
                        j: j as u32,
                        frames: n as u32,
                    });
                }
            }
        }
    }
}
