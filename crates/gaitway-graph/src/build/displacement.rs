//! Cuts that would be seen: joints turned faster, or jerked harder, than people do.
//!
//! A cut closes its jump by turning every joint back by what it differed, x₀, over the fade s, and by taking away what its speed
//! differed, v₀, over a third of it (see `gaitway_runtime::timeline`). The greatest speed of the one and the greatest
//! accelerations of both are
//!
//!   1.875 |x₀| / s     and     5.77 |x₀| / s² + 3.94 |v₀| / (s / 3).
//!
//! Where either is more than the joint itself does in all but a hundredth of both clips' frames, the displacement would be
//! seen, whatever the mean over all markers says: one arm that hangs and is raised is a small part of a body. So it is for
//! the root's place. Going on as fast as it went costs a joint nothing, so v₀ is no part of the speed.

use std::sync::Arc;

use gaitway_core::{Planar, Pose, PoseSource};
use gaitway_runtime::timeline::{Offsets, Track};
use glam::{DVec3, Quat};
use rayon::prelude::*;

use crate::model::library::Library;
use crate::{ClipId, GraphError};

/// The steepest slope of 1 − 10s³ + 15s⁴ − 6s⁵, and its sharpest bend.
const STEEPEST: f64 = 1.875;
const SHARPEST: f64 = 5.7735;
/// The steepest slope of 1 − 18r² + 32r³ − 15r⁴, by which a speed fades, over the part of the fade in which it does.
const BRAKING: f64 = 3.94 * 3.0;
/// A joint that never turns at all may turn this fast, in radians a second (or metres, for the root), and be sped up so much:
/// three degrees a second, which nobody sees.
const STILL: [f64; 2] = [0.05, 0.5];

/// How a joint turns, or the root moves, in all but a hundredth of a clip's frames: speed and acceleration.
type Limits = [f64; 2];

struct Measured {
    source: Arc<dyn PoseSource>,
    root: Limits,
    joints: Vec<Limits>,
}

/// How fast the joints of each clip turn, and the clips themselves.
pub(crate) struct Turning {
    clips: Vec<Measured>,
}

/// Poses and offsets of one thread.
#[derive(Default)]
pub(crate) struct Scratch {
    poses: [Pose; 3],
    offsets: Offsets,
}

impl Turning {
    /// Measures every clip of a library.
    pub fn new(library: &Arc<Library>) -> Result<Self, GraphError> {
        let clips = (0..library.clips.len() as u32).into_par_iter();
        let clips = clips.map(|k| Ok(measured(library.source(ClipId(k))?)));
        Ok(Self {
            clips: clips.collect::<Result<_, GraphError>>()?,
        })
    }

    /// Whether a cut from a source frame of one clip, which may be one past its last, to one of another can be taken.
    pub fn allows(
        &self,
        (from, leaves): (ClipId, usize),
        (to, enters): (ClipId, usize),
        before_from_after: Planar,
        fade_s: f64,
        scratch: &mut Scratch,
    ) -> bool {
        let (a, b) = (&self.clips[from.index()], &self.clips[to.index()]);
        let rate = a.source.rate_hz().max(b.source.rate_hz());
        let track = |clip: &Measured, frame: usize, world: Planar| {
            Track::new(0, frame as f64, clip.source.rate_hz() / rate, world)
        };
        let (left, entered) = (
            track(a, leaves, Planar::IDENTITY),
            track(b, enters, before_from_after),
        );
        let joints = a.joints.len();
        // Shifts of moving joints are left to the mean: they are small, and few bodies have them.
        let moving: Arc<[_]> = Vec::new().into();
        scratch
            .poses
            .iter_mut()
            .for_each(|p| p.fit(joints, &moving));
        scratch.offsets.rotations.resize(joints, Default::default());
        let [p, q, r] = &mut scratch.poses;
        let (from, to) = ((&*a.source, &left), (&*b.source, &entered));
        scratch.offsets.at_cut(from, to, (p, q, r));
        let fits = |place: f64, speed: f64, own: Limits, other: Limits| {
            let fastest = STEEPEST * place / fade_s;
            let hardest = SHARPEST * place / (fade_s * fade_s) + BRAKING * speed * rate / fade_s;
            fastest <= own[0].max(other[0]).max(STILL[0])
                && hardest <= own[1].max(other[1]).max(STILL[1])
        };
        let [place, speed] = scratch.offsets.root.map(DVec3::length);
        let turns = scratch.offsets.rotations.iter().enumerate();
        fits(place, speed, a.root, b.root)
            && turns.into_iter().all(|(j, turn)| {
                let [place, speed] = turn.map(|v| f64::from(v.length()));
                fits(place, speed, a.joints[j], b.joints[j])
            })
    }
}

