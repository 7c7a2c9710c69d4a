//! Legs, arms and hands of a person, and what they cover.

use glam::Vec3;

use super::{Form, Held, Kind, Work, ancestors, foot, right_handed, trunk};
use crate::anatomy::{Arm, Leg, Side, is_at_or_below};
use crate::{JointIdx, PointIdx};

const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// Adds what is known of a person.
pub(super) fn add(work: &mut Work<'_>) {
    let h = work.height;
    let legs = work.anatomy.both_legs();
    if let Some(legs) = &legs {
        let floor = foot::floor(work.clip, h);
        work.floor = Some(floor);
        add_legs(work, legs, floor);
    }
    let arms = work.anatomy.arms;
    for (arm, side) in arms.iter().zip(SIDES) {
        let Some(arm) = arm else { continue };
        let upper = [0.029 * h, 0.023 * h];
        let lower = [0.023 * h, 0.015 * h];
        limb(work, side, arm.shoulder, arm.elbow, upper);
        limb(work, side, arm.elbow, arm.wrist, lower);
        hand(work, arm, side);
        cover(work, arm.wrist);
    }
    // A trunk is shaped between hips and shoulders; bones do for a spine that ends somewhere.
    if legs.is_none() || arms.iter().all(Option::is_none) {
        return;
    }
    trunk::add(work);
    if let Some(head) = work.anatomy.head {
        cover(work, head);
    }
}

fn add_legs(work: &mut Work<'_>, legs: &[Leg; 2], floor: f64) {
    let h = work.height;
    for (leg, side) in legs.iter().zip(SIDES) {
        let thigh = [0.047 * h, 0.033 * h];
        let shin = [0.033 * h, 0.022 * h];
        limb(work, side, leg.hip, leg.knee, thigh);
        limb(work, side, leg.knee, leg.ankle, shin);
        foot::add(work, leg, side, floor);
        cover(work, leg.ankle);
    }
}

fn limb(work: &mut Work<'_>, side: Side, from: JointIdx, to: JointIdx, radii: [f32; 2]) {
    let ends = [work.held(from), work.held(to)];
    work.add(Kind::Limb, Some(side), Form::Capsule { ends, radii });
}

/// Marks a joint, all above it and all below it as shown.
fn cover(work: &mut Work<'_>, joint: JointIdx) {
    for j in ancestors(work.skeleton, joint) {
        work.covered[j.index()] = true;
    }
    for index in 0..work.skeleton.point_count() {
        let holder = work.skeleton.point_joint(PointIdx(index as u32));
        if is_at_or_below(work.skeleton, holder, joint) {
            work.covered[index] = true;
        }
    }
}

/// A mitten along the forearm, and a palm and fingers where the rig has them.
fn hand(work: &mut Work<'_>, arm: &Arm, side: Side) {
    let h = work.height;
    let wrist = work.at(arm.wrist);
    let along = (wrist - work.at(arm.elbow))
        .try_normalize()
        .unwrap_or(Vec3::X);
    // Palms face down on stretched arms and the thighs on hanging ones.
    let facing = if along.y.abs() < 0.7 {
        Vec3::Y
    } else {
        work.across()
    };
    let thick = facing.reject_from_normalized(along).normalize_or(Vec3::Y);
    let wide = thick.cross(along);
    let flat = |half: f32| {
        let axes = [wide * (0.022 * h), thick * (-0.011 * h), along * half];
        let place = wrist + along * (half * 0.85);
        Form::Egg {
            centre: Held {
                joint: arm.wrist,
                place,
            },
            axes: right_handed(axes),
            power: 2.6,
        }
    };
    work.add(Kind::Hand, Some(side), flat(0.048 * h));
    let below = |j: JointIdx| j != arm.wrist && is_at_or_below(work.skeleton, j, arm.wrist);
    if work.skeleton.joints().filter(|&j| below(j)).count() < 10 {
        return;
    }
    let radius = 0.0055 * h;
    let points = (0..work.skeleton.point_count() as u32).map(PointIdx);
    let fingers: Vec<Form> = points
        .filter(|&p| work.skeleton.point_parent(p).is_some_and(below))
        .filter_map(|p| bone(work, p, [radius, 0.8 * radius]))
        .collect();
    work.add(Kind::Palm, Some(side), flat(0.028 * h));
    for finger in fingers {
        work.add(Kind::Finger, Some(side), finger);
    }
}

/// A capsule from the joint above a point to the point, where they are apart.
pub(super) fn bone(work: &Work<'_>, point: PointIdx, radii: [f32; 2]) -> Option<Form> {
    let from = work.held(work.skeleton.point_parent(point)?);
    let to = Held {
        joint: work.skeleton.point_joint(point),
        place: work.bind.point(point.index()),
    };
    let ends = [from, to];
    (from.place.distance(to.place) > 1e-4).then_some(Form::Capsule { ends, radii })
}
