//! The pose a body is bound to its skeleton in.
//!
//! The rest pose without any rotation where it looks like a standing person, since animators retarget from
//! it; else the clip's first frame: some rigs have all bones along one axis at rest.

use glam::{Affine3A, Quat, Vec3};

use crate::anatomy::Anatomy;
use crate::fk::FkScratch;
use crate::{Clip, JointIdx, Skeleton};

/// A pose of a skeleton with its root somewhere.
#[derive(Clone, Debug)]
pub struct Bind {
    /// Local rotations.
    pub locals: Vec<Quat>,
    /// Where the root stands.
    pub place: Vec3,
    rotations: Vec<Quat>,
    points: Vec<Vec3>,
}

impl Bind {
    /// Chooses the pose for a clip's skeleton.
    pub fn of(clip: &Clip) -> Self {
        let skeleton = clip.skeleton();
        let anatomy = Anatomy::of_clip(clip);
        let at_rest = Self::posed(skeleton, vec![Quat::IDENTITY; skeleton.joint_count()]);
        if at_rest.stands(&anatomy) || clip.frame_count() == 0 {
            return at_rest;
        }
        Self::posed(skeleton, clip.frame_rotations(0).to_vec())
    }

    /// A pose with its lowest point on the ground, above the origin.
    fn posed(skeleton: &Skeleton, locals: Vec<Quat>) -> Self {
        let mut scratch = FkScratch::new(skeleton);
        scratch.solve_pose(skeleton, &locals);
        let lowest = scratch.from_root.iter().map(|p| p.y).fold(0.0, f32::min);
        let place = Vec3::new(0.0, -lowest, 0.0);
        let points = scratch.from_root.iter().map(|p| *p + place).collect();
        Self {
            locals,
            place,
            rotations: scratch.rotations,
            points,
        }
    }

    /// Where a joint or end site is.
    pub fn point(&self, point: usize) -> Vec3 {
        self.points[point]
    }

    /// World from joint.
    pub fn world(&self, joint: usize) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotations[joint], self.points[joint])
    }

    /// Whether legs go down and the head is up, within about 35°.
    fn stands(&self, anatomy: &Anatomy) -> bool {
        let upright = |low: JointIdx, high: JointIdx| {
            let bone = self.points[high.index()] - self.points[low.index()];
            bone.normalize_or_zero().y > 0.8
        };
        let Some(legs) = anatomy.both_legs() else {
            return true;
        };
        let legs = legs
            .iter()
            .all(|leg| upright(leg.knee, leg.hip) && upright(leg.ankle, leg.knee));
        legs && anatomy
            .head
            .is_none_or(|head| upright(anatomy.pelvis, head))
    }
}
