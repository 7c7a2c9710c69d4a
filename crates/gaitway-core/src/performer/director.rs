//! The director turns moves into a plan: it knows where the performer is, which foot is next, and puts in
//! starts and stops where moves need them.

use glam::{DQuat, DVec3};

use super::body::{self, HALF_STANCE, TOE_OUT};
use super::feet::{Stance, Swing};
use super::gait::Gait;
use super::hands::{Act, Thing};
use super::rng::Rng;
use super::script::Move;
use super::stage::{Chan, HeightEvent, Stage};
use super::truth::Step;
use crate::anatomy::Side;

/// What a step is like.
#[derive(Clone, Debug)]
pub(super) struct StepPlan {
    /// Seconds from the other foot's strike to this one's.
    pub(super) duration: f64,
    /// Seconds both feet stand at its start; below 0 neither does.
    pub(super) overlap: f64,
    /// Way and turn of the path.
    pub(super) length: f64,
    pub(super) turn: f64,
    /// Distance of the foot from the path.
    pub(super) half_width: f64,
    /// Height of the ground where it lands.
    pub(super) ground: f64,
    pub(super) strike_pitch: f64,
    pub(super) off_pitch: f64,
    /// Seconds from strike to flat.
    pub(super) roll: f64,
    /// The part of the stance after which the heel leaves.
    pub(super) heel_off: f64,
    /// How far hips are ahead of the middle between the feet, and sway towards the standing one.
    pub(super) ahead: f64,
    pub(super) sway: f64,
    pub(super) swing: Swing,
    pub(super) gait: &'static str,
}

/// Standing, or in the middle of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    Standing,
    /// The foot that struck last, and when.
    Stepping {
        last: usize,
        strike: f64,
    },
}

/// Where the performer is in the plan.
#[derive(Clone)]
pub(super) struct Director {
    pub(super) stage: Stage,
    pub(super) rng: Rng,
    /// Everything up to here is planned.
    pub(super) t: f64,
    pub(super) heading: f64,
    /// The point of the path at the last strike.
    pub(super) place: DVec3,
    pub(super) mode: Mode,
    /// What the steps were like lately.
    pub(super) gait: Option<Gait>,
    /// In a fighter's guard.
    pub(super) guard: bool,
}

pub(super) fn forward(heading: f64) -> DVec3 {
    DVec3::new(heading.sin(), 0.0, heading.cos())
}

impl Director {
    pub(super) fn new(mut rng: Rng) -> Self {
        let stage = Stage::new(&mut rng);
        Self {
            stage,
            rng,
            t: 0.0,
            heading: 0.0,
            place: DVec3::ZERO,
            mode: Mode::Standing,
            gait: None,
            guard: false,
        }
    }

    /// Plans one move after what is planned already.
    pub(super) fn perform(&mut self, m: &Move) {
        if self.guard && !matches!(m, Move::Punch { .. } | Move::Kick { .. }) {
            self.leave_guard();
        }
        match *m {
            Move::Idle { seconds } => self.idle(seconds),
            Move::Walk {
                steps,
                speed,
                step_length,
                turn,
            } => {
                let gait = Gait::walk(speed, step_length);
                self.steps(gait, steps, turn);
            }
            Move::Run { steps, speed, turn } => self.steps(Gait::run(speed), steps, turn),
            Move::Sneak { steps, speed, turn } => self.steps(Gait::sneak(speed), steps, turn),
            Move::Duck { steps, depth } => self.steps(Gait::duck(depth), steps, 0.0),
            Move::Turn { angle } => self.turn(angle),
            Move::Stop => self.stand(),
            Move::Jump { forward, height } => self.jump(forward, height),
            Move::StepOnto { height } => self.step_onto(height),
            Move::PickUp {
                side,
                height,
                reach,
                aside,
            } => self.hand_to(&Thing {
                act: Act::Take,
                side: side.index(),
                height,
                reach,
                aside,
                exact: false,
            }),
            Move::Take {
                side,
                height,
                reach,
                bearing,
            } => self.palm_to(Act::Take, side, height, reach, bearing),
            Move::Put {
                side,
                height,
                reach,
                bearing,
            } => self.palm_to(Act::Put, side, height, reach, bearing),
            Move::DuckUnder { height } => self.duck_under(height),
            Move::StepOver { height } => self.step_over(height),
            Move::LeapOver { gap } => self.leap_over(gap),
            Move::Stones {
                count,
                spacing,
                height,
            } => self.stones(count, spacing, height),
            Move::Sit { height, seconds } => self.sit(height, seconds),
            Move::Punch { side } => self.punch(side.index()),
            Move::Kick { side, height } => self.kick(side.index(), height),
        }
    }

