//! How good a motion is, in numbers with units: skating feet, pops, stretched limbs, feet in the floor or
//! above it, seams of loops.
//!
//! | number | what it is |
//! | --- | --- |
//! | `skate_cm_s` | horizontal speed of planted points; two frames at each border of a plant are left out when contacts were detected here |
//! | `worst_plant_cm` | largest distance of a planted point from its plant's mean place |
//! | `accel_m_s2` | acceleration of joints in the world, second differences; joints below the wrists left out (captured fingers are noise) |
//! | `stretch` | length of a bone over its rest length |
//! | `penetration_cm` | `max`: depth of the lowest point of the body below the lowest level of the floor; `feet`: of a point of a foot below the level its toe stands on, or below the lowest one while it does not stand |
//! | `glides` | stretches in which a toe goes low over the floor without being lifted ([`gaitway_core::contacts::glide`]), whether it is said to stand or not; `slides` are those that are no low swings; `near` and `away` from transitions where those are known |
//! | `float_cm` | height of the lowest point of the body above its level while a foot is said to stand |
//!
//! A number that cannot be told (no feet, too few frames) is `null` in JSON, and [`QualityLimits::check`] counts
//! a bar on it as exceeded: what was not measured did not pass.

mod against;
mod body;
mod glide;
mod limits;
pub(crate) mod pops;
mod seam;
mod skate;
#[cfg(feature = "draw")]
mod standard;
mod table;
pub mod trace;
mod words;

use gaitway_core::contacts::{self, ContactError, ContactOptions, Detection};
use gaitway_core::fk::{self, WorldPoints};
use gaitway_core::{Clip, ContactTrack, PointIdx, ground};
use serde::{Deserialize, Serialize};

pub use against::quality_against;
pub use glide::{GlideRate, Glides, Slides};
pub use limits::{Exceeded, QualityLimits};
#[cfg(feature = "draw")]
pub use standard::{PathFigures, bar_rows};
pub use table::{Table, table};
pub use words::{feet_words, feet_words_changed};

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityOptions {
    /// The file the numbers are for, as the user named it; the clip's name when empty.
    pub file: String,
    /// How to find contacts where none are given.
    pub contacts: ContactOptions,
    /// Also look at the seam from the last frame to the first.
    pub loop_seam: bool,
    /// The 99.9th percentile of joint acceleration in the captured source, in m/s², to hold pops against;
    /// without it the clip's own.
    pub source_accel_p999: Option<f64>,
    /// Where transitions are, in seconds, in a motion made of clips; `None` where nobody knows.
    pub transitions: Option<Vec<f64>>,
    /// The most events of a kind that are listed, worst first.
    pub most_events: usize,
}

impl Default for QualityOptions {
    fn default() -> Self {
        Self {
            file: String::new(),
            contacts: ContactOptions::default(),
            loop_seam: false,
            source_accel_p999: None,
            transitions: None,
            most_events: 20,
        }
    }
}

/// Mean and 95th percentile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanP95 {
    /// Mean over all samples.
    pub mean: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
}

/// 99.9th percentile and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct P999Max {
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
}

/// Mean and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanMax {
    /// Mean over all samples.
    pub mean: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
}

/// How deep something is in the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Penetration {
    /// The lowest point of the body below the lowest level.
    pub max: Option<f64>,
    /// The lowest point of a foot below its own level; `null` without feet.
    #[serde(default)]
    pub feet: Option<f64>,
}

/// A maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Max {
    /// Largest.
    pub max: Option<f64>,
}

/// Lengths of bones over their rest lengths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoneStretch {
    /// Largest ratio; 1 where nothing stretches. Written in per cent, 0 where nothing does.
    #[serde(rename = "max_percent", with = "percent")]
    pub max: f64,
    /// Smallest ratio; 1 where nothing shrinks. Written in per cent, below 0 where something does.
    #[serde(rename = "min_percent", with = "percent")]
    pub min: f64,
    /// Part of the frames in which some bone is off by more than 0.1 %.
    pub frames: f64,
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

/// Where contacts came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactsSource {
    /// With the clip or by the user.
    Given,
    /// Found in the clip.
    Detected,
    /// There are none; `reason` says why.
    None,
}

