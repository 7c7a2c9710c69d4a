//! What the project is.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use crate::project::BuildOptionsJson;
use crate::project::reading::skeletons;
use crate::state::GraphSummary;

/// Upload limits: what is not taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct Limits {
    /// The most bytes of one upload.
    upload_bytes: usize,
    /// The longest clip.
    clip_seconds: f64,
}

/// The project.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectView {
    /// Tells it apart from every other; a tab says it with each request, in `x-gaitway-project`.
    key: String,
    /// What it is called.
    name: String,
    /// The built-in performer's, which keeps to itself: no clips can be added.
    demo: bool,
    /// Of the program.
    version: &'static str,
    /// Grows with every change.
    revision: u64,
    /// The graph, once there is one.
    #[schema(required)]
    graph: Option<GraphSummary>,
    /// All labels in use.
    labels: Vec<String>,
    /// Labels by their places on the ring of colours, so that each has one colour in every browser; some may be out of use.
    label_places: Vec<String>,
    /// How the next graph is built.
    build: BuildOptionsJson,
    /// Clips, labels or contacts changed since the graph was built.
    stale: bool,
    /// Upload limits: what is not taken.
    limits: Limits,
    /// ASF files of the project, by name: what an AMC can be read with.
    skeletons: Vec<String>,
    /// Ids of the clips the graph is built from.
    basis: Vec<String>,
    /// Id of the character that is shown in place of the plain figure.
    #[schema(required)]
    shown: Option<String>,
}

/// The project: its graph in numbers, its labels, its options.
#[utoipa::path(get, path = "/api/project", tag = "project", responses((status = 200, body = ProjectView)))]
pub async fn project(State(studio): State<Shared>) -> Json<ProjectView> {
    let skeletons = skeletons(&studio.folder);
    let inner = studio.read();
    Json(ProjectView {
        key: inner.project.key.clone(),
        name: inner.project.name.clone(),
        demo: inner.is_demo(),
        version: env!("CARGO_PKG_VERSION"),
        revision: inner.project.revision,
        graph: inner.graph.as_ref().map(|g| g.summary()),
        labels: inner.label_names(),
        label_places: inner.project.label_places.clone(),
        build: inner.project.build.clone(),
        stale: inner.stale(),
        limits: Limits {
            upload_bytes: studio.config.upload_bytes,
            clip_seconds: studio.config.clip_seconds,
        },
        skeletons,
        basis: inner.basis().iter().map(|e| e.id.clone()).collect(),
        shown: inner
            .project
            .shown
            .clone()
            .filter(|id| inner.characters.contains_key(id)),
    })
}
