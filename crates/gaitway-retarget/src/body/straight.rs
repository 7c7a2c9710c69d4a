//! A trunk straightened, where the pose to compare at comes from frames: people stoop.
//!
//! A spine's bone is straight when it points up. The hips' own bone is short and oblique in many rigs, and a head often has none; both have an axis that
//! points up nevertheless, since rigs are built along axes: the one nearest to where the trunk (for the head: the neck) goes from there.

use std::sync::Arc;

use gaitway_core::{JointIdx, Skeleton};
use glam::{DQuat, DVec3};

use crate::roles::{Part, Role, RoleMap, RoleSide};

/// An axis is taken for a direction that is within this of it, cosine of 35°.
const NEAR: f64 = 0.82;
/// A bone lies along an axis that is within this of it, cosine of 1°.
const ALONG: f32 = 0.99985;

/// Where up is in a joint of the trunk's own frame.
struct Up {
    joint: JointIdx,
    part: Part,
    local: DVec3,
    /// The axis next to it, for joints whose bones do not say.
    axis: Option<DVec3>,
}

/// Parts whose axes are asked rather than their bones.
pub(crate) const BY_AXIS: [Part; 2] = [Part::Hips, Part::Head];

/// Which of [`BY_AXIS`] have an axis near where the trunk goes, in a rig that is built along axes. One whose unturned pose stands is (`stands_unturned`), and one
/// whose limbs lie along axes of their parents; of others an axis says nothing, however near it is.
pub(crate) fn axes(
    skeleton: &Arc<Skeleton>,
    roles: &RoleMap,
    world: &[DQuat],
    stands_unturned: bool,
) -> [bool; 2] {
    if !stands_unturned && !along_axes(skeleton, roles) {
        return [false; 2];
    }
    let ups = ups(skeleton, roles, world);
    BY_AXIS.map(|part| ups.iter().any(|u| u.part == part && u.axis.is_some()))
}

/// A pose with its trunk upright; `by_axis` says for which of [`BY_AXIS`] the axis is taken.
pub(crate) fn straightened(
    skeleton: &Arc<Skeleton>,
    roles: &RoleMap,
    mut world: Vec<DQuat>,
    by_axis: [bool; 2],
) -> Vec<DQuat> {
    for up in ups(skeleton, roles, &world) {
        let asked = BY_AXIS
            .iter()
            .zip(by_axis)
            .any(|(&p, on)| on && p == up.part);
        let local = up.axis.filter(|_| asked).unwrap_or(up.local);
        let turn = world[up.joint.index()];
        let now = (turn * local).normalize();
        world[up.joint.index()] = (DQuat::from_rotation_arc(now, DVec3::Y) * turn).normalize();
    }
    world
}

fn ups(skeleton: &Arc<Skeleton>, roles: &RoleMap, world: &[DQuat]) -> Vec<Up> {
    let (_, places) = super::placed(skeleton, world);
    let mut chain: Vec<JointIdx> = roles.trunk(Part::Hips).into_iter().collect();
    for part in [Part::Spine, Part::Neck, Part::Head] {
        chain.extend(roles.joints(Role::trunk(part)));
    }
    let way = |a: JointIdx, b: JointIdx| (places[b.index()] - places[a.index()]).try_normalize();
    let mut out = Vec::new();
    for k in 0..chain.len() {
        let joint = chain[k];
        // The next joint of the trunk that is somewhere else.
        let next = chain[k + 1..].iter().find_map(|&n| way(joint, n));
        let last = k.checked_sub(1).and_then(|b| way(chain[b], joint));
        let part = roles.role_of(joint).map_or(Part::Spine, |r| r.part);
        let goes = match part {
            Part::Hips => {
                let top = roles.joints(Role::trunk(Part::Spine)).last();
                let first = chain.get(1).and_then(|&n| way(joint, n));
                // Where the spine begins to go says more than where a stooped one ends.
                let low = chain
                    .get(1)
                    .zip(chain.get(2))
                    .and_then(|(&a, &b)| way(a, b))
                    .or(first);
                low.or_else(|| top.and_then(|&t| way(joint, t)))
            }
            Part::Head => last.or(next),
            _ => next.or(last),
        };
        if let Some(goes) = goes {
            let local = (world[joint.index()].inverse() * goes).normalize_or(DVec3::Y);
            out.push(Up {
                joint,
                part,
                local,
                axis: BY_AXIS.contains(&part).then(|| axis(local)).flatten(),
            });
        }
    }
    out
}

/// Whether most bones of arms and legs lie along an axis of the joint they hang on.
fn along_axes(skeleton: &Skeleton, roles: &RoleMap) -> bool {
    let (mut bones, mut along) = (0, 0);
    for side in RoleSide::BOTH {
        for part in [Part::Forearm, Part::Hand, Part::Shank, Part::Foot] {
            let Some(joint) = roles.joint(part, side) else {
                continue;
            };
            let bone = skeleton.offset(joint).normalize_or_zero();
            bones += 1;
            along += usize::from(bone.abs().max_element() >= ALONG);
        }
    }
    2 * along > bones
}

/// The axis next to a direction, where one is near.
fn axis(local: DVec3) -> Option<DVec3> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let best = axes
        .into_iter()
        .max_by(|a, b| a.dot(local).abs().total_cmp(&b.dot(local).abs()))?;
    (best.dot(local).abs() >= NEAR).then(|| best * best.dot(local).signum())
}
