//! Paths, the lock, and files that are written whole.

use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use gaitway_core::text::found_in_json;
use gaitway_files::{has_random_name, sweep};
use gaitway_io::WriteError;
use gaitway_io::output::write_atomic;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StudioError;

/// How the folder of files that are being uploaded begins.
pub const UPLOAD: &str = ".upload-";
/// How the folder of a file that is being exported begins.
pub const EXPORT: &str = ".export-";
/// How the folder of a result that is not whole yet begins.
pub const RESULT: &str = ".part-";

/// How the folder of a project that is being copied begins.
pub const COPY: &str = ".copy-";

/// Folders of a project.
const PARTS: [&str; 5] = ["clips", "recordings", "characters", "jobs", "results"];

/// A project folder that nobody else serves.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held, never read: the system lets it go with the process, however that ends.
    lock: File,
}

impl Folder {
    /// Opens a folder, made where it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or another studio has it.
    pub fn open(path: &Path) -> Result<Self, StudioError> {
        let failed =
            |what: &Path, e: std::io::Error| StudioError::new(format!("{}: {e}", what.display()));
        std::fs::create_dir_all(path).map_err(|e| failed(path, e))?;
        let path = std::path::absolute(path).map_err(|e| failed(path, e))?;
        let name = path.join(".lock");
        let lock = File::create(&name).map_err(|e| failed(&name, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StudioError::new(format!(
                    "another studio has the project folder {}",
                    path.display()
                ))
                .with_hint("stop it, or give another folder with --project"));
            }
            Err(TryLockError::Error(e)) => return Err(failed(&name, e)),
        }
        for part in PARTS {
            let folder = path.join(part);
            std::fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
            sweep(&folder);
        }
        sweep_own(&path);
        Ok(Self { path, lock })
    }

    /// Copies the project's files to another folder: what it is, its clips, its graph and what was made. What a build has compared
    /// so far is not part of it.
    ///
    /// # Errors
    /// What the system says.
    pub fn copy_to(&self, to: &Path) -> std::io::Result<()> {
        for name in [
            "project.json",
            "edits.json",
            "labels.csv",
            "contacts.csv",
            "graph.gway",
        ] {
            if self.file(name).is_file() {
                std::fs::copy(self.file(name), to.join(name))?;
            }
        }
        PARTS
            .iter()
            .try_for_each(|part| copy_all(&self.path.join(part), &to.join(part)))
    }

    /// Lets another studio have the folder. A lock that cannot be let go goes with the process.
    pub fn release(&self) {
        let _ = self.lock.unlock();
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file of the folder. Parts come from the program or are checked ids, never from a request as they are.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Uploads.
    pub fn clips(&self) -> PathBuf {
        self.path.join("clips")
    }

    /// Uploads of markers and sensors.
    pub fn recordings(&self) -> PathBuf {
        self.path.join("recordings")
    }

    /// Uploads of characters.
    pub fn characters(&self) -> PathBuf {
        self.path.join("characters")
    }

    /// The graph.
    pub fn graph(&self) -> PathBuf {
        self.path.join("graph.gway")
    }

    /// The file of a job.
    pub fn job(&self, id: &str) -> PathBuf {
        self.path.join("jobs").join(format!("{id}.json"))
    }

    /// The folder of a result.
    pub fn result(&self, id: &str) -> PathBuf {
        self.path.join("results").join(id)
    }

    /// Reads a JSON file; `None` where there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read_json<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, StudioError> {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(StudioError::new(format!("{}: {e}", path.display()))),
        };
        serde_json::from_slice(&text).map(Some).map_err(|e| {
            let (line, column) = (e.line(), e.column());
            let found = found_in_json(&e.to_string());
            let file = path.display();
            StudioError::new(format!(
                "{file}:{line}:{column}: expected what the studio wrote, found {found}"
            ))
            .with_hint("take the file away, or give another folder with --project")
        })
    }
}

/// Copies plain files and folders; hidden ones are about to be written, and links lead out of the project.
fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for item in std::fs::read_dir(from)? {
        let item = item?;
        let kind = item.file_type()?;
        if item.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let target = to.join(item.file_name());
        if kind.is_dir() {
            copy_all(&item.path(), &target)?;
        } else if kind.is_file() {
            std::fs::copy(item.path(), target)?;
        }
    }
    Ok(())
}

/// Takes away what a server that was killed was about to write. The folder is locked: there is no other.
fn sweep_own(folder: &Path) {
    sweep(folder);
    let remove = |home: &Path, ours: &dyn Fn(&OsStr) -> bool| {
        let list = std::fs::read_dir(home).into_iter().flatten().flatten();
        for item in list.filter(|i| ours(&i.file_name())) {
            // What cannot be removed is never taken for a clip or a result either.
            let _ = std::fs::remove_dir_all(item.path());
        }
    };
    remove(folder, &|name| {
        has_random_name(name, UPLOAD, "") || has_random_name(name, EXPORT, "")
    });
    remove(&folder.join("results"), &|name| {
        let id = name.to_str().and_then(|n| n.strip_prefix(RESULT));
        id.is_some_and(crate::extract::is_id)
    });
}

/// Writes bytes whole or not at all.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_atomic(path, |sink: &mut dyn Write| {
        sink.write_all(bytes).map_err(|source| WriteError::Io {
            file: path.display().to_string(),
            source,
        })
    })
}

/// Writes JSON whole or not at all.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), WriteError> {
    let text = serde_json::to_vec_pretty(value).map_err(|e| WriteError::CannotHold {
        file: path.display().to_string(),
        message: e.to_string(),
        hint: None,
    })?;
    write_bytes(path, &text)
}