/// The rotation vector from one rotation to another, as far as its length goes.
fn turn(a: Quat, b: Quat) -> glam::Vec3 {
    let d = a * b.conjugate();
    let d = if d.w < 0.0 { -d } else { d };
    // Twice the sine of half the angle: within a frame or a fade that is the angle.
    glam::Vec3::new(d.x, d.y, d.z) * 2.0
}

fn measured(source: Arc<dyn PoseSource>) -> Measured {
    let (joints, count) = (source.skeleton().joint_count(), source.frame_count());
    let rate = source.rate_hz();
    let mut frames = [0; 3].map(|_| Pose::new(joints, source.moving_joints().into()));
    let mut root: [Vec<f64>; 2] = Default::default();
    let mut turns: Vec<[Vec<f64>; 2]> = vec![Default::default(); joints];
    for f in 0..count {
        frames.rotate_left(1);
        source.frame_into(f, &mut frames[2]);
        if f < 2 {
            continue;
        }
        let [a, b, c] = &frames;
        let (v, w) = ((b.root - a.root) * rate, (c.root - b.root) * rate);
        root[0].push(w.length());
        root[1].push((w - v).length() * rate);
        for (j, list) in turns.iter_mut().enumerate() {
            let v = turn(b.rotations[j], a.rotations[j]);
            let w = turn(c.rotations[j], b.rotations[j]);
            list[0].push(f64::from(w.length()) * rate);
            list[1].push(f64::from((w - v).length()) * rate * rate);
        }
    }
    Measured {
        root: root.map(percentile_99),
        joints: turns
            .into_iter()
            .map(|list| list.map(percentile_99))
            .collect(),
        source,
    }
}

/// What all but a hundredth are below.
fn percentile_99(mut list: Vec<f64>) -> f64 {
    let Some(last) = list.len().checked_sub(1) else {
        return 0.0;
    };
    let at = (last as f64 * 0.99).round() as usize;
    *list.select_nth_unstable_by(at, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::testing::swinging_clip;

    #[test]
    fn a_swing_has_its_own_speed() {
        // 0.35 rad at 5 rad/s: at most 1.75 rad/s about x and a fifth of it about y; five times that as acceleration.
        let found = measured(Arc::new(swinging_clip("a", 600, 60.0)));
        for [speed, acceleration] in found.joints {
            assert!((1.7..1.85).contains(&speed), "{speed}");
            assert!((8.0..9.6).contains(&acceleration), "{acceleration}");
        }
        assert!((1.19..1.21).contains(&found.root[0]), "{:?}", found.root);
    }

    #[test]
    fn the_bends_of_the_fades() {
        let steps = (0..=10_000).map(|k| f64::from(k) / 1e4);
        let most = |f: &dyn Fn(f64) -> f64| steps.clone().map(|s| f(s).abs()).fold(0.0, f64::max);
        assert!((most(&|s| 30.0 * s * s * (1.0 - s) * (1.0 - s)) - STEEPEST).abs() < 1e-6);
        assert!((most(&|s| 60.0 * s * (1.0 - 3.0 * s + 2.0 * s * s)) - SHARPEST).abs() < 1e-4);
        assert!((most(&|r| r * (-36.0 + r * (96.0 - 60.0 * r))) - BRAKING / 3.0).abs() < 5e-3);
    }
}
