//! Motion along a path: one, several alternatives, or a crowd; and a part of one searched again.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, NodeId};
use gaitway_synth::search::path::{
    Alternative, AlternativeOptions, CrowdOptions, Followed, PathProblem, Person, Window,
    alternatives, crowd, resolve_window,
};
use gaitway_synth::search::{
    BestSoFar, Control, Found as Searched, Outcome, Problem, SearchProgress, replay,
};
use gaitway_synth::{AssembleOptions, Walk, assemble};

use super::ask::{self, Asked};
use super::command;
use super::job::{Best, Job, Stop, now_ms};
use super::made::{Found, Member, along_path, marks};
use super::request::PathRequest;
use super::results::{Fresh, ResultFile, ResultSummary, WalkFile, way_of};
use super::run::Done;
use crate::error::{ApiError, ApiResult};
use crate::state::{Event, GraphState, Studio};
use crate::wire::gwmo::{self, Extra};

/// The least time between two looks at the best so far.
const BEST_EVERY: Duration = Duration::from_millis(120);
/// The least time between two words about progress.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// The most frames of a best so far that are shown.
const MOST_SHOWN: usize = 16384;

/// Runs a search along a path.
pub fn path(studio: &Studio, job: &Job, request: &PathRequest) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let asked = ask::read(request, Some(&state.graph))?;
    let edges = state
        .edge_paths(asked.options.smooth_arc)
        .map_err(ApiError::from)?;
    let watch = Watch::new(studio, job, &state);
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
    let command = command::path(request, &asked);
    finish(
        studio,
        job,
        &state,
        &asked,
        request,
        found,
        command,
        Vec::new(),
    )
}

/// Makes, measures and keeps what was found.
#[expect(
    clippy::too_many_arguments,
    reason = "a result is made from all of these, and only here"
)]
fn finish(
    studio: &Studio,
    job: &Job,
    state: &GraphState,
    asked: &Asked,
    request: &PathRequest,
    found: Vec<Found>,
    command: String,
    mut notes: Vec<String>,
) -> Result<Done, Stop> {
    let mut members: Vec<Member> = Vec::new();
    for one in &found {
        if let Some(member) = along_path(state, asked, request, one)? {
            notes.extend(
                member
                    .note
                    .as_ref()
                    .map(|n| format!("feet were left as they are: {n}")),
            );
            members.push(member);
        }
    }
    let none = || {
        let reason = found.iter().find_map(|f| match &f.followed.found.outcome {
            Outcome::NoWalk { reason } => Some(reason.clone()),
            _ => None,
        });
        Stop::Failed(format!(
            "no walk: {}",
            reason.unwrap_or_else(|| "nothing was found in time".to_owned())
        ))
    };
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
        kind: kind.clone(),
        created_ms: now_ms(),
        seconds: members.iter().map(|m| m.file.seconds).fold(0.0, f64::max),
        people,
        alternatives,
        rms_m,
        status,
    };
    let mut files = vec![command::GRAPH.to_owned(), "path.json".to_owned()];
    files.extend((!request.obstacles.is_empty()).then(|| "obstacles.json".to_owned()));
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
            command,
            files,
            notes,
        },
        summary,
        clips,
        path: Some(json(serde_json::to_string_pretty(&points))?),
        obstacles: match obstacles.is_empty() {
            true => None,
            false => Some(json(serde_json::to_string_pretty(obstacles))?),
        },
    };
    studio.keep_result(&fresh)?;
    Ok(Done {
        message,
        result: Some(id),
    })
}

/// Searches a part of a result again.
pub fn resolve(
    studio: &Studio,
    job: &Job,
    result: &str,
    member: usize,
    (from_s, to_s): (f64, f64),
    seed: u64,
) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let old = studio.result(result)?;
    let request: PathRequest = serde_json::from_value(old.request.clone())
        .map_err(|_| Stop::Failed("only a motion along a path can be searched again".to_owned()))?;
    let file = old.members.get(member).and_then(|m| m.walk.clone());
    let file =
        file.ok_or_else(|| Stop::Failed("this motion cannot be searched again".to_owned()))?;
    if file.graph != state.tag() {
        return Err(Stop::Failed(
            "the graph was changed since; make the motion anew".to_owned(),
        ));
    }
    let asked = ask::read(&request, Some(&state.graph))?;
    let edges = state
        .edge_paths(asked.options.smooth_arc)
        .map_err(ApiError::from)?;
    let problem = PathProblem::new(&state.graph, &edges, &asked.path, &asked.options)
        .map_err(ApiError::from)?;
    let followed = followed_again(&state, &problem, &file)?;
    let watch = Watch::new(studio, job, &state);
    let progress = |p| watch.progress(p);
    let control = Control {
        cancel: Some(&job.cancel),
        progress: Some(&progress),
        ..Control::default()
    };
    let window = Window {
        seed,
        ..Window::new(from_s, to_s)
    };
    let found = resolve_window(
        &state.graph,
        &edges,
        &asked.path,
        &asked.options,
        &followed,
        &window,
        control,
    )
    .map_err(ApiError::from)?;
    if job.cancelled() {
        return Err(Stop::Cancelled);
    }
    if let Outcome::NoWalk { reason } = &found.followed.found.outcome {
        return Err(Stop::Failed(format!(
            "no other way for these seconds: {reason}"
        )));
    }
    let notes = vec![format!(
        "seconds {:.2} to {:.2} are new; what follows moved by {:.1} cm",
        found.window_s.0,
        found.window_s.1,
        100.0 * found.moved.rms_m
    )];
    let base = old.command.split("  #").next().unwrap_or("");
    let command = format!(
        "{base}  # makes the motion this one was changed from: seconds {from_s:.2} to {to_s:.2} were searched again \
         in the studio (seed {seed})"
    );
    let one = Found {
        followed: found.followed,
        person: 0,
        alternative: 0,
        start_s: None,
        shared: None,
    };
    finish(
        studio,
        job,
        &state,
        &asked,
        &request,
        vec![one],
        command,
        notes,
    )
}

