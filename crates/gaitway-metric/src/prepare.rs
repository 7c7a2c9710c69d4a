//! A cloud made ready for the kernel under one window: packed rows and columns, path coefficients, c.
//!
//! For frame r with markers u_s = x_s + i z_s and weights σ_s, write u_s = v_s + ū (body and path). Since Σσv = 0,
//!
//!   Σ_s σ_s u_s conj(u′_s) = Σ_s σ_s v_s conj(v′_s) + ū conj(ū′)                            (DESIGN 3.1)
//!
//! The first sum is the kernel's, in f32. The second, windowed and centred, is Σ_r ρ_r (ū_r − ū)(ū′_r − ū′)*, and
//! in a basis orthonormal under ρ (see [`Window::path_basis`]) it is Σ_k α_k conj(β_k): coefficients taken in f64, at
//! most metres in size however far the clip has gone, and smooth paths need only a few of the 2L. How many is
//! decided per chunk from what is left out: |error| ≤ ‖α beyond K‖ · ‖β beyond K‖ (Cauchy–Schwarz).
//!
//! Heights have each marker's mean over its own clip taken off; what that changes, Σσ(2δ(η − η′) + δ²) with δ the
//! difference of the two clips' means, is no product and goes into c per pair of clips ([`PairTerms`]).

use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::simd::{COLS, ROWS};
use crate::window::{Filter, Window};

/// Frames per block for which the left-out path norm is kept.
pub(crate) const BLOCK: usize = 64;

/// What may be left out of the path product, in m²: a fiftieth of the 1e-6 m² within which ties are allowed to fall.
pub(crate) const PATH_TOLERANCE: f64 = 2e-8;

/// A cloud, packed.
pub(crate) struct Prepared<'a> {
    pub cloud: &'a PointCloud,
    pub half: usize,
    pub filter: Filter,
    /// `[block of ROWS][marker][x z y][row]`, rows padded with zeros to a multiple of COLS, and COLS more.
    pub rows: Vec<f32>,
    /// `[panel of COLS][marker][x z y][column]`, padded with zeros.
    pub cols: Vec<f32>,
    /// Path coefficients stored: 2L.
    pub path_len: usize,
    /// `[block of ROWS][k][re im][row]`, row = centre frame + L.
    pub path_rows: Vec<f32>,
    /// `[panel of COLS][k][re im][column]`.
    pub path_cols: Vec<f32>,
    /// `[k][block]`: the greatest norm, over the block's centre frames, of the coefficients from k on.
    pub left_out: Vec<Vec<f64>>,
    /// Ground part of c by centre frame (first is frame L), heights' part, and window means of the path.
    pub ground: Vec<f64>,
    pub upright: Vec<f64>,
    pub mean: Vec<[f64; 2]>,
    /// Mean height of each marker over the clip, padded.
    pub rest_height: Vec<f64>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(cloud: &'a PointCloud, window: &Window) -> Result<Self, MetricError> {
        let (frames, half) = (cloud.frame_count(), window.half());
        if frames < window.frames() {
            return Err(MetricError::TooShort {
                clip: cloud.name().to_owned(),
                frames,
                window: window.frames(),
            });
        }
        let (filter, scale) = window.filter();
        let rest_height = mean_heights(cloud);
        // Three passes over the clip that know nothing of one another; one long clip should not hold up the cores.
        let ((body, squares), path) = rayon::join(
            || {
                rayon::join(
                    || pack_body(cloud, &rest_height, scale),
                    || sum_squares(cloud, &rest_height, window),
                )
            },
            || pack_path(cloud, window),
        );
        Ok(Self {
            cloud,
            half,
            filter,
            rows: body.0,
            cols: body.1,
            path_len: 2 * half,
            path_rows: path.rows,
            path_cols: path.cols,
            left_out: path.left_out,
            ground: squares.ground,
            upright: squares.upright,
            mean: squares.mean,
            rest_height,
        })
    }

    pub(crate) fn frames(&self) -> usize {
        self.cloud.frame_count()
    }

    /// Path coefficients needed so that no more than [`PATH_TOLERANCE`] is left out between these centre frames.
    pub(crate) fn path_needed(
        &self,
        rows: (usize, usize),
        other: &Prepared<'_>,
        cols: (usize, usize),
    ) -> usize {
        let worst = |p: &Prepared<'_>, k: usize, (from, to): (usize, usize)| {
            let blocks = &p.left_out[k];
            let end = to.div_ceil(BLOCK).min(blocks.len());
            blocks[(from / BLOCK).min(end)..end]
                .iter()
                .fold(0.0, |a: f64, &b| a.max(b))
        };
        (0..self.path_len)
            .find(|&k| worst(self, k, rows) * worst(other, k, cols) <= PATH_TOLERANCE)
            .unwrap_or(self.path_len)
    }
}

