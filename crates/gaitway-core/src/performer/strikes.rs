//! Punches and kicks, out of a guard: one foot ahead, knees soft, fists up.

use glam::{DQuat, DVec3};

use super::actions::plain_step;
use super::body::sign;
use super::curve::Curve;
use super::director::Director;
use super::feet::Swing;
use super::stage::{Chan, HeightEvent};

/// Where the fists are in a guard, from the pelvis: left first.
const GUARD: [[f64; 3]; 2] = [[0.1, 0.4, 0.34], [-0.09, 0.4, 0.24]];

impl Director {
    /// Moves one foot by itself, from `off` to `strike`, and the hips between the feet.
    fn shift_foot(&mut self, side: usize, from_middle: DVec3, out: f64, label: &'static str) {
        let t = self.t;
        let middle = self.middle();
        let turn = DQuat::from_rotation_y(self.heading);
        let stand = self.stage.feet[1 - side].last().place;
        let to = stand + turn * from_middle;
        let (off, strike) = (t + 0.24, t + 0.54);
        self.put_foot(side, off, strike, &plain_step(label), to);
        self.foot_yaw(side, out);
        self.stage.go(t, middle);
        self.stage.go(off + 0.04, middle.lerp(stand, 0.5));
        let after = self.middle();
        self.stage.go(strike + 0.16, after);
        self.stage.support.ease(t, off + 0.05, 0.8 * sign(1 - side));
        self.stage.support.ease(strike - 0.1, strike + 0.15, 0.0);
        for t in [t, off + 0.08, strike + 0.2] {
            self.stage.events.push(HeightEvent::Stand(t));
        }
        self.t = strike + 0.2;
    }

    fn take_guard(&mut self) {
        if self.guard {
            return;
        }
        self.stand();
        let t = self.t;
        for (chan, value) in [
            (Chan::Crouch, 0.055),
            (Chan::Lean, 0.16),
            (Chan::HipYaw, -0.3),
            (Chan::Twist, -0.12),
            (Chan::Look, 0.05),
            (Chan::KneesOut, 0.08),
        ] {
            self.stage.ease(chan, t, t + 0.6, value);
        }
        self.stage.ease(Chan::Life, t, t + 0.4, 0.25);
        for (hand, place) in self.stage.hands.iter_mut().zip(GUARD) {
            for (axis, value) in hand.near.iter_mut().zip(place) {
                axis.key(t, value);
            }
            hand.near_weight.ease(t + 0.08, t + 0.58, 1.0);
        }
        // The right foot goes back and turns out.
        self.shift_foot(1, DVec3::new(-0.24, 0.0, -0.34), 0.45, "guard");
        self.label(t, self.t, "martial");
        self.guard = true;
    }

    /// Feet together, hands down.
    pub(super) fn leave_guard(&mut self) {
        let t = self.t;
        self.guard = false;
        for chan in [
            Chan::Crouch,
            Chan::Lean,
            Chan::HipYaw,
            Chan::Twist,
            Chan::Look,
            Chan::KneesOut,
        ] {
            self.stage.relax(chan, t, t + 0.65);
        }
        for hand in &mut self.stage.hands {
            hand.near_weight.ease(t + 0.05, t + 0.75, 0.0);
        }
        let beside = -2.0 * super::body::HALF_STANCE;
        self.shift_foot(1, DVec3::new(beside, 0.0, 0.0), 0.0, "guard");
        self.stage.ease(Chan::Life, self.t, self.t + 0.5, 1.0);
        self.label(t, self.t, "martial");
        let middle = self.middle();
        self.place = DVec3::new(middle.x, 0.0, middle.z);
    }

