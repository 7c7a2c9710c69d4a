//! `gaitway path`: motion along a curve on the ground.

use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use gaitway::eval::draw::path::{PathPicture, path_picture};
use gaitway::eval::quality::{QualityOptions, quality};
use gaitway::graph::MotionGraph;
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::search::path::{
    BendOptions, CrowdOptions, EdgePaths, Followed, Obstacle, Path, PathOptions, PathReport,
    Search, Start, bend, crowd, default_budget, follow_path, parse_obstacles, parse_path,
    parse_styles, path_plot, path_report,
};
use gaitway::synth::search::{BnbOptions, Budget};
use gaitway::synth::{AssembleOptions, Motion, SynthError, assemble};

use super::args::PathArgs;
use super::build::load_graph;
use super::make::{self, synth_error};
use super::render::{title, write_bytes, write_scene};
use super::term::Term;
use super::{CliError, Outcome};

/// Runs the verb: exit code 1 when there is no walk along the path.
pub fn run(args: &PathArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let graph = load_graph(&args.graph)?;
    let path = read_path(args)?;
    let options = options(args)?;
    let edges =
        EdgePaths::new(&graph, &options.naturalness, options.smooth_arc).map_err(synth_error)?;
    let followed = if args.count > 1 {
        let wish = CrowdOptions {
            count: args.count,
            seed: args.seed,
            search: search(args),
            ..CrowdOptions::default()
        };
        let people = crowd(
            &graph,
            &edges,
            std::slice::from_ref(&path),
            &options,
            &wish,
            Default::default(),
        );
        people
            .map_err(synth_error)?
            .into_iter()
            .map(|p| p.followed)
            .collect()
    } else {
        let found = follow_path(
            &graph,
            &edges,
            &path,
            &options,
            search(args),
            &budget(args, &path),
            Default::default(),
        );
        vec![found.map_err(synth_error)?]
    };
    let mut shown = PathPicture {
        obstacles: options.obstacles.iter().map(outline).collect(),
        ..PathPicture::default()
    };
    let mut reports = Vec::new();
    for (k, found) in followed.iter().enumerate() {
        let out = numbered(&args.make.out, k, args.count);
        let (report, motion) = make_one(&graph, &path, &options, found, &out, args, term)?;
        if let (Some(walk), Some(motion)) = (&found.walk, &motion) {
            let plot = path_plot(&graph, &path, walk, motion);
            shown.target = plot.target;
            shown.results.push(plot.result);
            shown.transitions.extend(plot.transitions);
            let asked = |name: &String| options.styles.iter().any(|s| s.label == *name);
            let runs = plot
                .labels
                .into_iter()
                .flat_map(|(a, b, names)| names.into_iter().map(move |n| (a, b, n)));
            shown.styles.extend(runs.filter(|r| asked(&r.2)));
        }
        reports.push(report);
    }
    finish(args, &path, shown, &reports, term)
}

/// Assembles, bends, plants and writes one walk, and reports on it.
fn make_one(
    graph: &MotionGraph,
    path: &Path,
    options: &PathOptions,
    found: &Followed,
    out: &FilePath,
    args: &PathArgs,
    term: &mut Term,
) -> Result<(PathReport, Option<Motion>), CliError> {
    let Some(walk) = &found.walk else {
        return Ok((path_report(graph, path, options, found, None), None));
    };
    let assemble_options = AssembleOptions {
        world_from_start: found.world_from_start,
        ..make::options(&args.make)
    };
    let mut motion = assemble(graph, walk, &assemble_options).map_err(synth_error)?;
    if let Some(most_m) = args.bend {
        let bounds = BendOptions {
            most_m,
            ..BendOptions::default()
        };
        motion.clip = bend(&motion.clip, path, &bounds).map_err(synth_error)?;
    }
    make::plant(graph, &mut motion, &args.make, term);
    for warning in &write_file(out, &motion.clip, &WriteOptions::default())? {
        term.warn(&out.display().to_string(), warning);
    }
    let mut report = path_report(graph, path, options, found, Some(&motion));
    let file = out.display().to_string();
    let numbers = quality(
        &motion.clip,
        None,
        &QualityOptions {
            file,
            ..QualityOptions::default()
        },
    );
    report.quality = serde_json::to_value(numbers).ok();
    Ok((report, Some(motion)))
}

