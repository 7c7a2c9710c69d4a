//! How a body is and moves at one moment.

use gaitway_core::Skeleton;
use glam::{DQuat, DVec3};

/// A joint: its turn against its parent and how that changes. The root turns against the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// The local rotation.
    pub rotation: DQuat,
    /// Angular velocity against the parent, in the joint's own frame, rad/s.
    pub omega: DVec3,
    /// How that changes, as numbers in the joint's own frame, rad/s².
    pub alpha: DVec3,
    /// Where it is in its parent's frame, metres; of the root nothing is read.
    pub offset: DVec3,
    /// Velocity and acceleration of that, for joints that move in their parents.
    pub sliding: [DVec3; 2],
}

/// A whole body.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The root's place in the world, metres.
    pub root: DVec3,
    /// Its velocity, m/s.
    pub velocity: DVec3,
    /// Its acceleration, m/s².
    pub acceleration: DVec3,
    /// All joints, in their order.
    pub joints: Vec<JointState>,
}

impl State {
    /// Unturned and at rest at the origin.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let still = |offset: &glam::Vec3| JointState {
            rotation: DQuat::IDENTITY,
            omega: DVec3::ZERO,
            alpha: DVec3::ZERO,
            offset: offset.as_dvec3(),
            sliding: [DVec3::ZERO; 2],
        };
        Self {
            root: DVec3::ZERO,
            velocity: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            joints: skeleton.offsets().iter().map(still).collect(),
        }
    }
}
