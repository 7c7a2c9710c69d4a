//! Path synthesis as a search problem.                                                  [Kovar04] section 4.3
//!
//!   g(w, e) = Σ_i ‖P_{w+e}(s(e_i)) − P(s(e_i))‖²                                                  eq. 4.15
//!   t(e_i) = max(t(e_{i−1}) + s(e_i) − s(e_{i−1}), t(e_{i−1}) + γ)
//!
//! P_w is the root on the ground, s its arc length; t stands for s where γ > 0. Past the end of the path, or of the
//! style piece under way, P(s) is that end. The walk is complete in the frame in which t reaches the path's length;
//! the rest of that edge is not played. Beside it stand the terms of [`Naturalness`](super::Naturalness).
//!
//! Cost per frame: a complex multiply-add, a look-up of P(s), a few adds. The first step of an edge is measured from
//! the root's last place. Checked by: the cost of the assembled motion (tests/path.rs).

use std::borrow::Cow;

use gaitway_core::Planar;
use gaitway_core::planar::heading_of;
use gaitway_graph::inspect::label_members;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};
use glam::DVec2;

use super::detour::detour;
use super::edge_paths::{EdgePaths, Turn, apply, compose};
use super::obstacles::check_obstacles;
use super::options::{PathOptions, Start};
use super::reach::metres_to;
use super::styles::{StylePiece, resolve_styles};
use super::{Path, PathError};
use crate::SynthError;
use crate::search::Found;
use crate::search::problem::{Ask, Cut, Cuts, Problem, Step};

/// How many transitions back a repetition is noticed.
const RECENT: usize = 6;
/// A walk may pass the end of a piece by this much before it must have changed style.
const OVERRUN_M: f64 = 3.0;
/// A detour keeps this much further away than it must: nobody follows a path to the millimetre.
const SPARE_M: f64 = 0.12;

/// A walk along a path so far.
#[derive(Clone, Copy, Debug)]
pub struct PathState {
    pub(crate) node: NodeId,
    pub(crate) frames: u32,
    /// World from the clip under way.
    pub(crate) world: Turn,
    /// t: arc length so far.
    pub(crate) arc: f64,
    /// Where the root was last, in the world.
    pub(crate) last: [f64; 2],
    pub(crate) piece: u16,
    pub(crate) piece_frames: u32,
    pub(crate) done: bool,
    /// Seconds of clips entered last.
    recent: [u16; RECENT],
}

impl PathState {
    /// What carries the clip under way into the world.
    pub fn world_from_clip(&self) -> Planar {
        let theta = self.world[1].atan2(self.world[0]);
        Planar::new(theta, self.world[2], self.world[3])
    }

    /// Arc length so far, metres.
    pub fn arc(&self) -> f64 {
        self.arc
    }

    /// Working frames so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }
}

/// Following a path through a graph.
pub struct PathProblem<'g> {
    graph: &'g MotionGraph,
    edges: &'g EdgePaths,
    /// What is followed: the path, led round obstacles.
    path: Cow<'g, Path>,
    options: PathOptions,
    pieces: Vec<StylePiece>,
    /// δ: half the body's height.
    delta: f64,
    forbidden: Vec<bool>,
    /// Which second of which clip a node lies in, folded to 16 bits.
    second: Vec<u16>,
    /// Per piece but the last, metres from each node to the next piece's label at least.
    to_next: Vec<Vec<f64>>,
    most_frames: u32,
    /// Obstacles, others or a corridor are to be kept clear of.
    hard: bool,
    /// The path's end is not the walk's: something else says when it is over.
    endless: bool,
}

