//! What is wrong with real clips, through the binary: bodies that lie, limbs that were lost, one body from two exporters.

use gaitway_core::testing::data_dir;
use serde_json::Value;

use super::support::{Place, text};

fn codes(row: &Value) -> Vec<&str> {
    let warnings = row["warnings"].as_array().into_iter().flatten();
    warnings.filter_map(|w| w["code"].as_str()).collect()
}

#[test]
fn nobody_of_the_wide_set_is_turned_and_rates_are_doubted_where_they_are_wrong() {
    let Some(data) = data_dir() else { return };
    let folder = data.join("cmu-wide").display().to_string();
    let rows = Place::new().json(&["info", "--json", &folder]);
    let rows = rows.as_array().expect("rows");
    let with = |code: &str| rows.iter().filter(|r| codes(r).contains(&code)).count();
    assert_eq!(rows.len(), 150);
    assert_eq!(with("up-axis-turned"), 0);
    assert_eq!(with("rate-implausible"), 10);
    assert_eq!(with("frozen-joints"), 4);
}

#[test]
fn a_lost_arm_is_filled_and_numbered_as_the_file_counts() {
    let Some(data) = data_dir() else { return };
    let file = data.join("cmu-bvh/16/16_01.bvh").display().to_string();
    let report = Place::new().json(&["clean", &file, "-o", "c.bvh", "--json"]);
    let lapses = report["lapses"].as_array().expect("lapses");
    let arm = lapses.iter().find(|l| l["joint"] == "LeftArm");
    let arm = arm.expect("an arm");
    assert_eq!((&arm["frame"], &arm["frames"]), (&184.into(), &19.into()));
    assert_eq!(
        (&arm["file_frame"], &arm["filled"]),
        (&185.into(), &true.into())
    );
}

#[test]
fn one_body_from_two_exporters_builds_as_it_is_and_with_its_travel_on_the_root() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let folder = data.join("bandai-namco-bvh").display().to_string();
    let told = |input: &str| {
        let built = place.run(&["build", input, "-o", "g.gway"]);
        let said = text(&built.stderr) + &text(&built.stdout);
        assert!(built.status.success(), "{said}");
        said
    };
    assert!(told(&folder).contains("skeletons-nearly-same"));
    let moved = place.run(&["convert", &folder, "moved", "--to", "bvh", "--root-motion"]);
    assert!(moved.status.success(), "{}", text(&moved.stderr));
    std::fs::remove_file(place.path("g.gway")).expect("a graph");
    told("moved");
    let rows = place.json(&["info", "--json", "moved"]);
    let rows = rows.as_array().expect("rows");
    assert!(rows.iter().all(|r| !codes(r).contains(&"travel-on-joint")));
}

#[test]
fn the_hint_for_two_bodies_promises_nothing_that_is_not_there() {
    let Some(data) = data_dir() else { return };
    let file = |name: &str| data.join("cmu-bvh").join(name).display().to_string();
    let files = [file("16/16_15.bvh"), file("35/35_01.bvh")];
    let built = Place::new().run(&["build", &files[0], &files[1], "-o", "g.gway"]);
    let said = text(&built.stderr);
    assert!(
        !built.status.success()
            && said.contains("a graph needs one skeleton, and the clips are of 2\n"),
        "{said}"
    );
    // Each is listed, and the hint names one of them.
    assert!(said.contains("16_15") && said.contains("35_01"), "{said}");
    assert!(
        said.contains("--largest-group") && !said.contains("gaitway info"),
        "{said}"
    );
}
