//! Planted feet through the real binary.

use crate::support::{Place, text};
use gaitway_core::testing::{Walker, data_dir, walking_clip};
use gaitway_io::{WriteOptions, write_file};
use serde_json::Value;

/// A folder with `skate.bvh`, a walk whose planted feet slide at 8 cm/s.
fn skating() -> Place {
    let place = Place::new();
    let clip = walking_clip(&Walker {
        slide: 0.08,
        ..Walker::default()
    });
    write_file(&place.path("skate.bvh"), &clip, &WriteOptions::default()).expect("written");
    place
}

#[test]
fn a_skating_walk_stands_after_cleaning() {
    let place = skating();
    let output = place.run(&["quality", "skate.bvh", "--max-skate", "0.2"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = place.json(&[
        "clean",
        "skate.bvh",
        "-o",
        "clean.bvh",
        "--json",
        "--plot",
        "stray.svg",
    ]);
    assert!(
        report["cleanup"]["plants"]
            .as_array()
            .is_some_and(|p| p.len() > 4)
    );
    assert!(
        report["after"]["skate_cm_s"]["mean"]
            .as_f64()
            .is_some_and(|s| s < 0.1),
        "{report}"
    );
    let output = place.run(&["quality", "clean.bvh", "--max-skate", "0.2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(place.path("stray.svg").is_file());
}

#[test]
fn contacts_can_be_given_and_unknown_joints_are_named() {
    let place = skating();
    std::fs::write(
        place.path("c.csv"),
        "file,joint,start_s,end_s\nskate.bvh,LeftTail,0,1\n",
    )
    .expect("written");
    let output = place.run(&[
        "clean",
        "skate.bvh",
        "-o",
        "clean.bvh",
        "--contacts",
        "c.csv",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("LeftTail"),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("clean.bvh").exists());
    std::fs::write(
        place.path("c.csv"),
        "file,joint,start_s,end_s\nskate.bvh,left_heel,2,1\n",
    )
    .expect("written");
    let output = place.run(&["quality", "skate.bvh", "--contacts", "c.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("c.csv"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_motion_without_feet_is_told_and_left_alone() {
    let place = Place::new();
    let tree = "HIERARCHY\nROOT Box\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
                Yrotation\n End Site\n {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 3\nFrame Time: 0.01\n0 0 0 0 0 0\n\
                0 0 0 0 0 0\n0 1 0 0 0 0\n";
    std::fs::write(place.path("box.bvh"), tree).expect("written");
    let output = place.run(&["clean", "box.bvh", "-o", "clean.bvh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("hint:"),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("clean.bvh").exists());
}

#[test]
fn captured_walks_stand_after_cleaning() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    for file in [
        "cmu-bvh/69/69_01.bvh",
        "cmu-bvh/16/16_15.bvh",
        "lafan1-bvh/walk4_subject1.bvh",
    ] {
        let source = data.join(file).display().to_string();
        let made = [
            "clean",
            &source,
            "-o",
            "clean.bvh",
            "--report",
            "r.json",
            "--quiet",
        ];
        assert!(place.run(&made).status.success(), "{file}");
        let report: Value =
            serde_json::from_slice(&std::fs::read(place.path("r.json")).expect("a report"))
                .expect("JSON");
        assert!(
            report["cleanup"]["plants"]
                .as_array()
                .is_some_and(|p| p.len() >= 8),
            "{file}"
        );
        let output = place.run(&["quality", "clean.bvh", "--max-skate", "0.2"]);
        assert!(output.status.success(), "{file}: {}", text(&output.stderr));
    }
}
