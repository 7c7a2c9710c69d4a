//! Practical local maneuverability: the graph unrolled into a room (after Reitsma and Pollard 2007).
//!
//! How soon another behaviour is reached in theory says little in a corner. So segments of the graph are put into a room at random, and from
//! the end of each the quickest way to every behaviour is searched twice: in the room, where the root must not come within half a shoulder's
//! width of a wall or a pillar, and in the open. States are a node, a place and a heading; those that fall into one cell of the unrolled
//! graph (25 cm, 15°) count as one, the quickest of them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicBool, Ordering};

use gaitway_core::Planar;
use gaitway_core::random::SplitMix64;
use gaitway_graph::{EdgeId, LabelId, LabelSet, MotionGraph, NodeId, inspect};
use glam::DVec2;
use serde::Serialize;

use crate::SynthError;
use crate::path::edge_paths::{EdgePaths, Turn, apply, compose, turn_of};
use crate::path::{Obstacle, PathOptions};

/// The root keeps this far from what is solid, metres.
const APART_M: f64 = 0.25;
/// Sides of a cell.
const CELL_M: f64 = 0.25;
const CELL_RAD: f64 = TAU / 24.0;
/// Nobody waits longer, seconds.
const LONGEST_S: f64 = 20.0;
/// Edges tried for one start at most.
const TRIES: usize = 50_000;

/// A square room about the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    /// Length of a side, metres.
    pub side_m: f64,
    /// What stands in it.
    pub obstacles: Vec<Obstacle>,
}

impl Room {
    /// A room with a pillar half a metre thick in the middle of each quarter.
    pub fn with_pillars(side_m: f64) -> Self {
        let at = side_m / 4.0;
        let pillar = |(x, z): (f64, f64)| Obstacle::Circle([x * at, z * at, 0.25]);
        let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
        Self {
            side_m,
            obstacles: corners.map(pillar).to_vec(),
        }
    }

    fn is_free(&self, p: DVec2) -> bool {
        let half = self.side_m / 2.0 - APART_M;
        p.x.abs() <= half
            && p.y.abs() <= half
            && self.obstacles.iter().all(|o| o.distance(p) > APART_M)
    }
}

/// How soon another behaviour is reached in a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Practical {
    /// Length of a side of the room, metres.
    pub side_m: f64,
    /// Segments that were put into it.
    pub starts: usize,
    /// LM in seconds in the room, over pairs of a start and a behaviour with a way there.
    pub practical_s: Option<f64>,
    /// The same in the open, over the same pairs.
    pub open_s: Option<f64>,
    /// Share of the pairs with a way in the open that have none within 20 s in the room.
    pub no_way: f64,
}

/// Puts `starts` segments of the graph's largest component into a room.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn practical_lm(
    graph: &MotionGraph,
    room: &Room,
    starts: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Practical, SynthError> {
    let options = PathOptions::default();
    let edges = EdgePaths::new(graph, &options.naturalness, false)?;
    let (_, nodes) = inspect::largest_component(graph);
    let inside = |n: NodeId| nodes.binary_search(&n.0).is_ok();
    let own =
        |e: &EdgeId| !graph.is_transition(*e) && inside(graph.from(*e)) && inside(graph.to(*e));
    let pieces: Vec<EdgeId> = graph.edges().filter(own).collect();
    let labels = pieces.iter().map(|&e| graph.edge_labels(e));
    let all = labels.fold(LabelSet::EMPTY, LabelSet::union);
    let actions = all.iter().filter(|&l| graph.labels().is_action(l));
    let wanted = actions.fold(LabelSet::EMPTY, |s, l| s.union(LabelSet::of(l)));
    let mut out = Practical {
        side_m: room.side_m,
        ..Practical::default()
    };
    if pieces.is_empty() || wanted.is_empty() {
        return Ok(out);
    }
    let mut random = SplitMix64::new(seed);
    let half = room.side_m / 2.0 - APART_M;
    let (mut there, mut open, mut pairs, mut reached) = (0.0, 0.0, 0_usize, 0_usize);
    for _ in 0..starts {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let piece = pieces[((random.unit() * pieces.len() as f64) as usize).min(pieces.len() - 1)];
        let heading = random.range(0.0, TAU);
        let place = DVec2::new(random.range(-half, half), random.range(-half, half));
        if !room.is_free(place) {
            continue;
        }
        out.starts += 1;
        let node = graph.to(piece);
        let at = edges.nodes[node.index()].at;
        let turned = turn_of(Planar::new(heading, 0.0, 0.0));
        let from = apply(&turned, at);
        let start = [turned[0], turned[1], place.x - from[0], place.y - from[1]];
        let search = |room: Option<&Room>| reach(graph, &edges, room, node, start, wanted);
        let (inside, outside) = (search(Some(room)), search(None));
        let waited = 0.5 * graph.seconds(piece);
        for label in wanted.iter().map(LabelId::index) {
            let Some(free) = outside[label] else { continue };
            pairs += 1;
            if let Some(seconds) = inside[label] {
                reached += 1;
                there += waited + seconds;
                open += waited + free;
            }
        }
    }
    let mean = |sum: f64| (reached > 0).then(|| sum / reached as f64);
    out.practical_s = mean(there);
    out.open_s = mean(open);
    out.no_way = (pairs - reached) as f64 / pairs.max(1) as f64;
    Ok(out)
}

