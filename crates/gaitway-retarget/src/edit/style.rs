//! A manner added: what one clip does otherwise than another.
//!
//! Both clips and the one that is edited are laid on one clock, the stride: φ goes from 0 to 1 from one stand of the left foot to the next. With q̄(φ) the mean turn of a joint in
//! its parent at φ (of the root with its heading taken out), the joint is turned by
//!
//!   q ↦ q · slerp(1, q̄_of(φ)⁻¹ q̄_from(φ), amount)
//!
//! and the hips are raised by the difference of heights. Where a clip has no strides, means over all its frames stand in, told. Feet stay where they stand.

use gaitway_core::{Clip, JointIdx, ground};
use glam::{DQuat, DVec4, Quat};

use super::feet::{as_they_are, settle};
use super::{EditError, EditStep, Style, options};
use crate::body::Body;
use crate::plants;
use crate::solve::residuals;

/// Steps of the clock.
const PHASES: usize = 32;
/// A stride takes so long, seconds.
const STRIDE_S: std::ops::Range<f64> = 0.4..2.5;
/// Changes of manner are slow.
const SPREAD_S: f64 = 0.1;

pub(super) fn add(clip: &Clip, body: &Body, style: &Style) -> Result<(Clip, EditStep), EditError> {
    if !(style.amount.is_finite() && style.amount.abs() <= 3.0) {
        return Err(EditError::Number(format!(
            "amount: expected -3 to 3, found {}",
            style.amount
        )));
    }
    let mut step = EditStep::new(
        "style",
        format!(
            "{} of what {} does otherwise than {}",
            style.amount,
            style.from.name(),
            style.of.name()
        ),
    );
    let own = phases(clip, body);
    let (from, of) = (
        manner(clip, &style.from, &mut step)?,
        manner(clip, &style.of, &mut step)?,
    );
    if own.is_none() && (from.strides || of.strides) {
        step.notes.push(
            "the clip has no strides: the difference is added as a mean over the stride".to_owned(),
        );
    }
    let flat = own.is_none();
    let joints = clip.joint_count();
    let change: Vec<Vec<DQuat>> = (0..joints)
        .map(|j| {
            (0..PHASES)
                .map(|p| {
                    scaled(
                        of.turn(j, p, flat).inverse() * from.turn(j, p, flat),
                        style.amount,
                    )
                })
                .collect()
        })
        .collect();
    let lift: Vec<f64> = (0..PHASES)
        .map(|p| style.amount * (from.height(p, flat) - of.height(p, flat)))
        .collect();
    let mut parts = clip.clone().into_parts();
    for frame in 0..clip.frame_count() {
        let phase = own.as_ref().map_or(0.0, |o| o[frame]) * PHASES as f64;
        let (a, u) = (phase.floor() as usize % PHASES, phase.fract());
        let b = (a + 1) % PHASES;
        for (j, change) in change.iter().enumerate() {
            let by = near_slerp(change[a], change[b], u);
            // What does not differ keeps its bits.
            if 1.0 - by.w.abs() > 1e-12 {
                let q = &mut parts.rotations[frame * joints + j];
                *q = (q.as_dquat() * by).normalize().as_quat();
            }
        }
        parts.root[frame].y += lift[a] + u * (lift[b] - lift[a]);
    }
    let first = parts.build()?;
    let constraints = as_they_are(clip, body, |_, p| p);
    let done = settle(&first, body, &constraints, &options(SPREAD_S));
    let worst = |c: &Clip| {
        residuals(c, &constraints)
            .iter()
            .map(|r| r.max_mm)
            .fold(0.0, f64::max)
    };
    (step.before_mm, step.left_mm) = (Some(worst(&first)), Some(worst(&done)));
    Ok((done, step))
}

fn near_slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    a.slerp(b, t).normalize()
}

/// A part of a turn.
fn scaled(turn: DQuat, by: f64) -> DQuat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    DQuat::from_scaled_axis(turn.normalize().to_scaled_axis() * by)
}

/// Mean turns of joints and heights of hips over the stride.
struct Manner {
    /// Per joint of the edited clip, per phase.
    turns: Vec<Vec<DQuat>>,
    whole: Vec<DQuat>,
    heights: Vec<f64>,
    strides: bool,
}

impl Manner {
    fn turn(&self, joint: usize, phase: usize, flat: bool) -> DQuat {
        if flat || !self.strides {
            self.whole[joint]
        } else {
            self.turns[joint][phase]
        }
    }

    fn height(&self, phase: usize, flat: bool) -> f64 {
        if flat || !self.strides {
            self.heights.iter().sum::<f64>() / self.heights.len() as f64
        } else {
            self.heights[phase]
        }
    }
}

