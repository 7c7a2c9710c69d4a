//! Actions through the real binary: that they happen, where they are asked, and what is said where they do not.

use gaitway_core::testing::data_dir;
use serde_json::Value;

use crate::support::{Place, performed_takes, text};

/// The graph of a person who sits, sneaks, steps over things and stops, as `g.gway`; nothing where there is no data.
fn person() -> Option<Place> {
    let folder = data_dir()?;
    let place = Place::new();
    let clips = folder.join("cmu-bvh/143").display().to_string();
    let labels = folder.join("labels-gaitway.csv").display().to_string();
    let made = place.run(&[
        "build", &clips, "--labels", &labels, "--fps", "60", "-o", "g.gway",
    ]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    Some(place)
}

/// A graph of takes of the performer that walk, sneak, sit and pick up.
fn sitter() -> Place {
    performed_takes(&[
        "walk_normal",
        "walk_left",
        "walk_right",
        "walk_turns",
        "pick",
        "sit",
        "sneak",
    ])
}

fn read_json(place: &Place, name: &str) -> Value {
    let text = std::fs::read_to_string(place.path(name)).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

fn only(row: &Value) -> &Value {
    &row["actions"][0]
}

#[test]
fn an_action_that_the_first_search_misses_is_searched_for_on() {
    let Some(place) = person() else { return };
    let row = place.json(&[
        "path",
        "g.gway",
        "line",
        "--style",
        "walk,step-over@4",
        "-o",
        "a.bvh",
        "--json",
    ]);
    assert_eq!(row["status"], "Solved", "{}", only(&row));
    // Who is told to stop is still then.
    let row = place.json(&[
        "path", "g.gway", "line", "--style", "stop@6", "-o", "s.bvh", "--json",
    ]);
    assert_eq!(row["status"], "Solved", "{}", only(&row));
    let events = place.json(&["inspect", "g.gway", "--json"]);
    let kind = |label: &str| {
        let rows = events["events"].as_array().into_iter().flatten();
        let mut of = rows.filter(|r| r["label"] == label);
        of.next().map(|r| r["kind"].clone())
    };
    assert_eq!(kind("stop"), Some("still".into()));
    // A take that is sneaked from end to end has no moment of sneaking.
    assert_eq!(kind("sneak"), None);
    let high = events["events"].as_array().into_iter().flatten();
    let stool = |r: &&Value| r["clip"].as_str().is_some_and(|c| c.ends_with("143_19"));
    assert!(
        high.filter(stool).any(|r| r["label"] == "sit"),
        "nobody sits on the high stool"
    );
}

#[test]
fn a_style_that_cannot_get_there_is_left_before_the_action_and_told() {
    let Some(place) = person() else { return };
    let output = place.run(&[
        "path",
        "g.gway",
        "--end",
        "sit@3,4,90",
        "--style",
        "sneak",
        "-o",
        "b.bvh",
        "--report",
        "b.json",
    ]);
    let said = text(&output.stderr) + &text(&output.stdout);
    assert!(said.contains("leaves sneak"), "{said}");
    let row = read_json(&place, "b.json");
    // Left long before the seat is within reach, it is not what was asked for, and not told as that.
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("style not kept"), "{said}");
    assert_eq!(row["status"], "ConstraintMissed", "{row}");
    assert!(
        row["left_style"]["before_m"]
            .as_f64()
            .is_some_and(|m| m > 0.0),
        "{row}"
    );
    assert_eq!(only(&row)["as_asked"], true, "{row}");
}

#[test]
fn who_was_to_sit_stays_seated_unless_it_is_played_out() {
    let place = sitter();
    let end = [
        "path",
        "g.gway",
        "--end",
        "sit@-1,4,0",
        "-o",
        "e.bvh",
        "--json",
    ];
    let seated = place.json(&end);
    let mut played = end.to_vec();
    played.push("--play-out");
    let out = place.json(&played);
    let seconds = |row: &Value| row["seconds"].as_f64().unwrap_or(0.0);
    assert!(
        seconds(&seated) + 0.3 < seconds(&out),
        "{} s, and played out {} s",
        seconds(&seated),
        seconds(&out)
    );
    for row in [&seated, &out] {
        let action = only(row);
        assert_eq!(action["as_asked"], true, "{action}");
        let near = |key: &str, most: f64| action[key].as_f64().is_some_and(|v| v < most);
        assert!(near("off_m", 0.15) && near("off_deg", 7.5), "{action}");
    }
}

#[test]
fn words_about_actions_say_what_is_wrong_and_what_to_type() {
    let place = sitter();
    for (arguments, words) in [
        (
            &["--end", "sit@3,4"][..],
            &["as in sit@3,4,90", "found `sit@3,4`"][..],
        ),
        (
            &["--end", "moonwalk@3,4,90"],
            &["no label `moonwalk`", "known labels: ", "sneak"],
        ),
        (&["line", "--style", "pick-up@9"], &["pick-up@100%"]),
        (
            &["--end", "walk@3,4,90"],
            &["no event", "hint: ", "--end ", "@X,Z,HEADING"],
        ),
        (
            &["--end", "sit@3,4,90", "--search", "bnb"],
            &["--search bnb is for a PATH", "hint: leave out --search bnb"],
        ),
        (
            &["--end", "sit@3,4,90", "--searches", "3"],
            &["--searches is for a PATH"],
        ),
        (
            &["line", "--search", "bnb", "--searches", "3"],
            &["--searches 3", "hint: leave out --searches"],
        ),
        (&["line", "--play-out"], &["--end"]),
    ] {
        let mut all = vec!["path", "g.gway"];
        all.extend(arguments);
        all.extend(["-o", "no.bvh"]);
        let output = place.run(&all);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        for word in words {
            assert!(
                said.contains(word),
                "{arguments:?} does not say `{word}`: {said}"
            );
        }
        assert!(said.matches("found `").count() < 2, "{said}");
    }
    let walk = text(
        &place
            .run(&["path", "g.gway", "--end", "walk@3,4,90", "-o", "no.bvh"])
            .stderr,
    );
    assert!(!walk.contains("FROM..TO"), "{walk}");
}

/// Keys of an object and of what it holds, but for what is told elsewhere or goes by names of its own.
fn keys(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(all) => {
            for (key, inner) in all {
                out.push(key.clone());
                if !["quality", "walk"].contains(&key.as_str()) {
                    keys(inner, out);
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|v| keys(v, out)),
        _ => {}
    }
}

#[test]
fn every_field_of_a_report_is_named_in_the_reference() {
    let place = sitter();
    let page = include_str!("../../../../docs/book/reference/reports.md");
    let section = page.split("## `path`").nth(1).unwrap_or("");
    let mine = section.split("\n## ").next().unwrap_or("").to_owned();
    let transitions = page
        .split("## Transitions of a motion")
        .nth(1)
        .unwrap_or("");
    let mine = mine + transitions.split("\n## ").next().unwrap_or("");
    for arguments in [
        &["circle", "--style", "walk,pick-up@3"][..],
        &["zigzag", "--style", "sneak"],
        &["line", "--alternatives", "2"],
        &["line", "--count", "2"],
        &["--end", "sit@-1,4,0"],
    ] {
        let mut all = vec!["path", "g.gway"];
        all.extend(arguments);
        all.extend(["-o", "m.bvh", "--report", "r.json"]);
        place.run(&all);
        let mut found = Vec::new();
        keys(&read_json(&place, "r.json"), &mut found);
        assert!(found.len() > 10, "{arguments:?}: {found:?}");
        for key in found {
            assert!(
                mine.contains(&format!("`{key}`")),
                "{key} of {arguments:?} is not told"
            );
        }
    }
}
