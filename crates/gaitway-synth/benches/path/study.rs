//! What weights, arc length and company do.

use std::fmt::Write as _;
use std::time::Instant;

use gaitway_graph::MotionGraph;
use gaitway_synth::path::{
    BendOptions, CrowdOptions, EdgePaths, Naturalness, Path, PathOptions, PathProblem, PathRequest,
    Search, bend, crowd, default_budget, find_walks, make_motion, named_curve, parse_styles, solve,
};
use gaitway_synth::report::path_report;
use gaitway_synth::search::{BeamOptions, Budget};
use glam::DVec2;

use crate::quality::planted;
use crate::sets::Set;
use crate::table::{Run, run};

type Any = Box<dyn std::error::Error>;

pub fn all(text: &mut String, set: &Set, graph: &MotionGraph) -> Result<(), Any> {
    let mut options = PathOptions::default();
    if let Some(label) = set.label {
        options.styles = parse_styles(label)?;
    }
    trade_off(text, set, graph, &options)?;
    short_cuts(text, set, graph, &options)?;
    long_paths(text, set, graph, &options)?;
    starts(text, set, graph, &options)?;
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
    let path = named_curve("figure8", 1.0)?;
    for factor in [0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0] {
        let o = PathOptions {
            naturalness: Naturalness::default().scaled(factor),
            ..options.clone()
        };
        let edges = EdgePaths::new(graph, &o.naturalness, o.smooth_arc)?;
        let Run { report: r, .. } = run(
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

/// How well long paths are followed, and what is done after the search.
fn long_paths(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    writeln!(
        text,
        "\n## Long paths ({})\n\nA meander, 8 m to either side every 94 m. After the search: assembled, feet planted, reported on; what that takes per metre does not grow with the path.\n",
        set.name
    )?;
    writeln!(
        text,
        "| path, m | status | RMS nearest, cm | largest, cm | search, s | after it, s | after it, ms a metre |\n| --- | --- | --- | --- | --- | --- | --- |"
    )?;
    for metres in [100.0, 600.0, 2_000.0, 5_000.0] {
        let request = PathRequest {
            options: options.clone(),
            ..PathRequest::new(meander(metres)?)
        };
        let edges = request.edge_paths(graph)?;
        let mut walks = find_walks(graph, &edges, &request, Default::default())?;
        let begun = Instant::now();
        let made = make_motion(graph, &request, walks.remove(0))?;
        let after = begun.elapsed().as_secs_f64();
        let r = &made.report;
        writeln!(
            text,
            "| {:.0} | {} | {:.1} | {:.1} | {:.1} | {after:.1} | {:.1} |",
            r.path_m,
            r.status,
            100.0 * r.path_error_m.rms,
            100.0 * r.path_error_m.max,
            r.search_seconds,
            1e3 * after / r.path_m
        )?;
    }
    Ok(())
}

/// A sine of about so many metres.
fn meander(metres: f64) -> Result<Path, Any> {
    let mut points = vec![DVec2::ZERO];
    let mut long = 0.0;
    for k in 1.. {
        let x = 0.5 * f64::from(k);
        let p = DVec2::new(x, 8.0 * (x / 15.0).sin());
        long += p.distance(points[points.len() - 1]);
        if long > metres {
            break;
        }
        points.push(p);
    }
    Ok(Path::new(points, false)?)
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
    let path = gaitway_synth::path::circle_of(2.0)?;
    for (name, smooth_arc) in [
        ("the root (the paper's)", false),
        ("the root without sway", true),
    ] {
        let o = PathOptions {
            smooth_arc,
            ..options.clone()
        };
        let edges = EdgePaths::new(graph, &o.naturalness, smooth_arc)?;
        let Run {
            followed,
            report: r,
            ..
        } = run(
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

/// Bending, measured after the feet are planted.
pub fn bent(text: &mut String, set: &Set, graph: &MotionGraph) -> Result<(), Any> {
    writeln!(text, "| **{}** | | | | | | | |", set.name)?;
    let mut options = PathOptions::default();
    if let Some(label) = set.label {
        options.styles = parse_styles(label)?;
    }
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc)?;
    for (name, path) in crate::table::curves()? {
        let budget = default_budget(&path);
        let found = run(graph, &edges, &path, &options, Search::default(), &budget)?;
        let Some(motion) = found.motion else { continue };
        let mut bent = motion.clone();
        bent.clip = bend(&motion.clip, &path, &BendOptions::default())?;
        let (before, after) = (planted(&motion)?, planted(&bent)?);
        let report = |m| path_report(graph, &path, &options, &found.followed, Some(m));
        let (a, b) = (report(&before.motion), report(&after.motion));
        let cm = |m: f64| m * 100.0;
        writeln!(
            text,
            "| {name} | {:.1} | {:.1} | {:.1} | {:.1} | {:.3} | {:.2} | {:.1} % |",
            cm(a.path_error_m.rms),
            cm(b.path_error_m.rms),
            cm(a.path_error_smooth_m.rms),
            cm(b.path_error_smooth_m.rms),
            after.skate,
            after.pop,
            cm(b.facing_error_rad.within_30_deg)
        )?;
    }
    Ok(())
}

/// What bending is tabulated under.
pub const BENT: &str = "\n## Bending\n\nAt most 15 cm, at most 30 cm per metre walked, 60 % of the sway across the path (the default), then feet planted; all numbers after that. Drift is the error without the root's sway, over a stride. Skate and pop as in the tables below.\n\n| curve | RMS nearest, cm | bent | RMS drift, cm | bent | skate, bent | pop, bent | facing within 30°, bent |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";

/// One start, two that share the same, and four; the time of two on one thread and on two.
fn starts(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    writeln!(
        text,
        "\n## Several starts ({})\n\nCost of what is found with the default budget by one start, by two that share it (the default) and by four; with half of it by one: what a single start of the default has. Time of two starts on one thread over that on two.\n\n| curve | half, one | one | two | four | speed-up on two threads |\n| --- | --- | --- | --- | --- | --- |",
        set.name
    )?;
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc)?;
    for (name, path) in crate::table::curves()? {
        let problem = PathProblem::new(graph, &edges, &path, options)?;
        let whole = default_budget(&path);
        let half = Budget::expansions(whole.expansions / 2);
        let go = |budget: &Budget, starts: usize, threads: usize| {
            let search = Search::Beam(BeamOptions {
                searches: starts,
                threads,
                ..BeamOptions::default()
            });
            solve(&problem, search, budget, Default::default())
        };
        let (less, one, four) = (go(&half, 1, 1)?, go(&whole, 1, 1)?, go(&whole, 4, 2)?);
        let (alone, both) = (go(&whole, 2, 1)?, go(&whole, 2, 2)?);
        writeln!(
            text,
            "| {name} | {:.3} | {:.3} | {:.3} | {:.3} | {:.2} |",
            less.found.cost,
            one.found.cost,
            both.found.cost,
            four.found.cost,
            alone.found.seconds / both.found.seconds
        )?;
    }
    Ok(())
}

/// A change of style on a path that the second style may not be able to follow.
pub fn sneaking(text: &mut String, set: &Set, graph: &MotionGraph) -> Result<(), Any> {
    let mut options = PathOptions {
        styles: parse_styles("walk@0..50%,sneak@50%..")?,
        ..PathOptions::default()
    };
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc)?;
    for (name, path) in [
        ("hello", named_curve("hello", 1.0)?),
        ("line", named_curve("line", 1.0)?),
    ] {
        for styles in ["walk@0..50%,sneak@50%..", "walk"] {
            options.styles = parse_styles(styles)?;
            let budget = default_budget(&path);
            let r = run(graph, &edges, &path, &options, Search::default(), &budget)?.report;
            let words = r.left_path.as_ref().map_or("", |l| l.words.as_str());
            writeln!(
                text,
                "| {} | {name} | `{styles}` | {} | {:.1} | {:.1} | {words} |",
                set.name,
                r.status,
                r.path_error_m.rms * 100.0,
                r.path_error_m.max * 100.0,
            )?;
        }
    }
    Ok(())
}

/// What that is tabulated under.
pub const SNEAKING: &str = "\n## Walk, then sneak\n\nThe one sneak of subject 143 goes sideways, four metres to the right and back to the left, and never turns. It can be steered only by its transitions.\n\n| graph | curve | styles | status | RMS nearest, cm | worst | why |\n| --- | --- | --- | --- | --- | --- | --- |\n";

fn people(
    text: &mut String,
    set: &Set,
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<(), Any> {
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc)?;
    // Ten lanes of 20 m each way, crossing ten others.
    let mut paths = Vec::new();
    for k in 0..10 {
        let at = f64::from(k) * 2.0 + 1.0;
        let straight = |ends: [[f64; 2]; 2]| Path::new(ends.map(DVec2::from).to_vec(), false);
        paths.push(straight([[at, 0.0], [at, 20.0]])?);
        paths.push(straight([[0.0, at], [20.0, at]])?);
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
