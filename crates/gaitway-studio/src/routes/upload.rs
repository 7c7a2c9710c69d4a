//! Files dropped onto the page: bounded, parsed as hostile, and kept only when all of them are good.
//!
//! Parts are written to a folder beside `clips/` under names of our own making; they are read on a thread of its own, for
//! at most [`PATIENCE`]; then they are moved into place. Whatever fails on the way takes the folder with it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Json;
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use gaitway_io::{Format, Input};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;

use super::clips::{ClipView, views};
use super::{Shared, blocking};
use crate::error::{ApiError, ApiResult, Code, ErrorReply};
use crate::project::UPLOAD;
use crate::state::{ClipEntry, ProjectPart, Source, Studio, WarningJson, import_uploads, no_body};

/// How long parsing may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most files in one request.
const MOST_FILES: usize = 64;
/// The longest file name.
const LONGEST_NAME: usize = 120;

/// Adds clips: one or more parts named `file` (an AMC comes with its ASF).
#[utoipa::path(post, operation_id = "upload_clips", path = "/api/clips", tag = "project",
    request_body(content_type = "multipart/form-data", content = String),
    responses((status = 201, body = [ClipView]), (status = 409, body = ErrorReply), (status = 413, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn upload(
    State(studio): State<Shared>,
    parts: Result<Multipart, axum::extract::multipart::MultipartRejection>,
) -> ApiResult<(StatusCode, Json<Vec<ClipView>>)> {
    let parts = parts.map_err(|e| ApiError::bad(e.body_text()))?;
    let folder = blocking(&studio, |studio| {
        tempfile::Builder::new()
            .prefix(UPLOAD)
            .tempdir_in(studio.folder.path())
            .map_err(|e| ApiError::internal(e.to_string()))
    })
    .await?;
    let files = receive(parts, folder.path(), studio.config.upload_bytes).await?;
    if files.is_empty() {
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
        take_in(studio, folder, &files, &inside)
    });
    tokio::pin!(work);
    let done = match tokio::time::timeout(PATIENCE, &mut work).await {
        Ok(done) => done,
        // The thread cannot be ended from outside. Whoever closes the gate first decides: then it keeps nothing.
        Err(_) if !gate.swap(true, Ordering::AcqRel) => Err(too_slow()),
        Err(_) => work.await,
    };
    done.map(|clips| (StatusCode::CREATED, Json(clips)))
}

fn too_slow() -> ApiError {
    ApiError::unprocessable("the files take too long to read")
        .hint("fewer or shorter files at once; `gaitway convert` tells what is slow about one")
}

/// Writes the parts to a folder, no more than so many bytes of them.
async fn receive(mut parts: Multipart, folder: &Path, most: usize) -> ApiResult<Vec<PathBuf>> {
    let broken = |e: axum::extract::multipart::MultipartError| {
        if e.status() == StatusCode::PAYLOAD_TOO_LARGE {
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
    let mut files = Vec::new();
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
        if files.len() >= MOST_FILES {
            return Err(ApiError::new(
                Code::TooLarge,
                format!("at most {MOST_FILES} files at once"),
            ));
        }
        let name = safe_name(part.file_name().unwrap_or(""))?;
        if !names.insert(name.to_ascii_lowercase()) {
            return Err(ApiError::bad(format!("two files are called `{name}`"))
                .hint("send them one after the other, or rename one"));
        }
        let path = folder.join(&name);
        let mut file = tokio::fs::File::create_new(&path).await.map_err(failed)?;
        while let Some(chunk) = part.chunk().await.map_err(broken)? {
            bytes += chunk.len();
            if bytes > most {
                return Err(ApiError::new(
                    Code::TooLarge,
                    format!("an upload has at most {} MiB", most >> 20),
                ));
            }
            file.write_all(&chunk).await.map_err(failed)?;
        }
        file.flush().await.map_err(failed)?;
        files.push(path);
    }
    Ok(files)
}

/// A file's name without any folder, in letters that are harmless everywhere, with an extension we read.
fn safe_name(given: &str) -> ApiResult<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or("");
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let extension = extension.to_ascii_lowercase();
    if let Some(Format::C3d | Format::Trc) = Format::from_extension(&extension) {
        let shown: String = last.chars().take(60).collect();
        return Err(no_body(Path::new(&shown)).into());
    }
    let known = extension == "asf"
        || matches!(
            Format::from_extension(&extension),
            Some(Format::Bvh | Format::Amc | Format::Glb | Format::Gltf | Format::Fbx)
        );
    if !known {
        let shown: String = last.chars().take(60).collect();
        return Err(
            ApiError::unprocessable(format!("{shown}: no format we read"))
                .hint("drop BVH, AMC with its ASF, GLB, glTF or FBX"),
        );
    }
    let keep = |c: char| {
        if c.is_alphanumeric() || c == '-' || c == '_' {
            c
        } else {
            '_'
        }
    };
    let stem: String = stem.chars().map(keep).take(LONGEST_NAME).collect();
    let stem = stem.trim_matches('_');
    if stem.is_empty() {
        return Err(
            ApiError::bad("a file needs a name").hint("its ending says how it is read: walk.bvh")
        );
    }
    Ok(format!("{stem}.{extension}"))
}

/// Reads what came, and moves it into the project when all of it is good.
fn take_in(
    studio: &Studio,
    folder: TempDir,
    files: &[PathBuf],
    gate: &AtomicBool,
) -> ApiResult<Vec<ClipView>> {
    let inputs: Vec<Input> = files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e != "asf"))
        .map(|path| Input {
            path: path.clone(),
            fps: None,
            animation: None,
        })
        .collect();
    if inputs.is_empty() {
        return Err(
            ApiError::unprocessable("an ASF is a skeleton without motion")
                .hint("drop its AMC files with it"),
        );
    }
    let (imports, bad) = import_uploads(inputs);
    if let Some(error) = bad.into_iter().next() {
        return Err(without_folder(ApiError::from(error), folder.path()));
    }
    let mut entries: Vec<ClipEntry> = imports.into_iter().map(|i| i.entry).collect();
    if entries.is_empty() {
        return Err(
            ApiError::unprocessable("there is no animation in these files")
                .hint("a model without motion cannot be played; export it with its animation"),
        );
    }
    let too_long = entries
        .iter()
        .find(|e| e.seconds() > studio.config.clip_seconds);
    if let Some(e) = too_long {
        let message = format!(
            "{}: {:.0} s is longer than a clip may be",
            e.file,
            e.seconds()
        );
        return Err(ApiError::new(Code::TooLarge, message)
            .hint("cut it: `gaitway convert long.bvh part.bvh --cut 0..600`"));
    }
    warn_of_other_bodies(studio, &mut entries);
    if gate.swap(true, Ordering::AcqRel) {
        return Err(too_slow());
    }
    keep(studio, files, entries)
}

