//! Planted feet through the real binary.

use crate::support::{Place, text, two_lines};
use gaitway_core::glam::{DVec3, Quat};
use gaitway_core::testing::{
    ANKLE_HEIGHT, FootPose, Walker, clip_from_feet, data_dir, walking_clip,
};
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
fn feet_in_the_floor_have_a_bar_of_their_own() {
    let place = Place::new();
    // Stands, and sinks three centimetres in for a while.
    let sunk = clip_from_feet(
        "sunk",
        240,
        60.0,
        |_| DVec3::new(0.0, 0.8, 0.0),
        |t, side| FootPose {
            ankle: DVec3::new(
                if side == 0 { 0.1 } else { -0.1 },
                ANKLE_HEIGHT - if (2.0..2.2).contains(&t) { 0.03 } else { 0.0 },
                0.0,
            ),
            pitch: 0.0,
        },
    );
    write_file(&place.path("sunk.bvh"), &sunk, &WriteOptions::default()).expect("written");
    let gate = |file: &str| place.run(&["quality", file, "--max-feet-penetration", "0.2"]);
    let output = gate("sunk.bvh");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("how deep a foot is below the floor is 3.0"));
    let made = place.run(&["clean", "sunk.bvh", "-o", "clean.bvh"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let output = gate("clean.bvh");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn spikes_are_mended_where_motion_is_made_and_told_everywhere() {
    let place = Place::new();
    let clip = walking_clip(&Walker {
        rate_hz: 120.0,
        ..Walker::default()
    });
    let joints = clip.joint_count();
    let mut parts = clip.into_parts();
    // The hips, a third of a turn, for one frame.
    parts.rotations[200 * joints] *= Quat::from_rotation_y(2.0);
    let clip = parts.build().expect("finite");
    write_file(&place.path("s.bvh"), &clip, &WriteOptions::default()).expect("written");
    let clean = |flags: &[&str]| {
        let words = ["clean", "s.bvh", "-o", "c.bvh", "--json"];
        let report = place.json(&[&words[..], flags].concat());
        let after = &report["after"]["angular_accel_rad_s2"]["max"];
        (report.clone(), after.as_f64().expect("a number"))
    };
    let (report, calm) = clean(&[]);
    assert_eq!(report["spikes_repaired"], true);
    let spike = &report["spikes"][0];
    assert_eq!(
        (&spike["joint"], &spike["frame"]),
        (&"Hips".into(), &200.into())
    );
    assert_eq!(
        (&spike["motion"], &spike["unit"]),
        (&"turn".into(), &"deg".into())
    );
    let (report, wild) = clean(&["--keep-spikes"]);
    assert_eq!(report["spikes_repaired"], false);
    assert!(report["spikes"].as_array().is_some_and(|s| !s.is_empty()));
    assert!(wild > 20.0 * calm, "{wild} and {calm}");
    // Measured as it is, and told.
    let output = place.run(&["quality", "s.bvh", "--max-angular-accel", "2000"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("[spikes]") && said.contains("--repair-spikes"),
        "{said}"
    );
    let mended = place.run(&["convert", "s.bvh", "m.bvh", "--repair-spikes"]);
    assert!(mended.status.success(), "{}", text(&mended.stderr));
    let output = place.run(&["quality", "m.bvh", "--max-angular-accel", "2000"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let build = |flags: &[&str]| {
        let words = ["build", "s.bvh", "-o", "g.gway", "--report", "r.json"];
        // One walk may make no graph; the report is there all the same.
        place.run(&[&words[..], flags].concat());
        let bytes = std::fs::read(place.path("r.json")).expect("a report");
        String::from_utf8(bytes).expect("text")
    };
    assert!(build(&[]).contains("Hips turn by 114.6 deg at frame 200"));
    assert!(!build(&["--keep-spikes"]).contains("Hips turn by"));
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

/// A folder is cleaned clip by clip: files lie as they lay, what cannot be planted is told and does not keep the others from it.
#[test]
fn folders_are_cleaned_clip_by_clip() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("in/deep")).expect("folders");
    let clips = gaitway_core::testing::performed_clips(30.0, &["walk_normal", "run_01"]);
    let write = |name: &str, clip| {
        let options = gaitway_io::WriteOptions::default();
        gaitway_io::write_file(&place.path(name), clip, &options).expect("written");
    };
    write("in/walk.bvh", &clips[0]);
    write("in/deep/run.bvh", &clips[1]);
    let report = place.json(&["clean", "in", "-o", "out", "--to", "bvh", "--json"]);
    assert_eq!(report["cleaned"], 2);
    assert_eq!(report["failed"].as_array().map(Vec::len), Some(0));
    let one = place.json(&["clean", "in/walk.bvh", "-o", "one.bvh", "--json"]);
    let read = |name: &str| std::fs::read(place.path(name)).expect("a clip");
    assert!(read("out/walk.bvh") == read("one.bvh"), "as one by one");
    assert!(place.path("out/deep/run.bvh").is_file());
    let row = report["clips"].as_array().and_then(|rows| {
        let named =
            |r: &&serde_json::Value| r["file"].as_str().is_some_and(|f| f.ends_with("walk.bvh"));
        rows.iter().find(named)
    });
    assert_eq!(row.expect("a row")["cleanup"], one["cleanup"]);
    // A body without legs among them: told, not written, exit code 1, and the others are there.
    let stick = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n\
                 JOINT b\n{\nOFFSET 0 0.5 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 0.5 0\n}\n}\n}\n\
                 MOTION\nFrames: 3\nFrame Time: 0.033333\n0 1 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 0 0\n";
    std::fs::write(place.path("in/stick.bvh"), stick).expect("written");
    let output = place.run(&[
        "clean", "in", "-o", "more", "--to", "glb", "--report", "r.json",
    ]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("stick.bvh") && told.contains("wrote 2 clips to more"),
        "{told}"
    );
    assert!(place.path("more/walk.glb").is_file() && !place.path("more/stick.glb").exists());
    let report = std::fs::read_to_string(place.path("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["failed"].as_array().map(Vec::len), Some(1));
    // A folder without --to, and one over its own input, are told with what to type.
    let told = two_lines(&place.run(&["clean", "in", "-o", "x.bvh"]));
    assert!(told.contains("--to"), "{told}");
    let told = two_lines(&place.run(&["clean", "in", "-o", "in", "--to", "bvh"]));
    assert!(told.contains("overwritten"), "{told}");
}

/// A person walks down a step, which a level floor has not: the moment is named.
#[test]
fn a_body_that_is_moved_far_is_told_with_the_moment() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let clip = data.join("cmu-wide/03/03_01.bvh");
    let output = place.run(&["clean", &clip.display().to_string(), "-o", "c.bvh"]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(told.contains("s: the body is moved up by 2"), "{told}");
    // Where nothing of the kind is done, nothing is said.
    let place = skating();
    let told = text(&place.run(&["clean", "skate.bvh", "-o", "c.bvh"]).stdout);
    assert!(!told.contains("look at"), "{told}");
}
