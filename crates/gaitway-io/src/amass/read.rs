//! Poses to a clip.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat};

use gaitway_core::text::shown;
use gaitway_core::{WarningCode, Warnings, limits};

use super::{AmassInfo, Body, Model};
use crate::UpAxis;
use crate::error::ReadError;
use crate::npz::read::{Archive, Array};
use crate::raw::{RawClip, RawJoint};

/// What the user knows better than the file.
type Asked = (Option<UpAxis>, Option<f64>);

/// Reads poses and puts them on a body. `asked` is the axis that points up (Z by the custom of these files) and the rate, where the
/// user says so.
///
/// # Errors
/// Which array is missing or has another shape than it should.
pub fn read(
    file: &str,
    bytes: &[u8],
    body: &Body,
    asked: Asked,
) -> Result<(RawClip, Arc<AmassInfo>), ReadError> {
    let mut archive = Archive::open(file, bytes)?;
    let mut warnings = Warnings::new();
    let (model, mut poses) = poses(file, &mut archive)?;
    let count = model.joint_count();
    let frames = poses.len() / (3 * count);
    let mut places = matrix(file, &mut archive, "trans", Some(3))?
        .ok_or_else(|| missing(file, "trans"))?
        .numbers;
    if places.len() != 3 * frames {
        let found = places.len() / 3;
        return Err(ReadError::content(
            file,
            format!(
                "expected `trans`: {frames} × 3, one row a frame of the poses, found {found} × 3"
            ),
        ));
    }
    let rate_hz = match asked.1 {
        Some(rate) => said_rate(file, &mut archive)?.unwrap_or(rate),
        None => said_rate(file, &mut archive)?.ok_or_else(|| {
            ReadError::content(file, "holds no `mocap_framerate` or `mocap_frame_rate`")
                .with_hint("give the rate the motion was captured at: --source-fps 120")
        })?,
    };
    let filled = hold_gaps(&mut poses, 3 * count) + hold_gaps(&mut places, 3);
    if filled > 0 {
        let message =
            format!("{filled} frames have numbers that are none; the frame before was held");
        warnings.add(WarningCode::GapsFilled, message);
    }
    let up = asked.0.unwrap_or(UpAxis::Z);
    if up != UpAxis::Y {
        let name = up.as_str().to_uppercase();
        let message =
            format!("{name} points up (as in AMASS); turned to Y up (--up says otherwise)");
        warnings.add(WarningCode::UpAxisTurned, message);
    }
    let info = AmassInfo {
        model,
        up,
        origin: body.origin,
        betas: optional(&mut archive, "betas", &mut warnings)
            .map_or_else(Vec::new, |a| a.numbers().to_vec()),
        gender: optional(&mut archive, "gender", &mut warnings)
            .and_then(|a| a.texts().first().cloned()),
    };
    tell_unused(&archive, &info, &mut warnings);
    if let Some(told) = &body.told {
        warnings.add(WarningCode::BodyAssumed, told.clone());
    }
    let (joints, end_sites) = skeleton(file, model, body)?;
    // Only the world has its axes turned: the body's own are Y up at rest in these models.
    let turn = up.to_y_up().as_dquat();
    let root = places.chunks_exact(3);
    let root = root.map(|p| turn * (DVec3::from_slice(p) + body.origin));
    let rotations = poses.chunks_exact(3).enumerate().map(|(k, v)| {
        let own = rotation(DVec3::from_slice(v));
        let turned = if k % count == 0 { turn * own } else { own };
        turned.as_quat().normalize()
    });
    let rotations: Vec<Quat> = rotations.collect();
    let raw = RawClip {
        joints,
        end_sites,
        rate_hz,
        root: root.collect(),
        rotations,
        unit_m: Some(1.0),
        up: Some(UpAxis::Y),
        frames_in_file: frames,
        warnings,
        ..RawClip::default()
    };
    Ok((raw, Arc::new(info)))
}

/// Axis times angle, as a rotation.
fn rotation(v: DVec3) -> DQuat {
    let angle = v.length();
    match v.try_normalize() {
        Some(axis) if angle.is_finite() => DQuat::from_axis_angle(axis, angle),
        _ => DQuat::IDENTITY,
    }
}

