//! The axes that knees and toes bend about, and knees that were captured bending backwards.
//!
//! A knee is a hinge: its axis h is fixed in the thigh. Seen from the thigh, a frame whose knee is bent by β shows it as
//! n = v × u, of length sin β (u, v: unit vectors along thigh and shin); a straight knee shows nothing, and an axis taken from poses
//! near straight jumps. So there is one axis for the whole motion,
//!
//!   h ∝ mean over frames of |n|² n + sin³(20°) · a,
//!
//! a the mean direction from the left hip to the right one, seen from the thigh and across it. Deep bends say most, since they say it
//! best; the hips decide where knees hardly bend, or bend backwards by less than 20° all the time. There is no case to switch between.
//! Toes bend about the mean of what is across them and level, seen from the foot: (toes × up), which is longest when they lie flat.
//!
//! Knees overextend by some 5°, and skeletons fitted to markers by more. Bent backwards, no leg can bring its foot nearer, so
//! such legs are straightened first: the depth max(0, −β), widened over a window and smoothed over the same one, is
//! added to the bend. The ankle stays on its line from the hip, L (1 − cos β/2) farther along.

use gaitway_core::ik;
use glam::{DQuat, DVec3};

use super::ingest::LegFrame;
use super::root;

/// sin³ 20°: a bend that, kept all the time, counts as much as the hips.
const HIPS: f64 = 0.04;

/// Over how long a bend that mends a knee comes and goes, to either side, in seconds.
const EASE_S: f64 = 0.1;

/// Axes that knees and toes bend about: unit vectors, left before right; zero where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegHinges {
    /// In the frame of what the knee hangs on, the thigh. A thigh turned by a positive angle brings the knee to the front.
    pub knees: [DVec3; 2],
    /// In the frame of what the toes hang on, the foot. A positive turn brings their tip up.
    pub toes: [DVec3; 2],
}

impl LegHinges {
    /// The axis of a knee in the world.
    pub(super) fn knee(&self, leg: usize, frame: &LegFrame) -> DVec3 {
        frame.above_knee.as_dquat() * self.knees[leg]
    }

    /// The axis of the toes in the world.
    pub(super) fn toes(&self, leg: usize, frame: &LegFrame) -> DVec3 {
        frame.above_toe.as_dquat() * self.toes[leg]
    }
}

/// A leg seen from its thigh: what a frame says about its knee.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Shin × thigh, as unit vectors: along the axis, as long as the sine of the bend.
    normal: DVec3,
    /// Cosine of the bend.
    cosine: f64,
    /// From the left hip to the right one, across the thigh.
    hips: DVec3,
}

impl Seen {
    /// `across`: from the left hip to the right one, in the world.
    fn of(leg: &LegFrame, across: DVec3) -> Option<Self> {
        let into = leg.above_knee.as_dquat().inverse();
        let unit = |v: glam::Vec3| (into * v.as_dvec3()).try_normalize();
        let (u, v) = (unit(leg.knee - leg.hip)?, unit(leg.ankle - leg.knee)?);
        let hips = (into * across).reject_from_normalized(u);
        Some(Self {
            normal: v.cross(u),
            cosine: u.dot(v),
            hips: hips.normalize_or_zero(),
        })
    }

    fn bend(&self, axis: DVec3) -> f64 {
        self.normal.dot(axis).atan2(self.cosine)
    }
}

/// How far a knee is bent to the front, in radians: negative backwards.
pub(super) fn bend(leg: &LegFrame, axis: DVec3) -> f64 {
    let (u, v) = (
        (leg.knee - leg.hip).as_dvec3(),
        (leg.ankle - leg.knee).as_dvec3(),
    );
    v.cross(u).dot(axis).atan2(u.dot(v))
}

/// Looks at the legs of a motion, frame by frame.
#[derive(Clone, Debug, Default)]
pub(super) struct HingeStudy {
    seen: [Vec<Option<Seen>>; 2],
    toes: [DVec3; 2],
}

impl HingeStudy {
    /// `both`: there are two legs; with one alone, its foot says where the front is.
    pub fn see(&mut self, legs: &[LegFrame; 2], both: bool) {
        let across = (legs[1].hip - legs[0].hip).as_dvec3();
        for ((leg, seen), toes) in legs.iter().zip(&mut self.seen).zip(&mut self.toes) {
            let tip = (leg.tip - leg.ball).as_dvec3();
            *toes += leg.above_toe.as_dquat().inverse() * tip.cross(DVec3::Y);
            let down = (leg.ankle - leg.hip).as_dvec3();
            let foot = (leg.points[1] - leg.ankle).as_dvec3();
            seen.push(Seen::of(leg, if both { across } else { down.cross(foot) }));
        }
    }

    /// The axes.
    pub fn hinges(&self) -> LegHinges {
        let axis = |seen: &Vec<Option<Seen>>| {
            let (mut bent, mut hips, mut count) = (DVec3::ZERO, DVec3::ZERO, 0.0);
            for s in seen.iter().flatten() {
                bent += s.normal.length_squared() * s.normal;
                hips += s.hips;
                count += 1.0_f64;
            }
            let mean = bent / count.max(1.0) + HIPS * hips.normalize_or_zero();
            mean.normalize_or_zero()
        };
        LegHinges {
            knees: [axis(&self.seen[0]), axis(&self.seen[1])],
            toes: self.toes.map(DVec3::normalize_or_zero),
        }
    }

    /// By how much each knee is to be bent further in each frame, in radians, so that none bends backwards; and how far
    /// each bends backwards as it is.
    pub fn mends(&self, hinges: &LegHinges, rate_hz: f64) -> [(Vec<f64>, Vec<f64>); 2] {
        let window = ((EASE_S * rate_hz).round() as usize).max(1);
        [0, 1].map(|leg| {
            let axis = hinges.knees[leg];
            let depth = |s: &Option<Seen>| s.map_or(0.0, |s| (super::root::env("LEAST",2.5).to_radians() - s.bend(axis)).max(0.0));
            let depths: Vec<f64> = self.seen[leg].iter().map(depth).collect();
            (eased(&depths, window), depths)
        })
    }
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
pub(super) fn bent_further(leg: &LegFrame, axis: DVec3, by: f64) -> Option<(DQuat, DQuat, DVec3)> {
    let (u, v) = (
        (leg.knee - leg.hip).as_dvec3(),
        (leg.ankle - leg.knee).as_dvec3(),
    );
    let along = (u + v).try_normalize()?;
    let hinge = axis.reject_from_normalized(along).try_normalize()?;
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
