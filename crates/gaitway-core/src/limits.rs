//! What numbers may be: places, lengths, rates and counts. Every door asks here (readers, graph files, paths, obstacles, flags, the
//! studio's requests), so that what is inside can be summed, squared and stored without a thought for overflow.
//!
//! | what | at most | why |
//! | --- | --- | --- |
//! | a place on the ground or a root's place | [`FARTHEST_M`] | any place on Earth in metres; `f64` still tells nanometres apart |
//! | an offset or a translation below the root | [`LONGEST_BONE_M`] | stored as `f32`, which is good to a millimetre there |
//! | frames a second | [`SLOWEST_HZ`] to [`FASTEST_HZ`] | slower is no motion, faster no camera |
//! | a heading | [`MOST_DEGREES`] | round and round, but still good to a millionth of a degree |
//! | a number in a file, before its unit is known | [`LARGEST_IN_FILE`] | squares and sums of it are still numbers |
//! | a path | [`LONGEST_PATH_M`], [`MOST_PATH_POINTS`] | an hour of walking; a point every few millimetres of it |
//! | obstacles of a request, and corners of them all | [`MOST_OBSTACLES`], [`MOST_CORNERS`] | each is asked for at every step of a search |
//! | people of a crowd | [`MOST_PEOPLE`] | each is searched by itself, and holds a motion |
//! | alternatives | [`MOST_ALTERNATIVES`] | as people |
//! | styles and actions along a path | [`MOST_STYLES`] | a search knows by 16 bits which one it is in |
//! | bytes by standard input | [`MOST_PIPED_BYTES`] | a pipe may never end |
//! | a motion | [`LONGEST_MOTION_S`] | it is held in memory: three hours are some gigabytes |

use std::fmt;

use thiserror::Error;

use crate::{Clip, Skeleton};

/// Farthest place from the origin along any axis, metres. Web Mercator reaches 20 037 508 m, UTM 10 000 000 m, and the
/// distance of two neighbouring `f64` there is 4 nm.
pub const FARTHEST_M: f64 = 2.5e7;
/// Longest offset or translation in a parent's frame, metres. They are `f32`, which has steps of 1 mm at 10 km; and a body in
/// tenths of millimetres that is taken for metres is no longer.
pub const LONGEST_BONE_M: f64 = 1e4;
/// Fewest frames a second.
pub const SLOWEST_HZ: f64 = 0.1;
/// Largest number in a file of text, in whatever unit it has: no length, angle or time needs more, and `f32` is far from its end.
pub const LARGEST_IN_FILE: f64 = 1e9;
/// Most frames a second: high-speed cameras reach it.
pub const FASTEST_HZ: f64 = 1e5;
/// Largest angle as typed, degrees.
pub const MOST_DEGREES: f64 = 1e5;
/// Longest path, metres: longer ones are a slip of the keyboard.
pub const LONGEST_PATH_M: f64 = 5_000.0;
/// Most bytes that are read from a pipe, whose end nobody can see ahead.
pub const MOST_PIPED_BYTES: u64 = 1 << 30;
/// Most points of a drawn path.
pub const MOST_PATH_POINTS: usize = 1_000_000;
/// Most obstacles.
pub const MOST_OBSTACLES: usize = 10_000;
/// Most corners of all polygons together.
pub const MOST_CORNERS: usize = 100_000;
/// Most people of a crowd.
pub const MOST_PEOPLE: usize = 10_000;
/// Most different walks along one path.
pub const MOST_ALTERNATIVES: usize = 100;
/// Most styles and actions along one path.
pub const MOST_STYLES: usize = 10_000;
/// Longest motion, seconds.
pub const LONGEST_MOTION_S: f64 = 10_800.0;

/// A number that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found}")]
pub struct OutOfLimits {
    /// What it may be.
    pub expected: String,
    /// What it is, and where.
    pub found: String,
}

