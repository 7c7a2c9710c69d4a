//! The graph file `.gway`: the safetensors layout, so that any tool can open it; see `docs/formats/gway.md`.
//!
//! One JSON header, then raw little-endian arrays by falling element size, so that every array is aligned and can
//! be used where it lies in the mapped file. The header's one metadata key `gaitway` holds a JSON text with sorted
//! keys. Two BLAKE3 checksums: `checksum` over the header and all arrays but the frames, checked on load;
//! `frames_checksum` over the frame arrays, checked when frames are first used.

mod bytes;
mod check;
#[doc(hidden)]
pub mod fuzzing;
mod meta;
mod read;
mod recipes;
mod write;

pub use bytes::Bytes;

/// The newest version this program reads. Version 1 knew neither recipes nor cuts; graphs without interpolated clips are written as
/// version 2.
pub const VERSION: u64 = 3;

/// Arrays of frames, in the order they lie in the file; every other array is under `checksum`.
pub(crate) const FRAME_ARRAYS: [&str; 4] = [
    "frame_root",
    "frame_contacts",
    "frame_rotations",
    "frame_translations",
];

/// The array that holds the BLAKE3 of everything but frames.
pub(crate) const CHECKSUM: &str = "checksum";
