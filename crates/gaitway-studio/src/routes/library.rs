//! Many clips at once: read anew, labelled, taken out, taken home.

use std::io::{Cursor, Write};

use axum::Json;
use axum::extract::State;
use gaitway_io::{WriteOptions, write_file};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::clips::{ClipView, take_out, views};
use super::{Attachment, Shared, blocking, heavy};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Body, Params};
use crate::project::EXPORT;
use crate::state::{AddLabels, BodyView, Proposals, Propose, ReadAs, label_track};
use crate::wire::words;

/// The most clips in one request.
const MOST_CLIPS: usize = 2000;
/// The most clips in one archive: it is made in memory.
const MOST_EXPORTED: usize = 500;

/// The clips by body, those with most motion first. A graph has one body.
#[utoipa::path(get, path = "/api/bodies", tag = "project", responses((status = 200, body = [BodyView])))]
pub async fn bodies(State(studio): State<Shared>) -> Json<Vec<BodyView>> {
    Json(studio.read().bodies.to_vec())
}

/// Clips, and how their files are to be read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadAsBody {
    /// Each with all of its options.
    clips: Vec<ReadAs>,
}

/// Reads clips anew with other options, which the project keeps. All or none; labels stay on their frames.
#[utoipa::path(put, path = "/api/reading", tag = "project", request_body = ReadAsBody,
    responses((status = 200, body = [ClipView]), (status = 400, body = ErrorReply), (status = 409, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn reading(
    State(studio): State<Shared>,
    Body(body): Body<ReadAsBody>,
) -> ApiResult<Json<Vec<ClipView>>> {
    few(body.clips.len())?;
    heavy(&studio, move |studio| {
        let changed = studio.read_as(&body.clips)?;
        let inner = studio.read();
        Ok(Json(views(&inner, changed.iter().map(AsRef::as_ref))))
    })
    .await
}

fn few(clips: usize) -> ApiResult<()> {
    if clips > MOST_CLIPS {
        return Err(ApiError::bad(format!("at most {MOST_CLIPS} clips at once"))
            .field("clips")
            .hint("do it in several parts"));
    }
    Ok(())
}

/// Labels that names, a table or the motion speak for. Nothing is changed by asking.
#[utoipa::path(post, path = "/api/labels/propose", tag = "project", request_body = Propose,
    responses((status = 200, body = Proposals), (status = 400, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn propose(
    State(studio): State<Shared>,
    Body(body): Body<Propose>,
) -> ApiResult<Json<Proposals>> {
    heavy(&studio, move |studio| Ok(Json(studio.propose(&body)?))).await
}

/// What came of labelling.
#[derive(Debug, Serialize, ToSchema)]
pub struct Labelled {
    /// Labels in use now.
    labels: usize,
}

/// Puts labels on many clips, all or none.
#[utoipa::path(post, path = "/api/labels", tag = "project", request_body = AddLabels,
    responses((status = 200, body = Labelled), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply)))]
pub async fn add_labels(
    State(studio): State<Shared>,
    Body(body): Body<AddLabels>,
) -> ApiResult<Json<Labelled>> {
    blocking(&studio, move |studio| {
        let labels = studio.add_labels(body)?;
        Ok(Json(Labelled { labels }))
    })
    .await
}

/// Clips by id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClipIds {
    clips: Vec<String>,
}

/// How many clips went.
#[derive(Debug, Serialize, ToSchema)]
pub struct Removed {
    removed: usize,
}

/// Takes clips out of the project, all or none. Files of uploads go; files that were pointed at stay where they are.
#[utoipa::path(post, path = "/api/clips/remove", tag = "project", request_body = ClipIds,
    responses((status = 200, body = Removed), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn remove_many(
    State(studio): State<Shared>,
    Body(body): Body<ClipIds>,
) -> ApiResult<Json<Removed>> {
    few(body.clips.len())?;
    blocking(&studio, move |studio| {
        let removed = take_out(studio, &body.clips)?;
        Ok(Json(Removed { removed }))
    })
    .await
}

/// Which clips, and as what.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Ids, with commas between them.
    clips: String,
    /// bvh or glb.
    #[param(schema_with = words::clip_format)]
    format: String,
}

/// Clips as they are read here, with their labels where the format has room for them: one file, or an archive (ZIP) of several.
#[utoipa::path(get, operation_id = "export_clips", path = "/api/clips.zip", tag = "project", params(Wanted),
    responses((status = 200, content_type = "application/zip"), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply)))]
pub async fn export(
    State(studio): State<Shared>,
    Params(wanted): Params<Wanted>,
) -> ApiResult<Attachment> {
    let format = match wanted.format.as_str() {
        "bvh" => "bvh",
        "glb" => "glb",
        _ => {
            return Err(ApiError::bad("expected bvh or glb")
                .field("format")
                .hint("BVH for most tools, GLB where labels are wanted too"));
        }
    };
    let ids: Vec<String> = wanted.clips.split(',').map(str::to_owned).collect();
    if ids.len() > MOST_EXPORTED {
        return Err(
            ApiError::bad(format!("at most {MOST_EXPORTED} clips at once"))
                .field("clips")
                .hint("take them home in several parts"),
        );
    }
    heavy(&studio, move |studio| {
        let failed = |e: std::io::Error| ApiError::internal(e.to_string());
        let folder = tempfile::Builder::new()
            .prefix(EXPORT)
            .tempdir_in(studio.folder.path())
            .map_err(failed)?;
        let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let stored = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        let zipped = |e: zip::result::ZipError| ApiError::internal(e.to_string());
        for id in &ids {
            let entry = studio.entry(id)?;
            let loaded = studio.loaded(id)?;
            let rows = studio.read().labels(&entry);
            let clip =
                loaded
                    .clip
                    .clone()
                    .with_labels(label_track(&rows, entry.rate_hz, entry.frames));
            // Ids are plain and differ, names need not be either.
            let file = format!("{id}.{format}");
            let path = folder.path().join(&file);
            write_file(&path, &clip, &WriteOptions::default())?;
            out.start_file(file, stored).map_err(zipped)?;
            let bytes = std::fs::read(&path).map_err(failed)?;
            out.write_all(&bytes).map_err(failed)?;
            std::fs::remove_file(&path).map_err(failed)?;
        }
        Ok(Attachment {
            name: "clips.zip".to_owned(),
            bytes: out.finish().map_err(zipped)?.into_inner(),
        })
    })
    .await
}
