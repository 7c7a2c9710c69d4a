//! A made-up walker of any number of markers, for tables that need a marker count no real skeleton has.

use gaitway_metric::PointCloud;
use glam::DVec3;

/// Markers swing about a body that walks curves: smooth, not periodic over the run, 1.4 m/s.
pub fn cloud(name: &str, frames: usize, markers: usize, seed: f64) -> PointCloud {
    let mut positions = Vec::with_capacity(frames * markers);
    let (mut x, mut z) = (0.0, 0.0);
    for f in 0..frames {
        let t = f as f64 / 30.0;
        let heading = 0.6 * (0.21 * t + seed).sin() + 0.3 * (0.53 * t).sin() + 0.1 * t;
        x += 1.4 / 30.0 * heading.sin();
        z += 1.4 / 30.0 * heading.cos();
        let phase = 6.3 * t + 0.8 * (0.17 * t + seed).sin();
        for s in 0..markers {
            let k = s as f64;
            let swing = 0.05 + 0.25 * ((k * 0.7).sin().abs());
            let (ox, oz) = (
                0.3 * (k * 2.1).sin(),
                swing * (phase + k * 1.1).sin() + 0.05 * (2.0 * phase + k).cos(),
            );
            let y = 1.8 * (k + 0.5) / markers as f64 + 0.08 * (phase * 2.0 + k * 0.9).sin();
            let (s, c) = heading.sin_cos();
            positions.push(DVec3::new(x + ox * c + oz * s, y, z - ox * s + oz * c));
        }
    }
    PointCloud::from_positions(name, 30.0, &vec![1.0; markers], &positions)
        .expect("a walker is finite")
}
