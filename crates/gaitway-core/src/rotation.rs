//! Rotations: blending, angles, and Euler angles in every order.
//!
//! Euler angles are *intrinsic*: `[Axis::Z, Axis::Y, Axis::X]` with angles (a, b, c) means
//! R = Rz(a) · Ry(b) · Rx(c), which is how BVH lists its channels. An axis may come twice (ZXZ) or be
//! missing. Worked in `f64`, so that degrees read from a file come back to their last digit.

use glam::{DQuat, DVec3, Quat};

/// One of the three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// The first.
    X,
    /// The second, up.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// The unit vector.
    pub fn unit(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The quaternion of a turn about this axis.
    pub fn turn(self, angle: f64) -> DQuat {
        let (sin, cos) = (0.5 * angle).sin_cos();
        match self {
            Self::X => DQuat::from_xyzw(sin, 0.0, 0.0, cos),
            Self::Y => DQuat::from_xyzw(0.0, sin, 0.0, cos),
            Self::Z => DQuat::from_xyzw(0.0, 0.0, sin, cos),
        }
    }
}

/// The rotation of intrinsic Euler angles in radians, first axis first. Any number of axes.
pub fn from_euler(axes: &[Axis], angles: &[f64]) -> DQuat {
    axes.iter()
        .zip(angles)
        .fold(DQuat::IDENTITY, |q, (axis, angle)| q * axis.turn(*angle))
}

/// Euler angles of a rotation about three axes, the second different from both neighbours (XYZ, ZXZ, …).
/// At gimbal lock the first angle is 0 and the third takes it all; the rotation is still exact. Of the two
/// solutions the one nearest to `near` is taken, so that curves stay continuous from frame to frame.
pub fn to_euler(axes: [Axis; 3], rotation: DQuat, near: Option<[f64; 3]>) -> [f64; 3] {
    let solved = euler_any(axes, rotation.normalize());
    let Some(near) = near else { return solved };
    let other = euler_twin(axes, solved);
    let pick = |angles: [f64; 3]| {
        let mut out = angles;
        for i in 0..3 {
            out[i] += ((near[i] - out[i]) / std::f64::consts::TAU).round() * std::f64::consts::TAU;
        }
        let off: f64 = (0..3).map(|i| (out[i] - near[i]).powi(2)).sum();
        (off, out)
    };
    let (a, b) = (pick(solved), pick(other));
    if a.0 <= b.0 { a.1 } else { b.1 }
}

/// The first angle from where the last axis goes, then the second from what is left, then the third as the
/// twist that remains: each step mends what rounding left in the one before, so the product is exact even
/// where the first angle is arbitrary.
fn euler_any(axes: [Axis; 3], q: DQuat) -> [f64; 3] {
    let [first, second, third] = axes;
    let (i, j, k) = (first.index(), second.index(), third.index());
    let same_ends = i == k;
    let rest = 3 - i - j;
    // +1 when (first, second, the remaining axis) is an even permutation of (x, y, z).
    let sign = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
    // Where the third axis goes: R_i(a) (cos b e_k ± sin b e_other).
    let goes = (q * third.unit()).to_array();
    let (sine, cosine) = if same_ends {
        (goes[j], -sign * goes[rest])
    } else {
        (-sign * goes[j], goes[k])
    };
    // At gimbal lock the first angle is free; 0 leaves everything to the third.
    let a = if sine.hypot(cosine) < 1e-9 {
        0.0
    } else {
        sine.atan2(cosine)
    };
    let left = first.turn(-a) * q;
    let goes = (left * third.unit()).to_array();
    let b = if same_ends {
        (-sign * goes[rest]).atan2(goes[i])
    } else {
        (sign * goes[i]).atan2(goes[k])
    };
    let left = second.turn(-b) * left;
    let c = 2.0 * left.to_array()[k].atan2(left.w);
    [a, b, crate::planar::wrap_angle(c)]
}

/// The other triple of angles with the same rotation.
fn euler_twin(axes: [Axis; 3], [a, b, c]: [f64; 3]) -> [f64; 3] {
    use std::f64::consts::PI;
    if axes[0] == axes[2] {
        [a + PI, -b, c + PI]
    } else {
        [a + PI, PI - b, c + PI]
    }
}

/// Spherical interpolation along the shorter arc, at constant angular speed.
#[inline]
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    a.slerp(b, t)
}

/// The angle between two rotations in radians, 0 to π. Exact for small angles too, where `acos` is not.
pub fn angle_between(a: Quat, b: Quat) -> f64 {
    let d = a.as_dquat().normalize().inverse() * b.as_dquat().normalize();
    2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORDERS: [[Axis; 3]; 12] = {
        use Axis::{X, Y, Z};
        [
            [X, Y, Z],
            [X, Z, Y],
            [Y, X, Z],
            [Y, Z, X],
            [Z, X, Y],
            [Z, Y, X],
            [X, Y, X],
            [X, Z, X],
            [Y, X, Y],
            [Y, Z, Y],
            [Z, X, Z],
            [Z, Y, Z],
        ]
    };

    fn same(a: DQuat, b: DQuat) -> f64 {
        let d = a.inverse() * b;
        2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
    }

    proptest! {
        #[test]
        fn euler_angles_give_the_rotation_back(
            order in 0..12_usize,
            a in -3.2..3.2_f64, b in -3.2..3.2_f64, c in -3.2..3.2_f64,
        ) {
            let q = from_euler(&ORDERS[order], &[a, b, c]);
            let back = to_euler(ORDERS[order], q, None);
            prop_assert!(same(q, from_euler(&ORDERS[order], &back)) < 1e-7);
            let near = to_euler(ORDERS[order], q, Some([a, b, c]));
            prop_assert!(same(q, from_euler(&ORDERS[order], &near)) < 1e-7);
            if !is_locked(ORDERS[order], b) {
                for (x, y) in near.iter().zip([a, b, c]) {
                    prop_assert!((x - y).abs() < 1e-5, "{near:?} for {:?}", [a, b, c]);
                }
            }
        }

        #[test]
        fn euler_angles_hold_at_gimbal_lock(order in 0..12_usize, a in -3.0..3.0_f64, c in -3.0..3.0_f64) {
            use std::f64::consts::{FRAC_PI_2, PI};
            let axes = ORDERS[order];
            let locks = if axes[0] == axes[2] { [0.0, PI] } else { [FRAC_PI_2, -FRAC_PI_2] };
            for b in locks {
                let q = from_euler(&axes, &[a, b, c]);
                prop_assert!(same(q, from_euler(&axes, &to_euler(axes, q, None))) < 1e-6);
            }
        }
    }

    fn is_locked(axes: [Axis; 3], b: f64) -> bool {
        if axes[0] == axes[2] {
            b.sin().abs() < 1e-2
        } else {
            b.cos().abs() < 1e-2
        }
    }
}
