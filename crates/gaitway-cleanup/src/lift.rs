//! Feet out of the floor.
//!
//! A foot held by one point turns about it until its other point is no lower than where it stands. A foot that is not
//! held is lifted by the depth d(t) of the deepest of heel, toe and tip of the toes, and beside that
//!
//!   w(t) · max over s of d(s) α(|s − t| / W),      w → 0 towards plants
//!
//! so that it comes to the floor gradually. Where nothing is in the floor, nothing is lifted.

use glam::{DQuat, DVec3};

use super::ease::{self, Border, Gap};
use super::pipeline::Pipeline;
use super::toes;

impl Pipeline {
    /// Any point down: the further turn about it with which the foot's other point is not in the floor.
    pub fn held_pitch(&self, frame: usize, leg: usize) -> Option<DVec3> {
        let places = [0, 1].map(|side| self.place_of(frame, 2 * leg + side));
        let (side, place) = match places {
            [Some(place), None] => (0, place),
            [None, Some(place)] => (1, place),
            [Some(_), Some(_)] => return Some(DVec3::ZERO),
            [None, None] => return None,
        };
        let bits = [side, 1 - side].map(|s| self.rig.bit(2 * leg + s));
        let (true, [Some(bit), Some(mate)]) = (self.lifts(), bits) else {
            return Some(DVec3::ZERO);
        };
        let slot = self.sources.slot(frame);
        let points = slot.legs[leg].points;
        let arm =
            DQuat::from_scaled_axis(slot.turn[leg]) * (points[1 - side] - points[side]).as_dvec3();
        let least = self.heights.mate(bit, place.y, mate, self.rig.scale);
        let rise = least.map_or(f64::NEG_INFINITY, |l| l - place.y);
        let Some(pitch) = raised(arm, rise).map(|turn| turn.to_scaled_axis()) else {
            return Some(DVec3::ZERO);
        };
        Some(pitch.clamp_length_max(self.most_pitch(frame, leg)))
    }

    /// How far a foot held by one point may be turned about it: none where both hold it, and from there no faster than feet turn.
    fn most_pitch(&self, frame: usize, leg: usize) -> f64 {
        let both = |f: usize| self.lies_along(f, leg).is_some();
        let near = |d: &usize| {
            frame.checked_sub(*d).is_some_and(both) || frame + d < self.pushed() && both(frame + d)
        };
        let away = (0..=self.frames.ease_turn).find(near);
        away.map_or(f64::INFINITY, |d| d as f64 * self.frames.pitch)
    }

    /// Turns and lifts a foot so that no contact point is below where it stands. What a plant itself leaves
    /// in the floor (where two plants contradict each other) stays, and eases off beside the plant.
    pub fn lift_out(&mut self, frame: usize, leg: usize, gap: Gap) {
        if let Some(pitch) = self.held_pitch(frame, leg) {
            self.turn_further(frame, leg, pitch);
            let depth = self.depth(frame, leg, DVec3::ZERO, self.sources.slot(frame).shift[leg]);
            self.feet[leg].pitch.push(frame, pitch);
            self.feet[leg].depth.push(frame, depth.max(DVec3::ZERO));
            return;
        }
        let next = gap.after.map(|b| b.frame);
        let still = |f: Option<usize>, value: &dyn Fn(usize) -> Option<DVec3>| {
            f.and_then(|f| Some(Border::still(f, value(f)?)))
        };
        let scene = Swing {
            gap,
            pitch: Gap {
                before: self.feet[leg].pitch.still(),
                after: still(next, &|f| self.held_pitch(f, leg)),
            },
            left: Gap {
                before: self.feet[leg].depth.still(),
                after: still(next, &|f| self.held_depth(f, leg)),
            },
        };
        let dip = self.dip(frame, leg, &scene);
        let lift = self.steady_lift(frame, leg, &scene, dip);
        let window = self.frames.ease_turn;
        let pitch = scene.pitch.at(frame, window);
        self.turn_further(frame, leg, pitch);
        let slot = self.sources.slot_mut(frame);
        slot.dip[leg] = dip;
        slot.shift[leg].y += lift;
    }

    fn turn_further(&mut self, frame: usize, leg: usize, pitch: DVec3) {
        if pitch != DVec3::ZERO {
            let turn = &mut self.sources.slot_mut(frame).turn[leg];
            let turned = DQuat::from_scaled_axis(pitch) * DQuat::from_scaled_axis(*turn);
            *turn = turned.to_scaled_axis();
        }
    }

