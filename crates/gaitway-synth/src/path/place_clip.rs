//! To end in a clip, or in any clip of a label, at a place and heading.                [Kovar04] section 4.2.2
//!
//!   cost = Σ_frames ‖P_w(s) − P(s)‖² + c₁ (θ′ − θ)² + c₂ ((x′ − x)² + (z′ − z)²)
//!
//! The paper asks for the second part alone and gets a character that dithers: nothing says what to do on the way. Here a
//! curve from start to target says it (a cubic that leaves and arrives in the right headings), and any clip of a label
//! will do where the user does not mind which. Of a label it is the event that is placed, of a clip by name its first frame.

use gaitway_core::Planar;
use gaitway_core::limits;
use gaitway_core::planar::heading_of;
use gaitway_graph::events::{ClipEvent, events_of};
use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, NodeId};
use glam::DVec2;

use super::edge_paths::EdgePaths;
use super::follow::{SEARCHES, default_budget};
use super::goal::{PER_M2, PER_RAD2, Wanted};
use super::objective::{EndsWith, PathProblem};
use super::options::{PathOptions, Start};
use super::{Path, PathError};
use crate::search::{BeamOptions, Budget, Control, Outcome, SearchEnd, beam_search, watched};
use crate::walk::find_label;
use crate::{SynthError, Walk};

/// What all searches for a place may spend together at least: a near place needs as many tries as a far one to be met.
const LEAST: u64 = 8_000_000;
/// Ways that are tried, each along the lead-in of another event.
const WAYS: usize = 4;
/// So much of a clip before its event is its lead-in, seconds.
const LEAD_S: f64 = 2.5;
/// How far the way to a place swings out, by round: as a curve of that length would, tighter, wider.
const SWINGS: [f64; 3] = [1.0, 0.6, 1.5];
/// Places of a lead-in are this far apart, metres.
const APART_M: f64 = 0.1;

/// A clip to end in, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceWish {
    /// Which.
    pub wanted: Wanted,
    /// Where it is to happen, x and z in metres: the event of a label (the seat, the hand at the thing, …: see
    /// [`gaitway_core::events`]), the root in a clip's first frame.
    pub at: DVec2,
    /// Where the body faces then, radians.
    pub heading: f64,
    /// Where the character starts and faces; the origin, facing the target, where not given.
    pub start: Option<(DVec2, f64)>,
    /// c₁: per radian squared; default 40.
    pub per_rad2: f64,
    /// c₂: per metre squared; default 100.
    pub per_m2: f64,
    /// How many different walks to return at most; default 3.
    pub alternatives: usize,
    /// Same seed, same walks.
    pub seed: u64,
}

impl PlaceWish {
    /// A clip at a place and heading, the rest by default.
    pub fn new(wanted: Wanted, at: DVec2, heading: f64) -> Self {
        Self {
            wanted,
            at,
            heading,
            start: None,
            per_rad2: PER_RAD2,
            per_m2: PER_M2,
            alternatives: 3,
            seed: 0,
        }
    }
}

/// A walk that ends in the clip wanted.
#[derive(Clone, Debug)]
pub struct PlacedClip {
    /// To the end of what the graph keeps of the clip.
    pub walk: Walk,
    /// What carries its first clip into the world.
    pub world_from_start: Planar,
    /// The clip it ends in.
    pub clip: ClipId,
    /// How far from the wanted place the search put it, metres.
    pub place_error_m: f64,
    /// How far off the wanted heading, radians, without sign.
    pub heading_error_rad: f64,
    /// Cost of the search.
    pub cost: f64,
    /// Edges tried.
    pub expansions: u64,
    /// What ended the search.
    pub search: SearchEnd,
    /// The style on the way, where no walk within it and the label wanted was found, so that others may be played between them.
    pub leaves_style: Option<LabelId>,
}

