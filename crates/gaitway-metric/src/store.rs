//! Candidates kept on disk per piece of a clip pair, so that adding clips computes only what is new and a
//! stopped run goes on where it was.
//!
//! A store is a folder of segment files, each written whole under a temporary name and then renamed. A segment is a
//! row of entries; an entry names the two clouds and the options by checksum and carries a checksum of its own. The
//! layout is written down in `docs/formats/candidates.md`. What cannot be read back exactly is told and
//! computed again, never trusted.

use crate::candidate::Candidate;
use crate::error::MetricError;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

const MAGIC: &[u8; 8] = b"GWCAND01";
const ENTRY: &[u8; 8] = b"ENTRY\0\0\0";
/// Magic, three checksums, piece, pieces, count.
const HEAD: usize = 8 + 96 + 8 + 8;
const SUM: usize = 32;
const CANDIDATE: usize = size_of::<Candidate>();
/// A killed run loses what was finished since the last flush.
const FLUSH_EVERY: Duration = Duration::from_secs(2);
const FLUSH_BYTES: usize = 32 << 20;

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EntryKey {
    pub a: [u8; 32],
    pub b: [u8; 32],
    pub options: [u8; 32],
    pub piece: u32,
    pub pieces: u32,
}

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
}

impl CandidateStore {
    /// Opens a folder, made if it is not there, and reads which entries it holds. Fails if it cannot be written to.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, MetricError> {
        let dir = dir.into();
        let fail = |source| MetricError::Store {
            path: dir.clone(),
            source,
        };
        std::fs::create_dir_all(&dir).map_err(fail)?;
        // Better to learn now than after an hour that nothing can be kept.
        tempfile::NamedTempFile::new_in(&dir).map_err(fail)?;
        let mut files: Vec<PathBuf> = std::fs::read_dir(&dir)
            .map_err(fail)?
            .filter_map(|e| e.ok().map(|e| e.path()))
            .filter(|p| p.extension().is_some_and(|e| e == "gwcand"))
            .collect();
        files.sort();
        let mut inner = Inner {
            last_flush: Some(Instant::now()),
            ..Inner::default()
        };
        for path in files {
            let number = path
                .file_stem()
                .and_then(|s| s.to_str())
                .and_then(|s| s.parse::<u64>().ok());
            inner.next_number = inner.next_number.max(number.map_or(0, |n| n + 1));
            if let Err(source) = inner.scan(&path) {
                return Err(MetricError::Store { path, source });
            }
        }
        Ok(Self {
            dir,
            inner: Mutex::new(inner),
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

    /// Removes all segments; the folder stays.
    pub fn clear(&self) -> Result<(), MetricError> {
        let mut inner = self.lock();
        for path in std::mem::take(&mut inner.segments) {
            std::fs::remove_file(&path).map_err(|source| MetricError::Store { path, source })?;
        }
        *inner = Inner {
            last_flush: Some(Instant::now()),
            ..Inner::default()
        };
        Ok(())
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
                "{}: not a candidate segment of this version; left alone",
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
        let mut file = tempfile::NamedTempFile::new_in(dir).map_err(fail)?;
        file.write_all(MAGIC)
            .and_then(|()| file.write_all(&self.pending))
            .map_err(fail)?;
        file.as_file().sync_data().map_err(fail)?;
        // Another process may be filling the same folder: take the next number that is free.
        let path = loop {
            let path = dir.join(format!("{:08}.gwcand", self.next_number));
            self.next_number += 1;
            match file.persist_noclobber(&path) {
                Ok(_) => break path,
                Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => file = e.file,
                Err(e) => return Err(fail(e.error)),
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

fn encode(key: &EntryKey, candidates: &[Candidate], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(ENTRY);
    for part in [&key.a, &key.b, &key.options] {
        out.extend_from_slice(part);
    }
    out.extend_from_slice(&key.piece.to_le_bytes());
    out.extend_from_slice(&key.pieces.to_le_bytes());
    out.extend_from_slice(&(candidates.len() as u64).to_le_bytes());
    for c in candidates {
        for v in [c.distance_m2, c.theta, c.x0, c.z0] {
            out.extend_from_slice(&v.to_le_bytes());
        }
        out.extend_from_slice(&c.i.to_le_bytes());
        out.extend_from_slice(&c.j.to_le_bytes());
    }
    let sum = blake3::hash(&out[start..]);
    out.extend_from_slice(sum.as_bytes());
}

fn decode_head(head: &[u8; HEAD]) -> Option<(EntryKey, usize)> {
    let part = |at: usize| -> Option<[u8; 32]> { head[at..at + 32].try_into().ok() };
    let number =
        |at: usize| -> Option<u32> { Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?)) };
    if &head[..8] != ENTRY {
        return None;
    }
    let key = EntryKey {
        a: part(8)?,
        b: part(40)?,
        options: part(72)?,
        piece: number(104)?,
        pieces: number(108)?,
    };
    let count = u64::from_le_bytes(head[112..120].try_into().ok()?);
    Some((key, usize::try_from(count).ok()?))
}

/// Reads and checks one entry; the error says what is wrong with it.
fn read_entry(
    path: &Path,
    offset: u64,
    key: &EntryKey,
    count: usize,
) -> Result<Vec<Candidate>, String> {
    let mut bytes = vec![0; HEAD + count * CANDIDATE + SUM];
    let mut file = File::open(path).map_err(|e| format!("cannot be opened ({e})"))?;
    file.seek(SeekFrom::Start(offset))
        .and_then(|_| file.read_exact(&mut bytes))
        .map_err(|e| format!("cannot be read ({e})"))?;
    let (body, sum) = bytes.split_at(HEAD + count * CANDIDATE);
    if blake3::hash(body).as_bytes() != sum {
        return Err("does not match its checksum".to_owned());
    }
    let head: &[u8; HEAD] = body[..HEAD]
        .try_into()
        .map_err(|_| "is cut short".to_owned())?;
    if decode_head(head) != Some((*key, count)) {
        return Err("is not the entry it was".to_owned());
    }
    let f = |c: &[u8], k: usize| f64::from_le_bytes(std::array::from_fn(|b| c[k * 8 + b]));
    let u = |c: &[u8], at: usize| u32::from_le_bytes(std::array::from_fn(|b| c[at + b]));
    Ok(body[HEAD..]
        .chunks_exact(CANDIDATE)
        .map(|c| Candidate {
            distance_m2: f(c, 0),
            theta: f(c, 1),
            x0: f(c, 2),
            z0: f(c, 3),
            i: u(c, 32),
            j: u(c, 36),
        })
        .collect())
}
