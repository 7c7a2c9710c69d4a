//! Which joint is what: pelvis, legs, arms, head, found by name and, where names say nothing, by shape.
//!
//! Names are read as words: `mixamorig:LeftUpLeg`, `L_Thigh`, `lfemur` and `thigh.L` all say "left thigh".
//! Where names do not give two legs, the body's shape does: a leg is one of the two lowest limbs of
//! three bones or more that leave the trunk, mirror images of one another.

mod by_name;
mod by_shape;

use crate::{Clip, JointIdx, PointIdx, Skeleton};

pub use by_name::{Side, is_at_or_below, named_foot, side_of, swap_side_in_label, words};

/// A leg from the hip down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Where the thigh turns.
    pub hip: JointIdx,
    /// Where the shin turns.
    pub knee: JointIdx,
    /// Where the foot turns.
    pub ankle: JointIdx,
    /// Where the toes turn (the ball of the foot), if the rig has it.
    pub toe: Option<JointIdx>,
    /// The foremost known point of the foot.
    pub tip: Option<PointIdx>,
}

/// An arm from the shoulder down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Where the upper arm turns.
    pub shoulder: JointIdx,
    /// Where the forearm turns.
    pub elbow: JointIdx,
    /// Where the hand turns.
    pub wrist: JointIdx,
}

/// The parts of a body, left before right in every pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anatomy {
    /// The joint both legs hang on.
    pub pelvis: JointIdx,
    /// Left and right leg.
    pub legs: [Option<Leg>; 2],
    /// Left and right arm.
    pub arms: [Option<Arm>; 2],
    /// The head.
    pub head: Option<JointIdx>,
}

impl Anatomy {
    /// Reads a body from its names, then from its rest pose.
    pub fn of(skeleton: &Skeleton) -> Self {
        let named = by_name::find(skeleton);
        if named.legs.iter().all(Option::is_some) {
            return named;
        }
        by_shape::complete(named, skeleton, &by_shape::rest_places(skeleton))
    }

    /// Reads a body from its names, then from how it stands in the clip's first frame, which says more
    /// than a rest pose that may be anything.
    pub fn of_clip(clip: &Clip) -> Self {
        let named = by_name::find(clip.skeleton());
        if named.legs.iter().all(Option::is_some) || clip.frame_count() == 0 {
            return named;
        }
        let places = by_shape::clip_places(clip);
        by_shape::complete(named, clip.skeleton(), &places)
    }

    /// Both legs, when both were found.
    pub fn both_legs(&self) -> Option<[Leg; 2]> {
        Some([self.legs[0]?, self.legs[1]?])
    }

    /// Both arms, when both were found.
    pub fn both_arms(&self) -> Option<[Arm; 2]> {
        Some([self.arms[0]?, self.arms[1]?])
    }
}

#[cfg(test)]
mod tests;
