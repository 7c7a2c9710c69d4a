//! Feet on rigs of every kind: Acclaim, glTF, FBX.

use std::path::Path;

use gaitway_core::contacts::{ContactError, ContactOptions, Detection, detect};
use gaitway_core::{Clip, testing};
use gaitway_io::{ReadOptions, read_file};

fn clips(data: &Path, file: &str) -> Vec<Clip> {
    let imports = read_file(&data.join(file), &ReadOptions::default());
    let imports = imports.unwrap_or_else(|e| panic!("{file}: {e}"));
    imports.into_iter().map(|i| i.clip).collect()
}

fn found(clip: &Clip) -> Result<Detection, ContactError> {
    detect(clip, &ContactOptions::default())
}

#[test]
fn feet_are_found_on_every_rig() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let rigs: [(&str, &[&str]); 9] = [
        (
            "cmu-asf-amc/16/16_15.amc",
            &["lfoot", "ltoes", "rfoot", "rtoes"],
        ),
        (
            "cmu-asf-amc/135/135_04.amc",
            &["lfoot", "ltoes", "rfoot", "rtoes"],
        ),
        (
            "gltf/CesiumMan.glb",
            &[
                "leg_joint_L_3",
                "leg_joint_L_5",
                "leg_joint_R_3",
                "leg_joint_R_5",
            ],
        ),
        (
            "gltf/RiggedFigure.glb",
            &[
                "leg_joint_L_3",
                "leg_joint_L_5",
                "leg_joint_R_3",
                "leg_joint_R_5",
            ],
        ),
        // Four legs: the hind ones are feet, the fore ones are hands.
        (
            "gltf/Fox.glb",
            &[
                "b_LeftFoot01_017",
                "b_LeftFoot02_018",
                "b_RightFoot01_021",
                "b_RightFoot02_022",
            ],
        ),
        // Feet that hang on the root and pull the legs along.
        ("gltf/RobotExpressive.glb", &["Foot.L", "Foot.R"]),
        (
            "fbx/07_01_cmu.fbx",
            &["LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"],
        ),
        (
            "fbx/pab-walk.fbx",
            &["LeftFoot", "LeftFootThumb1", "RightFoot", "RightFootThumb1"],
        ),
        (
            "fbx/maya_kenney_character_7700_binary.fbx",
            &["LeftFoot", "LeftToes", "RightFoot", "RightToes"],
        ),
    ];
    for (file, expected) in rigs {
        for clip in clips(&data, file) {
            let d = found(&clip).unwrap_or_else(|e| panic!("{file} {}: {e}", clip.name()));
            let points = d.track.points().iter();
            let names: Vec<String> = points
                .map(|p| clip.skeleton().point_name(p.point))
                .collect();
            assert_eq!(names, expected, "{file} {}", clip.name());
        }
    }
}

#[test]
fn a_body_without_feet_is_refused() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let clips = clips(&data, "gltf/RecursiveSkeletons.glb");
    assert_eq!(clips.len(), 1);
    assert!(matches!(found(&clips[0]), Err(ContactError::NoFeet { .. })));
}

#[test]
fn one_capture_in_two_formats_has_the_same_plants() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let plants = |file: &str| {
        let clip = clips(&data, file).remove(0);
        let d = found(&clip).unwrap_or_else(|e| panic!("{file}: {e}"));
        (0..4).map(|p| d.track.plants(p)).collect::<Vec<_>>()
    };
    let (amc, bvh) = (
        plants("cmu-asf-amc/16/16_15.amc"),
        plants("cmu-bvh/16/16_15.bvh"),
    );
    // Heel and toe of each foot, each with plants of its own.
    for (a, b) in amc.iter().zip(&bvh) {
        assert!(!a.is_empty() && a.len() == b.len(), "{amc:?} {bvh:?}");
        for (a, b) in a.iter().zip(b) {
            let apart = a.start.abs_diff(b.start).max(a.end.abs_diff(b.end));
            assert!(apart <= 1, "{amc:?} {bvh:?}");
        }
    }
}
