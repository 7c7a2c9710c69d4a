//! Path synthesis as a search problem.                                                  [Kovar04] section 4.3
//!
//!   g(w, e) = Σ_i ‖P_{w+e}(s(e_i)) − P(s(e_i))‖²                                                  eq. 4.15
//!   t(e_i) = max(t(e_{i−1}) + s(e_i) − s(e_{i−1}), t(e_{i−1}) + γ)
//!
//! P_w is the root on the ground, s its arc length; t stands for s where γ > 0. By default the root's sway is left out of s, and what a walk is
//! ahead by is drawn in: see `path/progress.rs`. Past the end of the path, or of the
//! style piece under way, P(s) is that end. The walk is complete in the frame in which t reaches the path's length;
//! the rest of that edge is not played. Beside it stand the terms of [`Naturalness`](super::Naturalness).
//!
//! Cost per frame: a complex multiply-add, a look-up of P(s), a few adds. The first step of an edge is measured from
//! the root's last place. Checked by: the cost of the assembled motion (tests/path.rs).

mod begin;
mod guess;
mod least;
mod permits;
mod state;
mod walking;
mod ways;
mod words;

use std::borrow::Cow;

use gaitway_core::{Planar, limits};
use gaitway_graph::{ClipId, EdgeId, LabelSet, MotionGraph, NodeId};

pub use self::state::PathState;
use super::company::Company;
use super::detour::barred;
use super::edge_paths::{EdgePaths, acting, compose};
use super::forbid::forbidden_edges;
use super::goal::{ActionGoal, PER_RAD2_ALONG, Wanted};
use super::obstacles::check_obstacles;
use super::options::{PathOptions, Start};
use super::place_clip::PlaceWish;
use super::solid::Solid;
use super::styles::{StylePiece, approach, on_the_way};
use super::times::Schedule;
use super::{Path, PathError};
use crate::SynthError;
use crate::search::{
    Ask, DeadEnd, DeadEnds, Estimate, Explain, GraphProblem, Guide, Key, Layers, Step,
};
use crate::walk::find_label;

/// A label whose typical angle between facing and travel is more than this is one that goes sideways or backwards.
pub(crate) const ASIDE_RAD: f64 = 0.7;

/// Waiting at the point of an action counts as so much progress a second, metres: a search must see that it goes on.
const WAIT_M_S: f64 = 0.3;
/// What is put by for waiting, metres of progress for each action.
const WAIT_M: f64 = 1.0;

/// What a path ends with at a place of its own.
#[derive(Clone, Copy)]
pub(crate) struct EndsWith<'a> {
    /// What, and where.
    pub(crate) wish: &'a PlaceWish,
    /// Other labels may be played before it, at a price, whether or not its style leads to it.
    pub(crate) relaxed: bool,
}

