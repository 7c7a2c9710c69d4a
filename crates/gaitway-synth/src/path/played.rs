//! Which frames of which clips were played, and what it costs to play them again.

use gaitway_graph::{ClipId, EdgeId, MotionGraph};

/// How often each working frame of each clip was played.
pub(super) struct Played {
    clips: Vec<Vec<u8>>,
}

impl Played {
    pub fn new(graph: &MotionGraph) -> Self {
        let frames = |c: ClipId| vec![0; graph.clip_info(c).working_frames() as usize];
        Self {
            clips: graph.clip_ids().map(frames).collect(),
        }
    }

    /// Notes the frames of some edges, each once.
    pub fn add(&mut self, graph: &MotionGraph, edges: &[EdgeId]) {
        let mut now = Self::new(graph);
        for &edge in edges {
            for (clip, frames) in graph.played(edge) {
                let last = now.clips[clip.index()].len();
                let (from, to) = (frames.start as usize, frames.end as usize);
                now.clips[clip.index()][from.min(last)..to.min(last)].fill(1);
            }
        }
        for (all, one) in self.clips.iter_mut().zip(&now.clips) {
            for (a, b) in all.iter_mut().zip(one) {
                *a = a.saturating_add(*b);
            }
        }
    }

    /// How often some frames of a clip were played.
    fn part(&self, clip: ClipId, frames: std::ops::Range<u32>) -> &[u8] {
        let all = &self.clips[clip.index()];
        let at = |f: u32| (f as usize).min(all.len());
        &all[at(frames.start)..at(frames.end)]
    }

    /// How often the frames of an edge were played, on average, each counted three times at most.
    fn mean(&self, graph: &MotionGraph, edge: EdgeId) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (clip, played) in graph.played(edge) {
            let part = self.part(clip, played);
            sum += part.iter().map(|&n| f64::from(n.min(3))).sum::<f64>();
            count += part.len() as f64;
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// What each frame of each edge is to cost more, at so much for each time it was played.
    pub fn per_frame(&self, graph: &MotionGraph, weight: f64) -> Vec<f32> {
        let one = |e| (weight * self.mean(graph, e)) as f32;
        graph.edges().map(one).collect()
    }

    /// The part of some edges' frames that was played before, 0 to 1.
    pub fn shared(&self, graph: &MotionGraph, edges: &[EdgeId]) -> f64 {
        let (mut sum, mut count) = (0_usize, 0_usize);
        for &edge in edges {
            for (clip, played) in graph.played(edge) {
                let part = self.part(clip, played);
                sum += part.iter().filter(|&&n| n > 0).count();
                count += part.len();
            }
        }
        sum as f64 / count.max(1) as f64
    }
}
