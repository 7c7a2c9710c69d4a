//! The bytes of a file, or of what comes by a pipe.

use std::path::Path;

use gaitway_core::limits;

use crate::{Place, ReadError};

/// Above this size a file is mapped into memory instead of being read into it.
const MAP_FROM_BYTES: u64 = 32 << 20;

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
        if is_standard_input(path) {
            return standard_input().map(Self::Read).map_err(failed);
        }
        if let Some(what) = special(path) {
            return Err(ReadError::syntax(
                path.display().to_string(),
                Place::File,
                "a motion file",
                what,
            )
            .with_hint("`-` reads standard input: cat FILE | gaitway info -"));
        }
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

/// Whether a name means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// All that comes by standard input, up to [`limits::MOST_PIPED_BYTES`].
///
/// # Errors
/// What the system says, or that there is more.
pub fn standard_input() -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let most = limits::MOST_PIPED_BYTES;
    std::io::stdin()
        .lock()
        .take(most + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("more than {} MiB come by standard input", most >> 20);
        return Err(std::io::Error::other(what));
    }
    Ok(bytes)
}

/// What is there, where it is neither a file nor a folder: to open it could wait for ever, or never end. A descriptor that is open already
/// (`<(command)` in a shell) is read like a file.
pub fn special(path: &Path) -> Option<&'static str> {
    let open_already = path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    let kind = std::fs::metadata(path).ok()?.file_type();
    if kind.is_file() || kind.is_dir() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return (!open_already).then_some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("a device")
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
