//! Inverse dynamics: which torques a motion takes. Recursive Newton–Euler over the tree, the root free in space.
//!
//! Down the tree, in world axes, with r = R_p o the way from the parent's joint (Luh, Walker, Paul 1980; Featherstone 2008, chapter 5):
//!
//!   ω = ω_p + R w,      α = α_p + R ẇ + ω_p × R w
//!   a = a_p + α_p × r + ω_p × (ω_p × r) + 2 ω_p × R_p ȯ + R_p ö
//!
//! each part needs F = m (a_c − g) and N = I α + ω × I ω, and up the tree
//!
//!   f = F + Σ f_child,      n = N + (c − p) × F + Σ (n_child + (p_child − p) × f_child).
//!
//! n is the torque at a joint, and f, n at the root are what the world has to give: ground and, where that cannot, the residual. All in `f64`.
//! Cost: O(joints), nothing allocated. Checked by: `naive` (property test), Pinocchio on random states (`tests/oracle.rs`), laws of motion.

use gaitway_core::JointIdx;
use glam::{DMat3, DQuat, DVec3};

use crate::body::MassBody;
use crate::state::State;

/// Gravity, m/s².
pub const GRAVITY: f64 = 9.81;

/// What was worked out at one moment; reused from moment to moment.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// World rotation of every joint.
    pub rotations: Vec<DQuat>,
    /// Place of every joint.
    pub places: Vec<DVec3>,
    /// Centre of mass of every part.
    pub centres: Vec<DVec3>,
    /// Velocity of that.
    pub centre_velocities: Vec<DVec3>,
    /// Acceleration of that.
    pub centre_accelerations: Vec<DVec3>,
    /// Angular velocity of every joint in the world.
    pub omegas: Vec<DVec3>,
    /// What goes through each joint: force, N, in world axes.
    pub forces: Vec<DVec3>,
    /// And moment about the joint, N m, in world axes: the torque there.
    pub moments: Vec<DVec3>,
    alphas: Vec<DVec3>,
    velocities: Vec<DVec3>,
    accelerations: Vec<DVec3>,
}

impl Inverse {
    /// Room for one body.
    pub fn new(body: &MassBody) -> Self {
        let n = body.parts.len();
        let zeros = || vec![DVec3::ZERO; n];
        Self {
            rotations: vec![DQuat::IDENTITY; n],
            places: zeros(),
            centres: zeros(),
            centre_velocities: zeros(),
            centre_accelerations: zeros(),
            omegas: zeros(),
            forces: zeros(),
            moments: zeros(),
            alphas: zeros(),
            velocities: zeros(),
            accelerations: zeros(),
        }
    }

    /// Works out one moment.
    ///
    /// # Panics
    /// When the state is of another body.
    pub fn solve(&mut self, body: &MassBody, state: &State) {
        assert_eq!(state.joints.len(), body.parts.len(), "a state of this body");
        self.down(body, state);
        for (j, part) in body.parts.iter().enumerate() {
            if part.mass == 0.0 {
                self.forces[j] = DVec3::ZERO;
                self.moments[j] = DVec3::ZERO;
                continue;
            }
            let (omega, alpha) = (self.omegas[j], self.alphas[j]);
            let inertia = self.inertia(body, j);
            let force = part.mass * (self.centre_accelerations[j] + DVec3::Y * GRAVITY);
            let turning = inertia * alpha + omega.cross(inertia * omega);
            self.forces[j] = force;
            self.moments[j] = turning + (self.centres[j] - self.places[j]).cross(force);
        }
        for joint in body.skeleton.joints().skip(1).rev() {
            let (j, p) = (joint.index(), parent(body, joint));
            let (force, moment) = (self.forces[j], self.moments[j]);
            self.forces[p] += force;
            self.moments[p] += moment + (self.places[j] - self.places[p]).cross(force);
        }
    }

