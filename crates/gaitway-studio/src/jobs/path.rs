//! Motion along a path: one, several alternatives, or a crowd.

use std::time::Duration;

use gaitway_synth::search::path::{
    Alternative, AlternativeOptions, CrowdOptions, Person, alternatives, crowd,
};
use gaitway_synth::search::{Control, Outcome};
use serde_json::Value;

use super::ask::{self, Asked};
use super::command;
use super::job::{Job, Stop, now_ms};
use super::made::{Found, Member, along_path};
use super::request::PathRequest;
use super::results::{Fresh, ResultFile, ResultSummary};
use super::run::Done;
use super::watch::Watch;
use crate::error::{ApiError, ApiResult};
use crate::state::{GraphState, Studio};

/// The least time between two looks at the best so far.
const BEST_EVERY: Duration = Duration::from_millis(120);

/// Runs a search along a path.
pub fn path(studio: &Studio, job: &Job, request: &PathRequest) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let asked = ask::read(request, Some(&state.graph))?;
    let edges = state
        .edge_paths(asked.options.smooth_arc)
        .map_err(ApiError::from)?;
    let watch = Watch::new(studio, job, &state, &edges);
    let (progress, best) = (|p| watch.progress(p), |b| watch.best(b));
    let control = Control {
        cancel: Some(&job.cancel),
        progress: Some(&progress),
        best: Some(&best),
        best_every: Some(BEST_EVERY),
    };
    let graph = &state.graph;
    let found: Vec<Found> = if request.count > 1 {
        let wish = CrowdOptions {
            count: request.count,
            seed: request.seed,
            search: ask::search(request),
            budget: request.max_s.map(|_| ask::budget(request, &asked.path)),
            ..CrowdOptions::default()
        };
        let paths = std::slice::from_ref(&asked.path);
        let people =
            crowd(graph, &edges, paths, &asked.options, &wish, control).map_err(ApiError::from)?;
        let one = |(k, p): (usize, Person)| Found {
            followed: p.followed,
            person: k,
            alternative: 0,
            start_s: Some(p.start_s),
            shared: None,
        };
        people.into_iter().enumerate().map(one).collect()
    } else {
        let wish = AlternativeOptions {
            count: request.alternatives,
            seed: request.seed,
            ..AlternativeOptions::default()
        };
        let budget = ask::budget(request, &asked.path);
        let chosen = (ask::search(request), &budget);
        let mut found = alternatives(
            graph,
            &edges,
            &asked.path,
            &asked.options,
            chosen,
            &wish,
            control,
        )
        .map_err(ApiError::from)?;
        // Walks that arrive before those that do not, then by what they cost.
        found.sort_by(|a, b| {
            let (a, b) = (&a.followed.found, &b.followed.found);
            b.complete.cmp(&a.complete).then(a.cost.total_cmp(&b.cost))
        });
        let one = |(k, a): (usize, Alternative)| Found {
            followed: a.followed,
            person: 0,
            alternative: k,
            start_s: None,
            shared: (request.alternatives > 1).then_some(a.shared),
        };
        found.into_iter().enumerate().map(one).collect()
    };
    watch.say(0.95, "making the motion");
    let command = command::path(request, &asked, None);
    let mut notes = Vec::new();
    let members = members(&state, &asked, request, &found, &mut notes)?;
    let made = Made {
        members,
        command,
        notes,
        before: None,
    };
    finish(studio, job, &asked, request, made, || no_walk(&found))
}

/// Makes the motions of what was found; what is worth telling goes to the notes.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn members(
    state: &GraphState,
    asked: &Asked,
    request: &PathRequest,
    found: &[Found],
    notes: &mut Vec<String>,
) -> ApiResult<Vec<Member>> {
    let mut members: Vec<Member> = Vec::new();
    for one in found {
        if let Some(member) = along_path(state, asked, request, one)? {
            let note = member.note.as_ref();
            notes.extend(note.map(|n| format!("feet were left as they are: {n}")));
            members.push(member);
        }
    }
    Ok(members)
}

fn no_walk(found: &[Found]) -> String {
    let reason = found.iter().find_map(|f| match &f.followed.found.outcome {
        Outcome::NoWalk { reason } => Some(reason.clone()),
        _ => None,
    });
    let reason = reason.unwrap_or_else(|| "nothing was found in time".to_owned());
    format!("no walk: {reason}")
}

/// What a result is made of.
pub struct Made {
    /// The motions.
    pub members: Vec<Member>,
    /// The command line that does the same.
    pub command: String,
    /// What is worth telling.
    pub notes: Vec<String>,
    /// The report of what it was changed from.
    pub before: Option<Value>,
}

/// Keeps what was made; `none` says why there is nothing.
pub fn finish(
    studio: &Studio,
    job: &Job,
    asked: &Asked,
    request: &PathRequest,
    made: Made,
    none: impl Fn() -> String,
) -> Result<Done, Stop> {
    let members = made.members;
    let none = || Stop::Failed(none());
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
            .unwrap_or_else(|| format!("{:.0} m path", asked.path.length())),
        kind,
        created_ms: now_ms(),
        seconds: members.iter().map(|m| m.file.seconds).fold(0.0, f64::max),
        people,
        alternatives,
        rms_m,
        status,
    };
    let mut files = vec![command::GRAPH.to_owned(), "path.json".to_owned()];
    files.extend((!request.obstacles.is_empty()).then(|| "obstacles.json".to_owned()));
    files.extend(made.before.is_some().then(|| command::BEFORE.to_owned()));
    let message = format!(
        "{:.1} s of motion, {:.1} cm from the path",
        summary.seconds,
        100.0 * rms_m.unwrap_or(0.0)
    );
    let json = |v: Result<String, serde_json::Error>| v.map_err(ApiError::internal);
    let points = serde_json::json!({ "points": ask::points(request), "closed": request.closed });
    let obstacles = &asked.options.obstacles;
    let (clips, members) = members.into_iter().map(|m| (m.clip, m.file)).unzip();
    let fresh = Fresh {
        result: ResultFile {
            id: id.clone(),
            kind,
            request: serde_json::to_value(request).map_err(ApiError::internal)?,
            members,
            target: asked
                .path
                .sampled(((asked.path.length() / 0.05) as usize).clamp(2, 5000)),
            obstacles: request.obstacles.clone(),
            command: made.command,
            files,
            notes: made.notes,
        },
        summary,
        clips,
        path: Some(json(serde_json::to_string_pretty(&points))?),
        obstacles: match obstacles.is_empty() {
            true => None,
            false => Some(json(serde_json::to_string_pretty(obstacles))?),
        },
        before: match &made.before {
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
