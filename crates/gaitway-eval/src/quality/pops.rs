//! Pops: jerks in what should be smooth: accelerations of places, of turning, and the knee's speed.

use gaitway_core::anatomy::{Anatomy, is_at_or_below};
use gaitway_core::{Clip, JointIdx};
use glam::{DQuat, DVec3};

use super::{Event, Max, Measured, P999Max, largest, quantile, worst_first};

/// Above so many times the 99.9th percentile of its sources an acceleration is a pop.
pub(crate) const POP_TIMES: f64 = 1.5;

pub(super) struct Pops {
    pub accel: P999Max,
    /// What passes for a pop where no source says what is usual: three times the 99th percentile. (A pop of the
    /// whole body fills two frames, which in a short clip are more than the last thousandth.)
    pub usual_limit: Option<f64>,
    pub angular: P999Max,
    pub knee: Max,
    /// Per frame, the largest acceleration and whose it is.
    worst: Vec<(f64, JointIdx)>,
}

/// The joints that are looked at: not those below a wrist, whose capture is noise, nor those above the pelvis.
pub(crate) fn joints(clip: &Clip, anatomy: &Anatomy) -> Vec<JointIdx> {
    let skeleton = clip.skeleton();
    let wrists: Vec<JointIdx> = anatomy.arms.iter().flatten().map(|a| a.wrist).collect();
    skeleton
        .joints()
        .filter(|&j| {
            let is_hand = |&w: &JointIdx| w != j && is_at_or_below(skeleton, j, w);
            !wrists.iter().any(is_hand) && is_at_or_below(skeleton, j, anatomy.pelvis)
        })
        .collect()
}

pub(super) fn measure(measured: &Measured<'_>) -> Pops {
    let clip = measured.clip;
    let anatomy = Anatomy::of_clip(clip);
    let joints = joints(clip, &anatomy);
    let (mut accel, worst) = accelerations(measured, &joints);
    let angular = angular_accelerations(clip, &joints);
    Pops {
        usual_limit: quantile(&mut accel, 0.99).map(|p99| 3.0 * p99),
        accel: percentiles(accel),
        angular: percentiles(angular),
        knee: Max {
            max: knee_speed(measured, &anatomy),
        },
        worst,
    }
}

fn percentiles(mut samples: Vec<f64>) -> P999Max {
    P999Max {
        max: largest(&samples),
        p999: quantile(&mut samples, 0.999),
    }
}

/// |p[f−1] − 2 p[f] + p[f+1]| · rate² of all joints and frames, and the worst per frame.
fn accelerations(measured: &Measured<'_>, joints: &[JointIdx]) -> (Vec<f64>, Vec<(f64, JointIdx)>) {
    let world = measured.world;
    let frames = world.frame_count();
    let scale = measured.clip.rate_hz().powi(2);
    let mut samples = Vec::with_capacity(frames.saturating_sub(2) * joints.len());
    let mut worst = vec![(0.0, JointIdx::ROOT); frames];
    // The first and the last frame have a neighbour on one side only.
    let inner = frames.saturating_sub(2);
    for (f, worst) in worst.iter_mut().enumerate().skip(1).take(inner) {
        let (a, b, c) = (world.frame(f - 1), world.frame(f), world.frame(f + 1));
        for &joint in joints {
            let j = joint.index();
            let value = ((a[j] - b[j]) + (c[j] - b[j])).length() * scale;
            samples.push(value);
            if value > worst.0 {
                *worst = (value, joint);
            }
        }
    }
    (samples, worst)
}

/// Change of the local angular velocity from one step to the next, · rate.
fn angular_accelerations(clip: &Clip, joints: &[JointIdx]) -> Vec<f64> {
    let frames = clip.frame_count();
    let rate = clip.rate_hz();
    let turn = |f: usize, j: JointIdx| {
        let step = clip.rotation(f, j).as_dquat().inverse() * clip.rotation(f + 1, j).as_dquat();
        // The turn as a vector, the short way round; a unit quaternion's vector part is sin(angle / 2).
        let step: DQuat = if step.w < 0.0 { -step } else { step };
        let v = DVec3::new(step.x, step.y, step.z);
        let sin = v.length();
        let angle = 2.0 * sin.atan2(step.w);
        if sin > 1e-12 {
            v * (angle / sin * rate)
        } else {
            DVec3::ZERO
        }
    };
    let mut samples = Vec::with_capacity(frames.saturating_sub(2) * joints.len());
    for &j in joints {
        let mut before = None;
        for f in 0..frames.saturating_sub(1) {
            let now = turn(f, j);
            if let Some(before) = before.replace(now) {
                samples.push((now - before).length() * rate);
            }
        }
    }
    samples
}

/// The fastest change of a knee's angle.
fn knee_speed(measured: &Measured<'_>, anatomy: &Anatomy) -> Option<f64> {
    let world = measured.world;
    let mut fastest: Option<f64> = None;
    for leg in anatomy.legs.iter().flatten() {
        let angle = |f: usize| {
            let row = world.frame(f);
            let thigh = row[leg.knee.index()] - row[leg.hip.index()];
            let shin = row[leg.ankle.index()] - row[leg.knee.index()];
            thigh.cross(shin).length().atan2(thigh.dot(shin))
        };
        for f in 1..world.frame_count() {
            let speed = (angle(f) - angle(f - 1)).abs() * measured.clip.rate_hz();
            fastest = Some(fastest.map_or(speed, |v: f64| v.max(speed)));
        }
    }
    fastest
}

impl Pops {
    /// Stretches in which some joint's acceleration passes the limit.
    pub fn events(&self, clip: &Clip, limit: Option<f64>, most: usize) -> Vec<Event> {
        let Some(limit) = limit.filter(|l| *l > 0.0) else {
            return Vec::new();
        };
        let mut out: Vec<Event> = Vec::new();
        let mut open = false;
        for (f, &(value, joint)) in self.worst.iter().enumerate() {
            if value <= limit {
                open = false;
                continue;
            }
            let end_s = (f + 1) as f64 / clip.rate_hz();
            match out.last_mut().filter(|_| open) {
                Some(event) => {
                    event.end_s = end_s;
                    if value > event.value {
                        event.value = value;
                        event.point = clip.skeleton().name(joint).to_owned();
                    }
                }
                None => out.push(Event {
                    kind: "pop".into(),
                    start_s: f as f64 / clip.rate_hz(),
                    end_s,
                    point: clip.skeleton().name(joint).to_owned(),
                    value,
                    unit: "m/s2".into(),
                }),
            }
            open = true;
        }
        worst_first(out, most)
    }
}
