//! The plan of a take: feet, the pelvis' way, posture over time, labels. Filled by the director, then read
//! at any time t by the pose solver.

use glam::{DQuat, DVec3};

use super::body::{self, HIP, leg_length};
use super::curve::{Curve, Knot, Knots, Wander, averaged, soft_min};
use super::feet::{FootPose, FootTrack, Stance, Swing};
use super::rng::Rng;
use super::truth::{Prop, Step};

/// What of the posture is keyed over time; radians, metres, or 0…1.
#[derive(Clone, Copy, Debug)]
pub(super) enum Chan {
    /// Hips lower by so much.
    Crouch,
    /// Forward lean of the trunk, shared by pelvis and spine.
    Lean,
    /// Head down, and to the left.
    Look,
    LookYaw,
    /// Shoulders to the left against the pelvis; pelvis to the left against the path.
    Twist,
    HipYaw,
    /// Trunk to the left.
    Bend,
    /// Hips behind and to the left of where the feet put them.
    Back,
    Aside,
    /// Knees apart.
    KneesOut,
    /// How far arms swing per stride.
    ArmGain,
    /// Elbow flexion, arm away from the side, arm forward; left and right.
    Elbow(usize),
    Away(usize),
    Reach(usize),
    /// How much weight shifts and looks wander: 1 when idle.
    Life,
}

impl Chan {
    const COUNT: usize = 18;

    fn index(self) -> usize {
        match self {
            Self::Crouch => 0,
            Self::Lean => 1,
            Self::Look => 2,
            Self::LookYaw => 3,
            Self::Twist => 4,
            Self::HipYaw => 5,
            Self::Bend => 6,
            Self::Back => 7,
            Self::Aside => 8,
            Self::KneesOut => 9,
            Self::ArmGain => 10,
            Self::Elbow(s) => 11 + s,
            Self::Away(s) => 13 + s,
            Self::Reach(s) => 15 + s,
            Self::Life => 17,
        }
    }

    fn rest(self) -> f64 {
        match self {
            Self::Lean => 0.03,
            Self::ArmGain => 0.35,
            Self::Elbow(_) => 0.28,
            Self::Away(_) => 0.13,
            Self::Life => 1.0,
            _ => 0.0,
        }
    }

    const ALL: [Self; Self::COUNT] = [
        Self::Crouch,
        Self::Lean,
        Self::Look,
        Self::LookYaw,
        Self::Twist,
        Self::HipYaw,
        Self::Bend,
        Self::Back,
        Self::Aside,
        Self::KneesOut,
        Self::ArmGain,
        Self::Elbow(0),
        Self::Elbow(1),
        Self::Away(0),
        Self::Away(1),
        Self::Reach(0),
        Self::Reach(1),
        Self::Life,
    ];
}

/// What fixes the hips' height at a time.
#[derive(Clone, Copy, Debug)]
pub(super) enum HeightEvent {
    /// Standing: as high as nearly straight legs allow, at rest.
    Stand(f64),
    /// Both feet down in a stride, and the strike before: the low of a walk.
    Low(f64, f64),
    /// Over the standing foot: the high of a walk.
    High(f64),
    /// In the air between two times: a parabola.
    Fly(f64, f64),
    /// Given.
    Fixed(Knot),
}

impl HeightEvent {
    pub(super) fn t(&self) -> f64 {
        match self {
            Self::Stand(t) | Self::Low(t, _) | Self::High(t) | Self::Fly(t, _) => *t,
            Self::Fixed(k) => k.t,
        }
    }
}

/// Where a wrist is drawn to. `near` is in the frame of the pelvis' place and heading, `item` in the world.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    pub(super) near_weight: Curve,
    pub(super) near: [Curve; 3],
    pub(super) item_weight: Curve,
    pub(super) item: [Curve; 3],
    /// How far the relaxed bend is taken out of the hand, so that the palm is where it should be.
    pub(super) flat: Curve,
}

/// The pelvis at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pelvis {
    pub(super) place: DVec3,
    pub(super) rotation: DQuat,
    /// Heading of the body and of the pelvis itself.
    pub(super) heading: f64,
    pub(super) yaw: f64,
}

