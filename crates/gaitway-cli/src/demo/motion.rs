//! The graph, and a motion through it.

use std::path::Path as FilePath;

use gaitway::core::ClipSet;
use gaitway::core::performer::PerformedClip;
use gaitway::graph::{Account, GraphBuilder, MotionGraph, Progress, ProgressState};
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::path::{
    EdgePaths, Obstacle, Path, PathOptions, Search, default_budget, follow_path, parse_styles,
};
use gaitway::synth::search::Control;
use glam::DVec2;

use super::super::args::MakeArgs;
use super::super::build::save_graph;
use super::super::make::synth_error;
use super::super::path::{Making, Taken, make, quality_of};
use super::super::render::write_bytes;
use super::super::term::Term;
use super::super::{CliError, interrupt};
use super::takes::short_name;

/// What is done where along the path.
pub const STYLES: &str = "walk@0..40%,sneak@40%..70%,walk@70%..";
/// A pillar on the path: x, z, radius.
const PILLAR: [f64; 3] = [3.6, 0.8, 0.35];

/// All that the demo made.
pub struct Made {
    /// The graph.
    pub graph: MotionGraph,
    /// What was kept of the takes.
    pub account: Account,
    /// The path.
    pub path: Path,
    /// What was asked along it.
    pub options: PathOptions,
    /// The motion.
    pub taken: Taken,
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

/// Follows the path and writes the motion, its report, and the path and pillar as `gaitway path` reads them.
pub fn follow(
    out: &FilePath,
    (graph, account): (MotionGraph, Account),
    term: &mut Term,
) -> Result<Made, CliError> {
    let path = path()?;
    let options = PathOptions {
        styles: parse_styles(STYLES).map_err(|e| wrong(&e))?,
        obstacles: vec![Obstacle::Circle(PILLAR)],
        ..PathOptions::default()
    };
    let json = |value: serde_json::Result<String>| value.map_err(|e| wrong(&e));
    let points: Vec<[f64; 2]> = path.points().iter().map(|p| p.to_array()).collect();
    write_bytes(
        &out.join("path.json"),
        json(serde_json::to_string(&points))?.as_bytes(),
    )?;
    write_bytes(
        &out.join("obstacles.json"),
        json(serde_json::to_string(&options.obstacles))?.as_bytes(),
    )?;
    let edges =
        EdgePaths::new(&graph, &options.naturalness, options.smooth_arc).map_err(synth_error)?;
    let control = Control {
        cancel: Some(interrupt::flag()),
        ..Control::default()
    };
    let followed = follow_path(
        &graph,
        &edges,
        &path,
        &options,
        Search::default(),
        &default_budget(&path),
        control,
    )
    .map_err(synth_error)?;
    interrupt::go_on()?;
    let file = out.join("motion.bvh");
    let making = MakeArgs {
        out: file.clone(),
        out_fps: None,
        blend: "centered".to_owned(),
        no_clean: false,
        report: None,
        json: false,
    };
    let making = Making {
        args: &making,
        bend: None,
    };
    let (mut report, motion) = make(&graph, &path, &options, &followed, &making, term)?;
    if let Some(motion) = &motion {
        for file in [&file, &out.join("motion.glb")] {
            write_file(file, &motion.clip, &WriteOptions::default())?;
        }
        let numbers = quality_of(&graph, motion, "motion.bvh")?;
        report.quality = serde_json::to_value(numbers).ok();
    }
    let text = json(serde_json::to_string_pretty(&report))?;
    write_bytes(&out.join("report.json"), text.as_bytes())?;
    let taken = Taken {
        path: 0,
        start_s: None,
        shared: None,
        complete: followed.found.complete,
        gone_m: followed.found.end.map_or(0.0, |e| e.arc()),
        followed,
        motion,
        report,
        file,
    };
    Ok(Made {
        graph,
        account,
        path,
        options,
        taken,
    })
}
