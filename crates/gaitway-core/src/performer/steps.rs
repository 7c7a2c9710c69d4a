//! Stepping: gaits entered and left, sharp turns, a box on the way, standing about.

use super::director::{Director, Mode, StepPlan};
use super::gait::Gait;
use super::stage::{Chan, HeightEvent};
use super::truth::Prop;

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
        if let Some(fast) = self.gait.clone().filter(|_| !standing) {
            self.slow_down(fast, 1.4);
            self.take_posture(&Gait::walk(1.0, None), began, began + 0.7);
        }
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
            plan.swing.around = -0.03 * super::body::sign(inner);
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
        let (began, base) = self.slow_walk();
        // Up, up, across, down, down: heights of the ground under each step.
        let grounds = [height, height, height, 0.0, 0.0];
        let mut tops = Vec::new();
        for (i, ground) in grounds.into_iter().enumerate() {
            self.raised_step(&base, i, ground, height, None);
            if ground > 0.0 {
                tops.push(self.place);
            }
            if i == 0 {
                self.stage.moments.push((self.t, "step"));
            }
        }
        if let (Some(first), Some(last)) = (tops.first(), tops.last()) {
            let top = 0.5 * (*first + *last) + super::director::forward(self.heading) * 0.035;
            let half = [0.3, 0.5 * (*last - *first).length() + 0.17];
            self.raised(top, height, half);
        }
        self.label(began, self.t, "step");
        self.label(began, self.t, "walk");
        self.gait = Some(Gait::walk(1.0, None));
    }

    /// Across stones, one foot on each, and down.
    pub(super) fn stones(&mut self, count: usize, spacing: f64, height: f64) {
        let (began, base) = self.slow_walk();
        for i in 0..count {
            // Up with one foot, up with the other, then across.
            self.raised_step(&base, i.min(2), height, height, Some(spacing));
            let Mode::Stepping { last, .. } = self.mode else {
                return;
            };
            let foot = self.stage.feet[last].last().place;
            let top = foot + super::director::forward(self.heading) * 0.035;
            self.raised(top, height, [0.1, 0.17]);
            self.stage.moments.push((self.t, "step"));
        }
        self.raised_step(&base, 3, 0.0, height, None);
        self.raised_step(&base, 4, 0.0, height, None);
        self.label(began, self.t, "step");
        self.label(began, self.t, "walk");
        self.gait = Some(Gait::walk(1.0, None));
    }

    /// A walk that is careful, under way at least.
    pub(super) fn slow_walk(&mut self) -> (f64, Gait) {
        let began = self.t;
        let base = Gait::walk(0.95, Some(0.52));
        if self.mode == Mode::Standing {
            self.steps(base.clone(), 1, 0.0);
        }
        self.take_posture(&base, began, began + 0.5);
        (began, base)
    }

    fn raised(&mut self, top: glam::DVec3, height: f64, half: [f64; 2]) {
        self.stage.props.push(Prop::Box {
            top: glam::DVec3::new(top.x, height, top.z),
            half,
            heading: self.heading,
        });
    }

    /// A step on the way over something raised: 0 and 1 up with either foot, 2 across, 3 and 4 down.
    fn raised_step(
        &mut self,
        base: &Gait,
        i: usize,
        ground: f64,
        height: f64,
        length: Option<f64>,
    ) {
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
        plan.length = length.unwrap_or(if i == 0 || i == 3 { 0.5 } else { 0.36 });
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
        let lean = if up { 0.22 } else { 0.08 };
        self.stage.ease(Chan::Lean, self.t - 0.4, self.t, lean);
        self.stage.ease(
            Chan::Look,
            self.t - 0.4,
            self.t,
            if i < 4 { 0.25 } else { 0.0 },
        );
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
