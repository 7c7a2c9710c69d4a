//! Replays the fuzzing corpus of graph files, and makes it: small graphs of our own, and ways in which they break.

mod common;

use std::path::{Path, PathBuf};

use common::{build, stroll};
use gaitway_core::testing::swinging_clip;
use gaitway_graph::{BuildOptions, MotionGraph, Thresholds, fuzzing};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/gway")
}

#[test]
fn every_corpus_file_is_survived() {
    let folder = corpus();
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut whole = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        whole += usize::from(fuzzing::gway(&bytes).is_ok());
        let _ = fuzzing::gway_mended(&bytes);
    }
    assert!(whole >= 3, "only {whole} files of the corpus are graphs");
}

/// Few frames, so that a fuzzer's changes soon meet something that matters.
fn small() -> [(&'static str, MotionGraph); 3] {
    let options = || BuildOptions {
        fps: 10.0,
        ..BuildOptions::default()
    };
    let made = |clips, cm, options| build(clips, Thresholds::cm(cm), options).0;
    let pair = || {
        vec![
            stroll("a", "walk", 2.0, 10.0, 5.0, 0.0),
            stroll("b", "run", 1.8, 10.0, 6.0, 1.0),
        ]
    };
    let mirrored = BuildOptions {
        with_mirrored: true,
        ..options()
    };
    [
        ("two_labels", made(pair(), 14.0, options())),
        ("mirrored", made(pair(), 9.0, mirrored)),
        (
            "nothing_kept",
            made(vec![swinging_clip("c", 12, 10.0)], 0.0, options()),
        ),
    ]
}

/// Makes the corpus again: `cargo test -p gaitway-graph --test fuzz_corpus -- --ignored`, after the format has changed.
#[test]
#[ignore = "writes fuzz/corpus/gway"]
fn make_the_corpus() {
    let folder = corpus();
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(format!("{name}.gway")), bytes).expect("written");
    };
    for (name, graph) in small() {
        write(name, &graph.to_bytes().expect("bytes"));
    }
    let whole = small()[0].1.to_bytes().expect("bytes");
    let header = 8 + u64::from_le_bytes(whole[..8].try_into().expect("eight bytes")) as usize;
    write("empty", &[]);
    write("header_only", &whole[..header]);
    write("cut", &whole[..whole.len() - 40]);
    let mut long = whole.clone();
    long[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    write("header_too_long", &long);
    let mut flipped = whole;
    let last = flipped.len() - 200;
    flipped[last] ^= 0xff;
    write("flipped", &flipped);
}