fn missing(file: &str, name: &str) -> ReadError {
    ReadError::content(file, format!("holds no array `{name}`")).with_hint(
        "files of AMASS have `poses`, `trans` and `mocap_framerate`; `shape.npz` has no motion",
    )
}

struct Matrix {
    numbers: Vec<f64>,
    columns: usize,
}

/// An array of rows, one a frame: frames × columns, or frames × joints × 3.
fn matrix(
    file: &str,
    archive: &mut Archive<'_>,
    name: &str,
    columns: Option<usize>,
) -> Result<Option<Matrix>, ReadError> {
    let Some(array) = archive.array(name)? else {
        return Ok(None);
    };
    let wide = match *array.shape.as_slice() {
        [_, wide] => Some(wide),
        [_, joints, 3] => joints.checked_mul(3),
        _ => None,
    };
    let numbers = array.numbers();
    let whole = array.shape.iter().product::<usize>() == numbers.len();
    let fits = wide.filter(|&w| whole && w > 0 && columns.is_none_or(|c| c == w));
    let Some(columns_found) = fits else {
        let wanted = columns.map_or("3 per joint".to_owned(), |c| c.to_string());
        let found = match whole {
            true => format!("the shape {:?}", array.shape),
            false => "text".to_owned(),
        };
        return Err(ReadError::content(
            file,
            format!("expected `{name}`: numbers, frames × {wanted}, found {found}"),
        ));
    };
    if numbers.is_empty() {
        return Err(ReadError::content(file, format!("`{name}` has no frames")));
    }
    let Array { values, .. } = array;
    let crate::npz::read::Values::Numbers(numbers) = values else {
        return Err(missing(file, name));
    };
    Ok(Some(Matrix {
        numbers,
        columns: columns_found,
    }))
}

/// All rotations, frame by frame, and whose they are: `poses`, or its parts under newer names.
fn poses(file: &str, archive: &mut Archive<'_>) -> Result<(Model, Vec<f64>), ReadError> {
    if let Some(poses) = matrix(file, archive, "poses", None)? {
        let model = Some(poses.columns)
            .filter(|c| c % 3 == 0)
            .and_then(|c| Model::with_joints(c / 3));
        let model = model.ok_or_else(|| {
            let found = poses.columns;
            let message = format!(
                "expected `poses`: 66, 72, 156, 159 or 165 columns (SMPL, SMPL-H, SMPL-X), found {found}"
            );
            ReadError::content(file, message)
        })?;
        return Ok((model, poses.numbers));
    }
    let body = matrix(file, archive, "pose_body", Some(63))?;
    let body = body.ok_or_else(|| missing(file, "poses"))?;
    let root = matrix(file, archive, "root_orient", Some(3))?;
    let root = root.ok_or_else(|| missing(file, "root_orient"))?;
    let mut parts = vec![("root_orient", root), ("pose_body", body)];
    for (name, columns) in [("pose_jaw", 3), ("pose_eye", 6), ("pose_hand", 90)] {
        if let Some(part) = matrix(file, archive, name, Some(columns))? {
            parts.push((name, part));
        }
    }
    let columns: usize = parts.iter().map(|(_, p)| p.columns).sum();
    let model = Model::with_joints(columns / 3).filter(|m| *m != Model::Smpl);
    let model = model.ok_or_else(|| {
        let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
        ReadError::content(
            file,
            format!("no body model has `{}` alone", names.join("`, `")),
        )
        .with_hint("give `pose_hand`, or all of `pose_jaw`, `pose_eye` and `pose_hand`")
    })?;
    let frames = parts[0].1.numbers.len() / 3;
    for (name, part) in &parts {
        let found = part.numbers.len() / part.columns;
        if found != frames {
            return Err(ReadError::content(
                file,
                format!("expected `{name}`: {frames} frames, as `root_orient` has, found {found}"),
            ));
        }
    }
    let mut out = Vec::with_capacity(frames * columns);
    for frame in 0..frames {
        for (_, part) in &parts {
            let row = frame * part.columns..(frame + 1) * part.columns;
            out.extend_from_slice(&part.numbers[row]);
        }
    }
    Ok((model, out))
}

