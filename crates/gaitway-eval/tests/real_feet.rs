//! Feet, floors and quality on captured clips.

use std::path::{Path, PathBuf};

use gaitway_core::anatomy::Anatomy;
use gaitway_core::contacts::{ContactOptions, Detection, detect};
use gaitway_core::{Clip, ContactTrack, ground, testing};
use gaitway_eval::{QualityOptions, quality};
use gaitway_io::{ReadOptions, read_file};

/// CMU subjects whose headers claim 120 Hz and who were captured at 60.
const SLOW_SUBJECTS: [&str; 3] = ["75", "77", "143"];

fn read(data: &Path, file: &str) -> Clip {
    let slow = SLOW_SUBJECTS
        .iter()
        .any(|s| file.contains(&format!("/{s}/")));
    let options = ReadOptions {
        source_fps: slow.then_some(60.0),
        ..ReadOptions::default()
    };
    let imports = read_file(&data.join(file), &options).unwrap_or_else(|e| panic!("{file}: {e}"));
    imports.into_iter().next().expect("one clip").clip
}

fn found(data: &Path, file: &str) -> (Clip, Detection) {
    let clip = read(data, file);
    let detection = detect(&clip, &ContactOptions::default());
    let detection = detection.unwrap_or_else(|e| panic!("{file}: {e}"));
    (clip, detection)
}

/// The clips these tests were written on, as paths below the data folder.
fn bvh_files(data: &Path) -> Vec<String> {
    let files = testing::bvh_files(data, &testing::BVH_FOLDERS);
    let inside = |p: &PathBuf| p.strip_prefix(data).expect("inside").display().to_string();
    files.iter().map(inside).collect()
}

/// Begins of stance of either foot in turn: 0 left, 1 right. A foot stands while heel or toe does.
fn steps(track: &ContactTrack) -> Vec<usize> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for side in 0..2 {
        let stands = |f: usize| track.mask(f) >> (2 * side) & 3 != 0;
        for f in 1..track.frame_count() {
            if stands(f) && !stands(f - 1) {
                out.push((f, side));
            }
        }
    }
    out.sort_unstable();
    out.into_iter().map(|(_, side)| side).collect()
}

#[test]
fn every_captured_body_has_two_feet_that_stand() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let files = bvh_files(&data);
    assert!(files.len() > 150, "{} files", files.len());
    for file in files {
        let (clip, d) = found(&data, &file);
        let anatomy = Anatomy::of_clip(&clip);
        let [left, right] = anatomy
            .both_legs()
            .unwrap_or_else(|| panic!("{file}: no legs"));
        for (leg, word) in [(left, "l"), (right, "r")] {
            let name = clip.skeleton().name(leg.ankle).to_lowercase();
            assert!(
                name.contains("foot") && name.contains(word),
                "{file}: ankle {name}"
            );
        }
        assert!(d.missing.is_empty(), "{file}: {:?}", d.missing);
        assert_eq!(d.track.points().len(), 4, "{file}");
        assert!(!d.plants.is_empty(), "{file}: nothing stands");
        for plant in &d.plants {
            assert!((0.0..=1.0).contains(&plant.confidence), "{file}: {plant:?}");
        }
    }
}

#[test]
fn walkers_step_left_and_right_in_turn() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let walks = [
        ("cmu-bvh/69/69_01.bvh", 3),
        ("cmu-bvh/16/16_15.bvh", 6),
        ("cmu-bvh/16/16_31.bvh", 5),
        ("cmu-bvh/07/07_01.bvh", 3),
        ("cmu-bvh/35/35_01.bvh", 4),
        ("cmu-bvh/143/143_32.bvh", 18),
        ("bandai-namco-bvh/dataset-1_walk_normal_001.bvh", 10),
        ("bandai-namco-bvh/dataset-2_walk_normal_001.bvh", 14),
    ];
    for (file, least) in walks {
        let (_, d) = found(&data, file);
        let steps = steps(&d.track);
        let turns = steps.windows(2).filter(|w| w[0] != w[1]).count();
        assert!(steps.len() >= least, "{file}: {} steps", steps.len());
        assert!(
            turns + 1 >= steps.len() - steps.len() / 12,
            "{file}: {steps:?}"
        );
    }
}

#[test]
fn floors_are_where_the_feet_are() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    for file in bvh_files(&data) {
        let (clip, d) = found(&data, &file);
        let floor = ground::floor_height(&clip);
        // Heights in these captures start at the floor, within the uneven floors of the studio.
        assert!((-0.05..0.18).contains(&floor), "{file}: floor {floor}");
        let nearest = d.floor.nearest(floor);
        assert!(
            (nearest - floor).abs() < 0.06,
            "{file}: {floor} {:?}",
            d.floor.levels
        );
    }
}

