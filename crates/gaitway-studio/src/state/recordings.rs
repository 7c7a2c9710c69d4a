//! Files of markers or sensors: points without a body, and the body that is found in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaitway_calibrate::{
    CalibrateError, Calibration, MarkerOptions, SensorOptions, calibrate_markers, calibrate_sensors,
};
use gaitway_core::Skeleton;
use gaitway_io::sensors::read_sensors;
use gaitway_io::{Format, MarkerClip, ReadError, SensorClip, UpAxis, read_markers};
use glam::DVec3;

use super::library::{Finding, clip_id};
use super::recent::Recent;
use super::studio::Studio;
use crate::error::{ApiError, ApiResult};

/// A file of markers or sensors.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingEntry {
    /// Stable: made from the name.
    pub id: String,
    /// The file's, without its ending.
    pub name: String,
    /// Name of its file, never an absolute path.
    pub file: String,
    /// c3d, trc, csv or npz.
    pub format: String,
    /// markers or sensors.
    pub kind: &'static str,
    /// Markers or sensors.
    pub points: usize,
    /// Frames.
    pub frames: usize,
    /// Frames a second.
    pub rate_hz: f64,
    /// What was found when it was read.
    pub warnings: Vec<Finding>,
    /// Where it lies.
    pub path: PathBuf,
    /// Whether it lies in the project's own folder.
    pub uploaded: bool,
}

/// What a recording holds.
#[derive(Debug)]
pub enum Recorded {
    /// Y up.
    Markers(MarkerClip),
    /// Y up.
    Sensors(SensorClip),
}

/// Endings of recordings.
const ENDINGS: [&str; 4] = ["c3d", "trc", "csv", "npz"];

/// Whether a file's ending is a recording's.
pub fn is_recording(extension: &str) -> bool {
    ENDINGS.contains(&extension)
}

impl Recorded {
    /// Reads a file.
    ///
    /// # Errors
    /// Where and why it holds neither markers nor sensors.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let extension = ending(path);
        match Format::from_extension(&extension) {
            Some(Format::C3d | Format::Trc) => {
                let clip = read_markers(path)?;
                let up = clip.up.or_else(|| clip.guess_up()).unwrap_or(UpAxis::Y);
                Ok(Self::Markers(clip.into_y_up(up)))
            }
            _ => Ok(Self::Sensors(read_sensors(path, None)?)),
        }
    }

    /// Names of its points.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Markers(m) => &m.names,
            Self::Sensors(s) => &s.names,
        }
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        match self {
            Self::Markers(m) => m.frames,
            Self::Sensors(s) => s.frames,
        }
    }

    /// Frames a second.
    pub fn rate_hz(&self) -> f64 {
        match self {
            Self::Markers(m) => m.rate_hz,
            Self::Sensors(s) => s.rate_hz,
        }
    }

    /// Where a point is; `None` where it was not seen, or where it is no place.
    pub fn at(&self, frame: usize, point: usize) -> Option<DVec3> {
        match self {
            Self::Markers(m) if m.quantities[point].is_some() => None,
            Self::Markers(m) => m.at(frame, point),
            Self::Sensors(s) => s.at(frame, point).map(|p| p.place),
        }
    }

    fn warnings(&self) -> &gaitway_core::Warnings {
        match self {
            Self::Markers(m) => &m.warnings,
            Self::Sensors(s) => &s.warnings,
        }
    }

    fn bytes(&self) -> usize {
        self.frames() * self.names().len() * size_of::<Option<gaitway_io::sensors::SensorPose>>()
    }
}

fn ending(path: &Path) -> String {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    extension.to_ascii_lowercase()
}

impl RecordingEntry {
    /// An entry of the library, called after its file.
    pub fn of(path: &Path, recorded: &Recorded, uploaded: bool) -> Self {
        let text = |p: Option<&std::ffi::OsStr>| -> String {
            p.unwrap_or_default().to_string_lossy().into_owned()
        };
        let (name, file) = (text(path.file_stem()), text(path.file_name()));
        Self {
            // A clip made of it has its name: ids must differ.
            id: clip_id(&file),
            file,
            format: ending(path),
            kind: match recorded {
                Recorded::Markers(_) => "markers",
                Recorded::Sensors(_) => "sensors",
            },
            points: recorded.names().len(),
            frames: recorded.frames(),
            rate_hz: recorded.rate_hz(),
            warnings: recorded.warnings().iter().map(Finding::from).collect(),
            path: path.to_owned(),
            uploaded,
            name,
        }
    }

