//! A whole set of files, from what a user points at to clips a graph can be built from.
//!
//! ```text
//!  "captures/", "@list.txt", "a.glb#Walk"
//!    │ expand              files, in a fixed order
//!    ▼ read_files          side by side, each opened once; rates and duplicates told over all of them
//!    │ clips_of            what holds no clip is passed over, or an error
//!    ▼ gather              labelled, each motion once, each name once and none of this machine
//!  ReadSet ──► ClipFiles ──► gaitway_graph::GraphBuilder
//! ```
//!
//! [`read_set`] is all of it in one call; the command line and the studio take the same steps one by one, to show how far they are.

mod gather;
mod names;
mod read;

use std::path::PathBuf;

use gaitway_core::spikes::{Lapse, Spike};
use gaitway_core::{Clip, ClipFiles, Provenance, WarningCode, Warnings};
use thiserror::Error;

use crate::door::FileInfo;
use crate::labels::{Labels, LabelsError};
use crate::{Import, Input, InputError, ReadError, ReadOptions, expand_telling};

pub use gather::{GatherOptions, gather};
pub use names::tame_names;
pub use read::{FileContent, FileRead, read_files, read_files_by};

/// How a set is read.
#[derive(Clone, Debug)]
pub struct SetOptions {
    /// How each file is read. Spikes of capture are mended by default, as everywhere that motion is made.
    pub read: ReadOptions,
    /// Labels beside those the clips carry.
    pub labels: Labels,
    /// Pass over files that cannot be read.
    pub skip_bad: bool,
    /// Take motions that are there twice.
    pub allow_duplicates: bool,
}

impl Default for SetOptions {
    fn default() -> Self {
        Self {
            read: ReadOptions {
                repair_spikes: true,
                ..ReadOptions::default()
            },
            labels: Labels::none(),
            skip_bad: false,
            allow_duplicates: false,
        }
    }
}

