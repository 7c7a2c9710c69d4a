//! Walks on a graph file of version 1 are what they were, and stay so when the file is written again.
#![allow(missing_docs)]

mod common;
#[path = "common/golden.rs"]
mod golden;

use std::path::{Path, PathBuf};

use common::paths::{follow_as_users_do, walking};
use gaitway_graph::MotionGraph;
use gaitway_synth::path::named_curve;
use gaitway_synth::search::Outcome;
use gaitway_synth::{
    AssembleOptions, FinishOptions, Motion, RandomWalk, Walk, assemble, finish_motion, random_walk,
};
use serde_json::{Value, json};

fn version_1() -> MotionGraph {
    let graphs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gaitway-graph/tests/data");
    MotionGraph::load(&graphs.join("version-1.gway")).expect("it opens")
}

/// At random for twelve seconds, through both rates and mirrored copies, feet planted.
fn wander(graph: &MotionGraph) -> (Walk, Motion) {
    let asked = RandomWalk {
        seconds: 12.0,
        seed: 3,
        ..RandomWalk::default()
    };
    let walk = random_walk(graph, &asked).expect("a walk");
    let made = finish_motion(graph, &walk, &FinishOptions::default()).expect("a motion");
    assert_eq!(made.not_planted, None);
    (walk, made.motion)
}

/// Along four metres: walking, then sneaking, as the blends made it.
fn follow(graph: &MotionGraph) -> (Walk, Motion) {
    let path = named_curve("line", 0.5).expect("a curve");
    let followed = follow_as_users_do(graph, &path, &walking("walk@0..50%,sneak@50%.."));
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let options = AssembleOptions {
        world_from_start: followed.world_from_start,
        ..AssembleOptions::default()
    };
    let walk = followed.walk.expect("a walk");
    let motion = assemble(graph, &walk, &options).expect("a motion");
    (walk, motion)
}

/// BLAKE3 of the frames: root places, then rotations, as they lie in memory on any machine we know.
fn hash(motion: &Motion) -> String {
    let mut hash = blake3::Hasher::new();
    for place in motion.clip.root() {
        place.to_array().iter().for_each(|v| {
            hash.update(&v.to_le_bytes());
        });
    }
    for rotation in motion.clip.rotations() {
        rotation.to_array().iter().for_each(|v| {
            hash.update(&v.to_le_bytes());
        });
    }
    hash.finalize().to_hex().to_string()
}

fn digest(graph: &MotionGraph, (walk, motion): &(Walk, Motion)) -> Value {
    let rows = motion.transition_rows(graph);
    let rows = rows
        .iter()
        .map(|r| json!([r.t, r.from, r.to, r.distance_cm]));
    json!({
        "start": walk.start().0,
        "edges": walk.edges().iter().map(|e| e.0).collect::<Vec<u32>>(),
        "transitions": rows.collect::<Vec<_>>(),
        "motion": golden::motion(&motion.clip),
        "blake3": hash(motion),
    })
}

type Make = fn(&MotionGraph) -> (Walk, Motion);
const WALKS: [(&str, Make); 2] = [("version-1-random", wander), ("version-1-path", follow)];

fn kept(name: &str) -> PathBuf {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    goldens.join(format!("{name}.json"))
}

#[test]
fn walks_are_what_they_were() {
    let graph = version_1();
    for (name, walk) in WALKS {
        golden::hold(&kept(name), name, &digest(&graph, &walk(&graph)));
    }
}

#[test]
fn walks_stay_the_same_to_the_bit_when_the_file_is_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (old, path) = (version_1(), folder.path().join("again.gway"));
    old.save(&path).expect("written");
    let new = MotionGraph::load(&path).expect("it opens");
    for (name, walk) in WALKS {
        let (before, after) = (walk(&old), walk(&new));
        assert_eq!(before.0, after.0, "{name}: another walk");
        assert_eq!(hash(&before.1), hash(&after.1), "{name}: other frames");
    }
}
