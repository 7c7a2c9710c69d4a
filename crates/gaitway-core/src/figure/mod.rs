//! The figure: which shapes a body is made of, how thick they are and which joints they hang on.
//!
//! Limbs are tapered capsules that share a radius where they meet, the trunk is one tube that bends with the spine, feet and
//! hands are rounded boxes, the head an egg. Sizes are parts of the body's height H, taken from the legs (hip to ankle is
//! 0.49 H in anthropometric tables), else from the box around the body. What no part of a human body stands for
//! (tails, ears, props, whole animals) gets a thin capsule per bone.
//!
//! All places are those of one pose, the [`Bind`]. Whoever shows the figure moves them along with their joints: glTF
//! files hold it as a skinned mesh, drawings as outlines.

mod bind;
mod foot;
mod person;
mod rest;
mod trunk;

use glam::Vec3;

use crate::anatomy::{Anatomy, Side};
use crate::fk::FkScratch;
use crate::{Clip, JointIdx, Skeleton};

pub use bind::Bind;

/// Height H of a body over the length of its leg from hip to ankle.
pub const HEIGHT_PER_LEG: f32 = 1.0 / 0.49;
/// Height H of a body over the diagonal of the box around it.
const HEIGHT_PER_BOX: f32 = 0.88;
/// Frames looked at to see which joints keep their distance.
const SAMPLES: usize = 48;

/// What a part of a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tube from the seat to the shoulders.
    Trunk,
    /// From the trunk to a shoulder.
    Collar,
    /// Between trunk and head.
    Neck,
    /// The head.
    Head,
    /// A thigh, a shin, an upper arm or a forearm.
    Limb,
    /// A foot.
    Foot,
    /// A whole hand.
    Hand,
    /// A hand without its fingers, where the rig has those. There is a [`Kind::Hand`] too; one of both is to be shown.
    Palm,
    /// A bone of a finger, to be shown with a [`Kind::Palm`].
    Finger,
    /// A bone or joint that no part of a human body stands for.
    Bone,
}

/// Up to two joints a place follows, and how much it follows the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follows {
    /// The first joint, by index.
    pub joint: usize,
    /// The second joint, by index.
    pub other: usize,
    /// The share of the second, 0 to 1.
    pub share: f32,
}

impl Follows {
    /// Follows one joint.
    pub fn one(joint: JointIdx) -> Self {
        Self {
            joint: joint.index(),
            other: joint.index(),
            share: 0.0,
        }
    }
}

/// A place in the bind pose and the joint it moves with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The joint.
    pub joint: JointIdx,
    /// In metres.
    pub place: Vec3,
}

/// An oval ring of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Its middle.
    pub centre: Vec3,
    /// Half axis across; the tube runs along the cross product of both.
    pub wide: Vec3,
    /// The other half axis.
    pub deep: Vec3,
    /// 2 is an ellipse, larger a box with rounded corners.
    pub power: f32,
    /// What it moves with.
    pub follows: Follows,
}

/// The form of a part, in the bind pose, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Along a bone, with a radius at each end. The whole of it moves with the joint of its first end, which holds the second.
    Capsule {
        /// Both ends.
        ends: [Held; 2],
        /// Radii at the ends.
        radii: [f32; 2],
    },
    /// Between two places that move by themselves: as long as they are apart in each frame.
    Link {
        /// Both ends.
        ends: [Held; 2],
        /// Radii at the ends.
        radii: [f32; 2],
    },
    /// An egg or a rounded box.
    Egg {
        /// Its middle.
        centre: Held,
        /// Half axes: wide, deep and long; wide × deep goes along the third.
        axes: [Vec3; 3],
        /// As in [`Ring::power`].
        power: f32,
    },
    /// A closed tube.
    Tube {
        /// From its beginning to its end.
        rings: Vec<Ring>,
        /// How far it goes beyond the first and last ring.
        beyond: f32,
    },
}

/// A part of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// The side of the body it belongs to; none for the middle.
    pub side: Option<Side>,
    /// How it is formed.
    pub form: Form,
}

/// A body of simple shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What of the body is known.
    pub anatomy: Anatomy,
    /// The lowest joint that holds the whole body.
    pub top: JointIdx,
    /// The body's height in metres; 0 for a body without any size.
    pub height: f32,
    /// The height its soles stand on, in metres; none without feet.
    pub floor: Option<f64>,
    /// Its parts: legs, arms, trunk, head, and the rest.
    pub parts: Vec<Part>,
}

