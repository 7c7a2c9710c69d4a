//! What is known of one leg is known of the other, where both are built alike.
//!
//! Soles and knees are read off frames, and a clip may show one foot flat more often than the other, or one knee bent deeper. With F what carries a joint's frame into
//! its partner's mirrored one (`gaitway_core::mirror`) and S the mirror, a partner's turn G is S G F here and its hinge a is −Fᵀ a; both sides get the mean.

use gaitway_core::mirror::MirrorMap;
use gaitway_core::{Clip, JointIdx, PointIdx};
use glam::{DMat3, DQuat, DVec3};

use super::Body;
use super::stand::DQuatSum;
use crate::roles::{Part, RoleSide};

/// Points of both feet may differ by this share of the leg's length and still be mirror images.
const ALIKE: f64 = 0.002;

impl Body {
    /// Gives both legs the mean of what was seen of either, where they are mirror images.
    pub(super) fn share_sides(&mut self, clip: &Clip) {
        let [Some(left), Some(right)] = &self.feet else {
            return;
        };
        let map = MirrorMap::new(&self.skeleton, &[clip]);
        let axes = map.axes();
        let frame = |j: JointIdx| matrix(axes[j.index()]);
        if !self.legs_alike(&map, &frame) {
            return;
        }
        let (mut feet, mut knees) = ([left.clone(), right.clone()], self.knees);
        let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        for s in [0, 1] {
            let (here, there) = ([left, right][s], [right, left][s]);
            let shared = |own: DQuat, other: DQuat, joint: JointIdx| {
                let image = flip * DMat3::from_quat(other) * frame(joint);
                let mut sum = DQuatSum::default();
                sum.add(own);
                sum.add(DQuat::from_mat3(&image).normalize());
                sum.mean()
            };
            feet[s].level = shared(here.level, there.level, here.ankle);
            let toe = self.roles.joint(Part::Toe, RoleSide::BOTH[s]);
            if let (Some(own), Some(other), Some(toe)) = (here.toe_level, there.toe_level, toe) {
                feet[s].toe_level = Some(shared(own, other, toe));
            }
            let shank = self.roles.joint(Part::Shank, RoleSide::BOTH[s]);
            if let (Some(own), Some(other), Some(shank)) = (self.knees[s], self.knees[1 - s], shank)
            {
                let image = -(frame(shank).transpose() * other);
                knees[s] = (own + image).try_normalize().or(Some(own));
            }
        }
        for s in [0, 1] {
            feet[s].heights = self.sole(&feet[s]);
        }
        self.feet = feet.map(Some);
        self.knees = knees;
    }

    /// Whether the points of both legs are mirror images in their joints' frames.
    fn legs_alike(&self, map: &MirrorMap, frame: &impl Fn(JointIdx) -> DMat3) -> bool {
        let (Some([_, left, _]), Some(right), Some(length), [Some(l), Some(r)]) = (
            self.roles.leg(&self.skeleton, RoleSide::Left),
            self.roles.leg(&self.skeleton, RoleSide::Right),
            self.leg_length,
            &self.feet,
        ) else {
            return false;
        };
        let partners = map.partner(left) == right[1]
            && map.partner(l.ankle) == r.ankle
            && map.partner_point(l.heel) == r.heel
            && l.toe.map(|t| map.partner_point(t)) == r.toe;
        let offset = |p: PointIdx| {
            let joints = self.skeleton.joint_count();
            let offset = match p.index().checked_sub(joints) {
                None => self.skeleton.offset(JointIdx(p.0)),
                Some(site) => self.skeleton.end_sites()[site].offset,
            };
            offset.as_dvec3()
        };
        let alike = |p: PointIdx| {
            let (own, other) = (offset(p), offset(map.partner_point(p)));
            let parent = self.skeleton.point_parent(p);
            parent.is_none_or(|j| (frame(j).transpose() * other).distance(own) < ALIKE * length)
        };
        partners && l.points.iter().all(|&p| alike(p))
    }
}

/// The matrix that a code of axes stands for.
fn matrix(code: [i8; 3]) -> DMat3 {
    let column = |c: i8| {
        let mut v = DVec3::ZERO;
        v[usize::from(c.unsigned_abs()).clamp(1, 3) - 1] = f64::from(c.signum());
        v
    };
    DMat3::from_cols(column(code[0]), column(code[1]), column(code[2]))
}
