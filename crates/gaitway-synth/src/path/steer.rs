//! How well the graph can steer from where it is: what it costs from each node to come onto a straight line and stay there.
//!
//! A clip that goes straight looks as good as any until the path bends, and then it is too late: in a graph of few transitions the next one
//! that turns may be seconds away. So for every node, and every way it can lie to a line (so far beside it, turned so far from it),
//!
//!   V(n, o, φ) = min over edges e of  c(e, o, φ) + γ(e) V(n′, o′, φ′)
//!
//! is worked out ahead, c being what a search would pay along e (places squared, naturalness, and what it falls behind), γ what is
//! forgotten over its frames. The line is the path's tangent a little ahead of a state. It is a guide, no bound: paths bend, and V is
//! read between places of a grid.
//!
//! Sweeps go through nodes from the last to the first, so that one of them carries what is known through whole clips. Along an edge
//! all offsets shift alike, so that a sweep is a shift and a minimum over rows.

use std::sync::{Arc, Mutex, PoisonError};

use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use super::edge_paths::{EdgePaths, NodeAhead, apply, compose};

/// Places of the grid beside the line, and metres between two.
const OFFSETS: usize = 13;
const APART_M: f64 = 0.25;
/// Turns of the grid.
const TURNS: usize = 24;
const CELLS: usize = OFFSETS * TURNS;
/// The most metres beside the line that are told apart.
const MOST_M: f64 = APART_M * (OFFSETS / 2) as f64;
/// What a metre of way costs that leads no metre ahead, in m² frames.
const BEHIND: f64 = 20.0;
/// Seconds after which what comes is worth 1/e.
const FORGOTTEN_S: f64 = 4.0;
/// Sweeps at the most, and the change below which none is worth another.
const SWEEPS: usize = 24;
const SETTLED: f32 = 0.02;
/// Edges beyond which a table costs more than it brings: so many transitions turn soon enough.
const MOST_EDGES: usize = 150_000;

/// What an edge does, seen from the node it leaves.
#[derive(Clone, Copy)]
struct Way {
    to: u32,
    frames: f32,
    /// What it costs wherever it lies.
    cost: f32,
    /// Arc length.
    length: f32,
    /// Where the root goes, in the clip's coordinates.
    by: [f64; 2],
    /// By how much the next clip lies turned, in radians.
    turn: f64,
    keeps: f32,
}

/// V, for one choice of edges.
pub(crate) struct Steering {
    values: Vec<f32>,
    /// Per node, where the way goes on from it: see [`onward`].
    pub onward: Vec<NodeAhead>,
}

/// Tables made of late: paths of a crowd, and a path that is drawn on, ask for the same edges again.
#[derive(Default)]
pub(crate) struct SteeringCache {
    made: Mutex<Vec<(Vec<bool>, Arc<Steering>)>>,
}

impl SteeringCache {
    /// Tables kept.
    const MOST: usize = 4;

    /// The table for the edges that may be taken; nothing for graphs so dense that they need none.
    pub fn of(
        &self,
        graph: &MotionGraph,
        edges: &EdgePaths,
        may: impl Iterator<Item = bool>,
    ) -> Option<Arc<Steering>> {
        if graph.edge_count() > MOST_EDGES {
            return None;
        }
        let may: Vec<bool> = may.collect();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(k) = made.iter().position(|m| m.0 == may) {
            let found = made.remove(k);
            made.push(found);
        } else {
            let new = Arc::new(Steering::new(graph, edges, &may));
            if made.len() == Self::MOST {
                made.remove(0);
            }
            made.push((may, new));
        }
        made.last().map(|m| m.1.clone())
    }
}

impl Steering {
    /// Per node the first of its ways, and all ways.
    fn ways(graph: &MotionGraph, edges: &EdgePaths, may: &[bool]) -> (Vec<usize>, Vec<Way>) {
        let rate = graph.working_rate_hz();
        let mut first = Vec::with_capacity(graph.node_count() + 1);
        let mut ways = Vec::new();
        for node in graph.nodes() {
            first.push(ways.len());
            let here = edges.nodes[node.index()].at;
            for edge in graph.out_edges(node).filter(|&e| may[e.index()]) {
                let rows = edges.rows(edge);
                let (turn, to) = (&edges.turns[edge.index()], graph.to(edge));
                let there = apply(turn, edges.nodes[to.index()].at);
                let frames = rows.len() as f32;
                ways.push(Way {
                    to: to.0,
                    frames,
                    cost: rows.iter().map(|r| r.nat).sum(),
                    length: edges.lengths[edge.index()] as f32,
                    by: [there[0] - here[0], there[1] - here[1]],
                    turn: turn[1].atan2(turn[0]),
                    keeps: (-f64::from(frames) / (FORGOTTEN_S * rate)).exp() as f32,
                });
            }
        }
        first.push(ways.len());
        (first, ways)
    }

