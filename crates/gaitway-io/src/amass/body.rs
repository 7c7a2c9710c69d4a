//! How long the bones are, which poses do not say.

use std::collections::HashMap;
use std::path::Path;

use glam::{DVec3, Vec3};

use gaitway_core::Skeleton;

use super::joints::{FINGERS, Model, canonical};
use crate::bytes::Bytes;
use crate::door::ReadOptions;
use crate::error::ReadError;
use crate::files::read_file;
use crate::npz::read::Archive;

/// Rest offsets for the joints of a body model: metres, Y up, a T-pose that faces +Z.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    offsets: HashMap<String, DVec3>,
    /// Tips by the joint they are fixed to.
    tips: Vec<(String, DVec3)>,
    /// Where the pelvis is at rest.
    pub(super) origin: DVec3,
    /// Where it is from, for people.
    pub(super) told: Option<String>,
}

/// A grown person.
pub const USUAL_HEIGHT_M: f64 = 1.7;
/// Heights anybody has, and figures beside.
const HEIGHTS_M: std::ops::RangeInclusive<f64> = 0.3..=3.0;

impl Body {
    /// A person of this height, by segment lengths as shares of body height (Drillis and Contini 1966, as given in Winter,
    /// Biomechanics and Motor Control of Human Movement, 4th ed. 2009, figure 4.1). What that table has not (how the trunk is shared
    /// among the spine's joints, how far apart hip joints are inside the hips, where fingers begin) is chosen here.
    ///
    /// # Errors
    /// When nobody is so tall, as a sentence.
    pub fn of_height(height_m: f64) -> Result<Self, String> {
        if !HEIGHTS_M.contains(&height_m) {
            let (low, high) = (HEIGHTS_M.start(), HEIGHTS_M.end());
            return Err(format!(
                "expected a height of {low} to {high} m, found {height_m}"
            ));
        }
        let told = format!(
            "the body model is not in the file: bones are those of a person of {height_m:.2} m by usual proportions, and feet may be \
             some centimetres above or below the floor (--body-height 1.85, or --skeleton FILE with SMPL's joints)"
        );
        let mut out = Self {
            offsets: HashMap::new(),
            tips: Vec::new(),
            origin: DVec3::ZERO,
            told: Some(told),
        };
        out.trunk(height_m);
        for (side, left) in [("left", 1.0), ("right", -1.0)] {
            let mut limb = Limb {
                body: &mut out,
                side,
                left,
                height_m,
            };
            limb.leg();
            limb.arm();
        }
        Ok(out)
    }

    fn put(&mut self, joint: &str, x: f64, y: f64, z: f64, height_m: f64) {
        let offset = DVec3::new(x, y, z) * height_m;
        self.offsets.insert(joint.to_owned(), offset);
    }

    fn trunk(&mut self, height_m: f64) {
        // Hips at 0.530 of the height, shoulders at 0.818, chin at 0.870, eyes at 0.936.
        const QUARTER: f64 = (0.818 - 0.530) / 4.0;
        self.put("pelvis", 0.0, 0.0, 0.0, height_m);
        for joint in ["spine1", "spine2", "spine3", "neck"] {
            self.put(joint, 0.0, QUARTER, 0.0, height_m);
        }
        self.put("head", 0.0, 0.870 - 0.818, 0.0, height_m);
        self.put("jaw", 0.0, 0.0, 0.01, height_m);
        for (eye, left) in [("left_eye_smplhf", 1.0), ("right_eye_smplhf", -1.0)] {
            self.put(eye, 0.02 * left, 0.936 - 0.870, 0.05, height_m);
        }
        let top = DVec3::Y * (1.0 - 0.870) * height_m;
        self.tips.push(("head".into(), top));
    }

