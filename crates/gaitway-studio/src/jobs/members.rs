//! From a walk to a member of a result: the same chain as the command line's.

use gaitway_core::Clip;
use gaitway_eval::quality::{PathFigures, Quality, bar_rows, quality_against};
use gaitway_graph::MotionGraph;
use gaitway_synth::path::Followed;
use gaitway_synth::report::{KeptWalk, PathReport, path_report};
use gaitway_synth::{AssembleOptions, FinishOptions, Motion, Walk, finish_motion};
use serde_json::{Value, json};

use super::ask::Asked;
use super::request::PathRequestJson;
use super::results::{BarJson, MemberFile, way_of};
use crate::error::{ApiError, ApiResult};
use crate::state::{GraphState, labels_of};
use crate::wire::gwmo::TransitionMarkJson;

/// A motion with all that is told of it.
pub struct Member {
    /// All but the frames.
    pub file: MemberFile,
    /// The frames.
    pub clip: Clip,
    /// Why its feet were left as they are.
    pub note: Option<String>,
}

/// One of several walks along a path.
pub struct Found {
    /// What the search says.
    pub followed: Followed,
    /// Which of the people.
    pub person: usize,
    /// Which of the alternatives.
    pub alternative: usize,
    /// When it sets out, in a crowd.
    pub start_s: Option<f64>,
    /// Among alternatives, the part of its frames that one before it plays too.
    pub shared: Option<f64>,
}

/// Makes the motion of a walk along a path; `None` where there is not a frame to walk.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn along_path(
    state: &GraphState,
    asked: &Asked,
    request: &PathRequestJson,
    found: &Found,
) -> ApiResult<Option<Member>> {
    let graph = &state.graph;
    let Some(walk) = &found.followed.walk else {
        return Ok(None);
    };
    let wish = FinishOptions {
        assemble: AssembleOptions {
            world_from_start: found.followed.world_from_start,
            ..AssembleOptions::default()
        },
        bend: request.bend_m.map(|m| (&asked.path, m)),
        clean: request.clean,
    };
    let made = finish_motion(graph, walk, &wish)?;
    let report = path_report(
        graph,
        &asked.path,
        &asked.options,
        &found.followed,
        Some(&made.motion),
    );
    let file = file_name(found.person + found.alternative);
    let numbers = quality_of(graph, &made.motion, &file)?;
    let figures = PathFigures {
        rms_m: report.path_error_m.rms,
        transitions_per_s: report.transitions_per_s,
        facing_within_30_deg: report.facing_error_rad.within_30_deg,
    };
    let bars = bars(&numbers, Some(&figures));
    let walk = KeptWalk::of(state.tag(), &found.followed);
    let report = path_row(report, &numbers, found, &file, walk.as_ref())?;
    let mut member = member(graph, &made.motion, report, bars);
    member.person = found.person;
    member.alternative = found.alternative;
    member.start_s = found.start_s;
    member.walk = walk;
    Ok(Some(Member {
        file: member,
        clip: made.motion.clip,
        note: made.feet_left,
    }))
}

/// Makes the motion of a walk that follows nothing.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn wandering(
    state: &GraphState,
    walk: &Walk,
    seed: u64,
    label: Option<&str>,
) -> ApiResult<Member> {
    let graph = &state.graph;
    let made = finish_motion(graph, walk, &FinishOptions::default())?;
    let clip = &made.motion.clip;
    let file = file_name(0);
    let numbers = quality_of(graph, &made.motion, &file)?;
    let report = json!({
        "file": file,
        "frames": clip.frame_count(),
        "rate_hz": clip.rate_hz(),
        "seconds": clip.seconds(),
        "transitions": made.motion.transition_rows(graph),
        "quality": numbers,
        "seed": seed,
        "label": label,
    });
    let file = member(graph, &made.motion, report, bars(&numbers, None));
    Ok(Member {
        file,
        clip: made.motion.clip,
        note: made.feet_left,
    })
}

/// What a motion is called when it is taken home.
pub fn file_name(place: usize) -> String {
    if place == 0 {
        "motion.bvh".to_owned()
    } else {
        format!("motion-{:02}.bvh", place + 1)
    }
}

fn quality_of(graph: &MotionGraph, motion: &Motion, file: &str) -> ApiResult<Quality> {
    let used = motion.origin.iter().map(|o| o.clip);
    Ok(quality_against(graph, used, &motion.clip, file)?)
}

/// A row as `path --report` writes it.
fn path_row(
    report: PathReport,
    numbers: &Quality,
    found: &Found,
    file: &str,
    walk: Option<&KeptWalk>,
) -> ApiResult<Value> {
    let mut row = serde_json::to_value(report).map_err(ApiError::internal)?;
    if let Value::Object(fields) = &mut row {
        fields.insert(
            "quality".to_owned(),
            serde_json::to_value(numbers).map_err(ApiError::internal)?,
        );
        fields.insert("file".to_owned(), json!(file));
        fields.insert("complete".to_owned(), json!(found.followed.found.complete));
        if let Some(shared) = found.shared {
            fields.insert("shared".to_owned(), json!(shared));
        }
        if let Some(walk) = walk {
            fields.insert("walk".to_owned(), json!(walk));
        }
        if let Some(start_s) = found.start_s {
            fields.insert("path".to_owned(), json!(0));
            fields.insert("start_s".to_owned(), json!(start_s));
        }
    }
    Ok(row)
}

fn bars(numbers: &Quality, path: Option<&PathFigures>) -> Vec<BarJson> {
    bar_rows(numbers, path)
        .into_iter()
        .map(|r| BarJson {
            pass: r.value.is_some_and(|v| v <= r.bar),
            name: r.name,
            value: r.value,
            bar: r.bar,
            unit: r.unit,
        })
        .collect()
}

/// Transitions as the page marks them.
pub fn marks(graph: &MotionGraph, motion: &Motion) -> Vec<TransitionMarkJson> {
    let rows = motion.transition_rows(graph);
    let both = motion.transitions.iter().zip(rows);
    both.map(|(mark, row)| TransitionMarkJson {
        kind: mark.kind.into(),
        t: mark.t,
        start_s: Some(mark.start_s),
        end_s: Some(mark.end_s),
        seconds: mark.end_s - mark.start_s,
        distance_cm: mark.distance_cm,
        from: row.from,
        to: row.to,
    })
    .collect()
}

fn member(graph: &MotionGraph, motion: &Motion, report: Value, bars: Vec<BarJson>) -> MemberFile {
    let clip = &motion.clip;
    MemberFile {
        person: 0,
        alternative: 0,
        start_s: None,
        seconds: clip.seconds(),
        frames: clip.frame_count(),
        rate_hz: clip.rate_hz(),
        report,
        bars,
        way: way_of(clip),
        labels: labels_of(clip),
        transitions: marks(graph, motion),
        floor_m: gaitway_core::ground::floor_height(clip),
        walk: None,
    }
}
