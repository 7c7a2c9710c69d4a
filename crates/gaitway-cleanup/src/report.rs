//! What planting did.

use serde::{Deserialize, Serialize};

/// A plant that was enforced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnforcedPlant {
    /// Which contact point.
    pub point: String,
    /// First frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// Begin, in seconds.
    pub start_s: f64,
    /// End, in seconds.
    pub end_s: f64,
    /// Where the point is held, in the world, in metres.
    pub place: [f64; 3],
    /// How far that is from the mean of where the point was, in metres.
    pub moved_m: f64,
    /// The largest distance of the point from its place, in metres: what no leg could reach.
    pub residual_m: f64,
}

/// Why a stretch of contact is not held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// Shorter than the shortest plant.
    TooShort,
    /// The foot would have to be in two places: let go between them.
    Conflict,
    /// The point is not on a foot that hangs on a leg: left alone.
    NotAFoot,
}

/// A stretch of contact that was not enforced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedPlant {
    /// Which contact point.
    pub point: String,
    /// First frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// Why.
    pub reason: SkipReason,
}

/// A knee that was captured bending backwards, and was straightened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverextendedKnee {
    /// Its joint.
    pub joint: String,
    /// In how many frames.
    pub frames: usize,
    /// The frame in which it was bent backwards most.
    pub worst_frame: usize,
    /// By how much, in degrees.
    pub most_deg: f64,
}

/// A step that was put in where a foot would have slid from one plant to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakenStep {
    /// `left` or `right`.
    pub foot: String,
    /// First frame in which the foot is not held.
    pub start: usize,
    /// The frame in which it is held again.
    pub end: usize,
    /// How far it goes, in metres.
    pub distance_m: f64,
    /// How high the toe is lifted, in metres.
    pub rise_m: f64,
}

/// What planting did to a motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlantReport {
    /// Plants that are held, by start.
    pub plants: Vec<EnforcedPlant>,
    /// Contact that is not held, by start.
    pub skipped: Vec<SkippedPlant>,
    /// Steps put in at transitions, by start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TakenStep>,
    /// The largest of the plants' residuals, in metres.
    pub worst_residual_m: f64,
    /// How far the pelvis moved (the middle between the hips) on average, in metres.
    pub root_moved_mean_m: f64,
    /// The same at most.
    pub root_moved_max_m: f64,
    /// How far the pelvis was tilted to the side at most, in degrees.
    #[serde(default)]
    pub tilt_max_deg: f64,
    /// Knees that were captured bending backwards, by more than a degree.
    #[serde(default)]
    pub overextended: Vec<OverextendedKnee>,
    /// The most a leg was stretched: 1.01 is one per cent, and written as such.
    #[serde(rename = "stretch_max_percent", with = "percent")]
    pub stretch_max: f64,
    /// Part of the frames in which a leg is stretched by more than a ten-thousandth.
    pub stretched_frames: f64,
    /// Part of the frames in which anything changed.
    pub changed_frames: f64,
}

/// A ratio as reports write it: by how many per cent it is more than 1.
mod percent {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(ratio: &f64, to: S) -> Result<S::Ok, S::Error> {
        (100.0 * (ratio - 1.0)).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
        f64::deserialize(from).map(|percent| 1.0 + percent / 100.0)
    }
}
