//! Made motions: listed, played, taken home.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gaitway_core::edit::Changes;
use gaitway_io::{UpAxis, parse_unit};
use serde::Deserialize;
use tower::ServiceExt;
use tower_http::services::ServeFile;
use utoipa::{IntoParams, ToSchema};

use super::clips::FrameRange;
use super::export::{Format, Manner, export};
use super::{Attachment, Binary, Shared, blocking, heavy};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Body, Id, Params};
use crate::jobs::{ResultFile, ResultSummary};
use crate::wire::gwmo::{self, Extra};

/// All results, newest first.
#[utoipa::path(get, operation_id = "list_results", path = "/api/results", tag = "results", responses((status = 200, body = [ResultSummary])))]
pub async fn list(State(studio): State<Shared>) -> ApiResult<Json<Vec<ResultSummary>>> {
    blocking(&studio, |studio| Ok(Json(studio.results()?))).await
}

/// A result: its motions in numbers, the path asked for, the command that does the same.
#[utoipa::path(get, operation_id = "get_result", path = "/api/results/{id}", tag = "results", params(("id" = String, Path)),
    responses((status = 200, body = ResultFile), (status = 404, body = ErrorReply)))]
pub async fn get(State(studio): State<Shared>, Id(id): Id) -> ApiResult<Json<ResultFile>> {
    blocking(&studio, move |studio| Ok(Json(studio.result(&id)?))).await
}

/// What a result is called from now on; what has a name is no draft any more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Renamed {
    /// At most 120 letters; as before where left out.
    #[serde(default)]
    name: Option<String>,
    /// Keeps a draft for good, under the name it has.
    #[serde(default)]
    #[schema(default = false)]
    keep: bool,
}

/// Calls a result something else, for everybody, or keeps a draft for good.
#[utoipa::path(patch, operation_id = "rename_result", path = "/api/results/{id}", tag = "results", params(("id" = String, Path)), request_body = Renamed,
    responses((status = 200, body = ResultSummary), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply)))]
pub async fn rename(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(asked): Body<Renamed>,
) -> ApiResult<Json<ResultSummary>> {
    if asked.name.is_none() && !asked.keep {
        return Err(ApiError::bad("found neither a name nor keep")
            .hint("a name for it, or \"keep\": true for a draft that shall stay"));
    }
    blocking(&studio, move |studio| {
        Ok(Json(studio.rename_result(&id, asked.name.as_deref())?))
    })
    .await
}

/// Takes a result away.
#[utoipa::path(delete, operation_id = "remove_result", path = "/api/results/{id}", tag = "results", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorReply)))]
pub async fn remove(State(studio): State<Shared>, Id(id): Id) -> ApiResult<StatusCode> {
    blocking(&studio, move |studio| {
        studio.drop_result(&id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Which motion, which frames.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MotionParams {
    /// Which of the motions; the first unless given.
    member: Option<usize>,
    /// The first frame; 0 unless given.
    from: Option<usize>,
    /// How many; 4096 unless given, at most 16384.
    count: Option<usize>,
}

/// Frames of a made motion as GWMO.
#[utoipa::path(get, operation_id = "result_motion", path = "/api/results/{id}/motion", tag = "results", params(("id" = String, Path), MotionParams),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply)))]
pub async fn motion(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<MotionParams>,
) -> ApiResult<Binary> {
    let frames = FrameRange {
        from: asked.from,
        count: asked.count,
    };
    let range = frames.range()?;
    blocking(&studio, move |studio| {
        let member = asked.member.unwrap_or(0);
        let loaded = studio.result_motion(&id, member)?;
        let result = studio.result(&id)?;
        let file = result
            .members
            .get(member)
            .ok_or_else(|| ApiError::no_motion(&id, member))?;
        // The first part has the whole way and all transitions; later ones would only repeat them.
        let whole = range.start == 0;
        let seconds = |f: usize| f as f64 / file.rate_hz;
        let inside = seconds(range.start)..seconds(range.end);
        let marks = file.transitions.iter();
        let extra = Extra {
            floor_m: file.floor_m,
            transitions: marks
                .filter(|m| whole || inside.contains(&m.t))
                .cloned()
                .collect(),
            way: whole.then(|| file.way.clone()),
            ..Extra::default()
        };
        Ok(Binary(gwmo::encode(&loaded.clip, range, extra)))
    })
    .await
}

/// Which file.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportParams {
    /// bvh, glb, npz, png, svg, gif, report, path, obstacles or before.
    #[param(inline, value_type = Format)]
    format: String,
    /// Which of the motions; the first unless given.
    member: Option<usize>,
    /// All motions in one file, each from when it sets out: glb, gif, or bvh as a zip file with a scene.json.
    everybody: Option<bool>,
    /// Frames a second; as it was made unless given.
    fps: Option<f64>,
    /// The unit of a BVH file: m, cm, mm, dm, inch, foot or metres as a number; cm unless given.
    unit: Option<String>,
    /// The axis of a BVH file that points up; y unless given.
    #[param(inline, value_type = Option<Up>)]
    up: Option<String>,
    /// Left and right change places.
    mirror: Option<bool>,
    /// All travel on the root.
    root_motion: Option<bool>,
    /// Without travel and turning, for engines that move the character themselves.
    in_place: Option<bool>,
}

/// An axis.
#[derive(Clone, Copy, ToSchema)]
#[schema(rename_all = "lowercase")]
enum Up {
    X,
    Y,
    Z,
}

impl Up {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "x" => Self::X,
            "y" => Self::Y,
            "z" => Self::Z,
            _ => return None,
        })
    }

    fn axis(self) -> UpAxis {
        match self {
            Self::X => UpAxis::X,
            Self::Y => UpAxis::Y,
            Self::Z => UpAxis::Z,
        }
    }
}