    /// Over the edges that may be taken.
    fn new(graph: &MotionGraph, edges: &EdgePaths, may: &[bool]) -> Self {
        let (first, ways) = Self::ways(graph, edges, may);
        let nodes = graph.node_count();
        // Who cannot go on is as badly off as one can be.
        let worst = (FORGOTTEN_S * graph.working_rate_hz() * MOST_M * MOST_M) as f32;
        let mut out = Self {
            values: vec![worst; nodes * CELLS],
            onward: graph.nodes().map(|n| onward(graph, edges, n)).collect(),
        };
        let mut best = [0.0_f32; CELLS];
        for _ in 0..SWEEPS {
            let mut changed = 0.0_f32;
            for n in (0..nodes).rev() {
                best.fill(worst);
                for way in &ways[first[n]..first[n + 1]] {
                    out.relax(way, &mut best);
                }
                let old = &mut out.values[n * CELLS..(n + 1) * CELLS];
                for (old, new) in old.iter_mut().zip(&best) {
                    changed = changed.max((*old - *new).abs());
                    *old = *new;
                }
            }
            if changed < SETTLED * worst {
                break;
            }
        }
        out
    }

    /// What it costs to take a way, then the best, where that is less than the best so far.
    fn relax(&self, way: &Way, best: &mut [f32; CELLS]) {
        let next = &self.values[way.to as usize * CELLS..(way.to as usize + 1) * CELLS];
        for (t, best) in best.chunks_exact_mut(OFFSETS).enumerate() {
            let turn = t as f64 * std::f64::consts::TAU / TURNS as f64;
            let (sin, cos) = turn.sin_cos();
            let aside = way.by[0] * cos + way.by[1] * sin;
            let ahead = way.by[1] * cos - way.by[0] * sin;
            let fixed = way.cost + (BEHIND * (f64::from(way.length) - ahead).max(0.0)) as f32;
            let (low, high, part) = turns_at(turn + way.turn);
            let (low, high) = (
                &next[low * OFFSETS..(low + 1) * OFFSETS],
                &next[high * OFFSETS..(high + 1) * OFFSETS],
            );
            let mut then = [0.0_f32; OFFSETS];
            for k in 0..OFFSETS {
                then[k] = low[k] + (high[k] - low[k]) * part;
            }
            let aside = aside as f32;
            let shift = aside / APART_M as f32;
            for (k, best) in best.iter_mut().enumerate() {
                let o = (k as f32 - (OFFSETS / 2) as f32) * APART_M as f32;
                let at = (k as f32 + shift).clamp(0.0, (OFFSETS - 1) as f32);
                let p = (o + aside).clamp(-MOST_M as f32, MOST_M as f32);
                let cell = (at as usize).min(OFFSETS - 2);
                let part = at - cell as f32;
                let value = then[cell] + (then[cell + 1] - then[cell]) * part;
                let off = (o * o + o * p + p * p) / 3.0;
                let cost = fixed + way.frames * off + way.keeps * value;
                *best = best.min(cost);
            }
        }
    }

    /// What is to come from a node that lies so far beside a line and is turned so from it.
    #[inline]
    pub fn value(&self, node: NodeId, offset_m: f64, turn: f64) -> f64 {
        let (low, high, part) = turns_at(turn);
        let at = (offset_m / APART_M + (OFFSETS / 2) as f64).clamp(0.0, (OFFSETS - 1) as f64);
        let cell = (at as usize).min(OFFSETS - 2);
        let along = (at - cell as f64) as f32;
        let table = &self.values[node.index() * CELLS..(node.index() + 1) * CELLS];
        let read = |t: usize| {
            let (a, b) = (table[t * OFFSETS + cell], table[t * OFFSETS + cell + 1]);
            a + (b - a) * along
        };
        let (a, b) = (read(low), read(high));
        f64::from(a + (b - a) * part)
    }
}

