//! How much of a motion is fast: what pops and jitters shows there.
//!
//! Two measures, of the same spectrum: how fast bones turn in the world, which no proportions of a body change (a plain copy has exactly its source's), and how fast
//! joints move as seen from the hips, which they do (the same turns carry a head farther on a longer trunk).

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx};
use glam::{DQuat, DVec3};

use crate::body::Body;
use crate::copy::middle;

/// Frames of one piece of the spectrum.
const PIECE: usize = 64;

/// Power above a frequency of how fast some joints turn in the world: (rad/s)² per joint.
pub fn turning_above(clip: &Clip, joints: &[JointIdx], hz: f64) -> f64 {
    let each = joints.iter().map(|&j| turning_of(clip, j, hz));
    each.sum::<f64>() / joints.len().max(1) as f64
}

/// The same of one joint.
pub fn turning_of(clip: &Clip, joint: JointIdx, hz: f64) -> f64 {
    let mut scratch = FkScratch::new(clip.skeleton());
    let of = |f| {
        scratch.solve(clip, f);
        scratch.rotations[joint.index()].as_dquat().normalize()
    };
    let turns: Vec<DQuat> = (0..clip.frame_count()).map(of).collect();
    let speed = |pair: &[DQuat]| {
        let step = pair[1] * pair[0].inverse();
        let shorter = if step.w < 0.0 { -step } else { step };
        shorter.to_scaled_axis() * clip.rate_hz()
    };
    let speeds: Vec<DVec3> = turns.windows(2).map(speed).collect();
    spectrum_above(&speeds, clip.rate_hz(), hz)
}

/// Power above a frequency of how fast some joints move as seen from the middle of the hip joints, in leg lengths: (1/s)² per joint.
///
/// A joint's signal is its place less that middle, in the world's axes, over the body's leg length (the middle is at the same place in all bodies, a root is not).
pub fn power_above(clip: &Clip, body: &Body, joints: &[JointIdx], hz: f64) -> f64 {
    let each = joints.iter().map(|&j| power_of(clip, body, j, hz));
    each.sum::<f64>() / joints.len().max(1) as f64
}

/// The same of one joint.
pub fn power_of(clip: &Clip, body: &Body, joint: JointIdx, hz: f64) -> f64 {
    let leg = body.leg_length.unwrap_or(1.0);
    let mut scratch = FkScratch::new(clip.skeleton());
    let places: Vec<DVec3> = (0..clip.frame_count())
        .map(|f| {
            scratch.solve(clip, f);
            (scratch.from_root[joint.index()].as_dvec3() - middle(body, &scratch)) / leg
        })
        .collect();
    let speed = |p: &[DVec3]| (p[1] - p[0]) * clip.rate_hz();
    let speeds: Vec<DVec3> = places.windows(2).map(speed).collect();
    spectrum_above(&speeds, clip.rate_hz(), hz)
}

/// Welch's periodogram above a frequency: Hann's window, pieces of 64 frames that overlap by half. 0 for what is shorter than a piece.
fn spectrum_above(speeds: &[DVec3], rate: f64, hz: f64) -> f64 {
    if speeds.len() <= PIECE {
        return 0.0;
    }
    let window: Vec<f64> = (0..PIECE)
        .map(|k| 0.5 - 0.5 * (std::f64::consts::TAU * (k as f64 + 0.5) / PIECE as f64).cos())
        .collect();
    let scale: f64 = window.iter().map(|w| w * w).sum::<f64>() * PIECE as f64;
    let bins: Vec<usize> = (1..PIECE / 2)
        .filter(|&b| b as f64 * rate / PIECE as f64 > hz)
        .collect();
    let waves: Vec<Vec<(f64, f64)>> = bins
        .iter()
        .map(|&b| {
            (0..PIECE)
                .map(|k| (std::f64::consts::TAU * (b * k % PIECE) as f64 / PIECE as f64).sin_cos())
                .collect()
        })
        .collect();
    let (mut sum, mut pieces) = (0.0, 0.0);
    for start in (0..speeds.len() - PIECE).step_by(PIECE / 2) {
        for wave in &waves {
            let (mut re, mut im) = (DVec3::ZERO, DVec3::ZERO);
            for k in 0..PIECE {
                let v = speeds[start + k] * window[k];
                re += v * wave[k].1;
                im += v * wave[k].0;
            }
            sum += 2.0 * (re.length_squared() + im.length_squared()) / scale;
        }
        pieces += 1.0;
    }
    sum / f64::max(pieces, 1.0)
}
