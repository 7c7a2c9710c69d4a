//! A random walk as a result.

use gaitway_synth::{RandomWalk, Wandering, find_label, wander};
use serde_json::json;

use super::command;
use super::job::{Job, Stop};
use super::keep::{Made, keep};
use super::members::walked;
use super::run::Done;
use crate::error::ApiError;
use crate::state::Studio;

/// The longest walk, seconds.
pub const LONGEST_S: f64 = 3600.0;

/// Makes a random walk.
pub fn walk(
    studio: &Studio,
    job: &Job,
    seconds: f64,
    label: Option<&str>,
    seed: u64,
    name: Option<&str>,
) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let wish = RandomWalk {
        seconds,
        label: label
            .map(|l| find_label(&state.graph, l))
            .transpose()
            .map_err(ApiError::from)?,
        seed,
        ..RandomWalk::default()
    };
    let found = wander(&state.graph, &wish).map_err(ApiError::from)?;
    let extra = json!({ "seed": seed, "label": label });
    let member = walked(&state, &found.walk, &extra)?;
    let default = || label.map_or_else(|| "wander".to_owned(), |l| format!("wander: {l}"));
    let made = Made {
        members: vec![member],
        name: name.map_or_else(default, str::to_owned),
        request: json!({ "kind": "walk", "seconds": seconds, "label": label, "seed": seed }),
        command: command::walk(seconds, label, seed),
        notes: notes(&found),
        obstacles: Vec::new(),
        sketch: None,
    };
    keep(studio, job, made)
}

/// What is worth saying about a walk.
fn notes(found: &Wandering) -> Vec<String> {
    /// The same way round this often running is worth a word.
    const OFTEN: usize = 4;
    let mut out = Vec::new();
    if found.climbs {
        out.push(
            "it climbs what is not there any more: nothing on level ground goes on for ever"
                .to_owned(),
        );
    } else if found.climbing_s > 0.05 {
        let left = found.climbing_s;
        out.push(format!(
            "it keeps to level ground: {left:.1} s that climb are left out"
        ));
    }
    if found.repeats.times >= OFTEN {
        out.push(format!(
            "the same {:.1} s come round {} times running: there are {:.1} s to play",
            found.repeats.seconds, found.repeats.times, found.region_s
        ));
    }
    out
}
