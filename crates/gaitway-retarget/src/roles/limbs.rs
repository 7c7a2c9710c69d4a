//! Limbs as chains of joints, and which joint of a chain has which role.
//!
//! A leg or an arm has three joints that matter, in a fixed order. Of all ordered triples (i, j, k) of a chain the one with the most points is
//! taken: what names say, how long the bones between are (thigh and shin are most of a leg, and about as long as each other) and,
//! for legs of a body that stands, how straight down they go. Cost: O(joints³) of one limb, of which there are a dozen.

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::{JointIdx, PointIdx, Skeleton};
use glam::DVec3;

use super::names::{self, Said};
use super::{Part, RoleSide};

/// A skeleton with what its names say and how it stands.
pub(super) struct Tree<'a> {
    pub skeleton: &'a Skeleton,
    pub said: Vec<Said>,
    /// Places of all points in a pose to look at.
    pub places: &'a [DVec3],
    /// Whether that pose is one a person stands in: only then does height say anything.
    pub stands: bool,
}

/// Three joints of a limb, with how well names and shape speak for them.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub chain: Vec<JointIdx>,
    pub three: [JointIdx; 3],
    pub named: [f64; 3],
    pub shape: f64,
    /// How well the name of what comes next says that the limb has ended: toes below a foot.
    pub after: f64,
}

impl Limb {
    fn points(&self) -> f64 {
        self.named.iter().sum::<f64>() + self.shape + self.after
    }
}

const LEG: [Part; 3] = [Part::Thigh, Part::Shank, Part::Foot];
const ARM: [Part; 3] = [Part::UpperArm, Part::Forearm, Part::Hand];
/// Longer chains than this are no limbs; what is beyond is not looked at, so that the work stays bounded.
const MOST: usize = 24;

impl<'a> Tree<'a> {
    pub fn new(skeleton: &'a Skeleton, places: &'a [DVec3]) -> Self {
        Self {
            skeleton,
            said: skeleton.names().iter().map(|n| names::read(n)).collect(),
            places,
            stands: true,
        }
    }

    pub fn said(&self, joint: JointIdx) -> &Said {
        &self.said[joint.index()]
    }

    pub fn place(&self, joint: JointIdx) -> DVec3 {
        self.places[joint.index()]
    }

