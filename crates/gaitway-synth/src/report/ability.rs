//! What a graph can do, tried out: curves followed.

use std::sync::atomic::AtomicBool;

use gaitway_graph::MotionGraph;
use serde::Serialize;

use crate::SynthError;
use crate::path::{Path, PathRequest, plan_path_with};
use crate::search::Control;

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