    /// The same, called after its folder too.
    pub fn with_folder(mut self) -> Self {
        let folder = self.path.parent().and_then(Path::file_name);
        let folder = folder.unwrap_or_default().to_string_lossy();
        self.name = format!("{folder}/{}", self.name);
        self.file = format!("{folder}/{}", self.file);
        self.id = clip_id(&self.file);
        self
    }

    /// Frames over rate.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate_hz
    }
}

/// Recordings of a folder that is the project's own; notes tell of those that cannot be read.
pub fn recordings_in(folder: &Path, notes: &mut Vec<String>) -> Vec<RecordingEntry> {
    let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = list.map(|f| f.path()).collect();
    files.retain(|f| f.is_file() && is_recording(&ending(f)));
    files.sort();
    let mut out = Vec::new();
    for path in files {
        match Recorded::read(&path) {
            Ok(recorded) => out.push(RecordingEntry::of(&path, &recorded, true)),
            Err(error) => notes.push(error.to_string()),
        }
    }
    out
}

/// How a body is looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HowFound {
    /// How many bodies there are; found where not given.
    pub bodies: Option<usize>,
    /// Markers are grouped by how they move, whatever they are called.
    pub by_motion: bool,
    /// Markers that are not on the body.
    pub without: Vec<String>,
    /// A clip whose body it is.
    pub on: Option<String>,
}

/// What is held in memory: a few recordings, and bodies that were found in them.
#[derive(Debug)]
pub struct RecordingCache {
    recorded: Recent<Recorded>,
    found: Recent<Calibration>,
}

impl Default for RecordingCache {
    fn default() -> Self {
        Self {
            recorded: Recent::new(256 << 20, Recorded::bytes),
            found: Recent::new(4, |_| 1),
        }
    }
}

impl RecordingCache {
    /// Forgets a recording.
    pub fn forget(&self, id: &str) {
        self.recorded.forget_one(id);
        self.found.forget(&format!("{id}?"));
    }
}

impl Studio {
    /// A recording of the library.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn recording(&self, id: &str) -> ApiResult<Arc<RecordingEntry>> {
        let found = self.read().recordings.get(id).cloned();
        found.ok_or_else(|| {
            ApiError::not_found(format!("recording `{id}`"))
                .hint("it may have been removed; the library has the list (/api/recordings)")
        })
    }

    /// What a recording holds. Reads files: not for the threads that serve.
    ///
    /// # Errors
    /// When there is none of this id, or its file cannot be read any more.
    pub fn recorded(&self, id: &str) -> ApiResult<Arc<Recorded>> {
        let entry = self.recording(id)?;
        let read = || Ok::<_, ApiError>(Recorded::read(&entry.path)?);
        self.recordings.recorded.get(id, read)
    }

    /// The body in a recording and its motion. Takes seconds: not for the threads that serve.
    ///
    /// # Errors
    /// When none is found, with what to try.
    pub fn body_of(&self, id: &str, how: &HowFound) -> ApiResult<Arc<Calibration>> {
        let entry = self.recording(id)?;
        let skeleton = match &how.on {
            Some(clip) => Some(self.loaded(clip)?.clip.skeleton().clone()),
            None => None,
        };
        // A clip that is read anew may have another body under the same id.
        let body = skeleton.as_ref().map(|s| (s.names(), s.offsets()));
        let key = format!("{id}?{how:?}{body:?}");
        self.recordings.found.get(&key, || {
            let recorded = self.recorded(id)?;
            calibrated(&entry, &recorded, how, skeleton).map_err(|e| {
                let out = ApiError::unprocessable(format!("{}: {e}", entry.file));
                match e.hint() {
                    Some(hint) => out.hint(hint),
                    None => out,
                }
            })
        })
    }
}

fn calibrated(
    entry: &RecordingEntry,
    recorded: &Recorded,
    how: &HowFound,
    skeleton: Option<Arc<Skeleton>>,
) -> Result<Calibration, CalibrateError> {
    match recorded {
        Recorded::Markers(markers) => {
            let options = MarkerOptions {
                without: how.without.clone(),
                bodies: how.bodies,
                by_names: !how.by_motion,
                skeleton,
                ..MarkerOptions::default()
            };
            calibrate_markers(&entry.name, markers, &options)
        }
        Recorded::Sensors(sensors) => {
            calibrate_sensors(&entry.name, sensors, &SensorOptions::default())
        }
    }
}
