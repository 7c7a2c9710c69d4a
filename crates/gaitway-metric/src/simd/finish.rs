//! Stage 3: from windowed products to D, and stage 4: its local minima.
//!
//!   Z = windowed body products + Σ_k α_k conj(β_k),     D = c + c′ − 2 Y − 2 |Z|,  clamped at 0
//!
//! α, β are the coefficients of the two centred ground paths (see [`crate::prepare`]); c is infinite where a
//! frame has not L frames on each side, so that no mask is needed and a missing neighbour counts as +∞.
//! D lies in the same skewed rows as the products: the pair's neighbour (i + 1, j) is one lane to the left
//! in the next row.
#![allow(unsafe_code)]

use super::lanes::Lanes;
use super::{COLS, PAD, ROWS, beside, row_stride};

/// What the stage reads.
pub(crate) struct Finish<'a> {
    /// Path coefficients of the rows, `[block][k][re im][row]`, row index = centre frame + L.
    pub path_rows: &'a [f32],
    /// Path coefficients of the columns, `[panel][k][re im][column]`.
    pub path_cols: &'a [f32],
    /// Coefficients stored, and how many of them are used here.
    pub path_stored: usize,
    pub path_used: usize,
    /// c of the rows by centre frame + L, and of the columns.
    pub c_rows: &'a [f32],
    pub c_cols: &'a [f32],
    /// For the fixed place: window means (x, z) of rows (by centre frame + L) and of columns; empty when free.
    pub mean_rows: [&'a [f32]; 2],
    pub mean_cols: [&'a [f32]; 2],
    /// First row index (centre frame + L, a multiple of [`COLS`]) and their number (a multiple of [`ROWS`]).
    pub row0: usize,
    pub row_count: usize,
    pub half: usize,
    pub d0: isize,
    pub width: usize,
    /// Cells [`COLS`] × panel known to lie above the ceiling, as in [`super::products::Products::unneeded`].
    pub above: &'a [bool],
}

/// Writes D for the chunk into `out`, whose first two rows belong to the chunk before.
///
/// # Safety
/// The running processor has the instruction set of `S`. Sizes are checked here.
#[inline(always)]
pub(crate) unsafe fn finish<S: Lanes, const MR: usize, const FIXED: bool>(
    f: &Finish<'_>,
    grids: &[Vec<f32>; 3],
    out: &mut [f32],
) {
    let stride = row_stride(f.width);
    let panel_count = (f.c_cols.len() / COLS) as isize;
    let k2 = f.path_stored * 2;
    assert!(
        f.row0.is_multiple_of(COLS)
            && f.row_count.is_multiple_of(ROWS)
            && f.path_used <= f.path_stored
    );
    assert!(
        f.path_rows.len() >= (f.row0 + f.row_count) * k2
            && f.path_cols.len() >= f.c_cols.len() * k2
    );
    assert!(f.c_rows.len() >= f.row0 + f.row_count && f.c_cols.len().is_multiple_of(COLS));
    assert!(
        grids.iter().all(|g| g.len() >= f.row_count * stride)
            && out.len() >= (f.row_count + 2) * stride
    );
    if FIXED {
        assert!(f.mean_rows.iter().all(|m| m.len() >= f.row0 + f.row_count));
        assert!(f.mean_cols.iter().all(|m| m.len() >= f.c_cols.len()));
    }
    let per_cell = f.width / COLS + 2;
    for rb in 0..f.row_count / ROWS {
        let row = f.row0 + rb * ROWS;
        // Centre frames of a cell are row − L …: one panel more than the raw rows touch.
        let cell = (row / COLS * COLS) as isize - f.half as isize;
        let first = (f.d0 + cell).div_euclid(COLS as isize);
        let end = first + per_cell as isize;
        let centre = row as isize - f.half as isize;
        for panel in first.max(-1)..end.min(panel_count + 1) {
            let lane = PAD as isize + panel * COLS as isize - centre - f.d0;
            let outside = panel < 0
                || panel >= panel_count
                || (!f.above.is_empty()
                    && f.above[(rb * ROWS / COLS) * per_cell + (panel - first) as usize]);
            for r in (0..ROWS).step_by(MR) {
                for c in (0..COLS).step_by(S::N) {
                    let lane = lane + c as isize - r as isize;
                    if beside::<S, MR>(lane, f.width) {
                        continue;
                    }
                    let at = (rb * ROWS + r) * stride + lane as usize;
                    // SAFETY: `at` plus MR skewed rows of N lanes lie inside grids and `out` (checked above);
                    // row and column tables are long enough by the assertions.
                    unsafe {
                        if outside {
                            for r in 0..MR {
                                let at = at + (r + 2) * stride - r;
                                S::store(out.as_mut_ptr().add(at), S::splat(f32::INFINITY));
                            }
                        } else {
                            block::<S, MR, FIXED>(
                                f,
                                row,
                                r,
                                panel as usize * COLS,
                                c,
                                grids,
                                out,
                                at,
                                stride,
                            );
                        }
                    }
                }
            }
        }
    }
}

#[allow(clippy::too_many_arguments)] // a register block, inlined: its arguments never exist at run time
#[inline(always)]
unsafe fn block<S: Lanes, const MR: usize, const FIXED: bool>(
    f: &Finish<'_>,
    row: usize,
    r0: usize,
    col: usize,
    c0: usize,
    grids: &[Vec<f32>; 3],
    out: &mut [f32],
    at: usize,
    stride: usize,
) {
    let k2 = f.path_stored * 2;
    unsafe {
        let mut a = f.path_rows.as_ptr().add(row * k2 + r0);
        let mut b = f.path_cols.as_ptr().add(col * k2 + c0);
        let mut re: [S::V; MR] =
            std::array::from_fn(|r| S::load(grids[0].as_ptr().add(at + r * stride - r)));
        let mut im: [S::V; MR] =
            std::array::from_fn(|r| S::load(grids[1].as_ptr().add(at + r * stride - r)));
        for _ in 0..f.path_used {
            let (bx, bz) = (S::load(b), S::load(b.add(COLS)));
            for r in 0..MR {
                let (ax, az) = (S::splat(*a.add(r)), S::splat(*a.add(ROWS + r)));
                re[r] = S::fma(ax, bx, re[r]);
                im[r] = S::fma(az, bx, im[r]);
                re[r] = S::fma(az, bz, re[r]);
                im[r] = S::fnma(ax, bz, im[r]);
            }
            a = a.add(2 * ROWS);
            b = b.add(2 * COLS);
        }
        let c_col = S::load(f.c_cols.as_ptr().add(col + c0));
        let (two, zero) = (S::splat(2.0), S::splat(0.0));
        for r in 0..MR {
            let at = at + r * stride - r;
            let y = S::load(grids[2].as_ptr().add(at));
            let row = row + r0 + r;
            let mut c = S::add(c_col, S::splat(f.c_rows[row]));
            let reach = if FIXED {
                let dx = S::sub(
                    S::splat(f.mean_rows[0][row]),
                    S::load(f.mean_cols[0].as_ptr().add(col + c0)),
                );
                let dz = S::sub(
                    S::splat(f.mean_rows[1][row]),
                    S::load(f.mean_cols[1].as_ptr().add(col + c0)),
                );
                c = S::fma(dx, dx, S::fma(dz, dz, c));
                re[r]
            } else {
                S::sqrt(S::fma(re[r], re[r], S::mul(im[r], im[r])))
            };
            let d = S::fnma(two, S::add(y, reach), c);
            S::store(out.as_mut_ptr().add(at + 2 * stride), S::max(d, zero));
        }
    }
}

/// Finds pairs below `ceiling` that no neighbour beats: strictly below the four that come first in
/// lexicographic order, not above the four that come after. Looks at rows 1 … rows of `d` and pushes
/// (row, lane) without the padding; the outer two lanes of a strip have no neighbours there and are left
/// to the strip beside it.
///
/// # Safety
/// The running processor has the instruction set of `S`. Sizes are checked here.
#[inline(always)]
pub(crate) unsafe fn minima<S: Lanes>(
    d: &[f32],
    width: usize,
    rows: usize,
    ceiling: f32,
    hits: &mut Vec<(u32, u32)>,
) {
    let stride = row_stride(width);
    assert!(d.len() >= (rows + 2) * stride);
    unsafe {
        let top = S::splat(ceiling);
        for row in 1..=rows {
            for k in (0..width).step_by(S::N) {
                // SAFETY: reads reach two lanes beyond the strip, PAD is more.
                let p = d.as_ptr().add(row * stride + PAD + k);
                let here = S::load(p);
                let mut m = S::lt(here, top);
                if m == 0 {
                    continue;
                }
                // The four nearest first: hardly a vector is left after them, so the branch is foreseen.
                let (up, down) = (p.sub(stride), p.add(stride));
                m &= S::lt(here, S::load(p.sub(1))) & S::le(here, S::load(p.add(1)));
                m &= S::lt(here, S::load(up.add(1))) & S::le(here, S::load(down.sub(1)));
                if m == 0 {
                    continue;
                }
                m &= S::lt(here, S::load(up)) & S::lt(here, S::load(up.add(2)));
                m &= S::le(here, S::load(down.sub(2))) & S::le(here, S::load(down));
                while m != 0 {
                    let lane = k as u32 + m.trailing_zeros();
                    m &= m - 1;
                    if lane >= 2 && (lane as usize) < width - 2 {
                        hits.push((row as u32, lane));
                    }
                }
            }
        }
    }
}
