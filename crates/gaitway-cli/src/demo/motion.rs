//! The graph, and a motion through it.

use std::path::Path as FilePath;

use gaitway::core::ClipSet;
use gaitway::core::performer::PerformedClip;
use gaitway::graph::{Account, GraphBuilder, MotionGraph, Progress, ProgressState};
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::path::{
    Obstacle, Path, PathMotion, PathOptions, PathRequest, parse_styles, plan_path_with,
};
use gaitway::synth::search::Control;
use glam::DVec2;

use super::super::build::save_graph;
use super::super::make::{say_not_planted, synth_error};
use super::super::path::quality_of;
use super::super::render::write_bytes;
use super::super::term::Term;
use super::super::{CliError, interrupt};
use super::takes::short_name;

/// What is done where along the path.
pub const STYLES: &str = "walk@0..40%,sneak@40%..70%,walk@70%..";
/// A pillar on the path: x, z, radius.
const PILLAR: [f64; 3] = [3.6, 0.8, 0.35];

/// All that the demo made.
pub struct Demo {
    /// The graph.
    pub graph: MotionGraph,
    /// What was kept of the takes.
    pub account: Account,
    /// What was asked for.
    pub request: PathRequest,
    /// The motion.
    pub planned: PathMotion,
}

fn wrong(e: &dyn std::fmt::Display) -> CliError {
    CliError::new(e.to_string())
}

/// Stops the comparing on Ctrl-C.
struct Watch;

impl Progress for Watch {
    fn report(&mut self, _: &ProgressState) {}

    fn cancelled(&mut self) -> bool {
        interrupt::stopped()
    }
}

/// Builds the takes' graph and writes it.
pub fn graph(out: &FilePath, takes: &[PerformedClip]) -> Result<(MotionGraph, Account), CliError> {
    let clips = takes
        .iter()
        .map(|t| t.clip.clone().with_name(short_name(&t.clip)))
        .collect();
    let set = ClipSet::new(clips).map_err(|e| wrong(&e))?;
    let built = GraphBuilder::new(set).build(&mut Watch);
    interrupt::go_on()?;
    let (graph, account) = built.map_err(|e| wrong(&e))?;
    save_graph(&graph, &out.join("demo.gway"))?;
    Ok((graph, account))
}

/// A gentle bow to the side and back, 14 m long, from left to right on a map.
fn path() -> Result<Path, CliError> {
    let at = |k: u32| {
        let t = f64::from(k) / 100.0;
        DVec2::new(14.0 * t, 0.8 * (1.0 - (std::f64::consts::TAU * t).cos()))
    };
    Path::new((0..=100).map(at).collect(), false).map_err(|e| wrong(&e))
}

/// Plans the motion and writes it, its report, and the path and pillar as `gaitway path` reads them.
pub fn follow(
    out: &FilePath,
    (graph, account): (MotionGraph, Account),
    term: &mut Term,
) -> Result<Demo, CliError> {
    let options = PathOptions {
        styles: parse_styles(STYLES).map_err(|e| wrong(&e))?,
        obstacles: vec![Obstacle::Circle(PILLAR)],
        ..PathOptions::default()
    };
    let request = PathRequest {
        options,
        ..PathRequest::new(path()?)
    };
    let json = |value: serde_json::Result<String>| value.map_err(|e| wrong(&e));
    let points = request.paths[0].points().iter();
    let points: Vec<[f64; 2]> = points.map(|p| p.to_array()).collect();
    write_bytes(
        &out.join("path.json"),
        json(serde_json::to_string(&points))?.as_bytes(),
    )?;
    write_bytes(
        &out.join("obstacles.json"),
        json(serde_json::to_string(&request.options.obstacles))?.as_bytes(),
    )?;
    let edges = request.edge_paths(&graph).map_err(synth_error)?;
    let control = Control {
        cancel: Some(interrupt::flag()),
        ..Control::default()
    };
    let motions = plan_path_with(&graph, &edges, &request, control).map_err(synth_error)?;
    interrupt::go_on()?;
    let none = || CliError::new("the search brought back nothing");
    let mut planned = motions.into_iter().next().ok_or_else(none)?;
    say_not_planted(planned.not_planted.as_deref(), term);
    if let Some(motion) = &planned.motion {
        for file in ["motion.bvh", "motion.glb"] {
            write_file(&out.join(file), &motion.clip, &WriteOptions::default())?;
        }
        let numbers = quality_of(&graph, motion, "motion.bvh")?;
        planned.report.quality = serde_json::to_value(numbers).ok();
    }
    let text = json(serde_json::to_string_pretty(&planned.report))?;
    write_bytes(&out.join("report.json"), text.as_bytes())?;
    Ok(Demo {
        graph,
        account,
        request,
        planned,
    })
}
