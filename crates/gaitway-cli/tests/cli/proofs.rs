//! `path --search ara` through the real binary: what is proven, and what is said of it.

use gaitway_core::testing::data_dir;
use serde_json::Value;

use crate::support::{Place, performed, text, two_lines};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn ask<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![
        "path", "g.gway", "line", "--style", "walk", "-o", "l.bvh", "--scale", "0.15",
    ];
    all.extend(more);
    all
}

/// The walk of ARA* on a short line is no dearer than the beam's, and its bound is below both.
fn hold_to_the_beam(place: &Place) -> Value {
    let beam = place.json(&ask(&["--json"]));
    assert!(beam["bound"].is_null() && beam["epsilon"].is_null());
    let proven = place.json(&ask(&["--search", "ara", "--json", "--report", "r.json"]));
    let (cost, bound) = (number(&proven["cost"]), number(&proven["bound"]));
    assert!(cost <= number(&beam["cost"]) * (1.0 + 1e-9), "{cost}");
    assert!(bound >= 0.0 && bound <= cost, "{bound} and {cost}");
    assert_eq!(proven["deterministic"], true);
    let written = std::fs::read_to_string(place.path("r.json")).expect("a report");
    let written: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(written["bound"], proven["bound"]);
    let again = place.json(&ask(&["--search", "ara", "--json"]));
    assert_eq!(
        (&again["walk"], &again["bound"]),
        (&proven["walk"], &proven["bound"])
    );
    proven
}

#[test]
fn a_short_path_of_the_performer_is_proven_the_best() {
    let place = performed();
    let proven = hold_to_the_beam(&place);
    assert_eq!(
        (&proven["search"], number(&proven["epsilon"])),
        (&"complete".into(), 1.0)
    );
    assert_eq!(proven["bound"], proven["cost"]);
    let told = text(&place.run(&ask(&["--search", "ara"])).stderr);
    assert!(told.contains("no walk costs less than its"), "{told}");
    // Less to spend proves less, and says so.
    let little = place.run(&ask(&["--search", "ara", "--expansions", "100000"]));
    let told = text(&little.stderr);
    assert!(
        told.contains("proven") && !told.contains("no walk costs less than its"),
        "{told}"
    );
    let timed = place.json(&ask(&["--search", "ara", "--max-time", "0.5", "--json"]));
    assert_eq!(timed["deterministic"], false);
    let falling = place.json(&ask(&["--search", "ara", "--epsilon", "10..1", "--json"]));
    assert!((number(&falling["cost"]) - number(&proven["cost"])).abs() < 1e-9);
}

#[test]
fn a_short_path_of_a_person_comes_with_a_bound() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let clips = format!(
        "@{}",
        data.join("sets/subject-143-many-behaviours.txt").display()
    );
    let labels = data.join("labels-gaitway.csv").display().to_string();
    let made = place.run(&[
        "build",
        &clips,
        "--labels",
        &labels,
        "--source-fps",
        "60",
        "-o",
        "g.gway",
    ]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let proven = hold_to_the_beam(&place);
    assert!(number(&proven["epsilon"]) >= 1.0, "{}", proven["epsilon"]);
}

#[test]
fn options_of_other_searches_are_refused() {
    let place = performed();
    for wrong in [
        &["--search", "ara", "--bite", "60"][..],
        &["--search", "ara", "--searches", "3"],
        &["--epsilon", "10..1"],
        &["--search", "bnb", "--epsilon", "3"],
    ] {
        let told = two_lines(&place.run(&ask(wrong)));
        assert!(told.contains("--search"), "{told}");
    }
    for wrong in ["1..10", "0.5", "x", "3,3", ""] {
        let given = ["--search", "ara", "--epsilon", wrong];
        assert_eq!(place.run(&ask(&given)).status.code(), Some(2), "{wrong}");
    }
    let end = place.run(&[
        "path",
        "g.gway",
        "--end",
        "pick-up@3,4,90",
        "--search",
        "ara",
        "-o",
        "e.bvh",
    ]);
    assert!(two_lines(&end).contains("--search ara is for a PATH"));
}
