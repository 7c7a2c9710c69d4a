//! Whether a walk goes round in a small circle.

use gaitway_graph::{MotionGraph, Transition};
use serde::Serialize;

use crate::Walk;

/// Transitions of the longest circle that is looked for.
const LONGEST: usize = 6;
/// Transitions nearer to one another than this, in both clips, look the same, in seconds.
const SAME_S: f64 = 0.25;

/// The same way round, again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Repeats {
    /// How often it is gone running; 1 where nothing is repeated.
    pub times: usize,
    /// Seconds once round; 0 where nothing is repeated.
    pub seconds: f64,
}

/// The most often that a walk plays the same up to six transitions running.
pub fn repeats(graph: &MotionGraph, walk: &Walk) -> Repeats {
    let mut found: Vec<(Transition, f64)> = Vec::new();
    let mut at = 0.0;
    for &edge in walk.edges() {
        if let Some(t) = graph.transition(edge) {
            found.push((t, at));
        }
        at += graph.seconds(edge);
    }
    let alike = |a: &Transition, b: &Transition| {
        let near = |clip, x: u32, y: u32| {
            let info = graph.clip_info(clip);
            (info.seconds_at(x) - info.seconds_at(y)).abs() < SAME_S
        };
        a.from_clip == b.from_clip
            && a.to_clip == b.to_clip
            && near(a.from_clip, a.from_frame, b.from_frame)
            && near(a.to_clip, a.to_frame, b.to_frame)
    };
    let mut best = Repeats {
        times: 1,
        seconds: 0.0,
    };
    for period in 1..=LONGEST.min(found.len().saturating_sub(1)) {
        let mut run = 0;
        for k in period..found.len() {
            let same = alike(&found[k].0, &found[k - period].0);
            run = if same { run + 1 } else { 0 };
            let times = run / period + 1;
            if times > best.times {
                best = Repeats {
                    times,
                    seconds: found[k].1 - found[k - period].1,
                };
            }
        }
    }
    best
}
