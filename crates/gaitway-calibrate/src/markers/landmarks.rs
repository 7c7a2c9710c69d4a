//! Where joints lie by what markers of the common sets are stuck on.
//!
//! Markers of these sets sit on bones at joints: the knee's on the outer condyle, the wrist's on both sides. That is a guess of a few
//! centimetres, which is where motion is looked at first, and what counts where motion tells little.

use glam::DVec3;

use super::choose::Tracks;

/// How far the outside of a joint is from its middle, metres, with the marker.
const KNEE_M: f64 = 0.07;
const ANKLE_M: f64 = 0.047;
const ELBOW_M: f64 = 0.06;
const SHOULDER_M: f64 = 0.07;
/// Belt markers sit above the hip bones that the rule is about, metres.
const BELT_M: f64 = 0.03;

/// Markers by name, without side, as `sets` spells them.
struct Seen<'a> {
    names: &'a [String],
    row: &'a [Option<DVec3>],
}

impl Seen<'_> {
    /// The mean of those that are seen, and how many they are.
    fn mean(&self, side: &str, parts: &[&str]) -> Option<(DVec3, usize)> {
        let wanted = |name: &str| {
            let bare = super::sets::bare(name);
            parts.iter().any(|p| bare == format!("{side}{p}"))
        };
        let list: Vec<DVec3> = (self.names.iter().zip(self.row))
            .filter(|(n, _)| wanted(n))
            .filter_map(|(_, p)| *p)
            .collect();
        let n = list.len();
        (n > 0).then(|| (list.iter().sum::<DVec3>() / n as f64, n))
    }

    fn at(&self, side: &str, parts: &[&str]) -> Option<DVec3> {
        self.mean(side, parts).map(|m| m.0)
    }
}

/// Where the joint of a named body with its parent is in every key frame, by markers that sit at it.
pub(super) fn joint(
    body: &str,
    tracks: &Tracks,
    keys: &[Vec<Option<DVec3>>],
) -> Vec<Option<DVec3>> {
    let (side, other, part) = if let Some(part) = body.strip_prefix("Left") {
        ("l", "r", part)
    } else if let Some(part) = body.strip_prefix("Right") {
        ("r", "l", part)
    } else {
        ("", "", body)
    };
    keys.iter()
        .map(|row| {
            let seen = Seen {
                names: &tracks.names,
                row,
            };
            match part {
                "UpLeg" => hip(&seen, side, other),
                "Leg" => inside(&seen, side, other, &["kne", "lfc", "mfc", "knein"], KNEE_M),
                "Foot" => inside(
                    &seen,
                    side,
                    other,
                    &["ank", "lmal", "mmal", "ankin"],
                    ANKLE_M,
                ),
                "ForeArm" => inside(&seen, side, other, &["elb", "elbow"], ELBOW_M),
                "Hand" => seen.at(side, &["wra", "wrb", "wristmed", "wristlat"]),
                "Arm" => shoulder(&seen, side),
                "Head" => seen.at("", &["c7", "clav"]),
                "Spine" => waist(&seen),
                _ => None,
            }
        })
        .collect()
}

const FRONT: [&str; 3] = ["asi", "fwt", "asis"];
const BACK: [&str; 3] = ["psi", "bwt", "psis"];

fn back(seen: &Seen<'_>) -> Option<DVec3> {
    match (seen.at("l", &BACK), seen.at("r", &BACK)) {
        (Some(l), Some(r)) => Some((l + r) / 2.0),
        _ => seen.at("", &["sacr", "sacrum", "vsacral"]),
    }
}

/// Bell, Pedersen and Brand 1990: 14 % of the width between the front markers inwards, 30 % down, 22 % back.
fn hip(seen: &Seen<'_>, side: &str, other: &str) -> Option<DVec3> {
    let (own, far) = (seen.at(side, &FRONT)?, seen.at(other, &FRONT)?);
    let back = back(seen)?;
    let width = own.distance(far);
    let inwards = (far - own).normalize_or_zero();
    let middle = (own + far) / 2.0;
    let backwards = (back - middle) - inwards * (back - middle).dot(inwards);
    let backwards = backwards.normalize_or_zero();
    // Down is across both; which way, by which side this is.
    let turn = if side == "l" { 1.0 } else { -1.0 };
    let down = inwards.cross(backwards) * turn;
    let belt = if seen.at(side, &["fwt"]).is_some() {
        BELT_M
    } else {
        0.0
    };
    Some(own + (inwards * 0.14 + backwards * 0.22 + down * 0.30) * width + down * belt)
}

/// A joint with markers on both sides, or inside of the one on its outside, towards the other limb.
fn inside(seen: &Seen<'_>, side: &str, other: &str, parts: &[&str], by: f64) -> Option<DVec3> {
    let (at, n) = seen.mean(side, parts)?;
    if n > 1 {
        return Some(at);
    }
    let towards = seen.at(other, parts).map_or(DVec3::ZERO, |o| o - at);
    Some(at + towards.normalize_or_zero() * by)
}

fn shoulder(seen: &Seen<'_>, side: &str) -> Option<DVec3> {
    let top = seen.at(side, &["sho", "acromium", "acromion"])?;
    let high = seen.at("", &["c7", "clav"]);
    let low = seen.at("", &["t10", "strn", "xiph", "sternum"]);
    let down = match (high, low) {
        (Some(h), Some(l)) => (l - h).normalize_or_zero(),
        _ => -DVec3::Y,
    };
    Some(top + down * SHOULDER_M)
}

fn waist(seen: &Seen<'_>) -> Option<DVec3> {
    let front = (seen.at("l", &FRONT)? + seen.at("r", &FRONT)?) / 2.0;
    let low = (front + back(seen)? * 2.0) / 3.0;
    let high = seen.at("", &["t10", "strn", "c7", "clav", "sternum"])?;
    Some(low + (high - low) * 0.2)
}
