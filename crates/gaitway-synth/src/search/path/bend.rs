//! Bends a motion gently onto its path.
//!
//! What error a search leaves is a few centimetres, drifting slowly. The root's way without its sway is compared with the
//! path at the same arc length; the difference, smoothed over a stride and bounded in size and in slope, is added to the
//! root, and the body is turned by as much as its way has turned. Sway, steps and timing stay. Feet shift with the body:
//! clean the motion afterwards.

use gaitway_core::Clip;
use gaitway_core::ground::{smooth, smooth_ground_path};
use gaitway_core::planar::{heading_of, wrap_angle};
use glam::{DVec2, Quat};

use super::Path;
use super::edge_paths::SWAY_S;
use crate::SynthError;

/// How much a motion may be bent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendOptions {
    /// Largest shift, metres; default 0.15.
    pub most_m: f64,
    /// Largest change of the shift per metre walked, and so the largest turn in radians; default 0.08, 4.6°.
    pub per_metre: f64,
}

impl Default for BendOptions {
    fn default() -> Self {
        Self {
            most_m: 0.15,
            per_metre: 0.08,
        }
    }
}

impl BendOptions {
    /// Shifts up to so many metres.
    pub fn most(most_m: f64) -> Self {
        Self {
            most_m,
            ..Self::default()
        }
    }
}

/// The motion bent towards its path.
///
/// # Errors
/// When a bound is not a number of 0 or more.
pub fn bend(clip: &Clip, path: &Path, options: &BendOptions) -> Result<Clip, SynthError> {
    let possible = |v: f64| v.is_finite() && v >= 0.0;
    if !(possible(options.most_m) && possible(options.per_metre)) {
        let what = format!(
            "cannot bend by {} m, {} per metre",
            options.most_m, options.per_metre
        );
        return Err(SynthError::Options { what });
    }
    let count = clip.frame_count();
    let way = smooth_ground_path(clip, SWAY_S);
    let mut arc = vec![0.0; count];
    for f in 1..count {
        arc[f] = arc[f - 1] + way[f].distance(way[f - 1]);
    }
    // The walk and the path may differ a little in length; that is spread over all of it.
    let whole = arc.last().copied().unwrap_or(0.0);
    let stretch = if (whole - path.length()).abs() < 0.15 * path.length() {
        path.length() / whole.max(1e-9)
    } else {
        1.0
    };
    let wanted: Vec<DVec2> = (0..count)
        .map(|f| (path.at(arc[f] * stretch) - way[f]).clamp_length_max(options.most_m))
        .collect();
    let shift = bounded(&wanted, &arc, clip.rate_hz(), options);
    Ok(apply(clip, &way, &shift)?)
}

/// Smoothed over a stride, with a slope that keeps its bound from both sides.
fn bounded(wanted: &[DVec2], arc: &[f64], rate_hz: f64, options: &BendOptions) -> Vec<DVec2> {
    let half = (SWAY_S * rate_hz / 2.0).round() as usize;
    let column =
        |pick: fn(&DVec2) -> f64| smooth(&wanted.iter().map(pick).collect::<Vec<_>>(), half);
    let (x, z) = (column(|p| p.x), column(|p| p.y));
    let mut out: Vec<DVec2> = x
        .into_iter()
        .zip(z)
        .map(|(x, z)| DVec2::new(x, z))
        .collect();
    // Forwards, then backwards: no step changes the shift by more than its length allows.
    let mut follow = |from: usize, to: usize| {
        let allowed = options.per_metre * (arc[to] - arc[from]).abs();
        let change = (out[to] - out[from]).clamp_length_max(allowed);
        out[to] = out[from] + change;
    };
    (1..wanted.len()).for_each(|f| follow(f - 1, f));
    (1..wanted.len()).rev().for_each(|f| follow(f, f - 1));
    out
}

fn apply(clip: &Clip, way: &[DVec2], shift: &[DVec2]) -> Result<Clip, gaitway_core::ClipError> {
    let count = clip.frame_count();
    let joints = clip.joint_count();
    let turn: Vec<f64> = (0..count)
        .map(|f| {
            let (a, b) = (f.saturating_sub(1), (f + 1).min(count - 1));
            let before = way[b] - way[a];
            let after = before + shift[b] - shift[a];
            // Who stands has no way to turn.
            if before.length() * clip.rate_hz() < 0.2 {
                return 0.0;
            }
            wrap_angle(heading_of(after.x, after.y) - heading_of(before.x, before.y))
        })
        .collect();
    let turn = smooth(&turn, (0.5 * clip.rate_hz()).round() as usize);
    let mut parts = clip.clone().into_parts();
    for f in 0..count {
        parts.root[f].x += shift[f].x;
        parts.root[f].z += shift[f].y;
        let root = &mut parts.rotations[f * joints];
        *root = (Quat::from_rotation_y(turn[f] as f32) * *root).normalize();
    }
    parts.build()
}
