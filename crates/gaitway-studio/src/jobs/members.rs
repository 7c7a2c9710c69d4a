//! From a planned motion to a member of a result: measured, and told as `path --report` tells it.

use gaitway_core::Clip;
use gaitway_eval::quality::{PathFigures, Quality, bar_rows, quality_against};
use gaitway_graph::MotionGraph;
use gaitway_synth::path::PlacedMotion;
use gaitway_synth::report::KeptWalk;
use gaitway_synth::{FinishOptions, Motion, PathMotion, TransitionMark, Walk, finish_motion};
use serde_json::{Value, json};

use super::between;
use super::results::{BarJson, MemberFile, ground_path_of};
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

/// Makes a planned motion a member; nothing where there is not a frame to walk. `place` is its place among those that were
/// asked for: people of a crowd, or alternatives.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn along_path(
    state: &GraphState,
    mut planned: PathMotion,
    place: usize,
) -> ApiResult<Option<Member>> {
    let graph = &state.graph;
    let Some(motion) = &planned.motion else {
        return Ok(None);
    };
    let file = file_name(place);
    let numbers = quality_of(graph, motion, &file)?;
    planned.report.quality = Some(serde_json::to_value(&numbers).map_err(ApiError::internal)?);
    let report = &planned.report;
    let figures = PathFigures {
        rms_m: report.path_error_m.rms,
        transitions_per_s: report.transitions_per_s,
        facing_within_30_deg: report.facing_error_rad.within_30_deg,
    };
    let row = planned.row(state.tag(), Some(&file));
    let start_s = planned.walk.start_s;
    let crowd = start_s.is_some();
    let file = MemberFile {
        person: if crowd { place } else { 0 },
        alternative: if crowd { 0 } else { place },
        start_s,
        walk: KeptWalk::of(state.tag(), &planned.walk.followed),
        ..member(graph, motion, row, bars(&numbers, Some(&figures)))
    };
    Ok(planned.motion.map(|motion| Member {
        file,
        clip: motion.clip,
        note: planned.not_planted,
    }))
}

/// Makes the motion of a walk that follows nothing; `extra` stands beside the fields that every report has.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn walked(state: &GraphState, walk: &Walk, extra: &Value) -> ApiResult<Member> {
    let graph = &state.graph;
    let finished = finish_motion(graph, walk, &FinishOptions::default())?;
    let motion = &finished.motion;
    let clip = &motion.clip;
    let file = file_name(0);
    let numbers = quality_of(graph, motion, &file)?;
    let mut report = json!({
        "file": file,
        "frames": clip.frame_count(),
        "rate_hz": clip.rate_hz(),
        "seconds": clip.seconds(),
        "transitions": motion.transition_rows(graph),
        "quality": numbers,
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut report, extra) {
        all.extend(more.clone());
    }
    let file = member(graph, motion, report, bars(&numbers, None));
    Ok(Member {
        file,
        clip: finished.motion.clip,
        note: finished.not_planted,
    })
}

/// Makes a motion that ends at a place a member, `place` among its alternatives.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn placed(state: &GraphState, mut one: PlacedMotion, place: usize) -> ApiResult<Member> {
    let graph = &state.graph;
    let file = file_name(place);
    let numbers = quality_of(graph, &one.motion, &file)?;
    one.quality = Some(serde_json::to_value(&numbers).map_err(ApiError::internal)?);
    let report = one.row(graph, &file);
    let file = MemberFile {
        alternative: place,
        ..member(graph, &one.motion, report, bars(&numbers, None))
    };
    Ok(Member {
        file,
        clip: one.motion.clip,
        note: one.not_planted,
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
    Ok(quality_against(
        graph,
        motion.clips_used(),
        &motion.clip,
        motion.transition_times(),
        file,
    )?)
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
    let mark = |mark: &TransitionMark| TransitionMarkJson {
        kind: mark.kind.into(),
        t: mark.t,
        start_s: Some(mark.start_s),
        end_s: Some(mark.end_s),
        seconds: mark.end_s - mark.start_s,
        distance_cm: mark.distance_cm,
        from: between::place_words(graph, mark.from),
        to: between::place_words(graph, mark.to),
    };
    motion.transitions.iter().map(mark).collect()
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
        way: ground_path_of(clip),
        labels: labels_of(clip),
        transitions: marks(graph, motion),
        interpolated: between::spans(graph, motion),
        floor_m: gaitway_core::ground::floor_height(clip),
        walk: None,
    }
}
