//! Sensors as NumPy arrays in a zip file, as `numpy.savez` writes it.
//!
//! | array | shape | type |
//! | --- | --- | --- |
//! | `positions` | frames × sensors × 3 | f4 or f8, metres, Y up; NaN in gaps |
//! | `rotations` | frames × sensors × 4 | f4 or f8, x y z w, world from sensor |
//! | `rate_hz` | none | f4 or f8 |
//! | `names` | sensors | text; may be missing |

use std::io::{Cursor, Read};

use glam::{DQuat, DVec3};
use zip::ZipArchive;

use gaitway_core::{Warnings, limits};

use super::clip::unit_quaternion;
use super::{SensorClip, SensorPose};
use crate::error::ReadError;

/// Most bytes of one array: an hour of fifty sensors at 240 Hz has half of it.
const MOST_BYTES: u64 = 4 << 30;

/// Reads an archive.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    rate_hz: Option<f64>,
) -> Result<SensorClip, ReadError> {
    let mut zip = ZipArchive::new(Cursor::new(bytes))
        .map_err(|e| ReadError::content(file, format!("is no zip file: {e}")))?;
    if zip.index_for_name("parents.npy").is_some() {
        return Err(ReadError::content(
            file,
            "holds the motion of a skeleton (`parents`), not sensors",
        )
        .with_hint("its rotations are local; `calibrate CLIP.bvh --virtual sensors` makes sensors of a clip"));
    }
    let positions =
        array(file, &mut zip, "positions", bytes.len())?.ok_or_else(|| missing(file))?;
    let rotations =
        array(file, &mut zip, "rotations", bytes.len())?.ok_or_else(|| missing(file))?;
    let wrong = |what: &str, shape: &[usize]| {
        ReadError::content(
            file,
            format!("expected `{what}`, found the shape {shape:?}"),
        )
    };
    let &[frames, sensors, 3] = positions.shape.as_slice() else {
        return Err(wrong("positions: frames × sensors × 3", &positions.shape));
    };
    if rotations.shape != [frames, sensors, 4] {
        return Err(wrong("rotations: frames × sensors × 4", &rotations.shape));
    }
    let names = match array(file, &mut zip, "names", bytes.len())? {
        Some(names) if names.texts.len() == sensors => names.texts,
        _ => (1..=sensors).map(|k| format!("sensor{k}")).collect(),
    };
    let said = array(file, &mut zip, "rate_hz", bytes.len())?;
    let said = said.and_then(|a| a.numbers.first().copied());
    let rate = rate_hz.or(said).ok_or_else(|| {
        ReadError::content(file, "holds no `rate_hz`").with_hint("give it: --source-fps 100")
    })?;
    limits::rate(rate).map_err(|e| ReadError::content(file, e.to_string()))?;
    let mut poses = Vec::with_capacity(frames * sensors);
    for k in 0..frames * sensors {
        let p = &positions.numbers[3 * k..3 * k + 3];
        let q = &rotations.numbers[4 * k..4 * k + 4];
        if p.iter().chain(q).any(|v| !v.is_finite()) {
            poses.push(None);
            continue;
        }
        let place = DVec3::new(p[0], p[1], p[2]);
        let at = || format!("frame {}, sensor {}", k / sensors, k % sensors);
        limits::places(place.to_array())
            .map_err(|e| ReadError::content(file, format!("{}: {e}", at())))?;
        let turn = DQuat::from_xyzw(q[0], q[1], q[2], q[3]);
        let turn = unit_quaternion(turn).ok_or_else(|| {
            let found = turn.length();
            ReadError::content(
                file,
                format!(
                    "{}: expected a quaternion of length 1, found {found:.3}",
                    at()
                ),
            )
        })?;
        poses.push(Some(SensorPose { place, turn }));
    }
    if poses.is_empty() {
        return Err(ReadError::content(file, "holds no samples"));
    }
    Ok(SensorClip {
        names: unique(names),
        rate_hz: rate,
        frames,
        poses,
        warnings: Warnings::new(),
    })
}

fn missing(file: &str) -> ReadError {
    ReadError::content(file, "holds no arrays `positions` and `rotations`")
        .with_hint("numpy.savez(FILE, positions=…, rotations=…, rate_hz=…, names=…)")
}