    /// The lift of a frame that is not held, with those around it in view.
    fn eased_lift(&self, frame: usize, leg: usize, scene: &Swing, dip: f64) -> f64 {
        let window = self.frames.ease_turn;
        let (before, after) = (scene.gap.before, scene.gap.after);
        let first = before.map_or(0, |b| b.frame + 1);
        let end = after.map_or(self.pushed(), |b| b.frame);
        let near = |b: Option<Border>| {
            let far = |b: Border| b.frame.abs_diff(frame) as f64 / window as f64;
            1.0 - b.map_or(0.0, |b| ease::alpha(far(b)))
        };
        let weight = |f: usize| ease::alpha(f.abs_diff(frame) as f64 / window as f64);
        let mut most = 0.0_f64;
        for f in frame.saturating_sub(window).max(first)..frame {
            most = most.max(weight(f) * self.sources.slot(f).dip[leg]);
        }
        // No further than plants are looked for.
        let ahead = window.min(self.frames.ease);
        for f in frame + 1..(frame + ahead).min(end) {
            most = most.max(weight(f) * self.dip(f, leg, scene));
        }
        dip.max(near(before) * near(after) * most)
    }

    /// The lift with which a foot rises and sinks no faster than feet do.
    fn steady_lift(&self, frame: usize, leg: usize, scene: &Swing, dip: f64) -> f64 {
        let (before, after) = (scene.gap.before, scene.gap.after);
        let first = before.map_or(0, |b| b.frame + 1);
        let end = after.map_or(self.pushed(), |b| b.frame);
        let steepest = self.frames.lift * self.rig.scale;
        let falls = |f: usize| steepest * f.abs_diff(frame) as f64;
        let window = self.frames.ease_turn.min(self.frames.ease);
        let mut most = self.eased_lift(frame, leg, scene, dip);
        for f in frame.saturating_sub(window).max(first)..frame {
            most = most.max(self.sources.slot(f).dip[leg] - falls(f));
        }
        for f in frame + 1..(frame + window).min(end) {
            most = most.max(self.dip(f, leg, scene) - falls(f));
        }
        most
    }

    /// How deep a foot is in the floor in a frame of a gap.
    fn dip(&self, frame: usize, leg: usize, scene: &Swing) -> f64 {
        let (window, short) = (self.frames.ease, self.frames.ease_turn);
        let gap = scene.gap;
        let shift = ease::between(frame, gap.before, gap.after, window, short.min(window));
        let pitch = scene.pitch.at(frame, short);
        if self.is_clear(frame, leg, pitch, shift) {
            return 0.0;
        }
        let depth = self.depth(frame, leg, pitch, shift);
        (depth - scene.left.at(frame, short)).max_element().max(0.0)
    }

    /// Whether a foot is out of the floor however it is turned: most are, and this is quickly seen.
    fn is_clear(&self, frame: usize, leg: usize, pitch: DVec3, shift: DVec3) -> bool {
        let slot = self.sources.slot(frame);
        let foot = &slot.legs[leg];
        // A turn by an angle moves the end of an arm by no more than angle times length.
        let angle = slot.turn[leg].length() + pitch.length();
        let clear = |point: glam::Vec3, floor: Option<f64>| {
            let arm = f64::from((point - foot.ankle).length());
            let height = slot.root.y + f64::from(point.y) + shift.y;
            floor.is_none_or(|floor| height - angle * arm > floor)
        };
        let points = (0..2).all(|side| clear(foot.points[side], self.least_height(leg, side)));
        points && clear(foot.tip, self.floor_for_tips(leg))
    }

    /// The height below which a point of a foot in the air is in the floor.
    fn least_height(&self, leg: usize, side: usize) -> Option<f64> {
        let bit = self.rig.bit(2 * leg + side)?;
        match self.is_whole() {
            true => self.heights.in_the_air(Some(bit)),
            false => self.heights.lowest(bit),
        }
    }

    /// The floor that a tip of toes comes up to, where toes turn.
    fn floor_for_tips(&self, leg: usize) -> Option<f64> {
        self.rig.legs[leg].as_ref()?.toe?;
        self.heights.in_the_air(None).filter(|_| self.is_whole())
    }

