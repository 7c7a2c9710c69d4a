//! What was found, for people and machines.

use gaitway_core::spikes::{Lapse, Spike};
use gaitway_core::{Clip, Warnings};
use glam::DVec3;
use serde::Serialize;

use crate::joint::{JointFit, JointKind};
use crate::model::{BodyPose, Model};

/// A skeleton and its motion, and how they were found.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The motion; its skeleton is the one that was found.
    pub clip: Clip,
    /// Frames of it in which joints were somewhere else, mended unless they were to be kept.
    pub spikes: Vec<Spike>,
    /// Longer stretches that stood still and then leapt, and which of them were filled.
    pub lapses: Vec<Lapse>,
    /// The bodies, in the order of the skeleton's joints.
    pub bodies: Vec<BodyReport>,
    /// The joints, one per body but the first.
    pub joints: Vec<JointReport>,
    /// How far the next best tree is.
    pub tree: TreeReport,
    /// Where markers and sensors sit.
    pub attached: Vec<Attached>,
    /// How well the motion keeps to what was seen.
    pub fit: FitReport,
    /// What was found, left out and filled.
    pub warnings: Warnings,
    /// The model whose poses the clip holds.
    pub model: Model,
    /// Its pose in every frame.
    pub poses: Vec<BodyPose>,
}

/// A body of the skeleton.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyReport {
    /// Its name, which is that of the joint it turns about.
    pub name: String,
    /// The body it hangs on.
    pub parent: Option<String>,
    /// Sensors or markers on it.
    pub seen_by: Vec<String>,
    /// From its parent's joint to its own, metres; none for the first.
    pub length_m: Option<f64>,
}

/// A joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointReport {
    /// The body that turns about it.
    pub name: String,
    /// The body it hangs on.
    pub parent: String,
    /// `ball`, `hinge`, `rigid` or `unobservable`.
    pub kind: &'static str,
    /// Frames that both bodies were seen in.
    pub frames: usize,
    /// How many independent frames they are worth.
    pub effective_frames: f64,
    /// RMS distance of what the two bodies say, millimetres.
    pub residual_mm: f64,
    /// Standard deviations along the joint's own directions, falling, millimetres.
    pub deviation_mm: [f64; 3],
    /// RMS of the rotation about its mean, degrees.
    pub turn_deg: f64,
    /// `good`, `fair` or `poor`.
    pub confidence: &'static str,
    /// What would make it better.
    pub advice: Option<String>,
}

/// How sure the tree is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TreeReport {
    /// How many times as dear the next best tree's other edge is; none where there is no other tree.
    pub margin: Option<f64>,
    /// The joint in doubt.
    pub out: Option<[String; 2]>,
    /// What would be joined instead.
    pub instead: Option<[String; 2]>,
    /// Joints that names tell and motion alone would not.
    pub differs: Vec<String>,
}

/// A marker or a sensor on a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attached {
    /// Its name.
    pub name: String,
    /// The body.
    pub body: String,
    /// Where it is, in the frame of the skeleton's joint, metres.
    pub offset_m: [f64; 3],
    /// RMS distance from where the motion puts it, millimetres.
    pub residual_mm: f64,
    /// Samples that were not seen and are filled by the pose.
    pub filled: usize,
}

/// How well the motion keeps to what was seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FitReport {
    /// RMS distance of points from where the motion puts them, millimetres.
    pub residual_mm: f64,
    /// Samples that were not seen and are filled by the pose.
    pub filled: usize,
    /// Samples in all.
    pub samples: usize,
}

impl Calibration {
    /// What was found, as JSON.
    pub fn report(&self) -> serde_json::Value {
        let warnings: Vec<serde_json::Value> = (self.warnings.iter())
            .map(|w| serde_json::json!({ "code": w.code.as_str(), "message": w.message }))
            .collect();
        serde_json::json!({
            "clip": self.clip.name(),
            "frames": self.clip.frame_count(),
            "rate_hz": self.clip.rate_hz(),
            "bodies": self.bodies,
            "joints": self.joints,
            "tree": self.tree,
            "attached": self.attached,
            "fit": self.fit,
            "warnings": warnings,
        })
    }
}

impl JointReport {
    /// A joint's report from its fit.
    pub(crate) fn of(name: String, parent: String, fit: &JointFit) -> Self {
        let deviation_mm = fit.deviations_m.map(|d| 1e3 * d);
        let turn_deg = fit.turn_rad.to_degrees();
        let (confidence, advice) =
            judge(&fit.kind, deviation_mm[0], 1e3 * fit.residual_m, turn_deg);
        Self {
            name,
            parent,
            kind: fit.kind.as_str(),
            frames: fit.frames,
            effective_frames: fit.effective_frames,
            residual_mm: 1e3 * fit.residual_m,
            deviation_mm,
            turn_deg,
            confidence,
            advice,
        }
    }
}

/// Two bodies that disagree by more than this about their joint are not joined, millimetres.
pub(crate) const LOOSE_MM: f64 = 30.0;

/// How far a joint can be trusted, and what to do for it.
pub(crate) fn judge(
    kind: &JointKind,
    deviation_mm: f64,
    residual_mm: f64,
    turn_deg: f64,
) -> (&'static str, Option<String>) {
    const GOOD_MM: f64 = 3.0;
    match kind {
        JointKind::Unobservable => (
            "poor",
            Some(format!(
                "move this joint more: it turned by {turn_deg:.1}°, too little to say where it is"
            )),
        ),
        JointKind::Hinge { .. } => (
            "fair",
            Some(
                "it turned about one axis: where it is along that axis is taken from where markers or sensors sit; turn it another way too"
                    .to_owned(),
            ),
        ),
        _ if residual_mm > LOOSE_MM => (
            "poor",
            Some(format!(
                "the two bodies disagree by {residual_mm:.0} mm: a sensor slipped, or they are not joined"
            )),
        ),
        _ if deviation_mm > GOOD_MM => (
            "fair",
            Some(format!("move this joint more: it is known to {deviation_mm:.1} mm")),
        ),
        _ => ("good", None),
    }
}

/// A vector as JSON has it.
pub(crate) fn array(v: DVec3) -> [f64; 3] {
    v.to_array()
}
