//! Following paths through the real binary.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{performed, small_graph, text, two_lines};

/// Arguments of `path` on the test's graph.
fn path<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut out = vec!["path", "g.gway"];
    out.extend(more);
    out
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[test]
fn paths_are_followed_drawn_and_reported() {
    let place = performed();
    let report = place.json(&path(&[
        "s", "--style", "walk", "-o", "s.bvh", "--plot", "s.svg", "--page", "s.html", "--gif",
        "s.gif", "--report", "r.json", "--json",
    ]));
    for field in [
        "status",
        "search",
        "deterministic",
        "seconds",
        "frames",
        "search_seconds",
        "expansions",
        "cost",
        "bound",
        "path_error_m",
        "arc_error_m",
        "facing_error_rad",
        "transitions",
        "quality",
    ] {
        assert!(report.get(field).is_some(), "no `{field}`");
    }
    assert_eq!(report["status"], "Solved");
    assert!(number(&report["path_error_m"]["rms"]) < 0.08, "{report}");
    assert!(
        number(&report["quality"]["skate_cm_s"]["mean"]) < 0.2,
        "{report}"
    );
    let written = std::fs::read_to_string(place.path("r.json")).expect("a report");
    assert_eq!(
        serde_json::from_str::<Value>(&written).expect("JSON"),
        report
    );
    let svg = std::fs::read_to_string(place.path("s.svg")).expect("a plot");
    for word in ["path asked for", "way of the motion", "walk", "transition"] {
        assert!(svg.contains(word), "the plot has no `{word}`");
    }
    assert!(std::fs::read(place.path("s.gif")).is_ok_and(|b| b.starts_with(b"GIF89a")));
    let page = std::fs::read_to_string(place.path("s.html")).expect("a page");
    assert!(page.contains("distance from the path over") && page.contains("speed over time"));

    let first = std::fs::read(place.path("s.bvh")).expect("a motion");
    let same = place.run(&path(&["s", "--style", "walk", "-o", "t.bvh"]));
    assert!(same.status.success());
    assert!(std::fs::read(place.path("t.bvh")).is_ok_and(|t| t == first));
    let plot = place.run(&path(&[
        "s",
        "--style",
        "walk",
        "-o",
        "t.bvh",
        "--plot",
        "t.png",
        "--plot-view",
        "slant",
    ]));
    assert!(plot.status.success() && place.path("t.png").is_file());
}

#[test]
fn one_can_ask_for_several_motions_and_forbid_what_one_does_not_like() {
    let place = performed();
    // A bend: along a short line the best walk has no transition to forbid.
    let rows = place.json(&path(&[
        "s",
        "--scale",
        "0.7",
        "--style",
        "walk",
        "--alternatives",
        "3",
        "-o",
        "a.bvh",
        "--json",
    ]));
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 2, "{} alternatives", rows.len());
    let costs: Vec<f64> = rows.iter().map(|r| number(&r["cost"])).collect();
    assert!(costs.windows(2).all(|c| c[0] <= c[1]), "{costs:?}");
    let file = |k: usize| std::fs::read(place.path(&format!("a-0{}.bvh", k + 1)));
    assert!(file(0).expect("the best") != file(1).expect("the second"));

    let first = &rows[0]["transitions"][0];
    let (from, to) = (
        first["from"].as_str().expect("a place"),
        first["to"].as_str().expect("a place"),
    );
    let not = format!("{from},{to}");
    let other = place.json(&path(&[
        "s",
        "--scale",
        "0.7",
        "--style",
        "walk",
        "--forbid-transition",
        &not,
        "-o",
        "b.bvh",
        "--json",
    ]));
    let taken = other["transitions"].as_array().expect("a list");
    let again = |t: &Value| t["from"] == from && t["to"] == to;
    assert!(!taken.iter().any(again), "{not} was taken");

    let clip = from.split('@').next().expect("a clip");
    let without = place.json(&path(&[
        "s", "--scale", "0.7", "--style", "walk", "--forbid", clip, "-o", "c.bvh", "--json",
    ]));
    let prefix = format!("{clip}@");
    for t in without["transitions"].as_array().into_iter().flatten() {
        let names = [&t["from"], &t["to"]].map(|n| n.as_str().unwrap_or(""));
        assert!(!names.iter().any(|n| n.starts_with(&prefix)), "{t}");
    }
}

