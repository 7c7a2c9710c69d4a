//! Roles of a whole body.

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::{JointIdx, Skeleton, fk::FkScratch};
use glam::{DVec3, Quat};

use super::limbs::{Limb, Tree};
use super::{Part, Role, RoleMap, RoleSide, check};

/// Where all points are in a pose, the root at the origin.
pub fn place_of(skeleton: &Skeleton, local_rotations: &[Quat]) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(skeleton);
    scratch.solve_pose(skeleton, local_rotations);
    scratch.from_root.iter().map(|p| p.as_dvec3()).collect()
}

/// Finds the roles of a body from its names and from how it stands in a pose; `places` are those of all points.
/// Without `stands` the pose is none a person stands in, and names alone say what is what.
pub fn find(skeleton: &Skeleton, places: &[DVec3], stands: bool) -> RoleMap {
    let mut tree = Tree::new(skeleton, places);
    tree.stands = stands;
    let mut map = RoleMap::default();
    let (hips, legs) = legs(&tree, &mut map);
    map.put(
        Role::trunk(Part::Hips),
        vec![hips],
        0.5,
        "what the legs hang on",
    );
    trunk(&tree, hips, &legs, &mut map);
    twists(&tree, &mut map);
    check::check(&tree, &mut map);
    map
}

type Limbs = [Option<Limb>; 2];

fn legs(tree: &Tree<'_>, map: &mut RoleMap) -> (JointIdx, Limbs) {
    let found = RoleSide::BOTH.map(|side| tree.anchor(side, Tree::leg_parts()));
    let anchors = match (found[0].0, found[1].0) {
        (Some(l), Some(r)) => Some([l, r]),
        _ if tree.stands => {
            let low = tree.lowest_two();
            low.map(|two| sided(tree, two))
        }
        _ => None,
    };
    let Some(anchors) = anchors else {
        let one = found.iter().filter(|f| f.0.is_some()).count();
        map.notes.push(match one {
            1 => "only one leg was found: feet are not planted".to_owned(),
            _ => {
                "no legs were found, neither by name nor by shape: feet are not planted".to_owned()
            }
        });
        return (named_hips(tree).unwrap_or(JointIdx::ROOT), [None, None]);
    };
    let hips = tree.meet(anchors[0], anchors[1]);
    let limbs = tree.pair(hips, anchors, Tree::leg_parts());
    for side in RoleSide::BOTH {
        let (limb, word) = (&limbs[side.index()], word(side));
        if let Some(foot) = found[side.index()].1 {
            // The chain ends at the shin: thigh and shin are its last two joints, the foot stands beside.
            let chain = tree.between(hips, anchors[side.index()]);
            if let [.., thigh, shank] = chain[..] {
                map.put(Role::of(Part::Thigh, side), vec![thigh], 0.6, "name");
                map.put(Role::of(Part::Shank, side), vec![shank], 0.6, "name");
            }
            map.put(
                Role::of(Part::Foot, side),
                vec![foot],
                0.5,
                "name; hangs on no leg",
            );
            map.notes.push(format!(
                "the {word} foot `{}` hangs on no leg: it is led to where the leg ends",
                tree.skeleton.name(foot)
            ));
            continue;
        }
        let Some(limb) = limb else {
            map.notes.push(format!(
                "the {word} leg has fewer than three joints (it ends at `{}`): it is turned as a whole, and its foot is not planted",
                tree.skeleton.name(anchors[side.index()])
            ));
            if let Some(&top) = tree.between(hips, anchors[side.index()]).first() {
                map.put(
                    Role::of(Part::Thigh, side),
                    vec![top],
                    0.3,
                    "first joint of a short leg",
                );
            }
            continue;
        };
        put_limb(map, limb, side, Tree::leg_parts());
        toe(tree, map, limb, side);
    }
    (hips, limbs)
}

/// Two limbs, left first: by names where both have one, else by where the feet point to.
fn sided(tree: &Tree<'_>, [a, b]: [JointIdx; 2]) -> [JointIdx; 2] {
    let named = |j: JointIdx| tree.up(j).find_map(|j| tree.said(j).side);
    match (named(a), named(b)) {
        (Some(RoleSide::Left), Some(RoleSide::Right)) => return [a, b],
        (Some(RoleSide::Right), Some(RoleSide::Left)) => return [b, a],
        _ => {}
    }
    let hips = tree.meet(a, b);
    let forward: DVec3 = [a, b]
        .iter()
        .filter_map(|&j| {
            let limb = tree.limb(hips, j, Tree::leg_parts())?;
            Some(check::foot_way(tree, limb.three[2]))
        })
        .sum();
    let left = match DVec3::new(forward.z, 0.0, -forward.x) {
        l if l.length() > 1e-3 => l,
        _ => DVec3::X,
    };
    if (tree.place(a) - tree.place(b)).dot(left) >= 0.0 {
        [a, b]
    } else {
        [b, a]
    }
}