/// Walks that end in a clip at a place and heading, the best first. Styles of
/// `options` hold on the way there, in metres or per cent of it.
///
/// # Errors
/// [`SynthError::NoWalk`] where it cannot be reached there; when the clip or label is not in the graph, has no event, a number is not finite, or an option cannot be.
pub fn place_clip(
    graph: &MotionGraph,
    edges: &EdgePaths,
    wish: &PlaceWish,
    options: &PathOptions,
    budget: Option<Budget>,
    control: Control<'_>,
) -> Result<Vec<PlacedClip>, SynthError> {
    place_round(graph, edges, wish, options, (budget, 0, false), control)
}

/// [`place_clip`] in one of several rounds: each has other lead-ins where there are more than are tried at once, another swing of the
/// way there, and other seeds. Where it is `relaxed`, styles may be left before the end.
pub(super) fn place_round(
    graph: &MotionGraph,
    edges: &EdgePaths,
    wish: &PlaceWish,
    options: &PathOptions,
    (budget, round, relaxed): (Option<Budget>, usize, bool),
    control: Control<'_>,
) -> Result<Vec<PlacedClip>, SynthError> {
    limits::places(wish.at.to_array()).map_err(|wrong| PathError::Limits {
        what: "the end".to_owned(),
        wrong,
    })?;
    let (from, heading) = wish
        .start
        .unwrap_or_else(|| (DVec2::ZERO, heading_of(wish.at.x, wish.at.y)));
    let asked = PathOptions {
        start: Start::At {
            x: from.x,
            z: from.y,
            heading,
        },
        ..options.clone()
    };
    let ways = ways(graph, wish, (from, heading), round)?;
    let mut out: Vec<PlacedClip> = Vec::new();
    let mut reason = None;
    for k in 0..wish.alternatives.clamp(1, 100) as u64 {
        let beam = BeamOptions {
            seed: wish.seed.wrapping_add(k * 7919 + round as u64 * 104_729),
            ..BeamOptions::default()
        };
        for path in &ways {
            let usual = default_budget(path).expansions / SEARCHES as u64;
            // The first is the one that is wanted. Alternatives shall differ, and with much to spend all find the same.
            let most = if k == 0 {
                usual.max(LEAST / ways.len() as u64)
            } else {
                usual
            };
            let budget = budget.unwrap_or_else(|| Budget::expansions(most));
            let end = Some(EndsWith { wish, relaxed });
            let problem = PathProblem::ending_in(graph, edges, path, &asked, end)?;
            let found = watched(&problem, control, |c| {
                beam_search(&problem, &beam, &budget, c)
            });
            let (Some(start), Some(end), true) = (found.start, found.end, found.complete) else {
                if let Outcome::NoWalk { reason: why } = found.outcome {
                    reason = Some(why);
                }
                continue;
            };
            let mut all = found.actions.clone();
            let Some((metres, radians)) = problem.end_error(&start, &all) else {
                continue;
            };
            play_on(graph, &mut all, end.node);
            let walk = Walk::new(graph, start.node, all)?;
            if out.iter().any(|o| o.walk == walk) {
                continue;
            }
            out.push(PlacedClip {
                walk,
                world_from_start: start.world_from_clip(),
                clip: graph.node(end.node).clip,
                place_error_m: metres,
                heading_error_rad: radians,
                cost: found.cost,
                expansions: found.expansions,
                search: found.search,
                leaves_style: problem.leaves_style(),
            });
        }
    }
    if out.is_empty() {
        let what = match &wish.wanted {
            Wanted::Clip(name) | Wanted::Label(name) => name,
        };
        let why = reason.unwrap_or_else(|| "the budget was spent".to_owned());
        let reason = format!("{what} could not be done near the place wanted: {why}");
        return Err(SynthError::NoWalk { reason });
    }
    out.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    out.truncate(wish.alternatives.clamp(1, 100));
    Ok(out)
}

/// The rest of a clip, as far as the graph keeps it.
fn play_on(graph: &MotionGraph, edges: &mut Vec<EdgeId>, mut node: NodeId) {
    while let Some(piece) = graph.out_edges(node).find(|&e| !graph.is_transition(e)) {
        edges.push(piece);
        node = graph.to(piece);
    }
}

