//! Sensors: rigid bodies with a place and a rotation, as magnetic and inertial systems record them. Read from text of 4 × 4
//! matrices (one sensor a file), CSV and NPZ.

mod arrays;
mod clip;
mod matrices;
mod table;

use std::path::Path;

use crate::{Bytes, ReadError};

pub use clip::{SensorClip, SensorPose};
pub use table::write_table;

/// Rate of text of matrices, which says none: what the trackers that write it commonly run at.
pub const MATRICES_RATE_HZ: f64 = 100.0;

/// Whether a name looks like a file of sensors.
pub fn is_sensor_file(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    ["traj", "csv", "npz"].contains(&extension.to_ascii_lowercase().as_str())
}

/// Reads the sensors of one file: `.csv`, `.npz`, or text of matrices under any other name. `rate_hz` overrules what the file
/// says.
///
/// # Errors
/// Where and why the file holds no sensors.
pub fn read_sensors(path: &Path, rate_hz: Option<f64>) -> Result<SensorClip, ReadError> {
    let bytes = Bytes::of(path)?;
    let file = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let stem = path
        .file_stem()
        .map_or("sensor".to_owned(), |s| s.to_string_lossy().into_owned());
    match extension.to_ascii_lowercase().as_str() {
        "csv" => table::read(&file, &bytes, rate_hz),
        "npz" => arrays::read(&file, &bytes, rate_hz),
        _ => matrices::read(&file, &bytes, &stem, rate_hz),
    }
}

/// Sensors of several files beside one another, as long as the shortest.
///
/// # Errors
/// When the files' rates differ.
pub fn join(clips: Vec<(String, SensorClip)>) -> Result<SensorClip, ReadError> {
    clip::join(clips)
}
