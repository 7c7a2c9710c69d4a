//! Which points of a body are compared, and how much each counts.

use crate::error::MetricError;
use gaitway_core::anatomy::{Anatomy, words};
use gaitway_core::{Clip, JointIdx, PointIdx, Skeleton, fk};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Distance of the extra markers from their joint, in metres: about half a forearm, so that a turn of a joint
/// counts about as much as the move of the bone beyond it.
const REACH_M: f32 = 0.1;

/// Weights by joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightPreset {
    /// Every joint and end site alike.
    Uniform,
    /// Shoulders, elbows, hips, knees, pelvis and spine, after Lee et al. 2002.
    Limbs,
    /// Every joint and end site alike, but nothing beyond the wrists. The default: fingers are rarely
    /// captured and often noise.
    #[default]
    NoFingers,
    /// A weight per joint name; joints not named have none. End sites count with their joint.
    Named(Vec<(String, f64)>),
}

/// The choice of markers and weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkerSet {
    /// Weights by joint.
    pub weights: WeightPreset,
    /// Markers per joint, one to three; the second and third stand off the joint and carry its orientation.
    pub per_joint: usize,
    /// Joints that get no weight whatever the preset says: those whose channels were found to be noise.
    pub excluded: Vec<String>,
}

impl Default for MarkerSet {
    fn default() -> Self {
        Self {
            weights: WeightPreset::default(),
            per_joint: 1,
            excluded: Vec::new(),
        }
    }
}

impl MarkerSet {
    /// One marker per joint with a preset's weights.
    pub fn preset(weights: WeightPreset) -> Self {
        Self {
            weights,
            ..Self::default()
        }
    }

    /// The preset of this name (`uniform`, `limbs`, `no-fingers`).
    pub fn from_name(name: &str) -> Option<Self> {
        let weights = match name {
            "uniform" => WeightPreset::Uniform,
            "limbs" => WeightPreset::Limbs,
            "no-fingers" => WeightPreset::NoFingers,
            _ => return None,
        };
        Some(Self::preset(weights))
    }

    /// Weights from the text of a file: a joint name and a weight per line, apart by a comma, `=` or white space;
    /// `#` starts a comment.
    pub fn from_text(text: &str) -> Result<Self, MetricError> {
        let mut weights = Vec::new();
        for (n, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let bad = |what: String| MetricError::WeightsFile { line: n + 1, what };
            let at = line
                .rfind([',', '=', ' ', '\t'])
                .ok_or_else(|| bad(format!("expected `joint weight`, found `{line}`")))?;
            let joint = line[..at]
                .trim_end_matches([',', '=', ' ', '\t'])
                .to_owned();
            let value = &line[at + 1..];
            let weight: f64 = value
                .parse()
                .map_err(|_| bad(format!("expected a number, found `{value}`")))?;
            if joint.is_empty() {
                return Err(bad("expected a joint name before the weight".to_owned()));
            }
            if !weight.is_finite() || weight < 0.0 {
                return Err(MetricError::BadWeight { joint, weight });
            }
            weights.push((joint, weight));
        }
        Ok(Self::preset(WeightPreset::Named(weights)))
    }

    /// The markers on a clip's skeleton.
    pub fn layout(&self, clip: &Clip) -> Result<MarkerLayout, MetricError> {
        if !(1..=3).contains(&self.per_joint) {
            return Err(MetricError::Options {
                what: format!("{} markers per joint; give 1 to 3", self.per_joint),
            });
        }
        let skeleton = clip.skeleton();
        let joint_weights = self.joint_weights(skeleton)?;
        let mut layout = MarkerLayout {
            markers: Vec::new(),
            weights: Vec::new(),
        };
        // A limb of no length puts a marker where its parent's is; a translation track may move it away again.
        let mut home: Vec<usize> = Vec::new();
        for p in (0..skeleton.point_count() as u32).map(PointIdx) {
            let joint = skeleton.point_joint(p);
            let is_joint = p.index() < skeleton.joint_count();
            let (offset, tracked) = if is_joint {
                (
                    skeleton.offset(joint),
                    clip.translation_track(joint).is_some(),
                )
            } else {
                (
                    skeleton.end_sites()[p.index() - skeleton.joint_count()].offset,
                    false,
                )
            };
            let parent = skeleton.point_parent(p);
            let weight =
                joint_weights[joint.index()] / if is_joint { self.per_joint as f64 } else { 1.0 };
            match parent {
                Some(parent) if !tracked && offset.length() < 1e-7 => {
                    let at = home[parent.index()];
                    layout.weights[at] += weight;
                    home.push(at);
                }
                _ => {
                    home.push(layout.weights.len());
                    layout.push(p, None, weight);
                }
            }
            if is_joint {
                for axis in [Vec3::X, Vec3::Z].into_iter().take(self.per_joint - 1) {
                    layout.push(p, Some((joint, axis * REACH_M)), weight);
                }
            }
        }
        layout.drop_weightless()?;
        Ok(layout)
    }

