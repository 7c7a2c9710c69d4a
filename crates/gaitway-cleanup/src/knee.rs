//! The axes that knees and toes bend about, and knees that were captured straight or bending backwards.
//!
//! A leg bent by β shows its knee's axis as n = v × u, of length sin β (u, v: unit vectors along thigh and shin). A straight one
//! shows nothing, one that overextends shows it reversed, and an axis taken from such poses jumps. (Nor does the thigh's own turn
//! show it: near straight, capture systems twist a thigh by half a turn from one frame to the next.) So each leg has one usual
//! axis for the whole motion, seen from the pelvis with the thigh swung back to where it usually points:
//!
//!   a ∝ mean over frames of |n|² n + ε · (left hip → right hip),    ε = sin³ 20°
//!
//! Deep bends say most, since they say it best; the hips decide where knees hardly bend, or bend backwards by less than 20° all the
//! time. With p that axis swung to where the thigh points, a frame's axis is
//!
//!   h ∝ (ε + |n|² max(0, n·p)) p + |n|² (n − (n·p) p)
//!
//! which is its own when the knee is well bent, to any side, and p when it is straight or bends backwards. Along p it is never less than ε:
//! there is no pose in which it vanishes or turns round.
//!
//! Bent backwards, no leg can bring its foot nearer, and straight, it does so only by bending at once. So legs are given a least
//! bend first: what is missing of it, widened over a window and smoothed over the same one, is added. The ankle stays on its line
//! from the hip.

use gaitway_core::ik;
use glam::{DQuat, DVec3, Vec3};

use super::ingest::LegFrame;
use super::root;

/// ε = sin³ 20°.
const HIPS: f64 = 0.04;

/// The least bend of a knee, in radians: 2.5°. With it a leg of 0.85 m is 0.2 mm shorter than straight, and a tenth of a millimetre of the
/// ankle moves its knee by 2 mm; from straight it would by 6.5 mm, z = ½ √(2 L δ), which has no slope.
const LEAST_BEND: f64 = 0.043_633;

/// A knee that lacks no more than this of it, in radians, has it: a tenth of a degree. A motion that was planted before shows a slightly
/// different axis, and is left as it is.
const ENOUGH: f64 = 0.001_75;

/// Over how long a bend that is added comes and goes, to either side, in seconds.
const EASE_S: f64 = 0.1;

/// Axes that knees and toes bend about: unit vectors, left before right; zero where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegHinges {
    /// Usual axes of the knees, in the frame of what the hips hang on, with the thigh along `thighs`. A thigh turned by a positive
    /// angle brings the knee to the front.
    pub knees: [DVec3; 2],
    /// Where thighs usually point, in the same frame.
    pub thighs: [DVec3; 2],
    /// Axes of the toes, in the frame of what they hang on, the foot. A positive turn brings their tip up.
    pub toes: [DVec3; 2],
}

impl LegHinges {
    /// The axis of a knee in the world.
    pub(super) fn knee(&self, leg: usize, frame: &LegFrame) -> DVec3 {
        let Some(seen) = Seen::of(frame) else {
            return DVec3::ZERO;
        };
        let swing = DQuat::from_rotation_arc(self.thighs[leg].normalize_or(seen.thigh), seen.thigh);
        let usual = swing * self.knees[leg];
        let (n, along) = (seen.normal, seen.normal.dot(usual));
        let bent = n.length_squared();
        let axis = usual * (HIPS + bent * along.max(0.0)) + (n - usual * along) * bent;
        frame.above_hip.as_dquat() * axis.normalize_or_zero()
    }

    /// The axis of the toes in the world.
    pub(super) fn toes(&self, leg: usize, frame: &LegFrame) -> DVec3 {
        frame.above_toe.as_dquat() * self.toes[leg]
    }
}

/// A leg seen from the pelvis.
#[derive(Clone, Copy, Debug)]
struct Seen {
    thigh: DVec3,
    /// Shin × thigh, as unit vectors: along the axis, as long as the sine of the bend.
    normal: DVec3,
}

impl Seen {
    fn of(leg: &LegFrame) -> Option<Self> {
        let into = leg.above_hip.as_dquat().inverse();
        let unit = |v: Vec3| (into * v.as_dvec3()).try_normalize();
        let (thigh, shin) = (unit(leg.knee - leg.hip)?, unit(leg.ankle - leg.knee)?);
        Some(Self {
            thigh,
            normal: shin.cross(thigh),
        })
    }
}

/// How far a knee is bent to the front, in radians: negative backwards. Bent aside as well, it is bent by as much as its bones are.
pub(super) fn bend(leg: &LegFrame) -> f64 {
    let (u, v) = (
        (leg.knee - leg.hip).as_dvec3(),
        (leg.ankle - leg.knee).as_dvec3(),
    );
    let (normal, cosine) = (v.cross(u), u.dot(v));
    let front = normal.dot(leg.hinge);
    if front > 0.0 {
        normal.length().atan2(cosine)
    } else {
        front.atan2(cosine)
    }
}

