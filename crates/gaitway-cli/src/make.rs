//! From a walk to a written motion, the same for every verb that makes one.

use std::path::Path;

use gaitway::eval::quality::{QualityOptions, feet_words, quality};
use gaitway::graph::MotionGraph;
use gaitway::synth::path::PathError;
use gaitway::synth::{
    AssembleOptions, Blend, ClipTime, FinishOptions, InterpolatedSpan, Motion, SynthError, Walk,
    finish_motion, parse_clip_time,
};
use serde_json::{Value, json};

use super::args::MakeArgs;
use super::build::graph_error;
use super::onto::{self, Onto};
use super::render::write_bytes;
use super::term::Term;
use super::{CliError, Outcome, files};

/// How transitions are made.
pub fn blend(args: &MakeArgs) -> Blend {
    Blend::from_name(&args.blend).unwrap_or_default()
}

/// Refuses outputs that could not be written, before anything is searched.
pub fn check_outputs(args: &MakeArgs, graph: &Path) -> Result<(), CliError> {
    let outputs = [Some(&args.out), args.report.as_ref()];
    files::check_outputs(outputs)?;
    let inputs: Vec<&Path> = [graph]
        .into_iter()
        .chain(args.onto.as_deref().map(Path::new))
        .collect();
    files::keep_inputs(outputs, &inputs)
}

/// Assembles a walk and plants its feet, unless they shall be left alone or there are none.
pub fn motion(
    graph: &MotionGraph,
    walk: &Walk,
    args: &MakeArgs,
    term: &mut Term,
) -> Result<Motion, CliError> {
    let finished = finish_motion(graph, walk, &options(args)).map_err(synth_error)?;
    say_not_planted(finished.not_planted.as_deref(), term);
    Ok(finished.motion)
}

/// How a walk is finished.
pub fn options(args: &MakeArgs) -> FinishOptions<'static> {
    FinishOptions {
        assemble: AssembleOptions {
            out_fps: args.out_fps,
            blend: blend(args),
            ..AssembleOptions::default()
        },
        clean: !args.no_clean,
        ..FinishOptions::default()
    }
}

/// Says why feet were left as they are.
pub fn say_not_planted(why: Option<&str>, term: &mut Term) {
    if let Some(why) = why {
        term.say(&format!("warning: feet were left as they are: {why}"));
    }
}

/// Writes a motion and its report. `extra` stands beside the fields every motion has.
pub fn write_motion(
    graph: &MotionGraph,
    motion: &Motion,
    extra: Value,
    args: &MakeArgs,
    term: &mut Term,
) -> Result<Outcome, CliError> {
    write_told(graph, motion, None, extra, args, term)
}

/// The same with a line of its own about feet, for motion whose frames in the file are not those to judge feet by.
pub fn write_told(
    graph: &MotionGraph,
    motion: &Motion,
    feet: Option<String>,
    extra: Value,
    args: &MakeArgs,
    term: &mut Term,
) -> Result<Outcome, CliError> {
    let onto = Onto::read(args.onto.as_ref(), &args.out, term)?;
    let on_body = onto::write(onto.as_ref(), &args.out, &motion.clip, term)?;
    let written = on_body.as_ref().map_or(&motion.clip, |(clip, _)| clip);
    let file = args.out.display().to_string();
    let measured = QualityOptions {
        file: file.clone(),
        transitions: Some(motion.transition_times()),
        ..QualityOptions::default()
    };
    let measured = quality(written, None, &measured);
    let feet = feet.filter(|_| on_body.is_none());
    let feet = feet.unwrap_or_else(|| feet_words(&measured));
    let mut report = json!({
        "file": file,
        "frames": motion.clip.frame_count(),
        "rate_hz": motion.clip.rate_hz(),
        "seconds": motion.clip.seconds(),
        "transitions": motion.transition_rows(graph),
        "quality": measured,
    });
    if let (Some(onto), Some((_, done))) = (&onto, &on_body) {
        report["onto"] = onto.row(done);
    }
    let interpolated = motion.interpolated(graph);
    if !interpolated.is_empty() {
        report["interpolated"] = json!(interpolated);
    }
    if let (Value::Object(all), Value::Object(more)) = (&mut report, extra) {
        all.extend(more);
    }
    let text = serde_json::to_string_pretty(&report).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        write_bytes(path, text.as_bytes())?;
    }
    if args.json {
        term.json(&text)?;
    } else {
        term.say(&format!(
            "wrote {}: {:.2} s at {} Hz, {}{}",
            args.out.display(),
            motion.clip.seconds(),
            motion.clip.rate_hz(),
            counted(motion.transitions.len(), "transition"),
            interpolated_words(&interpolated)
        ));
        if let (Some(onto), Some((_, done))) = (&onto, &on_body) {
            onto.say(done, term);
        }
        term.say(&feet);
    }
    Ok(Outcome::Done)
}

