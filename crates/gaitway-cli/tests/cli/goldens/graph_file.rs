//! What a graph file holds, through the library: another version of the file with the same content is the same.

use std::path::Path;

use gaitway::graph::{CandidateId, ClipId, EdgeId, MotionGraph, Via};
use serde_json::{Value, json};

use super::golden::{motion, rounded, weighted_sum};

/// So many rows of an array share one sum, and one row out of so many is kept as it is.
const BLOCK: usize = 128;

/// Clips, nodes, edges, thresholds and candidates of a graph file.
pub fn digest(path: &Path) -> Value {
    let graph = MotionGraph::load(path).expect("a graph");
    graph.verify().expect("whole");
    let names = |set| graph.labels().names_of(set).join(" ");
    let thresholds = graph.thresholds();
    let name = |label| graph.labels().name(label).to_owned();
    let pairs = thresholds
        .pairs()
        .map(|(a, b, cm)| json!([name(a), name(b), rounded(cm)]));
    let nodes = graph.nodes().map(|n| graph.node(n));
    let groups = graph.candidates().groups();
    let kinds = graph.edges().map(|e| graph.edge_labels(e)).map(names);
    json!({
        "working_rate_hz": graph.working_rate_hz(),
        "half_window": graph.half_window(),
        "with_mirrored": graph.options().with_mirrored,
        "joints": graph.skeleton().names(),
        "labels": graph.labels().names(),
        "thresholds": {
            "auto": thresholds.auto,
            "default_cm": rounded(thresholds.default_cm),
            "pairs": pairs.collect::<Vec<_>>(),
        },
        "clips": graph.clip_ids().map(|c| clip(&graph, c)).collect::<Vec<_>>(),
        "nodes": whole_numbers(nodes.map(|n| vec![n.clip.0, n.boundary])),
        "edges": whole_numbers(graph.edges().map(|e| edge(&graph, e))),
        "transitions": graph.transition_count(),
        "edge_labels": counts(kinds),
        "edge_transforms": numbers(graph.edges().filter_map(|e| transform(&graph, e))),
        "candidate_groups": groups.map(|g| json!([g.a.0, g.b.0, g.end - g.start])).collect::<Vec<_>>(),
        "candidate_frames": whole_numbers(candidates(&graph).map(|c| vec![c.i, c.j])),
        "candidate_transforms": numbers(
            candidates(&graph).map(|c| on_ground(c.theta, c.x0, c.z0, c.distance_m2)),
        ),
    })
}

fn candidates(graph: &MotionGraph) -> impl Iterator<Item = gaitway::metric::Candidate> {
    let count = graph.candidates().len() as u32;
    (0..count).map(|k| graph.candidates().get(CandidateId(k)))
}

/// A clip as the graph holds it: some places, and one sum over all frames.
fn clip(graph: &MotionGraph, id: ClipId) -> Value {
    let info = graph.clip_info(id);
    let runs = info.label_runs().iter();
    let runs = runs.map(|r| json!([graph.labels().names_of(r.labels).join(" "), r.start, r.end]));
    let mut frames = motion(&graph.clip(id).expect("frames"));
    let places = frames["places"].as_array().expect("places");
    let few: Vec<Value> = places.iter().step_by(6).cloned().collect();
    let sums = frames["sums"].as_array().expect("sums").iter();
    let total: f64 = sums.filter_map(Value::as_f64).sum();
    let standing = frames["plants"].take();
    let standing = standing
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, plants)| {
            let ends = |p: &Value, k: usize| p[k].as_u64().unwrap_or(0);
            let plants = plants.as_array().expect("plants");
            let total: u64 = plants.iter().map(|p| ends(p, 1) - ends(p, 0)).sum();
            json!([name, plants.len(), total])
        });
    json!({
        "name": info.name(),
        "file": info.provenance().file,
        "frames": info.frame_count(),
        "rate_hz": info.rate_hz(),
        "working_frames": info.working_frames(),
        "label_runs": runs.collect::<Vec<_>>(),
        "standing": standing.collect::<Vec<_>>(),
        "places": few,
        // A mean: sums over hundreds of frames would ask for a tolerance of their own.
        "sums": (total / info.frame_count().max(1) as f64 * 1e5).round() / 1e5,
    })
}

/// An edge in whole numbers: where from, where to, whether it is a transition, and between which frames.
fn edge(graph: &MotionGraph, edge: EdgeId) -> Vec<u32> {
    let mut row = vec![
        graph.from(edge).0,
        graph.to(edge).0,
        graph.working_length(edge),
    ];
    if let Some(t) = graph.transition(edge) {
        let reversed = matches!(t.via, Via::Candidate { reversed: true, .. });
        row.extend([u32::from(reversed), t.frames / 2]);
        row.extend([t.from_clip.0, t.from_frame, t.to_clip.0, t.to_frame]);
    }
    row.extend(graph.edge_labels(edge).iter().map(|l| l.0));
    row
}

fn transform(graph: &MotionGraph, edge: EdgeId) -> Option<Vec<f64>> {
    let t = graph.transition(edge)?;
    let p = t.before_from_after;
    Some(on_ground(p.theta, p.x, p.z, t.distance_m2))
}

/// Sine and cosine stand for the angle, which jumps at half a turn.
fn on_ground(theta: f64, x: f64, z: f64, distance_m2: f64) -> Vec<f64> {
    vec![theta.sin(), theta.cos(), x, z, distance_m2]
}

/// Rows of whole numbers: how many, one out of a block as it is, and the hash of each block.
fn whole_numbers(rows: impl Iterator<Item = Vec<u32>>) -> Value {
    let rows: Vec<Vec<u32>> = rows.collect();
    let hash = |block: &[Vec<u32>]| {
        let mut hash = blake3::Hasher::new();
        for row in block {
            hash.update(&(row.len() as u32).to_le_bytes());
            row.iter().for_each(|v| {
                hash.update(&v.to_le_bytes());
            });
        }
        hash.finalize().to_hex()[..8].to_owned()
    };
    let blocks = rows.chunks(BLOCK).map(|b| json!([b[0], hash(b)]));
    json!({ "rows": rows.len(), "first_and_hash_of_block": blocks.collect::<Vec<_>>() })
}

/// Rows of numbers: how many, one out of a block as it is, and the sum of each block.
fn numbers(rows: impl Iterator<Item = Vec<f64>>) -> Value {
    let rows: Vec<Vec<f64>> = rows.collect();
    let first = rows
        .chunks(BLOCK)
        .map(|b| b[0].iter().map(|&v| rounded(v)).collect::<Vec<f64>>());
    let sums = rows
        .chunks(BLOCK)
        .map(|b| weighted_sum(b.iter().flatten().copied()));
    json!({
        "rows": rows.len(),
        "first_of_block": first.collect::<Vec<_>>(),
        "sums": sums.collect::<Vec<f64>>(),
    })
}

/// How often each text comes.
fn counts(texts: impl Iterator<Item = String>) -> Value {
    let mut out = std::collections::BTreeMap::<String, usize>::new();
    texts.for_each(|text| *out.entry(text).or_default() += 1);
    json!(out)
}
