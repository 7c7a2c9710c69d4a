//! Which frames hold together: the largest component, and what leads nowhere.

use gaitway_graph::inspect::strong_components;
use serde::Serialize;

use super::arcs::{Arcs, NEVER};
use super::frames::FrameGraph;

/// The largest strongly connected component, in captured frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Component {
    /// Captured frames in it, each once.
    pub frames: usize,
    /// Their share of all captured frames.
    pub share: f64,
    /// Their seconds.
    pub seconds: f64,
    /// Captured clips that have a frame in it.
    pub clips: usize,
}

/// Who holds together with whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Frames of the largest component.
    pub frames: Vec<bool>,
    pub largest: Component,
    /// Captured frames from which every way ends.
    pub dead_ends: usize,
    /// Captured frames that no endless way leads to.
    pub unreached: usize,
    /// Captured frames on some loop or between two: where endless motion passes.
    pub covered: usize,
    /// Components with a loop.
    pub loops: usize,
}

impl Parts {
    pub fn of(graph: &FrameGraph) -> Self {
        let (arcs, frames) = (&graph.arcs, graph.frame_count());
        let original = graph.original();
        let (count, component) = strong_components(&arcs.starts, &arcs.ends);
        // On a loop: an arc stays within its component.
        let mut looped = vec![false; count as usize];
        for &[from, to] in &arcs.ends {
            let [a, b] = [from, to].map(|n| component[n as usize]);
            looped[a as usize] |= a == b;
        }
        // A frame may be shown by several moments of one component, but counts once.
        let mut shown: Vec<(u32, u32)> = (0..graph.shows.len())
            .filter(|&n| graph.shows[n] != NEVER && looped[component[n] as usize])
            .map(|n| (component[n], graph.shows[n]))
            .filter(|&(_, f)| original[f as usize])
            .collect();
        shown.sort_unstable();
        shown.dedup();
        let mut sizes = vec![0_usize; count as usize];
        shown.iter().for_each(|&(c, _)| sizes[c as usize] += 1);
        // Of equals the one with the earliest frame.
        let earliest = |c: u32| shown[shown.partition_point(|s| s.0 < c)].1;
        let best = (0..count)
            .filter(|&c| sizes[c as usize] > 0)
            .max_by_key(|&c| (sizes[c as usize], std::cmp::Reverse(earliest(c))));
        let inside: Vec<bool> = component.iter().map(|&c| Some(c) == best).collect();
        let of = |nodes: &[bool]| frames_of(graph, nodes);
        let on_loop: Vec<bool> = component.iter().map(|&c| looped[c as usize]).collect();
        let goes_on = of(&reach(&arcs.reversed(), &on_loop));
        let entered = of(&reach(arcs, &on_loop));
        let captured =
            |keep: &dyn Fn(usize) -> bool| (0..frames).filter(|&f| original[f] && keep(f)).count();
        let member = of(&inside);
        let held = captured(&|f| member[f]);
        let clips = graph.clips.iter().filter(|c| {
            let range = c.first as usize..(c.first + c.count) as usize;
            c.original && member[range].iter().any(|&m| m)
        });
        Self {
            largest: Component {
                frames: held,
                share: held as f64 / captured(&|_| true).max(1) as f64,
                seconds: held as f64 / graph.rate_hz,
                clips: clips.count(),
            },
            dead_ends: captured(&|f| !goes_on[f]),
            unreached: captured(&|f| !entered[f]),
            covered: captured(&|f| goes_on[f] && entered[f]),
            loops: looped.iter().filter(|&&l| l).count(),
            frames: member,
        }
    }
}

/// Frames that any of some nodes shows.
fn frames_of(graph: &FrameGraph, nodes: &[bool]) -> Vec<bool> {
    let mut out = vec![false; graph.frame_count()];
    for (n, &shown) in graph.shows.iter().enumerate() {
        if nodes[n] && shown != NEVER {
            out[shown as usize] = true;
        }
    }
    out
}

/// What can be reached from some nodes, themselves included.
fn reach(arcs: &Arcs, from: &[bool]) -> Vec<bool> {
    let mut seen = from.to_vec();
    let mut open: Vec<u32> = (0..seen.len() as u32)
        .filter(|&n| seen[n as usize])
        .collect();
    while let Some(node) = open.pop() {
        for e in arcs.leaving(node) {
            let to = arcs.ends[e][1];
            if !std::mem::replace(&mut seen[to as usize], true) {
                open.push(to);
            }
        }
    }
    seen
}
