//! D of one end against a run of columns: products, windows, path and root.
//!
//! Products come from the kernel of the whole search, skewed so that a window is a column of memory (`simd::products`).
//! Their windows are weighted sums of at most 2L + 1 rows, without a shift. The path's part of Z, in f64, is a
//! correlation along the columns with the end's own places as taps: Σ_r (ρ_r ū_{i+r}) conj(ū′_{j+r}).
//!
//! Cost per end and column: 5 × markers × (2L+1) multiply-adds in f32, about 2.5 L² more for the windows, and 4 L² in f64.

use super::clip::{End, Member};
use super::columns::{Columns, Table, Tables};
use super::minima::Strip;
use crate::simd::products::Products;
use crate::simd::{self, Backend, COLS, PAD, ROWS};
use crate::window::Window;

/// What stays the same for all strips of a search.
pub(super) struct Terms<'a> {
    pub window: &'a Window,
    /// No turn or shift: motion tied to its place.
    pub fixed: bool,
    pub backend: Backend,
    /// The ceiling on D of a whole window, a little above the one that counts: D here is f32.
    pub ceiling: f64,
}

/// Working memory of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    /// The end's rows for the kernel, `[block of ROWS][marker][x z y][row]`.
    rows: Vec<f32>,
    tables: Tables,
    grids: [Vec<f32>; 3],
    /// Diagonals of the grids: the first, and how many.
    d0: isize,
    width: usize,
    /// The end's path from its first frame on, and Σσ(|v|² + η²) + |path|².
    path: Vec<[f64; 2]>,
    square: Vec<f64>,
    own: Own,
}

/// The window of the row under way.
#[derive(Default)]
struct Own {
    /// ρ_r and ρ_r ū of its frames.
    rho: Vec<f32>,
    taps: Vec<[f64; 2]>,
    /// Sums of ρ_r (ū, square) over the frames before each.
    sums: Vec<[f64; 3]>,
    /// Means of its path, and its c, by column.
    mean: [Vec<f64>; 2],
    c: Vec<f64>,
}

impl Scratch {
    /// Makes room for the grids of a run of columns. Cells of frames that the clip does not have are never written, and
    /// stay zero for every end.
    pub(super) fn begin(&mut self, columns: &Columns, window: &Window) {
        self.tables.begin(window.half());
        let first = (columns.shown.start - columns.frames.start) as isize;
        let last = first + columns.shown.len() as isize;
        let reach = 2 * window.half() as isize;
        self.d0 = (first - reach).div_euclid(COLS as isize) * COLS as isize;
        self.width = ((last - self.d0) as usize).next_multiple_of(COLS);
        let rows = window.frames().next_multiple_of(ROWS);
        for grid in &mut self.grids {
            grid.clear();
            grid.resize(rows * simd::row_stride(self.width), 0.0);
        }
    }

    /// Fills a strip with D of the end's centres against the columns, and with their ceilings.
    pub(super) fn fill(
        &mut self,
        terms: &Terms<'_>,
        end: &End,
        short: &Member<'_>,
        long: &Member<'_>,
        columns: &Columns,
        strip: &mut Strip,
    ) {
        self.take_end(end, short, long);
        simd::run_products(
            terms.backend,
            &Products {
                rows: &self.rows,
                cols: &columns.packed,
                markers: short.cloud.marker_count(),
                row0: 0,
                row_count: end.frames.len().next_multiple_of(ROWS),
                d0: self.d0,
                width: self.width,
                lead: 0,
                unneeded: &[],
            },
            &mut self.grids,
        );
        strip.reset(end.centres.len(), columns.shown.len());
        pulp::Arch::new().dispatch(Rows {
            scratch: self,
            terms,
            end,
            short,
            columns,
            strip,
        });
    }

    /// Puts the end's heights beside its packed ground coordinates: both sides take off the means of the columns' clip, so
    /// that what comes out does not depend on what else is in the set.
    fn take_end(&mut self, end: &End, short: &Member<'_>, long: &Member<'_>) {
        let markers = short.cloud.marker_count();
        self.rows.clear();
        self.rows.extend_from_slice(&end.packed);
        self.path.clear();
        self.square.clear();
        let [x0, z0] = short.cloud.path()[end.frames.start];
        for (k, f) in end.frames.clone().enumerate() {
            let y = short.cloud.frame(f)[2];
            let out = &mut self.rows[k / ROWS * ROWS * markers * 3 + k % ROWS..];
            for s in 0..markers {
                out[(s * 3 + 2) * ROWS] = ((y[s] - long.rest[s]) * long.root[s]) as f32;
            }
            let [x, z] = short.cloud.path()[f];
            let (x, z) = (x - x0, z - z0);
            self.path.push([x, z]);
            self.square
                .push(short.spread(f, &long.rest) + x * x + z * z);
        }
    }

