//! The clips: what they are, how they look, how they move.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use gaitway_eval::draw;
use gaitway_eval::draw::colour::Theme;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Binary, Shared, Text, blocking};
use crate::error::{ApiError, ApiResult, Code, ErrorReply};
use crate::extract::{Id, Params};
use crate::jobs::JobKind;
use crate::project::Reading;
use crate::state::{
    ClipEntry, FileSays, Finding, Inner, ProjectPart, Source, Studio, kept_by_clip,
};
use crate::wire::gwmo::{self, Extra, LabelSeconds};
use crate::wire::words;

/// Frames in one answer unless asked otherwise.
const SOME_FRAMES: usize = 4096;
/// The most frames in one answer.
const MOST_FRAMES: usize = 16384;

/// A clip.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClipView {
    id: String,
    name: String,
    /// Name of its file.
    file: String,
    /// bvh, amc, gltf, glb, fbx, or graph.
    format: String,
    joints: usize,
    frames: usize,
    rate_hz: f64,
    seconds: f64,
    in_graph: bool,
    /// Seconds of it that the graph keeps.
    #[schema(required)]
    kept_seconds: Option<f64>,
    labels: Vec<LabelSeconds>,
    warnings: Vec<Finding>,
    /// Id of its body.
    body: String,
    /// How its file is read; null where it comes of no file.
    #[schema(required)]
    reading: Option<Reading>,
    /// What its file says of itself; null where it comes of no file.
    #[schema(required)]
    file_says: Option<FileSays>,
}

/// Views of clips, with what the graph keeps of them.
pub fn views<'a>(inner: &Inner, entries: impl Iterator<Item = &'a ClipEntry>) -> Vec<ClipView> {
    let graph = inner.graph.as_deref();
    let kept: HashMap<&str, f64> = graph.map_or_else(HashMap::new, |g| {
        let seconds = kept_by_clip(&g.graph);
        g.graph
            .clip_ids()
            .map(|c| (g.id(c), seconds[c.index()]))
            .collect()
    });
    let bodies: HashMap<&str, &str> = inner
        .bodies
        .iter()
        .flat_map(|b| b.clips.iter().map(|c| (c.as_str(), b.id.as_str())))
        .collect();
    entries
        .map(|e| ClipView {
            id: e.id.clone(),
            name: e.name.clone(),
            file: e.file.clone(),
            format: e.format.clone(),
            joints: e.joints,
            frames: e.frames,
            rate_hz: e.rate_hz,
            seconds: e.seconds(),
            in_graph: kept.contains_key(e.id.as_str()),
            kept_seconds: kept.get(e.id.as_str()).copied(),
            labels: inner.labels(e),
            warnings: e.warnings.clone(),
            body: bodies.get(e.id.as_str()).map_or("", |b| b).to_owned(),
            reading: match &e.source {
                Source::File { reading, .. } => Some(reading.as_ref().clone()),
                Source::Graph => None,
            },
            file_says: e.file_says.clone(),
        })
        .collect()
}

/// A clip that was just made.
///
/// # Errors
/// When it is gone again.
pub fn made_view(studio: &Studio, made: &ClipEntry) -> ApiResult<ClipView> {
    let mut list = views(&studio.read(), std::iter::once(made));
    list.pop()
        .ok_or_else(|| ApiError::internal("the clip made is gone again"))
}

/// All clips, by name.
#[utoipa::path(get, operation_id = "list_clips", path = "/api/clips", tag = "project", responses((status = 200, body = [ClipView])))]
pub async fn list(State(studio): State<Shared>) -> Json<Vec<ClipView>> {
    let inner = studio.read();
    Json(views(&inner, inner.clips.values().map(AsRef::as_ref)))
}

