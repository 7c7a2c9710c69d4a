//! Segments of the table laid between the joints of a standing body.

mod feet;
mod limbs;
mod trunk;

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::{JointIdx, PointIdx};
use gaitway_retarget::{Body, Part as RolePart, RoleSide};
use glam::DVec3;

use crate::body::{Bearing, MassBody, MassError, Sole};
use crate::part::{Link, Part};
use crate::table::{Numbers, Segment, Sex};

/// What one sits on, from the pelvis joint, in statures: to the side, below, to the front.
const SEAT: [f64; 3] = [0.06, 0.055, 0.05];

pub(crate) struct Builder<'b> {
    body: &'b Body,
    sex: Sex,
    hips: JointIdx,
    thighs: [JointIdx; 2],
    parts: Vec<Part>,
    effort: Vec<f64>,
    soles: [Sole; 2],
    notes: Vec<String>,
}

impl<'b> Builder<'b> {
    pub(crate) fn new(body: &'b Body, sex: Sex) -> Result<Self, MassError> {
        let joints = body.skeleton.joint_count();
        let missing = |what| MassError::NoPerson { what, joints };
        let hips = body
            .roles
            .trunk(RolePart::Hips)
            .ok_or(missing("a pelvis"))?;
        let thighs = body.hip_joints().ok_or(missing("a pair of legs"))?;
        Ok(Self {
            body,
            sex,
            hips,
            thighs,
            parts: vec![Part::default(); joints],
            effort: vec![0.0; joints],
            soles: [Sole::default(), Sole::default()],
            notes: Vec::new(),
        })
    }

    /// How tall the body stands: from its lowest point to its head's highest, or as its legs have it where both are far apart and that is more (a skeleton
    /// need not reach to the crown, but no body is shorter than its bones).
    pub(crate) fn stature(&mut self) -> f64 {
        let skeleton = &self.body.skeleton;
        let head = self.body.roles.trunk(RolePart::Head);
        let of_head = |p: &PointIdx| {
            head.is_none_or(|h| is_at_or_below(skeleton, skeleton.point_joint(*p), h))
        };
        let points = || (0..skeleton.point_count() as u32).map(PointIdx);
        let height = |p: PointIdx| self.body.places[p.index()].y;
        let top = points().filter(of_head).map(height);
        let top = top.fold(f64::NEG_INFINITY, f64::max);
        let tall = top - points().map(height).fold(f64::INFINITY, f64::min);
        let legs = self.numbers(Segment::Thigh).length + self.numbers(Segment::Shank).length;
        let by_legs = self.body.leg_length.map_or(tall, |l| l / legs);
        if (tall / by_legs - 1.0).abs() < 0.15 {
            return tall;
        }
        let taken = tall.max(by_legs);
        self.notes.push(format!(
            "from sole to crown the skeleton is {tall:.2} m, a person with its legs {by_legs:.2} m: taken for {taken:.2} m"
        ));
        taken
    }

    pub(crate) fn lay_all(&mut self, stature: f64, mass: f64) {
        self.trunk_and_head(stature, mass);
        for side in RoleSide::BOTH {
            self.arm(side, stature, mass);
            self.leg(side, stature, mass);
        }
    }

    pub(crate) fn finish(mut self, stature: f64) -> MassBody {
        // The root is held by nothing: what it would need is the residual.
        self.effort[0] = 0.0;
        let upright = self.body.rest[self.hips.index()].inverse();
        let [side, below, front] = SEAT.map(|part| part * stature);
        let signs = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        let seat = signs.map(|(x, z)| Bearing {
            joint: self.hips,
            place: upright * DVec3::new(x * side, -below, z * front),
        });
        let seat = seat.to_vec();
        MassBody {
            skeleton: self.body.skeleton.clone(),
            mass: self.parts.iter().map(|p| p.mass).sum(),
            parts: self.parts,
            effort: self.effort,
            soles: self.soles,
            hips: self.hips,
            seat,
            stature,
            notes: self.notes,
        }
    }

    fn numbers(&self, segment: Segment) -> Numbers {
        segment.numbers(self.sex)
    }

    fn place(&self, joint: JointIdx) -> DVec3 {
        self.body.place(joint)
    }

    fn link(&self, joint: JointIdx) -> Link {
        Link {
            joint,
            place: self.place(joint),
            rotation: self.body.rest[joint.index()],
        }
    }

    /// The joints from one down to another, the latter left out; the first alone where the other does not hang on it.
    fn between(&self, from: JointIdx, to: Option<JointIdx>) -> Vec<JointIdx> {
        let skeleton = &self.body.skeleton;
        let Some(to) = to.filter(|&t| t != from && is_at_or_below(skeleton, t, from)) else {
            return vec![from];
        };
        let up = std::iter::successors(skeleton.parent(to), |&j| skeleton.parent(j));
        let mut chain: Vec<JointIdx> = up.take_while(|&j| j != from).collect();
        chain.push(from);
        chain.reverse();
        chain
    }

    fn links(&self, joints: &[JointIdx]) -> Vec<Link> {
        joints.iter().map(|&j| self.link(j)).collect()
    }

    /// The farthest point at or below a joint from it.
    fn farthest(&self, joint: JointIdx) -> DVec3 {
        let skeleton = &self.body.skeleton;
        let at = self.place(joint);
        let below = (0..skeleton.point_count() as u32)
            .map(PointIdx)
            .filter(|&p| is_at_or_below(skeleton, skeleton.point_joint(p), joint));
        below
            .map(|p| self.body.places[p.index()])
            .fold(at, |best, p| {
                if p.distance(at) > best.distance(at) {
                    p
                } else {
                    best
                }
            })
    }

    /// A joint of a person: its torque counts, shared by the joints of one part.
    fn count(&mut self, joints: &[JointIdx]) {
        for joint in joints {
            self.effort[joint.index()] = 1.0 / joints.len() as f64;
        }
    }
}

fn word(side: RoleSide) -> &'static str {
    match side {
        RoleSide::Left => "left",
        RoleSide::Right => "right",
    }
}
