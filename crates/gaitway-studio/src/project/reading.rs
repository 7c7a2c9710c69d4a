//! How a file is read, where somebody knows better than the file: every reading option of the command line, kept with the project.

use std::collections::BTreeMap;
use std::path::Path;

use gaitway_core::limits::{FASTEST_HZ, SLOWEST_HZ};
use gaitway_io::acclaim::find_asf;
use gaitway_io::{Format, ReadOptions, UpAxis, parse_unit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Folder;
use crate::error::ApiError;
use crate::wire::words;

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// Frames a second, over the file's header.
    #[schema(required)]
    pub source_fps: Option<f64>,
    /// Length of one unit: m, cm, mm, dm, inch, foot, cmu, or metres as a number.
    #[schema(required)]
    pub unit: Option<String>,
    /// The axis that points up in the file: x, y or z.
    #[schema(required, schema_with = words::up_or_none)]
    pub up: Option<String>,
    /// Keeps a first frame that looks like a T-pose put in by a converter.
    #[schema(required)]
    pub keep_first_frame: bool,
    /// Keeps frames in which the root lies at the origin.
    #[schema(required)]
    pub keep_dropouts: bool,
    /// Keeps frames in which joints are somewhere else for a frame or two.
    #[schema(required)]
    pub keep_spikes: bool,
    /// Only the seconds from the first to the second.
    #[schema(required, value_type = Option<(f64, f64)>)]
    pub cut: Option<[f64; 2]>,
    /// The skeleton of an AMC: an ASF of this project, by its file's name.
    #[schema(required)]
    pub skeleton: Option<String>,
    /// The format, over the file's name and first bytes. Left out where nothing is said, so that graphs built before it could be said
    /// are not taken for older than their clips.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = words::read_format_or_none)]
    pub format: Option<String>,
}

/// Formats that hold a body and its motion, by name.
pub const READ_FORMATS: [&str; 5] = ["bvh", "amc", "gltf", "glb", "fbx"];

/// A format that a file can be said to have.
///
/// # Errors
/// When it is none of [`READ_FORMATS`].
pub fn read_format(name: &str) -> Result<Format, ApiError> {
    let known = READ_FORMATS.contains(&name).then_some(name);
    known.and_then(Format::from_extension).ok_or_else(|| {
        ApiError::bad(format!("expected one of {}", READ_FORMATS.join(", ")))
            .hint("leave it out to have it told from the file's name")
    })
}

impl Reading {
    /// Whether nothing is said.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// As the readers take it; a skeleton is looked for among the files of a folder.
    ///
    /// # Errors
    /// With the field that makes no sense.
    pub fn options(&self, folder: &Folder) -> Result<ReadOptions, ApiError> {
        if let Some(hz) = self.source_fps
            && !(SLOWEST_HZ..=FASTEST_HZ).contains(&hz)
        {
            let what = format!("expected {SLOWEST_HZ} to {FASTEST_HZ} Hz, found {hz}");
            return Err(ApiError::bad(what)
                .field("reading.source_fps")
                .hint("the rate the motion was captured at, such as 60 or 120"));
        }
        let unit = self.unit.as_deref().map(parse_unit).transpose();
        let unit = unit.map_err(|e| {
            ApiError::bad(e)
                .field("reading.unit")
                .hint("cm fits most files; CMU's are in cmu")
        })?;
        let up = match self.up.as_deref() {
            None => None,
            Some("x") => Some(UpAxis::X),
            Some("y") => Some(UpAxis::Y),
            Some("z") => Some(UpAxis::Z),
            Some(_) => {
                return Err(ApiError::bad("expected x, y or z")
                    .field("reading.up")
                    .hint("leave it out to have it told from the body"));
            }
        };
        if let Some([from, to]) = self.cut
            && !(from.is_finite() && to.is_finite() && from >= 0.0 && to > from)
        {
            return Err(
                ApiError::bad("expected seconds from 0 on, the end after the start")
                    .field("reading.cut")
                    .hint("times are counted from the clip's first frame, before anything was cut"),
            );
        }
        let skeleton = match &self.skeleton {
            None => None,
            Some(name) if skeletons(folder).contains(name) => Some(folder.clips().join(name)),
            Some(_) => {
                return Err(ApiError::bad("there is no such ASF in this project")
                    .field("reading.skeleton")
                    .hint("drop the ASF onto the page first, together with an AMC of its body"));
            }
        };
        let format = self.format.as_deref().map(read_format).transpose();
        let format = format.map_err(|e| e.field("reading.format"))?;
        Ok(ReadOptions {
            source_fps: self.source_fps,
            unit,
            up,
            keep_first_frame: self.keep_first_frame,
            keep_dropouts: self.keep_dropouts,
            repair_spikes: !self.keep_spikes,
            format,
            skeleton,
            height_m: None,
        })
    }
}

/// Names of the ASF files of a project, sorted.
pub fn skeletons(folder: &Folder) -> Vec<String> {
    let list = std::fs::read_dir(folder.clips())
        .into_iter()
        .flatten()
        .flatten();
    let names = list.filter_map(|f| f.file_name().into_string().ok());
    let mut out: Vec<String> = names.filter(|n| n.ends_with(".asf")).collect();
    out.sort();
    out
}

/// What a project says of its files: by path, of its own files from its folder on, so that a copy of it says the same.
pub struct Readings<'a> {
    /// Whose files.
    pub folder: &'a Folder,
    /// By [`Readings::key`].
    pub table: &'a BTreeMap<String, Reading>,
}

impl Readings<'_> {
    /// Under which a file is found in the table.
    pub fn key(folder: &Folder, file: &Path) -> String {
        let inside = file.strip_prefix(folder.path()).unwrap_or(file);
        inside.to_string_lossy().replace('\\', "/")
    }

    /// What is said of a file.
    pub fn of(&self, file: &Path) -> Reading {
        let key = Self::key(self.folder, file);
        self.table.get(&key).cloned().unwrap_or_default()
    }

    /// How a file is read. What makes no sense any more (an ASF that was taken away) is left out: the file's error then says so.
    pub fn options(&self, file: &Path) -> ReadOptions {
        options_of(&self.of(file), self.folder, file)
    }
}

/// How a file is read that somebody said something of. An AMC without an ASF beside it takes one of the project's.
pub fn options_of(reading: &Reading, folder: &Folder, file: &Path) -> ReadOptions {
    let mut options = reading.options(folder).unwrap_or(ReadOptions {
        repair_spikes: true,
        ..ReadOptions::default()
    });
    let extension = file.extension().and_then(|e| e.to_str());
    let format = options
        .format
        .or(extension.and_then(Format::from_extension));
    let amc = format == Some(Format::Amc);
    if amc && options.skeleton.is_none() && find_asf(file).is_none() {
        let name = file.file_name().unwrap_or_default();
        options.skeleton = find_asf(&folder.clips().join(name));
    }
    options
}