impl<'g> PathProblem<'g> {
    /// A path to be followed; `edges` must have been made with the same naturalness and arc length.
    ///
    /// # Errors
    /// When a style, an obstacle, a forbidden clip or a number cannot be.
    pub fn new(
        graph: &'g MotionGraph,
        edges: &'g EdgePaths,
        path: &'g Path,
        options: &PathOptions,
    ) -> Result<Self, SynthError> {
        if graph.edge_count() == 0 {
            return Err(SynthError::EmptyGraph);
        }
        check(options)?;
        let rate = graph.working_rate_hz();
        let action_frames = (options.action_s * rate).round() as u32;
        let mut pieces = resolve_styles(graph, &options.styles, path.length(), action_frames)?;
        let clearance = options.body_radius_m + options.margin_m + SPARE_M;
        let path = match detour(path, &options.obstacles, clearance) {
            Some(round) => {
                for p in &mut pieces {
                    (p.from, p.to) = (round.place(p.from), round.place(p.to));
                }
                pieces[0].from = 0.0;
                if let Some(last) = pieces.last_mut().filter(|p| !p.action) {
                    last.to = round.path.length();
                }
                Cow::Owned(round.path)
            }
            None => Cow::Borrowed(path),
        };
        let mut forbidden_clips = vec![false; graph.clip_count()];
        for name in &options.forbid {
            let clip = graph
                .find_clip(name)
                .ok_or_else(|| SynthError::UnknownClip { clip: name.clone() })?;
            forbidden_clips[clip.index()] = true;
        }
        let of = |n: NodeId| forbidden_clips[graph.node(n).clip.index()];
        let forbidden: Vec<bool> = graph
            .edges()
            .map(|e| of(graph.from(e)) || of(graph.to(e)))
            .collect();
        let to_next = pieces
            .windows(2)
            .map(|w| {
                let may = |e: EdgeId, p: &StylePiece| {
                    !forbidden[e.index()] && p.allows(graph.edge_labels(e))
                };
                metres_to(graph, edges, |e| may(e, &w[1]), |e| may(e, &w[0]))
            })
            .collect();
        let second = |n: NodeId| {
            let node = graph.node(n);
            let key = u64::from(node.clip.0) << 32 | (f64::from(node.boundary) / rate) as u64;
            (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16 | 1
        };
        let seconds =
            path.length() * options.slowest_s_m + 10.0 + options.action_s * pieces.len() as f64;
        Ok(Self {
            graph,
            edges,
            path,
            pieces,
            delta: edges.body_height / 2.0,
            forbidden,
            second: graph.nodes().map(second).collect(),
            to_next,
            most_frames: (seconds * rate) as u32,
            hard: !options.obstacles.is_empty()
                || !options.movers.is_empty()
                || options.corridor_m.is_some(),
            endless: false,
            options: options.clone(),
        })
    }

    /// The path that is followed: led round obstacles where it ran into them.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The pieces of the path and what is done there.
    pub fn pieces(&self) -> &[StylePiece] {
        &self.pieces
    }

    /// δ: half the body's height, metres.
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// The same path, but it is not over at its end.
    pub(crate) fn without_end(mut self) -> Self {
        self.endless = true;
        self
    }

    /// Whether an edge is forbidden by name.
    pub(crate) fn is_forbidden(&self, edge: EdgeId) -> bool {
        self.forbidden[edge.index()]
    }

    fn is_last(&self, piece: u16) -> bool {
        piece as usize + 1 == self.pieces.len()
    }

    /// Which piece an edge is played in, and how long that has been going on.
    fn style(&self, from: &PathState, edge: EdgeId) -> Result<(u16, u32), Cut> {
        let now = &self.pieces[from.piece as usize];
        let labels = self.graph.edge_labels(edge);
        if let Some(next) = self.pieces.get(from.piece as usize + 1) {
            let near = from.arc >= now.to - self.delta && from.piece_frames >= now.least_frames;
            if near && next.allows(labels) {
                return Ok((from.piece + 1, 0));
            }
        }
        // Who cannot reach the next label before this piece is long over is on a wrong way.
        let still = match self.to_next.get(from.piece as usize) {
            Some(metres) => metres[self.graph.to(edge).index()],
            None => 0.0,
        };
        if !now.allows(labels) || from.arc + still > now.to + OVERRUN_M {
            return Err(Cut::Label);
        }
        Ok((from.piece, from.piece_frames))
    }

    /// What a hard constraint says about a place at a frame.
    fn clear(&self, p: DVec2, arc: f64, frame: u32) -> Result<(), Cut> {
        let o = &self.options;
        let body = o.body_radius_m + o.margin_m;
        for (k, obstacle) in o.obstacles.iter().enumerate() {
            if obstacle.distance(p) < body {
                return Err(Cut::Obstacle(k as u32));
            }
        }
        for (k, mover) in o.movers.iter().enumerate() {
            if let Some(q) = mover.at(frame + o.clock_frame) {
                let apart = body + mover.radius_m + o.margin_m;
                if p.distance_squared(DVec2::from_array(q)) < apart * apart {
                    return Err(Cut::Someone(k as u32));
                }
            }
        }
        match o.corridor_m {
            Some(width) if self.path.distance_within(p, arc - 2.0, arc + 2.0) > width => {
                Err(Cut::Corridor)
            }
            _ => Ok(()),
        }
    }

    /// A state at a node whose root stands on a place, turned by θ.
    fn state_at(&self, node: NodeId, place: DVec2, theta: f64) -> PathState {
        let ahead = &self.edges.nodes[node.index()];
        let (sin, cos) = theta.sin_cos();
        let turned = apply(&[cos, sin, 0.0, 0.0], ahead.at);
        PathState {
            node,
            frames: 0,
            world: [cos, sin, place.x - turned[0], place.y - turned[1]],
            arc: 0.0,
            last: place.to_array(),
            piece: 0,
            piece_frames: 0,
            done: false,
            recent: [0; RECENT],
        }
    }

    /// The turn that lays what the clip does next along the path.
    fn aligned(&self, node: NodeId, at: DVec2) -> f64 {
        let n = &self.edges.nodes[node.index()];
        let way = self.path.at(n.ahead_s.max(0.2)) - at;
        let goal = heading_of(way.x, way.y);
        let there = n.ahead[0].hypot(n.ahead[1]);
        if there > 0.2 {
            goal - heading_of(n.ahead[0], n.ahead[1])
        } else {
            goal - n.facing
        }
    }

    /// Why there is nowhere to start, if so.
    fn no_start(&self) -> String {
        match self.pieces[0].label {
            Some(l) => format!("no start with the label `{}`", self.graph.labels().name(l)),
            None => "no start: nothing may be played".to_owned(),
        }
    }
}

fn check(o: &PathOptions) -> Result<(), SynthError> {
    check_obstacles(&o.obstacles)?;
    let numbers = [
        ("the least progress", o.least_progress_m),
        ("the body's radius", o.body_radius_m),
        ("the margin", o.margin_m),
        ("the corridor", o.corridor_m.unwrap_or(0.0)),
        ("the time of an action", o.action_s),
        ("the slowest pace", o.slowest_s_m),
        ("a weight", o.naturalness.per_transition),
        ("a weight", o.naturalness.transition_cm2),
        ("a weight", o.naturalness.facing),
        ("a weight", o.naturalness.speed_change),
        ("a weight", o.naturalness.repeat),
    ];
    for (what, value) in numbers {
        if !(value.is_finite() && (0.0..1e6).contains(&value)) {
            let what = format!("{what} cannot be {value}");
            return Err(SynthError::Options { what });
        }
    }
    match o.start {
        Start::At { x, z, heading } if !(x.is_finite() && z.is_finite() && heading.is_finite()) => {
            Err(PathError::NotFinite { at: 0 }.into())
        }
        _ => Ok(()),
    }
}

impl Problem for PathProblem<'_> {
    type State = PathState;