    /// The body of a file: of its skeleton where it is a motion file whose joints have SMPL's names, or of the array `joints`
    /// (joints × 3, metres, the model's order and axes) of an NPZ file.
    ///
    /// # Errors
    /// When the file cannot be read or has other joints.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let npz = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("npz"));
        if npz {
            let bytes = Bytes::of(path)?;
            return Self::of_places(&path.display().to_string(), &bytes);
        }
        let options = ReadOptions {
            keep_first_frame: true,
            ..ReadOptions::default()
        };
        let file = path.display().to_string();
        let imports = read_file(path, &options)?;
        let import = imports
            .first()
            .ok_or_else(|| ReadError::content(&file, "holds no skeleton"))?;
        Self::of_skeleton(&file, import.clip.skeleton())
    }

    fn of_places(file: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let mut archive = Archive::open(file, bytes)?;
        let names = archive.names();
        let array = match archive.array("joints")? {
            Some(array) => Some(array),
            None => archive.array("J")?,
        };
        let array = array.ok_or_else(|| {
            let message = format!(
                "expected the array `joints` (joints × 3, at rest), found `{}`",
                gaitway_core::text::shown(&names.join("`, `"))
            );
            ReadError::content(file, message).with_hint(
                "numpy.savez(FILE, joints=J) with the rest places of the body model's joints; or give a BVH with SMPL's names",
            )
        })?;
        let wrong = || {
            let message = format!(
                "expected `joints`: 22, 24, 52, 53 or 55 × 3 numbers, found the shape {:?}",
                array.shape
            );
            ReadError::content(file, message)
        };
        let &[count, 3] = array.shape.as_slice() else {
            return Err(wrong());
        };
        let model = Model::with_joints(count).ok_or_else(wrong)?;
        let numbers = array.numbers();
        if numbers.len() != 3 * count {
            return Err(wrong());
        }
        let places: Vec<DVec3> = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
        if let Some(j) = places
            .iter()
            .position(|p| !p.is_finite() || p.length() > 10.0)
        {
            let message = format!(
                "`joints`: joint {j} is at {}, which is no body's",
                places[j]
            );
            return Err(ReadError::content(file, message));
        }
        let joints = model.joints();
        let offset = |j: usize| places[j] - joints[j].parent.map_or(places[0], |p| places[p]);
        Ok(Self {
            offsets: (0..count)
                .map(|j| (joints[j].name.clone(), offset(j)))
                .collect(),
            tips: Vec::new(),
            origin: places[0],
            told: None,
        })
    }

    fn of_skeleton(file: &str, skeleton: &Skeleton) -> Result<Self, ReadError> {
        let names: Vec<String> = skeleton.names().iter().map(|n| canonical(n)).collect();
        let offsets = skeleton.joints().map(|j| {
            let offset = skeleton.offset(j).as_dvec3();
            (names[j.index()].clone(), offset)
        });
        let offsets: HashMap<String, DVec3> = offsets.collect();
        let wrong = |message: String| {
            ReadError::content(file, message)
                .with_hint("--skeleton takes a file whose joints are SMPL's: pelvis, left_hip, …, in a T-pose at rest")
        };
        for joint in Model::Body.joints() {
            let Some(at) = names.iter().position(|n| *n == joint.name) else {
                return Err(wrong(format!("has no joint `{}`", joint.name)));
            };
            let above = skeleton.parent(gaitway_core::JointIdx(at as u32));
            let above = above.map(|p| names[p.index()].as_str());
            let wanted = joint.parent.map(|p| Model::Body.joints()[p].name.clone());
            if wanted.is_some() && above != wanted.as_deref() {
                let on = wanted.unwrap_or_default();
                return Err(wrong(format!("`{}` does not hang on `{on}`", joint.name)));
            }
        }
        t_pose(skeleton).map_err(wrong)?;
        let tips = skeleton.end_sites().iter();
        Ok(Self {
            offsets,
            tips: tips
                .map(|s| (names[s.parent.index()].clone(), s.offset.as_dvec3()))
                .collect(),
            origin: DVec3::ZERO,
            told: None,
        })
    }

    /// The offset of a joint, where it is known.
    pub(super) fn offset(&self, joint: &str) -> Option<DVec3> {
        self.offsets.get(joint).copied()
    }

    pub(super) fn tips(&self) -> &[(String, DVec3)] {
        &self.tips
    }
}