/// Frames after padding: whole cells, and one more for the rows that only flush the window.
fn padded(frames: usize) -> usize {
    frames.next_multiple_of(COLS) + COLS
}

/// Rows and columns of the body, scaled so that plain sums of products come out weighted.
fn pack_body(cloud: &PointCloud, rest_height: &[f64], scale: f64) -> (Vec<f32>, Vec<f32>) {
    let (frames, markers) = (cloud.frame_count(), cloud.marker_count());
    let mut rows = vec![0.0; padded(frames) * markers * 3];
    let mut cols = vec![0.0; frames.next_multiple_of(COLS) * markers * 3];
    let root: Vec<f64> = cloud.weights().iter().map(|w| w.sqrt() * scale).collect();
    for f in 0..frames {
        let [x, z, y] = cloud.frame(f);
        let row = &mut rows[f / ROWS * ROWS * markers * 3..];
        let col = &mut cols[f / COLS * COLS * markers * 3..];
        let (row_lane, col_lane) = (f % ROWS, f % COLS);
        for s in 0..markers {
            let v = [x[s], z[s], y[s] - rest_height[s]].map(|v| (v * root[s]) as f32);
            for (c, v) in v.into_iter().enumerate() {
                row[(s * 3 + c) * ROWS + row_lane] = v;
                col[(s * 3 + c) * COLS + col_lane] = v;
            }
        }
    }
    (rows, cols)
}

struct PathParts {
    rows: Vec<f32>,
    cols: Vec<f32>,
    left_out: Vec<Vec<f64>>,
}

/// Path coefficients of every centre frame, and how large what follows each of them is.
fn pack_path(cloud: &PointCloud, window: &Window) -> PathParts {
    let (frames, half, k_max) = (cloud.frame_count(), window.half(), 2 * window.half());
    let basis = window.path_basis();
    let centres = frames - 2 * half;
    let mut rows = vec![0.0; (padded(frames) + 2 * COLS) * k_max * 2];
    let mut cols = vec![0.0; frames.next_multiple_of(COLS) * k_max * 2];
    let mut left_out = vec![vec![0.0_f64; frames.div_ceil(BLOCK)]; k_max + 1];
    let mut coefficients = vec![[0.0; 2]; k_max];
    for c in 0..centres {
        let path = &cloud.path()[c..c + window.frames()];
        let origin = path[half];
        for (q, out) in basis.iter().zip(&mut coefficients) {
            *out = q.iter().zip(path).fold([0.0; 2], |[x, z], (q, p)| {
                [x + q * (p[0] - origin[0]), z + q * (p[1] - origin[1])]
            });
        }
        let centre = c + half;
        let (row, lane) = ((centre + half) / ROWS * ROWS, (centre + half) % ROWS);
        let (col, col_lane) = (centre / COLS * COLS, centre % COLS);
        let mut rest = 0.0;
        for k in (0..k_max).rev() {
            for (part, v) in coefficients[k].iter().enumerate() {
                rows[(row * k_max + k * ROWS) * 2 + part * ROWS + lane] = *v as f32;
                cols[(col * k_max + k * COLS) * 2 + part * COLS + col_lane] = *v as f32;
            }
            rest += coefficients[k][0].powi(2) + coefficients[k][1].powi(2);
            let worst = &mut left_out[k][centre / BLOCK];
            *worst = worst.max(rest.sqrt());
        }
    }
    PathParts {
        rows,
        cols,
        left_out,
    }
}

