//! A motion between two: the same action, longer or shorter, higher or lower, than either was captured.
//!
//! Two stretches of sources are played side by side. *Knots* are moments that correspond, such as a foot that comes down in both;
//! between two of them each source plays as fast as it must, and speeds change smoothly (`warp`). Joints are slerped; where the
//! body is on the ground follows from points that stand (`place`). With w the weight of the first, and T₁, T₂ how long the
//! sources take between two knots,
//!
//!   T = √(w T₁² + (1 − w) T₂²)          \[Safonova05\], as quoted by Zhao and Safonova: what falls then falls at g
//!   q = slerp(q₂, q₁; w)                 the second in the first's heading
//!
//! Poses beyond the first and last knot can be asked for as well ([`Interpolated::beyond`]): whoever compares windows of frames looks
//! past both ends. Cost: two samples and a slerp per joint; where a frame is put is worked out once for all, on first use, by
//! forward kinematics of three poses a frame. Checked by: weight 1 gives the first and weight 0 the second, moved; a source
//! with itself changes nothing; what stands in both stays where it is at every weight.

mod place;
mod warp;

use std::sync::{Arc, OnceLock};

use crate::rotation::slerp;
use crate::source::SNAP;
use crate::{ContactPoint, JointIdx, LabelSpan, LabelTrack, Planar, Pose, PoseSource, Skeleton};
use place::Places;
use warp::Warp;

/// What to interpolate, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolation {
    /// Moments that correspond: own frames of the first source and of the second, rising in both; two at least.
    pub knots: Vec<[usize; 2]>,
    /// Weight of the first, 0 to 1.
    pub weight: f64,
}

/// Why two sources cannot be interpolated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InterpolationError {
    /// The bodies differ.
    #[error("the two sources have different skeletons")]
    Skeletons,
    /// Other points stand in the one than in the other.
    #[error("the two sources know contacts of different points")]
    Contacts,
    /// Fewer than two knots.
    #[error("it takes two moments that correspond, found {0}")]
    FewKnots(usize),
    /// Knots do not rise, or lie outside their source.
    #[error(
        "moments that correspond must rise and lie in sources of {counts:?} frames, found {knot:?}"
    )]
    Knot {
        /// The knot at fault.
        knot: [usize; 2],
        /// Frames of both sources.
        counts: [usize; 2],
    },
    /// The weight is not between 0 and 1.
    #[error("a weight of {0} does not lie between 0 and 1")]
    Weight(f64),
}

/// The interpolation of two sources, as a source.
#[derive(Clone)]
pub struct Interpolated {
    sources: [Arc<dyn PoseSource>; 2],
    how: Interpolation,
    rate_hz: f64,
    frames: usize,
    warps: [Warp; 2],
    moving: Arc<[JointIdx]>,
    /// Frames on either side of its own that can be asked for.
    reach: usize,
    places: OnceLock<Arc<Places>>,
    labels: OnceLock<LabelTrack>,
}

impl Interpolated {
    /// Interpolates two sources at the rate of the first.
    ///
    /// # Errors
    /// When bodies, contact points, knots or weight do not fit.
    pub fn new(
        first: Arc<dyn PoseSource>,
        second: Arc<dyn PoseSource>,
        how: Interpolation,
    ) -> Result<Self, InterpolationError> {
        if **first.skeleton() != **second.skeleton() {
            return Err(InterpolationError::Skeletons);
        }
        if first.contact_points() != second.contact_points() {
            return Err(InterpolationError::Contacts);
        }
        if !(0.0..=1.0).contains(&how.weight) {
            return Err(InterpolationError::Weight(how.weight));
        }
        if how.knots.len() < 2 {
            return Err(InterpolationError::FewKnots(how.knots.len()));
        }
        let counts = [first.frame_count(), second.frame_count()];
        let mut before: Option<[usize; 2]> = None;
        for &knot in &how.knots {
            let rises = before.is_none_or(|b| b[0] < knot[0] && b[1] < knot[1]);
            if !rises || knot[0] >= counts[0] || knot[1] >= counts[1] {
                return Err(InterpolationError::Knot { knot, counts });
            }
            before = Some(knot);
        }
        let rate_hz = first.rate_hz();
        // Frames of the first's rate, so that its own stay whole.
        let second_frame = rate_hz / second.rate_hz();
        let mut at = vec![0.0];
        for pair in how.knots.windows(2) {
            let a = (pair[1][0] - pair[0][0]) as f64;
            let b = (pair[1][1] - pair[0][1]) as f64 * second_frame;
            let length = (how.weight * a * a + (1.0 - how.weight) * b * b).sqrt();
            at.push(at[at.len() - 1] + length);
        }
        let frames = (at[at.len() - 1] + SNAP).floor() as usize + 1;
        let warp = |s: usize| {
            let value = how.knots.iter().map(|k| k[s] as f64).collect();
            Warp::new(at.clone(), value)
        };
        let warps = [warp(0), warp(1)];
        let mut moving = [first.moving_joints(), second.moving_joints()].concat();
        moving.sort_unstable();
        moving.dedup();
        Ok(Self {
            sources: [first, second],
            how,
            rate_hz,
            frames,
            warps,
            moving: moving.into(),
            reach: 0,
            places: OnceLock::new(),
            labels: OnceLock::new(),
        })
    }

