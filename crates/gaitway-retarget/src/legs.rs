//! The last millimetres: legs bent per frame so that planted feet are exactly where they should be, eased in and out.
//!
//! What the splines leave is small. Of each foot it is written as a turn ρ (where heel and toe both stand) and a shift of the ankle; outside of plants
//! both fade over a tenth of a second. A leg then bends about its knee's axis to the wanted reach and swings to the wanted place
//! (`gaitway_core::ik`); a foot out of reach is approached as far as the leg goes, and told by what is left.

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, PointIdx, ik};
use glam::{DQuat, DVec3};

use crate::body::{Body, Foot};
use crate::roles::RoleSide;
use crate::solve::{Constraint, Wish};

/// Over how long a correction comes and goes, seconds.
const EASE_S: f64 = 0.12;
/// A leg is never made straighter than this part of its length, unless it is: there is no way to bend from straight.
const REACH: f64 = 0.99995;

/// Bends legs so that constraints of their feet hold.
pub(crate) fn plant(clip: &Clip, body: &Body, constraints: &[Constraint]) -> Clip {
    let mut parts = clip.clone().into_parts();
    for side in RoleSide::BOTH {
        let (Some(leg), Some(foot)) = (body.roles.leg(&body.skeleton, side), &body.feet[side.index()]) else { continue };
        let wanted = wanted(clip.frame_count(), foot, constraints);
        if wanted.iter().all(|w| w[0].is_none() && w[1].is_none()) {
            continue;
        }
        let turns = turns(clip, foot, &wanted);
        let shifts = shifts(clip, foot, &wanted, &turns);
        let mut scratch = FkScratch::new(clip.skeleton());
        let joints = clip.joint_count();
        for frame in 0..clip.frame_count() {
            if shifts[frame].length() < 1e-7 && turns[frame].length() < 1e-7 {
                continue;
            }
            scratch.solve(clip, frame);
            let solved = bend(clip, body, &scratch, leg, side, shifts[frame], turns[frame]);
            for (joint, q) in solved {
                parts.rotations[frame * joints + joint.index()] = q.as_quat();
            }
        }
    }
    parts.build().unwrap_or_else(|_| clip.clone())
}

/// Where heel and toe of a foot shall be, per frame.
fn wanted(frames: usize, foot: &Foot, constraints: &[Constraint]) -> Vec<[Option<DVec3>; 2]> {
    let mut out = vec![[None, None]; frames];
    for c in constraints {
        let Wish::At { point, target } = &c.wish else { continue };
        let end = match *point {
            p if p == foot.heel => 0,
            p if Some(p) == foot.toe => 1,
            _ => continue,
        };
        for frame in c.frames.start..c.frames.end.min(frames) {
            out[frame][end] = Some(target.at(frame - c.frames.start));
        }
    }
    out
}

fn at(clip: &Clip, scratch: &FkScratch, frame: usize, point: PointIdx) -> DVec3 {
    clip.root()[frame] + scratch.from_root[point.index()].as_dvec3()
}

/// Turns of a foot, as rotation vectors in the world: from heel and toe where both stand, faded elsewhere.
fn turns(clip: &Clip, foot: &Foot, wanted: &[[Option<DVec3>; 2]]) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(clip.skeleton());
    let known = wanted.iter().enumerate().map(|(frame, w)| {
        let (Some(heel), Some(toe), Some(point)) = (w[0], w[1], foot.toe) else { return None };
        scratch.solve(clip, frame);
        let now = at(clip, &scratch, frame, point) - at(clip, &scratch, frame, foot.heel);
        let (now, then) = (now.try_normalize()?, (toe - heel).try_normalize()?);
        Some(DQuat::from_rotation_arc(now, then).to_scaled_axis())
    });
    let known: Vec<Option<DVec3>> = known.collect();
    eased(&known, clip.rate_hz())
}

