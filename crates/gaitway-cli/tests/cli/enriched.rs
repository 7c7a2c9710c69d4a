//! Graphs connected better, as users meet them: names, forbidden clips, what is told.

use serde_json::Value;

use super::support::{Place, performed_takes, text};

/// Two takes are enough, and soon done.
fn better() -> Place {
    let place = performed_takes(&["walk_left"]);
    let made = place.run(&["enrich", "g.gway", "-o", "w.gway", "--steps", "1"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let told = text(&made.stdout);
    assert!(told.contains("s were kept, now"), "{told}");
    place
}

#[test]
fn captured_clips_keep_their_short_names_and_a_forbidden_one_is_in_nothing_played() {
    let place = better();
    let seen = place.json(&["inspect", "w.gway", "--json"]);
    assert!(seen["interpolated"]["clips"].as_u64() > Some(0), "{seen}");
    let names: Vec<&str> = seen["clip_list"]
        .as_array()
        .expect("clips")
        .iter()
        .filter_map(|c| c["clip"].as_str())
        .collect();
    let short = |name: &str| name.rsplit('/').next().expect("a name").to_owned();
    // A clip that others were interpolated from answers to its own name.
    for name in names.iter().filter(|n| !n.starts_with("interpolated/")) {
        let from = format!("{}@0.5", short(name));
        let made = place.run(&[
            "walk",
            "w.gway",
            "--seconds",
            "4",
            "--start",
            &from,
            "-o",
            "m.bvh",
        ]);
        assert!(
            !text(&made.stderr).contains("fits several"),
            "{from}: {}",
            text(&made.stderr)
        );
    }
    let own: Vec<&&str> = names
        .iter()
        .filter(|n| !n.starts_with("interpolated/"))
        .collect();
    let forbidden = short(own[0]);
    place.run(&[
        "path", "w.gway", "line", "--forbid", &forbidden, "-o", "p.bvh", "--report", "p.json",
    ]);
    if let Ok(report) = std::fs::read(place.path("p.json")) {
        let report: Value = serde_json::from_slice(&report).expect("JSON");
        let between = report["interpolated"].as_array().cloned();
        for stretch in between.unwrap_or_default() {
            assert!(
                !stretch["between"].to_string().contains(&forbidden),
                "{stretch}"
            );
        }
        let rows = report["constraints"].as_array().expect("rows");
        let row = rows.iter().find(|r| r["what"] == "forbid").expect("a row");
        assert_eq!(row["kept"], true, "{row}");
    }
}

#[test]
fn what_is_lost_when_clips_are_added_is_told() {
    let place = better();
    let added = place.run(&["walk", "w.gway", "--seconds", "4", "-o", "new.bvh"]);
    assert!(added.status.success(), "{}", text(&added.stderr));
    let built = place.run(&["build", "new.bvh", "--into", "w.gway"]);
    let told = text(&built.stderr);
    assert!(built.status.success(), "{told}");
    assert!(told.contains("interpolated motion"), "{told}");
    let seen = place.json(&["inspect", "w.gway", "--json"]);
    assert!(seen["interpolated"].is_null());
}

#[test]
fn thresholds_lower_than_what_is_asked_for_are_told() {
    let place = performed_takes(&["walk_left"]);
    let built = place.run(&["build", "--rethreshold", "g.gway", "--threshold", "1"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let made = place.run(&["enrich", "g.gway", "-o", "w.gway", "--steps", "1"]);
    let told = text(&made.stdout);
    assert!(told.contains("--rethreshold w.gway --at-least 3"), "{told}");
}
