//! Walks, runs, sneaking: what their steps are like, from numbers measured on people.
//!
//! A walk's step grows with the root of its speed (0.71 m at 1.4 m/s, 118 steps a minute); a run keeps its
//! cadence near 168 a minute and lengthens its step. Each step varies a little, by the take's seed, as
//! consecutive strides of one person do (about 2 % in length and 1.5 % in time).

use super::director::{Director, Mode, StepPlan};
use super::feet::Swing;
use super::rng::Rng;
use super::stage::{Chan, HeightEvent};
use super::truth::Prop;

/// The step that goes with a walking speed, metres.
pub(super) fn walk_step_length(speed: f64) -> f64 {
    0.71 * (speed / 1.4).sqrt()
}

/// A way of stepping and the posture that goes with it.
#[derive(Clone, Debug)]
pub(super) struct Gait {
    kind: &'static str,
    pub(super) speed: f64,
    length: f64,
    overlap: f64,
    half_width: f64,
    strike_pitch: f64,
    off_pitch: f64,
    roll: f64,
    heel_off: f64,
    ahead: f64,
    sway: f64,
    lift: f64,
    peak_pitch: f64,
    peak_at: f64,
    /// Crouch, lean, look, arm gain, elbow, away, reach, knees out.
    posture: [f64; 8],
}

impl Gait {
    /// The channels a gait sets, for both arms.
    pub(super) const CHANNELS: [Chan; 11] = [
        Chan::Crouch,
        Chan::Lean,
        Chan::Look,
        Chan::ArmGain,
        Chan::Elbow(0),
        Chan::Elbow(1),
        Chan::Away(0),
        Chan::Away(1),
        Chan::Reach(0),
        Chan::Reach(1),
        Chan::KneesOut,
    ];

    /// A walk.
    pub(super) fn walk(speed: f64, step_length: Option<f64>) -> Self {
        let length = step_length.unwrap_or_else(|| walk_step_length(speed));
        let size = (length / 0.71).clamp(0.3, 1.2);
        let duration = length / speed;
        Self {
            kind: "walk",
            speed,
            length,
            overlap: duration * (0.42 - 0.13 * speed).clamp(0.16, 0.36),
            half_width: 0.07,
            strike_pitch: -0.34 * size,
            off_pitch: 0.95 * size.min(1.05),
            roll: (0.2 * duration).clamp(0.07, 0.16),
            heel_off: 0.55,
            ahead: 0.065 * size,
            sway: 0.36,
            lift: 0.035 + 0.012 * size,
            peak_pitch: 0.0,
            peak_at: 0.14,
            posture: [
                0.0,
                0.03 + 0.03 * speed,
                0.0,
                0.12 + 0.2 * speed,
                0.18 + 0.1 * speed,
                0.12,
                -0.14,
                0.0,
            ],
        }
    }

    /// A run.
    pub(super) fn run(speed: f64) -> Self {
        let duration = 0.372 - 0.012 * (speed - 2.5);
        let flight = (0.05 + 0.05 * (speed - 2.0)).clamp(0.04, 0.14);
        let length = speed * duration;
        Self {
            kind: "run",
            speed,
            length,
            overlap: -flight,
            half_width: 0.045,
            strike_pitch: -0.1 - 0.01 * speed,
            off_pitch: 1.0,
            roll: 0.05,
            heel_off: 0.42,
            ahead: 0.135,
            sway: 0.2,
            lift: 0.07 + 0.035 * speed,
            peak_pitch: 1.15 + 0.16 * speed,
            peak_at: 0.3,
            posture: [
                0.0,
                0.1 + 0.035 * speed,
                -0.04,
                0.3 + 0.08 * speed,
                1.45,
                0.2,
                -0.12,
                0.0,
            ],
        }
    }

    /// Crouched and careful: feet high and softly down, trunk bent, arms ready.
    pub(super) fn sneak(speed: f64) -> Self {
        let length = 0.47 * (speed / 0.62).sqrt();
        let duration = length / speed;
        Self {
            kind: "sneak",
            speed,
            length,
            overlap: 0.26 * duration,
            half_width: 0.085,
            strike_pitch: -0.16,
            off_pitch: 0.72,
            roll: 0.3 * duration,
            heel_off: 0.62,
            ahead: 0.03,
            sway: 0.55,
            lift: 0.13,
            peak_pitch: 0.0,
            peak_at: 0.16,
            posture: [0.17, 0.62, -0.12, 0.2, 1.25, 0.32, -0.25, 0.1],
        }
    }