/// Shifts of the ankle after the foot was turned.
fn shifts(clip: &Clip, foot: &Foot, wanted: &[[Option<DVec3>; 2]], turns: &[DVec3]) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(clip.skeleton());
    let known = wanted.iter().enumerate().map(|(frame, w)| {
        if w[0].is_none() && w[1].is_none() {
            return None;
        }
        scratch.solve(clip, frame);
        let ankle = at(clip, &scratch, frame, foot.ankle.into());
        let turn = DQuat::from_scaled_axis(turns[frame]);
        let missing = |wanted: Option<DVec3>, point: PointIdx| {
            let now = ankle + turn * (at(clip, &scratch, frame, point) - ankle);
            wanted.map(|w| w - now)
        };
        let ends = [missing(w[0], foot.heel), foot.toe.and_then(|t| missing(w[1], t))];
        let count = ends.iter().flatten().count().max(1) as f64;
        Some(ends.iter().flatten().sum::<DVec3>() / count)
    });
    let known: Vec<Option<DVec3>> = known.collect();
    eased(&known, clip.rate_hz())
}

/// Values where they are known; elsewhere what is known before and after, each faded to nothing over [`EASE_S`].
fn eased(known: &[Option<DVec3>], rate: f64) -> Vec<DVec3> {
    let over = (EASE_S * rate).max(1.0);
    let n = known.len();
    let fade = |away: usize| {
        let u = (away as f64 / over).min(1.0);
        1.0 - u * u * (3.0 - 2.0 * u)
    };
    let mut out = vec![DVec3::ZERO; n];
    let mut last: Option<usize> = None;
    for f in 0..n {
        match known[f] {
            Some(v) => {
                out[f] = v;
                last = Some(f);
            }
            None => {
                if let Some(l) = last {
                    out[f] += known[l].unwrap_or_default() * fade(f - l);
                }
            }
        }
    }
    let mut next: Option<usize> = None;
    for f in (0..n).rev() {
        match known[f] {
            Some(_) => next = Some(f),
            None => {
                if let Some(l) = next {
                    out[f] += known[l].unwrap_or_default() * fade(l - f);
                }
            }
        }
    }
    out
}

/// Local rotations of thigh, shank and foot with the ankle shifted and the foot turned.
fn bend(clip: &Clip, body: &Body, scratch: &FkScratch, leg: [JointIdx; 3], side: RoleSide, shift: DVec3, turn: DVec3) -> Vec<(JointIdx, DQuat)> {
    let place = |j: JointIdx| scratch.from_root[j.index()].as_dvec3();
    let world = |j: JointIdx| scratch.rotations[j.index()].as_dquat().normalize();
    let [hip, knee, ankle] = leg;
    let (upper, lower) = (place(knee) - place(hip), place(ankle) - place(knee));
    let (now, then) = (upper + lower, upper + lower + shift);
    let (Some(along), Some(aim)) = (now.try_normalize(), then.try_normalize()) else { return Vec::new() };
    let axis = body.knees[side.index()].map_or(DVec3::X, |a| world(knee) * a);
    // A positive turn of the knee's axis bends the shin back; `fold` wants the knee towards hinge × along, which is forward for its opposite.
    let Some(hinge) = (-axis).reject_from_normalized(along).try_normalize() else { return Vec::new() };
    let full = upper.length() + lower.length();
    let reach = then.length().min((REACH * full).max(now.length()));
    let (u, v) = ik::fold(upper, lower, along, hinge, reach);
    let swing = DQuat::from_rotation_arc(along, aim);
    let new_thigh = swing * u * world(hip);
    let new_shank = swing * v * world(knee);
    let new_foot = DQuat::from_scaled_axis(turn) * world(ankle);
    let skeleton = clip.skeleton();
    // Joints between (of twist) keep their rotation in their parents: each is carried along by what it hangs on.
    let carried = |joint: JointIdx, top: JointIdx, new_top: DQuat| -> DQuat {
        match skeleton.parent(joint) {
            Some(p) if p != top && gaitway_core::anatomy::is_at_or_below(skeleton, p, top) => new_top * (world(top).inverse() * world(p)),
            Some(p) if p == top => new_top,
            Some(p) => world(p),
            None => DQuat::IDENTITY,
        }
    };
    let above_hip = skeleton.parent(hip).map_or(DQuat::IDENTITY, world);
    vec![
        (hip, (above_hip.inverse() * new_thigh).normalize()),
        (knee, (carried(knee, hip, new_thigh).inverse() * new_shank).normalize()),
        (ankle, (carried(ankle, knee, new_shank).inverse() * new_foot).normalize()),
    ]
}
