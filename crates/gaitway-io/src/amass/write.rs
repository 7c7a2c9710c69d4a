//! A clip as poses of a body model.

use std::collections::HashMap;
use std::io::Write;

use glam::{DQuat, DVec3};

use gaitway_core::text::shown;
use gaitway_core::{Clip, JointIdx, Skeleton, WarningCode, Warnings};

use super::body::t_pose;
use super::joints::canonical;
use super::{AmassInfo, Model};
use crate::UpAxis;
use crate::error::WriteError;
use crate::npz::Archive;

/// How many numbers of shape files of AMASS have.
const BETAS: usize = 16;

/// Writes a clip whose joints are those of a body model. `info` is what the file it came from said; `up` is the axis that shall point
/// up, over that.
///
/// # Errors
/// When the clip's skeleton is no body model's, or the sink fails.
pub fn write(
    sink: &mut dyn Write,
    clip: &Clip,
    info: Option<&AmassInfo>,
    up: Option<UpAxis>,
    file_name: &str,
) -> Result<Warnings, WriteError> {
    // Poses that were read go back as they came, whatever bones were given to them.
    let fits = model_of(clip.skeleton()).and_then(|found| match info {
        Some(_) => Ok(found),
        None => t_pose(clip.skeleton()).map(|()| found),
    });
    let (model, joints) = fits.map_err(|message| WriteError::CannotHold {
        file: file_name.to_owned(),
        message: format!("`{}`: {message}", clip.name()),
        hint: Some(
            "put it on such a body: gaitway retarget CLIP --to SMPL.bvh -o OUT.bvh, then convert that"
                .to_owned(),
        ),
    })?;
    let mut warnings = Warnings::new();
    if !clip.translations().is_empty() {
        let message = format!(
            "{} joints move apart from the ones they hang on, and poses are rotations alone: left out",
            clip.translations().len()
        );
        warnings.add(WarningCode::CannotHold, message);
    }
    let up = up.or(info.map(|i| i.up)).unwrap_or(UpAxis::Z);
    let origin = info.map_or(DVec3::ZERO, |i| i.origin);
    let bytes = archive(clip, model, &joints, up, origin, info);
    let written = bytes.and_then(|bytes| sink.write_all(&bytes));
    written.map_err(|source| WriteError::Io {
        file: file_name.to_owned(),
        source,
    })?;
    Ok(warnings)
}

fn archive(
    clip: &Clip,
    model: Model,
    joints: &[JointIdx],
    up: UpAxis,
    origin: DVec3,
    info: Option<&AmassInfo>,
) -> std::io::Result<Vec<u8>> {
    let back = up.to_y_up().as_dquat().inverse();
    let frames = clip.frame_count();
    let poses = (0..frames).flat_map(|f| {
        joints.iter().enumerate().flat_map(move |(j, &joint)| {
            let local = clip.rotation(f, joint).as_dquat().normalize();
            axis_angle(if j == 0 { back * local } else { local }).to_array()
        })
    });
    let places = clip.root().iter();
    let places = places.flat_map(|p| (back * *p - origin).to_array());
    let mut out = Archive::new();
    let numbers = |v: &[f64]| -> Vec<u8> { v.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let shape = [frames, 3 * joints.len()];
    out.array("poses", "<f8", &shape, poses.flat_map(f64::to_le_bytes))?;
    out.array(
        "trans",
        "<f8",
        &[frames, 3],
        places.flat_map(f64::to_le_bytes),
    )?;
    let betas = info.map(|i| i.betas.clone()).filter(|b| !b.is_empty());
    let betas = betas.unwrap_or_else(|| vec![0.0; BETAS]);
    out.array("betas", "<f8", &[betas.len()], numbers(&betas).into_iter())?;
    let gender = info.and_then(|i| i.gender.as_deref());
    out.text("gender", gender.unwrap_or("neutral"))?;
    // Older and newer programs look for either.
    for name in ["mocap_framerate", "mocap_frame_rate"] {
        out.array(name, "<f8", &[], numbers(&[clip.rate_hz()]).into_iter())?;
    }
    out.text("surface_model_type", model.as_str())?;
    out.finish()
}

/// The rotation as axis times angle, by the shorter way.
fn axis_angle(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = v.length();
    match v.try_normalize() {
        Some(axis) => axis * (2.0 * sine.atan2(q.w)),
        // Too small to have a direction: the sine is the angle.
        None => v * 2.0,
    }
}

/// The smallest model that has all joints of a skeleton, each in its place, and those joints in the model's order.
fn model_of(skeleton: &Skeleton) -> Result<(Model, Vec<JointIdx>), String> {
    let of: HashMap<String, JointIdx> = skeleton
        .joints()
        .map(|j| (canonical(skeleton.name(j)), j))
        .collect();
    if let Some(joint) = Model::Body
        .joints()
        .iter()
        .find(|j| !of.contains_key(&j.name))
    {
        return Err(format!("expected SMPL's joints, found no `{}`", joint.name));
    }
    let model = Model::ALL.into_iter().find(|m| {
        m.joints().iter().all(|j| of.contains_key(&j.name)) && m.joint_count() == of.len()
    });
    let Some(model) = model.filter(|_| of.len() == skeleton.joint_count()) else {
        let known: Vec<String> = [Model::Smpl, Model::SmplX]
            .iter()
            .flat_map(|m| m.joints())
            .map(|j| j.name)
            .collect();
        let mut others = skeleton.joints().map(|j| skeleton.name(j));
        let other = others.find(|n| !known.contains(&canonical(n)));
        return Err(match other {
            Some(name) => format!("expected SMPL's joints alone, found `{}` too", shown(name)),
            None => format!(
                "expected the joints of SMPL (22 or 24), SMPL-H (52) or SMPL-X (53 or 55), found {} of them",
                of.len()
            ),
        });
    };
    let joints = model.joints();
    let twins: Vec<JointIdx> = joints.iter().map(|j| of[&j.name]).collect();
    for (joint, &twin) in joints.iter().zip(&twins) {
        if skeleton.parent(twin) != joint.parent.map(|p| twins[p]) {
            return Err(format!(
                "`{}` hangs on another joint than in the body models",
                joint.name
            ));
        }
    }
    Ok((model, twins))
}
