//! Feet and their soles.

use gaitway_retarget::{Part as RolePart, RoleSide};
use glam::DVec3;

use super::Builder;
use crate::body::{Bearing, Sole};
use crate::part::{Link, Span, lay};
use crate::table::Segment;

/// Where the ankle is in a foot whose rig does not show its heel: this part of its length from the heel.
const ANKLE_IN_FOOT: f64 = 0.25;
/// Where the ball is, likewise.
const BALL_IN_FOOT: f64 = 0.72;
/// Half a foot's breadth at the ball and at the heel, parts of the stature.
const HALF_BALL: f64 = 0.0275;
const HALF_HEEL: f64 = 0.7 * HALF_BALL;

impl Builder<'_> {
    /// A foot, laid out flat and pointing to +Z with the ankle at the origin.
    pub(super) fn foot(&mut self, side: RoleSide, stature: f64, mass: f64) -> bool {
        let Some(foot) = &self.body.feet[side.index()] else {
            return false;
        };
        let numbers = self.numbers(Segment::Foot);
        let length = numbers.length * stature;
        let ankle = foot.ankle;
        let into = self.body.rest[ankle.index()].inverse();
        let flat = |p: DVec3| foot.level * (into * (p - self.body.place(ankle)));
        let reach = foot
            .points
            .iter()
            .map(|p| flat(self.body.places[p.index()]).z);
        let (back, front) = reach.fold((0.0_f64, 0.0_f64), |(b, f), z| (b.min(z), f.max(z)));
        let heel = if back < -0.1 * length {
            back
        } else {
            -ANKLE_IN_FOOT * length
        };
        let tip = front.max(heel + length);
        let toe = self.body.roles.joint(RolePart::Toe, side);
        let toe = toe.zip(foot.toe_level).map(|(joint, rotation)| Link {
            joint,
            place: flat(self.body.place(joint)),
            rotation,
        });
        let sole = -foot.heights[0];
        let at = |x: f64, z: f64| DVec3::new(x, sole, z);
        let mut chain = vec![Link {
            joint: ankle,
            place: DVec3::ZERO,
            rotation: foot.level,
        }];
        chain.extend(toe);
        let middle = DVec3::Y * (0.5 * foot.heights[0]);
        let span = Span {
            from: at(0.0, heel) + middle,
            to: at(0.0, tip) + middle,
            front: DVec3::X,
        };
        lay(
            &mut self.parts,
            &chain,
            &span,
            &numbers,
            numbers.share * mass,
        );
        let ball = toe.map_or(heel + BALL_IN_FOOT * length, |t| t.place.z.max(0.0));
        let (wide, narrow) = (HALF_BALL * stature, HALF_HEEL * stature);
        let last = chain[chain.len() - 1];
        let fix = |link: Link, x: f64, z: f64| Bearing {
            joint: link.joint,
            place: link.rotation.inverse() * (at(x, z) - link.place),
        };
        self.soles[side.index()] = Sole {
            ankle: Some(ankle),
            heel: vec![fix(chain[0], narrow, heel), fix(chain[0], -narrow, heel)],
            toe: vec![
                fix(last, wide, ball),
                fix(last, -wide, ball),
                fix(last, 0.0, tip),
            ],
        };
        self.count(&[ankle]);
        if let Some(toe) = toe {
            self.count(&[toe.joint]);
        }
        true
    }
}
