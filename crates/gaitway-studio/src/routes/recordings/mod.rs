//! Files of markers and sensors: how they move, the body that is found in them, and the clip that is made of it.

mod command;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use gaitway_calibrate::{Calibration, JointReport};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::clips::made_view;
use super::clips::{ClipView, FrameRange};
use super::{Binary, Shared, heavy};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Body, Id, Params};
use crate::state::{Finding, HowFound, ProjectPart, RecordingEntry};
use crate::wire::gwmo::{self, Extra};
use crate::wire::{points, words};

/// A file of markers or sensors.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordingView {
    id: String,
    name: String,
    /// Name of its file.
    file: String,
    /// c3d, trc, csv or npz.
    format: String,
    /// What its points are.
    #[schema(schema_with = words::recording_kind)]
    kind: &'static str,
    /// Markers or sensors.
    points: usize,
    frames: usize,
    rate_hz: f64,
    seconds: f64,
    warnings: Vec<Finding>,
}

impl RecordingView {
    /// As the page sees it.
    pub fn of(entry: &RecordingEntry) -> Self {
        Self {
            id: entry.id.clone(),
            name: entry.name.clone(),
            file: entry.file.clone(),
            format: entry.format.clone(),
            kind: entry.kind,
            points: entry.points,
            frames: entry.frames,
            rate_hz: entry.rate_hz,
            seconds: entry.seconds(),
            warnings: entry.warnings.clone(),
        }
    }
}

/// All recordings, by name.
#[utoipa::path(get, operation_id = "list_recordings", path = "/api/recordings", tag = "project", responses((status = 200, body = [RecordingView])))]
pub async fn list(State(studio): State<Shared>) -> Json<Vec<RecordingView>> {
    let inner = studio.read();
    let mut all: Vec<&Arc<RecordingEntry>> = inner.recordings.values().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Json(all.into_iter().map(|r| RecordingView::of(r)).collect())
}

