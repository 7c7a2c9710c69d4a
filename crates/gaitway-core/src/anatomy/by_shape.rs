//! Legs from the shape of a standing body, for rigs whose names say nothing.
//!
//! The two points of the body that are lowest and lie on different limbs are the feet's tips. Going up
//! from each, bones of no length passed over, the limb ends where both meet: the pelvis. Of what lies
//! between, the hip is the first joint below the pelvis that the long bones hang on, the ankle the joint
//! below which only the foot is left, and the knee the joint between them nearest to the middle.

use glam::DVec3;

use super::by_name::{Side, common_ancestor, descendants, foot_front, side_of};
use super::{Anatomy, Leg};
use crate::{Clip, JointIdx, PointIdx, Skeleton, fk};

/// Places of all points with every joint unturned.
pub(super) fn rest_places(skeleton: &Skeleton) -> Vec<DVec3> {
    let mut scratch = fk::FkScratch::new(skeleton);
    let unturned = vec![glam::Quat::IDENTITY; skeleton.joint_count()];
    scratch.solve_pose(skeleton, &unturned);
    scratch.from_root.iter().map(|p| p.as_dvec3()).collect()
}

/// Places of all points in the clip's first frame.
pub(super) fn clip_places(clip: &Clip) -> Vec<DVec3> {
    let mut scratch = fk::FkScratch::new(clip.skeleton());
    scratch.solve(clip, 0);
    scratch.from_root.iter().map(|p| p.as_dvec3()).collect()
}

/// Adds legs found by shape to what names gave.
pub(super) fn complete(mut known: Anatomy, skeleton: &Skeleton, places: &[DVec3]) -> Anatomy {
    let Some((one, other)) = lowest_limbs(skeleton, places) else {
        return known;
    };
    let pelvis = common_ancestor(skeleton, one, other);
    let (Some(a), Some(b)) = (
        leg(skeleton, places, pelvis, one),
        leg(skeleton, places, pelvis, other),
    ) else {
        return known;
    };
    // Left is +X for a body that faces +Z; a foot's own direction tells which way it faces.
    let forward = foot_direction(places, &a) + foot_direction(places, &b);
    let left = DVec3::new(forward.z, 0.0, -forward.x);
    let across = places[a.hip.index()] - places[b.hip.index()];
    // Names that give no parts may still give sides (`leg_joint_L_3`), and are surer than shapes.
    let named = |leg: &Leg| side_of(skeleton.name(leg.ankle));
    let a_is_left = if let (Some(one), Some(other)) = (named(&a), named(&b))
        && one != other
    {
        one == Side::Left
    } else if left.length_squared() > 1e-8 {
        across.dot(left) > 0.0
    } else {
        across.x > 0.0
    };
    known.legs = if a_is_left {
        [Some(a), Some(b)]
    } else {
        [Some(b), Some(a)]
    };
    known.pelvis = pelvis;
    known
}

fn foot_direction(places: &[DVec3], leg: &Leg) -> DVec3 {
    leg.tip.map_or(DVec3::ZERO, |tip| {
        places[tip.index()] - places[leg.ankle.index()]
    })
}

/// The joints that hold the two lowest tips on separate limbs.
fn lowest_limbs(skeleton: &Skeleton, places: &[DVec3]) -> Option<(JointIdx, JointIdx)> {
    let mut points: Vec<PointIdx> = (0..skeleton.point_count() as u32).map(PointIdx).collect();
    points.sort_by(|a, b| places[a.index()].y.total_cmp(&places[b.index()].y));
    let first = skeleton.point_joint(*points.first()?);
    for point in &points {
        let joint = skeleton.point_joint(*point);
        let meet = common_ancestor(skeleton, first, joint);
        let separate = depth(skeleton, first) >= depth(skeleton, meet) + 2
            && depth(skeleton, joint) >= depth(skeleton, meet) + 2;
        if separate {
            return Some((first, joint));
        }
    }
    None
}

fn depth(skeleton: &Skeleton, joint: JointIdx) -> usize {
    std::iter::successors(Some(joint), |&j| skeleton.parent(j)).count()
}

/// Hip, knee and ankle on the way from the pelvis down to a limb's lowest joint.
fn leg(skeleton: &Skeleton, places: &[DVec3], pelvis: JointIdx, low: JointIdx) -> Option<Leg> {
    let mut chain: Vec<JointIdx> = std::iter::successors(Some(low), |&j| skeleton.parent(j))
        .take_while(|&j| j != pelvis)
        .collect();
    chain.reverse();
    // Bones of no length tell nothing about shape: keep the last joint of each place.
    chain.dedup_by(|next, kept| {
        let same = places[next.index()].distance(places[kept.index()]) < 1e-4;
        if same {
            *kept = *next;
        }
        same
    });
    if chain.len() < 2 {
        return None;
    }
    let height = |j: JointIdx| places[j.index()].y;
    let drop = |from: JointIdx, to: JointIdx| height(from) - height(to);
    // The two longest drops in a row are thigh and shin.
    let best = (0..chain.len().saturating_sub(2)).max_by(|&a, &b| {
        let least = |i: usize| drop(chain[i], chain[i + 1]).min(drop(chain[i + 1], chain[i + 2]));
        least(a).total_cmp(&least(b))
    })?;
    let (hip, knee, ankle) = (chain[best], chain[best + 1], chain[best + 2]);
    let (toe, mut tip) = foot_front(skeleton, ankle);
    if descendants(skeleton, ankle).is_empty() && tip.is_none() {
        tip = Some(ankle.into());
    }
    Some(Leg {
        hip,
        knee,
        ankle,
        toe,
        tip,
    })
}
