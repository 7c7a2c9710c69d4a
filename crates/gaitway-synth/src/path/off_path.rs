//! Where a walk leaves its path, and why.
//!
//! A search that cannot do better still arrives: it brings back the nearest walk there is. That is no answer to be taken
//! without a word. A walk that is further from the path than [`PathOptions::off_path_m`](crate::path::PathOptions) anywhere is told
//! with the stretch where it is so, how far off it gets, and how sharply the path bends there against how sharply the
//! label's transitions turn.

use std::collections::BTreeSet;

use gaitway_core::planar::wrap_angle;
use gaitway_graph::EdgeId;
use glam::DVec2;
use serde::Serialize;

use crate::path::PathProblem;
use crate::path::PathState;
use crate::path::Start;
use crate::path::StylePiece;
use crate::search::{GraphProblem, SearchResult};

/// A stretch of path where a walk is further away than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OffRange {
    /// Metres of path.
    pub from_m: f64,
    /// Metres of path.
    pub to_m: f64,
    /// How far away it gets, metres.
    pub worst_m: f64,
    /// Seconds of the walk.
    pub from_s: f64,
    /// Seconds of the walk.
    pub to_s: f64,
    /// The path's own place at `from_m`, x and z in metres: where obstacles lead the path round, metres along the one that was drawn
    /// are others.
    pub from_at: [f64; 2],
    /// The path's own place at `to_m`.
    pub to_at: [f64; 2],
}

/// Where and why a walk is off its path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OffPath {
    /// Metres of path at which it first is further away than allowed.
    pub from_m: f64,
    /// Metres of path at which it last is.
    pub to_m: f64,
    /// Each stretch on its own, along the path; at most 32, the worst where there are more.
    pub ranges: Vec<OffRange>,
    /// How many stretches there are.
    pub range_count: usize,
    /// The part of its frames that are.
    pub part: f64,
    /// How far away it gets, metres.
    pub worst_m: f64,
    /// What is asked for where it first is; `None` where anything goes.
    pub label: Option<String>,
    /// How sharply the path bends there, degrees over a metre.
    pub asks_deg_m: f64,
    /// How sharply the transitions of that label turn: 95 % of them less than this, degrees a metre.
    pub turns_deg_m: f64,
    /// All this in words.
    pub words: String,
}

/// Stretches nearer to one another than this are one, metres of path.
const APART_M: f64 = 0.5;
/// Stretches that are told one by one.
const MOST_RANGES: usize = 32;
/// Stretches that are told in words.
const MOST_SAID: usize = 4;

/// The stretches where a walk is further away than allowed, and how many of its frames are.
fn stretches(problem: &PathProblem<'_>, places: &[[f64; 2]]) -> (Vec<OffRange>, usize) {
    let path = problem.path();
    let limit = problem.options().off_path_m;
    let gamma = problem.options().least_progress_m;
    let mut out: Vec<OffRange> = Vec::new();
    let (mut arc, mut count) = (0.0, 0);
    let mut last: Option<DVec2> = None;
    let seconds = |k: usize| k as f64 / problem.graph().working_rate_hz();
    for (k, &p) in places.iter().enumerate() {
        let p = DVec2::from_array(p);
        arc += last.map_or(0.0, |q| p.distance(q).max(gamma));
        last = Some(p);
        let s = arc.min(path.length());
        // Nearby first: all of the path is only looked at where that is not near.
        let mut away = path.distance_within(p, s - 1.0, s + 1.0);
        if away > limit {
            away = path.distance(p);
        }
        if away <= limit {
            continue;
        }
        count += 1;
        match out.last_mut() {
            Some(r) if s - r.to_m < APART_M => {
                r.to_m = s;
                r.to_s = seconds(k);
                r.to_at = path.at(s).to_array();
                r.worst_m = r.worst_m.max(away);
            }
            _ => out.push(OffRange {
                from_m: s,
                to_m: s,
                worst_m: away,
                from_s: seconds(k),
                to_s: seconds(k),
                from_at: path.at(s).to_array(),
                to_at: path.at(s).to_array(),
            }),
        }
    }
    (out, count)
}

