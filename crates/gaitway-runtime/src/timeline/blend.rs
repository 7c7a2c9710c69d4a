//! How two motions become one in a transition.
//!
//! Over the M output frames of a transition, m = 0 … M−1, with α(t) = 2t³ − 3t² + 1               [Kovar04] eq. 4.12
//!
//!   root   p̃ = α p + (1 − α) p′,     joints   q̃ = slerp(q′, q; α)                     eq. 4.11, 4.13
//!
//! | blend | weight | what it does |
//! | --- | --- | --- |
//! | centered | t = (m+1)/(M+1) | the thesis: symmetric about the middle, both ends keep a trace of both motions |
//! | start-end | t = (m+1)/M | the conference paper: its windows (from i onwards, up to j) are the same frames once i and j are counted from the middle, but its weight has arrived at M′ in the last frame |
//! | inertialized | – | switches to M′ at once and adds what it differed by, fading |
//!
//! α is flat at both ends, so position and velocity go on across the borders (C¹) in every blend. Inertialized offsets
//! are rotation vectors, shifts and their velocities, each component taken to zero with its velocity and acceleration
//! by the quintic with x(0) = x₀, ẋ(0) = v₀, ẍ(0) = 0. Velocities fade in a third of the window, V = M/3, because a
//! limb that swings on for all of it would overshoot by up to 0.2 v₀ M (13 cm of a foot into the floor, seen on real clips):
//!
//!   x = x₀ (1 − 10s³ + 15s⁴ − 6s⁵) + v₀ V (r − 6r³ + 8r⁴ − 3r⁵),     s = m/M,  r = min(m/V, 1)
//!
//! Only M′ is sampled then, so it costs about half of a blend. A *cut* adds the same offsets to a clip entered where no blend fits.
//! Checked by: equal motions stay equal; jumps at borders against those inside clips, on real clips.

use glam::{DVec3, Quat, Vec3};

use super::meet::nearest_turn;
use gaitway_core::Pose;
use gaitway_core::rotation::slerp;

/// How transitions are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// Symmetric about the middle, as in the thesis. The default.
    #[default]
    Centered,
    /// The weights of the conference paper.
    StartEnd,
    /// The difference at the switch fades away over the window.
    Inertialized,
}

impl Blend {
    /// The blend of this name (`centered`, `start-end`, `inertialized`).
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "centered" => Some(Self::Centered),
            "start-end" => Some(Self::StartEnd),
            "inertialized" => Some(Self::Inertialized),
            _ => None,
        }
    }

    /// Weight of the motion that is left, `offset` of `length` output frames into a transition.
    pub fn weight(self, offset: f64, length: f64) -> f64 {
        let steps = match self {
            Self::StartEnd => length,
            Self::Centered | Self::Inertialized => length + 1.0,
        };
        ease(((offset + 1.0) / steps.max(1.0)).clamp(0.0, 1.0))
    }
}

/// α(t) = 2t³ − 3t² + 1: from 1 to 0, flat at both ends.
pub fn ease(t: f64) -> f64 {
    1.0 + t * t * (2.0 * t - 3.0)
}

/// Blends `other` into `pose`, which keeps `weight`. Equal values stay the same to the bit.
#[inline]
pub(crate) fn blend(pose: &mut Pose, other: &Pose, weight: f64) {
    let toward = 1.0 - weight;
    let part = toward as f32;
    pose.root += (other.root - pose.root) * toward;
    for (q, &to) in pose.rotations.iter_mut().zip(&other.rotations) {
        if *q != to {
            *q = slerp(*q, to, part).normalize();
        }
    }
    for (p, &to) in pose.translations.iter_mut().zip(&other.translations) {
        *p += (to - *p) * part;
    }
}

/// The part of a transition over which velocities fade.
const SPEED_PART: f64 = 1.0 / 3.0;

/// What is left of an offset, and of its change per frame, `offset` of `length` frames after a switch: x = x₀ · first + v₀ ·
/// second.
pub fn fades(offset: f64, length: f64) -> (f64, f64) {
    let s = (offset / length.max(1.0)).clamp(0.0, 1.0);
    let place = 1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s));
    let window = length.max(1.0) * SPEED_PART;
    let r = (offset / window).clamp(0.0, 1.0);
    let speed = window * r * (1.0 - r * r * (6.0 - r * (8.0 - 3.0 * r)));
    (place, speed)
}

/// What the motion left differed by at the switch, and how fast that changed per frame of the timeline.
#[derive(Clone, Debug, Default)]
pub struct Offsets {
    /// The root's place, metres, and its change.
    pub root: [DVec3; 2],
    /// Rotation vectors of all joints, radians, and their change.
    pub rotations: Vec<[Vec3; 2]>,
    /// Shifts of moving joints, metres, and their change.
    pub translations: Vec<[Vec3; 2]>,
}

impl Offsets {
    /// No offset, for so many joints, of which so many move in their parents.
    pub fn new(joints: usize, moving: usize) -> Self {
        Self {
            root: [DVec3::ZERO; 2],
            rotations: vec![[Vec3::ZERO; 2]; joints],
            translations: vec![[Vec3::ZERO; 2]; moving],
        }
    }

    /// Takes the offset of `left` from `entered` at the switch.
    pub(super) fn begin(&mut self, left: &Pose, entered: &Pose) {
        self.root[0] = left.root - entered.root;
        for (k, o) in self.rotations.iter_mut().enumerate() {
            o[0] = turn_between(left.rotations[k], entered.rotations[k]);
        }
        for (k, o) in self.translations.iter_mut().enumerate() {
            o[0] = left.translations[k] - entered.translations[k];
        }
    }

