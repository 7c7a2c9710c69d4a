//! `gaitway eval` by the real binary.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Place, performed_takes, small_graph, text, two_lines};

fn data_dir() -> Option<PathBuf> {
    let data = std::env::var_os("GAITWAY_DATA").map(PathBuf::from);
    assert!(
        data.is_some() || std::env::var_os("GAITWAY_REQUIRE_DATA").is_none(),
        "GAITWAY_DATA names no folder"
    );
    data
}

/// A graph of a few takes, small enough to search from all its frames.
fn turns() -> Place {
    performed_takes(&["walk_turns", "pick"])
}

/// The rows of a form, by rising threshold.
fn rows<'a>(found: &'a Value, graph: usize, form: &str) -> Vec<&'a Value> {
    let all = found["graphs"][graph]["measures"].as_array().expect("rows");
    all.iter().filter(|r| r["form"] == form).collect()
}

fn share(row: &Value) -> f64 {
    row["component"]["share"].as_f64().expect("a share")
}

fn mean(row: &Value) -> f64 {
    row["mean_time"]["seconds"].as_f64().expect("a time")
}

#[test]
fn a_graph_beside_itself_is_as_good() {
    let place = turns();
    let asked = [
        "eval",
        "g.gway",
        "g.gway",
        "--threshold",
        "2,4,8",
        "--form",
        "cut,decay,bounded,blend",
        "--samples",
        "40",
        "--ways",
        "50",
        "--json",
    ];
    let found = place.json(&asked);
    for form in ["cut", "decay", "bounded", "blend"] {
        let (a, b) = (rows(&found, 0, form), rows(&found, 1, form));
        assert_eq!((a.len(), b.len()), (3, 3), "{form}");
        for (a, b) in a.iter().zip(&b) {
            assert_eq!(share(a), share(b));
            assert_eq!(a["mean_time"], b["same_frames"]["mean_time"], "{form}");
            assert_eq!(a["bend"], b["same_frames"]["bend"], "{form}");
            assert!(a.get("same_frames").is_none());
        }
        // More joins, no less held together.
        if form != "blend" {
            assert!(a.windows(2).all(|w| share(w[0]) <= share(w[1])), "{form}");
        }
    }
    // A jump that has to fade takes no less time.
    for (cut, decay) in rows(&found, 0, "cut").iter().zip(rows(&found, 0, "decay")) {
        assert_eq!(cut["joins"], decay["joins"]);
        assert!(share(decay) <= share(cut));
        // Jumps that fade for six frames at 30 Hz are seven apart: three at most in half a second.
        if let Some(sum) = decay["bend"]["half_second_cm"]["max"].as_f64() {
            let cm = decay["threshold_cm"].as_f64().expect("a threshold");
            assert!(sum <= 3.0 * cm + 1e-3, "{sum} at {cm}");
        }
    }
    // What ways within the bound jump in half a second is within the bound; they take no less time.
    for (decay, bounded) in rows(&found, 0, "decay")
        .iter()
        .zip(rows(&found, 0, "bounded"))
    {
        assert_eq!(share(decay), share(bounded));
        assert!(bounded["reach"].as_f64() <= decay["reach"].as_f64());
        let all_reached = |r: &Value| r["mean_time"]["reached"] == 1.0;
        if all_reached(decay) && all_reached(bounded) {
            assert!(mean(bounded) >= mean(decay), "{bounded}");
        }
        if !bounded["bend"].is_null() {
            assert_eq!(bounded["bend"]["above_one_and_a_half"], 0.0, "{bounded}");
        }
    }
    let once = place.run(&asked).stdout;
    let more: Vec<&str> = asked.iter().copied().chain(["--threads", "3"]).collect();
    assert_eq!(
        once,
        place.run(&more).stdout,
        "the same on any number of threads"
    );
}

