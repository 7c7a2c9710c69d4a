//! What NumPy would read out of an NPZ file: a zip file with arrays that are not compressed.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::golden::{rounded, weighted_sum};

/// One row out of so many is kept as it is.
const EVERY: usize = 30;

/// Every array: type, shape, and its numbers by rows of the first index.
pub fn digest(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("a file");
    let mut out = Map::new();
    let mut rest = &bytes[..];
    while let Some(member) = rest.strip_prefix(b"PK\x03\x04") {
        let short = |at: usize| usize::from(u16::from_le_bytes([member[at], member[at + 1]]));
        assert_eq!(short(4), 0, "members are stored as they are");
        let size = short(14) | short(16) << 16;
        let (name, extra) = (short(22), short(24));
        let data = 26 + name + extra;
        let text = String::from_utf8_lossy(&member[26..26 + name]).into_owned();
        out.insert(text, array(&member[data..data + size]));
        rest = &member[data + size..];
    }
    assert!(rest.starts_with(b"PK\x01\x02"), "a directory follows");
    out.into()
}

fn array(bytes: &[u8]) -> Value {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length])
        .expect("text")
        .trim();
    let kind = header.split('\'').nth(3).expect("a type").to_owned();
    let shape = header.split(['(', ')']).nth(1).expect("a shape");
    let shape: Vec<usize> = shape
        .split(',')
        .filter_map(|n| n.trim().parse().ok())
        .collect();
    let data = &bytes[10 + length..];
    let mut out = json!({ "type": kind, "shape": shape });
    if let Some(width) = kind.strip_prefix("<U") {
        out["texts"] = texts(data, width.parse().expect("a width")).into();
        return out;
    }
    let values: Vec<f64> = match kind.as_str() {
        "<f8" => data
            .as_chunks()
            .0
            .iter()
            .map(|&b| f64::from_le_bytes(b))
            .collect(),
        "<f4" => data
            .as_chunks()
            .0
            .iter()
            .map(|&b| f32::from_le_bytes(b).into())
            .collect(),
        "<i4" => data
            .as_chunks()
            .0
            .iter()
            .map(|&b| i32::from_le_bytes(b).into())
            .collect(),
        "|b1" => data.iter().map(|&b| b.into()).collect(),
        other => panic!("an array of {other}"),
    };
    assert_eq!(values.len(), shape.iter().product::<usize>(), "{header}");
    assert!(values.iter().all(|v| v.is_finite()), "{header}");
    let width: usize = shape.iter().skip(1).product();
    let rows = values.chunks(width.max(1));
    if shape.len() < 2 {
        out["values"] = values
            .iter()
            .map(|&v| rounded(v))
            .collect::<Vec<f64>>()
            .into();
        return out;
    }
    // Places and rotations of a whole body: the first dozen numbers of a row are hips, spine and chest.
    let some = |row: &[f64]| {
        row.iter()
            .take(12)
            .map(|&v| rounded(v))
            .collect::<Vec<f64>>()
    };
    out["places"] = rows
        .clone()
        .step_by(EVERY)
        .map(some)
        .collect::<Vec<_>>()
        .into();
    out["sums"] = rows
        .map(|r| weighted_sum(r.iter().copied()))
        .collect::<Vec<f64>>()
        .into();
    out
}

/// UTF-32, all of one width, filled up with zeros.
fn texts(data: &[u8], width: usize) -> Vec<String> {
    let letters: Vec<u32> = data
        .as_chunks()
        .0
        .iter()
        .map(|&b| u32::from_le_bytes(b))
        .collect();
    let text = |word: &[u32]| {
        let letters = word.iter().take_while(|&&l| l != 0);
        letters.filter_map(|&l| char::from_u32(l)).collect()
    };
    letters.chunks(width).map(text).collect()
}
