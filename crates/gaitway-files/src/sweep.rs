//! Parts that killed programs left.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(crate) const PREFIX: &str = ".gaitway-";
pub(crate) const SUFFIX: &str = ".part";
/// Letters and digits that `tempfile` draws for a name.
const RANDOM: usize = 6;

/// Whether a name is `prefix`, six letters or digits drawn at random, and `suffix`: the names of temporary files, exactly.
pub fn has_random_name(name: &OsStr, prefix: &str, suffix: &str) -> bool {
    let drawn = |name: &str| {
        let middle = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
        let random = middle.len() == RANDOM && middle.bytes().all(|b| b.is_ascii_alphanumeric());
        random.then_some(())
    };
    name.to_str().and_then(drawn).is_some()
}

/// Whether a name is that of a part.
pub fn is_part(name: &OsStr) -> bool {
    has_random_name(name, PREFIX, SUFFIX)
}

/// Removes the parts in a folder whose writers are gone, and says how many there were. Parts that somebody still writes, and everything of
/// another name, stay.
pub fn sweep(folder: &Path) -> usize {
    let Ok(list) = std::fs::read_dir(folder) else {
        return 0;
    };
    let parts = list.flatten().filter(|e| is_part(&e.file_name()));
    parts.filter(|e| remove_abandoned(&e.path())).count()
}

/// Sweeps a folder the first time this process writes into it: a folder may hold thousands of files, and as many may be written.
pub(crate) fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.insert(folder.to_path_buf()) {
        sweep(folder);
    }
}

/// Removes a part if its lock can be had. The lock is held while it is removed, so that a writer that has made its part and
/// not yet locked it finds it gone and makes another.
fn remove_abandoned(path: &Path) -> bool {
    let Ok(kind) = std::fs::symlink_metadata(path).map(|m| m.file_type()) else {
        return false;
    };
    // A pipe of that name would wait for ever to be opened.
    if !kind.is_file() && !kind.is_dir() {
        return false;
    }
    let Ok(handle) = File::open(path) else {
        return false;
    };
    if handle.try_lock().is_err() {
        return false;
    }
    let removed = match kind.is_dir() {
        true => std::fs::remove_dir_all(path),
        false => std::fs::remove_file(path),
    };
    removed.is_ok()
}
