//! The performer's clips written with other rigs.
#![allow(dead_code)] // Each test uses its own part.

use gaitway_core::performer::{Move, Performer, Script};
use gaitway_core::{Clip, EndSite, JointIdx, Skeleton};
use glam::Quat;

pub fn walk() -> Clip {
    let script = Script::new("walk", [Move::walk(8, 1.3), Move::Stop]);
    Performer::new(5).perform(&script).expect("a walk").clip
}

/// The performer's names in the order of its joints, as other rigs have them.
pub fn rigs() -> Vec<(&'static str, Vec<String>)> {
    let sided = |names: &dyn Fn(&str) -> Vec<String>| [names("L"), names("R")];
    let build =
        |trunk: &[&str], arm: &dyn Fn(&str) -> Vec<String>, leg: &dyn Fn(&str) -> Vec<String>| {
            let mut all: Vec<String> = trunk.iter().map(|t| (*t).to_owned()).collect();
            all.extend(sided(arm).concat());
            all.extend(sided(leg).concat());
            all
        };
    let long = |s: &str| if s == "L" { "Left" } else { "Right" };
    let owned = |names: [String; 4]| names.to_vec();
    vec![
        (
            "mixamo",
            build(
                &[
                    "mixamorig:Hips",
                    "mixamorig:Spine",
                    "mixamorig:Spine1",
                    "mixamorig:Spine2",
                    "mixamorig:Neck",
                    "mixamorig:Head",
                ],
                &|s| {
                    owned(
                        ["Shoulder", "Arm", "ForeArm", "Hand"]
                            .map(|p| format!("mixamorig:{}{p}", long(s))),
                    )
                },
                &|s| {
                    owned(
                        ["UpLeg", "Leg", "Foot", "ToeBase"]
                            .map(|p| format!("mixamorig:{}{p}", long(s))),
                    )
                },
            ),
        ),
        (
            "unreal",
            build(
                &[
                    "pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head",
                ],
                &|s| {
                    owned(
                        ["clavicle", "upperarm", "lowerarm", "hand"]
                            .map(|p| format!("{p}_{}", s.to_lowercase())),
                    )
                },
                &|s| {
                    owned(
                        ["thigh", "calf", "foot", "ball"]
                            .map(|p| format!("{p}_{}", s.to_lowercase())),
                    )
                },
            ),
        ),
        (
            "vrm",
            build(
                &[
                    "J_Bip_C_Hips",
                    "J_Bip_C_Spine",
                    "J_Bip_C_Chest",
                    "J_Bip_C_UpperChest",
                    "J_Bip_C_Neck",
                    "J_Bip_C_Head",
                ],
                &|s| {
                    owned(
                        ["Shoulder", "UpperArm", "LowerArm", "Hand"]
                            .map(|p| format!("J_Bip_{s}_{p}")),
                    )
                },
                &|s| {
                    owned(
                        ["UpperLeg", "LowerLeg", "Foot", "ToeBase"]
                            .map(|p| format!("J_Bip_{s}_{p}")),
                    )
                },
            ),
        ),
        (
            "rigify",
            build(
                &[
                    "DEF-spine",
                    "DEF-spine.001",
                    "DEF-spine.002",
                    "DEF-spine.003",
                    "DEF-spine.004",
                    "DEF-spine.006",
                ],
                &|s| {
                    owned(
                        ["shoulder", "upper_arm", "forearm", "hand"]
                            .map(|p| format!("DEF-{p}.{s}")),
                    )
                },
                &|s| owned(["thigh", "shin", "foot", "toe"].map(|p| format!("DEF-{p}.{s}"))),
            ),
        ),
        (
            "smpl",
            build(
                &["Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head"],
                &|s| owned(["Collar", "Shoulder", "Elbow", "Wrist"].map(|p| format!("{s}_{p}"))),
                &|s| owned(["Hip", "Knee", "Ankle", "Foot"].map(|p| format!("{s}_{p}"))),
            ),
        ),
        (
            "smpl, small letters",
            build(
                &["pelvis", "spine1", "spine2", "spine3", "neck", "head"],
                &|s| {
                    owned(
                        ["collar", "shoulder", "elbow", "wrist"]
                            .map(|p| format!("{}_{p}", long(s).to_lowercase())),
                    )
                },
                &|s| {
                    owned(
                        ["hip", "knee", "ankle", "foot"]
                            .map(|p| format!("{}_{p}", long(s).to_lowercase())),
                    )
                },
            ),
        ),
        ("nameless", (0..22).map(|k| format!("joint{k}")).collect()),
    ]
}

