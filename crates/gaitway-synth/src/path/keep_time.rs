//! What a walk found is early or late by is taken out by playing it a little slower or faster.
//!
//! Never by more than a tenth ([`MOST`]): more shows, since bodies fall at one speed. So a wish that the clips are far from stays missed, and is told.

use gaitway_core::Clip;
use gaitway_core::retime::TimeMap;

use super::Path;
use super::bend::places_along;
use super::times::{Pace, Schedule};

/// Time runs slower or faster by at most this part.
pub(crate) const MOST: f64 = 0.1;
/// Changes of pace are spread over this, seconds: a step.
const OVER_S: f64 = 0.5;
/// Nobody changes pace at a line: what lies this near after a border is not looked at, metres…
const AFTER_M: f64 = 1.0;
/// …nor this near before it.
const BEFORE_M: f64 = 0.5;

/// When a motion reaches a place of its path, as a frame; its last where it does not.
pub(crate) fn reached(places: &[f64], at_m: f64) -> usize {
    /// The end of a path is reached where the last step ends.
    const END_M: f64 = 0.05;
    let there = places.iter().position(|&s| s >= at_m - END_M);
    there.unwrap_or(places.len().saturating_sub(1))
}

/// The frames of a motion in which it is to go at a pace, borders left out.
pub(crate) fn frames_of(pace: &Pace, places: &[f64], length: f64) -> std::ops::Range<usize> {
    let from = if pace.from_m > 0.0 {
        pace.from_m + AFTER_M
    } else {
        0.0
    };
    let to = if pace.to_m < length - 0.05 {
        pace.to_m - BEFORE_M
    } else {
        length
    };
    let first = places.partition_point(|&s| s < from);
    let end = places.partition_point(|&s| s < to);
    first..end.max(first)
}

/// Metres a second over some frames; nothing where there are too few.
pub(crate) fn mean_speed(
    places: &[f64],
    frames: &std::ops::Range<usize>,
    rate_hz: f64,
) -> Option<f64> {
    let last = frames.end.checked_sub(1)?;
    let seconds = last.checked_sub(frames.start).filter(|n| *n > 1)? as f64 / rate_hz;
    Some((places[last] - places[frames.start]) / seconds)
}

/// When each frame of a motion along a path is to be shown; nothing where it keeps its times already.
pub(crate) fn time_map(clip: &Clip, path: &Path, schedule: &Schedule) -> Option<TimeMap> {
    let rate = clip.rate_hz();
    let places = places_along(clip, path);
    let steps = places.len().checked_sub(1).filter(|n| *n > 1)?;
    let mut lasts = vec![1.0; steps];
    for pace in &schedule.paces {
        let frames = frames_of(pace, &places, path.length());
        if let Some(m_s) = mean_speed(&places, &frames, rate) {
            let slower = bounded(m_s / pace.m_s);
            for l in &mut lasts[frames.start.min(steps)..frames.end.min(steps)] {
                *l = slower;
            }
        }
    }
    let due: Vec<(usize, f64)> = schedule
        .due
        .iter()
        .map(|d| {
            let end = d.at_m > path.length() - 0.05;
            let frame = if end {
                steps
            } else {
                reached(&places, d.at_m).min(steps)
            };
            (frame, d.time_s)
        })
        .collect();
    meet(&mut lasts, &due, rate);
    // What spreading moves is met again; the second time little is left to spread.
    for _ in 0..2 {
        lasts = spread(&lasts, (0.5 * OVER_S * rate).round() as usize);
        meet(&mut lasts, &due, rate);
    }
    let changed = lasts.iter().any(|l| (l - 1.0).abs() > 1e-4);
    changed.then(|| TimeMap::new(rate, &lasts)).flatten()
}

fn bounded(lasts: f64) -> f64 {
    lasts.clamp(1.0 / (1.0 + MOST), 1.0 + MOST)
}

/// Stretches what lies between moments so that each frame that is due is shown when it is, as far as may be.
fn meet(lasts: &mut [f64], due: &[(usize, f64)], rate: f64) {
    let (mut from, mut now) = (0, 0.0);
    for &(frame, time_s) in due {
        if frame <= from {
            continue;
        }
        let part = &mut lasts[from..frame];
        // What is at its bound cannot give; the rest gives more. A few rounds are enough for that.
        for _ in 0..4 {
            let takes = part.iter().sum::<f64>() / rate;
            let by = (time_s - now) / takes.max(1e-9);
            if (by - 1.0).abs() < 1e-6 {
                break;
            }
            part.iter_mut().for_each(|l| *l = bounded(*l * by));
        }
        now += part.iter().sum::<f64>() / rate;
        from = frame;
    }
}

/// The mean over so many frames on both sides.
fn spread(lasts: &[f64], reach: usize) -> Vec<f64> {
    let mut sums = Vec::with_capacity(lasts.len() + 1);
    sums.push(0.0);
    for l in lasts {
        sums.push(sums[sums.len() - 1] + l);
    }
    let mean = |k: usize| {
        // As far on both sides, so that the ends keep what they are.
        let reach = reach.min(k).min(lasts.len() - 1 - k);
        (sums[k + reach + 1] - sums[k - reach]) / (2 * reach + 1) as f64
    };
    (0..lasts.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Moments that can be kept are, and no frame lasts more than a tenth longer or shorter.
        #[test]
        fn moments_within_reach_are_met(parts in prop::collection::vec((40_usize..200, 0.93..1.07_f64), 1..5)) {
            let rate = 60.0;
            let (mut frame, mut now) = (0, 0.0);
            let mut due = Vec::new();
            for (frames, by) in parts {
                frame += frames;
                now += frames as f64 / rate * by;
                due.push((frame, now));
            }
            let mut lasts = vec![1.0; frame];
            meet(&mut lasts, &due, rate);
            for _ in 0..2 {
                lasts = spread(&lasts, 15);
                meet(&mut lasts, &due, rate);
            }
            for (frame, time_s) in due {
                let shown = lasts[..frame].iter().sum::<f64>() / rate;
                prop_assert!((shown - time_s).abs() < 1e-3, "{shown} {time_s}");
            }
            prop_assert!(lasts.iter().all(|l| (l - 1.0).abs() <= MOST + 1e-9));
        }
    }

    #[test]
    fn what_is_out_of_reach_comes_as_near_as_may_be() {
        let mut lasts = vec![1.0; 100];
        meet(&mut lasts, &[(100, 3.0)], 50.0);
        assert!(lasts.iter().all(|l| (l - 1.1).abs() < 1e-9));
    }
}