/// The plan of a take.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) feet: [FootTrack; 2],
    pub(super) x: Curve,
    pub(super) z: Curve,
    pub(super) heading: Curve,
    /// +1 on the left foot, −1 on the right.
    pub(super) support: Curve,
    channels: Vec<Curve>,
    pub(super) hands: [Hand; 2],
    pub(super) events: Vec<HeightEvent>,
    height: Knots,
    pub(super) wander: Vec<Wander>,
    pub(super) labels: Vec<(f64, f64, &'static str)>,
    pub(super) steps: Vec<Step>,
    pub(super) flights: Vec<(f64, f64)>,
    pub(super) props: Vec<Prop>,
    pub(super) moments: Vec<(f64, &'static str)>,
}

/// The least flexion a standing knee keeps, at rest and in a stride. A straighter leg would have to bend too
/// fast when the body moves over it: dl/dθ = a b sin θ / l goes to 0 with θ.
const LEAST_FLEXION: [f64; 2] = [0.09, 0.3];

impl Stage {
    /// Standing at the origin, facing +Z.
    pub(super) fn new(rng: &mut Rng) -> Self {
        let zero = || Curve::constant(0.0);
        let hand = || Hand {
            near_weight: zero(),
            near: [zero(), zero(), zero()],
            item_weight: zero(),
            item: [zero(), zero(), zero()],
            flat: zero(),
        };
        let foot = |side: usize| FootTrack {
            stances: vec![Stance {
                strike: -1e3,
                flat: -1e3,
                heel_off: f64::INFINITY,
                toe_off: f64::INFINITY,
                place: DVec3::X * (body::sign(side) * body::HALF_STANCE),
                yaw: body::sign(side) * body::TOE_OUT,
                heading: 0.0,
                strike_pitch: 0.0,
                off_pitch: 0.0,
                swing: Swing::default(),
            }],
        };
        Self {
            feet: [foot(0), foot(1)],
            x: zero(),
            z: zero(),
            heading: zero(),
            support: zero(),
            channels: Chan::ALL
                .iter()
                .map(|c| Curve::constant(c.rest()))
                .collect(),
            hands: [hand(), hand()],
            events: vec![HeightEvent::Stand(-1.0)],
            height: Knots::default(),
            wander: (0..8)
                .map(|i| Wander::new(rng, 3.0 + 0.7 * f64::from(i)))
                .collect(),
            labels: Vec::new(),
            steps: Vec::new(),
            flights: Vec::new(),
            props: Vec::new(),
            moments: Vec::new(),
        }
    }

    /// A posture channel, to be keyed.
    pub(super) fn channel(&mut self, chan: Chan) -> &mut Curve {
        &mut self.channels[chan.index()]
    }

    /// A posture channel's value.
    pub(super) fn value(&self, chan: Chan, t: f64) -> f64 {
        self.channels[chan.index()].smooth(t, 0.12)
    }

    /// Eases a channel from where it is.
    pub(super) fn ease(&mut self, chan: Chan, from: f64, to: f64, value: f64) {
        self.channel(chan).ease(from, to, value);
    }

    /// Eases a channel back to what it is at rest.
    pub(super) fn relax(&mut self, chan: Chan, from: f64, to: f64) {
        self.ease(chan, from, to, chan.rest());
    }

    /// Keys the pelvis' way.
    pub(super) fn go(&mut self, t: f64, place: DVec3) {
        self.x.key(t, place.x);
        self.z.key(t, place.z);
    }

    /// Which foot is in front, −1…1 in a walk: positive when the left one is. Drives arms and trunk.
    pub(super) fn stride(&self, t: f64) -> f64 {
        let raw = |t: f64| {
            let apart = self.feet[0].at(t).ankle - self.feet[1].at(t).ankle;
            let heading = self.heading.at(t);
            (apart.x * heading.sin() + apart.z * heading.cos()) / 0.66
        };
        let s = averaged(t - 0.03, 0.12, raw);
        // Longer strides than a walk's add ever less.
        s / (1.0 + (s / 1.7) * (s / 1.7)).sqrt()
    }

    /// Lean into a curve, radians to the left: tan β = v ω / g, and never far.
    pub(super) fn bank(&self, t: f64) -> f64 {
        const REACH: f64 = 0.2;
        let (a, b) = (t - REACH, t + REACH);
        let way = |c: &Curve| (c.smooth(b, 0.2) - c.smooth(a, 0.2)) / (2.0 * REACH);
        let speed = way(&self.x).hypot(way(&self.z));
        let bank = speed * way(&self.heading) / super::height::GRAVITY;
        bank / (1.0 + (bank / 0.3) * (bank / 0.3)).sqrt()
    }

    /// Place on the ground and heading, without what height needs.
    fn ground_place(&self, t: f64) -> (DVec3, f64) {
        let heading = self.heading.smooth(t, 0.16);
        let turn = DQuat::from_rotation_y(heading);
        let idle = self.value(Chan::Life, t);
        let drift = DVec3::new(
            0.006 * self.wander[0].at(t),
            0.0,
            0.005 * self.wander[1].at(t),
        );
        let aside = self.value(Chan::Aside, t) + 0.4 * self.bank(t);
        let offset = DVec3::new(aside, 0.0, -self.value(Chan::Back, t));
        let way = DVec3::new(self.x.smooth(t, 0.12), 0.0, self.z.smooth(t, 0.12));
        (way + turn * (offset + idle * drift), heading)
    }

    fn pelvis_rotation(&self, t: f64, heading: f64) -> (DQuat, f64) {
        let gait = self.value(Chan::ArmGain, t).min(0.5) / 0.35;
        let yaw = heading + self.value(Chan::HipYaw, t) - 0.075 * gait * self.stride(t);
        let tilt = 0.45 * self.value(Chan::Lean, t) + 0.02;
        let roll = 0.05 * self.support.smooth(t, 0.12)
            - 0.2 * self.value(Chan::Bend, t)
            - 0.5 * self.bank(t);
        let rotation = DQuat::from_rotation_y(yaw)
            * DQuat::from_rotation_x(tilt)
            * DQuat::from_rotation_z(roll);
        (rotation, yaw)
    }

    /// The highest place of the pelvis from which a leg reaches its ankle with a flexion.
    fn bound(&self, foot: &FootPose, side: usize, pelvis: &Pelvis, flexion: f64) -> f64 {
        let hip = DVec3::new(HIP.x * body::sign(side), HIP.y, HIP.z);
        let arm = pelvis.rotation * hip;
        let hip = pelvis.place + arm;
        let (dx, dz) = (hip.x - foot.ankle.x, hip.z - foot.ankle.z);
        let l = leg_length(flexion);
        foot.ankle.y + (l * l - dx * dx - dz * dz).max(0.01).sqrt() - arm.y
    }

    /// The highest place of the pelvis at a time that keeps all standing legs in reach.
    pub(super) fn highest(&self, t: f64, flexion: f64) -> f64 {
        let (place, heading) = self.ground_place(t);
        let (rotation, yaw) = self.pelvis_rotation(t, heading);
        let pelvis = Pelvis {
            place,
            rotation,
            heading,
            yaw,
        };
        let any = self.feet.iter().any(|f| f.stands(t));
        (0..2)
            .filter(|&side| !any || self.feet[side].stands(t))
            .map(|side| self.bound(&self.feet[side].at(t), side, &pelvis, flexion))
            .fold(f64::INFINITY, f64::min)
    }

    /// Turns events into the curve of the hips' height; called once, when the plan is complete.
    pub(super) fn settle_height(&mut self) {
        self.events.sort_by(|a, b| a.t().total_cmp(&b.t()));
        self.height = super::height::knots(self, &self.events);
    }

    /// The crouch at a time, as heights take it.
    pub(super) fn crouch(&self, t: f64) -> f64 {
        self.value(Chan::Crouch, t)
    }

    /// Draws the hips back towards a standing foot they have left too far behind: no step is too long for a
    /// leg that may bend.
    fn stay_near(&self, pelvis: &mut Pelvis, feet: &[FootPose; 2]) {
        for (side, foot) in feet.iter().enumerate() {
            let hip = DVec3::new(HIP.x * body::sign(side), HIP.y, HIP.z);
            let hip = pelvis.place + pelvis.rotation * hip;
            let away = DVec3::new(hip.x - foot.ankle.x, 0.0, hip.z - foot.ankle.z);
            let far = away.length();
            if far > 0.3 {
                let excess = far - soft_min(far, 0.62, 0.06);
                pelvis.place -= away * (excess / far * (1.0 - foot.free));
            }
        }
    }

    /// The pelvis at a time.
    pub(super) fn pelvis(&self, t: f64, feet: &[FootPose; 2]) -> Pelvis {
        let (mut place, heading) = self.ground_place(t);
        let (rotation, yaw) = self.pelvis_rotation(t, heading);
        let breath = 0.0015 * self.value(Chan::Life, t) * (1.6 * t).sin();
        place.y = self.height.at(t) + breath;
        let mut pelvis = Pelvis {
            place,
            rotation,
            heading,
            yaw,
        };
        self.stay_near(&mut pelvis, feet);
        let [rest, stride] = LEAST_FLEXION;
        let least = stride + (rest - stride) * self.value(Chan::Life, t);
        let soft = 0.02 - 0.014 * self.value(Chan::Life, t);
        // In flight nothing holds the hips: they fall.
        let flies = feet.iter().all(|f| f.in_air);
        for (side, foot) in feet.iter().enumerate() {
            let mut bound = self.bound(foot, side, &pelvis, least);
            if flies {
                bound += 0.6;
            }
            // A foot in the air is drawn in instead; hips follow only those that stand.
            bound += foot.free * if self.feet[side].carried(t) { 1.0 } else { 0.3 };
            pelvis.place.y = soft_min(pelvis.place.y, bound, soft);
        }
        pelvis
    }
}
