//! A walker made of formulas, with contacts known exactly: for tests of detection and of quality numbers.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};

use crate::{Clip, ContactPoint, ContactTrack, PointIdx, Skeleton, ik};

const THIGH: f32 = 0.42;
const SHIN: f32 = 0.42;
const HIP_HALF: f64 = 0.1;
const BALL: Vec3 = Vec3::new(0.0, -0.06, 0.13);
/// The ankle's height in a flat foot.
pub const ANKLE_HEIGHT: f64 = 0.08;

/// How a walker walks.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// How long.
    pub seconds: f64,
    /// Frames a second.
    pub rate_hz: f64,
    /// Along +Z, in m/s.
    pub speed: f64,
    /// Seconds from one step of a foot to its next.
    pub cycle_s: f64,
    /// Rise of every step, for stairs, in metres.
    pub rise: f64,
    /// How fast a planted foot slides along +Z, in m/s.
    pub slide: f64,
    /// Deviation of white noise on each coordinate of the feet, in metres.
    pub noise: f64,
    /// For the noise.
    pub seed: u64,
}

impl Default for Walker {
    fn default() -> Self {
        Self {
            seconds: 10.0,
            rate_hz: 60.0,
            speed: 1.2,
            cycle_s: 1.1,
            rise: 0.0,
            slide: 0.0,
            noise: 0.0,
            seed: 1,
        }
    }
}

/// Where a foot is: the ankle's place and how far the toe points down.
#[derive(Clone, Copy, Debug)]
pub struct FootPose {
    /// In the world.
    pub ankle: DVec3,
    /// Radians, positive is toe down.
    pub pitch: f64,
}

/// A body with legs of three joints and a ball in each foot, arms and a head.
pub fn walker_body() -> Arc<Skeleton> {
    let mut b = Skeleton::builder();
    let hips = b.root("Hips", Vec3::ZERO);
    for (side, x) in [("Left", 1.0_f32), ("Right", -1.0)] {
        let hip = b.joint(format!("{side}UpLeg"), hips, Vec3::X * x * HIP_HALF as f32);
        let knee = b.joint(format!("{side}Leg"), hip, Vec3::NEG_Y * THIGH);
        let ankle = b.joint(format!("{side}Foot"), knee, Vec3::NEG_Y * SHIN);
        let ball = b.joint(format!("{side}ToeBase"), ankle, BALL);
        b.end_site(ball, Vec3::new(0.0, 0.0, 0.06));
    }
    let chest = b.joint("Chest", hips, Vec3::new(0.0, 0.45, 0.0));
    let head = b.joint("Head", chest, Vec3::new(0.0, 0.2, 0.0));
    b.end_site(head, Vec3::new(0.0, 0.2, 0.0));
    for (side, x) in [("Left", 1.0_f32), ("Right", -1.0)] {
        let arm = b.joint(format!("{side}Arm"), chest, Vec3::new(0.18 * x, 0.05, 0.0));
        let fore = b.joint(format!("{side}ForeArm"), arm, Vec3::new(0.28 * x, 0.0, 0.0));
        let hand = b.joint(format!("{side}Hand"), fore, Vec3::new(0.26 * x, 0.0, 0.0));
        b.end_site(hand, Vec3::new(0.1 * x, 0.0, 0.0));
    }
    b.build().expect("the walker is a tree").shared()
}

/// A clip of the walker's body from where the hips and the feet are at each time.
pub fn clip_from_feet(
    name: &str,
    frames: usize,
    rate_hz: f64,
    hips_at: impl Fn(f64) -> DVec3,
    mut foot_at: impl FnMut(f64, usize) -> FootPose,
) -> Clip {
    let skeleton = walker_body();
    let joints = skeleton.joint_count();
    let mut root = Vec::with_capacity(frames);
    let mut rotations = vec![Quat::IDENTITY; frames * joints];
    for f in 0..frames {
        let t = f as f64 / rate_hz;
        let hips = hips_at(t);
        root.push(hips);
        for side in 0..2 {
            let x = if side == 0 { HIP_HALF } else { -HIP_HALF };
            let foot = foot_at(t, side);
            let [thigh, shin] = leg(foot.ankle - hips - DVec3::X * x);
            let pitch = DQuat::from_rotation_x(foot.pitch);
            let at = f * joints + 1 + 4 * side;
            rotations[at] = thigh.as_quat();
            rotations[at + 1] = (thigh.inverse() * shin).as_quat();
            rotations[at + 2] = (shin.inverse() * pitch).as_quat();
        }
    }
    Clip::new(name, skeleton, rate_hz, root, rotations).expect("arrays fit the walker")
}

