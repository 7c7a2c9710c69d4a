//! Arrays that are either owned or lie in a memory-mapped file.

use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;

use crate::file::Bytes;

/// A read-only array of plain values: from memory, or straight from the bytes of a file.
#[derive(Clone)]
pub struct Array<T: Pod>(Store<T>);

#[derive(Clone)]
enum Store<T> {
    Owned(Arc<Vec<T>>),
    /// Checked to be aligned and a whole number of values when made.
    Mapped(Arc<Bytes>, Range<usize>, PhantomData<T>),
}

impl<T: Pod> Array<T> {
    /// The values of a byte range of a file; `None` if it is out of bounds, not aligned, or not a
    /// whole number of values.
    pub(crate) fn mapped(map: &Arc<Bytes>, range: Range<usize>) -> Option<Self> {
        let bytes = map.get(range.clone())?;
        bytemuck::try_cast_slice::<u8, T>(bytes).ok()?;
        Some(Self(Store::Mapped(map.clone(), range, PhantomData)))
    }
}

impl<T: Pod> From<Vec<T>> for Array<T> {
    fn from(values: Vec<T>) -> Self {
        Self(Store::Owned(Arc::new(values)))
    }
}

impl<T: Pod> Default for Array<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Store::Owned(values) => values,
            Store::Mapped(map, range, _) => bytemuck::cast_slice(&map[range.clone()]),
        }
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{} values]", self.len())
    }
}

impl<T: Pod + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
