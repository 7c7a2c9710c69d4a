//! At which moments to sample keys that have times of their own.
//!
//! glTF has no frame rate and FBX often names the wrong one, so the keys are asked: a rate fits when every
//! key lies on a multiple of its step, counted from the first key.

use gaitway_core::{WarningCode, Warnings};

/// Evenly spaced moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub start_s: f64,
    pub rate_hz: f64,
    pub frames: usize,
}

/// Rates that people export at, likeliest first.
const USUAL: [f64; 14] = [
    30.0,
    24.0,
    60.0,
    25.0,
    120.0,
    50.0,
    48.0,
    100.0,
    90.0,
    72.0,
    240.0,
    29.97002997,
    23.976023976,
    59.94005994,
];
/// Keys farther apart than this are poses, not frames.
const SLOWEST_HZ: f64 = 12.0;
const FASTEST_HZ: f64 = 1000.0;

impl Grid {
    /// Finds the grid of sorted, finite key times. `named` is the rate the file names, tried before others.
    pub fn detect(times: &[f64], named: Option<f64>, warnings: &mut Warnings) -> Self {
        let (Some(&start_s), Some(&end_s)) = (times.first(), times.last()) else {
            return Self::over(0.0, 0.0, named.unwrap_or(30.0));
        };
        if let Some(rate) = uniform(times) {
            return Self::over(start_s, end_s, rate);
        }
        let mut rates = named.into_iter().chain(USUAL);
        if let Some(rate) = rates.find(|&r| fits(times, r)) {
            return Self::over(start_s, end_s, rate);
        }
        let keys_per_s = (times.len() - 1) as f64 / (end_s - start_s).max(1e-9);
        let usual = if keys_per_s > 45.0 { 60.0 } else { 30.0 };
        let rate = named.unwrap_or(usual);
        let message = format!(
            "the {} key times lie on no even grid; the motion was sampled at {rate} Hz",
            times.len()
        );
        warnings.add_value(WarningCode::Unusual, message, "rate_hz", rate);
        Self::over(start_s, end_s, rate)
    }

    /// All moments from start to end at a rate.
    pub fn over(start_s: f64, end_s: f64, rate_hz: f64) -> Self {
        let steps = (end_s - start_s).max(0.0) * rate_hz;
        // A last key between two moments is within the last step.
        let frames = (steps + slack(end_s, rate_hz)).floor() as usize;
        Self {
            start_s,
            rate_hz,
            frames: frames.saturating_add(1),
        }
    }

    /// A time counted in frames of this grid; brought onto a frame where rounding alone keeps it off.
    pub fn place(&self, time_s: f64) -> f64 {
        let place = (time_s - self.start_s) * self.rate_hz;
        let near = place.round();
        if (place - near).abs() <= slack(time_s, self.rate_hz) {
            near
        } else {
            place
        }
    }
}

/// How far from a frame, in frames, a time stored as `f32` may lie: half a percent, and the rounding of
/// the time itself.
fn slack(time_s: f64, rate_hz: f64) -> f64 {
    (5e-3 + 1.2e-7 * time_s.abs() * rate_hz).min(0.25)
}

fn fits(times: &[f64], rate: f64) -> bool {
    let start = times[0];
    (SLOWEST_HZ..=FASTEST_HZ).contains(&rate)
        && times.iter().all(|&t| {
            let place = (t - start) * rate;
            (place - place.round()).abs() <= 0.02 + slack(t, rate)
        })
}

/// The rate of keys that are evenly spaced, a whole number or a broadcast rate where that is meant.
fn uniform(times: &[f64]) -> Option<f64> {
    let span = times.last()? - times.first()?;
    if times.len() < 3 || span <= 0.0 {
        return None;
    }
    let rate = (times.len() - 1) as f64 / span;
    if !fits(times, rate) {
        return None;
    }
    let close = |r: &f64| (r / rate - 1.0).abs() < 2e-4 && fits(times, *r);
    let whole = Some(rate.round()).filter(close);
    Some(
        whole
            .or_else(|| USUAL.into_iter().find(close))
            .unwrap_or(rate),
    )
}

/// Sorts times and joins those that are one moment.
pub(crate) fn unique_times(mut times: Vec<f64>) -> Vec<f64> {
    times.retain(|t| t.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup_by(|b, a| *b - *a <= 1e-5_f64.max(1.2e-7 * a.abs()));
    times
}

/// Where a frame lies among the keys.
pub(crate) enum Spot {
    /// On a key, before the first or after the last.
    On(usize),
    /// Past a key, by a part of the span to the next, in frames.
    Between(usize, f64, f64),
}

/// Walks along the keys as frames go up.
#[derive(Default)]
pub(crate) struct Cursor {
    key: usize,
}

impl Cursor {
    /// Finds a frame among non-empty, non-decreasing places; frames must not go down between calls.
    pub fn seek(&mut self, places: &[f64], frame: f64) -> Spot {
        while self.key + 1 < places.len() && places[self.key + 1] <= frame {
            self.key += 1;
        }
        let here = places[self.key];
        match places.get(self.key + 1) {
            Some(next) if frame > here => {
                let span = next - here;
                Spot::Between(self.key, (frame - here) / span, span)
            }
            _ => Spot::On(self.key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(step: f64, count: usize) -> Vec<f64> {
        (0..count)
            .map(|i| f64::from((i as f64 * step) as f32))
            .collect()
    }

    #[test]
    fn even_keys_give_their_rate() {
        for rate in [24.0, 30.0, 60.0, 120.0, 120.0 * 1000.0 / 1001.0, 17.3] {
            let mut warnings = Warnings::new();
            let grid = Grid::detect(&times(1.0 / rate, 3001), None, &mut warnings);
            assert!((grid.rate_hz / rate - 1.0).abs() < 1e-6, "{rate}: {grid:?}");
            assert_eq!(grid.frames, 3001);
            assert!(warnings.is_empty());
        }
    }

    #[test]
    fn sparse_keys_take_a_rate_they_lie_on() {
        let mut warnings = Warnings::new();
        let grid = Grid::detect(&[0.0, 0.5, 0.7, 2.0], None, &mut warnings);
        assert_eq!((grid.rate_hz, grid.frames), (30.0, 61));
        let grid = Grid::detect(&[0.0, 1.0 / 24.0, 5.0 / 24.0], None, &mut warnings);
        assert_eq!((grid.rate_hz, grid.frames), (24.0, 6));
        assert!(warnings.is_empty());
        let grid = Grid::detect(&[0.0, 0.0113, 0.2237, 0.8741], None, &mut warnings);
        assert_eq!(grid.rate_hz, 30.0);
        assert!(warnings.has(WarningCode::Unusual));
    }

    #[test]
    fn a_single_key_is_one_frame() {
        let grid = Grid::detect(&[1.5], None, &mut Warnings::new());
        assert_eq!((grid.frames, grid.start_s), (1, 1.5));
    }
}
