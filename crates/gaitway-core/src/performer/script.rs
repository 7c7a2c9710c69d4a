//! Takes as one orders them: a list of moves.

use std::f64::consts::PI;

use thiserror::Error;

use crate::anatomy::Side;

/// One thing to do. What a move needs before it (stopping, starting) is put in by itself, as a person would.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// Stand: breathing, shifting weight, looking about.
    Idle {
        /// 0.2 … 600.
        seconds: f64,
    },
    /// Walk a number of steps.
    Walk {
        /// 1 … 2000.
        steps: usize,
        /// Metres a second, 0.3 … 2.2.
        speed: f64,
        /// Metres, 0.2 … 1.0; chosen from the speed when not given.
        step_length: Option<f64>,
        /// Radians over all the steps, positive to the left; at most 0.7 a step.
        turn: f64,
    },
    /// Run a number of steps.
    Run {
        /// 1 … 2000.
        steps: usize,
        /// Metres a second, 1.8 … 5.5.
        speed: f64,
        /// Radians over all the steps; at most 0.5 a step.
        turn: f64,
    },
    /// Sneak, crouched and careful.
    Sneak {
        /// 1 … 2000.
        steps: usize,
        /// Metres a second, 0.3 … 1.2.
        speed: f64,
        /// Radians over all the steps; at most 0.7 a step.
        turn: f64,
    },
    /// Walk on under something low.
    Duck {
        /// Steps below it, 1 … 200.
        steps: usize,
        /// How much lower the hips go, metres, 0.1 … 0.45.
        depth: f64,
    },
    /// Turn sharply: while walking in a few short steps, or standing on the spot.
    Turn {
        /// Radians, positive to the left, at most 2π.
        angle: f64,
    },
    /// Come to a stand.
    Stop,
    /// Jump from standing and land on both feet.
    Jump {
        /// Metres, 0 … 1.2.
        forward: f64,
        /// Rise of the hips after leaving the ground, metres, 0.05 … 0.45.
        height: f64,
    },
    /// Step onto a box, across its top and down.
    StepOnto {
        /// Height of the box, metres, 0.1 … 0.4.
        height: f64,
    },
    /// Take something from in front.
    PickUp {
        /// With which hand.
        side: Side,
        /// Height of the thing, metres, 0.05 … 1.4.
        height: f64,
        /// How far in front of the feet, metres, 0.25 … 0.65.
        reach: f64,
        /// How far to the left, metres, −0.5 … 0.5.
        aside: f64,
    },
    /// Sit down, stay, and stand up.
    Sit {
        /// Height of the seat, metres, 0.35 … 0.65.
        height: f64,
        /// How long to stay, 0.5 … 600.
        seconds: f64,
    },
    /// Take something, to the millimetre: stand, bend as far as the arm needs, put the palm on it.
    Take {
        /// With which hand.
        side: Side,
        /// Height of the thing, metres, 0.05 … 1.65.
        height: f64,
        /// How far away it is over the ground, from the middle between the feet, metres, 0.25 … 0.6.
        reach: f64,
        /// In which direction, radians, positive to the left, within ±0.9.
        bearing: f64,
    },
    /// Put something down, likewise.
    Put {
        /// With which hand.
        side: Side,
        /// Height of where it is put, metres, 0.05 … 1.65.
        height: f64,
        /// How far away, metres, 0.25 … 0.6.
        reach: f64,
        /// In which direction, radians, within ±0.9.
        bearing: f64,
    },
    /// Walk on below a bar, bent as far as it needs.
    DuckUnder {
        /// Height of the bar, metres, 1.05 … 1.55.
        height: f64,
    },
    /// Step over a beam, one foot after the other.
    StepOver {
        /// Height of the beam, metres, 0.08 … 0.4.
        height: f64,
    },
    /// Jump over a gap from standing and land on both feet behind it.
    LeapOver {
        /// Length of the gap, metres, 0.2 … 1.2.
        gap: f64,
    },
    /// Walk across stones, a foot on each.
    Stones {
        /// How many, 1 … 20.
        count: usize,
        /// From one to the next, metres, 0.35 … 0.75.
        spacing: f64,
        /// Height of their tops, metres, 0.05 … 0.35.
        height: f64,
    },
    /// A straight punch from a guard.
    Punch {
        /// With which hand.
        side: Side,
    },
    /// A front kick.
    Kick {
        /// With which foot.
        side: Side,
        /// How high the foot goes, metres, 0.4 … 1.2.
        height: f64,
    },
}