/// A walk from its file, as the search that found it had it.
fn followed_again(
    state: &GraphState,
    problem: &PathProblem<'_>,
    file: &WalkFile,
) -> ApiResult<Followed> {
    let lost = || {
        ApiError::unprocessable("the walk no longer fits what is asked for; make the motion anew")
    };
    let world = Planar::new(
        file.world_from_start[0],
        file.world_from_start[1],
        file.world_from_start[2],
    );
    let node = NodeId(file.start);
    let far = |p: Planar| (p.x - world.x).abs() + (p.z - world.z).abs();
    let start = problem
        .starts()
        .into_iter()
        .filter(|s| problem.node(s) == node)
        .min_by(|a, b| far(a.world_from_clip()).total_cmp(&far(b.world_from_clip())))
        .ok_or_else(lost)?;
    let edges: Vec<EdgeId> = file.edges.iter().map(|&e| EdgeId(e)).collect();
    let (end, cost) = replay(problem, &start, &edges, file.last_frames).ok_or_else(lost)?;
    let last = *edges.last().ok_or_else(lost)?;
    let drop = state
        .graph
        .working_length(last)
        .saturating_sub(file.last_frames);
    let walk = Walk::new(&state.graph, node, edges.clone())?.trimmed(&state.graph, 0, drop)?;
    Ok(Followed {
        walk: Some(walk),
        world_from_start: start.world_from_clip(),
        found: Searched {
            start: Some(start),
            end: Some(end),
            edges,
            last_frames: file.last_frames,
            cost,
            bound: None,
            expansions: 0,
            complete: file.complete,
            outcome: Outcome::Solved,
            deterministic: true,
            seconds: 0.0,
        },
    })
}

/// Passes on how a search goes.
struct Watch<'a> {
    studio: &'a Studio,
    job: &'a Job,
    state: &'a GraphState,
    told: std::sync::Mutex<Option<Instant>>,
}

impl<'a> Watch<'a> {
    fn new(studio: &'a Studio, job: &'a Job, state: &'a GraphState) -> Self {
        Self {
            studio,
            job,
            state,
            told: std::sync::Mutex::new(None),
        }
    }

    fn say(&self, part: f64, message: &str) {
        self.job.set(|v| {
            v.part = part;
            v.message = message.to_owned();
        });
        self.studio.tell_job(self.job);
    }

    fn progress(&self, p: SearchProgress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_some_and(|t| t.elapsed() < TELL_EVERY) {
            return;
        }
        *told = Some(Instant::now());
        drop(told);
        let best = p
            .best
            .map_or(String::new(), |c| format!(", best so far {c:.2} m²"));
        self.say(0.9 * p.part, &format!("searching{best}"));
    }

    /// Shows the best so far. One that cannot be shown is passed over: there will be another.
    fn best(&self, best: BestSoFar) {
        let graph = &self.state.graph;
        let Ok(Some(walk)) = best.walk(graph) else {
            return;
        };
        let options = AssembleOptions {
            world_from_start: best.world_from_start,
            ..AssembleOptions::default()
        };
        let Ok(motion) = assemble(graph, &walk, &options) else {
            return;
        };
        let way = way_of(&motion.clip);
        let extra = Extra {
            transitions: marks(graph, &motion),
            way: Some(way.clone()),
            ..Extra::default()
        };
        let count = motion.clip.frame_count().min(MOST_SHOWN);
        let gwmo = gwmo::encode(&motion.clip, 0..count, extra);
        let mut held = self.job.best.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Arc::new(Best { gwmo }));
        drop(held);
        self.studio.events.tell(Event::Best {
            job: self.job.view().id,
            part: best.part,
            cost: best.cost,
            way,
        });
    }
}
