//! Interpolated clips in words: between which two captured ones they lie.

use gaitway_graph::MotionGraph;
use gaitway_synth::{ClipTime, Motion, between};

use crate::wire::gwmo::InterpolatedSpan;

/// A moment of a clip as CLIP@SECONDS; interpolated clips are called by what they lie between.
pub fn place_words(graph: &MotionGraph, at: ClipTime) -> String {
    let name = match between(graph, at.clip) {
        Some([a, b]) if a == b => format!("between two moments of {a}"),
        Some([a, b]) => format!("between {a} and {b}"),
        None => graph.clip_info(at.clip).name().to_owned(),
    };
    format!("{name}@{:.3}", at.seconds)
}

/// When a motion plays interpolated clips.
pub fn spans(graph: &MotionGraph, motion: &Motion) -> Vec<InterpolatedSpan> {
    let told = motion.interpolated(graph).into_iter();
    told.map(|s| InterpolatedSpan {
        start_s: s.start_s,
        end_s: s.end_s,
        between: s.between,
    })
    .collect()
}
