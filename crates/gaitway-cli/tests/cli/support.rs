//! The real binary in a fresh folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gaitway_core::testing::{performed_clips, swinging_clip};
use gaitway_io::{WriteOptions, write_file};
use serde_json::Value;

/// A fresh folder to run in.
pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn clip(&self, name: &str, frames: usize) {
        let clip = swinging_clip(name, frames, 60.0);
        write_file(&self.path(name), &clip, &WriteOptions::default()).expect("written");
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_in("", arguments)
    }

    pub fn run_in(&self, folder: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gaitway"));
        command.current_dir(self.path(folder)).args(arguments);
        command.output().expect("the binary runs")
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("JSON on standard output")
    }
}

/// Bytes as words.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with a graph of some of the performer's takes, `g.gway`: straight and turning walks, picking up.
pub fn performed() -> Place {
    performed_takes(&[
        "walk_normal",
        "walk_left",
        "walk_right",
        "walk_turns",
        "pick",
    ])
}

/// A folder with a graph of those of the performer's takes whose names hold one of some words, `g.gway`.
pub fn performed_takes(wanted: &[&str]) -> Place {
    let place = Place::new();
    let clips = performed_clips(30.0, wanted);
    let set = gaitway_core::ClipSet::new(clips).expect("one skeleton");
    let (graph, _) = gaitway::graph::GraphBuilder::new(set)
        .build(&mut ())
        .expect("a graph");
    graph.save(&place.path("g.gway")).expect("written");
    place
}

/// A folder with a graph of two clips that resemble one another, `g.gway`.
pub fn small_graph() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("clips")).expect("a folder");
    place.clip("clips/walk_a.bvh", 360);
    place.clip("clips/walk_b.bvh", 300);
    let output = place.run(&[
        "build",
        "clips",
        "-o",
        "g.gway",
        "--threshold",
        "6",
        "--label-names",
        "walk*=walk",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    place
}

/// The names of what lies in a folder, sorted.
pub fn names_in(folder: &Path) -> Vec<String> {
    let list = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = list
        .map(|e| e.expect("an entry").file_name())
        .map(|n| n.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// An error as every verb tells it: one line that begins with `error: `, one that begins with `hint: `, exit code 2.
pub fn two_lines(output: &Output) -> String {
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let lines: Vec<&str> = told
        .lines()
        .filter(|l| !l.starts_with("warning: "))
        .collect();
    assert!(
        matches!(lines.as_slice(), [a, b] if a.starts_with("error: ") && b.starts_with("hint: ")),
        "{told}"
    );
    assert!(!told.contains("os error"), "{told}");
    told
}
