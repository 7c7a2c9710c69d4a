//! `gaitway distance`: how near two clips come, frame against frame.

use std::path::Path;

use gaitway::core::clip_set::body_differences;
use gaitway::core::ground;
use gaitway::eval::draw::{Grid, HeatmapOptions, heatmap};
use gaitway::io::{Import, WriteError, npz, output::write_atomic};
use gaitway::metric::{
    CoarseOptions, DistanceGrid, DistanceReport, PointCloud, candidates_between,
    coarse_candidates_between, distance_grid,
};

use super::args::DistanceArgs;
use super::load::load_one;
use super::term::{Term, table};
use super::{CliError, Outcome, files, metric, render};

/// Runs the verb.
pub fn run(args: &DistanceArgs, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.npy.as_ref(), args.plot.as_ref()])?;
    render::check_picture(args.plot.as_deref())?;
    let a = load_one(&args.a, &args.read, term)?;
    let b = load_one(&args.b, &args.read, term)?;
    let (options, markers) = (
        metric::options(&args.metric),
        metric::quiet_markers(&args.metric, [&a, &b])?,
    );
    let differences = body_differences(&a.clip, &b.clip);
    if let Some(first) = differences.first() {
        let (n, a, b) = (differences.len(), &args.a, &args.b);
        return Err(CliError::new(format!(
            "{a} and {b} have different skeletons ({n} differences): {first}"
        ))
        .with_hint("distances need one skeleton: choose two clips of one body"));
    }
    let cloud = |import: &Import, name: &str| {
        let clip = ground::travel_to_root(&import.clip).with_name(name);
        PointCloud::from_clip(&clip, &markers, args.metric.rate_hz()).map_err(metric::error)
    };
    let first = cloud(&a, &args.a)?;
    // A clip against itself is one cloud, so that every frame's likeness to itself is left out.
    let second = if args.a == args.b {
        None
    } else {
        Some(cloud(&b, &args.b)?)
    };
    let (a, b) = (&first, second.as_ref().unwrap_or(&first));
    let found = match args.coarse {
        None => candidates_between(a, b, &options).map_err(metric::error)?,
        Some(step) => {
            let coarse = CoarseOptions {
                step,
                ..CoarseOptions::default()
            };
            let quick =
                coarse_candidates_between(a, b, &options, &coarse).map_err(metric::error)?;
            term.say(&format!(
                "coarse: {} of {} minima in a sample of the grid were missed",
                quick.missed, quick.sampled
            ));
            quick.found
        }
    };
    let report = DistanceReport::new(a, b, &options, &found.candidates).map_err(metric::error)?;
    if args.npy.is_some() || args.plot.is_some() {
        let grid = distance_grid(a, b, &options).map_err(metric::error)?;
        if let Some(path) = &args.npy {
            write_npy(path, &grid)?;
            term.say(&format!(
                "wrote {}: {} × {} values",
                path.display(),
                grid.rows,
                grid.cols
            ));
        }
        if let Some(path) = &args.plot {
            plot(path, &grid, &report, args)?;
            term.say(&format!("wrote {}", path.display()));
        }
    }
    if args.json {
        let text =
            serde_json::to_string_pretty(&report).map_err(|e| CliError::new(e.to_string()))?;
        term.json(&text)?;
    } else {
        term.out(&words(&report))?;
    }
    Ok(if report.minima.is_empty() {
        Outcome::Failed
    } else {
        Outcome::Done
    })
}

fn write_npy(path: &Path, grid: &DistanceGrid) -> Result<(), CliError> {
    write_atomic(path, |sink| {
        npz::write_npy_f32(sink, &[grid.rows, grid.cols], &grid.cm).map_err(|source| {
            WriteError::Io {
                file: path.display().to_string(),
                source,
            }
        })
    })?;
    Ok(())
}

fn plot(
    path: &Path,
    grid: &DistanceGrid,
    report: &DistanceReport,
    args: &DistanceArgs,
) -> Result<(), CliError> {
    let minima: Vec<(f64, f64)> = report
        .minima
        .iter()
        .map(|m| (f64::from(m.i), f64::from(m.j)))
        .collect();
    let same = args.a == args.b;
    let (a, b) = (render::title(&args.a), render::title(&args.b));
    let options = HeatmapOptions {
        rate_hz: args.metric.rate_hz(),
        title: if same {
            format!("{a} against itself: √D in cm")
        } else {
            format!("√D in cm: {a} against {b}")
        },
        rows_label: a,
        cols_label: b,
        ..HeatmapOptions::default()
    };
    let picture = Grid {
        rows: grid.rows,
        cols: grid.cols,
        values: &grid.cm,
    };
    let scene = heatmap(&picture, &minima, &options).map_err(|e| CliError::new(e.to_string()))?;
    render::write_scene(path, &scene)
}

fn words(report: &DistanceReport) -> String {
    if report.minima.is_empty() {
        return "no minimum below the ceiling\n".to_owned();
    }
    let second = |frame: u32| format!("{:.2}", f64::from(frame) / report.rate_hz);
    let rows: Vec<Vec<String>> = report
        .minima
        .iter()
        .map(|m| {
            vec![
                format!("{:.2}", m.distance_cm),
                second(m.i),
                second(m.j),
                m.i.to_string(),
                m.j.to_string(),
                format!("{:.1}", m.theta_rad.to_degrees()),
                format!("{:.2}", m.x0_m),
                format!("{:.2}", m.z0_m),
            ]
        })
        .collect();
    table(
        &["cm", "A s", "B s", "i", "j", "turn °", "x0 m", "z0 m"],
        &rows,
    )
}
