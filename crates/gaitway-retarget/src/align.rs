//! How each joint of one body follows those of another.
//!
//! With G the world rotation of a joint now, R where bodies are compared (both standing, both facing +Z), s the source's joint and t the target's,
//!
//!   G_t = G_s · A,     A = R_s⁻¹ · C · R_t
//!
//! C turns what the target's joint carries to where the source's points while both stand: for the hips and the chest it carries left and right of
//! the one onto those of the other; down the limbs it is the parent's, and then the smallest turn that brings the bone to the other's direction
//! (so an arm of a T-pose is first lowered, then bent, and elbows keep their hinge). Feet are aligned as they stand flat. Bones then point
//! to exactly where the source's do, whatever the rest poses are; only their turn about themselves depends on those.
//!
//! Chains of other counts (spine, neck) share: a target's joint at a part u of the chain's length turns as the source's chain does at u, between the two
//! joints it lies between.

mod trunk;

use gaitway_core::{JointIdx, Skeleton};
use glam::{DQuat, DVec3};
use serde::Serialize;

use crate::body::{Body, RestFrom};
use crate::roles::{Part, Role, RoleSide};

/// What turns one joint of the target.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// World rotation of a source joint, and what comes after it.
    One(JointIdx, DQuat),
    /// Between two of them, by a part of the way.
    Between([(JointIdx, DQuat); 2], f64),
}

/// One row of the mapping as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MappedRole {
    /// The role.
    pub role: Role,
    /// The source's joints.
    pub source: Vec<String>,
    /// The target's joints.
    pub target: Vec<String>,
    /// The smaller of both confidences; 0 where either lacks it.
    pub confidence: f64,
    /// What it was found by, or what is done for want of it.
    pub note: String,
}

/// How a target follows a source.
#[derive(Clone, Debug)]
pub struct Alignment {
    /// Per joint of the target; `None` stays as it is at rest, in its parent.
    pub drives: Vec<Option<Drive>>,
    /// Twist joints of the target: the joint, that whose twist it shares, and the share.
    pub twists: Vec<(JointIdx, JointIdx, f64)>,
    /// The mapping, role by role.
    pub rows: Vec<MappedRole>,
    /// Where the poses of source and target are from that were compared.
    pub rest_from: [RestFrom; 2],
    /// Whether both bodies are the same: then motion is copied as it is.
    pub same: bool,
    /// The target's leg length over the source's.
    pub scale: f64,
    /// What is done otherwise than for other bodies.
    pub notes: Vec<String>,
}

/// Offsets within this are the same body, metres.
const SAME_M: f32 = 1e-5;

/// Aligns two bodies.
pub fn align(source: &Body, target: &Body) -> Alignment {
    let [source, target] = &source.compared(target);
    let same = source.skeleton.agrees(&target.skeleton, SAME_M);
    let mut notes = Vec::new();
    let scale = scale(source, target, &mut notes);
    let mut drives = vec![None; target.skeleton.joint_count()];
    if same {
        for j in target.skeleton.joints() {
            drives[j.index()] = Some(Drive::One(j, DQuat::IDENTITY));
        }
    } else {
        trunk::trunk(source, target, &mut drives);
        for side in RoleSide::BOTH {
            limbs(source, target, side, &mut drives);
        }
        by_name(source, target, &mut drives);
    }
    Alignment {
        rows: rows(source, target, same),
        twists: twists(target),
        rest_from: [source.rest_from, target.rest_from],
        drives,
        same,
        scale,
        notes,
    }
}

fn scale(source: &Body, target: &Body, notes: &mut Vec<String>) -> f64 {
    if let (Some(a), Some(b)) = (source.leg_length, target.leg_length) {
        return b / a;
    }
    let height = |b: &Body| {
        let ys = b.places.iter().map(|p| p.y);
        let (low, high) = ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| {
            (l.min(y), h.max(y))
        });
        high - low
    };
    let (a, b) = (height(source), height(target));
    if a > 1e-3 && b > 1e-3 {
        notes.push("one of the bodies has no legs to measure: travel is scaled by how tall both are at rest".to_owned());
        return b / a;
    }
    notes.push("one of the bodies has no size: travel is not scaled".to_owned());
    1.0
}

pub(crate) fn after(source: &Body, target: &Body, s: JointIdx, t: JointIdx, c: DQuat) -> DQuat {
    (source.rest[s.index()].inverse() * c * target.rest[t.index()]).normalize()
}

fn limbs(source: &Body, target: &Body, side: RoleSide, drives: &mut [Option<Drive>]) {
    let joint = |b: &Body, p: Part| b.roles.joint(p, side);
    let both = |p: Part| joint(source, p).zip(joint(target, p));
    let c_chest = trunk::across(source, target, &trunk::AT_CHEST);
    if let Some((s, t)) = both(Part::Shoulder) {
        drives[t.index()] = Some(Drive::One(s, after(source, target, s, t, c_chest)));
    }
    chain(
        source,
        target,
        side,
        &[Part::UpperArm, Part::Forearm, Part::Hand],
        c_chest,
        drives,
    );
    let c_hips = trunk::across(source, target, &trunk::AT_HIPS);
    chain(
        source,
        target,
        side,
        &[Part::Thigh, Part::Shank, Part::Foot],
        c_hips,
        drives,
    );
    let (Some(fs), Some(ft)) = (&source.feet[side.index()], &target.feet[side.index()]) else {
        return;
    };
    drives[ft.ankle.index()] = Some(Drive::One(
        fs.ankle,
        (fs.level.inverse() * ft.level).normalize(),
    ));
    if let (Some((s, t)), Some(a), Some(b)) = (both(Part::Toe), fs.toe_level, ft.toe_level) {
        drives[t.index()] = Some(Drive::One(s, (a.inverse() * b).normalize()));
    }
}

