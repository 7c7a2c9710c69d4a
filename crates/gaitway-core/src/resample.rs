//! Another frame rate: up by slerp, down with a low-pass filter in front so that nothing faster than
//! the new rate can show folds back as a slow wobble (aliasing).
//!
//! Output frame k shows time k / rate; the last lies at or before the last input frame. A whole-number
//! ratio upwards therefore keeps every source frame to the bit.

use glam::{DVec3, Quat, Vec3};

use crate::clip::ClipParts;
use crate::rotation::slerp;
use crate::{Clip, ClipError, TranslationTrack};

/// What stands between the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    /// Smooths before going down in rate, nothing when going up. The default.
    #[default]
    AntiAlias,
    /// Picks what is there at each time: contacts stay crisp, fast shakes may alias.
    None,
}

/// The clip at another rate, with [`Filter::AntiAlias`].
///
/// # Errors
/// When the rate is not positive and finite, or so high that the frames could not be held.
pub fn resample(clip: &Clip, rate_hz: f64) -> Result<Clip, ClipError> {
    resample_with(clip, rate_hz, Filter::AntiAlias)
}

/// The clip at another rate.
///
/// # Errors
/// As [`resample`].
pub fn resample_with(clip: &Clip, rate_hz: f64, filter: Filter) -> Result<Clip, ClipError> {
    /// 100 times the fastest optical systems; a slip of the keyboard, not a wish.
    const HIGHEST_RATE: f64 = 100_000.0;
    if !(rate_hz.is_finite() && rate_hz > 0.0 && rate_hz <= HIGHEST_RATE) {
        return Err(ClipError::Rate(rate_hz));
    }
    let source = clip.rate_hz();
    if clip.frame_count() == 0 || (rate_hz - source).abs() <= 1e-9 * source {
        return clip.clone().with_rate(rate_hz);
    }
    let last = clip.frame_count() - 1;
    let step = source / rate_hz;
    let count = ((last as f64 + 1e-6) / step).floor() as usize + 1;
    let down = step > 1.0 + 1e-9 && filter == Filter::AntiAlias;
    let taps = if down { low_pass(step) } else { vec![1.0] };
    let sampler = Sampler { taps: &taps, last };
    let joints = clip.joint_count();
    let place = |k: usize| (k as f64 * step).min(last as f64);

    let mut root = Vec::with_capacity(count);
    let mut rotations = Vec::with_capacity(count * joints);
    for k in 0..count {
        root.push(sampler.vector(place(k), |f| clip.root()[f]));
        for j in 0..joints {
            rotations.push(sampler.rotation(place(k), |f| clip.rotations()[f * joints + j]));
        }
    }
    let track = |t: &TranslationTrack| TranslationTrack {
        joint: t.joint,
        values: (0..count)
            .map(|k| {
                sampler
                    .vector(place(k), |f| t.values[f].as_dvec3())
                    .as_vec3()
            })
            .collect::<Vec<Vec3>>(),
    };
    ClipParts {
        name: clip.name().to_owned(),
        skeleton: clip.skeleton().clone(),
        rate_hz,
        root,
        rotations,
        translations: clip.translations().iter().map(track).collect(),
        labels: clip
            .labels()
            .map_frames(|f| ((f as f64 / step).round() as usize).min(count)),
        contacts: clip
            .contacts()
            .map(|c| c.gather(count, |k| place(k).round() as usize)),
    }
    .build()
}

/// Half of a symmetric low-pass kernel (Gaussian, −3 dB at 0.4 of the new rate), sum of both halves 1.
/// `step` is source frames per new frame.
fn low_pass(step: f64) -> Vec<f64> {
    // |H(f)| = exp(−2π²σ²f²) = 1/√2 at f = 0.4/step cycles per source frame.
    let sigma = (2.0_f64.sqrt().ln() / 2.0).sqrt() / (std::f64::consts::PI * 0.4 / step);
    let reach = (3.0 * sigma).ceil() as usize;
    let mut taps: Vec<f64> = (0..=reach)
        .map(|i| (-0.5 * (i as f64 / sigma).powi(2)).exp())
        .collect();
    let sum = taps[0] + 2.0 * taps[1..].iter().sum::<f64>();
    taps.iter_mut().for_each(|t| *t /= sum);
    taps
}

/// Filters around a fractional frame. At the ends the kernel shortens evenly on both sides, so that the
/// first and last frames stay what they are instead of being drawn towards the middle.
pub(crate) struct Sampler<'a> {
    pub(crate) taps: &'a [f64],
    pub(crate) last: usize,
}

impl Sampler<'_> {
    pub(crate) fn vector(&self, place: f64, value: impl Fn(usize) -> DVec3) -> DVec3 {
        self.filtered(
            place,
            |f| {
                let reach = self.reach(f);
                let mut sum = self.taps[0] * value(f);
                let mut weight = self.taps[0];
                for i in 1..=reach {
                    sum += self.taps[i] * (value(f - i) + value(f + i));
                    weight += 2.0 * self.taps[i];
                }
                if reach == 0 { value(f) } else { sum / weight }
            },
            |a, b, t| a.lerp(b, t),
        )
    }

    pub(crate) fn rotation(&self, place: f64, value: impl Fn(usize) -> Quat) -> Quat {
        self.filtered(
            place,
            |f| {
                let middle = value(f);
                let reach = self.reach(f);
                if reach == 0 {
                    return middle;
                }
                // Neighbours within a filter's reach are close: the normalised sum is the mean rotation.
                let mut sum = middle * self.taps[0] as f32;
                for i in 1..=reach {
                    for q in [value(f - i), value(f + i)] {
                        let toward = if q.dot(middle) < 0.0 { -q } else { q };
                        sum += toward * self.taps[i] as f32;
                    }
                }
                if sum.length_squared() > 1e-6 {
                    sum.normalize()
                } else {
                    middle
                }
            },
            |a, b, t| slerp(a, b, t as f32),
        )
    }

    fn reach(&self, frame: usize) -> usize {
        (self.taps.len() - 1).min(frame).min(self.last - frame)
    }

    fn filtered<T>(
        &self,
        place: f64,
        at: impl Fn(usize) -> T,
        between: impl Fn(T, T, f64) -> T,
    ) -> T {
        let low = place.floor() as usize;
        let t = place - low as f64;
        // Within a millionth of a frame there is nothing to interpolate; the source's bits stay.
        if t < 1e-6 || low >= self.last {
            at(low.min(self.last))
        } else if t > 1.0 - 1e-6 {
            at(low + 1)
        } else {
            between(at(low), at(low + 1), t)
        }
    }
}
