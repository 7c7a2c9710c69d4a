//! Virtual markers: what goes wrong with markers is found and told.

#![allow(clippy::print_stdout)]

use gaitway_calibrate::virtual_data::{VirtualOptions, compare, markers};
use gaitway_calibrate::{MarkerOptions, calibrate_markers, join_trials};
use gaitway_core::testing::performed_clips;
use gaitway_core::{Clip, JointIdx};
use gaitway_io::MarkerClip;
use glam::DVec3;

fn walk() -> Clip {
    performed_clips(60.0, &["walk_normal"]).swap_remove(0)
}

fn joint_of(clip: &Clip, marker: &str) -> Option<JointIdx> {
    let name = marker.rsplit_once('-').map_or(marker, |s| s.0);
    clip.skeleton().find(name)
}

/// Adds a point per frame.
fn with_point(clip: &mut MarkerClip, name: &str, at: impl Fn(usize) -> Option<DVec3>) {
    let count = clip.marker_count();
    let (mut positions, mut visible) = (Vec::new(), Vec::new());
    for frame in 0..clip.frames {
        positions.extend_from_slice(&clip.positions[frame * count..(frame + 1) * count]);
        visible.extend_from_slice(&clip.visible[frame * count..(frame + 1) * count]);
        let place = at(frame);
        positions.push(place.unwrap_or(DVec3::ZERO));
        visible.push(place.is_some());
    }
    clip.names.push(name.to_owned());
    clip.quantities.push(None);
    (clip.positions, clip.visible) = (positions, visible);
}

fn told(clip: &MarkerClip) -> Vec<String> {
    let found = calibrate_markers("m", clip, &MarkerOptions::default()).expect("a body");
    found.warnings.iter().map(|w| w.message.clone()).collect()
}

#[test]
fn exchanged_labels_are_put_back() {
    let clip = walk();
    let clean = markers(&clip, &VirtualOptions::default());
    for seed in 1..6 {
        let options = VirtualOptions {
            seed,
            swaps: 3,
            ..VirtualOptions::default()
        };
        let data = markers(&clip, &options);
        let told = told(&data);
        let line = told.iter().find(|t| t.contains("labels change places"));
        assert!(
            line.is_some_and(|l| l.contains("3 times")),
            "seed {seed}: {told:?}"
        );
    }
    let told = told(&clean);
    assert!(
        !told
            .iter()
            .any(|t| t.contains("change places") || t.contains("leap")),
        "{told:?}"
    );
}

#[test]
fn labels_that_change_places_while_one_is_hidden_are_put_back() {
    let clip = walk();
    let mut data = markers(&clip, &VirtualOptions::default());
    let find = |name: &str| data.find(name).expect("a marker");
    let (a, b) = (find("LeftLeg-2"), find("RightArm-3"));
    let (count, at) = (data.marker_count(), data.frames / 2);
    // One of the two is not seen for a third of a second about the moment they change places.
    for frame in at - 10..at + 10 {
        data.visible[frame * count + a] = false;
    }
    for frame in at..data.frames {
        data.positions.swap(frame * count + a, frame * count + b);
        data.visible.swap(frame * count + a, frame * count + b);
    }
    let told = told(&data);
    let says = |t: &String| {
        t.contains("labels change places") && t.contains("LeftLeg-2") && t.contains("RightArm-3")
    };
    assert!(told.iter().any(says), "{told:?}");
    assert!(!told.iter().any(|t| t.contains("leap")), "{told:?}");
}

