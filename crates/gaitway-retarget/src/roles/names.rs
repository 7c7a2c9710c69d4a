//! What a joint's name says, in the words of many rigs.
//!
//! CMU, LAFAN1, Bandai-Namco, PFNN, Mixamo, Unreal's mannequin, Unity and VRM, Rigify, SMPL, Character Studio and Acclaim. A word may stand
//! for more than one part: "shoulder" is the clavicle of one rig and the upper arm of another, "foot" the toes of a rig that has an "ankle". The
//! order along the limb decides, so each reading comes with how usual it is.

use gaitway_core::anatomy::{side_of, words};

use super::{Part, RoleSide};

/// What a name says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    /// Left or right.
    pub side: Option<RoleSide>,
    /// Parts it may stand for, and how usual that is, from 0 to 1.
    pub parts: Vec<(Part, f64)>,
    /// A joint that only shares the twist of the bone above.
    pub twist: bool,
    /// What an animator leads joints by, and what is no part of a body.
    pub helper: bool,
    /// A finger or the thumb.
    pub finger: bool,
}

impl Said {
    pub fn score(&self, part: Part) -> f64 {
        let said = self.parts.iter().find(|p| p.0 == part);
        said.map_or(0.0, |p| p.1)
    }

    pub fn is_any(&self, parts: &[Part]) -> bool {
        parts.iter().any(|&p| self.score(p) > 0.0)
    }
}

/// Words that say nothing about the part.
const EMPTY: &[&str] = &[
    "left",
    "right",
    "l",
    "r",
    "joint",
    "jnt",
    "jt",
    "bip",
    "bone",
    "def",
    "org",
    "b",
    "j",
    "c",
    "m",
    "f",
    "avg",
    "mixamorig",
    "bn",
    "sk",
    "cc",
    "base",
    "valvebiped",
    "bindjoint",
    "skeleton",
    "torso",
    "character",
    "smplx",
    "smpl",
    "player",
];
const HELPERS: &[&str] = &[
    "pole", "target", "ik", "ctrl", "control", "mch", "vis", "helper", "nub", "ikhandle",
    "effector", "tweak",
];
const FINGERS: &[&str] = &[
    "thumb",
    "index",
    "middle",
    "ring",
    "pinky",
    "little",
    "finger",
    "fingers",
    "fingerbase",
    "metacarpal",
];

/// Reads a name.
pub(super) fn read(name: &str) -> Said {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let digits = |w: &String| w.chars().all(|c| c.is_ascii_digit());
    // Rigify splits a limb into pieces: `DEF-upper_arm.L.001` is the lower half of the upper arm and shares its twist.
    let second_piece = words.first().is_some_and(|w| w == "def" || w == "org")
        && words.last().is_some_and(|w| digits(w) && w.len() == 3)
        && side_of(name).is_some();
    let kept: Vec<&str> = words
        .iter()
        .filter(|w| !digits(w) && !EMPTY.contains(&w.as_str()))
        .map(String::as_str)
        .collect();
    let part = kept.concat();
    let twist = part.contains("twist") || part.contains("roll") || second_piece;
    let side = side_of(name).map(RoleSide::from);
    let helper = has(HELPERS) || words.iter().any(|w| w == "hipjoint") || hip_joint(&words);
    let finger = has(FINGERS) || FINGERS.iter().any(|f| part.ends_with(f));
    let parts = if twist || helper || finger {
        Vec::new()
    } else {
        parts(&part, side.is_some())
    };
    Said {
        side,
        parts,
        twist,
        helper,
        finger,
    }
}

/// `LHipJoint` of Acclaim rigs: what a thigh hangs on, and never turns.
fn hip_joint(words: &[String]) -> bool {
    words.windows(2).any(|w| w[0] == "hip" && w[1] == "joint")
}

