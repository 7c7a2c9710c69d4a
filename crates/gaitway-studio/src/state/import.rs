//! Files read into the library.

use std::path::Path;

use gaitway_core::Clip;
use gaitway_io::set::{FileClip, FileContent, FileRead, GatherOptions, gather, read_files};
use gaitway_io::{Import, Input, ReadError, ReadOptions, SetClip, read_file};

use super::library::{ClipEntry, Source, WarningJson, clip_id, labels_of};

/// A clip that was read: what is kept of it, and its frames.
pub struct Imported {
    /// For the library.
    pub entry: ClipEntry,
    /// Under the entry's name.
    pub clip: Clip,
}

/// As every program that makes motion reads.
fn options(fps: Option<f64>) -> ReadOptions {
    ReadOptions {
        source_fps: fps,
        repair_spikes: true,
        ..ReadOptions::default()
    }
}

/// Reads what the project was begun with, as `gaitway build` does: each motion once, under the name it has in the graph. The
/// notes tell what was passed over and why.
pub fn import_set(inputs: Vec<Input>, notes: &mut Vec<String>) -> Vec<Imported> {
    let (clips, bad) = clips_of(read_files(inputs, &options(None), &|| ()));
    notes.extend(bad.iter().map(ToString::to_string));
    match gather(clips, &GatherOptions::default()) {
        Ok(set) => {
            notes.extend(
                set.warnings
                    .iter()
                    .filter(|w| w.code != REPAIRED)
                    .map(|w| w.message.clone()),
            );
            set.clips.into_iter().map(|c| entry(c, false)).collect()
        }
        Err(error) => {
            notes.push(error.to_string());
            Vec::new()
        }
    }
}

/// Every clip says so itself.
const REPAIRED: gaitway_core::WarningCode = gaitway_core::WarningCode::SpikesRepaired;

/// Reads uploads, which are called after their files.
pub fn import_uploads(inputs: Vec<Input>) -> (Vec<Imported>, Vec<ReadError>) {
    let (clips, bad) = clips_of(read_files(inputs, &options(None), &|| ()));
    let clips = clips.into_iter().map(|file| {
        let name = upload_name(file.import.clip.name());
        entry(SetClip::named(file, name), true)
    });
    (clips.collect(), bad)
}

/// Marker files have no body to show: said, rather than passed over.
fn clips_of(files: Vec<FileRead>) -> (Vec<FileClip>, Vec<ReadError>) {
    let (mut clips, mut bad) = (Vec::new(), Vec::new());
    for file in files {
        let (input, checksum) = (file.input, file.checksum);
        match file.content {
            FileContent::Clips(imports) => {
                clips.extend(imports.into_iter().map(|import| FileClip {
                    input: input.clone(),
                    checksum,
                    import,
                    repaired: true,
                }))
            }
            FileContent::Failed(error) => bad.push(error),
            FileContent::Markers(_) => bad.push(no_body(&input.path)),
        }
    }
    (clips, bad)
}

/// Why a file of markers is not taken.
pub fn no_body(file: &Path) -> ReadError {
    ReadError::content(
        file.display().to_string(),
        "holds markers and no skeleton, so there is no body to show or join",
    )
    .with_hint("solve the markers onto a skeleton in your capture program, and drop the BVH, FBX or GLB it writes")
}

fn upload_name(name: &str) -> String {
    let (path, animation) = name
        .split_once('#')
        .map_or((name, None), |(p, a)| (p, Some(a)));
    let file = path.rsplit('/').next().unwrap_or(path);
    animation.map_or_else(|| file.to_owned(), |a| format!("{file}#{a}"))
}

fn entry(read: SetClip, uploaded: bool) -> Imported {
    let noise = read.noise_joints().collect();
    let clip = read.clip;
    let name = clip.name().to_owned();
    let warnings = read.warnings.iter().map(|w| WarningJson {
        code: w.code.as_str().to_owned(),
        message: w.message.clone(),
    });
    let entry = ClipEntry {
        id: clip_id(&name),
        file: read.file,
        format: read.source.format.as_str().to_owned(),
        joints: clip.joint_count(),
        frames: clip.frame_count(),
        rate_hz: clip.rate_hz(),
        labels: labels_of(&clip),
        warnings: warnings.collect(),
        noise,
        source: Source::File {
            path: read.input.path,
            animation: read.source.animation.clone(),
            fps: read.input.fps,
        },
        checksum: read.checksum,
        uploaded,
        name,
    };
    Imported { entry, clip }
}

/// Reads one clip of the library again.
pub fn read_again(
    name: &str,
    path: &Path,
    animation: Option<&str>,
    fps: Option<f64>,
) -> Result<Clip, ReadError> {
    let imports = read_file(path, &options(fps))?;
    let wanted = |i: &Import| match animation {
        None => true,
        Some(a) => i.clip.name().ends_with(&format!("#{a}")),
    };
    match imports.into_iter().find(wanted) {
        Some(import) => Ok(import.clip.with_name(name)),
        None => Err(ReadError::content(
            path.display().to_string(),
            "no longer holds this clip",
        )),
    }
}
