//! Bends a motion gently onto its path.
//!
//! Each root p(f) is matched with the nearest point P(s(f)) of the path, s never going back and nearest in all, so that
//! crossings, loops and strokes there and back are told apart. The error e = P(s) − p holds two things: sway, which belongs to the gait, and drift, which does not.
//! A window of a stride (a triangle of a second to each side) has next to nothing of the sway left:
//!
//!   drift = W e,      u ← clamp(u + W (e − u)),  a few times
//!
//! so that what is measured, W(e − u), goes to zero while the sway stays. Of what is left then across the path, sway and corners
//! cut, a part κ is taken out too: a walker on a line sways less, but still sways. clamp keeps ‖u‖ and its change per metre
//! walked within their bounds. u is added to the root and the body is turned by as much as its way has turned. Steps and
//! timing stay. Feet shift with the body: clean the motion afterwards.
//!
//! Cost: a few windows of a stride over all frames, and some four thousand cells per 10 cm walked to match them.

use gaitway_core::Clip;
use gaitway_core::ground::{smooth, smooth_ground_path};
use gaitway_core::planar::{heading_of, wrap_angle};
use glam::{DVec2, Quat};

use super::Path;
use super::edge_paths::SWAY_S;
use crate::SynthError;

/// How often what is left is added.
const ROUNDS: usize = 12;

/// How much a motion may be bent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendOptions {
    /// Largest shift, metres; default 0.15.
    pub most_m: f64,
    /// Largest change of the shift per metre walked, and so the largest turn in radians; default 0.3, 17°.
    pub per_metre: f64,
    /// κ: the part of the sway across the path that is taken out, 0 to 1; default 0.6.
    pub sway: f64,
}