    fn down(&mut self, body: &MassBody, state: &State) {
        for joint in body.skeleton.joints() {
            let j = joint.index();
            let own = &state.joints[j];
            if j == 0 {
                self.rotations[0] = own.rotation;
                self.omegas[0] = own.rotation * own.omega;
                self.alphas[0] = own.rotation * own.alpha;
                self.places[0] = state.root;
                self.velocities[0] = state.velocity;
                self.accelerations[0] = state.acceleration;
            } else {
                let p = parent(body, joint);
                let (turn, omega, alpha) = (self.rotations[p], self.omegas[p], self.alphas[p]);
                let way = turn * own.offset;
                let [slide, speeding] = own.sliding.map(|v| turn * v);
                let rotation = turn * own.rotation;
                let relative = rotation * own.omega;
                self.rotations[j] = rotation;
                self.omegas[j] = omega + relative;
                self.alphas[j] = alpha + rotation * own.alpha + omega.cross(relative);
                self.places[j] = self.places[p] + way;
                self.velocities[j] = self.velocities[p] + omega.cross(way) + slide;
                self.accelerations[j] = self.accelerations[p]
                    + alpha.cross(way)
                    + omega.cross(omega.cross(way))
                    + 2.0 * omega.cross(slide)
                    + speeding;
            }
            let arm = self.rotations[j] * body.parts[j].centre;
            let (omega, alpha) = (self.omegas[j], self.alphas[j]);
            self.centres[j] = self.places[j] + arm;
            self.centre_velocities[j] = self.velocities[j] + omega.cross(arm);
            self.centre_accelerations[j] =
                self.accelerations[j] + alpha.cross(arm) + omega.cross(omega.cross(arm));
        }
    }

    /// A part's inertia about its centre in world axes.
    fn inertia(&self, body: &MassBody, j: usize) -> DMat3 {
        let turn = DMat3::from_quat(self.rotations[j]);
        turn * body.parts[j].inertia * turn.transpose()
    }

    /// A joint's torque in its own frame, N m.
    pub fn torque(&self, joint: JointIdx) -> DVec3 {
        self.rotations[joint.index()].inverse() * self.moments[joint.index()]
    }

    /// The body's centre of mass.
    pub fn centre(&self, body: &MassBody) -> DVec3 {
        mean(body, &self.centres)
    }

    /// Its velocity.
    pub fn centre_velocity(&self, body: &MassBody) -> DVec3 {
        mean(body, &self.centre_velocities)
    }

    /// Its acceleration.
    pub fn centre_acceleration(&self, body: &MassBody) -> DVec3 {
        mean(body, &self.centre_accelerations)
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self, body: &MassBody) -> f64 {
        let each = |(j, part): (usize, &crate::Part)| {
            let turning = self.omegas[j].dot(self.inertia(body, j) * self.omegas[j]);
            0.5 * (part.mass * self.centre_velocities[j].length_squared() + turning)
        };
        body.parts.iter().enumerate().map(each).sum()
    }

    /// Potential energy over y = 0, J.
    pub fn potential_energy(&self, body: &MassBody) -> f64 {
        body.mass * GRAVITY * self.centre(body).y
    }

    /// What all torques, and force and moment at the root, put into the body, W.
    pub fn power(&self, body: &MassBody, state: &State) -> f64 {
        let root = self.forces[0].dot(state.velocity) + self.moments[0].dot(self.omegas[0]);
        let joints = body.skeleton.joints().skip(1).map(|joint| {
            let (j, p) = (joint.index(), parent(body, joint));
            let own = &state.joints[j];
            let slide = self.rotations[p] * own.sliding[0];
            self.torque(joint).dot(own.omega) + self.forces[j].dot(slide)
        });
        root + joints.sum::<f64>()
    }
}

fn mean(body: &MassBody, values: &[DVec3]) -> DVec3 {
    let each = body.parts.iter().zip(values).map(|(p, v)| *v * p.mass);
    each.sum::<DVec3>() / body.mass
}

pub(crate) fn parent(body: &MassBody, joint: JointIdx) -> usize {
    body.skeleton.parent(joint).map_or(0, JointIdx::index)
}