    /// Under something low: a walk with the hips down and the trunk folded.
    pub(super) fn duck(depth: f64) -> Self {
        let mut gait = Self::walk(0.85, Some(0.5));
        gait.kind = "duck";
        gait.off_pitch = 0.8;
        gait.ahead = 0.0;
        gait.posture = [
            depth,
            0.45 + 1.5 * depth,
            0.15,
            0.16,
            0.75,
            0.2,
            -0.25,
            0.08,
        ];
        gait
    }

    /// What its frames are labelled.
    pub(super) fn label(&self) -> &'static str {
        self.kind
    }

    /// One notch slower, on the way to a stand.
    pub(super) fn slower(&self) -> Self {
        if self.kind == "run" && self.speed > 2.6 {
            Self {
                posture: self.posture,
                ..Self::run(self.speed - 1.2)
            }
        } else if self.kind == "run" {
            Self::walk(1.7, None)
        } else {
            Self::walk((self.speed - 0.5).max(1.1), None)
        }
    }

    /// The next step, a little different from the last.
    pub(super) fn step(&self, rng: &mut Rng, turn: f64) -> StepPlan {
        let length = self.length * (1.0 + rng.vary(0.022));
        let duration = self.length / self.speed * (1.0 + rng.vary(0.016));
        // In a curve feet come closer together and the outer one goes round.
        StepPlan {
            duration,
            overlap: self.overlap * (1.0 + rng.vary(0.04)),
            length,
            turn: turn + rng.vary(0.008),
            half_width: self.half_width + rng.vary(0.007),
            ground: 0.0,
            strike_pitch: self.strike_pitch * (1.0 + rng.vary(0.08)),
            off_pitch: self.off_pitch * (1.0 + rng.vary(0.04)),
            roll: self.roll,
            heel_off: self.heel_off,
            ahead: self.ahead,
            sway: self.sway,
            swing: Swing {
                lift: self.lift * (1.0 + rng.vary(0.12)),
                peak_pitch: self.peak_pitch,
                peak_at: self.peak_at,
                soft: if self.overlap < 0.0 { 0.02 } else { 0.004 },
                gather: if self.overlap < 0.0 { 0.3 } else { 0.4 },
                rise: if self.overlap < 0.0 { 0.3 } else { 0.38 },
                ..Swing::default()
            },
            gait: self.kind,
        }
    }
}

impl Director {
    /// Steps of a gait, from a stand or out of other steps.
    pub(super) fn steps(&mut self, gait: Gait, count: usize, turn: f64) {
        let began = self.t;
        let from_stand = self.mode == Mode::Standing;
        let each = turn / count as f64;
        // A gait is entered over two steps where it is far from the last.
        let before = self.gait.clone();
        if from_stand {
            let first = usize::from(if turn.abs() > 0.3 {
                turn < 0.0
            } else {
                self.rng.coin()
            });
            let plan = self.first_step(&gait, each);
            self.start(first, &plan);
            self.take_posture(&gait, began, began + 1.0);
            self.step(&plan);
            self.label(began, self.t, "start");
        } else {
            self.take_posture(&gait, began - 0.15, began + 0.65);
        }
        for i in usize::from(from_stand)..count {
            let mut plan = gait.step(&mut self.rng, each);
            if i == 0
                && let Some(before) = &before
            {
                plan = between(&before.step(&mut self.rng, each), &plan, gait.kind);
            }
            self.step(&plan);
            self.vary_arms();
        }
        self.label(began, self.t, gait.label());
        if each.abs() > 0.05 {
            let label = if each > 0.0 {
                "turn-left"
            } else {
                "turn-right"
            };
            self.label(began, self.t, label);
        }
        self.gait = Some(gait);
    }

