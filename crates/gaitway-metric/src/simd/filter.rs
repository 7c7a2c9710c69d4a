//! Stage 2: the window along the diagonals, which skewed storage has made vertical.
//!
//! A triangle of width 2L + 1 is a box of L + 1 applied twice. A box of width w is summed by doubling
//! (w → w/2, odd widths add one row), never as a running sum: each output is a fixed tree of additions,
//! so it does not depend on where the chunk began. Works in place: the output for raw rows
//! o + lead − 2L … o + lead goes to row o; the last `lead` raw rows stay for the next chunk.
#![allow(unsafe_code)]

use super::lanes::Lanes;
use super::{PAD, row_stride};
use crate::window::Filter;

/// Runs the window over one grid of `lead + rows` raw rows.
///
/// # Safety
/// The running processor has the instruction set of `S`. Sizes are checked here.
#[inline(always)]
pub(crate) unsafe fn filter<S: Lanes>(
    grid: &mut [f32],
    width: usize,
    rows: usize,
    kind: &Filter,
    half: usize,
    scratch: &mut Vec<f32>,
) {
    let stride = row_stride(width);
    let lead = kind.lead(half);
    assert!(grid.len() >= (lead + rows) * stride && rows.is_multiple_of(4));
    let base = grid.as_mut_ptr();
    scratch.resize(2 * (lead + rows) * S::N, 0.0);
    for k in (0..width).step_by(S::N) {
        // SAFETY: lanes PAD + k … + N of each of the lead + rows rows lie inside the grid.
        unsafe {
            let column = base.add(PAD + k);
            match kind {
                Filter::BoxTwice if half == 7 => triangle8::<S>(column, stride, rows),
                _ => general::<S>(column, stride, rows, kind, half, scratch),
            }
        }
    }
}

/// The default window, L = 7, all in registers: t2, t4, t8 are boxes of the rows read so far, u2, u4, u8
/// the second box. Four rows a turn, so that every look-back of 1, 2 or 4 rows is a fixed register.
#[inline(always)]
unsafe fn triangle8<S: Lanes>(column: *mut f32, stride: usize, rows: usize) {
    unsafe {
        let zero = S::splat(0.0);
        let (mut x, mut t2, mut t4, mut t8, mut u2, mut u4) = (
            [zero; 4], [zero; 4], [zero; 4], [zero; 4], [zero; 4], [zero; 4],
        );
        for i in (0..rows + 16).step_by(4) {
            let p = column.add(i * stride);
            let n: [S::V; 4] = std::array::from_fn(|k| S::load(p.add(k * stride)));
            let n2 = [
                S::add(n[0], x[3]),
                S::add(n[1], n[0]),
                S::add(n[2], n[1]),
                S::add(n[3], n[2]),
            ];
            let n4 = [
                S::add(n2[0], t2[2]),
                S::add(n2[1], t2[3]),
                S::add(n2[2], n2[0]),
                S::add(n2[3], n2[1]),
            ];
            let n8: [S::V; 4] = std::array::from_fn(|k| S::add(n4[k], t4[k]));
            let m2 = [
                S::add(n8[0], t8[3]),
                S::add(n8[1], n8[0]),
                S::add(n8[2], n8[1]),
                S::add(n8[3], n8[2]),
            ];
            let m4 = [
                S::add(m2[0], u2[2]),
                S::add(m2[1], u2[3]),
                S::add(m2[2], m2[0]),
                S::add(m2[3], m2[1]),
            ];
            if i >= 16 {
                let q = column.add((i - 16) * stride);
                for k in 0..4 {
                    S::store(q.add(k * stride), S::add(m4[k], u4[k]));
                }
            }
            (x, t2, t4, t8, u2, u4) = (n, n2, n4, n8, m2, m4);
        }
    }
}

/// Any length and kernel, through a column held in the first cache.
#[inline(always)]
unsafe fn general<S: Lanes>(
    column: *mut f32,
    stride: usize,
    rows: usize,
    kind: &Filter,
    half: usize,
    scratch: &mut [f32],
) {
    let lead = kind.lead(half);
    let (total, skip) = (2 * half + rows, lead - 2 * half);
    let (work, copy) = scratch.split_at_mut((lead + rows) * S::N);
    unsafe {
        for i in 0..total {
            S::store(
                work.as_mut_ptr().add(i * S::N),
                S::load(column.add((i + skip) * stride)),
            );
        }
        match kind {
            Filter::BoxTwice => {
                box_sum::<S>(work, copy, total, half + 1);
                box_sum::<S>(work, copy, total - half, half + 1);
            }
            Filter::Box => box_sum::<S>(work, copy, total, 2 * half + 1),
            Filter::Weights(w) => {
                for o in 0..rows {
                    let mut sum = S::splat(0.0);
                    for (r, &w) in w.iter().enumerate() {
                        sum = S::fma(S::splat(w), S::load(work.as_ptr().add((o + r) * S::N)), sum);
                    }
                    S::store(work.as_mut_ptr().add(o * S::N), sum);
                }
            }
        }
        for o in 0..rows {
            S::store(column.add(o * stride), S::load(work.as_ptr().add(o * S::N)));
        }
    }
}

/// row i ← Σ rows i … i + width − 1, for the first `total − width + 1` rows, by doubling.
#[inline(always)]
unsafe fn box_sum<S: Lanes>(work: &mut [f32], copy: &mut [f32], total: usize, width: usize) {
    copy[..total * S::N].copy_from_slice(&work[..total * S::N]);
    let mut done = 1;
    for bit in (0..width.ilog2()).rev() {
        unsafe {
            for i in 0..=total - 2 * done {
                let p = work.as_mut_ptr().add(i * S::N);
                S::store(p, S::add(S::load(p), S::load(p.add(done * S::N))));
            }
            done *= 2;
            if width >> bit & 1 == 1 {
                for i in 0..total - done {
                    let p = work.as_mut_ptr().add(i * S::N);
                    S::store(
                        p,
                        S::add(S::load(p), S::load(copy.as_ptr().add((i + done) * S::N))),
                    );
                }
                done += 1;
            }
        }
    }
}