#[test]
fn a_body_that_is_elsewhere_for_a_frame_is_mended_as_in_files() {
    let clip = walk();
    let mut data = markers(&clip, &VirtualOptions::default());
    let (count, at) = (data.marker_count(), data.frames / 2);
    for k in 0..count {
        if data.names[k].starts_with("LeftForeArm-") {
            data.positions[at * count + k] += DVec3::new(0.0, 0.15, 0.12);
        }
    }
    let calibrated = |keep_spikes: bool| {
        let options = MarkerOptions {
            keep_spikes,
            ..MarkerOptions::default()
        };
        calibrate_markers("m", &data, &options).expect("a body")
    };
    let (kept, mended) = (calibrated(true), calibrated(false));
    assert!(!mended.spikes.is_empty(), "{:?}", mended.warnings);
    assert!(
        mended.spikes.iter().all(|s| s.frames.contains(&at)),
        "{:?}",
        mended.spikes
    );
    assert!(mended.warnings.has(gaitway_core::WarningCode::Spikes));
    // Nothing but that frame is touched, and it lies between its neighbours afterwards.
    let (before, after) = (
        gaitway_core::fk::world_points(&kept.clip),
        gaitway_core::fk::world_points(&mended.clip),
    );
    let joints = kept.clip.joint_count();
    let (mut leap, mut calm) = (0.0_f64, 0.0_f64);
    for j in 0..joints {
        for f in (0..data.frames).filter(|&f| f != at) {
            assert_eq!(before.at(f, j), after.at(f, j), "frame {f}");
        }
        let between = (before.at(at - 1, j) + before.at(at + 1, j)) / 2.0;
        leap = leap.max(before.at(at, j).distance(between));
        calm = calm.max(after.at(at, j).distance(between));
    }
    assert!(leap > 0.02 && calm < leap / 2.0, "{leap} {calm}");
}

#[test]
fn what_is_not_on_the_body_is_named() {
    let clip = walk();
    let mut data = markers(&clip, &VirtualOptions::default());
    with_point(&mut data, "chair", |_| Some(DVec3::new(1.0, 0.5, 1.0)));
    with_point(&mut data, "ghost", |f| {
        (f % 34 == 0).then_some(DVec3::new(0.1 * f as f64, 1.0, 0.0))
    });
    with_point(&mut data, "LHipAngles", |f| {
        Some(DVec3::splat(1e-3 * f as f64))
    });
    let told = told(&data);
    for (name, why) in [
        ("chair", "never moving"),
        ("ghost", "seen in less than 5 %"),
        ("LHipAngles", "an angle"),
    ] {
        assert!(
            told.iter().any(|t| t.contains(name) && t.contains(why)),
            "{name}: {told:?}"
        );
    }
}

#[test]
fn one_frame_wrong_units_and_unknown_names_are_refused() {
    let clip = walk();
    let data = markers(&clip, &VirtualOptions::default());
    let refused = |data: &MarkerClip, options: &MarkerOptions, says: &str| {
        let error = calibrate_markers("m", data, options).expect_err(says);
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.hint().is_some(), "{error}");
    };
    let mut one = data.clone();
    one.frames = 1;
    one.positions.truncate(one.names.len());
    one.visible.truncate(one.names.len());
    refused(&one, &MarkerOptions::default(), "found 1");
    let mut large = data.clone();
    large.positions.iter_mut().for_each(|p| *p *= 1000.0);
    refused(&large, &MarkerOptions::default(), "the unit is wrong");
    // Half of the markers in another unit.
    let mut mixed = data.clone();
    let count = mixed.marker_count();
    for (k, p) in mixed.positions.iter_mut().enumerate() {
        if k % count < count / 2 {
            *p *= 10.0;
        }
    }
    refused(&mixed, &MarkerOptions::default(), "the unit is wrong");
    let without = MarkerOptions {
        without: vec!["TAIL".to_owned()],
        ..MarkerOptions::default()
    };
    refused(&data, &without, "no marker `TAIL`");
    let root = MarkerOptions {
        root: Some("TAIL".to_owned()),
        ..MarkerOptions::default()
    };
    refused(&data, &root, "`TAIL`");
}

#[test]
fn a_rate_that_the_times_speak_against_is_told() {
    let clip = walk();
    let data = markers(&clip, &VirtualOptions::default());
    let mut bytes = Vec::new();
    gaitway_io::markers::write_trc(&mut bytes, &data).expect("written");
    let text = String::from_utf8(bytes).expect("text");
    let text = text.replacen("60\t60\t", "100\t100\t", 1);
    let read = gaitway_io::markers::trc::read("m.trc", text.as_bytes()).expect("read");
    let told = told(&read);
    assert!(
        told.iter().any(|t| t.contains("the header says 100 Hz")),
        "{told:?}"
    );
}

