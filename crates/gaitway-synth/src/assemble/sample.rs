//! A pose of a clip at any time: a copy on a frame, an interpolation between two.

use gaitway_core::JointIdx;
use gaitway_core::rotation::slerp;
use gaitway_graph::{Frames, MotionGraph};
use glam::{DVec3, Quat, Vec3};

use super::timeline::Track;

/// One pose: what a frame of a clip holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The root's place in the world, in metres.
    pub root: DVec3,
    /// Local rotations in joint order.
    pub rotations: Vec<Quat>,
    /// Translations of the joints that move in their parents, in the order of [`super::Player::translation_joints`].
    pub translations: Vec<Vec3>,
}

impl Pose {
    pub(crate) fn new(joints: usize, moving: usize) -> Self {
        Self {
            root: DVec3::ZERO,
            rotations: vec![Quat::IDENTITY; joints],
            translations: vec![Vec3::ZERO; moving],
        }
    }

    /// Makes the arrays fit; allocates only on the first use of a pose.
    pub(crate) fn fit(&mut self, joints: usize, moving: usize) {
        self.rotations.resize(joints, Quat::IDENTITY);
        self.translations.resize(moving, Vec3::ZERO);
    }
}

/// Within this part of a frame there is nothing to interpolate and the source's bits stay.
pub(crate) const SNAP: f64 = 1e-6;

/// The two source frames around a place and the part of the way between them; held at the clip's ends.
fn around(place: f64, count: usize) -> (usize, Option<f64>) {
    let last = count.saturating_sub(1);
    let place = place.clamp(0.0, last as f64);
    let low = place.floor() as usize;
    let part = place - low as f64;
    if part < SNAP {
        (low, None)
    } else if part > 1.0 - SNAP {
        (low + 1, None)
    } else {
        (low, Some(part))
    }
}

/// The source frame nearest to a place: for contacts, which have nothing in between.
pub(crate) fn nearest(place: f64, count: usize) -> usize {
    (place.max(0.0).round() as usize).min(count.saturating_sub(1))
}

/// The source frame a place lies in: for labels, which begin at frames.
pub(crate) fn within(place: f64, count: usize) -> usize {
    ((place + SNAP).max(0.0) as usize).min(count.saturating_sub(1))
}

/// Fills a pose with a clip's at `offset` output frames into its track, moved into the world.
pub(crate) fn sample(
    graph: &MotionGraph,
    frames: &Frames<'_>,
    moving: &[JointIdx],
    track: &Track,
    offset: f64,
    pose: &mut Pose,
) {
    let clip = track.clip;
    let (low, part) = around(track.frame_at(offset), graph.clip_info(clip).frame_count());
    let here = frames.rotations(clip, low);
    match part {
        None => {
            pose.root = frames.root(clip, low);
            for (out, &q) in pose.rotations.iter_mut().zip(here) {
                *out = Quat::from_array(q);
            }
            for (out, &joint) in pose.translations.iter_mut().zip(moving) {
                *out = frames.translation(clip, low, joint);
            }
        }
        Some(t) => {
            let next = frames.rotations(clip, low + 1);
            pose.root = frames.root(clip, low).lerp(frames.root(clip, low + 1), t);
            for ((out, &a), &b) in pose.rotations.iter_mut().zip(here).zip(next) {
                *out = slerp(Quat::from_array(a), Quat::from_array(b), t as f32).normalize();
            }
            for (out, &joint) in pose.translations.iter_mut().zip(moving) {
                let next = frames.translation(clip, low + 1, joint);
                *out = frames.translation(clip, low, joint).lerp(next, t as f32);
            }
        }
    }
    if !track.still {
        pose.root = track.world_from_clip.apply(pose.root);
        pose.rotations[0] = (track.turn * pose.rotations[0]).normalize();
    }
}
