//! Text of poses: a 4 × 4 matrix per sample, world from sensor, metres, samples one after another.
//!
//! ```text
//! -0.445518  0.894531 0.0364453   1.20716
//! -0.573454 -0.316395  0.755675  0.836179
//!  0.687506  0.315767  0.653932     2.214
//!         0         0         0         1
//! ```

use glam::DVec3;

use gaitway_core::{WarningCode, Warnings, limits};

use super::clip::rotation_of;
use super::{MATRICES_RATE_HZ, SensorClip, SensorPose};
use crate::error::ReadError;
use crate::lines::{Line, Lines, number};

/// Reads one sensor's samples.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    name: &str,
    rate_hz: Option<f64>,
) -> Result<SensorClip, ReadError> {
    let mut warnings = Warnings::new();
    let blank = |line: &Line<'_>| line.bytes.trim_ascii().is_empty();
    let mut rows: Vec<[f64; 4]> = Vec::with_capacity(4);
    let mut poses = Vec::new();
    for line in Lines::new(bytes).filter(|l| !blank(l)) {
        rows.push(row(file, &line)?);
        if rows.len() < 4 {
            continue;
        }
        let last = rows[3];
        if last != [0.0, 0.0, 0.0, 1.0] {
            return Err(ReadError::syntax(
                file,
                line.place(0),
                "`0 0 0 1`, the last row of a pose",
                format!("`{} {} {} {}`", last[0], last[1], last[2], last[3]),
            ));
        }
        let column = |c: usize| DVec3::new(rows[0][c], rows[1][c], rows[2][c]);
        let turn = rotation_of([column(0), column(1), column(2)])
            .map_err(|found| ReadError::syntax(file, line.place(0), "a rotation", found))?;
        let place = column(3);
        limits::places(place.to_array())
            .map_err(|e| ReadError::syntax(file, line.place(0), e.expected, e.found))?;
        poses.push(Some(SensorPose { place, turn }));
        rows.clear();
    }
    if !rows.is_empty() {
        let message = format!(
            "the last sample has {} of 4 rows and was left out",
            rows.len()
        );
        warnings.add(WarningCode::PartialFrame, message);
    }
    if poses.is_empty() {
        return Err(ReadError::content(file, "the file has no poses")
            .with_hint("a pose is four rows of four numbers, the last 0 0 0 1"));
    }
    let rate = rate_hz.unwrap_or_else(|| {
        let message = format!("the file gives no rate; {MATRICES_RATE_HZ} Hz was assumed");
        let field = "assumed_rate_hz";
        warnings.add_value(WarningCode::Unusual, message, field, MATRICES_RATE_HZ);
        MATRICES_RATE_HZ
    });
    Ok(SensorClip {
        names: vec![name.to_owned()],
        rate_hz: rate,
        frames: poses.len(),
        poses,
        warnings,
    })
}

fn row(file: &str, line: &Line<'_>) -> Result<[f64; 4], ReadError> {
    let words: Vec<_> = line.words(|b| b.is_ascii_whitespace()).collect();
    let mut out = [0.0; 4];
    for (k, value) in out.iter_mut().enumerate() {
        let Some(word) = words.get(k) else {
            let expected = "four numbers, a row of a pose";
            return Err(ReadError::syntax(
                file,
                line.end(),
                expected,
                "the end of the line",
            ));
        };
        *value = number(word.bytes).ok_or_else(|| word.unexpected(file, "a number"))?;
    }
    match words.get(4) {
        Some(extra) => Err(extra.unexpected(file, "the end of the line after four numbers")),
        None => Ok(out),
    }
}
