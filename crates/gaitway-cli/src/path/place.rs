//! `--end`: a clip, or any clip of a label, at a place and heading.

use gaitway::eval::draw::path::{OnPath, PathPicture};
use gaitway::graph::MotionGraph;
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::path::{EdgePaths, Obstacle, PlaceRequest, PlacedMotion, plan_place};
use gaitway::synth::search::Control;
use gaitway::synth::{Motion, SynthError};
use serde_json::json;

use super::super::args::PathArgs;
use super::super::make::{counted, say_not_planted, synth_error};
use super::super::render::title;
use super::super::term::Term;
use super::super::{CliError, Outcome, interrupt};
use super::{ask, follow};

/// Searches, makes and writes; exit code 1 when the clip cannot be reached there.
pub fn run(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PlaceRequest,
    args: &PathArgs,
    term: &mut Term,
) -> Result<Outcome, CliError> {
    let control = Control {
        cancel: Some(interrupt::flag()),
        ..Control::default()
    };
    let mut motions = match plan_place(graph, edges, request, control) {
        Err(SynthError::NoWalk { reason }) => {
            let row = json!({ "status": "NoWalk", "reason": reason });
            super::write_report(args, vec![row], term)?;
            term.fail(&format!("no walk: {reason}"));
            return Ok(Outcome::Failed);
        }
        other => other.map_err(synth_error)?,
    };
    let count = motions.len();
    let mut rows = Vec::with_capacity(count);
    for (k, placed) in motions.iter_mut().enumerate() {
        let file = ask::numbered(&args.make.out, k, count);
        write(graph, placed, &file, args, term)?;
        rows.push(placed.row(graph, &file.display().to_string()));
    }
    super::write_report(args, rows, term)?;
    pictures(graph, request, &motions, args, term)?;
    let mut outcome = Outcome::Done;
    for action in motions.iter().filter_map(|m| m.action.as_ref()) {
        if !args.make.json {
            term.say(&action.words());
        }
        if !action.as_asked {
            let why = action.reason.as_deref().unwrap_or("it does not happen");
            term.fail(&format!("{} missed: {why}", action.label));
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}

/// The clip or label wanted, as typed.
fn what(args: &PathArgs) -> &str {
    args.end.as_ref().map_or("", |e| e.what.as_str())
}

/// Writes and measures one motion, and says how near it came.
fn write(
    graph: &MotionGraph,
    one: &mut PlacedMotion,
    file: &std::path::Path,
    args: &PathArgs,
    term: &mut Term,
) -> Result<(), CliError> {
    say_not_planted(one.not_planted.as_deref(), term);
    let (placed, motion) = (&one.placed, &one.motion);
    let name = file.display().to_string();
    for warning in &write_file(file, &motion.clip, &WriteOptions::default())? {
        term.warn(&name, warning);
    }
    if !args.make.json {
        term.say(&format!(
            "wrote {name}: {:.2} s, ends in {} {:.1} cm and {:.1}° off, {}",
            motion.clip.seconds(),
            graph.clip_info(placed.clip).name(),
            100.0 * one.place_error_m(),
            one.heading_error_rad().to_degrees(),
            counted(motion.transitions.len(), "transition"),
        ));
    }
    let numbers = follow::quality_of(graph, motion, &name)?;
    one.quality = serde_json::to_value(numbers).ok();
    Ok(())
}

fn pictures(
    graph: &MotionGraph,
    request: &PlaceRequest,
    motions: &[PlacedMotion],
    args: &PathArgs,
    term: &mut Term,
) -> Result<(), CliError> {
    if let Some(file) = &args.show.plot {
        let (what, wish) = (what(args), &request.wish);
        let obstacles = request.options.obstacles.iter();
        let people = motions.iter().map(|m| person(graph, &m.motion, what));
        let picture = PathPicture {
            title: format!(
                "{}: {what} at a place",
                title(&args.graph.to_string_lossy())
            ),
            people: people.collect(),
            called: Some("motions"),
            obstacles: obstacles.map(Obstacle::outline).collect(),
            goal: Some((wish.at.to_array(), wish.heading)),
            ..PathPicture::default()
        };
        super::plot(args, picture)?;
        term.say(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.show.gif {
        for (k, one) in motions.iter().enumerate() {
            super::gif(&ask::numbered(file, k, motions.len()), &one.motion, term)?;
        }
    }
    Ok(())
}

/// A motion, with what was wanted marked on its way: the label's runs, or the clip it ends in.
fn person<'a>(graph: &MotionGraph, motion: &'a Motion, what: &str) -> OnPath<'a> {
    let clip = &motion.clip;
    let each = (clip.rate_hz() / graph.working_rate_hz()).max(1.0);
    let place = |f: usize| (f as f64 / each) as usize;
    let count = place(clip.frame_count().saturating_sub(1)) + 1;
    let ground = |f: usize| {
        let p = clip.root()[f.min(clip.frame_count().saturating_sub(1))];
        [p.x, p.z]
    };
    let spans = clip.labels().spans().iter();
    let mut runs: Vec<(usize, usize)> = spans
        .filter(|s| s.label == what)
        .map(|s| (s.start, s.end))
        .collect();
    if let (true, Some(last)) = (runs.is_empty(), motion.origin.last()) {
        let own = motion.origin.iter().rev();
        let frames = own.take_while(|o| o.clip == last.clip).count();
        runs.push((clip.frame_count() - frames, clip.frame_count()));
    }
    OnPath {
        way: (0..count)
            .map(|k| ground((k as f64 * each) as usize))
            .collect(),
        styles: runs
            .into_iter()
            .map(|(from, to)| (place(from), place(to), what.to_owned()))
            .collect(),
        transitions: motion
            .transitions
            .iter()
            .map(|t| ground((t.t * clip.rate_hz()).round() as usize))
            .collect(),
        clip: Some(clip),
        frames: None,
    }
}
