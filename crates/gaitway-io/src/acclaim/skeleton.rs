//! What an ASF file holds, and the joints it makes.

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use gaitway_core::Warnings;

use super::channels::{Channels, Dof};
use crate::raw::RawJoint;

/// A bone: it begins at its parent's tip.
#[derive(Clone, Debug, PartialEq)]
pub struct AcclaimBone {
    /// Its name, unique in the file in any letter case.
    pub name: String,
    /// Index of the bone above, smaller than its own; `None` when it hangs on the root.
    pub parent: Option<usize>,
    /// The way it points in the rest pose; unit length, or zero for a bone of no length.
    pub direction: DVec3,
    /// From beginning to tip, in the file's unit.
    pub length: f64,
    /// C: the frame its channels turn in.
    pub frame: DQuat,
    /// Its channels in file order.
    pub dof: Vec<Dof>,
    /// Least and greatest value per channel in the file's own angle unit, where given; infinite allowed.
    pub limits: Vec<(f64, f64)>,
}

impl AcclaimBone {
    /// From beginning to tip in the rest pose.
    pub fn tip(&self) -> DVec3 {
        self.direction * self.length
    }
}

/// The root, which is no bone: a place and a rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct AcclaimRoot {
    /// Channels in file order.
    pub order: Vec<Dof>,
    /// Added to every translation.
    pub position: DVec3,
    /// Turns the body before the motion does.
    pub orientation: DQuat,
}

/// A skeleton as an ASF file has it, in the file's unit and axes.
#[derive(Clone, Debug, PartialEq)]
pub struct AcclaimSkeleton {
    /// The text of `:name`.
    pub name: String,
    /// Metres per unit of length: 0.0254 / `length`; `None` when the file gives no `length`.
    pub unit_m: Option<f64>,
    /// Whether angles are in degrees unless an AMC says otherwise.
    pub degrees: bool,
    /// The root.
    pub root: AcclaimRoot,
    /// Bones, parents first.
    pub bones: Vec<AcclaimBone>,
    /// What the reader found.
    pub warnings: Warnings,
}

impl AcclaimSkeleton {
    /// What the root is called in AMC files.
    pub const ROOT: &'static str = "root";

    /// Number of joints: the root and one per bone. Joint 0 is the root, joint i + 1 is bone i.
    pub fn joint_count(&self) -> usize {
        self.bones.len() + 1
    }

    /// A joint's name.
    pub fn joint_name(&self, joint: usize) -> &str {
        joint
            .checked_sub(1)
            .map_or(Self::ROOT, |bone| &self.bones[bone].name)
    }

    /// The joint above, `None` for the root.
    pub fn joint_parent(&self, joint: usize) -> Option<usize> {
        let bone = joint.checked_sub(1)?;
        Some(self.bones[bone].parent.map_or(0, |p| p + 1))
    }

    /// Where a joint is in its parent's frame at rest: the parent bone's tip.
    pub fn joint_offset(&self, joint: usize) -> DVec3 {
        match self.joint_parent(joint) {
            None => self.root.position,
            Some(0) => DVec3::ZERO,
            Some(parent) => self.bones[parent - 1].tip(),
        }
    }

    /// A joint's channels.
    pub fn channels(&self, joint: usize) -> Channels<'_> {
        match joint.checked_sub(1).map(|b| &self.bones[b]) {
            None => Channels {
                dof: &self.root.order,
                frame: self.root.orientation,
                is_root: true,
            },
            Some(bone) => Channels {
                dof: &bone.dof,
                frame: bone.frame,
                is_root: false,
            },
        }
    }

    /// The joints as every format gives them.
    pub fn joints(&self) -> Vec<RawJoint> {
        (0..self.joint_count())
            .map(|joint| RawJoint {
                name: self.joint_name(joint).to_owned(),
                parent: self.joint_parent(joint),
                offset: self.joint_offset(joint),
            })
            .collect()
    }

    /// The tips of bones without children: joint and place.
    pub fn end_sites(&self) -> Vec<(usize, DVec3)> {
        let mut has_child = vec![false; self.joint_count()];
        for joint in 1..self.joint_count() {
            if let Some(parent) = self.joint_parent(joint) {
                has_child[parent] = true;
            }
        }
        (1..self.joint_count())
            .filter(|&joint| !has_child[joint])
            .map(|joint| (joint, self.bones[joint - 1].tip()))
            .collect()
    }

    /// Joints by name in lower case: bone names count as equal in any letter case.
    pub(super) fn by_name(&self) -> HashMap<Vec<u8>, usize> {
        (0..self.joint_count())
            .map(|j| (self.joint_name(j).to_ascii_lowercase().into_bytes(), j))
            .collect()
    }
}