    /// From a joint up to the root, itself first.
    pub fn up(&self, joint: JointIdx) -> impl Iterator<Item = JointIdx> + '_ {
        std::iter::successors(Some(joint), |&j| self.skeleton.parent(j))
    }

    pub fn meet(&self, a: JointIdx, b: JointIdx) -> JointIdx {
        self.up(a)
            .find(|&j| is_at_or_below(self.skeleton, b, j))
            .unwrap_or(JointIdx::ROOT)
    }

    /// Whether a joint, or one above it on its side, is what animators lead joints by.
    fn is_helper(&self, joint: JointIdx) -> bool {
        self.said(joint).helper || self.said(joint).finger || self.said(joint).twist
    }

    /// From below `top` to `end`.
    pub fn between(&self, top: JointIdx, end: JointIdx) -> Vec<JointIdx> {
        let mut chain: Vec<JointIdx> = self.up(end).take_while(|&j| j != top).collect();
        chain.reverse();
        chain
    }

    /// The joint that a side's leg or arm is known by: the first that says it is its end, else its middle. It must hang on something that says it is
    /// the limb as well, where anything of the side does; an end that does not (a foot led by hand) is the second answer.
    pub fn anchor(&self, side: RoleSide, limb: [Part; 3]) -> (Option<JointIdx>, Option<JointIdx>) {
        let of_side = |j: &JointIdx| self.said(*j).side == Some(side) && !self.is_helper(*j);
        let says = |j: JointIdx, part: Part| self.said(j).score(part) >= 0.5;
        let ends: Vec<JointIdx> = self
            .skeleton
            .joints()
            .filter(of_side)
            .filter(|&j| says(j, limb[2]))
            .collect();
        let hangs = |j: JointIdx| {
            let above = self.up(j).skip(1);
            above
                .into_iter()
                .any(|a| self.said(a).side == Some(side) && self.said(a).is_any(&limb[..2]))
        };
        let middle = || {
            let mut joints = self.skeleton.joints().filter(of_side);
            joints.rfind(|&j| says(j, limb[1]))
        };
        match ends.iter().copied().find(|&j| hangs(j)) {
            Some(end) => (Some(end), None),
            None => match middle() {
                Some(m) => (Some(m), ends.first().copied()),
                None => {
                    // Joints that are only numbered (`arm_joint_L_1` to `_3`): the last of them.
                    let mut joints = self.skeleton.joints().filter(of_side);
                    let numbered = joints.rfind(|&j| self.said(j).is_any(&limb));
                    (ends.first().copied().or(numbered), None)
                }
            },
        }
    }

    pub fn leg_parts() -> [Part; 3] {
        LEG
    }

    pub fn arm_parts() -> [Part; 3] {
        ARM
    }

    /// The chain from below `top` through `anchor` on to the tip, by what says it is the foot's or hand's end, else by length.
    fn whole(&self, top: JointIdx, anchor: JointIdx) -> Vec<JointIdx> {
        let mut chain = self.between(top, anchor);
        let mut at = anchor;
        while chain.len() < MOST {
            let next = self
                .skeleton
                .children(at)
                .filter(|&c| !self.is_helper(c) && !self.said(c).is_any(&[Part::Hips]))
                .max_by(|&a, &b| self.reach(a).total_cmp(&self.reach(b)).then(b.cmp(&a)));
            let Some(next) = next else { break };
            chain.push(next);
            at = next;
        }
        chain.truncate(MOST);
        chain
    }

    /// How much hangs below a joint with its own bone, as a length; what says it is a toe or hand counts double.
    fn reach(&self, joint: JointIdx) -> f64 {
        let named = self.said(joint).is_any(&[
            Part::Toe,
            Part::Hand,
            Part::Foot,
            Part::Shank,
            Part::Forearm,
        ]);
        let own = f64::from(self.skeleton.bone_length(joint)) * if named { 2.0 } else { 1.0 };
        let below = self
            .skeleton
            .children(joint)
            .map(|c| f64::from(self.skeleton.bone_length(c)));
        own + below.fold(0.0, f64::max)
    }

    /// Both limbs of a pair. Where their chains are alike they are read alike: as the reading goes that both together speak for most.
    pub fn pair(
        &self,
        top: JointIdx,
        anchors: [JointIdx; 2],
        parts: [Part; 3],
    ) -> [Option<Limb>; 2] {
        let found = anchors.map(|a| self.limb(top, a, parts));
        let [Some(l), Some(r)] = &found else {
            return found;
        };
        let at = |limb: &Limb| {
            limb.three
                .map(|j| limb.chain.iter().position(|&c| c == j).unwrap_or(0))
        };
        if l.chain.len() != r.chain.len() || at(l) == at(r) {
            return found;
        }
        let read = |limb: &Limb, places: [usize; 3]| {
            self.read(&limb.chain, places.map(|p| limb.chain[p]), parts)
        };
        let both = |places: [usize; 3]| [read(l, places), read(r, places)];
        let points = |two: &[Limb; 2]| two.iter().map(Limb::points).sum::<f64>();
        let (as_left, as_right) = (both(at(l)), both(at(r)));
        if points(&as_left) >= points(&as_right) {
            as_left.map(Some)
        } else {
            as_right.map(Some)
        }
    }

    fn read(&self, chain: &[JointIdx], three: [JointIdx; 3], parts: [Part; 3]) -> Limb {
        let next = chain.iter().skip_while(|&&j| j != three[2]).nth(1);
        Limb {
            after: next.map_or(0.0, |&j| self.said(j).score(Part::Toe)),
            chain: chain.to_vec(),
            three,
            named: [0, 1, 2].map(|n| self.said(three[n]).score(parts[n])),
            shape: self.shape(three, chain, self.length(chain).max(1e-6), parts == LEG),
        }
    }

    /// The best three joints of a limb.
    pub fn limb(&self, top: JointIdx, anchor: JointIdx, parts: [Part; 3]) -> Option<Limb> {
        let chain = self.whole(top, anchor);
        let usable: Vec<JointIdx> = chain
            .iter()
            .copied()
            .filter(|&j| !self.is_helper(j))
            .collect();
        let mut best: Option<Limb> = None;
        for i in 0..usable.len() {
            for j in i + 1..usable.len() {
                for k in j + 1..usable.len() {
                    let limb = self.read(&chain, [usable[i], usable[j], usable[k]], parts);
                    if best
                        .as_ref()
                        .is_none_or(|b| limb.points() > b.points() + 1e-9)
                    {
                        best = Some(limb);
                    }
                }
            }
        }
        best
    }

    fn length(&self, chain: &[JointIdx]) -> f64 {
        chain
            .iter()
            .skip(1)
            .map(|&j| f64::from(self.skeleton.bone_length(j)))
            .sum()
    }

    /// From 0 to 1: both bones there, together most of the limb, alike in length, and of a standing leg both going down.
    fn shape(&self, [a, b, c]: [JointIdx; 3], chain: &[JointIdx], total: f64, leg: bool) -> f64 {
        let bone = |from: JointIdx, to: JointIdx| -> f64 {
            self.between(from, to)
                .iter()
                .map(|&j| f64::from(self.skeleton.bone_length(j)))
                .sum()
        };
        let (upper, lower) = (bone(a, b), bone(b, c));
        if upper.min(lower) < 0.02 * total {
            return -1.0;
        }
        let alike = upper.min(lower) / upper.max(lower);
        let most = ((upper + lower) / total).min(1.0);
        // People's thighs and shins, upper arms and forearms differ by up to a sixth.
        let mut score = 0.6 * alike.min(0.85) / 0.85 + 0.4 * most;
        if leg && self.stands {
            let down = |from: JointIdx, to: JointIdx| {
                let way = self.place(to) - self.place(from);
                -way.y / way.length().max(1e-6)
            };
            // A bone of several joints (of twist) is straight; one that goes round an ankle is not one.
            let straight = |from: JointIdx, to: JointIdx, long: f64| {
                self.place(from).distance(self.place(to)) / long
            };
            score *= straight(a, b, upper) * straight(b, c, lower);
            score = 0.4 * score
                + 0.2 * (down(a, b) + down(b, c)).max(0.0)
                + 0.2 * self.goes_on(c, chain, total);
        }
        score
    }

    /// How level the rest of a leg goes on below a joint, from 0 (down, or nothing is left) to 1: a foot does.
    fn goes_on(&self, from: JointIdx, chain: &[JointIdx], total: f64) -> f64 {
        let end = self
            .skeleton
            .end_sites()
            .iter()
            .enumerate()
            .filter(|(_, e)| chain.last() == Some(&e.parent));
        let tips = end.map(|(i, _)| self.places[self.skeleton.end_site_point(i).index()]);
        let last = chain.last().map(|&j| self.place(j));
        let ways = tips.chain(last).map(|p| p - self.place(from));
        match ways.max_by(|a, b| a.length().total_cmp(&b.length())) {
            Some(way) if way.length() > 0.03 * total => way.x.hypot(way.z) / way.length(),
            _ => 0.0,
        }
    }

    /// The lowest points of two limbs that part from one another: feet of a standing body.
    pub fn lowest_two(&self) -> Option<[JointIdx; 2]> {
        let mut points: Vec<PointIdx> = (0..self.skeleton.point_count() as u32)
            .map(PointIdx)
            .collect();
        points.sort_by(|a, b| {
            self.places[a.index()]
                .y
                .total_cmp(&self.places[b.index()].y)
        });
        let depth = |j: JointIdx| self.up(j).count();
        let first = self.skeleton.point_joint(*points.first()?);
        points
            .iter()
            .map(|&p| self.skeleton.point_joint(p))
            .find_map(|j| {
                let meet = depth(self.meet(first, j));
                let apart = depth(first) >= meet + 3 && depth(j) >= meet + 3;
                apart.then_some([first, j])
            })
    }

    /// The points farthest to either side of a plane through the hips that hang on no leg: hands.
    pub fn widest_two(
        &self,
        hips: JointIdx,
        left: DVec3,
        legs: &[JointIdx],
    ) -> Option<[JointIdx; 2]> {
        let side = |j: JointIdx| (self.place(j) - self.place(hips)).dot(left);
        let free = |j: &JointIdx| {
            !legs.iter().any(|&l| is_at_or_below(self.skeleton, *j, l))
                && self.skeleton.children(*j).next().is_none()
        };
        let leaves: Vec<JointIdx> = self.skeleton.joints().filter(free).collect();
        let by = |a: &&JointIdx, b: &&JointIdx| side(**a).total_cmp(&side(**b));
        let (l, r) = (*leaves.iter().max_by(by)?, *leaves.iter().min_by(by)?);
        let meet = self.meet(l, r);
        let long = |j: JointIdx| self.between(meet, j).len() >= 3;
        (side(l) > 0.02 && side(r) < -0.02 && long(l) && long(r)).then_some([l, r])
    }
}
