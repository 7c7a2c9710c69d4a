//! The long side of a strip: some frames of a clip as columns, ready to meet the end of any clip.
//!
//! Frames that the clip does not have are zeros everywhere, so that sums over a window need not know where it was cut
//! off: Σ_r ρ_r · 1 over the same zeros tells by how much they are to be divided.
//!
//! What a window of the columns' clip adds to D depends on the end it meets only through how much of the window that
//! end's frame has, `(before, after)`. Almost all ends have 2L + 1 frames or more, and so the same few *shapes*; their
//! sums are taken once per run of columns ([`Table`]) and serve all ends.

use super::clip::Member;
use crate::simd::COLS;
use crate::window::Window;
use std::ops::Range;

/// Frames of a clip, packed. Reused from one run of columns to the next.
#[derive(Default)]
pub(super) struct Columns {
    /// Frames of the whole clip.
    pub clip_frames: usize,
    /// Frames whose D is wanted: the run and its neighbours.
    pub shown: Range<usize>,
    /// Frames that their windows reach.
    pub frames: Range<usize>,
    /// `[panel of COLS][marker][x z y][column]`, with √σ folded in.
    pub packed: Vec<f32>,
    /// Where the path is measured from.
    pub origin: [f64; 2],
    /// The path, with L zeros before the first frame and whole vectors of them after the last.
    pub path: [Vec<f64>; 2],
    /// Σσ(|v|² + η²) + |path|² and 1 of every frame, padded alike.
    square: Vec<f64>,
    one: Vec<f64>,
}

/// What windows of one shape around the columns add to D, by column.
#[derive(Clone, Default)]
pub(super) struct Table {
    /// 1 / Σ ρ_r over the frames that are there.
    pub inverse: Vec<f64>,
    /// Window means of the path.
    pub mean: [Vec<f64>; 2],
    /// c of 3.1.
    pub c: Vec<f64>,
    /// The ceiling on D for that many frames.
    pub ceiling: Vec<f32>,
}

/// The tables of a run of columns.
#[derive(Default)]
pub(super) struct Tables {
    /// Shapes `(L, after)` and `(before, L)`, as far as they were asked for.
    usual: [Vec<Option<Table>>; 2],
    /// Any other shape: of clips shorter than a window, summed again for each.
    other: Table,
}

impl Columns {
    /// Takes a run of columns of a clip.
    pub(super) fn take(&mut self, clip: &Member<'_>, run: Range<usize>, window: &Window) {
        let (all, half) = (clip.frames(), window.half());
        self.clip_frames = all;
        self.shown = run.start.saturating_sub(1)..all.min(run.end + 1);
        self.frames = self.shown.start.saturating_sub(half)..all.min(self.shown.end + half);
        self.pack(clip);
        let first = self.frames.start;
        self.origin = clip.cloud.path()[first];
        let len = self.frames.len() + 2 * half + 2 * COLS;
        let [px, pz] = &mut self.path;
        for out in [&mut *px, &mut *pz, &mut self.square, &mut self.one] {
            out.clear();
            out.resize(len, 0.0);
        }
        for f in self.frames.clone() {
            let at = half + f - first;
            let [x, z] = clip.cloud.path()[f];
            let (x, z) = (x - self.origin[0], z - self.origin[1]);
            (px[at], pz[at], self.one[at]) = (x, z, 1.0);
            self.square[at] = clip.spread(f, &clip.rest) + x * x + z * z;
        }
    }

    fn pack(&mut self, clip: &Member<'_>) {
        let markers = clip.cloud.marker_count();
        self.packed.clear();
        self.packed
            .resize(self.frames.len().next_multiple_of(COLS) * markers * 3, 0.0);
        for (k, f) in self.frames.clone().enumerate() {
            let [x, z, y] = clip.cloud.frame(f);
            let out = &mut self.packed[k / COLS * COLS * markers * 3 + k % COLS..];
            for s in 0..markers {
                let root = clip.root[s];
                out[s * 3 * COLS] = (x[s] * root) as f32;
                out[(s * 3 + 1) * COLS] = (z[s] * root) as f32;
                out[(s * 3 + 2) * COLS] = ((y[s] - clip.rest[s]) * root) as f32;
            }
        }
    }

    #[inline(always)]
    fn sum(
        &self,
        table: &mut Table,
        (before, after): (usize, usize),
        window: &Window,
        ceiling_m2: f64,
    ) {
        let (half, count) = (window.half(), self.shown.len().next_multiple_of(COLS));
        let Table {
            inverse,
            mean: [mx, mz],
            c,
            ..
        } = table;
        for out in [&mut *inverse, &mut *mx, &mut *mz, &mut *c] {
            out.clear();
            out.resize(count, 0.0);
        }
        // Place of the first column's first frame.
        let from = half + self.shown.start - self.frames.start - before;
        let weights = &window.weights()[half - before..=half + after];
        for (k, &rho) in weights.iter().enumerate() {
            let [px, pz] = &self.path;
            for (out, value) in [
                (&mut *inverse, &self.one),
                (&mut *mx, px),
                (&mut *mz, pz),
                (&mut *c, &self.square),
            ] {
                let value = &value[from + k..from + k + count];
                out.iter_mut().zip(value).for_each(|(o, v)| *o += rho * v);
            }
        }
        let means = mx.iter_mut().zip(mz);
        for ((sum, c), (x, z)) in inverse.iter_mut().zip(c).zip(means) {
            // Past the last column nothing may be there; what comes out is not used.
            *sum = if *sum > 0.0 { 1.0 / *sum } else { 0.0 };
            *x *= *sum;
            *z *= *sum;
            *c = *c * *sum - *x * *x - *z * *z;
        }
        table.ceiling.clear();
        // A little above the ceiling that counts: D of a strip may differ from the exact one in the seventh digit.
        let scale = 1.0001 * ceiling_m2 / window.frames() as f64;
        table.ceiling.extend(self.shown.clone().map(|j| {
            let n = before.min(j) + after.min(self.clip_frames - 1 - j) + 1;
            (scale * n as f64 + 1e-6) as f32
        }));
    }
}

impl Tables {
    /// Forgets the last run of columns.
    pub(super) fn begin(&mut self, half: usize) {
        for tables in &mut self.usual {
            tables.clear();
            tables.resize(half + 1, None);
        }
    }

    /// The table of a shape.
    #[inline(always)]
    pub(super) fn get(
        &mut self,
        columns: &Columns,
        (before, after): (usize, usize),
        window: &Window,
        ceiling_m2: f64,
    ) -> &Table {
        let half = window.half();
        let slot = if before == half {
            &mut self.usual[0][after]
        } else if after == half {
            &mut self.usual[1][before]
        } else {
            columns.sum(&mut self.other, (before, after), window, ceiling_m2);
            return &self.other;
        };
        if slot.is_none() {
            let mut table = Table::default();
            columns.sum(&mut table, (before, after), window, ceiling_m2);
            *slot = Some(table);
        }
        slot.as_ref().unwrap_or(&self.other)
    }
}
