//! Interpolated clips in words: between which two captured ones they lie.

use gaitway_graph::{ClipId, MotionGraph, Recipe};
use gaitway_synth::{ClipTime, Motion};

use crate::wire::gwmo::InterpolatedSpan;

/// The two captured clips an interpolated one lies between.
fn between(graph: &MotionGraph, clip: ClipId) -> Option<[String; 2]> {
    match graph.clip_info(clip).recipe() {
        Some(Recipe::Interpolation { first, second, .. }) => {
            Some([first, second].map(|c| graph.clip_info(*c).name().to_owned()))
        }
        _ => None,
    }
}

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
    let rate = motion.clip.rate_hz();
    let mut out: Vec<InterpolatedSpan> = Vec::new();
    let mut first = 0;
    for run in motion.origin.chunk_by(|a, b| a.clip == b.clip) {
        let (start_s, end_s) = (first as f64 / rate, (first + run.len()) as f64 / rate);
        first += run.len();
        let Some(between) = between(graph, run[0].clip) else {
            continue;
        };
        match out.last_mut() {
            // From weight to weight between the same two.
            Some(last) if last.end_s == start_s && last.between == between => last.end_s = end_s,
            _ => out.push(InterpolatedSpan {
                start_s,
                end_s,
                between,
            }),
        }
    }
    out
}
