//! Tracks of rigid bodies as arrays.

use glam::{DQuat, DVec3};

use gaitway_core::{WarningCode, Warnings};

use crate::ReadError;

/// Where a sensor is and how it is turned: world from sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorPose {
    /// Its origin, in metres.
    pub place: DVec3,
    /// Its rotation, of unit length.
    pub turn: DQuat,
}

/// Recorded sensors, frame-major, with gaps. Metres, Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorClip {
    /// The sensors' names, none twice.
    pub names: Vec<String>,
    /// Frames a second.
    pub rate_hz: f64,
    /// Number of frames.
    pub frames: usize,
    /// Frame 0's sensors, then frame 1's; `None` in gaps.
    pub poses: Vec<Option<SensorPose>>,
    /// What the reader found and repaired.
    pub warnings: Warnings,
}

impl SensorClip {
    /// Number of sensors.
    pub fn sensor_count(&self) -> usize {
        self.names.len()
    }

    /// Where a sensor is in a frame; `None` in a gap.
    pub fn at(&self, frame: usize, sensor: usize) -> Option<SensorPose> {
        *self.poses.get(frame * self.names.len() + sensor)?
    }

    /// Frames over rate.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate_hz
    }
}

/// Sensors beside one another.
pub(super) fn join(clips: Vec<(String, SensorClip)>) -> Result<SensorClip, ReadError> {
    let mut clips = clips.into_iter();
    let Some((first_file, mut out)) = clips.next() else {
        return Err(ReadError::content("sensors", "no file was given"));
    };
    for (file, next) in clips {
        if (next.rate_hz / out.rate_hz - 1.0).abs() > 1e-6 {
            let message = format!(
                "has {} frames a second where {first_file} has {}",
                next.rate_hz, out.rate_hz
            );
            return Err(
                ReadError::content(file, message).with_hint("give one rate with --source-fps")
            );
        }
        let frames = out.frames.min(next.frames);
        if out.frames != next.frames {
            let message = format!(
                "{file} has {} frames where {first_file} has {}; all are cut to {frames}",
                next.frames, out.frames
            );
            out.warnings.add(WarningCode::FrameCount, message);
        }
        let (a, b) = (out.names.len(), next.names.len());
        let mut poses = Vec::with_capacity(frames * (a + b));
        for frame in 0..frames {
            poses.extend_from_slice(&out.poses[frame * a..(frame + 1) * a]);
            poses.extend_from_slice(&next.poses[frame * b..(frame + 1) * b]);
        }
        out.poses = poses;
        out.frames = frames;
        for name in next.names {
            let mut unique = name.clone();
            let mut number = 2;
            while out.names.contains(&unique) {
                unique = format!("{name} {number}");
                number += 1;
            }
            out.names.push(unique);
        }
        out.warnings.extend(next.warnings);
    }
    Ok(out)
}

/// A rotation from a matrix's columns that is one within rounding, or why it is not.
pub(super) fn rotation_of(columns: [DVec3; 3]) -> Result<DQuat, String> {
    /// Text of six digits is off by 1e-6; a matrix that is off by more than this is no rotation.
    const OFF: f64 = 0.02;
    let m = glam::DMat3::from_cols(columns[0], columns[1], columns[2]);
    let gram = m.transpose() * m;
    let off = (gram - glam::DMat3::IDENTITY)
        .to_cols_array()
        .iter()
        .fold(0.0_f64, |a, v| a.max(v.abs()));
    if off.is_nan() || off > OFF {
        return Err(format!(
            "columns that are not of length 1 and at right angles (off by {off:.3})"
        ));
    }
    if m.determinant() < 0.0 {
        return Err("a reflection (determinant −1): one axis points the wrong way".to_owned());
    }
    Ok(DQuat::from_mat3(&m).normalize())
}

/// A rotation from a quaternion of about unit length, `None` where it is none.
pub(super) fn unit_quaternion(q: DQuat) -> Option<DQuat> {
    let length = q.length();
    if (length - 1.0).abs() < 1e-12 {
        // Of unit length within rounding: the bits stay as they are.
        return Some(q);
    }
    (length.is_finite() && (length - 1.0).abs() < 0.05).then(|| q.normalize())
}
