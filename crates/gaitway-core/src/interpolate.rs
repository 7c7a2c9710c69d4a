//! A motion between two: the same action, longer or shorter, higher or lower, than either was captured.
//!
//! Two stretches of sources are played side by side, each warped evenly onto the time of the result; joints are slerped and
//! the root is put where the weighted mean of both has it, or, with an *anchor*, where the anchor's point stays on the
//! weighted mean of its two places: a planted toe then stays planted. With w the weight of the first,
//!
//!   T = √(w T₁² + (1 − w) T₂²)                              \[Safonova07\], as quoted in Zhao & Safonova's graphs
//!   q = slerp(q₂, q₁; w),     p = w p₁ + (1 − w) T₁₂ p₂
//!
//! where T₁₂ carries the second stretch onto the first. Cost: two samples and a slerp per joint; with an anchor, one chain of
//! forward kinematics for each of three poses. Checked by: weight 1 gives the first and weight 0 the second, moved; a source
//! with itself changes nothing.

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use crate::rotation::slerp;
use crate::{
    ContactPoint, JointIdx, LabelSpan, LabelTrack, Planar, PointIdx, Pose, PoseSource, Skeleton,
};

/// What to interpolate, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolation {
    /// Own frames of the first source, half-open.
    pub first: Range<usize>,
    /// Own frames of the second source.
    pub second: Range<usize>,
    /// Carries the second onto the first.
    pub first_from_second: Planar,
    /// Weight of the first, 0 to 1.
    pub weight: f64,
    /// A point whose place is interpolated instead of the root's.
    pub anchor: Option<PointIdx>,
}

/// Why two sources cannot be interpolated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InterpolationError {
    /// The bodies differ.
    #[error("the two sources have different skeletons")]
    Skeletons,
    /// A stretch is empty or reaches beyond its source.
    #[error("frames {start}..{end} are no stretch of a source of {frames} frames")]
    Stretch {
        /// First frame.
        start: usize,
        /// One past the last.
        end: usize,
        /// What the source has.
        frames: usize,
    },
    /// The weight is not between 0 and 1.
    #[error("a weight of {0} does not lie between 0 and 1")]
    Weight(f64),
    /// The anchor is no point of the body.
    #[error("the body has no point {0} to anchor on")]
    Anchor(u32),
}

/// The interpolation of two sources, as a source.
#[derive(Clone)]
pub struct Interpolated {
    sources: [Arc<dyn PoseSource>; 2],
    how: Interpolation,
    rate_hz: f64,
    frames: usize,
    moving: Arc<[JointIdx]>,
    labels: LabelTrack,
}

impl Interpolated {
    /// Interpolates two stretches at the rate of the first source.
    ///
    /// # Errors
    /// When bodies, stretches, weight or anchor do not fit.
    pub fn new(
        first: Arc<dyn PoseSource>,
        second: Arc<dyn PoseSource>,
        how: Interpolation,
    ) -> Result<Self, InterpolationError> {
        let skeleton = first.skeleton();
        if **skeleton != **second.skeleton() {
            return Err(InterpolationError::Skeletons);
        }
        if !(0.0..=1.0).contains(&how.weight) {
            return Err(InterpolationError::Weight(how.weight));
        }
        for (source, stretch) in [(&first, &how.first), (&second, &how.second)] {
            let (start, end, frames) = (stretch.start, stretch.end, source.frame_count());
            if start >= end || end > frames {
                return Err(InterpolationError::Stretch { start, end, frames });
            }
        }
        if let Some(anchor) = how.anchor.filter(|a| a.index() >= skeleton.point_count()) {
            return Err(InterpolationError::Anchor(anchor.0));
        }
        let rate_hz = first.rate_hz();
        let seconds = |s: &dyn PoseSource, r: &Range<usize>| r.len() as f64 / s.rate_hz();
        let (a, b) = (seconds(&*first, &how.first), seconds(&*second, &how.second));
        let length = (how.weight * a * a + (1.0 - how.weight) * b * b).sqrt();
        let mut moving = [first.moving_joints(), second.moving_joints()].concat();
        moving.sort_unstable();
        moving.dedup();
        let mut out = Self {
            sources: [first, second],
            how,
            rate_hz,
            frames: ((length * rate_hz).round() as usize).max(1),
            moving: moving.into(),
            labels: LabelTrack::default(),
        };
        out.labels = out.common_labels();
        Ok(out)
    }

