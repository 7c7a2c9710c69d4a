//! Motion along a path: one, several alternatives, or a crowd.

use std::time::Duration;

use gaitway_synth::path::{find_walks, make_motion, no_walk};
use gaitway_synth::report::keep_apart;
use gaitway_synth::search::Control;
use serde_json::Value;

use super::ask::{self, Asked};
use super::command;
use super::job::{Job, Stop, now_ms};
use super::members::{Member, along_path};
use super::request::{PathRequestJson, Sketch};
use super::results::{Fresh, ResultFile, ResultSummary};
use super::run::Done;
use super::watch::Watch;
use crate::error::ApiError;
use crate::state::Studio;

/// The least time between two looks at the best so far.
const BEST_EVERY: Duration = Duration::from_millis(120);

/// Runs a search along a path.
pub fn path(
    studio: &Studio,
    job: &Job,
    request: &PathRequestJson,
    sketch: Option<&Sketch>,
) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let asked = ask::read(request, Some(&state.graph))?;
    let edges = state
        .edge_paths(asked.request.options.smooth_arc)
        .map_err(ApiError::from)?;
    let watch = Watch::new(studio, job, &state, &edges);
    let (progress, best) = (|p| watch.progress(p), |b| watch.best(b));
    let control = Control {
        cancel: Some(&job.cancel),
        progress: Some(&progress),
        best: Some(&best),
        best_every: Some(BEST_EVERY),
    };
    let walks =
        find_walks(&state.graph, &edges, &asked.request, control).map_err(ApiError::from)?;
    watch.say(0.95, "making the motion");
    let none = format!("no walk: {}", no_walk(&walks));
    let made = (walks.into_iter()).map(|walk| make_motion(&state.graph, &asked.request, walk));
    let mut planned = made
        .collect::<Result<Vec<_>, _>>()
        .map_err(ApiError::from)?;
    keep_apart(&mut planned, &asked.request.options);
    let mut members: Vec<Member> = Vec::with_capacity(planned.len());
    for (place, planned) in planned.into_iter().enumerate() {
        members.extend(along_path(&state, planned, place)?);
    }
    let new = NewResult {
        notes: members.iter().filter_map(not_planted).collect(),
        members,
        command: command::path(request, &asked, None),
        before: None,
        sketch: sketch.cloned(),
    };
    finish(studio, job, &asked, request, new, || none.clone())
}

/// What is worth a note about a member.
pub fn not_planted(member: &Member) -> Option<String> {
    let why = member.note.as_ref()?;
    Some(format!("feet were left as they are: {why}"))
}

/// What a result is made of.
pub struct NewResult {
    /// The motions.
    pub members: Vec<Member>,
    /// The command line that does the same.
    pub command: String,
    /// What is worth telling.
    pub notes: Vec<String>,
    /// The report of what it was changed from.
    pub before: Option<Value>,
    /// What it was drawn as.
    pub sketch: Option<Sketch>,
}

/// Keeps what was made; `none` says why there is nothing.
pub fn finish(
    studio: &Studio,
    job: &Job,
    asked: &Asked,
    request: &PathRequestJson,
    new: NewResult,
    none: impl Fn() -> String,
) -> Result<Done, Stop> {
    let members = new.members;
    let none = || Stop::Failed(none());
    // Who draws on has no use for half of what was drawn before.
    if job.cancelled() && job.request.live().is_some() {
        return Err(Stop::Cancelled);
    }
    // A walk that breaks off where the search was stuck is shown, so that one sees how far it came; nothing is not.
    let first = members.first().ok_or_else(|| {
        if job.cancelled() {
            Stop::Cancelled
        } else {
            none()
        }
    })?;
    let status = first.file.report["status"]
        .as_str()
        .unwrap_or("BudgetSpent")
        .to_owned();
    if status == "NoWalk" && !job.cancelled() {
        return Err(none());
    }
    let id = job.view().id;
    let kind = job.view().kind;
    let alternatives = members
        .iter()
        .map(|m| m.file.alternative + 1)
        .max()
        .unwrap_or(1);
    let people = members.iter().map(|m| m.file.person + 1).max().unwrap_or(1);
    let rms_m = first.file.report["path_error_m"]["rms"].as_f64();
    let summary = ResultSummary {
        id: id.clone(),
        name: request
            .name
            .clone()
            .unwrap_or_else(|| format!("{:.0} m path", asked.path().length())),
        kind,
        created_ms: now_ms(),
        seconds: members.iter().map(|m| m.file.seconds).fold(0.0, f64::max),
        people,
        alternatives,
        rms_m,
        status,
        draft: job.request.live().map(str::to_owned),
    };
    let mut files = vec![command::GRAPH.to_owned(), "path.json".to_owned()];
    files.extend((!request.obstacles.is_empty()).then(|| "obstacles.json".to_owned()));
    files.extend(new.before.is_some().then(|| command::BEFORE.to_owned()));
    let message = format!(
        "{:.1} s of motion, {:.1} cm from the path",
        summary.seconds,
        100.0 * rms_m.unwrap_or(0.0)
    );
    let json = |v: Result<String, serde_json::Error>| v.map_err(ApiError::internal);
    let points = serde_json::json!({ "points": ask::points(request), "closed": request.closed });
    let obstacles = &asked.request.options.obstacles;
    let (clips, members) = members.into_iter().map(|m| (m.clip, m.file)).unzip();
    let fresh = Fresh {
        result: ResultFile {
            id: id.clone(),
            kind,
            request: serde_json::to_value(request).map_err(ApiError::internal)?,
            members,
            target: asked
                .path()
                .sampled(((asked.path().length() / 0.05) as usize).clamp(2, 5000)),
            obstacles: request.obstacles.clone(),
            command: new.command,
            files,
            notes: new.notes,
            sketch: new.sketch,
        },
        summary,
        clips,
        path: Some(json(serde_json::to_string_pretty(&points))?),
        obstacles: match obstacles.is_empty() {
            true => None,
            false => Some(json(serde_json::to_string_pretty(obstacles))?),
        },
        before: match &new.before {
            Some(rows) => Some(json(serde_json::to_string_pretty(rows))?),
            None => None,
        },
    };
    studio.keep_result(&fresh)?;
    Ok(Done {
        message,
        result: Some(id),
    })
}
