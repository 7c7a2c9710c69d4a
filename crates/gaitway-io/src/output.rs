//! Outputs are whole or not there at all: written beside their place under a temporary name, then renamed.
//!
//! What is being written is kept in a list, so that a program that is told to end can take its unfinished files away
//! first: see [`remove_unfinished`].

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::WriteError;

const PREFIX: &str = ".gaitway-";
const SUFFIX: &str = ".part";

/// Temporary files and folders that exist now.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn parts() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a temporary name off the list when its file was renamed or removed.
struct Listed(PathBuf);

impl Listed {
    /// Makes something temporary, all of it, and lists it in one go: nothing can come between that would leave it behind.
    fn make<T>(
        make: impl FnOnce() -> std::io::Result<T>,
        path: impl Fn(&T) -> &Path,
    ) -> std::io::Result<(T, Self)> {
        let mut list = parts();
        let made = make()?;
        let path = path(&made).to_path_buf();
        list.insert(path.clone());
        Ok((made, Self(path)))
    }
}

impl Listed {
    /// Puts what was temporary in its place and takes it off the list in one go: [`remove_unfinished`] comes before, and then nothing is
    /// put any more, or after, and then it is whole. In between, a file put into a folder that is being removed would keep that
    /// folder there.
    fn put<T>(self, put: impl FnOnce() -> T) -> T {
        let mut list = parts();
        let done = put();
        list.remove(&self.0);
        // Dropping takes the lock again.
        drop(list);
        done
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        parts().remove(&self.0);
    }
}

/// Removes every file and folder that is being written, for a program that is about to end: from then on nothing can be
/// written any more, as long as the guard that is returned lives.
pub fn remove_unfinished() -> WritesBlocked {
    let mut list = parts();
    for path in std::mem::take(&mut *list) {
        // What is gone already is what was wanted.
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
    }
    WritesBlocked { _list: list }
}

/// While this lives, no file can be begun.
#[must_use = "when it is dropped, files can be written again"]
pub struct WritesBlocked {
    _list: MutexGuard<'static, BTreeSet<PathBuf>>,
}

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
    let folder = folder_of(path);
    let builder = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)
    };
    let (temporary, listed) = Listed::make(builder, |t| t.path())
        // Without the name of a file that nobody asked for.
        .map_err(|e| failed(std::io::Error::from(e.kind())))?;
    let mut writer = BufWriter::with_capacity(1 << 16, temporary);
    let told = fill(&mut writer)?;
    writer.flush().map_err(failed)?;
    let temporary = writer.into_inner().map_err(|e| failed(e.into_error()))?;
    relax_permissions(temporary.as_file()).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    listed
        .put(|| temporary.persist(path))
        .map_err(|e| failed(e.error))?;
    Ok(told)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    }
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
    /// The temporary folder and what it becomes.
    moves: Option<(tempfile::TempDir, PathBuf, Listed)>,
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
        let inside = |temporary: &Path| match below.as_os_str().is_empty() {
            true => temporary.to_path_buf(),
            false => temporary.join(below),
        };
        let builder = || {
            let mut builder = tempfile::Builder::new();
            let builder = builder.prefix(PREFIX).suffix(SUFFIX);
            let temporary = builder.tempdir_in(folder_of(missing))?;
            std::fs::create_dir_all(inside(temporary.path()))?;
            Ok(temporary)
        };
        let (temporary, listed) = Listed::make(builder, tempfile::TempDir::path).map_err(failed)?;
        let inside = inside(temporary.path());
        Ok(Self {
            inside,
            moves: Some((temporary, missing.to_path_buf(), listed)),
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
        let _list = parts();
        std::fs::create_dir_all(folder_of(&file)).map_err(|source| WriteError::Io {
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
        let Some((temporary, place, listed)) = self.moves else {
            return Ok(());
        };
        let put = || {
            open_folder(temporary.path())?;
            std::fs::rename(temporary.path(), &place)
        };
        listed.put(put).map_err(|source| WriteError::Io {
            file: self.target.display().to_string(),
            source,
        })?;
        // It is elsewhere now; there is nothing to clean up.
        let _ = temporary.keep();
        Ok(())
    }
}

/// Temporary files are private; outputs are ordinary files.
#[cfg(unix)]
fn relax_permissions(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn relax_permissions(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn open_folder(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
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
