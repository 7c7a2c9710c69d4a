//! Graphs through the real binary: built, changed, looked at, walked.

use crate::support::{Place, small_graph, text, two_lines};
use gaitway_core::testing::data_dir;
use serde_json::Value;

#[test]
fn the_account_has_the_fixed_fields_and_adds_up() {
    let place = small_graph();
    let account = place.json(&["inspect", "g.gway", "--json", "--verify"]);
    for field in [
        "clips",
        "seconds",
        "kept_seconds",
        "nodes",
        "edges",
        "transitions",
        "candidates",
        "labels",
        "lost",
        "timings_s",
    ] {
        assert!(account.get(field).is_some(), "no `{field}`");
    }
    let number = |v: &Value| v.as_f64().expect("a number");
    let lost: f64 = account["lost"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|l| number(&l["seconds"]))
        .sum();
    let missing = number(&account["seconds"]) - number(&account["kept_seconds"]);
    assert!(
        (lost - missing).abs() < 1e-6,
        "{lost} s told, {missing} s missing"
    );
    assert_eq!(account["labels"][0]["label"], "walk");
    assert!(!place.path("g.gway.journal").exists());
}

#[test]
fn the_same_build_gives_the_same_bytes_on_any_number_of_threads() {
    let place = small_graph();
    let first = std::fs::read(place.path("g.gway")).expect("a graph");
    for threads in ["1", "3"] {
        let made = [
            "build",
            "clips",
            "-o",
            "h.gway",
            "--threshold",
            "6",
            "--label-names",
            "walk*=walk",
            "--threads",
            threads,
        ];
        assert!(place.run(&made).status.success());
        assert_eq!(
            std::fs::read(place.path("h.gway")).expect("a graph"),
            first,
            "{threads} threads"
        );
    }
}

#[test]
fn clips_added_later_give_the_same_bytes_as_at_once() {
    let place = small_graph();
    let made = [
        "build",
        "clips/walk_a.bvh",
        "-o",
        "h.gway",
        "--threshold",
        "6",
        "--label-names",
        "walk*=walk",
    ];
    assert!(place.run(&made).status.success());
    let added = [
        "build",
        "clips/walk_b.bvh",
        "--into",
        "h.gway",
        "--label-names",
        "walk*=walk",
    ];
    let output = place.run(&added);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        std::fs::read(place.path("h.gway")).expect("a graph"),
        std::fs::read(place.path("g.gway")).expect("a graph")
    );
}

