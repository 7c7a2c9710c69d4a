//! Whole files: which format, which reader, which writer.

use std::path::Path;
use std::sync::Arc;

use gaitway_core::{Clip, WarningCode, Warnings, limits};

use crate::bytes::{Bytes, is_standard_input};
use crate::door::{FileInfo, Import, Layout, ReadOptions, admit};
use crate::markers::MarkerClip;
use crate::output::write_atomic;
use crate::{
    Format, RawClip, ReadError, UpAxis, WriteError, acclaim, amass, bvh, gltf, markers, npz,
};

/// The format of a file: by its extension, else by its first bytes.
///
/// # Errors
/// When neither says.
pub fn format_of(path: &Path, bytes: &[u8]) -> Result<Format, ReadError> {
    // Whatever it is called, an empty file is none of them.
    if bytes.is_empty() {
        return Err(
            ReadError::content(path.display().to_string(), "it is empty")
                .with_hint("what was to write it may have failed: look at its own messages"),
        );
    }
    let extension = path.extension().and_then(|e| e.to_str());
    if let Some(format) = extension.and_then(Format::from_extension) {
        // Two kinds of file have this name.
        let poses = format == Format::Npz && amass::is_amass(bytes);
        return Ok(if poses { Format::Amass } else { format });
    }
    let head = &bytes[..bytes.len().min(256)];
    let starts = |word: &str| {
        head.trim_ascii_start()
            .to_ascii_lowercase()
            .starts_with(word.as_bytes())
    };
    let sniffed = if starts("hierarchy") {
        Some(Format::Bvh)
    } else if starts("{") {
        Some(Format::Gltf)
    } else if starts(":fully-specified") {
        Some(Format::Amc)
    } else if head.starts_with(b"glTF") {
        Some(Format::Glb)
    } else if head.starts_with(b"Kaydara FBX") {
        Some(Format::Fbx)
    } else if amass::is_amass(bytes) {
        Some(Format::Amass)
    } else if starts("pathfiletype") {
        Some(Format::Trc)
    } else if head.get(1) == Some(&0x50) {
        Some(Format::C3d)
    } else {
        None
    };
    sniffed.ok_or_else(|| {
        ReadError::content(
            path.display().to_string(),
            "neither its name nor its first bytes tell its format",
        )
        .with_hint("name the format: --format bvh (amc, gltf, glb, fbx, c3d, trc or amass)")
    })
}

/// Reads every clip of a file.
///
/// # Errors
/// Where and why the file is not motion, with a hint where there is one.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Import>, ReadError> {
    read_bytes(path, &Bytes::of(path)?, options, &|asf| {
        read_skeleton(asf).map(Arc::new)
    })
}

/// Reads every clip of a file whose bytes are here. `skeleton` reads an ASF.
pub(crate) fn read_bytes(
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions,
    skeleton: &dyn Fn(&Path) -> Result<Arc<acclaim::AcclaimSkeleton>, ReadError>,
) -> Result<Vec<Import>, ReadError> {
    let file = path.display().to_string();
    let format = match options.format {
        Some(format) => format,
        None => format_of(path, bytes)?,
    };
    let id = clip_id(path);
    let raws: Vec<(RawClip, Layout)> = match format {
        Format::Bvh => {
            let (raw, layout) = bvh::read(&file, bytes)?;
            vec![(raw, Layout::Bvh(Arc::new(layout)))]
        }
        Format::Amc => {
            let skeleton = skeleton(&skeleton_file(path, options)?)?;
            let raw = acclaim::read_amc(&file, bytes, &skeleton)?;
            vec![(raw, Layout::Acclaim(skeleton))]
        }
        Format::Gltf | Format::Glb => plain(gltf::read(&file, bytes, &beside(path))?),
        #[cfg(feature = "fbx")]
        Format::Fbx => plain(crate::fbx::read(&file, bytes)?),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => {
            return Err(
                ReadError::content(file, "this build of Gaitway cannot read FBX")
                    .with_hint("build with the feature `fbx`, or convert the file to glTF"),
            );
        }
        Format::C3d | Format::Trc => {
            return Err(
                ReadError::content(file, "holds marker trajectories and no skeleton").with_hint(
                    "find its skeleton and motion first: gaitway calibrate FILE -o FILE.bvh",
                ),
            );
        }
        Format::Amass => {
            let body = match (&options.skeleton, options.height_m) {
                (Some(path), _) => amass::Body::read(path)?,
                (None, height) => amass::Body::of_height(height.unwrap_or(amass::USUAL_HEIGHT_M))
                    .map_err(|message| ReadError::content(&file, message))?,
            };
            let asked = (options.up, options.source_fps);
            let (raw, info) = amass::read(&file, bytes, &body, asked)?;
            vec![(raw, Layout::Amass(info))]
        }
        Format::Npz => return Err(no_clip(&file, bytes)),
    };
    let mut options = options.clone();
    if format == Format::Amass {
        // The body's own axes are Y up there, whatever the world's are: the reader has turned that.
        options.up = None;
    }
    let several = raws.len() > 1;
    raws.into_iter()
        .map(|(raw, layout)| {
            let name = if several || !raw.name.is_empty() && format != Format::Bvh {
                format!("{id}#{}", raw.name)
            } else {
                id.clone()
            };
            admit(&file, name, format, raw, layout, &options)
        })
        .collect()
}

