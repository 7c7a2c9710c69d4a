//! NumPy arrays in a zip file: what `numpy.load` opens. Clips are only written so; [`amass`](crate::amass) reads poses of a body model.
//!
//! | array | shape | type |
//! | --- | --- | --- |
//! | `positions` | frames × points × 3 | f64, metres, world, Y up |
//! | `rotations` | frames × points × 4 | f32, local, x y z w |
//! | `names` | points | text |
//! | `parents` | points | i32, −1 for the root |
//! | `rate_hz` | none | f64 |
//! | `contacts`, `contact_names` | frames × contacts, contacts | bool, text; where known |
//!
//! Points are joints, then end sites, whose rotation is none. Members are stored uncompressed with a fixed
//! date, so that the same clip gives the same bytes.

pub(crate) mod read;

use std::io::{self, Cursor, Write};

use gaitway_core::{Clip, PointIdx, fk};
use glam::Quat;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use crate::error::WriteError;

/// Writes a clip; `file_name` is what messages call it.
///
/// # Errors
/// When the sink fails.
pub fn write(sink: &mut dyn Write, clip: &Clip, file_name: &str) -> Result<(), WriteError> {
    // A zip file's writer goes back to put sizes and check sums before what they are of; a sink need not be able to.
    let written = archive(clip).and_then(|bytes| sink.write_all(&bytes));
    written.map_err(|source| WriteError::Io {
        file: file_name.into(),
        source,
    })
}

fn archive(clip: &Clip) -> io::Result<Vec<u8>> {
    let mut out = Archive::new();
    let skeleton = clip.skeleton();
    let (frames, joints, points) = (
        clip.frame_count(),
        clip.joint_count(),
        skeleton.point_count(),
    );
    let places = fk::world_points(clip);
    let positions = places.places().iter().flat_map(|p| p.to_array());
    out.array(
        "positions",
        "<f8",
        &[frames, points, 3],
        positions.flat_map(f64::to_le_bytes),
    )?;
    let still = std::iter::repeat_n(Quat::IDENTITY, points - joints);
    let rotations = (0..frames)
        .flat_map(|f| clip.frame_rotations(f).iter().copied().chain(still.clone()))
        .flat_map(|q| q.to_array());
    out.array(
        "rotations",
        "<f4",
        &[frames, points, 4],
        rotations.flat_map(f32::to_le_bytes),
    )?;
    let all = || (0..points as u32).map(PointIdx);
    let names: Vec<String> = all().map(|p| skeleton.point_name(p)).collect();
    out.texts("names", &names)?;
    let parents = all().map(|p| skeleton.point_parent(p).map_or(-1, |j| j.0 as i32));
    out.array(
        "parents",
        "<i4",
        &[points],
        parents.flat_map(i32::to_le_bytes),
    )?;
    let rate = clip.rate_hz().to_le_bytes();
    out.array("rate_hz", "<f8", &[], rate.into_iter())?;
    if let Some(track) = clip.contacts() {
        let count = track.points().len();
        let stands = (0..frames).flat_map(|f| (0..count).map(move |p| u8::from(track.get(f, p))));
        out.array("contacts", "|b1", &[frames, count], stands)?;
        let names: Vec<String> = track.points().iter().map(|p| p.name.clone()).collect();
        out.texts("contact_names", &names)?;
    }
    out.finish()
}

/// Writes an array of `f32` as one NPY file, the last index running fastest.
///
/// # Errors
/// What the sink says.
pub fn write_npy_f32(sink: &mut dyn Write, shape: &[usize], values: &[f32]) -> io::Result<()> {
    sink.write_all(&npy_header("<f4", shape))?;
    for value in values {
        sink.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// NumPy's format 1.0: magic, then a header padded so that numbers begin on a multiple of 64.
///
/// Ours, because the crate that writes it (`npyz`) also reads it, with a parser generator behind it that has assembly built by a
/// C compiler. It reads what we write in the tests.
fn npy_header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(|n| format!("{n},")).collect();
    let shape = sizes.join(" ");
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.extend(std::iter::repeat_n(' ', padded - 1 - header.len()));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes
}

/// Arrays in a zip file.
pub(crate) struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    pub fn new() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }

    pub fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.0.finish()?.into_inner())
    }

    pub fn array(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        data: impl Iterator<Item = u8>,
    ) -> io::Result<()> {
        let mut bytes = npy_header(kind, shape);
        bytes.extend(data);
        // Nothing of the machine or of the day: the same clip gives the same bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::DEFAULT)
            .system(System::Unix)
            .large_file(bytes.len() >= u32::MAX as usize);
        self.0.start_file(format!("{name}.npy"), options)?;
        self.0.write_all(&bytes)
    }

    /// Text as NumPy keeps it: UTF-32, all of one width.
    pub fn texts(&mut self, name: &str, texts: &[String]) -> io::Result<()> {
        self.shaped_texts(name, texts, &[texts.len()])
    }

    /// One text, as an array without a shape.
    pub fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.shaped_texts(name, &[text.to_owned()], &[])
    }

    fn shaped_texts(&mut self, name: &str, texts: &[String], shape: &[usize]) -> io::Result<()> {
        let widths = texts.iter().map(|t| t.chars().count());
        let width = widths.max().unwrap_or(0).max(1);
        let padded = texts.iter().flat_map(|text| {
            let letters = text.chars().map(u32::from);
            letters.chain(std::iter::repeat(0)).take(width)
        });
        self.array(
            name,
            &format!("<U{width}"),
            shape,
            padded.flat_map(u32::to_le_bytes),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_padded_to_64() {
        for shape in [&[][..], &[3], &[3, 4], &[123_456_789, 987_654_321, 3]] {
            let header = npy_header("<f8", shape);
            assert_eq!(header.len() % 64, 0);
            assert_eq!(header.last(), Some(&b'\n'));
        }
    }
}
