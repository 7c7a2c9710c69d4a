//! Where a walk leaves its path, and why.
//!
//! A search that cannot do better still arrives: it brings back the nearest walk there is. That is no answer to be taken
//! without a word. A walk that is further from the path than [`PathOptions::off_path_m`](super::PathOptions) anywhere is told
//! with the stretch where it is so, how far off it gets, and how sharply the path bends there against how sharply the
//! label's transitions turn.

use std::collections::BTreeSet;

use gaitway_core::planar::wrap_angle;
use gaitway_graph::EdgeId;
use glam::DVec2;
use serde::Serialize;

use super::objective::PathProblem;
use super::styles::StylePiece;
use crate::search::Found;
use crate::search::path::PathState;

/// Where and why a walk is off its path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftPath {
    /// Metres of path at which it first is further away than allowed.
    pub from_m: f64,
    /// Metres of path at which it last is.
    pub to_m: f64,
    /// The part of its frames that are.
    pub part: f64,
    /// How far away it gets, metres.
    pub worst_m: f64,
    /// What is asked for there; `None` where anything goes.
    pub label: Option<String>,
    /// How sharply the path bends there, degrees over a metre.
    pub asks_deg_m: f64,
    /// How sharply the transitions of that label turn: 95 % of them less than this, degrees a metre.
    pub turns_deg_m: f64,
    /// All this in words.
    pub words: String,
}

/// Where a found walk leaves its path, if it does.
pub(crate) fn left_path(problem: &PathProblem<'_>, found: &Found<PathState>) -> Option<LeftPath> {
    let path = problem.path();
    let limit = problem.options().off_path_m;
    let places = problem.places(found);
    let gamma = problem.options().least_progress_m;
    let (mut arc, mut last) = (0.0, DVec2::from_array(*places.first()?));
    let mut off: Option<(f64, f64)> = None;
    let (mut worst, mut count) = (0.0_f64, 0_usize);
    for (k, &p) in places.iter().enumerate() {
        let p = DVec2::from_array(p);
        if k > 0 {
            arc += p.distance(last).max(gamma);
        }
        last = p;
        let s = arc.min(path.length());
        // Nearby first: all of the path is only looked at where that is not near.
        let mut away = path.distance_within(p, s - 1.0, s + 1.0);
        if away > limit {
            away = path.distance(p);
        }
        if away > limit {
            off = Some((off.map_or(s, |o| o.0), s));
            worst = worst.max(away);
            count += 1;
        }
    }
    let (from_m, to_m) = off?;
    let piece = problem
        .pieces()
        .iter()
        .rev()
        .find(|p| p.from <= from_m + 1e-6)
        .or(problem.pieces().first())?;
    let asks_deg_m = sharpest(problem, from_m).to_degrees();
    let turns_deg_m = turning(problem, piece).to_degrees();
    let label = piece.label.map(|l| {
        crate::search::Problem::graph(problem)
            .labels()
            .name(l)
            .to_owned()
    });
    let who = label
        .as_deref()
        .map_or_else(|| "what may be played".to_owned(), |l| format!("`{l}`"));
    let why = if asks_deg_m > turns_deg_m {
        format!(
            "the path bends by {asks_deg_m:.0}° over a metre there; transitions of {who} turn by {turns_deg_m:.0}° a metre at most"
        )
    } else {
        format!(
            "nothing nearer was found; {who} has {} to make it from: more of it, mirrored clips, higher thresholds or a larger budget may help",
            material(problem, piece)
        )
    };
    Some(LeftPath {
        words: format!(
            "off the path from {from_m:.1} to {to_m:.1} m, by up to {worst:.2} m: {why}"
        ),
        from_m,
        to_m,
        part: count as f64 / places.len() as f64,
        worst_m: worst,
        label,
        asks_deg_m,
        turns_deg_m,
    })
}

/// How much there is to play in a piece, in words.
fn material(problem: &PathProblem<'_>, piece: &StylePiece) -> String {
    let graph = crate::search::Problem::graph(problem);
    let mut clips = BTreeSet::new();
    let mut seconds = 0.0;
    for edge in graph.edges() {
        let played = !graph.is_transition(edge) && !problem.is_forbidden(edge);
        if played && piece.allows(graph.edge_labels(edge)) {
            clips.insert(graph.source_range(edge).0);
            seconds += graph.seconds(edge);
        }
    }
    let clips = match clips.len() {
        1 => "one clip".to_owned(),
        n => format!("{n} clips"),
    };
    format!("{seconds:.1} s of {clips}")
}

/// The sharpest bend of the path about a place, radians over a metre.
fn sharpest(problem: &PathProblem<'_>, at: f64) -> f64 {
    let path = problem.path();
    let bend = |s: f64| wrap_angle(path.heading(s + 0.5) - path.heading(s - 0.5)).abs();
    (-10..=10)
        .map(|k| bend(at + 0.1 * f64::from(k)))
        .fold(0.0, f64::max)
}

/// How sharply what may be played in a piece turns: the body's turn over each transition, a metre, 95 % of them less.
fn turning(problem: &PathProblem<'_>, piece: &StylePiece) -> f64 {
    let graph = crate::search::Problem::graph(problem);
    let edges = problem.edge_paths();
    let one = |edge: EdgeId| {
        let turn = &edges.turns[edge.index()];
        let (a, b) = (graph.from(edge).index(), graph.to(edge).index());
        let after = edges.nodes[b].facing + turn[1].atan2(turn[0]);
        let angle = wrap_angle(after - edges.nodes[a].facing).abs();
        angle / edges.lengths[edge.index()].max(0.1)
    };
    let mut all: Vec<f64> = graph
        .edges()
        .filter(|&e| graph.is_transition(e) && !problem.is_forbidden(e))
        .filter(|&e| piece.allows(graph.edge_labels(e)))
        .map(one)
        .collect();
    if all.is_empty() {
        return 0.0;
    }
    let at = (all.len() - 1) * 95 / 100;
    *all.select_nth_unstable_by(at, f64::total_cmp).1
}
