//! The same poses at other moments: a motion played a little slower here and a little faster there.
//!
//! A [`TimeMap`] says when each frame of a clip is shown. Where time runs slower or faster by no more than a tenth a body still looks as heavy as it is,
//! and feet that stand go on standing, since no pose changes.

use crate::clip::ClipParts;
use crate::resample::Sampler;
use crate::{Clip, ClipError, TranslationTrack};

/// When each frame of a clip is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeMap {
    rate_hz: f64,
    /// Seconds, per frame: the first at 0, each later than the one before.
    shown_s: Vec<f64>,
}

impl TimeMap {
    /// From how long each frame lasts until the next: 1 for as long as recorded, 1.1 for a tenth longer. Nothing where one does not last.
    pub fn new(rate_hz: f64, lasts: &[f64]) -> Option<Self> {
        let fine = |v: &f64| v.is_finite() && *v > 0.0;
        if !(rate_hz.is_finite() && rate_hz > 0.0 && lasts.iter().all(fine)) {
            return None;
        }
        let mut shown_s = Vec::with_capacity(lasts.len() + 1);
        let mut now = 0.0;
        shown_s.push(now);
        for l in lasts {
            now += l / rate_hz;
            shown_s.push(now);
        }
        Some(Self { rate_hz, shown_s })
    }

    /// Seconds from the first frame to the last as they are shown.
    pub fn seconds(&self) -> f64 {
        self.shown_s.last().copied().unwrap_or(0.0)
    }

    /// When a moment of the clip is shown; before and after it time runs as recorded.
    pub fn shown(&self, clip_s: f64) -> f64 {
        let place = clip_s * self.rate_hz;
        let last = self.shown_s.len() - 1;
        if place <= 0.0 {
            return clip_s;
        }
        let k = place as usize;
        if k >= last {
            return self.shown_s[last] + (place - last as f64) / self.rate_hz;
        }
        let (a, b) = (self.shown_s[k], self.shown_s[k + 1]);
        a + (b - a) * (place - k as f64)
    }

    /// Which place of the clip is shown at a moment, in frames.
    pub fn place(&self, shown_s: f64) -> f64 {
        let last = self.shown_s.len() - 1;
        let after = self.shown_s.partition_point(|&s| s <= shown_s);
        if after == 0 {
            return 0.0;
        }
        if after > last {
            return last as f64;
        }
        let (a, b) = (self.shown_s[after - 1], self.shown_s[after]);
        (after - 1) as f64 + (shown_s - a) / (b - a)
    }
}

/// A clip as a map shows it, at its own rate: poses between frames by slerp, labels and contacts of the nearest frame. The last frame
/// shown lies at or before the clip's last.
///
/// # Errors
/// When the map is of another number of frames, or the frames could not be held.
pub fn retimed(clip: &Clip, map: &TimeMap) -> Result<Clip, ClipError> {
    let rate_hz = clip.rate_hz();
    if clip.frame_count() == 0 || map.shown_s.len() != clip.frame_count() {
        return Err(ClipError::Length {
            what: "frames of a map of time",
            expected: clip.frame_count(),
            found: map.shown_s.len(),
        });
    }
    let last = clip.frame_count() - 1;
    let count = (map.seconds() * rate_hz + 1e-6).floor() as usize + 1;
    let places: Vec<f64> = (0..count)
        .map(|k| map.place(k as f64 / rate_hz).min(last as f64))
        .collect();
    let sampler = Sampler { taps: &[1.0], last };
    let joints = clip.joint_count();
    let mut rotations = Vec::with_capacity(count * joints);
    for &place in &places {
        for j in 0..joints {
            rotations.push(sampler.rotation(place, |f| clip.rotations()[f * joints + j]));
        }
    }
    let track = |t: &TranslationTrack| TranslationTrack {
        joint: t.joint,
        values: places
            .iter()
            .map(|&p| sampler.vector(p, |f| t.values[f].as_dvec3()).as_vec3())
            .collect(),
    };
    let shown = |f: usize| (map.shown(f as f64 / rate_hz) * rate_hz).round() as usize;
    ClipParts {
        name: clip.name().to_owned(),
        skeleton: clip.skeleton().clone(),
        rate_hz,
        root: places
            .iter()
            .map(|&p| sampler.vector(p, |f| clip.root()[f]))
            .collect(),
        rotations,
        translations: clip.translations().iter().map(track).collect(),
        labels: clip.labels().map_frames(|f| shown(f).min(count)),
        contacts: clip
            .contacts()
            .map(|c| c.gather(count, |k| places[k].round() as usize)),
    }
    .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::swinging_clip;
    use proptest::prelude::*;

    proptest! {
        /// There and back is where one was, and time never runs backwards.
        #[test]
        fn a_map_and_its_inverse(lasts in prop::collection::vec(0.5..2.0_f64, 1..80), at in 0.0..1.0_f64) {
            let map = TimeMap::new(30.0, &lasts).expect("all last");
            let clip_s = at * lasts.len() as f64 / 30.0;
            let back = map.place(map.shown(clip_s)) / 30.0;
            prop_assert!((back - clip_s).abs() < 1e-9);
            prop_assert!(map.shown(clip_s + 0.01) > map.shown(clip_s));
        }

        /// A clip as it is shown has, at each moment, the root that the map names.
        #[test]
        fn frames_are_where_the_map_says(lasts in prop::collection::vec(0.8..1.25_f64, 59)) {
            let clip = swinging_clip("a", 60, 30.0);
            let map = TimeMap::new(30.0, &lasts).expect("all last");
            let out = retimed(&clip, &map).expect("a clip");
            prop_assert!((out.seconds() - map.seconds()).abs() <= 1.0 / 30.0 + 1e-9);
            for (k, root) in out.root().iter().enumerate() {
                let place = map.place(k as f64 / 30.0);
                let (f, part) = (place as usize, place.fract());
                let next = clip.root()[(f + 1).min(59)];
                prop_assert!(root.distance(clip.root()[f].lerp(next, part)) < 1e-6);
            }
        }
    }

    #[test]
    fn time_as_recorded_keeps_every_bit() {
        let clip = swinging_clip("a", 60, 120.0);
        let map = TimeMap::new(120.0, &[1.0; 59]).expect("all last");
        let same = retimed(&clip, &map).expect("a clip");
        assert_eq!(
            (same.root(), same.rotations()),
            (clip.root(), clip.rotations())
        );
        assert!(TimeMap::new(30.0, &[1.0, 0.0]).is_none());
        assert!(retimed(&clip, &TimeMap::new(120.0, &[1.0; 3]).expect("all last")).is_err());
    }
}
