//! The last millimetres: legs bent per frame so that planted feet are exactly where they should be, eased in and out.
//!
//! What the splines leave is small. Of each foot it is written as a turn ρ (where heel and toe both stand) and a shift of the ankle; outside of plants
//! both fade over a fifth of a second. A leg then bends about its knee's axis to the wanted reach and swings to the wanted place
//! (`gaitway_core::ik`); a foot out of reach is approached as far as the leg goes, and told by what is left.

mod air;

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, PointIdx, ik};
use glam::{DQuat, DVec3};

use crate::body::{Body, Foot};
use crate::roles::RoleSide;
use crate::solve::{Constraint, Wish};

pub(crate) use air::bend_toes;
use air::{floors, lift, widened};

/// Over how long a correction comes and goes, seconds.
const EASE_S: f64 = 0.2;
/// A leg is never made straighter than this part of its length, unless it is: there is no way to bend from straight.
const REACH: f64 = 0.99995;

/// The root comes nearer to where legs of feet that stand flat are straighter than this: at 0.998 of its length a leg is bent by 7°, and a millimetre moves its knee by 8; on the
/// last thousandth by centimetres, and every tremor of the hips would be one of the knees.
const STAND: f64 = 0.998;

/// Bends legs so that constraints of their feet hold. Where a leg is too short for a foot that stands on both ends, the root comes nearer first.
pub(crate) fn plant(clip: &Clip, body: &Body, constraints: &[Constraint]) -> Clip {
    let pulls = pulls(clip, body, constraints);
    if pulls.iter().all(|p| *p == DVec3::ZERO) {
        return bent(clip, body, constraints);
    }
    let mut parts = clip.clone().into_parts();
    parts
        .root
        .iter_mut()
        .zip(pulls)
        .for_each(|(root, pull)| *root += pull);
    match parts.build() {
        Ok(nearer) => bent(&nearer, body, constraints),
        Err(_) => bent(clip, body, constraints),
    }
}

/// How far the root is to come nearer, per frame, smoothly.
fn pulls(clip: &Clip, body: &Body, constraints: &[Constraint]) -> Vec<DVec3> {
    let frames = clip.frame_count();
    let mut need = vec![DVec3::ZERO; frames];
    for side in RoleSide::BOTH {
        let (Some([hip, knee, ankle]), Some(foot)) = (
            body.roles.leg(&body.skeleton, side),
            &body.feet[side.index()],
        ) else {
            continue;
        };
        let wanted = wanted(frames, foot, constraints);
        let turns = turns(clip, foot, &wanted);
        let shifts = shifts(clip, foot, &wanted, &turns);
        let mut scratch = FkScratch::new(clip.skeleton());
        for frame in (0..frames).filter(|&f| wanted[f].iter().all(Option::is_some)) {
            scratch.solve(clip, frame);
            let place = |j: JointIdx| scratch.from_root[j.index()].as_dvec3();
            let way = place(ankle) + shifts[frame] - place(hip);
            let bones = place(hip).distance(place(knee)) + place(knee).distance(place(ankle));
            let short = way.length() - STAND * bones;
            if short > need[frame].length() {
                need[frame] = way.normalize_or_zero() * short;
            }
        }
    }
    let lengths: Vec<f64> = need.iter().map(|n| n.length()).collect();
    let over = (EASE_S * clip.rate_hz()).round() as usize;
    let smooth = widened(&lengths, over);
    (0..frames)
        .map(|f| {
            let window = f.saturating_sub(2 * over)..(f + 2 * over + 1).min(frames);
            let way: DVec3 = need[window].iter().sum();
            // A little more than is missing: what is pulled sideways does not bring the hip nearer in full.
            way.normalize_or_zero() * (1.1 * smooth[f])
        })
        .collect()
}

fn bent(clip: &Clip, body: &Body, constraints: &[Constraint]) -> Clip {
    let mut parts = clip.clone().into_parts();
    for side in RoleSide::BOTH {
        let (Some(leg), Some(foot)) = (
            body.roles.leg(&body.skeleton, side),
            &body.feet[side.index()],
        ) else {
            continue;
        };
        let wanted = wanted(clip.frame_count(), foot, constraints);
        if wanted.iter().all(|w| w[0].is_none() && w[1].is_none()) {
            continue;
        }
        let floors: Vec<Option<f64>> = floors(clip.frame_count(), foot, constraints);
        let turns = turns(clip, foot, &wanted);
        let turns = rolled(clip, leg, foot, &wanted, &floors, turns);
        let mut shifts = shifts(clip, foot, &wanted, &turns);
        lift(clip, foot, &wanted, &turns, &floors, &mut shifts);
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
        let Wish::At { point, target } = &c.wish else {
            continue;
        };
        let end = match *point {
            p if p == foot.heel => 0,
            p if Some(p) == foot.toe => 1,
            _ => continue,
        };
        let span = out
            .iter_mut()
            .enumerate()
            .take(c.frames.end)
            .skip(c.frames.start);
        span.for_each(|(frame, row)| row[end] = Some(target.at(frame - c.frames.start)));
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
        let (Some(heel), Some(toe), Some(point)) = (w[0], w[1], foot.toe) else {
            return None;
        };
        scratch.solve(clip, frame);
        let now = at(clip, &scratch, frame, point) - at(clip, &scratch, frame, foot.heel);
        let (now, then) = (now.try_normalize()?, (toe - heel).try_normalize()?);
        Some(DQuat::from_rotation_arc(now, then).to_scaled_axis())
    });
    let known: Vec<Option<DVec3>> = known.collect();
    eased(&known, clip.rate_hz())
}

