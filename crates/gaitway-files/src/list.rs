//! The parts that this process is writing now, so that it can take them away when it is told to end.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts that exist now.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn parts() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a part off the list when it was renamed or removed.
#[derive(Debug)]
pub struct Listed(PathBuf);

impl Listed {
    /// Makes a part, all of it, and lists it in one go: nothing can come between that would leave it behind.
    pub fn make<T>(
        make: impl FnOnce() -> std::io::Result<T>,
        path: impl Fn(&T) -> &Path,
    ) -> std::io::Result<(T, Self)> {
        let mut list = parts();
        let made = make()?;
        let path = path(&made).to_path_buf();
        list.insert(path.clone());
        Ok((made, Self(path)))
    }

    /// Puts a part in its place and takes it off the list in one go: [`remove_unfinished`] comes before, and then nothing is
    /// put any more, or after, and then it is whole. In between, a file put into a folder that is being removed would keep that
    /// folder there. A part that could not be put stays on the list.
    pub fn put<T, E>(self, put: impl FnOnce() -> Result<T, E>) -> Result<T, (E, Self)> {
        let list = parts();
        let done = put();
        // Dropping takes the lock again.
        drop(list);
        done.map_err(|e| (e, self))
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

/// Does something that [`remove_unfinished`] must not come in between of.
pub fn blocked_while<T>(work: impl FnOnce() -> T) -> T {
    let _list = parts();
    work()
}

/// While this lives, no file can be begun.
#[must_use = "when it is dropped, files can be written again"]
pub struct WritesBlocked {
    _list: MutexGuard<'static, BTreeSet<PathBuf>>,
}
