//! How much a way bends the truth.
//!
//! A quickest way may get from one pose to another by a dozen small cuts in half a second: each of them is below the threshold, and
//! together they are one large one. So the quickest ways are looked at for the largest sum of √D over any half second.

use gaitway_core::random::SplitMix64;
use serde::Serialize;

use super::arcs::NEVER;
use super::frames::FrameGraph;

/// The stretch over which √D is summed, seconds.
pub const STRETCH_S: f64 = 0.5;

/// Ways from each of the frames they begin at: a search from one serves all of them.
const FROM_EACH: usize = 10;

/// Mean, 95th percentile and largest of some numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Largest.
    pub max: f64,
}

impl Spread {
    /// Of some numbers; zeros of none.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let Some(&max) = values.last() else {
            return Self::default();
        };
        let n = values.len();
        Self {
            mean: values.iter().sum::<f64>() / n as f64,
            p95: values[((0.95 * n as f64).ceil() as usize).clamp(1, n) - 1],
            max,
        }
    }
}

/// What the quickest ways between random frames are made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bend {
    /// Ways looked at.
    pub ways: usize,
    /// Their seconds in the mean.
    pub way_s: f64,
    /// Joins a second.
    pub joins_per_s: f64,
    /// The largest √D summed over any half second of a way, centimetres.
    pub half_second_cm: Spread,
    /// Share of the ways that sum up more than 1.5 times the threshold in some half second; `None` without one threshold.
    pub above_one_and_a_half: Option<f64>,
    /// More than twice.
    pub above_two: Option<f64>,
}

/// Of the quickest ways (of equals the one with the least √D) between frames that count, drawn by seed; `None` where fewer than two do.
pub(super) fn bend(graph: &FrameGraph, counts: &[bool], ways: usize, seed: u64) -> Option<Bend> {
    let frames: Vec<u32> = (0..counts.len() as u32)
        .filter(|&f| counts[f as usize])
        .collect();
    if frames.len() < 2 || ways == 0 {
        return None;
    }
    let mut random = SplitMix64::new(seed);
    let mut draw = |n: usize| ((random.unit() * n as f64) as usize).min(n - 1);
    let stretch = graph.stretch();
    let mut search = graph.search(&graph.arcs);
    let (mut sums, mut joins, mut taken) = (Vec::new(), 0_usize, 0_u64);
    for _ in 0..ways.div_ceil(FROM_EACH) {
        let source = frames[draw(frames.len())];
        search.from(std::iter::once(graph.node_of(source)));
        let nodes = nodes_showing(graph, search.time());
        for _ in 0..FROM_EACH {
            let target = frames[draw(frames.len())];
            let Some(node) = nodes[target as usize].filter(|_| target != source) else {
                continue;
            };
            let way = search.way(node);
            let at = jumps(graph, &way);
            taken += u64::from(search.time()[node as usize]);
            joins += at.len();
            sums.push(largest_sum(&at, stretch));
        }
    }
    let (count, seconds) = (sums.len(), taken as f64 / graph.rate_hz);
    let above = |times: f64| {
        let cm = graph.threshold_cm? * times;
        Some(sums.iter().filter(|&&s| s > cm).count() as f64 / count as f64)
    };
    let (one_and_a_half, two) = (above(1.5), above(2.0));
    (count > 0).then(|| Bend {
        ways: count,
        way_s: seconds / count as f64,
        joins_per_s: joins as f64 / seconds.max(1.0 / graph.rate_hz),
        above_one_and_a_half: one_and_a_half,
        above_two: two,
        half_second_cm: Spread::of(sums),
    })
}

/// Of the moments that show a frame the one reached first.
fn nodes_showing(graph: &FrameGraph, time: &[u32]) -> Vec<Option<u32>> {
    let mut out: Vec<Option<u32>> = vec![None; graph.frame_count()];
    for (node, &shown) in graph.shows.iter().enumerate() {
        if shown == NEVER || time[node] == NEVER {
            continue;
        }
        let best = &mut out[shown as usize];
        if best.is_none_or(|b| time[node] < time[b as usize]) {
            *best = Some(node as u32);
        }
    }
    out
}

/// When a way joins, in frames from its start, and √D in centimetres.
fn jumps(graph: &FrameGraph, way: &[u32]) -> Vec<(u32, f64)> {
    let mut now = 0;
    let mut out = Vec::new();
    for &e in way {
        let e = e as usize;
        if graph.is_join(e) {
            out.push((now, f64::from(graph.arcs.cm[e])));
        }
        now += graph.arcs.frames[e];
    }
    out
}

/// The largest sum over any `stretch` frames in a row.
pub(super) fn largest_sum(jumps: &[(u32, f64)], stretch: u32) -> f64 {
    let (mut first, mut sum, mut best) = (0, 0.0, 0.0_f64);
    for &(at, cm) in jumps {
        sum += cm;
        while at - jumps[first].0 >= stretch {
            sum -= jumps[first].1;
            first += 1;
        }
        best = best.max(sum);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_largest_sum_is_that_of_some_stretch(mut at in prop::collection::vec(0_u32..60, 0..20), stretch in 1_u32..20) {
            at.sort_unstable();
            let jumps: Vec<(u32, f64)> = at.iter().enumerate().map(|(k, &t)| (t, (k * 7 % 5) as f64)).collect();
            let within = |start: u32| -> f64 {
                jumps.iter().filter(|j| (start..start + stretch).contains(&j.0)).map(|j| j.1).sum()
            };
            let expected = (0..60).map(within).fold(0.0, f64::max);
            prop_assert!((largest_sum(&jumps, stretch) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn spreads_are_what_they_say() {
        let spread = Spread::of((1..=100).map(f64::from).collect());
        assert_eq!((spread.mean, spread.p95, spread.max), (50.5, 95.0, 100.0));
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }
}