impl OutOfLimits {
    fn new(expected: impl Into<String>, found: impl fmt::Display) -> Self {
        Self {
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}

/// A number in a message: as it is, or with an exponent where that would have many digits.
pub struct Shown(pub f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && !(1e-4..1e12).contains(&size) && size.is_finite() {
            let text = format!("{:.3e}", self.0);
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            write!(f, "{digits}e{power}")
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// Whether a coordinate in metres is one that we can work with.
pub fn is_place(metres: f64) -> bool {
    metres.abs() <= FARTHEST_M
}

/// Asks whether coordinates are places.
///
/// # Errors
/// With the first that is none.
pub fn places(metres: impl IntoIterator<Item = f64>) -> Result<(), OutOfLimits> {
    let far = metres.into_iter().find(|&m| !is_place(m));
    match far {
        None => Ok(()),
        Some(m) => Err(OutOfLimits::new(place_words(), format!("{} m", Shown(m)))),
    }
}

/// What a place may be, in words.
pub fn place_words() -> String {
    format!("a place within {:.0} km of the origin", FARTHEST_M / 1e3)
}

/// Asks whether a rate is one that motion has.
///
/// # Errors
/// When it is not.
pub fn rate(hz: f64) -> Result<(), OutOfLimits> {
    if (SLOWEST_HZ..=FASTEST_HZ).contains(&hz) {
        return Ok(());
    }
    let expected = format!("{SLOWEST_HZ} to {FASTEST_HZ} frames a second");
    Err(OutOfLimits::new(expected, Shown(hz)))
}

/// Asks whether there are not too many of something.
///
/// # Errors
/// When there are.
pub fn count(what: &str, found: usize, most: usize) -> Result<(), OutOfLimits> {
    if found <= most {
        return Ok(());
    }
    Err(OutOfLimits::new(format!("at most {most} {what}"), found))
}

/// Whether an offset is one that bones have.
fn is_bone(offset: glam::Vec3) -> bool {
    offset.abs().max_element() <= LONGEST_BONE_M as f32
}

fn too_long(what: &str, offset: glam::Vec3) -> OutOfLimits {
    let expected = format!("bones of at most {:.0} km", LONGEST_BONE_M / 1e3);
    let metres = Shown(f64::from(offset.abs().max_element()));
    OutOfLimits::new(expected, format!("{metres} m at {what}"))
}

/// Asks whether all bones of a skeleton are within limits.
///
/// # Errors
/// With the first that is not.
pub fn skeleton(skeleton: &Skeleton) -> Result<(), OutOfLimits> {
    for joint in skeleton.joints() {
        let offset = skeleton.offset(joint);
        // A root's offset is a place and no bone: files write there where a take begins.
        let fits = match skeleton.parent(joint) {
            None => is_place(f64::from(offset.abs().max_element())),
            Some(_) => is_bone(offset),
        };
        if !fits {
            return Err(too_long(&format!("`{}`", skeleton.name(joint)), offset));
        }
    }
    match skeleton.end_sites().iter().find(|t| !is_bone(t.offset)) {
        Some(tip) => {
            let at = format!("the tip of `{}`", skeleton.name(tip.parent));
            Err(too_long(&at, tip.offset))
        }
        None => Ok(()),
    }
}

/// Asks whether all numbers of a clip are within limits: its rate, offsets, places and translations.
///
/// # Errors
/// With the first that is not.
pub fn clip(clip: &Clip) -> Result<(), OutOfLimits> {
    rate(clip.rate_hz())?;
    skeleton(clip.skeleton())?;
    for (frame, place) in clip.root().iter().enumerate() {
        places(place.to_array()).map_err(|e| OutOfLimits {
            found: format!("{} at frame {frame}", e.found),
            ..e
        })?;
    }
    for track in clip.translations() {
        if let Some(frame) = track.values.iter().position(|v| !is_bone(*v)) {
            let name = clip.skeleton().name(track.joint);
            let at = format!("`{name}`, frame {frame}");
            return Err(too_long(&at, track.values[frame]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::swinging_clip;

    #[test]
    fn a_place_on_earth_is_fine_and_nothing_beyond() {
        assert!(places([20_037_508.34, -1e7, 0.0]).is_ok());
        for far in [3e7, -1e16, 3e38, 1e300, f64::INFINITY, f64::NAN] {
            assert!(places([0.0, far]).is_err(), "{far}");
        }
        let told = places([1e300]).expect_err("far").to_string();
        assert_eq!(
            told,
            "expected a place within 25000 km of the origin, found 1e300 m"
        );
    }

    #[test]
    fn clips_are_held_to_all_of_it() {
        let good = swinging_clip("a", 10, 30.0);
        assert!(clip(&good).is_ok());
        let mut far = good.clone().into_parts();
        far.root[3].x = -1e8;
        let told = clip(&far.build().expect("finite")).expect_err("far");
        assert!(told.found.ends_with("at frame 3"), "{told}");
        let fast = good.with_rate(1e6).expect("positive");
        assert!(clip(&fast).is_err());
    }
}
