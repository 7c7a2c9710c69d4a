//! When two walks are alike, and what makes different people walk differently.
//!
//! *Alike*: at more than four fifths of the working frames of the shorter both play the same clip within a tenth of a second. What an
//! onlooker takes for one motion played twice, though a transition is taken elsewhere.
//!
//! A *taste*: every seed but 0 likes some clips and some seconds of clips, and pays up to [`TASTE_M2`] a frame for the others. A search that
//! finds the best walk finds, with a taste, one that costs at most [`TASTE_M2`] a frame more than the best: what being 5 cm off the
//! path costs. Prices are all or nothing: between, they would even out over a walk.

use gaitway_graph::{EdgeId, MotionGraph};
use serde::Serialize;

use super::played::Played;

/// What a frame may cost more for being another than the best walk's, m²: 5 cm off.
pub const TASTE_M2: f64 = 0.0025;
/// Two walks that play the same at more than this part of their frames are alike.
pub const ALIKE: f64 = 0.8;
/// Frames of a clip nearer than this are the same to an onlooker, seconds.
const SAME_S: f64 = 0.1;

/// That a walk is much like another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alike {
    /// Whom it is like: of a crowd the person, counted from 1; none where it is the walk of seed 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<usize>,
    /// The part of its frames that play the same, 0 to 1.
    pub part: f64,
    /// All this in words.
    pub words: String,
}

impl Alike {
    pub(super) fn new(person: Option<usize>, part: f64) -> Self {
        let whom = match person {
            Some(number) => format!("person {number}"),
            None => "the walk of seed 0".to_owned(),
        };
        let cm = 100.0 * TASTE_M2.sqrt();
        let words = format!(
            "alike: {:.0} % of it is what {whom} does; no other walk was found that costs no more than being {cm:.0} cm off the path",
            100.0 * part
        );
        Self {
            person,
            part,
            words,
        }
    }
}

/// What is played at each working frame of a walk: clip and frame. In the middle of a blend it passes to the clip that is entered.
pub(super) fn shown(graph: &MotionGraph, edges: &[EdgeId], last_frames: u32) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    for (k, &edge) in edges.iter().enumerate() {
        let parts: Vec<_> = graph.played(edge).collect();
        let length = parts.iter().map(|(_, r)| r.len()).max().unwrap_or(0);
        let most = match k + 1 == edges.len() {
            true => length.min(last_frames as usize),
            false => length,
        };
        for f in 0..most {
            let part = match parts.len() {
                2 if 2 * f >= length => &parts[1],
                _ => &parts[0],
            };
            out.push((part.0.0, part.1.start + f as u32));
        }
    }
    out
}

/// The part of the frames of the shorter of two walks at which both play the same.
pub(super) fn same_part(a: &[(u32, u32)], b: &[(u32, u32)], rate_hz: f64) -> f64 {
    let near = (SAME_S * rate_hz).round() as u32;
    let same =
        |((ca, fa), (cb, fb)): (&(u32, u32), &(u32, u32))| ca == cb && fa.abs_diff(*fb) <= near;
    let count = a.iter().zip(b).filter(|&(x, y)| same((x, y))).count();
    count as f64 / a.len().min(b.len()).max(1) as f64
}

/// What each frame of each edge costs more by the taste of a seed; nothing for seed 0.
pub(super) fn taste(graph: &MotionGraph, seed: u64) -> Vec<f32> {
    if seed == 0 {
        return Vec::new();
    }
    let rate = graph.working_rate_hz();
    let dislikes = |what: u64| {
        let mut h = seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            h = (h ^ h >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        if h >> 63 == 0 { 0.5 } else { 0.0 }
    };
    // Seconds count from 1: 0 is the clip as a whole.
    let price = |clip: u32, second: u64| {
        let clip = u64::from(clip) << 32;
        dislikes(clip) + dislikes(clip | (second + 1))
    };
    let one = |e: EdgeId| {
        let (mut sum, mut count) = (0.0, 0.0);
        for (clip, frames) in graph.played(e) {
            for f in frames {
                sum += price(clip.0, (f64::from(f) / rate) as u64);
                count += 1.0;
            }
        }
        (TASTE_M2 * sum / f64::max(count, 1.0)) as f32
    };
    graph.edges().map(one).collect()
}

/// A taste, and as much again for whatever some walks play.
pub(super) fn aversion(graph: &MotionGraph, seed: u64, walks: &[&[EdgeId]]) -> Vec<f32> {
    let mut played = Played::new(graph);
    for edges in walks {
        played.add(graph, edges);
    }
    let mut cost = played.per_frame(graph, TASTE_M2);
    for (c, t) in cost.iter_mut().zip(taste(graph, seed)) {
        *c += t;
    }
    cost
}