/// Following a path through a graph.
pub struct PathProblem<'g> {
    graph: &'g MotionGraph,
    edges: &'g EdgePaths,
    /// The obstacles, by place.
    solid: Solid,
    /// What is followed: the path, led round obstacles.
    path: Cow<'g, Path>,
    /// What was asked for, before it was led round anything.
    asked: &'g Path,
    options: PathOptions,
    pieces: Vec<StylePiece>,
    /// Actions asked for, in order.
    actions: Vec<ActionGoal>,
    /// Per piece, the group of its states; the approach to an action has three.
    first_group: Vec<u32>,
    /// What a working frame of waiting counts as, metres.
    wait_m: f64,
    /// Labels of standing and turning, which lead from going to acting.
    neutral: LabelSet,
    /// Labels that name actions.
    acting: LabelSet,
    /// Per edge, the labels at both its ends.
    ends: Vec<[LabelSet; 2]>,
    /// δ: half the body's height.
    delta: f64,
    forbidden: Vec<bool>,
    /// Which second of which clip a node lies in, folded to 16 bits.
    second: Vec<u16>,
    /// Per piece, metres from each node to the next piece's style at least; nothing for the last.
    to_next: Vec<Vec<f64>>,
    /// Per action, metres from each node to one of its events at least.
    to_event: Vec<Vec<f64>>,
    /// An action at the path's end goes on for so many working frames, as far as its clip does.
    action_frames: u32,
    most_frames: u32,
    /// Obstacles, others or a corridor are to be kept clear of.
    hard: bool,
    /// What is paid for each frame of an edge beside all else; empty where nothing is.
    extra_cost: Vec<f32>,
    /// When to be where, and how fast.
    schedule: Option<Schedule>,
    /// Others on the move, by when they are where.
    company: Company,
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
        Self::ending_in(graph, edges, path, options, None)
    }

    /// The same, ending with an action at a place of its own.
    pub(crate) fn ending_in(
        graph: &'g MotionGraph,
        edges: &'g EdgePaths,
        path: &'g Path,
        options: &PathOptions,
        end: Option<EndsWith<'_>>,
    ) -> Result<Self, SynthError> {
        if graph.edge_count() == 0 {
            return Err(SynthError::EmptyGraph);
        }
        check(options)?;
        if edges.made_with != (options.naturalness, options.smooth_arc) {
            let what =
                "edges were measured with other weights or another arc length than these options'";
            return Err(SynthError::Options { what: what.into() });
        }
        let rate = graph.working_rate_hz();
        let asked = path;
        let (path, styles) = on_the_way(graph, path, options)?;
        let (mut pieces, wanted) = (styles.pieces, styles.actions);
        if let Some(end) = end {
            approach(&mut pieces, wanted.len(), path.length());
            if let Some(last) = pieces.last_mut() {
                last.relaxed = end.relaxed;
            }
        }
        let mut actions = Vec::with_capacity(wanted.len());
        for a in wanted {
            let (place, heading) = (path.at(a.at), path.heading(a.at));
            let mut goal =
                ActionGoal::of_label(graph, a.label, (place, heading), &options.passed_over)?;
            (goal.per_rad2, goal.passed_rad) = (PER_RAD2_ALONG, f64::INFINITY);
            actions.push(goal);
        }
        if let Some(EndsWith { wish, .. }) = end {
            actions.push(end_goal(graph, wish, &options.passed_over)?);
        }
        let mut groups = 0;
        let number = |p: &StylePiece| {
            let first = groups;
            groups += if p.action.is_some() { 3 } else { 1 };
            first
        };
        let first_group = pieces.iter().map(number).collect();
        let forbidden = forbidden_edges(graph, options)?;
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
        let schedule = styles.schedule;
        let due = schedule.as_ref().map_or(0.0, Schedule::last_s);
        let seconds = path.length() * options.slowest_s_m + 10.0 + 5.0 * actions.len() as f64;
        let seconds = seconds.max(1.5 * due + 10.0);
        let mut out = Self {
            graph,
            edges,
            path,
            asked,
            pieces,
            actions,
            first_group,
            neutral: permits::neutral(graph),
            acting: acting(graph),
            wait_m: WAIT_M_S / rate,
            ends: graph.edges().map(|e| permits::ends(graph, e)).collect(),
            delta: edges.body_height / 2.0,
            forbidden,
            second: graph.nodes().map(second).collect(),
            to_next: Vec::new(),
            to_event: Vec::new(),
            // Whoever ends with an action plays the rest of its clip.
            action_frames: match end {
                Some(_) => 0,
                None => (options.action_s * rate).round() as u32,
            },
            most_frames: (seconds * rate) as u32,
            hard: !options.obstacles.is_empty()
                || !options.moving_obstacles.is_empty()
                || options.corridor_m.is_some(),
            extra_cost: Vec::new(),
            company: Company::new(
                &options.moving_obstacles,
                options.clock_frame,
                options.body_radius_m + 2.0 * options.margin_m,
            ),
            typical_aside,
            schedule,
            solid: Solid::new(&options.obstacles),
            options: options.clone(),
        };
        out.measure_ways();
        Ok(out)
    }

    /// What a walk is to come to next from a piece, happened or not: metres to it from a node at least, and where on the path it
    /// is wanted. Nothing in the last piece.
    #[inline]
    fn ahead(&self, piece: u16, happened: bool, node: NodeId) -> Option<(f64, f64)> {
        let (k, n) = (piece as usize, node.index());
        let now = &self.pieces[k];
        let next = self.pieces.get(k + 1);
        match (now.action.filter(|_| !happened), next) {
            (Some(a), _) => Some((self.to_event[a][n], now.to)),
            // After its event an action ends as soon as it can, wherever that is.
            (None, Some(_)) if happened => Some((self.to_next[k][n], f64::INFINITY)),
            (None, Some(next)) => Some(match next.action {
                Some(a) => (self.to_event[a][n], next.to),
                None => (self.to_next[k][n], now.to),
            }),
            (None, None) => None,
        }
    }

    /// The path that is followed: led round obstacles where it ran into them.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why no walk can keep what is asked for, where that is seen at once.
    pub(crate) fn barred(&self) -> Option<String> {
        barred(self.asked, &self.options)
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

    /// The same path, but each frame of an edge costs so much more.
    pub(crate) fn with_extra_cost(mut self, per_frame: Vec<f32>) -> Self {
        self.extra_cost = per_frame;
        self
    }

    /// How far off the last action comes to be along the edges of a walk: metres, radians.
    pub(crate) fn end_error(&self, start: &PathState, edges: &[EdgeId]) -> Option<(f64, f64)> {
        let mut world = start.world;
        let along = edges.iter().map(|&e| {
            world = compose(&world, &self.edges.turns[e.index()]);
            (e, world)
        });
        self.actions.last()?.reached(along)
    }

    /// Whether an edge is forbidden by name.
    pub(crate) fn is_forbidden(&self, edge: EdgeId) -> bool {
        self.forbidden[edge.index()]
    }
}