    /// Takes the velocity from the offset one output frame later.
    pub(super) fn speed(&mut self, left: &Pose, entered: &Pose) {
        self.root[1] = left.root - entered.root - self.root[0];
        for (k, o) in self.rotations.iter_mut().enumerate() {
            let next = turn_between(left.rotations[k], entered.rotations[k]);
            let next = nearest_turn(next, o[0]);
            o[1] = next - o[0];
        }
        for (k, o) in self.translations.iter_mut().enumerate() {
            o[1] = left.translations[k] - entered.translations[k] - o[0];
        }
    }

    /// Empties all offsets.
    pub(super) fn clear(&mut self) {
        self.root = [DVec3::ZERO; 2];
        self.rotations.fill([Vec3::ZERO; 2]);
        self.translations.fill([Vec3::ZERO; 2]);
    }

    /// Adds a weighted part of what one pose differs by from another to the offset, and to its velocity. `near` has the
    /// rotation vectors of the first difference taken, next to which all others are told.
    pub(super) fn gather(
        &mut self,
        left: &Pose,
        entered: &Pose,
        (value, speed): (f64, f64),
        near: &mut Option<Vec<Vec3>>,
    ) {
        let root = left.root - entered.root;
        self.root = [self.root[0] + root * value, self.root[1] + root * speed];
        let (value, speed) = (value as f32, speed as f32);
        let turns = left.rotations.iter().zip(&entered.rotations);
        let turns: Vec<Vec3> = turns.map(|(&p, &q)| turn_between(p, q)).collect();
        let near = near.get_or_insert_with(|| turns.clone());
        for (k, o) in self.rotations.iter_mut().enumerate() {
            let turn = nearest_turn(turns[k], near[k]);
            *o = [o[0] + turn * value, o[1] + turn * speed];
        }
        for (k, o) in self.translations.iter_mut().enumerate() {
            let shift = left.translations[k] - entered.translations[k];
            *o = [o[0] + shift * value, o[1] + shift * speed];
        }
    }

    /// Adds what is left of the offset to a pose of the motion entered.
    pub(super) fn add(&self, pose: &mut Pose, offset: f64, length: f64) {
        let (place, speed) = fades(offset, length);
        let (place_f32, speed_f32) = (place as f32, speed as f32);
        pose.root += self.root[0] * place + self.root[1] * speed;
        for (q, o) in pose.rotations.iter_mut().zip(&self.rotations) {
            let turn = o[0] * place_f32 + o[1] * speed_f32;
            if turn != Vec3::ZERO {
                *q = (Quat::from_scaled_axis(turn) * *q).normalize();
            }
        }
        for (p, o) in pose.translations.iter_mut().zip(&self.translations) {
            *p += o[0] * place_f32 + o[1] * speed_f32;
        }
    }
}

/// The rotation vector that carries `b` to `a`, the shorter way.
pub(super) fn turn_between(a: Quat, b: Quat) -> Vec3 {
    let d = a * b.conjugate();
    let d = if d.w < 0.0 { -d } else { d };
    let v = Vec3::new(d.x, d.y, d.z);
    let sine = v.length();
    // 2 atan2(|v|, w) / |v|, which is 2 / w for small turns: exact where acos is not.
    if sine < 1e-6 {
        v * 2.0
    } else {
        v * (2.0 * sine.atan2(d.w) / sine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_the_papers() {
        // Equation 4.11 with L = 2: k = 0 … 4, t = (k + 1) / 6.
        for k in 0..5 {
            let t = f64::from(k + 1) / 6.0;
            let expected = 2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0;
            assert!((Blend::Centered.weight(f64::from(k), 5.0) - expected).abs() < 1e-15);
        }
        assert!((Blend::Centered.weight(2.0, 5.0) - 0.5).abs() < 1e-15);
        // The conference paper's α(p) with k = 5 frames: 1 before, 0 at the last.
        assert_eq!(Blend::StartEnd.weight(-1.0, 5.0), 1.0);
        assert!(Blend::StartEnd.weight(4.0, 5.0).abs() < 1e-15);
    }

    #[test]
    fn inertialized_offsets_begin_whole_and_end_at_nothing() {
        let mut left = Pose::new(2, vec![gaitway_core::JointIdx(1)].into());
        let mut entered = Pose::new(2, vec![gaitway_core::JointIdx(1)].into());
        left.root = DVec3::new(0.1, 0.0, 0.2);
        left.rotations[1] = Quat::from_rotation_x(0.4);
        left.translations[0] = Vec3::X;
        entered.rotations[1] = Quat::from_rotation_y(0.3);
        let mut offsets = Offsets::new(2, 1);
        offsets.begin(&left, &entered);
        offsets.speed(&left, &entered);
        let mut first = entered.clone();
        offsets.add(&mut first, 0.0, 30.0);
        assert!((first.root - left.root).length() < 1e-12);
        assert!(first.rotations[1].angle_between(left.rotations[1]) < 1e-3);
        assert!((first.translations[0] - Vec3::X).length() < 1e-6);
        let mut last = entered.clone();
        offsets.add(&mut last, 30.0, 30.0);
        assert!((last.root - entered.root).length() < 1e-12);
        assert!(last.rotations[1].dot(entered.rotations[1]).abs() > 1.0 - 1e-6);
    }
}
