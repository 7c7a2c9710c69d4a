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

mod begin;
mod guess;
mod state;
mod walking;
mod words;

use std::borrow::Cow;

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

pub use self::state::PathState;
use super::detour::led_round;
use super::edge_paths::EdgePaths;
use super::forbid::forbidden_edges;
use super::obstacles::check_obstacles;
use super::options::{PathOptions, Start};
use super::reach::metres_to;
use super::styles::{StylePiece, resolve_styles};
use super::{Path, PathError};
use crate::SynthError;
use crate::search::{
    Ask, DeadEnd, DeadEnds, Estimate, Explain, GraphProblem, Guide, Key, Layers, Step,
};

/// A label whose typical angle between facing and travel is more than this is one that goes sideways or backwards.
const ASIDE_RAD: f64 = 0.7;

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
    /// What is paid for each frame of an edge beside all else; empty where nothing is.
    extra_cost: Vec<f32>,
    /// Per piece, the angle between facing and travel that its label asks for: 0, or that of a label that goes sideways or
    /// backwards.
    typical_aside: Vec<f64>,
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
        let path = match led_round(path, options) {
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
        let forbidden = forbidden_edges(graph, options)?;
        let to_next = pieces
            .windows(2)
            .map(|w| {
                let may = |e: EdgeId, p: &StylePiece| {
                    !forbidden[e.index()] && p.allows(graph.edge_labels(e))
                };
                metres_to(graph, edges, |e| may(e, &w[1]), |e| may(e, &w[0]))
            })
            .collect();
        let typical = |p: &StylePiece| {
            let angle = p.label.map_or(0.0, |l| edges.typical_aside[l.index()]);
            if angle > ASIDE_RAD { angle } else { 0.0 }
        };
        let typical_aside = pieces.iter().map(typical).collect();
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
                || !options.moving_obstacles.is_empty()
                || options.corridor_m.is_some(),
            endless: false,
            extra_cost: Vec::new(),
            typical_aside,
            options: options.clone(),
        })
    }

    /// The path that is followed: led round obstacles where it ran into them.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is asked for.
    pub fn options(&self) -> &PathOptions {
        &self.options
    }

    pub(crate) fn edge_paths(&self) -> &EdgePaths {
        self.edges
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

    /// The same path, but each frame of an edge costs so much more.
    pub(crate) fn with_extra_cost(mut self, per_frame: Vec<f32>) -> Self {
        self.extra_cost = per_frame;
        self
    }

    /// Whether an edge is forbidden by name.
    pub(crate) fn is_forbidden(&self, edge: EdgeId) -> bool {
        self.forbidden[edge.index()]
    }
}

fn check(o: &PathOptions) -> Result<(), SynthError> {
    check_obstacles(&o.obstacles)?;
    let numbers = [
        ("the least progress", o.least_progress_m),
        ("the body's radius", o.body_radius_m),
        ("the margin", o.margin_m),
        ("the corridor", o.corridor_m.unwrap_or(0.0)),
        ("the distance off the path", o.off_path_m),
        ("the time of an action", o.action_s),
        ("the slowest pace", o.slowest_s_m),
        ("a weight", o.naturalness.per_transition),
        ("a weight", o.naturalness.transition_cm2),
        ("a weight", o.naturalness.feet_cm2),
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

impl GraphProblem for PathProblem<'_> {
    type State = PathState;

    fn graph(&self) -> &MotionGraph {
        self.graph
    }

    fn node(&self, state: &PathState) -> NodeId {
        state.node
    }

    fn start_states(&self) -> Vec<PathState> {
        self.all_starts()
    }

    #[inline]
    fn step(&self, from: &PathState, edge: EdgeId, ask: Ask) -> Result<Step<PathState>, DeadEnd> {
        self.walk_edge(from, edge, ask)
    }

    fn is_goal(&self, state: &PathState) -> bool {
        state.done
    }

    fn placement(&self, start: &PathState) -> Planar {
        start.world_from_clip()
    }
}

impl Layers for PathProblem<'_> {
    fn progress(&self, state: &PathState) -> f64 {
        state.arc
    }

    fn progress_at_goal(&self) -> f64 {
        self.path.length()
    }

    #[inline]
    fn group(&self, state: &PathState) -> u32 {
        u32::from(state.piece)
    }
}

impl Key for PathProblem<'_> {
    #[inline]
    fn key(&self, state: &PathState) -> u64 {
        self.cell_of(state)
    }
}

impl Estimate for PathProblem<'_> {}

impl Guide for PathProblem<'_> {
    #[inline]
    fn guide(&self, state: &PathState) -> f64 {
        self.guess(state)
    }

    /// Half as far off on the mean (RMS) as a walk may be before it is told to be off its path: what is that far off for a whole
    /// bite is further off somewhere in it, or late.
    fn run_off(&self) -> f64 {
        let half = self.options.off_path_m / 2.0;
        half * half
    }

    #[inline]
    fn glance(&self, state: &PathState, edge: EdgeId) -> Option<(f64, f64)> {
        self.look(state, edge)
    }
}

impl Explain for PathProblem<'_> {
    fn explain(&self, dead_ends: &DeadEnds<PathState>) -> String {
        self.reason(dead_ends)
    }
}
