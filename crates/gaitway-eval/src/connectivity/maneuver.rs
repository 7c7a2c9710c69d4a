//! Local maneuverability: how soon one is in another behaviour (Reitsma and Pollard 2007; equations 2 and 3 and Table 4 of
//! Zhao and Safonova 2009).
//!
//!   LM_k = 1/|C| Σ_{c ∈ C} (½ D_c + MDMPC_{c,k}),     LM = 1/|K| Σ_{k ∈ K} LM_k
//!
//! A segment c is a piece of a clip between moments at which something can be left or entered, D_c its length; MDMPC_{c,k} is the
//! least time from its end to any frame of behaviour k. A behaviour is a label. The paper's Table 4 is said to be an average; one
//! frame everywhere from walking, in both of its graphs, can only be a minimum over all frames of the row. Both are told.
//!
//! A graph with more joins has other segments, and more of them where it joins most: over the same frames of two graphs the mean over segments
//! still weighs other places. So the same is also told from every frame alike.

use gaitway_graph::{LabelId, LabelTable};
use serde::Serialize;

use super::arcs::NEVER;
use super::frames::FrameGraph;

/// From any segment to one behaviour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Behaviour {
    /// Its label.
    pub label: String,
    /// LM_k in seconds, equation 2.
    pub lm_s: f64,
}

/// From one behaviour to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BehaviourPair {
    /// The label left.
    pub from: String,
    /// The label entered.
    pub to: String,
    /// The least time over all frames of the one, seconds; `None` where there is no way.
    pub minimum_s: Option<f64>,
    /// The mean over its frames that have a way.
    pub mean_s: Option<f64>,
}

/// How soon one is in another behaviour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Maneuverability {
    /// LM in seconds, equation 3.
    pub lm_s: f64,
    /// The same from every frame, not from every segment: the least time to a behaviour, over frames and behaviours, seconds.
    pub lm_from_frames_s: Option<f64>,
    /// Segments it was averaged over.
    pub segments: usize,
    /// Pairs of a segment and a behaviour without a way, left out of the average.
    pub no_way: usize,
    /// The mean over pairs of different behaviours of Table 4 read as minimum; `None` with one behaviour.
    pub table4_minimum_s: Option<f64>,
    /// The same read as mean.
    pub table4_mean_s: Option<f64>,
    /// LM_k.
    pub behaviours: Vec<Behaviour>,
    /// Table 4.
    pub pairs: Vec<BehaviourPair>,
}

/// Of the frames that count; `None` where none of them has a label of its own, or nothing can be left.
pub(super) fn maneuverability(
    graph: &FrameGraph,
    labels: &LabelTable,
    counts: &[bool],
) -> Option<Maneuverability> {
    let used = |l: &LabelId| {
        labels.is_action(*l) && (0..counts.len()).any(|f| counts[f] && graph.labels[f].contains(*l))
    };
    let kinds: Vec<LabelId> = labels.ids().filter(used).collect();
    let segments = segments(graph, counts);
    if kinds.is_empty() || segments.is_empty() {
        return None;
    }
    let back = graph.arcs.reversed();
    let mut search = graph.search(&back);
    let seconds = |frames: f64| frames / graph.rate_hz;
    let (mut behaviours, mut pairs, mut no_way) = (Vec::new(), Vec::new(), 0);
    let mut from_frames = Vec::new();
    for &to in &kinds {
        let shows = |n: &u32| {
            let frame = graph.shows[*n as usize];
            counts.get(frame as usize) == Some(&true) && graph.labels[frame as usize].contains(to)
        };
        search.from((0..graph.shows.len() as u32).filter(shows));
        let time = search.time();
        let ways = segments.iter().filter(|s| time[s.end as usize] != NEVER);
        let ways: Vec<f64> = ways
            .map(|s| 0.5 * f64::from(s.frames) + f64::from(time[s.end as usize]))
            .collect();
        no_way += segments.len() - ways.len();
        if !ways.is_empty() {
            behaviours.push(Behaviour {
                label: labels.name(to).to_owned(),
                lm_s: seconds(ways.iter().sum::<f64>() / ways.len() as f64),
            });
        }
        let from_each = |holds: &dyn Fn(u32) -> bool| -> Vec<f64> {
            (0..counts.len() as u32)
                .filter(|&f| counts[f as usize] && holds(f))
                .map(|f| time[graph.node_of(f) as usize])
                .filter(|&t| t != NEVER)
                .map(f64::from)
                .collect()
        };
        from_frames.extend(mean(from_each(&|_| true).into_iter()).map(seconds));
        for &from in &kinds {
            let times = from_each(&|f| graph.labels[f as usize].contains(from));
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
            pairs.push(BehaviourPair {
                from: labels.name(from).to_owned(),
                to: labels.name(to).to_owned(),
                minimum_s: (!times.is_empty()).then(|| seconds(least)),
                mean_s: (!times.is_empty()).then(|| seconds(mean)),
            });
        }
    }
    pairs.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
    let across = |of: fn(&BehaviourPair) -> Option<f64>| {
        let other = pairs.iter().filter(|p| p.from != p.to);
        mean(other.filter_map(of))
    };
    Some(Maneuverability {
        lm_s: mean(behaviours.iter().map(|b| b.lm_s))?,
        lm_from_frames_s: mean(from_frames.into_iter()),
        segments: segments.len(),
        no_way,
        table4_minimum_s: across(|p| p.minimum_s),
        table4_mean_s: across(|p| p.mean_s),
        behaviours,
        pairs,
    })
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    values.for_each(|v| (sum, count) = (sum + v, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// A piece of a clip between two moments at which something can be left or entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// Frames it lasts.
    frames: u32,
    /// The node at its end.
    end: u32,
}

/// The segments made of frames that count. What runs on to the end of a clip offers no choice and is none.
fn segments(graph: &FrameGraph, counts: &[bool]) -> Vec<Segment> {
    let mut branches = vec![false; graph.shows.len()];
    for e in (0..graph.arcs.ends.len()).filter(|&e| graph.is_join(e)) {
        let [from, to] = graph.arcs.ends[e];
        branches[from as usize] = true;
        // What is entered under a jump that fades is a place of the clip all the same.
        let entered = match graph.shows[to as usize] {
            NEVER => to,
            frame => graph.node_of(frame),
        };
        branches[entered as usize] = true;
    }
    let mut out = Vec::new();
    let mut frames = 0;
    for node in 0..graph.free {
        let shown = graph.shows[node as usize];
        if frames > 0 && branches[node as usize] {
            out.push(Segment { frames, end: node });
            frames = 0;
        }
        let counted = counts.get(shown as usize) == Some(&true);
        frames = if counted { frames + 1 } else { 0 };
    }
    out
}
