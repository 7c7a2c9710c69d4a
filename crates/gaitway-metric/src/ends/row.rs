//! The inner loops of one row of a strip.

use super::columns::{Columns, Table};
use crate::simd::COLS;

/// The window of the row under way.
#[derive(Default)]
pub(super) struct Own {
    /// ρ_r and ρ_r ū of its frames.
    pub rho: Vec<f32>,
    pub taps: Vec<[f64; 2]>,
    /// Sums of ρ_r (ū, square) over the frames before each.
    pub sums: Vec<[f64; 3]>,
    /// Means of its path, and its c, by column.
    pub mean: [Vec<f64>; 2],
    pub c: Vec<f64>,
}

impl Own {
    /// Takes a window that begins with the first of these frames.
    #[inline(always)]
    pub(super) fn take(&mut self, weights: &[f64], path: &[[f64; 2]], square: &[f64]) {
        self.rho.clear();
        self.taps.clear();
        self.sums.clear();
        self.sums.push([0.0; 3]);
        let mut sum = [0.0; 3];
        for (&rho, (&[x, z], square)) in weights.iter().zip(path.iter().zip(square)) {
            self.rho.push(rho as f32);
            self.taps.push([rho * x, rho * z]);
            sum = [sum[0] + rho * x, sum[1] + rho * z, sum[2] + rho * square];
            self.sums.push(sum);
        }
    }

    /// Its mean and c for every column: the same for all but those near the ends of the columns' clip.
    #[inline(always)]
    pub(super) fn by_column(
        &mut self,
        (before, after): (usize, usize),
        table: &Table,
        columns: &Columns,
    ) {
        let (first, clip) = (columns.shown.start, columns.clip_frames);
        let count = table.inverse.len();
        let [mx, mz] = &mut self.mean;
        for out in [&mut *mx, &mut *mz, &mut self.c] {
            out.resize(count, 0.0);
        }
        let sums = &self.sums;
        let value = |column: usize| {
            let j = first + column;
            let (low, high) = (
                before - before.min(j),
                before + 1 + after.min((clip - 1).saturating_sub(j)),
            );
            let part = |k: usize| (sums[high][k] - sums[low][k]) * table.inverse[column];
            let (x, z) = (part(0), part(1));
            (x, z, part(2) - x * x - z * z)
        };
        let from = before.saturating_sub(first).min(count);
        let to = clip.saturating_sub(after + first).clamp(from, count);
        for column in (0..from).chain(to..count) {
            (mx[column], mz[column], self.c[column]) = value(column);
        }
        if from < to {
            let (x, z, c) = value(from);
            mx[from..to].fill(x);
            mz[from..to].fill(z);
            self.c[from..to].fill(c);
        }
    }
}

/// A row of D under way.
pub(super) struct Tile<'a> {
    pub grids: &'a [Vec<f32>; 3],
    pub stride: usize,
    pub row: usize,
    pub lane: usize,
    pub rho: &'a [f32],
    pub taps: &'a [[f64; 2]],
    pub path: &'a [Vec<f64>; 2],
    pub place: usize,
}

#[inline(always)]
pub(super) fn lanes<T>(values: &[T]) -> &[T; COLS] {
    values
        .first_chunk()
        .expect("rows are padded to whole vectors")
}

#[inline(always)]
fn add<const FUSED: bool>(a: f64, b: f64, sum: f64) -> f64 {
    if FUSED {
        a.mul_add(b, sum)
    } else {
        a * b + sum
    }
}

#[inline(always)]
fn add32<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
    if FUSED {
        a.mul_add(b, sum)
    } else {
        a * b + sum
    }
}

impl Tile<'_> {
    /// Windowed products of the body and of the path for [`COLS`] columns from `at` on, not yet divided by Σρ.
    #[inline(always)]
    pub(super) fn sums<const FUSED: bool>(
        &self,
        at: usize,
    ) -> ([[f32; COLS]; 3], [[f64; COLS]; 2]) {
        let mut body = [[0.0f32; COLS]; 3];
        let (mut re, mut im) = ([0.0f64; COLS], [0.0f64; COLS]);
        for (r, (&rho, &[tx, tz])) in self.rho.iter().zip(self.taps).enumerate() {
            let from = (self.row + r) * self.stride + self.lane + at;
            for (sum, grid) in body.iter_mut().zip(self.grids) {
                let value = lanes(&grid[from..]);
                for k in 0..COLS {
                    sum[k] = add32::<FUSED>(rho, value[k], sum[k]);
                }
            }
            let place = self.place + r + at;
            let (x, z) = (lanes(&self.path[0][place..]), lanes(&self.path[1][place..]));
            for k in 0..COLS {
                re[k] = add::<FUSED>(tz, z[k], add::<FUSED>(tx, x[k], re[k]));
                im[k] = add::<FUSED>(-tx, z[k], add::<FUSED>(tz, x[k], im[k]));
            }
        }
        (body, [re, im])
    }
}

/// D = c + c′ − 2Y − 2|Z|, or with nothing taken out c + c′ + |ū − ū′|² − 2Y − 2 Re Z. `apart` is the way between the two
/// origins that paths are measured from, given where the clips stay in place.
#[inline(always)]
pub(super) fn finish(
    [re, im, up]: &[[f32; COLS]; 3],
    [path_re, path_im]: &[[f64; COLS]; 2],
    [x, z, c]: [&[f64; COLS]; 3],
    [x2, z2, c2, inverse]: [&[f64; COLS]; 4],
    apart: Option<[f64; 2]>,
    out: &mut [f32],
) {
    let (mut real, mut square, mut rest) = ([0.0; COLS], [0.0; COLS], [0.0; COLS]);
    for k in 0..COLS {
        let im = (f64::from(im[k]) + path_im[k]) * inverse[k] - (z[k] * x2[k] - x[k] * z2[k]);
        real[k] = (f64::from(re[k]) + path_re[k]) * inverse[k] - (x[k] * x2[k] + z[k] * z2[k]);
        square[k] = real[k] * real[k] + im * im;
        rest[k] = c[k] + c2[k] - 2.0 * f64::from(up[k]) * inverse[k];
    }
    if let Some([ox, oz]) = apart {
        for k in 0..COLS {
            let (gx, gz) = (x[k] - x2[k] + ox, z[k] - z2[k] + oz);
            out[k] = ((rest[k] + gx * gx + gz * gz - 2.0 * real[k]) as f32).max(0.0);
        }
    } else {
        for k in 0..COLS {
            // A root in f32, then what it leaves of the square: as good as one in f64, at a third of its price.
            let root = (square[k] as f32).sqrt().max(f32::MIN_POSITIVE);
            let left = square[k] - f64::from(root) * f64::from(root);
            let d = rest[k] - 2.0 * f64::from(root) - f64::from(left as f32 / root);
            out[k] = (d as f32).max(0.0);
        }
    }
}
