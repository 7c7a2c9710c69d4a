//! A whole clip, window by window.
//!
//! What happens at one time says little about what is changed seconds away: the change has no memory longer than a few knots. So each window is solved with a
//! margin on both sides, and where two overlap one fades into the other.

use gaitway_core::{Clip, TranslationTrack};
use glam::Quat;

use super::freedom::Freedom;
use super::stretch::Stretch;
use super::{Constraint, SolveOptions, SolveReport, residuals};

/// What overlaps on either side of a border between windows, seconds.
const MARGIN_S: f64 = 1.0;

/// Changes a first guess as little as constraints need. Joints without a freedom keep their bits, and so does everything where nothing is amiss.
pub fn solve(
    first: &Clip,
    freedoms: &[Freedom],
    constraints: &[Constraint],
    options: &SolveOptions,
) -> (Clip, SolveReport) {
    let frames = first.frame_count();
    let rate = first.rate_hz();
    let mut report = SolveReport::default();
    if frames == 0 || constraints.is_empty() {
        report.constraints = residuals(first, constraints);
        return (first.clone(), report);
    }
    let core = ((options.window_s * rate).round() as usize).max(8);
    let margin = ((MARGIN_S * rate).round() as usize).clamp(1, core / 2);
    let windows = ((frames as f64 / core as f64).round() as usize).max(1);
    let mut parts = first.clone().into_parts();
    let joints = first.joint_count();
    let mut finest = f64::INFINITY;
    for w in 0..windows {
        let border = |k: usize| k * frames / windows;
        let from = border(w).saturating_sub(if w > 0 { margin } else { 0 });
        let to = if w + 1 < windows {
            (border(w + 1) + margin).min(frames)
        } else {
            frames
        };
        let mut stretch =
            Stretch::new(slice(first, from, to), from, freedoms, constraints, options);
        let (steps, knots) = stretch.solve();
        report.steps += steps;
        finest = finest.min(knots);
        for frame in from..to {
            let local = frame - from;
            // Over the margins of two windows the later one fades in.
            let into = frame + margin - border(w);
            let fade = if w > 0 && into < 2 * margin {
                (into as f64 + 0.5) / (2.0 * margin as f64)
            } else {
                1.0
            };
            let place = stretch.clip.root()[local];
            parts.root[frame] = if fade < 1.0 {
                parts.root[frame].lerp(place, fade)
            } else {
                place
            };
            for (j, q) in stretch.clip.frame_rotations(local).iter().enumerate() {
                let old = &mut parts.rotations[frame * joints + j];
                *old = if fade < 1.0 && old != q {
                    mix(*old, *q, fade as f32)
                } else {
                    *q
                };
            }
        }
    }
    let out = parts.build().unwrap_or_else(|_| first.clone());
    report.constraints = residuals(&out, constraints);
    report.worst_mm = report
        .constraints
        .iter()
        .map(|c| c.max_mm)
        .fold(0.0, f64::max);
    report.finest_knots_s = if finest.is_finite() {
        finest / rate
    } else {
        0.0
    };
    (out, report)
}

fn mix(a: Quat, b: Quat, t: f32) -> Quat {
    gaitway_core::rotation::slerp(a, b, t).normalize()
}

/// Frames of a clip as a clip; contacts and labels are not needed to solve.
fn slice(clip: &Clip, from: usize, to: usize) -> Clip {
    let joints = clip.joint_count();
    let root = clip.root()[from..to].to_vec();
    let rotations = clip.rotations()[from * joints..to * joints].to_vec();
    let tracks = clip.translations().iter().map(|t| TranslationTrack {
        joint: t.joint,
        values: t.values[from..to].to_vec(),
    });
    Clip::new("", clip.skeleton().clone(), clip.rate_hz(), root, rotations)
        .and_then(|c| c.with_translations(tracks.collect()))
        .expect("a part of a clip is one")
}
