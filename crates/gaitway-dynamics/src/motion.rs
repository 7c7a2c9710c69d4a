//! A whole motion with its forces, moment by moment.

use gaitway_core::PoseSource;
use glam::DVec3;

use crate::body::MassBody;
use crate::ground::{Ground, Supports, carry};
use crate::inverse::{GRAVITY, Inverse};
use crate::kinematics::{Smoothing, StateReader};
use crate::state::State;

/// One moment of a motion.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The time in the source's own frames.
    pub at: f64,
    /// Which contact points stand.
    pub mask: u32,
    /// The centre of mass.
    pub centre: DVec3,
    /// Its velocity, m/s.
    pub centre_velocity: DVec3,
    /// Its acceleration, m/s².
    pub centre_acceleration: DVec3,
    /// What the ground gives, and what is left.
    pub ground: Ground,
    /// Σ effort · |torque|² over the joints, (N m)².
    pub squared_torque: f64,
    /// Mean squared acceleration of the body's mass, (m/s²)².
    pub squared_acceleration: f64,
}

impl Moment {
    /// The vertical push of the ground over the body's weight.
    pub fn weights(&self, body: &MassBody) -> f64 {
        self.ground.force().y / (body.mass * GRAVITY)
    }

    /// Whether nothing of the body touches anything.
    pub fn flies(&self) -> bool {
        self.mask == 0
    }
}

/// Reads moments of a source with their forces. Working memory of one thread.
pub struct ForceReader<'s> {
    source: &'s dyn PoseSource,
    body: &'s MassBody,
    states: StateReader<'s>,
    supports: Supports,
    inverse: Inverse,
}

impl<'s> ForceReader<'s> {
    /// Reads a source; where its contacts are not known nothing bears, and all is residual.
    pub fn new(source: &'s dyn PoseSource, body: &'s MassBody, smoothing: Smoothing) -> Self {
        Self {
            source,
            body,
            states: StateReader::new(source, smoothing),
            supports: Supports::new(body, source.contact_points().unwrap_or(&[])),
            inverse: Inverse::new(body),
        }
    }

    /// The moment at a time in the source's own frames.
    ///
    /// # Panics
    /// When the source is of another body.
    pub fn read(&mut self, at: f64) -> Moment {
        let state = self.states.read(at);
        let mask = self.source.contacts_at(at);
        self.of_state(&state, at, mask)
    }

    fn of_state(&mut self, state: &State, at: f64, mask: u32) -> Moment {
        let (body, inverse) = (self.body, &mut self.inverse);
        inverse.solve(body, state);
        let ground = carry(body, inverse, self.supports.under(mask));
        let joints = body.effort.iter().zip(&inverse.moments);
        let masses = body.parts.iter().zip(&inverse.centre_accelerations);
        let accelerations: f64 = masses.map(|(p, a)| p.mass * a.length_squared()).sum();
        Moment {
            at,
            mask,
            centre: inverse.centre(body),
            centre_velocity: inverse.centre_velocity(body),
            centre_acceleration: inverse.centre_acceleration(body),
            squared_torque: joints.map(|(e, n)| e * n.length_squared()).sum(),
            squared_acceleration: accelerations / body.mass,
            ground,
        }
    }

    /// What goes through the joints at the moment read last.
    pub fn inverse(&self) -> &Inverse {
        &self.inverse
    }
}
