//! The whole grid between two clips, for looking at: √D in centimetres, and its minima as a table.

use crate::candidate::{Candidate, Matcher};
use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::options::{MetricOptions, Skipping};
use crate::strip::{Scratch, Task};
use rayon::prelude::*;
use serde::Serialize;

/// The largest grid that is made, in pairs: 4 GiB of f32.
const MAX_PAIRS: u64 = 1 << 30;

/// √D between all frames of two clips.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceGrid {
    /// Frames of the first clip.
    pub rows: usize,
    /// Frames of the second clip.
    pub cols: usize,
    /// √D in centimetres, row by row; NaN where a frame has no window around it.
    pub cm: Vec<f32>,
}

impl DistanceGrid {
    /// One value.
    pub fn at(&self, i: usize, j: usize) -> f32 {
        self.cm[i * self.cols + j]
    }
}

/// The grid between two clouds, both halves where they are the same. This one result is as large as the product
/// of the clips' lengths; candidates do not need it.
pub fn distance_grid(
    a: &PointCloud,
    b: &PointCloud,
    options: &MetricOptions,
) -> Result<DistanceGrid, MetricError> {
    let (rows, cols) = (a.frame_count(), b.frame_count());
    if rows as u64 * cols as u64 > MAX_PAIRS {
        let what = format!(
            "a grid of {rows} × {cols} frames is too large to hold; cut the clips or ask for minima only"
        );
        return Err(MetricError::Options { what });
    }
    let options = MetricOptions {
        skipping: Skipping::Off,
        ..options.clone()
    };
    let matcher = Matcher::new(&[a, b], &options)?;
    let context = matcher.context(0, 1);
    let half = matcher.window.half();
    let mut cm = vec![f32::NAN; rows * cols];
    // A few tasks at a time, so that their own copies stay small beside the grid.
    for wave in context.tasks().chunks(4 * rayon::current_num_threads()) {
        let parts: Vec<Vec<f32>> = wave
            .par_iter()
            .map_init(Scratch::default, |scratch, task| {
                let mut part = vec![0.0; task.rows.len() * task.width];
                context.run(task, scratch, |chunk, _| {
                    for row in 2..chunk.rows + 2 {
                        let i = chunk.first_centre + row as isize - 2;
                        if i >= 0 && task.rows.contains(&(i as usize)) {
                            let at = (i as usize - task.rows.start) * task.width;
                            part[at..at + task.width].copy_from_slice(chunk.row(row));
                        }
                    }
                });
                part
            })
            .collect();
        for (task, part) in wave.iter().zip(parts) {
            paste(task, &part, half..cols - half, cols, &mut cm);
        }
    }
    Ok(DistanceGrid { rows, cols, cm })
}

fn paste(task: &Task, part: &[f32], valid: std::ops::Range<usize>, cols: usize, cm: &mut [f32]) {
    for (i, row) in task.rows.clone().zip(part.chunks_exact(task.width)) {
        for (lane, d) in row.iter().enumerate().take(task.own_end).skip(2) {
            let j = i as isize + task.d0 + lane as isize;
            if j >= 0 && valid.contains(&(j as usize)) {
                cm[i * cols + j as usize] = d.sqrt() * 100.0;
            }
        }
    }
}

/// The result of `gaitway distance`, as it is printed in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DistanceReport {
    /// First clip.
    pub a: String,
    /// Second clip.
    pub b: String,
    /// Working rate.
    pub rate_hz: f64,
    /// Frames of the window, 2L + 1.
    pub window_frames: usize,
    /// Local minima below the ceiling, nearest first.
    pub minima: Vec<Minimum>,
}

/// A row of a [`DistanceReport`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Minimum {
    /// Frame of the first clip at the working rate.
    pub i: u32,
    /// Frame of the second clip.
    pub j: u32,
    /// RMS marker distance.
    pub distance_cm: f64,
    /// Turn of the second clip onto the first.
    pub theta_rad: f64,
    /// Shift along x after the turn.
    pub x0_m: f64,
    /// Shift along z after the turn.
    pub z0_m: f64,
}

impl DistanceReport {
    /// A table of candidates between two clouds.
    pub fn new(
        a: &PointCloud,
        b: &PointCloud,
        options: &MetricOptions,
        candidates: &[Candidate],
    ) -> Result<Self, MetricError> {
        let mut minima: Vec<Minimum> = candidates
            .iter()
            .map(|c| Minimum {
                i: c.i,
                j: c.j,
                distance_cm: c.distance_cm(),
                theta_rad: c.theta,
                x0_m: c.x0,
                z0_m: c.z0,
            })
            .collect();
        minima.sort_by(|x, y| {
            x.distance_cm
                .total_cmp(&y.distance_cm)
                .then((x.i, x.j).cmp(&(y.i, y.j)))
        });
        let window_frames = options.window(a.rate_hz())?.frames();
        Ok(Self {
            a: a.name().to_owned(),
            b: b.name().to_owned(),
            rate_hz: a.rate_hz(),
            window_frames,
            minima,
        })
    }
}
