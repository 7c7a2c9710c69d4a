//! Where joints lie by what markers of the common sets are stuck on.
//!
//! Markers of these sets sit on bones at joints: the knee's on the outer condyle, the wrist's on both sides. That is a guess of a few
//! centimetres, which is where motion is looked at first, and what counts where motion tells little.

use glam::DVec3;

use super::choose::Tracks;

/// How far the outside of a joint is from its middle, metres, with the marker.
const KNEE_M: f64 = 0.07;
const ANKLE_M: f64 = 0.042;
const ELBOW_M: f64 = 0.06;
/// What the way across a straight limb counts beside the sine of its bend.
const STRAIGHT: f64 = 0.1;
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

/// How well landmarks tell joints, as standard deviation, metres: regressions of the hip are off by so much when held against images of
/// the bone (Harrington and others 2007, and those who compared regressions since).
const HIP_SURE_M: f64 = 0.015;
const SURE_M: f64 = 0.006;

/// How well markers tell the joint of a named body, as standard deviation, metres.
pub(super) fn sure_m(body: &str) -> f64 {
    if body.ends_with("UpLeg") {
        HIP_SURE_M
    } else {
        SURE_M
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
                "Leg" => leg(&seen, side, other).map(|l| l.0),
                "Foot" => leg(&seen, side, other).and_then(|l| l.1),
                "ForeArm" => elbow(&seen, side, other),
                "Hand" => seen.at(side, &["wra", "wrb", "wristmed", "wristlat"]),
                "Arm" => shoulder(&seen, side),
                "Head" => seen.at("", &["c7", "clav"]),
                "Spine" => waist(&seen),
                _ => None,
            }
        })
        .collect()
}

const KNEE: [&str; 4] = ["kne", "lfc", "mfc", "knein"];
const ANKLE: [&str; 4] = ["ank", "lmal", "mmal", "ankin"];
const ELBOW: [&str; 2] = ["elb", "elbow"];
const FRONT: [&str; 3] = ["asi", "fwt", "asis"];
const BACK: [&str; 3] = ["psi", "bwt", "psis"];

fn back(seen: &Seen<'_>) -> Option<DVec3> {
    match (seen.at("l", &BACK), seen.at("r", &BACK)) {
        (Some(l), Some(r)) => Some((l + r) / 2.0),
        _ => seen.at("", &["sacr", "sacrum", "vsacral"]),
    }
}

/// The hip's centre beside, below and behind the middle of the front markers.
///
/// Markers on the hip bones themselves tell it by the width and the depth of the pelvis and the length of the leg (Harrington, Zavatsky,
/// Lawson, Yuan and Theologis 2007), by width and depth alone where the leg is not seen. Markers on a belt show neither its depth nor
/// its height, and the rule by width is kept for them (Bell, Pedersen and Brand 1990: 36 % aside, 30 % down, 22 % back).
fn hip(seen: &Seen<'_>, side: &str, other: &str) -> Option<DVec3> {
    let (own, far) = (seen.at(side, &FRONT)?, seen.at(other, &FRONT)?);
    let back = back(seen)?;
    let width = own.distance(far);
    let outwards = (own - far).normalize_or_zero();
    let middle = (own + far) / 2.0;
    let depth = middle.distance(back);
    let backwards = (back - middle) - outwards * (back - middle).dot(outwards);
    let backwards = backwards.normalize_or_zero();
    // Down is across both; which way, by which side this is.
    let turn = if side == "l" { -1.0 } else { 1.0 };
    let down = outwards.cross(backwards) * turn;
    let belt = seen.at(side, &["fwt"]).is_some();
    let leg = (seen.at(side, &KNEE).zip(seen.at(side, &ANKLE)))
        .map(|(knee, ankle)| own.distance(knee) + knee.distance(ankle));
    let (aside, below, behind) = match leg {
        _ if belt => (0.36 * width, 0.30 * width + BELT_M, 0.22 * width),
        Some(leg) => (
            0.28 * depth + 0.16 * width + 0.0079,
            0.16 * width + 0.04 * leg + 0.0071,
            0.24 * depth + 0.0099,
        ),
        None => (
            0.33 * width + 0.0073,
            0.30 * width + 0.0109,
            0.24 * depth + 0.0099,
        ),
    };
    Some(middle + outwards * aside + backwards * behind + down * below)
}

/// The axis a limb bends about, towards the middle of the body: across the plane of its three joints as far as they are bent, and
/// across the limb along `aside` where it is straight.
fn inwards(upper: DVec3, lower: DVec3, aside: DVec3, sign: f64) -> DVec3 {
    let (upper, lower) = (upper.normalize_or_zero(), lower.normalize_or_zero());
    let across = aside - upper * aside.dot(upper);
    (upper.cross(lower) * sign + across.normalize_or_zero() * STRAIGHT).normalize_or_zero()
}

/// Knee and ankle: between the markers on both sides of them, or inside of the ones on their outside.
fn leg(seen: &Seen<'_>, side: &str, other: &str) -> Option<(DVec3, Option<DVec3>)> {
    let (knee_at, knees) = seen.mean(side, &KNEE)?;
    let ankle_at = seen.mean(side, &ANKLE);
    let (own, far) = (hip(seen, side, other), hip(seen, other, side));
    let aside = match (own, far) {
        (Some(own), Some(far)) => far - own,
        _ => seen.at(other, &KNEE).map_or(DVec3::ZERO, |o| o - knee_at),
    };
    let sign = if side == "l" { -1.0 } else { 1.0 };
    let (mut knee, mut ankle) = (knee_at, ankle_at.map(|a| a.0));
    // Which way is inwards depends on where the joints are.
    for _ in 0..4 {
        let thigh = own.map_or(-DVec3::Y, |hip| knee - hip);
        let shank = ankle.map_or(thigh, |a| a - knee);
        let inwards = inwards(thigh, shank, aside, sign);
        if knees < 2 {
            knee = knee_at + inwards * KNEE_M;
        }
        if let Some((at, 1)) = ankle_at {
            let along = shank.normalize_or_zero();
            let across = (inwards - along * inwards.dot(along)).normalize_or_zero();
            ankle = Some(at + across * ANKLE_M);
        }
    }
    Some((knee, ankle))
}

/// Between the markers on both sides of the elbow, or inside of the one on its outside, towards the other arm: arms hang and swing at
/// the sides of the body, and which way an elbow bends tells less than that.
fn elbow(seen: &Seen<'_>, side: &str, other: &str) -> Option<DVec3> {
    let (at, n) = seen.mean(side, &ELBOW)?;
    if n > 1 {
        return Some(at);
    }
    let towards = seen.at(other, &ELBOW).map_or(DVec3::ZERO, |o| o - at);
    Some(at + towards.normalize_or_zero() * ELBOW_M)
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
