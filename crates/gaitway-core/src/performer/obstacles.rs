//! What stands in the way: bars to pass below, beams to step over, gaps to jump.
//!
//! How low to bend and how high to lift a foot is not guessed: the move is tried, the body looked at, and the least that clears the thing is taken.

use glam::DVec3;

use super::body::{BALL, HEEL, TOES, joint};
use super::director::{Director, Mode, forward};
use super::gait::Gait;
use super::pose;
use super::truth::Prop;
use crate::fk::FkScratch;

/// Air between the body and what it passes, metres.
const CLEAR: f64 = 0.04;
/// The deepest crouch of a duck.
const DEEPEST: f64 = 0.5;
/// Steps below a bar: down, three below it, up.
const STEPS: usize = 5;
/// Half a beam's thickness and half its width.
const BEAM: [f64; 2] = [0.05, 0.6];

impl Director {
    /// Where the hips and all points of the body are at some times, as planned so far.
    fn points_at(&self, times: impl Iterator<Item = f64>) -> Vec<(DVec3, Vec<DVec3>)> {
        let mut trial = self.stage.clone();
        let old = trial.events.len().saturating_sub(40);
        trial.events.drain(..old);
        trial.settle_height();
        let skeleton = super::body::skeleton();
        let mut scratch = FkScratch::new(&skeleton);
        times
            .map(|t| {
                let solved = pose::solve(&trial, t);
                scratch.solve_pose(&skeleton, &solved.locals);
                let places = scratch.from_root.iter();
                let places = places.map(|p| solved.root + p.as_dvec3()).collect();
                (solved.root, places)
            })
            .collect()
    }

    /// Steps below a bar, bent so far; when the hips are below it, and how high the body reaches around then.
    fn duck_steps(&mut self, depth: f64) -> (f64, f64) {
        let began = self.t;
        self.steps(Gait::duck(depth), STEPS, 0.0);
        let (down, up) = (began + 0.8, self.t - 0.1);
        let count = 24;
        let times = (0..=count).map(|k| down + (up - down) * f64::from(k) / f64::from(count));
        let all = self.points_at(times);
        let tops = all.iter().flat_map(|(_, points)| points).map(|p| p.y);
        (0.5 * (down + up), tops.fold(0.0, f64::max))
    }

    /// Below a bar, bent as little as it allows.
    pub(super) fn duck_under(&mut self, height: f64) {
        let before = self.clone();
        let (mut least, mut most) = (0.0, DEEPEST);
        for _ in 0..10 {
            let depth = 0.5 * (least + most);
            if before.clone().duck_steps(depth).1 > height - CLEAR {
                least = depth;
            } else {
                most = depth;
            }
        }
        let (at_s, _) = self.duck_steps(most);
        let hips = self.points_at(std::iter::once(at_s))[0].0;
        self.stage.props.push(Prop::Bar {
            place: DVec3::new(hips.x, height, hips.z),
            heading: self.heading,
            at_s,
        });
        self.stage.moments.push((at_s, "duck"));
    }

    /// One foot over a beam, then the other, lifted as little as clears it.
    pub(super) fn step_over(&mut self, height: f64) {
        let (began, base) = self.slow_walk();
        let before = self.clone();
        for lift in 1..12 {
            *self = before.clone();
            let beam = self.over_beam(&base, height, 0.03 * f64::from(lift));
            if self.clears(before.t, &beam, height) {
                break;
            }
        }
        self.label(began, self.t, "step-over");
        self.label(began, self.t, "walk");
        self.gait = Some(Gait::walk(1.0, None));
    }

    /// The steps over a beam; its middle.
    fn over_beam(&mut self, base: &Gait, height: f64, lift: f64) -> DVec3 {
        let heading = self.heading;
        let mut beam = self.place;
        for i in 0..3 {
            let mut plan = base.step(&mut self.rng, 0.0);
            plan.turn = 0.0;
            plan.gait = "step";
            plan.half_width = 0.085;
            plan.overlap = 0.2;
            if i < 2 {
                plan.duration = 0.8 + 0.6 * height;
                plan.length = if i == 0 { 0.66 } else { 0.46 };
                plan.ahead = if i == 0 { 0.0 } else { 0.06 };
                plan.off_pitch = 0.6;
                plan.strike_pitch = -0.1;
                plan.swing.lift = height + lift;
                // The first foot comes down behind the beam at once, the second rises before it.
                [plan.swing.rise, plan.swing.fall] =
                    if i == 0 { [0.45, 0.36] } else { [0.34, 0.5] };
                [plan.swing.gather, plan.swing.brake] =
                    if i == 0 { [0.34, 0.45] } else { [0.55, 0.34] };
            }
            if i == 0 {
                beam = self.place + forward(heading) * (0.5 * plan.length + 0.03);
            }
            let from = self.t;
            self.step(&plan);
            if i == 0 {
                self.stage
                    .moments
                    .push((0.5 * (from + self.t), "step-over"));
            }
            let lean = if i < 2 { 0.14 } else { 0.06 };
            let look = if i < 2 { 0.3 } else { 0.0 };
            self.stage
                .ease(super::stage::Chan::Lean, from, self.t, lean);
            self.stage
                .ease(super::stage::Chan::Look, from, self.t, look);
        }
        self.stage.props.push(Prop::Beam {
            top: DVec3::new(beam.x, height, beam.z),
            half: [BEAM[1], BEAM[0]],
            heading,
        });
        beam
    }

    /// Whether feet and knees pass above a beam.
    fn clears(&self, from: f64, beam: &DVec3, height: f64) -> bool {
        let count = ((self.t - from) * 60.0) as usize;
        let all = self.points_at((0..count).map(|k| from + k as f64 / 60.0));
        let ahead = forward(self.heading);
        let near = |p: &DVec3| (*p - *beam).dot(ahead).abs() < BEAM[0] + 0.01;
        let sites = joint::COUNT;
        let low = |points: &Vec<DVec3>| {
            // Knees, ankles, balls and the end sites of feet and toes.
            let legs = joint::LEG.iter().flat_map(|&l| l + 1..l + 4);
            let feet = legs.chain(sites + 3..sites + 7);
            let passing = feet.map(|p| points[p]).filter(near);
            passing.map(|p| p.y).fold(f64::INFINITY, f64::min)
        };
        all.iter()
            .all(|(_, points)| low(points) > height + 0.5 * CLEAR)
    }

    /// From standing over a gap onto both feet.
    pub(super) fn leap_over(&mut self, gap: f64) {
        self.stand();
        let from = self.middle();
        let ahead = forward(self.heading);
        // Toes stay behind the near edge, heels land beyond the far one.
        let (toes, heels) = (BALL.z + TOES.z, -HEEL.z);
        let margin = 0.04;
        let near = from + ahead * (toes + margin);
        self.jump(gap + toes + heels + 2.0 * margin, 0.2 + 0.1 * gap);
        self.stage.props.push(Prop::Gap {
            middle: (near + ahead * (0.5 * gap)).with_y(0.0),
            half: [1.0, 0.5 * gap],
            heading: self.heading,
        });
        debug_assert!(self.mode == Mode::Standing);
    }
}