fn named_hips(tree: &Tree<'_>) -> Option<JointIdx> {
    tree.skeleton
        .joints()
        .find(|&j| tree.said(j).score(Part::Hips) > 0.0)
}

fn put_limb(map: &mut RoleMap, limb: &Limb, side: RoleSide, parts: [Part; 3]) {
    for (n, part) in parts.into_iter().enumerate() {
        let (named, shape) = (limb.named[n], limb.shape.clamp(0.0, 1.0));
        let why = match named {
            s if s >= 0.5 => "name and shape",
            _ => "shape",
        };
        let confidence = if named >= 0.5 {
            0.4 + 0.3 * named + 0.3 * shape
        } else {
            0.5 * shape
        };
        map.put(Role::of(part, side), vec![limb.three[n]], confidence, why);
    }
}

/// The joint the toes turn about: what says so, else the first below the ankle that has a length.
fn toe(tree: &Tree<'_>, map: &mut RoleMap, limb: &Limb, side: RoleSide) {
    let foot = limb.three[2];
    let at = limb.chain.iter().position(|&j| j == foot).unwrap_or(0);
    let below = || limb.chain[at + 1..].iter().copied();
    let named = below().find(|&j| tree.said(j).score(Part::Toe) > 0.0);
    let long = || below().find(|&j| tree.skeleton.bone_length(j) > 1e-3);
    if let Some(toe) = named.or_else(long) {
        let (confidence, why) = if named.is_some() {
            (0.95, "name")
        } else {
            (0.5, "first joint below the ankle")
        };
        map.put(Role::of(Part::Toe, side), vec![toe], confidence, why);
    }
}

fn trunk(tree: &Tree<'_>, hips: JointIdx, legs: &Limbs, map: &mut RoleMap) {
    let skeleton = tree.skeleton;
    let found = RoleSide::BOTH.map(|side| tree.anchor(side, Tree::arm_parts()).0);
    let leg_joints: Vec<JointIdx> = legs
        .iter()
        .flatten()
        .filter_map(|l| l.chain.first().copied())
        .collect();
    let anchors = match (found[0], found[1]) {
        (Some(l), Some(r)) => Some([l, r]),
        _ => {
            let left = map
                .joint(Part::Thigh, RoleSide::Left)
                .zip(map.joint(Part::Thigh, RoleSide::Right))
                .map_or(DVec3::X, |(l, r)| tree.place(l) - tree.place(r));
            let wide = tree.widest_two(hips, left.normalize_or(DVec3::X), &leg_joints);
            wide.filter(|_| tree.stands)
        }
    };
    let chest = match anchors {
        Some([l, r]) => Some(tree.meet(l, r)),
        None => found.iter().flatten().next().and_then(|&a| {
            let mut above = tree.up(a);
            above.find(|&j| tree.said(j).side.is_none())
        }),
    };
    let both = anchors.map(|a| a.map(Some)).unwrap_or(found);
    for side in RoleSide::BOTH {
        let (Some(anchor), Some(chest)) = (both[side.index()], chest) else {
            map.notes
                .push(format!("no {} arm was found: it stays at rest", word(side)));
            continue;
        };
        match tree.limb(chest, anchor, Tree::arm_parts()) {
            Some(limb) => {
                put_limb(map, &limb, side, Tree::arm_parts());
                shoulder(tree, map, &limb, side);
            }
            None => short_arm(tree, map, chest, anchor, side),
        }
    }
    let head = skeleton
        .joints()
        .find(|&j| tree.said(j).score(Part::Head) > 0.0 && !tree.said(j).helper)
        .or_else(|| highest(tree, chest.unwrap_or(hips), map));
    spine(tree, hips, chest, head, map);
}

fn short_arm(
    tree: &Tree<'_>,
    map: &mut RoleMap,
    chest: JointIdx,
    anchor: JointIdx,
    side: RoleSide,
) {
    map.notes.push(format!(
        "the {} arm has fewer than three joints (it ends at `{}`): it is turned as a whole",
        word(side),
        tree.skeleton.name(anchor)
    ));
    let chain = tree.between(chest, anchor);
    let parts = [Part::UpperArm, Part::Forearm];
    for (joint, part) in chain.iter().rev().take(2).rev().zip(parts) {
        map.put(
            Role::of(part, side),
            vec![*joint],
            0.3,
            "joint of a short arm",
        );
    }
}