fn manner(onto: &Clip, clip: &Clip, step: &mut EditStep) -> Result<Manner, EditError> {
    let name = clip.name();
    let skeleton = clip.skeleton();
    let map: Option<Vec<JointIdx>> = onto
        .skeleton()
        .names()
        .iter()
        .map(|n| skeleton.find(n))
        .collect();
    let Some(map) = map.filter(|_| clip.frame_count() > 0) else {
        return Err(EditError::Style(format!(
            "{name}: a manner is taken from clips with the joints of the clip that is edited"
        )));
    };
    let body = Body::of_clip(clip, None)?;
    let own = phases(clip, &body);
    if own.is_none() {
        step.notes.push(format!(
            "{name} has no strides: its mean pose stands for it"
        ));
    }
    let facing = ground::smooth_facing(clip, 1.0);
    let scale = match (body.leg_length, Body::of_clip(onto, None)?.leg_length) {
        (Some(a), Some(b)) if a > 1e-6 => b / a,
        _ => 1.0,
    };
    let floor = plants::stands(clip, &body).floor;
    let mut sums = vec![vec![DVec4::ZERO; PHASES]; map.len()];
    let mut whole = vec![DVec4::ZERO; map.len()];
    let mut heights = vec![(0.0, 0.0); PHASES];
    for frame in 0..clip.frame_count() {
        let phase = own.as_ref().map_or(0.0, |o| o[frame]) * PHASES as f64;
        let (a, u) = (phase.floor() as usize % PHASES, phase.fract());
        let b = (a + 1) % PHASES;
        for (j, &joint) in map.iter().enumerate() {
            let mut q: Quat = clip.rotation(frame, joint);
            if joint == JointIdx::ROOT {
                q = (DQuat::from_rotation_y(-facing[frame]) * q.as_dquat()).as_quat();
            }
            let v = DVec4::from_array(q.as_dquat().to_array());
            let v = if v.dot(whole[j]) < 0.0 { -v } else { v };
            whole[j] += v;
            sums[j][a] += v * (1.0 - u);
            sums[j][b] += v * u;
        }
        let h = scale * (clip.root()[frame].y - floor);
        for (k, w) in [(a, 1.0 - u), (b, u)] {
            heights[k].0 += w * h;
            heights[k].1 += w;
        }
    }
    let unit = |v: DVec4, instead: DVec4| {
        let v = if v.length() > 1e-6 { v } else { instead };
        v.try_normalize()
            .map_or(DQuat::IDENTITY, |v| DQuat::from_array(v.to_array()))
    };
    let all: (f64, f64) = heights
        .iter()
        .fold((0.0, 0.0), |s, h| (s.0 + h.0, s.1 + h.1));
    Ok(Manner {
        turns: (0..map.len())
            .map(|j| sums[j].iter().map(|&v| unit(v, whole[j])).collect())
            .collect(),
        whole: whole.iter().map(|&v| unit(v, DVec4::W)).collect(),
        heights: heights
            .iter()
            .map(|h| {
                if h.1 > 0.0 {
                    h.0 / h.1
                } else {
                    all.0 / all.1.max(1e-9)
                }
            })
            .collect(),
        strides: own.is_some(),
    })
}

/// Per frame where in its stride a clip is; `None` where it has none.
fn phases(clip: &Clip, body: &Body) -> Option<Vec<f64>> {
    let stands = plants::stands(clip, body);
    let rate = clip.rate_hz();
    let mut runs: Vec<std::ops::Range<usize>> = stands.feet[0]
        .iter()
        .flatten()
        .map(|r| r.0.clone())
        .collect();
    runs.sort_by_key(|r| (r.start, r.end));
    // Heel and toe of one stand, and short breaks in it, are one.
    let mut joined: Vec<std::ops::Range<usize>> = Vec::new();
    for run in runs {
        match joined.last_mut() {
            Some(last) if run.start as f64 <= last.end as f64 + 0.1 * rate => {
                last.end = last.end.max(run.end)
            }
            _ => joined.push(run),
        }
    }
    // A stand from the first frame on did not begin there.
    let onsets: Vec<usize> = joined.iter().map(|r| r.start).filter(|&s| s > 0).collect();
    let strides: Vec<[usize; 2]> = onsets
        .windows(2)
        .map(|w| [w[0], w[1]])
        .filter(|w| STRIDE_S.contains(&((w[1] - w[0]) as f64 / rate)))
        .collect();
    if strides.is_empty() {
        return None;
    }
    let phase = |f: usize| {
        // The stride it is in, else the nearest, carried on.
        let away = |s: &&[usize; 2]| s[0].saturating_sub(f).max((f + 1).saturating_sub(s[1]));
        let s = strides.iter().min_by_key(away)?;
        Some(((f as f64 - s[0] as f64) / (s[1] - s[0]) as f64).rem_euclid(1.0))
    };
    (0..clip.frame_count()).map(phase).collect()
}
