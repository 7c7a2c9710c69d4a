//! Which points can stand: the heel and the toe of each foot, by name and by shape.
//!
//! The *toe* is the ball of the foot (the joint the toes turn about) where the rig has one, else the foremost
//! point of the foot. The *heel* is a point below and behind the ankle where the rig has one, else the ankle:
//! in a foot that stands flat the ankle is as still as the heel under it.

use crate::anatomy::{Anatomy, Leg, Side, named_foot};
use crate::{ContactPoint, JointIdx, PointIdx, Skeleton};

use super::{ContactError, ContactOptions};

/// What kind of point it is, which says what it may stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The back of a foot.
    Heel,
    /// The front of a foot.
    Toe,
    /// A hand, which may touch the floor.
    Hand,
    /// The hips, which may sit on anything.
    Hips,
}

/// A point that may stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What users call it.
    pub name: String,
    /// The joint or end site whose place is looked at.
    pub point: PointIdx,
    /// What it is.
    pub kind: Kind,
    /// Which limb it belongs to: points of one foot share a number.
    pub limb: usize,
    /// The joint the whole foot hangs on, for feet.
    pub ankle: Option<JointIdx>,
}

impl Candidate {
    /// As a track's point.
    pub fn contact_point(&self) -> ContactPoint {
        ContactPoint {
            name: self.name.clone(),
            point: self.point,
        }
    }

    /// Whether it belongs to a foot.
    pub fn is_foot(&self) -> bool {
        matches!(self.kind, Kind::Heel | Kind::Toe)
    }
}

/// The points of a skeleton that options ask for.
pub(super) fn choose(
    skeleton: &Skeleton,
    anatomy: &Anatomy,
    options: &ContactOptions,
) -> Result<Vec<Candidate>, ContactError> {
    if let Some(given) = &options.points {
        let listed: Vec<Candidate> = given.iter().map(|p| from_given(skeleton, p)).collect();
        return Ok(listed);
    }
    let mut out = Vec::new();
    for side in [Side::Left, Side::Right] {
        feet(skeleton, anatomy, side, &mut out);
    }
    if out.is_empty() {
        let joints = skeleton.joint_count();
        return Err(ContactError::NoFeet { joints });
    }
    if options.hands {
        for (side, arm) in anatomy.arms.iter().enumerate() {
            let Some(arm) = arm else { continue };
            out.push(Candidate {
                name: format!("{}_hand", SIDES[side]),
                point: arm.wrist.into(),
                kind: Kind::Hand,
                limb: 2 + side,
                ankle: None,
            });
        }
    }
    if options.hips {
        out.push(Candidate {
            name: "hips".into(),
            point: anatomy.pelvis.into(),
            kind: Kind::Hips,
            limb: 4,
            ankle: None,
        });
    }
    Ok(out)
}

const SIDES: [&str; 2] = ["left", "right"];

/// Heel and toe of one side, as far as the rig has them.
fn feet(skeleton: &Skeleton, anatomy: &Anatomy, side: Side, out: &mut Vec<Candidate>) {
    let limb = side.index();
    let (ankle, toe) = match anatomy.legs[limb] {
        Some(leg) => (leg.ankle, toe_of(skeleton, &leg)),
        // Feet that hang on nothing but the root, as control rigs have them, still stand.
        None => match named_foot(skeleton, side) {
            Some((foot, tip)) => (foot, tip),
            None => return,
        },
    };
    let mut add = |end: &str, kind: Kind, point: PointIdx| {
        out.push(Candidate {
            name: format!("{}_{end}", SIDES[limb]),
            point,
            kind,
            limb,
            ankle: Some(ankle),
        });
    };
    add("heel", Kind::Heel, heel_of(skeleton, ankle, toe));
    if let Some(toe) = toe {
        add("toe", Kind::Toe, toe);
    }
}

/// The ball of the foot, or its tip, when it is not where the ankle is.
fn toe_of(skeleton: &Skeleton, leg: &Leg) -> Option<PointIdx> {
    let apart = |p: &PointIdx| reach(skeleton, leg.ankle, *p).length() > 1e-3;
    let ball = leg.toe.map(PointIdx::from);
    ball.filter(apart).or(leg.tip.filter(apart))
}

