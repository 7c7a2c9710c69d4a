//! The "short cut" of following a path by arc length, and its cure, as a chart.
//!
//! The hips sway, so the root's way is longer than the path under it. Compared at equal arc length the target runs ahead, and the
//! walk that costs least saves metres on the inside of bends. Arc length of the way without its sway takes none.
//!
//! Run it: `cargo run --release -p gaitway --features draw --example short_cuts -- OUT.svg [G.gway [LABEL]]` (without a graph: the performer's)
#![allow(clippy::print_stdout)]

use std::error::Error;

use gaitway::core::ground::smooth_ground_path;
use gaitway::core::{Clip, ClipSet, performer};
use gaitway::eval::draw::axes::Axis;
use gaitway::eval::draw::chart::{Chart, Series};
use gaitway::graph::{GraphBuilder, MotionGraph, Thresholds};
use gaitway::io::output::write_atomic;
use gaitway::synth::path::{
    EdgePaths, Path, PathOptions, Search, circle_of, default_budget, follow_path, parse_styles,
};
use gaitway::synth::{AssembleOptions, assemble};
use glam::DVec2;

const RADIUS: f64 = 2.0;
/// A stride: what is left of the way after smoothing over it is where the walk goes, not how it sways.
const STRIDE_S: f64 = 1.1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let out = args.next().unwrap_or("short-cuts.svg".to_owned());
    let graph = match args.next() {
        Some(file) => MotionGraph::load(file.as_ref())?,
        None => performed()?,
    };
    let label = args.next().unwrap_or("walk".to_owned());
    let path = circle_of(RADIUS)?;
    let mut series = Vec::new();
    for (name, smooth_arc) in [
        ("arc length of the root (the paper's)", false),
        ("arc length without its sway", true),
    ] {
        let clip = follow(&graph, &path, &label, smooth_arc)?;
        let line = off_centre(&clip);
        let mean = line.iter().map(|p| p.1).sum::<f64>() / line.len().max(1) as f64;
        println!("{name}: {mean:+.2} cm from the circle on average");
        series.push(Series::line(format!("{name}: {mean:+.1} cm"), line));
    }
    let end = path.length();
    series.insert(0, Series::line("", vec![(0.0, 0.0), (end, 0.0)]));
    let chart = Chart {
        title: "Round a circle of 2 m: outside of it, inside of it".to_owned(),
        x: Axis {
            range: Some((0.0, end)),
            ..Axis::linear("metres along the circle")
        },
        y: Axis::linear("cm, below 0 is a short cut"),
        series,
        markers: Vec::new(),
    };
    let svg = chart.draw(940, 380)?.to_svg();
    write_atomic(out.as_ref(), |sink| {
        let told = |source| gaitway::io::WriteError::Io {
            file: out.clone(),
            source,
        };
        sink.write_all(svg.as_bytes()).map_err(told)
    })?;
    Ok(())
}

/// The performer's walks as a graph.
fn performed() -> Result<MotionGraph, Box<dyn Error>> {
    let takes = performer::library(1, 60.0)?;
    let clips = takes.into_iter().map(|t| t.clip);
    let walks = clips.filter(|c| c.name().contains("walk_")).collect();
    let builder = GraphBuilder::new(ClipSet::new(walks)?).thresholds(Thresholds::cm(8.0));
    Ok(builder.build(&mut ())?.0)
}

fn follow(
    graph: &MotionGraph,
    path: &Path,
    label: &str,
    smooth_arc: bool,
) -> Result<Clip, Box<dyn Error>> {
    let options = PathOptions {
        styles: parse_styles(label)?,
        smooth_arc,
        ..PathOptions::default()
    };
    let edges = EdgePaths::new(graph, &options.naturalness, smooth_arc)?;
    let budget = default_budget(path);
    let control = Default::default();
    let found = follow_path(
        graph,
        &edges,
        path,
        &options,
        Search::default(),
        &budget,
        control,
    )?;
    let walk = found.walk.ok_or("no walk round the circle")?;
    let options = AssembleOptions {
        world_from_start: found.world_from_start,
        ..AssembleOptions::default()
    };
    Ok(assemble(graph, &walk, &options)?.clip)
}

/// Metres along the circle, cm outside of it, without sway. The circle's centre lies to the left of its start.
fn off_centre(clip: &Clip) -> Vec<(f64, f64)> {
    let centre = DVec2::new(RADIUS, 0.0);
    let way = smooth_ground_path(clip, STRIDE_S);
    let mut turned = 0.0;
    let mut out = Vec::with_capacity(way.len());
    for (k, p) in way.iter().enumerate() {
        let from = way[k.saturating_sub(1)] - centre;
        turned += from.angle_to(*p - centre).abs();
        out.push((turned * RADIUS, 100.0 * ((*p - centre).length() - RADIUS)));
    }
    out
}
