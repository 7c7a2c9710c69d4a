//! Speeds of points over windows that suit rate and noise.
//!
//! The speed at a frame is the smaller of two slopes, fitted over the frames before and the frames after it:
//!
//!   slope over [f, f+m] = Σ (k − m/2) p[f+k] / Σ (k − m/2)²,   variance 12 σ² / ((m+1)((m+1)² − 1)) per frame²
//!
//! so that the first and the last frame of a plant are as still as its middle (a window across the border
//! would smear the swing into them). m grows until noise σ moves the slope by no more than 3 cm/s.

use glam::DVec3;

/// The way of one point, with its speeds.
pub(super) struct PointMotion {
    /// World places, one per frame.
    pub places: Vec<DVec3>,
    /// Metres a second, one per frame.
    pub speed: Vec<f64>,
}

impl PointMotion {
    pub fn new(places: Vec<DVec3>, rate: f64, window: usize) -> Self {
        let speed = speeds(&places, rate, window);
        Self { places, speed }
    }
}

/// The smaller of the slopes before and after each frame, in metres a second.
fn speeds(places: &[DVec3], rate: f64, window: usize) -> Vec<f64> {
    let n = places.len();
    let m = window.min(n.saturating_sub(1));
    if m == 0 {
        return vec![0.0; n];
    }
    let middle = m as f64 / 2.0;
    let norm: f64 = (0..=m).map(|k| (k as f64 - middle).powi(2)).sum();
    let slope = |f: usize| {
        // Differences to the first place keep kilometres out of the sum.
        let origin = places[f];
        let sum = (1..=m).fold(DVec3::ZERO, |s, k| {
            s + (k as f64 - middle) * (places[f + k] - origin)
        });
        sum.length() * rate / norm
    };
    let slopes: Vec<f64> = (0..n - m).map(slope).collect();
    (0..n)
        .map(|f| {
            let after = slopes.get(f).copied().unwrap_or(f64::INFINITY);
            let before = f.checked_sub(m).map_or(f64::INFINITY, |b| slopes[b]);
            after.min(before)
        })
        // Shorter than two windows, a middle frame may have neither; the nearest window stands in.
        .enumerate()
        .map(|(f, v)| {
            if v.is_finite() {
                v
            } else {
                slopes[f.min(slopes.len() - 1)]
            }
        })
        .collect()
}

/// The standard deviation of white noise on a coordinate, in metres.
///
/// Third differences of smooth motion vanish quickly with the rate; those of noise have the variance 20 σ².
/// Only stretches of four frames that stay within 3 cm count (a foot in swing bends its way faster than any
/// noise at 30 Hz), and of those the median (|x| of a Gaussian: 0.6745 σ).
pub(super) fn noise_of(tracks: &[Vec<DVec3>]) -> f64 {
    /// No capture is noisier; what looks it is motion.
    const MOST: f64 = 0.005;
    const STAYS: f64 = 0.03;
    /// Fewer say nothing.
    const LEAST: usize = 24;
    let mut thirds: Vec<f64> = Vec::new();
    for track in tracks {
        for w in track.windows(4) {
            if w[0].distance(w[3]) > STAYS || w[1].distance(w[2]) > STAYS {
                continue;
            }
            let d = (w[3] - w[0]) - 3.0 * (w[2] - w[1]);
            thirds.extend([d.x.abs(), d.y.abs(), d.z.abs()]);
        }
    }
    if thirds.len() < LEAST {
        return 0.0;
    }
    let half = thirds.len() / 2;
    let (_, value, _) = thirds.select_nth_unstable_by(half, f64::total_cmp);
    (*value / (0.6745 * 20.0_f64.sqrt())).min(MOST)
}

/// How many frames a slope spans: a sixtieth of a second, longer as noise asks, at most 80 ms.
pub(super) fn window_for(rate: f64, noise: f64, scale: f64, frames: usize) -> usize {
    const SHORT_S: f64 = 1.0 / 60.0;
    const LONG_S: f64 = 0.08;
    let slope_limit = 0.03 * scale;
    let short = ((rate * SHORT_S).round() as usize).max(1);
    let long = ((rate * LONG_S).round() as usize).max(short);
    let spread = |m: usize| {
        let n = (m + 1) as f64;
        noise * rate * (12.0 / (n * (n * n - 1.0))).sqrt()
    };
    let fitting = (short..=long).find(|&m| spread(m) <= slope_limit);
    fitting.unwrap_or(long).min(frames.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_motion_has_its_speed_everywhere() {
        let places: Vec<DVec3> = (0..20)
            .map(|f| DVec3::new(0.01 * f as f64, 1.0, 5e5))
            .collect();
        for window in [1, 2, 5, 19, 40] {
            for v in speeds(&places, 100.0, window) {
                assert!((v - 1.0).abs() < 1e-6, "{v} with window {window}");
            }
        }
    }

    #[test]
    fn the_first_still_frame_is_still() {
        let places: Vec<DVec3> = (0..20)
            .map(|f| DVec3::new(0.05 * (10_f64 - f as f64).max(0.0), 0.0, 0.0))
            .collect();
        let v = speeds(&places, 60.0, 1);
        assert!(v[10] == 0.0 && v[9] > 1.0, "{v:?}");
    }

    #[test]
    fn noise_is_measured_where_the_point_stands() {
        let mut state = 1_u64;
        let mut noise = || {
            // Sum of uniforms: near enough to a Gaussian of deviation 1.
            let mut sum = -6.0;
            for _ in 0..12 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                sum += (state >> 11) as f64 / (1_u64 << 53) as f64;
            }
            sum
        };
        let track: Vec<DVec3> = (0..2000)
            .map(|f| {
                let swing = (f as f64 / 20.0).sin().max(0.0);
                DVec3::new(swing, 0.2 * swing, 0.0) + 0.002 * DVec3::new(noise(), noise(), noise())
            })
            .collect();
        let sigma = noise_of(&[track]);
        assert!((sigma - 0.002).abs() < 0.0005, "{sigma}");
    }
}
