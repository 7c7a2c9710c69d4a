//! From anatomy to parts: how a leg, an arm, a trunk and a head are built of balls.
//!
//! Radii and lengths are shares of the body's unit, chosen by eye so that figures of every skeleton of the
//! test data look like people of ordinary build.

use gaitway_core::anatomy::{Anatomy, Arm, Leg};
use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, PointIdx};
use glam::{DVec3, Vec3};

use super::body::{Assembly, Body, Spot, Tone, ancestors};
use super::figure_rest::{add_rest, is_body};

/// Thigh and shin of a person of 1.75 m, in metres: what the unit is measured by.
const LEG_M: f64 = 0.82;
/// Frames looked at to find the sole and the face.
const SAMPLES: usize = 48;

/// A frame looked at for where the body's front and the floor are.
pub(super) struct Sample {
    pub solved: FkScratch,
    root: DVec3,
    ahead: Vec3,
}

pub(super) fn build(clip: &Clip, anatomy: &Anatomy, facing: &[f64]) -> Body {
    let samples = samples(clip, facing);
    let mut work = Assembly::new(clip, 1.0);
    work.body.unit = unit(&work, anatomy);
    let top = top_of(&work, anatomy);
    // Above the body: a root that stays at the origin while the hips travel. Where legs are not known as such, what
    // hangs beside the rest may be one: feet that are led by hand hang on the root.
    let beside = anatomy.both_legs().is_none();
    for joint in clip.skeleton().joints() {
        let above = work.is_at_or_below(top, joint);
        let inside = work.is_at_or_below(joint, top);
        let aside = !(above || inside || beside && is_body(clip, joint));
        work.covered[joint.index()] = above || aside;
        work.aside[joint.index()] = aside;
    }
    work.body.pelvis = match anatomy.both_legs() {
        Some([l, r]) => {
            let (l, r) = (work.joint(l.hip), work.joint(r.hip));
            work.between(l, r, 0.5)
        }
        None => work.joint(top),
    };
    if let Some(legs) = anatomy.both_legs() {
        for (leg, tone) in legs.into_iter().zip([Tone::Left, Tone::Right]) {
            add_leg(&mut work, &samples, leg, tone);
        }
    }
    if let Some(arms) = anatomy.both_arms() {
        for (arm, tone) in arms.into_iter().zip([Tone::Left, Tone::Right]) {
            add_arm(&mut work, arm, tone);
        }
    }
    if let (Some(legs), Some(arms)) = (anatomy.both_legs(), anatomy.both_arms()) {
        let neck = add_trunk(&mut work, top, legs, arms);
        if let Some(head) = anatomy.head {
            add_head(&mut work, &samples, head, neck);
        }
    }
    add_rest(&mut work, &samples, top);
    work.body
}

fn samples(clip: &Clip, facing: &[f64]) -> Vec<Sample> {
    let frames = clip.frame_count();
    let step = frames.div_ceil(SAMPLES).max(1);
    let mut solved = FkScratch::new(clip.skeleton());
    let at = |frame: usize| {
        solved.solve(clip, frame);
        let (sin, cos) = facing.get(frame).copied().unwrap_or(0.0).sin_cos();
        Sample {
            solved: solved.clone(),
            root: clip.root()[frame],
            ahead: Vec3::new(sin as f32, 0.0, cos as f32),
        }
    };
    (0..frames).step_by(step).map(at).collect()
}

/// The body's size: by its legs, else by the box around it.
fn unit(work: &Assembly<'_>, anatomy: &Anatomy) -> f64 {
    let legs = anatomy.legs.iter().flatten();
    let lengths: Vec<f64> = legs
        .map(|l| {
            work.apart(l.hip.into(), l.knee.into()) + work.apart(l.knee.into(), l.ankle.into())
        })
        .collect();
    let by_leg = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64 / LEG_M;
    let places = &work.measure.from_root;
    let (low, high) = places
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), p| {
            (l.min(*p), h.max(*p))
        });
    let by_box = f64::from((high - low).length()) / 1.9;
    match (by_leg > 1e-6, by_box > 1e-6) {
        // Legs far out of proportion are not a person's: the box decides.
        (true, _) if by_leg > 0.2 * by_box => by_leg,
        (_, true) => by_box,
        _ => 1.0,
    }
}

