//! Keys to frames: STEP, LINEAR and CUBICSPLINE as in the specification (glTF 2.0, appendix C).

use glam::{DVec3, Quat, Vec3, Vec4};

use gaitway_core::rotation::slerp;

use super::document::Interpolation;
use crate::nodes::grid::{Cursor, Spot};

/// Keys of one channel: places counted in frames of the grid, non-decreasing, and their values.
pub(super) struct Keys<'a> {
    pub places: &'a [f64],
    pub interpolation: Interpolation,
    /// Three per key (tangent in, value, tangent out) for CUBICSPLINE, else one.
    pub values: &'a [f32],
    /// Seconds a frame lasts; tangents are per second.
    pub frame_s: f64,
}

impl Keys<'_> {
    /// Values the interpolation needs, in elements.
    pub fn elements(interpolation: Interpolation, keys: usize) -> usize {
        match interpolation {
            Interpolation::CubicSpline => 3 * keys,
            _ => keys,
        }
    }

    pub fn vectors(&self, frames: usize) -> Vec<DVec3> {
        let at = |i: usize| Vec3::from_slice(&self.values[3 * i..]).as_dvec3();
        let mut cursor = Cursor::default();
        let sample = |frame| match cursor.seek(self.places, frame as f64) {
            Spot::On(k) => at(self.value_index(k)),
            Spot::Between(k, t, span) => match self.interpolation {
                Interpolation::Step => at(k),
                Interpolation::Linear => at(k).lerp(at(k + 1), t),
                Interpolation::CubicSpline => {
                    let [a, b, c, d] = hermite(t, span * self.frame_s);
                    at(3 * k + 1) * a + at(3 * k + 2) * b + at(3 * k + 4) * c + at(3 * k + 3) * d
                }
            },
        };
        (0..frames).map(sample).collect()
    }

    pub fn rotations(&self, frames: usize) -> Vec<Quat> {
        let raw = |i: usize| Vec4::from_slice(&self.values[4 * i..]);
        let at = |i: usize| unit(raw(i));
        let mut cursor = Cursor::default();
        let sample = |frame| match cursor.seek(self.places, frame as f64) {
            Spot::On(k) => at(self.value_index(k)),
            Spot::Between(k, t, span) => match self.interpolation {
                Interpolation::Step => at(k),
                Interpolation::Linear => slerp(at(k), at(k + 1), t as f32),
                Interpolation::CubicSpline => {
                    let w = hermite(t, span * self.frame_s).map(|w| w as f32);
                    let (a, b) = (raw(3 * k + 1) * w[0], raw(3 * k + 2) * w[1]);
                    let (c, d) = (raw(3 * k + 4) * w[2], raw(3 * k + 3) * w[3]);
                    unit(a + b + c + d)
                }
            },
        };
        (0..frames).map(sample).collect()
    }

    fn value_index(&self, key: usize) -> usize {
        match self.interpolation {
            Interpolation::CubicSpline => 3 * key + 1,
            _ => key,
        }
    }
}

/// Of unit length; bits that are already so within rounding are kept, and nothing becomes no turn.
fn unit(v: Vec4) -> Quat {
    let length = v.length_squared();
    if !(length.is_finite() && length > 1e-12) {
        Quat::IDENTITY
    } else if (length - 1.0).abs() <= 1e-6 {
        Quat::from_vec4(v)
    } else {
        Quat::from_vec4(v / length.sqrt())
    }
}

/// Weights of value, tangent out, next value and its tangent in, over a span of `seconds`.
fn hermite(t: f64, seconds: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        2.0 * t3 - 3.0 * t2 + 1.0,
        seconds * (t3 - 2.0 * t2 + t),
        -2.0 * t3 + 3.0 * t2,
        seconds * (t3 - t2),
    ]
}
