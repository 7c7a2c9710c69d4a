//! Segments of the table laid between the joints of a standing body.

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::{JointIdx, PointIdx};
use gaitway_retarget::{Body, Part as RolePart, Role, RoleSide};
use glam::DVec3;

use crate::body::{Bearing, MassBody, MassError, Sole};
use crate::part::{Link, Part, Span, lay};
use crate::table::{Numbers, Segment, Sex, shoulders_of_trunk};

/// Where the ankle is in a foot whose rig does not show its heel: this part of its length from the heel.
const ANKLE_IN_FOOT: f64 = 0.25;
/// Where the ball is, likewise.
const BALL_IN_FOOT: f64 = 0.72;
/// Half a foot's breadth at the ball and at the heel, parts of the stature.
const HALF_BALL: f64 = 0.0275;
const HALF_HEEL: f64 = 0.7 * HALF_BALL;
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

    fn trunk_and_head(&mut self, stature: f64, mass: f64) {
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

    fn arm(&mut self, side: RoleSide, stature: f64, mass: f64) {
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

    fn leg(&mut self, side: RoleSide, stature: f64, mass: f64) {
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

    /// A foot, laid out flat and pointing to +Z with the ankle at the origin.
    fn foot(&mut self, side: RoleSide, stature: f64, mass: f64) -> bool {
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

fn word(side: RoleSide) -> &'static str {
    match side {
        RoleSide::Left => "left",
        RoleSide::Right => "right",
    }
}