    /// Whether a foot in the air is in the floor by more than can be seen, 2 mm, however its toes are turned.
    pub fn sinks(&self) -> bool {
        const SEEN: f64 = 2e-3;
        let deep = |frame: usize, leg: usize| {
            let slot = self.sources.slot(frame);
            let held = (0..2).any(|side| self.place_of(frame, 2 * leg + side).is_some());
            !held
                && self
                    .depth(frame, leg, DVec3::ZERO, slot.shift[leg])
                    .max_element()
                    > SEEN
        };
        let legs =
            |frame: usize| (0..2).any(|leg| self.rig.legs[leg].is_some() && deep(frame, leg));
        self.lifts() && self.is_whole() && (0..self.pushed()).any(legs)
    }

    /// The depth of a foot in a frame that is held but has not been shifted yet.
    fn held_depth(&self, frame: usize, leg: usize) -> Option<DVec3> {
        let (shift, pitch) = (self.held_shift(frame, leg)?, self.held_pitch(frame, leg)?);
        Some(self.depth(frame, leg, pitch, shift).max(DVec3::ZERO))
    }

    /// How far below where they stand at lowest the contact points of a foot are, and how far below the floor the tip of
    /// its toes stays when they are turned up as far as they go; negative above.
    fn depth(&self, frame: usize, leg: usize, pitch: DVec3, shift: DVec3) -> DVec3 {
        let slot = self.sources.slot(frame);
        let foot = &slot.legs[leg];
        let mut turn = DQuat::from_scaled_axis(slot.turn[leg]);
        if pitch != DVec3::ZERO {
            turn = DQuat::from_scaled_axis(pitch) * turn;
        }
        let ankle = slot.root.y + f64::from(foot.ankle.y) + shift.y;
        let mut depth = [f64::NEG_INFINITY; 2];
        for (side, depth) in depth.iter_mut().enumerate() {
            if let Some(floor) = self.least_height(leg, side) {
                let arm = (foot.points[side] - foot.ankle).as_dvec3();
                *depth = floor - ankle - (turn * arm).y;
            }
        }
        let tip = self.floor_for_tips(leg).map(|floor| {
            let ball = ankle + (turn * (foot.ball - foot.ankle).as_dvec3()).y;
            let arm = turn * (foot.tip - foot.ball).as_dvec3();
            floor - ball - toes::highest(arm, turn * self.hinges.toes(leg, foot))
        });
        DVec3::new(depth[0], depth[1], tip.unwrap_or(f64::NEG_INFINITY))
    }
}

/// What is known about a gap between plants of a foot.
struct Swing {
    gap: Gap,
    pitch: Gap,
    /// Depths that plants leave at its ends.
    left: Gap,
}

/// The least turn that brings the end of an arm up to a height over its start; `None` where it is there.
pub(super) fn raised(arm: DVec3, rise: f64) -> Option<DQuat> {
    let long = arm.length();
    if arm.y >= rise - 1e-6 || long < 1e-3 {
        return None;
    }
    // No farther than to nine tenths of its length: beyond, little height takes a long turn. An arm that is steeper stays so.
    let rise = rise.min((0.9 * long).max(arm.y));
    if arm.y >= rise - 1e-6 {
        return None;
    }
    let flat = arm.with_y(0.0).try_normalize()?;
    let wanted = flat * (long * long - rise * rise).max(0.0).sqrt() + DVec3::Y * rise;
    Some(DQuat::from_rotation_arc(arm / long, wanted.normalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_is_raised_as_far_as_it_must_and_can_be() {
        let arm = DVec3::new(0.06, -0.02, 0.0);
        let up = raised(arm, 0.01).expect("too low") * arm;
        assert!((up.y - 0.01).abs() < 1e-12 && (up.length() - arm.length()).abs() < 1e-12);
        assert!(up.z.abs() < 1e-12 && up.x > 0.0);
        assert!(raised(arm, -0.02).is_none());
        assert!(raised(DVec3::NEG_Y, 0.5).is_none(), "no way to turn");
        let steep = DVec3::new(0.02, 0.1, 0.0);
        assert!(
            raised(steep, 0.101).is_none(),
            "steeper than it could be raised to"
        );
        let most = raised(arm, 5.0).expect("too low") * arm;
        assert!(most.is_finite() && most.y < arm.length());
    }
}