    fn first_step(&mut self, gait: &Gait, turn: f64) -> StepPlan {
        let soft = if gait.kind == "run" {
            Gait::walk(1.7, None)
        } else {
            gait.clone()
        };
        let mut plan = soft.step(&mut self.rng, turn);
        plan.length *= 0.68;
        plan.off_pitch *= 0.8;
        plan.duration = plan.duration.max(0.48);
        plan.gait = gait.kind;
        plan
    }

    /// Brings the posture of a gait on.
    fn take_posture(&mut self, gait: &Gait, from: f64, to: f64) {
        let [crouch, lean, look, gain, elbow, away, reach, knees] = gait.posture;
        let vary = 1.0 + self.rng.vary(0.1);
        let values = [
            crouch,
            lean,
            look,
            gain * vary,
            elbow + self.rng.vary(0.08),
            elbow + self.rng.vary(0.08),
            away,
            away,
            reach,
            reach,
            knees,
        ];
        for (chan, value) in Gait::CHANNELS.into_iter().zip(values) {
            self.stage.ease(chan, from, to, value);
        }
        self.stage.ease(Chan::Life, from, from + 0.5, 0.12);
        let grounded = if gait.kind == "run" { 0.0 } else { 1.0 };
        self.stage.grounded.ease(from + 0.1, from + 0.5, grounded);
    }

    /// Arms do not swing twice the same.
    fn vary_arms(&mut self) {
        let Some(base) = self.gait.as_ref().map(|g| g.posture[3]) else {
            return;
        };
        let value = base * (1.0 + self.rng.vary(0.12));
        let t = self.t;
        self.stage.ease(Chan::ArmGain, t - 0.2, t + 0.2, value);
    }

    /// A sharp turn: on the spot when standing, in short steps when walking.
    pub(super) fn turn(&mut self, angle: f64) {
        if angle == 0.0 {
            return;
        }
        let began = self.t;
        let standing = self.mode == Mode::Standing;
        let count = (angle.abs() / 0.85).ceil().max(1.0);
        let each = angle / count;
        let mut gait = Gait::walk(0.9, Some(if standing { 0.2 } else { 0.4 }));
        gait.half_width = 0.1;
        gait.off_pitch = 0.55;
        gait.strike_pitch = -0.12;
        let inner = usize::from(angle < 0.0);
        // Out of a walk the turn waits for the inner foot, as the outer one would have to cross.
        if let Mode::Stepping { last, .. } = self.mode
            && 1 - last != inner
        {
            let mut slow = Gait::walk(1.0, Some(0.5)).step(&mut self.rng, 0.0);
            slow.gait = "walk";
            self.step(&slow);
        }
        let take = |d: &mut Self, turn: f64| {
            let mut plan = gait.step(&mut d.rng, turn);
            plan.duration = if standing { 0.56 } else { 0.52 } + d.rng.vary(0.03);
            plan.overlap = 0.14;
            plan.length = if standing { 0.02 } else { 0.26 };
            plan.ahead = 0.02;
            plan.gait = "walk";
            plan.swing.around = 0.03 * super::body::sign(inner) * -1.0;
            plan
        };
        if standing {
            let plan = take(self, each);
            self.start(inner, &plan);
        }
        for _ in 0..count as usize {
            let plan = take(self, each);
            self.step(&plan);
        }
        let label = if angle > 0.0 {
            "turn-left"
        } else {
            "turn-right"
        };
        if standing {
            let mut close = take(self, 0.0);
            close.turn = 0.0;
            close.length = 0.0;
            close.half_width = super::body::HALF_STANCE;
            self.step(&close);
            self.settle(0.4);
        } else {
            self.label(began, self.t, "walk");
            self.gait = Some(Gait::walk(1.1, None));
        }
        self.label(began, self.t, label);
    }