/// The lowest joint that holds the whole body.
fn top_of(work: &Assembly<'_>, anatomy: &Anatomy) -> JointIdx {
    let legs = anatomy.legs.iter().flatten().map(|l| l.hip);
    let arms = anatomy.arms.iter().flatten().map(|a| a.shoulder);
    let holders: Vec<JointIdx> = legs.chain(arms).chain(anatomy.head).collect();
    if let Some(&first) = holders.first() {
        let all = |j: &JointIdx| holders.iter().all(|&h| work.is_at_or_below(h, *j));
        return ancestors(work.skeleton, first)
            .find(all)
            .unwrap_or(JointIdx::ROOT);
    }
    let branches = |j: JointIdx| {
        let sites = work.skeleton.end_sites().iter();
        work.skeleton.children(j).count() + sites.filter(|e| e.parent == j).count() > 1
    };
    work.skeleton
        .joints()
        .find(|&j| branches(j))
        .unwrap_or(JointIdx::ROOT)
}

fn add_leg(work: &mut Assembly<'_>, samples: &[Sample], leg: Leg, tone: Tone) {
    let (hip, knee) = (work.joint(leg.hip), work.joint(leg.knee));
    let ankle = work.joint(leg.ankle);
    work.part(tone, &[(hip, 0.088), (knee, 0.056)]);
    work.part(tone, &[(knee, 0.056), (ankle, 0.038)]);
    let ball = match leg.toe {
        Some(toe) => work.joint(toe),
        None => ankle,
    };
    let tip = match leg.tip {
        Some(p) if work.apart(leg.ankle.into(), p) > 0.15 * work.body.unit => work.point(p),
        // A rig that ends at the ankle or the ball of the foot still has toes.
        _ => {
            let toes = toes(work, samples, leg);
            work.fixed(leg.ankle, toes)
        }
    };
    let mut foot = vec![(ankle, 0.038), (ball, 0.034), (tip, 0.024)];
    if let Some(heel) = heel(work, samples, leg) {
        foot.push((work.fixed(leg.ankle, heel), 0.032));
    }
    work.part(tone, &foot);
    for (a, b) in [(hip, knee), (knee, ankle), (ankle, ball), (ball, tip)] {
        if a != b {
            work.bone(a, b, tone);
        }
    }
    work.bone(work.body.pelvis, hip, tone);
    work.body
        .dots
        .extend([hip, knee, ankle, tip].map(|s| (s, tone)));
    cover_chain(work, leg.ankle);
    cover_below(work, leg.ankle);
}

/// The sample in which a foot stands flattest.
fn flattest(samples: &[Sample], ankle: usize, tip: usize) -> Option<&Sample> {
    let low = |s: &Sample| {
        let p = &s.solved.from_root;
        s.root.y + f64::from(p[ankle].y + p[tip].y)
    };
    samples.iter().min_by(|a, b| low(a).total_cmp(&low(b)))
}

/// Where toes end in the ankle's frame when the rig does not say: ahead, at the height of the lowest known point.
fn toes(work: &Assembly<'_>, samples: &[Sample], leg: Leg) -> Vec3 {
    let ankle = leg.ankle.index();
    let tip = leg.tip.map_or(ankle, PointIdx::index);
    let unit = work.body.unit as f32;
    let Some(flat) = flattest(samples, ankle, tip) else {
        return Vec3::Z * 0.18 * unit;
    };
    let known = flat.solved.from_root[tip] - flat.solved.from_root[ankle];
    let level = Vec3::new(known.x, 0.0, known.z);
    let ahead = if level.length() > 0.03 * unit {
        level.normalize()
    } else {
        flat.ahead
    };
    let drop = known.y.clamp(-0.1 * unit, -0.03 * unit);
    flat.solved.rotations[ankle].inverse() * (ahead * 0.18 * unit + Vec3::Y * drop)
}