/// Contacts in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactsSummary {
    /// Where they came from.
    pub source: ContactsSource,
    /// Names of the points looked at.
    pub points: Vec<String>,
    /// Number of plants.
    pub plants: usize,
    /// Part of the frames in which nothing stands.
    pub airborne: Option<f64>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One plant and how still it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlantQuality {
    /// Which point stands.
    pub point: String,
    /// Begin, in seconds.
    pub start_s: f64,
    /// End, in seconds.
    pub end_s: f64,
    /// Mean horizontal speed; `null` where too few frames are left inside the borders.
    pub skate_cm_s: Option<f64>,
    /// Largest distance from the plant's mean place.
    pub moved_cm: Option<f64>,
    /// The detector's confidence, for detected plants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// Something to look at, with its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// `skate`, `slide`, `low swing`, `pop`, `penetration` or `float`.
    pub kind: String,
    /// Begin, in seconds.
    pub start_s: f64,
    /// End, in seconds.
    pub end_s: f64,
    /// Joint or contact point.
    pub point: String,
    /// The worst value within.
    pub value: f64,
    /// Its unit: `cm/s`, `cm` or `m/s2`.
    pub unit: String,
}

/// The seam of a loop: the first frame, brought to where the last one leads, against where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopSeam {
    /// Largest distance of a joint from where it should be.
    pub position_cm: f64,
    /// Largest change of a joint's velocity.
    pub velocity_m_s: f64,
}

/// All numbers about one clip. The names of fields are part of the file format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// The file or clip.
    pub file: String,
    /// Number of frames.
    pub frames: usize,
    /// Frames a second.
    pub rate_hz: f64,
    /// How long it plays.
    pub seconds: f64,
    /// Travel over the ground.
    pub speed_m_s: MeanMax,
    /// Horizontal speed of planted points.
    pub skate_cm_s: MeanP95,
    /// The largest distance of a planted point from its plant's mean.
    pub worst_plant_cm: Option<f64>,
    /// Toes that go low over the floor without being lifted; `null` without feet.
    #[serde(default)]
    pub glides: Option<Glides>,
    /// Acceleration of joints.
    pub accel_m_s2: P999Max,
    /// Largest acceleration over the source's 99.9th percentile (the clip's own without a source).
    pub pop_ratio: Option<f64>,
    /// Acceleration of the joints' turning.
    pub angular_accel_rad_s2: P999Max,
    /// How fast a knee bends or straightens at most.
    pub knee_velocity_rad_s: Max,
    /// Bones against their rest lengths.
    pub stretch: BoneStretch,
    /// Longest less shortest length of one bone over the clip.
    pub limb_drift_mm: f64,
    /// Depth below the floor.
    pub penetration_cm: Penetration,
    /// Height above the floor while a foot is said to stand.
    pub float_cm: MeanMax,
    /// Main level of the floor.
    pub floor_m: f64,
    /// All levels of the floor, ascending.
    pub floor_levels_m: Vec<f64>,
    /// Contacts in short.
    pub contacts: ContactsSummary,
    /// The seam of the loop, where asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_seam: Option<LoopSeam>,
    /// Every plant.
    pub plants: Vec<PlantQuality>,
    /// What to look at.
    pub events: Vec<Event>,
}

/// Measures a clip. Contacts that are given are taken as they are; without them the clip's own are taken, and
/// without those they are detected.
pub fn quality(clip: &Clip, contacts: Option<&ContactTrack>, options: &QualityOptions) -> Quality {
    let world = fk::world_points(clip);
    let detection = contacts::detect_in(clip, &world, &options.contacts);
    let fits = |t: &&ContactTrack| {
        let points = clip.skeleton().point_count();
        t.frame_count() == clip.frame_count() && t.points().iter().all(|p| p.point.index() < points)
    };
    let given = contacts.or(clip.contacts()).filter(fits);
    measure(clip, &world, given, detection, options)
}

/// What the parts of the measurement share.
struct Measured<'a> {
    clip: &'a Clip,
    world: &'a WorldPoints,
    track: Option<&'a ContactTrack>,
    /// Ascending, never empty.
    levels: Vec<f64>,
    /// Contact points that were looked at, and how high they sit in a standing foot.
    soles: Vec<(PointIdx, f64)>,
}

