//! What a walk has played lately.
//!
//! Each stretch of [`BIN_S`] of every clip has a *heat*: how often it was played, each time counting for e^(−age / memory). Where a walk
//! may go, the mean heat of what it would play next makes a way more costly, so it goes where it has not been for long
//! before it goes round again.

use gaitway_graph::{ClipId, MotionGraph};

/// Seconds of clip that are counted together: less than a step, more than neighbouring transitions are apart.
const BIN_S: f64 = 0.25;
/// Seconds that are looked ahead: about a stride.
const AHEAD_S: f64 = 1.5;

/// Heat of all clips.
pub(super) struct Recent {
    /// Per clip and bin: heat, and the walk's time when it was so much.
    bins: Vec<Vec<(f64, f64)>>,
    memory_s: f64,
}

impl Recent {
    pub fn new(graph: &MotionGraph, memory_s: f64) -> Self {
        let count = |c: ClipId| (graph.clip_info(c).seconds() / BIN_S).ceil().max(1.0) as usize;
        Self {
            bins: graph
                .clip_ids()
                .map(|c| vec![(0.0, 0.0); count(c)])
                .collect(),
            memory_s,
        }
    }

    fn range(&self, clip: ClipId, from_s: f64, to_s: f64) -> std::ops::Range<usize> {
        let count = self.bins[clip.index()].len();
        let first = ((from_s / BIN_S).max(0.0) as usize).min(count - 1);
        let last = ((to_s / BIN_S).ceil().max(0.0) as usize).clamp(first + 1, count);
        first..last
    }

    /// Some seconds of a clip are played, up to a time of the walk.
    pub fn play(&mut self, clip: ClipId, from_s: f64, to_s: f64, now: f64) {
        if self.memory_s <= 0.0 {
            return;
        }
        for k in self.range(clip, from_s, to_s) {
            let (start, end) = (k as f64 * BIN_S, (k + 1) as f64 * BIN_S);
            let part = (to_s.min(end) - from_s.max(start)).max(0.0) / BIN_S;
            let (heat, at) = self.bins[clip.index()][k];
            let faded = heat * (-(now - at) / self.memory_s).exp();
            self.bins[clip.index()][k] = (faded + part, now);
        }
    }

    /// The mean heat of what is played after a moment of a clip, at a time of the walk.
    pub fn ahead(&self, clip: ClipId, from_s: f64, now: f64) -> f64 {
        if self.memory_s <= 0.0 {
            return 0.0;
        }
        let bins = &self.bins[clip.index()][self.range(clip, from_s, from_s + AHEAD_S)];
        let heat = |(heat, at): &(f64, f64)| heat * (-(now - at) / self.memory_s).exp();
        bins.iter().map(heat).sum::<f64>() / bins.len() as f64
    }
}
