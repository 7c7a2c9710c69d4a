//! What was mapped, what was kept and how much was changed, as numbers that can be written down.

use gaitway_core::rotation::angle_between;
use gaitway_core::{Clip, JointIdx};
use serde::Serialize;

use crate::align::MappedRole;
use crate::body::RestFrom;
use crate::solve::Residual;

/// Where and when a change is largest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MostChanged {
    /// The joint.
    pub joint: String,
    /// Seconds from the start.
    pub at_s: f64,
    /// Degrees.
    pub deg: f64,
}

/// How far a motion is from its first guess.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// Degrees that 95 % of all joints in all frames stay below, of the joints that may change.
    pub p95_deg: f64,
    /// The largest of them, degrees.
    pub max_deg: f64,
    /// How far the root was moved at most, centimetres.
    pub root_max_cm: f64,
    /// The same on average.
    pub root_mean_cm: f64,
    /// Where the change is largest, worst first; one row per joint.
    pub most: Vec<MostChanged>,
}

/// The account of one clip put on another body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Who follows whom.
    pub roles: Vec<MappedRole>,
    /// How sure the source's roles are, from 0 to 1.
    pub source_confidence: f64,
    /// How sure the target's are.
    pub target_confidence: f64,
    /// Where the source's pose to compare at is from.
    pub source_rest: RestFrom,
    /// Where the target's is from.
    pub target_rest: RestFrom,
    /// What is not as in other bodies, and what was done instead.
    pub notes: Vec<String>,
    /// The target's legs over the source's.
    pub scale: f64,
    /// Frames of the clip.
    pub frames: usize,
    /// Its length in seconds.
    pub seconds: f64,
    /// Constraints that were set.
    pub constraints: usize,
    /// What of them was broken by the first guess, and is by the result: largest and 95th percentile over constraints, millimetres.
    pub before_mm: [f64; 2],
    /// See `before_mm`.
    pub after_mm: [f64; 2],
    /// What the splines alone left, before legs were bent: largest and 95th percentile, millimetres.
    pub splines_mm: [f64; 2],
    /// Constraint by constraint, those with more than a tenth of a millimetre left, worst first.
    pub left: Vec<Residual>,
    /// How much was changed beyond the first guess.
    pub change: Change,
    /// Gauss–Newton steps that were taken.
    pub steps: usize,
    /// Seconds of motion per second of work, on one core; absent where nobody measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_real_time: Option<f64>,
}

/// Largest and 95th percentile.
pub(crate) fn spread(values: &[Residual]) -> [f64; 2] {
    let mut all: Vec<f64> = values.iter().map(|r| r.max_mm).collect();
    all.sort_by(f64::total_cmp);
    let at = |part: f64| {
        all.get(((all.len() as f64 * part).ceil() as usize).saturating_sub(1))
            .copied()
    };
    [at(1.0).unwrap_or(0.0), at(0.95).unwrap_or(0.0)]
}

/// What differs between two clips of one skeleton, of some joints.
pub fn change(first: &Clip, result: &Clip, joints: &[JointIdx]) -> Change {
    let mut all = Vec::with_capacity(joints.len() * first.frame_count());
    let mut most: Vec<MostChanged> = Vec::new();
    let frames = first.frame_count().min(result.frame_count());
    for &joint in joints {
        let mut worst = (0.0, 0);
        for frame in 0..frames {
            let deg = angle_between(first.rotation(frame, joint), result.rotation(frame, joint))
                .to_degrees();
            all.push(deg);
            if deg > worst.0 {
                worst = (deg, frame);
            }
        }
        most.push(MostChanged {
            joint: first.skeleton().name(joint).to_owned(),
            at_s: worst.1 as f64 / first.rate_hz(),
            deg: worst.0,
        });
    }
    most.sort_by(|a, b| b.deg.total_cmp(&a.deg));
    most.truncate(6);
    all.sort_by(f64::total_cmp);
    let moved: Vec<f64> = (0..frames)
        .map(|f| 100.0 * first.root()[f].distance(result.root()[f]))
        .collect();
    Change {
        p95_deg: all
            .get((0.95 * all.len() as f64) as usize)
            .copied()
            .unwrap_or(0.0),
        max_deg: all.last().copied().unwrap_or(0.0),
        root_max_cm: moved.iter().copied().fold(0.0, f64::max),
        root_mean_cm: moved.iter().sum::<f64>() / moved.len().max(1) as f64,
        most,
    }
}
