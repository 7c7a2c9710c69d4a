//! What a threshold buys: connectivity against threshold, and how distances are spread.

use rayon::prelude::*;
use serde::Serialize;

use super::labels::{as_raw, least_seconds};
use crate::build::scc::SccScratch;
use crate::{GraphError, MotionGraph, Thresholds};

/// A graph under one global threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The threshold in centimetres.
    pub cm: f64,
    /// Share of the seconds of captured clips in the largest strongly connected component, over all labels.
    pub largest_share: f64,
    /// Share of the seconds of captured clips on kept pieces.
    pub kept_share: f64,
    /// Mean over pairs of nodes of the least time from one to the other, in seconds; `None` without a component.
    pub mean_transition_s: Option<f64>,
    /// Transitions kept.
    pub transitions: usize,
    /// Edges kept.
    pub edges: usize,
}

/// The graph's clips and candidates under one global threshold after another.
///
/// # Errors
/// When a threshold lies above the ceiling.
pub fn threshold_curve(
    graph: &MotionGraph,
    thresholds_cm: &[f64],
) -> Result<Vec<CurvePoint>, GraphError> {
    let own = graph.captured_ids().map(|c| graph.clip_info(c).seconds());
    let total: f64 = own.sum();
    let point = |&cm: &f64| {
        let at = graph.rethreshold_quick(&Thresholds::cm(cm), &graph.options)?;
        let (largest, _) = largest_component(&at);
        let kept: f64 = as_raw(&at).1.iter().sum();
        Ok(CurvePoint {
            cm,
            largest_share: if total > 0.0 { largest / total } else { 0.0 },
            kept_share: if total > 0.0 { kept / total } else { 0.0 },
            mean_transition_s: mean_transition_s(&at),
            transitions: at.transition_count(),
            edges: at.edge_count(),
        })
    };
    thresholds_cm.par_iter().map(point).collect()
}

/// Clip seconds and nodes of the largest strongly connected component, over all labels.
pub fn largest_component(graph: &MotionGraph) -> (f64, Vec<u32>) {
    let (raw, seconds) = as_raw(graph);
    let mut scratch = SccScratch::default();
    let count = scratch.run(
        &raw.out_starts,
        &raw.ends,
        0..raw.nodes.len() as u32,
        |_| true,
    );
    let mut sums = vec![0.0; count as usize];
    for (e, ends) in raw.ends.iter().enumerate() {
        let [from, to] = ends.map(|n| scratch.component[n as usize]);
        if from == to {
            sums[from as usize] += seconds[e];
        }
    }
    let best = (0..sums.len())
        .rev()
        .max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
    match best {
        None => (0.0, Vec::new()),
        Some(best) => {
            let nodes = (0..raw.nodes.len() as u32)
                .filter(|&n| scratch.component[n as usize] as usize == best);
            (sums[best], nodes.collect())
        }
    }
}

/// Mean least time between nodes of the largest component, in seconds: from up to 64 nodes, evenly chosen, to all.
pub fn mean_transition_s(graph: &MotionGraph) -> Option<f64> {
    const SOURCES: usize = 64;
    let (_, nodes) = largest_component(graph);
    if nodes.len() < 2 {
        return None;
    }
    let count = nodes.len().min(SOURCES);
    let sources: Vec<u32> = (0..count).map(|k| nodes[k * nodes.len() / count]).collect();
    let sum_from = |&n: &u32| {
        let times = least_seconds(graph, std::iter::once(n as usize));
        nodes.iter().map(|&m| times[m as usize]).sum::<f64>()
    };
    let sums: Vec<f64> = sources.par_iter().map(sum_from).collect();
    Some(sums.iter().sum::<f64>() / (count * (nodes.len() - 1)) as f64)
}

/// Distances in bins of equal width from 0 to the ceiling.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Width of a bin in centimetres.
    pub bin_cm: f64,
    /// Candidates per bin.
    pub candidates: Vec<usize>,
    /// Transitions of the kept graph per bin.
    pub transitions: Vec<usize>,
}

/// How the distances of candidates and transitions are spread, in `bins` bins (at least one).
pub fn distance_histogram(graph: &MotionGraph, bins: usize) -> Histogram {
    let bins = bins.max(1);
    let bin_cm = graph.options.metric.ceiling_cm / bins as f64;
    let bin = |d: f64| ((d.sqrt() * 100.0 / bin_cm) as usize).min(bins - 1);
    let mut out = Histogram {
        bin_cm,
        candidates: vec![0; bins],
        transitions: vec![0; bins],
    };
    graph
        .candidates
        .distances
        .iter()
        .for_each(|&d| out.candidates[bin(d)] += 1);
    graph
        .edges()
        .filter_map(|e| graph.transition(e))
        .for_each(|t| out.transitions[bin(t.distance_m2)] += 1);
    out
}
