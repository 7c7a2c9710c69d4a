//! Files dropped onto the page: bounded, parsed as hostile, and kept when all of them are good, or those that are (`skip_bad`).
//!
//! Parts are written to a folder beside `clips/` under names of our own making; they are read on a thread of its own, for
//! at most [`PATIENCE`]; then they are moved into place. Whatever fails on the way takes the folder with it.

mod keep;
mod names;
mod take_in;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Json;
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use gaitway_io::Format;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use utoipa::{IntoParams, ToSchema};

use super::characters::CharacterView;
use super::clips::ClipView;
use super::recordings::RecordingView;
use super::{Shared, blocking};
use crate::error::{ApiError, ApiResult, Code, ErrorBody, ErrorReply};
use crate::extract::Params;
use crate::pace;
use crate::project::UPLOAD;
use crate::project::reading::read_format;
use crate::wire::words;
use names::{free_name, safe_name};
use take_in::take_in;

/// How long parsing may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most files in one request.
const MOST_FILES: usize = 64;
/// The longest file name.
const LONGEST_NAME: usize = 120;

/// How an upload is taken.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct How {
    /// Keep the good files and name the bad ones, as `--skip-bad` does; else one bad file keeps all of them out.
    #[serde(default)]
    skip_bad: bool,
    /// The format of every motion among them, whatever its name ends in: kept under a name that says so.
    #[param(schema_with = words::read_format)]
    format: Option<String>,
    /// All of them are characters to put motion on, whatever moves in them; else only a rigged glTF without an animation is one.
    #[serde(default)]
    characters: bool,
}

/// A file that was not taken, and why.
#[derive(Debug, Serialize, ToSchema)]
pub struct BadFile {
    /// As it was sent.
    file: String,
    /// Why.
    error: ErrorBody,
}

/// What came of an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// The new clips.
    clips: Vec<ClipView>,
    /// New files of markers or sensors.
    recordings: Vec<RecordingView>,
    /// New characters.
    characters: Vec<CharacterView>,
    /// Files that were not taken.
    bad: Vec<BadFile>,
}

/// Files as they arrived.
#[derive(Default)]
struct Received {
    /// Where they lie.
    files: Vec<PathBuf>,
    /// Those that did not get that far.
    bad: Vec<BadFile>,
}

