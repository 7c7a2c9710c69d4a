//! Toes turned up out of the floor.
//!
//! Toes turn about their hinge h, fixed in the foot. The tip's height over the ball of the foot is then p + m sin ψ, p what lies
//! along h, and turning by φ gives p + m sin(ψ + φ): the least φ ≥ 0 with which it is high enough is asin((rise − p) / m) − ψ. Which way
//! a toe goes up does not depend on where it points, so toes that point straight down do not flip. Near there φ comes and goes at once;
//! toes turn at 16 rad/s at most, so a frame takes the largest of φ(s) − 16 |s − t| of the frames around it. Toes that stand
//! ask nothing of each other: a foot that was planted before must not stand higher when it is planted again. Where the tip itself is
//! what stands, it takes φ alone.

use glam::{DQuat, DVec3};

use super::ease::{self, SLOPE_FRAMES};
use super::pipeline::Pipeline;

/// Toes turn no further than this, in radians.
const MOST: f64 = 3.0;
/// Nor faster than this, in radians per second.
pub(super) const FASTEST: f64 = 16.0;

impl Pipeline {
    /// The turn, in the captured world, with which the tip of the toes is out of the floor. Frames are asked for in order.
    pub fn toes_up(&mut self, frame: usize, leg: usize) -> Option<DQuat> {
        self.rig.legs[leg].as_ref()?.toe?;
        if !self.lifts() || self.heights.floors.is_empty() {
            return None;
        }
        let angle = if self.tip_stands(frame, leg) {
            self.toes_up_alone(frame, leg)
        } else {
            self.toes_up_steadily(frame, leg)
        };
        let source = &self.sources.slot(frame).legs[leg];
        let axis = self.hinges.toes(leg, source);
        (angle > 0.0).then(|| DQuat::from_axis_angle(axis, angle))
    }

    fn tip_stands(&self, frame: usize, leg: usize) -> bool {
        let Some(rig) = self.rig.legs[leg].as_ref() else {
            return false;
        };
        let is_tip = rig.points[1].map(|p| p.1) == rig.toe.map(|t| t.1);
        is_tip && self.stands(frame, leg)
    }

    fn stands(&self, frame: usize, leg: usize) -> bool {
        self.place_of(frame, 2 * leg + 1).is_some()
    }

    /// What a frame and those around it ask for.
    fn toes_up_steadily(&mut self, frame: usize, leg: usize) -> f64 {
        let a_frame = self.frames.toe_turn;
        // Corrections of the foot are known for no longer than the root's three windows.
        let window = ((MOST / a_frame) as usize).min(3 * self.frames.root);
        let stands = self.stands(frame, leg);
        let mut angle = 0.0_f64;
        for f in frame.saturating_sub(window)..(frame + window + 1).min(self.pushed()) {
            if f != frame && stands && self.stands(f, leg) {
                continue;
            }
            let away = a_frame * f.abs_diff(frame) as f64;
            angle = angle.max(self.toes_up_alone(f, leg) - away);
        }
        angle
    }

    /// What a frame by itself asks for.
    fn toes_up_alone(&mut self, frame: usize, leg: usize) -> f64 {
        let slot = self.sources.slot(frame);
        if let Some(known) = slot.toes_up[leg] {
            return known;
        }
        let source = &slot.legs[leg];
        let turn = DQuat::from_scaled_axis(slot.turn[leg]);
        let ankle = slot.root.y + f64::from(source.ankle.y) + slot.shift[leg].y;
        let ball = ankle + (turn * (source.ball - source.ankle).as_dvec3()).y;
        let arm = turn * (source.tip - source.ball).as_dvec3();
        let axis = turn * self.hinges.toes(leg, source);
        let angle = self
            .floor_of(frame, leg)
            .map_or(0.0, |floor| up(arm, axis, floor - ball));
        self.sources.slot_mut(frame).toes_up[leg] = Some(angle);
        angle
    }

