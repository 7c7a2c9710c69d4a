//! How much higher than its toe the heel of a flat foot is.

use std::ops::Range;

use super::ingest::Sources;
use super::rig::{CHANNELS, Rig};
use super::watch::Plants;

/// A heel higher than in a flat foot by more than this, in metres for a person, is in the air.
const RAISED: f64 = 0.02;

/// Slopes settle within a few rounds.
const MOST_ROUNDS: usize = 8;

/// Whether a heel so far above its toe is in the air. Feet are built alike, and heels are raised, not lowered: the
/// lower of both slopes is that of a flat foot.
pub(super) fn is_raised(slopes: [Option<f64>; 2], above_toe: f64, scale: f64) -> bool {
    let flat = slopes.into_iter().flatten().fold(f64::INFINITY, f64::min);
    above_toe > flat + RAISED * scale
}

/// How far above its toe a foot's heel is on average; `None` without frames.
pub(super) fn heel_above_toe(sources: &Sources, leg: usize, frames: Range<usize>) -> Option<f64> {
    let count = frames.len();
    let sum: f64 = frames
        .map(|f| {
            let points = &sources.slot(f).legs[leg].points;
            f64::from(points[0].y - points[1].y)
        })
        .sum();
    (count > 0).then(|| sum / count as f64)
}

/// The slopes of both feet: medians over heels that are not in the air. Found anew among the slopes that feet get by
/// them, until nothing changes, so that planting again finds the same.
pub(super) fn slopes(
    rig: &Rig,
    sources: &Sources,
    plants: &[Plants; CHANNELS],
) -> [Option<f64>; 2] {
    let mut all = [0, 1].map(|leg| stands(rig, sources, leg, plants));
    let mut slopes = [0, 1].map(|leg| median(&mut all[leg]));
    for _ in 0..MOST_ROUNDS {
        let before = slopes;
        for leg in 0..2 {
            let low = |s: &(f64, usize)| !is_raised(before, s.0, rig.scale);
            let mut flat: Vec<(f64, usize)> = all[leg].iter().copied().filter(low).collect();
            slopes[leg] = median(&mut flat);
        }
        for leg in 0..2 {
            slopes[leg] = slopes[leg].or(slopes[1 - leg]);
            for stand in &mut all[leg] {
                if !is_raised(before, stand.0, rig.scale) {
                    stand.0 = slopes[leg].unwrap_or(stand.0);
                }
            }
        }
        if slopes == before {
            break;
        }
    }
    slopes
}

/// Heights of heels above toes that stand at one time, and for how many frames.
fn stands(
    rig: &Rig,
    sources: &Sources,
    leg: usize,
    plants: &[Plants; CHANNELS],
) -> Vec<(f64, usize)> {
    let mut out = Vec::new();
    if rig.bit(2 * leg + 1).is_none() {
        return out;
    }
    for heel in plants[2 * leg].ranges() {
        let both = plants[2 * leg + 1]
            .ranges()
            .map(|toe| toe.start.max(heel.start)..toe.end.min(heel.end));
        // The toe a heel stands with longest is the one it is placed by.
        if let Some(frames) = both.max_by_key(|r| (r.len(), std::cmp::Reverse(r.start))) {
            let count = frames.len();
            out.extend(heel_above_toe(sources, leg, frames).map(|h| (h, count)));
        }
    }
    out
}

/// The median by weight.
fn median(values: &mut [(f64, usize)]) -> Option<f64> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut half = values.iter().map(|v| v.1).sum::<usize>().div_ceil(2);
    for (value, count) in values.iter() {
        if half <= *count {
            return Some(*value);
        }
        half -= count;
    }
    None
}
