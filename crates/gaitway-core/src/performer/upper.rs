//! Trunk, head and arms.
//!
//! The stride (which foot is in front) drives them: shoulders turn against the pelvis, arms swing against the
//! legs, the head stays level and looks where the way goes. Hands that have something to do are drawn to it by
//! two-bone IK, blended with the swing.

use glam::{DMat3, DQuat, DVec3, Quat};

use super::body::{self, FOREARM, PALM, UPPER_ARM, joint};
use super::pose::set;
use super::stage::{Chan, Hand, Pelvis, Stage};
use crate::ik::Triangle;

/// Solves everything above the pelvis.
pub(super) fn solve(stage: &Stage, t: f64, pelvis: &Pelvis, locals: &mut [Quat; joint::COUNT]) {
    let stride = stage.stride(t);
    let life = stage.value(Chan::Life, t);
    let gain = stage.value(Chan::ArmGain, t);
    let lean = stage.value(Chan::Lean, t);
    // Breathing, about 15 a minute, and the slow sway of standing.
    let breath = (1.6 * t).sin();
    let pitch = 0.55 * lean - 0.02 + 0.012 * breath + 0.015 * life * stage.wander[2].at(t);
    let swing_twist = 0.15 * gain.min(0.6) / 0.35 * stride;
    let twist = swing_twist + stage.value(Chan::Twist, t) + 0.04 * life * stage.wander[3].at(t);
    let bend =
        -0.055 * stage.support.smooth(t, 0.12) - stage.value(Chan::Bend, t) - 0.35 * stage.bank(t);
    let mut above = locals[joint::HIPS];
    let shares = [
        (joint::SPINE, 0.4),
        (joint::CHEST, 0.35),
        (joint::UPPER_CHEST, 0.25),
    ];
    for (j, share) in shares {
        let local = DQuat::from_rotation_y(share * twist)
            * DQuat::from_rotation_x(share * pitch)
            * DQuat::from_rotation_z(share * bend);
        locals[j] = local.as_quat();
        above *= locals[j];
    }
    head(stage, t, lean, life, above, locals);
    let chest = ChestFrame::of(pelvis, locals);
    for side in 0..2 {
        let s = body::sign(side);
        let rise = 0.02 * breath + 0.01;
        locals[joint::ARM[side]] = DQuat::from_rotation_z(s * rise).as_quat();
        let arm = swing_arm(stage, t, side, stride, gain, lean, life);
        let hand = &stage.hands[side];
        let flat = hand.flat.smooth(t, 0.06);
        // A palm that has to be exact is led from where the clavicle, breathing, really puts the shoulder.
        let mended = (flat > 0.0).then(|| chest.towards(&ChestFrame::of(pelvis, locals), flat));
        let frame = mended.as_ref().unwrap_or(&chest);
        store_arm(locals, frame, pelvis, hand, t, side, arm);
    }
}

fn head(
    stage: &Stage,
    t: f64,
    lean: f64,
    life: f64,
    chest: Quat,
    locals: &mut [Quat; joint::COUNT],
) {
    // Eyes lead the way into a turn.
    let ahead = stage.heading.smooth(t + 0.3, 0.25);
    let glance = stage.wander[4].at(t) * (0.05 + 0.13 * life);
    let yaw = ahead + stage.value(Chan::LookYaw, t) + glance;
    let nod = stage.wander[5].at(t) * (0.02 + 0.04 * life);
    let pitch = 0.06 + stage.value(Chan::Look, t) + 0.35 * lean + nod;
    let wanted = DQuat::from_rotation_y(yaw) * DQuat::from_rotation_x(pitch);
    let neck = chest.as_dquat().slerp(wanted, 0.45);
    let neck = set(locals, joint::NECK, chest, neck);
    set(locals, joint::HEAD, neck, wanted);
}

/// Turn of the upper arm about its length per flexion of the elbow.
const INWARD: f64 = 0.25;

