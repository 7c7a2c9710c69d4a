//! Motion on another body, through the real binary.

use crate::support::{Place, text};
use gaitway_core::testing::{Walker, performed_clips, walking_clip};
use gaitway_io::{WriteOptions, read_file, write_file};

/// A folder with a walk of the performer, and somebody else.
fn two_bodies() -> Place {
    let place = Place::new();
    let walk = performed_clips(60.0, &["walk_normal"]).into_iter().next();
    let options = WriteOptions::default();
    write_file(&place.path("walk.bvh"), &walk.expect("a walk"), &options).expect("written");
    let other = walking_clip(&Walker::default());
    write_file(&place.path("other.bvh"), &other, &options).expect("written");
    place
}

#[test]
fn a_walk_stands_on_another_body() {
    let place = two_bodies();
    let arguments = [
        "retarget",
        "walk.bvh",
        "--to",
        "other.bvh",
        "-o",
        "out.bvh",
        "--json",
        "--plot",
        "p.svg",
    ];
    let report = place.json(&arguments);
    let done = &report["retarget"];
    assert!(
        done["after_mm"][0].as_f64().is_some_and(|mm| mm < 1.0),
        "{done}"
    );
    assert!(
        done["change"]["p95_deg"].as_f64().is_some_and(|d| d < 10.0),
        "{done}"
    );
    let roles = done["roles"].as_array().expect("roles");
    let foot = roles
        .iter()
        .find(|r| r["role"] == "LeftFoot")
        .expect("a foot");
    assert_eq!(foot["source"][0], "LeftFoot");
    let body = |file: &str| {
        read_file(&place.path(file), &Default::default())
            .expect("read")
            .remove(0)
            .clip
    };
    assert_eq!(
        body("out.bvh").skeleton().names(),
        body("other.bvh").skeleton().names()
    );
    assert!(place.path("p.svg").is_file());
    let output = place.run(&["quality", "out.bvh", "--max-skate", "0.5"]);
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}

#[test]
fn the_same_command_gives_the_same_bytes_on_any_number_of_threads() {
    let place = two_bodies();
    for (threads, out) in [("1", "one.bvh"), ("2", "two.bvh")] {
        let output = place.run(&[
            "retarget",
            "walk.bvh",
            "--to",
            "other.bvh",
            "-o",
            out,
            "--threads",
            threads,
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains("LeftFoot"),
            "{}",
            text(&output.stdout)
        );
    }
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("written");
    assert_eq!(bytes("one.bvh"), bytes("two.bvh"));
}

#[test]
fn folders_go_to_folders() {
    let place = two_bodies();
    std::fs::create_dir(place.path("in")).expect("a folder");
    std::fs::copy(place.path("walk.bvh"), place.path("in/walk.bvh")).expect("copied");
    let output = place.run(&[
        "retarget",
        "in",
        "--to",
        "other.bvh",
        "-o",
        "out",
        "--to-format",
        "glb",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(place.path("out/walk.glb").is_file());
    let output = place.run(&["retarget", "in", "--to", "other.bvh", "-o", "out.bvh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("--to-format"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let place = two_bodies();
    let write = |text: &str| std::fs::write(place.path("roles.toml"), text).expect("written");
    let run = |map: &[&str]| {
        let mut all = vec!["retarget", "walk.bvh", "--to", "other.bvh", "-o", "out.bvh"];
        all.extend(map);
        let output = place.run(&all);
        assert_eq!(output.status.code(), Some(2), "{map:?}");
        assert!(!place.path("out.bvh").exists());
        text(&output.stderr)
    };
    write("[roles]\n\nLeftFeet = \"x\"\n");
    let told = run(&["--map", "roles.toml"]);
    assert!(
        told.contains("roles.toml: line 3") && told.contains("LeftFoot"),
        "{told}"
    );
    write("[target]\nLeftFoot = \"foot\"\n");
    let told = run(&["--map", "roles.toml"]);
    assert!(
        told.contains("line 2") && told.contains("no joint `foot`"),
        "{told}"
    );
    write("[source]\nLeftFoot = \"foot\"\n");
    let told = run(&["--map", "roles.toml"]);
    assert!(
        told.contains("line 2") && told.contains("no joint `foot`"),
        "{told}"
    );
    let told = run(&["--knots", "9"]);
    assert!(told.contains("0.02 to 2"), "{told}");
    let told = run(&["--map", "nowhere.toml"]);
    assert!(told.contains("nowhere.toml"), "{told}");
}

#[test]
fn a_hand_is_kept_on_a_thing_that_does_not_grow_with_the_body() {
    let place = two_bodies();
    let put = |keep: &str, out: &str| {
        place.run(&[
            "retarget",
            "walk.bvh",
            "--to",
            "other.bvh",
            "-o",
            out,
            "--keep",
            keep,
            "--report",
            "r.json",
        ])
    };
    let output = put("RightHand@0.5..1=+0,0.1,0.05", "kept.bvh");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.path("r.json")).expect("a report"))
            .expect("JSON");
    let left = report["keep"]["asked"][0]["left_mm"].as_f64();
    assert!(left.is_some_and(|mm| mm < 1.0), "{report}");
    let far = put("RightHand@0.5..1=50,1,0", "far.bvh");
    assert_eq!(far.status.code(), Some(1), "{}", text(&far.stderr));
    assert!(
        text(&far.stderr).contains("cannot get there"),
        "{}",
        text(&far.stderr)
    );
    let unknown = put("Tail@0.5..1=0,1,0", "tail.bvh");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        text(&unknown.stderr).contains("`Tail`"),
        "{}",
        text(&unknown.stderr)
    );
    assert!(!place.path("tail.bvh").exists());
}
