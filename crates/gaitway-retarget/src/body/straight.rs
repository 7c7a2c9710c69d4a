//! A trunk straightened, where the pose to compare at comes from frames: people stoop.
//!
//! A spine's bone is straight when it points up. The hips' own bone is short and oblique in many rigs, and a head often has none; both have an axis that
//! points up nevertheless, since rigs are built along axes: the one nearest to where the trunk (for the head: the neck) goes from there.

use std::sync::Arc;

use gaitway_core::{JointIdx, Skeleton};
use glam::{DQuat, DVec3, Quat};

use crate::roles::{Part, Role, RoleMap, place_of};

/// An axis is taken for a direction that is within this of it, cosine of 35°.
const NEAR: f64 = 0.82;

pub(super) fn straightened(
    skeleton: &Arc<Skeleton>,
    roles: &RoleMap,
    mut world: Vec<DQuat>,
) -> Vec<DQuat> {
    let locals: Vec<Quat> = skeleton
        .joints()
        .map(|j| {
            let above = skeleton
                .parent(j)
                .map_or(DQuat::IDENTITY, |p| world[p.index()]);
            (above.inverse() * world[j.index()]).normalize().as_quat()
        })
        .collect();
    let places = place_of(skeleton, &locals);
    let mut chain: Vec<JointIdx> = roles.trunk(Part::Hips).into_iter().collect();
    for part in [Part::Spine, Part::Neck, Part::Head] {
        chain.extend(roles.joints(Role::trunk(part)));
    }
    let way = |a: JointIdx, b: JointIdx| (places[b.index()] - places[a.index()]).try_normalize();
    for k in 0..chain.len() {
        let joint = chain[k];
        let turn = world[joint.index()];
        // The next joint of the trunk that is somewhere else.
        let next = chain[k + 1..].iter().find_map(|&n| way(joint, n));
        let last = k.checked_sub(1).and_then(|b| way(chain[b], joint));
        let up = match roles.role_of(joint).map(|r| r.part) {
            Some(Part::Hips) => {
                let top = roles.joints(Role::trunk(Part::Spine)).last();
                let first = chain.get(1).and_then(|&n| way(joint, n));
                // Where the spine begins to go says more than where a stooped one ends.
                let low = chain
                    .get(1)
                    .zip(chain.get(2))
                    .and_then(|(&a, &b)| way(a, b))
                    .or(first);
                low.or_else(|| top.and_then(|&t| way(joint, t)))
                    .map(|w| snapped(turn.inverse() * w))
            }
            Some(Part::Head) => last.or(next).map(|w| snapped(turn.inverse() * w)),
            _ => next.or(last).map(|w| turn.inverse() * w),
        };
        if let Some(up) = up {
            let now = (turn * up).normalize();
            world[joint.index()] = (DQuat::from_rotation_arc(now, DVec3::Y) * turn).normalize();
        }
    }
    world
}

/// The axis next to a direction, or the direction where none is near.
fn snapped(local: DVec3) -> DVec3 {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let best = axes
        .into_iter()
        .max_by(|a, b| a.dot(local).abs().total_cmp(&b.dot(local).abs()));
    match best {
        Some(axis) if axis.dot(local).abs() >= NEAR => axis * axis.dot(local).signum(),
        _ => local.normalize_or(DVec3::Y),
    }
}
