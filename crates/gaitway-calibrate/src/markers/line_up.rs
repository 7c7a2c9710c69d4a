//! Where a limb's middle joint is along its axis.
//!
//! A knee or an elbow turns about one axis; where on the axis it is, motion hardly tells and skin tells wrong. Markers sit outside, so
//! that the nearest point would lie outside too. Bones of a limb line up: the point is taken nearest to the line from the joint
//! above to the joint below, as far as motion does not know better.

use glam::DVec3;

use crate::joint::pair_sums;
use crate::model::{BodyPose, Model};
use crate::noise::Noise;
use crate::tracks::{Sample, Track};

/// How far middle joints of straight limbs are from that line, metres: knees of people stand in or out by about as much.
const OFF_LINE_M: f64 = 0.006;
/// Key frames are far apart in pose but share what skin does; they are worth about this many.
const EFFECTIVE_FRAMES: f64 = 12.0;

/// Moves middle joints along their axes; whether any was moved.
pub(crate) fn line_up(model: &mut Model, poses: &[BodyPose], marker_m: f64) -> bool {
    let count = |body: usize| model.parents.iter().filter(|p| **p == Some(body)).count();
    let middle: Vec<(usize, usize, usize)> = (0..model.body_count())
        .filter_map(|body| {
            let parent = model.parents[body]?;
            model.parents[parent]?;
            let below = model.parents.iter().position(|p| *p == Some(body))?;
            (count(parent) == 1 && count(body) == 1).then_some((parent, body, below))
        })
        .collect();
    for &(parent, body, below) in &middle {
        let track = |b: usize| Track {
            poses: poses
                .iter()
                .map(|p| Sample {
                    place: DVec3::ZERO,
                    turn: super::template::matrix(p.turns[b]),
                    seen: true,
                })
                .collect(),
        };
        let fit = pair_sums(&track(parent), &track(body), |_| 1.0).solve([Noise::default(); 2]);
        let v = &fit.vectors[0];
        let above = DVec3::new(v[0], v[1], v[2]).normalize_or_zero();
        let own = DVec3::new(v[3], v[4], v[5]).normalize_or_zero();
        let unsure2 = marker_m.powi(2) / (2.0 * EFFECTIVE_FRAMES * fit.values[0].max(1e-9));
        let trust = unsure2 / (unsure2 + OFF_LINE_M * OFF_LINE_M);
        let (mut sum, mut weight) = (0.0, 0.0);
        for pose in poses {
            let joints = model.joints(pose);
            let along = (joints[below] - joints[parent]).normalize_or_zero();
            let across = |v: DVec3| v - along * v.dot(along);
            let axis = across(pose.turns[parent] * above);
            sum -= axis.dot(across(joints[body] - joints[parent]));
            weight += axis.length_squared();
        }
        let by = trust * sum / f64::max(weight, 1e-9);
        model.offsets[body] += above * by;
        model.offsets[below] -= own * by;
        for point in model.points.iter_mut().filter(|p| p.body == body) {
            point.offset -= own * by;
        }
    }
    !middle.is_empty()
}
