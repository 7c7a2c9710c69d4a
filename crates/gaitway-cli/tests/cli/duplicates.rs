//! The same motion found twice, and two motions of one name, on their way into a graph.

use crate::support::{Place, text};
use serde_json::Value;

fn clip_names(place: &Place, graph: &str) -> Vec<String> {
    let inside = place.json(&["inspect", graph, "--json"]);
    let rows = inside["clip_list"].as_array().expect("clips").iter();
    let mut names: Vec<String> = rows
        .map(|r| r["clip"].as_str().expect("a name").to_owned())
        .collect();
    names.sort();
    names
}

/// `one/` and `two/` with the same two clips, and `g.gway` of those in `one/`.
fn copied() -> Place {
    let place = Place::new();
    for folder in ["one", "two"] {
        std::fs::create_dir(place.path(folder)).expect("a folder");
        place.clip(&format!("{folder}/walk_a.bvh"), 240);
        place.clip(&format!("{folder}/walk_b.bvh"), 300);
    }
    let output = place.run(&["build", "one", "-o", "g.gway", "--threshold", "6"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    place
}

#[test]
fn clips_that_are_in_a_graph_are_not_added_from_another_folder() {
    let place = copied();
    let before = std::fs::read(place.path("g.gway")).expect("a graph");
    let output = place.run(&["build", "two", "--into", "g.gway"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    assert!(
        told.contains("2 clips were passed over") && told.contains("`two/walk_a` is `one/walk_a`"),
        "{told}"
    );
    assert!(told.contains("--allow-duplicates"), "{told}");
    assert_eq!(
        std::fs::read(place.path("g.gway")).expect("a graph"),
        before
    );
    // What is new among them is added; the path a file was found by does not matter, nor does its format.
    place.clip("two/walk_c.bvh", 270);
    let made = ["convert", "two/walk_a.bvh", "two/again.glb"];
    assert!(place.run(&made).status.success());
    let whole = place.path("two").display().to_string();
    let output = place.run(&["build", &whole, "--into", "g.gway"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("3 clips were passed over"));
    assert_eq!(
        clip_names(&place, "g.gway"),
        ["one/walk_a", "one/walk_b", "two/walk_c"]
    );
}

#[test]
fn copies_within_one_build_are_passed_over_unless_allowed() {
    let place = copied();
    let made = ["build", "one", "two", "-o", "h.gway", "--threshold", "6"];
    let output = place.run(&[&made[..], &["--report", "r.json"]].concat());
    assert!(text(&output.stderr).contains("`two/walk_b` is `one/walk_b`"));
    assert_eq!(clip_names(&place, "h.gway"), ["one/walk_a", "one/walk_b"]);
    let report: Value =
        serde_json::from_slice(&std::fs::read(place.path("r.json")).expect("a report"))
            .expect("JSON");
    let codes: Vec<&str> = report["warnings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert!(codes.contains(&"same-motion"), "{report}");
    let output = place.run(&[&made[..], &["--allow-duplicates"]].concat());
    assert!(!text(&output.stderr).contains("passed over"));
    assert_eq!(clip_names(&place, "h.gway").len(), 4);
}

#[test]
fn another_motion_of_the_same_name_gets_a_longer_one() {
    let place = copied();
    // The same names as in the graph when looked at from inside each folder, with other motion.
    place.clip("two/walk_a.bvh", 200);
    for (folder, out) in [("one", "../h.gway"), ("two", "../h.gway")] {
        let made: &[&str] = if folder == "one" {
            &["build", ".", "-o", out, "--threshold", "6"]
        } else {
            &["build", ".", "--into", out]
        };
        let output = place.run_in(folder, made);
        assert!(output.status.success(), "{}", text(&output.stderr));
        if folder == "two" {
            let told = text(&output.stderr);
            assert!(told.contains("`walk_a` is called `two/walk_a`"), "{told}");
        }
    }
    assert_eq!(
        clip_names(&place, "h.gway"),
        ["two/walk_a", "walk_a", "walk_b"]
    );
    // One name in one folder, told apart by the ending alone.
    let made = ["convert", "one/walk_a.bvh", "one/walk_b.glb", "--mirror"];
    assert!(place.run(&made).status.success());
    let output = place.run(&["build", "one", "-o", "k.gway", "--threshold", "6"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(clip_names(&place, "k.gway").len(), 3);
}

#[test]
fn labels_of_a_clip_that_is_passed_over_are_not_lost_in_silence() {
    let place = copied();
    let made = [
        "build",
        "two",
        "--into",
        "g.gway",
        "--label-names",
        "walk*=walk",
    ];
    let output = place.run(&made);
    let told = text(&output.stderr);
    assert!(
        told.contains("the labels of `two/walk_a` were not taken over"),
        "{told}"
    );
}
