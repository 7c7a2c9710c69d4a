//! What was sent and is good, moved into the project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::characters::CharacterView;
use super::super::clips::{ClipView, views};
use super::super::recordings::RecordingView;
use super::names::{is_beside_file, is_recording_file};
use super::{BadFile, refuse};
use crate::error::{ApiError, ApiResult, Code};
use crate::state::{CharacterEntry, ClipEntry, ProjectPart, RecordingEntry, Source, Studio};

/// What can be kept.
pub(super) struct Good {
    pub entries: Vec<(PathBuf, Vec<ClipEntry>)>,
    pub recordings: Vec<RecordingEntry>,
    pub characters: Vec<CharacterEntry>,
}

/// Moves the files into place and the clips into the library, both or neither.
pub(super) fn keep(
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
