//! How a body stands, by its frames.

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, Skeleton};
use glam::{DQuat, DVec3, Quat};

use super::SAMPLES;
use crate::roles::{self, Part, RoleMap, RoleSide};

/// The heading of a pose in which a body should face +Z: from its hips, else its shoulders, else where its feet point.
pub(super) fn heading(roles: &RoleMap, places: &[DVec3]) -> f64 {
    let across = |part: Part| {
        let l = roles.joint(part, RoleSide::Left)?;
        let r = roles.joint(part, RoleSide::Right)?;
        let left = places[l.index()] - places[r.index()];
        // Left is +X for a body that faces +Z: forward is left × up.
        (left.x.hypot(left.z) > 0.01).then(|| (-left.z).atan2(left.x))
    };
    across(Part::Thigh)
        .or_else(|| across(Part::UpperArm))
        .unwrap_or(0.0)
}

/// Places in the frame in which a body is tallest.
pub(super) fn tallest(clip: &Clip) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(clip.skeleton());
    let mut best: Option<(f32, Vec<DVec3>)> = None;
    let frames = clip.frame_count();
    for frame in (0..frames).step_by(frames.div_ceil(SAMPLES).max(1)) {
        scratch.solve(clip, frame);
        let ys = scratch.from_root.iter().map(|p| p.y);
        let (low, high) = ys.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), y| {
            (l.min(y), h.max(y))
        });
        if best.as_ref().is_none_or(|b| high - low > b.0) {
            best = Some((
                high - low,
                scratch.from_root.iter().map(|p| p.as_dvec3()).collect(),
            ));
        }
    }
    best.map_or(Vec::new(), |b| b.1)
}

/// Local rotations and places of a pose given by world rotations.
pub(super) fn placed(skeleton: &Skeleton, world: &[DQuat]) -> (Vec<Quat>, Vec<DVec3>) {
    let locals = skeleton.joints().map(|j| {
        let above = skeleton
            .parent(j)
            .map_or(DQuat::IDENTITY, |p| world[p.index()]);
        (above.inverse() * world[j.index()]).normalize().as_quat()
    });
    let locals: Vec<Quat> = locals.collect();
    let places = roles::place_of(skeleton, &locals);
    (locals, places)
}

/// A sum of rotations that stand for the same thing up to sign.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DQuatSum {
    sum: glam::DVec4,
}

impl DQuatSum {
    pub fn add(&mut self, q: DQuat) {
        self.add_weighted(q, 1.0);
    }

    pub fn add_weighted(&mut self, q: DQuat, weight: f64) {
        let v = weight * glam::DVec4::from_array(q.to_array());
        self.sum += if v.dot(self.sum) < 0.0 { -v } else { v };
    }

    pub fn mean(&self) -> DQuat {
        match self.sum.try_normalize() {
            Some(v) => DQuat::from_array(v.to_array()),
            None => DQuat::IDENTITY,
        }
    }
}

/// World rotations of a body that stands, by its clip: each joint's mean over the straighter half of the frames, heading taken out.
pub(super) fn mean_pose(clip: &Clip, roles: &RoleMap) -> Vec<DQuat> {
    let skeleton = clip.skeleton();
    let mut scratch = FkScratch::new(skeleton);
    let frames = clip.frame_count();
    let mut poses: Vec<(f64, Vec<DQuat>)> = Vec::new();
    for frame in (0..frames).step_by(frames.div_ceil(SAMPLES).max(1)) {
        scratch.solve(clip, frame);
        let places: Vec<DVec3> = scratch.from_root.iter().map(|p| p.as_dvec3()).collect();
        let back = DQuat::from_rotation_y(-heading(roles, &places));
        let turned = scratch.rotations.iter().map(|q| back * q.as_dquat());
        poses.push((bent(roles, &places), turned.collect()));
    }
    poses.sort_by(|a, b| a.0.total_cmp(&b.0));
    poses.truncate(poses.len().div_ceil(2));
    let mut sums = vec![DQuatSum::default(); skeleton.joint_count()];
    for (_, pose) in &poses {
        sums.iter_mut().zip(pose).for_each(|(s, q)| s.add(*q));
    }
    sums.iter().map(DQuatSum::mean).collect()
}

/// How far from standing straight a body is: what legs lack of going down and the trunk of going up.
pub(super) fn bent(roles: &RoleMap, places: &[DVec3]) -> f64 {
    let lacks = |from: Option<JointIdx>, to: Option<JointIdx>, way: f64| match (from, to) {
        (Some(a), Some(b)) => {
            let d = places[b.index()] - places[a.index()];
            1.0 - way * d.y / d.length().max(1e-9)
        }
        _ => 0.0,
    };
    let legs: f64 = RoleSide::BOTH
        .into_iter()
        .map(|s| {
            let [t, k, a] = [Part::Thigh, Part::Shank, Part::Foot].map(|p| roles.joint(p, s));
            lacks(t, k, -1.0) + lacks(k, a, -1.0)
        })
        .sum();
    let top = roles.trunk(Part::Head).or(roles.trunk(Part::Neck));
    legs + 4.0 * lacks(roles.trunk(Part::Hips), top, 1.0)
}
