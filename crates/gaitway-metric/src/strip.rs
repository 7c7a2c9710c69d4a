//! One strip of diagonals through the grid of a clip pair, streamed in chunks of rows.
//!
//! A strip is `width` neighbouring diagonals j − i. It is walked down in chunks of rows; each chunk is
//! multiplied, windowed, finished and handed on while it lies in the second cache:
//!
//! ```text
//!            j →
//!      i   ╲▓▓▓▓╲          products of the chunk's rows, skewed so that diagonals are columns
//!      ↓    ╲▓▓▓▓╲         + the last 2L raw rows of the chunk before
//!            ╲▓▓▓▓╲        → window → D, two rows kept for the neighbours
//! ```
//!
//! Neighbouring strips overlap by one panel, so that every pair has its eight neighbours in some strip.

use crate::bound::CellBound;
use crate::prepare::{PairTerms, Prepared};
use crate::simd::finish::Finish;
use crate::simd::products::Products;
use crate::simd::{self, Backend, COLS, PAD};
use std::ops::Range;

/// Rows of a chunk and diagonals of a strip: three grids of (64 + 16) × 448 f32 and the columns they meet
/// stay inside a 1 MiB second cache, and the panel lost to the overlap is under 4 %.
pub(crate) const CHUNK_ROWS: usize = 64;
pub(crate) const STRIP_WIDTH: usize = 448;
/// Rows of a task: long enough that the 2L rows computed twice do not matter, short enough to share out.
pub(crate) const TASK_ROWS: usize = 1280;

/// A clip pair, ready to run.
pub(crate) struct PairContext<'a> {
    pub a: &'a Prepared<'a>,
    pub b: &'a Prepared<'a>,
    pub terms: PairTerms,
    pub backend: Backend,
    /// No turn or shift: motion tied to its place.
    pub fixed: bool,
    /// The clip against itself: only i < j.
    pub itself: bool,
    /// Present where skipping is on.
    pub bound: Option<CellBound<'a>>,
}

/// A piece of work: centre frames `rows` of A on the diagonals from `d0` on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    pub d0: isize,
    pub width: usize,
    /// Lanes from 2 to here are this strip's; the others are there as neighbours.
    pub own_end: usize,
    pub rows: Range<usize>,
}

/// Working memory of one thread.
#[derive(Default)]
pub(crate) struct Scratch {
    grids: [Vec<f32>; 3],
    d: Vec<f32>,
    column: Vec<f32>,
    means: [Vec<f32>; 4],
    above: Vec<bool>,
    unneeded: Vec<bool>,
    pub hits: Vec<(u32, u32)>,
}

/// D of a finished chunk.
pub(crate) struct Chunk<'a> {
    /// Skewed rows; the first two belong to the chunk before.
    pub d: &'a [f32],
    /// New rows.
    pub rows: usize,
    /// Centre frame of row 2, which may lie before the first frame.
    pub first_centre: isize,
    pub d0: isize,
    pub width: usize,
}

impl Chunk<'_> {
    /// D on one row of the buffer (0 … rows + 2), without the padding.
    pub(crate) fn row(&self, row: usize) -> &[f32] {
        let stride = simd::row_stride(self.width);
        &self.d[row * stride + PAD..][..self.width]
    }
}

/// Cells of 16 × 16 pairs that the bound was asked about, and how many it ruled out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub cells: u64,
    pub skipped: u64,
}

