//! The pose that fits what was seen in a frame: Levenberg and Marquardt on world rotations.
//!
//! A point's place depends on the rotations of its body and all above, ∂x/∂ω_a = −[arm_a]× with arm_a the lever in body a, so that
//! the normal matrix is made of blocks (arm·arm′) I − arm′ armᵀ.

use glam::{DMat3, DQuat, DVec3};

use super::{BodyPose, Model};
use crate::linalg::{
    Square, cholesky, cholesky_solve, cross_matrix, from_rotation_vector, outer, rotation_vector,
};

/// What was seen in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// Places of the model's points, `None` where not seen.
    pub points: &'a [Option<DVec3>],
    /// Rotations of bodies, where there are sensors that tell them; else empty.
    pub turns: &'a [Option<DQuat>],
}

/// How much things count, each one over its standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of a point, 1/metres.
    pub point: f64,
    /// Of a rotation that was seen, 1/radians.
    pub turn: f64,
    /// Of a body's usual rotation against its parent, 1/radians: small, it only holds what nothing seen tells.
    pub usual: f64,
    /// Points farther than this many standard deviations count less, as their distance grows (Huber).
    pub huber: f64,
}

/// Working memory for fits of one model.
#[derive(Clone, Debug)]
pub struct Solver<'a> {
    model: &'a Model,
    weights: Weights,
    /// Rotations against the parent that are usual.
    usual: &'a [DQuat],
    normal: Square,
    gradient: Vec<f64>,
}

impl<'a> Solver<'a> {
    /// Memory for a model.
    pub fn new(model: &'a Model, weights: Weights, usual: &'a [DQuat]) -> Self {
        let size = 3 + 3 * model.body_count();
        Self {
            model,
            weights,
            usual,
            normal: Square::zero(size),
            gradient: vec![0.0; size],
        }
    }

    /// Makes a pose fit; the weighted sum of squares that is left comes back.
    pub fn fit(&mut self, pose: &mut BodyPose, seen: Observed<'_>, most_steps: usize) -> f64 {
        let mut damping = 1e-9;
        let mut cost = self.assemble(pose, seen);
        for _ in 0..most_steps {
            let mut factor = self.normal.clone();
            for k in 0..factor.size() {
                *factor.at_mut(k, k) += damping * (1.0 + self.normal.at(k, k));
            }
            let mut step = self.gradient.clone();
            if !cholesky(&mut factor) {
                damping = (damping * 100.0).max(1e-6);
                if damping > 1e6 {
                    break;
                }
                continue;
            }
            cholesky_solve(&factor, &mut step);
            let next = moved(pose, &step);
            let tried = self.assemble(&next, seen);
            let size = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            if tried <= cost {
                let gain = cost - tried;
                *pose = next;
                damping = (damping * 0.1).max(1e-9);
                let still = size < 1e-9 || gain <= 1e-9 * cost;
                cost = tried;
                if still {
                    break;
                }
            } else {
                cost = self.assemble(pose, seen);
                if size < 1e-9 || damping > 1e6 {
                    break;
                }
                damping = (damping * 30.0).max(1e-6);
            }
        }
        cost
    }

    /// Fills the normal matrix (lower half) and the gradient; the cost comes back.
    fn assemble(&mut self, pose: &BodyPose, seen: Observed<'_>) -> f64 {
        self.normal.clear();
        self.gradient.fill(0.0);
        let model = self.model;
        let joints = model.joints(pose);
        let mut cost = 0.0;
        let mut chain: Vec<(usize, DVec3)> = Vec::with_capacity(16);
        for (point, place) in model.points.iter().zip(seen.points) {
            let Some(place) = place else { continue };
            let arm = pose.turns[point.body] * point.offset;
            let r = *place - joints[point.body] - arm;
            let w = self.point_weight(r.length(), &mut cost);
            chain.clear();
            let mut at = point.body;
            chain.push((at, arm));
            while let Some(parent) = model.parents[at] {
                chain.push((parent, pose.turns[parent] * model.offsets[at]));
                at = parent;
            }
            self.add_point(&chain, r, w);
        }
        let w = self.weights.turn * self.weights.turn;
        for (body, turn) in seen.turns.iter().enumerate() {
            let Some(turn) = turn else { continue };
            let r = rotation_vector(*turn * pose.turns[body].conjugate());
            cost += w * r.length_squared();
            self.add_turn(body, r, w);
        }
        let w = self.weights.usual * self.weights.usual;
        for (body, parent) in model.parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let target = pose.turns[parent] * self.usual[body];
            let r = rotation_vector(target * pose.turns[body].conjugate());
            cost += w * r.length_squared();
            self.add_turn(body, r, w);
            self.add_turn(parent, -r, w);
            let (row, column) = (3 + 3 * body, 3 + 3 * parent);
            self.normal
                .add_block(row, column, &DMat3::from_diagonal(DVec3::splat(-w)));
        }
        cost
    }

    /// Huber's weight of a point at a distance; its cost is added.
    fn point_weight(&self, distance: f64, cost: &mut f64) -> f64 {
        let w = self.weights.point * self.weights.point;
        let far = self.weights.huber / self.weights.point;
        if distance <= far {
            *cost += w * distance * distance;
            w
        } else {
            *cost += w * far * (2.0 * distance - far);
            w * far / distance
        }
    }

    fn add_point(&mut self, chain: &[(usize, DVec3)], r: DVec3, w: f64) {
        for k in 0..3 {
            *self.normal.at_mut(k, k) += w;
            self.gradient[k] += w * r[k];
        }
        for (i, &(body, arm)) in chain.iter().enumerate() {
            let row = 3 + 3 * body;
            let g = arm.cross(r) * w;
            for k in 0..3 {
                self.gradient[row + k] += g[k];
            }
            self.normal.add_block(row, 0, &(cross_matrix(arm) * w));
            // Ancestors come later in the chain and earlier in the matrix.
            for &(above, lever) in &chain[i..] {
                let block = DMat3::from_diagonal(DVec3::splat(arm.dot(lever))) - outer(lever, arm);
                self.normal.add_block(row, 3 + 3 * above, &(block * w));
            }
        }
    }

    fn add_turn(&mut self, body: usize, r: DVec3, w: f64) {
        let row = 3 + 3 * body;
        for k in 0..3 {
            *self.normal.at_mut(row + k, row + k) += w;
            self.gradient[row + k] += w * r[k];
        }
    }
}

fn moved(pose: &BodyPose, step: &[f64]) -> BodyPose {
    let part = |k: usize| DVec3::new(step[k], step[k + 1], step[k + 2]);
    let turn = |(b, q): (usize, &DQuat)| (from_rotation_vector(part(3 + 3 * b)) * *q).normalize();
    BodyPose {
        root: pose.root + part(0),
        turns: pose.turns.iter().enumerate().map(turn).collect(),
    }
}
