//! What a dozen commands write, held to what they wrote before: through the real binary, on the performer's takes.
//!
//! A golden under `tests/goldens/` has the command, its exit code, and what each of its files holds; files are compared by
//! what is in them, not by their bytes. `GAITWAY_WRITE_GOLDENS=1` writes them all anew.

mod arrays;
mod film;
#[path = "../../../gaitway-synth/tests/common/golden.rs"]
mod golden;
mod graph_file;
mod texts;

use std::path::Path;

use gaitway_core::testing::performed_clips;
use gaitway_io::{WriteOptions, write_file};
use serde_json::{Map, Value, json};

use crate::support::{Place, text};

/// What `build` is told so that it builds as it did when the goldens were written.
const TODAY: &[&str] = &["--transitions", "blend"];

/// A folder with takes of the performer as BVH, and their labels beside them.
pub fn takes() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("clips")).expect("a folder");
    let wanted = [
        "/walk_normal_01",
        "/walk_left_middle",
        "/walk_right_middle",
        "/walk_left_tight",
        "/walk_right_tight",
        "/sneak_01",
        "/walk_sneak_walk_01",
        "/walk_sit_walk",
    ];
    let mut labels = String::from("file,label,start_s,end_s\n");
    for clip in performed_clips(30.0, &wanted) {
        let name = clip.name().rsplit('/').next().expect("a name").to_owned();
        let file = place.path("clips").join(format!("{name}.bvh"));
        write_file(&file, &clip, &WriteOptions::default()).expect("written");
        for span in clip.labels().spans() {
            let (start, end) = (span.start as f64 / 30.0, span.end as f64 / 30.0);
            let label = &span.label;
            labels += &format!("{name}.bvh,{label},{start:.4},{end:.4}\n");
        }
    }
    std::fs::write(place.path("labels.csv"), labels).expect("written");
    place
}