    fn graph(&self) -> &MotionGraph {
        self.graph
    }

    fn starts(&self) -> Vec<PathState> {
        let member = label_members(self.graph);
        let label = self.pieces[0].label;
        let fits = |n: NodeId| {
            let inside = label.is_none_or(|l| member[n.index()].contains(l));
            inside && self.graph.out_edges(n).any(|e| !self.forbidden[e.index()])
        };
        let (place, heading) = match self.options.start {
            Start::Best => (self.path.at(0.0), None),
            Start::At { x, z, heading } => (DVec2::new(x, z), Some(heading)),
        };
        if self.clear(place, 0.0, 0).is_err() {
            return Vec::new();
        }
        let turn = |n: NodeId| match heading {
            Some(h) => h - self.edges.nodes[n.index()].facing,
            None => self.aligned(n, place),
        };
        let nodes = self.graph.nodes().filter(|&n| fits(n));
        nodes.map(|n| self.state_at(n, place, turn(n))).collect()
    }

    fn node(&self, state: &PathState) -> NodeId {
        state.node
    }

    fn step(&self, from: &PathState, edge: EdgeId, ask: Ask) -> Result<Step<PathState>, Cut> {
        if self.forbidden[edge.index()] {
            return Err(Cut::Forbidden);
        }
        let (piece, piece_frames) = self.style(from, edge)?;
        let style = &self.pieces[piece as usize];
        let last_piece = self.is_last(piece);
        let rows = self.edges.rows(edge);
        let w = from.world;
        let gamma = self.options.least_progress_m;
        let to = self.graph.to(edge);
        let mut out = *from;
        let mut cost = 0.0;
        if self.edges.is_transition[edge.index()] {
            let second = self.second[to.index()];
            if from.recent.contains(&second) {
                cost += self.options.naturalness.repeat;
            }
            out.recent.rotate_right(1);
            out.recent[0] = second;
        }
        let mut walked = 0;
        for (k, row) in rows.iter().enumerate() {
            let p = [
                row.x * w[0] + row.z * w[1] + w[2],
                row.z * w[0] - row.x * w[1] + w[3],
            ];
            let mut ds = row.ds;
            if k == 0 {
                if from.frames == 0 {
                    ds = 0.0;
                } else if !self.options.smooth_arc {
                    ds = (p[0] - out.last[0]).hypot(p[1] - out.last[1]);
                }
            }
            let moved = if from.frames == 0 && k == 0 {
                0.0
            } else {
                ds.max(gamma)
            };
            out.arc += moved;
            if style.action {
                out.arc = out.arc.min(style.to.max(from.arc));
            }
            let target = self.path.at(out.arc.min(style.to));
            let d = [p[0] - target.x, p[1] - target.y];
            cost += d[0] * d[0] + d[1] * d[1] + f64::from(row.nat);
            if row.hurry > 0.0 && self.path.straight_at(out.arc) {
                cost += f64::from(row.hurry);
            }
            if cost > ask.limit {
                return Err(Cut::Bound);
            }
            if self.hard {
                self.clear(DVec2::from_array(p), out.arc, from.frames + k as u32)?;
            }
            out.last = p;
            walked += 1;
            let long_enough = piece_frames + walked >= style.least_frames;
            if last_piece && !self.endless && long_enough && out.arc >= self.path.length() - 1e-9 {
                out.done = true;
                break;
            }
            if walked >= ask.most_frames {
                break;
            }
        }
        out.frames = from.frames + walked;
        if walked == 0 {
            return Err(Cut::Other);
        }
        if out.frames > self.most_frames {
            return Err(Cut::TooSlow);
        }
        let t = &self.edges.turns[edge.index()];
        out.world = compose(&w, t);
        out.node = to;
        (out.piece, out.piece_frames) = (piece, piece_frames + walked);
        Ok(Step {
            state: out,
            cost,
            frames: walked,
        })
    }

