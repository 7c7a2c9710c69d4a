//! From a model and its poses to a skeleton and a clip of it.
//!
//! A joint's frame is the world's at the rest pose, which is a pose that was captured, turned to face +Z: how a sensor was
//! strapped on does not show.

use gaitway_core::{Clip, Skeleton, Warnings};
use gaitway_io::ReadOptions;
use gaitway_io::door::{Mended, mend};
use glam::{DQuat, DVec3};

use crate::error::CalibrateError;
use crate::model::{BodyPose, Model};

/// What a clip is made of.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// The body.
    pub model: &'a Model,
    /// Its pose in every frame.
    pub poses: &'a [BodyPose],
    /// Names of its bodies.
    pub names: &'a [String],
    /// The tips of bodies that nothing hangs on, in the body's frame from its joint, metres.
    pub tips: &'a [Option<DVec3>],
    /// The frame whose pose is the rest pose.
    pub rest: usize,
    /// Frames a second.
    pub rate_hz: f64,
}

/// The skeleton and the clip.
///
/// # Errors
/// When what was found is no skeleton: names twice, or numbers that are not finite.
pub fn clip_of(name: &str, parts: &Parts<'_>) -> Result<Clip, CalibrateError> {
    let model = parts.model;
    let rest = &parts.poses[parts.rest];
    let level = facing(model, rest, parts.names);
    // Rest frames in body frames: joint from body.
    let from_rest: Vec<DQuat> = rest
        .turns
        .iter()
        .map(|q| (level * *q).conjugate())
        .collect();
    let mut builder = Skeleton::builder();
    let mut indices = Vec::with_capacity(model.body_count());
    for (body, parent) in model.parents.iter().enumerate() {
        let in_rest = |b: usize, v: DVec3| (from_rest[b].conjugate() * v).as_vec3();
        let index = match parent {
            None => builder.root(parts.names[body].clone(), glam::Vec3::ZERO),
            Some(p) => builder.joint(
                parts.names[body].clone(),
                indices[*p],
                in_rest(*p, model.offsets[body]),
            ),
        };
        indices.push(index);
    }
    for (body, tip) in parts.tips.iter().enumerate() {
        if let Some(tip) = tip {
            let offset = (from_rest[body].conjugate() * *tip).as_vec3();
            builder.end_site(indices[body], offset);
        }
    }
    let skeleton = builder
        .build()
        .map_err(|e| CalibrateError::new(e.to_string()))?
        .shared();
    let root = parts.poses.iter().map(|p| p.root).collect();
    let mut rotations = Vec::with_capacity(parts.poses.len() * model.body_count());
    for pose in parts.poses {
        let world = |b: usize| pose.turns[b] * from_rest[b];
        for (body, parent) in model.parents.iter().enumerate() {
            let local = match parent {
                None => world(body),
                Some(p) => world(*p).conjugate() * world(body),
            };
            rotations.push(local.as_quat().normalize());
        }
    }
    Clip::new(name, skeleton, parts.rate_hz, root, rotations)
        .map_err(|e| CalibrateError::new(e.to_string()))
}

/// The turn about Y that makes the rest pose face +Z, told by hips or shoulders; none where there are none.
fn facing(model: &Model, rest: &BodyPose, names: &[String]) -> DQuat {
    let joints = model.joints(rest);
    let find = |name: &str| names.iter().position(|n| n == name);
    let mut forward = DVec3::ZERO;
    for (left, right) in [("LeftUpLeg", "RightUpLeg"), ("LeftArm", "RightArm")] {
        if let (Some(l), Some(r)) = (find(left), find(right)) {
            forward += (joints[l] - joints[r]).cross(DVec3::Y).normalize_or_zero();
        }
    }
    if forward.x.hypot(forward.z) < 1e-6 {
        return DQuat::IDENTITY;
    }
    // A turn by θ about Y takes +Z to (sin θ, cos θ): turned back.
    DQuat::from_rotation_y(-forward.x.atan2(forward.z))
}

/// The frame in which the body stands most upright: the one in which its joints reach highest above their lowest.
pub fn upright_frame(model: &Model, poses: &[BodyPose]) -> usize {
    const LOOKED_AT: usize = 500;
    let step = poses.len().div_ceil(LOOKED_AT).max(1);
    let extent = |frame: usize| {
        let joints = model.joints(&poses[frame]);
        let heights = joints.iter().map(|j| j.y);
        let high = heights.clone().fold(f64::MIN, f64::max);
        high - heights.fold(f64::MAX, f64::min)
    };
    let frames = (0..poses.len()).step_by(step);
    let best = frames.map(|f| (extent(f), f));
    best.fold((f64::MIN, 0), |a, b| if b.0 > a.0 { b } else { a })
        .1
}

/// Motion that was found, mended as that of a file would be: what a label that leaps for a frame does to a pose is a spike like any
/// other.
pub(crate) fn mended(clip: Clip, keep: bool, warnings: &mut Warnings) -> Mended {
    let options = ReadOptions {
        repair_spikes: !keep,
        ..ReadOptions::default()
    };
    mend(clip, 0, &options, warnings)
}