#[test]
fn a_clip_is_placed_and_an_action_is_done_at_a_point() {
    let place = performed();
    for (what, clip) in [
        ("pick-up@2,3,40", "pick"),
        ("pick_up_left_01@1,4,0", "pick_up_left_01"),
    ] {
        let row = place.json(&path(&[
            "--end", what, "-o", "e.bvh", "--plot", "e.svg", "--json",
        ]));
        assert!(number(&row["place_error_m"]) < 0.5, "{row}");
        assert!(number(&row["heading_error_rad"]) < 0.6, "{row}");
        let ends_in = row["clip"].as_str().unwrap_or("");
        assert!(ends_in.contains(clip), "ends in {ends_in}");
        assert!(place.path("e.bvh").is_file() && place.path("e.svg").is_file());
    }
    let several = place.json(&path(&[
        "--end",
        "pick-up@2,3,40",
        "--start",
        "0,0,0",
        "--alternatives",
        "2",
        "-o",
        "f.bvh",
        "--json",
    ]));
    assert!(several.as_array().is_none_or(|l| l.len() <= 2));

    let plot = path(&[
        "line",
        "--style",
        "walk,pick-up@4",
        "-o",
        "p.bvh",
        "--plot",
        "p.svg",
        "--json",
    ]);
    let report = place.json(&plot);
    assert_eq!(report["status"], "Solved", "{report}");
    let svg = std::fs::read_to_string(place.path("p.svg")).expect("a plot");
    assert!(svg.contains("pick-up"), "nothing was picked up");
}

#[test]
fn crowds_go_on_one_path_or_on_several() {
    let place = performed();
    std::fs::write(place.path("way.csv"), "x,z\n0,0\n0,3\n2,6\n").expect("written");
    std::fs::write(place.path("across.json"), "[[-3,3],[3,3]]").expect("written");
    let one = place.json(&path(&[
        "way.csv", "--style", "walk", "--count", "2", "-o", "c.glb", "--plot", "c.png", "--gif",
        "c.gif", "--json",
    ]));
    let film = std::fs::read(place.path("c.gif")).expect("one film of both");
    assert!(film.starts_with(b"GIF89a") && !place.path("c-01.gif").exists());
    let starts: Vec<f64> = (0..2).map(|k| number(&one[k]["start_s"])).collect();
    assert!(starts[0] < starts[1], "{starts:?}");
    // A file's name says when its person sets out.
    for (k, start_s) in starts.iter().enumerate() {
        let name = format!("c-{:02}-at-{start_s:.2}s.glb", k + 1);
        assert_eq!(one[k]["file"], name.as_str());
        assert!(place.path(&name).is_file(), "{name}");
    }
    let two = place.json(&path(&[
        "way.csv",
        "across.json",
        "--style",
        "walk",
        "-o",
        "d.bvh",
        "--json",
    ]));
    assert_eq!(two[0]["path"], 0);
    assert_eq!(two[1]["path"], 1);
    assert!(two[1]["wait_s"].as_f64().is_some(), "{}", two[1]);
    let file = two[1]["file"].as_str().expect("a walk");
    assert!(file.starts_with("d-02-at-") && place.path(file).is_file());
}

#[test]
fn people_who_come_towards_one_another_keep_right() {
    let place = performed();
    std::fs::write(place.path("there.json"), "[[0,0],[0,10]]").expect("written");
    std::fs::write(place.path("back.json"), "[[0,10],[0,0]]").expect("written");
    let all = place.json(&path(&[
        "there.json",
        "back.json",
        "--style",
        "walk",
        "--count",
        "6",
        "-o",
        "e.bvh",
        "--json",
        "--no-clean",
    ]));
    for k in 0..6 {
        assert_eq!(all[k]["status"], "Solved", "{}", all[k]);
        // One at a time, each would wait for some eight seconds.
        assert!(number(&all[k]["wait_s"]) < 4.0, "{}", all[k]["wait_s"]);
    }
}

