//! Walks, runs, sneaking: what their steps are like, from numbers measured on people.
//!
//! A walk's step grows with the root of its speed (0.71 m at 1.4 m/s, 118 steps a minute); a run keeps its
//! cadence near 168 a minute and lengthens its step. Each step varies a little, by the take's seed, as
//! consecutive strides of one person do (about 2 % in length and 1.5 % in time).

use super::director::StepPlan;
use super::feet::Swing;
use super::rng::Rng;
use super::stage::Chan;

/// The step that goes with a walking speed, metres.
pub(super) fn walk_step_length(speed: f64) -> f64 {
    0.71 * (speed / 1.4).sqrt()
}

/// A way of stepping and the posture that goes with it.
#[derive(Clone, Debug)]
pub(super) struct Gait {
    pub(super) kind: &'static str,
    pub(super) speed: f64,
    pub(super) length: f64,
    pub(super) overlap: f64,
    pub(super) half_width: f64,
    pub(super) strike_pitch: f64,
    pub(super) off_pitch: f64,
    roll: f64,
    heel_off: f64,
    ahead: f64,
    sway: f64,
    lift: f64,
    peak_pitch: f64,
    peak_at: f64,
    /// Crouch, lean, look, arm gain, elbow, away, reach, knees out.
    pub(super) posture: [f64; 8],
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
            overlap: duration * (0.38 - 0.13 * speed).clamp(0.14, 0.32),
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
                soft: if self.overlap < 0.0 { 0.014 } else { 0.006 },
                gather: if self.overlap < 0.0 { 0.3 } else { 0.38 },
                rise: if self.overlap < 0.0 { 0.3 } else { 0.38 },
                ..Swing::default()
            },
            gait: self.kind,
        }
    }
}