/// Why a set cannot be read.
#[derive(Debug, Error)]
pub enum SetError {
    /// What was pointed at is not there.
    #[error(transparent)]
    Inputs(#[from] InputError),
    /// Files that cannot be read: the first, and how many there are.
    #[error("{} of {files} files cannot be read, the first: {}", errors.len(), errors[0])]
    Files {
        /// How many were read.
        files: usize,
        /// Why each could not be; at least one.
        errors: Vec<ReadError>,
    },
    /// Files hold markers and no skeleton.
    #[error("{}: holds marker trajectories and no skeleton", .0.display())]
    MarkersOnly(PathBuf),
    /// Labels that do not fit.
    #[error(transparent)]
    Labels(#[from] LabelsError),
}

/// A clip that was read, and its file.
#[derive(Debug)]
pub struct FileClip {
    /// What was asked for.
    pub input: Input,
    /// BLAKE3 of the file's bytes.
    pub checksum: [u8; 32],
    /// The clip and what was found in it.
    pub import: Import,
    /// Whether its spikes were mended or only told.
    pub repaired: bool,
}

/// A clip of a set.
#[derive(Clone, Debug)]
pub struct SetClip {
    /// The clip: labelled, under its name in the set.
    pub clip: Clip,
    /// Its file's name in the set, never a path of this machine.
    pub file: String,
    /// The file itself.
    pub input: Input,
    /// BLAKE3 of the file's bytes.
    pub checksum: [u8; 32],
    /// What the file says of itself.
    pub source: FileInfo,
    /// What was found in it.
    pub warnings: Warnings,
    /// Frames that capture got wrong.
    pub spikes: Vec<Spike>,
    /// Longer stretches that capture lost.
    pub lapses: Vec<Lapse>,
}

impl SetClip {
    /// A clip of a set under a name of one's own.
    pub fn named(file: FileClip, name: impl Into<String>) -> Self {
        let clip = file.import.clip.clone().with_name(name);
        Self::new(file, clip)
    }

    fn new(file: FileClip, clip: Clip) -> Self {
        let Import {
            source,
            warnings,
            spikes,
            lapses,
            ..
        } = file.import;
        let name = clip.name();
        let stem = match &source.animation {
            Some(animation) => name
                .strip_suffix(animation.as_str())
                .and_then(|n| n.strip_suffix('#'))
                .unwrap_or(name),
            None => name,
        };
        Self {
            file: format!("{stem}.{}", source.format.as_str()),
            input: file.input,
            checksum: file.checksum,
            source,
            warnings,
            spikes,
            lapses,
            clip,
        }
    }

    /// Names of joints that carry noise in it.
    pub fn noise_joints(&self) -> impl Iterator<Item = String> + '_ {
        let skeleton = self.clip.skeleton();
        let noisy = self.source.noise_joints.iter();
        noisy.map(|&j| skeleton.name(j).to_owned())
    }
}

/// Clips that go together.
#[derive(Clone, Debug, Default)]
pub struct ReadSet {
    /// In the order they were read.
    pub clips: Vec<SetClip>,
    /// What the user should know of the set as a whole; what was found in single clips is with them.
    pub warnings: Warnings,
}

impl From<ReadSet> for ClipFiles {
    fn from(set: ReadSet) -> Self {
        let mut out = Self {
            warnings: set.warnings,
            ..Self::default()
        };
        for clip in set.clips {
            out.noise_joints.extend(clip.noise_joints());
            let provenance = Provenance {
                file: clip.file,
                checksum: clip.checksum,
            };
            out.provenance
                .insert(clip.clip.name().to_owned(), provenance);
            out.clips.push(clip.clip);
        }
        out.noise_joints.sort();
        out.noise_joints.dedup();
        out
    }
}

/// Reads everything that files, folders and `@lists` mean, as one set: the same clips, names and labels as `gaitway build` takes.
///
/// ```
/// use gaitway_io::{SetOptions, WriteOptions, read_set, write_file};
///
/// let folder = tempfile::tempdir()?;
/// let clip = gaitway_core::testing::swinging_clip("stroll", 90, 30.0);
/// write_file(&folder.path().join("stroll.bvh"), &clip, &WriteOptions::default())?;
/// write_file(&folder.path().join("copy.glb"), &clip, &WriteOptions::default())?;
///
/// let set = read_set([folder.path().to_string_lossy()], &SetOptions::default())?;
/// assert_eq!(set.clips.len(), 1); // one motion in two files
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What is not there, cannot be read, holds no skeleton, or carries labels that do not fit.
pub fn read_set<S: Into<String>>(
    arguments: impl IntoIterator<Item = S>,
    options: &SetOptions,
) -> Result<ReadSet, SetError> {
    let arguments: Vec<String> = arguments.into_iter().map(Into::into).collect();
    let mut warnings = Warnings::new();
    let inputs = expand_telling(&arguments, &mut warnings)?;
    let files = read_files(inputs, &options.read, &|| ());
    let clips = clips_of(files, &options.read, options.skip_bad, &mut warnings)?;
    let mut set = gather(
        clips,
        &GatherOptions {
            labels: Some(&options.labels),
            known: &[],
            allow_duplicates: options.allow_duplicates,
        },
    )?;
    warnings.extend(std::mem::take(&mut set.warnings));
    set.warnings = warnings;
    Ok(set)
}

/// The clips of files. Markers beside clips are no mistake and passed over; markers alone are, and so is a file that cannot be
/// read, unless such files are skipped and something is left.
///
/// # Errors
/// As said.
pub fn clips_of(
    files: Vec<FileRead>,
    options: &ReadOptions,
    skip_bad: bool,
    warnings: &mut Warnings,
) -> Result<Vec<FileClip>, SetError> {
    let count = files.len();
    let (mut out, mut errors, mut markers) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let FileRead {
            input, checksum, ..
        } = file;
        match file.content {
            FileContent::Clips(imports) => out.extend(imports.into_iter().map(|import| FileClip {
                input: input.clone(),
                checksum,
                import,
                repaired: options.repair_spikes,
            })),
            FileContent::Failed(error) => errors.push(error),
            FileContent::Markers(_) => markers.push(input.path),
        }
    }
    let alone = out.is_empty() && errors.is_empty();
    let n = markers.len();
    if let Some(first) = markers.into_iter().next() {
        if alone {
            return Err(SetError::MarkersOnly(first));
        }
        let more = if n > 1 { ", …" } else { "" };
        let message = format!(
            "passed over {n} marker files without a skeleton ({}{more})",
            first.display()
        );
        warnings.add(WarningCode::MarkersOnly, message);
    }
    if skip_bad && !out.is_empty() {
        for error in errors.drain(..) {
            warnings.add(WarningCode::Unreadable, format!("passed over: {error}"));
        }
    }
    if !errors.is_empty() {
        return Err(SetError::Files {
            files: count,
            errors,
        });
    }
    Ok(out)
}
