//! Made-up motion for the laws: smooth, seeded, far from or near the origin.
#![allow(dead_code, missing_docs)] // every test file uses its own part

pub mod ends;

use gaitway_metric::{Candidate, MetricOptions, Placement, PointCloud, Window, naive};
use glam::DVec3;

/// A small generator with a written-down sequence (SplitMix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Positions of markers that swing around a body going at `speed` from `start`, `[frame][marker]`.
pub fn motion(seed: u64, frames: usize, markers: usize, speed: f64, start: DVec3) -> Vec<DVec3> {
    let mut rng = Rng(seed);
    let swings: Vec<[f64; 6]> = (0..markers)
        .map(|_| {
            let up = rng.range(0.1, 1.7);
            [
                rng.range(-0.3, 0.3),
                up,
                rng.range(0.05, 0.3),
                rng.range(0.0, 6.3),
                rng.range(0.02, 0.1),
                rng.range(-0.2, 0.2),
            ]
        })
        .collect();
    let (pace, bend) = (rng.range(5.0, 7.0), rng.range(-0.4, 0.4));
    let (mut at, mut out) = (start, Vec::new());
    for f in 0..frames {
        let t = f as f64 / 30.0;
        let heading = bend * t + 0.5 * (0.4 * t).sin();
        at += DVec3::new(heading.sin(), 0.0, heading.cos()) * speed / 30.0;
        for [x, y, swing, phase, lift, z] in &swings {
            let a = pace * t + phase;
            let (ox, oz) = (*x, z + swing * a.sin());
            let (s, c) = heading.sin_cos();
            out.push(at + DVec3::new(ox * c + oz * s, y + lift * (2.0 * a).cos(), oz * c - ox * s));
        }
    }
    out
}

pub fn weights(seed: u64, markers: usize) -> Vec<f64> {
    let mut rng = Rng(seed ^ 77);
    (0..markers).map(|_| rng.range(0.2, 2.0)).collect()
}

pub fn cloud(seed: u64, frames: usize, markers: usize, speed: f64) -> PointCloud {
    let positions = motion(seed, frames, markers, speed, DVec3::ZERO);
    PointCloud::from_positions(format!("m{seed}"), 30.0, &weights(9, markers), &positions).unwrap()
}

/// D of every valid pair by the twin, infinite elsewhere, `[i][j]`.
pub fn twin_grid(
    a: &PointCloud,
    b: &PointCloud,
    options: &MetricOptions,
    window: &Window,
) -> Vec<Vec<f64>> {
    let half = window.half();
    let fixed = options.placement == Placement::Fixed;
    let mut grid = vec![vec![f64::INFINITY; b.frame_count()]; a.frame_count()];
    for (i, row) in grid
        .iter_mut()
        .enumerate()
        .take(a.frame_count() - half)
        .skip(half)
    {
        for (j, d) in row
            .iter_mut()
            .enumerate()
            .take(b.frame_count() - half)
            .skip(half)
        {
            *d = if fixed {
                naive::fixed(a, i, b, j, window)
            } else {
                naive::align(a, i, b, j, window).distance_m2
            };
        }
    }
    grid
}

/// Smallest difference between a pair's D and a neighbour's, signed: negative if a neighbour is nearer.
pub fn lead(grid: &[Vec<f64>], i: usize, j: usize) -> f64 {
    let mut lead = f64::INFINITY;
    for di in -1isize..=1 {
        for dj in -1isize..=1 {
            let row = i.checked_add_signed(di).and_then(|r| grid.get(r));
            let other = row.and_then(|r| r.get(j.checked_add_signed(dj)?));
            if (di, dj) != (0, 0) {
                lead = lead.min(other.copied().unwrap_or(f64::INFINITY) - grid[i][j]);
            }
        }
    }
    lead
}

/// Holds a set of candidates against a brute-force scan, but for near ties (1e-6 m², DESIGN 3.1).
pub fn check_against_scan(
    found: &[Candidate],
    grid: &[Vec<f64>],
    ceiling_m2: f64,
    apart: Option<usize>,
) {
    let tie = 1e-6;
    let has: std::collections::HashSet<(u32, u32)> = found.iter().map(|c| (c.i, c.j)).collect();
    assert_eq!(has.len(), found.len(), "a candidate came twice");
    for c in found {
        let (i, j) = (c.i as usize, c.j as usize);
        assert!(lead(grid, i, j) > -tie, "({i}, {j}) is no minimum");
        assert!(
            (c.distance_m2 - grid[i][j]).abs() < 1e-10,
            "({i}, {j}): {} and {}",
            c.distance_m2,
            grid[i][j]
        );
        assert!(c.distance_m2 < ceiling_m2);
    }
    for (i, row) in grid.iter().enumerate() {
        for (j, &d) in row.iter().enumerate() {
            let allowed = apart.is_none_or(|apart| j > i + apart);
            if allowed && d < ceiling_m2 && lead(grid, i, j) > tie {
                assert!(
                    has.contains(&(i as u32, j as u32)),
                    "({i}, {j}) at {d} was missed"
                );
            }
        }
    }
}