impl PairContext<'_> {
    /// All tasks of the pair, in a fixed order. Every valid pair is interior to exactly one of them.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        let (na, nb, half) = (
            self.a.frames() as isize,
            self.b.frames() as isize,
            self.a.half as isize,
        );
        let (first, last) = if self.itself {
            (2 * half + 2, na - 1 - 2 * half)
        } else {
            (-(na - 1 - 2 * half), nb - 1 - 2 * half)
        };
        let cols = COLS as isize;
        // The two outer lanes of a strip have no neighbours in it.
        let mut d0 = (first - 2).div_euclid(cols) * cols;
        let mut tasks = Vec::new();
        while d0 + 2 <= last {
            let left = (last + 3 - d0) as usize;
            let width = STRIP_WIDTH.min(left.next_multiple_of(COLS));
            let own_end = if d0 + width as isize - 3 >= last {
                width - 2
            } else {
                width - COLS + 2
            };
            let (low, high) = (d0 + 2, d0 + own_end as isize - 1);
            let from = half.max(half - high);
            let to = (na - half).min(nb - half - low);
            let mut row = from;
            while row < to {
                let end = to.min(row + TASK_ROWS as isize);
                tasks.push(Task {
                    d0,
                    width,
                    own_end,
                    rows: row as usize..end as usize,
                });
                row = end;
            }
            d0 = high - 1;
        }
        tasks
    }

    /// Runs a task and hands over each chunk's D, in order.
    pub(crate) fn run(
        &self,
        task: &Task,
        scratch: &mut Scratch,
        mut on_chunk: impl FnMut(&Chunk<'_>, &mut Vec<(u32, u32)>),
    ) -> Tally {
        let half = self.a.half;
        let lead = self.a.filter.lead(half);
        let stride = simd::row_stride(task.width);
        scratch.reserve(lead, stride);
        let mut tally = Tally::default();
        let end = task.rows.end + half + 1;
        let mut row = (task.rows.start.saturating_sub(1 + half)) / COLS * COLS;
        while row < end {
            let count = CHUNK_ROWS.min((end - row).next_multiple_of(COLS));
            let idle = self.mark_cells(task, row, count, scratch, &mut tally);
            self.compute(task, row, count, lead, idle, scratch);
            let chunk = Chunk {
                d: &scratch.d,
                rows: count,
                first_centre: row as isize - half as isize,
                d0: task.d0,
                width: task.width,
            };
            on_chunk(&chunk, &mut scratch.hits);
            for grid in &mut scratch.grids {
                grid.copy_within(count * stride..(count + lead) * stride, 0);
            }
            scratch
                .d
                .copy_within(count * stride..(count + 2) * stride, 0);
            row += count;
        }
        tally
    }

    fn compute(
        &self,
        task: &Task,
        row: usize,
        count: usize,
        lead: usize,
        idle: bool,
        scratch: &mut Scratch,
    ) {
        let (a, b, half) = (self.a, self.b, self.a.half);
        simd::run_products(
            self.backend,
            &Products {
                rows: &a.rows,
                cols: &b.cols,
                markers: a.cloud.marker_count(),
                row0: row,
                row_count: count,
                d0: task.d0,
                width: task.width,
                lead,
                unneeded: &scratch.unneeded,
            },
            &mut scratch.grids,
        );
        if !idle {
            for grid in &mut scratch.grids {
                simd::run_filter(
                    self.backend,
                    grid,
                    task.width,
                    count,
                    &a.filter,
                    half,
                    &mut scratch.column,
                );
            }
        }
        if self.fixed {
            self.place_means(task, row, count, &mut scratch.means);
        }
        let [mean_ax, mean_az, mean_bx, mean_bz] = &scratch.means;
        let centre = row.saturating_sub(half);
        let columns = |i: usize, d: isize| (i as isize + d).max(0) as usize;
        let path_used = a.path_needed(
            (centre, row + count),
            b,
            (
                columns(centre, task.d0),
                columns(row + count, task.d0 + task.width as isize),
            ),
        );
        let f = Finish {
            path_rows: &a.path_rows,
            path_cols: &b.path_cols,
            path_stored: a.path_len,
            path_used,
            c_rows: &self.terms.rows,
            c_cols: &self.terms.cols,
            mean_rows: [mean_ax, mean_az],
            mean_cols: [mean_bx, mean_bz],
            row0: row,
            row_count: count,
            half,
            d0: task.d0,
            width: task.width,
            above: &scratch.above,
        };
        let run = if self.fixed {
            simd::run_finish_fixed
        } else {
            simd::run_finish_free
        };
        run(self.backend, &f, &scratch.grids, &mut scratch.d);
    }

    /// Window means from an origin near the chunk, where f32 still tells a tenth of a millimetre from nothing.
    fn place_means(&self, task: &Task, row: usize, count: usize, means: &mut [Vec<f32>; 4]) {
        let half = self.a.half;
        let origin = self.a.mean[row.saturating_sub(half).min(self.a.mean.len() - 1)];
        let (rows, cols) = (self.terms.rows.len(), self.terms.cols.len());
        let first = (row as isize - half as isize + task.d0 - COLS as isize).clamp(0, cols as isize)
            as usize;
        let last = ((row + count + 2 * COLS) as isize + task.d0 + task.width as isize)
            .clamp(0, cols as isize) as usize;
        for part in 0..2 {
            means[part].resize(rows, 0.0);
            means[2 + part].resize(cols, 0.0);
            let from_origin =
                |mean: Option<&[f64; 2]>| mean.map_or(0.0, |m| (m[part] - origin[part]) as f32);
            for (k, out) in means[part][row..row + count].iter_mut().enumerate() {
                let centre = (row + k).checked_sub(2 * half);
                *out = from_origin(centre.and_then(|c| self.a.mean.get(c)));
            }
            for (k, out) in means[2 + part][first..last].iter_mut().enumerate() {
                let centre = (first + k).checked_sub(half);
                *out = from_origin(centre.and_then(|c| self.b.mean.get(c)));
            }
        }
    }

    /// Asks the bound which cells can be left out; true if that is all of them.
    fn mark_cells(
        &self,
        task: &Task,
        row: usize,
        count: usize,
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) -> bool {
        let Some(bound) = &self.bound else {
            return false;
        };
        let (all, above) = bound.mark(task, row, count, &mut scratch.above, &mut scratch.unneeded);
        tally.cells += all;
        tally.skipped += above;
        all == above
    }
}

impl Scratch {
    fn reserve(&mut self, lead: usize, stride: usize) {
        for grid in &mut self.grids {
            grid.resize((lead + CHUNK_ROWS) * stride, 0.0);
        }
        self.d.resize((CHUNK_ROWS + 2) * stride, f32::INFINITY);
    }
}