impl Move {
    /// Walking straight on at the step length that goes with the speed.
    pub fn walk(steps: usize, speed: f64) -> Self {
        Self::Walk {
            steps,
            speed,
            step_length: None,
            turn: 0.0,
        }
    }

    /// Walking a curve of a radius (positive turns left) through an angle (always positive), in radians.
    pub fn curve(speed: f64, radius: f64, angle: f64) -> Self {
        let length = super::gait::walk_step_length(speed);
        let steps = (angle.abs() * radius.abs() / length).round().max(1.0);
        // The angle follows from whole steps on the circle.
        let turn = steps * length / radius;
        Self::Walk {
            steps: steps as usize,
            speed,
            step_length: None,
            turn,
        }
    }

    /// Running straight on.
    pub fn run(steps: usize, speed: f64) -> Self {
        Self::Run {
            steps,
            speed,
            turn: 0.0,
        }
    }

    /// Sneaking straight on.
    pub fn sneak(steps: usize) -> Self {
        Self::Sneak {
            steps,
            speed: 0.62,
            turn: 0.0,
        }
    }

    /// Taking something from straight in front.
    pub fn pick_up(side: Side, height: f64) -> Self {
        let aside = 0.08 * super::body::sign(side.index());
        Self::PickUp {
            side,
            height,
            reach: 0.42,
            aside,
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let within = |what: &'static str, value: f64, low: f64, high: f64| {
            if value >= low && value <= high {
                Ok(())
            } else {
                Err(what)
            }
        };
        let gait = |steps: usize, turn: f64, most: f64| {
            within("steps (1 to 2000)", steps as f64, 1.0, 2000.0)?;
            within("turn per step", turn.abs() / steps as f64, 0.0, most)
        };
        match *self {
            Self::Idle { seconds } => within("seconds (0.2 to 600)", seconds, 0.2, 600.0),
            Self::Walk {
                steps,
                speed,
                step_length,
                turn,
            } => {
                within("speed (0.3 to 2.2 m/s)", speed, 0.3, 2.2)?;
                within(
                    "step length (0.2 to 1 m)",
                    step_length.unwrap_or(0.5),
                    0.2,
                    1.0,
                )?;
                gait(steps, turn, 0.7)
            }
            Self::Run { steps, speed, turn } => {
                within("speed (1.8 to 5.5 m/s)", speed, 1.8, 5.5)?;
                gait(steps, turn, 0.5)
            }
            Self::Sneak { steps, speed, turn } => {
                within("speed (0.3 to 1.2 m/s)", speed, 0.3, 1.2)?;
                gait(steps, turn, 0.7)
            }
            Self::Duck { steps, depth } => {
                within("steps (1 to 200)", steps as f64, 1.0, 200.0)?;
                within("depth (0.1 to 0.45 m)", depth, 0.1, 0.45)
            }
            Self::Turn { angle } => within("angle (at most 2π)", angle.abs(), 0.0, 2.0 * PI),
            Self::Stop => Ok(()),
            Self::Jump { forward, height } => {
                within("forward (0 to 1.2 m)", forward, 0.0, 1.2)?;
                within("height (0.05 to 0.45 m)", height, 0.05, 0.45)
            }
            Self::StepOnto { height } => within("height (0.1 to 0.4 m)", height, 0.1, 0.4),
            Self::PickUp {
                height,
                reach,
                aside,
                ..
            } => {
                within("height (0.05 to 1.4 m)", height, 0.05, 1.4)?;
                within("reach (0.25 to 0.65 m)", reach, 0.25, 0.65)?;
                within("aside (within 0.5 m)", aside.abs(), 0.0, 0.5)
            }
            Self::Sit { height, seconds } => {
                within("height (0.35 to 0.65 m)", height, 0.35, 0.65)?;
                within("seconds (0.5 to 600)", seconds, 0.5, 600.0)
            }
            Self::Take {
                height,
                reach,
                bearing,
                ..
            }
            | Self::Put {
                height,
                reach,
                bearing,
                ..
            } => {
                within("height (0.05 to 1.65 m)", height, 0.05, 1.65)?;
                within("reach (0.25 to 0.6 m)", reach, 0.25, 0.6)?;
                within("bearing (within 0.9)", bearing.abs(), 0.0, 0.9)
            }
            Self::DuckUnder { height } => within("height (1.05 to 1.55 m)", height, 1.05, 1.55),
            Self::StepOver { height } => within("height (0.08 to 0.4 m)", height, 0.08, 0.4),
            Self::LeapOver { gap } => within("gap (0.2 to 1.2 m)", gap, 0.2, 1.2),
            Self::Stones {
                count,
                spacing,
                height,
            } => {
                within("count (1 to 20)", count as f64, 1.0, 20.0)?;
                within("spacing (0.35 to 0.75 m)", spacing, 0.35, 0.75)?;
                within("height (0.05 to 0.35 m)", height, 0.05, 0.35)
            }
            Self::Punch { .. } => Ok(()),
            Self::Kick { height, .. } => within("height (0.4 to 1.2 m)", height, 0.4, 1.2),
        }
    }
}

