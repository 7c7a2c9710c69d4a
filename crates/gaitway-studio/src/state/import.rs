//! Files read into the library.

use std::path::Path;

use gaitway_core::{Clip, JointIdx};
use gaitway_io::{Bytes, Format, Import, Input, ReadError, ReadOptions, read_file};
use rayon::prelude::*;

use super::library::{ClipEntry, Source, WarningJson, clip_id, labels_of};

/// A clip that was read: what is kept of it, and its frames.
pub struct Imported {
    /// For the library.
    pub entry: ClipEntry,
    /// Under the entry's name.
    pub clip: Clip,
}

/// A clip, its file, and the BLAKE3 of that.
type Found = (Input, [u8; 32], Import);

/// Reads files side by side. `name` makes a clip's name from its file's. Marker files without a skeleton are passed over.
pub fn import_files(
    inputs: &[Input],
    uploaded: bool,
    names: impl Fn(&[String]) -> Vec<String>,
) -> (Vec<Imported>, Vec<ReadError>) {
    let clips = inputs.par_iter().filter(|i| !is_markers(&i.path));
    let read: Vec<Result<Vec<Found>, ReadError>> = clips.map(read_one).collect();
    let (mut all, mut bad) = (Vec::new(), Vec::new());
    for result in read {
        match result {
            Ok(imports) => all.extend(imports),
            Err(error) => bad.push(error),
        }
    }
    let mut plain: Vec<Import> = Vec::with_capacity(all.len());
    let mut sources = Vec::with_capacity(all.len());
    for (input, checksum, import) in all {
        plain.push(import);
        sources.push((input, checksum));
    }
    gaitway_io::pool_rates(&mut plain);
    let given: Vec<String> = plain.iter().map(|i| i.clip.name().to_owned()).collect();
    let out =
        plain.into_iter().zip(sources).zip(names(&given)).map(
            |((import, (input, checksum)), name)| entry(import, input, checksum, name, uploaded),
        );
    (out.collect(), bad)
}

fn is_markers(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    matches!(
        Format::from_extension(extension),
        Some(Format::C3d | Format::Trc)
    )
}

fn read_one(input: &Input) -> Result<Vec<Found>, ReadError> {
    let options = ReadOptions {
        source_fps: input.fps,
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let checksum = *blake3::hash(&Bytes::of(&input.path)?).as_bytes();
    let imports = read_file(&input.path, &options)?;
    let wanted = |i: &Import| match &input.animation {
        None => true,
        Some(name) => i.clip.name().ends_with(&format!("#{name}")),
    };
    let found = imports
        .into_iter()
        .filter(wanted)
        .map(|i| (input.clone(), checksum, i));
    Ok(found.collect())
}

fn entry(
    import: Import,
    input: Input,
    checksum: [u8; 32],
    name: String,
    uploaded: bool,
) -> Imported {
    let clip = import.clip;
    let animation = clip.name().rsplit_once('#').map(|(_, a)| a.to_owned());
    let format = import.source.format.as_str();
    let skeleton = clip.skeleton();
    let entry = ClipEntry {
        id: clip_id(&name),
        file: format!("{}.{format}", name.split('#').next().unwrap_or(&name)),
        format: format.to_owned(),
        joints: clip.joint_count(),
        frames: clip.frame_count(),
        rate_hz: clip.rate_hz(),
        labels: labels_of(&clip),
        warnings: import
            .warnings
            .iter()
            .map(|w| WarningJson {
                code: w.code.as_str().to_owned(),
                message: w.message.clone(),
            })
            .collect(),
        noise: import
            .source
            .noise_joints
            .iter()
            .map(|&j: &JointIdx| skeleton.name(j).to_owned())
            .collect(),
        source: Source::File {
            path: input.path,
            animation,
            fps: input.fps,
        },
        checksum,
        uploaded,
        name: name.clone(),
    };
    Imported {
        entry,
        clip: clip.with_name(name),
    }
}

/// Reads one clip of the library again.
pub fn read_again(
    name: &str,
    path: &Path,
    animation: Option<&str>,
    fps: Option<f64>,
) -> Result<Clip, ReadError> {
    let options = ReadOptions {
        source_fps: fps,
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let imports = read_file(path, &options)?;
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