/// The rate, where the file says one that can be.
fn said_rate(file: &str, archive: &mut Archive<'_>) -> Result<Option<f64>, ReadError> {
    for name in ["mocap_framerate", "mocap_frame_rate"] {
        let Some(array) = archive.array(name)? else {
            continue;
        };
        let Some(&rate) = array.numbers().first() else {
            return Err(ReadError::content(
                file,
                format!("`{name}` holds no number"),
            ));
        };
        limits::rate(rate).map_err(|e| {
            ReadError::content(file, format!("`{name}`: {e}"))
                .with_hint("give the rate the motion was captured at: --source-fps 120")
        })?;
        return Ok(Some(rate));
    }
    Ok(None)
}

/// An array that the motion does not need: what is wrong with it is only told.
fn optional(archive: &mut Archive<'_>, name: &str, warnings: &mut Warnings) -> Option<Array> {
    match archive.array(name) {
        Ok(array) => array,
        Err(error) => {
            let message = format!("left out: {error}");
            warnings.add(WarningCode::LeftOut, message);
            None
        }
    }
}

fn tell_unused(archive: &Archive<'_>, info: &AmassInfo, warnings: &mut Warnings) {
    if !info.betas.is_empty() {
        let message = format!(
            "the {} numbers of the body's shape (`betas`) need the body model and are not used; kept for writing back",
            info.betas.len()
        );
        warnings.add(WarningCode::LeftOut, message);
    }
    const KNOWN: [&str; 12] = [
        "poses",
        "trans",
        "betas",
        "gender",
        "mocap_framerate",
        "mocap_frame_rate",
        "surface_model_type",
        "root_orient",
        "pose_body",
        "pose_jaw",
        "pose_eye",
        "pose_hand",
    ];
    let mut rest = archive.names();
    rest.retain(|n| !KNOWN.contains(&n.as_str()));
    if !rest.is_empty() {
        let few: Vec<String> = rest.iter().take(6).map(|n| shown(n).into_owned()).collect();
        let more = if rest.len() > few.len() { ", …" } else { "" };
        let message = format!("not read: `{}`{more}", few.join("`, `"));
        warnings.add(WarningCode::LeftOut, message);
    }
}

type Joints = (Vec<RawJoint>, Vec<(usize, DVec3)>);

fn skeleton(file: &str, model: Model, body: &Body) -> Result<Joints, ReadError> {
    let joints = model.joints();
    let mut out = Vec::with_capacity(joints.len());
    for joint in &joints {
        // A body without fingers is one whose fingers have no length.
        let known = body.offset(&joint.name);
        let needed = joint.parent.is_some() && out.len() < Model::Body.joint_count();
        if known.is_none() && needed {
            let message = format!("the skeleton given has no joint `{}`", joint.name);
            return Err(ReadError::content(file, message));
        }
        let offset = match joint.parent {
            Some(_) => known.unwrap_or(DVec3::ZERO),
            None => body.origin,
        };
        out.push(RawJoint {
            name: joint.name.clone(),
            parent: joint.parent,
            offset,
        });
    }
    let leaf = |j: usize| !joints.iter().any(|k| k.parent == Some(j));
    let tips = body.tips().iter().filter_map(|(name, offset)| {
        let joint = joints.iter().position(|j| j.name == *name)?;
        // A hand ends where its fingers do, if it has some; the head is higher than its eyes.
        (leaf(joint) || name == "head").then_some((joint, *offset))
    });
    let tips = tips.collect();
    Ok((out, tips))
}

/// Holds the row before where one has numbers that are none; returns how many rows were filled.
fn hold_gaps(numbers: &mut [f64], columns: usize) -> usize {
    let mut filled = 0;
    for row in 0..numbers.len() / columns {
        let own = row * columns..(row + 1) * columns;
        if numbers[own.clone()].iter().all(|v| v.is_finite()) {
            continue;
        }
        filled += 1;
        match row {
            0 => numbers[own].fill(0.0),
            _ => numbers.copy_within((row - 1) * columns..row * columns, row * columns),
        }
    }
    filled
}