    /// Up onto a box, across it, and down.
    pub(super) fn step_onto(&mut self, height: f64) {
        let began = self.t;
        let base = Gait::walk(0.95, Some(0.52));
        if self.mode == Mode::Standing {
            self.steps(base.clone(), 1, 0.0);
        }
        self.take_posture(&base, began, began + 0.5);
        // Up, up, across, down, down: heights of the ground under each step.
        let grounds = [height, height, height, 0.0, 0.0];
        let mut tops = Vec::new();
        for (i, ground) in grounds.into_iter().enumerate() {
            let mut plan = base.step(&mut self.rng, 0.0);
            let (up, down) = (i < 2, i > 2);
            plan.ground = ground;
            plan.gait = "step";
            plan.duration = if up || down {
                0.74 + 0.5 * height
            } else {
                0.62
            };
            plan.overlap = 0.2;
            plan.length = if i == 0 || i == 3 { 0.5 } else { 0.36 };
            plan.ahead = if i == 1 { 0.1 } else { 0.04 };
            plan.swing.lift = if up { 0.09 } else { 0.06 };
            plan.half_width = 0.085;
            plan.off_pitch = if i == 1 { 1.0 } else { 0.75 };
            plan.strike_pitch = if up { 0.0 } else { -0.12 };
            if down {
                plan.strike_pitch = if i == 3 { 0.3 } else { -0.1 };
                plan.roll = 0.12;
            }
            if up {
                plan.roll = 0.0;
            }
            self.step(&plan);
            if ground > 0.0 {
                tops.push(self.place);
            }
            let lean = if up { 0.22 } else { 0.08 };
            self.stage.ease(Chan::Lean, self.t - 0.4, self.t, lean);
            self.stage.ease(
                Chan::Look,
                self.t - 0.4,
                self.t,
                if i < 4 { 0.25 } else { 0.0 },
            );
        }
        if let (Some(first), Some(last)) = (tops.first(), tops.last()) {
            let top = 0.5 * (*first + *last) + super::director::forward(self.heading) * 0.035;
            let half = [0.3, 0.5 * (*last - *first).length() + 0.17];
            let top = glam::DVec3::new(top.x, height, top.z);
            self.stage.props.push(Prop::Box {
                top,
                half,
                heading: self.heading,
            });
        }
        self.label(began, self.t, "step");
        self.label(began, self.t, "walk");
        self.gait = Some(Gait::walk(1.0, None));
    }

    /// Standing about: weight shifts from foot to foot, eyes wander.
    pub(super) fn idle(&mut self, seconds: f64) {
        self.stand();
        let began = self.t;
        let end = began + seconds;
        let middle = self.middle();
        self.stage.go(began, middle);
        self.stage.events.push(HeightEvent::Stand(began));
        let mut t = began;
        let mut side = if self.rng.coin() { 1.0 } else { -1.0 };
        while t + 1.6 < end {
            let shift = side * self.rng.range(0.018, 0.042);
            let stay = self.rng.range(1.2, 3.0).min(end - t - 1.2).max(0.2);
            let move_s = self.rng.range(0.6, 0.9);
            for (chan, gain) in [(Chan::Aside, 1.0), (Chan::Bend, -1.1)] {
                self.stage.ease(chan, t, t + move_s, gain * shift);
            }
            self.stage.support.ease(t, t + move_s, shift / 0.06);
            let look = self.rng.vary(0.35);
            self.stage.ease(Chan::LookYaw, t, t + 0.5, look);
            self.stage.events.push(HeightEvent::Stand(t));
            self.stage.events.push(HeightEvent::Stand(t + move_s));
            t += move_s + stay;
            side = if self.rng.unit() < 0.8 { -side } else { side };
        }
        let back = (end - 0.6).max(began);
        for chan in [Chan::Aside, Chan::Bend, Chan::LookYaw] {
            self.stage.relax(chan, back, end);
        }
        self.stage.support.ease(back, end, 0.0);
        self.stage.events.push(HeightEvent::Stand(end));
        self.label(began, end, "idle");
        self.t = end;
    }
}

/// A step on the way from one gait to another.
fn between(a: &StepPlan, b: &StepPlan, gait: &'static str) -> StepPlan {
    let mix = |a: f64, b: f64| 0.5 * (a + b);
    // Between a walk and a run there is a last step with a short overlap.
    let overlap = if a.overlap * b.overlap < 0.0 {
        0.03
    } else {
        mix(a.overlap, b.overlap)
    };
    StepPlan {
        duration: mix(a.duration, b.duration),
        overlap,
        length: mix(a.length, b.length),
        strike_pitch: mix(a.strike_pitch, b.strike_pitch),
        off_pitch: mix(a.off_pitch, b.off_pitch),
        roll: mix(a.roll, b.roll),
        ahead: mix(a.ahead, b.ahead),
        gait,
        ..b.clone()
    }
}
