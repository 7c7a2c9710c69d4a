//! C3D: optical markers as laboratories keep them, in a binary file of 512-byte blocks.
//!
//! | part | where | what |
//! | --- | --- | --- |
//! | header | block 1 | counts, scale, where the data starts |
//! | parameters | from the block the first byte names | groups of named, typed arrays, among them `POINT:LABELS` |
//! | data | from the block the header names | per frame: four numbers per point, then analog samples |
//!
//! Numbers are Intel, DEC (VAX) or SGI (MIPS), said in the parameter section, and points are stored as 16-bit
//! integers times a scale or as floats (then the scale is negative). The fourth number holds the cameras that saw
//! the point and its residual; below zero the point was not seen. Analog samples and events are passed over.
//!
//! Checked by: one trial in all six encodings, and PyPI's `ezc3d` on those it can read.

mod bytes;
mod params;
mod points;
mod read;

pub use read::read;