/// Which arrays an NPZ file holds that is no clip, and what they are for.
fn no_clip(file: &str, bytes: &[u8]) -> ReadError {
    let archive = match npz::read::Archive::open(file, bytes) {
        Ok(archive) => archive,
        Err(error) => return error,
    };
    if archive.has("parents") {
        return ReadError::content(
            file,
            "holds arrays of a clip for NumPy, which are written and not read",
        )
        .with_hint("read the file the NPZ was made from");
    }
    if archive.has("positions") && archive.has("rotations") {
        return ReadError::content(file, "holds sensors and no skeleton").with_hint(
            "find its skeleton and motion first: gaitway calibrate FILE.npz -o FILE.bvh",
        );
    }
    let names = archive.names();
    let few = names.iter().take(6).cloned().collect::<Vec<_>>();
    let found = gaitway_core::text::shown(&few.join("`, `")).into_owned();
    ReadError::content(
        file,
        format!("expected poses of a body model (`poses`, `trans`), found `{found}`"),
    )
    .with_hint("files of AMASS with motion are called NAME_poses.npz or NAME_stageii.npz")
}

fn plain(raws: Vec<RawClip>) -> Vec<(RawClip, Layout)> {
    raws.into_iter().map(|raw| (raw, Layout::Plain)).collect()
}

/// A clip's id: its file's path without extension, with forward slashes.
pub fn clip_id(path: &Path) -> String {
    if is_standard_input(path) {
        return "stdin".to_owned();
    }
    let text = path.with_extension("").to_string_lossy().replace('\\', "/");
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

/// Reads the markers of a C3D or TRC file.
///
/// # Errors
/// Where and why the file holds no markers.
pub fn read_markers(path: &Path) -> Result<MarkerClip, ReadError> {
    let bytes = Bytes::of(path)?;
    read_marker_bytes(path, &bytes, format_of(path, &bytes)?)
}

/// Reads the markers of a file whose bytes are here.
pub(crate) fn read_marker_bytes(
    path: &Path,
    bytes: &[u8],
    format: Format,
) -> Result<MarkerClip, ReadError> {
    let file = path.display().to_string();
    match format {
        Format::C3d => markers::c3d::read(&file, bytes),
        Format::Trc => markers::trc::read(&file, bytes),
        other => Err(ReadError::content(
            file,
            format!("{} files hold no markers", other.as_str()),
        )),
    }
}

/// Takes in a user's own character: a rigged glTF or GLB file, with what lies beside it.
///
/// # Errors
/// Where and why the file is no rigged figure.
pub fn read_character(path: &Path) -> Result<gltf::Character, ReadError> {
    let bytes = Bytes::of(path)?;
    let file = path.display().to_string();
    match format_of(path, &bytes)? {
        Format::Gltf | Format::Glb => gltf::Character::read(&file, &bytes, &beside(path)),
        other => Err(ReadError::content(
            file,
            format!("{} files hold no mesh we can move", other.as_str()),
        )
        .with_hint("export the character as .glb")),
    }
}

/// The body of a character at rest, as a clip of one frame: where it has no animation, [`read_file`] has no clip of it.
///
/// # Errors
/// When it makes no clip.
pub fn read_rest(
    path: &Path,
    character: &gltf::Character,
    options: &ReadOptions,
) -> Result<Import, ReadError> {
    let file = path.display().to_string();
    let options = ReadOptions {
        keep_first_frame: true,
        ..options.clone()
    };
    admit(
        &file,
        clip_id(path),
        Format::Glb,
        character.rest(),
        Layout::Plain,
        &options,
    )
}

/// Gives the bytes of files that lie beside one.
fn beside(path: &Path) -> impl Fn(&str) -> std::io::Result<Vec<u8>> + use<> {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    move |name: &str| std::fs::read(folder.join(name))
}

/// The ASF the user named, or the one beside the AMC.
fn skeleton_file(amc: &Path, options: &ReadOptions) -> Result<std::path::PathBuf, ReadError> {
    let beside = || acclaim::find_asf(amc);
    options.skeleton.clone().or_else(beside).ok_or_else(|| {
        let file = amc.display().to_string();
        ReadError::content(file, "an AMC needs its skeleton, and no ASF lies beside it")
            .with_hint("name it with --skeleton FILE.asf")
    })
}

pub(crate) fn read_skeleton(asf: &Path) -> Result<acclaim::AcclaimSkeleton, ReadError> {
    acclaim::read_asf(&asf.display().to_string(), &Bytes::of(asf)?)
}

/// How to write a clip.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions<'a> {
    /// Where the clip came from; its manner, unit and axes are used where the format allows.
    pub source: Option<&'a FileInfo>,
    /// Metres per unit, over the source's. Formats with a fixed unit do not heed it.
    pub unit_m: Option<f64>,
    /// The axis that points up, over the source's. Formats with a fixed axis do not heed it.
    pub up: Option<UpAxis>,
    /// The skeleton an AMC is written for, where the source is no AMC.
    pub skeleton: Option<Arc<acclaim::AcclaimSkeleton>>,
    /// The character that GLB and glTF files show instead of a body of simple shapes; its skeleton must be the clip's.
    pub onto: Option<&'a gltf::Character>,
    /// Whether that character's own animations stay beside the clip.
    pub keep_animations: bool,
    /// The format, over what the extension says: an `.npz` file may be one of AMASS.
    pub format: Option<Format>,
}

