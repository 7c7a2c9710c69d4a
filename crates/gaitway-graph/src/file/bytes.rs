//! A file's bytes, aligned for every array in them.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::GraphError;

/// The bytes of a graph file: mapped, or in memory.
pub struct Bytes(Store);

enum Store {
    Mapped(Mmap),
    /// Words keep the start aligned to eight; the length is in bytes.
    Memory(Vec<u64>, usize),
}

impl Bytes {
    /// Maps a file.
    ///
    /// # Errors
    /// What the system says.
    #[allow(unsafe_code)]
    pub fn map(path: &Path) -> Result<Self, GraphError> {
        let fail = |source| GraphError::File {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(fail)?;
        if file.metadata().map_err(fail)?.is_dir() {
            return Err(GraphError::NotAGraph {
                what: format!("{} is a folder", path.display()),
            });
        }
        // SAFETY: the map is read-only. Gaitway itself never writes into an existing graph: it writes beside it and
        // renames, which leaves mapped bytes as they were. Another program that cuts the file short while it is in use
        // would end this one with a bus error; `Bytes::from_slice` is the safe twin for those who cannot rule that out.
        let map = unsafe { Mmap::map(&file) }.map_err(fail)?;
        Ok(Self(Store::Mapped(map)))
    }

    /// A copy in memory.
    pub fn from_slice(bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self(Store::Memory(words, bytes.len()))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Store::Mapped(map) => map,
            Store::Memory(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }
}