#[test]
fn tables_plots_and_multiples() {
    let place = turns();
    let output = place.run(&[
        "eval",
        "g.gway",
        "--threshold",
        "1x,2x",
        "--form",
        "cut",
        "--plot",
        "e.svg",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(
        told.contains("T_vis, at which joins begin to be seen: 3.7 cm"),
        "{told}"
    );
    assert!(
        told.contains("cut: a join takes one frame") && !told.contains("blend:"),
        "{told}"
    );
    assert!(told.contains("1.00") && told.contains("2.00"), "{told}");
    for (show, file) in [("time", "t.png"), ("lm", "l.svg"), ("reach", "r.svg")] {
        let output = place.run(&[
            "eval",
            "g.gway",
            "g.gway",
            "--threshold",
            "3,6",
            "--form",
            "cut",
            "--show",
            show,
            "--plot",
            file,
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(place.path(file).exists());
    }
    let built = place.json(&[
        "eval",
        "g.gway",
        "--threshold",
        "built",
        "--form",
        "blend",
        "--json",
    ]);
    let row = rows(&built, 0, "blend")[0];
    assert!(row["threshold_cm"].is_null() && share(row) > 0.5, "{row}");
    let sampled = place.json(&[
        "eval",
        "g.gway",
        "--threshold",
        "6",
        "--form",
        "cut",
        "--samples",
        "40",
        "--json",
    ]);
    let exact = place.json(&[
        "eval",
        "g.gway",
        "--threshold",
        "6",
        "--form",
        "cut",
        "--json",
    ]);
    let (sampled, exact) = (rows(&sampled, 0, "cut")[0], rows(&exact, 0, "cut")[0]);
    assert_eq!(
        (&sampled["mean_time"]["exact"], &exact["mean_time"]["exact"]),
        (&false.into(), &true.into())
    );
    let error = sampled["mean_time"]["error_s"].as_f64().expect("an error");
    assert!(error > 0.0 && (mean(sampled) - mean(exact)).abs() < 5.0 * error);
}

#[test]
fn a_graph_is_tried_out_on_request() {
    let place = turns();
    let found = place.json(&[
        "eval",
        "g.gway",
        "--threshold",
        "built",
        "--form",
        "blend",
        "--ways",
        "0",
        "--room",
        "8",
        "--curves",
        "line,s",
        "--make",
        "5",
        "--json",
    ]);
    let graph = &found["graphs"][0];
    assert!(rows(&found, 0, "blend")[0]["bend"].is_null());
    let room = &graph["practical"];
    let seconds = |key: &str| room[key].as_f64().expect("a time");
    assert!(room["starts"].as_u64() > Some(50), "{room}");
    // Walls never make a way quicker.
    assert!(seconds("practical_s") >= seconds("open_s") - 1e-9, "{room}");
    let curves = graph["following"]["curves"].as_array().expect("curves");
    assert_eq!(curves.len(), 2);
    assert!(
        curves.iter().all(|c| c["arc_rms_m"].as_f64() < Some(1.0)),
        "{curves:?}"
    );
    assert_eq!(graph["made"]["ways"], 5, "{}", graph["made"]);
}

#[test]
fn graphs_make_the_same_ways_and_tell_what_is_seen_of_them() {
    let place = turns();
    let raised = ["build", "--rethreshold", "g.gway", "-o", "high.gway"];
    let output = place.run(&[&raised[..], &["--threshold", "9"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let found = place.json(&[
        "eval",
        "g.gway",
        "high.gway",
        "g.gway",
        "--threshold",
        "built",
        "--form",
        "blend",
        "--ways",
        "0",
        "--make",
        "10",
        "--json",
    ]);
    let made: Vec<_> = (0..3).map(|k| &found["graphs"][k]["made"]).collect();
    assert_eq!(made[0], made[2], "the same graph, the same ways");
    let seconds = |k: usize| made[k]["seconds"].as_f64().expect("a time");
    for m in &made {
        assert_eq!(m["ways"], 10, "{m}");
        let jump = &m["played"]["jump_cm"];
        assert!(jump["mean"].as_f64() > Some(0.0), "{m}");
        assert!(jump["mean"].as_f64() <= jump["max"].as_f64(), "{m}");
    }
    // Between the same frames nothing takes longer where more may be joined.
    assert!(seconds(1) <= seconds(0) + 1e-6, "{made:?}");
}

#[test]
fn what_cannot_be_measured_is_said_with_what_to_do() {
    let place = small_graph();
    let high = two_lines(&place.run(&["eval", "g.gway", "--threshold", "40"]));
    assert!(
        high.contains("g.gway: a threshold of 40 cm lies above the ceiling of 15 cm"),
        "{high}"
    );
    assert!(high.contains("--ceiling"), "{high}");
    let curve = two_lines(&place.run(&["eval", "g.gway", "--curves", "square"]));
    assert!(
        curve.contains("square") && curve.contains("figure8"),
        "{curve}"
    );
    for wrong in ["0", "-1", "x", "nan", "1e9", ""] {
        let output = place.run(&["eval", "g.gway", "--threshold", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    let clip = two_lines(&place.run(&["eval", "clips/walk_a.bvh"]));
    assert!(clip.contains("walk_a.bvh"), "{clip}");
    // One clip alone, and another body beside it.
    place.clip("one.bvh", 400);
    let built = place.run(&["build", "one.bvh", "-o", "one.gway", "--threshold", "6"]);
    assert_ne!(built.status.code(), Some(2), "{}", text(&built.stderr));
    let output = place.run(&["eval", "one.gway", "--form", "cut"]);
    assert!(
        text(&output.stderr).contains("a graph of one clip"),
        "{}",
        text(&output.stderr)
    );
    let other = turns();
    std::fs::copy(other.path("g.gway"), place.path("other.gway")).expect("copied");
    let apart = two_lines(&place.run(&["eval", "g.gway", "other.gway", "--make", "2"]));
    assert!(
        apart.contains("--make: expected captured frames that"),
        "{apart}"
    );
    let output = place.run(&[
        "eval",
        "g.gway",
        "other.gway",
        "--threshold",
        "6",
        "--form",
        "cut",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("other.gway: another body than in g.gway"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn real_subjects_hold_together_as_a_slow_reference_found() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let labels = data.join("labels-gaitway.csv").display().to_string();
    // Per cent of frames in the largest component of cuts over whole windows.
    for (set, cm, expected) in [
        ("83-step-lengths", "2", 26.0),
        ("69-walk-turn-pick", "3", 39.0),
        ("16-walk-run-jump", "3", 34.0),
    ] {
        let list = format!(
            "@{}",
            data.join(format!("sets/subject-{set}.txt")).display()
        );
        let built = place.run(&[
            "build",
            &list,
            "-o",
            "g.gway",
            "--threshold",
            "3",
            "--labels",
            &labels,
        ]);
        assert!(built.status.success(), "{}", text(&built.stderr));
        let found = place.json(&[
            "eval",
            "g.gway",
            "--threshold",
            cm,
            "--form",
            "cut,decay",
            "--no-ends",
            "--json",
        ]);
        let row = rows(&found, 0, "cut")[0];
        assert!(
            (100.0 * share(row) - expected).abs() <= 5.0,
            "{set}: {}",
            share(row)
        );
        let lm = &row["maneuverability"];
        assert!(
            lm["table4_minimum_s"].as_f64() <= lm["table4_mean_s"].as_f64(),
            "{lm}"
        );
        let none =
            two_lines(&place.run(&["eval", "g.gway", "--threshold", "0.01", "--form", "cut"]));
        assert!(
            none.contains("g.gway: expected frames that meet below 0.010 cm, found none"),
            "{none}"
        );
        let pasted = none
            .split("gaitway eval ")
            .nth(1)
            .expect("a line to paste")
            .trim();
        let again: Vec<&str> = std::iter::once("eval").chain(pasted.split(' ')).collect();
        let output = place.run(&again);
        assert!(
            output.status.success(),
            "{again:?}: {}",
            text(&output.stderr)
        );
        let with_ends = place.json(&[
            "eval",
            "g.gway",
            "--threshold",
            cm,
            "--form",
            "cut",
            "--json",
        ]);
        assert!(share(rows(&with_ends, 0, "cut")[0]) >= share(row), "{set}");
    }
}