    #[inline(always)]
    fn row<const FUSED: bool>(
        &mut self,
        terms: &Terms<'_>,
        end: &End,
        short: &Member<'_>,
        columns: &Columns,
        k: usize,
        strip: &mut Strip,
    ) {
        let (window, half) = (terms.window, terms.window.half());
        let centre = end.centres.start + k;
        let shape = (half.min(centre), half.min(short.frames() - 1 - centre));
        let first = centre - shape.0 - end.frames.start;
        let weights = &window.weights()[half - shape.0..=half + shape.1];
        self.own
            .take(weights, &self.path[first..], &self.square[first..]);
        let table = self.tables.get(columns, shape, window, terms.ceiling);
        self.own.by_column(shape, table, columns);
        strip.set_ceiling(k, &table.ceiling);
        let [x0, z0] = short.cloud.path()[end.frames.start];
        let apart = [x0 - columns.origin[0], z0 - columns.origin[1]];
        // Lane of the first column in the grids, and its window's first frame in the path.
        let column = columns.shown.start - columns.frames.start;
        let lane = (PAD + column) as isize - (centre - end.frames.start) as isize - self.d0;
        let tile = Tile {
            grids: &self.grids,
            stride: simd::row_stride(self.width),
            row: first,
            lane: lane as usize,
            rho: &self.own.rho,
            taps: &self.own.taps,
            path: &columns.path,
            place: half + column - shape.0,
        };
        let out = strip.row_mut(k);
        for (at, out) in out.chunks_exact_mut(COLS).enumerate() {
            let at = at * COLS;
            let (body, path) = tile.sums::<FUSED>(at);
            let own = [&self.own.mean[0], &self.own.mean[1], &self.own.c];
            let met = [&table.mean[0], &table.mean[1], &table.c, &table.inverse];
            let own = own.map(|v| lanes(&v[at..]));
            let met = met.map(|v| lanes(&v[at..]));
            finish(&body, &path, own, met, terms.fixed.then_some(apart), out);
        }
        strip.close_row(k);
    }
}

impl Own {
    /// Takes a window that begins with the first of these frames.
    #[inline(always)]
    fn take(&mut self, weights: &[f64], path: &[[f64; 2]], square: &[f64]) {
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
    fn by_column(&mut self, (before, after): (usize, usize), table: &Table, columns: &Columns) {
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

/// All rows of a strip, compiled for the processor at hand. A closure would do, but is not always compiled into the
/// function that has the wider registers.
struct Rows<'a, 'm> {
    scratch: &'a mut Scratch,
    terms: &'a Terms<'a>,
    end: &'a End,
    short: &'a Member<'m>,
    columns: &'a Columns,
    strip: &'a mut Strip,
}

impl pulp::WithSimd for Rows<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for k in 0..self.end.centres.len() {
            let (terms, end, short) = (self.terms, self.end, self.short);
            // Where there is no fused multiply-add, asking for one is a call of a slow function.
            if S::IS_SCALAR {
                self.scratch
                    .row::<false>(terms, end, short, self.columns, k, self.strip);
            } else {
                self.scratch
                    .row::<true>(terms, end, short, self.columns, k, self.strip);
            }
        }
    }
}

/// A row of D under way.
struct Tile<'a> {
    grids: &'a [Vec<f32>; 3],
    stride: usize,
    row: usize,
    lane: usize,
    rho: &'a [f32],
    taps: &'a [[f64; 2]],
    path: &'a [Vec<f64>; 2],
    place: usize,
}

#[inline(always)]
fn lanes<T>(values: &[T]) -> &[T; COLS] {
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
    fn sums<const FUSED: bool>(&self, at: usize) -> ([[f32; COLS]; 3], [[f64; COLS]; 2]) {
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
fn finish(
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
