//! Rigid motions of the ground plane: a turn about the vertical and a shift on the floor.
//!
//!   x = x′ cos θ + z′ sin θ + x₀,   z = −x′ sin θ + z′ cos θ + z₀    (Kovar's thesis, eq. 4.1)
//!
//! θ > 0 turns left (seen from above, with +X to the left of a body that faces +Z). With ground
//! coordinates as complex numbers u = x + i z this is u = e^{−iθ} u′ + (x₀ + i z₀).

use glam::{DQuat, DVec2, DVec3};

/// A turn by `theta` about +Y, then a shift by (`x`, `z`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar {
    /// Radians; positive turns left.
    pub theta: f64,
    /// Metres along X.
    pub x: f64,
    /// Metres along Z.
    pub z: f64,
}

impl Planar {
    /// Moves nothing.
    pub const IDENTITY: Self = Self {
        theta: 0.0,
        x: 0.0,
        z: 0.0,
    };

    /// A turn and a shift.
    pub fn new(theta: f64, x: f64, z: f64) -> Self {
        Self { theta, x, z }
    }

    /// The turn alone.
    pub fn rotation(self) -> DQuat {
        DQuat::from_rotation_y(self.theta)
    }

    /// Moves a point; its height stays.
    pub fn apply(self, p: DVec3) -> DVec3 {
        let u = self.apply_ground(DVec2::new(p.x, p.z));
        DVec3::new(u.x, p.y, u.y)
    }

    /// Moves a point of the ground, given as (x, z).
    pub fn apply_ground(self, p: DVec2) -> DVec2 {
        self.turn_ground(p) + DVec2::new(self.x, self.z)
    }

    /// Turns a direction on the ground, given as (x, z).
    pub fn turn_ground(self, p: DVec2) -> DVec2 {
        let (sin, cos) = self.theta.sin_cos();
        DVec2::new(p.x * cos + p.y * sin, -p.x * sin + p.y * cos)
    }

    /// `a_from_b.then_from(b_from_c)` is `a_from_c`: first `inner`, then `self`.
    pub fn compose(self, inner: Self) -> Self {
        let shift = self.apply_ground(DVec2::new(inner.x, inner.z));
        Self {
            theta: wrap_angle(self.theta + inner.theta),
            x: shift.x,
            z: shift.y,
        }
    }

    /// Undoes the motion.
    pub fn inverse(self) -> Self {
        let back = Self {
            theta: -self.theta,
            x: 0.0,
            z: 0.0,
        };
        let shift = back.turn_ground(DVec2::new(-self.x, -self.z));
        Self {
            theta: -self.theta,
            x: shift.x,
            z: shift.y,
        }
    }
}

/// The same angle in (−π, π].
pub fn wrap_angle(angle: f64) -> f64 {
    let wrapped = angle.rem_euclid(std::f64::consts::TAU);
    if wrapped > std::f64::consts::PI {
        wrapped - std::f64::consts::TAU
    } else {
        wrapped
    }
}

/// The heading of a direction on the ground: 0 along +Z, positive to the left (+X).
pub fn heading_of(x: f64, z: f64) -> f64 {
    x.atan2(z)
}
