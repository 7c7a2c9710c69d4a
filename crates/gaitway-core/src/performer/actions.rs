//! What is done standing: jumping and sitting.

use glam::DVec3;

use super::body::{TOE_OUT, sign};
use super::curve::Knot;
use super::director::{Director, StepPlan, forward};
use super::feet::Swing;
use super::height::GRAVITY;
use super::stage::{Chan, HeightEvent};
use super::truth::{Prop, Step};
use crate::anatomy::Side;

/// A plan for feet that are put down by themselves and not in a gait.
pub(super) fn plain_step(gait: &'static str) -> StepPlan {
    StepPlan {
        duration: 0.5,
        overlap: 0.1,
        length: 0.0,
        turn: 0.0,
        half_width: super::body::HALF_STANCE,
        ground: 0.0,
        strike_pitch: 0.0,
        off_pitch: 0.35,
        roll: 0.0,
        heel_off: 0.9,
        ahead: 0.0,
        sway: 0.0,
        swing: Swing {
            lift: 0.04,
            ..Swing::default()
        },
        gait,
    }
}

impl Director {
    /// Crouch, swing the arms, leave the ground with both feet, fall, give at the knees, rise.
    pub(super) fn jump(&mut self, far: f64, height: f64) {
        self.stand();
        let t0 = self.t;
        let vary = 1.0 + self.rng.vary(0.06);
        let effort = (height / 0.3).sqrt() * vary;
        let (down, off) = (t0 + 0.5, t0 + 0.78);
        // The fall goes on to bent knees, so it is longer than the rise.
        let sink = 0.1;
        let v_off = (2.0 * GRAVITY * height).sqrt();
        let air = v_off / GRAVITY + (2.0 * (height + sink) / GRAVITY).sqrt();
        let land = off + air;
        let (bottom, end) = (land + 0.26, land + 1.05);
        let ahead = forward(self.heading);
        let from = self.middle();
        let to = from + ahead * far;

        self.leap_feet(off, land, height, ahead * far);
        let stage = &mut self.stage;
        stage.go(t0, from);
        stage.go(down, from - ahead * 0.02);
        // At a steady speed through the air: leaving ahead of the feet, landing behind them.
        let speed = far * 0.62 / air;
        let start = from + ahead * (0.03 + 0.2 * far);
        stage.go(off, start);
        stage.go(off + 0.5 * air, start + ahead * (speed * 0.5 * air));
        stage.go(land, start + ahead * (speed * air));
        stage.go(bottom, to - ahead * 0.03);
        stage.go(end - 0.2, to);
        self.jump_posture([t0, down, off, land, bottom, end], effort, far);

        let stage = &mut self.stage;
        let y_off = stage.highest(off, 0.76);
        let v_land = v_off - GRAVITY * air;
        let y_land = y_off + v_off * air - 0.5 * GRAVITY * air * air;
        let knot = |t: f64, y: f64, v: f64, a: f64| HeightEvent::Fixed(Knot { t, y, v, a });
        let stand = stage.highest(down, 0.14);
        let dip = 0.22 + 0.08 * effort;
        stage.events.push(HeightEvent::Stand(t0));
        stage.events.push(knot(down, stand - dip, 0.0, 6.0));
        stage.events.push(knot(off, y_off, v_off, -GRAVITY));
        stage.events.push(knot(land, y_land, v_land, -GRAVITY));
        let low = y_land + v_land * 0.26 * 0.42;
        stage.events.push(knot(bottom, low, 0.0, 5.0));
        stage.events.push(HeightEvent::Stand(end));
        stage.flights.push((off, land));
        stage.moments.push((off + v_off / GRAVITY, "jump"));
        self.label(t0, end, "jump");
        self.place = to;
        self.t = end;
    }

    fn leap_feet(&mut self, off: f64, land: f64, height: f64, way: DVec3) {
        for side in 0..2 {
            let apart = 0.006 + self.rng.unit() * 0.008;
            let mut plan = plain_step("jump");
            plan.off_pitch = 0.85;
            plan.strike_pitch = 0.32;
            plan.roll = 0.075 + apart;
            plan.swing = Swing {
                lift: height * 0.85 + 0.05,
                rise: 0.3,
                fall: 0.4,
                peak_pitch: 1.25,
                soft: 0.042,
                peak_at: 0.2,
                ..Swing::default()
            };
            let old = self.stage.feet[side].last().place;
            let to = old + way;
            self.put_foot(side, off, land, &plan, to);
            let foot = &mut self.stage.feet[side];
            let before = foot.stances.len() - 2;
            foot.stances[before].heel_off = off - 0.2;
            self.stage.steps.push(Step {
                side: if side == 0 { Side::Left } else { Side::Right },
                lift_s: off,
                strike_s: land,
                duration_s: land - off,
                length: way.length(),
                place: to,
                heading: self.heading,
                gait: "jump",
            });
        }
    }