    /// With so many frames beyond either end that [`Interpolated::beyond`] can be asked for.
    #[must_use]
    pub fn reaching(mut self, frames: usize) -> Self {
        self.reach = frames;
        self.places = OnceLock::new();
        self
    }

    /// What to interpolate, and how.
    pub fn how(&self) -> &Interpolation {
        &self.how
    }

    /// Carries the second source onto the first at the first knot.
    pub fn first_from_second(&self) -> Planar {
        self.places().first_from_second
    }

    /// Where a source is, in its own frames, at a frame of the result; `which` is 0 or 1.
    pub fn place(&self, which: usize, frame: f64) -> f64 {
        self.warps[which].value(frame)
    }

    /// Whether both sources have frames at a frame of the result, which may lie beyond its ends.
    pub fn has(&self, frame: f64) -> bool {
        (0..2).all(|s| {
            let last = self.sources[s].frame_count() as f64 - 1.0;
            (-SNAP..=last + SNAP).contains(&self.place(s, frame))
        })
    }

    /// Fills a pose with that of a frame that may lie beyond its ends, as far as [`Interpolated::reaching`] says.
    pub fn beyond(&self, frame: isize, pose: &mut Pose) {
        let places = self.places();
        let last = places.places.len() as isize - 1;
        let k = (frame + places.before as isize).clamp(0, last) as usize;
        let frame = k as f64 - places.before as f64;
        let moving: Arc<[JointIdx]> = pose.moving().into();
        let joints = self.skeleton().joint_count();
        let mut both = [Pose::new(joints, moving.clone()), Pose::new(joints, moving)];
        let mut between = both[0].clone();
        for (s, pose) in both.iter_mut().enumerate() {
            self.sources[s].sample(self.place(s, frame), pose, &mut between);
        }
        // Ends and equals keep their bits.
        if self.how.weight == 1.0 || places.same {
            pose.clone_from(&both[0]);
            return;
        }
        if self.how.weight == 0.0 {
            both[1].move_by(places.first_from_second);
            pose.clone_from(&both[1]);
            return;
        }
        let place = &places.places[k];
        mix(&both, place.onto_first, self.how.weight, pose);
        let turn = Planar::new(place.turn, 0.0, 0.0).rotation().as_quat();
        pose.rotations[0] = (turn * pose.rotations[0]).normalize();
        pose.root = place.root;
    }

    fn places(&self) -> &Places {
        self.places
            .get_or_init(|| Arc::new(Places::new(self, self.reach)))
    }

    /// Labels that both sources have at the same part of the way.
    fn common_labels(&self) -> LabelTrack {
        let mut spans = Vec::new();
        if self.sources.iter().any(|s| s.labels().spans().is_empty()) {
            return LabelTrack::default();
        }
        for frame in 0..self.frames {
            let [a, b] = [0, 1].map(|s| self.place(s, frame as f64));
            let mut first: Vec<String> = Vec::new();
            self.sources[0].labels_at(a, &mut |l| first.push(l.to_owned()));
            self.sources[1].labels_at(b, &mut |label| {
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
}

/// Joints between two poses, the second in the first's heading; the root's place is left as it is.
fn mix([a, b]: &[Pose; 2], onto_first: f64, weight: f64, pose: &mut Pose) {
    let toward = (1.0 - weight) as f32;
    let turn = Planar::new(onto_first, 0.0, 0.0).rotation().as_quat();
    let mixed = a.rotations.iter().zip(&b.rotations).enumerate();
    for (out, (j, (&p, &q))) in pose.rotations.iter_mut().zip(mixed) {
        let q = if j == 0 && onto_first != 0.0 {
            turn * q
        } else {
            q
        };
        *out = if p == q {
            p
        } else {
            slerp(p, q, toward).normalize()
        };
    }
    let mixed = a.translations.iter().zip(&b.translations);
    for (out, (&p, &q)) in pose.translations.iter_mut().zip(mixed) {
        *out = p.lerp(q, toward);
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
        self.beyond(frame as isize, pose);
    }

    fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.sources[0].contact_points()
    }

    /// The heavier source's: there is nothing between standing and not.
    fn contact_mask(&self, frame: usize) -> u32 {
        let heavier = usize::from(self.how.weight < 0.5);
        self.sources[heavier].contacts_at(self.place(heavier, frame as f64))
    }

    fn labels(&self) -> &LabelTrack {
        self.labels.get_or_init(|| self.common_labels())
    }
}

#[cfg(test)]
mod tests;
