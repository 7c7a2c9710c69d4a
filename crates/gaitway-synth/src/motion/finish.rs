//! From a walk to a finished motion: assembled, bent onto its path where asked, feet planted.
//!
//! One chain for every program that makes motion, so that the command line and the studio give the same frames.

use gaitway_graph::{MotionGraph, TransitionKind};

use crate::cleanup::{PlantOptions, plant_feet};
use crate::motion::{AssembleOptions, Motion, assemble, retime};
use crate::path::keep_time::time_map;
use crate::path::{BendOptions, Path, Schedule, bend};
use crate::{SynthError, Walk};

/// How a walk becomes a motion.
#[derive(Clone, Debug)]
pub struct FinishOptions<'a> {
    /// Rate, blend, place and name.
    pub assemble: AssembleOptions,
    /// A path to bend the motion onto, and how far at most, metres.
    pub bend: Option<(&'a Path, f64)>,
    /// When it is to be where along a path: played a little slower or faster.
    pub times: Option<(&'a Path, &'a Schedule)>,
    /// Plant the feet.
    pub clean: bool,
}

impl Default for FinishOptions<'_> {
    fn default() -> Self {
        Self {
            assemble: AssembleOptions::default(),
            bend: None,
            times: None,
            clean: true,
        }
    }
}

/// A finished motion.
#[derive(Clone, Debug)]
pub struct FinishedMotion {
    /// The motion.
    pub motion: Motion,
    /// Why its feet were left as they are, where they could not be planted.
    pub not_planted: Option<String>,
}

/// Makes the finished motion of a walk.
///
/// # Errors
/// As [`assemble`] and [`bend`]. Feet that cannot be planted are no error but told.
pub fn finish_motion(
    graph: &MotionGraph,
    walk: &Walk,
    options: &FinishOptions<'_>,
) -> Result<FinishedMotion, SynthError> {
    let mut motion = assemble(graph, walk, &options.assemble)?;
    if let Some((path, most_m)) = options.bend {
        let bounds = BendOptions {
            most_m,
            ..BendOptions::default()
        };
        motion.clip = bend(&motion.clip, path, &bounds)?;
    }
    if let Some((path, schedule)) = options.times
        && let Some(map) = time_map(&motion.clip, path, schedule)
    {
        motion = retime(motion, map)?;
    }
    let not_planted = if options.clean {
        plant(graph, &mut motion)
    } else {
        None
    };
    Ok(FinishedMotion {
        motion,
        not_planted,
    })
}

/// Plants the feet of a motion; or says why they are left as they are.
pub fn plant(graph: &MotionGraph, motion: &mut Motion) -> Option<String> {
    let rate = motion.clip.rate_hz();
    let frame = |s: f64| (s * rate).round().max(0.0) as usize;
    let transitions = motion.transitions.iter().map(|m| match m.kind {
        TransitionKind::Blend => {
            let half = f64::from(graph.working_length(m.edge) / 2) / graph.working_rate_hz();
            frame(m.t - half)..frame(m.t + half) + 1
        }
        TransitionKind::Cut => frame(m.start_s)..frame(m.end_s) + 1,
    });
    let options = PlantOptions {
        transitions: transitions.collect(),
        ..PlantOptions::default()
    };
    match plant_feet(&motion.clip, None, &options) {
        Ok(planted) => {
            motion.clip = planted.clip;
            None
        }
        Err(error) => Some(error.to_string()),
    }
}
