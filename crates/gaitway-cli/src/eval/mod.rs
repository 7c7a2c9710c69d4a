//! `gaitway eval`: how well connected and how steerable graphs are, side by side.

mod json;
mod plot;
mod words;

use std::path::Path;

use gaitway::eval::connectivity::{
    EvalError, Form, FrameGraph, FrameOptions, MeasureOptions, Measures, Played, PlayedWays,
    VISIBLE_CM, Visible, measure, same_frames, visible,
};
use gaitway::graph::{CandidateId, EndCandidateId, MotionGraph};
use gaitway::synth::Motion;
use gaitway::synth::path::{CURVES, named_curve};
use gaitway::synth::report::{
    Following, MadeWays, Moment, Practical, Room, follow_curves, make_ways, practical_lm,
    same_moments,
};

use super::args::{EvalArgs, ThresholdArg};
use super::build::{graph_error, load_graph};
use super::make::synth_error;
use super::render::check_picture;
use super::term::Term;
use super::{CliError, Outcome, files, interrupt};

/// Joins looked at of every centimetre, to find T_vis.
const VISIBLE_SAMPLES: usize = 400;

/// Segments that are put into a room.
const ROOM_STARTS: usize = 200;

/// A graph and what was found about it.
struct Graded {
    file: String,
    graph: MotionGraph,
    visible: Option<Visible>,
    rows: Vec<Measured>,
    following: Option<Following>,
    made: Option<(MadeWays, Played)>,
    practical: Option<Practical>,
}

/// One form at one threshold.
struct Measured {
    frames: FrameGraph,
    measures: Measures,
    /// Times over the frames of the first graph's component.
    same: Option<Measures>,
}

/// What is measured, in order.
#[derive(Clone, Copy)]
struct Point {
    form: Form,
    threshold: ThresholdArg,
}

/// Runs the verb.
pub fn run(args: &EvalArgs, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.plot.as_ref()])?;
    let inputs: Vec<&Path> = args.graphs.iter().map(|g| g.as_path()).collect();
    files::keep_inputs([args.plot.as_ref()], &inputs)?;
    check_picture(args.plot.as_deref())?;
    let curves = curves(args)?;
    interrupt::on_ctrl_c();
    let mut all = Vec::new();
    for path in &args.graphs {
        let graph = load_graph(path)?;
        let file = path.display().to_string();
        if graph.captured_count() == 1 {
            term.say(&format!(
                "{file}: a graph of one clip: what is measured is how it joins itself"
            ));
        }
        let seen = match args.visible {
            true => Some(visible(&graph, VISIBLE_SAMPLES, args.seed).map_err(graph_error)?),
            false => None,
        };
        interrupt::go_on()?;
        all.push(Graded {
            file,
            graph,
            visible: seen,
            rows: Vec::new(),
            following: None,
            made: None,
            practical: None,
        });
    }
    let pairs = pairs(&all, args)?;
    let first = all.first().map(|g| g.graph.skeleton().clone());
    if let Some(other) = all
        .iter()
        .find(|g| Some(g.graph.skeleton()) != first.as_ref())
    {
        term.say(&format!(
            "{}: another body than in {}: shares and times stand side by side, frames are not the same",
            other.file, all[0].file
        ));
    }
    let visible_cm = visible_cm(&all);
    let points = points(args);
    for k in 0..all.len() {
        let (before, rest) = all.split_at_mut(k);
        grade(
            &mut rest[0],
            before.first(),
            &points,
            visible_cm,
            args,
            term,
        )?;
        let graded = &mut rest[0];
        if !curves.is_empty() {
            let found = follow_curves(&graded.graph, &curves, args.seed, interrupt::flag());
            graded.following = Some(found.map_err(synth_error)?);
            interrupt::go_on()?;
        }
        if let Some(side_m) = args.room {
            let room = Room::with_pillars(side_m);
            let stop = interrupt::flag();
            let found = practical_lm(&graded.graph, &room, ROOM_STARTS, args.seed, stop);
            graded.practical = Some(found.map_err(synth_error)?);
            interrupt::go_on()?;
        }
        if args.make.is_some() {
            graded.made = Some(made(&graded.graph, &pairs)?);
            interrupt::go_on()?;
        }
    }
    if let Some(path) = &args.plot {
        plot::write(path, &all, visible_cm, args)?;
        term.say(&format!("wrote {}", path.display()));
    }
    if args.json {
        let text = serde_json::to_string_pretty(&json::all(&all, visible_cm, args)?);
        term.json(&text.map_err(|e| CliError::new(e.to_string()))?)?;
    } else {
        term.out(&words::words(&all, visible_cm, args))?;
    }
    Ok(Outcome::Done)
}

fn curves(args: &EvalArgs) -> Result<Vec<(String, gaitway::synth::path::Path)>, CliError> {
    let every = args.curves.iter().any(|c| c == "all");
    let named: Vec<&str> = match every {
        true => CURVES.to_vec(),
        false => args.curves.iter().map(String::as_str).collect(),
    };
    let path = |name: &str| {
        let path = named_curve(name, 1.0).map_err(|e| {
            CliError::new(format!("--curves: {e}"))
                .with_hint(format!("curves are {}, or all", CURVES.join(", ")))
        })?;
        Ok((name.to_owned(), path))
    };
    named.into_iter().map(path).collect()
}

/// Between what ways are made, the same for all graphs.
fn pairs(all: &[Graded], args: &EvalArgs) -> Result<Vec<[Moment; 2]>, CliError> {
    let Some(count) = args.make else {
        return Ok(Vec::new());
    };
    let graphs: Vec<&MotionGraph> = all.iter().map(|g| &g.graph).collect();
    let pairs = same_moments(&graphs, count, args.seed);
    if pairs.is_empty() && all.len() > 1 {
        let what = "--make: expected captured frames that the largest components of all these graphs hold, found none";
        let hint = "ways are made between the same frames; try graphs of other clips one by one";
        return Err(CliError::new(what).with_hint(hint));
    }
    Ok(pairs)
}

