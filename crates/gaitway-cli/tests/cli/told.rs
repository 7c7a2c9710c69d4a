//! What verbs say of the motion they made, and of what cannot be: in words, and true.

use std::process::Output;

use serde_json::Value;

use crate::support::{Place, performed, text, two_lines};

/// The one line that begins like this.
fn line(output: &Output, begins: &str) -> String {
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{told}");
    let mut found = told.lines().filter(|l| l.starts_with(begins));
    let first = found.next().unwrap_or_else(|| panic!("{begins}: {told}"));
    assert_eq!(found.next(), None, "{told}");
    first.to_owned()
}

#[test]
fn every_verb_that_makes_motion_says_what_its_feet_do() {
    let place = performed();
    let feet = |arguments: &[&str]| line(&place.run(arguments), "feet");
    let walk = feet(&["walk", "g.gway", "--seconds", "10", "-o", "w.bvh"]);
    assert!(walk.contains("planted ones slide at 0.0"), "{walk}");
    assert!(walk.contains("over the floor"), "{walk}");
    // The same number in the report.
    let report = place.json(&["walk", "g.gway", "--seconds", "10", "-o", "w.bvh", "--json"]);
    let skate = report["quality"]["skate_cm_s"]["mean"]
        .as_f64()
        .expect("feet");
    assert!(
        walk.contains(&format!("slide at {skate:.2} cm/s")),
        "{walk}"
    );
    assert!(report["quality"]["glides"]["slides"]["count"].is_u64());
    assert!(report["repeats"]["times"].is_u64());
    let from = report["transitions"][0]["from"].as_str().expect("a place");
    let to = report["transitions"][1]["to"].as_str().expect("a place");
    let way = [
        "connect", "g.gway", "--from", from, "--to", to, "-o", "c.bvh",
    ];
    feet(&way);
    let round = ["walk", "g.gway", "--loop", "-o", "l.bvh"];
    assert!(feet(&round).contains("before the travel was taken out"));
    assert!(line(&place.run(&round), "loop:").contains("turns by"));
    let mut kept = round.to_vec();
    kept.push("--keep-travel");
    assert!(!feet(&kept).contains("taken out"));
    let clean = feet(&["clean", "w.bvh", "-o", "w2.bvh"]);
    assert!(
        clean.contains(" → ") && clean.contains("low swings"),
        "{clean}"
    );
}

#[test]
fn loops_on_the_spot_go_straight_where_they_can() {
    let place = performed();
    let round = ["walk", "g.gway", "--loop", "-o", "l.bvh", "--json"];
    let found = &place.json(&round)["loop"];
    let turn = found["turn_rad"].as_f64().expect("a turn");
    assert!(found["compromise"].is_null(), "{found}");
    assert!(turn.abs() < 0.18, "{turn}");
}

#[test]
fn a_moment_that_is_not_kept_is_answered_by_one_that_is() {
    let place = performed();
    let account = place.json(&["inspect", "g.gway", "--json"]);
    let clip = |k: usize| account["clip_list"][k]["clip"].as_str().expect("a clip");
    let beyond = format!("{}@500", clip(0));
    let near = format!("{}@1", clip(1));
    let asked = |from: &str| {
        place.run(&[
            "connect", "g.gway", "--from", from, "--to", &near, "-o", "c.bvh",
        ])
    };
    let told = two_lines(&asked(&beyond));
    let hint = told.lines().find(|l| l.starts_with("hint: write "));
    let hint = hint.unwrap_or_else(|| panic!("{told}"));
    let named = hint.split(' ').nth(2).expect("a moment");
    let output = asked(named);
    assert!(output.status.success(), "{named}: {}", text(&output.stderr));
}

#[test]
fn thresholds_are_raised_only_where_there_are_some() {
    let place = performed();
    let told = two_lines(&place.run(&["build", "x", "-o", "h.gway", "--at-least", "7"]));
    assert!(told.contains("--rethreshold G.gway --at-least 7"), "{told}");
    let again = [
        "build",
        "--rethreshold",
        "g.gway",
        "-o",
        "h.gway",
        "--at-least",
        "9",
        "--json",
    ];
    let raised = place.json(&again);
    let rows = raised["thresholds"].as_array().expect("rows");
    let cm = |r: &Value| r["cm"].as_f64().expect("a number");
    assert!(rows.iter().all(|r| cm(r) >= 9.0));
    assert!(
        raised["default_threshold_cm"]
            .as_f64()
            .is_some_and(|d| d >= 9.0)
    );
}