/// Why a script cannot be performed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PerformError {
    /// There is nothing to do.
    #[error("a script needs at least one move")]
    Empty,
    /// A move asks for what a body cannot do.
    #[error("move {index}: {what} is out of range")]
    Move {
        /// Which move, from 0.
        index: usize,
        /// Which of its values, and the range.
        what: &'static str,
    },
    /// The rate is not between 1 and 1000 frames a second.
    #[error("a rate of {0} frames a second is out of range (1 to 1000)")]
    Rate(f64),
    /// More than an hour.
    #[error("a take of {seconds:.0} s is longer than the hour a take may last")]
    TooLong {
        /// How long it would be.
        seconds: f64,
    },
}

/// A take: its name and what is done in it, in order. It starts standing at the origin, facing +Z.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The clip's name; it also seeds the take's small variations.
    pub name: String,
    /// Frames a second, 1 … 1000.
    pub rate_hz: f64,
    /// What to do.
    pub moves: Vec<Move>,
    /// Whether the clip's labels say when what they name happens ([`Truth::moments`](super::Truth::moments)).
    pub moments: bool,
}

impl Script {
    /// The longest take, seconds.
    pub const MAX_SECONDS: f64 = 3600.0;

    /// A take at 60 Hz.
    pub fn new(name: impl Into<String>, moves: impl Into<Vec<Move>>) -> Self {
        Self {
            name: name.into(),
            rate_hz: 60.0,
            moves: moves.into(),
            moments: false,
        }
    }

    /// The same with moments written into the clip's labels, so that nobody has to search for them.
    pub fn with_moments(mut self) -> Self {
        self.moments = true;
        self
    }

    /// The same at another rate.
    pub fn at_rate(mut self, rate_hz: f64) -> Self {
        self.rate_hz = rate_hz;
        self
    }

    pub(super) fn check(&self) -> Result<(), PerformError> {
        if !(1.0..=1000.0).contains(&self.rate_hz) {
            return Err(PerformError::Rate(self.rate_hz));
        }
        if self.moves.is_empty() {
            return Err(PerformError::Empty);
        }
        for (index, m) in self.moves.iter().enumerate() {
            m.check()
                .map_err(|what| PerformError::Move { index, what })?;
        }
        Ok(())
    }
}
