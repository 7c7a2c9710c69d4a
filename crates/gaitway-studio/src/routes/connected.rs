//! How well the graph holds together, and the way back from interpolated clips.

use axum::Json;
use axum::extract::State;

use super::jobs::Nothing;
use super::thresholds::Applied;
use super::{Shared, heavy};
use crate::error::{ApiError, ApiResult, Code, ErrorReply};
use crate::extract::Body;
use crate::state::Connected;

/// How well the graph holds together: as it is, and with captured clips alone where it has others.
#[utoipa::path(get, path = "/api/graph/connected", tag = "graph",
    responses((status = 200, body = Connected), (status = 404, body = ErrorReply)))]
pub async fn connected(State(studio): State<Shared>) -> ApiResult<Json<Connected>> {
    heavy(&studio, |studio| {
        Ok(Json(studio.graph()?.connected()?.clone()))
    })
    .await
}

/// Takes interpolated clips out: the graph is cut anew from captured clips alone, under the thresholds that hold now, and saved.
#[utoipa::path(post, path = "/api/graph/captured", tag = "graph", request_body = Nothing,
    responses((status = 200, body = Applied), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn captured_alone(
    State(studio): State<Shared>,
    Body(Nothing {}): Body<Nothing>,
) -> ApiResult<Json<Applied>> {
    heavy(&studio, |studio| {
        let state = studio.graph()?;
        if !state.graph.is_enriched() {
            return Err(
                ApiError::new(Code::Conflict, "the graph has captured clips alone")
                    .hint("a job of the kind enrich adds interpolated ones"),
            );
        }
        let (graph, account) = state.graph.captured_alone()?;
        let (graph, revision) = studio.replace_graph(&state, graph, account, |_| {})?;
        studio.cache.forget("clip/");
        Ok(Json(Applied { graph, revision }))
    })
    .await
}
