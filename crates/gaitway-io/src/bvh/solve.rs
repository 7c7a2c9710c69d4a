//! Angles for a joint's rotation channels, whatever axes they have.
//!
//! Channels on one axis in a row act as one; of what is left the first three drive any rotation, and two or
//! one drive some. Curves go on from the angles of the frame before. At gimbal lock, where the first and the
//! third angle may trade, the first stays as it was; the rotation is the same.

use glam::{DQuat, DVec3};

use gaitway_core::rotation::{self, Axis};

/// Rotations nearer than this are the same: 0.0001°, a tenth of what a written file may be off.
const SAME: f64 = 2e-6;

/// The channels that carry the rotation of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    axes: Vec<Axis>,
    /// For each axis, its place among the joint's rotation channels.
    pub channels: Vec<usize>,
}

impl Solver {
    /// Uses the rotation channels of a joint, in order.
    pub fn new(listed: &[Axis]) -> Self {
        let mut solver = Self {
            axes: Vec::new(),
            channels: Vec::new(),
        };
        for (channel, &axis) in listed.iter().enumerate() {
            if solver.axes.last() != Some(&axis) && solver.axes.len() < 3 {
                solver.axes.push(axis);
                solver.channels.push(channel);
            }
        }
        solver
    }

    /// Whether every rotation can be written.
    pub fn is_full(&self) -> bool {
        self.axes.len() == 3
    }

    /// Whether this rotation can be written.
    pub fn can_hold(&self, rotation: DQuat) -> bool {
        if self.is_full() {
            return true;
        }
        let angles = self.solve(rotation, None);
        off(rotation, rotation::from_euler(&self.axes, &angles)) < SAME
    }

    /// The axes with the missing ones after them.
    pub fn completed(&self) -> Vec<Axis> {
        if self.axes.is_empty() {
            return vec![Axis::Z, Axis::Y, Axis::X];
        }
        let mut axes = self.axes.clone();
        for axis in [Axis::Z, Axis::Y, Axis::X] {
            if axes.len() < 3 && !axes.contains(&axis) {
                axes.push(axis);
            }
        }
        axes
    }

    /// The angles in radians, one for each axis in use and 0 for the rest, near to the frame before.
    pub fn solve(&self, rotation: DQuat, near: Option<[f64; 3]>) -> [f64; 3] {
        let mut angles = match *self.axes.as_slice() {
            [a, b, c] => return three([a, b, c], rotation, near),
            [a, b] => {
                let [first, second] = two(a, b, rotation);
                [first, second, 0.0]
            }
            [a] => [one(a, rotation), 0.0, 0.0],
            _ => [0.0; 3],
        };
        if let Some(near) = near {
            unwrap(&mut angles, near);
        }
        angles
    }
}

/// Whole turns are added so that angles follow those before.
fn unwrap(angles: &mut [f64; 3], near: [f64; 3]) {
    use std::f64::consts::TAU;
    for (angle, near) in angles.iter_mut().zip(near) {
        *angle += ((near - *angle) / TAU).round() * TAU;
    }
}

fn three(axes: [Axis; 3], rotation: DQuat, near: Option<[f64; 3]>) -> [f64; 3] {
    let free = rotation::to_euler(axes, rotation, near);
    let Some(near) = near else { return free };
    let lock = if axes[0] == axes[2] {
        free[1].sin()
    } else {
        free[1].cos()
    };
    if lock.abs() > 1e-4 {
        return free;
    }
    let [second, third] = two(axes[1], axes[2], axes[0].turn(-near[0]) * rotation);
    let mut held = [near[0], second, third];
    unwrap(&mut held, near);
    if off(rotation, rotation::from_euler(&axes, &held)) < 0.5 * SAME {
        held
    } else {
        free
    }
}

/// q = Rₐ(α) R_b(β) has w = cₐ c_b, vₐ = sₐ c_b, v_b = cₐ s_b and along the third axis ε sₐ s_b.
fn two(a: Axis, b: Axis, q: DQuat) -> [f64; 2] {
    let v = [q.x, q.y, q.z];
    let (ia, ib) = (a.index(), b.index());
    let sign = if (ib + 3 - ia) % 3 == 1 { 1.0 } else { -1.0 };
    let cross = sign * v[3 - ia - ib];
    // Either pair gives α/2 up to half a turn; the longer one is the exact one.
    let half_a = if v[ia].hypot(q.w) >= cross.hypot(v[ib]) {
        v[ia].atan2(q.w)
    } else {
        cross.atan2(v[ib])
    };
    let (sa, ca) = half_a.sin_cos();
    let half_b = (ca * v[ib] + sa * cross).atan2(ca * q.w + sa * v[ia]);
    [wrap(2.0 * half_a), wrap(2.0 * half_b)]
}

fn one(a: Axis, q: DQuat) -> f64 {
    wrap(2.0 * [q.x, q.y, q.z][a.index()].atan2(q.w))
}

fn wrap(angle: f64) -> f64 {
    use std::f64::consts::TAU;
    angle - (angle / TAU).round() * TAU
}

/// The angle between two rotations.
fn off(a: DQuat, b: DQuat) -> f64 {
    let d = a.inverse() * b;
    2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn axis(n: usize) -> Axis {
        [Axis::X, Axis::Y, Axis::Z][n % 3]
    }

    proptest! {
        #[test]
        fn any_channels_hold_what_they_make(
            listed in proptest::collection::vec(0..3_usize, 0..6),
            angles in proptest::collection::vec(prop_oneof![
                -4.0..4.0_f64, Just(0.0), Just(std::f64::consts::FRAC_PI_2), Just(std::f64::consts::PI)
            ], 6),
        ) {
            let axes: Vec<Axis> = listed.into_iter().map(axis).collect();
            let solver = Solver::new(&axes);
            // Only the channels in use turn.
            let mut used = vec![0.0; axes.len()];
            for (i, &c) in solver.channels.iter().enumerate() {
                used[c] = angles[i];
            }
            let q = rotation::from_euler(&axes, &used);
            prop_assert!(solver.can_hold(q), "{axes:?} {used:?}");
            let near = [angles[0] + 0.1, angles[1] - 0.1, angles[2]];
            let mut back = vec![0.0; axes.len()];
            for (angle, &c) in solver.solve(q, Some(near)).iter().zip(&solver.channels) {
                back[c] = *angle;
            }
            prop_assert!(off(q, rotation::from_euler(&axes, &back)) < 1e-6);
        }
    }

    #[test]
    fn missing_axes_are_noticed_and_completed() {
        let solver = Solver::new(&[Axis::X]);
        assert!(!solver.can_hold(Axis::Y.turn(0.1)));
        assert_eq!(solver.completed(), [Axis::X, Axis::Z, Axis::Y]);
        assert_eq!(Solver::new(&[]).completed().len(), 3);
        assert_eq!(
            Solver::new(&[Axis::Y, Axis::X]).completed(),
            [Axis::Y, Axis::X, Axis::Z]
        );
    }

    #[test]
    fn the_first_angle_stays_at_gimbal_lock() {
        let axes = [Axis::Z, Axis::Y, Axis::X];
        let near = [0.7, 1.5, -0.2];
        let q = rotation::from_euler(&axes, &[0.7, std::f64::consts::FRAC_PI_2, -0.1]);
        let found = Solver::new(&axes).solve(q.as_quat().as_dquat(), Some(near));
        assert!(
            (found[0] - 0.7).abs() < 1e-9 && (found[2] + 0.1).abs() < 1e-3,
            "{found:?}"
        );
    }
}