/// Where a found walk leaves its path, if it does.
pub(crate) fn off_path(
    problem: &PathProblem<'_>,
    found: &SearchResult<PathState>,
) -> Option<OffPath> {
    let places = problem.places(found);
    let (mut ranges, count) = stretches(problem, &places);
    let (from_m, to_m) = (ranges.first()?.from_m, ranges.last()?.to_m);
    let worst_m = ranges.iter().map(|r| r.worst_m).fold(0.0, f64::max);
    let range_count = ranges.len();
    if range_count > MOST_RANGES {
        ranges.sort_by(|a, b| b.worst_m.total_cmp(&a.worst_m));
        ranges.truncate(MOST_RANGES);
        ranges.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
    }
    let piece = problem
        .pieces()
        .iter()
        .rev()
        .find(|p| p.from <= from_m + 1e-6)
        .or(problem.pieces().first())?;
    let asks_deg_m = sharpest(problem, from_m).to_degrees();
    let turns_deg_m = turning(problem, piece).to_degrees();
    let label = piece
        .label
        .map(|l| problem.graph().labels().name(l).to_owned());
    let who = label
        .as_deref()
        .map_or_else(|| "what may be played".to_owned(), |l| format!("`{l}`"));
    let there = if range_count > 1 {
        " at the first"
    } else {
        " there"
    };
    // A start beside the path is a reason of its own: what bends where is beside the point until the path is reached.
    let start_m = match problem.options().start {
        Start::At { x, z, .. } => problem.path().distance(DVec2::new(x, z)),
        Start::Best => 0.0,
    };
    let why = if start_m > problem.options().off_path_m && ranges[0].from_s < 1.0 {
        format!(
            "the start asked for is {start_m:.2} m from the path: draw the path from there on, or begin on it"
        )
    } else if asks_deg_m > turns_deg_m {
        format!(
            "the path bends by {asks_deg_m:.0}° over a metre{there}; transitions of {who} turn by {turns_deg_m:.0}° a metre at most"
        )
    } else {
        format!(
            "nothing nearer was found; {who} has {} to make it from: more of it, mirrored clips, higher thresholds or a larger budget may help",
            material(problem, piece)
        )
    };
    Some(OffPath {
        words: format!(
            "off the path {}, by up to {worst_m:.2} m: {why}",
            said(&ranges, range_count)
        ),
        from_m,
        to_m,
        ranges,
        range_count,
        part: count as f64 / places.len() as f64,
        worst_m,
        label,
        asks_deg_m,
        turns_deg_m,
    })
}

/// `from 2.1 to 3.0 m`; where there are several, each with how far away it gets.
fn said(ranges: &[OffRange], count: usize) -> String {
    if let [one] = ranges {
        return format!("from {:.1} to {:.1} m", one.from_m, one.to_m);
    }
    let one = |r: &OffRange| format!("{:.1} to {:.1} m ({:.2} m)", r.from_m, r.to_m, r.worst_m);
    let mut text: Vec<String> = ranges.iter().take(MOST_SAID).map(one).collect();
    if count > text.len() {
        text.push(format!("{} more", count - text.len()));
    }
    format!("in {count} places, {}", text.join(", "))
}

/// Whether an edge is what a piece's words speak of: its style, or where it has none, all that may be played there.
fn is_spoken_of(problem: &PathProblem<'_>, piece: &StylePiece, edge: EdgeId) -> bool {
    problem.permits(piece, edge) && (piece.label.is_none() || problem.is_of_style(piece, edge))
}

/// How much there is to play in a piece, in words.
fn material(problem: &PathProblem<'_>, piece: &StylePiece) -> String {
    let graph = problem.graph();
    let mut clips = BTreeSet::new();
    let mut seconds = 0.0;
    for edge in graph.edges() {
        let own = graph.captured_seconds(edge);
        if own > 0.0 && !problem.is_forbidden(edge) && is_spoken_of(problem, piece, edge) {
            clips.insert(graph.source_range(edge).0);
            seconds += own;
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
    let graph = problem.graph();
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
        .filter(|&e| is_spoken_of(problem, piece, e))
        .map(one)
        .collect();
    if all.is_empty() {
        return 0.0;
    }
    let at = (all.len() - 1) * 95 / 100;
    *all.select_nth_unstable_by(at, f64::total_cmp).1
}
