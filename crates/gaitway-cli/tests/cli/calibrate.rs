//! `calibrate`: markers and sensors in, skeletons and motion out.

use gaitway_core::testing::{data_dir, performed_clips};
use gaitway_io::{WriteOptions, write_file};

use crate::support::{Place, text};

fn with_walk() -> Place {
    let place = Place::new();
    let clip = performed_clips(60.0, &["walk_normal"]).swap_remove(0);
    write_file(&place.path("walk.bvh"), &clip, &WriteOptions::default()).expect("written");
    place
}

#[test]
fn virtual_sensors_come_out_where_they_were_put() {
    let place = with_walk();
    let report = place.json(&[
        "calibrate",
        "walk.bvh",
        "--virtual",
        "sensors",
        "-o",
        "body.bvh",
        "--report",
        "r.json",
        "--plot",
        "p.svg",
        "--json",
    ]);
    let truth = &report["truth"];
    assert!(
        truth["wrong"].as_array().expect("a list").is_empty(),
        "{truth}"
    );
    for joint in truth["joints"].as_array().expect("joints") {
        let key = match joint["kind"].as_str() {
            Some("ball") => "error_mm",
            Some("hinge") => "across_mm",
            _ => continue,
        };
        assert!(joint[key].as_f64().expect("a number") < 1e-3, "{joint}");
    }
    let written = std::fs::read_to_string(place.path("r.json")).expect("a report");
    let written: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(written, report);
    assert!(place.path("p.svg").exists());
    let info = place.json(&["info", "body.bvh", "--json"]);
    assert_eq!(
        info[0]["joints"].as_u64().map(|n| n as usize),
        report["bodies"].as_array().map(Vec::len)
    );
}

#[test]
fn a_table_of_sensors_is_the_same_as_the_sensors() {
    let place = with_walk();
    let first = place.json(&[
        "calibrate",
        "walk.bvh",
        "--virtual",
        "sensors",
        "--noise",
        "1,0.2",
        "--data-out",
        "s.csv",
        "--json",
    ]);
    let second = place.json(&["calibrate", "s.csv", "--json"]);
    assert_eq!(first["bodies"], second["bodies"]);
}

