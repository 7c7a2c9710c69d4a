//! How soon random walks within a label have seen it.
//!
//! A few walks with fixed seeds are drawn as [`random_walk`](super::random_walk) draws them, and the time is taken until half and until nine tenths
//! of the seconds of clip have been played that they may play. Small numbers: the label is soon seen whole (or holds little);
//! large ones: it hangs together by few transitions.

use gaitway_graph::{LabelId, MotionGraph};
use serde::Serialize;

use super::random::{RandomWalk, Wanderer};
use crate::SynthError;

/// Walks per label.
const WALKS: u64 = 5;
/// The longest walk against what there is to see, and at most, in seconds.
const LENGTHS: f64 = 20.0;
const LONGEST_S: f64 = 3600.0;
const SHORTEST_S: f64 = 60.0;

/// How a label mixes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mixing {
    /// The label.
    pub label: String,
    /// Seconds of captured clips that a walk may play.
    pub seconds: f64,
    /// Seconds until half of them were played, mean over the walks; `null` where some walk did not get there.
    pub half_s: Option<f64>,
    /// Seconds until nine tenths were.
    pub most_s: Option<f64>,
    /// How long the walks were.
    pub walked_s: f64,
}

/// Every label in which endless walks are possible, the one that is half seen first in front.
///
/// # Errors
/// When a walk cannot be drawn though the label has a component.
pub fn mixing(graph: &MotionGraph) -> Result<Vec<Mixing>, SynthError> {
    if graph.edge_count() == 0 {
        return Ok(Vec::new());
    }
    let wanderer = Wanderer::new(graph);
    let mut out = Vec::new();
    for label in graph.labels().ids() {
        match of_label(&wanderer, graph, label) {
            Ok(found) => out.push(found),
            Err(SynthError::NoComponent { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let key = |m: &Mixing| m.half_s.unwrap_or(f64::INFINITY);
    out.sort_by(|a, b| key(a).total_cmp(&key(b)));
    Ok(out)
}

fn of_label(
    wanderer: &Wanderer<'_>,
    graph: &MotionGraph,
    label: LabelId,
) -> Result<Mixing, SynthError> {
    let options = RandomWalk {
        label: Some(label),
        ..RandomWalk::default()
    };
    let seconds = wanderer.region_seconds(&options)?;
    let walked_s = (LENGTHS * seconds).clamp(SHORTEST_S, LONGEST_S);
    let (mut half, mut most) = (Some(0.0), Some(0.0));
    for seed in 0..WALKS {
        let options = RandomWalk {
            seconds: walked_s,
            seed,
            ..options.clone()
        };
        let walk = wanderer.walk(&options)?.walk;
        let mut seen = vec![false; graph.edge_count()];
        let (mut at, mut sum) = (0.0, 0.0);
        let mut times = [None, None];
        for &edge in walk.edges() {
            at += graph.seconds(edge);
            if !std::mem::replace(&mut seen[edge.index()], true) {
                sum += graph.captured_seconds(edge);
            }
            for (time, part) in times.iter_mut().zip([0.5, 0.9]) {
                if time.is_none() && sum >= part * seconds {
                    *time = Some(at);
                }
            }
        }
        let add = |sum: Option<f64>, time: Option<f64>| Some(sum? + time? / WALKS as f64);
        (half, most) = (add(half, times[0]), add(most, times[1]));
    }
    Ok(Mixing {
        label: graph.labels().name(label).to_owned(),
        seconds,
        half_s: half,
        most_s: most,
        walked_s,
    })
}
