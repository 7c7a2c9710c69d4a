//! The trunk's three parts along the spine, and the head.

use gaitway_core::JointIdx;
use gaitway_retarget::{Part as RolePart, Role, RoleSide};
use glam::DVec3;

use super::Builder;
use crate::part::{Span, lay};
use crate::table::{Segment, shoulders_of_trunk};

impl Builder<'_> {
    pub(super) fn trunk_and_head(&mut self, stature: f64, mass: f64) {
        let roles = &self.body.roles;
        let spine = roles.joints(Role::trunk(RolePart::Spine)).to_vec();
        let top = spine.last().copied().unwrap_or(self.hips);
        let mut chain = self.between(self.hips, Some(top));
        if top != self.hips {
            chain.push(top);
        }
        if spine.is_empty() {
            self.notes
                .push("no spine: the whole trunk is one part with the pelvis".to_owned());
        }
        self.count(&spine);
        let low = 0.5 * (self.place(self.thighs[0]) + self.place(self.thighs[1]));
        let arms = RoleSide::BOTH.map(|s| roles.joint(RolePart::UpperArm, s));
        let neck = roles.trunk(RolePart::Neck).or(roles.trunk(RolePart::Head));
        let parts = [
            Segment::LowerTrunk,
            Segment::MiddleTrunk,
            Segment::UpperTrunk,
        ];
        let lengths = parts.map(|p| self.numbers(p).length);
        let whole: f64 = lengths.iter().sum();
        let c7 = match (arms, neck) {
            ([Some(l), Some(r)], _) => {
                let shoulders = 0.5 * (self.place(l) + self.place(r));
                low + (shoulders - low) / shoulders_of_trunk(self.sex)
            }
            (_, Some(neck)) => self.place(neck),
            _ => low + DVec3::Y * (whole * stature),
        };
        let links = self.links(&chain);
        let mut from = low;
        for (segment, length) in parts.into_iter().zip(lengths) {
            let to = from + (c7 - low) * (length / whole);
            let mut numbers = self.numbers(segment);
            // The table counts the trunk from above.
            numbers.centre = 1.0 - numbers.centre;
            let span = Span {
                from,
                to,
                front: DVec3::Z,
            };
            lay(
                &mut self.parts,
                &links,
                &span,
                &numbers,
                numbers.share * mass,
            );
            from = to;
        }
        self.head(top, c7, stature, mass);
    }

    fn head(&mut self, top: JointIdx, c7: DVec3, stature: f64, mass: f64) {
        let mut numbers = self.numbers(Segment::Head);
        numbers.centre = 1.0 - numbers.centre;
        let head = self.body.roles.trunk(RolePart::Head);
        let chain = match head {
            Some(head) => {
                let mut chain = self.between(top, Some(head));
                chain.retain(|&j| j != top);
                chain.push(head);
                chain
            }
            None => {
                self.notes
                    .push("no head: its mass hangs on the trunk".to_owned());
                vec![top]
            }
        };
        if head.is_some() {
            self.count(&chain.clone());
        }
        let up = head.map_or(DVec3::Y, |h| {
            let crown = self.farthest(h);
            (crown - c7).try_normalize().unwrap_or(DVec3::Y)
        });
        let span = Span {
            from: c7,
            to: c7 + up * (numbers.length * stature),
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
    }
}