fn unique(names: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(names.len());
    for (k, name) in names.into_iter().enumerate() {
        let free = !name.is_empty() && !out.contains(&name);
        out.push(if free {
            name
        } else {
            format!("sensor{}", k + 1)
        });
    }
    out
}

struct Array {
    shape: Vec<usize>,
    numbers: Vec<f64>,
    texts: Vec<String>,
}

/// One member of the archive, `None` where it is not there.
fn array(
    file: &str,
    zip: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    size: usize,
) -> Result<Option<Array>, ReadError> {
    let Some(index) = zip.index_for_name(&format!("{name}.npy")) else {
        return Ok(None);
    };
    let wrong = |what: String| ReadError::content(file, format!("array `{name}`: {what}"));
    let mut member = zip.by_index(index).map_err(|e| {
        wrong(e.to_string()).with_hint("write it uncompressed: numpy.savez, not savez_compressed")
    })?;
    // Stored members are no longer than the file, whatever their header claims.
    let most = MOST_BYTES.min(size as u64);
    let mut bytes = Vec::new();
    member
        .by_ref()
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|e| wrong(e.to_string()))?;
    parse(&bytes).map(Some).map_err(wrong)
}

/// NumPy's format 1.0 to 3.0: magic, a header that is a dictionary of Python, numbers.
fn parse(bytes: &[u8]) -> Result<Array, String> {
    let body = bytes
        .strip_prefix(b"\x93NUMPY")
        .ok_or("is no NumPy array")?;
    let (head, data) = match body {
        [1, _, a, b, rest @ ..] => {
            let length = usize::from(u16::from_le_bytes([*a, *b]));
            rest.split_at_checked(length)
        }
        [2 | 3, _, a, b, c, d, rest @ ..] => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            rest.split_at_checked(length)
        }
        _ => None,
    }
    .ok_or("its header is cut short")?;
    let head = String::from_utf8_lossy(head);
    let after = |key: &str| {
        let at = head.find(key)? + key.len();
        Some(head[at..].trim_start_matches([':', ' ', '\'', '"']))
    };
    let kind: String = after("'descr'")
        .ok_or("its header names no type")?
        .chars()
        .take_while(|c| !"'\",".contains(*c))
        .collect();
    if after("'fortran_order'").is_some_and(|v| v.starts_with("True")) {
        return Err("is in Fortran order; numpy.ascontiguousarray makes it ours".into());
    }
    let shape = after("'shape'").ok_or("its header names no shape")?;
    let shape = shape.trim_start_matches('(');
    let shape: Vec<usize> = shape[..shape.find(')').ok_or("its header has no end")?]
        .split(',')
        .map(str::trim)
        .filter(|t| !t.is_empty())
        .map(|t| t.parse::<usize>().map_err(|_| format!("`{t}` is no size")))
        .collect::<Result<_, _>>()?;
    let count = shape
        .iter()
        .try_fold(1_usize, |a, &b| a.checked_mul(b))
        .ok_or("its shape is too large")?;
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    let width = match kind.as_str() {
        "<f8" => 8,
        "<f4" => 4,
        k if k.starts_with("<U") => {
            4 * k[2..].parse::<usize>().map_err(|_| format!("type `{k}`"))?
        }
        other => return Err(format!("is of type `{other}`; f4 or f8 are read")),
    };
    let needed = count.checked_mul(width).ok_or("its shape is too large")?;
    if data.len() < needed {
        return Err(format!("holds {} of {needed} bytes", data.len()));
    }
    let data = &data[..needed];
    match kind.as_str() {
        "<f8" => {
            let number = |c: &[u8]| f64::from_le_bytes(c.try_into().unwrap_or_default());
            numbers = data.chunks_exact(8).map(number).collect();
        }
        "<f4" => {
            let number = |c: &[u8]| f64::from(f32::from_le_bytes(c.try_into().unwrap_or_default()));
            numbers = data.chunks_exact(4).map(number).collect();
        }
        _ if width > 0 => {
            let letter = |c: &[u8]| {
                let code = u32::from_le_bytes(c.try_into().unwrap_or_default());
                char::from_u32(code).unwrap_or('\u{fffd}')
            };
            let text = |t: &[u8]| {
                let letters: String = t.chunks_exact(4).map(letter).collect();
                letters.trim_end_matches('\0').to_owned()
            };
            texts = data.chunks_exact(width).map(text).collect();
        }
        _ => {}
    }
    Ok(Array {
        shape,
        numbers,
        texts,
    })
}