#[test]
fn a_closed_path_comes_back() {
    let place = performed();
    // Twelve corners of a round, too gentle for anyone to be led off the path.
    let corner = |k: u32| {
        let angle = f64::from(k).mul_add(30.0, 180.0).to_radians();
        [4.0 + 4.0 * angle.cos(), -4.0 * angle.sin()]
    };
    let corners: Vec<[f64; 2]> = (0..12).map(corner).collect();
    let text = serde_json::to_string(&corners).expect("numbers");
    std::fs::write(place.path("u.json"), text).expect("written");
    let length = |more: &[&str]| {
        let mut all = vec!["u.json", "--style", "walk", "-o", "u.bvh", "--json"];
        all.extend(more);
        number(&place.json(&path(&all))["path_m"])
    };
    let side = 8.0 * 15_f64.to_radians().sin();
    assert!((length(&[]) - 11.0 * side).abs() < 1e-6);
    assert!((length(&["--closed"]) - 12.0 * side).abs() < 1e-6);
}

/// Each is answered with an error or with the reason why there is no walk, quickly, and nothing is written.
#[test]
fn bad_input_is_answered_and_nothing_is_written() {
    let place = performed();
    let write = |name: &str, text: &str| std::fs::write(place.path(name), text).expect("written");
    write("dot.csv", "1,1\n");
    write("nan.json", "[[0,0],[NaN,1]]");
    write("inf.csv", "0,0\n0,inf\n");
    write("far.json", "[[0,0],[0,10000]]");
    write(
        "empty.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'><rect width='3'/></svg>",
    );
    write("round.json", r#"[{"circle": [0, 0, 1]}]"#);
    write("wall.json", r#"[{"box": [-50, 3, 50, 4]}]"#);
    write("bad.json", r#"[{"circle": [0, 0, -1]}]"#);
    write("words.csv", "hello there\n");
    for (arguments, code, word) in [
        (&["dot.csv"][..], 2, "two points"),
        (&["nan.json"], 2, "nan.json"),
        (&["inf.csv"], 2, "finite"),
        (&["far.json"], 2, "10000 m"),
        (&["empty.svg"], 2, "no <path>"),
        (&["nonsense"], 2, "figure8"),
        (&["no-such-file.json"], 2, "no-such-file.json"),
        (&["words.csv"], 2, "words.csv"),
        (&["line", "--style", "moonwalk"], 2, "moonwalk"),
        (&["line", "--style", "walk@0..2,walk@5..8"], 2, "gap"),
        (&["line", "--style", "walk@20..30"], 2, "20.00 m"),
        (&["line", "--style", "walk@0..99"], 2, "ends at 99.00 m"),
        (&["line", "--searches", "0"], 2, "1 to 8"),
        // As it was called before.
        (&["line", "--starts", "0"], 2, "1 to 8"),
        (&[], 2, "--end"),
        (&["line", "--obstacles", "round.json"], 1, "obstacle"),
        (
            &["line", "--obstacles", "wall.json", "--corridor", "1"],
            1,
            "no walk",
        ),
        (&["line", "--obstacles", "bad.json"], 2, "bad.json"),
        (&["line", "--forbid", "nobody"], 2, "nobody"),
        (
            &["line", "--forbid-transition", "nobody@1,nobody@2"],
            2,
            "nobody",
        ),
        (&["line", "--start", "0,zero,0"], 2, "X,Z,HEADING"),
        (&["line", "--scale", "0"], 2, "above 0"),
        (&["line", "--count", "0"], 2, "from 1 to"),
        (&["--end", "somersault@1,1,0"], 2, "somersault"),
        (&["--end", "sit"], 2, "X,Z,HEADING"),
    ] {
        let mut all = path(arguments);
        all.extend(["-o", "no.bvh"]);
        let begin = Instant::now();
        let output = place.run(&all);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(
            said.contains(word),
            "{arguments:?} does not say `{word}`: {said}"
        );
        assert!(!place.path("no.bvh").exists(), "{arguments:?} wrote a file");
        // Far from how long a search takes, so that a busy machine does not matter.
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "{arguments:?} took its time"
        );
    }
}

#[test]
fn rough_and_crowded_drawings_are_followed_as_well_as_can_be() {
    let place = performed();
    let many: Vec<String> = (0..100_000)
        .map(|k| {
            format!(
                "{},{}",
                0.3 * (f64::from(k) * 1e-4).sin(),
                f64::from(k) * 5e-5
            )
        })
        .collect();
    std::fs::write(place.path("many.csv"), many.join("\n")).expect("written");
    let report = place.json(&path(&[
        "many.csv", "--style", "walk", "-o", "m.bvh", "--json",
    ]));
    assert_eq!(report["status"], "Solved");
    // Sharper than any turn: there, back, and there again.
    std::fs::write(place.path("sharp.csv"), "0,0\n0,3\n0,0\n0,3\n").expect("written");
    let output = place.run(&path(&[
        "sharp.csv",
        "--style",
        "walk",
        "-o",
        "sharp.bvh",
        "--json",
    ]));
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{}",
        text(&output.stderr)
    );
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let good = report["status"] == "Solved";
    assert_eq!(good, output.status.success(), "{report}");
}

#[test]
fn a_spent_budget_is_told_and_leaves_what_there_is() {
    let place = performed();
    let output = place.run(&path(&[
        "figure8",
        "--style",
        "walk",
        "--expansions",
        "400",
        "-o",
        "short.bvh",
        "--json",
    ]));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    if report["complete"] == false {
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("before the end"));
    }
}