/// Per label, seconds to its first frame.
fn reach(
    graph: &MotionGraph,
    edges: &EdgePaths,
    room: Option<&Room>,
    node: NodeId,
    start: Turn,
    wanted: LabelSet,
) -> Vec<Option<f64>> {
    let rate = graph.working_rate_hz();
    let longest = (LONGEST_S * rate) as u32;
    let mut found: Vec<Option<f64>> = vec![None; graph.labels().len()];
    let mut missing = wanted;
    let mut seen = HashSet::new();
    let mut states = vec![(node, start)];
    let mut queue = BinaryHeap::from([Reverse((0_u32, 0_usize))]);
    let mut tries = 0;
    // What is seen along an edge may come later than what a shorter one shows, so all that begin sooner are looked at first.
    while let Some(Reverse((now, state))) = queue.pop() {
        let settled = |t: &Option<f64>| t.is_some_and(|t| t * rate <= f64::from(now));
        let open = missing.iter().any(|l| !settled(&found[l.index()]));
        if !open || now > longest || tries > TRIES {
            break;
        }
        missing = LabelSet(
            missing
                .iter()
                .filter(|l| !settled(&found[l.index()]))
                .fold(0, |s, l| s | LabelSet::of(l).0),
        );
        let (node, turn) = states[state];
        let at = apply(&turn, edges.nodes[node.index()].at);
        // In the open only the node matters.
        let cell = room.map_or([0; 3], |_| cell(at, &turn));
        if !seen.insert((node, cell)) {
            continue;
        }
        for edge in graph.out_edges(node) {
            tries += 1;
            let rows = edges.rows(edge);
            let blocked = |row: &crate::path::edge_paths::Row| {
                let [x, z] = apply(&turn, [row.x, row.z]);
                room.is_some_and(|r| !r.is_free(DVec2::new(x, z)))
            };
            // What is shown before a wall is reached is of no use: nobody stops there.
            if rows.iter().any(blocked) {
                continue;
            }
            if !graph.is_transition(edge) {
                let played = graph.timed_by(edge);
                let info = graph.clip_info(played.clip);
                for k in 0..graph.working_length(edge) {
                    for label in info
                        .labels_at(played.boundary + k)
                        .intersection(missing)
                        .iter()
                    {
                        let then = f64::from(now + k) / rate;
                        let best = &mut found[label.index()];
                        *best = Some(best.map_or(then, |b| b.min(then)));
                    }
                }
            }
            states.push((graph.to(edge), compose(&turn, &edges.turns[edge.index()])));
            queue.push(Reverse((
                now + graph.working_length(edge),
                states.len() - 1,
            )));
        }
    }
    found
}

fn cell(at: [f64; 2], turn: &Turn) -> [i32; 3] {
    let heading = turn[1].atan2(turn[0]).rem_euclid(TAU);
    [
        (at[0] / CELL_M).floor() as i32,
        (at[1] / CELL_M).floor() as i32,
        (heading / CELL_RAD).floor() as i32,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_ends_before_its_walls_and_pillars() {
        let room = Room::with_pillars(8.0);
        assert!(room.is_free(DVec2::ZERO) && room.is_free(DVec2::new(3.7, 0.0)));
        assert!(!room.is_free(DVec2::new(3.8, 0.0)), "too near to the wall");
        assert!(!room.is_free(DVec2::new(2.0, 2.4)), "too near to a pillar");
    }

    #[test]
    fn cells_are_told_apart_by_place_and_heading() {
        let turn = |angle: f64| turn_of(Planar::new(angle, 0.0, 0.0));
        assert_eq!(cell([0.1, 0.2], &turn(0.1)), cell([0.2, 0.1], &turn(0.2)));
        assert_ne!(cell([0.1, 0.2], &turn(0.1)), cell([0.3, 0.2], &turn(0.1)));
        assert_ne!(cell([0.1, 0.2], &turn(0.1)), cell([0.1, 0.2], &turn(0.3)));
    }
}
