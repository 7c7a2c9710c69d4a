//! The folder of a store: the names in it, who uses it, and how it goes.

use super::CandidateStore;
use gaitway_files::{has_random_name, sweep};
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

impl CandidateStore {
    /// Removes a store: its segments, what killed runs left of one, and the folder where nothing else is in it. What is not the store's
    /// own stays.
    pub fn remove(dir: &Path) -> Removed {
        let Ok(handle) = File::open(dir) else {
            return Removed::All;
        };
        if matches!(handle.try_lock(), Err(TryLockError::WouldBlock)) {
            return Removed::InUse;
        }
        let names = |dir: &Path| -> Vec<OsString> {
            let list = std::fs::read_dir(dir).into_iter().flatten().flatten();
            list.map(|e| e.file_name()).collect()
        };
        sweep(dir);
        for name in names(dir) {
            // Before parts had a name of their own, they had the system's.
            if segment_number(&name).is_some() || has_random_name(&name, ".tmp", "") {
                // What cannot be removed is told with all else that stays.
                let _ = std::fs::remove_file(dir.join(&name));
            }
        }
        match std::fs::remove_dir(dir) {
            Ok(()) => Removed::All,
            Err(e) if e.kind() == ErrorKind::NotFound => Removed::All,
            Err(e) => {
                let mut left = names(dir);
                left.sort();
                match left.is_empty() {
                    true => Removed::Failed(e),
                    false => Removed::Foreign(left),
                }
            }
        }
    }
}

/// How the removal of a store ended.
#[derive(Debug)]
pub enum Removed {
    /// Nothing of it is left.
    All,
    /// Somebody else fills it; it stays as it is, and is theirs to remove.
    InUse,
    /// What was the store's own is gone; the folder stays for these, which are not.
    Foreign(Vec<OsString>),
    /// The system would not.
    Failed(std::io::Error),
}

pub(super) fn segment_name(number: u64) -> String {
    format!("{number:08}.gwcand")
}

/// The number of a segment, from exactly the names that segments get.
pub(super) fn segment_number(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    let number = name.strip_suffix(".gwcand")?.parse().ok()?;
    (segment_name(number) == name).then_some(number)
}

/// Makes a folder and takes a share of it. Systems that cannot lock a folder give none.
pub(super) fn share(dir: &Path) -> std::io::Result<Option<File>> {
    /// How often somebody may take the folder away just then.
    const TRIES: usize = 16;
    for _ in 0..TRIES {
        std::fs::create_dir_all(dir)?;
        let Ok(handle) = File::open(dir) else {
            continue;
        };
        if handle.lock_shared().is_err() {
            return Ok(None);
        }
        if still_there(&handle, dir) {
            return Ok(Some(handle));
        }
    }
    // Where a folder cannot be opened at all, the writing that follows tells whether it can be used.
    Ok(None)
}

/// Whether a name still means the folder that was opened.
#[cfg(unix)]
fn still_there(handle: &File, dir: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (handle.metadata(), std::fs::metadata(dir)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn still_there(_: &File, dir: &Path) -> bool {
    dir.is_dir()
}
