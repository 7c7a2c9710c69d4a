//! The figure: which shape goes round which bones.

use gaitway_core::anatomy::{Anatomy, Arm, Leg, Side, side_of};
use gaitway_core::{Clip, JointIdx, PointIdx, Skeleton};
use glam::Vec3;

use super::bind::Bind;
use super::tube::{Follows, Ring, Shape, capsule, egg, tube};
use super::{foot, trunk};

/// Height H of a body over the length of its leg from hip to ankle.
const HEIGHT_PER_LEG: f32 = 1.0 / 0.49;

/// Everything a shape is made from.
pub(super) struct Figure<'a> {
    pub clip: &'a Clip,
    pub skeleton: &'a Skeleton,
    pub bind: &'a Bind,
    pub anatomy: Anatomy,
    /// The body's height.
    pub height: f32,
}

/// All shapes of the body with the side they belong to.
pub(super) fn shapes(clip: &Clip, bind: &Bind) -> Vec<(Option<Side>, Shape)> {
    let anatomy = Anatomy::of_clip(clip);
    let mut figure = Figure {
        clip,
        skeleton: clip.skeleton(),
        bind,
        anatomy,
        height: 0.0,
    };
    let Some(legs) = figure.anatomy.both_legs() else {
        return figure.capsule_per_bone(&vec![false; figure.skeleton.joint_count()]);
    };
    let leg = |l: &Leg| {
        figure.at(l.hip).distance(figure.at(l.knee))
            + figure.at(l.knee).distance(figure.at(l.ankle))
    };
    figure.height = HEIGHT_PER_LEG * 0.5 * (leg(&legs[0]) + leg(&legs[1]));
    if figure.height <= 1e-6 {
        return figure.capsule_per_bone(&vec![false; figure.skeleton.joint_count()]);
    }
    figure.person(&legs)
}

