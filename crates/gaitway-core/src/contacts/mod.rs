//! Which points of the body stand on something, and when.
//!
//! A point *stands* while it is slow and at the height at which it rests on some level of the floor. Neither
//! is known beforehand, so both are taken from the clip:
//!
//! 1. [`points`] finds the heel and the toe of each foot (hands and hips where asked).
//! 2. [`motion`](self) measures speeds over a window that suits the rate and the noise of the data.
//! 3. [`levels`] finds how high each point sits in a standing foot, and the levels feet come to rest on: one
//!    floor, or the steps of a stair.
//! 4. Speed and height, each with two thresholds (to begin and to go on), give plants; their borders are then
//!    moved to where the point leaves its place, and those of toes to where they are down.
//! 5. The floor is put to where the soles of planted feet are.
//!
//! Cost: one pass of forward kinematics and O(frames · window) per point, nothing allocated per frame.
//! Checked by: walkers with known contacts at 30 to 240 Hz, clean and with noise.
//!
//! ```
//! use gaitway_core::contacts::{ContactOptions, detect};
//! use gaitway_core::testing::{Walker, walking_clip};
//!
//! let clip = walking_clip(&Walker { seconds: 6.0, ..Walker::default() });
//! let found = detect(&clip, &ContactOptions::default())?;
//! assert_eq!(found.track.points()[0].name, "left_heel");
//! assert!(found.plants.iter().all(|plant| plant.confidence > 0.2));
//! # Ok::<(), gaitway_core::contacts::ContactError>(())
//! ```

pub mod glide;
#[cfg(test)]
mod glide_tests;
pub mod levels;
mod motion;
mod plants;
pub mod points;
mod rows;
mod soles;
#[cfg(test)]
mod tests;

use std::ops::Range;

use thiserror::Error;

use crate::anatomy::Anatomy;
use crate::fk::{self, WorldPoints};
use crate::{Clip, ContactPoint, ContactTrack, PointIdx};

pub use glide::{Glide, GlideKind, NearTransitions, glides};
pub use levels::FloorLevels;
pub use points::{Candidate, Kind};
pub use rows::{ContactRow, OverrideError, override_contacts};
pub use soles::{foot_points, standing_height};

use motion::PointMotion;

/// What to look for. The defaults suit people from 30 to 240 Hz.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactOptions {
    /// Shorter plants are dropped, in seconds. The stance of a sprinter lasts 0.1 s; 0.06 s is two frames
    /// at 30 Hz.
    pub min_plant_s: f64,
    /// Also look at the hands, where they touch a level the feet stand on.
    pub hands: bool,
    /// Also look at the hips: still, and lower than standing.
    pub hips: bool,
    /// The points to look at instead of those found in the skeleton.
    pub points: Option<Vec<ContactPoint>>,
    /// Heights of the floor in metres instead of those found in the clip.
    pub floor: Option<Vec<f64>>,
    /// The speed in m/s that parts standing from moving, instead of the clip's own.
    pub split_speed: Option<f64>,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            min_plant_s: 0.06,
            hands: false,
            hips: false,
            points: None,
            floor: None,
            split_speed: None,
        }
    }
}

/// The limits that were used, found in the clip unless given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// A plant begins below this speed, in m/s.
    pub enter_speed: f64,
    /// A plant goes on below this speed, in m/s.
    pub stay_speed: f64,
    /// A plant begins within this height of its level, in metres.
    pub enter_height: f64,
    /// A plant goes on within this height of its level, in metres.
    pub stay_height: f64,
    /// Estimated noise of a coordinate, in metres.
    pub noise: f64,
    /// Frames over which speed is measured, on either side.
    pub window: usize,
    /// The size of the body against a person with legs of 0.85 m; lengths and speeds above scale with it.
    pub scale: f64,
}

/// One stretch in which one point stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// Index into the track's points.
    pub point: usize,
    /// First frame to one past the last.
    pub frames: Range<usize>,
    /// From 0 (a guess) to 1 (slow, low and long beyond doubt).
    pub confidence: f64,
    /// The level it stands on, in metres.
    pub height: f64,
}

/// What stands when, and how that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// One bit per point and frame.
    pub track: ContactTrack,
    /// All plants, by start, then point.
    pub plants: Vec<Plant>,
    /// The levels of the floor, and how high each point sits in a standing foot.
    pub floor: FloorLevels,
    /// The limits used.
    pub thresholds: Thresholds,
    /// Points that a whole person has and this skeleton lacks, e.g. `right_heel`.
    pub missing: Vec<String>,
    /// Where the body is: its pelvis.
    pub body: PointIdx,
}