fn measure(
    clip: &Clip,
    world: &WorldPoints,
    given: Option<&ContactTrack>,
    detection: Result<Detection, ContactError>,
    options: &QualityOptions,
) -> Quality {
    let (levels, floor_m) = match &detection {
        Ok(found) => (found.floor.levels.clone(), found.floor.main_height()),
        Err(_) => {
            let floor = ground::floor_height_in(clip, world);
            (vec![floor], floor)
        }
    };
    let track = given.or(detection.as_ref().ok().map(|d| &d.track));
    let measured = Measured {
        clip,
        world,
        track,
        levels,
        soles: detection.as_ref().map_or(Vec::new(), soles),
    };
    let detected = given.is_none().then(|| detection.as_ref().ok()).flatten();
    let skate = skate::measure(&measured, detected);
    let glides = glide::measure(&measured, detection.as_ref().ok());
    let pops = pops::measure(&measured);
    let ground = body::ground(&measured);
    let (stretch, limb_drift_mm) = body::stretch(clip);
    let source = options.source_accel_p999.or(pops.accel.p999);
    let pop_limit = match options.source_accel_p999 {
        Some(usual) => Some(pops::POP_TIMES * usual),
        None => pops.usual_limit,
    };
    let mut events = skate.events(options.most_events);
    let found = detection.as_ref().ok();
    events.extend(glide::events(
        &glides,
        found,
        clip.rate_hz(),
        options.most_events,
    ));
    events.extend(pops.events(clip, pop_limit, options.most_events));
    events.extend(body::events(&measured, options.most_events));
    Quality {
        file: if options.file.is_empty() {
            clip.name().to_owned()
        } else {
            options.file.clone()
        },
        frames: clip.frame_count(),
        rate_hz: clip.rate_hz(),
        seconds: clip.seconds(),
        speed_m_s: body::speed(clip),
        skate_cm_s: skate.speeds,
        worst_plant_cm: skate.worst_plant_cm,
        // Where nothing ever stands, no height says what is low.
        glides: detection
            .as_ref()
            .is_ok_and(|d| !d.plants.is_empty())
            .then(|| Glides::of(&glides, clip, options.transitions.as_deref())),
        accel_m_s2: pops.accel,
        pop_ratio: match (pops.accel.max, source) {
            (Some(max), Some(source)) if source > 0.0 => Some(max / source),
            _ => None,
        },
        angular_accel_rad_s2: pops.angular,
        knee_velocity_rad_s: pops.knee,
        stretch,
        limb_drift_mm,
        penetration_cm: ground.penetration,
        float_cm: ground.float,
        floor_m,
        floor_levels_m: measured.levels.clone(),
        contacts: summary(&measured, given.is_some(), &detection, skate.plants.len()),
        loop_seam: options.loop_seam.then(|| seam::measure(clip)).flatten(),
        plants: skate.plants,
        events,
    }
}

fn soles(found: &Detection) -> Vec<(PointIdx, f64)> {
    let points = found.track.points().iter().map(|p| p.point);
    points
        .zip(found.floor.sole_heights.iter().copied())
        .collect()
}

fn summary(
    measured: &Measured<'_>,
    given: bool,
    detection: &Result<Detection, ContactError>,
    plants: usize,
) -> ContactsSummary {
    let airborne = |track: &ContactTrack| {
        let none = track.masks().iter().filter(|m| **m == 0).count();
        none as f64 / track.frame_count().max(1) as f64
    };
    let names = |track: &ContactTrack| track.points().iter().map(|p| p.name.clone()).collect();
    ContactsSummary {
        source: match (given, detection) {
            (true, _) => ContactsSource::Given,
            (false, Ok(_)) => ContactsSource::Detected,
            (false, Err(_)) => ContactsSource::None,
        },
        points: measured.track.map_or(Vec::new(), names),
        plants,
        airborne: measured.track.map(airborne),
        reason: match (given, detection) {
            (false, Err(why)) => Some(why.to_string()),
            _ => None,
        },
    }
}

/// The value below which a fraction of the samples lies.
fn quantile(samples: &mut [f64], fraction: f64) -> Option<f64> {
    if samples.is_empty() {
        return None;
    }
    let at = ((samples.len() - 1) as f64 * fraction).round() as usize;
    Some(*samples.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// The largest sample.
fn largest(samples: &[f64]) -> Option<f64> {
    samples.iter().copied().max_by(f64::total_cmp)
}

/// The mean sample.
fn mean(samples: &[f64]) -> Option<f64> {
    (!samples.is_empty()).then(|| samples.iter().sum::<f64>() / samples.len() as f64)
}

/// Sorts by value, worst first, and keeps the first few.
fn worst_first(mut events: Vec<Event>, most: usize) -> Vec<Event> {
    events.sort_by(|a, b| b.value.total_cmp(&a.value));
    events.truncate(most);
    events
}
