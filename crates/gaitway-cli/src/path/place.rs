//! `--end`: a clip, or any clip of a label, at a place and heading.

use gaitway::eval::draw::path::{OnPath, PathPicture};
use gaitway::graph::{ClipId, MotionGraph};
use gaitway::retarget::Report;
use gaitway::synth::path::{
    EdgePaths, Obstacle, PathError, PlaceRequest, PlacedMotion, plan_place,
};
use gaitway::synth::search::Control;
use gaitway::synth::{Motion, SynthError};
use serde_json::json;

use super::super::args::PathArgs;
use super::super::make::{counted, say_not_planted, synth_error};
use super::super::onto::{self, Onto};
use super::super::render::title;
use super::super::term::Term;
use super::super::{CliError, Outcome, interrupt};
use super::{ask, follow};

/// Searches, makes and writes; exit code 1 when the clip cannot be reached there.
pub fn run(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PlaceRequest,
    onto: Option<&Onto>,
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
            if !interrupt::stopped() {
                term.say(no_walk_hint(args));
            }
            return Ok(Outcome::Failed);
        }
        other => other.map_err(|e| place_error(graph, args, e))?,
    };
    let count = motions.len();
    let mut rows = Vec::with_capacity(count);
    for (k, placed) in motions.iter_mut().enumerate() {
        let file = ask::numbered(&args.make.out, k, count);
        let done = write(graph, placed, onto, &file, args, term)?;
        let mut row = placed.row(graph, &file.display().to_string());
        if let (Some(onto), Some(report)) = (onto, &done) {
            row["onto"] = onto.row(report);
            if !args.make.json {
                onto.say(report, term);
            }
        }
        rows.push(row);
    }
    super::write_report(args, rows, term)?;
    pictures(graph, request, &motions, args, term)?;
    let mut outcome = Outcome::Done;
    for (k, one) in motions.iter().enumerate() {
        // Of several motions each line names its file.
        let of = match count {
            1 => String::new(),
            _ => format!("{}: ", ask::numbered(&args.make.out, k, count).display()),
        };
        if let (Some(left), false) = (&one.left_style, args.make.json) {
            term.say(&format!("{of}{}", left.words));
        }
        for broken in one.constraints.iter().filter(|c| !c.kept) {
            term.fail(&format!("{of}{}", broken.words()));
            outcome = Outcome::Failed;
        }
        let Some(action) = &one.action else { continue };
        if !args.make.json {
            term.say(&format!("{of}{}", action.words()));
        }
        if !action.as_asked {
            let why = action.reason.as_deref().unwrap_or("it does not happen");
            term.fail(&format!("{of}{} missed: {why}", action.label));
            if let (Some([x, _, z]), Some(deg)) = (action.place_m, action.heading_deg) {
                term.say(&format!(
                    "hint: --end {}@{x:.2},{z:.2},{deg:.0} is where it was found to happen",
                    action.label
                ));
            } else {
                term.say(no_walk_hint(args));
            }
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}

/// What may help where nothing leads to the place.
fn no_walk_hint(args: &PathArgs) -> &'static str {
    match args.style {
        Some(_) => {
            "hint: without --style, or with --style any, other motion may be played on the way"
        }
        None => {
            "hint: --style any lets anything be played on the way; `gaitway inspect G.gway` says what leads where"
        }
    }
}

/// Errors about what was asked for by name, with what there is.
fn place_error(graph: &MotionGraph, args: &PathArgs, error: SynthError) -> CliError {
    let what = what(args);
    match error {
        SynthError::UnknownClip { clip } if clip == what => {
            let known = graph.labels().names().join(", ");
            CliError::new(format!(
                "--end: the graph has no label `{what}`, and no clip of that name or several; known labels: {known}"
            ))
            .with_hint("--end takes a label or a clip's name, as in sit@3,4,90; `gaitway inspect GRAPH --plot g.svg` shows clips by name")
        }
        SynthError::Path(action @ PathError::Action { .. }) => {
            let carries = |c: &ClipId| {
                let spans = graph.clip_info(*c).labels().spans();
                spans.iter().any(|s| s.label == what)
            };
            let by_name = graph.captured_ids().find(carries);
            let hint = match by_name.map(|c| graph.clip_info(c).name()) {
                Some(clip) => format!(
                    "the column `@` of a labels file says when an event is; a clip by name is placed by its first frame: --end {clip}@X,Z,HEADING"
                ),
                None => "the column `@` of a labels file says when an event is".to_owned(),
            };
            CliError::new(action.to_string()).with_hint(hint)
        }
        other => synth_error(other),
    }
}

/// The clip or label wanted, as typed.
fn what(args: &PathArgs) -> &str {
    args.end.as_ref().map_or("", |e| e.what.as_str())
}

/// Writes and measures one motion, and says how near it came.
fn write(
    graph: &MotionGraph,
    one: &mut PlacedMotion,
    onto: Option<&Onto>,
    file: &std::path::Path,
    args: &PathArgs,
    term: &mut Term,
) -> Result<Option<Report>, CliError> {
    say_not_planted(one.not_planted.as_deref(), term);
    let (placed, motion) = (&one.placed, &one.motion);
    let name = file.display().to_string();
    let done = onto::write(onto, file, &motion.clip, term)?.map(|d| d.1);
    if !args.make.json {
        let clip = graph.clip_info(placed.clip).name();
        let transitions = counted(motion.transitions.len(), "transition");
        let mut words = format!(
            "wrote {name}: {:.2} s, {transitions}, ends in {clip}",
            motion.clip.seconds()
        );
        // Of a label its own line says it.
        if let (None, Some(end)) = (&one.action, &args.end) {
            let [x, z, degrees] = end.at;
            words += &format!(
                ", whose first frame is {:.1} cm from ({x:.2}, {z:.2}) and faces {:.1}° off {degrees:.0}°",
                100.0 * one.place_error_m(),
                one.heading_error_rad().to_degrees()
            );
        }
        term.say(&words);
    }
    let numbers = follow::quality_of(graph, motion, &name)?;
    one.quality = serde_json::to_value(numbers).ok();
    Ok(done)
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
        interpolated: motion.interpolated_ways(graph),
        transitions: motion
            .transitions
            .iter()
            .map(|t| ground((t.t * clip.rate_hz()).round() as usize))
            .collect(),
        clip: Some(clip),
        frames: None,
    }
}
