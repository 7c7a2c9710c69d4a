//! Candidates kept on disk per piece of a clip pair, so that adding clips computes only what is new and a
//! stopped run goes on where it was.
//!
//! A store is a folder of segment files, each written whole under a temporary name and then renamed. A segment is a
//! row of entries; an entry names the two clouds and the options by checksum and carries a checksum of its own. The
//! layout is written down in `docs/formats/candidates.md`. What cannot be read back exactly is told and
//! computed again, never trusted.

mod entry;
mod folder;

use crate::candidate::Candidate;
use crate::error::MetricError;
use gaitway_files::PartFile;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub(crate) use entry::EntryKey;
use entry::{CANDIDATE, HEAD, SUM, decode_head, encode, read_entry};
pub use folder::Removed;
use folder::{segment_name, segment_number, share};

const MAGIC: &[u8; 8] = b"GWCAND01";
/// A killed run loses what was finished since the last flush.
const FLUSH_EVERY: Duration = Duration::from_secs(2);
const FLUSH_BYTES: usize = 32 << 20;

struct Place {
    segment: usize,
    offset: u64,
    count: usize,
}

#[derive(Default)]
struct Inner {
    segments: Vec<PathBuf>,
    index: HashMap<EntryKey, Place>,
    pending: Vec<u8>,
    pending_keys: Vec<(EntryKey, u64, usize)>,
    last_flush: Option<Instant>,
    next_number: u64,
    warnings: Vec<String>,
}

/// A folder of candidates.
pub struct CandidateStore {
    dir: PathBuf,
    inner: Mutex<Inner>,
    /// Held, never read: while somebody has a share of it, nobody takes the folder away.
    _share: Option<File>,
}

impl CandidateStore {
    /// Opens a folder, made if it is not there, and reads which entries it holds. Fails if it cannot be written to.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, MetricError> {
        let dir = dir.into();
        let fail = |source| MetricError::Store {
            path: dir.clone(),
            source,
        };
        let share = share(&dir).map_err(fail)?;
        // Better to learn now than after an hour that nothing can be kept.
        PartFile::new_in(&dir).map_err(fail)?;
        let mut files: Vec<(u64, PathBuf)> = std::fs::read_dir(&dir)
            .map_err(fail)?
            .flatten()
            .filter_map(|e| Some((segment_number(&e.file_name())?, e.path())))
            .collect();
        files.sort();
        let mut inner = Inner {
            last_flush: Some(Instant::now()),
            ..Inner::default()
        };
        for (number, path) in files {
            inner.next_number = inner.next_number.max(number.saturating_add(1));
            if let Err(e) = inner.scan(&path) {
                let message = format!("{}: {e}; computed again", path.display());
                inner.warnings.push(message);
            }
        }
        Ok(Self {
            dir,
            inner: Mutex::new(inner),
            _share: share,
        })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Entries that can be read.
    pub fn entry_count(&self) -> usize {
        self.lock().index.len()
    }

    /// What was found damaged since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().warnings)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The candidates of an entry, or none if it is not there or damaged.
    pub(crate) fn get(&self, key: &EntryKey) -> Option<Vec<Candidate>> {
        let mut inner = self.lock();
        let place = inner.index.get(key)?;
        let (path, offset, count) = (
            inner.segments[place.segment].clone(),
            place.offset,
            place.count,
        );
        match read_entry(&path, offset, key, count) {
            Ok(candidates) => Some(candidates),
            Err(why) => {
                inner.index.remove(key);
                inner.warnings.push(format!(
                    "{}: entry at byte {offset} {why}; computed again",
                    path.display()
                ));
                None
            }
        }
    }

    /// Keeps the candidates of an entry; they reach the disk within seconds, or at [`CandidateStore::flush`].
    pub(crate) fn put(&self, key: &EntryKey, candidates: &[Candidate]) -> Result<(), MetricError> {
        let mut inner = self.lock();
        let at = inner.pending.len();
        encode(key, candidates, &mut inner.pending);
        inner
            .pending_keys
            .push((*key, (MAGIC.len() + at) as u64, candidates.len()));
        let due = inner.last_flush.is_none_or(|t| t.elapsed() >= FLUSH_EVERY);
        if due || inner.pending.len() >= FLUSH_BYTES {
            inner.write_segment(&self.dir)?;
        }
        Ok(())
    }

    /// Writes what is still in memory.
    pub fn flush(&self) -> Result<(), MetricError> {
        self.lock().write_segment(&self.dir)
    }
}

impl Drop for CandidateStore {
    fn drop(&mut self) {
        // The caller's `flush` reports trouble; here there is no one left to tell.
        let _ = self.flush();
    }
}

impl Inner {
    /// Reads the heads of a segment's entries.
    fn scan(&mut self, path: &Path) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut magic = [0; MAGIC.len()];
        if size < MAGIC.len() as u64 || file.read_exact(&mut magic).is_err() || &magic != MAGIC {
            self.warnings.push(format!(
                "{}: not a candidate segment of this version; computed again",
                path.display()
            ));
            return Ok(());
        }
        let segment = self.segments.len();
        self.segments.push(path.to_owned());
        let mut offset = MAGIC.len() as u64;
        while offset < size {
            let mut head = [0; HEAD];
            let whole =
                size - offset >= (HEAD + SUM) as u64 && file.seek(SeekFrom::Start(offset)).is_ok();
            let entry = (whole && file.read_exact(&mut head).is_ok())
                .then(|| decode_head(&head))
                .flatten();
            let length = entry.and_then(|(_, count)| {
                let bytes = (count as u64)
                    .checked_mul(CANDIDATE as u64)?
                    .checked_add((HEAD + SUM) as u64)?;
                (bytes <= size - offset).then_some(bytes)
            });
            let (Some((key, count)), Some(length)) = (entry, length) else {
                self.warnings.push(format!(
                    "{}: damaged from byte {offset} on; computed again",
                    path.display()
                ));
                return Ok(());
            };
            self.index.insert(
                key,
                Place {
                    segment,
                    offset,
                    count,
                },
            );
            offset += length;
        }
        Ok(())
    }

    fn write_segment(&mut self, dir: &Path) -> Result<(), MetricError> {
        self.last_flush = Some(Instant::now());
        if self.pending.is_empty() {
            return Ok(());
        }
        let fail = |source| MetricError::Store {
            path: dir.to_owned(),
            source,
        };
        let mut part = PartFile::new_in(dir).map_err(fail)?;
        part.write_all(MAGIC)
            .and_then(|()| part.write_all(&self.pending))
            .map_err(fail)?;
        // Another process may be filling the same folder: take the next number that is free.
        let path = loop {
            let path = dir.join(segment_name(self.next_number));
            self.next_number += 1;
            match part.put_new(&path).map_err(fail)? {
                None => break path,
                Some(taken) => part = taken,
            }
        };
        let segment = self.segments.len();
        self.segments.push(path);
        for (key, offset, count) in self.pending_keys.drain(..) {
            self.index.insert(
                key,
                Place {
                    segment,
                    offset,
                    count,
                },
            );
        }
        self.pending.clear();
        Ok(())
    }
}