    fn joint_weights(&self, skeleton: &Skeleton) -> Result<Vec<f64>, MetricError> {
        let mut weights = match &self.weights {
            WeightPreset::Uniform => vec![1.0; skeleton.joint_count()],
            WeightPreset::Limbs => limbs(skeleton),
            WeightPreset::NoFingers => no_fingers(skeleton),
            WeightPreset::Named(list) => {
                let mut weights = vec![0.0; skeleton.joint_count()];
                for (joint, weight) in list {
                    let found = skeleton
                        .find(joint)
                        .ok_or_else(|| MetricError::UnknownJoint {
                            joint: joint.clone(),
                        })?;
                    weights[found.index()] = *weight;
                }
                weights
            }
        };
        for name in &self.excluded {
            if let Some(joint) = skeleton.find(name) {
                weights[joint.index()] = 0.0;
            }
        }
        Ok(weights)
    }
}

/// Joints beyond a wrist get nothing; without a known wrist, joints named after fingers get nothing.
fn no_fingers(skeleton: &Skeleton) -> Vec<f64> {
    const FINGERS: [&str; 8] = [
        "finger", "fingers", "thumb", "index", "middle", "ring", "pinky", "little",
    ];
    let wrists: Vec<JointIdx> = Anatomy::of(skeleton)
        .arms
        .iter()
        .flatten()
        .map(|a| a.wrist)
        .collect();
    let mut weights = vec![1.0; skeleton.joint_count()];
    for joint in skeleton.joints() {
        let named = words(skeleton.name(joint))
            .iter()
            .any(|w| FINGERS.contains(&w.as_str()));
        let beyond = skeleton
            .parent(joint)
            .is_some_and(|p| wrists.contains(&p) || weights[p.index()] == 0.0);
        if named || beyond {
            weights[joint.index()] = 0.0;
        }
    }
    weights
}

/// Shoulders, elbows, hips, knees, pelvis and the trunk joints between pelvis and shoulders.
fn limbs(skeleton: &Skeleton) -> Vec<f64> {
    let body = Anatomy::of(skeleton);
    let mut weights = vec![0.0; skeleton.joint_count()];
    let mut mark = |j: JointIdx| weights[j.index()] = 1.0;
    mark(body.pelvis);
    for leg in body.legs.iter().flatten() {
        mark(leg.hip);
        mark(leg.knee);
    }
    for arm in body.arms.iter().flatten() {
        mark(arm.shoulder);
        mark(arm.elbow);
        let mut up = skeleton.parent(arm.shoulder);
        while let Some(j) = up.filter(|&j| j != body.pelvis) {
            mark(j);
            up = skeleton.parent(j);
        }
    }
    weights
}

/// Markers as placed on one skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerLayout {
    markers: Vec<(PointIdx, Option<(JointIdx, Vec3)>)>,
    weights: Vec<f64>,
}

impl MarkerLayout {
    /// Markers with weight.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are none; never true of a layout that was handed out.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Weights, not scaled.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The point each marker sits on or near.
    pub fn points(&self) -> impl Iterator<Item = PointIdx> + '_ {
        self.markers.iter().map(|m| m.0)
    }

    fn push(&mut self, point: PointIdx, off: Option<(JointIdx, Vec3)>, weight: f64) {
        self.markers.push((point, off));
        self.weights.push(weight);
    }

    fn drop_weightless(&mut self) -> Result<(), MetricError> {
        let keep: Vec<usize> = (0..self.weights.len())
            .filter(|&s| self.weights[s] > 0.0)
            .collect();
        if keep.is_empty() {
            return Err(MetricError::NoWeight);
        }
        self.markers = keep.iter().map(|&s| self.markers[s]).collect();
        self.weights = keep.iter().map(|&s| self.weights[s]).collect();
        Ok(())
    }

    /// Appends the world positions of all markers of all frames, frame by frame.
    pub fn place(&self, clip: &Clip, out: &mut Vec<DVec3>) {
        let points = fk::world_points(clip);
        let turned = self.markers.iter().any(|m| m.1.is_some());
        let rotations = if turned {
            fk::world_rotations(clip)
        } else {
            Vec::new()
        };
        for frame in 0..clip.frame_count() {
            for &(point, off) in &self.markers {
                let mut at = points.at(frame, point.index());
                if let Some((joint, offset)) = off {
                    at +=
                        (rotations[frame * clip.joint_count() + joint.index()] * offset).as_dvec3();
                }
                out.push(at);
            }
        }
    }
}