/// Takes a clip out of the project. An upload's file goes; files that were pointed at stay where they are.
#[utoipa::path(delete, operation_id = "remove_clip", path = "/api/clips/{id}", tag = "project", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn remove(State(studio): State<Shared>, Id(id): Id) -> ApiResult<StatusCode> {
    blocking(&studio, move |studio| {
        take_out(studio, &[id])?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Takes clips out of the project, all or none; how many.
pub fn take_out(studio: &Studio, ids: &[String]) -> ApiResult<usize> {
    if studio.jobs.has_open(JobKind::Build) {
        return Err(
            ApiError::new(Code::Conflict, "a graph is being built from the clips")
                .hint("wait for it, or cancel it"),
        );
    }
    let gone = studio.change(&[ProjectPart::Clips], |inner| {
        let mut gone = Vec::with_capacity(ids.len());
        for id in ids {
            let entry = inner
                .clips
                .remove(id)
                .ok_or_else(|| ApiError::no_clip(id))?;
            if !entry.uploaded {
                inner.project.removed.push(entry.name.clone());
            }
            gone.push(entry);
        }
        Ok(gone)
    })?;
    studio.forget_clips(&gone);
    Ok(gone.len())
}

/// On which ground.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Ground {
    /// light (the default) or dark.
    #[param(schema_with = words::theme)]
    theme: Option<String>,
    /// 1: the body alone, at the clip's first frame.
    poses: Option<usize>,
}

/// Width and height of a body alone, at twice its pixels.
const BODY: (u32, u32) = (112, 156);

/// Width and height of a strip: as a card of the library shows it, at twice its pixels.
const STRIP: (u32, u32) = (600, 156);
/// Poses of a strip.
const POSES: usize = 7;

/// A clip at a glance: poses at even times.
#[utoipa::path(get, path = "/api/clips/{id}/thumbnail.svg", tag = "project", params(("id" = String, Path), Ground),
    responses((status = 200, content_type = "image/svg+xml"), (status = 404, body = ErrorReply)))]
pub async fn thumbnail(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(ground): Params<Ground>,
) -> ApiResult<Text> {
    let theme = match ground.theme.as_deref() {
        Some("dark") => &Theme::DARK,
        _ => &Theme::LIGHT,
    };
    let alone = ground.poses == Some(1);
    let svg = blocking(&studio, move |studio| {
        let loaded = studio.loaded(&id)?;
        if alone {
            let first = gaitway_core::edit::cut(&loaded.clip, 0..1);
            let scene = draw::strip(&first, 1, BODY, theme);
            return Ok(scene.map_err(ApiError::unprocessable)?.to_svg());
        }
        // A long clip is shown by its first half minute: the picture is small, and drawing must be quick.
        let frames = (30.0 * loaded.clip.rate_hz()) as usize;
        let scene = if loaded.clip.frame_count() > 2 * frames {
            draw::strip(
                &gaitway_core::edit::cut(&loaded.clip, 0..frames),
                POSES,
                STRIP,
                theme,
            )
        } else {
            draw::strip(&loaded.clip, POSES, STRIP, theme)
        };
        Ok(scene.map_err(ApiError::unprocessable)?.to_svg())
    })
    .await?;
    Ok(Text("image/svg+xml", svg))
}

/// Which frames.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FrameRange {
    /// The first frame; 0 unless given.
    pub from: Option<usize>,
    /// How many; 4096 unless given, at most 16384.
    pub count: Option<usize>,
}

impl FrameRange {
    /// As a range, bounded.
    pub fn range(&self) -> ApiResult<std::ops::Range<usize>> {
        let from = self.from.unwrap_or(0);
        let count = self.count.unwrap_or(SOME_FRAMES);
        if count > MOST_FRAMES {
            return Err(
                ApiError::bad(format!("at most {MOST_FRAMES} frames at once"))
                    .field("count")
                    .hint("ask for the rest with `from`"),
            );
        }
        Ok(from..from.saturating_add(count))
    }
}

/// Frames of a clip as GWMO.
#[utoipa::path(get, operation_id = "clip_motion", path = "/api/clips/{id}/motion", tag = "project", params(("id" = String, Path), FrameRange),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply)))]
pub async fn motion(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(frames): Params<FrameRange>,
) -> ApiResult<Binary> {
    let range = frames.range()?;
    blocking(&studio, move |studio| {
        let loaded = studio.loaded(&id)?;
        let labels = {
            let inner = studio.read();
            inner.clips.get(&id).map(|e| inner.labels(e))
        };
        let extra = Extra {
            floor_m: loaded.floor_m,
            contacts: studio.contacts_by_hand(&id, &loaded)?,
            labels,
            ..Extra::default()
        };
        Ok(Binary(gwmo::encode(&loaded.clip, range, extra)))
    })
    .await
}