    /// The floor a foot is over: that of its plants, the lowest away from them, and in between beside them.
    fn floor_of(&self, frame: usize, leg: usize) -> Option<f64> {
        let lowest = self.heights.floors.first().copied()?;
        if self.heights.floors.len() == 1 {
            return Some(lowest);
        }
        let window = self.frames.ease_turn;
        let held = |f: usize| Some(self.held_floor(f, leg)? - lowest);
        let mut most = held(frame).unwrap_or(0.0);
        if held(frame).is_none() {
            for d in 1..window {
                // Borders are not found to the frame: a step begins to fall only beyond them.
                let beyond = d.saturating_sub(SLOPE_FRAMES) as f64;
                let weight = ease::alpha(beyond / (window - SLOPE_FRAMES.min(window - 1)) as f64);
                let before = frame.checked_sub(d).and_then(held);
                let after = (frame + d < self.pushed())
                    .then(|| held(frame + d))
                    .flatten();
                for step in before.into_iter().chain(after) {
                    most = most.max(weight * step);
                }
            }
        }
        Some(lowest + most)
    }

    /// The floor under what is held of a foot.
    fn held_floor(&self, frame: usize, leg: usize) -> Option<f64> {
        let under = |side: usize| {
            let channel = 2 * leg + side;
            let place = self.place_of(frame, channel)?;
            let bit = self.rig.bit(channel)?;
            self.heights.floor_under(bit, place.y, self.rig.scale)
        };
        under(1).or_else(|| under(0))
    }
}

/// The least turn about `axis`, a unit vector, that brings the end of an arm as high as `rise` over its start; at most [`MOST`].
fn up(arm: DVec3, axis: DVec3, rise: f64) -> f64 {
    let along = axis * arm.dot(axis);
    let across = arm - along;
    // Height after a turn by φ: along.y + across.y cos φ + (axis × across).y sin φ.
    let (still, turning) = (across.y, axis.cross(across).y);
    let most = still.hypot(turning);
    if most < 1e-6 || arm.y >= rise - 1e-6 {
        return 0.0;
    }
    let wanted = ((rise - along.y) / most).clamp(-1.0, 1.0).asin();
    (wanted - still.atan2(turning)).clamp(0.0, MOST)
}

/// How high over its start a turn about `axis`, a unit vector, may bring the end of an arm.
pub(super) fn highest(arm: DVec3, axis: DVec3) -> f64 {
    let along = axis * arm.dot(axis);
    let across = arm - along;
    along.y + across.y.hypot(axis.cross(across).y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tip_comes_as_high_as_it_must(pitch in -1.2..1.2_f64, tilt in -0.3..0.3_f64, rise in -0.05..0.03_f64) {
            let long = 0.07;
            let axis = DVec3::new(-tilt.cos(), tilt.sin(), 0.0);
            let arm = DQuat::from_axis_angle(axis, pitch) * DVec3::new(0.0, 0.0, long);
            let angle = up(arm, axis, rise);
            let tip = DQuat::from_axis_angle(axis, angle) * arm;
            if angle < MOST {
                prop_assert!(tip.y >= rise - 2e-6, "{} below {rise}", tip.y);
                prop_assert!(angle == 0.0 || tip.y <= rise + 2e-6);
            }
            // Through every pitch, straight down included, without a jump.
            let near = up(DQuat::from_axis_angle(axis, 1e-6) * arm, axis, rise);
            prop_assert!((near - angle).abs() < 1e-3, "{angle} {near}");
        }
    }

    #[test]
    fn toes_that_point_down_come_up_to_the_front() {
        let angle = up(DVec3::new(0.0, -0.07, 1e-9), DVec3::NEG_X, -0.05);
        let tip = DQuat::from_axis_angle(DVec3::NEG_X, angle) * DVec3::NEG_Y * 0.07;
        assert!(tip.z > 0.0 && (tip.y + 0.05).abs() < 1e-6, "{tip}");
    }
}
