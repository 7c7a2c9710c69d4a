//! Jobs: asked for, looked at, stopped.

use std::sync::PoisonError;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Binary, Shared, blocking};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Body, Id};
use crate::jobs::{JobRequest, JobView};

/// An empty body.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Nothing {}

/// All jobs, newest first.
#[utoipa::path(get, operation_id = "list_jobs", path = "/api/jobs", tag = "jobs", responses((status = 200, body = [JobView])))]
pub async fn list(State(studio): State<Shared>) -> Json<Vec<JobView>> {
    Json(studio.jobs.list())
}

/// Asks for a job.
#[utoipa::path(post, operation_id = "submit_job", path = "/api/jobs", tag = "jobs", request_body = JobRequest,
    responses((status = 202, body = JobView), (status = 400, body = ErrorReply), (status = 503, body = ErrorReply)))]
pub async fn submit(
    State(studio): State<Shared>,
    Body(request): Body<JobRequest>,
) -> ApiResult<(StatusCode, Json<JobView>)> {
    blocking(&studio, move |studio| {
        studio.check_request(&request)?;
        let job = studio.submit(request)?;
        Ok((StatusCode::ACCEPTED, Json(job.view())))
    })
    .await
}

/// One job.
#[utoipa::path(get, operation_id = "get_job", path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, body = JobView), (status = 404, body = ErrorReply)))]
pub async fn get(State(studio): State<Shared>, Id(id): Id) -> ApiResult<Json<JobView>> {
    Ok(Json(studio.jobs.get(&id)?.view()))
}

/// Stops a job. A search keeps its best so far.
#[utoipa::path(post, operation_id = "cancel_job", path = "/api/jobs/{id}/cancel", tag = "jobs", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = JobView), (status = 404, body = ErrorReply)))]
pub async fn cancel(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(Nothing {}): Body<Nothing>,
) -> ApiResult<Json<JobView>> {
    blocking(&studio, move |studio| Ok(Json(studio.cancel(&id)?))).await
}

/// Takes up again a job that was interrupted, cancelled or failed.
#[utoipa::path(post, operation_id = "resume_job", path = "/api/jobs/{id}/resume", tag = "jobs", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = JobView), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn resume(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(Nothing {}): Body<Nothing>,
) -> ApiResult<Json<JobView>> {
    blocking(&studio, move |studio| Ok(Json(studio.resume(&id)?))).await
}

/// Takes back what a job did to the library: clips it made, and labels it put on others.
#[utoipa::path(post, operation_id = "undo_job", path = "/api/jobs/{id}/undo", tag = "jobs", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = JobView), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn undo(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(Nothing {}): Body<Nothing>,
) -> ApiResult<Json<JobView>> {
    blocking(&studio, move |studio| Ok(Json(studio.undo_job(&id)?))).await
}

/// The best motion of a search so far as GWMO.
#[utoipa::path(get, operation_id = "best_of_job", path = "/api/jobs/{id}/best", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply)))]
pub async fn best(State(studio): State<Shared>, Id(id): Id) -> ApiResult<Binary> {
    blocking(&studio, move |studio| {
        let job = studio.jobs.get(&id)?;
        let best = job
            .best
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let frames = best.map(|b| b.gwmo()).transpose()?.flatten();
        frames.map(Binary).ok_or_else(|| {
            ApiError::not_found("walk so far")
                .hint("a search has one soon after it begins; the socket tells when (`best`)")
        })
    })
    .await
}
