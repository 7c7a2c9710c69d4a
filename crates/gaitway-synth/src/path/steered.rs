//! A path searched with a longer view, where a walk that was found is far from it.
//!
//! The beam ranks walks by where the clip under way leads within half a second: enough in a graph that can turn at any time, and the
//! best there is. In a graph of few transitions walks that look alike are not: one can turn a step later, another seconds later, and
//! by then the path has bent away. There the same search is done again, guided by what [`Steering`] knows, and the better walk is
//! kept: what was near its path already costs nothing more, and is what it was.

use std::sync::Arc;

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use super::edge_paths::{apply, compose};
use super::objective::{PathProblem, PathState};
use super::steer::Steering;
use super::styles::StylePiece;
use crate::search::{
    Ask, DeadEnd, DeadEnds, Estimate, Explain, GraphProblem, Guide, Key, Layers, Step,
};

/// The path is taken to be a line to where it is so far ahead.
const AHEAD_M: f64 = 1.0;
/// What being behind costs while it is made good, in frames.
const BEHIND: f64 = 5.0;

/// A path problem whose guide sees how well the graph can steer.
pub(super) struct Steered<'a, 'g> {
    problem: &'a PathProblem<'g>,
    /// Per piece; nothing where one leads to an action, which has a place of its own.
    steering: Vec<Option<Arc<Steering>>>,
    /// How much steering counts beside the next half second, which is known better.
    counts: f64,
}

impl<'a, 'g> Steered<'a, 'g> {
    /// Nothing where no piece can be steered in, or the graph is so dense that it need not.
    pub fn new(problem: &'a PathProblem<'g>, counts: f64) -> Option<Self> {
        let graph = problem.graph();
        let edges = problem.edge_paths();
        let of = |piece: &StylePiece| {
            if piece.action.is_some() {
                return None;
            }
            let may = |e: EdgeId| !problem.is_forbidden(e) && problem.permits(piece, e);
            edges.steering.of(graph, edges, graph.edges().map(may))
        };
        let steering: Vec<_> = problem.pieces().iter().map(of).collect();
        let any = steering.iter().any(Option::is_some);
        any.then_some(Self {
            problem,
            steering,
            counts,
        })
    }

    /// What it takes to come onto the path from a place at which a clip lies turned so.
    #[inline]
    fn to_come(
        &self,
        state: &PathState,
        arc: f64,
        node: NodeId,
        at: [f64; 2],
        [cos, sin]: [f64; 2],
    ) -> f64 {
        let piece = state.piece as usize;
        let Some(steering) = &self.steering[piece] else {
            return 0.0;
        };
        let path = self.problem.path();
        let end = self.problem.pieces()[piece].to;
        let here = path.at(arc.min(end));
        let way = path.at((arc + AHEAD_M).min(path.length())) - here;
        let length = way.length();
        if length < 0.05 {
            return 0.0;
        }
        // The way's heading is h with (sin h, cos h) = (x, z); left of it is (cos h, −sin h).
        let (sin_h, cos_h) = (way.x / length, way.y / length);
        let d = [at[0] - here.x, at[1] - here.y];
        let offset = d[0] * cos_h - d[1] * sin_h;
        let behind = d[0] * sin_h + d[1] * cos_h;
        let turn = (sin * cos_h - cos * sin_h).atan2(cos * cos_h + sin * sin_h);
        // Beyond the path's end nothing is asked for.
        let part = ((end - arc) / 2.0).clamp(0.0, 1.0);
        self.counts * part * (steering.value(node, offset, turn) + BEHIND * behind * behind)
    }
}

impl GraphProblem for Steered<'_, '_> {
    type State = PathState;

    fn graph(&self) -> &MotionGraph {
        self.problem.graph()
    }

    fn node(&self, state: &PathState) -> NodeId {
        self.problem.node(state)
    }

    fn start_states(&self) -> Vec<PathState> {
        match self.steering.first() {
            Some(Some(first)) => self.problem.all_starts(&first.onward),
            _ => GraphProblem::start_states(self.problem),
        }
    }

    #[inline]
    fn step(&self, from: &PathState, edge: EdgeId, ask: Ask) -> Result<Step<PathState>, DeadEnd> {
        GraphProblem::step(self.problem, from, edge, ask)
    }

    fn is_goal(&self, state: &PathState) -> bool {
        GraphProblem::is_goal(self.problem, state)
    }

    fn placement(&self, start: &PathState) -> Planar {
        self.problem.placement(start)
    }
}

impl Layers for Steered<'_, '_> {
    fn progress(&self, state: &PathState) -> f64 {
        self.problem.progress(state)
    }

    fn progress_at_goal(&self) -> f64 {
        self.problem.progress_at_goal()
    }

    fn group(&self, state: &PathState) -> u32 {
        self.problem.group(state)
    }
}

impl Key for Steered<'_, '_> {
    #[inline]
    fn key(&self, state: &PathState) -> u64 {
        self.problem.key(state)
    }
}

impl Estimate for Steered<'_, '_> {}

impl Guide for Steered<'_, '_> {
    #[inline]
    fn guide(&self, state: &PathState) -> f64 {
        let Some(steering) = &self.steering[state.piece as usize] else {
            return self.problem.guide(state);
        };
        let near = self
            .problem
            .guess_by(state, &steering.onward[state.node.index()]);
        let turned = [state.world[0], state.world[1]];
        near + self.to_come(state, state.arc, state.node, state.last, turned)
    }

    fn run_off(&self) -> f64 {
        self.problem.run_off()
    }

    #[inline]
    fn glance(&self, state: &PathState, edge: EdgeId) -> Option<(f64, f64)> {
        let Some(steering) = &self.steering[state.piece as usize] else {
            return self.problem.glance(state, edge);
        };
        let to = self.graph().to(edge);
        let onward = &steering.onward[to.index()];
        let (progress, rank) = self.problem.look_by(state, edge, Some(onward))?;
        let edges = self.problem.edge_paths();
        let end = edges.rows(edge).last()?;
        let at = apply(&state.world, [end.x, end.z]);
        let world = compose(&state.world, &edges.turns[edge.index()]);
        let arc = state.arc + edges.lengths[edge.index()];
        let to_come = self.to_come(state, arc, to, at, [world[0], world[1]]);
        Some((progress, rank + to_come))
    }
}

impl Explain for Steered<'_, '_> {
    fn explain(&self, dead_ends: &DeadEnds<PathState>) -> String {
        self.problem.explain(dead_ends)
    }
}