fn parts(part: &str, sided: bool) -> Vec<(Part, f64)> {
    use Part::*;
    if sided {
        return match part {
            "upleg" | "upperleg" | "thigh" | "femur" | "legup" | "legupper" | "uplegs"
            | "buttock" => vec![(Thigh, 1.0)],
            "hip" | "hips" => vec![(Thigh, 0.9)],
            "leg" => vec![(Shank, 0.9), (Thigh, 0.6), (Foot, 0.2)],
            "lowleg" | "lowerleg" | "shin" | "calf" | "tibia" | "knee" | "shank" | "leglower"
            | "loleg" => vec![(Shank, 1.0)],
            "foot" | "feet" => vec![(Foot, 0.95), (Toe, 0.3)],
            "ankle" => vec![(Foot, 1.0)],
            "toe" | "toebase" | "toes" | "ball" | "balltoe" | "forefoot" => vec![(Toe, 1.0)],
            "shoulder" => vec![(Shoulder, 0.9), (UpperArm, 0.8)],
            "clavicle" | "collar" | "collarbone" | "scapula" | "clav" => vec![(Shoulder, 1.0)],
            "arm" => vec![
                (UpperArm, 0.9),
                (Forearm, 0.4),
                (Shoulder, 0.2),
                (Hand, 0.2),
            ],
            "upperarm" | "humerus" | "uparm" | "shldr" | "armupper" | "armup" | "bicep" => {
                vec![(UpperArm, 1.0)]
            }
            "forearm" | "lowerarm" | "radius" | "elbow" | "loarm" | "armlower" | "lowarm"
            | "foretwist" => vec![(Forearm, 1.0)],
            "wrist" => vec![(Hand, 1.0)],
            "hand" | "palm" => vec![(Hand, 0.95)],
            _ => Vec::new(),
        };
    }
    match part {
        "hips" | "hip" | "pelvis" => vec![(Hips, 1.0)],
        "spine" | "chest" | "abdomen" | "thorax" | "lowerback" | "upperback" | "upperchest"
        | "waist" | "back" | "spinelower" | "spineupper" | "ribcage" | "lowerspine"
        | "upperspine" | "body" => vec![(Spine, 1.0)],
        "neck" | "lowerneck" | "upperneck" => vec![(Neck, 1.0)],
        "head" | "skull" => vec![(Head, 1.0)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_rigs_say_the_same() {
        let thighs = [
            "mixamorig:LeftUpLeg",
            "mixamorig_LeftUpLeg",
            "thigh_l",
            "J_Bip_L_UpperLeg",
            "LeftUpperLeg",
            "DEF-thigh.L",
            "L_Hip",
            "left_hip",
            "Bip01 L Thigh",
            "lfemur",
            "UpperLeg_L",
            "LeftHip",
        ];
        for name in thighs {
            let said = read(name);
            assert_eq!(said.side, Some(RoleSide::Left), "{name}");
            assert!(said.score(Part::Thigh) > 0.5, "{name}: {said:?}");
        }
        for name in [
            "mixamorig:RightForeArm",
            "lowerarm_r",
            "J_Bip_R_LowerArm",
            "DEF-forearm.R",
            "R_Elbow",
            "rradius",
            "right_elbow",
        ] {
            let said = read(name);
            assert_eq!(said.side, Some(RoleSide::Right), "{name}");
            assert!(said.score(Part::Forearm) > 0.5, "{name}: {said:?}");
        }
    }

    #[test]
    fn twist_joints_helpers_and_fingers_are_no_limbs() {
        for name in [
            "upperarm_twist_01_l",
            "LeftArmRoll",
            "DEF-upper_arm.L.001",
            "thigh_twist_01_r",
            "LeftForeArmTwist",
        ] {
            assert!(read(name).twist && read(name).parts.is_empty(), "{name}");
        }
        for name in ["LHipJoint", "ik_foot_l", "MCH-foot.L", "PoleTarget.R"] {
            assert!(read(name).helper, "{name}");
        }
        for name in [
            "LeftHandIndex1",
            "index_01_l",
            "LThumb",
            "LeftFingerBase",
            "J_Bip_L_Thumb1",
            "DEF-f_ring.01.L",
        ] {
            assert!(read(name).finger, "{name}");
        }
    }
}
