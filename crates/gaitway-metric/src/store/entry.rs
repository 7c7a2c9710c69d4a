//! The bytes of one entry.

use crate::candidate::Candidate;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

const ENTRY: &[u8; 8] = b"ENTRY\0\0\0";
/// Magic, three checksums, piece, pieces, count.
pub(super) const HEAD: usize = 8 + 96 + 8 + 8;
pub(super) const SUM: usize = 32;
pub(super) const CANDIDATE: usize = size_of::<Candidate>();

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EntryKey {
    pub a: [u8; 32],
    pub b: [u8; 32],
    pub options: [u8; 32],
    pub piece: u32,
    pub pieces: u32,
}

pub(super) fn encode(key: &EntryKey, candidates: &[Candidate], out: &mut Vec<u8>) {
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

pub(super) fn decode_head(head: &[u8; HEAD]) -> Option<(EntryKey, usize)> {
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
pub(super) fn read_entry(
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