    /// A straight punch: hips, shoulders, then the fist, and back.
    pub(super) fn punch(&mut self, side: usize) {
        let began = self.t;
        self.take_guard();
        let t = self.t;
        let hit = t + 0.3 + self.rng.vary(0.02);
        let back = hit + 0.34 + self.rng.vary(0.03);
        let end = back + 0.12;
        // The rear hand has the longer way and turns the body more.
        let (hips, twist) = if side == 0 {
            (-0.45, -0.4)
        } else {
            (0.1, 0.42)
        };
        let target = [0.02 * sign(side), 0.47 + self.rng.vary(0.03), 0.74];
        let stage = &mut self.stage;
        stage.ease(Chan::HipYaw, t, hit - 0.02, hips);
        stage.ease(Chan::HipYaw, hit + 0.04, back, -0.3);
        stage.ease(Chan::Twist, t + 0.03, hit, twist);
        stage.ease(Chan::Twist, hit + 0.04, back, -0.12);
        stage.ease(Chan::Lean, t, hit, 0.26);
        stage.ease(Chan::Lean, hit, back, 0.16);
        stage.ease(Chan::Back, t, hit, -0.05);
        stage.ease(Chan::Back, hit, back, 0.0);
        for (axis, (value, home)) in stage.hands[side]
            .near
            .iter_mut()
            .zip(target.into_iter().zip(GUARD[side]))
        {
            axis.ease(t + 0.08, hit, value);
            axis.ease(hit + 0.06, back, home);
        }
        for t in [t, hit, back, end] {
            stage.events.push(HeightEvent::Stand(t));
        }
        self.label(began, end, "punch");
        self.label(began, end, "martial");
        self.t = end;
    }

    /// A front kick: knee up, out, back, down.
    pub(super) fn kick(&mut self, side: usize, height: f64) {
        let began = self.t;
        self.take_guard();
        let t = self.t;
        let vary = self.rng.vary(0.02);
        let (off, knee, hit) = (t + 0.3, t + 0.58 + vary, t + 0.82 + vary);
        let (fold, strike) = (hit + 0.3, hit + 0.64);
        let middle = self.middle();
        let turn = DQuat::from_rotation_y(self.heading);
        let stand = self.stage.feet[1 - side].last().place;
        let foot = self.stage.feet[side].last().place;
        // How far the foot starts behind the standing one, so that the kick ends in front of it.
        let behind = (turn.inverse() * (stand - foot)).z;
        let zero = Curve::constant(0.0);
        let mut extra = [zero.clone(), zero.clone(), zero.clone(), zero];
        let inward = (turn.inverse() * (stand - foot)).x * 0.75;
        let keys = [
            (off, [0.0; 4]),
            (
                knee,
                [behind + 0.12, 0.34 + 0.2 * height, 0.6 * inward, 0.45],
            ),
            (hit, [behind + 0.93, height + 0.06, inward, -1.35]),
            (hit + 0.07, [behind + 0.9, height + 0.04, inward, -1.2]),
            (fold, [behind + 0.16, 0.42, 0.7 * inward, 0.35]),
            (strike, [0.0; 4]),
        ];
        for (t, values) in keys {
            for (curve, value) in extra.iter_mut().zip(values) {
                // At rest shortly before it lands and after it leaves, so that plants stay exact.
                let at = if t == off {
                    t + 0.06
                } else if t == strike {
                    t - 0.06
                } else {
                    t
                };
                curve.key(at, value);
            }
        }
        let mut plan = plain_step("kick");
        plan.off_pitch = 0.5;
        plan.swing = Swing {
            lift: 0.04,
            extra: Some(Box::new(extra)),
            ..Swing::default()
        };
        let yaw = self.stage.feet[side].last().yaw;
        self.put_foot(side, off, strike, &plan, foot);
        self.stage.feet[side].last_mut().yaw = yaw;
        let end = strike + 0.25;
        let s = sign(side);
        let stage = &mut self.stage;
        stage.go(t, middle);
        let over = middle.lerp(stand, 0.86);
        stage.go(off + 0.02, over);
        stage.go(strike - 0.12, over);
        stage.go(end, middle);
        stage.support.ease(t, off, 0.9 * sign(1 - side));
        stage.support.ease(strike - 0.1, end, 0.0);
        let hip = stage.channel(Chan::HipYaw).last();
        stage.ease(Chan::HipYaw, knee - 0.1, hit, s * 0.5);
        stage.ease(Chan::HipYaw, hit + 0.05, strike, hip);
        stage.ease(Chan::Lean, off, hit, -0.34);
        stage.ease(Chan::Lean, hit + 0.1, strike, 0.16);
        for t in [t, off, hit, strike, end] {
            stage.events.push(HeightEvent::Stand(t));
        }
        self.label(began, end, "kick");
        self.label(began, end, "martial");
        self.t = end;
    }
}
