//! A window of a found walk, solved again.
//!
//! What lies before the window is kept as it is. What lies after it keeps its edges: the new window must end at the node where
//! the kept tail begins. Its placement there is seldom the old one to the millimetre, so the tail is carried along, rigidly, and
//! what that costs is part of the search's sum: with Δ the turn and shift from the old placement to the new, over the tail's
//! roots p_i,
//!
//!   Σ_i ‖Δ p_i − p_i‖²  +  n (s′ − s)²
//!
//! in closed form from n, Σp, Σ|p|²; the second term is the arc length won or lost, by which the path's point runs ahead
//! of every frame of the tail. Both have the unit of eq. 4.15, so the search weighs a better window against a moved tail as the
//! whole walk's cost would. How far the tail moved is told. Where the tail then ends before the path does, it is walked on.
//!
//! Checked by: tests/path_edit.rs.

mod problem;

use gaitway_graph::{EdgeId, MotionGraph};
use serde::Serialize;

use self::problem::{WindowProblem, WindowState, tail_of};
use super::Path;
use super::edge_paths::EdgePaths;
use super::follow::{Followed, PER_METRE};
use super::objective::{PathProblem, PathState};
use super::options::PathOptions;
use super::played::Played;
use super::reach::metres_to;
use crate::SynthError;
use crate::search::{
    Ask, BeamOptions, Budget, Control, GraphProblem, Layers, Outcome, SearchEnd, SearchResult,
    beam_search, watched,
};

/// Which part of a walk is solved again, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Seconds of the walk at which it may begin to differ; the last node before is kept.
    pub from_s: f64,
    /// Seconds at which the old walk is to go on; the first node after is where it does. Past the end: to the path's end.
    pub to_s: f64,
    /// What a frame costs that the old window plays, m²; 0 allows the same again; default 0.004.
    pub differ: f64,
    /// Same seed, same window.
    pub seed: u64,
    /// What may be spent; twice the default per metre of the window where not given.
    pub budget: Option<Budget>,
}

impl Window {
    /// A window in seconds, otherwise with defaults.
    pub fn new(from_s: f64, to_s: f64) -> Self {
        Self {
            from_s,
            to_s,
            differ: 0.004,
            seed: 0,
            budget: None,
        }
    }
}

/// How far the kept tail moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TailMoved {
    /// Root of the mean square over its frames, metres.
    pub rms_m: f64,
    /// At its first frame, metres.
    pub at_join_m: f64,
    /// Its turn, radians.
    pub turn_rad: f64,
    /// Metres of path by which it is ahead (or, negative, behind) of before.
    pub ahead_m: f64,
}

/// A walk with a window solved again.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The whole walk. Where no other window was found it is the old one, and the outcome gives the reason.
    pub followed: Followed,
    /// Seconds of the new walk that are new: from, to.
    pub window_s: (f64, f64),
    /// How far the kept tail moved; nothing where there is none, or all is as before.
    pub moved: TailMoved,
}

/// States of a walk at its nodes, and the frames before each.
struct Replayed {
    states: Vec<PathState>,
    costs: Vec<f64>,
    last_frames: u32,
    edges: Vec<EdgeId>,
}

/// Walks edges again, up to the goal, a dead end, or its own end; the last edge no further than asked.
fn walk_again(
    problem: &PathProblem<'_>,
    start: PathState,
    edges: &[EdgeId],
    last_frames: u32,
) -> Replayed {
    let mut out = Replayed {
        states: vec![start],
        costs: vec![0.0],
        last_frames: 0,
        edges: Vec::with_capacity(edges.len()),
    };
    let (mut state, mut cost) = (start, 0.0);
    for (k, &edge) in edges.iter().enumerate() {
        let mut ask = Ask::ALL;
        if k + 1 == edges.len() {
            ask.most_frames = last_frames;
        }
        let Ok(step) = problem.step(&state, edge, ask) else {
            break;
        };
        state = step.state;
        cost += step.cost;
        out.last_frames = step.frames;
        out.edges.push(edge);
        out.states.push(state);
        out.costs.push(cost);
        if problem.is_goal(&state) {
            break;
        }
    }
    out
}

