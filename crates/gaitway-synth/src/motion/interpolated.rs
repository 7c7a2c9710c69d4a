//! Where a motion plays what was never captured.

use gaitway_graph::{ClipId, MotionGraph, Recipe};
use serde::Serialize;

use super::Motion;

/// A stretch of a motion that plays an interpolated clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterpolatedSpan {
    /// From, seconds of the motion.
    pub start_s: f64,
    /// To, exclusive.
    pub end_s: f64,
    /// The two captured clips it lies between.
    pub between: [String; 2],
}

/// The two captured clips an interpolated one lies between.
pub fn between(graph: &MotionGraph, clip: ClipId) -> Option<[String; 2]> {
    match graph.clip_info(clip).recipe() {
        Some(Recipe::Interpolation { first, second, .. }) => {
            Some([first, second].map(|c| graph.clip_info(*c).name().to_owned()))
        }
        _ => None,
    }
}

impl Motion {
    /// When it plays interpolated clips; those between the same two that follow one another are one stretch.
    pub fn interpolated(&self, graph: &MotionGraph) -> Vec<InterpolatedSpan> {
        let rate = self.clip.rate_hz();
        let mut out: Vec<InterpolatedSpan> = Vec::new();
        let mut first = 0;
        for run in self.origin.chunk_by(|a, b| a.clip == b.clip) {
            let (start_s, end_s) = (first as f64 / rate, (first + run.len()) as f64 / rate);
            first += run.len();
            let Some(between) = between(graph, run[0].clip) else {
                continue;
            };
            match out.last_mut() {
                Some(last) if last.end_s == start_s && last.between == between => {
                    last.end_s = end_s;
                }
                _ => out.push(InterpolatedSpan {
                    start_s,
                    end_s,
                    between,
                }),
            }
        }
        out
    }

    /// Where its root is on the ground meanwhile, a stretch each.
    pub fn interpolated_ways(&self, graph: &MotionGraph) -> Vec<Vec<[f64; 2]>> {
        let (root, rate) = (self.clip.root(), self.clip.rate_hz());
        let way = |s: &InterpolatedSpan| {
            let from = (s.start_s * rate).round() as usize;
            let to = ((s.end_s * rate).round() as usize + 1).min(root.len());
            let run = root.get(from..to).unwrap_or_default();
            run.iter().map(|p| [p.x, p.z]).collect()
        };
        self.interpolated(graph).iter().map(way).collect()
    }
}