#[test]
fn a_file_of_markers_is_the_same_as_the_markers() {
    let place = with_walk();
    let first = place.json(&[
        "calibrate",
        "walk.bvh",
        "--virtual",
        "markers",
        "--dropouts",
        "3%",
        "--data-out",
        "m.trc",
        "--json",
    ]);
    let second = place.json(&["calibrate", "m.trc", "--json"]);
    assert_eq!(first["bodies"], second["bodies"]);
    let output = place.run(&[
        "calibrate",
        "walk.bvh",
        "--virtual",
        "markers",
        "--data-out",
        "m.csv",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains("ends in .trc") && told.contains("hint:"),
        "{told}"
    );
}

#[test]
fn trials_of_one_person_share_a_body_and_become_a_graph() {
    let place = Place::new();
    std::fs::create_dir(place.path("trials")).expect("a folder");
    for clip in performed_clips(60.0, &["walk_normal"]).into_iter().take(2) {
        let name = clip.name().replace('/', "-");
        write_file(&place.path("clip.bvh"), &clip, &WriteOptions::default()).expect("written");
        let trial = format!("trials/{name}.trc");
        let made = [
            "calibrate",
            "clip.bvh",
            "--virtual",
            "markers",
            "--data-out",
            &trial,
        ];
        let output = place.run(&made);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let trials: Vec<String> = std::fs::read_dir(place.path("trials"))
        .expect("a folder")
        .map(|f| format!("trials/{}", f.expect("a file").file_name().display()))
        .collect();
    assert!(trials.len() > 1);
    let mut together: Vec<&str> = trials.iter().map(String::as_str).collect();
    together.splice(0..0, ["calibrate", "--json"]);
    let all = place.json(&together);
    let one = place.json(&["calibrate", &trials[0], "--json"]);
    assert!(all["frames"].as_u64() > one["frames"].as_u64());
    let built = place.run(&["build", "trials", "-o", "g.gway"]);
    let told = text(&built.stderr);
    assert_eq!(built.status.code(), Some(0), "{told}");
    assert!(
        told.contains(&format!("found in {} trials of markers", trials.len())),
        "{told}"
    );
    let walked = place.run(&["walk", "g.gway", "--seconds", "3", "-o", "w.bvh"]);
    assert_eq!(walked.status.code(), Some(0), "{}", text(&walked.stderr));
}

#[test]
fn faults_are_told_and_nothing_falls_over() {
    let place = with_walk();
    for faults in [
        &["--virtual", "sensors", "--noise", "3,0.6", "--slip", "10"][..],
        &["--virtual", "sensors", "--dropouts", "20%", "--metal", "20"],
        &[
            "--virtual",
            "markers",
            "--noise",
            "1",
            "--swaps",
            "2",
            "--dropouts",
            "5%",
        ],
        &["--virtual", "markers", "--tissue", "10"],
    ] {
        let mut arguments = vec!["calibrate", "walk.bvh"];
        arguments.extend(faults);
        let output = place.run(&arguments);
        assert!(
            output.status.success(),
            "{faults:?}: {}",
            text(&output.stderr)
        );
        let said = text(&output.stdout);
        assert!(said.contains("from the truth"), "{said}");
    }
}

#[test]
fn what_cannot_be_calibrated_is_said_with_a_hint() {
    let place = with_walk();
    let pose = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
    std::fs::write(place.path("one.traj"), pose.repeat(30)).expect("written");
    std::fs::write(place.path("names.csv"), "walk\n").expect("written");
    for (arguments, says) in [
        (&["calibrate", "walk.bvh"][..], "have a skeleton already"),
        (
            &["calibrate", "one.traj"],
            "expected at least two bodies that move",
        ),
        (
            &["calibrate", "none.c3d"],
            "none.c3d: there is no such file",
        ),
        (
            &[
                "calibrate",
                "walk.bvh",
                "--virtual",
                "sensors",
                "--names",
                "names.csv",
            ],
            "names.csv:1: expected body,name",
        ),
        (
            &[
                "calibrate",
                "walk.bvh",
                "--virtual",
                "sensors",
                "--root",
                "Tail",
            ],
            "there is no body `Tail`",
        ),
        (
            &[
                "calibrate",
                "walk.bvh",
                "--virtual",
                "markers",
                "--bodies",
                "5000",
            ],
            "--bodies 5000",
        ),
        (
            &[
                "calibrate",
                "walk.bvh",
                "--virtual",
                "sensors",
                "-o",
                "walk.bvh",
            ],
            "would be overwritten",
        ),
        (
            &["calibrate", "walk.bvh", "--noise", "a,b"],
            "expected millimetres and degrees",
        ),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains(says), "{arguments:?}: {told}");
    }
}

#[test]
fn a_real_wrist_alone_is_no_body() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let file = data.join("magnetic/user1_cup0.traj");
    let output = place.run(&["calibrate", &file.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains("two bodies") && told.contains("hint:"),
        "{told}"
    );
}

#[test]
fn markers_make_a_graph_and_a_walk() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let file = data
        .join("cmu-three-formats/01_01.c3d")
        .display()
        .to_string();
    let output = place.run(&["build", &file, "-o", "g.gway"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = place.run(&["walk", "g.gway", "--seconds", "20", "-o", "walk.bvh"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let info = place.json(&["info", "walk.bvh", "--json"]);
    assert!(info[0]["seconds"].as_f64().expect("a number") > 19.0);
}

#[test]
fn points_that_are_no_markers_are_named() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let file = data
        .join("c3d/PiG_Motion-FlatFoot-Full.c3d")
        .display()
        .to_string();
    let report = place.json(&["calibrate", &file, "--json"]);
    let told: Vec<&str> = report["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|w| w["message"].as_str())
        .collect();
    for what in [
        "stored as angles",
        "stored as forces",
        "stored as moments",
        "stored as powers",
        "computed axis",
    ] {
        assert!(told.iter().any(|t| t.contains(what)), "{what}: {told:?}");
    }
    let used: usize = report["bodies"]
        .as_array()
        .expect("bodies")
        .iter()
        .map(|b| b["seen_by"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(used, 35);
}
