//! From a bone's channel values to its pose, and back.
//!
//!   M = R_n(aₙ) · … · R_1(a₁)          channels in file order, about fixed axes: the first turns first
//!   bone: r = C · M · C⁻¹,  t = C · (tx, ty, tz)       root: r = M · C,  t = (tx, ty, tz)
//!
//! Back: M from r; then three angles are Euler angles, two are the best fit in closed form, one is the twist.
//! For two axes a then b and q the quaternion of M, the fit maximises q · (b-turn × a-turn); with half-angle
//! sum s and difference d the product splits into two independent cosines, so both maxima are `atan2`s.

use glam::{DQuat, DVec3};

use gaitway_core::rotation::{Axis, to_euler};

/// A channel of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dof {
    /// `tx`, `ty` or `tz`.
    Translate(Axis),
    /// `rx`, `ry` or `rz`.
    Rotate(Axis),
    /// `l`: added to the bone's length.
    Length,
}

impl Dof {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Translate(Axis::X), "tx"),
        (Self::Translate(Axis::Y), "ty"),
        (Self::Translate(Axis::Z), "tz"),
        (Self::Rotate(Axis::X), "rx"),
        (Self::Rotate(Axis::Y), "ry"),
        (Self::Rotate(Axis::Z), "rz"),
        (Self::Length, "l"),
    ];

    /// The channel a word stands for, in any letter case.
    pub fn from_word(word: &[u8]) -> Option<Self> {
        let found = |(_, w): &&(Self, &str)| word.eq_ignore_ascii_case(w.as_bytes());
        Self::ALL.iter().find(found).map(|(dof, _)| *dof)
    }

    /// The word in lower case.
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(dof, _)| *dof == self);
        found.map_or("", |(_, word)| word)
    }
}

/// What a bone's channels do to it in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BonePose {
    /// Shift of the bone's beginning, in the parent's axes and the file's unit.
    pub translation: DVec3,
    /// Local rotation.
    pub rotation: DQuat,
    /// What is added to the bone's length.
    pub stretch: f64,
}

/// A bone's channels and the frame they turn in.
#[derive(Clone, Copy, Debug)]
pub struct Channels<'a> {
    /// In file order, none twice.
    pub dof: &'a [Dof],
    /// C: the bone's `axis`, or the root's `orientation`.
    pub frame: DQuat,
    /// Whether this is the root.
    pub is_root: bool,
}

impl Channels<'_> {
    /// The pose of values in file order; angles in radians.
    pub fn pose(&self, values: &[f64]) -> BonePose {
        let (mut shift, mut turn, mut stretch) = (DVec3::ZERO, DQuat::IDENTITY, 0.0);
        for (dof, &value) in self.dof.iter().zip(values) {
            match dof {
                Dof::Translate(axis) => shift[axis.index()] = value,
                Dof::Rotate(axis) => turn = axis.turn(value) * turn,
                Dof::Length => stretch = value,
            }
        }
        let (translation, rotation) = if self.is_root {
            (shift, turn * self.frame)
        } else {
            (self.frame * shift, self.frame * turn * self.frame.inverse())
        };
        BonePose {
            translation,
            rotation: rotation.normalize(),
            stretch,
        }
    }

    /// The values nearest to a pose, in file order, angles in radians and near those of `near` (the frame
    /// before). What has no channel is left out: compare [`Channels::pose`] of the result.
    pub fn values(&self, pose: &BonePose, near: Option<&[f64]>) -> Vec<f64> {
        let back = self.frame.inverse();
        let (shift, turn) = if self.is_root {
            (pose.translation, pose.rotation * back)
        } else {
            (back * pose.translation, back * pose.rotation * self.frame)
        };
        let axes: Vec<(usize, Axis)> = (self.dof.iter().enumerate())
            .filter_map(|(i, dof)| match dof {
                Dof::Rotate(axis) => Some((i, *axis)),
                _ => None,
            })
            .collect();
        let mut out: Vec<f64> = (self.dof.iter())
            .map(|dof| match dof {
                Dof::Translate(axis) => shift[axis.index()],
                Dof::Rotate(_) => 0.0,
                Dof::Length => pose.stretch,
            })
            .collect();
        let near_at = |i: usize| near.map(|n| n[i]);
        match axes[..] {
            [(i, axis)] => out[i] = near_turn(twist_angle(turn, axis), near_at(i)),
            [(i, a), (j, b)] => {
                let (first, second) = two_angles(turn, a, b);
                out[i] = near_turn(first, near_at(i));
                out[j] = near_turn(second, near_at(j));
            }
            [(i, a), (j, b), (k, c)] => {
                // Fixed axes a, b, c are the moving axes c, b, a.
                let near = near.map(|n| [n[k], n[j], n[i]]);
                [out[k], out[j], out[i]] = to_euler([c, b, a], turn, near);
            }
            _ => {}
        }
        out
    }
}