/// Writes one clip in the format of the path's extension, whole or not at all. Labels and contacts go where a
/// format has room for them: glTF (both) and NPZ (contacts).
///
/// # Errors
/// When the format cannot hold the clip or the system says no.
pub fn write_file(
    path: &Path,
    clip: &Clip,
    options: &WriteOptions<'_>,
) -> Result<Warnings, WriteError> {
    let file = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let mut warnings = Warnings::new();
    let cannot = |message: &str, hint: &str| WriteError::CannotHold {
        file: file.clone(),
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
    };
    let unit_m = options.unit_m.or(options.source.map(|s| s.unit.metres));
    let up = options.up.or(options.source.map(|s| s.up_axis));
    let glb = gltf::GlbOptions {
        file_name: &file,
        ..gltf::GlbOptions::default()
    };
    match options.format.or(Format::from_extension(extension)) {
        Some(Format::Bvh) => {
            let layout = match options.source.map(|s| &s.layout) {
                Some(Layout::Bvh(layout)) => Some(layout.as_ref()),
                _ => None,
            };
            let options = bvh::BvhWriteOptions {
                file_name: &file,
                layout,
                // Without a source: centimetres, the custom of tools that read BVH.
                unit_m: unit_m.unwrap_or(0.01),
                up: up.unwrap_or(UpAxis::Y),
            };
            warnings.extend(write_atomic(path, |sink| bvh::write(sink, clip, &options))?);
        }
        Some(Format::Amc) => {
            let skeleton = match (options.source.map(|s| &s.layout), &options.skeleton) {
                (_, Some(skeleton)) => skeleton.clone(),
                (Some(Layout::Acclaim(skeleton)), None) => skeleton.clone(),
                _ => {
                    return Err(cannot(
                        "an AMC can only be written for the ASF its clip was read with",
                        "read an AMC, or write BVH or GLB instead",
                    ));
                }
            };
            let options = acclaim::AmcWriteOptions::default();
            let told = write_atomic(path, |sink| {
                acclaim::write_amc(sink, clip, &skeleton, &options)
            })?;
            warnings.extend(told);
        }
        Some(format @ (Format::Glb | Format::Gltf)) if options.onto.is_some() => {
            let onto = gltf::OntoOptions {
                file_name: &file,
                keep_animations: options.keep_animations,
            };
            let told = options.onto.map_or(Ok(Warnings::new()), |character| {
                write_atomic(path, |sink| match format {
                    Format::Glb => character.write_glb(sink, clip, &onto),
                    _ => character.write_gltf(sink, clip, &onto),
                })
            })?;
            warnings.extend(told);
        }
        Some(Format::Glb) => {
            warnings.extend(single_precision(clip));
            write_atomic(path, |sink| gltf::write_glb(sink, &[clip], &glb))?;
        }
        Some(Format::Gltf) => {
            warnings.extend(single_precision(clip));
            write_atomic(path, |sink| gltf::write_gltf(sink, &[clip], &glb))?;
        }
        Some(Format::Amass) => {
            let info = match options.source.map(|s| &s.layout) {
                Some(Layout::Amass(info)) => Some(info.as_ref()),
                _ => None,
            };
            let told = write_atomic(path, |sink| {
                amass::write(sink, clip, info, options.up, &file)
            })?;
            warnings.extend(told);
        }
        Some(Format::Npz) => write_atomic(path, |sink| npz::write(sink, clip, &file))?,
        Some(other) => {
            return Err(cannot(
                &format!("{} is read and not written", other.as_str()),
                "write bvh, glb, gltf, npz, or amc for a clip read from one",
            ));
        }
        None => {
            return Err(cannot(
                &format!("`.{extension}` is no format we write"),
                "write bvh, glb, gltf, npz, or amc for a clip read from one",
            ));
        }
    }
    Ok(warnings)
}

/// What is lost where a format keeps places in single precision and the clip is far from the origin.
fn single_precision(clip: &Clip) -> Warnings {
    let mut out = Warnings::new();
    let size = |p: &glam::DVec3| p.abs().max_element();
    let farthest = clip.root().iter().map(size).fold(0.0, f64::max);
    if farthest > limits::LONGEST_BONE_M {
        let step = 1e3 * farthest * f64::from(f32::EPSILON);
        let message = format!(
            "glTF keeps places in single precision: {:.0} km from the origin its steps are {step:.0} mm (BVH keeps them all)",
            farthest / 1e3
        );
        out.add_value(WarningCode::Unusual, message, "step_mm", step);
    }
    out
}