/// What a knee bent by so much lacks of its least bend.
pub(super) fn missing(bend: f64) -> f64 {
    let lacks = LEAST_BEND - bend;
    if lacks > ENOUGH { lacks } else { 0.0 }
}

/// Looks at the legs of a motion, frame by frame.
#[derive(Clone, Debug, Default)]
pub(super) struct HingeStudy {
    legs: [Vec<LegFrame>; 2],
}

impl HingeStudy {
    pub fn see(&mut self, legs: &[LegFrame; 2]) {
        for (leg, all) in legs.iter().zip(&mut self.legs) {
            all.push(*leg);
        }
    }

    /// The axes. `both`: there are two legs; with one alone, its foot says where the front is.
    pub fn hinges(&self, both: bool) -> LegHinges {
        let mut out = LegHinges::default();
        for i in 0..2 {
            let seen = || self.legs[i].iter().filter_map(Seen::of);
            let thigh = seen().map(|s| s.thigh).sum::<DVec3>().normalize_or_zero();
            let (mut bent, mut count) = (DVec3::ZERO, 0.0_f64);
            for s in seen() {
                let back = DQuat::from_rotation_arc(s.thigh, thigh.normalize_or(s.thigh));
                bent += back * s.normal * s.normal.length_squared();
                count += 1.0;
            }
            let across = |(f, leg): (usize, &LegFrame)| {
                let down = leg.ankle - leg.hip;
                let across = if both {
                    self.legs[1][f].hip - self.legs[0][f].hip
                } else {
                    down.cross(leg.points[1] - leg.ankle)
                };
                (leg.above_hip.inverse() * across).as_dvec3()
            };
            let across: DVec3 = self.legs[i].iter().enumerate().map(across).sum();
            let across = across.reject_from_normalized(thigh).normalize_or_zero();
            let axis = bent / count.max(1.0) + HIPS * across;
            out.knees[i] = axis.normalize_or_zero();
            out.thighs[i] = thigh;
            let toes = |leg: &LegFrame| {
                let tip = leg.tip - leg.ball;
                (leg.above_toe.inverse() * tip.cross(Vec3::Y)).as_dvec3()
            };
            let toes: DVec3 = self.legs[i].iter().map(toes).sum();
            out.toes[i] = toes.normalize_or_zero();
        }
        out
    }

    /// By how much each knee is to be bent further in each frame, in radians; and how far each is bent as it is.
    pub fn mends(&mut self, hinges: &LegHinges, rate_hz: f64) -> [Mends; 2] {
        let window = ((EASE_S * rate_hz).round() as usize).max(1);
        [0, 1].map(|i| {
            let mut bends = Vec::with_capacity(self.legs[i].len());
            for leg in &mut self.legs[i] {
                leg.hinge = hinges.knee(i, leg);
                bends.push(bend(leg));
            }
            let missing: Vec<f64> = bends.iter().map(|b| missing(*b)).collect();
            Mends {
                further: eased(&missing, window),
                bends,
            }
        })
    }
}

/// How a knee is bent in each frame of a motion, in radians, and by how much it is bent further.
#[derive(Clone, Debug, Default)]
pub(super) struct Mends {
    pub bends: Vec<f64>,
    pub further: Vec<f64>,
}

/// The largest value within a window, smoothed over the same window: nowhere below the values.
fn eased(values: &[f64], window: usize) -> Vec<f64> {
    if values.iter().all(|v| *v == 0.0) {
        return values.to_vec();
    }
    let last = values.len() - 1;
    let around = |f: usize| f.saturating_sub(window)..=(f + window).min(last);
    let widest: Vec<f64> = (0..=last)
        .map(|f| values[around(f)].iter().copied().fold(0.0, f64::max))
        .collect();
    let weights = root::weights(window);
    let smooth = |f: usize| {
        let at = |k: usize| widest[(f + k).saturating_sub(window).min(last)];
        weights.iter().enumerate().map(|(k, w)| w * at(k)).sum()
    };
    (0..=last).map(smooth).collect()
}

/// World turns of thigh and shin that bend a knee further, and where its ankle then is: on the line from the hip it was on.
pub(super) fn bent_further(leg: &LegFrame, by: f64) -> Option<(DQuat, DQuat, DVec3)> {
    let (u, v) = (
        (leg.knee - leg.hip).as_dvec3(),
        (leg.ankle - leg.knee).as_dvec3(),
    );
    let along = (u + v).try_normalize()?;
    let hinge = leg.hinge.reject_from_normalized(along).try_normalize()?;
    // The share of the bones along the hinge is no matter of the bend.
    let (flat_u, flat_v) = (
        u.reject_from_normalized(hinge),
        v.reject_from_normalized(hinge),
    );
    let bend = flat_v.cross(flat_u).dot(hinge).atan2(flat_u.dot(flat_v)) + by;
    let reach = ik::reach_of(flat_u.length(), flat_v.length(), bend.max(0.0));
    let (thigh, shin) = ik::fold(u, v, along, hinge, reach);
    Some((thigh, shin, leg.hip.as_dvec3() + thigh * u + shin * v))
}