/// Errors name files as the user knows them.
fn without_folder(error: ApiError, folder: &Path) -> ApiError {
    let body = error.body();
    let prefix = format!("{}/", folder.display());
    let out = ApiError::new(body.code, body.message.replace(&prefix, ""));
    match &body.hint {
        Some(hint) => out.hint(hint.replace(&prefix, "")),
        None => out,
    }
}

/// A graph needs one skeleton; told now rather than when it is built.
fn warn_of_other_bodies(studio: &Studio, entries: &mut [ClipEntry]) {
    let Some(graph) = studio.read().graph.clone() else {
        return;
    };
    let joints = graph.graph.skeleton().joint_count();
    for entry in entries.iter_mut().filter(|e| e.joints != joints) {
        entry.warnings.push(WarningJson {
            code: "other-skeleton".to_owned(),
            message: format!(
                "has {} joints where the graph's body has {joints}; a graph needs one skeleton",
                entry.joints
            ),
        });
    }
}

/// Moves the files into place and the clips into the library, both or neither.
fn keep(studio: &Studio, files: &[PathBuf], entries: Vec<ClipEntry>) -> ApiResult<Vec<ClipView>> {
    let clips = studio.folder.clips();
    let target = |path: &Path| clips.join(path.file_name().unwrap_or_default());
    let mut moved: Vec<PathBuf> = Vec::new();
    let kept = studio.change(&[ProjectPart::Clips], |inner| {
        if let Some(entry) = entries.iter().find(|e| inner.clips.contains_key(&e.id)) {
            let message = format!("there is a clip `{}` already", entry.name);
            return Err(ApiError::new(Code::Conflict, message)
                .hint("take it out first, or give the file another name"));
        }
        // Skeletons first: a server that is killed in between leaves no motion without its own.
        let skeleton = |f: &&PathBuf| f.extension().is_some_and(|e| e == "asf");
        let (first, then): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(skeleton);
        for path in first.into_iter().chain(then) {
            let to = target(path);
            if to.exists() {
                check_same(path, &to)?;
                continue;
            }
            std::fs::rename(path, &to)
                .map_err(|e| ApiError::internal(format!("{}: {e}", to.display())))?;
            moved.push(to);
        }
        let mut new = Vec::new();
        for mut entry in entries {
            if let Source::File { path, .. } = &mut entry.source {
                *path = target(path);
            }
            inner.project.removed.retain(|n| *n != entry.name);
            let entry = Arc::new(entry);
            inner.clips.insert(entry.id.clone(), entry.clone());
            new.push(entry);
        }
        Ok(views(inner, new.iter().map(AsRef::as_ref)))
    });
    if kept.is_err() {
        // What cannot be deleted shows up as a clip next time, which is where the user will see it.
        moved.iter().for_each(|m| drop(std::fs::remove_file(m)));
    }
    kept
}

/// A skeleton that is there already may come again with other motions; any other file may not.
fn check_same(new: &Path, old: &Path) -> ApiResult<()> {
    let skeleton = new.extension().is_some_and(|e| e == "asf");
    let same = || std::fs::read(new).ok() == std::fs::read(old).ok();
    if skeleton && same() {
        return Ok(());
    }
    let name = new
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Err(ApiError::new(
        Code::Conflict,
        format!("there is another file `{name}` already"),
    )
    .hint("give it another name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere() {
        let name = |n: &str| safe_name(n).ok();
        assert_eq!(name("../../etc/walk.bvh").as_deref(), Some("walk.bvh"));
        assert_eq!(name("C:\\x\\Walk 1.BVH").as_deref(), Some("Walk_1.bvh"));
        assert_eq!(name("a/b/…/run..fbx").as_deref(), Some("run.fbx"));
        assert_eq!(name(".bvh"), None);
        assert_eq!(name("..bvh"), None);
        assert_eq!(name("notes.txt"), None);
        assert_eq!(name(""), None);
        assert_eq!(name("con\0trol.bvh").as_deref(), Some("con_trol.bvh"));
    }
}
