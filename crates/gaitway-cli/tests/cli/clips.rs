//! The real binary in a fresh folder: what it prints, what it writes, how it ends.

use gaitway_core::testing::data_dir;
use serde_json::Value;

use crate::support::{Place, names_in, text};

#[test]
fn info_has_the_fixed_fields() {
    let place = Place::new();
    place.clip("walk.bvh", 90);
    let rows = place.json(&["info", "walk.bvh", "--json"]);
    let row = &rows[0];
    for field in [
        "file",
        "format",
        "joints",
        "end_sites",
        "frames",
        "frames_in_file",
        "rate_hz",
        "seconds",
        "unit",
        "unit_m",
        "up_axis",
        "warnings",
    ] {
        assert!(row.get(field).is_some(), "no `{field}` in {row}");
    }
    assert_eq!(row["frames"], 90);
    assert_eq!(row["rate_hz"], 60.0);
    assert_eq!(row["unit"], "cm");
}

#[test]
fn a_bad_file_is_a_row_and_exit_code_2() {
    let place = Place::new();
    place.clip("good.bvh", 90);
    std::fs::write(
        place.path("bad.bvh"),
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 zero 0\n",
    )
    .expect("written");
    let output = place.run(&["info", ".", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    let error = rows[0]["error"].as_str().expect("an error");
    assert!(
        error.contains("bad.bvh:4:11") && error.contains("`zero`"),
        "{error}"
    );
}

#[test]
fn a_failed_convert_leaves_nothing() {
    let place = Place::new();
    std::fs::write(place.path("bad.bvh"), "HIERARCHY\nJOINT").expect("written");
    let output = place.run(&["convert", "bad.bvh", "out.glb"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).starts_with("error: bad.bvh:2:1"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(names_in(place.folder.path()), ["bad.bvh"]);
    let output = place.run(&["convert", "missing.bvh", "out.glb"]);
    assert!(
        text(&output.stderr).contains("hint:"),
        "{}",
        text(&output.stderr)
    );
    place.clip("good.bvh", 30);
    let output = place.run(&["convert", "good.bvh", "out.fbx"]);
    assert!(
        text(&output.stderr).contains("hint: write bvh"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(names_in(place.folder.path()), ["bad.bvh", "good.bvh"]);
}

#[test]
fn convert_cuts_mirrors_and_resamples() {
    let place = Place::new();
    place.clip("walk.bvh", 120);
    let made = [
        "convert",
        "walk.bvh",
        "part.glb",
        "--cut",
        "0.5..1.5",
        "--mirror",
        "--out-fps",
        "30",
    ];
    assert!(place.run(&made).status.success());
    let rows = place.json(&["info", "part.glb", "--json"]);
    assert_eq!(
        (rows[0]["frames"].as_u64(), rows[0]["rate_hz"].as_f64()),
        (Some(30), Some(30.0))
    );
    let output = place.run(&["convert", "walk.bvh", "none.bvh", "--cut", "7..9"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the clip lasts 2.00 s"));
    let output = place.run(&["convert", "walk.bvh", "none.bvh", "--cut", "3..1"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn folders_and_lists_convert_in_one_go() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("in/deep")).expect("folders");
    place.clip("in/a.bvh", 60);
    place.clip("in/deep/b.bvh", 60);
    assert!(
        place
            .run(&["convert", "in", "out", "--to", "npz"])
            .status
            .success()
    );
    assert!(place.path("out/a.npz").is_file() && place.path("out/deep/b.npz").is_file());
    std::fs::write(
        place.path("in/list.txt"),
        "# walks\na.bvh fps=30\ndeep/b.bvh\n",
    )
    .expect("written");
    let rows = place.json(&["info", "@in/list.txt", "--json"]);
    assert_eq!(
        (rows[0]["rate_hz"].as_f64(), rows[1]["rate_hz"].as_f64()),
        (Some(30.0), Some(60.0))
    );
    std::fs::write(place.path("in/list.txt"), "a.bvh fps=fast\n").expect("written");
    let output = place.run(&["info", "@in/list.txt"]);
    assert!(
        text(&output.stderr).contains("in/list.txt:1"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn quality_bars_decide_the_exit_code() {
    let place = Place::new();
    place.clip("swing.bvh", 120);
    let rows = place.json(&["quality", "swing.bvh", "--json"]);
    for field in [
        "file",
        "frames",
        "skate_cm_s",
        "worst_plant_cm",
        "accel_m_s2",
        "stretch",
        "penetration_cm",
    ] {
        assert!(rows[0].get(field).is_some(), "no `{field}`");
    }
    let output = place.run(&["quality", "swing.bvh", "--max-accel", "0.001"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("failed: swing.bvh"),
        "{}",
        text(&output.stderr)
    );
    assert!(
        place
            .run(&["quality", "swing.bvh", "--max-accel", "1e9"])
            .status
            .success()
    );
}

#[test]
fn pictures_are_what_their_names_say() {
    let place = Place::new();
    place.clip("walk.bvh", 120);
    let starts = |name: &str| std::fs::read(place.path(name)).expect("a picture")[..4].to_vec();
    for view in ["side", "front", "top", "three-quarter"] {
        for style in ["stick", "solid", "points"] {
            let made = [
                "render", "walk.bvh", "-o", "a.png", "--view", view, "--style", style,
            ];
            assert!(place.run(&made).status.success(), "{view} {style}");
        }
    }
    assert_eq!(starts("a.png"), b"\x89PNG");
    assert!(
        place
            .run(&["render", "walk.bvh", "-o", "a.svg"])
            .status
            .success()
    );
    assert_eq!(starts("a.svg"), b"<svg");
    assert!(
        place
            .run(&["render", "walk.bvh", "-o", "a.gif", "--cut", "0..0.5"])
            .status
            .success()
    );
    assert_eq!(starts("a.gif"), b"GIF8");
    let output = place.run(&["render", "walk.bvh", "-o", "a.bmp"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn distance_of_a_clip_to_its_own_cut_is_zero() {
    let place = Place::new();
    place.clip("walk.bvh", 240);
    assert!(
        place
            .run(&["convert", "walk.bvh", "part.bvh", "--cut", "1..3"])
            .status
            .success()
    );
    let made = [
        "distance", "walk.bvh", "part.bvh", "--json", "--npy", "g.npy", "--plot", "g.png",
    ];
    let report = place.json(&made);
    assert_eq!(
        (report["rate_hz"].as_f64(), report["window_frames"].as_u64()),
        (Some(30.0), Some(15))
    );
    let best = &report["minima"][0];
    assert!(
        best["distance_cm"].as_f64().expect("a distance") < 0.3,
        "{best}"
    );
    for field in ["i", "j", "distance_cm", "theta_rad", "x0_m", "z0_m"] {
        assert!(best.get(field).is_some(), "no `{field}`");
    }
    assert_eq!(
        &std::fs::read(place.path("g.npy")).expect("a grid")[..6],
        b"\x93NUMPY"
    );
    place.clip("short.bvh", 10);
    let output = place.run(&["distance", "walk.bvh", "short.bvh"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn the_demo_needs_nothing_and_ends_with_a_page() {
    let place = Place::new();
    let output = place.run(&["demo", "--out", "demo"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(place.path("demo/index.html")).expect("a page");
    assert!(page.contains("<img") && page.contains("Gaitway"));
    let clips = names_in(&place.path("demo/glb"));
    assert!(clips.iter().filter(|c| c.ends_with(".glb")).count() > 20);
    let made = [
        "build",
        "demo/clips",
        "-o",
        "g.gway",
        "--labels",
        "demo/clips/labels.csv",
        "--json",
    ];
    assert!(
        place.json(&made)["transitions"]
            .as_u64()
            .is_some_and(|t| t > 100)
    );
    let rows = place.json(&["info", "demo/clips/walk_normal_01.bvh", "--json"]);
    let codes: Vec<&str> = rows[0]["warnings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert_eq!(codes, ["unit-guessed"]);
}

#[test]
fn help_completions_and_manual_are_there() {
    let place = Place::new();
    for verb in [
        "info",
        "convert",
        "clean",
        "quality",
        "render",
        "demo",
        "distance",
        "build",
        "inspect",
        "eval",
        "walk",
        "connect",
        "path",
        "bench",
        "completions",
        "man",
    ] {
        let output = place.run(&[verb, "--help"]);
        assert!(
            text(&output.stdout).contains("Example"),
            "{verb} has no example"
        );
    }
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(text(&place.run(&["completions", shell]).stdout).contains("gaitway"));
    }
    assert!(text(&place.run(&["man"]).stdout).starts_with(".ie"));
    assert!(place.run(&["man", "--out", "man1"]).status.success());
    assert!(place.path("man1/gaitway-info.1").is_file());
    assert!(text(&place.run(&["--version"]).stdout).starts_with("gaitway 0."));
    assert_eq!(place.run(&["frobnicate"]).status.code(), Some(2));
}

#[test]
fn every_real_clip_is_read_and_its_traps_are_told() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    let folder = |name: &str| data.join(name).display().to_string();
    let folders = ["cmu-bvh", "bandai-namco-bvh", "lafan1-bvh", "pfnn-bvh"].map(folder);
    let mut arguments = vec!["info", "--json"];
    arguments.extend(folders.iter().map(String::as_str));
    let rows = place.json(&arguments);
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), 152 + 18 + 1 + 1);
    let with = |code: &str| {
        let has = |r: &&Value| {
            r["warnings"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|w| w["code"] == code)
        };
        rows.iter().filter(has).count()
    };
    assert_eq!(with("t-pose-dropped"), 152);
    assert_eq!(with("rate-implausible"), 5 + 6 + 24);
    assert_eq!(with("travel-on-joint"), 15);
}

#[test]
fn real_bvh_survives_the_way_through_glb() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    // One clip of each kind through the binary; all of them go through in `glb_roundtrip.rs`.
    for file in [
        "cmu-bvh/16/16_15.bvh",
        "cmu-bvh/143/143_01.bvh",
        "bandai-namco-bvh/dataset-1_walk_normal_001.bvh",
    ] {
        let source = data.join(file).display().to_string();
        assert!(
            place
                .run(&["convert", &source, "a.glb", "--quiet"])
                .status
                .success(),
            "{file}"
        );
        assert!(
            place
                .run(&["convert", "a.glb", "b.bvh", "--quiet"])
                .status
                .success(),
            "{file}"
        );
        let report = place.json(&[
            "distance",
            &source,
            "b.bvh",
            "--json",
            "--fixed-place",
            "--quiet",
        ]);
        let least = report["minima"][0]["distance_cm"]
            .as_f64()
            .expect("a minimum");
        assert!(least < 0.01, "{file}: {least} cm");
    }
}
