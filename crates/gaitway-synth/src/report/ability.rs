//! What a graph can do, tried out: curves followed, and quickest ways made into motion.

use std::sync::atomic::{AtomicBool, Ordering};

use gaitway_core::contacts::{self, ContactOptions, GlideKind, NearTransitions};
use gaitway_core::fk;
use gaitway_core::random::SplitMix64;
use gaitway_graph::{EdgeId, MotionGraph, inspect};
use serde::Serialize;

use crate::path::{Path, PathRequest, plan_path_with};
use crate::search::Control;
use crate::{ClipTime, ConnectBy, FinishOptions, SynthError, connect, finish_motion};

/// How one curve was followed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurveRow {
    /// Its name.
    pub curve: String,
    /// What came of it, as `path` tells it: `Solved` where it arrived and stayed on the path.
    pub status: &'static str,
    /// Seconds of motion.
    pub seconds: f64,
    /// RMS distance from the place at the same arc length, metres; `None` without a walk.
    pub arc_rms_m: Option<f64>,
    /// RMS distance from the nearest place of the path, metres.
    pub path_rms_m: Option<f64>,
}

/// How well curves were followed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Following {
    /// Share of the curves that were solved.
    pub solved: f64,
    /// Mean of `arc_rms_m` over curves with a walk, metres.
    pub arc_rms_m: Option<f64>,
    /// Curve by curve.
    pub curves: Vec<CurveRow>,
}

/// Follows curves with the graph as it stands, all else by default; feet are left as they are, since only the way is judged.
///
/// # Errors
/// When the graph's frames are damaged or nothing can be searched at all.
pub fn follow_curves(
    graph: &MotionGraph,
    curves: &[(String, Path)],
    seed: u64,
    stop: &AtomicBool,
) -> Result<Following, SynthError> {
    let mut rows = Vec::new();
    let mut edges = None;
    for (name, path) in curves {
        let request = PathRequest {
            seed,
            clean: false,
            ..PathRequest::new(path.clone())
        };
        let edges = match &mut edges {
            Some(edges) => edges,
            none => none.insert(request.edge_paths(graph)?),
        };
        let control = Control {
            cancel: Some(stop),
            ..Control::default()
        };
        let motions = plan_path_with(graph, edges, &request, control)?;
        let Some(motion) = motions.first() else {
            continue;
        };
        let walked = motion.has_walk();
        rows.push(CurveRow {
            curve: name.clone(),
            status: motion.report.status,
            seconds: motion.report.seconds,
            arc_rms_m: walked.then_some(motion.report.arc_error_m.rms),
            path_rms_m: walked.then_some(motion.report.path_error_m.rms),
        });
    }
    let solved = rows.iter().filter(|r| r.status == "Solved").count();
    let errors: Vec<f64> = rows.iter().filter_map(|r| r.arc_rms_m).collect();
    Ok(Following {
        solved: solved as f64 / rows.len().max(1) as f64,
        arc_rms_m: (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64),
        curves: rows,
    })
}

/// What quickest ways look like once they are motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MadeWays {
    /// Ways made.
    pub ways: usize,
    /// Their seconds, all together.
    pub seconds: f64,
    /// Transitions a second.
    pub transitions_per_s: f64,
    /// Feet that slide low over the floor, a second.
    pub slides_per_s: f64,
    /// Those within 0.4 s of a transition, a second of such time.
    pub slides_near_per_s: f64,
}

/// Makes the quickest ways between random moments of the graph's largest component, feet planted, and counts feet that slide.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn make_ways(
    graph: &MotionGraph,
    count: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Result<MadeWays, SynthError> {
    let (_, nodes) = inspect::largest_component(graph);
    let inside = |e: EdgeId| {
        [graph.from(e), graph.to(e)]
            .iter()
            .all(|n| nodes.binary_search(&n.0).is_ok())
    };
    let pieces: Vec<EdgeId> = graph
        .edges()
        .filter(|&e| !graph.is_transition(e) && inside(e))
        .collect();
    let mut random = SplitMix64::new(seed);
    let frames: u64 = pieces
        .iter()
        .map(|&e| u64::from(graph.working_length(e)))
        .sum();
    let mut moment = || {
        let mut left = (random.unit() * frames as f64) as u64;
        let piece = pieces.iter().find(|&&e| {
            let length = u64::from(graph.working_length(e));
            let here = left < length;
            left -= if here { 0 } else { length };
            here
        });
        piece.map(|&e| {
            let node = graph.node(graph.from(e));
            ClipTime {
                clip: node.clip,
                seconds: graph
                    .clip_info(node.clip)
                    .seconds_at(node.boundary + left as u32),
            }
        })
    };
    let mut out = MadeWays::default();
    let (mut transitions, mut slides, mut near_slides, mut near_s) = (0, 0, 0, 0.0);
    for _ in 0..count {
        let (Some(from), Some(to)) = (moment(), moment()) else {
            break;
        };
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let walk = match connect(graph, from, to, ConnectBy::Time) {
            Ok(walk) => walk,
            Err(SynthError::NotConnected { .. }) => continue,
            Err(error) => return Err(error),
        };
        // A moment is no distance from itself.
        let Ok(made) = finish_motion(graph, &walk, &FinishOptions::default()) else {
            continue;
        };
        let (clip, times) = (&made.motion.clip, made.motion.transition_times());
        out.ways += 1;
        out.seconds += clip.seconds();
        transitions += times.len();
        let near = NearTransitions::new(&times, clip.seconds());
        near_s += near.seconds();
        let Ok(found) = contacts::detect(clip, &ContactOptions::default()) else {
            continue;
        };
        for glide in contacts::glides(&fk::world_points(clip), &found, clip.rate_hz()) {
            if glide.kind == GlideKind::Slide {
                slides += 1;
                near_slides += usize::from(near.has(glide.middle_s(clip.rate_hz())));
            }
        }
    }
    let per = |n: usize, s: f64| if s > 0.0 { n as f64 / s } else { 0.0 };
    out.transitions_per_s = per(transitions, out.seconds);
    out.slides_per_s = per(slides, out.seconds);
    out.slides_near_per_s = per(near_slides, near_s);
    Ok(out)
}
