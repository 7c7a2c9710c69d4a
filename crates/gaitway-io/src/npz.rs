//! NumPy arrays in a zip file, written only: what `numpy.load` opens.
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

use std::io::{self, Write};

use gaitway_core::{Clip, PointIdx, fk};
use glam::Quat;

use crate::error::WriteError;

/// Writes a clip; `file_name` is what messages call it.
///
/// # Errors
/// When the sink fails, or the arrays pass the 4 GiB a plain zip file may have.
pub fn write(sink: &mut dyn Write, clip: &Clip, file_name: &str) -> Result<(), WriteError> {
    let members = members(clip);
    let size: u64 = members.iter().map(|m| m.bytes.len() as u64 + 256).sum();
    if size > u64::from(u32::MAX) {
        return Err(WriteError::CannotHold {
            file: file_name.into(),
            message: format!("the arrays need {size} bytes, and a plain zip file ends at 4 GiB"),
            hint: Some("cut the motion, or lower its rate".into()),
        });
    }
    write_zip(sink, &members).map_err(|source| WriteError::Io {
        file: file_name.into(),
        source,
    })
}

struct Member {
    name: &'static str,
    bytes: Vec<u8>,
}

fn members(clip: &Clip) -> Vec<Member> {
    let skeleton = clip.skeleton();
    let (frames, joints, points) = (
        clip.frame_count(),
        clip.joint_count(),
        skeleton.point_count(),
    );
    let places = fk::world_points(clip);
    let positions = places.places().iter().flat_map(|p| p.to_array());
    let still = std::iter::repeat_n(Quat::IDENTITY, points - joints);
    let rotations = (0..frames)
        .flat_map(|f| clip.frame_rotations(f).iter().copied().chain(still.clone()))
        .flat_map(|q| q.to_array());
    let all = || (0..points as u32).map(PointIdx);
    let names: Vec<String> = all().map(|p| skeleton.point_name(p)).collect();
    let parents = all().map(|p| skeleton.point_parent(p).map_or(-1, |j| j.0 as i32));
    let mut out = vec![
        array(
            "positions.npy",
            "<f8",
            &[frames, points, 3],
            positions.flat_map(f64::to_le_bytes),
        ),
        array(
            "rotations.npy",
            "<f4",
            &[frames, points, 4],
            rotations.flat_map(f32::to_le_bytes),
        ),
        texts("names.npy", &names),
        array(
            "parents.npy",
            "<i4",
            &[points],
            parents.flat_map(i32::to_le_bytes),
        ),
        array(
            "rate_hz.npy",
            "<f8",
            &[],
            clip.rate_hz().to_le_bytes().into_iter(),
        ),
    ];
    if let Some(track) = clip.contacts() {
        let count = track.points().len();
        let stands = (0..frames).flat_map(|f| (0..count).map(move |p| u8::from(track.get(f, p))));
        out.push(array("contacts.npy", "|b1", &[frames, count], stands));
        let names: Vec<String> = track.points().iter().map(|p| p.name.clone()).collect();
        out.push(texts("contact_names.npy", &names));
    }
    out
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

/// One array of the archive.
fn array(
    name: &'static str,
    kind: &str,
    shape: &[usize],
    data: impl Iterator<Item = u8>,
) -> Member {
    let mut bytes = npy_header(kind, shape);
    bytes.extend(data);
    Member { name, bytes }
}

/// Text as NumPy keeps it: UTF-32, all of one width.
fn texts(name: &'static str, texts: &[String]) -> Member {
    let width = texts
        .iter()
        .map(|t| t.chars().count())
        .max()
        .unwrap_or(0)
        .max(1);
    let padded = texts.iter().flat_map(|text| {
        let letters = text.chars().map(u32::from);
        letters.chain(std::iter::repeat(0)).take(width)
    });
    let kind = format!("<U{width}");
    array(
        name,
        &kind,
        &[texts.len()],
        padded.flat_map(u32::to_le_bytes),
    )
}

/// 1 January 1980, the first day a zip file knows.
const DATE: u16 = 0x0021;
/// Version 2.0 is enough for stored members.
const VERSION: u16 = 20;

fn write_zip(sink: &mut dyn Write, members: &[Member]) -> io::Result<()> {
    let mut directory = Vec::new();
    let mut at = 0_u32;
    for member in members {
        let mut common = Vec::with_capacity(26);
        let size = (member.bytes.len() as u32).to_le_bytes();
        // Version, flags, method (stored), time, date, check sum, sizes, lengths of name and extra field.
        for word in [VERSION, 0, 0, 0, DATE] {
            common.extend_from_slice(&word.to_le_bytes());
        }
        common.extend_from_slice(&crc32(&member.bytes).to_le_bytes());
        common.extend_from_slice(&size);
        common.extend_from_slice(&size);
        common.extend_from_slice(&(member.name.len() as u16).to_le_bytes());
        common.extend_from_slice(&[0, 0]);

        sink.write_all(b"PK\x03\x04")?;
        sink.write_all(&common)?;
        sink.write_all(member.name.as_bytes())?;
        sink.write_all(&member.bytes)?;

        directory.extend_from_slice(b"PK\x01\x02");
        directory.extend_from_slice(&VERSION.to_le_bytes());
        directory.extend_from_slice(&common);
        // Comment length, disk, internal and external attributes: all zero.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&at.to_le_bytes());
        directory.extend_from_slice(member.name.as_bytes());
        at += (30 + member.name.len() + member.bytes.len()) as u32;
    }
    sink.write_all(&directory)?;
    sink.write_all(b"PK\x05\x06\0\0\0\0")?;
    let count = (members.len() as u16).to_le_bytes();
    sink.write_all(&[count, count].concat())?;
    sink.write_all(&(directory.len() as u32).to_le_bytes())?;
    sink.write_all(&at.to_le_bytes())?;
    sink.write_all(&[0, 0])
}

/// CRC-32 of zip files (reflected polynomial 0xEDB88320), by a table made at compile time.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut value = i as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 == 1 {
                    0xEDB8_8320 ^ (value >> 1)
                } else {
                    value >> 1
                };
                bit += 1;
            }
            table[i] = value;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(u32::MAX, |crc, &b| {
        TABLE[((crc ^ u32::from(b)) & 0xFF) as usize] ^ (crc >> 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sum_of_the_standard_words() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn headers_are_padded_to_64() {
        let member = array("x.npy", "<f8", &[3, 4], std::iter::empty());
        assert_eq!(member.bytes.len() % 64, 0);
        assert_eq!(member.bytes.last(), Some(&b'\n'));
    }
}