/// The same motion on a rig of other names, whose joints' axes are turned, each by its own rotation.
pub fn rewritten(clip: &Clip, names: &[String], turn: impl Fn(usize) -> Quat) -> Clip {
    let old = clip.skeleton();
    let turns: Vec<Quat> = (0..old.joint_count()).map(turn).collect();
    let above = |j: JointIdx| old.parent(j).map_or(Quat::IDENTITY, |p| turns[p.index()]);
    let mut b = Skeleton::builder();
    for j in old.joints() {
        let offset = above(j).inverse() * old.offset(j);
        match old.parent(j) {
            None => b.root(names[j.index()].clone(), offset),
            Some(p) => b.joint(names[j.index()].clone(), p, offset),
        };
    }
    for EndSite { parent, offset } in old.end_sites() {
        b.end_site(*parent, turns[parent.index()].inverse() * *offset);
    }
    let rotations = (0..clip.frame_count()).flat_map(|f| {
        let turns = &turns;
        old.joints()
            .map(move |j| (above(j).inverse() * clip.rotation(f, j) * turns[j.index()]).normalize())
    });
    let skeleton = b.build().expect("a tree").shared();
    let root = clip.root().to_vec();
    Clip::new(
        clip.name(),
        skeleton,
        clip.rate_hz(),
        root,
        rotations.collect(),
    )
    .and_then(|c| c.with_contacts(clip.contacts().cloned()))
    .expect("the same motion")
}

/// The same skeleton, all lengths times a factor.
pub fn scaled(clip: &Clip, by: f32) -> Clip {
    let old = clip.skeleton();
    let mut b = Skeleton::builder();
    for j in old.joints() {
        match old.parent(j) {
            None => b.root(old.name(j), old.offset(j) * by),
            Some(p) => b.joint(old.name(j), p, old.offset(j) * by),
        };
    }
    for EndSite { parent, offset } in old.end_sites() {
        b.end_site(*parent, *offset * by);
    }
    let root = clip.root().iter().map(|p| *p * f64::from(by)).collect();
    Clip::new(
        clip.name(),
        b.build().expect("a tree").shared(),
        clip.rate_hz(),
        root,
        clip.rotations().to_vec(),
    )
    .expect("the same motion")
}

/// The performer with other proportions: legs, arms and trunk times a factor each.
pub fn proportions(clip: &Clip, legs: f32, arms: f32, trunk: f32) -> Clip {
    with_factor(clip, |name| match name {
        n if n.contains("Leg") || n.contains("Foot") || n.contains("Toe") => legs,
        n if n.contains("Arm") || n.contains("Hand") || n.contains("Shoulder") => arms,
        _ => trunk,
    })
}

/// The performer with bones of other lengths, by the names of the joints they lead to.
pub fn with_factor(clip: &Clip, of: impl Fn(&str) -> f32) -> Clip {
    let old = clip.skeleton();
    let factor = |j: JointIdx| of(old.name(j));
    let mut b = Skeleton::builder();
    for j in old.joints() {
        match old.parent(j) {
            None => b.root(old.name(j), old.offset(j)),
            Some(p) => b.joint(old.name(j), p, old.offset(j) * factor(j)),
        };
    }
    for EndSite { parent, offset } in old.end_sites() {
        b.end_site(*parent, *offset * factor(*parent));
    }
    Clip::new(
        clip.name(),
        b.build().expect("a tree").shared(),
        clip.rate_hz(),
        clip.root().to_vec(),
        clip.rotations().to_vec(),
    )
    .expect("a clip")
}