/// The heel in the ankle's frame: behind the ankle and down at the sole, found where the foot stands flattest.
fn heel(work: &Assembly<'_>, samples: &[Sample], leg: Leg) -> Option<Vec3> {
    let (tip, ankle) = (leg.tip?.index(), leg.ankle.index());
    let ball = leg.toe.map_or(tip, JointIdx::index);
    let flat = flattest(samples, ankle, tip)?;
    let p = &flat.solved.from_root;
    let along = p[tip] - p[ankle];
    let level = Vec3::new(along.x, 0.0, along.z);
    let unit = work.body.unit as f32;
    if level.length() < 0.05 * unit {
        return None;
    }
    let sole = p[tip].y.min(p[ball].y) + 0.01 * unit;
    let drop = (sole - p[ankle].y).clamp(-0.12 * unit, 0.0);
    let behind = level.normalize() * (-0.05 * unit) + Vec3::Y * drop;
    Some(flat.solved.rotations[ankle].inverse() * behind)
}

fn add_arm(work: &mut Assembly<'_>, arm: Arm, tone: Tone) {
    let (shoulder, elbow) = (work.joint(arm.shoulder), work.joint(arm.elbow));
    let wrist = work.joint(arm.wrist);
    work.part(tone, &[(shoulder, 0.053), (elbow, 0.04)]);
    work.part(tone, &[(elbow, 0.04), (wrist, 0.029)]);
    let tip = match hand(work, arm.wrist) {
        Some(local) => work.fixed(arm.wrist, local),
        // No finger known to be fixed to the hand: go on along the forearm.
        None => {
            let forearm = work.apart(arm.elbow.into(), arm.wrist.into()).max(1e-6);
            work.between(elbow, wrist, 1.0 + 0.1 * work.body.unit / forearm)
        }
    };
    work.part(tone, &[(wrist, 0.032), (tip, 0.029)]);
    for (a, b) in [(shoulder, elbow), (elbow, wrist), (wrist, tip)] {
        work.bone(a, b, tone);
    }
    work.body
        .dots
        .extend([shoulder, elbow, wrist].map(|s| (s, tone)));
    cover_chain(work, arm.wrist);
    cover_below(work, arm.wrist);
}

/// Where the hand ends in the wrist's frame: towards the mean of what hangs on the wrist directly, since only those
/// places do not depend on how fingers turn (which often is noise).
fn hand(work: &Assembly<'_>, wrist: JointIdx) -> Option<Vec3> {
    let unit = work.body.unit as f32;
    let joints = work.skeleton.children(wrist);
    let sites = work.skeleton.end_sites().iter();
    let offsets = joints
        .filter(|&j| !work.skeleton.name(j).to_lowercase().contains("thumb"))
        .map(|j| work.skeleton.offset(j))
        .chain(sites.filter(|e| e.parent == wrist).map(|e| e.offset))
        .filter(|o| o.length() > 0.02 * unit && o.length() < 0.25 * unit);
    let sum: Vec3 = offsets.sum();
    let towards = sum.normalize_or_zero();
    (towards != Vec3::ZERO).then_some(towards * 0.1 * unit)
}

/// Pelvis, waist, chest and shoulders; gives the base of the neck.
fn add_trunk(work: &mut Assembly<'_>, top: JointIdx, legs: [Leg; 2], arms: [Arm; 2]) -> Spot {
    let hips = legs.map(|l| work.joint(l.hip));
    let shoulders = arms.map(|a| work.joint(a.shoulder));
    let pelvis = work.between(hips[0], hips[1], 0.5);
    let neck = work.between(shoulders[0], shoulders[1], 0.5);
    let waist = waist(work, top, arms[0], pelvis, neck);
    let chest = work.between(waist, neck, 0.6);
    let inner = [0.13, 0.87].map(|share| work.between(shoulders[0], shoulders[1], share));
    let seat = [0.04, 0.96].map(|share| work.between(hips[0], hips[1], share));
    work.part(
        Tone::Trunk,
        &[(seat[0], 0.096), (seat[1], 0.096), (waist, 0.1)],
    );
    work.part(
        Tone::Trunk,
        &[
            (waist, 0.1),
            (chest, 0.12),
            (inner[0], 0.066),
            (inner[1], 0.066),
        ],
    );
    for (a, b) in [
        (pelvis, waist),
        (waist, neck),
        (neck, shoulders[0]),
        (neck, shoulders[1]),
    ] {
        work.bone(a, b, Tone::Trunk);
    }
    for arm in arms {
        cover_chain(work, arm.shoulder);
    }
    neck
}

