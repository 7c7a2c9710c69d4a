//! `--again`: a part of a motion made before is searched again, the rest of it and all others are kept.

use std::path::Path as FilePath;

use gaitway::core::text::found_in_json;
use gaitway::graph::{EdgeId, MotionGraph, NodeId};
use gaitway::synth::SynthError;
use gaitway::synth::path::{EdgePaths, PathRequest, PathWalk, Window};
use gaitway::synth::report::{Kept, KeptWalk, resolve_kept};
use gaitway::synth::search::{Control, Outcome as Ended, SearchProgress};
use serde_json::Value;

use super::super::CliError;
use super::super::args::PathArgs;
use super::super::make::synth_error;
use super::super::term::Term;
use super::super::{files, interrupt};

const A_REPORT_IS: &str =
    "`gaitway path … --report FILE` writes what is needed; older reports have no walk in them";

/// Paths whose lengths differ by more are not the same, metres: a report's numbers are rounded far below it.
const SAME_PATH_M: f64 = 1e-3;

/// Searches again; nothing where there is no other way, which is said.
pub fn search(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PathRequest,
    (from_s, to_s): (f64, f64),
    args: &PathArgs,
    term: &mut Term,
) -> Result<Option<Vec<PathWalk>>, CliError> {
    let kept = read(args, request)?;
    let which = args.again.person - 1;
    if which >= kept.len() {
        let what = format!("--person {}: the report has {}", which + 1, kept.len());
        return Err(CliError::new(what));
    }
    let bar = term.progress(1000, "searching");
    let show = |p: SearchProgress| bar.set_position((1000.0 * p.part) as u64);
    let control = Control {
        cancel: Some(interrupt::flag()),
        progress: Some(&show),
        ..Control::default()
    };
    let window = Window {
        seed: args.seed,
        budget: request.given_budget(),
        ..Window::new(from_s, to_s)
    };
    let (paths, options) = (&request.paths, &request.options);
    let all = resolve_kept(graph, edges, paths, options, &kept, which, &window, control)
        .map_err(|e| not_of_this_graph(e, graph, args))?;
    bar.finish_and_clear();
    let resolved = &all.resolved;
    if let Ended::NoWalk { reason } = &resolved.followed.found.outcome {
        term.fail(&format!(
            "no other way for seconds {from_s} to {to_s}: {reason}"
        ));
        return Ok(None);
    }
    let old = &kept[which].walk;
    let frames: u64 = old
        .edges
        .iter()
        .map(|&e| u64::from(graph.working_length(EdgeId(e))))
        .sum();
    let seconds = frames as f64 / graph.working_rate_hz();
    if from_s >= seconds {
        let what = format!("--again {from_s}..{to_s}: the motion has {seconds:.2} seconds");
        return Err(CliError::new(what));
    }
    let new_edges = resolved.followed.found.edges().iter().map(|e| e.0);
    if new_edges.eq(old.edges.iter().copied()) {
        term.fail(&format!(
            "nothing better was found for seconds {from_s} to {to_s}: they would be as before"
        ));
        term.say("hint: a longer stretch or another --seed leaves more to choose from");
        return Ok(None);
    }
    let (from, to) = resolved.window_s;
    term.say(&format!(
        "seconds {from:.2} to {to:.2} are new; what follows moved by {:.1} cm",
        100.0 * resolved.moved.rms_m
    ));
    let walks = all.into_walks(&kept);
    // Alternatives do not share a clock: only the one that was changed is of interest.
    let alone = walks.iter().any(|w| w.start_s.is_none());
    Ok(Some(match alone {
        true => walks.into_iter().skip(which).take(1).collect(),
        false => walks,
    }))
}

/// Why a report's walk cannot be searched again, with places that a person can look up instead of numbers of edges.
fn not_of_this_graph(error: SynthError, graph: &MotionGraph, args: &PathArgs) -> CliError {
    let place = |n: NodeId| {
        let node = graph.node(n);
        let clip = graph.clip_info(node.clip);
        let seconds = clip.source_boundary(node.boundary) as f64 / clip.rate_hz();
        format!("`{}` at {seconds:.2} s", clip.name())
    };
    let what = match &error {
        SynthError::DoesNotMeet { leaves, at, .. } => format!(
            "its walk is at {} and goes on from {}",
            place(*at),
            place(*leaves)
        ),
        SynthError::NotInGraph { what } => {
            format!("its walk goes by {what}, which the graph does not have")
        }
        _ => return synth_error(error),
    };
    let report = args
        .again
        .from
        .as_deref()
        .unwrap_or(FilePath::new("report"));
    CliError::new(format!("{}: {what}", report.display())).with_hint(
        "--again takes the graph and the report of one and the same `gaitway path … --report FILE`",
    )
}

/// The walks of a report: of one motion, or of several in a list.
fn read(args: &PathArgs, request: &PathRequest) -> Result<Vec<Kept>, CliError> {
    let Some(file) = &args.again.from else {
        return Err(CliError::new("--again needs --from").with_hint(A_REPORT_IS));
    };
    let name = file.display().to_string();
    let wrong = |what: String| CliError::new(format!("{name}: {what}")).with_hint(A_REPORT_IS);
    let text = files::read_text(file, A_REPORT_IS)?;
    let all: Value = serde_json::from_str(&text).map_err(|e| {
        let place = format!("{name}:{}:{}", e.line(), e.column());
        let found = found_in_json(&e.to_string());
        CliError::new(format!("{place}: expected a report, found {found}")).with_hint(A_REPORT_IS)
    })?;
    let rows = match all {
        Value::Array(rows) => rows,
        one => vec![one],
    };
    let kept = rows.iter().enumerate().map(|(k, row)| {
        let found = row.get("walk").cloned();
        let found = found.ok_or_else(|| wrong(format!("motion {} has no walk", k + 1)))?;
        let path = row["path"].as_u64().map_or(0, |p| p as usize);
        // Obstacles lead a path round, so that its length is known only to the search.
        let drawn = request.paths.get(path).map(|p| p.length());
        if let (Some(drawn), Some(was), true) =
            (drawn, row["path_m"].as_f64(), request.options.obstacles.is_empty())
            && (drawn - was).abs() > SAME_PATH_M
        {
            return Err(CliError::new(format!(
                "{name}: motion {} went along a path of {was:.2} m, and the one given has {drawn:.2} m",
                k + 1
            ))
            .with_hint("--again takes the path and the --obstacles that the report was made with"));
        }
        let walk: KeptWalk = serde_json::from_value(found).map_err(|e| {
            let found = found_in_json(&e.to_string());
            wrong(format!("the walk of motion {} has {found}", k + 1))
        })?;
        Ok(Kept {
            path,
            start_s: row["start_s"].as_f64(),
            walk,
        })
    });
    kept.collect()
}
