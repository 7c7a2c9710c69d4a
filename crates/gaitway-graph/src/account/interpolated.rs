//! What interpolated clips are to a graph: how many, where they are used, and what they brought back.

use std::collections::BTreeMap;

use serde::Serialize;

use super::kept::kept_frames;
use crate::build::draft::Draft;
use crate::build::label_index::LabelIndex;
use crate::build::select::Material;
use crate::{ClipId, LabelSet, MotionGraph, Recipe};

/// Interpolated clips in figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterpolatedAccount {
    /// Interpolated clips of which something is kept.
    pub clips: usize,
    /// Seconds of theirs that are kept.
    pub kept_seconds: f64,
    /// Cuts to, from and between them, and those between captured clips that came with them.
    pub joins: usize,
    /// Seconds of captured clips that are kept with them and were lost without.
    pub brought_back_seconds: f64,
    /// Where they are used: between which labels, most seconds first.
    pub between: Vec<Between>,
}

/// Seconds of interpolated motion between two labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Between {
    /// Labels of both sources, in order.
    pub labels: [String; 2],
    /// Seconds kept.
    pub seconds: f64,
}

/// Of a graph that has any.
pub(super) fn interpolated(
    graph: &MotionGraph,
    material: &Material<'_>,
    kept: &[usize],
) -> Option<InterpolatedAccount> {
    if !graph.is_enriched() {
        return None;
    }
    let own = graph.captured_count();
    let seconds = |k: usize| kept[k] as f64 / material.clips[k].rate_hz;
    let mut between: BTreeMap<[String; 2], f64> = BTreeMap::new();
    for k in own..kept.len() {
        let Some(Recipe::Interpolation { first, second, .. }) = &material.clips[k].recipe else {
            continue;
        };
        let [a, b] = [first, second].map(|c| named(graph, *c));
        for a in &a {
            for b in &b {
                let pair = if a <= b { [a, b] } else { [b, a] };
                let sum = between.entry(pair.map(|l| l.to_owned())).or_default();
                *sum += seconds(k);
            }
        }
    }
    let mut between: Vec<Between> = between
        .into_iter()
        .map(|(labels, seconds)| Between { labels, seconds })
        .filter(|b| b.seconds > 0.0)
        .collect();
    between.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let joins = (0..graph.edge_count() as u32).filter(|&e| graph.is_join(crate::EdgeId(e)));
    let with: f64 = (0..own).map(seconds).sum();
    let without = graph.without_interpolations();
    let index = LabelIndex::new(&without.library.clips);
    let before: f64 = without
        .material(&index)
        .and_then(|m| {
            let draft = Draft::new(&m, &graph.thresholds, &graph.options, &graph.labels)?;
            let kept = kept_frames(&m, &draft);
            Ok(kept
                .iter()
                .zip(m.clips)
                .map(|(&f, c)| f as f64 / c.rate_hz)
                .sum())
        })
        .unwrap_or(with);
    Some(InterpolatedAccount {
        clips: (own..kept.len()).filter(|&k| kept[k] > 0).count(),
        kept_seconds: (own..kept.len()).map(seconds).sum(),
        joins: joins.count(),
        brought_back_seconds: (with - before).max(0.0),
        between,
    })
}

/// The labels of a clip.
fn named(graph: &MotionGraph, clip: ClipId) -> Vec<String> {
    let runs = graph.clip_info(clip).label_runs();
    let all = runs.iter().fold(LabelSet::EMPTY, |s, r| s.union(r.labels));
    all.iter()
        .map(|l| graph.labels.name(l).to_owned())
        .collect()
}
