//! Roles held against the shape of a standing body: left is on the left, a foot points forwards, hands are not on the ground.

use gaitway_core::JointIdx;
use gaitway_core::anatomy::is_at_or_below;
use glam::DVec3;

use super::limbs::Tree;
use super::{Part, Role, RoleMap, RoleSide};

/// The way on the ground from an ankle to the farthest point of its foot.
pub(super) fn foot_way(tree: &Tree<'_>, foot: JointIdx) -> DVec3 {
    let at = tree.place(foot);
    let flat = |p: DVec3| DVec3::new(p.x - at.x, 0.0, p.z - at.z);
    let points = (0..tree.skeleton.point_count() as u32).map(gaitway_core::PointIdx);
    let of_foot =
        points.filter(|&p| is_at_or_below(tree.skeleton, tree.skeleton.point_joint(p), foot));
    of_foot
        .map(|p| flat(tree.places[p.index()]))
        .max_by(|a, b| a.length().total_cmp(&b.length()))
        .unwrap_or(DVec3::ZERO)
}

/// Whether a body stands as a person does: thighs and shins go down, the head is above the hips.
pub(super) fn stands(tree: &Tree<'_>, map: &RoleMap) -> bool {
    let down = |from: JointIdx, to: JointIdx| {
        let way = tree.place(to) - tree.place(from);
        way.length() > 1e-6 && -way.y > 0.7 * way.length()
    };
    let legs = RoleSide::BOTH.iter().all(|&s| {
        let three = [Part::Thigh, Part::Shank, Part::Foot].map(|p| map.joint(p, s));
        match three {
            [Some(a), Some(b), Some(c)] => down(a, b) && down(b, c),
            _ => false,
        }
    });
    let above = map
        .trunk(Part::Head)
        .or(map.joints(Role::trunk(Part::Spine)).last().copied());
    let up = match (above, map.trunk(Part::Hips)) {
        (Some(h), Some(hips)) => {
            let way = tree.place(h) - tree.place(hips);
            way.y > 0.7 * way.length()
        }
        _ => true,
    };
    legs && up
}

pub(super) fn check(tree: &Tree<'_>, map: &mut RoleMap) {
    several(tree, map);
    four_legs(tree, map);
    if !tree.stands || !stands(tree, map) {
        return;
    }
    sides(tree, map);
    hips(tree, map);
}

fn hips(tree: &Tree<'_>, map: &mut RoleMap) {
    if let Some(hips) = map.trunk(Part::Hips) {
        let named = tree.said(hips).score(Part::Hips) > 0.0;
        let legs = RoleSide::BOTH
            .iter()
            .all(|&s| map.joint(Part::Thigh, s).is_some());
        let (confidence, why) = match (named, legs) {
            (true, true) => (1.0, "name; both legs hang on it"),
            (false, true) => (0.85, "both legs hang on it"),
            (true, false) => (0.6, "name"),
            (false, false) => (0.3, "the root, for want of legs"),
        };
        map.put(Role::trunk(Part::Hips), vec![hips], confidence, why);
    }
}

/// Names of left and right that the shape denies are exchanged, and told.
fn sides(tree: &Tree<'_>, map: &mut RoleMap) {
    let pair = |part: Part| {
        map.joint(part, RoleSide::Left)
            .zip(map.joint(part, RoleSide::Right))
    };
    let Some(feet) = pair(Part::Foot) else { return };
    let forward = foot_way(tree, feet.0) + foot_way(tree, feet.1);
    if forward.length() < 0.05 {
        return;
    }
    // Left is up × forward.
    let left = DVec3::new(forward.z, 0.0, -forward.x).normalize();
    let across = |(l, r): (JointIdx, JointIdx)| (tree.place(l) - tree.place(r)).dot(left);
    let votes: Vec<f64> = [Part::Thigh, Part::UpperArm]
        .into_iter()
        .filter_map(pair)
        .map(across)
        .collect();
    if votes.iter().any(|v| v.abs() < 0.02) || votes.is_empty() {
        return;
    }
    if votes.iter().all(|&v| v < 0.0) {
        for a in &mut map.assigned {
            a.role.side = a.role.side.map(RoleSide::other);
            if a.role.side.is_some() {
                a.confidence *= 0.6;
                a.why = "shape, against the name's side".to_owned();
            }
        }
        map.assigned
            .sort_by_key(|a| Role::all().position(|r| r == a.role));
        map.notes.push("names say left where the body has its right, going by where its feet point: sides are taken from the shape".to_owned());
    } else if votes.iter().any(|&v| v < 0.0) {
        for a in map.assigned.iter_mut().filter(|a| a.role.side.is_some()) {
            a.confidence *= 0.6;
        }
        map.notes.push(
            "arms and legs disagree about which side is left; names are taken as they are"
                .to_owned(),
        );
    }
}

/// Two heads, or two left feet that do not hang on one another, are two characters.
fn several(tree: &Tree<'_>, map: &mut RoleMap) {
    let apart = |part: Part, side: Option<RoleSide>| {
        let says = |j: &JointIdx| tree.said(*j).side == side && tree.said(*j).score(part) >= 0.95;
        let all: Vec<JointIdx> = tree.skeleton.joints().filter(says).collect();
        let own = |j: &&JointIdx| {
            !all.iter()
                .any(|&a| a != **j && is_at_or_below(tree.skeleton, **j, a))
        };
        all.iter().filter(own).count()
    };
    let count = apart(Part::Head, None).min(apart(Part::Foot, Some(RoleSide::Left)));
    if count > 1 {
        map.notes.push(format!(
            "{count} characters seem to be in one skeleton: the first is mapped, the others stay at rest"
        ));
    }
}

/// A body whose hands are as low as its feet goes on four legs.
fn four_legs(tree: &Tree<'_>, map: &mut RoleMap) {
    let low = |part: Part| -> Option<f64> {
        let all = RoleSide::BOTH.iter().filter_map(|&s| map.joint(part, s));
        all.map(|j| tree.place(j).y).reduce(f64::min)
    };
    let (Some(hand), Some(foot), Some(hips)) =
        (low(Part::Hand), low(Part::Foot), map.trunk(Part::Hips))
    else {
        return;
    };
    let height = tree.place(hips).y - foot;
    if hand - foot < 0.25 * height {
        for a in &mut map.assigned {
            a.confidence *= 0.4;
        }
        map.notes.push(
            "the hands are on the ground at rest, as of an animal on four legs: fore legs are mapped as arms, and only hind feet are planted"
                .to_owned(),
        );
    }
}

impl RoleMap {
    /// Whether the places of a body's points are those of a person who stands.
    pub fn stands(&self, skeleton: &gaitway_core::Skeleton, places: &[DVec3]) -> bool {
        stands(&Tree::new(skeleton, places), self)
    }
}
