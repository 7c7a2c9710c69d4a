//! Files read into the library.

use std::path::Path;
use std::sync::Arc;

use gaitway_core::{Clip, edit};
use gaitway_io::door::flights;
use gaitway_io::set::{FileClip, FileContent, FileRead, GatherOptions, gather, read_files_by};
use gaitway_io::{Import, Input, ReadError, SetClip, UpAxis, read_file};

use super::library::{ClipEntry, FileSays, Finding, Source, clip_id, labels_of};
use super::recordings::{Recorded, RecordingEntry};
use crate::project::reading::options_of;
use crate::project::{Folder, Reading, Readings};

/// Reads what the project was begun with, as `gaitway build` does: each motion once, under the name it has in the graph. The
/// notes tell what was passed over and why.
pub fn import_set(
    inputs: Vec<Input>,
    readings: &Readings<'_>,
    notes: &mut Vec<String>,
) -> (Vec<ClipEntry>, Vec<RecordingEntry>) {
    let FilesRead {
        clips,
        recordings,
        bad,
    } = read(inputs, readings, false);
    notes.extend(bad.iter().map(ToString::to_string));
    if clips.is_empty() && !recordings.is_empty() {
        return (Vec::new(), recordings);
    }
    let clips = match gather(clips, &GatherOptions::default()) {
        Ok(set) => {
            notes.extend(
                set.warnings
                    .iter()
                    .filter(|w| w.code != REPAIRED)
                    .map(|w| w.message.clone()),
            );
            let clips = set.clips.into_iter();
            clips.map(|c| entry(c, readings, false)).collect()
        }
        Err(error) => {
            notes.push(error.to_string());
            Vec::new()
        }
    };
    (clips, recordings)
}

/// Every clip says so itself.
const REPAIRED: gaitway_core::WarningCode = gaitway_core::WarningCode::SpikesRepaired;

/// Reads uploads, which are called after their files.
pub fn import_uploads(inputs: Vec<Input>, readings: &Readings<'_>) -> Uploads {
    let FilesRead {
        clips,
        recordings,
        bad,
    } = read(inputs, readings, true);
    let clips = clips.into_iter().map(|file| {
        let name = upload_name(file.import.clip.name());
        entry(SetClip::named(file, name), readings, true)
    });
    Uploads {
        clips: clips.collect(),
        recordings,
        bad,
    }
}

/// Uploads as they were read.
pub struct Uploads {
    /// Motions.
    pub clips: Vec<ClipEntry>,
    /// Markers.
    pub recordings: Vec<RecordingEntry>,
    /// Files that cannot be read.
    pub bad: Vec<ReadError>,
}

struct FilesRead {
    clips: Vec<FileClip>,
    recordings: Vec<RecordingEntry>,
    bad: Vec<ReadError>,
}

/// Files of markers have no body yet: they are recordings.
fn read(inputs: Vec<Input>, readings: &Readings<'_>, uploaded: bool) -> FilesRead {
    let options = |input: &Input| readings.options(&input.path);
    let files = read_files_by(inputs, &options, &|| ());
    let (mut clips, mut recordings, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let FileRead {
            input,
            checksum,
            content,
        } = file;
        match content {
            FileContent::Clips(imports) => {
                let repaired = !readings.of(&input.path).keep_spikes;
                clips.extend(imports.into_iter().map(|import| FileClip {
                    input: input.clone(),
                    checksum,
                    import,
                    repaired,
                }))
            }
            FileContent::Failed(error) => bad.push(error),
            FileContent::Markers(markers) => {
                let up = markers.up.or_else(|| markers.guess_up());
                let recorded = Recorded::Markers(markers.into_y_up(up.unwrap_or(UpAxis::Y)));
                recordings.push(RecordingEntry::of(&input.path, &recorded, uploaded));
            }
        }
    }
    FilesRead {
        clips,
        recordings,
        bad,
    }
}

fn upload_name(name: &str) -> String {
    let (path, animation) = name
        .split_once('#')
        .map_or((name, None), |(p, a)| (p, Some(a)));
    let file = path.rsplit('/').next().unwrap_or(path);
    animation.map_or_else(|| file.to_owned(), |a| format!("{file}#{a}"))
}

/// Frames that a cut leaves: at least one, so that a cut behind the end shows as what it is.
fn kept(clip: &Clip, cut: Option<[f64; 2]>) -> std::ops::Range<usize> {
    let frames = clip.frame_count();
    let Some([from, to]) = cut else {
        return 0..frames;
    };
    let frame = |s: f64| (s * clip.rate_hz()).round() as usize;
    let start = frame(from).min(frames.saturating_sub(1));
    start..frame(to).clamp(start + 1, frames.max(start + 1))
}

fn entry(read: SetClip, readings: &Readings<'_>, uploaded: bool) -> ClipEntry {
    let reading = readings.of(&read.input.path);
    let noise = read.noise_joints().collect();
    let whole = read.clip;
    let range = kept(&whole, reading.cut);
    let first_frame = read.source.first_frame + range.start;
    let flights = flights(&whole);
    let whole_s = whole.seconds();
    let clip = edit::cut(&whole, range);
    let name = clip.name().to_owned();
    ClipEntry {
        id: clip_id(&name),
        file: read.file,
        format: read.source.format.as_str().to_owned(),
        joints: clip.joint_count(),
        frames: clip.frame_count(),
        rate_hz: clip.rate_hz(),
        labels: labels_of(&clip),
        warnings: read.warnings.iter().map(Finding::from).collect(),
        noise,
        source: Source::File {
            path: read.input.path,
            animation: read.source.animation.clone(),
            fps: read.input.fps,
            reading: Box::new(reading),
        },
        checksum: read.checksum,
        uploaded,
        body: Arc::new(edit::cut(&clip, 0..1)),
        flights,
        first_frame,
        file_says: Some(FileSays {
            header_rate_hz: read.source.header_rate_hz,
            unit: read.source.unit.name.clone(),
            up: read.source.up_axis.as_str().to_owned(),
            whole_s,
        }),
        name,
    }
}

/// Reads one clip of the library again.
pub fn read_again(
    name: &str,
    path: &Path,
    animation: Option<&str>,
    fps: Option<f64>,
    reading: &Reading,
    folder: &Folder,
) -> Result<Clip, ReadError> {
    let mut options = options_of(reading, folder, path);
    options.source_fps = options.source_fps.or(fps);
    let imports = read_file(path, &options)?;
    let wanted = |i: &Import| match animation {
        None => true,
        Some(a) => i.clip.name().ends_with(&format!("#{a}")),
    };
    match imports.into_iter().find(wanted) {
        Some(import) => {
            let range = kept(&import.clip, reading.cut);
            Ok(edit::cut(&import.clip, range).with_name(name))
        }
        None => Err(ReadError::content(
            path.display().to_string(),
            "no longer holds this clip",
        )),
    }
}
