//! A foot: a rounded box whose sole lies on the floor when the foot does.
//!
//! How a foot lies in its joint's frame differs from rig to rig, so it is shaped in the clip's frame where it
//! stands lowest, with its sole level, and carried over to the bind pose.

use glam::{Affine3A, Vec3};

use super::{Follows, Form, Kind, Ring, Work, ring};
use crate::anatomy::{Leg, Side};
use crate::fk::FkScratch;
use crate::{Clip, JointIdx, edit, ground};

/// Along the foot: place (0 heel, 1 toes), half width and top, as parts of the foot's own sizes.
const PROFILE: [(f32, f32, f32); 7] = [
    (0.02, 0.55, 0.80),
    (0.10, 0.78, 1.00),
    (0.28, 0.80, 1.05),
    (0.50, 0.88, 0.85),
    (0.72, 1.00, 0.60),
    (0.90, 0.88, 0.45),
    (0.98, 0.60, 0.34),
];

/// Frames the floor is estimated from; more would not move it.
const FLOOR_FRAMES: usize = 20_000;

/// Adds the foot of a leg.
pub(super) fn add(work: &mut Work<'_>, leg: &Leg, side: Side, floor: f64) {
    let rings = rings(work, leg, floor);
    let beyond = 0.004 * work.height;
    work.add(Kind::Foot, Some(side), Form::Tube { rings, beyond });
}

/// The height a body stands on, for its soles.
///
/// The level the skeleton's points stand on lies a sole above the ground: where the ground plane is just below
/// it, soles go down to that.
pub(super) fn floor(clip: &Clip, height: f32) -> f64 {
    let stood_on = if clip.frame_count() > FLOOR_FRAMES {
        ground::floor_height(&edit::cut(clip, 0..FLOOR_FRAMES))
    } else {
        ground::floor_height(clip)
    };
    let just_below = 0.0..=0.03 * f64::from(height);
    if just_below.contains(&stood_on) {
        0.0
    } else {
        stood_on
    }
}

fn rings(work: &Work<'_>, leg: &Leg, floor: f64) -> Vec<Ring> {
    let h = work.height;
    let stand = Stand::of(work, leg, floor);
    let ankle = stand.ankle;
    let height = (ankle.y - stand.floor).clamp(0.03 * h, 0.06 * h);
    let sole = ankle.y - height;
    let ahead = stand.ahead;
    let side = Vec3::Y.cross(ahead);
    let reach = |p: Option<Vec3>| p.map(|p| (p - ankle).dot(ahead));
    let ball = reach(stand.toe).map(|d| d.clamp(0.05 * h, 0.11 * h));
    let front = match (reach(stand.tip), ball) {
        (Some(tip), Some(ball)) => tip.max(ball + 0.03 * h),
        (Some(tip), None) => tip,
        (None, Some(ball)) => ball + 0.04 * h,
        (None, None) => 0.11 * h,
    }
    .clamp(0.09 * h, 0.145 * h);
    let heel = -0.036 * h;
    PROFILE
        .iter()
        .map(|&(s, wide, top)| {
            let along = heel + (front - heel) * s;
            let (low, high) = (sole, sole + height * top);
            let centre = ankle.with_y(0.5 * (low + high)) + ahead * along;
            let axes = [
                side * (0.028 * h * wide),
                Vec3::Y * (0.5 * (high - low)),
                ahead,
            ];
            let toes = leg.toe.zip(ball).filter(|(_, ball)| along >= *ball);
            let joint = toes.map_or(leg.ankle, |(toe, _)| toe);
            stand.to_bind(work, ring(centre, axes, 3.0, Follows::one(joint)))
        })
        .collect()
}

/// The frame in which a foot stands lowest, with places relative to the root.
struct Stand {
    ankle: Vec3,
    toe: Option<Vec3>,
    tip: Option<Vec3>,
    ahead: Vec3,
    floor: f32,
    scratch: FkScratch,
}

impl Stand {
    fn of(work: &Work<'_>, leg: &Leg, floor: f64) -> Self {
        let clip = work.clip;
        let mut scratch = FkScratch::new(work.skeleton);
        let tip = leg.tip.map(|p| p.index()).or(leg.toe.map(JointIdx::index));
        // Enough frames to meet a stance, few enough to cost nothing.
        let step = (clip.frame_count() / 2000).max(1);
        let mut best = (f64::INFINITY, 0);
        for frame in (0..clip.frame_count()).step_by(step) {
            scratch.solve(clip, frame);
            let height = |p: usize| clip.root()[frame].y + f64::from(scratch.from_root[p].y);
            let low = height(leg.ankle.index()) + tip.map_or(0.0, height);
            if low < best.0 {
                best = (low, frame);
            }
        }
        scratch.solve(clip, best.1);
        let at = |p: usize| scratch.from_root[p];
        let ankle = at(leg.ankle.index());
        let front = tip.map(|p| at(p) - ankle);
        let hips = work.anatomy.both_legs();
        let across = hips.map_or(Vec3::X, |[l, r]| at(l.hip.index()) - at(r.hip.index()));
        let fallback = across.cross(Vec3::Y);
        let level = front.map_or(fallback, |f| f.with_y(0.0));
        let floor = floor - clip.root()[best.1].y;
        Self {
            ankle,
            toe: leg.toe.map(|t| at(t.index())),
            tip: leg.tip.map(|t| at(t.index())),
            ahead: level.try_normalize().unwrap_or(Vec3::Z),
            floor: floor as f32,
            scratch,
        }
    }

    /// Carries a ring from this frame to the bind pose, with its joint.
    fn to_bind(&self, work: &Work<'_>, ring: Ring) -> Ring {
        let joint = ring.follows.joint;
        let here = Affine3A::from_rotation_translation(
            self.scratch.rotations[joint],
            self.scratch.from_root[joint],
        );
        let carry = work.bind.world(joint) * here.inverse();
        Ring {
            centre: carry.transform_point3(ring.centre),
            wide: carry.transform_vector3(ring.wide),
            deep: carry.transform_vector3(ring.deep),
            ..ring
        }
    }
}
