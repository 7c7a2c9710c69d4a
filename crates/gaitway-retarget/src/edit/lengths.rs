//! Taller, longer legs, longer arms: the same person in other lengths.
//!
//! Angles stay. A body that is taller all over is the same motion scaled about the floor below its first frame, and nothing else has to change. Longer
//! legs go farther: the way is scaled by how much longer they are, soles are brought to the floor, and feet are planted as retargeting plants them.

use std::sync::Arc;

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, Skeleton};
use glam::{DQuat, DVec3};

use super::feet::settle;
use super::{EditError, EditStep, Edits, Size, times};
use crate::body::Body;
use crate::plants;
use crate::roles::{self, Part, RoleSide};
use crate::solve::SolveOptions;

/// How tall a body stands: from its lowest point to its highest, metres.
pub fn height(body: &Body) -> f64 {
    let ys = body.places.iter().map(|p| p.y);
    let (low, high) = ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| {
        (l.min(y), h.max(y))
    });
    (high - low).max(0.0)
}

/// How far a body's wrist is from its shoulder with a straight arm, metres.
pub fn reached(body: &Body, side: RoleSide) -> Option<f64> {
    let [a, b, c] = body.roles.arm(&body.skeleton, side)?;
    Some(body.place(a).distance(body.place(b)) + body.place(b).distance(body.place(c)))
}

/// `None` where no length is to change.
pub(super) fn change(
    clip: &Clip,
    body: &Body,
    edits: &Edits,
) -> Result<Option<(Clip, Body, EditStep)>, EditError> {
    let all = match edits.taller {
        None => 1.0,
        Some(Size::Times(t)) => times("taller", t)?,
        Some(Size::Metres(m)) => times("taller", m / height(body).max(1e-9))?,
    };
    let (legs, arms) = (times("legs", edits.legs)?, times("arms", edits.arms)?);
    if all == 1.0 && legs == 1.0 && arms == 1.0 {
        return Ok(None);
    }
    let has = |limb: &dyn Fn(RoleSide) -> bool| RoleSide::BOTH.into_iter().all(limb);
    if legs != 1.0 && !has(&|s| body.roles.leg(&body.skeleton, s).is_some()) {
        return Err(EditError::Body(
            "this body has no two legs of thigh, shank and foot to make longer".to_owned(),
        ));
    }
    if arms != 1.0 && !has(&|s| body.roles.arm(&body.skeleton, s).is_some()) {
        return Err(EditError::Body(
            "this body has no two arms of upper arm, forearm and hand to make longer".to_owned(),
        ));
    }
    let factors = factors(body, all, legs, arms);
    let skeleton = resized_skeleton(&body.skeleton, &factors, all);
    let target = resized(body, skeleton.clone(), all);
    let stands = plants::stands(clip, body);
    let first = first_guess(clip, (body, &target), skeleton, &factors, stands.floor)?;
    let mut step = EditStep::new("lengths", words(edits));
    step.notes.push(format!(
        "{:.2} m tall before, {:.2} m now",
        height(body),
        height(&target)
    ));
    if legs == 1.0 {
        return Ok(Some((first, target, step)));
    }
    let scale = scale(body, &target);
    let by = plants::lift(&first, &target, &stands, scale);
    let mut parts = first.into_parts();
    parts.root.iter_mut().for_each(|p| p.y += by);
    let first = parts.build()?;
    let (constraints, contacts) = plants::constraints(&first, &target, &stands, scale);
    let done = settle(&first, &target, &constraints, &SolveOptions::default());
    step.notes.extend(stands.note.clone());
    let left = crate::solve::residuals(&done, &constraints)
        .iter()
        .map(|r| r.max_mm)
        .fold(0.0, f64::max);
    step.left_mm = Some(left);
    // What was known to stand is known still; what was only found is found again.
    let done = if clip.contacts().is_some() {
        done.with_contacts(Some(contacts))?
    } else {
        done
    };
    Ok(Some((done, target, step)))
}

fn words(edits: &Edits) -> String {
    let mut out = Vec::new();
    match edits.taller {
        Some(Size::Times(t)) => out.push(format!("{:+.1} % taller", 100.0 * (t - 1.0))),
        Some(Size::Metres(m)) => out.push(format!("{m} m tall")),
        None => {}
    }
    for (what, t) in [("legs", edits.legs), ("arms", edits.arms)] {
        if t != 1.0 {
            out.push(format!("{what} {:+.1} %", 100.0 * (t - 1.0)));
        }
    }
    out.join(", ")
}

