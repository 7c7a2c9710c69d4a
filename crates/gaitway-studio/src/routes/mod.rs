//! What can be asked: one module per subject, all of it in the OpenAPI document at `/api`.

mod characters;
mod clips;
mod connected;
mod edits;
mod events;
mod export;
mod graph;
mod jobs;
mod library;
mod meeting;
mod minima;
mod project;
pub mod projects;
mod recordings;
mod results;
mod thresholds;
mod transitions;
mod upload;

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::error::{ApiError, ApiResult, Code};
use crate::page;
use crate::page::content_type;
use crate::state::{Event, Studio};
use crate::wire::gwmo;

/// What handlers share.
pub type Shared = Arc<Studio>;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Gaitway studio",
        description = "What the studio's page asks of its server. Lengths in metres, times in seconds, distances of \
                       transitions in centimetres, angles in radians. Binary forms: docs/formats/studio.md."
    ),
    // What goes over the socket and before the numbers of a binary form is on no path.
    components(schemas(Event, events::Ask, events::Answer, gwmo::Header)),
    tags(
        (name = "project", description = "The project and its clips"),
        (name = "graph", description = "The motion graph"),
        (name = "jobs", description = "Background jobs: builds and searches"),
        (name = "results", description = "Generated motions")
    )
)]
struct Doc;

/// All routes of the API, and the document that describes them. Uploads may be larger than other bodies.
pub fn api(upload_bytes: usize) -> (Router<Shared>, utoipa::openapi::OpenApi) {
    let (router, mut doc) = OpenApiRouter::with_openapi(Doc::openapi())
        .routes(routes!(project::project))
        .routes(routes!(clips::list))
        .routes(routes!(library::bodies))
        .routes(routes!(library::reading))
        .routes(routes!(library::propose))
        .routes(routes!(library::add_labels))
        .routes(routes!(library::remove_many))
        .routes(routes!(library::export))
        .routes(routes!(upload::upload).layer(DefaultBodyLimit::max(upload_bytes)))
        .routes(routes!(recordings::list))
        .routes(routes!(recordings::remove))
        .routes(routes!(recordings::motion))
        .routes(routes!(recordings::body))
        .routes(routes!(recordings::body_motion))
        .routes(routes!(recordings::make))
        .routes(routes!(characters::list))
        .routes(routes!(characters::remove))
        .routes(routes!(characters::put_roles))
        .routes(routes!(characters::put_shown))
        .routes(routes!(characters::on))
        .routes(routes!(characters::motion))
        .routes(routes!(characters::export))
        .routes(routes!(characters::make))
        .routes(routes!(clips::remove))
        .routes(routes!(clips::thumbnail))
        .routes(routes!(clips::motion))
        .routes(routes!(edits::labels, edits::put_labels))
        .routes(routes!(edits::contacts, edits::put_contacts))
        .routes(routes!(edits::labels_table))
        .routes(routes!(edits::contacts_table))
        .routes(routes!(graph::account))
        .routes(routes!(graph::topology))
        .routes(routes!(connected::connected))
        .routes(routes!(connected::captured_alone))
        .routes(routes!(thresholds::thresholds, thresholds::apply))
        .routes(routes!(thresholds::rethreshold))
        .routes(routes!(minima::heatmap))
        .routes(routes!(minima::minima))
        .routes(routes!(transitions::transition))
        .routes(routes!(transitions::transition_motion))
        .routes(routes!(transitions::edge_motion))
        .routes(routes!(jobs::list, jobs::submit))
        .routes(routes!(jobs::get))
        .routes(routes!(jobs::cancel))
        .routes(routes!(jobs::resume))
        .routes(routes!(jobs::undo))
        .routes(routes!(jobs::best))
        .routes(routes!(results::list))
        .routes(routes!(results::get, results::rename, results::remove))
        .routes(routes!(results::motion))
        .routes(routes!(results::take))
        .routes(routes!(results::graph_file))
        .routes(routes!(events::events))
        .split_for_parts();
    doc.merge(projects::api().1);
    (router, doc)
}

/// Tells programs apart that do not fit an open page of one another: by what they can be asked, and by the page itself.
pub fn build_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let mut all = blake3::Hasher::new();
        all.update(env!("CARGO_PKG_VERSION").as_bytes());
        all.update(api(0).1.to_json().unwrap_or_default().as_bytes());
        all.update(&page::print());
        all.finalize().to_hex()[..16].to_owned()
    })
}

/// Runs what blocks on a thread of its own.
pub async fn blocking<T: Send + 'static>(
    studio: &Shared,
    work: impl FnOnce(&Studio) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let studio = studio.clone();
    match tokio::task::spawn_blocking(move || work(&studio)).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::internal(
            "a fault of ours ended this request; please report it",
        )),
    }
}

/// As [`blocking`], a few at a time: for what takes seconds or much memory.
pub async fn heavy<T: Send + 'static>(
    studio: &Shared,
    work: impl FnOnce(&Studio) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let _turn = studio
        .heavy
        .acquire()
        .await
        .map_err(|_| ApiError::new(Code::Busy, "the server is stopping"))?;
    blocking(studio, work).await
}

/// Numbers in a binary form.
pub struct Binary(pub Vec<u8>);

impl IntoResponse for Binary {
    fn into_response(self) -> Response {
        (
            [(CONTENT_TYPE, "application/octet-stream")],
            Bytes::from(self.0),
        )
            .into_response()
    }
}

/// A text of a kind.
pub struct Text(pub &'static str, pub String);

impl IntoResponse for Text {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, self.0)], self.1).into_response()
    }
}

/// A file to be kept.
pub struct Attachment {
    /// What it is called, which also says of what kind it is; letters that need no quoting.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl IntoResponse for Attachment {
    fn into_response(self) -> Response {
        let name = format!("attachment; filename=\"{}\"", self.name);
        let fields = [
            (CONTENT_TYPE, content_type(&self.name)),
            (axum::http::header::CONTENT_DISPOSITION, name),
        ];
        (fields, Bytes::from(self.bytes)).into_response()
    }
}
