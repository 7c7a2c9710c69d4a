//! A part of a motion along a path searched again, the rest kept.

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, NodeId};
use gaitway_synth::Walk;
use gaitway_synth::search::path::{Followed, PathProblem, Window, resolve_window};
use gaitway_synth::search::{Control, Found as Searched, Outcome, Problem, replay};

use super::ask;
use super::job::{Job, Stop};
use super::made::Found;
use super::path::finish;
use super::request::PathRequest;
use super::results::WalkFile;
use super::run::Done;
use super::watch::Watch;
use crate::error::{ApiError, ApiResult};
use crate::state::{GraphState, Studio};

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
        left_path: None,
        found: Searched {
            start: Some(start),
            end: Some(end),
            edges,
            last_frames: file.last_frames,
            cost,
            bound: None,
            starts: 1,
            expansions: 0,
            complete: file.complete,
            outcome: Outcome::Solved,
            deterministic: true,
            seconds: 0.0,
        },
    })
}