#[test]
fn what_cannot_work_is_refused_before_the_work() {
    let place = performed();
    let ask = |more: &[&str]| {
        let mut all = vec!["path", "g.gway", "s", "--style", "walk", "-o", "a.bvh"];
        all.extend(more);
        place.run(&all)
    };
    let told = two_lines(&ask(&["--plot", "a.foo"]));
    assert!(told.contains("`.foo` is no picture format"), "{told}");
    assert!(!place.path("a.bvh").exists(), "searched for nothing");
    // A report of one path and another path.
    assert!(ask(&["--report", "a.json"]).status.success());
    let other = [
        "path", "g.gway", "circle", "--style", "walk", "-o", "b.bvh", "--again", "1..3", "--from",
        "a.json",
    ];
    let told = two_lines(&place.run(&other));
    assert!(told.contains("went along a path of 12.57 m"), "{told}");
    // A graph that was cut short on its way here.
    let bytes = std::fs::read(place.path("g.gway")).expect("a graph");
    for length in [2000, bytes.len() / 2] {
        std::fs::write(place.path("cut.gway"), &bytes[..length]).expect("written");
        let told = two_lines(&place.run(&["inspect", "cut.gway"]));
        let words = format!("ends too early, after {length} bytes");
        assert!(told.contains(&words), "{told}");
    }
}

#[test]
fn a_start_far_from_the_path_is_what_is_told() {
    let place = performed();
    let output = place.run(&[
        "path", "g.gway", "s", "--style", "walk", "--start", "50,50,0", "-o", "a.bvh",
    ]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("m from the path: draw the path from there"),
        "{told}"
    );
    assert!(!told.contains("bends by"), "{told}");
}

/// A few of what `benches/account.sh` does for everybody.
#[test]
fn what_the_account_promises_is_kept() {
    let Some(data) = std::env::var_os("GAITWAY_DATA") else {
        assert!(std::env::var_os("GAITWAY_REQUIRE_DATA").is_none());
        return;
    };
    let data = std::path::PathBuf::from(data);
    let place = Place::new();
    let (clips, labels) = (data.join("cmu-bvh/16"), data.join("labels-gaitway.csv"));
    let (clips, labels) = (clips.display().to_string(), labels.display().to_string());
    let build = ["build", &clips, "--labels", &labels, "-o", "g.gway"];
    let account = place.json(&[&build[..], &["--threshold", "6", "--json"]].concat());
    let lost = |a: &Value, clip: &str| -> f64 {
        let rows = a["lost"].as_array().expect("rows").iter();
        let own = rows.filter(|r| r["clip"] == clip);
        own.filter_map(|r| r["seconds"].as_f64()).sum()
    };
    let rows = account["lost"].as_array().expect("rows");
    let promised = rows.iter().filter(|r| r["remedy"]["try"] == "at-least");
    let mut done = 0;
    for row in promised.step_by(7).take(3) {
        let remedy = &row["remedy"];
        let cm = format!("{:.1}", remedy["cm"].as_f64().expect("a number"));
        let again = place.json(&[
            "build",
            "--rethreshold",
            "g.gway",
            "-o",
            "h.gway",
            "--at-least",
            &cm,
            "--json",
        ]);
        let clip = row["clip"].as_str().expect("a name");
        let back = lost(&account, clip) - lost(&again, clip);
        assert!(
            back >= remedy["seconds"].as_f64().expect("seconds") - 1e-6,
            "{row}"
        );
        if remedy["costs"].is_null() {
            for other in rows {
                let name = other["clip"].as_str().expect("a name");
                assert!(
                    lost(&again, name) <= lost(&account, name) + 1e-6,
                    "{row}: {name}"
                );
            }
        }
        done += 1;
    }
    assert_eq!(done, 3);
}

#[test]
fn what_would_be_left_out_is_refused() {
    let place = performed();
    for (arguments, word) in [
        (
            &["--end", "pick-up@1,3,0", "--corridor", "0.5"][..],
            "--corridor",
        ),
        (&["--end", "pick-up@1,3,0", "--scale", "2"], "--scale"),
        (&["line", "s", "--alternatives", "2"], "--alternatives"),
        (&["line", "--person", "2"], "--again"),
    ] {
        let mut all = vec!["path", "g.gway", "-o", "m.bvh"];
        all.extend(arguments);
        let output = place.run(&all);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(word), "{arguments:?}: {told}");
        assert!(!place.path("m.bvh").exists());
    }
}
