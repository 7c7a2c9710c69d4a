//! Where a body's centre of mass is. Hips bob by centimetres when limbs swing in the air; the centre of mass does not.

use gaitway_core::anatomy::{Anatomy, Leg};
use gaitway_core::fk::WorldPoints;
use gaitway_core::{JointIdx, PointIdx};
use glam::DVec3;

// Shares of a body's mass, and how far along a part from its upper end its own centre lies: the usual values of
// biomechanics for grown people. Forearm and hand are one part, as are neck and head.
const THIGH: (f64, f64) = (0.100, 0.433);
const SHIN: (f64, f64) = (0.0465, 0.433);
const FOOT: (f64, f64) = (0.0145, 0.5);
const UPPER_ARM: (f64, f64) = (0.028, 0.436);
const FOREARM: (f64, f64) = (0.022, 0.68);
const TRUNK: (f64, f64) = (0.497, 0.5);
const HEAD: f64 = 0.081;

/// The centre of mass in every frame; `None` for a body that is not known from the hips to the shoulders or the head.
pub(super) fn centres(
    points: &WorldPoints,
    anatomy: &Anatomy,
    legs: &[Leg; 2],
) -> Option<Vec<DVec3>> {
    let arms = anatomy.both_arms();
    if arms.is_none() && anatomy.head.is_none() {
        return None;
    }
    let centre = |frame: usize| {
        let at = |j: JointIdx| points.at(frame, j.index());
        let tip = |p: PointIdx| points.at(frame, p.index());
        let mut sum = DVec3::ZERO;
        let mut mass = 0.0;
        let mut add = |(share, along): (f64, f64), a: DVec3, b: DVec3| {
            sum += share * a.lerp(b, along);
            mass += share;
        };
        for leg in legs {
            add(THIGH, at(leg.hip), at(leg.knee));
            add(SHIN, at(leg.knee), at(leg.ankle));
            let toes = leg.tip.map_or(at(leg.ankle), tip);
            add(FOOT, at(leg.ankle), toes);
        }
        let hips = at(legs[0].hip).midpoint(at(legs[1].hip));
        let head = anatomy.head.map(at);
        let shoulders = arms.map(|[l, r]| at(l.shoulder).midpoint(at(r.shoulder)));
        for arm in arms.iter().flatten() {
            add(UPPER_ARM, at(arm.shoulder), at(arm.elbow));
            add(FOREARM, at(arm.elbow), at(arm.wrist));
        }
        let top = shoulders.or(head).unwrap_or(hips);
        add(TRUNK, hips, top);
        let head = head.unwrap_or(top);
        add((HEAD, 0.0), head, head);
        sum / mass
    };
    Some((0..points.frame_count()).map(centre).collect())
}
