//! Files dropped onto the page: bounded, parsed as hostile, and kept when all of them are good, or those that are (`skip_bad`).
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
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use utoipa::{IntoParams, ToSchema};

use super::characters::CharacterView;
use super::clips::{ClipView, views};
use super::recordings::RecordingView;
use super::{Shared, blocking};
use crate::error::{ApiError, ApiResult, Code, ErrorBody, ErrorReply};
use crate::extract::Params;
use crate::pace;
use crate::project::reading::read_format;
use crate::project::{Readings, UPLOAD};
use crate::state::{
    CharacterEntry, ClipEntry, ProjectPart, Recorded, RecordingEntry, Source, Studio,
    import_uploads, is_recording, may_be_character, may_have_mesh,
};
use crate::wire::words;

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

/// Files of several folders may have one name. Skeletons and buffers are found by theirs, and keep it.
fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let Some((stem, extension)) = name.rsplit_once('.').filter(|(_, e)| !is_beside(e)) else {
        return name.to_owned();
    };
    std::iter::once(name.to_owned())
        .chain((2..=MOST_FILES).map(|k| format!("{stem}_{k}.{extension}")))
        .find(|n| !taken.contains(&n.to_ascii_lowercase()))
        .unwrap_or_else(|| name.to_owned())
}

/// What is no motion of its own and lies beside one: an AMC's skeleton, a glTF's numbers.
fn is_beside(extension: &str) -> bool {
    matches!(extension, "asf" | "bin")
}

fn is_beside_file(path: &Path) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(is_beside)
}

/// A file's name without any folder, in letters that are harmless everywhere, with an extension we read: its own, or that of the
/// format it is said to have.
fn safe_name(given: &str, format: Option<Format>) -> ApiResult<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or("");
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let extension = extension.to_ascii_lowercase();
    let extension = match format {
        Some(format) if !is_beside(&extension) => format.as_str().to_owned(),
        _ => extension,
    };
    let known = is_beside(&extension)
        || is_recording(&extension)
        || matches!(
            Format::from_extension(&extension),
            Some(Format::Bvh | Format::Amc | Format::Glb | Format::Gltf | Format::Fbx)
        );
    if !known {
        let shown: String = last.chars().take(60).collect();
        return Err(
            ApiError::unprocessable(format!("{shown}: no format we read"))
                .hint("drop BVH, AMC with its ASF, GLB, glTF with its BIN, or FBX; markers as C3D or TRC; sensors as CSV or NPZ"),
        );
    }
    if extension == "bin" {
        // A glTF asks for its buffer by name: it is kept as it is, or not at all.
        let plain = |c: char| c.is_alphanumeric() || " -_.()".contains(c);
        if stem.is_empty()
            || stem.starts_with('.')
            || last.len() > LONGEST_NAME
            || !last.chars().all(plain)
        {
            return Err(ApiError::bad("the glTF's buffer has a name we do not keep")
                .hint("export it as GLB, which is one file"));
        }
        return Ok(last.to_owned());
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

/// Reads what came, and moves into the project what is good.
fn take_in(
    studio: &Studio,
    folder: TempDir,
    received: Received,
    gate: &AtomicBool,
    how: &How,
) -> ApiResult<Uploaded> {
    let skip_bad = how.skip_bad;
    let Received { files, mut bad } = received;
    let (beside, files): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|f| is_beside_file(f));
    let (points, motions): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|f| is_recording_file(f));
    let mut characters = Vec::new();
    if how.characters {
        for path in motions.iter().chain(&points) {
            match character(path, folder.path()) {
                Ok(entry) => characters.push(entry),
                Err(error) => refuse(&mut bad, skip_bad, file_name(path), error)?,
            }
        }
    }
    let (points, motions) = match how.characters {
        true => (Vec::new(), Vec::new()),
        false => (points, motions),
    };
    let input = |path: &PathBuf| Input {
        path: path.clone(),
        fps: None,
        animation: None,
    };
    if motions.is_empty() && points.is_empty() && characters.is_empty() && bad.is_empty() {
        return Err(
            ApiError::unprocessable("an ASF or BIN has no motion of its own")
                .hint("drop its AMC or glTF files with it"),
        );
    }
    let table = studio.read().project.reading.clone();
    let readings = Readings {
        folder: &studio.folder,
        table: &table,
    };
    let mut entries = Vec::new();
    // Read together: what only shows over many is told of each.
    let uploads = import_uploads(motions.iter().map(input).collect(), &readings);
    let read = uploads.clips;
    for error in uploads.bad {
        // A rigged figure that stands still is no motion: it is there to be moved.
        let path = Path::new(error.file());
        if let Some(figure) = standing(path, folder.path()) {
            characters.push(figure);
            continue;
        }
        let file = path.file_name();
        let file = file.unwrap_or_default().to_string_lossy().into_owned();
        let error = without_folder(ApiError::from(error), folder.path());
        refuse(&mut bad, skip_bad, file, error)?;
    }
    let mut recordings = Vec::new();
    for path in &points {
        let longest = studio.config.clip_seconds;
        match recording(path, folder.path(), longest) {
            Ok(entry) => recordings.push(entry),
            Err(error) => refuse(&mut bad, skip_bad, file_name(path), error)?,
        }
    }
    for path in &motions {
        let own: Vec<ClipEntry> = read.iter().filter(|e| lies_at(e, path)).cloned().collect();
        let name = || file_name(path);
        // A skeleton that cannot be read is told once, and its motions are not told beside it.
        let told = |b: &BadFile| b.file == name() || beside.iter().any(|f| f.ends_with(&b.file));
        if characters.iter().any(|c| c.path == *path) {
            continue;
        }
        if own.is_empty() && !bad.iter().any(told) {
            let error = ApiError::unprocessable(format!("{}: there is no animation in it", name()))
                .hint("a model without motion cannot be played; export it with its animation");
            refuse(&mut bad, skip_bad, name(), error)?;
        }
        let longest = studio.config.clip_seconds;
        if let Some(e) = own.iter().find(|e| e.seconds() > longest) {
            let error = too_long(&e.file, e.seconds())
                .hint("cut it: `gaitway convert long.bvh part.bvh --cut 0..600`");
            refuse(&mut bad, skip_bad, name(), error)?;
            continue;
        }
        if !own.is_empty() {
            entries.push((path.clone(), own));
        }
    }
    if gate.swap(true, Ordering::AcqRel) {
        return Err(too_slow());
    }
    let good = Good {
        entries,
        recordings,
        characters,
    };
    let (clips, recordings, characters) = keep(studio, &beside, good, &mut bad, skip_bad)?;
    Ok(Uploaded {
        clips,
        recordings,
        characters,
        bad,
    })
}