    /// Labels that both sources have at the same part of the way.
    fn common_labels(&self) -> LabelTrack {
        let mut spans = Vec::new();
        for frame in 0..self.frames {
            let mut first: Vec<String> = Vec::new();
            self.sources[0].labels_at(self.place(0, frame), &mut |l| first.push(l.to_owned()));
            self.sources[1].labels_at(self.place(1, frame), &mut |label| {
                if first.iter().any(|l| l == label) {
                    spans.push(LabelSpan {
                        start: frame,
                        end: frame + 1,
                        label: label.to_owned(),
                    });
                }
            });
        }
        LabelTrack::new(spans)
    }

    /// Where a source is, in its own frames, at a frame of the result: both run evenly from their first frame to their last.
    fn place(&self, which: usize, frame: usize) -> f64 {
        let stretch = [&self.how.first, &self.how.second][which];
        let (steps, of) = (stretch.len() as f64 - 1.0, self.frames as f64 - 1.0);
        let part = if of > 0.0 { frame as f64 / of } else { 0.0 };
        stretch.start as f64 + part * steps
    }

    fn sampled(&self, which: usize, frame: usize, moving: &Arc<[JointIdx]>) -> Pose {
        let joints = self.sources[which].skeleton().joint_count();
        let mut pose = Pose::new(joints, moving.clone());
        let mut between = pose.clone();
        self.sources[which].sample(self.place(which, frame), &mut pose, &mut between);
        if which == 1 {
            pose.move_by(self.how.first_from_second);
        }
        pose
    }
}

/// Where a point is in the world.
fn point(skeleton: &Skeleton, pose: &Pose, at: PointIdx) -> DVec3 {
    let (mut place, mut joint) = match at.index().checked_sub(skeleton.joint_count()) {
        Some(site) => {
            let site = &skeleton.end_sites()[site];
            (site.offset, site.parent)
        }
        None => (Vec3::ZERO, JointIdx(at.0)),
    };
    loop {
        place = pose.rotations[joint.index()] * place;
        match skeleton.parent(joint) {
            Some(parent) => {
                place += pose.translation(skeleton, joint);
                joint = parent;
            }
            None => return pose.root + place.as_dvec3(),
        }
    }
}

