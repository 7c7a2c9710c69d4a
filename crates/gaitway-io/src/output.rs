//! Outputs are whole or not there at all: written beside their place under a temporary name, then renamed.
//!
//! What is being written is kept in a list, so that a program that is told to end can take its unfinished files away
//! first: see [`remove_unfinished`]. What a killed program left is swept by whoever writes into that folder next.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use gaitway_files::{PartFile, PartFolder, blocked_while, folder_of};
pub use gaitway_files::{WritesBlocked, remove_unfinished};

use crate::WriteError;

/// Writes a file through `fill` and gives back what it returns. When anything fails, what stood there before still stands, and nothing
/// else is left behind.
///
/// # Errors
/// What `fill` returns, or what the system says.
pub fn write_atomic<T>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, WriteError>,
) -> Result<T, WriteError> {
    let failed = |source: std::io::Error| WriteError::Io {
        file: path.display().to_string(),
        source,
    };
    check_place(path)?;
    let part = PartFile::new_in(folder_of(path)).map_err(failed)?;
    let mut writer = BufWriter::with_capacity(1 << 16, part);
    let told = fill(&mut writer)?;
    let part = writer.into_inner().map_err(|e| failed(e.into_error()))?;
    part.put(path).map_err(failed)?;
    Ok(told)
}

/// Whether a file could be written here at all: its folder is there, and it is no folder itself. Asked before long work,
/// it saves that work.
///
/// # Errors
/// What stands in the way.
pub fn check_place(path: &Path) -> Result<(), WriteError> {
    let cannot = |message: String, hint: &str| WriteError::CannotHold {
        file: path.display().to_string(),
        message,
        hint: Some(hint.to_owned()),
    };
    let folder = folder_of(path);
    if path.is_dir() {
        return Err(cannot(
            "is a folder, and a file would be written".to_owned(),
            "name a file in it",
        ));
    }
    if folder.is_dir() {
        return Ok(());
    }
    let what = if folder.exists() {
        "is not a folder"
    } else {
        "does not exist"
    };
    let message = format!("the folder {} {what}", folder.display());
    Err(cannot(message, "make it first, or write elsewhere"))
}

/// A folder that appears with everything in it or not at all. One that is there already is written into, file by file.
pub struct AtomicFolder {
    /// Where the contents are written now.
    inside: PathBuf,
    /// The part and what it becomes.
    moves: Option<(PartFolder, PathBuf)>,
    target: PathBuf,
}

impl AtomicFolder {
    /// Begins a folder; folders above it that are missing are made with it.
    ///
    /// # Errors
    /// When a file is in the way, or what the system says.
    pub fn new(target: &Path) -> Result<Self, WriteError> {
        let file = target.display().to_string();
        if target.is_dir() {
            return Ok(Self {
                inside: target.to_path_buf(),
                moves: None,
                target: target.to_path_buf(),
            });
        }
        let mut missing = target;
        while !folder_of(missing).exists() {
            missing = folder_of(missing);
        }
        if target.exists() || !folder_of(missing).is_dir() {
            let message = "a file is in the way, and a folder is needed".to_owned();
            return Err(WriteError::CannotHold {
                file,
                message,
                hint: Some("name a folder, or one that is not there yet".to_owned()),
            });
        }
        let failed = |source: std::io::Error| WriteError::Io {
            file: file.clone(),
            source: std::io::Error::from(source.kind()),
        };
        let below = target.strip_prefix(missing).unwrap_or(Path::new(""));
        let part = PartFolder::beside(missing, below).map_err(failed)?;
        let inside = part.inside(below);
        Ok(Self {
            inside,
            moves: Some((part, missing.to_path_buf())),
            target: target.to_path_buf(),
        })
    }

    /// Where to write what shall be in the folder.
    pub fn path(&self) -> &Path {
        &self.inside
    }

    /// Where to write the file that shall be at `below` in the folder; folders in between are made.
    ///
    /// # Errors
    /// What the system says.
    pub fn file(&self, below: &Path) -> Result<PathBuf, WriteError> {
        let file = self.inside.join(below);
        // No folder is made again that a signal has just had removed.
        let made = blocked_while(|| std::fs::create_dir_all(folder_of(&file)));
        made.map_err(|source| WriteError::Io {
            file: self.target.join(below).display().to_string(),
            source,
        })?;
        Ok(file)
    }

    /// Puts the folder in its place.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> Result<(), WriteError> {
        let Some((part, place)) = self.moves else {
            return Ok(());
        };
        part.put(&place).map_err(|source| WriteError::Io {
            file: self.target.display().to_string(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let list = std::fs::read_dir(folder).expect("a folder");
        let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
        let mut names: Vec<String> = list
            .map(|e| name(e).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        std::fs::write(&path, "old").expect("written");
        let result: Result<(), _> = write_atomic(&path, |sink| {
            let io = |source| WriteError::Io {
                file: "out.txt".into(),
                source,
            };
            sink.write_all(b"half").map_err(io)?;
            Err(io(std::io::Error::other("no more room")))
        });
        assert!(result.is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "old");
        assert_eq!(names(folder.path()), ["out.txt"]);
        write_atomic(&path, |sink| {
            sink.write_all(b"new").map_err(|source| WriteError::Io {
                file: String::new(),
                source,
            })
        })
        .expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "new");
    }

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let home = tempfile::tempdir().expect("a folder");
        let target = home.path().join("a/b/c");
        let given_up = AtomicFolder::new(&target).expect("begun");
        std::fs::write(given_up.path().join("x"), "x").expect("written");
        assert!(!target.exists());
        let deep = given_up.file(Path::new("d/e/y")).expect("folders are made");
        std::fs::write(deep, "y").expect("written");
        drop(given_up);
        assert!(names(home.path()).is_empty());
        let made = AtomicFolder::new(&target).expect("begun");
        std::fs::write(made.path().join("x"), "x").expect("written");
        made.finish().expect("put in its place");
        assert_eq!(names(&target), ["x"]);
        assert_eq!(names(home.path()), ["a"]);
        let again = AtomicFolder::new(&target).expect("there already");
        assert_eq!(again.path(), target);
        let blocked = home.path().join("a/b/c/x");
        assert!(AtomicFolder::new(&blocked).is_err());
        assert!(AtomicFolder::new(&blocked.join("y")).is_err());
    }
}
