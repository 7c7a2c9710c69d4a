//! Feet in the air stay above the floor, and toes bend on it.

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, PointIdx};
use glam::{DQuat, DVec3};

use super::at;
use crate::body::{Body, Foot};
use crate::solve::{Constraint, Wish};

/// Over how long what lifts a foot or its toes comes and goes, seconds.
const SPREAD_S: f64 = 0.06;

/// The floor a foot must not go below, per frame.
pub(super) fn floors(frames: usize, foot: &Foot, constraints: &[Constraint]) -> Vec<Option<f64>> {
    let mut out = vec![None; frames];
    for c in constraints {
        let Wish::Above { points, height } = &c.wish else {
            continue;
        };
        if points.contains(&foot.heel) {
            out[c.frames.start.min(frames)..c.frames.end.min(frames)].fill(Some(*height));
        }
    }
    out
}

/// Lifts a foot that is in the air and would go through the floor.
pub(super) fn lift(
    clip: &Clip,
    foot: &Foot,
    wanted: &[[Option<DVec3>; 2]],
    turns: &[DVec3],
    floors: &[Option<f64>],
    shifts: &mut [DVec3],
) {
    let mut scratch = FkScratch::new(clip.skeleton());
    let planted = |f: usize| wanted[f][0].is_some() || wanted[f][1].is_some();
    let need: Vec<f64> = (0..wanted.len())
        .map(|frame| {
            let Some(floor) = floors[frame].filter(|_| !planted(frame)) else {
                return 0.0;
            };
            scratch.solve(clip, frame);
            let ankle = at(clip, &scratch, frame, foot.ankle.into());
            let turn = DQuat::from_scaled_axis(turns[frame]);
            let low = [Some(foot.heel), foot.toe].into_iter().flatten().map(|p| {
                let from = at(clip, &scratch, frame, p) - ankle;
                (ankle + turn * from + shifts[frame]).y
            });
            (floor - low.fold(f64::INFINITY, f64::min)).max(0.0)
        })
        .collect();
    let smooth = widened(&need, (SPREAD_S * clip.rate_hz()).round() as usize);
    let away = distance_to(wanted.len(), planted);
    let over = (2.0 * SPREAD_S * clip.rate_hz()).max(1.0);
    for f in 0..wanted.len() {
        if !planted(f) {
            let u = (away[f] as f64 / over).min(1.0);
            shifts[f].y += need[f].max(smooth[f] * u * u * (3.0 - 2.0 * u));
        }
    }
}

/// How many frames each is away from the next that is one of some.
fn distance_to(frames: usize, is: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut out = vec![usize::MAX; frames];
    let mut since = usize::MAX;
    for (f, value) in out.iter_mut().enumerate() {
        since = if is(f) { 0 } else { since.saturating_add(1) };
        *value = since;
    }
    since = usize::MAX;
    for f in (0..frames).rev() {
        since = if is(f) { 0 } else { since.saturating_add(1) };
        out[f] = out[f].min(since);
    }
    out
}

/// The largest value within `over` frames, then the mean over as many: never below what it was made of, and smooth.
pub(super) fn widened(values: &[f64], over: usize) -> Vec<f64> {
    let n = values.len();
    if values.iter().all(|v| *v <= 0.0) {
        return vec![0.0; n];
    }
    let window = |f: usize| f.saturating_sub(over)..(f + over + 1).min(n);
    let wide: Vec<f64> = (0..n)
        .map(|f| values[window(f)].iter().copied().fold(0.0, f64::max))
        .collect();
    (0..n)
        .map(|f| {
            // Beyond the ends the last value goes on, or the mean would fall short there.
            let at = |k: isize| wide[k.clamp(0, n as isize - 1) as usize];
            let over = over as isize;
            let sum: f64 = (-over..=over).map(|k| at(f as isize + k)).sum();
            sum / (2 * over + 1) as f64
        })
        .collect()
}

/// Toes that would go through the floor while the ball stands or is low are bent up, about the axis across the foot.
pub(crate) fn bend_toes(clip: &Clip, body: &Body, constraints: &[Constraint]) -> Clip {
    let mut parts = clip.clone().into_parts();
    let (skeleton, joints) = (clip.skeleton(), clip.joint_count());
    let mut scratch = FkScratch::new(skeleton);
    for foot in body.feet.iter().flatten() {
        let Some(toe) = skeleton.joints().find(|&j| foot.toe == Some(j.into())) else {
            continue;
        };
        let beyond = |p: &&PointIdx| {
            **p != toe.into()
                && gaitway_core::anatomy::is_at_or_below(skeleton, skeleton.point_joint(**p), toe)
        };
        let tips: Vec<PointIdx> = foot.points.iter().filter(beyond).copied().collect();
        let floors = floors(clip.frame_count(), foot, constraints);
        let tip_of = |scratch: &FkScratch, frame: usize| {
            let from = at(clip, scratch, frame, toe.into());
            let ways = tips.iter().map(|&t| at(clip, scratch, frame, t) - from);
            ways.filter(|w| w.length() > 5e-3)
                .min_by(|a, b| a.y.total_cmp(&b.y))
        };
        let need: Vec<f64> = (0..clip.frame_count())
            .map(|frame| {
                let Some(floor) = floors[frame] else {
                    return 0.0;
                };
                scratch.solve(clip, frame);
                let Some(way) = tip_of(&scratch, frame) else {
                    return 0.0;
                };
                let room = floor - at(clip, &scratch, frame, toe.into()).y;
                let sine = |h: f64| (h / way.length()).clamp(-1.0, 1.0).asin();
                (sine(room) - sine(way.y)).max(0.0)
            })
            .collect();
        let turns = widened(&need, (SPREAD_S * clip.rate_hz()).round() as usize);
        for frame in (0..clip.frame_count()).filter(|&f| turns[f] > 1e-6) {
            scratch.solve(clip, frame);
            let Some(axis) =
                tip_of(&scratch, frame).and_then(|w| w.cross(DVec3::Y).try_normalize())
            else {
                continue;
            };
            let world = scratch.rotations[toe.index()].as_dquat();
            let q = &mut parts.rotations[frame * joints + toe.index()];
            let local = world.inverse() * axis;
            *q = (q.as_dquat() * DQuat::from_axis_angle(local.normalize(), turns[frame]))
                .normalize()
                .as_quat();
        }
    }
    parts.build().unwrap_or_else(|_| clip.clone())
}
