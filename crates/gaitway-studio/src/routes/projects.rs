//! Projects: which there are, and which is open.

use std::sync::Arc;

use axum::extract::State;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::Body;
use crate::host::{Host, ProjectEntry};
use crate::state::Studio;

/// A name for a project.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    /// What it is called.
    name: String,
    /// Jobs under way in the open project may be stopped; a build goes on when it is opened again.
    #[serde(default)]
    #[schema(default = false)]
    interrupt: bool,
}

/// A project of the list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenProject {
    /// Name of its folder, as the list has it.
    folder: String,
    /// Jobs under way in the open project may be stopped; a build goes on when it is opened again.
    #[serde(default)]
    #[schema(default = false)]
    interrupt: bool,
}

/// The project that is open now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Opened {
    /// Tells it apart from every other.
    key: String,
    /// What it is called.
    name: String,
}

impl Opened {
    fn of(studio: &Studio) -> Json<Self> {
        let inner = studio.read();
        Json(Self {
            key: inner.project.key.clone(),
            name: inner.project.name.clone(),
        })
    }
}

#[derive(OpenApi)]
#[openapi()]
struct Doc;

/// What can be asked of whichever project is open.
pub fn api() -> (Router<Arc<Host>>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Doc::openapi())
        .routes(routes!(list, create))
        .routes(routes!(open))
        .routes(routes!(save_as))
        .split_for_parts()
}

async fn blocking<T: Send + 'static>(
    host: Arc<Host>,
    work: impl FnOnce(&Host) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    match tokio::task::spawn_blocking(move || work(&host)).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::internal(
            "a fault of ours ended this request; please report it",
        )),
    }
}

/// All projects of the projects folder, the last used first.
#[utoipa::path(get, operation_id = "list_projects", path = "/api/projects", tag = "project",
    responses((status = 200, body = [ProjectEntry])))]
pub async fn list(State(host): State<Arc<Host>>) -> ApiResult<Json<Vec<ProjectEntry>>> {
    blocking(host, |host| Ok(Json(host.projects()))).await
}

/// Begins a project with nothing in it, and opens it in every tab.
#[utoipa::path(post, operation_id = "create_project", path = "/api/projects", tag = "project", request_body = NewProject,
    responses((status = 200, body = Opened), (status = 400, body = ErrorReply), (status = 503, body = ErrorReply)))]
pub async fn create(
    State(host): State<Arc<Host>>,
    Body(body): Body<NewProject>,
) -> ApiResult<Json<Opened>> {
    blocking(host, move |host| {
        let studio = host.create(&body.name, body.interrupt)?;
        Ok(Opened::of(&studio))
    })
    .await
}

/// Opens a project of the list in every tab. What is under way in the one that was open stops.
#[utoipa::path(post, operation_id = "open_project", path = "/api/projects/open", tag = "project", request_body = OpenProject,
    responses((status = 200, body = Opened), (status = 404, body = ErrorReply), (status = 503, body = ErrorReply)))]
pub async fn open(
    State(host): State<Arc<Host>>,
    Body(body): Body<OpenProject>,
) -> ApiResult<Json<Opened>> {
    blocking(host, move |host| {
        let studio = host.open_project(&body.folder, body.interrupt)?;
        Ok(Opened::of(&studio))
    })
    .await
}

/// Copies the open project, results included, and opens the copy.
#[utoipa::path(post, operation_id = "save_project_as", path = "/api/projects/save-as", tag = "project", request_body = NewProject,
    responses((status = 200, body = Opened), (status = 400, body = ErrorReply), (status = 503, body = ErrorReply)))]
pub async fn save_as(
    State(host): State<Arc<Host>>,
    Body(body): Body<NewProject>,
) -> ApiResult<Json<Opened>> {
    blocking(host, move |host| {
        let studio = host.save_as(&body.name, body.interrupt)?;
        Ok(Opened::of(&studio))
    })
    .await
}