#[test]
fn a_part_of_a_motion_is_searched_again() {
    let place = performed();
    let first = place.json(&path(&["s", "-o", "a.bvh", "--report", "a.json", "--json"]));
    assert!(number(&first["seconds"]) > 5.0);
    let again = |more: &[&str]| {
        let mut all = path(&["s", "--again", "1.5..4", "--from", "a.json", "--json"]);
        all.extend(more);
        place.run(&all)
    };
    // Not every seed has another way through so small a graph.
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let found = seeds.iter().find(|seed| {
        let out = again(&["--seed", seed, "-o", "b.bvh", "--report", "b.json"]);
        assert!(
            matches!(out.status.code(), Some(0 | 1)),
            "{}",
            text(&out.stderr)
        );
        out.status.success()
    });
    let seed = found.expect("another way");
    let new: Value = serde_json::from_slice(&std::fs::read(place.path("b.json")).expect("written"))
        .expect("a report");
    assert_ne!(new["walk"]["edges"], first["walk"]["edges"]);
    assert_eq!(new["walk"]["start"], first["walk"]["start"]);
    // The same again, to the byte.
    again(&["--seed", seed, "-o", "c.bvh"]);
    let read = |name: &str| std::fs::read(place.path(name)).expect("written");
    assert!(read("b.bvh") == read("c.bvh"));
    assert!(read("a.bvh") != read("b.bvh"));
    // What cannot be is told.
    let wrong = |more: &[&str], words: &str| {
        let out = place.run(&path(more));
        assert_eq!(out.status.code(), Some(2), "{more:?}");
        assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    };
    wrong(
        &["s", "--again", "3..1", "--from", "a.json", "-o", "x.bvh"],
        "expected FROM..TO",
    );
    wrong(&["s", "--again", "1..3", "-o", "x.bvh"], "--from");
    wrong(
        &[
            "s", "--again", "400..700", "--from", "a.json", "-o", "x.bvh",
        ],
        "the motion has",
    );
    wrong(
        &[
            "s", "--again", "1..3", "--from", "a.json", "--person", "2", "-o", "x.bvh",
        ],
        "the report has 1",
    );
    std::fs::write(place.path("old.json"), "{\"status\": \"Solved\"}").expect("written");
    wrong(
        &["s", "--again", "1..3", "--from", "old.json", "-o", "x.bvh"],
        "has no walk",
    );
    let mut other = first.clone();
    other["walk"]["edges"][0] = serde_json::json!(4_000_000_000_u32);
    std::fs::write(place.path("odd.json"), other.to_string()).expect("written");
    wrong(
        &["s", "--again", "1..3", "--from", "odd.json", "-o", "x.bvh"],
        "which the graph does not have",
    );
    other["walk"]["graph"] = "another".into();
    std::fs::write(place.path("odd.json"), other.to_string()).expect("written");
    wrong(
        &["s", "--again", "1..3", "--from", "odd.json", "-o", "x.bvh"],
        "another graph",
    );
}

