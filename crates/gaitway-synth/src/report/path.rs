//! What came of a path, in numbers.

use gaitway_core::Clip;
use gaitway_core::ground::{facing, smooth_ground_path};
use gaitway_core::planar::{heading_of, wrap_angle};
use gaitway_graph::{EdgeId, MotionGraph};
use glam::DVec2;
use serde::Serialize;

use super::actions::{ActionRow, action_rows, asked_along};
use super::constraints::{ConstraintRow, constraint_rows};
use crate::motion::{AssembleOptions, timeline};
use crate::path::Followed;
use crate::path::OffPath;
use crate::path::bend::{to_path, without_sway};
use crate::path::detour::led_round;
use crate::path::edge_paths::{MOVING_M_S, SWAY_S, TRAVEL_S};
use crate::path::progress::{self, Progress};
use crate::path::{Path, PathOptions};
use crate::search::{Outcome, SearchEnd};
use crate::{InterpolatedSpan, Motion, TransitionRow, Walk};

/// Mean, root of the mean square, and largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ErrorStats {
    /// Mean.
    pub mean: f64,
    /// Root of the mean square.
    pub rms: f64,
    /// Largest.
    pub max: f64,
}

impl ErrorStats {
    /// Of some errors.
    pub fn of(errors: &[f64]) -> Self {
        let n = errors.len().max(1) as f64;
        Self {
            mean: errors.iter().sum::<f64>() / n,
            rms: (errors.iter().map(|e| e * e).sum::<f64>() / n).sqrt(),
            max: errors.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// The angle between where the body faces and where it goes, over frames that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FacingStats {
    /// Mean, radians.
    pub mean: f64,
    /// 95 % of frames are below.
    pub p95: f64,
    /// The part of frames within 30°.
    pub within_30_deg: f64,
}

/// How far the end of a walk along a closed path is from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ClosingGap {
    /// Between the last root and the first, metres.
    pub place_m: f64,
    /// Between where the body faces last and first, radians.
    pub heading_rad: f64,
}

/// A report on a motion along a path, as `path --report` writes it.
#[derive(Clone, Debug, Serialize)]
pub struct PathReport {
    /// Whether the motion does what was asked. `Solved`: it arrives, and is nowhere further from the path than
    /// [`PathOptions::off_path_m`], and every action asked for happens within 30 cm of its place; `OffPath`: it arrives, but is;
    /// `ActionMissed`: an action does not; `ConstraintMissed`: something else that was asked for is not kept, see
    /// [`PathReport::constraints`]; `BudgetSpent`: it does not arrive, for want of budget;
    /// `NoWalk`: there is none.
    pub status: &'static str,
    /// What ended the search, whatever came of it: with `budget` more of it might find a better walk.
    pub search: SearchEnd,
    /// Why there is no walk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where the walk leaves the path and why, where the motion does not do what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_path: Option<OffPath>,
    /// False where a clock had a say.
    pub deterministic: bool,
    /// Of motion.
    pub seconds: f64,
    /// Of motion, at its own rate.
    pub frames: usize,
    /// Wall-clock seconds of the search.
    pub search_seconds: f64,
    /// Edges tried, by all searches together.
    pub expansions: u64,
    /// Searches that shared the budget, each with a seed of its own.
    #[serde(rename = "starts")]
    pub searches: usize,
    /// f(w), m² over working frames, naturalness included.
    pub cost: f64,
    /// Proven: no walk through the graph that begins as this one may and keeps what is asked costs less. Where there is such a proof: with ARA*, or branch
    /// and bound without a horizon.
    pub bound: Option<f64>,
    /// ε: the walk costs at most so many times what the best does, `cost` over `bound`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Metres of path.
    pub path_m: f64,
    /// To the nearest point of the path, metres.
    pub path_error_m: ErrorStats,
    /// The same without the root's sway, which belongs to the gait: the difference to the nearest point, over a window of a
    /// stride. What `--bend` takes out.
    pub path_error_smooth_m: ErrorStats,
    /// To the point at the same arc length, the paper's, metres.
    pub arc_error_m: ErrorStats,
    /// The same with the root's sway taken out of the arc length and leads drawn in: what a search goes by unless short cuts are asked for.
    pub arc_error_smooth_m: ErrorStats,
    /// For a closed path: how well the end meets the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing: Option<ClosingGap>,
    /// Facing against travel, radians.
    pub facing_error_rad: FacingStats,
    /// Seconds of travel backwards: more than 120° off the facing.
    pub backward_s: f64,
    /// Actions asked for at points: whether they happen in the motion, when, where, and how far off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionRow>,
    /// Everything else that was asked for, measured on the motion: whether it is kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintRow>,
    /// Per second of motion.
    pub transitions_per_s: f64,
    /// The transitions taken.
    pub transitions: Vec<TransitionRow>,
    /// Where it plays interpolated clips.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interpolated: Vec<InterpolatedSpan>,
    /// What `quality` says of the motion; filled in by whoever measures it.
    pub quality: Option<serde_json::Value>,
}

/// What a drawing of a path needs.
#[derive(Clone, Debug, Serialize)]
pub struct PathPlot {
    /// The path, (x, z) at even steps.
    pub target: Vec<[f64; 2]>,
    /// The root, one per working frame.
    pub result: Vec<[f64; 2]>,
    /// Where transitions are at their middle.
    pub transitions: Vec<[f64; 2]>,
    /// The root where interpolated clips are played, a stretch each.
    pub interpolated: Vec<Vec<[f64; 2]>>,
    /// Runs of labels: first and last place in `result`, names.
    pub labels: Vec<(usize, usize, Vec<String>)>,
}

/// The root at the working frames of an assembled motion: the frames that a search counts. None where the walk is none of this
/// graph.
pub fn working_roots(graph: &MotionGraph, walk: &Walk, motion: &Motion) -> Vec<DVec2> {
    let (clip, rate) = (&motion.clip, motion.clip.rate_hz());
    let options = AssembleOptions {
        out_fps: Some(rate),
        ..AssembleOptions::default()
    };
    let Ok((timeline, _)) = timeline(graph, walk, &options) else {
        return Vec::new();
    };
    let last = clip.frame_count().saturating_sub(1);
    let shown = |frame: f64| match &motion.times {
        Some(times) => times.shown(frame / rate) * rate,
        None => frame,
    };
    let mut out = Vec::new();
    for (place, span) in timeline.spans().iter().enumerate() {
        let node = graph.timed_by(EdgeId(span.tag));
        let info = graph.clip_info(node.clip);
        let step = info.rate_hz() / timeline.rate_hz();
        let start = info.source_boundary(node.boundary) as f64;
        let (a, b) = walk.played(graph, place);
        for k in a..b {
            let into = (info.source_frame(node.boundary + k) as f64 - start) / step;
            let at = shown(span.origin + into).round().max(0.0) as usize;
            let p = clip.root()[at.min(last)];
            out.push(DVec2::new(p.x, p.z));
        }
    }
    out
}

/// Distances of places to the path at the same arc length, γ as the search had it: the paper's.
pub fn arc_errors(path: &Path, places: &[DVec2], gamma: f64) -> Vec<f64> {
    let paper = Progress {
        smooth: false,
        least_m: gamma,
    };
    progress::errors(path, paper, places, &steps(places))
}

/// From each place of a way to the next.
fn steps(way: &[DVec2]) -> Vec<f64> {
    let first = way.first().map(|_| 0.0);
    let rest = way.windows(2).map(|w| w[0].distance(w[1]));
    first.into_iter().chain(rest).collect()
}

/// Facing against travel over the frames of a motion that move.
pub fn facing_errors(clip: &Clip) -> Vec<f64> {
    let travel = smooth_ground_path(clip, TRAVEL_S);
    let facing = facing(clip);
    let last = clip.frame_count().saturating_sub(1);
    let mut out = Vec::new();
    for (f, &faces) in facing.iter().enumerate() {
        let (a, b) = (f.saturating_sub(1), (f + 1).min(last));
        if a == b {
            continue;
        }
        let d = (travel[b] - travel[a]) * clip.rate_hz() / (b - a) as f64;
        if d.length() > MOVING_M_S {
            out.push(wrap_angle(faces - heading_of(d.x, d.y)).abs());
        }
    }
    out
}

fn facing_stats(clip: &Clip) -> FacingStats {
    let mut errors = facing_errors(clip);
    if errors.is_empty() {
        return FacingStats {
            within_30_deg: 1.0,
            ..FacingStats::default()
        };
    }
    let n = errors.len();
    let mean = errors.iter().sum::<f64>() / n as f64;
    let within = errors.iter().filter(|&&e| e <= 30_f64.to_radians()).count();
    errors.sort_by(f64::total_cmp);
    FacingStats {
        mean,
        p95: errors[((n - 1) as f64 * 0.95).round() as usize],
        within_30_deg: within as f64 / n as f64,
    }
}

/// Seconds in which a body goes backwards.
fn backward_s(clip: &Clip) -> f64 {
    let back = 120_f64.to_radians();
    let frames = facing_errors(clip).into_iter().filter(|&e| e > back);
    frames.count() as f64 / clip.rate_hz()
}

fn closing(clip: &Clip) -> ClosingGap {
    let faces = facing(clip);
    let (Some(a), Some(b)) = (clip.root().first(), clip.root().last()) else {
        return ClosingGap::default();
    };
    let turned = faces.last().copied().unwrap_or(0.0) - faces.first().copied().unwrap_or(0.0);
    ClosingGap {
        place_m: (a.x - b.x).hypot(a.z - b.z),
        heading_rad: wrap_angle(turned).abs(),
    }
}

/// The same as the search has it by default, at the motion's own rate: sway taken out of the arc length, leads drawn in.
fn smooth_arc_errors(path: &Path, clip: &Clip, gamma: f64) -> Vec<f64> {
    let smooth = Progress {
        smooth: true,
        least_m: gamma,
    };
    let roots: Vec<DVec2> = clip.root().iter().map(|p| DVec2::new(p.x, p.z)).collect();
    progress::errors(
        path,
        smooth,
        &roots,
        &steps(&smooth_ground_path(clip, SWAY_S)),
    )
}

/// Distances to the path's nearest point without the root's sway: see [`bend`](crate::path::bend).
pub fn drift(path: &Path, clip: &Clip) -> Vec<f64> {
    let errors = without_sway(&to_path(clip, path), clip.rate_hz());
    errors.into_iter().map(DVec2::length).collect()
}

/// Whether a motion does what was asked, and why there is none: by its own places, since bending and cleaning move it; by the
/// walk's where there is no motion. Ways round obstacles are what is asked for.
fn status(
    path: &Path,
    options: &PathOptions,
    followed: &Followed,
    places: Option<&[DVec2]>,
) -> (&'static str, Option<String>) {
    let found = &followed.found;
    if let Outcome::NoWalk { reason } = &found.outcome {
        return ("NoWalk", Some(reason.clone()));
    }
    if !found.complete {
        return ("BudgetSpent", None);
    }
    let off = match places {
        Some(places) => {
            let round = led_round(path, options);
            let asked = round.as_ref().map_or(path, |r| &r.path);
            let far = |&p: &DVec2| asked.distance(p) > options.off_path_m;
            places.iter().any(far)
        }
        None => followed.left_path.is_some(),
    };
    (if off { "OffPath" } else { "Solved" }, None)
}

/// The report on a motion made from what was found.
pub fn path_report(
    graph: &MotionGraph,
    path: &Path,
    options: &PathOptions,
    followed: &Followed,
    motion: Option<&Motion>,
) -> PathReport {
    let found = &followed.found;
    let places = match (&followed.walk, motion) {
        (Some(walk), Some(motion)) => Some(working_roots(graph, walk, motion)),
        _ => None,
    };
    let (status, reason) = status(path, options, followed, places.as_deref());
    let mut report = PathReport {
        status,
        search: found.search,
        reason,
        left_path: followed.left_path.clone().filter(|_| status != "Solved"),
        deterministic: found.deterministic,
        seconds: 0.0,
        frames: 0,
        search_seconds: found.seconds,
        expansions: found.expansions,
        searches: found.searches,
        cost: if found.cost.is_finite() {
            found.cost
        } else {
            0.0
        },
        bound: found.bound,
        epsilon: found.epsilon(),
        path_m: path.length(),
        path_error_m: ErrorStats::default(),
        path_error_smooth_m: ErrorStats::default(),
        arc_error_m: ErrorStats::default(),
        arc_error_smooth_m: ErrorStats::default(),
        closing: None,
        facing_error_rad: FacingStats::default(),
        backward_s: 0.0,
        actions: action_rows(graph, &asked_along(graph, path, options), motion),
        constraints: Vec::new(),
        transitions_per_s: 0.0,
        transitions: Vec::new(),
        interpolated: Vec::new(),
        quality: None,
    };
    if let Some(motion) = motion {
        // Who ends with an action ends where that does.
        let last = asked_along(graph, path, options)
            .last()
            .and_then(|a| a.at_m);
        let arrives = found.complete && last.is_none_or(|m| m < path.length() - 1.0);
        report.constraints = constraint_rows(graph, Some(path), options, motion, arrives);
    }
    if report.status == "Solved" && report.constraints.iter().any(|c| !c.kept) {
        report.status = "ConstraintMissed";
    }
    if report.status == "Solved" && report.actions.iter().any(|a| !a.as_asked) {
        report.status = "ActionMissed";
    }
    let (Some(places), Some(motion)) = (places, motion) else {
        return report;
    };
    let nearest: Vec<f64> = places.iter().map(|&p| path.distance(p)).collect();
    report.seconds = motion.clip.seconds();
    report.frames = motion.clip.frame_count();
    report.path_error_m = ErrorStats::of(&nearest);
    report.path_error_smooth_m = ErrorStats::of(&drift(path, &motion.clip));
    report.arc_error_m = ErrorStats::of(&arc_errors(path, &places, options.least_progress_m));
    report.arc_error_smooth_m = ErrorStats::of(&smooth_arc_errors(
        path,
        &motion.clip,
        options.least_progress_m * graph.working_rate_hz() / motion.clip.rate_hz(),
    ));
    report.closing = path.closed().then(|| closing(&motion.clip));
    report.facing_error_rad = facing_stats(&motion.clip);
    report.backward_s = backward_s(&motion.clip);
    report.transitions = motion.transition_rows(graph);
    report.interpolated = motion.interpolated(graph);
    report.transitions_per_s = motion.transitions.len() as f64 / report.seconds.max(1e-9);
    report
}

/// What a drawing needs: target, result, transitions, labels.
pub fn path_plot(graph: &MotionGraph, path: &Path, walk: &Walk, motion: &Motion) -> PathPlot {
    let clip = &motion.clip;
    let ground = |f: usize| {
        let p = clip.root()[f.min(clip.frame_count().saturating_sub(1))];
        [p.x, p.z]
    };
    let places = working_roots(graph, walk, motion);
    let per_place = clip.frame_count() as f64 / places.len().max(1) as f64;
    let labels = clip.labels().spans().iter().map(|s| {
        let at = |f: usize| ((f as f64 / per_place) as usize).min(places.len().saturating_sub(1));
        (at(s.start), at(s.end), vec![s.label.clone()])
    });
    PathPlot {
        target: path.sampled(((path.length() / 0.02) as usize).clamp(2, 20_000)),
        labels: labels.collect(),
        transitions: motion
            .transitions
            .iter()
            .map(|t| ground((t.t * clip.rate_hz()).round() as usize))
            .collect(),
        result: places.iter().map(|p| p.to_array()).collect(),
        interpolated: motion.interpolated_ways(graph),
    }
}
