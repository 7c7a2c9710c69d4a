//! Many files side by side, each opened once, with evidence pooled over all of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gaitway_core::{Clip, WarningCode, duplicates};
use rayon::prelude::*;

use crate::acclaim::AcclaimSkeleton;
use crate::files::{format_of, read_bytes, read_marker_bytes, read_skeleton};
use crate::{Bytes, Format, Import, Input, MarkerClip, ReadError, ReadOptions, pool_rates};

/// What came of one file.
#[derive(Debug)]
pub struct FileRead {
    /// What was asked for.
    pub input: Input,
    /// BLAKE3 of its bytes; zero where it could not be opened.
    pub checksum: [u8; 32],
    /// What it holds.
    pub content: FileContent,
}

/// What a file holds.
#[derive(Debug)]
pub enum FileContent {
    /// Clips.
    Clips(Vec<Import>),
    /// Marker trajectories without a skeleton.
    Markers(Box<MarkerClip>),
    /// Nothing that could be read, and why.
    Failed(ReadError),
}

/// Reads files side by side and keeps going where one fails. What only shows over many clips is told of each: rates that do not
/// fit gravity, and clips that are there twice. `done` is called after each file, from any thread.
pub fn read_files(
    inputs: Vec<Input>,
    options: &ReadOptions,
    done: &(dyn Fn() + Sync),
) -> Vec<FileRead> {
    read_files_by(inputs, &|_| options.clone(), done)
}

/// As [`read_files`], each file with options of its own.
pub fn read_files_by(
    inputs: Vec<Input>,
    options: &(dyn Fn(&Input) -> ReadOptions + Sync),
    done: &(dyn Fn() + Sync),
) -> Vec<FileRead> {
    let skeletons = Skeletons::default();
    let mut files: Vec<FileRead> = inputs
        .into_par_iter()
        .map(|input| {
            let read_as = options(&input);
            let read = read_one(input, &read_as, &skeletons);
            done();
            read
        })
        .collect();
    pool_evidence(&mut files);
    files
}

fn read_one(input: Input, options: &ReadOptions, skeletons: &Skeletons) -> FileRead {
    let bytes = match Bytes::of(&input.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return FileRead {
                input,
                checksum: [0; 32],
                content: FileContent::Failed(error),
            };
        }
    };
    let content = content(&input, &bytes, options, skeletons);
    FileRead {
        checksum: *blake3::hash(&bytes).as_bytes(),
        content: content.unwrap_or_else(FileContent::Failed),
        input,
    }
}

fn content(
    input: &Input,
    bytes: &[u8],
    options: &ReadOptions,
    skeletons: &Skeletons,
) -> Result<FileContent, ReadError> {
    let path = &input.path;
    let format = match options.format {
        Some(format) => format,
        None => format_of(path, bytes)?,
    };
    if let Format::C3d | Format::Trc = format {
        let markers = read_marker_bytes(path, bytes, format)?;
        return Ok(FileContent::Markers(Box::new(markers)));
    }
    let mut options = options.clone();
    options.source_fps = options.source_fps.or(input.fps);
    let skeleton = |asf: &Path| skeletons.get(asf);
    let imports = read_bytes(path, bytes, &options, &skeleton)?;
    pick(input, imports).map(FileContent::Clips)
}

/// Skeletons of AMC files, which share them: each ASF is opened once.
#[derive(Default)]
struct Skeletons {
    known: Mutex<HashMap<PathBuf, Arc<AcclaimSkeleton>>>,
}

impl Skeletons {
    fn get(&self, asf: &Path) -> Result<Arc<AcclaimSkeleton>, ReadError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(skeleton) = known.get(asf) {
            return Ok(skeleton.clone());
        }
        let skeleton = Arc::new(read_skeleton(asf)?);
        known.insert(asf.to_owned(), skeleton.clone());
        Ok(skeleton)
    }
}

/// The animation that `file#name` means, or all of them.
fn pick(input: &Input, imports: Vec<Import>) -> Result<Vec<Import>, ReadError> {
    let Some(wanted) = &input.animation else {
        return Ok(imports);
    };
    let names: Vec<String> = imports
        .iter()
        .filter_map(|i| i.source.animation.clone())
        .collect();
    let found = imports
        .into_iter()
        .find(|i| i.source.animation.as_ref() == Some(wanted));
    found.map(|import| vec![import]).ok_or_else(|| {
        let file = input.path.display().to_string();
        let hint = match names.as_slice() {
            [] => "it holds none; name the file alone".to_owned(),
            names => format!("it holds {}", names.join(", ")),
        };
        ReadError::content(file, format!("holds no animation `{wanted}`")).with_hint(hint)
    })
}

fn pool_evidence(files: &mut [FileRead]) {
    let mut all: Vec<Import> = Vec::new();
    let mut counts = Vec::with_capacity(files.len());
    for file in files.iter_mut() {
        if let FileContent::Clips(clips) = &mut file.content {
            counts.push(clips.len());
            all.append(clips);
        } else {
            counts.push(0);
        }
    }
    pool_rates(&mut all);
    tell_duplicates(&mut all);
    let mut rest = all.into_iter();
    for (file, count) in files.iter_mut().zip(counts) {
        if let FileContent::Clips(clips) = &mut file.content {
            clips.extend(rest.by_ref().take(count));
        }
    }
}

/// Warns on every clip whose motion an earlier one has.
fn tell_duplicates(all: &mut [Import]) {
    let clips: Vec<&Clip> = all.iter().map(|i| &i.clip).collect();
    for (k, twin) in duplicates::earlier_duplicates(&clips)
        .into_iter()
        .enumerate()
    {
        if let Some(twin) = twin {
            let message = format!("has the same frames as {}", all[twin].clip.name());
            all[k].warnings.add(WarningCode::IdenticalClips, message);
        }
    }
}
