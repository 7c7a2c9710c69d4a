//! Parts: files and folders before they are whole.

use std::fs::File;
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use crate::list::Listed;
use crate::sweep::{PREFIX, SUFFIX, sweep_once};

/// How often a part is made again that another program swept before it was locked.
const TRIES: usize = 16;

/// The folder a file lies in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    }
}

/// Makes a part and locks it. A file system without locks leaves it unlocked: nobody sweeps there either.
fn make_locked<T>(make: impl Fn() -> Result<T>, hold: impl Fn(&T) -> bool) -> Result<T> {
    for _ in 0..TRIES {
        let made = make()?;
        if hold(&made) {
            return Ok(made);
        }
    }
    Err(Error::from(ErrorKind::ResourceBusy))
}

/// Locks what stands at a path; whether it still stands there once it is locked.
fn hold(handle: &File, path: &Path) -> bool {
    handle.lock().is_err() || std::fs::symlink_metadata(path).is_ok()
}

/// A file that is not whole yet. Dropped, it is gone.
#[derive(Debug)]
pub struct PartFile {
    file: NamedTempFile,
    listed: Listed,
}

impl PartFile {
    /// Begins a file in the folder where it shall stand in the end.
    ///
    /// # Errors
    /// What the system says.
    pub fn new_in(folder: &Path) -> Result<Self> {
        sweep_once(folder);
        let make = || {
            let mut builder = tempfile::Builder::new();
            builder.prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)
        };
        let locked = || make_locked(make, |f: &NamedTempFile| hold(f.as_file(), f.path()));
        let (file, listed) = Listed::make(locked, |f| f.path())
            // Without the name of a file that nobody asked for.
            .map_err(|e| Error::from(e.kind()))?;
        Ok(Self { file, listed })
    }

    /// Puts the file in its place, over what stands there.
    ///
    /// # Errors
    /// What the system says; then what stood there still stands.
    pub fn put(self, path: &Path) -> Result<()> {
        let Self { file, listed } = self.synced()?;
        let put = listed.put(|| file.persist(path));
        put.map(drop).map_err(|(e, _)| e.error)
    }

    /// Puts the file in its place if nothing stands there, and gives it back otherwise.
    ///
    /// # Errors
    /// What the system says.
    pub fn put_new(self, path: &Path) -> Result<Option<Self>> {
        let Self { file, listed } = self.synced()?;
        match listed.put(|| file.persist_noclobber(path)) {
            Ok(_) => Ok(None),
            Err((e, listed)) if e.error.kind() == ErrorKind::AlreadyExists => Ok(Some(Self {
                file: e.file,
                listed,
            })),
            Err((e, _)) => Err(e.error),
        }
    }

    /// Parts are private; outputs are ordinary files, and on the disk before they have their name.
    fn synced(self) -> Result<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let all = std::fs::Permissions::from_mode(0o644);
            self.file.as_file().set_permissions(all)?;
        }
        self.file.as_file().sync_all()?;
        Ok(self)
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// A folder that is not whole yet. Dropped, it is gone with all that is in it.
#[derive(Debug)]
pub struct PartFolder {
    folder: TempDir,
    listed: Listed,
    /// Held, never read.
    _lock: Option<File>,
}

impl PartFolder {
    /// Begins a folder beside its place, with a folder `below` in it.
    ///
    /// # Errors
    /// What the system says.
    pub fn beside(place: &Path, below: &Path) -> Result<Self> {
        let home = folder_of(place);
        sweep_once(home);
        let make = || {
            let mut builder = tempfile::Builder::new();
            let folder = builder.prefix(PREFIX).suffix(SUFFIX).tempdir_in(home)?;
            // Some systems cannot open a folder, and then nobody can sweep one either.
            let lock = File::open(folder.path()).ok();
            Ok((folder, lock))
        };
        let locked = || {
            let made = make_locked(make, |(folder, lock): &(TempDir, Option<File>)| {
                lock.as_ref().is_none_or(|l| hold(l, folder.path()))
            })?;
            std::fs::create_dir_all(inside(made.0.path(), below))?;
            Ok(made)
        };
        let ((folder, lock), listed) = Listed::make(locked, |(folder, _)| folder.path())?;
        Ok(Self {
            folder,
            listed,
            _lock: lock,
        })
    }

    /// Where `below` is now.
    pub fn inside(&self, below: &Path) -> PathBuf {
        inside(self.folder.path(), below)
    }

    /// Puts the folder in its place.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(self, place: &Path) -> Result<()> {
        let Self { folder, listed, .. } = self;
        let put = || {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let all = std::fs::Permissions::from_mode(0o755);
                std::fs::set_permissions(folder.path(), all)?;
            }
            std::fs::rename(folder.path(), place)
        };
        listed.put(put).map_err(|(e, _)| e)?;
        // It is elsewhere now; there is nothing to clean up.
        let _ = folder.keep();
        Ok(())
    }
}

/// Nothing below is the folder itself, without a slash at its end.
fn inside(folder: &Path, below: &Path) -> PathBuf {
    match below.as_os_str().is_empty() {
        true => folder.to_path_buf(),
        false => folder.join(below),
    }
}