/// Adds clips, recordings of markers or sensors, and characters: one or more parts named `file` (an AMC comes with its ASF, a glTF with its BIN).
#[utoipa::path(post, operation_id = "upload_clips", path = "/api/clips", tag = "project", params(How),
    request_body(content_type = "multipart/form-data", content = String),
    responses((status = 201, body = Uploaded), (status = 408, body = ErrorReply), (status = 409, body = ErrorReply), (status = 413, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn upload(
    State(studio): State<Shared>,
    Params(how): Params<How>,
    parts: Result<Multipart, axum::extract::multipart::MultipartRejection>,
) -> ApiResult<(StatusCode, Json<Uploaded>)> {
    // A character is no motion: it may try on what the demo has.
    if studio.read().is_demo() && !how.characters {
        if let Ok(parts) = parts {
            hear_out(parts).await;
        }
        return Err(ApiError::new(
            Code::Conflict,
            "the demo keeps to itself: no clips are added to it",
        )
        .hint("make a project for them: Projects, New (POST /api/projects)"));
    }
    let parts = parts.map_err(|e| ApiError::bad(e.body_text()))?;
    let format = match how.format.as_deref().map(read_format).transpose() {
        Ok(format) => format,
        Err(e) => {
            hear_out(parts).await;
            return Err(e.field("format"));
        }
    };
    let folder = blocking(&studio, |studio| {
        tempfile::Builder::new()
            .prefix(UPLOAD)
            .tempdir_in(studio.folder.path())
            .map_err(|e| ApiError::internal(e.to_string()))
    })
    .await?;
    let most = studio.config.upload_bytes;
    let received = receive(parts, folder.path(), most, how.skip_bad, format).await?;
    if received.files.is_empty() && received.bad.is_empty() {
        return Err(ApiError::bad("expected at least one part named `file`")
            .field("file")
            .hint("multipart/form-data, a part per file; an AMC comes with its ASF"));
    }
    let _turn = studio
        .heavy
        .acquire()
        .await
        .map_err(|_| ApiError::new(Code::Busy, "the server is stopping"))?;
    let gate = Arc::new(AtomicBool::new(false));
    let inside = gate.clone();
    let work = blocking(&studio, move |studio| {
        take_in(studio, folder, received, &inside, &how)
    });
    tokio::pin!(work);
    let done = match tokio::time::timeout(PATIENCE, &mut work).await {
        Ok(done) => done,
        // The thread cannot be ended from outside. Whoever closes the gate first decides: then it keeps nothing.
        Err(_) if !gate.swap(true, Ordering::AcqRel) => Err(too_slow()),
        Err(_) => work.await,
    };
    done.map(|uploaded| (StatusCode::CREATED, Json(uploaded)))
}

/// Reads on what is refused, within the limits of an upload: whoever is still sending would see the connection end, and not the answer.
async fn hear_out(mut parts: Multipart) {
    while let Ok(Some(mut part)) = parts.next_field().await {
        while let Ok(Some(_)) = part.chunk().await {}
    }
}

fn too_slow() -> ApiError {
    ApiError::new(Code::TooSlow, "the files take too long to read")
        .hint("try again when the machine has less to do, or with fewer or shorter files at once")
}

/// Writes the parts to a folder, no more than so many bytes of them.
async fn receive(
    mut parts: Multipart,
    folder: &Path,
    most: usize,
    skip_bad: bool,
    format: Option<Format>,
) -> ApiResult<Received> {
    let broken = |e: axum::extract::multipart::MultipartError| {
        if let Some(error) = pace::too_slow(&e) {
            error
        } else if e.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::new(
                Code::TooLarge,
                format!("an upload has at most {} MiB", most >> 20),
            )
        } else {
            ApiError::bad(e.body_text())
        }
    };
    let failed = |e: std::io::Error| ApiError::internal(e.to_string());
    let mut names = BTreeSet::new();
    let mut out = Received::default();
    let mut bytes = 0;
    while let Some(mut part) = parts.next_field().await.map_err(broken)? {
        if part.name() != Some("file") {
            let name = part
                .name()
                .unwrap_or("")
                .chars()
                .take(40)
                .collect::<String>();
            return Err(ApiError::bad(format!(
                "expected parts named `file`, found `{name}`"
            )));
        }
        if out.files.len() + out.bad.len() >= MOST_FILES {
            return Err(ApiError::new(
                Code::TooLarge,
                format!("at most {MOST_FILES} files at once"),
            ));
        }
        let given = part.file_name().unwrap_or("").to_owned();
        let name = safe_name(&given, format).and_then(|name| {
            let free = if skip_bad {
                free_name(&name, &names)
            } else {
                name
            };
            match names.insert(free.to_ascii_lowercase()) {
                true => Ok(free),
                false => Err(ApiError::bad(format!("two files are called `{free}`"))
                    .hint("send them one after the other, or rename one")),
            }
        });
        let mut file = match name {
            Ok(name) => {
                let path = folder.join(&name);
                let file = tokio::fs::File::create_new(&path).await.map_err(failed)?;
                out.files.push(path);
                Some(file)
            }
            Err(error) if skip_bad => {
                let file = given.chars().take(LONGEST_NAME).collect();
                let error = error.body().clone();
                out.bad.push(BadFile { file, error });
                None
            }
            Err(error) => return Err(error),
        };
        while let Some(chunk) = part.chunk().await.map_err(broken)? {
            bytes += chunk.len();
            if bytes > most {
                return Err(ApiError::new(
                    Code::TooLarge,
                    format!("an upload has at most {} MiB", most >> 20),
                ));
            }
            if let Some(file) = &mut file {
                file.write_all(&chunk).await.map_err(failed)?;
            }
        }
        if let Some(mut file) = file {
            file.flush().await.map_err(failed)?;
        }
    }
    Ok(out)
}

/// A file that is not taken: named with the others, or the end of all.
fn refuse(bad: &mut Vec<BadFile>, skip_bad: bool, file: String, error: ApiError) -> ApiResult<()> {
    if !skip_bad {
        return Err(error);
    }
    let error = error.body().clone();
    bad.push(BadFile { file, error });
    Ok(())
}
