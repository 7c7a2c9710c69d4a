//! Which joints and points of a skeleton take part.

use gaitway_core::anatomy::{Anatomy, Leg, is_at_or_below};
use gaitway_core::{ContactPoint, JointIdx, PointIdx, Skeleton};
use glam::{DQuat, DVec3, Quat, Vec3};

use super::ingest;
use super::knee::{HingeStudy, LegHinges};
use super::options::PlantError;

/// A channel is one contact point of one foot: leg 0's first and second point, then leg 1's.
pub(super) const CHANNELS: usize = 4;

/// One leg and the contact points below its ankle.
#[derive(Clone, Debug)]
pub(super) struct RigLeg {
    pub leg: Leg,
    /// Joints below the hip down to the ankle: what stretches.
    pub bones: Vec<JointIdx>,
    /// Bits of the contact track, nearest to the ankle first (the heel), and where they are.
    pub points: [Option<(usize, PointIdx)>; 2],
    /// The joint toes turn about and their tip, where both are there.
    pub toe: Option<(JointIdx, PointIdx)>,
}

/// Everything about a skeleton that the stages need.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub legs: [Option<RigLeg>; 2],
    /// Joints whose place and turn are needed, parents before children.
    pub needed: Vec<JointIdx>,
    /// What hangs beside the legs on what they hang on, the trunk above all; with the joints above it, the root first.
    beside: Vec<(JointIdx, Vec<JointIdx>)>,
    /// Names of contact points, by bit.
    pub names: Vec<String>,
    /// Bits that no foot carries, left alone.
    pub left_alone: Vec<usize>,
    /// Leg length against a person's 0.85 m.
    pub scale: f64,
}

impl Rig {
    pub fn new(
        skeleton: &Skeleton,
        anatomy: &Anatomy,
        points: &[ContactPoint],
    ) -> Result<Self, PlantError> {
        let count = skeleton.point_count();
        if let Some(p) = points.iter().find(|p| p.point.index() >= count) {
            return Err(PlantError::UnknownPoint {
                name: p.name.clone(),
                point: p.point.0,
                count,
            });
        }
        let legs = anatomy
            .legs
            .map(|leg| leg.and_then(|leg| rig_leg(skeleton, leg, points)));
        let used: Vec<usize> = legs.iter().flatten().flat_map(RigLeg::bits).collect();
        if used.is_empty() {
            let names: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
            let points = names.join(", ");
            return Err(PlantError::NoLegs { points });
        }
        let needed = needed(skeleton, &legs);
        let length = |l: &RigLeg| -> f32 { l.bones.iter().map(|&j| skeleton.bone_length(j)).sum() };
        let longest = legs.iter().flatten().map(length).fold(0.0, f32::max);
        let beside = beside_legs(skeleton, &legs);
        Ok(Self {
            needed,
            beside,
            names: points.iter().map(|p| p.name.clone()).collect(),
            left_alone: (0..points.len()).filter(|b| !used.contains(b)).collect(),
            scale: f64::from(longest / 0.85).max(1e-3),
            legs,
        })
    }
}

impl RigLeg {
    fn bits(&self) -> Vec<usize> {
        self.points.iter().flatten().map(|p| p.0).collect()
    }
}

fn rig_leg(skeleton: &Skeleton, leg: Leg, points: &[ContactPoint]) -> Option<RigLeg> {
    let below =
        |p: &&(usize, PointIdx)| is_at_or_below(skeleton, skeleton.point_joint(p.1), leg.ankle);
    let listed: Vec<(usize, PointIdx)> = points
        .iter()
        .enumerate()
        .map(|(bit, p)| (bit, p.point))
        .collect();
    let mut own: Vec<(usize, PointIdx)> = listed.iter().filter(below).copied().collect();
    // The heel is the ankle or near it; the farther point is the toe. Of more than two, the ends count.
    own.sort_by(|a, b| {
        let far = |p: PointIdx| rest_reach(skeleton, leg.ankle, p).length();
        far(a.1).total_cmp(&far(b.1)).then(a.0.cmp(&b.0))
    });
    let first = own.first().copied()?;
    let last = own.last().copied().filter(|l| l.0 != first.0);
    let mut bones: Vec<JointIdx> = std::iter::successors(Some(leg.ankle), |&j| skeleton.parent(j))
        .take_while(|&j| j != leg.hip)
        .collect();
    bones.reverse();
    let has_knee = bones.contains(&leg.knee) && leg.knee != leg.ankle;
    let long = bones.iter().map(|&j| skeleton.bone_length(j)).sum::<f32>() > 1e-3;
    let toe = leg
        .toe
        .zip(leg.tip)
        .filter(|(joint, tip)| *tip != PointIdx::from(*joint));
    (has_knee && long).then_some(RigLeg {
        leg,
        bones,
        points: [Some(first), last],
        toe,
    })
}