/// Ways from the start to the place: a cubic to where the lead-in of an event begins, then the lead-in as it was recorded. So
/// nobody is asked to walk through the seat that they turn round and sit down on.
fn ways(
    graph: &MotionGraph,
    wish: &PlaceWish,
    (from, heading): (DVec2, f64),
    round: usize,
) -> Result<Vec<Path>, SynthError> {
    let swing = SWINGS[round % SWINGS.len()];
    let name = match &wish.wanted {
        Wanted::Clip(_) => {
            let points = cubic((from, heading), (wish.at, wish.heading), swing);
            return Ok(vec![Path::new(points, false)?]);
        }
        Wanted::Label(name) => name,
    };
    let events = events_of(graph, &[find_label(graph, name)?])?;
    let kept: Vec<&ClipEvent> = events.iter().filter(|e| e.piece.is_some()).collect();
    let mut out = Vec::new();
    let every = kept.len().div_ceil(WAYS).max(1);
    for event in kept.into_iter().skip(round % every).step_by(every) {
        let lead = lead_in(graph, event, wish)?;
        let Some(&first) = lead.first() else { continue };
        let arrive = match lead.get(1) {
            Some(&next) if lead.len() > 3 => heading_of(next.x - first.x, next.y - first.y),
            _ => heading_of(wish.at.x - from.x, wish.at.y - from.y),
        };
        let mut points = cubic((from, heading), (first, arrive), swing);
        points.extend(lead.into_iter().skip(1));
        // A start on the very place leaves no way to go.
        out.extend(Path::new(points, false).ok());
    }
    if out.is_empty() {
        let points = cubic((from, heading), (wish.at, wish.heading), swing);
        out.push(Path::new(points, false)?);
    }
    Ok(out)
}

/// The root's way before an event, laid so that the event is where it is wanted.
fn lead_in(
    graph: &MotionGraph,
    event: &ClipEvent,
    wish: &PlaceWish,
) -> Result<Vec<DVec2>, SynthError> {
    let clip = graph.clip(event.clip)?;
    let info = graph.clip_info(event.clip);
    let nodes = graph.nodes_of(event.clip);
    let first = info.source_frame(graph.node(NodeId(nodes.start)).boundary);
    let last = event.event.frame.min(clip.frame_count().saturating_sub(1));
    let begin = last.saturating_sub((LEAD_S * clip.rate_hz()) as usize);
    let e = &event.event;
    let turn = wish.heading - e.heading;
    let (sin, cos) = turn.sin_cos();
    let laid = |f: usize| {
        let p = clip.root()[f];
        let d = DVec2::new(p.x - e.place.x, p.z - e.place.z);
        wish.at + DVec2::new(d.x * cos + d.y * sin, d.y * cos - d.x * sin)
    };
    let mut out: Vec<DVec2> = Vec::new();
    for p in (begin.max(first).min(last)..=last).map(laid) {
        if out.last().is_none_or(|q| q.distance(p) >= APART_M) {
            out.push(p);
        }
    }
    Ok(out)
}

/// A cubic from one place and heading to another; how far it swings out is in parts of their distance.
fn cubic((from, leave): (DVec2, f64), (to, arrive): (DVec2, f64), swing: f64) -> Vec<DVec2> {
    let reach = swing * from.distance(to).max(0.5);
    let direction = |h: f64| DVec2::new(h.sin(), h.cos()) * reach;
    let (a, b) = (direction(leave), direction(arrive));
    let at = |t: f64| {
        let (t2, t3) = (t * t, t * t * t);
        from * (2.0 * t3 - 3.0 * t2 + 1.0)
            + a * (t3 - 2.0 * t2 + t)
            + to * (3.0 * t2 - 2.0 * t3)
            + b * (t3 - t2)
    };
    (0..=100).map(|k| at(f64::from(k) / 100.0)).collect()
}