#[test]
fn thresholds_change_without_comparing_again() {
    let place = small_graph();
    let before = place.json(&["inspect", "g.gway", "--json"]);
    let output = place.run(&[
        "build",
        "--rethreshold",
        "g.gway",
        "-o",
        "h.gway",
        "--threshold",
        "0.5",
    ]);
    assert!(
        output.status.code().is_some_and(|c| c < 2),
        "{}",
        text(&output.stderr)
    );
    let after = place.json(&["inspect", "h.gway", "--json"]);
    assert_eq!(before["candidates"], after["candidates"]);
    assert!(after["transitions"].as_u64() < before["transitions"].as_u64());
    std::fs::write(
        place.path("t.toml"),
        "default = 6.0\n[[pair]]\nfrom = \"walk\"\nto = \"fly\"\ncm = 9.0\n",
    )
    .expect("written");
    let output = place.run(&["build", "--rethreshold", "g.gway", "--thresholds", "t.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("`fly`"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_graph_is_drawn_and_exported() {
    let place = small_graph();
    for show in ["graph", "curves", "labels", "distances"] {
        let file = format!("{show}.svg");
        let output = place.run(&["inspect", "g.gway", "--plot", &file, "--show", show]);
        assert!(output.status.success(), "{show}: {}", text(&output.stderr));
        let drawn = std::fs::read_to_string(place.path(&file)).expect("a picture");
        assert!(
            drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"),
            "{show}"
        );
    }
    assert!(
        place
            .run(&[
                "inspect",
                "g.gway",
                "--dot",
                "g.dot",
                "--graphml",
                "g.graphml"
            ])
            .status
            .success()
    );
    assert!(
        std::fs::read_to_string(place.path("g.dot"))
            .expect("DOT")
            .starts_with("digraph")
    );
    assert!(
        std::fs::read_to_string(place.path("g.graphml"))
            .expect("GraphML")
            .contains("<graphml")
    );
}

#[test]
fn walks_are_as_long_as_asked_and_the_same_for_the_same_seed() {
    let place = small_graph();
    let walk = |seed: &str, out: &str| {
        let made = [
            "walk",
            "g.gway",
            "--seconds",
            "20",
            "--label",
            "walk",
            "--seed",
            seed,
            "-o",
            out,
            "--json",
        ];
        place.json(&made)
    };
    let report = walk("4", "a.bvh");
    assert!((report["seconds"].as_f64().expect("seconds") - 20.0).abs() < 0.1);
    assert!(
        report["transitions"]
            .as_array()
            .is_some_and(|t| !t.is_empty())
    );
    walk("4", "b.bvh");
    walk("5", "c.bvh");
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a motion");
    assert_eq!(bytes("a.bvh"), bytes("b.bvh"));
    assert_ne!(bytes("a.bvh"), bytes("c.bvh"));
    let output = place.run(&["walk", "g.gway", "--label", "fly", "-o", "x.bvh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("known labels: "),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("x.bvh").exists());
}

#[test]
fn connections_and_loops_are_found() {
    let place = small_graph();
    let way = place.json(&[
        "connect", "g.gway", "--from", "walk_a@1", "--to", "walk_b@3", "-o", "way.glb", "--json",
    ]);
    assert!(way["transitions"].as_array().is_some_and(|t| !t.is_empty()));
    let round = place.json(&[
        "walk", "g.gway", "--loop", "--label", "walk", "-o", "loop.glb", "--json",
    ]);
    assert!(round["loop"]["seconds"].as_f64().is_some_and(|s| s >= 1.0));
    let output = place.run(&[
        "connect",
        "g.gway",
        "--from",
        "walk_a@99",
        "--to",
        "walk_b@3",
        "-o",
        "no.bvh",
    ]);
    assert_ne!(output.status.code(), Some(0));
}

#[test]
fn what_is_no_graph_is_refused_and_nothing_is_lost() {
    let place = small_graph();
    let output = place.run(&["inspect", "clips/walk_a.bvh"]);
    assert_eq!(output.status.code(), Some(2));
    let good = std::fs::read(place.path("g.gway")).expect("a graph");
    std::fs::write(place.path("cut.gway"), &good[..good.len() / 2]).expect("written");
    let output = place.run(&["inspect", "cut.gway"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("hint:"),
        "{}",
        text(&output.stderr)
    );
    // A build that fails leaves the graph that stood there.
    std::fs::write(place.path("clips/bad.bvh"), "HIERARCHY\nROOT").expect("written");
    assert_eq!(
        place.run(&["build", "clips", "-o", "g.gway"]).status.code(),
        Some(2)
    );
    assert_eq!(std::fs::read(place.path("g.gway")).expect("a graph"), good);
}

#[test]
fn real_subjects_build_with_their_labels() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let list = |name: &str| format!("@{}", data.join("sets").join(name).display());
    let labels = data.join("labels-gaitway.csv").display().to_string();
    let sixteen = list("subject-16-walk-run-jump.txt");
    let made = [
        "build", &sixteen, "-o", "g16.gway", "--labels", &labels, "--auto", "--report", "r.json",
    ];
    let output = place.run(&made);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value =
        serde_json::from_slice(&std::fs::read(place.path("r.json")).expect("a report"))
            .expect("JSON");
    let label = |name: &str| {
        let rows = report["labels"].as_array().expect("labels").iter();
        rows.into_iter()
            .find(|l| l["label"] == name)
            .expect("the label")
            .clone()
    };
    let share =
        |l: &Value| l["kept_seconds"].as_f64().expect("s") / l["seconds"].as_f64().expect("s");
    assert!(share(&label("walk")) > 0.9, "{}", label("walk"));
    // Runs of 1.1 to 1.4 s: with blends alone half a second at each end is out of reach, and a fifth of them is kept.
    assert!(share(&label("run")) > 0.6, "{}", label("run"));
    let all = report["kept_seconds"].as_f64().expect("s") / report["seconds"].as_f64().expect("s");
    assert!(all > 0.85, "{all}");
    assert!(report["lost"].as_array().is_some_and(|l| !l.is_empty()));
    let many = list("subject-143-many-behaviours.txt");
    let made = [
        "build",
        &many,
        "--source-fps",
        "60",
        "-o",
        "g143.gway",
        "--labels",
        &labels,
    ];
    assert!(place.run(&made).status.success());
    let walk = place.json(&[
        "walk",
        "g143.gway",
        "--seconds",
        "60",
        "-o",
        "w.bvh",
        "--json",
    ]);
    assert!((walk["seconds"].as_f64().expect("s") - 60.0).abs() < 0.1);
}

#[test]
fn clips_that_are_kept_apart_are_not_compared() {
    let place = small_graph();
    let base = [
        "build",
        "clips",
        "-o",
        "h.gway",
        "--threshold",
        "6",
        "--json",
    ];
    let together = place.json(&base);
    let apart = place.json(&[&base[..], &["--keep-apart", "walk_a,walk_b"]].concat());
    assert!(apart["candidates"].as_u64() < together["candidates"].as_u64());
    let way = [
        "connect", "h.gway", "--from", "walk_a@2", "--to", "walk_b@2", "-o", "no.bvh",
    ];
    assert_ne!(place.run(&way).status.code(), Some(0));
    assert!(!place.path("no.bvh").exists());
}

#[test]
fn a_table_of_labels_is_understood_from_any_folder() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("data/clips")).expect("folders");
    place.clip("data/clips/a.bvh", 240);
    place.clip("data/clips/b.bvh", 240);
    std::fs::write(
        place.path("data/labels.csv"),
        "file,label,start_s,end_s\nclips/a.bvh,walk,,\nclips/b.bvh,walk,,\n",
    )
    .expect("written");
    let whole = place.path("data/labels.csv").display().to_string();
    for (folder, clips, table) in [
        ("", "data/clips", "data/labels.csv"),
        ("data", "clips", "labels.csv"),
        ("data/clips", ".", "../labels.csv"),
        ("data/clips", ".", whole.as_str()),
    ] {
        let out = place.path("g.gway").display().to_string();
        let output = place.run_in(
            folder,
            &[
                "build",
                clips,
                "-o",
                &out,
                "--labels",
                table,
                "--threshold",
                "6",
                "--json",
            ],
        );
        assert!(
            output.status.success(),
            "{folder}: {}",
            text(&output.stderr)
        );
        let account: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(account["labels"][0]["label"], "walk", "{folder}");
    }
}

/// Takes of the performer, built with each kind of transition.
#[test]
fn transitions_reach_the_ends_of_clips_unless_told_not_to() {
    let place = crate::goldens::takes();
    let build = |how: &str| {
        let out = format!("{how}.gway");
        place.json(&[
            "build",
            "clips",
            "-o",
            &out,
            "--threshold",
            "6",
            "--transitions",
            how,
            "--json",
        ])
    };
    let number = |v: &Value| v.as_f64().expect("a number");
    let (blend, auto, cut) = (build("blend"), build("auto"), build("cut"));
    assert!(number(&auto["kept_seconds"]) > number(&blend["kept_seconds"]) + 0.5);
    // Fewer cuts than blends go unseen.
    assert!(number(&cut["kept_seconds"]) > 1.0);
    let reasons = |account: &Value| -> Vec<String> {
        let rows = account["lost"].as_array().expect("rows").iter();
        rows.map(|l| l["reason"].as_str().expect("a word").to_owned())
            .collect()
    };
    assert!(reasons(&blend).contains(&"border".to_owned()));
    assert!(!reasons(&auto).contains(&"border".to_owned()));
    // The default is auto, and a walk says which of its transitions are cuts.
    place.json(&[
        "build",
        "clips",
        "-o",
        "default.gway",
        "--threshold",
        "6",
        "--json",
    ]);
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a graph");
    assert!(
        bytes("auto.gway") == bytes("default.gway"),
        "auto is not the default"
    );
    for (graph, kinds) in [("blend", ["blend"]), ("cut", ["cut"])] {
        let file = format!("{graph}.gway");
        let walk = place.json(&[
            "walk",
            &file,
            "--seconds",
            "20",
            "--seed",
            "1",
            "-o",
            "w.bvh",
            "--json",
        ]);
        let rows = walk["transitions"].as_array().expect("rows");
        assert!(!rows.is_empty());
        for row in rows {
            assert!(
                kinds.contains(&row["kind"].as_str().expect("a word")),
                "{row}"
            );
        }
    }
}

#[test]
fn transitions_that_cannot_be_are_told() {
    let place = small_graph();
    let unknown = place.run(&["build", "clips", "-o", "h.gway", "--transitions", "fade"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        text(&unknown.stderr).contains("auto"),
        "{}",
        text(&unknown.stderr)
    );
    // What was compared without ends cannot be cut with them, and clips are added as a graph was built.
    let build = ["build", "clips", "-o", "b.gway", "--transitions", "blend"];
    assert!(place.run(&build).status.success());
    for arguments in [
        [
            "build",
            "--rethreshold",
            "b.gway",
            "--threshold",
            "5",
            "--transitions",
            "auto",
        ]
        .as_slice(),
        [
            "build",
            "clips",
            "--into",
            "b.gway",
            "--transitions",
            "auto",
        ]
        .as_slice(),
    ] {
        let before = std::fs::read(place.path("b.gway")).expect("a graph");
        let told = two_lines(&place.run(arguments));
        assert!(told.contains("transitions"), "{told}");
        assert_eq!(
            std::fs::read(place.path("b.gway")).expect("a graph"),
            before
        );
    }
    // Left out, a graph keeps its own.
    let again = [
        "build",
        "--rethreshold",
        "b.gway",
        "--threshold",
        "5",
        "-o",
        "c.gway",
    ];
    let output = place.run(&again);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_graph_keeps_its_rate_and_window() {
    let place = small_graph();
    place.clip("new.bvh", 240);
    for [flag, other, own] in [["--fps", "20", "30"], ["--window", "0.4", "0.5"]] {
        for way in ["--into", "--rethreshold"] {
            let with = |value| {
                let mut all = vec!["build", way, "g.gway", flag, value, "-o", "h.gway"];
                all.extend((way == "--into").then_some("new.bvh"));
                place.run(&all)
            };
            let told = two_lines(&with(other));
            assert!(told.contains(flag) && told.contains(own), "{told}");
            assert!(!place.path("h.gway").exists());
            assert!(with(own).status.success(), "{way} {flag} as it is");
            std::fs::remove_file(place.path("h.gway")).expect("a graph");
        }
    }
}

/// Errors of single options say what to type.
#[test]
fn wrong_numbers_and_labels_come_with_a_hint() {
    let place = small_graph();
    place.clip("a.bvh", 120);
    for (wrong, hint) in [
        (
            vec!["render", "a.bvh", "-o", "r.png", "--poses", "5000"],
            "--poses",
        ),
        (
            vec!["render", "a.bvh", "-o", "r.png", "--width", "5"],
            "--width",
        ),
        (
            vec!["distance", "a.bvh", "a.bvh", "--window", "9"],
            "--window",
        ),
        (
            vec!["build", "clips", "-o", "x.gway", "--threshold", "40"],
            "--ceiling",
        ),
        (
            vec!["walk", "g.gway", "--seconds", "1e-9", "-o", "w.bvh"],
            "--seconds",
        ),
        (
            vec!["walk", "g.gway", "--label", "swim", "-o", "w.bvh"],
            "--labels",
        ),
        (
            vec!["path", "g.gway", "line", "--style", "swim", "-o", "w.bvh"],
            "--labels",
        ),
    ] {
        let told = two_lines(&place.run(&wrong));
        let line = told.lines().find(|l| l.starts_with("hint: "));
        assert!(line.is_some_and(|l| l.contains(hint)), "{wrong:?}: {told}");
    }
}
