//! The same answers everywhere: limits, bodies, names, pipes and exit codes, by the real binary.

use std::io::Write as _;
use std::process::{Command, Stdio};

use gaitway_core::testing::{Walker, swinging_clip, walking_clip};
use gaitway_io::{WriteOptions, write_file};

use crate::support::{Place, small_graph, text, two_lines};

/// Two bodies, a named pipe and a file that is none.
fn mixed() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("mix")).expect("a folder");
    for (name, clip) in [
        ("mix/a.bvh", swinging_clip("a", 90, 60.0)),
        ("mix/b #2.bvh", swinging_clip("b", 120, 60.0)),
        ("mix/w.bvh", walking_clip(&Walker::default())),
    ] {
        write_file(&place.path(name), &clip, &WriteOptions::default()).expect("written");
    }
    place
}

fn piped(place: &Place, arguments: &[&str], bytes: &[u8]) -> std::process::Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gaitway"))
        .current_dir(place.folder.path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("a pipe");
    // A program that refuses what it is given need not read it.
    let _ = input.write_all(bytes);
    drop(input);
    child.wait_with_output().expect("it ends")
}

#[test]
fn far_and_huge_numbers_are_told_where_they_stand() {
    let place = small_graph();
    for far in ["1e16", "1e20", "3e38", "1e300", "-3e7"] {
        let points = format!("[[{far},0],[{far},5]]");
        std::fs::write(place.path("p.json"), points).expect("written");
        let output = place.run(&["path", "g.gway", "p.json", "-o", "o.bvh"]);
        assert_eq!(output.status.code(), Some(2), "{far}");
        let told = two_lines(&output);
        assert!(
            told.contains("p.json: point 0 of the path: expected a place within"),
            "{told}"
        );
        assert!(told.contains("--scale"), "{told}");
    }
    let corners: Vec<[f64; 2]> = (0..500_000).map(|k| [f64::from(k), 1.0]).collect();
    let polygon = serde_json::json!([{ "polygon": corners }]).to_string();
    std::fs::write(place.path("o.json"), polygon).expect("written");
    let output = place.run(&[
        "path",
        "g.gway",
        "line",
        "--obstacles",
        "o.json",
        "-o",
        "o.bvh",
    ]);
    assert!(text(&output.stderr).contains("o.json: obstacles: expected at most"));
    let clip = swinging_clip("far", 30, 30.0);
    write_file(&place.path("far.bvh"), &clip, &WriteOptions::default()).expect("written");
    let file = std::fs::read_to_string(place.path("far.bvh")).expect("text");
    let second = file.match_indices("OFFSET").nth(1).expect("a joint").0;
    let end = second + file[second..].find('\n').expect("a line");
    let file = format!("{}OFFSET 0 3.4e38 0{}", &file[..second], &file[end..]);
    std::fs::write(place.path("far.bvh"), file).expect("written");
    for verb in ["info", "quality"] {
        let output = place.run(&[verb, "far.bvh"]);
        assert_eq!(output.status.code(), Some(2), "{verb}");
        assert!(
            two_lines(&output).contains("far.bvh: expected bones of at most"),
            "{verb}"
        );
    }
}

#[test]
fn info_and_quality_end_alike() {
    let place = mixed();
    std::fs::write(place.path("mix/bad.bvh"), "junk").expect("written");
    for verb in ["info", "quality"] {
        let output = place.run(&[verb, "mix"]);
        assert_eq!(output.status.code(), Some(2), "{verb}");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(
            out.contains("mix/a") && !out.contains("error:"),
            "{verb}: {out}"
        );
        assert!(
            err.contains("bad.bvh:1:1: expected `HIERARCHY`"),
            "{verb}: {err}"
        );
        assert!(
            err.contains("error: 1 of 4 files could not be read"),
            "{verb}: {err}"
        );
        let output = place.run(&[verb, "mix", "--skip-bad"]);
        assert_eq!(output.status.code(), Some(0), "{verb}");
        let told = text(&output.stderr);
        assert!(
            told.contains("warning: passed over: mix/bad.bvh"),
            "{verb}: {told}"
        );
        assert_eq!(place.run(&[verb, "mix/bad.bvh"]).status.code(), Some(2));
    }
}

