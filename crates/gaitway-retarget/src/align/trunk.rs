//! The trunk: hips, spine, neck and head, whatever the number of their joints.
//!
//! A joint turns the bone after it, so its *station* along its chain is the middle of that bone, from 0 to 1. A target's joint turns as the source's chain
//! does at its station. A spine goes on from the hips, at 0, to the chest, at 1: one joint more of it bends a little of what the others do. A neck
//! goes on from nothing: of one joint it points to where that of two does as a whole, and back.

use gaitway_core::JointIdx;
use glam::DQuat;

use super::{Drive, after};
use crate::body::Body;
use crate::roles::{Part, Role, RoleSide};

/// C of the hips and chest: what turns left and right of the one to those of the other, about the vertical, since both stand upright. Of the chest what
/// hangs on it says more than where upper arms are, which shrugs move.
pub(super) fn across(source: &Body, target: &Body, parts: &[Part]) -> DQuat {
    let heading = |b: &Body| {
        parts.iter().find_map(|&part| {
            let l = b.roles.joint(part, RoleSide::Left)?;
            let r = b.roles.joint(part, RoleSide::Right)?;
            let x = b.place(l) - b.place(r);
            (x.x.hypot(x.z) > 0.02).then(|| (-x.z).atan2(x.x))
        })
    };
    match (heading(source), heading(target)) {
        (Some(s), Some(t)) => DQuat::from_rotation_y(s - t),
        _ => DQuat::IDENTITY,
    }
}

/// Whose left and right tell how the hips and the chest are turned.
pub(super) const AT_HIPS: [Part; 1] = [Part::Thigh];
pub(super) const AT_CHEST: [Part; 2] = [Part::Shoulder, Part::UpperArm];

/// The middles of the bones of a chain, as parts of its length; the last bone goes to `end`.
fn stations(body: &Body, chain: &[JointIdx], end: Option<JointIdx>) -> Vec<f64> {
    let mut along = vec![0.0];
    for pair in chain.windows(2) {
        along.push(along[along.len() - 1] + body.place(pair[0]).distance(body.place(pair[1])));
    }
    let last = chain
        .last()
        .zip(end)
        .map_or(0.0, |(&l, e)| body.place(l).distance(body.place(e)));
    along.push(along[along.len() - 1] + last);
    let total = along[along.len() - 1];
    if total < 1e-6 {
        return (0..chain.len())
            .map(|k| (k + 1) as f64 / chain.len() as f64)
            .collect();
    }
    (0..chain.len())
        .map(|k| 0.5 * (along[k] + along[k + 1]) / total)
        .collect()
}

pub(super) fn trunk(source: &Body, target: &Body, drives: &mut [Option<Drive>]) {
    let both = |part: Part| source.roles.trunk(part).zip(target.roles.trunk(part));
    let Some((sh, th)) = both(Part::Hips) else {
        return;
    };
    let (c_hips, c_chest) = (
        across(source, target, &AT_HIPS),
        across(source, target, &AT_CHEST),
    );
    let drive =
        |s: JointIdx, t: JointIdx, c: DQuat| Some(Drive::One(s, after(source, target, s, t, c)));
    drives[th.index()] = drive(sh, th, c_hips);
    let chain = |b: &Body, part: Part| b.roles.joints(Role::trunk(part)).to_vec();
    let (ss, ts) = (chain(source, Part::Spine), chain(target, Part::Spine));
    let mut along = stations(source, &ss, None);
    along.last_mut().into_iter().for_each(|u| *u = 1.0);
    let mut wanted = stations(target, &ts, None);
    wanted.last_mut().into_iter().for_each(|u| *u = 1.0);
    let from: Vec<(f64, JointIdx)> = std::iter::once((0.0, sh))
        .chain(along.into_iter().zip(ss.iter().copied()))
        .collect();
    let alike = ss.len() == ts.len();
    for (k, (&t, u)) in ts.iter().zip(wanted).enumerate() {
        let c = slerp(c_hips, c_chest, u);
        drives[t.index()] = if alike {
            drive(ss[k], t, c)
        } else {
            Some(at_station(source, target, &from, u, t, c))
        };
    }
    let head = both(Part::Head);
    if let Some((s, t)) = head {
        drives[t.index()] = drive(s, t, DQuat::IDENTITY);
    }
    let (sn, tn) = (chain(source, Part::Neck), chain(target, Part::Neck));
    let mut from: Vec<(f64, JointIdx)> = stations(source, &sn, source.roles.trunk(Part::Head))
        .into_iter()
        .zip(sn.iter().copied())
        .collect();
    if from.is_empty() {
        // A source without a neck: between its chest and its head.
        from.push((0.0, ss.last().copied().unwrap_or(sh)));
        from.extend(head.map(|(s, _)| (1.0, s)));
    }
    let alike = sn.len() == tn.len();
    for (k, (&t, u)) in tn
        .iter()
        .zip(stations(target, &tn, target.roles.trunk(Part::Head)))
        .enumerate()
    {
        let c = slerp(c_chest, DQuat::IDENTITY, u);
        drives[t.index()] = if alike {
            drive(sn[k], t, c)
        } else {
            Some(at_station(source, target, &from, u, t, c))
        };
    }
}

/// What turns a joint at a station, by the source's stations on either side of it.
fn at_station(
    source: &Body,
    target: &Body,
    from: &[(f64, JointIdx)],
    u: f64,
    t: JointIdx,
    c: DQuat,
) -> Drive {
    let next = from
        .iter()
        .position(|f| u <= f.0 + 1e-12)
        .unwrap_or(from.len() - 1);
    let (u1, s1) = from[next];
    let (u0, s0) = from[next.saturating_sub(1)];
    let part = if u1 - u0 > 1e-9 {
        ((u - u0) / (u1 - u0)).clamp(0.0, 1.0)
    } else {
        1.0
    };
    let (a, b) = (
        after(source, target, s0, t, c),
        after(source, target, s1, t, c),
    );
    if part > 1.0 - 1e-9 {
        Drive::One(s1, b)
    } else {
        Drive::Between([(s0, a), (s1, b)], part)
    }
}

fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    a.slerp(b, t).normalize()
}
