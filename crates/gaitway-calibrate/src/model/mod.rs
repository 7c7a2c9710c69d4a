//! A body of rigid parts that turn about joints, and what is fixed to it: the model whose poses are fitted.
//!
//!   p_child = p_parent + R_parent o_child,     x_m = p_b + R_b m
//!
//! R world rotations, o joints in the frame of the parent, m points in the frame of their body.

mod solve;

use glam::{DQuat, DVec3};

pub use solve::{Observed, Solver, Weights};

/// A point fixed to a body: a marker, or the origin of a sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPoint {
    /// The body.
    pub body: usize,
    /// Where it is in the body's frame, from the body's joint, metres.
    pub offset: DVec3,
}

/// Rigid bodies in a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The body above, which comes before; `None` for the first.
    pub parents: Vec<Option<usize>>,
    /// Each body's joint in its parent's frame, from the parent's joint, metres; zero for the first.
    pub offsets: Vec<DVec3>,
    /// What is fixed to them.
    pub points: Vec<ModelPoint>,
}

/// World rotations of all bodies and the place of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPose {
    /// Where the first body's joint is, metres.
    pub root: DVec3,
    /// World from body.
    pub turns: Vec<DQuat>,
}

impl Model {
    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.parents.len()
    }

    /// Where all joints are.
    pub fn joints(&self, pose: &BodyPose) -> Vec<DVec3> {
        let mut out: Vec<DVec3> = Vec::with_capacity(self.parents.len());
        for (body, parent) in self.parents.iter().enumerate() {
            out.push(match parent {
                None => pose.root,
                Some(p) => out[*p] + pose.turns[*p] * self.offsets[body],
            });
        }
        out
    }

    /// Where all points are.
    pub fn points(&self, pose: &BodyPose) -> Vec<DVec3> {
        let joints = self.joints(pose);
        let place = |p: &ModelPoint| joints[p.body] + pose.turns[p.body] * p.offset;
        self.points.iter().map(place).collect()
    }

    /// The rotation of a body against its parent.
    pub fn local(&self, pose: &BodyPose, body: usize) -> DQuat {
        match self.parents[body] {
            None => pose.turns[body],
            Some(p) => pose.turns[p].conjugate() * pose.turns[body],
        }
    }
}
