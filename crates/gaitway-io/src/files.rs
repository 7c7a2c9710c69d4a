//! Whole files: which format, which reader, which writer.

use std::path::Path;
use std::sync::Arc;

use crate::door::{Import, Layout, ReadOptions, admit};
use crate::{Format, Place, RawClip, ReadError, bvh};

/// Above this size a file is mapped into memory instead of being read into it.
const MAP_FROM_BYTES: u64 = 32 << 20;

/// The format of a file: by its extension, else by its first bytes.
///
/// # Errors
/// When neither says.
pub fn format_of(path: &Path, bytes: &[u8]) -> Result<Format, ReadError> {
    let extension = path.extension().and_then(|e| e.to_str());
    if let Some(format) = extension.and_then(Format::from_extension) {
        return Ok(format);
    }
    let head = &bytes[..bytes.len().min(256)];
    let starts = |word: &str| {
        head.trim_ascii_start()
            .to_ascii_lowercase()
            .starts_with(word.as_bytes())
    };
    let sniffed = if starts("hierarchy") {
        Some(Format::Bvh)
    } else if head.starts_with(b"glTF") {
        Some(Format::Glb)
    } else if head.starts_with(b"Kaydara FBX") {
        Some(Format::Fbx)
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
        .with_hint("Gaitway reads bvh, amc (with asf), gltf, glb, fbx, c3d and trc")
    })
}

/// Reads every clip of a file.
///
/// # Errors
/// Where and why the file is not motion, with a hint where there is one.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Import>, ReadError> {
    let bytes = Bytes::of(path)?;
    let file = path.display().to_string();
    let format = format_of(path, &bytes)?;
    let id = clip_id(path);
    let raws: Vec<(RawClip, Layout)> = match format {
        Format::Bvh => {
            let (raw, layout) = bvh::read(&file, &bytes)?;
            vec![(raw, Layout::Bvh(Arc::new(layout)))]
        }
        Format::Amc | Format::Gltf | Format::Glb | Format::Fbx => {
            return Err(ReadError::content(file, "not read yet"));
        }
        Format::C3d | Format::Trc => {
            return Err(ReadError::content(file, "holds marker trajectories and no skeleton")
                .with_hint("`gaitway info` shows what is in it; a skeleton must be solved from markers first"));
        }
        Format::Npz => {
            return Err(
                ReadError::content(file, "NPZ files are written and not read")
                    .with_hint("read the file the NPZ was made from"),
            );
        }
    };
    let several = raws.len() > 1;
    raws.into_iter()
        .map(|(raw, layout)| {
            let name = if several || !raw.name.is_empty() && format != Format::Bvh {
                format!("{id}#{}", raw.name)
            } else {
                id.clone()
            };
            admit(&file, name, format, raw, layout, options)
        })
        .collect()
}

/// A clip's id: its file's path without extension, with forward slashes.
pub fn clip_id(path: &Path) -> String {
    let text = path.with_extension("").to_string_lossy().replace('\\', "/");
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

/// A file's bytes: read, or mapped where it is large.
pub enum Bytes {
    /// In memory.
    Read(Vec<u8>),
    /// Mapped.
    Mapped(memmap2::Mmap),
}

impl Bytes {
    /// Opens a file.
    ///
    /// # Errors
    /// What the system says; a folder is named as such.
    pub fn of(path: &Path) -> Result<Self, ReadError> {
        let failed = |source| ReadError::io(path, source);
        if path.is_dir() {
            return Err(ReadError::syntax(
                path.display().to_string(),
                Place::File,
                "a motion file",
                "a folder",
            ));
        }
        let file = std::fs::File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        if size < MAP_FROM_BYTES {
            return std::fs::read(path).map(Self::Read).map_err(failed);
        }
        map(&file).map(Self::Mapped).map_err(failed)
    }
}

/// Maps a file for reading.
#[allow(unsafe_code)]
fn map(file: &std::fs::File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the map is read-only and private to the reader that runs now. Another program that cuts the
    // file short meanwhile would end this one with a bus error; that is the price of not holding a copy of
    // a file of hundreds of megabytes, and files below 32 MiB do not pay it.
    unsafe { memmap2::Mmap::map(file) }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}
