//! The reference of reports against what every verb really writes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Place, performed, performed_takes, text};

const PAGE: &str = include_str!("../../../../docs/book/reference/reports.md");

/// A section of the page.
fn section(title: &str) -> &'static str {
    let (_, rest) = PAGE
        .split_once(&format!("\n## {title}\n"))
        .unwrap_or_else(|| panic!("no section {title}"));
    rest.split("\n## ").next().unwrap_or(rest)
}

/// Names in a section: what stands between backticks, and the parts of `a.b`.
fn names(sections: &[&str]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for title in sections {
        for (k, word) in section(title).split('`').enumerate() {
            if k % 2 == 1 {
                out.extend(word.split('.').map(str::to_owned));
            }
        }
    }
    out
}

fn keys(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::Object(all) => {
            // A warning's number goes by a name of its own.
            let own = all.contains_key("code") && all.contains_key("message");
            for (key, inner) in all {
                if !own || ["code", "message"].contains(&key.as_str()) {
                    out.insert(key.clone());
                }
                keys(inner, out);
            }
        }
        Value::Array(all) => all.iter().for_each(|v| keys(v, out)),
        _ => {}
    }
}

fn all_are_told(verb: &str, value: &Value, sections: &[&str]) {
    let mut found = BTreeSet::new();
    keys(value, &mut found);
    assert!(found.len() > 4, "{verb}: {found:?}");
    let told = names(sections);
    let missing: Vec<&String> = found.difference(&told).collect();
    assert!(
        missing.is_empty(),
        "{verb}: {missing:?} are not on the page"
    );
}

fn written(place: &Place, arguments: &[&str]) -> Value {
    let output = place.run(arguments);
    let file = std::fs::read(place.path("r.json"))
        .unwrap_or_else(|e| panic!("{arguments:?}: {e}: {}", text(&output.stderr)));
    std::fs::remove_file(place.path("r.json")).expect("it is there");
    serde_json::from_slice(&file).expect("JSON")
}

#[test]
fn every_key_that_a_verb_writes_is_on_the_page() {
    const ACCOUNT: &str = "`build` and `inspect`: the account";
    const OF_MOTION: [&str; 3] = ["Transitions of a motion", "Quality", "Gliding feet"];
    let place = performed();
    let with = |own: &'static str| [&OF_MOTION[..], &[own]].concat();
    let made = |verb: &[&str]| {
        let mut all = verb.to_vec();
        all.extend(["-o", "m.bvh", "--report", "r.json"]);
        written(&place, &all)
    };
    all_are_told(
        "walk",
        &made(&["walk", "g.gway", "--seconds", "8"]),
        &with("`walk`"),
    );
    all_are_told(
        "walk --loop",
        &made(&["walk", "g.gway", "--loop"]),
        &with("`walk`"),
    );
    let path = made(&["path", "g.gway", "circle", "--style", "walk,pick-up@3"]);
    all_are_told("path", &path, &with("`path`"));
    let inspected = place.json(&["inspect", "g.gway", "--json"]);
    all_are_told("inspect", &inspected, &[ACCOUNT]);
    let measured = place.json(&[
        "eval",
        "g.gway",
        "g.gway",
        "--threshold",
        "6",
        "--samples",
        "20",
        "--ways",
        "20",
        "--visible",
        "--curves",
        "line",
        "--make",
        "2",
        "--room",
        "8",
        "--json",
    ]);
    all_are_told("eval", &measured, &["`eval`"]);
    let better = [
        "enrich", "g.gway", "-o", "w.gway", "--steps", "1", "--report", "r.json",
    ];
    // Two takes are enough, and soon done.
    let few = performed_takes(&["walk_left"]);
    all_are_told("enrich", &written(&few, &better), &["`enrich`", ACCOUNT]);
    let clips = inspected["clip_list"].as_array().expect("clips");
    let moment = |k: usize| format!("{}@1", clips[k]["clip"].as_str().expect("a name"));
    let way = [
        "connect",
        "g.gway",
        "--from",
        &moment(0),
        "--to",
        &moment(1),
    ];
    all_are_told("connect", &made(&way), &with("`connect`"));

    place.run(&["walk", "g.gway", "--seconds", "4", "-o", "m.bvh"]);
    std::fs::write(place.path("bad.bvh"), "junk").expect("written");
    let output = place.run(&["info", "m.bvh", "bad.bvh", "--json"]);
    let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    all_are_told("info", &rows, &["`info`"]);
    let rows = place.json(&["quality", "m.bvh", "--loop", "--json"]);
    all_are_told("quality", &rows, &["Quality", "Gliding feet"]);
    let body = place.json(&["calibrate", "m.bvh", "--virtual", "sensors", "--json"]);
    all_are_told("calibrate", &body, &["`calibrate`"]);
    let cleaned = written(
        &place,
        &["clean", "m.bvh", "-o", "c.bvh", "--report", "r.json"],
    );
    all_are_told("clean", &cleaned, &["`clean`", "Quality", "Gliding feet"]);
    let folder = [
        "clean", "m.bvh", "-o", "out", "--to", "bvh", "--report", "r.json",
    ];
    let cleaned = written(&place, &folder);
    all_are_told(
        "clean --to",
        &cleaned,
        &["`clean`", "Quality", "Gliding feet"],
    );
    let built = place.json(&["build", "m.bvh", "-o", "n.gway", "--json"]);
    all_are_told("build", &built, &[ACCOUNT]);
    let compared = place.json(&["distance", "m.bvh", "m.bvh", "--json"]);
    all_are_told("distance", &compared, &["`distance`"]);
    let measured = place.json(&["bench", "--only", "contacts", "--runs", "1", "--json"]);
    all_are_told("bench", &measured, &["`bench`"]);
}
