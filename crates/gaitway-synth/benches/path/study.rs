//! What weights, arc length and company do.

use std::fmt::Write as _;
use std::time::Instant;

use gaitway_graph::MotionGraph;
use gaitway_synth::search::path::{
    BendOptions, CrowdOptions, EdgePaths, Naturalness, PathOptions, Search, bend, crowd,
    default_budget, named, parse_path, parse_styles, path_report,
};
use glam::DVec2;

use crate::sets::Set;
use crate::table::run;

type Any = Box<dyn std::error::Error>;

pub fn all(text: &mut String, set: &Set, graph: &MotionGraph) -> Result<(), Any> {
    let mut options = PathOptions::default();
    if let Some(label) = set.label {
        options.styles = parse_styles(label)?;
    }
    trade_off(text, set, graph, &options)?;
    short_cuts(text, set, graph, &options)?;
    bent(text, set, graph, &options)?;
    people(text, set, graph, &options)
}

fn trade_off(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    writeln!(
        text,
        "\n## Near or natural ({}, figure8)\n\nAll weights of naturalness times a factor.\n",
        set.name
    )?;
    writeln!(
        text,
        "| factor | RMS by arc, cm | transitions/s | mean √D, cm | facing within 30° |\n| --- | --- | --- | --- | --- |"
    )?;
    let path = named("figure8", 1.0)?;
    for factor in [0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0] {
        let o = PathOptions {
            naturalness: Naturalness::default().scaled(factor),
            ..options.clone()
        };
        let edges = EdgePaths::new(graph, &o.naturalness, false)?;
        let (_, r) = run(
            graph,
            &edges,
            &path,
            &o,
            Search::default(),
            &default_budget(&path),
        )?;
        let cm: f64 = r.transitions.iter().map(|t| t.distance_cm).sum::<f64>()
            / r.transitions.len().max(1) as f64;
        writeln!(
            text,
            "| {factor} | {:.1} | {:.2} | {cm:.1} | {:.1} % |",
            r.arc_error_m.rms * 100.0,
            r.transitions_per_s,
            r.facing_error_rad.within_30_deg * 100.0
        )?;
    }
    Ok(())
}

fn short_cuts(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    writeln!(
        text,
        "\n## Short cuts ({}, circle of 2 m)\n\nThe root sways, so its way is longer than the path it follows, and the target runs ahead. Arc length of the way without sway takes no short cuts: the walk is as long as the path, and stays as far out.\n",
        set.name
    )?;
    writeln!(
        text,
        "| arc length of | mean distance from the centre, cm | way without sway over path | RMS nearest, cm |\n| --- | --- | --- | --- |"
    )?;
    let path = gaitway_synth::search::path::circle_of(2.0)?;
    for (name, smooth_arc) in [
        ("the root (the paper's)", false),
        ("the root without sway", true),
    ] {
        let o = PathOptions {
            smooth_arc,
            ..options.clone()
        };
        let edges = EdgePaths::new(graph, &o.naturalness, smooth_arc)?;
        let (followed, r) = run(
            graph,
            &edges,
            &path,
            &o,
            Search::default(),
            &default_budget(&path),
        )?;
        let Some(walk) = &followed.walk else { continue };
        let motion = gaitway_synth::assemble(
            graph,
            walk,
            &gaitway_synth::AssembleOptions {
                world_from_start: followed.world_from_start,
                ..Default::default()
            },
        )?;
        let centre = DVec2::new(2.0, 0.0);
        let out: f64 = motion
            .clip
            .root()
            .iter()
            .map(|p| DVec2::new(p.x, p.z).distance(centre))
            .sum();
        let way = gaitway_core::ground::smooth_ground_path(&motion.clip, 1.0);
        let long: f64 = way.windows(2).map(|w| w[0].distance(w[1])).sum();
        writeln!(
            text,
            "| {name} | {:.1} | {:.3} | {:.1} |",
            out / motion.clip.frame_count() as f64 * 100.0,
            long / path.length(),
            r.path_error_m.rms * 100.0
        )?;
    }
    Ok(())
}

fn bent(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    writeln!(
        text,
        "\n## Bending ({})\n\nAt most 15 cm, at most 8 cm per metre walked (the default), before cleanup.\n",
        set.name
    )?;
    writeln!(
        text,
        "| curve | RMS nearest, cm | bent | RMS by arc without sway, cm | bent | facing within 30°, bent |\n| --- | --- | --- | --- | --- | --- |"
    )?;
    let edges = EdgePaths::new(graph, &options.naturalness, false)?;
    for (name, path) in crate::table::curves()? {
        let budget = default_budget(&path);
        let (followed, before) = run(graph, &edges, &path, options, Search::default(), &budget)?;
        let Some(walk) = &followed.walk else { continue };
        let mut motion = gaitway_synth::assemble(
            graph,
            walk,
            &gaitway_synth::AssembleOptions {
                world_from_start: followed.world_from_start,
                ..Default::default()
            },
        )?;
        motion.clip = bend(&motion.clip, &path, &BendOptions::default())?;
        let after = path_report(graph, &path, options, &followed, Some(&motion));
        let cm = |m: f64| m * 100.0;
        writeln!(
            text,
            "| {name} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} % |",
            cm(before.path_error_m.rms),
            cm(after.path_error_m.rms),
            cm(before.arc_error_smooth_m.rms),
            cm(after.arc_error_smooth_m.rms),
            cm(after.facing_error_rad.within_30_deg)
        )?;
    }
    Ok(())
}

fn people(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    let edges = EdgePaths::new(graph, &options.naturalness, false)?;
    // Ten lanes of 20 m each way, crossing ten others.
    let mut paths = Vec::new();
    for k in 0..10 {
        let at = f64::from(k) * 2.0 + 1.0;
        paths.push(parse_path(&format!("[[{at},0],[{at},20]]"), 1.0)?);
        paths.push(parse_path(&format!("[[0,{at}],[20,{at}]]"), 1.0)?);
    }
    let wish = CrowdOptions {
        count: 100,
        ..CrowdOptions::default()
    };
    let since = Instant::now();
    let crowd = crowd(graph, &edges, &paths, options, &wish, Default::default())?;
    let seconds = since.elapsed().as_secs_f64();
    let arrived = crowd.iter().filter(|p| p.followed.found.complete).count();
    let mut nearest = f64::INFINITY;
    let rate = graph.working_rate_hz();
    for (a, p) in crowd.iter().enumerate() {
        for q in &crowd[..a] {
            let apart = ((p.start_s - q.start_s) * rate).round() as i64;
            for (f, x) in p.places.iter().enumerate() {
                let other = usize::try_from(f as i64 + apart)
                    .ok()
                    .and_then(|g| q.places.get(g));
                if let Some(y) = other {
                    nearest = nearest.min((x[0] - y[0]).hypot(x[1] - y[1]));
                }
            }
        }
    }
    writeln!(
        text,
        "\n## A crowd ({})\n\n100 people on 20 crossing paths of 20 m: {seconds:.1} s on one thread, {arrived} arrive, nobody's root nearer than {nearest:.2} m to another's (radii 0.30 m each).",
        set.name
    )?;
    Ok(())
}