/// Where the way goes on from a node: half a second at the least, three at the most, and between them as long as it takes to go so far. A
/// clip that ends before is left by the nearest of its last transitions; taken to stand there, a short one would promise to be on
/// the path for as long as is looked ahead. Edges that may not be taken count as well: which of them follows is a guess.
fn onward(graph: &MotionGraph, edges: &EdgePaths, node: NodeId) -> NodeAhead {
    const AHEAD_M: f64 = 0.5;
    let rate = graph.working_rate_hz();
    let (least, most) = ((0.5 * rate).round(), (3.0 * rate).round());
    let here = edges.nodes[node.index()];
    let (mut frames, mut metres, mut last) = (0.0, 0.0, here.at);
    let (mut world, mut at) = ([1.0, 0.0, 0.0, 0.0], node);
    let far = |frames: f64, metres: f64| frames >= most || (frames >= least && metres >= AHEAD_M);
    // The clip under way, as long as there is more of it: it is no distance away.
    let cm = |e: &EdgeId| graph.transition(*e).map_or(0.0, |t| t.distance_cm());
    while !far(frames, metres) {
        let there = graph.out_edges(at);
        let there = there.filter(|&e| !edges.rows(e).is_empty());
        let Some(edge) = there.min_by(|a, b| cm(a).total_cmp(&cm(b))) else {
            break;
        };
        for row in edges.rows(edge) {
            let p = apply(&world, [row.x, row.z]);
            metres += (p[0] - last[0]).hypot(p[1] - last[1]);
            last = p;
            frames += 1.0;
            if far(frames, metres) {
                break;
            }
        }
        world = compose(&world, &edges.turns[edge.index()]);
        at = graph.to(edge);
    }
    NodeAhead {
        ahead: [last[0] - here.at[0], last[1] - here.at[1]],
        ahead_s: metres,
        ahead_frames: frames,
        ..here
    }
}

/// The turns of the grid on both sides of one, and how far it is from the first to the second.
#[inline]
fn turns_at(turn: f64) -> (usize, usize, f32) {
    let at = (turn * (TURNS as f64 / std::f64::consts::TAU)).rem_euclid(TURNS as f64);
    let low = (at as usize).min(TURNS - 1);
    (low, (low + 1) % TURNS, (at - low as f64) as f32)
}

#[cfg(test)]
mod tests {
    use gaitway_core::{ClipSet, performer::library};
    use gaitway_graph::{GraphBuilder, Thresholds};

    use super::*;
    use crate::path::PathOptions;

    /// The same costs read cell by cell, without shifts or rows: what one way from a cell costs with what is known of its end.
    fn naively(table: &Steering, way: &Way, offset: f64, turn: f64) -> f64 {
        let (sin, cos) = turn.sin_cos();
        let [x, z] = way.by;
        let (aside, ahead) = (x * cos + z * sin, z * cos - x * sin);
        let behind = BEHIND * (f64::from(way.length) - ahead).max(0.0);
        let then = (offset + aside).clamp(-MOST_M, MOST_M);
        let off = (offset * offset + offset * then + then * then) / 3.0;
        let next = table.value(NodeId(way.to), then, turn + way.turn);
        f64::from(way.cost) + behind + f64::from(way.frames) * off + f64::from(way.keeps) * next
    }

    #[test]
    fn no_cell_costs_other_than_its_best_way() {
        let takes = library(1, 30.0).expect("clips");
        let walks = takes
            .into_iter()
            .map(|t| t.clip)
            .filter(|c| c.name().contains("walk"));
        let set = ClipSet::new(walks.take(6).collect()).expect("a set");
        let builder = GraphBuilder::new(set).thresholds(Thresholds::cm(5.0));
        let (graph, _) = builder.build(&mut ()).expect("a graph");
        let options = PathOptions::default();
        let edges = EdgePaths::new(&graph, &options.naturalness, options.smooth_arc).expect("ways");
        let all = vec![true; graph.edge_count()];
        let table = Steering::new(&graph, &edges, &all);
        let (first, ways) = Steering::ways(&graph, &edges, &all);
        let worst = FORGOTTEN_S * graph.working_rate_hz() * MOST_M * MOST_M;
        let mut told_apart = 0;
        for n in 0..graph.node_count() {
            for cell in 0..CELLS {
                let offset = ((cell % OFFSETS) as f64 - (OFFSETS / 2) as f64) * APART_M;
                let turn = (cell / OFFSETS) as f64 * std::f64::consts::TAU / TURNS as f64;
                let costs = ways[first[n]..first[n + 1]]
                    .iter()
                    .map(|w| naively(&table, w, offset, turn));
                let best = costs.fold(worst, f64::min);
                let found = table.value(NodeId(n as u32), offset, turn);
                assert!(
                    (best - found).abs() <= f64::from(SETTLED) * worst * 1.01,
                    "node {n}, {offset} m, {turn}: {found} and not {best}"
                );
                told_apart += usize::from(found < 0.9 * worst);
            }
        }
        assert!(told_apart > 1000, "{told_apart}");
    }

    #[test]
    fn turns_wrap() {
        for turn in [0.0, 1e-9, -1e-9, std::f64::consts::TAU, -7.0, 100.0] {
            let (low, high, part) = turns_at(turn);
            assert!(low < TURNS && high < TURNS && (0.0..=1.0).contains(&part));
        }
    }
}
