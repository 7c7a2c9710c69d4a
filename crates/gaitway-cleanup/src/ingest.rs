//! What is kept of every frame: kinematics of the legs as they came, and what stages found so far.

use gaitway_core::Skeleton;
use glam::{DQuat, DVec3, Quat, Vec3};

use super::knee;
use super::pelvis::{Eliminated, Follow};
use super::rig::{CHANNELS, LegKinematics, Rig};

/// No plant.
pub(super) const NONE: u32 = u32::MAX;

/// One leg of one frame, places relative to the root joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LegFrame {
    pub hip: Vec3,
    pub knee: Vec3,
    pub ankle: Vec3,
    /// World turns of what hip, knee, ankle and toe hang on.
    pub above_hip: Quat,
    pub above_knee: Quat,
    pub above_ankle: Quat,
    pub above_toe: Quat,
    /// Contact points.
    pub points: [Vec3; 2],
    pub ball: Vec3,
    pub tip: Vec3,
    /// The knee's axis.
    pub hinge: DVec3,
    /// World turns of thigh and shin with which the knee has its least bend; places are those after them.
    pub bent_further: Option<(DQuat, DQuat)>,
    /// How far the foot went with that.
    pub gone: Vec3,
}

impl LegFrame {
    /// Bends the knee further, about its axis; the foot goes with its ankle and keeps its turn.
    pub fn bend_further(&mut self, by: f64) {
        let Some((thigh, shin, ankle)) = knee::bent_further(self, by) else {
            return;
        };
        let moved = ankle.as_vec3() - self.ankle;
        self.knee = self.hip + (thigh * (self.knee - self.hip).as_dvec3()).as_vec3();
        for place in [&mut self.ankle, &mut self.ball, &mut self.tip] {
            *place += moved;
        }
        self.points.iter_mut().for_each(|p| *p += moved);
        self.bent_further = Some((thigh, shin));
        self.gone = moved;
    }
}

/// One frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub root: DVec3,
    pub legs: [LegFrame; 2],
    /// Contacts as they came, one bit per channel.
    pub raw: u8,
    /// Plants that hold the channels, [`NONE`] where none does.
    pub plants: [u32; CHANNELS],
    /// The same, with those that say how the foot lies after their end.
    pub lies: [u32; CHANNELS],
    /// Correction of each foot's turn, as a rotation vector.
    pub turn: [DVec3; 2],
    /// Correction of each ankle's place.
    pub shift: [DVec3; 2],
    /// How far each foot was in the floor between its plants.
    pub dip: [f64; 2],
    /// What is known of the root's path up to here, before its end is.
    pub root_path: Eliminated,
    /// What the pelvis does so that legs keep their bend.
    pub follow: Follow,
    /// Least further displacement of the root so that legs reach.
    pub need: DVec3,
    /// The largest need within a window.
    pub wide: DVec3,
    /// How far toes are to be turned up so that their tip is not in the floor, in radians; unknown until asked for.
    pub toes_up: [Option<f64>; 2],
    /// Part of a transition.
    pub blend: bool,
}

impl Slot {
    pub fn down(&self, channel: usize) -> bool {
        self.raw >> channel & 1 == 1
    }

    /// A contact point in the world, as captured.
    pub fn point(&self, channel: usize) -> DVec3 {
        let leg = &self.legs[channel / 2];
        self.root + (leg.points[channel % 2] - leg.gone).as_dvec3()
    }

    /// The height of the lowest point of a foot after its corrections.
    pub fn lowest(&self, leg: usize) -> f64 {
        let foot = &self.legs[leg];
        let all = [foot.points[0], foot.points[1], foot.ball, foot.tip];
        let heights = all.map(|p| self.placed(leg, p).y);
        heights.into_iter().fold(f64::INFINITY, f64::min)
    }

    fn placed(&self, leg: usize, point: Vec3) -> DVec3 {
        let ankle = self.legs[leg].ankle;
        let turn = DQuat::from_scaled_axis(self.turn[leg]);
        let arm = (point - ankle).as_dvec3();
        self.root + ankle.as_dvec3() + self.shift[leg] + turn * arm
    }
}

/// Frames by their number, the last `capacity` of them.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    slots: Vec<Slot>,
    mask: usize,
}

impl Sources {
    pub fn new(capacity: usize) -> Self {
        let size = capacity.max(1).next_power_of_two();
        Self {
            slots: vec![Slot::default(); size],
            mask: size - 1,
        }
    }

    pub fn slot(&self, frame: usize) -> &Slot {
        &self.slots[frame & self.mask]
    }

    pub fn slot_mut(&mut self, frame: usize) -> &mut Slot {
        &mut self.slots[frame & self.mask]
    }
}

/// Solves a frame's legs.
pub(super) fn slot_of(
    skeleton: &Skeleton,
    rig: &Rig,
    solved: &LegKinematics,
    root: DVec3,
    contacts: u32,
) -> Slot {
    let mut slot = Slot {
        root,
        plants: [NONE; CHANNELS],
        lies: [NONE; CHANNELS],
        ..Slot::default()
    };
    for (index, rig_leg) in rig.legs.iter().enumerate() {
        let Some(rig_leg) = rig_leg else { continue };
        let leg = rig_leg.leg;
        let above = |j: gaitway_core::JointIdx| {
            skeleton
                .parent(j)
                .map_or(Quat::IDENTITY, |p| solved.turns[p.index()])
        };
        let mut points = [solved.places[leg.ankle.index()]; 2];
        for (k, point) in rig_leg.points.iter().enumerate() {
            if let Some((bit, point)) = point {
                points[k] = solved.point(skeleton, *point);
                slot.raw |= ((contacts >> bit & 1) as u8) << (2 * index + k);
            }
        }
        let (ball, tip, above_toe) = match rig_leg.toe {
            Some((toe, tip)) => (
                solved.places[toe.index()],
                solved.point(skeleton, tip),
                above(toe),
            ),
            None => (points[1], points[1], Quat::IDENTITY),
        };
        slot.legs[index] = LegFrame {
            hip: solved.places[leg.hip.index()],
            knee: solved.places[leg.knee.index()],
            ankle: solved.places[leg.ankle.index()],
            above_hip: above(leg.hip),
            above_knee: above(leg.knee),
            above_ankle: above(leg.ankle),
            above_toe,
            points,
            ball,
            tip,
            hinge: DVec3::ZERO,
            bent_further: None,
            gone: Vec3::ZERO,
        };
    }
    slot
}
