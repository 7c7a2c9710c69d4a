//! Sensors as NumPy arrays in a zip file, as `numpy.savez` and `numpy.savez_compressed` write it.
//!
//! | array | shape | type |
//! | --- | --- | --- |
//! | `positions` | frames × sensors × 3 | f4 or f8, metres, Y up; NaN in gaps |
//! | `rotations` | frames × sensors × 4 | f4 or f8, x y z w, world from sensor |
//! | `rate_hz` | none | f4 or f8 |
//! | `names` | sensors | text; may be missing |

use glam::{DQuat, DVec3};

use gaitway_core::{Warnings, limits};

use super::clip::unit_quaternion;
use super::{SensorClip, SensorPose};
use crate::amass;
use crate::error::ReadError;
use crate::npz::read::Archive;

/// Reads an archive.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    rate_hz: Option<f64>,
) -> Result<SensorClip, ReadError> {
    let mut zip = Archive::open(file, bytes)?;
    if amass::holds_poses(&zip) {
        return Err(
            ReadError::content(file, "holds poses of a body model (AMASS), not sensors")
                .with_hint("it has its motion already: gaitway info FILE.npz"),
        );
    }
    if zip.has("parents") {
        return Err(ReadError::content(
            file,
            "holds the motion of a skeleton (`parents`), not sensors",
        )
        .with_hint("its rotations are local; `calibrate CLIP.bvh --virtual sensors` makes sensors of a clip"));
    }
    let positions = zip.array("positions")?.ok_or_else(|| missing(file))?;
    let rotations = zip.array("rotations")?.ok_or_else(|| missing(file))?;
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
    let (places, turns) = (positions.numbers(), rotations.numbers());
    if places.len() < 3 * frames * sensors || turns.len() < 4 * frames * sensors {
        return Err(ReadError::content(
            file,
            "expected numbers in `positions` and `rotations`, found text",
        ));
    }
    let names = match zip.array("names")? {
        Some(names) if names.texts().len() == sensors => names.texts().to_vec(),
        _ => (1..=sensors).map(|k| format!("sensor{k}")).collect(),
    };
    let said = zip.array("rate_hz")?;
    let said = said.and_then(|a| a.numbers().first().copied());
    let rate = rate_hz.or(said).ok_or_else(|| {
        ReadError::content(file, "holds no `rate_hz`").with_hint("give it: --source-fps 100")
    })?;
    limits::rate(rate).map_err(|e| ReadError::content(file, e.to_string()))?;
    let mut poses = Vec::with_capacity(frames * sensors);
    for k in 0..frames * sensors {
        let p = &places[3 * k..3 * k + 3];
        let q = &turns[4 * k..4 * k + 4];
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
