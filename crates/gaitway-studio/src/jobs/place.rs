//! Motion that ends with an action, or in a clip, at a place.

use gaitway_synth::SynthError;
use gaitway_synth::path::plan_place;
use gaitway_synth::search::Control;

use super::job::{Job, Stop};
use super::keep::{Made, keep};
use super::members::placed;
use super::request::{PlaceRequestJson, Sketch};
use super::run::Done;
use super::watch::Watch;
use super::{ask, command};
use crate::error::ApiError;
use crate::state::Studio;

/// Searches for it and makes it.
pub fn place(
    studio: &Studio,
    job: &Job,
    request: &PlaceRequestJson,
    sketch: Option<&Sketch>,
) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let asked = ask::place(request, &state.graph)?;
    let edges = state
        .edge_paths(asked.options.smooth_arc)
        .map_err(ApiError::from)?;
    let watch = Watch::new(studio, job, &state, &edges);
    let progress = |p| watch.progress(p);
    let control = Control {
        cancel: Some(&job.cancel),
        progress: Some(&progress),
        ..Control::default()
    };
    let motions = match plan_place(&state.graph, &edges, &asked, control) {
        Err(_) if job.cancelled() => return Err(Stop::Cancelled),
        Err(SynthError::NoWalk { reason }) => {
            return Err(Stop::Failed(format!("no walk: {reason}")));
        }
        other => other.map_err(ApiError::from)?,
    };
    watch.say(0.95, "making the motion");
    let left = motions.iter().filter_map(|m| m.left_style.as_ref());
    let notes = left.map(|l| l.words.clone()).collect();
    let members = motions.into_iter().enumerate();
    let members = members
        .map(|(k, one)| placed(&state, one, k))
        .collect::<Result<Vec<_>, _>>()?;
    let at = request.end;
    let made = Made {
        members,
        name: request
            .name
            .clone()
            .unwrap_or_else(|| format!("{} at ({:.1}, {:.1})", request.what, at.x, at.z)),
        request: serde_json::to_value(request).map_err(ApiError::internal)?,
        command: command::place(request),
        notes,
        obstacles: request.obstacles.clone(),
        sketch: sketch.cloned(),
    };
    keep(studio, job, made)
}