    fn is_goal(&self, state: &PathState) -> bool {
        state.done
    }

    fn progress(&self, state: &PathState) -> f64 {
        state.arc
    }

    fn progress_at_goal(&self) -> f64 {
        self.path.length()
    }

    /// Node, piece, 10 cm on the ground, and about 5° of turn.
    fn cell(&self, s: &PathState) -> u64 {
        let of = |v: f64, step: f64| (v / step).floor() as i64 as u64;
        let mut h = u64::from(s.node.0) << 16 | u64::from(s.piece);
        // Others on the move make time matter: a third of a second.
        let clock = if self.options.movers.is_empty() {
            0
        } else {
            u64::from(s.frames / 10)
        };
        for part in [
            of(s.last[0], 0.1),
            of(s.last[1], 0.1),
            of(s.world[0], 0.087),
            of(s.world[1], 0.087),
            clock,
        ] {
            h = (h.rotate_left(21) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            h ^= h >> 29;
        }
        h
    }

    /// How far off the path the clip under way would be in half a second.
    fn guide(&self, s: &PathState) -> f64 {
        /// Frames for which that is taken to last.
        const FRAMES: f64 = 8.0;
        let n = &self.edges.nodes[s.node.index()];
        let way = apply(&[s.world[0], s.world[1], 0.0, 0.0], n.ahead);
        let end = self.pieces[s.piece as usize].to;
        let target = self.path.at((s.arc + n.ahead_s).min(end));
        let d = [s.last[0] + way[0] - target.x, s.last[1] + way[1] - target.y];
        // Beyond the path's end nothing is asked for.
        let part = ((end - s.arc) / n.ahead_s.max(0.05)).clamp(0.0, 1.0);
        // A style that can only be changed past the border: the path waits there.
        let late = match self.to_next.get(s.piece as usize) {
            Some(metres) => (s.arc + metres[s.node.index()] - end).max(0.0),
            None => 0.0,
        };
        FRAMES * (part * (d[0] * d[0] + d[1] * d[1]) + late * late)
    }

    /// From the last frame of a transition alone.
    fn glance(&self, s: &PathState, edge: EdgeId) -> Option<(f64, f64)> {
        if !self.edges.is_transition[edge.index()] {
            return None;
        }
        let rows = self.edges.rows(edge);
        let (first, last) = (rows.first()?, rows.last()?);
        let mut end = *s;
        end.last = apply(&s.world, [last.x, last.z]);
        end.arc = s.arc + self.edges.lengths[edge.index()];
        end.world = compose(&s.world, &self.edges.turns[edge.index()]);
        end.node = self.graph.to(edge);
        let target = self.path.at(end.arc.min(self.pieces[s.piece as usize].to));
        let d = [end.last[0] - target.x, end.last[1] - target.y];
        let least = f64::from(first.nat) + d[0] * d[0] + d[1] * d[1];
        Some((end.arc, least + self.guide(&end)))
    }

    fn explain(&self, cuts: &Cuts<PathState>) -> String {
        let place = match self.options.start {
            Start::Best => self.path.at(0.0),
            Start::At { x, z, .. } => DVec2::new(x, z),
        };
        let Some((state, cut)) = cuts.furthest else {
            return match self.clear(place, 0.0, 0) {
                Err(Cut::Obstacle(k)) => {
                    format!("the start lies in obstacle {k}: {}", self.obstacle(k))
                }
                Err(cut) => format!("at the start {}", cut.words()),
                Ok(()) => self.no_start(),
            };
        };
        let at = format!(
            "({:.2}, {:.2}), {:.2} m along the path",
            state.last[0], state.last[1], state.arc
        );
        match cut {
            Cut::Obstacle(k) => format!(
                "blocked by obstacle {k}, {}; furthest at {at}",
                self.obstacle(k)
            ),
            Cut::Someone(k) => format!("blocked by person {k} at {at}"),
            Cut::Label => {
                let next = self
                    .pieces
                    .get(state.piece as usize + 1)
                    .unwrap_or(&self.pieces[state.piece as usize]);
                let name = next.label.map_or("any", |l| self.graph.labels().name(l));
                format!("the label `{name}` is unreachable from {at}")
            }
            other => format!("{} at {at}", other.words()),
        }
    }
}

impl PathProblem<'_> {
    /// Where the root is at each working frame of a walk that was found.
    pub fn places(&self, found: &Found<PathState>) -> Vec<[f64; 2]> {
        let Some(start) = found.start else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let mut w = start.world;
        for (k, &edge) in found.edges.iter().enumerate() {
            let rows = self.edges.rows(edge);
            let last = k + 1 == found.edges.len();
            let count = if last {
                found.last_frames as usize
            } else {
                rows.len()
            };
            out.extend(rows.iter().take(count).map(|r| apply(&w, [r.x, r.z])));
            w = compose(&w, &self.edges.turns[edge.index()]);
        }
        out
    }

    fn obstacle(&self, k: u32) -> String {
        let middle = self.options.obstacles[k as usize].middle();
        format!("at ({:.2}, {:.2})", middle.x, middle.y)
    }
}