/// Turns with what a foot rolls beyond them while it stands on one end: over the toe where its leg is too short for the ankle, back on the heel where
/// its toe would be in the floor. A foot that stands on both ends does neither, and in the air it fades.
fn rolled(
    clip: &Clip,
    [hip, knee, ankle]: [JointIdx; 3],
    foot: &Foot,
    wanted: &[[Option<DVec3>; 2]],
    floors: &[Option<f64>],
    turns: Vec<DVec3>,
) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(clip.skeleton());
    let known = wanted.iter().enumerate().map(|(frame, w)| {
        let toe = foot.toe?;
        if w[0].is_some() == w[1].is_some() {
            return w[0].map(|_| DVec3::ZERO);
        }
        scratch.solve(clip, frame);
        let place = |p: PointIdx| at(clip, &scratch, frame, p);
        let turn = DQuat::from_scaled_axis(turns[frame]);
        let roll = if let Some(ball) = w[1] {
            let (arm, way) = (
                turn * (place(ankle.into()) - place(toe)),
                place(hip.into()) - ball,
            );
            let bones = place(hip.into()).distance(place(knee.into()))
                + place(knee.into()).distance(place(ankle.into()));
            let reach = (REACH * bones).max(place(hip.into()).distance(place(ankle.into())));
            roll_to(arm, way, reach)
        } else {
            let arm = turn * (place(toe) - place(foot.heel));
            let room = floors[frame].unwrap_or(f64::NEG_INFINITY) - w[0].map_or(0.0, |h| h.y);
            let sine = |h: f64| (h / arm.length().max(1e-6)).clamp(-1.0, 1.0).asin();
            let angle = (sine(room) - sine(arm.y)).max(0.0);
            arm.cross(DVec3::Y).normalize_or_zero() * angle
        };
        Some(roll)
    });
    let known: Vec<Option<DVec3>> = known.collect();
    let rolls = eased(&known, clip.rate_hz());
    let both = turns.iter().zip(rolls);
    both.map(|(&t, r)| match r == DVec3::ZERO {
        true => t,
        false => (DQuat::from_scaled_axis(r) * DQuat::from_scaled_axis(t)).to_scaled_axis(),
    })
    .collect()
}

/// The turn of an arm from the toe to the ankle towards the hip (`way` from the toe) that brings the ankle within reach of it.
fn roll_to(arm: DVec3, way: DVec3, reach: f64) -> DVec3 {
    let (a, d) = (arm.length(), way.length());
    if (way - arm).length() <= reach || a < 1e-6 || d < 1e-6 {
        return DVec3::ZERO;
    }
    let wanted = ((a * a + d * d - reach * reach) / (2.0 * a * d))
        .clamp(-1.0, 1.0)
        .acos();
    let now = (arm.dot(way) / (a * d)).clamp(-1.0, 1.0).acos();
    arm.cross(way).normalize_or_zero() * (now - wanted).max(0.0)
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
        let ends = [
            missing(w[0], foot.heel),
            foot.toe.and_then(|t| missing(w[1], t)),
        ];
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
fn bend(
    clip: &Clip,
    body: &Body,
    scratch: &FkScratch,
    leg: [JointIdx; 3],
    side: RoleSide,
    shift: DVec3,
    turn: DVec3,
) -> Vec<(JointIdx, DQuat)> {
    let place = |j: JointIdx| scratch.from_root[j.index()].as_dvec3();
    let world = |j: JointIdx| scratch.rotations[j.index()].as_dquat().normalize();
    let [hip, knee, ankle] = leg;
    let (upper, lower) = (place(knee) - place(hip), place(ankle) - place(knee));
    let (now, then) = (upper + lower, upper + lower + shift);
    let (Some(along), Some(aim)) = (now.try_normalize(), then.try_normalize()) else {
        return Vec::new();
    };
    let axis = body.knees[side.index()].map_or(DVec3::X, |a| world(knee) * a);
    // A positive turn of the knee's axis bends the shin back; `fold` wants the knee towards hinge × along, which is forward for its opposite.
    let Some(hinge) = (-axis).reject_from_normalized(along).try_normalize() else {
        return Vec::new();
    };
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
            Some(p) if p != top && gaitway_core::anatomy::is_at_or_below(skeleton, p, top) => {
                new_top * (world(top).inverse() * world(p))
            }
            Some(p) if p == top => new_top,
            Some(p) => world(p),
            None => DQuat::IDENTITY,
        }
    };
    let above_hip = skeleton.parent(hip).map_or(DQuat::IDENTITY, world);
    vec![
        (hip, (above_hip.inverse() * new_thigh).normalize()),
        (
            knee,
            (carried(knee, hip, new_thigh).inverse() * new_shank).normalize(),
        ),
        (
            ankle,
            (carried(ankle, knee, new_shank).inverse() * new_foot).normalize(),
        ),
    ]
}
