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

/// Whole graphs and ways in which they break, by name.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut out: Vec<(&str, Vec<u8>)> = small()
        .into_iter()
        .map(|(name, graph)| (name, graph.to_bytes().expect("bytes")))
        .collect();
    let whole = out[0].1.clone();
    let header = 8 + u64::from_le_bytes(whole[..8].try_into().expect("eight bytes")) as usize;
    let mut long = whole.clone();
    long[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    let mut flipped = whole.clone();
    let last = flipped.len() - 200;
    flipped[last] ^= 0xff;
    out.extend([
        ("empty", Vec::new()),
        ("header_only", whole[..header].to_vec()),
        ("cut", whole[..whole.len() - 40].to_vec()),
        ("header_too_long", long),
        ("flipped", flipped),
    ]);
    out
}

/// After the format has changed, `GAITWAY_WRITE_CORPUS=1 cargo test -p gaitway-graph --test fuzz_corpus` makes the files anew.
#[test]
fn the_corpus_holds_what_is_made_for_it() {
    let folder = corpus();
    let write = std::env::var_os("GAITWAY_WRITE_CORPUS").is_some();
    for (name, bytes) in files() {
        let path = folder.join(format!("{name}.gway"));
        if write {
            std::fs::write(&path, &bytes).expect("written");
        }
        let there = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // Kernels of other machines round the last digits otherwise: whether it can be read is what must be the same.
        let (old, new) = (fuzzing::gway(&there), fuzzing::gway(&bytes));
        assert_eq!(old.is_ok(), new.is_ok(), "{name} is of another format");
    }
}
