//! How much a sensor's own numbers shake: white noise, measured on its track.
//!
//! Third differences of white noise of variance s² have the variance C(6,3) s² = 20 s², and those of motion are small: at 120 Hz a
//! body that jerks by 1000 m/s³ adds 0.13 mm. The median over frames keeps what is quick from counting.

use gaitway_io::SensorClip;
use glam::{DQuat, DVec3};

use crate::linalg::rotation_vector;

/// White noise of one sensor, per axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Standard deviation of its place, metres.
    pub place_m: f64,
    /// Standard deviation of its rotation, radians.
    pub turn_rad: f64,
}

impl Noise {
    /// How much the mean of a rotation with this noise is shortened: E exp[δ] = (1 − θ²) I.
    pub(crate) fn shrink(&self) -> f64 {
        1.0 - self.turn_rad * self.turn_rad
    }
}

/// The median of χ² with three degrees of freedom.
const MEDIAN_CHI2_3: f64 = 2.365_973_884_375_338;
/// About how many frames are looked at.
const LOOKED_AT: usize = 4096;
/// C(6, 3): how third differences add up variances.
const THIRD: f64 = 20.0;

/// The white noise of each sensor. Tracks of fewer than 16 frames in a row say none.
pub fn measure(clip: &SensorClip) -> Vec<Noise> {
    // A median of thousands is as good as one of all.
    let step = (clip.frames / LOOKED_AT).max(1);
    (0..clip.sensor_count())
        .map(|sensor| {
            let (mut places, mut turns) = (Vec::new(), Vec::new());
            for frame in (0..clip.frames.saturating_sub(3)).step_by(step) {
                let at = |k: usize| clip.at(frame + k, sensor);
                let (Some(a), Some(b), Some(c), Some(d)) = (at(0), at(1), at(2), at(3)) else {
                    continue;
                };
                let third = a.place - d.place + (c.place - b.place) * 3.0;
                places.push(third.length_squared());
                let step = |p: DQuat, q: DQuat| -> DVec3 { rotation_vector(p.conjugate() * q) };
                let (u, v, w) = (
                    step(a.turn, b.turn),
                    step(b.turn, c.turn),
                    step(c.turn, d.turn),
                );
                turns.push((u - v * 2.0 + w).length_squared());
            }
            Noise {
                place_m: deviation(places),
                turn_rad: deviation(turns),
            }
        })
        .collect()
}

fn deviation(mut squares: Vec<f64>) -> f64 {
    const FEWEST: usize = 12;
    if squares.len() < FEWEST {
        return 0.0;
    }
    squares.sort_by(f64::total_cmp);
    (squares[squares.len() / 2] / MEDIAN_CHI2_3 / THIRD).sqrt()
}