fn finish(
    args: &PathArgs,
    path: &Path,
    mut shown: PathPicture,
    reports: &[PathReport],
    term: &mut Term,
) -> Result<Outcome, CliError> {
    let wrong = |e: serde_json::Error| CliError::new(e.to_string());
    let text = match reports {
        [one] => serde_json::to_string_pretty(one).map_err(wrong)?,
        many => serde_json::to_string_pretty(many).map_err(wrong)?,
    };
    if let Some(file) = &args.make.report {
        write_bytes(file, text.as_bytes())?;
    }
    if args.make.json {
        term.out(&(text + "\n"))?;
    }
    if let (Some(file), false) = (&args.plot, shown.results.is_empty()) {
        shown.title = format!(
            "{} along {}, {:.1} m",
            title(&args.graph.to_string_lossy()),
            title(&args.path),
            path.length()
        );
        let scene = path_picture(&shown, 1000).map_err(|e| CliError::new(e.to_string()))?;
        write_scene(file, &scene)?;
        term.say(&format!("wrote {}", file.display()));
    }
    let mut outcome = Outcome::Done;
    for report in reports {
        match &report.reason {
            Some(reason) => {
                term.fail(&format!("no walk: {reason}"));
                outcome = Outcome::Failed;
            }
            None => term.say(&format!(
                "{}: {:.2} s, {:.1} cm RMS from the path, {} transitions, searched for {:.2} s",
                report.status,
                report.seconds,
                100.0 * report.path_error_m.rms,
                report.transitions.len(),
                report.search_seconds
            )),
        }
    }
    Ok(outcome)
}

/// A file's text, or the argument itself where it is the name of a curve.
fn read_path(args: &PathArgs) -> Result<Path, CliError> {
    let file = FilePath::new(&args.path);
    let text = if file.is_file() {
        std::fs::read_to_string(file).map_err(|e| CliError::new(format!("{}: {e}", args.path)))?
    } else {
        args.path.clone()
    };
    parse_path(&text, args.scale).map_err(|e| {
        CliError::new(format!("{}: {e}", args.path)).with_hint(
            "a path is a JSON, CSV or SVG file, or line, circle, figure8, zigzag, spiral, s, hello",
        )
    })
}

fn options(args: &PathArgs) -> Result<PathOptions, CliError> {
    let wrong = |e: gaitway::synth::search::path::PathError| synth_error(SynthError::from(e));
    let obstacles = match &args.obstacles {
        None => Vec::new(),
        Some(file) => {
            let name = file.display();
            let text =
                std::fs::read_to_string(file).map_err(|e| CliError::new(format!("{name}: {e}")))?;
            parse_obstacles(&text).map_err(|e| wrong(e).in_file(&name.to_string()))?
        }
    };
    Ok(PathOptions {
        styles: args
            .style
            .as_deref()
            .map(parse_styles)
            .transpose()
            .map_err(wrong)?
            .unwrap_or_default(),
        start: match args.start {
            Some([x, z, degrees]) => Start::At {
                x,
                z,
                heading: degrees.to_radians(),
            },
            None => Start::Best,
        },
        smooth_arc: args.no_short_cuts,
        obstacles,
        corridor_m: args.corridor,
        forbid: args.forbid.clone(),
        ..PathOptions::default()
    })
}

fn search(args: &PathArgs) -> Search {
    let chosen = match args.search.as_str() {
        "bnb" => Search::Bnb(BnbOptions::default()),
        _ => Search::default(),
    };
    chosen.with_seed(args.seed)
}

fn budget(args: &PathArgs, path: &Path) -> Budget {
    let default = default_budget(path);
    Budget {
        expansions: args.expansions.unwrap_or(default.expansions),
        time: args.max_time.map(Duration::from_secs_f64),
        ..default
    }
}

/// `crowd.bvh` for one, `crowd-01.bvh`, `crowd-02.bvh`, … for many.
fn numbered(out: &FilePath, k: usize, count: usize) -> PathBuf {
    if count < 2 {
        return out.to_path_buf();
    }
    let stem = out.file_stem().and_then(|s| s.to_str()).unwrap_or("motion");
    let extension = out.extension().and_then(|e| e.to_str()).unwrap_or("bvh");
    let digits = count.to_string().len().max(2);
    out.with_file_name(format!("{stem}-{:0digits$}.{extension}", k + 1))
}

/// An obstacle as a polygon.
fn outline(obstacle: &Obstacle) -> Vec<[f64; 2]> {
    match obstacle {
        Obstacle::Circle([x, z, r]) => (0..48)
            .map(|k| {
                let angle = f64::from(k) * std::f64::consts::TAU / 48.0;
                [x + r * angle.cos(), z + r * angle.sin()]
            })
            .collect(),
        Obstacle::Box([x0, z0, x1, z1]) => vec![[*x0, *z0], [*x1, *z0], [*x1, *z1], [*x0, *z1]],
        Obstacle::Polygon(points) => points.clone(),
    }
}