/// Solves a window of a walk along a path again and keeps the rest of its edges.
///
/// # Errors
/// As [`super::follow_path`]; when there is no walk to change, or the window is none. That no other window was found is an
/// outcome, and the old walk comes back with it.
pub fn resolve_window(
    graph: &MotionGraph,
    edges: &EdgePaths,
    path: &Path,
    options: &PathOptions,
    followed: &Followed,
    window: &Window,
    control: Control<'_>,
) -> Result<Resolved, SynthError> {
    let old = &followed.found;
    let valid = window.from_s >= 0.0 && window.to_s > window.from_s && window.to_s < 1e9;
    let (Some(start), true) = (old.start, valid && !old.actions.is_empty()) else {
        let what = format!(
            "there is nothing to solve again from {} to {} s",
            window.from_s, window.to_s
        );
        return Err(SynthError::Options { what });
    };
    if !(0.0..1e6).contains(&window.differ) {
        let what = format!("a frame cannot cost {}", window.differ);
        return Err(SynthError::Options { what });
    }
    let plain = PathProblem::new(graph, edges, path, options)?;
    let before = walk_again(&plain, start, old.edges(), old.last_frames);
    if before.edges.len() < old.edges().len() && !before.states.iter().any(|s| s.done) {
        let reason = "the old walk does not keep to what is asked for now".to_owned();
        return Ok(unchanged(followed, reason, (0, SearchEnd::Complete)));
    }
    let rate = graph.working_rate_hz();
    let nodes = &before.states;
    // Nodes before which, and from which, the walk is kept.
    let first = nodes.partition_point(|s| f64::from(s.frames) <= window.from_s * rate) - 1;
    let join = nodes.partition_point(|s| f64::from(s.frames) < window.to_s * rate);
    let first = first.min(old.edges().len() - 1);
    let join = join.max(first + 1);
    let tail = (join < before.edges.len()).then(|| tail_of(&plain, old, &nodes[join]));
    let mut played = Played::new(graph);
    played.add(graph, &old.edges()[first..join.min(old.edges().len())]);
    let extra_cost = played.per_frame(graph, window.differ);
    let differing = PathProblem::new(graph, edges, path, options)?.with_extra_cost(extra_cost);
    let to_join = match &tail {
        Some(tail) => metres_to(
            graph,
            edges,
            |e| graph.to(e) == tail.node && !plain.is_forbidden(e),
            |e| !plain.is_forbidden(e),
        ),
        None => Vec::new(),
    };
    let problem = WindowProblem {
        path: &differing,
        start: nodes[first],
        tail,
        to_join,
    };
    let metres = (problem.progress_at_goal() - nodes[first].arc).max(4.0);
    let budget = window
        .budget
        .unwrap_or_else(|| Budget::expansions((metres * 2.0 * PER_METRE as f64) as u64));
    let beam = BeamOptions {
        seed: window.seed,
        ..BeamOptions::default()
    };
    let new = watched(&problem, control, |c| {
        beam_search(&problem, &beam, &budget, c)
    });
    if !new.complete {
        let reason = match new.outcome {
            Outcome::NoWalk { reason } => reason,
            _ => "the budget was spent before another way was found".to_owned(),
        };
        return Ok(unchanged(followed, reason, (new.expansions, new.search)));
    }
    joined(&plain, followed, &problem, (first, join), &new, control)
}

fn unchanged(
    followed: &Followed,
    reason: String,
    (expansions, search): (u64, SearchEnd),
) -> Resolved {
    let mut followed = followed.clone();
    followed.found.outcome = Outcome::NoWalk { reason };
    (followed.found.expansions, followed.found.search) = (expansions, search);
    Resolved {
        followed,
        window_s: (0.0, 0.0),
        moved: TailMoved::default(),
    }
}

/// Head, new window and tail as one walk.
fn joined(
    plain: &PathProblem<'_>,
    followed: &Followed,
    problem: &WindowProblem<'_, '_>,
    (first, join): (usize, usize),
    new: &SearchResult<WindowState>,
    control: Control<'_>,
) -> Result<Resolved, SynthError> {
    let old = &followed.found;
    let mut edges = old.edges()[..first].to_vec();
    edges.extend_from_slice(new.edges());
    let mut last_frames = new.last_frames;
    let mut moved = TailMoved::default();
    if let (Some(tail), Some(end)) = (&problem.tail, new.end) {
        edges.extend_from_slice(&old.edges()[join..]);
        // Ahead or behind, the last edge may have to be played further than before.
        last_frames = if old.complete {
            u32::MAX
        } else {
            old.last_frames
        };
        let (sum, delta) = tail.moved(&end.along.world);
        moved = TailMoved {
            rms_m: (sum / tail.count.max(1.0)).sqrt(),
            at_join_m: (end.along.last[0] - tail.state.last[0])
                .hypot(end.along.last[1] - tail.state.last[1]),
            turn_rad: gaitway_core::planar::wrap_angle(delta.theta),
            ahead_m: end.along.arc - tail.state.arc,
        };
    }
    let start = old.start.unwrap_or(problem.start);
    let mut again = walk_again(plain, start, &edges, last_frames);
    let (mut expansions, mut search) = (new.expansions, new.search);
    let mut end = again.states[again.states.len() - 1];
    let mut cost = again.costs[again.costs.len() - 1];
    if again.edges.len() < edges.len() && !end.done {
        let reason = "the kept part, where it came to lie, runs into something".to_owned();
        return Ok(unchanged(followed, reason, (expansions, search)));
    }
    if old.complete && !end.done {
        let rest = WindowProblem {
            path: plain,
            start: end,
            tail: None,
            to_join: Vec::new(),
        };
        let budget = Budget::expansions(2 * PER_METRE);
        let on = watched(&rest, control, |c| {
            beam_search(&rest, &BeamOptions::default(), &budget, c)
        });
        expansions += on.expansions;
        search = search.and(on.search);
        if let (true, Some(e)) = (on.complete, on.end) {
            again.edges.extend_from_slice(on.edges());
            again.last_frames = on.last_frames;
            (end, cost) = (e.along, cost + on.cost);
        }
    }
    let rate = plain.graph().working_rate_hz();
    let seconds = |frames: u32| f64::from(frames) / rate;
    let from = problem.start.frames;
    let to = new.end.map_or(from, |e| e.along.frames);
    let found = SearchResult {
        start: Some(start),
        end: Some(end),
        actions: again.edges,
        last_frames: again.last_frames,
        cost,
        bound: None,
        searches: 1,
        expansions,
        complete: end.done,
        outcome: if end.done || !old.complete {
            Outcome::Solved
        } else {
            Outcome::BudgetSpent
        },
        search,
        deterministic: new.deterministic,
        seconds: new.seconds,
    };
    Ok(Resolved {
        followed: Followed::of(plain, found)?,
        window_s: (seconds(from), seconds(to)),
        moved,
    })
}