struct Squares {
    ground: Vec<f64>,
    upright: Vec<f64>,
    mean: Vec<[f64; 2]>,
}

/// Windowed squares of ground and height coordinates, the path's own included, and window means of the path.
fn sum_squares(cloud: &PointCloud, rest_height: &[f64], window: &Window) -> Squares {
    let weights = cloud.padded_weights();
    let (mut ground, mut upright) = (Vec::new(), Vec::new());
    for f in 0..cloud.frame_count() {
        let [x, z, y] = cloud.frame(f);
        let (mut g, mut u) = (0.0, 0.0);
        for s in 0..cloud.marker_count() {
            g += weights[s] * (x[s] * x[s] + z[s] * z[s]);
            u += weights[s] * (y[s] - rest_height[s]).powi(2);
        }
        ground.push(g);
        upright.push(u);
    }
    let (mut ground, upright) = (window.smooth(&ground), window.smooth(&upright));
    let mut mean = Vec::with_capacity(ground.len());
    for (path, ground) in cloud.path().windows(window.frames()).zip(&mut ground) {
        let origin = path[window.half()];
        let (mut mx, mut mz, mut square) = (0.0, 0.0, 0.0);
        for (p, w) in path.iter().zip(window.weights()) {
            let (x, z) = (p[0] - origin[0], p[1] - origin[1]);
            mx += w * x;
            mz += w * z;
            square += w * (x * x + z * z);
        }
        mean.push([origin[0] + mx, origin[1] + mz]);
        *ground += square - mx * mx - mz * mz;
    }
    Squares {
        ground,
        upright,
        mean,
    }
}

/// Mean height of every marker over a clip, padded like the weights.
pub(crate) fn mean_heights(cloud: &PointCloud) -> Vec<f64> {
    let mut mean = vec![0.0; cloud.padded_weights().len()];
    for f in 0..cloud.frame_count() {
        mean.iter_mut()
            .zip(cloud.frame(f)[2])
            .for_each(|(m, y)| *m += y);
    }
    mean.iter_mut()
        .for_each(|m| *m /= cloud.frame_count() as f64);
    mean
}

/// c of both clips of a pair, padded with infinity where a frame has no window.
pub(crate) struct PairTerms {
    /// By centre frame + L.
    pub rows: Vec<f32>,
    /// By frame.
    pub cols: Vec<f32>,
}

impl PairTerms {
    pub(crate) fn new(a: &Prepared<'_>, b: &Prepared<'_>, window: &Window) -> Self {
        let delta: Vec<f64> = a
            .rest_height
            .iter()
            .zip(&b.rest_height)
            .map(|(a, b)| a - b)
            .collect();
        let weights = a.cloud.padded_weights();
        let square: f64 = delta.iter().zip(weights).map(|(d, w)| w * d * d).sum();
        let tilt: Vec<f64> = delta
            .iter()
            .zip(weights)
            .map(|(d, w)| 2.0 * w * d)
            .collect();
        let same = square == 0.0;
        let terms = |p: &Prepared<'_>, sign: f64| -> Vec<f64> {
            let mut c: Vec<f64> = p
                .ground
                .iter()
                .zip(&p.upright)
                .map(|(g, u)| g + u)
                .collect();
            if !same {
                let linear: Vec<f64> = (0..p.frames())
                    .map(|f| {
                        let y = p.cloud.frame(f)[2];
                        (0..tilt.len())
                            .map(|s| tilt[s] * (y[s] - p.rest_height[s]))
                            .sum()
                    })
                    .collect();
                c.iter_mut()
                    .zip(window.smooth(&linear))
                    .for_each(|(c, l)| *c += sign * l);
            }
            c
        };
        let mut rows = vec![f32::INFINITY; padded(a.frames()) + 2 * COLS + 2 * a.half];
        for (out, c) in rows[2 * a.half..].iter_mut().zip(terms(a, 1.0)) {
            *out = (c + square) as f32;
        }
        let mut cols = vec![f32::INFINITY; b.frames().next_multiple_of(COLS)];
        for (out, c) in cols[b.half..].iter_mut().zip(terms(b, -1.0)) {
            *out = c as f32;
        }
        Self { rows, cols }
    }
}