/// What can be kept.
struct Good {
    entries: Vec<(PathBuf, Vec<ClipEntry>)>,
    recordings: Vec<RecordingEntry>,
    characters: Vec<CharacterEntry>,
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn is_recording_file(path: &Path) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(is_recording)
}

fn too_long(file: &str, seconds: f64) -> ApiError {
    let what = format!("{file}: {seconds:.0} s is longer than a clip may be");
    ApiError::new(Code::TooLarge, what)
}

/// Reads a file of markers or sensors.
fn recording(path: &Path, folder: &Path, longest_s: f64) -> ApiResult<RecordingEntry> {
    let recorded = Recorded::read(path).map_err(|e| without_folder(ApiError::from(e), folder))?;
    let entry = RecordingEntry::of(path, &recorded, true);
    if entry.seconds() > longest_s {
        return Err(too_long(&entry.file, entry.seconds())
            .hint("export a part of it from your capture program"));
    }
    Ok(entry)
}

/// Reads a file as a character.
fn character(path: &Path, folder: &Path) -> ApiResult<CharacterEntry> {
    if !may_be_character(path) {
        let message = format!("{}: no file of a character", file_name(path));
        return Err(ApiError::unprocessable(message)
            .hint("a character is a rigged GLB or glTF, or a BVH or FBX file with a body"));
    }
    CharacterEntry::read(path).map_err(|e| without_folder(ApiError::from(e), folder))
}

