//! A table of sensors: a row per sample of a sensor, CSV.
//!
//! ```text
//! time_s,sensor,x,y,z,qx,qy,qz,qw
//! 0.00,pelvis,0.01,0.98,0.02,0,0,0,1
//! 0.00,thigh_l,0.11,0.75,0.02,0,0.1,0,0.995
//! 0.01,pelvis,…
//! ```
//!
//! Metres, Y up; quaternions world from sensor. Samples of one time are a frame; a sensor without a row in it has a gap.

use std::collections::BTreeMap;
use std::io::Write;

use glam::{DQuat, DVec3};

use gaitway_core::{Warnings, limits};

use super::clip::unit_quaternion;
use super::{SensorClip, SensorPose};
use crate::error::{Place, ReadError, shown};
use crate::lines::{csv_line, csv_text, number};

const COLUMNS: [&str; 9] = ["time_s", "sensor", "x", "y", "z", "qx", "qy", "qz", "qw"];
/// Samples that gaps may stand for, per row: tables in which every row has a time and a sensor of its own shall not fill the
/// memory.
const MOST_GROWTH: usize = 256;

/// Reads a table.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    rate_hz: Option<f64>,
) -> Result<SensorClip, ReadError> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| ReadError::content(file, "is not UTF-8 text"))?;
    let text = csv_text(text);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let head = reader
        .headers()
        .map_err(|e| broken(file, text, &e))?
        .clone();
    let columns = columns(file, &head)?;
    let mut names: Vec<String> = Vec::new();
    let mut rows: Vec<(f64, usize, SensorPose)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| broken(file, text, &e))?;
        let line = csv_line(text, record.position());
        let cell = |k: usize| record.get(columns[k]).unwrap_or("");
        let wrong = |expected: &str, found: &str| {
            let place = Place::Text { line, column: 1 };
            ReadError::syntax(file, place, expected, shown(found.as_bytes()))
        };
        let value = |k: usize| {
            number(cell(k).as_bytes())
                .ok_or_else(|| wrong(&format!("a number for `{}`", COLUMNS[k]), cell(k)))
        };
        let name = cell(1);
        if name.is_empty() {
            return Err(wrong("a sensor's name", name));
        }
        // A row of empty cells is a gap that was written down.
        if (2..9).all(|k| cell(k).is_empty()) {
            continue;
        }
        let time = value(0)?;
        let place = DVec3::new(value(2)?, value(3)?, value(4)?);
        limits::places(place.to_array()).map_err(|e| wrong(&e.expected, &e.found))?;
        let turn = DQuat::from_xyzw(value(5)?, value(6)?, value(7)?, value(8)?);
        let turn = unit_quaternion(turn).ok_or_else(|| {
            let found = format!("one of length {:.3}", turn.length());
            wrong("a quaternion of length 1", &found)
        })?;
        let sensor = names.iter().position(|n| n == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        rows.push((time, sensor, SensorPose { place, turn }));
    }
    if rows.is_empty() {
        return Err(ReadError::content(file, "the table has no samples"));
    }
    frames(file, names, rows, rate_hz)
}

fn frames(
    file: &str,
    names: Vec<String>,
    rows: Vec<(f64, usize, SensorPose)>,
    rate_hz: Option<f64>,
) -> Result<SensorClip, ReadError> {
    // Times as whole microseconds, so that printed digits do not make two frames of one.
    let key = |time: f64| (time * 1e6).round() as i64;
    let times: BTreeMap<i64, usize> = {
        let mut keys: Vec<i64> = rows.iter().map(|r| key(r.0)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().enumerate().map(|(i, t)| (t, i)).collect()
    };
    let frames = times.len();
    if frames.saturating_mul(names.len()) > rows.len().saturating_mul(MOST_GROWTH) {
        let message = format!(
            "{} rows make {frames} frames of {} sensors: times of one frame must be equal",
            rows.len(),
            names.len()
        );
        return Err(ReadError::content(file, message));
    }
    let mut poses = vec![None; frames * names.len()];
    for (time, sensor, pose) in &rows {
        let at = times[&key(*time)] * names.len() + sensor;
        if poses[at].is_some() {
            let message = format!("`{}` has two rows at {time} s", names[*sensor]);
            return Err(ReadError::content(file, message));
        }
        poses[at] = Some(*pose);
    }
    let rate = match rate_hz {
        Some(rate) => rate,
        None => measured_rate(file, times.keys().copied())?,
    };
    Ok(SensorClip {
        names,
        rate_hz: rate,
        frames,
        poses,
        warnings: Warnings::new(),
    })
}

/// The rate that the times say: the median step, so that a pause does not count.
fn measured_rate(file: &str, times: impl Iterator<Item = i64>) -> Result<f64, ReadError> {
    let times: Vec<i64> = times.collect();
    let mut steps: Vec<i64> = times.windows(2).map(|w| w[1] - w[0]).collect();
    steps.sort_unstable();
    let Some(step) = steps.get(steps.len() / 2) else {
        return Err(ReadError::content(file, "one frame says no rate")
            .with_hint("give it: --source-fps 100"));
    };
    let rate = 1e6 / *step as f64;
    limits::rate(rate).map_err(|e| ReadError::content(file, e.to_string()))?;
    // Times of three digits at 120 Hz say 125: the whole span says more.
    let span = (times[times.len() - 1] - times[0]) as f64;
    let whole = 1e6 * (times.len() - 1) as f64 / span;
    Ok(if (whole / rate - 1.0).abs() < 0.1 {
        whole
    } else {
        rate
    })
}

fn columns(file: &str, head: &csv::StringRecord) -> Result<[usize; 9], ReadError> {
    let mut out = [0; 9];
    for (k, wanted) in COLUMNS.iter().enumerate() {
        let found = head.iter().position(|h| h.eq_ignore_ascii_case(wanted));
        out[k] = found.ok_or_else(|| {
            let place = Place::Text { line: 1, column: 1 };
            let said = head.iter().take(12).collect::<Vec<_>>().join(",");
            ReadError::syntax(
                file,
                place,
                format!("a column `{wanted}`"),
                shown(said.as_bytes()),
            )
            .with_hint("sensors are a table of time_s,sensor,x,y,z,qx,qy,qz,qw")
        })?;
    }
    Ok(out)
}

fn broken(file: &str, text: &str, error: &csv::Error) -> ReadError {
    let line = csv_line(text, error.position());
    let place = Place::Text { line, column: 1 };
    ReadError::syntax(file, place, "a row of a table", error.to_string())
}

/// Writes a table that [`super::read_sensors`] reads again to the bit.
///
/// # Errors
/// What the sink says.
pub fn write_table(sink: &mut dyn Write, clip: &SensorClip) -> std::io::Result<()> {
    writeln!(sink, "{}", COLUMNS.join(","))?;
    for frame in 0..clip.frames {
        let time = frame as f64 / clip.rate_hz;
        for (sensor, name) in clip.names.iter().enumerate() {
            let Some(SensorPose { place, turn }) = clip.at(frame, sensor) else {
                continue;
            };
            let name = name.replace(['"', ',', '\n', '\r'], "_");
            writeln!(
                sink,
                "{time:.6},{name},{},{},{},{},{},{},{}",
                place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w
            )?;
        }
    }
    Ok(())
}
