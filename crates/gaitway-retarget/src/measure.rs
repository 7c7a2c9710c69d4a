//! How much of a motion is fast: what pops and jitters shows there.

use gaitway_core::{Clip, JointIdx, fk};
use glam::DVec3;

/// Frames of one piece of the spectrum.
const PIECE: usize = 64;

/// Power above a frequency of how fast some joints turn in the world, (rad/s)² per joint; it does not depend on how long bones are: Welch's periodogram, Hann's window, pieces of 64 frames that
/// overlap by half.
pub fn power_above(clip: &Clip, joints: &[JointIdx], hz: f64) -> f64 {
    let world = fk::world_rotations(clip);
    let count = clip.joint_count();
    let rate = clip.rate_hz();
    let frames = clip.frame_count();
    if frames <= PIECE + 1 || joints.is_empty() {
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
    for (n, joint) in joints.iter().enumerate() {
        let speeds: Vec<DVec3> = (1..frames)
            .map(|f| {
                let at = |f: usize| world[f * count + joint.index()].as_dquat();
                let turn = at(f - 1).inverse() * at(f);
                let turn = if turn.w < 0.0 { -turn } else { turn };
                turn.to_scaled_axis() * rate
            })
            .collect();
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
            if n == 0 {
                pieces += 1.0;
            }
        }
    }
    sum / (f64::max(pieces, 1.0) * joints.len() as f64)
}