fn end_goal(
    graph: &MotionGraph,
    wish: &PlaceWish,
    passed_over: &[(ClipId, usize)],
) -> Result<ActionGoal, SynthError> {
    let there = (wish.at, wish.heading);
    let mut goal = match &wish.wanted {
        Wanted::Label(name) => {
            ActionGoal::of_label(graph, find_label(graph, name)?, there, passed_over)?
        }
        Wanted::Clip(name) => ActionGoal::of_clip(graph, name, wish.at, wish.heading)?,
    };
    (goal.per_m2, goal.per_rad2) = (wish.per_m2, wish.per_rad2);
    Ok(goal)
}

fn check(o: &PathOptions) -> Result<(), SynthError> {
    check_obstacles(&o.obstacles)?;
    let many = |what: &str, found: usize| {
        limits::count(what, found, limits::MOST_STYLES).map_err(|wrong| PathError::Limits {
            what: "styles".to_owned(),
            wrong,
        })
    };
    many("styles and actions", o.styles.len())?;
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
        Start::At { x, z, heading } => {
            let turns = heading.to_degrees().abs() <= limits::MOST_DEGREES * (1.0 + 1e-9);
            let far = limits::places([x, z]).map_err(|wrong| PathError::Limits {
                what: "the start".to_owned(),
                wrong,
            });
            far.map_err(SynthError::from)?;
            match turns {
                true => Ok(()),
                false => Err(SynthError::Options {
                    what: format!("a heading cannot be {} radians", limits::Shown(heading)),
                }),
            }
        }
        Start::Best => Ok(()),
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
        self.all_starts(&self.edges.nodes)
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
        state.arc + state.waited
    }

    fn progress_at_goal(&self) -> f64 {
        self.path.length() + WAIT_M * self.actions.len() as f64
    }

    #[inline]
    fn group(&self, state: &PathState) -> u32 {
        let piece = state.piece as usize;
        let first = self.first_group[piece];
        match self.pieces[piece].action {
            None => first,
            Some(_) if state.happened => first + 2,
            // In a clip that comes to the event: such a walk is not compared with those that know nothing of it yet.
            Some(a) => first + u32::from(self.actions[a].is_ahead(state.node)),
        }
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