impl Default for BendOptions {
    fn default() -> Self {
        Self {
            most_m: 0.15,
            per_metre: 0.3,
            sway: 0.6,
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
    let part = (0.0..=1.0).contains(&options.sway);
    if !(possible(options.most_m) && possible(options.per_metre) && part) {
        let what = format!(
            "cannot bend by {} m, {} per metre, {} of the sway",
            options.most_m, options.per_metre, options.sway
        );
        return Err(SynthError::Options { what });
    }
    let count = clip.frame_count();
    let way = smooth_ground_path(clip, SWAY_S);
    let mut arc = vec![0.0; count];
    for f in 1..count {
        arc[f] = arc[f - 1] + way[f].distance(way[f - 1]);
    }
    let (error, across) = matched(clip, path);
    let mut shift = vec![DVec2::ZERO; count];
    for _ in 0..ROUNDS {
        let left: Vec<DVec2> = error.iter().zip(&shift).map(|(e, u)| *e - *u).collect();
        for (u, more) in shift.iter_mut().zip(without_sway(&left, clip.rate_hz())) {
            *u = (*u + more).clamp_length_max(options.most_m);
        }
        bounded(&mut shift, &arc, options);
    }
    steady(&mut shift, &error, &across, clip.rate_hz(), options);
    bounded(&mut shift, &arc, options);
    Ok(apply(clip, &way, &shift)?)
}

/// Takes out a part of what is left across the path.
fn steady(
    shift: &mut [DVec2],
    error: &[DVec2],
    across: &[DVec2],
    rate_hz: f64,
    options: &BendOptions,
) {
    /// Faster than this is the shock of a step, not sway, seconds to each side.
    const SHOCK_S: f64 = 0.1;
    let left: Vec<f64> = shift
        .iter()
        .zip(error)
        .zip(across)
        .map(|((u, e), n)| (*e - *u).dot(*n))
        .collect();
    let left = smooth(&left, (SHOCK_S * rate_hz).round() as usize);
    for ((u, n), d) in shift.iter_mut().zip(across).zip(left) {
        *u = (*u + *n * (options.sway * d)).clamp_length_max(options.most_m);
    }
}

/// Where along the path each frame of a motion is.
pub(crate) fn places_along(clip: &Clip, path: &Path) -> Vec<f64> {
    along(&smooth_ground_path(clip, SWAY_S), path)
}

/// From each root to the path's nearest point, s running on with the walk.
pub(crate) fn to_path(clip: &Clip, path: &Path) -> Vec<DVec2> {
    matched(clip, path).0
}

/// The same, and which way is across the path there.
fn matched(clip: &Clip, path: &Path) -> (Vec<DVec2>, Vec<DVec2>) {
    let way = smooth_ground_path(clip, SWAY_S);
    let places = along(&way, path);
    let one = |(root, &s): (&glam::DVec3, &f64)| {
        // Over a little way: at a corner across is across both of its sides.
        let along = path.at(s + 0.1) - path.at(s - 0.1);
        let across = along.normalize_or_zero().perp();
        (path.at(s) - DVec2::new(root.x, root.z), across)
    };
    clip.root().iter().zip(&places).map(one).unzip()
}

/// Where along the path each place of a way is: the s that never go back and are nearest in all, Σ ‖P(s) − p‖² least.
///
/// Dynamic programming over cells of the path within reach of where the way is by its length. What is nearest frame by frame
/// would be stuck at the end of a stroke that is drawn there and back, and the way turns before it.
fn along(way: &[DVec2], path: &Path) -> Vec<f64> {
    /// Cells, metres; a few millimetres more or less across are not seen.
    const CELL_M: f64 = 0.05;
    /// How far ahead or behind of its own length a way may be, metres.
    const REACH_M: f64 = 4.0;
    /// The most that is passed over from one knot to the next, cells.
    const LEAP: usize = 24;
    /// Metres of way between two knots.
    const KNOT_M: f64 = 0.1;
    let mut arc = vec![0.0; way.len()];
    for f in 1..way.len() {
        arc[f] = arc[f - 1] + way[f].distance(way[f - 1]);
    }
    let (Some(&total), length) = (arc.last(), path.length()) else {
        return Vec::new();
    };
    let scale = if total > 0.0 { length / total } else { 0.0 };
    let knots = ((total / KNOT_M).ceil() as usize).max(1) + 1;
    let frame_of = |k: usize| {
        let at = total * k as f64 / (knots - 1) as f64;
        arc.partition_point(|a| *a < at).min(way.len() - 1)
    };
    let half = (REACH_M / CELL_M) as usize;
    let width = 2 * half + 1;
    // The first cell of a knot's band; may be before the path's start.
    let first = |k: usize| (arc[frame_of(k)] * scale / CELL_M).round() as i64 - half as i64;
    let last_cell = (length / CELL_M).ceil() as i64;
    let inside = |c: i64| (0..=last_cell).contains(&c);
    let mut cost = vec![f64::INFINITY; knots * width];
    let mut from = vec![0_u8; knots * width];
    for k in 0..knots {
        let p = way[frame_of(k)];
        for c in 0..width {
            let cell = first(k) + c as i64;
            if !inside(cell) {
                continue;
            }
            let here = path.at(cell as f64 * CELL_M).distance_squared(p);
            let mut best = (if k == 0 { 0.0 } else { f64::INFINITY }, 0_u8);
            for back in (0..=LEAP).take_while(|_| k > 0) {
                let before = cell - back as i64 - first(k - 1);
                let Some(c) = usize::try_from(before).ok().filter(|b| *b < width) else {
                    continue;
                };
                let sum = cost[(k - 1) * width + c];
                if sum < best.0 {
                    best = (sum, back as u8);
                }
            }
            cost[k * width + c] = best.0 + here;
            from[k * width + c] = best.1;
        }
    }
    let end = &cost[(knots - 1) * width..];
    let mut c = (0..width)
        .min_by(|a, b| end[*a].total_cmp(&end[*b]))
        .unwrap_or(half);
    let mut cells = vec![0_i64; knots];
    for k in (0..knots).rev() {
        cells[k] = first(k) + c as i64;
        if k > 0 {
            let before = cells[k] - i64::from(from[k * width + c]) - first(k - 1);
            c = usize::try_from(before).unwrap_or(0).min(width - 1);
        }
    }
    // Between knots in proportion, then to the nearest point about there.
    let near = |f: usize| {
        let at = if total > 0.0 { arc[f] / total } else { 0.0 } * (knots - 1) as f64;
        let k = (at as usize).min(knots - 1);
        let next = cells[(k + 1).min(knots - 1)];
        let s = (cells[k] as f64 + (next - cells[k]) as f64 * (at - k as f64)) * CELL_M;
        let tries = (-10..=10).map(|d| (s + f64::from(d) * 0.01).clamp(0.0, length));
        let distance = |at: &f64| path.at(*at).distance_squared(way[f]);
        tries
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(s)
    };
    (0..way.len()).map(near).collect()
}

/// Over a stride.
pub(crate) fn without_sway(values: &[DVec2], rate_hz: f64) -> Vec<DVec2> {
    let half = (SWAY_S * rate_hz).round() as usize;
    let column =
        |pick: fn(&DVec2) -> f64| smooth(&values.iter().map(pick).collect::<Vec<_>>(), half);
    let (x, z) = (column(|p| p.x), column(|p| p.y));
    x.into_iter()
        .zip(z)
        .map(|(x, z)| DVec2::new(x, z))
        .collect()
}

/// A slope that keeps its bound: forwards, then backwards, no step changes the shift by more than its length allows.
fn bounded(shift: &mut [DVec2], arc: &[f64], options: &BendOptions) {
    let mut follow = |from: usize, to: usize| {
        let allowed = options.per_metre * (arc[to] - arc[from]).abs();
        let change = (shift[to] - shift[from]).clamp_length_max(allowed);
        shift[to] = shift[from] + change;
    };
    (1..arc.len()).for_each(|f| follow(f - 1, f));
    (1..arc.len()).rev().for_each(|f| follow(f, f - 1));
}

fn apply(clip: &Clip, way: &[DVec2], shift: &[DVec2]) -> Result<Clip, gaitway_core::ClipError> {
    let count = clip.frame_count();
    let joints = clip.joint_count();
    // Corners left by the bounds would be kinks in the motion.
    let half = (0.15 * clip.rate_hz()).round() as usize;
    let column =
        |pick: fn(&DVec2) -> f64| smooth(&shift.iter().map(pick).collect::<Vec<_>>(), half);
    let (x, z) = (column(|p| p.x), column(|p| p.y));
    let shift: Vec<DVec2> = x
        .into_iter()
        .zip(z)
        .map(|(x, z)| DVec2::new(x, z))
        .collect();
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
