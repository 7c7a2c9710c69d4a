//! Clips from clips: cutting, and taking the travel out.

use std::ops::Range;

use glam::{DVec3, Quat};

use thiserror::Error;

use crate::clip::ClipParts;
use crate::mirror::{MirrorMap, mirror};
use crate::resample::resample;
use crate::{Clip, ClipError, TranslationTrack, ground};

/// What is changed about a motion on its way into a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Changes {
    /// Left and right change places.
    pub mirror: bool,
    /// All travel goes to the root ([`ground::all_travel_to_root`]).
    pub root_motion: bool,
    /// Travel and turning are taken out ([`in_place`]).
    pub in_place: bool,
    /// Frames a second.
    pub rate_hz: Option<f64>,
}

/// Why a motion cannot be changed so.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// A thousand frames for one that was captured are a slip of the keyboard, and would fill memory.
    #[error("{rate_hz} frames a second would be {:.0} for each that was captured", rate_hz / captured_hz)]
    Flood {
        /// Asked for.
        rate_hz: f64,
        /// As the motion is.
        captured_hz: f64,
    },
    /// What came of it is no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

impl Changes {
    /// Frames there may be for each that was captured.
    pub const MOST: f64 = 1000.0;

    /// The motion changed, in the order a person would expect: what the body does first, its rate last.
    ///
    /// # Errors
    /// When the rate is none, or a thousand times the motion's own.
    pub fn apply(&self, clip: &Clip) -> Result<Clip, ChangeError> {
        let mut out = clip.clone();
        if self.mirror {
            out = mirror(&out, &MirrorMap::new(clip.skeleton(), &[clip]));
        }
        if self.root_motion {
            out = ground::all_travel_to_root(&out);
        }
        if self.in_place {
            out = in_place(&out)?;
        }
        if let Some(rate_hz) = self.rate_hz {
            let captured_hz = out.rate_hz();
            if rate_hz > Self::MOST * captured_hz {
                return Err(ChangeError::Flood {
                    rate_hz,
                    captured_hz,
                });
            }
            out = resample(&out, rate_hz)?;
        }
        Ok(out)
    }
}

/// The frames of a half-open range, with labels and contacts. The range is clamped to the clip.
pub fn cut(clip: &Clip, frames: Range<usize>) -> Clip {
    let end = frames.end.min(clip.frame_count());
    let range = frames.start.min(end)..end;
    let joints = clip.joint_count();
    let tracks = clip.translations().iter();
    ClipParts {
        name: clip.name().to_owned(),
        skeleton: clip.skeleton().clone(),
        rate_hz: clip.rate_hz(),
        root: clip.root()[range.clone()].to_vec(),
        rotations: clip.rotations()[range.start * joints..range.end * joints].to_vec(),
        translations: tracks
            .map(|t| TranslationTrack {
                joint: t.joint,
                values: t.values[range.clone()].to_vec(),
            })
            .collect(),
        labels: clip.labels().cut(range.clone()),
        contacts: clip.contacts().map(|c| c.cut(range)),
    }
    .build()
    .expect("a part of a valid clip is valid")
}

/// The clip played on the spot: the ground travel and heading of the body stay where they begin, height
/// and everything inside the body stay as recorded. For engines that move the character themselves.
///
/// What counts as travel is the smoothed way of the hips (0.5 s), so that sway and step remain.
///
/// # Errors
/// When the arrays no longer make a clip, which does not happen for finite input.
pub fn in_place(clip: &Clip) -> Result<Clip, ClipError> {
    let clip = ground::travel_to_root(clip);
    if clip.frame_count() == 0 {
        return Ok(clip);
    }
    let way = ground::smooth_ground_path(&clip, 0.5);
    let facing = ground::smooth_facing(&clip, 0.5);
    let (place0, facing0) = (way[0], facing[0]);
    let joints = clip.joint_count();
    let mut parts = clip.into_parts();
    for f in 0..parts.root.len() {
        let turn = crate::Planar::new(facing0 - facing[f], 0.0, 0.0);
        let p = parts.root[f];
        let off = DVec3::new(p.x - way[f].x, p.y, p.z - way[f].y);
        parts.root[f] = turn.apply(off) + DVec3::new(place0.x, 0.0, place0.y);
        let q: Quat = turn.rotation().as_quat() * parts.rotations[f * joints];
        parts.rotations[f * joints] = q.normalize();
    }
    parts.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::swinging_clip;

    #[test]
    fn nothing_asked_for_changes_nothing() {
        let clip = swinging_clip("swing", 40, 60.0);
        assert_eq!(Changes::default().apply(&clip).expect("possible"), clip);
    }

    #[test]
    fn a_rate_is_what_is_asked_for_within_reason() {
        let clip = swinging_clip("swing", 61, 60.0);
        let at = |rate_hz: f64| {
            let changes = Changes {
                rate_hz: Some(rate_hz),
                ..Changes::default()
            };
            changes.apply(&clip)
        };
        for rate in [15.0, 24.0, 60.0, 120.0] {
            let out = at(rate).expect("possible");
            assert_eq!(out.rate_hz(), rate);
            assert!((out.seconds() - clip.seconds()).abs() < 2.0 / rate);
        }
        assert!(matches!(at(60_001.0), Err(ChangeError::Flood { .. })));
        for none in [0.0, -3.0, f64::NAN] {
            assert!(matches!(at(none), Err(ChangeError::Clip(_))), "{none}");
        }
    }

    #[test]
    fn on_the_spot_nobody_travels() {
        let clip = crate::testing::walking_clip(&crate::testing::Walker::default());
        let changes = Changes {
            in_place: true,
            root_motion: true,
            ..Changes::default()
        };
        let out = changes.apply(&clip).expect("possible");
        let far = |c: &Clip| c.root()[0].distance(c.root()[c.frame_count() - 1]);
        assert!(
            far(&clip) > 1.0 && far(&out) < 0.3,
            "{} {}",
            far(&clip),
            far(&out)
        );
    }
}