/// How thigh and shin, which hang straight down at rest, turn for the ankle to be somewhere from the hip, the knee in front.
fn leg(to_ankle: DVec3) -> [DQuat; 2] {
    let along = to_ankle.normalize_or(DVec3::NEG_Y);
    let swing = DQuat::from_rotation_arc(DVec3::NEG_Y, along);
    let bones = [THIGH, SHIN].map(|length| along * f64::from(length));
    let hinge = swing * DVec3::NEG_X;
    let (thigh, shin) = ik::fold(bones[0], bones[1], along, hinge, to_ankle.length());
    [thigh * swing, shin * swing]
}

/// The contact points of the walker's body: left heel and toe, right heel and toe.
pub fn walker_points() -> Vec<ContactPoint> {
    let point = |name: &str, joint: u32| ContactPoint {
        name: name.into(),
        point: PointIdx(joint),
    };
    vec![
        point("left_heel", 3),
        point("left_toe", 4),
        point("right_heel", 7),
        point("right_toe", 8),
    ]
}

/// Parts of a foot's cycle: it lands on the heel at 0, is flat, lifts the heel and leaves with the toe.
const FLAT: f64 = 0.06;
const HEEL_OFF: f64 = 0.40;
const TOE_OFF: f64 = 0.60;
const TOE_UP: f64 = -0.26;
const TOE_DOWN: f64 = 0.78;

impl Walker {
    fn phase(&self, t: f64, side: usize) -> (f64, f64) {
        let phase = t / self.cycle_s + 0.5 * side as f64 + 0.25;
        (phase.floor(), phase.fract())
    }

    fn plant(&self, step: f64, side: usize) -> DVec3 {
        let at = step - 0.5 * side as f64 - 0.25;
        let x = if side == 0 { HIP_HALF } else { -HIP_HALF };
        let stair = self.rise * (2.0 * step - side as f64).max(-1.0);
        let z = self.speed * self.cycle_s * (at + 0.28);
        DVec3::new(x, ANKLE_HEIGHT + stair, z)
    }

    fn stance(&self, step: f64, u: f64, side: usize) -> FootPose {
        let plant = self.plant(step, side) + DVec3::Z * self.slide * u * self.cycle_s;
        if u < HEEL_OFF {
            let pitch = TOE_UP * (1.0 - (u / FLAT).min(1.0));
            return FootPose {
                ankle: plant,
                pitch,
            };
        }
        let pitch = TOE_DOWN * ((u - HEEL_OFF) / (TOE_OFF - HEEL_OFF)).powf(1.5);
        let turned = Quat::from_rotation_x(pitch as f32) * BALL;
        FootPose {
            ankle: plant + (BALL - turned).as_dvec3(),
            pitch,
        }
    }

    /// Where a foot is at a time, without noise.
    pub fn foot(&self, t: f64, side: usize) -> FootPose {
        let (step, u) = self.phase(t, side);
        if u < TOE_OFF {
            return self.stance(step, u, side);
        }
        let (from, to) = (
            self.stance(step, TOE_OFF, side),
            self.stance(step + 1.0, 0.0, side),
        );
        let w = (u - TOE_OFF) / (1.0 - TOE_OFF);
        let ease = w * w * (3.0 - 2.0 * w);
        let lift = (0.06 + self.rise.abs()) * (std::f64::consts::PI * w).sin();
        FootPose {
            ankle: from.ankle.lerp(to.ankle, ease) + DVec3::Y * lift,
            pitch: from.pitch + (to.pitch - from.pitch) * ease,
        }
    }

    /// What stands at a frame: bits as in [`walker_points`].
    fn mask(&self, frame: usize) -> u32 {
        let t = frame as f64 / self.rate_hz;
        (0..2).fold(0, |mask, side| {
            let (_, u) = self.phase(t, side);
            let heel = u32::from(u < HEEL_OFF);
            let toe = u32::from((FLAT..TOE_OFF).contains(&u));
            mask | (heel | toe << 1) << (2 * side)
        })
    }
}

/// A walker's clip with its exact contacts.
pub fn walking_clip(walker: &Walker) -> Clip {
    let frames = (walker.seconds * walker.rate_hz).round() as usize;
    let mut noise = Noise(walker.seed);
    let hips = |t: f64| {
        let climb = 2.0 * walker.rise * t / walker.cycle_s;
        DVec3::new(0.0, 0.80 + climb, walker.speed * t)
    };
    let clip = clip_from_feet("walker", frames, walker.rate_hz, hips, |t, side| {
        let mut foot = walker.foot(t, side);
        foot.ankle += walker.noise * DVec3::new(noise.next(), noise.next(), noise.next());
        foot
    });
    let mut track = ContactTrack::new(walker_points(), frames);
    for frame in 0..frames {
        track.set_mask(frame, walker.mask(frame));
    }
    clip.with_contacts(Some(track)).expect("one mask per frame")
}

/// Near-Gaussian numbers of deviation 1: the sum of twelve uniform ones.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sum += (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        }
        sum
    }
}