    /// Ends the plan: a last moment of whatever is going on.
    pub(super) fn finish(mut self) -> (Stage, f64) {
        if self.guard {
            self.leave_guard();
        }
        let mut end = self.t;
        if let Mode::Stepping { strike, .. } = self.mode {
            // A take that ends in a stride is planned two steps on and cut here.
            end = strike;
            if let Some(gait) = self.gait.clone() {
                for _ in 0..2 {
                    let plan = gait.step(&mut self.rng, 0.0);
                    self.step(&plan);
                }
            }
        }
        self.stand();
        self.stage
            .labels
            .iter_mut()
            .for_each(|l| l.1 = l.1.min(end));
        self.stage.labels.retain(|l| l.0 < end - 1e-9);
        self.stage.steps.retain(|s| s.strike_s <= end + 1e-9);
        self.stage.settle_height();
        (self.stage, end)
    }

    pub(super) fn label(&mut self, from: f64, to: f64, label: &'static str) {
        self.stage.labels.push((from, to, label));
    }

    /// The middle between the feet as planned last.
    pub(super) fn middle(&self) -> DVec3 {
        let [l, r] = [0, 1].map(|s| self.stage.feet[s].last().place);
        0.5 * (l + r)
    }

    /// Puts a foot down somewhere else: its toe leaves at `off`, it strikes at `strike`.
    pub(super) fn put_foot(
        &mut self,
        side: usize,
        off: f64,
        strike: f64,
        plan: &StepPlan,
        to: DVec3,
    ) {
        let foot = self.stage.feet[side].last_mut();
        let earliest = foot.flat.max(off - 0.34);
        let usual = foot.strike.max(off - 2.0) * (1.0 - plan.heel_off) + off * plan.heel_off;
        foot.toe_off = off;
        foot.heel_off = usual.max(earliest).min(off - 0.04);
        foot.off_pitch = plan.off_pitch;
        self.stage.feet[side].stances.push(Stance {
            strike,
            flat: strike + plan.roll,
            heel_off: f64::INFINITY,
            toe_off: f64::INFINITY,
            place: DVec3::new(to.x, plan.ground, to.z),
            yaw: self.heading + body::sign(side) * TOE_OUT,
            heading: self.heading,
            strike_pitch: plan.strike_pitch,
            off_pitch: 0.0,
            swing: plan.swing.clone(),
        });
    }

    /// One step of a gait.
    pub(super) fn step(&mut self, plan: &StepPlan) {
        let Mode::Stepping { last, strike } = self.mode else {
            return;
        };
        let side = 1 - last;
        let s = body::sign(side);
        let off = strike + plan.overlap;
        let next = strike + plan.duration;
        let old = self.stage.feet[side].last().clone();
        let stand = self.stage.feet[last].last().clone();
        self.heading += plan.turn;
        self.place += forward(self.heading - 0.5 * plan.turn) * plan.length;
        let left = DQuat::from_rotation_y(self.heading) * DVec3::X;
        let to = self.place + left * (s * plan.half_width);
        self.put_foot(side, off, next, plan, to);

        // The hips' way: between the feet when both stand, and swayed over the one that stands alone.
        let both = strike + 0.5 * plan.overlap;
        let alone = both + 0.5 * plan.duration;
        let start_heading = 0.5 * (old.heading + stand.heading);
        let ahead = forward(stand.heading) * plan.ahead;
        let from = 0.5 * (old.place + stand.place) + ahead;
        let middle = 0.25 * (old.place + 2.0 * stand.place + to) + ahead;
        let side_way = DQuat::from_rotation_y(stand.heading) * DVec3::X;
        let sway = side_way * (plan.sway * (stand.place - middle).dot(side_way));
        if old.strike > -1e2 || self.stage.x.at(both) != self.stage.x.last() {
            self.stage.go(both, from);
        }
        self.stage.go(alone, middle + sway);
        self.stage.heading.key(both, start_heading);
        self.stage.heading.key(alone, stand.heading);
        self.stage.support.key(both, 0.0);
        self.stage.support.key(alone, body::sign(last));
        if plan.overlap > 0.0 {
            // Lowest just after the strike: the front leg then gives little and bears the body up.
            self.stage
                .events
                .push(HeightEvent::Low(strike + 0.15 * plan.overlap, strike));
            if plan.ground > old.place.y + 0.05 || stand.place.y > old.place.y + 0.05 {
                // The foot left below holds the hips back until it leaves.
                self.stage.events.push(HeightEvent::Low(off, off));
            }
        } else {
            self.stage.events.push(HeightEvent::Fly(off, strike));
            self.stage.flights.push((off, strike));
        }
        self.stage.events.push(HeightEvent::High(alone));
        self.stage.steps.push(Step {
            side: if side == 0 { Side::Left } else { Side::Right },
            lift_s: off,
            strike_s: next,
            duration_s: plan.duration,
            length: plan.length,
            place: DVec3::new(to.x, plan.ground, to.z),
            heading: self.heading,
            gait: plan.gait,
        });
        self.mode = Mode::Stepping {
            last: side,
            strike: next,
        };
        self.t = next;
    }

