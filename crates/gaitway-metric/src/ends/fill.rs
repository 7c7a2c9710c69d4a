//! D of one end against a run of columns: products, windows, path and root.
//!
//! Products come from the kernel of the whole search, skewed so that a window is a column of memory (`simd::products`).
//! Their windows are weighted sums of at most 2L + 1 rows, without a shift. The path's part of Z, in f64, is a
//! correlation along the columns with the end's own places as taps: Σ_r (ρ_r ū_{i+r}) conj(ū′_{j+r}).
//!
//! Cost per end and column: 5 × markers × (2L+1) multiply-adds in f32, about 2.5 L² more for the windows, and 4 L² in f64.

use super::clip::{End, Member};
use super::columns::{Columns, Tables};
use super::minima::Strip;
use super::row::{Own, Tile, finish, lanes};
use crate::simd::products::Products;
use crate::simd::{self, Backend, COLS, PAD, ROWS};
use crate::window::Window;

/// What stays the same for all strips of a search.
pub(super) struct Terms<'a> {
    pub window: &'a Window,
    /// No turn or shift: motion tied to its place.
    pub fixed: bool,
    pub backend: Backend,
    /// The ceiling on D of a whole window.
    pub ceiling_m2: f64,
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
        let table = self.tables.get(columns, shape, window, terms.ceiling_m2);
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