#[test]
fn stairs_and_steps_have_levels_and_flat_walks_have_one() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let rise = |file: &str| {
        let levels = found(&data, file).1.floor.levels;
        (levels.len(), levels[levels.len() - 1] - levels[0])
    };
    let (count, height) = rise("cmu-bvh/83/83_27.bvh");
    assert!(count >= 4 && height > 0.3, "{count} levels, {height} m");
    let (count, height) = rise("cmu-bvh/143/143_17.bvh");
    assert!(count >= 3 && height > 0.3, "{count} levels, {height} m");
    for flat in [
        "69/69_01",
        "16/16_15",
        "143/143_32",
        "143/143_24",
        "132/132_07",
        "135/135_04",
    ] {
        let (count, height) = rise(&format!("cmu-bvh/{flat}.bvh"));
        assert!(
            count <= 2 && height < 0.1,
            "{flat}: {count} levels, {height} m"
        );
    }
}

#[test]
fn jumps_and_runs_leave_the_ground_and_walks_do_not() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let airborne = |file: &str| {
        let track = found(&data, file).1.track;
        let none = track.masks().iter().filter(|m| **m == 0).count();
        none as f64 / track.frame_count() as f64
    };
    for file in [
        "cmu-bvh/16/16_35.bvh",
        "cmu-bvh/143/143_01.bvh",
        "cmu-bvh/35/35_17.bvh",
    ] {
        assert!(
            (0.25..0.85).contains(&airborne(file)),
            "{file}: {}",
            airborne(file)
        );
    }
    for file in ["cmu-bvh/83/83_42.bvh", "cmu-bvh/16/16_01.bvh"] {
        assert!(
            (0.08..0.4).contains(&airborne(file)),
            "{file}: {}",
            airborne(file)
        );
    }
    for file in [
        "cmu-bvh/69/69_01.bvh",
        "cmu-bvh/16/16_15.bvh",
        "lafan1-bvh/walk4_subject1.bvh",
    ] {
        assert!(airborne(file) < 0.05, "{file}: {}", airborne(file));
    }
}

#[test]
fn quality_of_captures_is_in_range() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    for (file, skate) in [
        ("cmu-bvh/69/69_01.bvh", 1.0..10.0),
        ("cmu-bvh/16/16_15.bvh", 2.0..15.0),
        ("cmu-bvh/143/143_32.bvh", 1.0..10.0),
        ("lafan1-bvh/walk4_subject1.bvh", 0.1..3.0),
        ("bandai-namco-bvh/dataset-1_walk_normal_001.bvh", 0.3..5.0),
    ] {
        let clip = read(&data, file);
        let q = quality(&clip, None, &QualityOptions::default());
        let mean = q.skate_cm_s.mean.expect("plants");
        assert!(skate.contains(&mean), "{file}: skate {mean}");
        assert!(
            q.worst_plant_cm.expect("plants") < 8.0,
            "{file}: {:?}",
            q.worst_plant_cm
        );
        assert!(
            q.penetration_cm.max.expect("frames") < 9.0,
            "{file}: {:?}",
            q.penetration_cm
        );
        assert!(
            q.accel_m_s2.p999.expect("frames") < 150.0,
            "{file}: {:?}",
            q.accel_m_s2
        );
        assert!(
            (q.stretch.max - 1.0).abs() < 0.02,
            "{file}: {:?}",
            q.stretch
        );
        let speed = q.speed_m_s.mean.expect("frames");
        assert!((0.2..2.0).contains(&speed), "{file}: {speed} m/s");
        let knee = q.knee_velocity_rad_s.max.expect("legs");
        assert!((2.0..25.0).contains(&knee), "{file}: knee {knee} rad/s");
    }
}

#[test]
fn other_rates_find_the_same_plants() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    for file in [
        "cmu-bvh/69/69_01.bvh",
        "cmu-bvh/16/16_15.bvh",
        "cmu-bvh/07/07_01.bvh",
    ] {
        let (clip, full) = found(&data, file);
        for rate in [30.0, 60.0, 240.0] {
            let other = gaitway_core::resample::resample(&clip, rate).expect("a rate");
            let d = detect(&other, &ContactOptions::default()).expect("feet");
            for point in 0..4 {
                let (a, b) = (full.track.plants(point), d.track.plants(point));
                assert!(
                    a.len().abs_diff(b.len()) <= 1,
                    "{file} at {rate} Hz: {a:?} {b:?}"
                );
            }
        }
    }
}
