//! What motion costs, by name: the time integral of a rate, added up along a source so that any stretch of it is a difference.
//!
//! | name | rate | unit |
//! | --- | --- | --- |
//! | `torque` | Σ effort · torque², ground forces split by least torque | N² m² s |
//! | `acceleration` | squared acceleration of the body's mass, mean by mass | m² / s³ |
//! | `time` | 1 | s |
//! | `distance` | speed of the centre of mass over the ground | m |
//! | `labels` | 1 where none of the labels asked for holds | s |
//!
//! Costs add up: of three times a ≤ b ≤ c, cost(a, b) + cost(b, c) = cost(a, c) to rounding, since all are looked up in one running sum; its ticks are
//! those of a working rate, each with the rate in its middle, and a time between two ticks takes its part of one.
//! What joins and blends cost, and how far a motion is from a path, belongs to who joins and leads.

use gaitway_core::PoseSource;

use crate::body::MassBody;
use crate::kinematics::Smoothing;
use crate::motion::ForceReader;

/// What is counted.
#[derive(Clone, Debug, PartialEq)]
pub enum CostKind {
    /// Squared torque.
    Torque,
    /// Squared acceleration.
    Acceleration,
    /// Seconds.
    Time,
    /// Metres.
    Distance,
    /// Seconds with none of these labels.
    Labels(Vec<String>),
}

impl CostKind {
    /// The names that [`CostKind::from_name`] takes.
    pub const NAMES: [&'static str; 5] = ["torque", "acceleration", "time", "distance", "labels"];

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Torque => "torque",
            Self::Acceleration => "acceleration",
            Self::Time => "time",
            Self::Distance => "distance",
            Self::Labels(_) => "labels",
        }
    }

    /// What it is counted in.
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Torque => "N²m²s",
            Self::Acceleration => "m²/s³",
            Self::Time | Self::Labels(_) => "s",
            Self::Distance => "m",
        }
    }

    /// The kind of a name; labels are written after it, `labels:walk,run`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "torque" => Self::Torque,
            "acceleration" => Self::Acceleration,
            "time" => Self::Time,
            "distance" => Self::Distance,
            _ => {
                let list = name.strip_prefix("labels:")?;
                let labels = list.split(',').map(str::trim).filter(|l| !l.is_empty());
                let labels: Vec<String> = labels.map(str::to_owned).collect();
                if labels.is_empty() {
                    return None;
                }
                Self::Labels(labels)
            }
        })
    }

    /// Whether poses and masses have to be looked at.
    fn needs_forces(&self) -> bool {
        matches!(self, Self::Torque | Self::Acceleration | Self::Distance)
    }
}

/// Several kinds with weights, added up.
#[derive(Clone, Debug, PartialEq)]
pub struct CostOptions {
    /// Kinds and how much each counts.
    pub terms: Vec<(CostKind, f64)>,
    /// Ticks a second, at least; a source of fewer frames is ticked at its own rate.
    pub rate_hz: f64,
    /// How poses become velocities.
    pub smoothing: Smoothing,
}

impl Default for CostOptions {
    /// Squared torque, at 15 ticks a second.
    fn default() -> Self {
        Self {
            terms: vec![(CostKind::Torque, 1.0)],
            rate_hz: 15.0,
            smoothing: Smoothing::default(),
        }
    }
}

impl CostOptions {
    /// One kind alone.
    pub fn of(kind: CostKind) -> Self {
        Self {
            terms: vec![(kind, 1.0)],
            ..Self::default()
        }
    }
}

/// What a source has cost up to any time of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CostTrack {
    /// Frames of the source per tick.
    tick: f64,
    /// Costs up to each tick's begin; one more than ticks.
    sums: Vec<f64>,
    last: f64,
}

impl CostTrack {
    /// Adds a source up.
    ///
    /// # Panics
    /// When the source is of another body.
    pub fn new(source: &dyn PoseSource, body: &MassBody, options: &CostOptions) -> Self {
        let last = source.frame_count().saturating_sub(1) as f64;
        let per_second = options.rate_hz.clamp(1.0, source.rate_hz().max(1.0));
        let tick = source.rate_hz() / per_second;
        let ticks = (last / tick).ceil() as usize;
        let mut reader = ForceReader::new(source, body, options.smoothing);
        let forces = options.terms.iter().any(|t| t.0.needs_forces());
        let mut sums = Vec::with_capacity(ticks + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for k in 0..ticks {
            let (from, to) = (k as f64 * tick, ((k + 1) as f64 * tick).min(last));
            let middle = 0.5 * (from + to);
            let moment = forces.then(|| reader.read(middle));
            let mut rate = 0.0;
            for (kind, weight) in &options.terms {
                let own = match (kind, &moment) {
                    (CostKind::Torque, Some(m)) => m.squared_torque,
                    (CostKind::Acceleration, Some(m)) => m.squared_acceleration,
                    (CostKind::Distance, Some(m)) => m.centre_velocity.with_y(0.0).length(),
                    (CostKind::Labels(wanted), _) => {
                        let mut held = false;
                        source.labels_at(middle, &mut |l| held |= wanted.iter().any(|w| w == l));
                        f64::from(u8::from(!held))
                    }
                    _ => 1.0,
                };
                rate += weight * own;
            }
            sum += rate * (to - from) / source.rate_hz();
            sums.push(sum);
        }
        Self { tick, sums, last }
    }

    /// The cost up to a time in the source's own frames.
    pub fn until(&self, at: f64) -> f64 {
        let at = at.clamp(0.0, self.last);
        let ticks = self.sums.len() - 1;
        if ticks == 0 {
            return 0.0;
        }
        let k = ((at / self.tick) as usize).min(ticks - 1);
        let from = k as f64 * self.tick;
        let to = (from + self.tick).min(self.last);
        let part = ((at - from) / (to - from)).clamp(0.0, 1.0);
        self.sums[k] + (self.sums[k + 1] - self.sums[k]) * part
    }

    /// The cost of a stretch.
    pub fn between(&self, from: f64, to: f64) -> f64 {
        self.until(to) - self.until(from)
    }

    /// The cost of all of it.
    pub fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }
}
