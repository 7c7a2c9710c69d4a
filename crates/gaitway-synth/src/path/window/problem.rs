//! From one state of a walk to another, along the path: the search problem of a window.

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use crate::path::edge_paths::{Turn, apply};
use crate::path::objective::{PathProblem, PathState};
use crate::search::{
    Ask, DeadEnd, DeadEnds, Estimate, Explain, GraphProblem, Guide, Key, Layers, SearchResult, Step,
};

/// The kept tail.
pub(super) struct Tail {
    pub(super) node: NodeId,
    /// The old walk's state there.
    pub(super) state: PathState,
    /// Count, Σx, Σz and Σ|p|² of its roots, about the first.
    pub(super) count: f64,
    pub(super) sum: [f64; 2],
    pub(super) square: f64,
}

impl Tail {
    /// Σ ‖Δ p − p‖² over its frames, and Δ.
    pub(super) fn moved(&self, world: &Turn) -> (f64, Planar) {
        let of = |w: &Turn| Planar::new(w[1].atan2(w[0]), w[2], w[3]);
        let (old, new) = (of(&self.state.world), of(world));
        let delta = new.compose(old.inverse());
        // About the tail's first root q: Δp − p = (R − 1)(p − q) + (Δq − q).
        let q = self.state.last;
        let (sin, cos) = delta.theta.sin_cos();
        let there = apply(&[cos, sin, delta.x, delta.z], q);
        let t = [there[0] - q[0], there[1] - q[1]];
        let a = [
            (cos - 1.0) * self.sum[0] + sin * self.sum[1],
            -sin * self.sum[0] + (cos - 1.0) * self.sum[1],
        ];
        let turned = 2.0 * (1.0 - cos) * self.square;
        let shifted = self.count * (t[0] * t[0] + t[1] * t[1]);
        (
            (turned + shifted + 2.0 * (a[0] * t[0] + a[1] * t[1])).max(0.0),
            delta,
        )
    }
}

pub(super) struct WindowProblem<'a, 'g> {
    pub(super) path: &'a PathProblem<'g>,
    pub(super) start: PathState,
    pub(super) tail: Option<Tail>,
    /// Metres from each node to the tail's first, at least.
    pub(super) to_join: Vec<f64>,
}

#[derive(Clone, Copy)]
pub(super) struct WindowState {
    pub(super) along: PathState,
    pub(super) done: bool,
}

/// A tail further off than this, on average, is not joined: the walk passes its node by.
const JOIN_M: f64 = 0.6;

impl GraphProblem for WindowProblem<'_, '_> {
    type State = WindowState;

    fn graph(&self) -> &MotionGraph {
        self.path.graph()
    }

    fn node(&self, s: &WindowState) -> NodeId {
        s.along.node
    }

    fn start_states(&self) -> Vec<WindowState> {
        vec![WindowState {
            along: self.start,
            done: false,
        }]
    }

    fn step(
        &self,
        from: &WindowState,
        edge: EdgeId,
        ask: Ask,
    ) -> Result<Step<WindowState>, DeadEnd> {
        let step = self.path.step(&from.along, edge, ask)?;
        let along = step.state;
        let (mut cost, mut done) = (step.cost, along.done);
        if let Some(tail) = &self.tail {
            if done || along.arc > tail.state.arc + 2.0 {
                return Err(DeadEnd::Other);
            }
            let same = (along.piece, along.happened) == (tail.state.piece, tail.state.happened);
            if along.node == tail.node && same {
                let ahead = along.arc - tail.state.arc;
                let sum = tail.moved(&along.world).0 + tail.count * ahead * ahead;
                if sum <= tail.count * JOIN_M * JOIN_M {
                    cost += sum;
                    done = true;
                }
            }
        }
        Ok(Step {
            state: WindowState { along, done },
            cost,
            frames: step.frames,
        })
    }

    fn is_goal(&self, s: &WindowState) -> bool {
        s.done
    }

    fn placement(&self, start: &WindowState) -> Planar {
        start.along.world_from_clip()
    }
}

impl Layers for WindowProblem<'_, '_> {
    fn progress(&self, s: &WindowState) -> f64 {
        s.along.arc
    }

    fn progress_at_goal(&self) -> f64 {
        match &self.tail {
            Some(tail) => tail.state.arc,
            None => self.path.progress_at_goal(),
        }
    }

    fn group(&self, s: &WindowState) -> u32 {
        self.path.group(&s.along)
    }
}

impl Key for WindowProblem<'_, '_> {
    fn key(&self, s: &WindowState) -> u64 {
        self.path.key(&s.along)
    }
}

impl Estimate for WindowProblem<'_, '_> {}

impl Guide for WindowProblem<'_, '_> {
    fn guide(&self, s: &WindowState) -> f64 {
        let late = match &self.tail {
            Some(tail) => s.along.arc + self.to_join[s.along.node.index()] - tail.state.arc,
            None => 0.0,
        };
        let late = late.clamp(0.0, 10.0);
        self.path.guide(&s.along) + 8.0 * late * late
    }
}

impl Explain for WindowProblem<'_, '_> {
    fn explain(&self, dead_ends: &DeadEnds<WindowState>) -> String {
        match dead_ends.furthest {
            Some((_, why)) if self.tail.is_some() => format!(
                "no other way was found to where the kept part goes on ({})",
                why.words()
            ),
            _ => "no other way was found to the end".to_owned(),
        }
    }
}

/// The tail of a walk from its node at a place.
pub(super) fn tail_of(
    problem: &PathProblem<'_>,
    old: &SearchResult<PathState>,
    state: &PathState,
) -> Tail {
    let places = problem.places(old);
    let q = state.last;
    let mut tail = Tail {
        node: state.node,
        state: *state,
        count: 0.0,
        sum: [0.0; 2],
        square: 0.0,
    };
    for p in places.iter().skip(state.frames as usize) {
        let d = [p[0] - q[0], p[1] - q[1]];
        tail.count += 1.0;
        tail.sum = [tail.sum[0] + d[0], tail.sum[1] + d[1]];
        tail.square += d[0] * d[0] + d[1] * d[1];
    }
    tail
}
