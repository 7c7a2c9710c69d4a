//! The shortest way from one moment of a clip to another.

use gaitway_graph::MotionGraph;
use gaitway_synth::{ClipTime, ConnectBy};
use serde_json::json;

use super::command;
use super::job::{Job, Stop};
use super::keep::{Made, keep};
use super::members::walked;
use super::request::MomentJson;
use super::run::Done;
use crate::error::{ApiError, ApiResult};
use crate::state::Studio;

/// Goes there.
pub fn connect(
    studio: &Studio,
    job: &Job,
    (from, to): (&MomentJson, &MomentJson),
    by: &str,
    name: Option<&str>,
) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let graph = &state.graph;
    let (a, b) = (moment(graph, from, "from")?, moment(graph, to, "to")?);
    let walk = gaitway_synth::connect(graph, a, b, measure(by)?).map_err(ApiError::from)?;
    let extra = json!({ "from": a.name(graph), "to": b.name(graph), "by": by });
    let member = walked(&state, &walk, &extra)?;
    let default = || format!("{} to {}", from.clip, to.clip);
    let made = Made {
        members: vec![member],
        name: name.map_or_else(default, str::to_owned),
        request: json!({ "kind": "connect", "from": from, "to": to, "by": by }),
        command: command::connect(from, to, by),
        notes: Vec::new(),
        obstacles: Vec::new(),
        sketch: None,
    };
    keep(studio, job, made)
}

/// A moment, where the graph has its clip.
///
/// # Errors
/// When there is no such clip, or the number is no second.
pub fn moment(graph: &MotionGraph, at: &MomentJson, field: &str) -> ApiResult<ClipTime> {
    let wrong = |part: &str, message: String, hint: &str| {
        Err(ApiError::bad(message)
            .field(format!("{field}.{part}"))
            .hint(hint))
    };
    let Some(clip) = graph.find_clip(&at.clip) else {
        let message = format!("the graph has no clip `{}`, or several", at.clip);
        return wrong("clip", message, "clips are called as in the library");
    };
    let length = graph.clip_info(clip).seconds();
    if !(0.0..=length + 1.0).contains(&at.seconds) {
        let message = format!("`{}` lasts {length:.2} s", at.clip);
        return wrong(
            "seconds",
            message,
            "choose a moment within it, counted from its first frame",
        );
    }
    Ok(ClipTime {
        clip,
        seconds: at.seconds,
    })
}

/// What makes a way short.
///
/// # Errors
/// When it is no measure.
pub fn measure(by: &str) -> ApiResult<ConnectBy> {
    ConnectBy::from_name(by).ok_or_else(|| {
        ApiError::bad("expected time or cost")
            .field("by")
            .hint("time arrives first; cost has the smoother transitions")
    })
}