impl Figure {
    /// Shapes a body in a bind pose; the clip shows how the feet stand and which joints move by themselves, and without
    /// frames there is nothing to show.
    pub fn of(clip: &Clip, bind: &Bind) -> Self {
        let skeleton = clip.skeleton();
        let anatomy = Anatomy::of_clip(clip);
        let top = rest::top_of(skeleton, &anatomy);
        let mut work = Work {
            clip,
            skeleton,
            bind,
            height: height(skeleton, bind, &anatomy),
            covered: rest::beside_the_body(clip, &anatomy, top),
            anatomy,
            floor: None,
            parts: Vec::new(),
        };
        if work.height > 0.0 && clip.frame_count() > 0 {
            person::add(&mut work);
            rest::add(&mut work, &samples(clip));
        }
        Self {
            anatomy: work.anatomy,
            top,
            height: work.height,
            floor: work.floor,
            parts: work.parts,
        }
    }
}

/// A figure being put together.
struct Work<'a> {
    clip: &'a Clip,
    skeleton: &'a Skeleton,
    bind: &'a Bind,
    anatomy: Anatomy,
    height: f32,
    /// Points whose bone to the parent is shown by a part, or not at all.
    covered: Vec<bool>,
    floor: Option<f64>,
    parts: Vec<Part>,
}

impl Work<'_> {
    /// Where a joint is in the bind pose.
    fn at(&self, joint: JointIdx) -> Vec3 {
        self.bind.point(joint.index())
    }

    fn held(&self, joint: JointIdx) -> Held {
        let place = self.at(joint);
        Held { joint, place }
    }

    fn add(&mut self, kind: Kind, side: Option<Side>, form: Form) {
        self.parts.push(Part { kind, side, form });
    }

    /// From the right hip to the left one.
    fn across(&self) -> Vec3 {
        let hips = self.anatomy.both_legs();
        hips.map(|[l, r]| self.at(l.hip) - self.at(r.hip))
            .and_then(Vec3::try_normalize)
            .unwrap_or(Vec3::X)
    }
}

/// The body's height, by its legs, else by the box around it.
fn height(skeleton: &Skeleton, bind: &Bind, anatomy: &Anatomy) -> f32 {
    let far = |a: JointIdx, b: JointIdx| bind.point(a.index()).distance(bind.point(b.index()));
    let legs = anatomy.legs.iter().flatten();
    let lengths: Vec<f32> = legs
        .map(|l| far(l.hip, l.knee) + far(l.knee, l.ankle))
        .collect();
    let mean = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
    let (low, high) = (0..skeleton.point_count())
        .map(|p| bind.point(p))
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), p| {
            (l.min(p), h.max(p))
        });
    let (by_leg, by_box) = (
        HEIGHT_PER_LEG * mean,
        HEIGHT_PER_BOX * (high - low).length(),
    );
    // Legs far out of proportion are not a person's: the box decides.
    let height = if by_leg > 0.2 * by_box {
        by_leg
    } else {
        by_box
    };
    if height.is_finite() && height > 1e-6 {
        height
    } else {
        0.0
    }
}

/// Frames over the whole clip.
fn samples(clip: &Clip) -> Vec<FkScratch> {
    let frames = clip.frame_count();
    let mut solved = FkScratch::new(clip.skeleton());
    let at = |frame: usize| {
        solved.solve(clip, frame);
        solved.clone()
    };
    let step = frames.div_ceil(SAMPLES).max(1);
    (0..frames).step_by(step).map(at).collect()
}

/// A joint and all above it.
fn ancestors(skeleton: &Skeleton, joint: JointIdx) -> impl Iterator<Item = JointIdx> + '_ {
    std::iter::successors(Some(joint), |&j| skeleton.parent(j))
}

/// Half axes whose first two turn about the third in the sense that faces outwards.
fn right_handed([wide, deep, along]: [Vec3; 3]) -> [Vec3; 3] {
    if wide.cross(deep).dot(along) < 0.0 {
        [wide, -deep, along]
    } else {
        [wide, deep, along]
    }
}

/// A ring with its axes in the right sense for a tube along the third.
fn ring(centre: Vec3, axes: [Vec3; 3], power: f32, follows: Follows) -> Ring {
    let [wide, deep, _] = right_handed(axes);
    Ring {
        centre,
        wide,
        deep,
        power,
        follows,
    }
}

#[cfg(test)]
mod tests;