fn scale(body: &Body, target: &Body) -> f64 {
    match (body.leg_length, target.leg_length) {
        (Some(a), Some(b)) if a > 1e-6 => b / a,
        _ => 1.0,
    }
}

/// Per joint what its offset is multiplied by.
fn factors(body: &Body, all: f64, legs: f64, arms: f64) -> Vec<f64> {
    let skeleton = &body.skeleton;
    let mut out = vec![all; skeleton.joint_count()];
    let mut lengthen = |limb: Option<[JointIdx; 3]>, by: f64| {
        let Some([top, _, end]) = limb else { return };
        for j in skeleton.joints() {
            let on_the_way =
                j != top && is_at_or_below(skeleton, end, j) && is_at_or_below(skeleton, j, top);
            let twist = body
                .roles
                .twists
                .iter()
                .any(|&(t, of)| t == j && of != end && is_at_or_below(skeleton, of, top));
            if on_the_way || twist {
                out[j.index()] *= by;
            }
        }
    };
    for side in RoleSide::BOTH {
        lengthen(body.roles.leg(skeleton, side), legs);
        lengthen(body.roles.arm(skeleton, side), arms);
    }
    out
}

fn resized_skeleton(skeleton: &Skeleton, factors: &[f64], all: f64) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for j in skeleton.joints() {
        let offset = skeleton.offset(j) * factors[j.index()] as f32;
        match skeleton.parent(j) {
            None => builder.root(skeleton.name(j), offset),
            Some(p) => builder.joint(skeleton.name(j), p, offset),
        };
    }
    for tip in skeleton.end_sites() {
        builder.end_site(tip.parent, tip.offset * all as f32);
    }
    // Names and parents are those of a skeleton, and factors are finite.
    builder
        .build()
        .map_or_else(|_| Arc::new(skeleton.clone()), Skeleton::shared)
}

/// The body with other lengths, standing as it stood.
fn resized(body: &Body, skeleton: Arc<Skeleton>, all: f64) -> Body {
    let back = match body.locals.first() {
        Some(q) => body.rest[0] * q.as_dquat().inverse(),
        None => DQuat::IDENTITY,
    };
    let places = roles::place_of(&skeleton, &body.locals);
    let mut out = Body {
        places: places.iter().map(|&p| back * p).collect(),
        skeleton,
        ..body.clone()
    };
    for foot in out.feet.iter_mut().flatten() {
        foot.heights = foot.heights.map(|h| h * all);
    }
    let length = |s: RoleSide| {
        let [a, b, c] = out.roles.leg(&out.skeleton, s)?;
        Some(out.place(a).distance(out.place(b)) + out.place(b).distance(out.place(c)))
    };
    let legs: Vec<f64> = RoleSide::BOTH.into_iter().filter_map(length).collect();
    if !legs.is_empty() {
        out.leg_length = Some(legs.iter().sum::<f64>() / legs.len() as f64);
    }
    out
}

/// Angles as they are; the middle of the hips goes σ times as far from the floor below its first frame.
fn first_guess(
    clip: &Clip,
    (body, target): (&Body, &Body),
    skeleton: Arc<Skeleton>,
    factors: &[f64],
    floor: f64,
) -> Result<Clip, EditError> {
    let scale = scale(body, target);
    let mut parts = clip.clone().into_parts();
    parts.skeleton = skeleton;
    for track in &mut parts.translations {
        let by = factors[track.joint.index()] as f32;
        track.values.iter_mut().for_each(|v| *v *= by);
    }
    let mut made = parts.build()?;
    let (mut from, mut onto) = (
        FkScratch::new(&body.skeleton),
        FkScratch::new(&target.skeleton),
    );
    let mut centre: Option<DVec3> = None;
    let mut root = Vec::with_capacity(clip.frame_count());
    for frame in 0..clip.frame_count() {
        from.solve(clip, frame);
        onto.solve(&made, frame);
        let here = clip.root()[frame] + middle(body, &from);
        let c = *centre.get_or_insert(DVec3::new(here.x, floor, here.z));
        root.push(c + scale * (here - c) - middle(target, &onto));
    }
    let mut parts = made.into_parts();
    parts.root = root;
    made = parts.build()?;
    Ok(made)
}

fn middle(body: &Body, solved: &FkScratch) -> DVec3 {
    let at = |j: JointIdx| solved.from_root[j.index()].as_dvec3();
    match body.hip_joints() {
        Some([l, r]) => 0.5 * (at(l) + at(r)),
        None => body.roles.trunk(Part::Hips).map_or(DVec3::ZERO, at),
    }
}
