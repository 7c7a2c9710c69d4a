//! Made motions: listed, played, taken home.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tower::ServiceExt;
use tower_http::services::ServeFile;
use utoipa::{IntoParams, ToSchema};

use super::clips::FrameRange;
use super::export::{Format, export};
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

/// What a result is called from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Renamed {
    /// At most 120 letters.
    name: String,
}

/// Calls a result something else, for everybody.
#[utoipa::path(patch, operation_id = "rename_result", path = "/api/results/{id}", tag = "results", params(("id" = String, Path)), request_body = Renamed,
    responses((status = 200, body = ResultSummary), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply)))]
pub async fn rename(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(asked): Body<Renamed>,
) -> ApiResult<Json<ResultSummary>> {
    blocking(&studio, move |studio| {
        Ok(Json(studio.rename_result(&id, &asked.name)?))
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
    heavy(&studio, move |studio| {
        export(studio, &id, asked.member.unwrap_or(0), format)
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