impl ExportParams {
    /// How the file is to be.
    fn manner(&self) -> ApiResult<Manner> {
        let unit_m = match &self.unit {
            None => None,
            Some(text) => Some(
                parse_unit(text)
                    .map_err(|e| {
                        ApiError::bad(e)
                            .field("unit")
                            .hint("m, cm, mm, dm, inch, foot, or metres as a number")
                    })?
                    .metres,
            ),
        };
        let up = match self.up.as_deref().map(Up::from_name) {
            None => None,
            Some(Some(up)) => Some(up.axis()),
            Some(None) => {
                return Err(ApiError::bad("expected x, y or z")
                    .field("up")
                    .hint("the axis that points up in a BVH file"));
            }
        };
        Ok(Manner {
            changes: Changes {
                mirror: self.mirror.unwrap_or(false),
                root_motion: self.root_motion.unwrap_or(false),
                in_place: self.in_place.unwrap_or(false),
                rate_hz: self.fps,
            },
            unit_m,
            up,
        })
    }
}

/// Downloads a result as a file.
#[utoipa::path(get, operation_id = "export_result", path = "/api/results/{id}/export", tag = "results", params(("id" = String, Path), ExportParams),
    responses((status = 200, content_type = "application/octet-stream"), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply)))]
pub async fn take(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<ExportParams>,
) -> ApiResult<Attachment> {
    let format = Format::from_name(&asked.format).ok_or_else(|| {
        ApiError::bad("expected bvh, glb, npz, png, svg, gif, report, path, obstacles or before")
            .field("format")
            .hint("bvh and glb for other programs, npz for arrays, png, svg and gif to look at")
    })?;
    let manner = asked.manner()?;
    let who = match asked.everybody {
        Some(true) => None,
        _ => Some(asked.member.unwrap_or(0)),
    };
    heavy(&studio, move |studio| {
        export(studio, &id, who, format, &manner)
    })
    .await
}

/// The graph's file, as the command lines of results need it beside them.
#[utoipa::path(get, path = "/api/graph.gway", tag = "graph",
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply)))]
pub async fn graph_file(State(studio): State<Shared>, request: Request) -> ApiResult<Response> {
    studio.graph()?;
    let file = ServeFile::new(studio.folder.graph());
    let mut response = match file.oneshot(request).await {
        Ok(response) => response.into_response(),
        Err(never) => match never {},
    };
    let fields = response.headers_mut();
    let name = axum::http::HeaderValue::from_static("attachment; filename=\"graph.gway\"");
    fields.insert(axum::http::header::CONTENT_DISPOSITION, name);
    Ok(response)
}