/// Where a point below a joint is at rest, in the joint's frame (rotations at rest are none).
fn reach(skeleton: &Skeleton, from: JointIdx, point: PointIdx) -> glam::Vec3 {
    let joint = skeleton.point_joint(point);
    let mut sum = match point.index().checked_sub(skeleton.joint_count()) {
        None => glam::Vec3::ZERO,
        Some(site) => skeleton.end_sites()[site].offset,
    };
    let mut at = joint;
    while at != from {
        sum += skeleton.offset(at);
        match skeleton.parent(at) {
            Some(parent) => at = parent,
            None => return glam::Vec3::ZERO,
        }
    }
    sum
}

/// A point of the foot on the far side of the ankle from the toe (or named heel), else the ankle.
fn heel_of(skeleton: &Skeleton, ankle: JointIdx, toe: Option<PointIdx>) -> PointIdx {
    let ahead = toe.map_or(glam::Vec3::ZERO, |t| reach(skeleton, ankle, t));
    let below = (0..skeleton.point_count() as u32)
        .map(PointIdx)
        .filter(|&p| {
            let is_self = p == PointIdx::from(ankle);
            !is_self && crate::anatomy::is_at_or_below(skeleton, skeleton.point_joint(p), ankle)
        });
    let heel = below
        .map(|p| (p, reach(skeleton, ankle, p)))
        .filter(|&(p, at)| {
            let named = skeleton.point_name(p).to_lowercase().contains("heel");
            let behind = at.dot(ahead) < -0.1 * at.length() * ahead.length();
            at.length() > 1e-3 && (named || behind)
        })
        .max_by(|a, b| a.1.length().total_cmp(&b.1.length()));
    heel.map_or(ankle.into(), |(p, _)| p)
}

/// What kind of point a name says it is; the front of a foot where it says nothing.
pub(super) fn kind_of(name: &str) -> Kind {
    let words = name.to_lowercase();
    if words.contains("hand") || words.contains("wrist") {
        Kind::Hand
    } else if words.contains("hip") || words.contains("pelvis") {
        Kind::Hips
    } else if words.contains("heel") || words.contains("ankle") {
        Kind::Heel
    } else {
        Kind::Toe
    }
}

/// A point the caller named; its kind is read from the name.
fn from_given(skeleton: &Skeleton, given: &ContactPoint) -> Candidate {
    let kind = kind_of(&given.name);
    let side = crate::anatomy::side_of(&given.name)
        .or_else(|| crate::anatomy::side_of(&skeleton.point_name(given.point)));
    let foot = matches!(kind, Kind::Heel | Kind::Toe);
    let joint = skeleton.point_joint(given.point);
    let ankle = match (kind, skeleton.parent(joint)) {
        // The ball hangs on the ankle; the ankle and its own end sites are the ankle.
        (Kind::Toe, Some(parent)) if given.point == PointIdx::from(joint) => parent,
        _ => joint,
    };
    Candidate {
        name: given.name.clone(),
        point: given.point,
        kind,
        limb: match (foot, side) {
            (true, Some(side)) => side.index(),
            (true, None) => 5 + joint.index(),
            (false, Some(side)) => 2 + side.index(),
            (false, None) => 4,
        },
        ankle: foot.then_some(ankle),
    }
}

/// The points of a whole person that are not there.
pub(super) fn missing(chosen: &[Candidate], options: &ContactOptions) -> Vec<String> {
    if options.points.is_some() {
        return Vec::new();
    }
    let mut wanted = vec!["left_heel", "left_toe", "right_heel", "right_toe"];
    if options.hands {
        wanted.extend(["left_hand", "right_hand"]);
    }
    wanted.retain(|name| chosen.iter().all(|c| c.name != *name));
    wanted.into_iter().map(str::to_owned).collect()
}

/// The body's size: leg length over 0.85 m; 1 where there is no leg to measure.
pub(super) fn scale(skeleton: &Skeleton, anatomy: &Anatomy) -> f64 {
    let length = |leg: &Leg| {
        let chain = std::iter::successors(Some(leg.ankle), |&j| skeleton.parent(j));
        chain
            .take_while(|&j| j != leg.hip)
            .map(|j| f64::from(skeleton.bone_length(j)))
            .sum::<f64>()
    };
    let longest = anatomy
        .legs
        .iter()
        .flatten()
        .map(length)
        .fold(0.0, f64::max);
    if longest > 1e-3 {
        // Within a child's and a giant's size nothing needs to change.
        let ratio = longest / 0.85;
        if (0.6..1.6).contains(&ratio) {
            1.0
        } else {
            ratio
        }
    } else {
        1.0
    }
}