    fn jump_posture(&mut self, times: [f64; 6], effort: f64, far: f64) {
        let [t0, down, off, land, bottom, end] = times;
        let stage = &mut self.stage;
        stage.ease(Chan::Life, t0, down, 0.1);
        stage.ease(Chan::Lean, t0 + 0.05, down, 0.55 * effort.min(1.2));
        stage.ease(Chan::Lean, down, off + 0.05, 0.05 + 0.15 * far);
        stage.ease(Chan::Lean, off + 0.1, land, 0.28);
        stage.ease(Chan::Lean, land, bottom, 0.55);
        stage.relax(Chan::Lean, bottom + 0.05, end);
        stage.ease(Chan::Back, t0, down, 0.06);
        stage.ease(Chan::Back, down, off, 0.0);
        stage.ease(Chan::Back, land - 0.1, bottom, 0.06);
        stage.relax(Chan::Back, bottom, end);
        stage.ease(Chan::KneesOut, t0, down, 0.12);
        stage.ease(Chan::KneesOut, end - 0.3, end, 0.0);
        for side in 0..2 {
            stage.ease(Chan::Reach(side), t0, down, -1.25);
            stage.ease(
                Chan::Reach(side),
                down - 0.12,
                off + 0.12,
                1.1 + 0.5 * effort.min(1.3),
            );
            stage.ease(Chan::Reach(side), off + 0.15, land + 0.05, 0.55);
            stage.ease(Chan::Reach(side), land + 0.05, bottom + 0.05, 0.05);
            stage.relax(Chan::Reach(side), bottom + 0.1, end);
            stage.ease(Chan::Elbow(side), down, off, 0.6);
            stage.relax(Chan::Elbow(side), land, end);
            stage.ease(Chan::Away(side), down, off, 0.28);
            stage.relax(Chan::Away(side), land + 0.2, end);
        }
        stage.ease(Chan::Life, end - 0.3, end + 0.5, 1.0);
    }

    /// Down onto a seat behind, stay, and up again: forward first, then up.
    pub(super) fn sit(&mut self, height: f64, seconds: f64) {
        self.stand();
        let t0 = self.t;
        let vary = 1.0 + self.rng.vary(0.06);
        let seated = t0 + 1.35 * vary;
        let rise = seated + seconds;
        let end = rise + 1.4 * vary;
        let ahead = forward(self.heading);
        let middle = self.middle();
        // The pelvis joint is this far above what one sits on.
        let y = height + 0.1;
        let depth = 0.37 + 0.25 * (0.5 - height).max(0.0);
        let seat = middle - ahead * depth;
        let stage = &mut self.stage;
        stage.events.push(HeightEvent::Stand(t0));
        stage.go(t0, middle);
        stage.go(t0 + 0.15, middle);
        stage.go(seated, seat);
        stage.go(rise, seat);
        stage.go(end - 0.1, middle);
        for t in [seated, rise + 0.25] {
            stage.events.push(HeightEvent::Fixed(Knot {
                t,
                y,
                v: 0.0,
                a: 0.0,
            }));
        }
        stage.events.push(HeightEvent::Stand(end));
        stage.ease(Chan::Lean, t0, t0 + 0.75, 0.72);
        stage.ease(Chan::Lean, t0 + 0.95, seated + 0.35, -0.02);
        stage.ease(Chan::Lean, rise - 0.2, rise + 0.4, 0.8);
        stage.relax(Chan::Lean, rise + 0.55, end);
        stage.ease(Chan::Look, t0, t0 + 0.5, 0.15);
        stage.relax(Chan::Look, seated, seated + 0.5);
        stage.ease(Chan::KneesOut, t0, seated, 0.12);
        stage.relax(Chan::KneesOut, rise, end);
        stage.ease(Chan::Life, t0, t0 + 0.4, 0.1);
        stage.ease(Chan::Life, seated + 0.3, seated + 0.9, 0.5);
        stage.ease(Chan::Life, rise - 0.3, rise, 0.1);
        stage.ease(Chan::Life, end, end + 0.5, 1.0);
        for side in 0..2 {
            // Hands come to rest on the thighs.
            let rest = [0.13 * sign(side), 0.085, 0.27];
            let hand = &mut stage.hands[side];
            for (axis, value) in hand.near.iter_mut().zip(rest) {
                axis.key(t0, value);
            }
            hand.near_weight.ease(t0 + 0.55, seated + 0.15, 1.0);
            hand.near_weight.ease(rise + 0.25, rise + 0.95, 0.0);
        }
        let top = DVec3::new(seat.x, height, seat.z);
        stage.props.push(Prop::Seat {
            top,
            heading: self.heading,
        });
        stage.moments.push((seated, "sit"));
        self.label(t0, end, "sit");
        self.t = end;
    }

    /// Where a foot stands beside the middle, for guards.
    pub(super) fn foot_yaw(&mut self, side: usize, out: f64) {
        let heading = self.heading;
        self.stage.feet[side].last_mut().yaw = heading + sign(side) * (TOE_OUT + out);
    }
}