/// The angle of the turn about one axis that comes nearest to a rotation.
fn twist_angle(turn: DQuat, axis: Axis) -> f64 {
    let along = DVec3::new(turn.x, turn.y, turn.z).dot(axis.unit());
    2.0 * along.atan2(turn.w)
}

/// Angles about `a`, then `b` (another axis, fixed), that come nearest to a rotation.
fn two_angles(turn: DQuat, a: Axis, b: Axis) -> (f64, f64) {
    let q = DVec3::new(turn.x, turn.y, turn.z);
    let (along_a, along_b) = (q.dot(a.unit()), q.dot(b.unit()));
    let along_c = q.dot(b.unit().cross(a.unit()));
    let sum = (along_a + along_b).atan2(turn.w - along_c);
    let difference = (along_b - along_a).atan2(turn.w + along_c);
    (sum - difference, sum + difference)
}

/// The same angle within half a turn of another, or of zero.
fn near_turn(angle: f64, near: Option<f64>) -> f64 {
    let near = near.unwrap_or(0.0);
    angle + ((near - angle) / std::f64::consts::TAU).round() * std::f64::consts::TAU
}

/// The rotation of three angles about x, y and z (radians), turned in the order of the letters.
pub(crate) fn frame_of(order: [Axis; 3], angles: DVec3) -> DQuat {
    order.iter().fold(DQuat::IDENTITY, |q, axis| {
        axis.turn(angles[axis.index()]) * q
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn angle(a: DQuat, b: DQuat) -> f64 {
        let d = a.inverse() * b;
        2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
    }

    const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    proptest! {
        /// Any subset of channels in any order gives back what it made.
        #[test]
        fn values_give_the_pose_back(
            order in Just(AXES).prop_shuffle(), count in 0..4_usize, is_root: bool,
            turn in prop::array::uniform3(-3.1..3.1_f64), frame in prop::array::uniform3(-3.1..3.1_f64),
            shift in prop::array::uniform3(-9.0..9.0_f64), stretch in -1.0..1.0_f64,
        ) {
            let mut dof = vec![Dof::Length];
            dof.extend(AXES.map(Dof::Translate));
            dof.extend(order[..count].iter().map(|a| Dof::Rotate(*a)));
            let values: Vec<f64> = [stretch].into_iter().chain(shift).chain(turn).take(dof.len()).collect();
            let frame = frame_of(AXES, DVec3::from_array(frame));
            let channels = Channels { dof: &dof, frame, is_root };
            let pose = channels.pose(&values);
            let back = channels.pose(&channels.values(&pose, None));
            prop_assert!(angle(pose.rotation, back.rotation) < 1e-7);
            prop_assert!(pose.translation.distance(back.translation) < 1e-9);
            prop_assert!((pose.stretch - back.stretch).abs() < 1e-12);
            if count < 3 {
                let near = channels.values(&pose, Some(&values));
                for (x, y) in near.iter().zip(&values) {
                    prop_assert!((x - y).abs() < 1e-6, "{near:?} for {values:?}");
                }
            }
        }

        /// No other pair of angles comes nearer than the closed form.
        #[test]
        fn two_angles_fit_best(
            q in prop::array::uniform4(-1.0..1.0_f64), da in -0.5..0.5_f64, db in -0.5..0.5_f64,
        ) {
            let q = DQuat::from_array(q);
            prop_assume!(q.length() > 0.1);
            let q = q.normalize();
            let (a, b) = two_angles(q, Axis::X, Axis::Z);
            let off = |a: f64, b: f64| angle(q, Axis::Z.turn(b) * Axis::X.turn(a));
            prop_assert!(off(a, b) <= off(a + da, b + db) + 1e-9);
        }
    }
}
