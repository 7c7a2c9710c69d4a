//! Arms and legs.

use gaitway_core::JointIdx;
use gaitway_retarget::{Part as RolePart, Role, RoleSide};
use glam::DVec3;

use super::{Builder, word};
use crate::part::{Span, lay};
use crate::table::Segment;

impl Builder<'_> {
    /// A limb of three segments: each lies from its joint to the next; where the rig ends early, the last joint holds the rest, which goes on as long as
    /// the table has it.
    fn limb(
        &mut self,
        joints: [Option<JointIdx>; 3],
        segments: [Segment; 3],
        ends: usize,
        stature: f64,
        mass: f64,
    ) {
        let Some(first) = joints[0] else { return };
        let names = segments.map(Segment::name);
        let mut holder = first;
        let mut from = self.place(first);
        let mut way = (self.farthest(first) - from).normalize_or(DVec3::NEG_Y);
        for k in 0..ends {
            let numbers = self.numbers(segments[k]);
            let next = joints.get(k + 1).copied().flatten();
            if let (Some(own), None) = (joints[k], next) {
                way = (self.farthest(own) - from).normalize_or(way);
            }
            let mut to = match next {
                Some(next) => self.place(next),
                None => from + way * (numbers.length * stature),
            };
            if to.distance(from) < 1e-3 {
                to = from + way * (numbers.length * stature);
            }
            match joints[k] {
                Some(own) => {
                    holder = own;
                    self.count(&[own]);
                }
                None => self.notes.push(format!(
                    "no {} joint: its mass hangs on the {}",
                    names[k],
                    self.body.skeleton.name(holder)
                )),
            }
            way = (to - from).normalize_or(way);
            let chain = match joints[k] {
                Some(own) => self.between(own, next),
                None => vec![holder],
            };
            let span = Span {
                from,
                to,
                front: DVec3::Z,
            };
            let links = self.links(&chain);
            lay(
                &mut self.parts,
                &links,
                &span,
                &numbers,
                numbers.share * mass,
            );
            from = to;
        }
    }

    pub(super) fn arm(&mut self, side: RoleSide, stature: f64, mass: f64) {
        let of = |part| self.body.roles.joint(part, side);
        let joints = [
            of(RolePart::UpperArm),
            of(RolePart::Forearm),
            of(RolePart::Hand),
        ];
        let segments = [Segment::UpperArm, Segment::Forearm, Segment::Hand];
        if joints[0].is_some() {
            self.limb(joints, segments, 3, stature, mass);
            return;
        }
        // Without a joint an arm rests in the chest, hanging from where shoulders are.
        let top = self.body.roles.joints(Role::trunk(RolePart::Spine)).last();
        let top = top.copied().unwrap_or(self.hips);
        let s = if side == RoleSide::Left { 1.0 } else { -1.0 };
        let mut from = self.place(self.hips) + DVec3::new(0.11 * s, 0.28, 0.0) * stature;
        for segment in segments {
            let numbers = self.numbers(segment);
            let to = from - DVec3::Y * (numbers.length * stature);
            let span = Span {
                from,
                to,
                front: DVec3::Z,
            };
            let links = [self.link(top)];
            lay(
                &mut self.parts,
                &links,
                &span,
                &numbers,
                numbers.share * mass,
            );
            from = to;
        }
        self.notes.push(format!(
            "no {} arm: its mass hangs at the trunk",
            word(side)
        ));
    }

    pub(super) fn leg(&mut self, side: RoleSide, stature: f64, mass: f64) {
        let of = |part| self.body.roles.joint(part, side);
        let thigh = self.thighs[side.index()];
        let joints = [Some(thigh), of(RolePart::Shank), of(RolePart::Foot)];
        self.limb(
            joints,
            [Segment::Thigh, Segment::Shank, Segment::Foot],
            2,
            stature,
            mass,
        );
        if !self.foot(side, stature, mass) {
            let holder = joints[1].unwrap_or(thigh);
            let numbers = self.numbers(Segment::Foot);
            let from = self.farthest(holder);
            let span = Span {
                from,
                to: from + DVec3::Z * (numbers.length * stature),
                front: DVec3::X,
            };
            let links = [self.link(holder)];
            lay(
                &mut self.parts,
                &links,
                &span,
                &numbers,
                numbers.share * mass,
            );
            self.notes.push(format!(
                "no {} foot: its mass hangs on `{}`, and the ground does not push it",
                word(side),
                self.body.skeleton.name(holder)
            ));
        }
    }
}