    /// From standing into steps: weight goes to one foot, then the other may leave.
    pub(super) fn start(&mut self, first: usize, plan: &StepPlan) {
        if self.mode != Mode::Standing {
            return;
        }
        let t = self.t;
        let lift = 0.42 + self.rng.vary(0.04);
        let strike = t + lift - plan.overlap;
        let middle = self.middle();
        self.stage.go(t, middle);
        let stand = self.stage.feet[1 - first].last().clone();
        self.stage.heading.key(t, self.heading);
        self.stage.support.key(t, 0.0);
        self.stage.events.push(HeightEvent::Stand(t));
        // Falling forward over the standing foot is what starts a walk.
        let lean_in = middle.lerp(stand.place, 0.55) + forward(self.heading) * (0.12 * plan.length);
        self.stage.go(t + lift, lean_in);
        self.mode = Mode::Stepping {
            last: 1 - first,
            strike,
        };
    }

    /// Comes to a stand with the feet side by side, if not standing already.
    pub(super) fn stand(&mut self) {
        let Mode::Stepping { strike: from, .. } = self.mode else {
            return;
        };
        let mut gait = self.gait.clone().unwrap_or_else(|| Gait::walk(1.1, None));
        self.settle_style(from);
        gait = self.slow_down(gait, 1.25);
        let mut short = gait.step(&mut self.rng, 0.0);
        short.length *= 0.62;
        short.ahead *= 0.4;
        short.overlap = short.overlap.max(0.12);
        short.strike_pitch *= 0.7;
        self.step(&short);
        let mut close = short.clone();
        close.length = 0.0;
        close.half_width = HALF_STANCE;
        close.duration = short.duration.max(0.5);
        close.off_pitch *= 0.75;
        close.strike_pitch = -0.1;
        close.ahead = 0.0;
        close.swing = Swing {
            lift: 0.035,
            ..Swing::default()
        };
        self.step(&close);
        self.settle(0.45);
        self.label(from, self.t, "stop");
        self.label(from, self.t, gait.label());
        self.gait = None;
    }

    /// Steps that lose speed until it is at most `speed`.
    pub(super) fn slow_down(&mut self, mut gait: Gait, speed: f64) -> Gait {
        while gait.speed > speed {
            gait = gait.slower();
            let plan = gait.step(&mut self.rng, 0.0);
            self.step(&plan);
        }
        gait
    }

    /// Both feet down: hips come to rest between them.
    pub(super) fn settle(&mut self, seconds: f64) {
        let t = self.t + seconds;
        let middle = self.middle();
        self.stage.go(self.t + 0.8 * seconds, middle);
        self.stage.heading.key(self.t + 0.6 * seconds, self.heading);
        self.stage.support.key(self.t + 0.6 * seconds, 0.0);
        self.stage.events.push(HeightEvent::Stand(t));
        self.stage
            .ease(Chan::Life, self.t + 0.05, self.t + 0.9, 1.0);
        self.mode = Mode::Standing;
        self.place = DVec3::new(middle.x, 0.0, middle.z);
        self.t = t;
    }

    /// Posture back to plain standing over about a step and a half.
    pub(super) fn settle_style(&mut self, from: f64) {
        for chan in Gait::CHANNELS {
            self.stage.relax(chan, from, from + 0.9);
        }
    }
}
