//! Stretches that capture lost: planted in real clips, and counted in all of them.

use std::path::Path;

use gaitway_core::testing::{bvh_files, data_dir};
use gaitway_core::{Clip, WarningCode};
use gaitway_io::{Import, ReadOptions, WriteOptions, read_file, write_file};
use glam::DVec3;

fn read(path: &Path, repair_spikes: bool) -> Import {
    let options = ReadOptions {
        repair_spikes,
        ..ReadOptions::default()
    };
    let read = read_file(path, &options);
    read.unwrap_or_else(|e| panic!("{e}")).remove(0)
}

/// Written as BVH and read again.
fn through_a_file(clip: &Clip, repair_spikes: bool) -> Import {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("clip.bvh");
    write_file(&path, clip, &WriteOptions::default()).expect("written");
    read(&path, repair_spikes)
}

fn message(import: &Import, code: WarningCode) -> &str {
    let mut own = import.warnings.iter().filter(|w| w.code == code);
    let first = own.next().map(|w| w.message.as_str());
    first.unwrap_or_else(|| panic!("{code} is not told"))
}

#[test]
fn a_root_at_the_origin_from_the_first_frame_on_is_told_and_filled_where_it_is_short() {
    let Some(data) = data_dir() else { return };
    let clean = read(&data.join("cmu-bvh/16/16_15.bvh"), true).clip;
    assert!(clean.root()[0].length() > 0.5);
    for (lost, filled) in [(5, true), (60, false)] {
        for at_end in [false, true] {
            let frames = clean.frame_count();
            let span = if at_end {
                frames - lost..frames
            } else {
                0..lost
            };
            let mut parts = clean.clone().into_parts();
            parts.root[span.clone()].fill(DVec3::ZERO);
            let import = through_a_file(&parts.build().expect("finite"), false);
            let told = message(&import, WarningCode::RootDropout);
            let first = format!("in {lost} frames (first: {})", span.start);
            assert!(told.contains(&first), "{told}");
            assert_eq!(told.contains("lets no transition touch them"), !filled);
            let beside = if at_end { span.start - 1 } else { span.end };
            for f in span {
                let place = import.clip.root()[f];
                let off = place.distance(clean.root()[beside]);
                assert!(off < 1e-4 || !filled, "{off} at {f}");
                assert!(filled || place == DVec3::ZERO, "{place} at {f}");
            }
        }
    }
}

#[test]
fn frames_are_numbered_as_the_file_counts() {
    let Some(data) = data_dir() else { return };
    // Frame 0, a T-pose, is dropped; the arm stands still in frames 185 to 203 of the file.
    let import = read(&data.join("cmu-bvh/16/16_01.bvh"), false);
    assert_eq!(import.source.first_frame, 1);
    let told = message(&import, WarningCode::FrozenJoints);
    assert!(
        told.contains("after 19 frames at frame 185 (1.533 s)"),
        "{told}"
    );
    let amc = read(&data.join("cmu-asf-amc/16/16_15.amc"), false);
    assert_eq!(amc.source.first_frame, 1);
}

#[test]
fn clips_with_lapses_are_few_and_real() {
    let Some(data) = data_dir() else { return };
    let mut told = Vec::new();
    for file in bvh_files(&data, &["cmu-bvh", "cmu-wide", "lafan1-bvh", "pfnn-bvh"]) {
        let import = read(&file, true);
        if import.lapses.is_empty() {
            continue;
        }
        let filled = import.lapses.iter().filter(|l| l.filled).count();
        let stem = file.file_stem().and_then(|s| s.to_str()).expect("a name");
        told.push(format!("{stem} {filled}/{}", import.lapses.len()));
    }
    // By their numbers: arms that hang as at rest and are then by 84 or 90° elsewhere (16_28, 03_02), feet that stand still on
    // moving legs for 0.7 s (10_04, 03_02), a whole body that waits for 12 frames and leaps by up to 41° (103_08), one that leaps by 2 m
    // and lies there for the rest of the clip (PFNN's). The least: toes, fingers and a knee by 13 to 56° (02_03, 16_15, 20_02, 89_03).
    let expected = [
        "02_03 1/1",
        "10_04 0/4",
        "16_01 5/7",
        "16_15 0/3",
        "16_28 6/6",
        "03_02 10/30",
        "103_08 47/47",
        "20_02 3/3",
        "89_03 0/1",
        "LocomotionFlat04_000 0/28",
    ];
    told.sort();
    let mut expected = expected.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(told, expected);
}
