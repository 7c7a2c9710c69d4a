//! Real bodies and real clips, where `GAITWAY_DATA` names a folder of them.

use std::path::Path;

use gaitway_core::anatomy::{Side, side_of};
use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, fk, ground};
use gaitway_eval::{QualityOptions, quality};
use gaitway_io::{ReadOptions, read_file};
use gaitway_retarget::{Body, Part, RetargetOptions, Role, RoleSide, retarget};

fn read(data: &Path, file: &str, fps: Option<f64>) -> Clip {
    let options = ReadOptions {
        source_fps: fps,
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let imports = read_file(&data.join(file), &options).unwrap_or_else(|e| panic!("{file}: {e}"));
    ground::travel_to_root(&imports[0].clip)
}

fn body(clip: &Clip) -> Body {
    Body::of_clip(clip, None).expect("roles")
}

/// All files whose skeletons are people with arms and legs.
const PEOPLE: [&str; 16] = [
    "cmu-bvh/02/02_01.bvh",
    "cmu-bvh/143/143_04.bvh",
    "cmu-asf-amc/02/02_01.amc",
    "cmu-asf-amc/16/16_15.amc",
    "cmu-asf-amc/35/35_01.amc",
    "cmu-asf-amc/127/127_03.amc",
    "cmu-asf-amc/135/135_04.amc",
    "lafan1-bvh/walk4_subject1.bvh",
    "pfnn-bvh/LocomotionFlat04_000.bvh",
    "bandai-namco-bvh/dataset-1_walk_normal_001.bvh",
    "bandai-namco-bvh/dataset-1_kick_normal_001.bvh",
    "bandai-namco-bvh/dataset-2_run_normal_001.bvh",
    "fbx/07_01_cmu.fbx",
    "fbx/pab-walk.fbx",
    "fbx/maya_kenney_character_7700_binary.fbx",
    "gltf/CesiumMan.glb",
];

#[test]
fn every_person_has_all_roles_on_the_right_side() {
    let Some(data) = data_dir() else { return };
    for file in PEOPLE {
        let clip = read(&data, file, None);
        let body = body(&clip);
        for role in Role::all() {
            if matches!(role.part, Part::Shoulder | Part::Toe | Part::Neck) {
                continue;
            }
            let joints = body.roles.joints(role);
            assert!(!joints.is_empty(), "{file}: no {}", role.name());
            let name = clip.skeleton().name(joints[0]);
            if let (Some(side), Some(said)) = (role.side, side_of(name)) {
                assert_eq!(side == RoleSide::Left, said == Side::Left, "{file}: {name}");
            }
        }
        for side in RoleSide::BOTH {
            assert!(body.roles.leg(clip.skeleton(), side).is_some(), "{file}");
            assert!(body.roles.arm(clip.skeleton(), side).is_some(), "{file}");
        }
        assert!(
            body.roles.confidence() > 0.6,
            "{file}: {}",
            body.roles.confidence()
        );
    }
}

#[test]
fn what_is_not_built_like_a_person_is_told() {
    let Some(data) = data_dir() else { return };
    for (file, part) in [
        ("gltf/Fox.glb", "four legs"),
        ("gltf/RobotExpressive.glb", "hangs on no leg"),
    ] {
        let notes = body(&read(&data, file, None)).roles.notes.join("; ");
        assert!(notes.contains(part), "{file}: {notes}");
    }
}

#[test]
fn feet_stand_on_other_bodies() {
    let Some(data) = data_dir() else { return };
    let bodies = [
        "lafan1-bvh/walk4_subject1.bvh",
        "bandai-namco-bvh/dataset-2_walk_normal_001.bvh",
        "gltf/CesiumMan.glb",
        "cmu-bvh/02/02_01.bvh",
    ];
    for to in bodies {
        let target = body(&read(&data, to, None));
        for file in ["cmu-bvh/143/143_03.bvh", "cmu-bvh/143/143_15.bvh"] {
            let clip = read(&data, file, Some(60.0));
            let done = retarget(&clip, &body(&clip), &target, &RetargetOptions::planted())
                .expect("a clip");
            let r = &done.report;
            assert!(
                r.constraints > 4 && r.after_mm[0] < 1.0,
                "{file} on {to}: {:?}",
                r.after_mm
            );
            assert!(r.change.p95_deg <= 10.0, "{file} on {to}: {:?}", r.change);
        }
    }
}

#[test]
fn there_and_back_is_where_it_began() {
    let Some(data) = data_dir() else { return };
    let lafan = body(&read(&data, "lafan1-bvh/walk4_subject1.bvh", None));
    for file in ["cmu-bvh/143/143_04.bvh", "cmu-bvh/143/143_32.bvh"] {
        let clip = read(&data, file, Some(60.0));
        let own = body(&clip);
        let there = retarget(&clip, &own, &lafan, &RetargetOptions::planted())
            .expect("a clip")
            .clip;
        let back = retarget(&there, &body(&there), &own, &RetargetOptions::planted())
            .expect("a clip")
            .clip;
        let (a, b) = (fk::world_points(&clip), fk::world_points(&back));
        for role in Role::all().filter(|r| matches!(r.part, Part::Hand | Part::Foot | Part::Head)) {
            let joint = own.roles.joints(role)[0].index();
            let mut off: Vec<f64> = (0..clip.frame_count())
                .map(|f| a.at(f, joint).distance(b.at(f, joint)))
                .collect();
            off.sort_by(f64::total_cmp);
            let (p95, most) = (off[off.len() * 95 / 100], off[off.len() - 1]);
            assert!(
                p95 < 0.03,
                "{file}: {} is off by {p95:.3} m (95 %), {most:.3} at most",
                role.name()
            );
        }
    }
}

/// Bars of motion that is made which a clip misses, contacts found anew as in a file.
fn missed(clip: &Clip) -> Vec<String> {
    let bare = clip.clone().with_contacts(None).expect("a clip");
    let q = quality(&bare, None, &QualityOptions::default());
    let rows = [
        ("skate", q.skate_cm_s.mean, 0.2),
        ("plant", q.worst_plant_cm, 1.0),
        ("stretch", Some(100.0 * (q.stretch.max - 1.0)), 3.0),
        ("feet in the floor", q.penetration_cm.feet, 0.2),
    ];
    let past = rows.into_iter().filter_map(|(name, value, bar)| {
        let value = value.filter(|v| *v > bar)?;
        Some(format!("{name} {value:.2}"))
    });
    past.collect()
}

/// Feet of made motion keep their bars on bodies of other people and other rigs: those with a heel, and those whose ankle stands for it, be their feet long or steep.
#[test]
fn bars_of_planted_feet_hold_on_other_bodies() {
    let Some(data) = data_dir() else { return };
    let bodies = [
        "lafan1-bvh/walk4_subject1.bvh",
        "bandai-namco-bvh/dataset-1_walk_normal_001.bvh",
        "gltf/CesiumMan.glb",
        "cmu-bvh/16/16_15.bvh",
    ];
    // A walk, a run in a figure of eight, steps over things, stairs, a jump; and other people's walks.
    let takes = [
        ("cmu-bvh/143/143_04.bvh", Some(60.0)),
        ("cmu-bvh/143/143_14.bvh", Some(60.0)),
        ("cmu-bvh/143/143_17.bvh", Some(60.0)),
        ("cmu-bvh/143/143_32.bvh", Some(60.0)),
        ("cmu-bvh/07/07_01.bvh", None),
        ("cmu-bvh/35/35_28.bvh", None),
    ];
    for to in bodies {
        let target = body(&read(&data, to, None));
        for (file, fps) in takes {
            let clip = read(&data, file, fps);
            let done = retarget(&clip, &body(&clip), &target, &RetargetOptions::planted())
                .expect("a clip");
            let missed = missed(&done.clip);
            assert!(missed.is_empty(), "{file} on {to}: {missed:?}");
            let r = &done.report;
            assert!(r.after_mm[0] < 1.0, "{file} on {to}: {:?}", r.after_mm);
        }
    }
}
