//! Graphs of the performer and of real clips, and rulers for motion.
#![allow(dead_code)] // Each test file uses its own part.

use std::path::Path;
use std::sync::OnceLock;

use gaitway_core::{Clip, ClipSet, fk, testing};
use gaitway_graph::{
    BuildOptions, ClipId, EdgeId, GraphBuilder, MotionGraph, NodeId, Thresholds, Transitions,
};
use gaitway_io::{Labels, ReadOptions, read_file};
use gaitway_synth::Walk;

/// Clips of one body as a graph with one threshold.
pub fn graph_of(clips: Vec<Clip>, cm: f64) -> MotionGraph {
    let set = ClipSet::new(clips).expect("one skeleton");
    let built = GraphBuilder::new(set)
        .thresholds(Thresholds::cm(cm))
        .build(&mut ());
    built.expect("a graph").0
}

/// The same with blends alone, for what is said of blends.
pub fn blended(clips: Vec<Clip>, cm: f64) -> MotionGraph {
    let set = ClipSet::new(clips).expect("one skeleton");
    let built = GraphBuilder::new(set)
        .thresholds(Thresholds::cm(cm))
        .options(BuildOptions {
            transitions: Transitions::Blend,
            ..BuildOptions::default()
        })
        .build(&mut ());
    built.expect("a graph").0
}

/// Walks, runs and turns of the performer at 60 Hz.
pub fn performed_clips() -> Vec<Clip> {
    let wanted = [
        "walk_normal",
        "walk_left_wide",
        "walk_right_middle",
        "run_01",
        "run_left",
        "sneak_01",
        "walk_run",
    ];
    testing::performed_clips(60.0, &wanted)
}

pub fn performer() -> &'static MotionGraph {
    static GRAPH: OnceLock<MotionGraph> = OnceLock::new();
    GRAPH.get_or_init(|| graph_of(performed_clips(), 8.0))
}

/// A graph of the clips listed in a set of the data folder; `None` without the folder.
pub fn real(set: &str, source_fps: Option<f64>, cm: f64) -> Option<MotionGraph> {
    let data = testing::data_dir()?;
    let options = ReadOptions {
        source_fps,
        ..ReadOptions::default()
    };
    let list = format!("@{}", data.join("sets").join(set).display());
    let mut clips = Vec::new();
    for input in gaitway_io::expand(&[list]).expect("a list") {
        let read = read_file(&input.path, &options).expect("a clip");
        clips.extend(read.into_iter().map(|i| i.clip));
    }
    let labels =
        Labels::from_csv_file(Path::new(&data.join("labels-gaitway.csv"))).expect("labels");
    let labelled = labels.label(clips).expect("labels fit");
    let built = GraphBuilder::new(ClipSet::new(labelled).expect("one skeleton"))
        .thresholds(Thresholds::cm(cm))
        .build(&mut ());
    Some(built.expect("a graph").0)
}

/// The longest stretch of kept pieces of a clip, as a walk.
pub fn longest_stretch(graph: &MotionGraph, clip: ClipId) -> Option<Walk> {
    let mut best: Vec<EdgeId> = Vec::new();
    let mut run: Vec<EdgeId> = Vec::new();
    for node in graph.nodes_of(clip).map(NodeId) {
        let piece = graph.out_edges(node).find(|&e| !graph.is_transition(e));
        match piece {
            Some(piece) => run.push(piece),
            None => run.clear(),
        }
        if run.len() > best.len() {
            best = run.clone();
        }
    }
    let start = graph.from(*best.first()?);
    Some(Walk::new(graph, start, best).expect("pieces meet"))
}

/// The largest step of any point, and the largest change of a step, from frame to frame: m/s and m/s per frame.
/// Entry f is about frames f−1, f (step) and f−1, f, f+1 (change). Hands and fingers are left out: captured ones are
/// noise.
pub struct Jumps {
    pub step: Vec<f64>,
    pub change: Vec<f64>,
}

pub fn jumps(clip: &Clip) -> Jumps {
    let skeleton = clip.skeleton();
    let noisy = |name: &str| ["Hand", "Finger", "Thumb"].iter().any(|w| name.contains(w));
    let joints: Vec<usize> = skeleton
        .joints()
        .filter(|&j| !noisy(skeleton.name(j)))
        .map(|j| j.index())
        .collect();
    let points = fk::world_points(clip);
    let count = clip.frame_count();
    let rate = clip.rate_hz();
    let mut out = Jumps {
        step: vec![0.0; count],
        change: vec![0.0; count],
    };
    for f in 1..count {
        for &j in &joints {
            let v = (points.at(f, j) - points.at(f - 1, j)) * rate;
            out.step[f] = out.step[f].max(v.length());
            if f + 1 < count {
                let next = (points.at(f + 1, j) - points.at(f, j)) * rate;
                out.change[f] = out.change[f].max((next - v).length());
            }
        }
    }
    out
}

pub fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = ((sorted.len().max(1) - 1) as f64 * q).round() as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

pub mod paths;
