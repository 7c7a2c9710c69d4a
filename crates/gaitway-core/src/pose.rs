//! One pose: what a frame of a clip holds, whoever makes it.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use crate::{JointIdx, Planar, Skeleton};

/// One pose of a body: the root's place, every joint's local rotation, and the translations of joints that move in
/// their parents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The root's place, in metres.
    pub root: DVec3,
    /// Local rotations in joint order.
    pub rotations: Vec<Quat>,
    /// Translations of the joints in [`Pose::moving`], in that order; all others are at their rest offsets.
    pub translations: Vec<Vec3>,
    moving: Arc<[JointIdx]>,
}

impl Pose {
    /// A pose with room for a body's joints, of which some move in their parents.
    pub fn new(joints: usize, moving: Arc<[JointIdx]>) -> Self {
        Self {
            root: DVec3::ZERO,
            rotations: vec![Quat::IDENTITY; joints],
            translations: vec![Vec3::ZERO; moving.len()],
            moving,
        }
    }

    /// The joints whose translations the pose holds, in joint order.
    pub fn moving(&self) -> &[JointIdx] {
        &self.moving
    }

    /// Makes the arrays fit a body and a list of moving joints; allocates only where the pose did not fit before.
    pub fn fit(&mut self, joints: usize, moving: &Arc<[JointIdx]>) {
        self.rotations.resize(joints, Quat::IDENTITY);
        if !Arc::ptr_eq(&self.moving, moving) {
            self.translations.resize(moving.len(), Vec3::ZERO);
            self.moving = moving.clone();
        }
    }

    /// The translation of a joint: the pose's own, or its rest offset.
    pub fn translation(&self, skeleton: &Skeleton, joint: JointIdx) -> Vec3 {
        match self.moving.binary_search(&joint) {
            Ok(at) => self.translations[at],
            Err(_) => skeleton.offset(joint),
        }
    }

    /// The pose moved on the ground: the root's place and heading change, nothing else does.
    pub fn move_by(&mut self, world_from_here: Planar) {
        if world_from_here != Planar::IDENTITY {
            let turn = world_from_here.rotation().as_quat();
            self.root = world_from_here.apply(self.root);
            self.rotations[0] = (turn * self.rotations[0]).normalize();
        }
    }
}