impl PoseSource for Interpolated {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.sources[0].skeleton()
    }

    fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn moving_joints(&self) -> &[JointIdx] {
        &self.moving
    }

    fn frame_into(&self, frame: usize, pose: &mut Pose) {
        let moving: Arc<[JointIdx]> = pose.moving().into();
        let (a, b) = (
            self.sampled(0, frame, &moving),
            self.sampled(1, frame, &moving),
        );
        let (w, toward) = (self.how.weight, 1.0 - self.how.weight);
        pose.root = a.root * w + b.root * toward;
        let mixed = a.rotations.iter().zip(&b.rotations);
        for (out, (&p, &q)) in pose.rotations.iter_mut().zip(mixed) {
            // Ends and equals keep their bits.
            *out = match toward {
                0.0 => p,
                1.0 => q,
                _ if p == q => p,
                t => slerp(p, q, t as f32).normalize(),
            };
        }
        let mixed = a.translations.iter().zip(&b.translations);
        for (out, (&p, &q)) in pose.translations.iter_mut().zip(mixed) {
            *out = p.lerp(q, toward as f32);
        }
        if toward == 0.0 || a == b {
            pose.root = a.root;
        } else if w == 0.0 {
            pose.root = b.root;
        } else if let Some(anchor) = self.how.anchor {
            let skeleton = self.skeleton();
            let at = |p: &Pose| point(skeleton, p, anchor);
            let wanted = at(&a) * w + at(&b) * toward;
            pose.root += wanted - at(pose);
        }
    }

    /// The first source's: segments are interpolated whose contacts agree.
    fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.sources[0].contact_points()
    }

    fn contact_mask(&self, frame: usize) -> u32 {
        self.sources[0].contacts_at(self.place(0, frame))
    }

    fn labels(&self) -> &LabelTrack {
        &self.labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::bake;
    use crate::testing::swinging_clip;

    fn between(weight: f64, anchor: Option<PointIdx>, lengths: [usize; 2]) -> Interpolated {
        let a = Arc::new(swinging_clip("a", 90, 60.0));
        let b = Arc::new(swinging_clip("b", 120, 60.0));
        let how = Interpolation {
            first: 10..10 + lengths[0],
            second: 20..20 + lengths[1],
            first_from_second: Planar::IDENTITY,
            weight,
            anchor,
        };
        Interpolated::new(a, b, how).expect("they go together")
    }

    #[test]
    fn the_ends_are_the_originals() {
        for (weight, start, count) in [(1.0, 10, 31), (0.0, 20, 46)] {
            let made =
                bake(&between(weight, Some(PointIdx(11)), [31, 46]), "made").expect("a clip");
            let clip = swinging_clip("x", 120, 60.0);
            assert_eq!(made.frame_count(), count);
            for f in 0..count {
                assert_eq!(made.root()[f], clip.root()[start + f]);
                assert_eq!(made.frame_rotations(f), clip.frame_rotations(start + f));
            }
        }
    }

    #[test]
    fn a_source_with_itself_changes_nothing() {
        let clip = Arc::new(swinging_clip("a", 90, 60.0));
        let how = Interpolation {
            first: 5..60,
            second: 5..60,
            first_from_second: Planar::IDENTITY,
            weight: 0.37,
            anchor: None,
        };
        let same = Interpolated::new(clip.clone(), clip.clone(), how).expect("they go together");
        let made = bake(&same, "same").expect("a clip");
        assert_eq!(made.root(), &clip.root()[5..60]);
        assert_eq!(made.frame_rotations(20), clip.frame_rotations(25));
    }

    #[test]
    fn an_anchor_stays_on_the_mean_of_its_places() {
        let made = between(0.4, Some(PointIdx(12)), [40, 52]);
        let skeleton = made.skeleton().clone();
        let moving: Arc<[JointIdx]> = Vec::new().into();
        for frame in [0, 7, 30] {
            let mut pose = Pose::new(skeleton.joint_count(), moving.clone());
            made.frame_into(frame, &mut pose);
            let at = |w: usize| point(&skeleton, &made.sampled(w, frame, &moving), PointIdx(12));
            let mean = at(0) * 0.4 + at(1) * 0.6;
            assert!(point(&skeleton, &pose, PointIdx(12)).distance(mean) < 1e-6);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let clip = Arc::new(swinging_clip("a", 30, 60.0));
        let with = |first: Range<usize>, weight: f64, anchor: Option<u32>| {
            let how = Interpolation {
                first,
                second: 0..30,
                first_from_second: Planar::IDENTITY,
                weight,
                anchor: anchor.map(PointIdx),
            };
            Interpolated::new(clip.clone(), clip.clone(), how).err()
        };
        assert!(matches!(
            with(5..31, 0.5, None),
            Some(InterpolationError::Stretch { .. })
        ));
        assert_eq!(
            with(0..9, f64::NAN, None).map(|e| e.to_string().contains("weight")),
            Some(true)
        );
        assert_eq!(
            with(0..9, 0.5, Some(99)),
            Some(InterpolationError::Anchor(99))
        );
    }
}
