//! Several trials of one person, as one: what no trial turns, another may.

use gaitway_core::{WarningCode, Warnings};
use gaitway_io::{MarkerClip, UpAxis};
use glam::DVec3;

use crate::error::CalibrateError;

/// Between trials nothing is seen for so long that no label seems to leap from one to the next, seconds.
const APART_S: f64 = 0.25;
/// Frames that tell a body, all together: longer ones first.
const MOST_FRAMES: usize = 30_000;

/// Trials of one person and one set of markers one after the other, the longest first, with Y up. Markers that a trial does not have are not
/// seen in it.
///
/// # Errors
/// When there is none, when their rates differ, or when they have no marker in common.
pub fn join_trials(trials: &[&MarkerClip]) -> Result<MarkerClip, CalibrateError> {
    let mut order: Vec<usize> = (0..trials.len()).collect();
    order.sort_by_key(|&k| (std::cmp::Reverse(trials[k].frames), k));
    let Some((&first, rest)) = order.split_first() else {
        return Err(CalibrateError::new("there is no trial of markers"));
    };
    let mut out = upright(trials[first]);
    out.warnings = Warnings::new();
    let apart = (APART_S * out.rate_hz).ceil() as usize + 1;
    let mut left = 0;
    for &k in rest {
        let next = trials[k];
        if (next.rate_hz - out.rate_hz).abs() > 1e-6 * out.rate_hz {
            return Err(CalibrateError::new(format!(
                "trials of {} and {} Hz are of different rates",
                out.rate_hz, next.rate_hz
            ))
            .with_hint(
                "calibrate those of one rate, and use the body for the others: --skeleton body.bvh",
            ));
        }
        if !next.names.iter().any(|n| out.find(n).is_some()) {
            return Err(CalibrateError::new("trials have no marker in common").with_hint(
                "markers of one person are called the same in every trial, or trials are calibrated one by one",
            ));
        }
        if out.frames + next.frames > MOST_FRAMES {
            left += 1;
            continue;
        }
        append(&mut out, &upright(next), apart);
    }
    if left > 0 {
        let message = format!("{left} shorter trials are not needed to tell the body");
        out.warnings.add(WarningCode::LeftOut, message);
    }
    out.frames_in_file = out.frames;
    Ok(out)
}

fn upright(trial: &MarkerClip) -> MarkerClip {
    let up = trial.up.or_else(|| trial.guess_up()).unwrap_or(UpAxis::Y);
    trial.clone().into_y_up(up)
}

fn append(out: &mut MarkerClip, next: &MarkerClip, apart: usize) {
    let before = out.names.len();
    for (name, quantity) in next.names.iter().zip(&next.quantities) {
        if out.find(name).is_none() {
            out.names.push(name.clone());
            out.quantities.push(*quantity);
        }
    }
    let count = out.names.len();
    widen(&mut out.positions, before, count, DVec3::ZERO);
    widen(&mut out.visible, before, count, false);
    let from: Vec<Option<usize>> = out.names.iter().map(|n| next.find(n)).collect();
    out.positions.extend(vec![DVec3::ZERO; apart * count]);
    out.visible.extend(vec![false; apart * count]);
    for frame in 0..next.frames {
        for marker in &from {
            let place = marker.and_then(|m| next.at(frame, m));
            out.positions.push(place.unwrap_or(DVec3::ZERO));
            out.visible.push(place.is_some());
        }
    }
    out.frames += apart + next.frames;
}

/// Rows of `before` values as rows of `after`.
fn widen<T: Copy>(values: &mut Vec<T>, before: usize, after: usize, fill: T) {
    if before == after || before == 0 {
        return;
    }
    *values = values
        .chunks(before)
        .flat_map(|row| {
            let more = std::iter::repeat_n(fill, after - before);
            row.iter().copied().chain(more)
        })
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(names: &[&str], frames: usize, at: f64) -> MarkerClip {
        let count = names.len() * frames;
        let place = |k: usize| DVec3::new(at, 0.3 * k as f64, k as f64);
        MarkerClip {
            names: names.iter().map(|n| (*n).to_owned()).collect(),
            rate_hz: 100.0,
            unit: "m".to_owned(),
            unit_m: 1.0,
            up: Some(UpAxis::Y),
            frames,
            frames_in_file: frames,
            positions: (0..count).map(place).collect(),
            visible: vec![true; count],
            quantities: vec![None; names.len()],
            warnings: Warnings::new(),
        }
    }

    #[test]
    fn every_sample_is_where_it_was_and_what_a_trial_lacks_is_not_seen() {
        let (a, b) = (trial(&["x", "y"], 3, 1.0), trial(&["y", "z"], 5, 2.0));
        let all = join_trials(&[&a, &b]).expect("joined");
        // The longest first.
        assert_eq!(all.names, ["y", "z", "x"]);
        let apart = all.frames - a.frames - b.frames;
        assert!(apart as f64 / all.rate_hz > 0.2);
        for f in 0..b.frames {
            assert_eq!(
                [all.at(f, 0), all.at(f, 1), all.at(f, 2)],
                [b.at(f, 0), b.at(f, 1), None]
            );
        }
        for f in b.frames..b.frames + apart {
            assert!((0..3).all(|m| all.at(f, m).is_none()));
        }
        for f in 0..a.frames {
            let at = b.frames + apart + f;
            assert_eq!(
                [all.at(at, 0), all.at(at, 1), all.at(at, 2)],
                [a.at(f, 1), None, a.at(f, 0)]
            );
        }
    }

    #[test]
    fn trials_that_do_not_belong_together_are_refused() {
        let (a, b) = (trial(&["x"], 3, 1.0), trial(&["y"], 3, 1.0));
        let error = join_trials(&[&a, &b]).expect_err("nothing in common");
        assert!(error.to_string().contains("in common"), "{error}");
        let mut fast = a.clone();
        fast.rate_hz = 120.0;
        let error = join_trials(&[&a, &fast]).expect_err("other rate");
        assert!(error.to_string().contains("100 and 120 Hz"), "{error}");
        assert!(join_trials(&[]).is_err());
    }
}