/// Takes a recording out of the project. An upload's file goes; files that were pointed at, and clips made of it, stay.
#[utoipa::path(delete, operation_id = "remove_recording", path = "/api/recordings/{id}", tag = "project", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorReply)))]
pub async fn remove(State(studio): State<Shared>, Id(id): Id) -> ApiResult<StatusCode> {
    super::blocking(&studio, move |studio| {
        let entry = studio.recording(&id)?;
        studio.change(&[ProjectPart::Clips], |inner| {
            inner.recordings.remove(&id);
            if !entry.uploaded {
                inner.project.removed.push(entry.file.clone());
            }
            Ok(())
        })?;
        studio.recordings.forget(&id);
        if entry.uploaded {
            // A file that cannot be deleted shows up again next time, which is where the user will see it.
            let _ = std::fs::remove_file(&entry.path);
        }
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Frames of a recording as GWMO: points without parents, those that were not seen told apart.
#[utoipa::path(get, operation_id = "recording_motion", path = "/api/recordings/{id}/motion", tag = "project", params(("id" = String, Path), FrameRange),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply)))]
pub async fn motion(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(frames): Params<FrameRange>,
) -> ApiResult<Binary> {
    let range = frames.range()?;
    heavy(&studio, move |studio| {
        let name = studio.recording(&id)?.name.clone();
        Ok(Binary(points::encode(
            &name,
            &*studio.recorded(&id)?,
            range,
        )))
    })
    .await
}

/// How a body is looked for.
#[derive(Clone, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
#[schema(as = FindBody)]
pub struct FindBody {
    /// How many bodies markers sit on; by their names where these are of a common set, else found.
    bodies: Option<usize>,
    /// Markers are grouped by how they move, whatever they are called.
    #[schema(required = false)]
    #[param(required = false)]
    by_motion: bool,
    /// Markers that are not on the body: NAME,NAME.
    without: Option<String>,
    /// Id of a clip whose body it is: lengths are that one's.
    on: Option<String>,
}

impl FindBody {
    fn how(&self) -> ApiResult<HowFound> {
        if self.bodies == Some(0) {
            return Err(ApiError::bad("expected at least one body")
                .field("bodies")
                .hint("leave it out to have it found; a person has about 15"));
        }
        let names = self.without.as_deref().unwrap_or("").split(',');
        let names = names.map(str::trim).filter(|n| !n.is_empty());
        Ok(HowFound {
            bodies: self.bodies,
            by_motion: self.by_motion,
            without: names.map(str::to_owned).collect(),
            on: self.on.clone().filter(|o| !o.is_empty()),
        })
    }
}

/// A body that was found in markers or sensors.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FoundBody)]
pub struct FoundView {
    /// Its parts, parents first.
    bodies: Vec<FoundPart>,
    /// Its joints, one per part but the first.
    joints: Vec<FoundJoint>,
    /// How many times as dear the next best tree's other edge is: near 1 the tree is a guess; null where there is no other.
    #[schema(required)]
    margin: Option<f64>,
    /// The joint in doubt, where the next best tree is near.
    #[schema(required)]
    doubt: Option<String>,
    /// RMS distance of points from where the motion puts them.
    residual_mm: f64,
    /// Samples that were not seen and are filled by the pose.
    filled: usize,
    /// Samples in all.
    samples: usize,
    /// What was found, left out and filled.
    warnings: Vec<Finding>,
    /// The command line that does the same.
    command: String,
}

/// A part of a body that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundPart {
    name: String,
    /// What it hangs on; null for the first.
    #[schema(required)]
    parent: Option<String>,
    /// Markers or sensors on it.
    seen_by: Vec<String>,
    /// From its parent's joint to its own; null for the first.
    #[schema(required)]
    length_m: Option<f64>,
}

/// A joint of a body that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundJoint {
    name: String,
    parent: String,
    /// ball, hinge, rigid or unobservable.
    #[schema(schema_with = words::joint_kind)]
    kind: &'static str,
    /// RMS distance of what the two bodies say.
    residual_mm: f64,
    /// RMS of the rotation about its mean.
    turn_deg: f64,
    /// good, fair or poor.
    #[schema(schema_with = words::confidence)]
    confidence: &'static str,
    /// What would make it better.
    #[schema(required)]
    advice: Option<String>,
}

impl From<&JointReport> for FoundJoint {
    fn from(j: &JointReport) -> Self {
        Self {
            name: j.name.clone(),
            parent: j.parent.clone(),
            kind: j.kind,
            residual_mm: j.residual_mm,
            turn_deg: j.turn_deg,
            confidence: j.confidence,
            advice: j.advice.clone(),
        }
    }
}

fn found_view(found: &Calibration, command: String) -> FoundView {
    let pair = |p: &[String; 2]| p.join(" – ");
    let doubt = match (&found.tree.out, &found.tree.instead) {
        (Some(out), Some(instead)) => Some(format!("{} or {}", pair(out), pair(instead))),
        _ => None,
    };
    FoundView {
        bodies: found
            .bodies
            .iter()
            .map(|b| FoundPart {
                name: b.name.clone(),
                parent: b.parent.clone(),
                seen_by: b.seen_by.clone(),
                length_m: b.length_m,
            })
            .collect(),
        joints: found.joints.iter().map(FoundJoint::from).collect(),
        margin: found.tree.margin,
        doubt,
        residual_mm: found.fit.residual_mm,
        filled: found.fit.filled,
        samples: found.fit.samples,
        warnings: found.warnings.iter().map(Finding::from).collect(),
        command,
    }
}

/// The body in a recording: parts, joints and how sure they are. Takes seconds the first time.
#[utoipa::path(get, operation_id = "find_body", path = "/api/recordings/{id}/body", tag = "project", params(("id" = String, Path), FindBody),
    responses((status = 200, body = FoundView), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn body(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<FindBody>,
) -> ApiResult<Json<FoundView>> {
    let how = asked.how()?;
    heavy(&studio, move |studio| {
        let entry = studio.recording(&id)?;
        let found = studio.body_of(&id, &how)?;
        Ok(Json(found_view(
            &found,
            command::line(studio, &entry, &how),
        )))
    })
    .await
}

/// Which frames of which body.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FindMotion {
    /// How many bodies markers sit on.
    bodies: Option<usize>,
    /// Markers are grouped by how they move.
    #[param(required = false)]
    by_motion: bool,
    /// Markers that are not on the body.
    without: Option<String>,
    /// Id of a clip whose body it is.
    on: Option<String>,
    /// The first frame; 0 unless given.
    from: Option<usize>,
    /// How many; 4096 unless given, at most 16384.
    count: Option<usize>,
}

/// Frames of the body in a recording as GWMO, where its markers are.
#[utoipa::path(get, operation_id = "found_motion", path = "/api/recordings/{id}/body/motion", tag = "project", params(("id" = String, Path), FindMotion),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn body_motion(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<FindMotion>,
) -> ApiResult<Binary> {
    let range = FrameRange {
        from: asked.from,
        count: asked.count,
    };
    let range = range.range()?;
    let how = FindBody {
        bodies: asked.bodies,
        by_motion: asked.by_motion,
        without: asked.without,
        on: asked.on,
    }
    .how()?;
    heavy(&studio, move |studio| {
        let found = studio.body_of(&id, &how)?;
        Ok(Binary(gwmo::encode(&found.clip, range, Extra::default())))
    })
    .await
}

/// Makes a clip of the body in a recording and its motion: it joins the library as an upload would.
#[utoipa::path(post, operation_id = "make_clip", path = "/api/recordings/{id}/clip", tag = "project", params(("id" = String, Path)),
    request_body = FindBody,
    responses((status = 201, body = ClipView), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn make(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(asked): Body<FindBody>,
) -> ApiResult<(StatusCode, Json<ClipView>)> {
    let how = asked.how()?;
    heavy(&studio, move |studio| {
        let entry = studio.recording(&id)?;
        let found = studio.body_of(&id, &how)?;
        let made = studio.keep_clip(&entry.name, &found.clip, Vec::new())?;
        Ok((StatusCode::CREATED, Json(made_view(studio, &made)?)))
    })
    .await
}
