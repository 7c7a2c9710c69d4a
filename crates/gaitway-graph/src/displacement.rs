//! Cuts that would turn a joint faster than people do.
//!
//! A cut closes its jump by turning every joint back by what it differed, x₀, over the fade s. The turn's speed is greatest in the
//! middle of the quintic, 1.875 |x₀| / s (see `gaitway_core::timeline`). Where that is more than the joint itself turns in all
//! but a hundredth of either clip's frames, the displacement would be seen, whatever the mean over all markers says: one
//! arm that hangs and is raised is a small part of a body.
//!
//! Velocities are not counted: fading them only lets a joint go on as fast as it went.

use std::sync::Arc;

use gaitway_core::{Planar, Pose, PoseSource};
use glam::Quat;
use rayon::prelude::*;

use crate::library::Library;
use crate::{ClipId, GraphError};

/// The steepest slope of 1 − 10s³ + 15s⁴ − 6s⁵.
const STEEPEST: f64 = 1.875;
/// A joint that never turns at all may turn this fast, in radians a second: three degrees, which nobody sees.
const SLOWEST: f64 = 0.05;

/// How fast the joints of each clip turn, and the clips themselves.
pub(crate) struct Turning {
    clips: Vec<(Arc<dyn PoseSource>, Vec<f32>)>,
}

impl Turning {
    /// Measures every clip of a library.
    pub fn new(library: &Arc<Library>) -> Result<Self, GraphError> {
        let one = |k: usize| {
            let source = library.source(ClipId(k as u32))?;
            let speeds = usual_speeds(&*source);
            Ok((source, speeds))
        };
        let clips = (0..library.clips.len()).into_par_iter().map(one);
        Ok(Self {
            clips: clips.collect::<Result<_, GraphError>>()?,
        })
    }

    /// Whether a cut from a source frame of one clip, which may be one past its last, to one of another can be taken: no joint
    /// turns faster than it does in the clips.
    pub fn allows(
        &self,
        (from, leaves): (ClipId, usize),
        (to, enters): (ClipId, usize),
        before_from_after: Planar,
        fade_s: f64,
        (pose, other): (&mut Pose, &mut Pose),
    ) -> bool {
        let (a, b) = (&self.clips[from.index()], &self.clips[to.index()]);
        let fill = |clip: &dyn PoseSource, frame: usize, pose: &mut Pose| {
            let moving: Arc<[_]> = clip.moving_joints().into();
            pose.fit(clip.skeleton().joint_count(), &moving);
            clip.frame_into(frame.min(clip.frame_count() - 1), pose);
        };
        fill(&*a.0, leaves, pose);
        fill(&*b.0, enters, other);
        other.move_by(before_from_after);
        let joints = pose.rotations.iter().zip(&other.rotations).enumerate();
        joints.into_iter().all(|(j, (&p, &q))| {
            let speed = STEEPEST * f64::from(turn(p, q)) / fade_s;
            speed <= f64::from(a.1[j].max(b.1[j])).max(SLOWEST)
        })
    }
}

/// The angle between two rotations; exact where it is small.
fn turn(a: Quat, b: Quat) -> f32 {
    let d = a * b.conjugate();
    2.0 * (d.x * d.x + d.y * d.y + d.z * d.z).sqrt().atan2(d.w.abs())
}

/// Per joint, the speed below which it turns in all but a hundredth of a source's frames, in radians a second.
fn usual_speeds(source: &dyn PoseSource) -> Vec<f32> {
    let (joints, count) = (source.skeleton().joint_count(), source.frame_count());
    let mut pose = Pose::new(joints, source.moving_joints().into());
    let mut before: Vec<Quat> = vec![Quat::IDENTITY; joints];
    let mut speeds: Vec<Vec<f32>> = vec![Vec::with_capacity(count); joints];
    for frame in 0..count {
        source.frame_into(frame, &mut pose);
        if frame > 0 {
            for ((list, &p), &q) in speeds.iter_mut().zip(&before).zip(&pose.rotations) {
                list.push(turn(q, p) * source.rate_hz() as f32);
            }
        }
        before.copy_from_slice(&pose.rotations);
    }
    let p99 = |mut list: Vec<f32>| {
        let Some(last) = list.len().checked_sub(1) else {
            return 0.0;
        };
        let at = (last as f64 * 0.99).round() as usize;
        *list.select_nth_unstable_by(at, f32::total_cmp).1
    };
    speeds.into_iter().map(p99).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::testing::swinging_clip;

    #[test]
    fn a_swing_has_its_own_speed() {
        // 0.35 rad at 5 rad/s: at most 1.75 rad/s about x and a fifth of it about y.
        let speeds = usual_speeds(&swinging_clip("a", 600, 60.0));
        for speed in speeds {
            assert!((1.7..1.85).contains(&speed), "{speed}");
        }
    }
}
