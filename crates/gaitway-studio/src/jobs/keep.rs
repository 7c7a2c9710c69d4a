//! Motions that follow no path, kept as a result.

use serde_json::Value;

use super::command;
use super::job::{Job, Stop, now_ms};
use super::members::Member;
use super::request::{ObstacleJson, Sketch};
use super::results::{Fresh, ResultFile, ResultSummary};
use super::run::Done;
use crate::error::ApiError;
use crate::state::Studio;

/// What was made.
pub struct Made {
    /// The motions, the best first.
    pub members: Vec<Member>,
    /// What it is called.
    pub name: String,
    /// What was asked for.
    pub request: Value,
    /// The command line that does the same.
    pub command: String,
    /// What is worth telling.
    pub notes: Vec<String>,
    /// What was in the way.
    pub obstacles: Vec<ObstacleJson>,
    /// What it was drawn as.
    pub sketch: Option<Sketch>,
}

/// Keeps it.
pub fn keep(studio: &Studio, job: &Job, made: Made) -> Result<Done, Stop> {
    if job.cancelled() {
        return Err(Stop::Cancelled);
    }
    let (id, kind) = (job.view().id, job.view().kind);
    let first = made
        .members
        .first()
        .ok_or_else(|| Stop::Failed("there is not a frame to walk".to_owned()))?;
    let status = first.file.report["status"].as_str().unwrap_or("Solved");
    let summary = ResultSummary {
        id: id.clone(),
        name: made.name,
        kind,
        created_ms: now_ms(),
        seconds: first.file.seconds,
        people: 1,
        alternatives: made.members.len(),
        rms_m: None,
        status: status.to_owned(),
        draft: None,
    };
    let planted = made.members.iter().filter_map(super::path::not_planted);
    let notes = made.notes.into_iter().chain(planted).collect();
    let mut files = vec![command::GRAPH.to_owned()];
    let obstacles = match made.obstacles.is_empty() {
        true => None,
        false => {
            files.push("obstacles.json".to_owned());
            Some(serde_json::to_string_pretty(&made.obstacles).map_err(ApiError::internal)?)
        }
    };
    let (clips, members) = made.members.into_iter().map(|m| (m.clip, m.file)).unzip();
    let fresh = Fresh {
        result: ResultFile {
            id: id.clone(),
            kind,
            request: made.request,
            target: Vec::new(),
            obstacles: made.obstacles,
            command: made.command,
            files,
            notes,
            members,
            sketch: made.sketch,
        },
        summary,
        clips,
        path: None,
        obstacles,
        before: None,
    };
    let message = format!("{:.1} s of motion", fresh.summary.seconds);
    studio.keep_result(&fresh)?;
    Ok(Done {
        message,
        result: Some(id),
    })
}