#[test]
fn a_chair_that_is_moved_is_no_limb_in_silence() {
    // Markers without known names that keep their distances among themselves, far from the body: left out, or a body of their own that
    // the report names.
    let clip = walk();
    let mut data = markers(&clip, &VirtualOptions::default());
    for k in 0..4 {
        let corner = DVec3::new(0.4 * (k % 2) as f64, 0.4 * (k / 2) as f64, 0.0);
        with_point(&mut data, &format!("CHAIR{k}"), move |f| {
            Some(DVec3::new(3.0, 0.0, 2.0 + 0.002 * f as f64) + corner)
        });
    }
    match calibrate_markers("m", &data, &MarkerOptions::default()) {
        Err(error) => assert!(error.hint().is_some(), "{error}"),
        Ok(found) => {
            let on = |b: &gaitway_calibrate::BodyReport| {
                let chairs = b.seen_by.iter().filter(|m| m.starts_with("CHAIR")).count();
                (chairs, b.seen_by.len())
            };
            for body in &found.bodies {
                let (chairs, all) = on(body);
                assert!(chairs == 0 || chairs == all, "{body:?}");
            }
            let told = found.warnings.iter().any(|w| w.message.contains("CHAIR"));
            assert!(told, "{:?}", found.warnings);
        }
    }
}

#[test]
fn gaps_are_filled_by_the_pose_and_told() {
    let clip = walk();
    let options = VirtualOptions {
        dropouts: 0.1,
        ..VirtualOptions::default()
    };
    let data = markers(&clip, &options);
    let found = calibrate_markers("m", &data, &MarkerOptions::default()).expect("a body");
    assert!(found.fit.filled > 0);
    assert!(
        found
            .warnings
            .iter()
            .any(|w| w.message.contains("filled by the pose"))
    );
    let truth = compare(&found, &clip, |m| joint_of(&clip, m));
    println!("{truth:?}");
    assert_eq!(found.clip.frame_count(), clip.frame_count());
}

/// Knees turn about one axis: where they are along it is put near the markers, not near wherever the cameras were counted from.
#[test]
fn bones_do_not_depend_on_where_the_world_begins() {
    let clip = walk();
    let here = markers(&clip, &VirtualOptions::default());
    let bones = |data: &MarkerClip| -> Vec<(String, f64)> {
        let found = calibrate_markers("m", data, &MarkerOptions::default()).expect("a body");
        let bodies = found.bodies.into_iter();
        bodies.filter_map(|b| Some((b.name, b.length_m?))).collect()
    };
    let near = bones(&here);
    for (name, length) in &near {
        assert!(*length < 0.6, "{name}: {length} m");
    }
    let mut there = here.clone();
    let off = DVec3::new(30.0, 0.0, -17.0);
    there.positions.iter_mut().for_each(|p| *p += off);
    for (a, b) in near.iter().zip(bones(&there)) {
        assert_eq!(a.0, b.0);
        assert!((a.1 - b.1).abs() < 1e-4, "{}: {} and {} m", a.0, a.1, b.1);
    }
}

#[test]
fn trials_of_one_person_tell_the_body_together() {
    let options = VirtualOptions::default();
    let clips = performed_clips(60.0, &["walk_normal", "run_normal", "sneak_normal"]);
    let trials: Vec<MarkerClip> = clips.iter().map(|c| markers(c, &options)).collect();
    let all = join_trials(&trials.iter().collect::<Vec<_>>()).expect("joined");
    let found = calibrate_markers("m", &all, &MarkerOptions::default()).expect("a body");
    let told: Vec<&str> = found.warnings.iter().map(|w| w.message.as_str()).collect();
    // Between two trials nothing is seen: the body stands still there and goes on elsewhere, which is told; no label leaps.
    assert!(!told.iter().any(|t| t.contains("labels")), "{told:?}");
    assert!(found.warnings.has(gaitway_core::WarningCode::FrozenJoints));
    assert!(found.fit.residual_mm < 1.0, "{} mm", found.fit.residual_mm);
    let on = |marker: &str| {
        found
            .bodies
            .iter()
            .position(|b| b.seen_by.iter().any(|m| m == marker))
    };
    for (joint, parent) in [("LeftLeg", "LeftUpLeg"), ("RightForeArm", "RightArm")] {
        let body = on(&format!("{joint}-1")).expect("grouped");
        assert_ne!(
            Some(body),
            on(&format!("{parent}-1")),
            "{joint} is a body of its own"
        );
        let skeleton = clips[0].skeleton();
        let real = f64::from(
            skeleton
                .offset(skeleton.find(joint).expect("joint"))
                .length(),
        );
        let length = found.bodies[body].length_m.expect("hangs on something");
        assert!(
            (length - real).abs() < 0.05,
            "{joint}: {length} of {real} m"
        );
    }
}