/// Why contacts cannot be told.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ContactError {
    /// Speeds need more than one frame; plants a few.
    #[error("{frames} frames are too few to detect contacts; at least {needed} are needed")]
    TooShort {
        /// How many there are.
        frames: usize,
        /// How many it takes.
        needed: usize,
    },
    /// Neither names nor shape give a foot.
    #[error(
        "no foot was found among the {joints} joints, neither by name nor by shape; name the joints with a contacts file"
    )]
    NoFeet {
        /// How many joints were looked at.
        joints: usize,
    },
    /// A point that was asked for is not in the skeleton.
    #[error("contact point `{name}` is point {point} of a skeleton that has {count}")]
    UnknownPoint {
        /// What the user calls it.
        name: String,
        /// Its index.
        point: u32,
        /// How many points the skeleton has.
        count: usize,
    },
}

/// Fewer frames than this cannot hold a plant with something on either side.
const LEAST_FRAMES: usize = 4;

/// Finds what stands when.
///
/// # Errors
/// When there are too few frames, no foot can be found, or a given point does not exist.
pub fn detect(clip: &Clip, options: &ContactOptions) -> Result<Detection, ContactError> {
    // Checked before kinematics, so that hopeless input costs nothing.
    check(clip, options)?;
    detect_in(clip, &fk::world_points(clip), options)
}

/// [`detect`] for points that are solved already.
///
/// # Errors
/// As [`detect`].
pub fn detect_in(
    clip: &Clip,
    world: &WorldPoints,
    options: &ContactOptions,
) -> Result<Detection, ContactError> {
    check(clip, options)?;
    let anatomy = Anatomy::of_clip(clip);
    let chosen = points::choose(clip.skeleton(), &anatomy, options)?;
    let scale = points::scale(clip.skeleton(), &anatomy);
    let rate = clip.rate_hz();
    let places: Vec<Vec<glam::DVec3>> = chosen
        .iter()
        .map(|c| world.track(c.point).collect())
        .collect();
    let noise = motion::noise_of(&places);
    let window = motion::window_for(rate, noise, scale, clip.frame_count());
    let motions: Vec<PointMotion> = places
        .into_iter()
        .map(|p| PointMotion::new(p, rate, window))
        .collect();
    let scene = Scene {
        rate,
        scale,
        noise,
        chosen: &chosen,
        motions: &motions,
    };
    let mut floor = levels::find(&scene, clip, world, options.floor.as_deref());
    let thresholds = plants::thresholds(&scene, &floor, window, options.split_speed);
    let mut plants = plants::find(&scene, &floor, &thresholds, options.min_plant_s);
    if options.floor.is_none() {
        soles::settle(&scene, clip.skeleton(), world, &mut plants, &mut floor);
    }
    let mut track = ContactTrack::new(
        chosen.iter().map(Candidate::contact_point).collect(),
        clip.frame_count(),
    );
    for plant in &plants {
        for frame in plant.frames.clone() {
            track.set(frame, plant.point, true);
        }
    }
    let missing = points::missing(&chosen, options);
    Ok(Detection {
        track,
        plants,
        floor,
        thresholds,
        missing,
        body: Anatomy::of_clip(clip).pelvis.into(),
    })
}

fn check(clip: &Clip, options: &ContactOptions) -> Result<(), ContactError> {
    let (frames, count) = (clip.frame_count(), clip.skeleton().point_count());
    if frames < LEAST_FRAMES {
        let needed = LEAST_FRAMES;
        return Err(ContactError::TooShort { frames, needed });
    }
    let wrong = |p: &&ContactPoint| p.point.index() >= count;
    match options.points.iter().flatten().find(wrong) {
        None => Ok(()),
        Some(p) => Err(ContactError::UnknownPoint {
            name: p.name.clone(),
            point: p.point.0,
            count,
        }),
    }
}

/// What the steps of detection share.
struct Scene<'a> {
    rate: f64,
    scale: f64,
    noise: f64,
    chosen: &'a [Candidate],
    motions: &'a [PointMotion],
}

impl Scene<'_> {
    fn frames(&self) -> usize {
        self.motions.first().map_or(0, |m| m.places.len())
    }

    /// Seconds as a number of frames, at least `least`.
    fn frames_in(&self, seconds: f64, least: usize) -> usize {
        ((seconds * self.rate).round() as usize).max(least)
    }
}
