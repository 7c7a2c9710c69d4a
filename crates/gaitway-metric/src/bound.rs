//! An exact lower bound on D over whole cells of the grid, to leave out what cannot be below the ceiling.
//!
//! Over a window, Cauchy–Schwarz marker by marker gives |Z| ≤ Σ_s σ_s √E|v_s|² √E|v′_s|² + √var √var′ (var: of the
//! centred path), and Jensen bounds the heights by those of their window means. So with the feature vector
//!
//!   φ = ( √σ_s E y_s,  √(σ_s E|v_s|²),  √var path,  √(Σσ var y_s) )
//!
//! D(i, j) ≥ ‖φ_i − φ′_j‖², which is never worse than (√c_i − √c′_j)². Frames are taken in cells of 16; the gap
//! between two boxes of features bounds every pair of two cells. A cell pair above the ceiling (plus what rounding
//! may add) holds no candidate and beats no neighbour that is one, so its D may as well be infinite.

use crate::prepare::Prepared;
use crate::simd::COLS;
use crate::strip::Task;
use crate::window::Window;

/// Bounds for a clip pair.
pub(crate) struct CellBound<'a> {
    /// Boxes of the rows by cells of centre frame + L, of the columns by panel.
    rows: &'a Boxes,
    cols: &'a Boxes,
    half: usize,
    limit: f32,
}

/// Feature boxes of one clip's cells, `[feature][cell]`, so that one row cell meets many panels in whole vectors.
#[derive(Clone, Debug)]
pub(crate) struct Boxes {
    cells: usize,
    low: Vec<f32>,
    high: Vec<f32>,
}

/// Boxes of a clip as rows and as columns.
pub(crate) fn boxes(p: &Prepared<'_>, window: &Window) -> [Boxes; 2] {
    let features = features(p, window);
    [
        Boxes::new(&features, 2 * p.half),
        Boxes::new(&features, p.half),
    ]
}

/// Features of every centre frame, `[feature][frame]`.
fn features(p: &Prepared<'_>, window: &Window) -> Vec<Vec<f64>> {
    let (markers, frames) = (p.cloud.marker_count(), p.frames());
    let weights = p.cloud.weights();
    let mut out = Vec::with_capacity(2 * markers + 2);
    let mut mean_square = vec![0.0; p.ground.len()];
    let mut body = vec![0.0; p.ground.len()];
    for s in 0..markers {
        let heights: Vec<f64> = (0..frames).map(|f| p.cloud.frame(f)[2][s]).collect();
        let mean = window.smooth(&heights);
        for (sum, m) in mean_square.iter_mut().zip(&mean) {
            *sum += weights[s] * (m - p.rest_height[s]).powi(2);
        }
        out.push(mean.iter().map(|m| m * weights[s].sqrt()).collect());
        let squares: Vec<f64> = (0..frames)
            .map(|f| {
                let [x, z, _] = p.cloud.frame(f);
                x[s] * x[s] + z[s] * z[s]
            })
            .collect();
        let radius: Vec<f64> = window
            .smooth(&squares)
            .iter()
            .map(|r| r * weights[s])
            .collect();
        body.iter_mut().zip(&radius).for_each(|(b, r)| *b += r);
        out.push(radius.iter().map(|r| r.max(0.0).sqrt()).collect());
    }
    out.push(
        p.ground
            .iter()
            .zip(&body)
            .map(|(g, b)| (g - b).max(0.0).sqrt())
            .collect(),
    );
    out.push(
        p.upright
            .iter()
            .zip(&mean_square)
            .map(|(u, m)| (u - m).max(0.0).sqrt())
            .collect(),
    );
    out
}

impl Boxes {
    /// Boxes over cells of [`COLS`] frames, the first centre frame at index `offset`.
    fn new(features: &[Vec<f64>], offset: usize) -> Self {
        let frames = features.first().map_or(0, Vec::len);
        let cells = (offset + frames).div_ceil(COLS) + 2;
        let mut boxes = Self {
            cells,
            low: vec![f32::INFINITY; cells * features.len()],
            high: vec![f32::NEG_INFINITY; cells * features.len()],
        };
        for (k, values) in features.iter().enumerate() {
            for (f, &v) in values.iter().enumerate() {
                let at = k * cells + (offset + f) / COLS;
                // Rounding to f32 may move a value by 6e-8 of itself; the limit's margin covers it.
                boxes.low[at] = boxes.low[at].min(v as f32);
                boxes.high[at] = boxes.high[at].max(v as f32);
            }
        }
        boxes
    }