/// Whether limbs lie at rest as the models have them: rotations mean something else otherwise.
///
/// # Errors
/// Which does not, as a sentence.
pub(super) fn t_pose(skeleton: &Skeleton) -> Result<(), String> {
    /// Half of a right angle: a rest pose with hanging arms is another one, slanting ones are not.
    const WITHIN: f32 = std::f32::consts::FRAC_1_SQRT_2;
    for (joint, along, words) in [
        ("left_knee", Vec3::NEG_Y, "down"),
        ("right_knee", Vec3::NEG_Y, "down"),
        ("left_elbow", Vec3::X, "to the left (+X)"),
        ("right_elbow", Vec3::NEG_X, "to the right (−X)"),
        ("neck", Vec3::Y, "up"),
    ] {
        let at = skeleton
            .joints()
            .find(|&j| canonical(skeleton.name(j)) == joint);
        let Some(bone) = at.and_then(|j| skeleton.offset(j).try_normalize()) else {
            continue;
        };
        if bone.dot(along) < WITHIN {
            return Err(format!(
                "at rest the bone to `{joint}` does not point {words}, as in the body models"
            ));
        }
    }
    Ok(())
}

/// One side of a body; lengths are shares of its height.
struct Limb<'a> {
    body: &'a mut Body,
    side: &'static str,
    /// 1 to the left (+X), −1 to the right.
    left: f64,
    height_m: f64,
}

impl Limb<'_> {
    fn put(&mut self, joint: &str, x: f64, y: f64, z: f64) {
        let name = format!("{}_{joint}", self.side);
        self.body.put(&name, self.left * x, y, z, self.height_m);
    }

    fn tip(&mut self, joint: &str, x: f64, y: f64, z: f64) {
        let offset = DVec3::new(self.left * x, y, z) * self.height_m;
        self.body
            .tips
            .push((format!("{}_{joint}", self.side), offset));
    }

    /// Thigh 0.245, shank 0.246, ankle 0.039 above the floor, foot 0.152 long; hips are 0.191 wide, and hip joints half as far apart.
    fn leg(&mut self) {
        self.put("hip", 0.191 / 4.0, 0.0, 0.0);
        self.put("knee", 0.0, -0.245, 0.0);
        self.put("ankle", 0.0, -0.246, 0.0);
        // The ball of the foot lies half a foot before the ankle, the tip of the toes a quarter farther.
        self.put("foot", 0.0, -0.030, 0.152 / 2.0);
        self.tip("foot", 0.0, -0.009, 0.152 / 4.0);
    }

    /// Shoulders 0.129 from the middle, upper arm 0.186, forearm 0.146, hand 0.108.
    fn arm(&mut self) {
        const RISE: f64 = (0.818 - 0.530) / 8.0;
        self.put("collar", 0.129 / 4.0, RISE, 0.0);
        self.put("shoulder", 0.129 * 0.75, RISE, 0.0);
        self.put("elbow", 0.186, 0.0, 0.0);
        self.put("wrist", 0.146, 0.0, 0.0);
        self.put("hand", 0.108 / 2.0, 0.0, 0.0);
        self.tip("wrist", 0.108, 0.0, 0.0);
        self.tip("hand", 0.108 / 2.0, 0.0, 0.0);
        // Fingers are the outer half of the hand, their bones as 5 : 3 : 2; the thumb begins beside the wrist.
        for (finger, ahead) in FINGERS
            .into_iter()
            .zip([0.012, 0.004, -0.012, -0.004, 0.016])
        {
            let out = if finger == "thumb" {
                0.016
            } else {
                0.108 / 2.0
            };
            self.put(&format!("{finger}1"), out, 0.0, ahead);
            self.put(&format!("{finger}2"), 0.108 / 4.0, 0.0, 0.0);
            self.put(&format!("{finger}3"), 0.108 * 0.15, 0.0, 0.0);
        }
        self.tip("middle3", 0.108 * 0.1, 0.0, 0.0);
    }
}