#[test]
fn bodies_are_told_apart_and_one_is_built() {
    let place = mixed();
    let rows = place.json(&["info", "mix", "--json"]);
    let id = |k: usize| rows[k]["skeleton"].as_str().expect("an id").to_owned();
    assert_eq!(id(0), id(1));
    assert_ne!(id(0), id(2));
    let alone = place.json(&["info", "mix/a.bvh", "--json"]);
    assert_eq!(alone[0]["skeleton"], rows[0]["skeleton"]);

    let output = place.run(&["build", "mix", "-o", "g.gway"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    for part in [
        id(0).as_str(),
        &id(2),
        "--largest-group",
        "--skeleton-of",
        "mix/w",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    for (choice, clips) in [
        (&["--skeleton-of", "a"][..], 2),
        (&["--skeleton-of", "mix/w.bvh"], 1),
        (&["--largest-group"], 1),
    ] {
        let mut all = vec!["build", "mix", "-o", "g.gway", "--report", "r.json"];
        all.extend(choice);
        let output = place.run(&all);
        let told = text(&output.stderr);
        assert!(told.contains("left out:"), "{choice:?}: {told}");
        let report = std::fs::read(place.path("r.json")).expect("a report");
        let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
        assert_eq!(report["clips"], clips, "{choice:?}");
    }
    let output = place.run(&["build", "mix", "-o", "g.gway", "--skeleton-of", "none"]);
    assert!(two_lines(&output).contains("--skeleton-of none: no clip is called that"));
}

#[test]
fn of_equal_motions_the_labelled_one_stays() {
    let place = Place::new();
    for name in ["a.bvh", "b.bvh", "c.bvh"] {
        place.clip(name, 120);
    }
    std::fs::write(place.path("l.csv"), "file,label\nb.bvh,stroll\n").expect("written");
    let output = place.run(&[
        "build",
        "a.bvh",
        "b.bvh",
        "c.bvh",
        "-o",
        "g.gway",
        "--labels",
        "l.csv",
        "--threshold",
        "10",
    ]);
    let told = text(&output.stderr);
    assert!(
        told.contains("2 clips were passed over") && told.contains("`a` is `b`"),
        "{told}"
    );
    let account = place.json(&["inspect", "g.gway", "--json"]);
    assert_eq!(account["labels"][0]["label"], "stroll");
}

#[test]
fn a_hash_in_a_name_is_a_letter() {
    let place = mixed();
    std::fs::write(
        place.path("list.txt"),
        "mix/b #2.bvh\nmix/a.bvh # the other\n# none\n",
    )
    .expect("written");
    let rows = place.json(&["info", "@list.txt", "--json"]);
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    std::fs::write(place.path("l.csv"), "file,label\nmix/b #2.bvh,stroll\n").expect("written");
    let output = place.run(&[
        "build",
        "mix/a.bvh",
        "mix/b #2.bvh",
        "-o",
        "g.gway",
        "--labels",
        "l.csv",
    ]);
    assert!(
        !text(&output.stderr).contains("labels"),
        "{}",
        text(&output.stderr)
    );
    let account = place.json(&["inspect", "g.gway", "--json"]);
    assert!(
        account["labels"].to_string().contains("stroll"),
        "{}",
        account["labels"]
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_never_opened() {
    let place = mixed();
    let made = Command::new("mkfifo").arg(place.path("mix/p.bvh")).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo");
    for verb in [&["info", "mix"][..], &["quality", "mix"]] {
        let output = place.run(verb);
        assert_eq!(output.status.code(), Some(0), "{verb:?}");
        let told = text(&output.stderr);
        assert!(
            told.contains("passed over: mix/p.bvh is a named pipe"),
            "{told}"
        );
    }
    for (file, what) in [("mix/p.bvh", "a named pipe"), ("/dev/zero", "a device")] {
        let told = two_lines(&place.run(&["info", file]));
        assert!(told.contains(what), "{told}");
        let told = two_lines(&place.run(&["build", "mix/a.bvh", "-o", "g.gway", "--labels", file]));
        assert!(told.contains(what), "{told}");
    }
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let place = mixed();
    let file = std::fs::read(place.path("mix/a.bvh")).expect("a file");
    let shown = piped(&place, &["info", "-", "--json"], &file);
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    let rows: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(
        (&rows[0]["clip"], &rows[0]["frames"]),
        (&"stdin".into(), &90.into())
    );
    let same = piped(&place, &["convert", "-", "-", "--to", "bvh"], &file);
    assert!(same.status.success(), "{}", text(&same.stderr));
    assert!(same.stdout.starts_with(b"HIERARCHY"));
    let glb = piped(&place, &["convert", "-", "-", "--to", "glb"], &file);
    let back = piped(&place, &["info", "-", "--json"], &glb.stdout);
    let rows: serde_json::Value = serde_json::from_slice(&back.stdout).expect("JSON");
    assert_eq!(
        (&rows[0]["format"], &rows[0]["frames"]),
        (&"glb".into(), &90.into())
    );
    let unknown = piped(&place, &["info", "-"], b"what is this?");
    assert!(two_lines(&unknown).contains("--format"));
    for verb in [&["info", "-"][..], &["convert", "-", "o.bvh"]] {
        let nothing = two_lines(&piped(&place, verb, b""));
        assert!(nothing.contains("-: it is empty"), "{nothing}");
    }
    let twice = piped(&place, &["info", "-", "-"], &file);
    assert!(two_lines(&twice).contains("named twice"));
    let place = small_graph();
    let way = piped(
        &place,
        &["path", "g.gway", "-", "-o", "o.bvh"],
        b"[[0,0],[0,2]]",
    );
    assert!(place.path("o.bvh").is_file(), "{}", text(&way.stderr));
}

/// Names inside files may be as long as they like; those of files may not.
#[test]
fn long_names_of_animations_make_files_all_the_same() {
    let place = Place::new();
    place.clip("a.glb", 30);
    let glb = std::fs::read(place.path("a.glb")).expect("a file");
    let json_end = 20 + u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    let mut scene: serde_json::Value =
        serde_json::from_slice(&glb[20..json_end]).expect("the JSON chunk");
    let first = scene["animations"][0].clone();
    let long = "ä/".repeat(3_000);
    let names = [format!("{long}1"), format!("{long}2"), "../up".to_owned()];
    let renamed = names.iter().map(|n| {
        let mut animation = first.clone();
        animation["name"] = n.as_str().into();
        animation
    });
    scene["animations"] = renamed.collect();
    let mut json = serde_json::to_vec(&scene).expect("JSON");
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut out = glb[..12].to_vec();
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(&json);
    out.extend(&glb[json_end..]);
    let whole = (out.len() as u32).to_le_bytes();
    out[8..12].copy_from_slice(&whole);
    std::fs::write(place.path("a.glb"), out).expect("written");
    let done = place.run(&["convert", "a.glb", "out", "--to", "bvh"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let made: Vec<String> = std::fs::read_dir(place.path("out"))
        .expect("a folder")
        .map(|e| {
            let entry = e.expect("an entry");
            entry.file_name().into_string().expect("words")
        })
        .collect();
    assert_eq!(made.len(), 3, "{made:?}");
    assert!(made.iter().all(|n| n.len() < 200 && n.ends_with(".bvh")));
    assert!(!place.path("up.bvh").exists());
    let shown = place.run(&["info", "a.glb"]);
    assert!(shown.status.success(), "{}", text(&shown.stderr));
}