/// The crate's error as a person reads it.
pub fn synth_error(error: SynthError) -> CliError {
    match error {
        SynthError::Graph(error) => graph_error(error),
        unknown @ SynthError::UnknownClip { .. } => CliError::new(unknown.to_string()).with_hint(
            "`gaitway inspect GRAPH --plot g.svg` shows clips by name and `gaitway inspect GRAPH` the labels; any ending that fits one clip only will do",
        ),
        SynthError::PlaceLost {
            ref nearest,
            ref place,
            ..
        } => {
            let hint = match nearest {
                Some(near) => format!(
                    "write {near} instead of {place}, the nearest moment that is in it; `gaitway inspect GRAPH` says what brings lost motion back"
                ),
                None => "`gaitway inspect GRAPH` says why, and what brings it back".to_owned(),
            };
            CliError::new(error.to_string()).with_hint(hint)
        }
        unknown @ SynthError::UnknownLabel { .. } => CliError::new(unknown.to_string()).with_hint(
            "labels are given when a graph is built: `gaitway build CLIPS --labels F.csv` or --label-names 'walk*=walk'",
        ),
        empty @ SynthError::EmptyWalk => CliError::new(empty.to_string())
            .with_hint("ask for more seconds: --seconds 10"),
        SynthError::Path(action @ PathError::Action { .. }) => {
            CliError::new(action.to_string()).with_hint(
                "`gaitway inspect GRAPH` lists the events that are found; the column `@` of a labels file says when one is, and LABEL@FROM..TO asks for a stretch instead",
            )
        }
        SynthError::Path(style @ PathError::Style { .. }) => CliError::new(style.to_string())
            .with_hint("pieces in metres or per cent that meet: --style walk@0..4,sneak@4.. or walk,pick-up@5"),
        SynthError::Path(time @ PathError::Time { .. }) => CliError::new(time.to_string())
            .with_hint("times are later the farther along: --arrive 3.5@4,8@50%; speeds do not overlap: --speed 1.2@0..4,2@4.."),
        other => CliError::new(other.to_string()),
    }
}

/// How long a motion plays what was never captured, as the end of a sentence.
pub fn interpolated_words(spans: &[InterpolatedSpan]) -> String {
    let seconds: f64 = spans.iter().map(|s| s.end_s - s.start_s).sum();
    match spans.is_empty() {
        true => String::new(),
        false => format!(", {seconds:.2} s interpolated"),
    }
}

/// `1 transition`, `2 transitions`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// A moment of a clip as the user named it.
pub fn moment(graph: &MotionGraph, text: &str) -> Result<ClipTime, CliError> {
    parse_clip_time(graph, text).map_err(|e| match e {
        SynthError::Options { what } => CliError::new(what).with_hint(
            "seconds are counted from the clip's first frame; `gaitway inspect GRAPH --json` lists clips",
        ),
        other => synth_error(other),
    })
}

/// Whether an error says that there is no such walk, which is an answer and not a mistake: exit code 1.
pub fn is_answer(error: &SynthError) -> bool {
    matches!(
        error,
        SynthError::NotConnected { .. }
            | SynthError::NoLoop { .. }
            | SynthError::NoComponent { .. }
    )
}