/// Down a limb, each bone carried by the one above and then brought to where the source's points.
fn chain(
    source: &Body,
    target: &Body,
    side: RoleSide,
    parts: &[Part],
    mut c: DQuat,
    drives: &mut [Option<Drive>],
) {
    for (k, &part) in parts.iter().enumerate() {
        let pair = source
            .roles
            .joint(part, side)
            .zip(target.roles.joint(part, side));
        let Some((s, t)) = pair else { return };
        let way = |b: &Body, j: JointIdx| {
            let next = parts.get(k + 1).and_then(|&p| b.roles.joint(p, side));
            let next = next.map(|n| b.place(n)).or_else(|| tip(b, j))?;
            let way = next - b.place(j);
            (way.length() > 5e-3).then(|| way.normalize())
        };
        if let (Some(ds), Some(dt)) = (way(source, s), way(target, t)) {
            c = (DQuat::from_rotation_arc((c * dt).normalize(), ds) * c).normalize();
        }
        drives[t.index()] = Some(Drive::One(s, after(source, target, s, t, c)));
    }
}

/// The middle of what hangs on a hand, where it has any length.
fn tip(body: &Body, joint: JointIdx) -> Option<DVec3> {
    let skeleton = &body.skeleton;
    let joints = skeleton.children(joint).map(|j| body.place(j));
    let sites = skeleton
        .end_sites()
        .iter()
        .enumerate()
        .filter(|(_, e)| e.parent == joint);
    let sites = sites.map(|(i, _)| body.places[skeleton.end_site_point(i).index()]);
    let all: Vec<DVec3> = joints
        .chain(sites)
        .filter(|p| p.distance(body.place(joint)) > 5e-3)
        .collect();
    (!all.is_empty()).then(|| all.iter().sum::<DVec3>() / all.len() as f64)
}

/// Fingers and whatever else both bodies call the same and hang alike: they turn in their parents as the source's do.
fn by_name(source: &Body, target: &Body, drives: &mut [Option<Drive>]) {
    for t in target.skeleton.joints() {
        let name = target.skeleton.name(t);
        if drives[t.index()].is_some() || !is_finger(name) {
            continue;
        }
        let (Some(s), Some(parent)) = (
            find_alike(&source.skeleton, name),
            target.skeleton.parent(t),
        ) else {
            continue;
        };
        let Some(Drive::One(above, a)) = drives[parent.index()] else {
            continue;
        };
        // Carried by the C of what it hangs on: bones of fingers lie along the hand in both.
        let c = source.rest[above.index()] * a * target.rest[parent.index()].inverse();
        drives[t.index()] = Some(Drive::One(s, after(source, target, s, t, c)));
    }
}

fn is_finger(name: &str) -> bool {
    let name = name.to_lowercase();
    ["thumb", "index", "middle", "ring", "pinky", "finger"]
        .iter()
        .any(|f| name.contains(f))
}

fn find_alike(skeleton: &Skeleton, name: &str) -> Option<JointIdx> {
    use gaitway_core::anatomy::words;
    let wanted = words(name);
    skeleton
        .joints()
        .find(|&j| words(skeleton.name(j)) == wanted)
}

/// Twist joints of the target with their share: as far down the bone as they lie.
fn twists(target: &Body) -> Vec<(JointIdx, JointIdx, f64)> {
    let skeleton = &target.skeleton;
    target
        .roles
        .twists
        .iter()
        .filter_map(|&(twist, of)| {
            let next = skeleton.joints().find(|&j| {
                let role = target.roles.role_of(j);
                role.is_some()
                    && j != of
                    && skeleton.parent(j).is_some_and(|p| p == of || p == twist)
            })?;
            let length = target.place(of).distance(target.place(next));
            let share =
                (target.place(of).distance(target.place(twist)) / length.max(1e-6)).clamp(0.0, 1.0);
            Some((twist, next, share))
        })
        .collect()
}

fn rows(source: &Body, target: &Body, same: bool) -> Vec<MappedRole> {
    let names = |b: &Body, joints: &[JointIdx]| {
        joints
            .iter()
            .map(|&j| b.skeleton.name(j).to_owned())
            .collect::<Vec<_>>()
    };
    let row = |role: Role| {
        let (s, t) = (source.roles.get(role), target.roles.get(role));
        let confidence = s
            .zip(t)
            .map_or(0.0, |(s, t)| s.confidence.min(t.confidence));
        let note = match (s, t) {
            (None, None) => return None,
            (Some(_), Some(_)) if same => "same body".to_owned(),
            (Some(s), Some(t)) if s.joints.len() != t.joints.len() => match t.joints.len() {
                1 => format!("one joint takes the turn of {}", s.joints.len()),
                n => format!("{n} joints share the turn of {}", s.joints.len()),
            },
            (Some(s), Some(t)) if s.why == t.why => s.why.clone(),
            (Some(s), Some(t)) => format!("{} / {}", s.why, t.why),
            (Some(_), None) => "the target has none: left out".to_owned(),
            (None, Some(_)) => "the source has none: stays at rest".to_owned(),
        };
        Some(MappedRole {
            role,
            source: s.map_or(Vec::new(), |a| names(source, &a.joints)),
            target: t.map_or(Vec::new(), |a| names(target, &a.joints)),
            confidence,
            note,
        })
    };
    Role::all().filter_map(row).collect()
}