/// Ways made into motion, and what is seen of their transitions.
fn made(graph: &MotionGraph, pairs: &[[Moment; 2]]) -> Result<(MadeWays, Played), CliError> {
    let mut played = PlayedWays::new(graph).map_err(graph_error)?;
    let mut look = |motion: &Motion| {
        let marks = motion
            .transitions
            .iter()
            .map(|m| (m.edge, m.start_s..m.end_s));
        Ok(played.add(&motion.clip, &marks.collect::<Vec<_>>())?)
    };
    let ways = make_ways(graph, pairs, interrupt::flag(), &mut look).map_err(synth_error)?;
    Ok((ways, played.told()))
}

/// T_vis in centimetres: the mean of what was measured on the graphs, or what is usual.
fn visible_cm(all: &[Graded]) -> f64 {
    let found: Vec<f64> = all.iter().filter_map(|g| g.visible.as_ref()?.cm).collect();
    match found.is_empty() {
        true => VISIBLE_CM,
        false => found.iter().sum::<f64>() / found.len() as f64,
    }
}

fn points(args: &EvalArgs) -> Vec<Point> {
    let mut out = Vec::new();
    for form in &args.form {
        for &threshold in &args.threshold {
            out.push(Point {
                form: form.form(),
                threshold,
            });
        }
    }
    out
}

fn in_cm(threshold: ThresholdArg, visible_cm: f64) -> Option<f64> {
    match threshold {
        ThresholdArg::Cm(cm) => Some(cm),
        ThresholdArg::Visible(times) => Some(times * visible_cm),
        ThresholdArg::Built => None,
    }
}

/// Measures one graph at all points; `first` is the one whose frames the others are held against.
fn grade(
    graded: &mut Graded,
    first: Option<&Graded>,
    points: &[Point],
    visible_cm: f64,
    args: &EvalArgs,
    term: &mut Term,
) -> Result<(), CliError> {
    let options = MeasureOptions {
        samples: args.samples,
        ways: args.ways,
        seed: args.seed,
    };
    let graph = &graded.graph;
    for (k, point) in points.iter().enumerate() {
        let cm = in_cm(point.threshold, visible_cm);
        let options_of = FrameOptions {
            form: point.form,
            threshold_cm: cm,
            ends: !args.no_ends,
            bound_times: args.bound,
        };
        let frames = FrameGraph::new(graph, &options_of)
            .map_err(|e| graph_error(e).in_file(&graded.file))?;
        let what = match cm {
            Some(cm) => format!("{}: {} at {cm:.2} cm", graded.file, point.form.name()),
            None => format!("{}: {} as built", graded.file, point.form.name()),
        };
        let bar = term.progress(100, &what);
        let mut on = |done: usize, total: usize| {
            bar.set_position((100 * done / total.max(1)) as u64);
            !interrupt::stopped()
        };
        let stopped = |EvalError::Stopped| CliError::new("stopped");
        let measures =
            measure(&frames, graph.labels(), None, &options, &mut on).map_err(stopped)?;
        let over = first.and_then(|f| {
            let row = f.rows.get(k)?;
            same_frames(&row.frames, &row.measures.inside, &frames)
        });
        let same = match over {
            Some(over) => {
                let again = measure(&frames, graph.labels(), Some(&over), &options, &mut on);
                Some(again.map_err(stopped)?)
            }
            None => None,
        };
        bar.finish_and_clear();
        graded.rows.push(Measured {
            frames,
            measures,
            same,
        });
    }
    match graded.rows.iter().all(|r| r.measures.joins == 0) {
        true => Err(no_joins(graded, points, visible_cm, args)),
        false => Ok(()),
    }
}

/// Nothing meets at any threshold: says how near the nearest are.
fn no_joins(graded: &Graded, points: &[Point], visible_cm: f64, args: &EvalArgs) -> CliError {
    let graph = &graded.graph;
    let table = graph.candidates();
    let own = (0..table.len() as u32).map(|k| table.distance_cm(CandidateId(k)));
    let window = 2 * graph.half_window() as usize + 1;
    let ends = (0..graph.end_candidates().len() as u32)
        .filter(|_| !args.no_ends)
        .map(|k| {
            graph
                .end_candidates()
                .get(EndCandidateId(k))
                .scaled_cm(window)
        });
    let nearest = own.chain(ends).fold(f64::INFINITY, f64::min);
    let highest = points
        .iter()
        .map(|p| in_cm(p.threshold, visible_cm).unwrap_or(graph.thresholds().default_cm))
        .fold(0.0, f64::max);
    let error = CliError::new(format!(
        "{}: expected frames that meet below {highest:.3} cm, found none",
        graded.file
    ));
    if !nearest.is_finite() {
        let ceiling = graph.options().metric.ceiling_cm;
        return error.with_hint(format!(
            "no two frames of its clips meet below its ceiling of {ceiling} cm; build it from more clips, or with a higher --ceiling"
        ));
    }
    // Rounded up, so that the hint as pasted finds them.
    let enough = (nearest * 10.0).floor() / 10.0 + 0.1;
    let kept_only = points.iter().all(|p| p.form == Form::Blend);
    let also = match kept_only {
        true => " --form cut",
        false => "",
    };
    error.with_hint(format!(
        "the nearest are {nearest:.2} cm apart: gaitway eval {} --threshold {enough:.1}{also}",
        graded.file
    ))
}
