//! What was sent, read as clips, recordings and characters.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use gaitway_io::Input;
use tempfile::TempDir;

use super::keep::{Good, keep};
use super::names::{file_name, is_beside_file, is_recording_file};
use super::{BadFile, How, Received, Uploaded, refuse, too_slow};
use crate::error::{ApiError, ApiResult, Code};
use crate::project::Readings;
use crate::state::{
    CharacterEntry, ClipEntry, Recorded, RecordingEntry, Source, Studio, import_uploads,
    may_be_character, may_have_mesh,
};

/// Reads what came, and moves into the project what is good.
pub(super) fn take_in(
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