/// Where a point is in a joint's frame with nothing turned.
fn rest_reach(skeleton: &Skeleton, from: JointIdx, point: PointIdx) -> Vec3 {
    let mut sum = local_of(skeleton, point).unwrap_or(Vec3::ZERO);
    let mut at = skeleton.point_joint(point);
    while at != from {
        sum += skeleton.offset(at);
        match skeleton.parent(at) {
            Some(parent) => at = parent,
            None => break,
        }
    }
    sum
}

/// An end site's offset from its joint.
fn local_of(skeleton: &Skeleton, point: PointIdx) -> Option<Vec3> {
    let site = point.index().checked_sub(skeleton.joint_count())?;
    Some(skeleton.end_sites()[site].offset)
}

fn needed(skeleton: &Skeleton, legs: &[Option<RigLeg>; 2]) -> Vec<JointIdx> {
    let mut wanted = vec![false; skeleton.joint_count()];
    for leg in legs.iter().flatten() {
        let tips = leg
            .points
            .iter()
            .flatten()
            .map(|p| p.1)
            .chain(leg.toe.map(|t| t.1));
        for joint in tips.map(|p| skeleton.point_joint(p)).chain([leg.leg.ankle]) {
            let up = std::iter::successors(Some(joint), |&j| skeleton.parent(j));
            up.for_each(|j| wanted[j.index()] = true);
        }
    }
    skeleton.joints().filter(|j| wanted[j.index()]).collect()
}

impl Rig {
    /// Axes of knees and toes with nothing turned.
    pub fn rest_hinges(&self, skeleton: &Skeleton) -> LegHinges {
        let still = vec![Quat::IDENTITY; skeleton.joint_count()];
        let mut solved = LegKinematics::new(skeleton);
        solved.solve(skeleton, self, &still, skeleton.offsets());
        let slot = ingest::slot_of(skeleton, self, &solved, DVec3::ZERO, 0);
        let mut study = HingeStudy::default();
        study.see(&slot.legs);
        study.hinges(self.legs.iter().all(Option::is_some))
    }
}

/// What hangs beside the legs, with the joints above it.
fn beside_legs(skeleton: &Skeleton, legs: &[Option<RigLeg>; 2]) -> Vec<(JointIdx, Vec<JointIdx>)> {
    let hips: Vec<JointIdx> = legs.iter().flatten().map(|l| l.leg.hip).collect();
    let leads_to_hips = |j: JointIdx| hips.iter().any(|&h| is_at_or_below(skeleton, h, j));
    let beside = |j: &JointIdx| {
        let parent = skeleton.parent(*j);
        !leads_to_hips(*j) && parent.is_some_and(|p| leads_to_hips(p) && !hips.contains(&p))
    };
    let above = |j: JointIdx| {
        let up = std::iter::successors(skeleton.parent(j), |&p| skeleton.parent(p));
        let mut all: Vec<JointIdx> = up.collect();
        all.reverse();
        (j, all)
    };
    skeleton.joints().filter(beside).map(above).collect()
}

impl Rig {
    /// Turns the root in the world; what hangs beside the legs keeps its turn.
    pub fn tilt(&self, by: DQuat, rotations: &mut [Quat]) {
        for (joint, above) in &self.beside {
            let turns = above.iter().map(|j| rotations[j.index()].as_dquat());
            let above = turns.fold(DQuat::IDENTITY, |t, r| t * r);
            let local = rotations[joint.index()].as_dquat();
            let kept = above.inverse() * by.inverse() * above * local;
            rotations[joint.index()] = kept.normalize().as_quat();
        }
        rotations[0] = (by * rotations[0].as_dquat()).normalize().as_quat();
    }
}

/// World turns and places relative to the root of the joints that are needed.
#[derive(Clone, Debug)]
pub(super) struct LegKinematics {
    pub turns: Vec<Quat>,
    pub places: Vec<Vec3>,
}

impl LegKinematics {
    pub fn new(skeleton: &Skeleton) -> Self {
        Self {
            turns: vec![Quat::IDENTITY; skeleton.joint_count()],
            places: vec![Vec3::ZERO; skeleton.joint_count()],
        }
    }

    /// `locals`: translations in the parent's frame of all joints.
    pub fn solve(&mut self, skeleton: &Skeleton, rig: &Rig, rotations: &[Quat], locals: &[Vec3]) {
        for &joint in &rig.needed {
            let j = joint.index();
            match skeleton.parent(joint) {
                None => {
                    self.turns[j] = rotations[j];
                    self.places[j] = Vec3::ZERO;
                }
                Some(parent) => {
                    let p = parent.index();
                    self.turns[j] = self.turns[p] * rotations[j];
                    self.places[j] = self.places[p] + self.turns[p] * locals[j];
                }
            }
        }
    }

    /// A joint or end site, relative to the root.
    pub fn point(&self, skeleton: &Skeleton, point: PointIdx) -> Vec3 {
        let joint = skeleton.point_joint(point).index();
        match local_of(skeleton, point) {
            None => self.places[joint],
            Some(offset) => self.places[joint] + self.turns[joint] * offset,
        }
    }
}
