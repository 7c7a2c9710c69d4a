//! Virtual sensors on captured clips: what was put in comes out.

#![allow(clippy::print_stdout)]

use gaitway_calibrate::virtual_data::{TruthReport, VirtualOptions, compare, sensors};
use gaitway_calibrate::{Calibration, SensorOptions, calibrate_sensors};
use gaitway_core::testing::{bvh_files, data_dir};
use gaitway_core::{Clip, performer};
use gaitway_io::{ReadOptions, read_file};

fn clip(path: &std::path::Path) -> Clip {
    let mut list = read_file(path, &ReadOptions::default()).expect("reads");
    list.swap_remove(0).clip
}

fn run(clip: &Clip, options: &VirtualOptions) -> (Calibration, TruthReport) {
    let data = sensors(clip, options);
    let found = calibrate_sensors("virtual", &data, &SensorOptions::default()).expect("a body");
    let truth = compare(&found, clip, |name| clip.skeleton().find(name));
    (found, truth)
}

/// What must hold of data without noise: joints to 1e-6 m, hinges to 1e-6 m from their axis, and the clip's own tree. How many balls,
/// hinges, joints that cannot be told and sensors that make no body of their own there are; and what does not hold.
fn check_exact(clip: &Clip, name: &str) -> ([usize; 4], Vec<String>) {
    let (found, truth) = run(clip, &VirtualOptions::default());
    let mut counts = [0; 4];
    let mut wrong: Vec<String> = truth.wrong.iter().map(|w| format!("{name}: {w}")).collect();
    for joint in &truth.joints {
        let holds = match joint.kind {
            "ball" => {
                counts[0] += 1;
                joint.error_mm <= 1e-3
            }
            "hinge" => {
                counts[1] += 1;
                joint.across_mm <= 1e-3
            }
            _ => {
                counts[2] += 1;
                true
            }
        };
        if !holds {
            wrong.push(format!("{name}: {joint:?}"));
        }
    }
    counts[3] = clip.joint_count() - found.bodies.len();
    (counts, wrong)
}

#[test]
fn the_performer_comes_out_exact() {
    let take = performer::library(1, 60.0)
        .expect("performs")
        .into_iter()
        .next()
        .expect("takes");
    let (counts, wrong) = check_exact(&take.clip, "performer");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(counts[0] > 5, "{counts:?}");
}

#[test]
fn every_captured_clip_comes_out_exact() {
    let Some(data) = data_dir() else { return };
    let folders = [
        "cmu-bvh",
        "cmu-three-formats",
        "pfnn-bvh",
        "lafan1-bvh",
        "bandai-namco-bvh",
    ];
    let mut total = [0; 4];
    let mut wrong = Vec::new();
    let files = bvh_files(&data, &folders);
    for path in &files {
        let name = path.display().to_string();
        let (counts, off) = check_exact(&clip(path), &name);
        wrong.extend(off);
        for (t, c) in total.iter_mut().zip(counts) {
            *t += c;
        }
    }
    println!(
        "{} clips: {} balls, {} hinges, {} that cannot be told, {} sensors merged or left out",
        files.len(),
        total[0],
        total[1],
        total[2],
        total[3]
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Bodies that hardly move against each other fit everything within noise: what noise explains must not make a joint of thigh and back.
#[test]
fn noise_makes_no_joints_where_there_are_none() {
    let Some(data) = data_dir() else { return };
    let options = VirtualOptions {
        place_noise_m: 0.003,
        turn_noise_rad: 0.6_f64.to_radians(),
        ..VirtualOptions::default()
    };
    let files = bvh_files(&data, &["cmu-bvh"]);
    for path in files.iter().step_by(40) {
        let (_, truth) = run(&clip(path), &options);
        assert!(
            truth.wrong.is_empty(),
            "{}: {:?}",
            path.display(),
            truth.wrong
        );
        assert!(truth.misplaced.is_empty(), "{:?}", truth.misplaced);
    }
}

#[test]
fn sensors_on_one_body_that_never_move_and_that_are_hardly_seen_are_named() {
    let take = performer::library(1, 60.0)
        .expect("performs")
        .into_iter()
        .next()
        .expect("takes");
    let clip = take.clip;
    let mut data = sensors(&clip, &VirtualOptions::default());
    // A second sensor on the first body, a chair, and one that is seen in 3 % of frames.
    let count = data.names.len();
    let mut poses = Vec::new();
    for frame in 0..data.frames {
        let row = &data.poses[frame * count..(frame + 1) * count];
        poses.extend_from_slice(row);
        let first = row[0].expect("seen");
        let mut twin = first;
        twin.place += first.turn * glam::DVec3::new(0.05, 0.0, 0.0);
        poses.push(Some(twin));
        let mut chair = data.poses[0].expect("seen");
        chair.place += glam::DVec3::X;
        poses.push(Some(chair));
        poses.push((frame % 33 == 0).then_some(row[1].expect("seen")));
    }
    data.poses = poses;
    for name in ["twin", "chair", "ghost"] {
        data.names.push(name.to_owned());
    }
    let found = calibrate_sensors("odd", &data, &SensorOptions::default()).expect("a body");
    let told: Vec<&str> = found.warnings.iter().map(|w| w.message.as_str()).collect();
    let says = |word: &str, what: &str| told.iter().any(|t| t.contains(word) && t.contains(what));
    assert!(says("`twin`", "one body"), "{told:?}");
    assert!(says("`chair`", "never moves"), "{told:?}");
    assert!(says("`ghost`", "left out"), "{told:?}");
}

#[test]
fn one_frame_and_one_sensor_are_refused() {
    let take = performer::library(1, 60.0)
        .expect("performs")
        .into_iter()
        .next()
        .expect("takes");
    let whole = sensors(&take.clip, &VirtualOptions::default());
    let mut one = whole.clone();
    one.frames = 1;
    one.poses.truncate(one.names.len());
    let error = calibrate_sensors("one", &one, &SensorOptions::default()).expect_err("one frame");
    assert!(error.to_string().contains("found 1"), "{error}");
    let mut alone = whole.clone();
    let count = alone.names.len();
    alone.poses = whole.poses.iter().step_by(count).copied().collect();
    alone.names.truncate(1);
    let error = calibrate_sensors("alone", &alone, &SensorOptions::default()).expect_err("one");
    assert!(error.to_string().contains("two bodies"), "{error}");
    assert!(error.hint().is_some());
}
