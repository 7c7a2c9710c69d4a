//! A way led along a drawn curve [Gleicher01].
//!
//! The clip's own way is its root on the ground, smoothed over strides, with the arc length s and a heading θ(s) at every frame. A frame is moved by what takes
//! its own (P, θ) to the curve's (C, ϑ) at k s:
//!
//!   p ↦ C(k s) + R(ϑ(k s) − θ(s)) (p − P(s)),    k = length of the curve / length of the way
//!
//! so the body keeps how it sways about its way and how it faces along it. A foot that stands is moved as its body is in the middle of its stand, and stands.

use gaitway_core::{Clip, Planar, ground};
use glam::{DVec2, DVec3};

use super::feet::{as_they_are, settle};
use super::{EditError, EditStep, options};
use crate::body::Body;
use crate::solve::residuals;

/// Over how long a way is smoothed, seconds: about a stride.
const STRIDE_S: f64 = 1.2;
/// Headings are those of chords this far ahead and back, metres.
const CHORD_M: f64 = 0.3;
/// Less than this is no way to lead anywhere, metres.
const SHORTEST_M: f64 = 0.5;
/// Steps may become this much longer, or shorter by its inverse.
const LONGEST: f64 = 1.5;
/// The change of a path is as slow as a step.
const SPREAD_S: f64 = 0.1;

/// A clip's own way: places on the ground per frame, smoothed over strides.
pub fn own_path(clip: &Clip) -> Vec<DVec2> {
    ground::smooth_ground_path(clip, STRIDE_S)
}

/// A line by its length.
struct Line {
    points: Vec<DVec2>,
    /// Arc length at each point.
    at: Vec<f64>,
}

impl Line {
    fn new(points: &[DVec2]) -> Self {
        let mut out = Self {
            points: Vec::with_capacity(points.len()),
            at: Vec::with_capacity(points.len()),
        };
        for &p in points {
            let s = match (out.points.last(), out.at.last()) {
                (Some(&last), Some(&s)) => s + p.distance(last),
                _ => 0.0,
            };
            out.points.push(p);
            out.at.push(s);
        }
        out
    }

    fn length(&self) -> f64 {
        self.at.last().copied().unwrap_or(0.0)
    }

    /// The place at an arc length; beyond the ends straight on.
    fn place(&self, s: f64) -> DVec2 {
        let n = self.points.len();
        let (first, last) = (0.0, self.length());
        let inside = |s: f64| {
            let k = self.at.partition_point(|&a| a < s).clamp(1, n - 1);
            let (a, b) = (self.at[k - 1], self.at[k]);
            let u = if b > a { (s - a) / (b - a) } else { 0.0 };
            self.points[k - 1].lerp(self.points[k], u)
        };
        let chord = CHORD_M.min(0.5 * last);
        if s < first {
            let ahead = (inside(chord) - self.points[0]).normalize_or_zero();
            self.points[0] + ahead * (s - first)
        } else if s > last {
            let ahead = (self.points[n - 1] - inside(last - chord)).normalize_or_zero();
            self.points[n - 1] + ahead * (s - last)
        } else {
            inside(s)
        }
    }

    fn frame(&self, s: f64) -> Planar {
        let ahead = self.place(s + CHORD_M) - self.place(s - CHORD_M);
        let p = self.place(s);
        Planar::new(ahead.x.atan2(ahead.y), p.x, p.y)
    }
}

pub(super) fn lead(
    clip: &Clip,
    body: &Body,
    curve: &[DVec2],
) -> Result<(Clip, EditStep), EditError> {
    if curve.len() < 2 || !curve.iter().all(|p| p.is_finite()) {
        return Err(EditError::Path(
            "a curve needs two points or more".to_owned(),
        ));
    }
    let (own, curve) = (Line::new(&own_path(clip)), Line::new(curve));
    if own.length() < SHORTEST_M {
        return Err(EditError::Path(format!(
            "the clip goes {:.2} m: there is no way to lead along a curve",
            own.length()
        )));
    }
    let k = curve.length() / own.length();
    if !(1.0 / LONGEST..=LONGEST).contains(&k) {
        return Err(EditError::PathLength {
            curve_m: curve.length(),
            clip_m: own.length(),
        });
    }
    let moves: Vec<Planar> = own
        .at
        .iter()
        .map(|&s| curve.frame(k * s).compose(own.frame(s).inverse()))
        .collect();
    let joints = clip.joint_count();
    let mut parts = clip.clone().into_parts();
    for (frame, by) in moves.iter().enumerate() {
        parts.root[frame] = by.apply(parts.root[frame]);
        let q = &mut parts.rotations[frame * joints];
        *q = (by.rotation() * q.as_dquat()).normalize().as_quat();
    }
    let first = parts.build()?;
    let constraints = as_they_are(clip, body, |middle, p: DVec3| moves[middle].apply(p));
    let done = settle(&first, body, &constraints, &options(SPREAD_S));
    let mut step = EditStep::new("path", format!("a curve of {:.2} m", curve.length()));
    let worst = |c: &Clip| {
        residuals(c, &constraints)
            .iter()
            .map(|r| r.max_mm)
            .fold(0.0, f64::max)
    };
    (step.before_mm, step.left_mm) = (Some(worst(&first)), Some(worst(&done)));
    step.notes.push(format!(
        "the clip goes {:.2} m: steps are {k:.3} times as long",
        own.length()
    ));
    Ok((done, step))
}