/// The same with the graph `g.gway` that motions are made on.
fn graph() -> Place {
    let place = takes();
    let output = place.run(&built(&["-o", "g.gway", "--threshold", "8"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    place
}

/// Arguments of `build` on the takes.
fn built<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["build", "clips", "--labels", "labels.csv"], more, TODAY].concat()
}

/// Runs a command and holds what it printed, where that is JSON, and wrote to the golden of a name.
fn hold(place: &Place, name: &str, arguments: &[&str], files: &[&str]) {
    let output = place.run(arguments);
    let told = text(&output.stderr);
    assert!(
        output.status.code().is_some_and(|c| c < 2),
        "{arguments:?}: {told}"
    );
    let mut made = Map::new();
    if arguments.contains(&"--json") {
        let printed = serde_json::from_slice(&output.stdout).expect("JSON");
        made.insert("stdout".into(), texts::plain(printed));
    }
    for file in files {
        made.insert((*file).into(), digest(&place.path(file)));
    }
    let now = json!({
        // The command as it was when its golden was written.
        "command": arguments.iter().filter(|a| !TODAY.contains(a)).collect::<Vec<_>>(),
        "exit": output.status.code(),
        "made": made,
    });
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    let command = format!("gaitway {}", arguments.join(" "));
    golden::hold(&goldens.join(format!("{name}.json")), &command, &now);
}

/// What a file holds.
fn digest(path: &Path) -> Value {
    match path.extension().and_then(|e| e.to_str()) {
        Some("gway") => graph_file::digest(path),
        Some("npz") => arrays::digest(path),
        Some("gif") => film::digest(path),
        Some("bvh") => texts::bvh(path),
        Some("json") => {
            let text = std::fs::read(path).expect("a report");
            texts::plain(serde_json::from_slice(&text).expect("JSON"))
        }
        other => panic!("no way to look into a file of {other:?}"),
    }
}

#[test]
fn graphs_are_built_as_before() {
    let place = takes();
    let labelled = built(&["-o", "a.gway", "--json"]);
    hold(&place, "build-labels", &labelled, &["a.gway"]);
    let table = "default = 5.0\n[[pair]]\nfrom = \"walk\"\nto = \"sneak\"\ncm = 9.0\n";
    std::fs::write(place.path("t.toml"), table).expect("written");
    let tables = built(&[
        "-o",
        "t.gway",
        "--thresholds",
        "t.toml",
        "--contacts",
        "same",
    ]);
    hold(&place, "build-thresholds", &tables, &["t.gway"]);
    let mirrored = built(&["-o", "m.gway", "--threshold", "5", "--with-mirrored"]);
    hold(&place, "build-mirrored", &mirrored, &["m.gway"]);
    let anew = [
        "build",
        "--rethreshold",
        "a.gway",
        "-o",
        "r.gway",
        "--threshold",
        "3",
    ];
    hold(
        &place,
        "build-rethreshold",
        &[&anew, TODAY].concat(),
        &["r.gway"],
    );
    hold(
        &place,
        "inspect",
        &["inspect", "t.gway", "--json", "--verify"],
        &[],
    );
}

#[test]
fn walks_are_made_as_before() {
    let place = graph();
    let walk = |out| {
        [
            "walk",
            "g.gway",
            "--seconds",
            "12",
            "--seed",
            "2",
            "-o",
            out,
            "--json",
        ]
    };
    hold(&place, "walk", &walk("w.bvh"), &["w.bvh"]);
    hold(&place, "walk-arrays", &walk("w.npz"), &["w.npz"]);
    let inertial = [
        "--label",
        "walk",
        "--blend",
        "inertialized",
        "--no-clean",
        "--out-fps",
        "24",
    ];
    let other = [
        &["walk", "g.gway", "--seconds", "8", "-o", "i.bvh"],
        &inertial[..],
    ]
    .concat();
    hold(&place, "walk-inertialized", &other, &["i.bvh"]);
    let round = [
        "walk", "g.gway", "--loop", "--label", "walk", "--length", "1..6", "-o", "l.bvh",
    ];
    hold(
        &place,
        "walk-loop",
        &[&round[..], &["--json"]].concat(),
        &["l.bvh"],
    );
    let ends = ["--from", "walk_normal_01@3", "--to", "sneak_01@5"];
    let way = [
        &["connect", "g.gway"],
        &ends[..],
        &["-o", "c.bvh", "--report", "c.json"],
    ]
    .concat();
    hold(&place, "connect", &way, &["c.bvh", "c.json"]);
}

#[test]
fn paths_are_followed_as_before() {
    let place = graph();
    let path = |more: &[&'static str]| [&["path", "g.gway"], more].concat();
    let eight = [
        "figure8", "--scale", "0.7", "--style", "walk", "-o", "8.bvh", "--report", "8.json",
    ];
    hold(&place, "path-figure8", &path(&eight), &["8.bvh", "8.json"]);
    let bnb = [
        "line", "--style", "walk", "--search", "bnb", "-o", "b.bvh", "--json",
    ];
    hold(&place, "path-bnb", &path(&bnb), &["b.bvh"]);
    std::fs::write(place.path("o.json"), r#"[{"circle": [0.3, 3, 0.4]}]"#).expect("written");
    let styles = [
        "line",
        "--style",
        "walk@0..50%,sneak@50%..",
        "--obstacles",
        "o.json",
    ];
    let out = ["-o", "s.bvh", "--json"];
    hold(
        &place,
        "path-styles",
        &[&path(&styles)[..], &out].concat(),
        &["s.bvh"],
    );
    let end = ["--end", "sit@2,3,40", "-o", "e.bvh", "--json"];
    hold(&place, "path-end", &path(&end), &["e.bvh"]);
    let crowd = [
        "line", "--style", "walk", "--count", "2", "-o", "c.bvh", "--json",
    ];
    hold(
        &place,
        "path-crowd",
        &path(&crowd),
        &["c-01-at-0.00s.bvh", "c-02-at-1.50s.bvh"],
    );
}

#[test]
fn a_part_is_searched_again_as_before() {
    let place = graph();
    let path = |more: &[&'static str]| [&["path", "g.gway", "s", "--style", "walk"], more].concat();
    let first = place.run(&path(&["-o", "a.bvh", "--report", "a.json"]));
    assert!(first.status.success(), "{}", text(&first.stderr));
    let again = [
        "--again", "1.5..4", "--from", "a.json", "--seed", "2", "-o", "b.bvh", "--json",
    ];
    hold(&place, "path-again", &path(&again), &["b.bvh"]);
}

#[test]
fn clips_are_cleaned_compared_and_drawn_as_before() {
    let place = takes();
    let (normal, sneak) = ("clips/walk_normal_01.bvh", "clips/walk_sneak_walk_01.bvh");
    hold(
        &place,
        "clean",
        &["clean", sneak, "-o", "c.bvh", "--json"],
        &["c.bvh"],
    );
    let near = ["distance", normal, sneak, "--ceiling", "4", "--json"];
    hold(&place, "distance", &near, &[]);
    let film = [
        "render", sneak, "-o", "r.gif", "--cut", "2..5", "--width", "240",
    ];
    hold(&place, "render", &film, &["r.gif"]);
}
