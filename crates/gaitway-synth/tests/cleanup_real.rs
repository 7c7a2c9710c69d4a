//! Planted feet on captured clips: the bars of the project on a sample, and every rig there is.

use std::path::Path;

use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::{Clip, fk, testing};
use gaitway_eval::{QualityOptions, quality};
use gaitway_io::{ReadOptions, expand, read_file};
use gaitway_synth::cleanup::{PlantError, PlantOptions, plant_feet};

fn read(data: &Path, file: &str) -> Clip {
    let options = ReadOptions {
        source_fps: file.contains("/143/").then_some(60.0),
        ..ReadOptions::default()
    };
    let imports = read_file(&data.join(file), &options).unwrap_or_else(|e| panic!("{file}: {e}"));
    imports.into_iter().next().expect("one clip").clip
}

#[test]
fn captured_feet_stand_still_and_nothing_else_gets_worse() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    for file in [
        "cmu-bvh/69/69_01.bvh",
        "cmu-bvh/16/16_15.bvh",
        "cmu-bvh/16/16_35.bvh",
        "cmu-bvh/143/143_32.bvh",
        "lafan1-bvh/walk4_subject1.bvh",
        "bandai-namco-bvh/dataset-2_walk_normal_001.bvh",
        "bandai-namco-bvh/dataset-1_punch_normal_001.bvh",
    ] {
        let clip = read(&data, file);
        let done = plant_feet(&clip, None, &PlantOptions::default()).expect(file);
        let report = &done.report;
        assert!(report.plants.len() > 3, "{file}");
        assert!(
            report.worst_residual_m < 2e-3,
            "{file}: {}",
            report.worst_residual_m
        );
        assert!(report.stretch_max <= 1.03, "{file}: {}", report.stretch_max);
        assert!(
            report.stretched_frames < 0.05,
            "{file}: {}",
            report.stretched_frames
        );
        assert!(
            report.root_moved_mean_m < 0.02,
            "{file}: {}",
            report.root_moved_mean_m
        );
        let options = QualityOptions::default();
        let bare = done.clip.clone().with_contacts(None).expect("fits");
        let (before, after) = (
            quality(&clip, None, &options),
            quality(&bare, None, &options),
        );
        let skate = after.skate_cm_s.mean.expect("plants");
        assert!(skate < 0.2, "{file}: {skate} cm/s");
        let (was, is) = (
            before.accel_m_s2.p999.expect("moves"),
            after.accel_m_s2.p999.expect("moves"),
        );
        assert!(is < 1.1 * was, "{file}: {was} became {is}");
        let depth = after.penetration_cm.feet.expect("feet");
        assert!(depth < 0.1, "{file}: a foot is {depth} cm in the floor");
    }
}

/// The largest distance between two clips' points.
fn apart(a: &Clip, b: &Clip) -> f64 {
    let (a, b) = (fk::world_points(a), fk::world_points(b));
    let both = a.places().iter().zip(b.places());
    both.map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
}

/// With the contacts that the result carries, and with those that were given the first time.
#[test]
fn planting_captured_clips_again_changes_nothing() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let (mut clips, mut deep) = (0, 0);
    let options = PlantOptions::default();
    for folder in ["cmu-bvh/16", "cmu-bvh/69", "cmu-bvh/143", "lafan1-bvh"] {
        let entries = std::fs::read_dir(data.join(folder)).expect("a folder");
        for entry in entries {
            let name = entry.expect("an entry").file_name();
            let file = format!("{folder}/{}", name.to_string_lossy());
            if !file.ends_with(".bvh") {
                continue;
            }
            let clip = read(&data, &file);
            let once = plant_feet(&clip, None, &options).expect(&file);
            let twice = plant_feet(&once.clip, None, &options).expect(&file);
            let moved = apart(&once.clip, &twice.clip);
            assert!(moved < 1e-4, "{file}: planting again moves {moved}");
            let track = detect(&clip, &ContactOptions::default())
                .expect(&file)
                .track;
            let once = plant_feet(&clip, Some(&track), &options).expect(&file);
            let twice = plant_feet(&once.clip, Some(&track), &options).expect(&file);
            let moved = apart(&once.clip, &twice.clip);
            assert!(moved < 1e-4, "{file}, same contacts: moves {moved}");
            let bare = once.clip.with_contacts(None).expect("fits");
            let found = quality(&bare, None, &QualityOptions::default());
            let depth = found.penetration_cm.feet.expect("feet");
            clips += 1;
            deep += usize::from(depth > 0.2);
        }
    }
    // Quality finds the floor anew; where it finds another one (feet that kneel on their toes), depth is told from that.
    assert!(clips > 50, "{clips} clips");
    assert!(20 * deep <= clips, "{deep} of {clips} are in the floor");
}

#[test]
fn every_rig_is_planted_or_refused_by_name() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    // How many are planted, and whose bodies have no legs that can be told, each as often as it has clips.
    let none: &[(&str, usize)] = &[];
    let robots: &[(&str, usize)] = &[("RecursiveSkeletons", 1), ("RobotExpressive#", 14)];
    let folders = [
        ("gltf", 7, robots),
        ("fbx", 4, none),
        ("cmu-asf-amc", 20, none),
        ("cmu-bvh/75", 5, none),
        ("cmu-bvh/83", 11, none),
        ("pfnn-bvh", 1, none),
    ];
    for (folder, with_legs, legless) in folders {
        let inputs = expand(&[data.join(folder).display().to_string()]).expect("a folder");
        let (mut planted, mut refused) = (Vec::new(), Vec::new());
        for input in inputs {
            let imports = read_file(&input.path, &ReadOptions::default());
            for import in imports.unwrap_or_else(|e| panic!("{}: {e}", input.path.display())) {
                let clip = import.clip;
                match plant_feet(&clip, None, &PlantOptions::default()) {
                    Ok(done) => {
                        assert_eq!(done.clip.frame_count(), clip.frame_count());
                        assert!(done.report.stretch_max <= 1.03 + 1e-9, "{}", clip.name());
                        planted.push(clip.name().to_owned());
                    }
                    Err(PlantError::Contacts(_) | PlantError::NoLegs { .. }) => {
                        refused.push(clip.name().to_owned());
                    }
                    Err(other) => panic!("{}: {other}", clip.name()),
                }
            }
        }
        assert_eq!(planted.len(), with_legs, "{folder}: {planted:?}");
        for (name, count) in legless {
            let named = refused.iter().filter(|r| r.contains(name)).count();
            assert_eq!(named, *count, "{folder}: {refused:?}");
        }
        let told: usize = legless.iter().map(|l| l.1).sum();
        assert_eq!(refused.len(), told, "{folder}: {refused:?}");
    }
}