impl Figure<'_> {
    /// Where a joint is in the bind pose.
    pub fn at(&self, joint: JointIdx) -> Vec3 {
        self.bind.point(joint.index())
    }

    fn person(&self, legs: &[Leg; 2]) -> Vec<(Option<Side>, Shape)> {
        let h = self.height;
        let mut out = Vec::new();
        let mut covered = vec![false; self.skeleton.joint_count()];
        for (leg, side) in legs.iter().zip([Side::Left, Side::Right]) {
            let thigh = [0.047 * h, 0.033 * h];
            let shin = [0.033 * h, 0.022 * h];
            out.push((Some(side), self.limb(leg.hip, leg.knee, thigh)));
            out.push((Some(side), self.limb(leg.knee, leg.ankle, shin)));
            out.push((Some(side), foot::shape(self, leg)));
            self.cover(leg.ankle, true, &mut covered);
        }
        for (arm, side) in self.anatomy.arms.iter().zip([Side::Left, Side::Right]) {
            let Some(arm) = arm else { continue };
            let upper = [0.029 * h, 0.023 * h];
            let lower = [0.023 * h, 0.015 * h];
            out.push((Some(side), self.limb(arm.shoulder, arm.elbow, upper)));
            out.push((Some(side), self.limb(arm.elbow, arm.wrist, lower)));
            self.hand(arm, side, &mut out);
            self.cover(arm.wrist, true, &mut covered);
        }
        trunk::shapes(self, &mut out);
        if let Some(head) = self.anatomy.head {
            self.cover(head, true, &mut covered);
        }
        out.extend(self.capsule_per_bone(&covered));
        out
    }

    fn limb(&self, from: JointIdx, to: JointIdx, radii: [f32; 2]) -> Shape {
        capsule(self.at(from), self.at(to), radii, from.index())
    }

    /// Marks a joint, all above it, and (asked for) all below it as drawn.
    fn cover(&self, joint: JointIdx, below: bool, covered: &mut [bool]) {
        let mut at = Some(joint);
        while let Some(j) = at {
            covered[j.index()] = true;
            at = self.skeleton.parent(j);
        }
        if below {
            for j in self.descendants(joint) {
                covered[j.index()] = true;
            }
        }
    }

    /// Joints below another, parents first.
    pub fn descendants(&self, joint: JointIdx) -> Vec<JointIdx> {
        let mut inside = vec![false; self.skeleton.joint_count()];
        inside[joint.index()] = true;
        let mut out = Vec::new();
        for j in self.skeleton.joints() {
            if self.skeleton.parent(j).is_some_and(|p| inside[p.index()]) {
                inside[j.index()] = true;
                out.push(j);
            }
        }
        out
    }

    /// A mitten along the forearm, or a palm and fingers where the rig has them.
    fn hand(&self, arm: &Arm, side: Side, out: &mut Vec<(Option<Side>, Shape)>) {
        let h = self.height;
        let wrist = self.at(arm.wrist);
        let fingers = self.descendants(arm.wrist);
        let along = (wrist - self.at(arm.elbow))
            .try_normalize()
            .unwrap_or(Vec3::X);
        // Palms face down on stretched arms and the thighs on hanging ones.
        let facing = if along.y.abs() < 0.7 {
            Vec3::Y
        } else {
            self.across()
        };
        let thick = facing.reject_from_normalized(along).normalize_or(Vec3::Y);
        let wide = thick.cross(along);
        let has_fingers = fingers.len() >= 10;
        let half = if has_fingers { 0.028 * h } else { 0.048 * h };
        let axes = [wide * (0.022 * h), thick * (-0.011 * h), along * half];
        let axes = right_handed(axes);
        let centre = wrist + along * (half * 0.85);
        out.push((Some(side), egg(centre, axes, 2.6, arm.wrist.index())));
        if has_fingers {
            let radius = 0.0055 * h;
            for point in self.points_below(arm.wrist) {
                if let Some(shape) = self.bone(point, radius) {
                    out.push((Some(side), shape));
                }
            }
        }
    }

    /// Joints and end sites below a joint whose bones are not its own palm.
    fn points_below(&self, joint: JointIdx) -> Vec<PointIdx> {
        let below = self.descendants(joint);
        (0..self.skeleton.point_count() as u32)
            .map(PointIdx)
            .filter(|&p| {
                let parent = self.skeleton.point_parent(p);
                parent.is_some_and(|parent| below.contains(&parent))
            })
            .collect()
    }

    /// From the right hip to the left one.
    pub fn across(&self) -> Vec3 {
        let hips = self
            .anatomy
            .both_legs()
            .map(|[l, r]| self.at(l.hip) - self.at(r.hip));
        hips.and_then(Vec3::try_normalize).unwrap_or(Vec3::X)
    }

    fn bone(&self, point: PointIdx, radius: f32) -> Option<Shape> {
        let parent = self.skeleton.point_parent(point)?;
        let (a, b) = (self.at(parent), self.bind.point(point.index()));
        let long = a.distance(b) > 1e-4;
        long.then(|| capsule(a, b, [radius, 0.8 * radius], parent.index()))
    }

    /// A capsule round every bone that is not drawn yet, as thick as its length allows.
    fn capsule_per_bone(&self, covered: &[bool]) -> Vec<(Option<Side>, Shape)> {
        let mut out = Vec::new();
        for p in (0..self.skeleton.point_count() as u32).map(PointIdx) {
            let joint = self.skeleton.point_joint(p);
            if covered[joint.index()] {
                continue;
            }
            let Some(parent) = self.skeleton.point_parent(p) else {
                continue;
            };
            let length = self.at(parent).distance(self.bind.point(p.index()));
            let radius = if self.height > 0.0 {
                (0.18 * length).clamp(0.004 * self.height, 0.02 * self.height)
            } else {
                0.18 * length
            };
            if let Some(shape) = self.bone(p, radius) {
                out.push((side_of(self.skeleton.name(joint)), shape));
            }
        }
        out
    }
}

/// Half axes whose first two turn about the third in the sense that faces outwards.
pub(super) fn right_handed([wide, deep, along]: [Vec3; 3]) -> [Vec3; 3] {
    if wide.cross(deep).dot(along) < 0.0 {
        [wide, -deep, along]
    } else {
        [wide, deep, along]
    }
}

/// A ring with its axes in the right sense for a tube along `along`.
pub(super) fn ring(centre: Vec3, axes: [Vec3; 3], power: f32, follows: Follows) -> Ring {
    let [wide, deep, _] = right_handed(axes);
    Ring {
        centre,
        wide,
        deep,
        power,
        follows,
    }
}

/// A tube that begins and ends a little beyond its rings.
pub(super) fn closed(rings: &[Ring], reach: f32) -> Shape {
    let (Some(first), Some(last)) = (rings.first(), rings.last()) else {
        return Shape::default();
    };
    let along = |r: &Ring| r.wide.cross(r.deep).normalize_or(Vec3::Y) * reach;
    tube(
        first.centre - along(first),
        rings,
        last.centre + along(last),
    )
}
