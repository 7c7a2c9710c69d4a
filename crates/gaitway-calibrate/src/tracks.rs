//! Sensors as matrices, which is what sums over frames need.

use gaitway_io::SensorClip;
use glam::{DMat3, DVec3};

/// One sample of a rigid body: world from body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Where its origin is, metres.
    pub place: DVec3,
    /// How it is turned.
    pub turn: DMat3,
    /// Whether it was seen.
    pub seen: bool,
}

/// A rigid body over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// One sample per frame.
    pub poses: Vec<Sample>,
}

impl Track {
    /// One sensor of a clip.
    pub fn of(clip: &SensorClip, sensor: usize) -> Self {
        let hidden = Sample {
            place: DVec3::ZERO,
            turn: DMat3::IDENTITY,
            seen: false,
        };
        let sample = |frame: usize| {
            clip.at(frame, sensor).map_or(hidden, |pose| Sample {
                place: pose.place,
                turn: DMat3::from_quat(pose.turn),
                seen: true,
            })
        };
        Self {
            poses: (0..clip.frames).map(sample).collect(),
        }
    }

    /// In how many frames it was seen.
    pub fn seen(&self) -> usize {
        self.poses.iter().filter(|p| p.seen).count()
    }
}