#[test]
fn the_papers_search_takes_the_papers_numbers() {
    let place = performed();
    let ask = |more: &[&str]| {
        let mut all = path(&[
            "line", "--style", "walk", "--search", "bnb", "-o", "l.bvh", "--json",
        ]);
        all.extend(more);
        place.json(&all)
    };
    let plain = ask(&[]);
    assert!(
        plain["bound"].is_null(),
        "nothing is proven, nothing is claimed"
    );
    // Half as long bites, of which all is kept, are another search; the first walk that will do ends each sooner.
    let short = ask(&["--bite", "45", "--keep", "45"]);
    assert_ne!(short["walk"], plain["walk"]);
    // (Whether that is near enough to the path is another matter, and told.)
    let mut lazy = path(&[
        "line", "--style", "walk", "--search", "bnb", "-o", "l.bvh", "--json",
    ]);
    lazy.extend(["--good-enough", "1000"]);
    let lazy: Value = serde_json::from_slice(&place.run(&lazy).stdout).expect("JSON");
    assert!(number(&lazy["cost"]) >= number(&plain["cost"]) * 0.9);
    let drawn = |seed| ask(&["--draw-from", "20", "--seed", seed])["walk"].clone();
    assert_eq!(drawn("3"), drawn("3"));
    // More to spend is spent.
    let few = ask(&["--expansions", "100000"]);
    let many = ask(&["--expansions", "2000000"]);
    assert!(number(&many["expansions"]) > 3.0 * number(&few["expansions"]));
    for wrong in [
        ["--search", "beam", "--bite", "60"],
        ["--search", "bnb", "--keep", "91"],
        ["--search", "bnb", "--bite", "0"],
        ["--search", "bnb", "--good-enough", "-1"],
        ["--search", "bnb", "--draw-from", "0"],
    ] {
        let mut all = path(&["s", "-o", "s.bvh"]);
        all.extend(wrong);
        assert_eq!(place.run(&all).status.code(), Some(2), "{wrong:?}");
    }
    let mut beam = path(&["s", "-o", "s.bvh"]);
    beam.extend(["--keep", "20"]);
    let told = two_lines(&place.run(&beam));
    assert!(told.contains("--search bnb"), "{told}");
}

#[test]
fn what_was_written_is_said() {
    let place = performed();
    let output = place.run(&path(&["line", "--style", "walk", "-o", "l.bvh"]));
    let told = text(&output.stderr);
    assert!(told.contains("wrote l.bvh"), "{told}");
    assert!(!told.contains(" 1 transitions"), "{told}");
    let both = place.run(&path(&["line", "--alternatives", "2", "-o", "l.bvh"]));
    assert!(text(&both.stderr).contains("wrote l-02.bvh"));
}

#[test]
fn a_crowd_goes_into_one_file() {
    let place = performed();
    place.run(&path(&[
        "line",
        "--style",
        "walk",
        "--count",
        "2",
        "-o",
        "crowd.bvh",
        "--scene",
        "crowd.glb",
    ]));
    let glb = std::fs::read(place.path("crowd.glb")).expect("a scene");
    let long = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    let scene: Value = serde_json::from_slice(&glb[20..20 + long]).expect("JSON");
    assert_eq!(scene["skins"].as_array().map(Vec::len), Some(2));
    let people = &scene["animations"][0]["extras"]["people"];
    for (k, person) in people.as_array().expect("a list").iter().enumerate() {
        // Each under the name of their own file, which says when they set out.
        let name = person["name"].as_str().expect("a name");
        assert!(place.path(&format!("{name}.bvh")).is_file(), "{name}");
        let start = number(&person["start_s"]);
        assert!(name.ends_with(&format!("-at-{start:.2}s")), "{k}: {name}");
    }
    let wrong = two_lines(&place.run(&path(&["line", "-o", "a.bvh", "--scene", "crowd.fbx"])));
    assert!(
        wrong.contains("--scene") && wrong.contains("crowd.zip"),
        "{wrong}"
    );
    assert!(
        !place.path("a.bvh").exists(),
        "told before anything is searched"
    );
}

/// What has no label is asked for by a name of its own, which the error of an unknown label lists.
#[test]
fn what_has_no_label_can_be_asked_for() {
    let place = small_graph();
    let bare = ["build", "clips", "-o", "bare.gway", "--threshold", "6"];
    assert!(place.run(&bare).status.success());
    std::fs::write(place.path("line.json"), "[[0,0],[0,3]]").expect("written");
    let way = ["path", "bare.gway", "line.json", "--style", "unlabelled"];
    let _ = place.run(&[&way[..], &["-o", "o.bvh", "--report", "r.json"]].concat());
    let report: Value =
        serde_json::from_slice(&std::fs::read(place.path("r.json")).expect("a report"))
            .expect("JSON");
    let row = report.get(0).unwrap_or(&report);
    let rows = row["constraints"].as_array().expect("rows");
    let style = rows.iter().find(|r| r["what"] == "style").expect("a style");
    assert_eq!(style["kept"], true, "{style}");
}
