//! Writes a frame's corrections into its pose.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::ingest::{LegFrame, NONE};
use super::leg::{self, Bones};
use super::pelvis::Follow;
use super::pipeline::Pipeline;
use super::rig::RigLeg;

/// What a frame became.
#[derive(Clone, Copy, Debug)]
pub(super) struct Emitted {
    pub root: DVec3,
    /// How far the pelvis moved: the middle between the hips, wherever the root is.
    pub shift: DVec3,
    /// How far the pelvis is tilted, in radians.
    pub tilt: f64,
    /// Stretch of each leg against the frame that came in.
    pub stretch: [f64; 2],
}

impl Pipeline {
    /// Changes a pose that holds the frame as it came: legs, and the pelvis below a trunk that keeps its turn; `locals` only
    /// by stretch.
    pub fn emit(&mut self, frame: usize, rotations: &mut [Quat], locals: &mut [Vec3]) -> Emitted {
        let pelvis = self.pelvis(frame);
        let slot = self.sources.slot(frame);
        let root_shift = pelvis.place(slot, DVec3::ZERO);
        let mut out = Emitted {
            root: slot.root,
            shift: pelvis.shift,
            tilt: pelvis.tilt.length(),
            stretch: [1.0; 2],
        };
        if root_shift != DVec3::ZERO {
            out.root += root_shift;
        }
        if pelvis.tilt != DVec3::ZERO {
            self.rig.tilt(pelvis.turn(), rotations);
        }
        for leg in 0..2 {
            if self.rig.legs[leg].is_some() {
                out.stretch[leg] = self.emit_leg(frame, leg, &pelvis, rotations, locals);
            }
        }
        out
    }

    fn emit_leg(
        &mut self,
        frame: usize,
        leg: usize,
        pelvis: &Follow,
        rotations: &mut [Quat],
        locals: &mut [Vec3],
    ) -> f64 {
        let Some(rig_leg) = self.rig.legs[leg].as_ref() else {
            return 1.0;
        };
        let slot = self.sources.slot(frame);
        let source = slot.legs[leg];
        let (shift, turn) = (slot.shift[leg], slot.turn[leg]);
        let foot_turn = DQuat::from_scaled_axis(turn);
        let mut stretch = 1.0;
        let mut ankle = slot.root + source.ankle.as_dvec3() + shift;
        let moved = shift != DVec3::ZERO || turn != DVec3::ZERO || *pelvis != Follow::NONE;
        if moved || source.bent_further.is_some() {
            let bones = Bones {
                hip: source.hip.as_dvec3(),
                knee: source.knee.as_dvec3(),
                ankle: source.ankle.as_dvec3(),
                hinge: source.hinge,
            };
            // Relative to the root as it came, so that kilometres stay out of the sums.
            let wanted = bones.ankle + shift;
            let solved = leg::solve(
                &bones,
                pelvis.place(slot, bones.hip),
                wanted,
                self.full_reach,
                self.max_stretch,
            );
            stretch = solved.stretch;
            ankle = slot.root + solved.ankle;
            let above = pelvis.turn();
            write(rig_leg, &source, above, &solved, foot_turn, rotations);
            if stretch > 1.0 {
                for bone in &rig_leg.bones {
                    locals[bone.index()] *= stretch as f32;
                }
            }
        }
        let toes_up = self.toes_up(frame, leg);
        let rig_leg = self.rig.legs[leg].as_ref();
        if let (Some(fix), Some((toe, _))) = (toes_up, rig_leg.and_then(|l| l.toe)) {
            let above = source.above_toe.as_dquat();
            let local = rotations[toe.index()].as_dquat();
            let turned = above.inverse() * fix * above * local;
            rotations[toe.index()] = turned.normalize().as_quat();
        }
        self.note_residuals(frame, leg, ankle, foot_turn);
        stretch
    }

    /// How far held points are from their plants.
    fn note_residuals(&mut self, frame: usize, leg: usize, ankle: DVec3, foot_turn: DQuat) {
        let slot = *self.sources.slot(frame);
        let source = &slot.legs[leg];
        for side in 0..2 {
            let channel = 2 * leg + side;
            let (id, arm) = (slot.plants[channel], source.points[side] - source.ankle);
            if id == NONE {
                continue;
            }
            if let Some(plant) = self.plants[channel].get_mut(id as usize)
                && let Some(place) = plant.place
            {
                let at = ankle + foot_turn * arm.as_dvec3();
                plant.residual = plant.residual.max(at.distance(place));
            }
        }
    }
}

/// Local rotations of hip, knee and ankle from world turns: local' = above'⁻¹ · turn · above · local.
fn write(
    leg: &RigLeg,
    source: &LegFrame,
    pelvis: DQuat,
    solved: &leg::Solved,
    foot: DQuat,
    rotations: &mut [Quat],
) {
    let (thigh, shin) = match source.bent_further {
        Some((thigh, shin)) => (solved.thigh * thigh, solved.shin * shin),
        None => (solved.thigh, solved.shin),
    };
    let mut set = |joint: gaitway_core::JointIdx, above: Quat, above_turn: DQuat, turn: DQuat| {
        let above = above.as_dquat();
        let local = rotations[joint.index()].as_dquat();
        let turned = (above_turn * above).inverse() * turn * above * local;
        rotations[joint.index()] = turned.normalize().as_quat();
    };
    set(leg.leg.hip, source.above_hip, pelvis, thigh);
    set(leg.leg.knee, source.above_knee, thigh, shin);
    set(leg.leg.ankle, source.above_ankle, shin, foot);
}