    fn features(&self) -> usize {
        self.low.len() / self.cells
    }
}

impl<'a> CellBound<'a> {
    pub(crate) fn new(rows: &'a Boxes, cols: &'a Boxes, half: usize, ceiling_m2: f64) -> Self {
        // One part in 10⁴ and a square millimetre: far above what f32 loses in features, products and roots.
        Self {
            rows,
            cols,
            half,
            limit: (ceiling_m2 * 1.0001 + 1e-6) as f32,
        }
    }

    /// Squared gap between the boxes of a row cell and of panels `first …`, for as many as `out` holds.
    /// Cells without frames are infinitely far from all.
    fn gaps(&self, cell: usize, first: isize, out: &mut [f32]) {
        out.fill(0.0);
        let from = first.clamp(0, self.cols.cells as isize) as usize;
        let to =
            (first + out.len() as isize).clamp(from as isize, self.cols.cells as isize) as usize;
        let start = (from as isize - first).max(0) as usize;
        if cell >= self.rows.cells {
            out.fill(f32::INFINITY);
            return;
        }
        for k in 0..self.rows.features() {
            let (low, high) = (
                self.rows.low[k * self.rows.cells + cell],
                self.rows.high[k * self.rows.cells + cell],
            );
            let range = k * self.cols.cells + from..k * self.cols.cells + to;
            let columns = self.cols.low[range.clone()]
                .iter()
                .zip(&self.cols.high[range]);
            for (gap, (&l, &h)) in out[start..].iter_mut().zip(columns) {
                // Comparisons rather than `max`, whose care for NaN keeps it from being one instruction.
                let (left, right) = (low - h, l - high);
                let apart = if left > right { left } else { right };
                let apart = if apart > 0.0 { apart } else { 0.0 };
                *gap += apart * apart;
            }
        }
        let inside = start..start + (to - from);
        for (k, gap) in out.iter_mut().enumerate() {
            if !inside.contains(&k) {
                *gap = f32::INFINITY;
            }
        }
    }

    /// The share of a coarse sample of cell pairs that lies above the ceiling.
    pub(crate) fn sample(&self) -> f64 {
        let (mut above, mut all) = (0usize, 0usize);
        let mut gaps = vec![0.0; self.cols.cells];
        for cell in (0..self.rows.cells).step_by((self.rows.cells / 16).max(1)) {
            self.gaps(cell, 0, &mut gaps);
            let finite = gaps.iter().filter(|g| g.is_finite());
            all += finite.clone().count();
            above += finite.filter(|g| **g > self.limit).count();
        }
        above as f64 / all.max(1) as f64
    }

    /// Marks, for a chunk, the output cells above the ceiling and the product cells that no other output needs.
    /// Returns (cells in the grid, cells above).
    pub(crate) fn mark(
        &self,
        task: &Task,
        row: usize,
        count: usize,
        above: &mut Vec<bool>,
        unneeded: &mut Vec<bool>,
    ) -> (u64, u64) {
        let cells = count.div_ceil(COLS);
        // A window reaches 2L raw rows back: outputs that far below still need this chunk's products.
        let below = (2 * self.half).div_ceil(COLS);
        let reach = self.half.div_ceil(COLS) as isize;
        let (wide, narrow) = (task.width / COLS + 2, task.width / COLS + 1);
        let first_out = |cell: usize| {
            ((cell * COLS) as isize - self.half as isize + task.d0).div_euclid(COLS as isize)
        };
        above.clear();
        let mut gaps = vec![0.0f32; wide];
        let (mut all, mut over) = (0, 0);
        for cell in row / COLS..row / COLS + cells + below {
            self.gaps(cell, first_out(cell), &mut gaps);
            if cell < row / COLS + cells {
                let finite = gaps.iter().filter(|g| g.is_finite());
                all += finite.clone().count() as u64;
                over += finite.filter(|g| **g > self.limit).count() as u64;
            }
            above.extend(gaps.iter().map(|g| *g > self.limit));
        }
        unneeded.clear();
        for c in 0..cells {
            let first_raw =
                (task.d0 + ((row / COLS + c) * COLS) as isize).div_euclid(COLS as isize);
            for p in 0..narrow as isize {
                let free = (c..=c + below).all(|o| {
                    let at = first_raw + p - first_out(row / COLS + o);
                    let (from, to) = ((at - reach).max(0), (at + reach + 1).min(wide as isize));
                    from >= to
                        || above[o * wide + from as usize..o * wide + to as usize]
                            .iter()
                            .all(|a| *a)
                });
                unneeded.push(free);
            }
        }
        (all, over)
    }
}