/// A mesh with a skeleton and no motion of its own, where a file is one.
fn standing(path: &Path, folder: &Path) -> Option<CharacterEntry> {
    let figure = may_have_mesh(path).then(|| character(path, folder).ok())??;
    (figure.mesh && !figure.moves).then_some(figure)
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

fn lies_at(entry: &ClipEntry, at: &Path) -> bool {
    matches!(&entry.source, Source::File { path, .. } if path == at)
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

/// Moves the files into place and the clips into the library, both or neither.
fn keep(
    studio: &Studio,
    beside: &[PathBuf],
    found: Good,
    bad: &mut Vec<BadFile>,
    skip_bad: bool,
) -> ApiResult<(Vec<ClipView>, Vec<RecordingView>, Vec<CharacterView>)> {
    let (clips, recordings) = (studio.folder.clips(), studio.folder.recordings());
    let figures = studio.folder.characters();
    let target = |path: &Path| {
        let home = if is_recording_file(path) {
            &recordings
        } else {
            &clips
        };
        home.join(path.file_name().unwrap_or_default())
    };
    let figure = |path: &Path| figures.join(path.file_name().unwrap_or_default());
    let mut moved: Vec<PathBuf> = Vec::new();
    let mut refused = Vec::new();
    let kept = studio.change(&[ProjectPart::Clips, ProjectPart::Characters], |inner| {
        let mut good = Vec::new();
        for (path, own) in found.entries {
            let known = own.iter().find(|e| inner.clips.contains_key(&e.id));
            let error = match known {
                Some(e) => Some(
                    ApiError::new(
                        Code::Conflict,
                        format!("there is a clip `{}` already", e.name),
                    )
                    .hint("take it out first, or give the file another name"),
                ),
                None => check_same(&path, &target(&path)).err(),
            };
            match error {
                None => good.push((path, own)),
                Some(error) => {
                    let file = path.file_name().unwrap_or_default().to_string_lossy();
                    refuse(&mut refused, skip_bad, file.into_owned(), error)?;
                }
            }
        }
        let mut points = Vec::new();
        for entry in found.recordings {
            match check_same(&entry.path, &target(&entry.path)) {
                Ok(()) => points.push(entry),
                Err(error) => refuse(&mut refused, skip_bad, entry.file, error)?,
            }
        }
        let mut bodies = Vec::new();
        for entry in found.characters {
            match check_same(&entry.path, &figure(&entry.path)) {
                Ok(()) => bodies.push(entry),
                Err(error) => refuse(&mut refused, skip_bad, entry.file, error)?,
            }
        }
        // A figure's buffers stay for clips of the same drop.
        if bodies.iter().any(|b| b.format == "gltf") {
            let is_bin = |f: &&PathBuf| f.extension().is_some_and(|e| e == "bin");
            for path in beside.iter().filter(is_bin) {
                let to = figure(path);
                check_same(path, &to)?;
                if !to.exists() {
                    std::fs::copy(path, &to)
                        .map_err(|e| ApiError::internal(format!("{}: {e}", to.display())))?;
                    moved.push(to);
                }
            }
        }
        // Skeletons and buffers first: a server that is killed in between leaves no motion without its own.
        let needed = |f: &&PathBuf| {
            let of = if f.extension().is_some_and(|e| e == "asf") {
                "amc"
            } else {
                "gltf"
            };
            good.iter()
                .any(|(p, _)| p.extension().is_some_and(|e| e == of))
        };
        let first: Vec<&PathBuf> = beside.iter().filter(needed).collect();
        let motions = good.iter().map(|(p, _)| p);
        let motions = motions.chain(points.iter().map(|p| &p.path));
        let motions = motions.map(|p| (p, target(p)));
        let bodies_to = bodies.iter().map(|b| (&b.path, figure(&b.path)));
        let first = first.into_iter().map(|p| (p, target(p)));
        for (path, to) in first.chain(motions).chain(bodies_to) {
            check_same(path, &to)?;
            if to.exists() {
                continue;
            }
            std::fs::rename(path, &to)
                .map_err(|e| ApiError::internal(format!("{}: {e}", to.display())))?;
            moved.push(to);
        }
        let mut new = Vec::new();
        for mut entry in good.into_iter().flat_map(|(_, own)| own) {
            if let Source::File { path, .. } = &mut entry.source {
                *path = target(path);
            }
            inner.project.removed.retain(|n| *n != entry.name);
            new.push(entry.id.clone());
            inner.clips.insert(entry.id.clone(), Arc::new(entry));
        }
        let mut recorded = Vec::new();
        for mut entry in points {
            entry.path = target(&entry.path);
            inner.project.removed.retain(|n| *n != entry.file);
            let entry = Arc::new(entry);
            recorded.push(entry.clone());
            inner.recordings.insert(entry.id.clone(), entry);
        }
        let mut drawn = Vec::new();
        for mut entry in bodies {
            entry.path = figure(&entry.path);
            let entry = Arc::new(entry);
            drawn.push(entry.clone());
            inner.characters.insert(entry.id.clone(), entry);
        }
        Ok((new, recorded, drawn))
    });
    if kept.is_err() {
        // What cannot be deleted shows up as a clip next time, which is where the user will see it.
        moved.iter().for_each(|m| drop(std::fs::remove_file(m)));
    }
    let (new, recorded, drawn) = kept?;
    bad.extend(refused);
    let inner = studio.read();
    let entries = new.iter().filter_map(|id| inner.clips.get(id));
    let recordings = recorded.iter().map(|r| RecordingView::of(r)).collect();
    let characters = drawn.iter().map(|c| CharacterView::of(&inner, c)).collect();
    Ok((
        views(&inner, entries.map(AsRef::as_ref)),
        recordings,
        characters,
    ))
}

/// A skeleton or buffer that is there already may come again with other motions; any other file may not.
fn check_same(new: &Path, old: &Path) -> ApiResult<()> {
    let same = || std::fs::read(new).ok() == std::fs::read(old).ok();
    if !old.exists() || is_beside_file(new) && same() {
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
        let name = |n: &str| safe_name(n, None).ok();
        assert_eq!(name("../../etc/walk.bvh").as_deref(), Some("walk.bvh"));
        assert_eq!(name("C:\\x\\Walk 1.BVH").as_deref(), Some("Walk_1.bvh"));
        assert_eq!(name("a/b/…/run..fbx").as_deref(), Some("run.fbx"));
        assert_eq!(name(".bvh"), None);
        assert_eq!(name("..bvh"), None);
        assert_eq!(name("notes.txt"), None);
        assert_eq!(name("a/Fox (1).bin").as_deref(), Some("Fox (1).bin"));
        assert_eq!(name("..bin"), None);
        assert_eq!(name("a%2Fb.bin"), None);
        assert_eq!(name(""), None);
        assert_eq!(name("con\0trol.bvh").as_deref(), Some("con_trol.bvh"));
        let said = |n: &str| safe_name(n, Some(Format::Bvh)).ok();
        assert_eq!(said("a/take 3.txt").as_deref(), Some("take_3.bvh"));
        assert_eq!(said("take").as_deref(), Some("take.bvh"));
        assert_eq!(said("body.asf").as_deref(), Some("body.asf"));
    }
}
