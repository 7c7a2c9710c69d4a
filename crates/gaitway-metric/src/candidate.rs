//! Candidates: the local minima of D between two clips (DESIGN 3.2).

use crate::bound::{self, Boxes, CellBound};
use crate::cap::Keeper;
use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::exact;
use crate::naive::Alignment;
use crate::options::{MetricOptions, Placement, Skipping};
use crate::prepare::{PairTerms, Prepared};
use crate::simd;
use crate::strip::{PairContext, Scratch, Tally, Task};
use crate::window::Window;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A pair of frames where two clips come closest, and how the second is to be moved onto the first.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable, serde::Serialize)]
#[repr(C)]
pub struct Candidate {
    /// D in m².
    pub distance_m2: f64,
    /// Turn about the vertical in radians, positive to the left.
    pub theta: f64,
    /// Shift along x after the turn.
    pub x0: f64,
    /// Shift along z after the turn.
    pub z0: f64,
    /// Frame of the first clip at the working rate.
    pub i: u32,
    /// Frame of the second clip.
    pub j: u32,
}

impl Candidate {
    /// √D: RMS marker distance in centimetres.
    pub fn distance_cm(&self) -> f64 {
        self.distance_m2.sqrt() * 100.0
    }

    /// The same meeting seen from the second clip: (−θ, −e^{iθ}(x₀ + i z₀)), i and j exchanged.
    pub fn reversed(&self) -> Self {
        let (s, c) = self.theta.sin_cos();
        Self {
            theta: -self.theta,
            x0: -(self.x0 * c - self.z0 * s),
            z0: -(self.z0 * c + self.x0 * s),
            i: self.j,
            j: self.i,
            ..*self
        }
    }
}

/// The candidates of one clip pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateList {
    /// Sorted by (i, j).
    pub candidates: Vec<Candidate>,
    /// Frame pairs compared.
    pub pairs: u64,
    /// Share of the pairs that the exact bound left out, 0 where it was off.
    pub skipped_share: f64,
    /// Candidates dropped because there were more than the cap.
    pub dropped: u64,
}

/// Clouds made ready once, to be compared in any pairs.
pub(crate) struct Matcher<'a> {
    pub options: &'a MetricOptions,
    pub window: Window,
    pub prepared: Vec<Prepared<'a>>,
    boxes: Vec<Option<[Boxes; 2]>>,
    ceiling_m2: f64,
    backend: simd::Backend,
}

impl<'a> Matcher<'a> {
    /// Checks that all clouds fit together and packs them.
    pub(crate) fn new(
        clouds: &[&'a PointCloud],
        options: &'a MetricOptions,
    ) -> Result<Self, MetricError> {
        let first = clouds.first().ok_or(MetricError::NoClips)?;
        clouds.iter().try_for_each(|c| first.check_match(c))?;
        let window = options.window(first.rate_hz())?;
        let (ceiling_m2, backend) = (options.ceiling_m2()?, options.backend()?);
        let prepared: Vec<_> = clouds
            .par_iter()
            .map(|c| Prepared::new(c, &window))
            .collect::<Result<_, _>>()?;
        let wanted = options.skipping != Skipping::Off;
        let boxes = prepared
            .par_iter()
            .map(|p| wanted.then(|| bound::boxes(p, &window)))
            .collect();
        Ok(Self {
            options,
            window,
            prepared,
            boxes,
            ceiling_m2,
            backend,
        })
    }

    pub(crate) fn context(&self, a: usize, b: usize) -> PairContext<'_> {
        let (pa, pb) = (&self.prepared[a], &self.prepared[b]);
        PairContext {
            a: pa,
            b: pb,
            terms: PairTerms::new(pa, pb, &self.window),
            backend: self.backend,
            fixed: self.options.placement == Placement::Fixed,
            itself: a == b,
            bound: self.bound(a, b),
        }
    }

