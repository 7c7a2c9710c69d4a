//! Whether a motion between two could be: what flies falls as things do, what stands does not slide.
//!
//! Both hold where sources go together: heights are means whose times are stretched so that gravity stays gravity, and placement keeps
//! points that stand where they are. Where sources only look alike by their contacts (one hops while the other is thrown about) they do
//! not, and such a motion is left out.

use gaitway_core::fk::FkScratch;
use gaitway_core::interpolate::Interpolated;
use gaitway_core::{Pose, PoseSource};
use glam::DVec3;

use gaitway_core::glam;

/// Gravity, m/s².
const G: f64 = 9.81;
/// A flight must fall by this share of gravity at least, and at most by twice less it: the hips are not the centre of mass.
const FALLS: f64 = 0.4;
/// Frames of flight at the working rate from which a fall can be told.
const LEAST_FLIGHT: usize = 5;
/// The fastest a point may slide, in the mean over all it stands, in m/s: a foot that stands in both sources and slides by more than a
/// hand's breadth in half a second.
const SLIDES: f64 = 0.2;

pub(super) fn is_plausible(made: &Interpolated, fps: f64) -> bool {
    let step = made.rate_hz() / fps;
    let count = (made.frame_count() as f64 / step) as usize;
    let points = made.contact_points().unwrap_or(&[]);
    let mut pose = Pose::new(made.skeleton().joint_count(), made.moving_joints().into());
    let mut fk = FkScratch::new(made.skeleton());
    let mut heights = Vec::with_capacity(count);
    let mut before: Option<(u32, Vec<DVec3>)> = None;
    let (mut slid, mut stood) = (0.0, 0_usize);
    let mut flights = Vec::new();
    for k in 0..count {
        let frame = ((k as f64 * step).round() as usize).min(made.frame_count() - 1);
        made.frame_into(frame, &mut pose);
        fk.solve_moving(made.skeleton(), &pose);
        let mask = made.contact_mask(frame);
        let places: Vec<DVec3> = points
            .iter()
            .map(|p| pose.root + fk.from_root[p.point.index()].as_dvec3())
            .collect();
        if let Some((then, was)) = &before {
            for p in (0..points.len()).filter(|p| mask & then & (1 << p) != 0) {
                slid += (places[p] - was[p]).with_y(0.0).length() * fps;
                stood += 1;
            }
        }
        before = Some((mask, places));
        if mask != 0 || points.is_empty() {
            flights.push(std::mem::take(&mut heights));
        } else {
            heights.push(pose.root.y);
        }
    }
    flights.push(heights);
    let falls = |heights: &Vec<f64>| {
        let g = -curvature(heights) * fps * fps / G;
        (FALLS..=2.0 - FALLS).contains(&g)
    };
    let mut flown = flights.iter().filter(|f| f.len() >= LEAST_FLIGHT);
    flown.all(falls) && slid <= SLIDES * stood.max(1) as f64
}

/// The second difference of the parabola through some values, per frame², by least squares.
fn curvature(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let x = |k: usize| k as f64 - (n - 1.0) / 2.0;
    let mean = (0..values.len()).map(|k| x(k).powi(2)).sum::<f64>() / n;
    let (mut top, mut below) = (0.0, 0.0);
    for (k, v) in values.iter().enumerate() {
        let p = x(k).powi(2) - mean;
        top += p * v;
        below += p * p;
    }
    2.0 * top / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thrown_stone_falls_at_g() {
        let fps = 30.0;
        let heights: Vec<f64> = (0..12)
            .map(|k| {
                let t = f64::from(k) / fps;
                1.0 + 2.0 * t - 0.5 * G * t * t
            })
            .collect();
        assert!((-curvature(&heights) * fps * fps - G).abs() < 1e-9);
        assert!(curvature(&[1.0; 8]).abs() < 1e-12);
    }
}