/// The joint above the upper arm on its side, where there is one that is no twist joint.
fn shoulder(tree: &Tree<'_>, map: &mut RoleMap, limb: &Limb, side: RoleSide) {
    let upper = limb.three[0];
    let above = limb.chain.iter().take_while(|&&j| j != upper);
    let candidates: Vec<JointIdx> = above
        .copied()
        .filter(|&j| !tree.said(j).twist && !tree.said(j).helper)
        .collect();
    let named = candidates
        .iter()
        .copied()
        .find(|&j| tree.said(j).score(Part::Shoulder) > 0.0);
    if let Some(joint) = named.or_else(|| candidates.last().copied()) {
        let (confidence, why) = if named.is_some() {
            (0.95, "name")
        } else {
            (0.5, "above the upper arm")
        };
        map.put(Role::of(Part::Shoulder, side), vec![joint], confidence, why);
    }
}

/// What is highest above the chest and on no arm.
fn highest(tree: &Tree<'_>, chest: JointIdx, map: &RoleMap) -> Option<JointIdx> {
    let arms: Vec<JointIdx> = [Part::Shoulder, Part::UpperArm, Part::Thigh]
        .iter()
        .flat_map(|&p| RoleSide::BOTH.map(|s| map.joint(p, s)))
        .flatten()
        .collect();
    let free = |j: &JointIdx| {
        *j != chest
            && is_at_or_below(tree.skeleton, *j, chest)
            && !arms.iter().any(|&a| is_at_or_below(tree.skeleton, *j, a))
            && !tree.said(*j).helper
            && tree.skeleton.bone_length(*j) > 1e-3
    };
    let joints = tree.skeleton.joints().filter(free);
    joints
        .filter(|_| tree.stands)
        .max_by(|&a, &b| tree.place(a).y.total_cmp(&tree.place(b).y))
}

fn spine(
    tree: &Tree<'_>,
    hips: JointIdx,
    chest: Option<JointIdx>,
    head: Option<JointIdx>,
    map: &mut RoleMap,
) {
    let below_hips = |j: JointIdx| is_at_or_below(tree.skeleton, j, hips) && j != hips;
    let chest = chest.filter(|&c| below_hips(c));
    let top = chest.or_else(|| {
        // Without arms the spine ends below the neck: at the last joint that does not say it is one.
        let head = head.filter(|&h| below_hips(h))?;
        tree.up(head)
            .skip(1)
            .take_while(|&j| j != hips)
            .find(|&j| tree.said(j).score(Part::Neck) == 0.0)
    });
    let pick = |chain: Vec<JointIdx>| -> Vec<JointIdx> {
        chain
            .into_iter()
            .filter(|&j| !tree.said(j).twist && !tree.said(j).helper)
            .collect()
    };
    if let Some(top) = top {
        let chain = pick(tree.between(hips, top));
        let named = chain
            .iter()
            .filter(|&&j| tree.said(j).score(Part::Spine) > 0.0)
            .count();
        let share = named as f64 / chain.len().max(1) as f64;
        if !chain.is_empty() {
            map.put(
                Role::trunk(Part::Spine),
                chain,
                0.7 + 0.3 * share,
                "between hips and shoulders",
            );
        }
    } else {
        map.notes
            .push("no spine was found above the hips: the trunk turns with them".to_owned());
    }
    let Some(head) = head else {
        map.notes.push("no head was found".to_owned());
        return;
    };
    let from = top
        .filter(|&t| is_at_or_below(tree.skeleton, head, t))
        .unwrap_or(hips);
    let named = tree.said(head).score(Part::Head) > 0.0;
    let why = if named { "name" } else { "highest" };
    map.put(
        Role::trunk(Part::Head),
        vec![head],
        if named { 0.95 } else { 0.5 },
        why,
    );
    let mut neck = pick(tree.between(from, head));
    neck.retain(|&j| j != head);
    if !neck.is_empty() {
        let says = neck.iter().any(|&j| tree.said(j).score(Part::Neck) > 0.0);
        let confidence = if says { 0.95 } else { 0.6 };
        map.put(
            Role::trunk(Part::Neck),
            neck,
            confidence,
            "between shoulders and head",
        );
    }
}

/// Twist joints: between two joints of a limb, or hanging beside the chain.
fn twists(tree: &Tree<'_>, map: &mut RoleMap) {
    for joint in tree.skeleton.joints().filter(|&j| tree.said(j).twist) {
        let above = tree.up(joint).skip(1).find(|&j| map.role_of(j).is_some());
        if let Some(above) = above {
            map.twists.push((joint, above));
        }
    }
}

pub(super) fn word(side: RoleSide) -> &'static str {
    match side {
        RoleSide::Left => "left",
        RoleSide::Right => "right",
    }
}