    /// The bound for a pair, where it is asked for or a sample says that it leaves out a tenth of the cells.
    /// Whether it runs never changes the result.
    fn bound(&self, a: usize, b: usize) -> Option<CellBound<'_>> {
        const PAYS_FROM: f64 = 0.1;
        let ([rows, _], [_, cols]) = (self.boxes[a].as_ref()?, self.boxes[b].as_ref()?);
        let bound = CellBound::new(rows, cols, self.window.half(), self.ceiling_m2);
        (self.options.skipping == Skipping::On || bound.sample() >= PAYS_FROM).then_some(bound)
    }

    /// Pairs of frames that two clips have: those with a window on both sides, i < j within one clip.
    pub(crate) fn pair_count(&self, a: usize, b: usize) -> u64 {
        let centres = |k: usize| (self.prepared[k].frames() - 2 * self.window.half()) as u64;
        if a == b {
            centres(a) * (centres(a) - 1) / 2
        } else {
            centres(a) * centres(b)
        }
    }

    pub(crate) fn align(&self, a: usize, i: usize, b: usize, j: usize) -> Alignment {
        let fixed = self.options.placement == Placement::Fixed;
        exact::align(
            &self.prepared[a],
            i,
            &self.prepared[b],
            j,
            &self.window,
            fixed,
            self.backend,
        )
    }

    /// Candidates of one task, in the order they were met.
    pub(crate) fn run_task(
        &self,
        pair: (usize, usize),
        context: &PairContext<'_>,
        task: &Task,
        scratch: &mut Scratch,
    ) -> (Vec<Candidate>, Tally) {
        let half = self.window.half();
        let cols = half..context.b.frames() - half;
        let apart = if context.itself {
            2 * half as isize + 1
        } else {
            isize::MIN
        };
        // The kernel's D may differ from the exact one in the seventh digit.
        let ceiling = (self.ceiling_m2 * 1.0001 + 1e-6) as f32;
        let mut found = Vec::new();
        let tally = context.run(task, scratch, |chunk, hits| {
            hits.clear();
            simd::run_minima(
                context.backend,
                chunk.d,
                chunk.width,
                chunk.rows,
                ceiling,
                hits,
            );
            for &(row, lane) in hits.iter() {
                let i = chunk.first_centre + row as isize - 2;
                let j = i + chunk.d0 + lane as isize;
                let inside = i >= 0
                    && j >= 0
                    && task.rows.contains(&(i as usize))
                    && cols.contains(&(j as usize));
                if !inside || lane as usize >= task.own_end || j - i <= apart {
                    continue;
                }
                let Alignment {
                    distance_m2,
                    theta,
                    x0,
                    z0,
                } = self.align(pair.0, i as usize, pair.1, j as usize);
                if distance_m2 < self.ceiling_m2 {
                    found.push(Candidate {
                        distance_m2,
                        theta,
                        x0,
                        z0,
                        i: i as u32,
                        j: j as u32,
                    });
                }
            }
        });
        (found, tally)
    }

    /// All candidates of one pair, its tasks shared among the threads. None if cancelled.
    pub(crate) fn run_pair(
        &self,
        a: usize,
        b: usize,
        cancel: &AtomicBool,
    ) -> Option<CandidateList> {
        let context = self.context(a, b);
        let keeper = Mutex::new(Keeper::new(self.options.max_candidates));
        // Every worker takes the next task that is left, so that all end within one task of each other, and keeps its
        // scratch memory throughout.
        let tasks = context.tasks();
        let next = AtomicUsize::new(0);
        let work = |_| {
            let (mut scratch, mut sum) = (Scratch::default(), Tally::default());
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                let (found, tally) = self.run_task((a, b), &context, task, &mut scratch);
                keeper.lock().unwrap_or_else(|e| e.into_inner()).add(found);
                sum.cells += tally.cells;
                sum.skipped += tally.skipped;
            }
            sum
        };
        let workers = rayon::current_num_threads().min(tasks.len());
        let tallies: Vec<Tally> = (0..workers)
            .into_par_iter()
            .with_max_len(1)
            .map(work)
            .collect();
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let (candidates, dropped, _) = keeper
            .into_inner()
            .unwrap_or_else(|e| e.into_inner())
            .finish();
        let (cells, skipped) = tallies
            .iter()
            .fold((0, 0), |(c, s), t| (c + t.cells, s + t.skipped));
        Some(CandidateList {
            candidates,
            pairs: self.pair_count(a, b),
            skipped_share: skipped as f64 / cells.max(1) as f64,
            dropped,
        })
    }
}

/// The candidates between two clouds (`a` onto itself when both are the same cloud): local minima of D below
/// the ceiling, exact in f64, sorted by (i, j). The same on any number of threads.
///
/// ```
/// # use gaitway_metric::{MetricOptions, PointCloud, candidates_between};
/// # use glam::DVec3;
/// let walk = |phase: f64| -> Vec<DVec3> {
///     let at = |t: f64| [DVec3::new(0.1, 1.0, t), DVec3::new(0.0, 0.1 + 0.1 * (6.0 * t).sin(), t + 0.2 * (6.0 * t).cos())];
///     (0..90).flat_map(|f| at(f as f64 / 30.0 + phase)).collect()
/// };
/// let a = PointCloud::from_positions("a", 30.0, &[1.0, 1.0], &walk(0.0))?;
/// let b = PointCloud::from_positions("b", 30.0, &[1.0, 1.0], &walk(0.2))?;
/// let found = candidates_between(&a, &b, &MetricOptions::default())?;
/// assert!(found.candidates.iter().any(|c| c.i == c.j + 6 && c.distance_cm() < 0.1));
/// # Ok::<(), gaitway_metric::MetricError>(())
/// ```
pub fn candidates_between(
    a: &PointCloud,
    b: &PointCloud,
    options: &MetricOptions,
) -> Result<CandidateList, MetricError> {
    let same = std::ptr::eq(a, b);
    let clouds: &[&PointCloud] = if same { &[a] } else { &[a, b] };
    let matcher = Matcher::new(clouds, options)?;
    matcher
        .run_pair(0, clouds.len() - 1, &AtomicBool::new(false))
        .ok_or(MetricError::Cancelled)
}