/// An arm by its angles: the upper arm's turn in the shoulder and the elbow's flexion.
#[derive(Clone, Copy)]
struct Arm {
    upper: DQuat,
    flexion: f64,
    /// How far the hand follows the forearm's line to a thing.
    hand: f64,
}

fn swing_arm(
    stage: &Stage,
    t: f64,
    side: usize,
    stride: f64,
    gain: f64,
    lean: f64,
    life: f64,
) -> Arm {
    let s = body::sign(side);
    let swing = -s * gain * stride;
    let wander = 0.03 * stage.wander[6 + side].at(t) * (0.5 + life);
    // Arms hang from a leaning trunk; at rest they hang a little forward.
    let forward = swing + stage.value(Chan::Reach(side), t) + 0.75 * lean + 0.04 + wander;
    let away = stage.value(Chan::Away(side), t) + 0.02 * swing.abs() * swing.abs();
    // The elbow gives on the way forward and straightens behind.
    let give = 0.45 * (swing + (swing * swing + 0.02).sqrt()) * 0.5;
    let flexion = stage.value(Chan::Elbow(side), t) + give + 0.5 * wander;
    let hang = std::f64::consts::FRAC_PI_2 - away;
    // Turned inwards about its own length, so that a bent forearm crosses a little in front.
    let inward = DQuat::from_rotation_x(INWARD * flexion.min(1.6));
    let upper = DQuat::from_rotation_x(-forward) * DQuat::from_rotation_z(-s * hang) * inward;
    Arm {
        upper,
        flexion,
        hand: 0.0,
    }
}

/// Where the shoulders are in the world.
struct ChestFrame {
    rotation: [Quat; 2],
    shoulder: [DVec3; 2],
}

impl ChestFrame {
    fn of(pelvis: &Pelvis, locals: &[Quat; joint::COUNT]) -> Self {
        let mut rotation = locals[joint::HIPS];
        let mut place = pelvis.place;
        let trunk = [
            (joint::SPINE, DVec3::new(0.0, 0.08, -0.01)),
            (joint::CHEST, DVec3::new(0.0, 0.13, 0.0)),
            (joint::UPPER_CHEST, DVec3::new(0.0, 0.13, 0.0)),
        ];
        for (j, offset) in trunk {
            place += rotation.as_dquat() * offset;
            rotation *= locals[j];
        }
        let clavicles = [0, 1].map(|side| rotation * locals[joint::ARM[side]]);
        let shoulder = [0, 1].map(|side| {
            let s = body::sign(side);
            place
                + rotation.as_dquat() * DVec3::new(0.025 * s, 0.125, 0.0)
                + clavicles[side].as_dquat() * DVec3::new(0.15 * s, -0.01, 0.0)
        });
        Self {
            rotation: clavicles,
            shoulder,
        }
    }

    /// A part of the way to another.
    fn towards(&self, other: &Self, part: f64) -> Self {
        let turn = |side: usize| self.rotation[side].slerp(other.rotation[side], part as f32);
        Self {
            rotation: [turn(0), turn(1)],
            shoulder: [0, 1].map(|s| self.shoulder[s].lerp(other.shoulder[s], part)),
        }
    }
}