/// The spine's joint nearest to 40 % of the way up, or that very place where no joint is near.
fn waist(work: &mut Assembly<'_>, top: JointIdx, arm: Arm, pelvis: Spot, neck: Spot) -> Spot {
    let measured = work.body.places(&work.measure, DVec3::ZERO);
    let (low, high) = (measured[pelvis], measured[neck]);
    let up = high - low;
    let share = |j: JointIdx| {
        let place = work.measure.from_root[j.index()].as_dvec3();
        (place - low).dot(up) / up.length_squared().max(1e-12)
    };
    let best = ancestors(work.skeleton, arm.shoulder)
        .take_while(|&j| j != top)
        .min_by(|&a, &b| (share(a) - 0.4).abs().total_cmp(&(share(b) - 0.4).abs()));
    match best {
        Some(j) if (0.25..0.55).contains(&share(j)) => work.joint(j),
        _ => work.between(pelvis, neck, 0.4),
    }
}

fn add_head(work: &mut Assembly<'_>, samples: &[Sample], head: JointIdx, neck: Spot) {
    let unit = work.body.unit;
    let base = work.joint(head);
    let (up, length) = head_tip(work, head).unwrap_or_else(|| {
        let parent = work.skeleton.parent(head).unwrap_or(head).index();
        let along = mean_local(samples, head, |s| {
            let rise = s.solved.from_root[head.index()] - s.solved.from_root[parent];
            if rise.length() > 0.02 * unit as f32 {
                rise
            } else {
                Vec3::Y
            }
        });
        (along, 0.2 * unit)
    });
    let length = length.clamp(0.17 * unit, 0.24 * unit) as f32;
    let ahead = mean_local(samples, head, |s| s.ahead);
    let ahead = (ahead - up * ahead.dot(up)).normalize_or_zero();
    let u = unit as f32;
    let skull = work.fixed(head, up * (length - 0.092 * u) + ahead * 0.018 * u);
    let chin = work.fixed(head, up * (length - 0.17 * u) + ahead * 0.05 * u);
    work.part(Tone::Trunk, &[(neck, 0.056), (base, 0.048)]);
    work.part(Tone::Head, &[(skull, 0.092), (chin, 0.055)]);
    work.bone(neck, base, Tone::Trunk);
    work.bone(base, skull, Tone::Trunk);
    work.body.head = Some((skull, 0.1 * unit));
    work.body.dots.push((skull, Tone::Head));
    cover_chain(work, head);
    cover_below(work, head);
}

/// Direction and length from the head's joint to its top, in its frame, where the rig has one.
fn head_tip(work: &Assembly<'_>, head: JointIdx) -> Option<(Vec3, f64)> {
    let sites = work.skeleton.end_sites().iter();
    let sites = sites.filter(|e| e.parent == head).map(|e| e.offset);
    let joints = work.skeleton.children(head);
    let joints = joints.filter(|&j| work.tone_of(j) == Tone::Trunk);
    let offset = sites
        .chain(joints.map(|j| work.skeleton.offset(j)))
        .max_by(|a, b| a.length().total_cmp(&b.length()))?;
    let length = f64::from(offset.length());
    let fits = (0.08..0.4).contains(&(length / work.body.unit));
    fits.then(|| (offset.normalize(), length))
}

/// A world direction in a joint's frame, averaged over the samples.
fn mean_local(samples: &[Sample], joint: JointIdx, world: impl Fn(&Sample) -> Vec3) -> Vec3 {
    let local = samples
        .iter()
        .map(|s| s.solved.rotations[joint.index()].inverse() * world(s).normalize_or_zero());
    let sum: Vec3 = local.sum();
    let mean = sum.normalize_or_zero();
    if mean == Vec3::ZERO { Vec3::Z } else { mean }
}

fn cover_chain(work: &mut Assembly<'_>, joint: JointIdx) {
    let chain: Vec<JointIdx> = ancestors(work.skeleton, joint).collect();
    for j in chain {
        work.covered[j.index()] = true;
    }
}

fn cover_below(work: &mut Assembly<'_>, joint: JointIdx) {
    for index in 0..work.skeleton.point_count() {
        let holder = work.skeleton.point_joint(PointIdx(index as u32));
        if work.is_at_or_below(holder, joint)
            && (holder != joint || index >= work.skeleton.joint_count())
        {
            work.covered[index] = true;
        }
    }
}
