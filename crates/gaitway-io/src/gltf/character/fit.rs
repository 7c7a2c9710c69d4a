//! Whether a clip is one of a file's body, joint by joint.

use std::collections::HashMap;

use gaitway_core::text::shown;
use gaitway_core::{Clip, JointIdx, Skeleton};
use glam::DVec3;

use crate::raw::RawJoint;

/// Bones may differ by this much in metres, as clips of one set may.
const APART_M: f64 = 1e-3;

/// Which joint of the clip moves which of the file.
pub(super) struct Fit {
    /// The clip's joint for each of the file's.
    pub joints: Vec<JointIdx>,
    /// The clip's rest offsets, in the order of the file's joints. Where the file has a constant key instead of a rest translation,
    /// both are the same place.
    pub offsets: Vec<DVec3>,
    /// How much larger the file's body is than the clip's, the same one otherwise.
    pub scale: f64,
}

/// A body as the file has it: names, parents, and the rest offsets that are its own, at rest or as all its animations hold them.
pub(super) struct Rig<'a> {
    pub names: &'a [String],
    pub joints: &'a [RawJoint],
    pub offsets: [&'a [DVec3]; 2],
}

/// Fits a clip to a body.
///
/// # Errors
/// A sentence that says where they differ.
pub(super) fn fit(rig: &Rig<'_>, clip: &Clip) -> Result<Fit, String> {
    let skeleton = clip.skeleton();
    let joints = twins(rig, skeleton)?;
    let own = |j: JointIdx| skeleton.offset(j).as_dvec3();
    let offsets: Vec<DVec3> = joints.iter().map(|&j| own(j)).collect();
    let still: Vec<usize> = (1..joints.len())
        .filter(|&j| clip.translation_track(joints[j]).is_none())
        .collect();
    let mut nearest = (f64::INFINITY, 0);
    for theirs in rig.offsets {
        for scale in [1.0, common_scale(&offsets, theirs, &still)] {
            let apart = |&j: &usize| offsets[j].distance(theirs[j] / scale);
            let worst = still.iter().map(|j| (apart(j), *j));
            let worst = worst.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0));
            if worst.0 <= APART_M {
                return Ok(Fit {
                    joints,
                    offsets,
                    scale,
                });
            }
            if worst.0 < nearest.0 {
                nearest = worst;
            }
        }
    }
    Err(format!(
        "bones have other lengths: `{}` is {:.1} cm elsewhere",
        shown(&rig.names[nearest.1]),
        100.0 * nearest.0
    ))
}

/// The factor that brings the clip's offsets nearest to the file's, by least squares; one where that is no size.
fn common_scale(ours: &[DVec3], theirs: &[DVec3], joints: &[usize]) -> f64 {
    let sum = |a: &[DVec3], b: &[DVec3]| joints.iter().map(|&j| a[j].dot(b[j])).sum::<f64>();
    let scale = sum(ours, theirs) / sum(ours, ours);
    match scale.is_finite() && (1e-4..=1e4).contains(&scale) {
        true => scale,
        false => 1.0,
    }
}

fn twins(rig: &Rig<'_>, skeleton: &Skeleton) -> Result<Vec<JointIdx>, String> {
    let of: HashMap<&str, JointIdx> = skeleton.joints().map(|j| (skeleton.name(j), j)).collect();
    let mut missing = Vec::new();
    let mut out = Vec::with_capacity(rig.names.len());
    for name in rig.names {
        match of.get(name.as_str()) {
            Some(&j) => out.push(j),
            None => missing.push(name.as_str()),
        }
    }
    if !missing.is_empty() {
        return Err(some("joints of the file are not the clip's", &missing));
    }
    let known: std::collections::HashSet<&str> = rig.names.iter().map(String::as_str).collect();
    let extra: Vec<&str> = skeleton.joints().map(|j| skeleton.name(j)).collect();
    let extra: Vec<&str> = extra.into_iter().filter(|n| !known.contains(n)).collect();
    if !extra.is_empty() {
        return Err(some("joints of the clip are not the file's", &extra));
    }
    let elsewhere: Vec<&str> = (0..out.len())
        .filter(|&j| skeleton.parent(out[j]) != rig.joints[j].parent.map(|p| out[p]))
        .map(|j| rig.names[j].as_str())
        .collect();
    if !elsewhere.is_empty() {
        return Err(some("joints hang on others", &elsewhere));
    }
    Ok(out)
}

fn some(what: &str, names: &[&str]) -> String {
    let few: Vec<String> = names
        .iter()
        .take(3)
        .map(|n| shown(n).into_owned())
        .collect();
    let more = if names.len() > 3 { ", …" } else { "" };
    format!("{} {what} (`{}`{more})", names.len(), few.join("`, `"))
}