fn store_arm(
    locals: &mut [Quat; joint::COUNT],
    chest: &ChestFrame,
    pelvis: &Pelvis,
    hand: &Hand,
    t: f64,
    side: usize,
    mut arm: Arm,
) {
    let s = body::sign(side);
    let shoulder = chest.shoulder[side];
    let parent = chest.rotation[side].as_dquat();
    let near = hand.near_weight.smooth(t, 0.06);
    if near > 0.0 {
        let there = DVec3::from_array([0, 1, 2].map(|i| hand.near[i].smooth(t, 0.04)));
        let wrist = pelvis.place + DQuat::from_rotation_y(pelvis.heading) * there;
        arm = blend(arm, reach(parent, shoulder, wrist, side), near);
    }
    let taken = hand.item_weight.smooth(t, 0.06);
    if taken > 0.0 {
        let item = DVec3::from_array([0, 1, 2].map(|i| hand.item[i].at(t)));
        let (line, wrist) = wrist_for(shoulder, item);
        let mut solved = reach(parent, shoulder, wrist, side);
        solved.hand = 1.0;
        arm = blend(arm, solved, taken);
        let j = joint::ARM[side];
        let upper = set(locals, j + 1, chest.rotation[side], parent * arm.upper);
        locals[j + 2] = DQuat::from_rotation_y(-s * arm.flexion).as_quat();
        let forearm = upper * locals[j + 2];
        let x = line * s;
        let y = (parent * DVec3::Y - x * x.dot(parent * DVec3::Y)).normalize();
        let aimed = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)));
        // Only the swing towards the line, not the twist about it.
        let now = forearm.as_dquat();
        let turn = DQuat::from_rotation_arc(now * DVec3::X, aimed * DVec3::X);
        let wanted = DQuat::IDENTITY.slerp(turn, arm.hand)
            * now
            * hand_rest(s, 1.0 - hand.flat.smooth(t, 0.06));
        set(locals, j + 3, forearm, wanted);
        return;
    }
    let j = joint::ARM[side];
    set(locals, j + 1, chest.rotation[side], parent * arm.upper);
    locals[j + 2] = DQuat::from_rotation_y(-s * arm.flexion).as_quat();
    locals[j + 3] = hand_rest(s, 1.0).as_quat();
}

/// The hand's line to a thing, and where the wrist is for the palm to be on it.
pub(super) fn wrist_for(shoulder: DVec3, item: DVec3) -> (DVec3, DVec3) {
    let line = above_floor((item - shoulder).normalize(), item.y);
    (line, item - line * PALM)
}

/// The hand's line, flat enough that fingertips stay off the floor.
fn above_floor(line: DVec3, height: f64) -> DVec3 {
    let steepest = ((height - 0.025) / PALM).clamp(0.1, 2.0);
    let down = super::curve::soft_min(-line.y, steepest, 0.3);
    let level = (1.0 - down * down).max(0.0).sqrt() / line.x.hypot(line.z).max(1e-6);
    DVec3::new(line.x * level, -down, line.z * level)
}

/// A relaxed hand: a little bent towards the palm, by a part of it.
fn hand_rest(s: f64, part: f64) -> DQuat {
    DQuat::from_rotation_z(-s * 0.1 * part)
}

fn blend(a: Arm, b: Arm, w: f64) -> Arm {
    Arm {
        upper: a.upper.slerp(b.upper, w),
        flexion: a.flexion + (b.flexion - a.flexion) * w,
        hand: a.hand + (b.hand - a.hand) * w,
    }
}

/// The arm whose wrist is at a place, the elbow down, back and out.
fn reach(parent: DQuat, shoulder: DVec3, wrist: DVec3, side: usize) -> Arm {
    let s = body::sign(side);
    let to = wrist - shoulder;
    let far = to.length();
    let longest = UPPER_ARM + FOREARM - 0.004;
    let d = super::curve::soft_min(far, longest, 0.02).max(0.1);
    let along = to / far.max(1e-9);
    let pole = parent * DVec3::new(0.45 * s, -0.8, -0.35);
    let pole = (pole - along * along.dot(pole)).normalize();
    let corners = Triangle::of(UPPER_ARM, FOREARM, d);
    let upper = corners.upper(along, pole);
    // The forearm folds away from where the elbow points: towards +Z of the upper arm's frame.
    let x = upper * s;
    let z = -(pole - upper * upper.dot(pole)).normalize();
    let frame = DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z));
    Arm {
        upper: parent.inverse() * frame,
        flexion: corners.bend.acos(),
        hand: 0.0,
    }
}
