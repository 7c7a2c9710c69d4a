//! Stage 1: the three products of DESIGN 3.1 for every frame pair of a chunk.
//!
//!   X = Σ_s (x x′ + z z′),   W = Σ_s (z x′ − x z′),   V = Σ_s y y′
//!
//! with √σ and the window's scale folded into both sides when the clip was packed. A register block
//! is MR rows by one vector of columns, three accumulators each; its rows are broadcast, its columns
//! loaded once. Cost: 5 × markers multiply-adds per pair and nothing else worth naming.
//!
//! The block is stored *skewed*: pair (i, j) goes to lane j − i − d0, so that a diagonal of the grid,
//! along which the window runs, becomes a column of memory.
#![allow(unsafe_code)]

use super::lanes::Lanes;
use super::{COLS, PAD, ROWS, beside, row_stride};

/// What the stage reads and where it writes.
pub(crate) struct Products<'a> {
    /// Rows in blocks of [`ROWS`]: `[block][marker][x z y][row]`.
    pub rows: &'a [f32],
    /// Columns in panels of [`COLS`]: `[panel][marker][x z y][column]`.
    pub cols: &'a [f32],
    pub markers: usize,
    /// First row (a multiple of [`COLS`]) and number of rows (a multiple of [`ROWS`]).
    pub row0: usize,
    pub row_count: usize,
    /// First diagonal j − i of the strip (a multiple of [`COLS`]) and their number.
    pub d0: isize,
    pub width: usize,
    /// Rows of the output before the chunk's first.
    pub lead: usize,
    /// Cells of [`COLS`] rows by one panel that nothing needs, `[row cell][panel from the cell's first]`; empty: none.
    pub unneeded: &'a [bool],
}

impl Products<'_> {
    /// Panels that rows from `row` (a multiple of [`ROWS`]) on touch: first, and one past the last.
    pub(crate) fn panels(&self, row: usize) -> (isize, isize) {
        let cell = (row / COLS * COLS) as isize;
        let first = (self.d0 + cell).div_euclid(COLS as isize);
        (first, first + (self.width / COLS) as isize + 1)
    }
}

/// Fills the three grids for one chunk.
///
/// # Safety
/// The running processor has the instruction set of `S`. Sizes are checked here.
#[inline(always)]
pub(crate) unsafe fn products<S: Lanes, const MR: usize>(
    p: &Products<'_>,
    out: &mut [Vec<f32>; 3],
) {
    let stride = row_stride(p.width);
    let panel_count = (p.cols.len() / (p.markers * 3 * COLS)) as isize;
    assert!(
        p.row0.is_multiple_of(COLS)
            && p.row_count.is_multiple_of(ROWS)
            && p.d0 % COLS as isize == 0
            && p.width.is_multiple_of(COLS)
    );
    assert!(p.rows.len() >= (p.row0 + p.row_count) * p.markers * 3);
    assert!(
        out.iter()
            .all(|g| g.len() >= (p.lead + p.row_count) * stride)
    );
    let [g0, g1, g2] = out;
    let grids = [g0.as_mut_ptr(), g1.as_mut_ptr(), g2.as_mut_ptr()];
    let per_cell = p.width / COLS + 1;
    for rb in 0..p.row_count / ROWS {
        let i0 = p.row0 + rb * ROWS;
        let a = p.rows[i0 * p.markers * 3..].as_ptr();
        let (first, end) = p.panels(i0);
        for panel in first.max(0)..end.min(panel_count) {
            if !p.unneeded.is_empty()
                && p.unneeded[(rb * ROWS / COLS) * per_cell + (panel - first) as usize]
            {
                continue;
            }
            let b = unsafe { p.cols.as_ptr().add(panel as usize * p.markers * 3 * COLS) };
            // Lane of the block's first row and column; the last row lies ROWS − 1 lanes to the left.
            // Both stay inside the padded row.
            let lane = PAD as isize + panel * COLS as isize - i0 as isize - p.d0;
            for r in (0..ROWS).step_by(MR) {
                for c in (0..COLS).step_by(S::N) {
                    let lane = lane + c as isize - r as isize;
                    if beside::<S, MR>(lane, p.width) {
                        continue;
                    }
                    let at = (p.lead + rb * ROWS + r) * stride + lane as usize;
                    // SAFETY: `a` has markers·3·ROWS floats, `b` markers·3·COLS, and `at` plus MR skewed
                    // rows of N lanes lie inside each grid by the assertions and bounds above.
                    unsafe { block::<S, MR>(a.add(r), b.add(c), p.markers, grids, at, stride) };
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn block<S: Lanes, const MR: usize>(
    a: *const f32,
    b: *const f32,
    markers: usize,
    grids: [*mut f32; 3],
    at: usize,
    stride: usize,
) {
    unsafe {
        let zero = S::splat(0.0);
        let mut re = [zero; MR];
        let mut im = [zero; MR];
        let mut up = [zero; MR];
        let (mut a, mut b) = (a, b);
        for _ in 0..markers {
            let (bx, bz, by) = (S::load(b), S::load(b.add(COLS)), S::load(b.add(2 * COLS)));
            for r in 0..MR {
                let ax = S::splat(*a.add(r));
                let az = S::splat(*a.add(ROWS + r));
                let ay = S::splat(*a.add(2 * ROWS + r));
                re[r] = S::fma(ax, bx, re[r]);
                im[r] = S::fma(az, bx, im[r]);
                up[r] = S::fma(ay, by, up[r]);
                re[r] = S::fma(az, bz, re[r]);
                im[r] = S::fnma(ax, bz, im[r]);
            }
            a = a.add(3 * ROWS);
            b = b.add(3 * COLS);
        }
        for r in 0..MR {
            let at = at + r * stride - r;
            S::store(grids[0].add(at), re[r]);
            S::store(grids[1].add(at), im[r]);
            S::store(grids[2].add(at), up[r]);
        }
    }
}
