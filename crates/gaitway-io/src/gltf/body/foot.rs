//! A foot: a rounded box whose sole lies on the floor when the foot does.
//!
//! How a foot lies in its joint's frame differs from rig to rig, so it is shaped in the clip's frame where it
//! stands lowest, with its sole level, and carried over to the bind pose.

use gaitway_core::anatomy::Leg;
use gaitway_core::fk::FkScratch;
use gaitway_core::{JointIdx, ground};
use glam::{Affine3A, Vec3};

use super::figure::{Figure, closed, ring};
use super::tube::{Follows, Shape};

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

/// Shapes the foot of a leg.
pub(super) fn shape(figure: &Figure<'_>, leg: &Leg) -> Shape {
    let h = figure.height;
    let stand = Stand::of(figure, leg);
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
    let rings: Vec<_> = PROFILE
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
            ring(centre, axes, 3.0, Follows::one(joint.index()))
        })
        .collect();
    stand.to_bind(figure, closed(&rings, 0.004 * h))
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
    fn of(figure: &Figure<'_>, leg: &Leg) -> Self {
        let clip = figure.clip;
        let mut scratch = FkScratch::new(figure.skeleton);
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
        let fallback = figure.across().cross(Vec3::Y);
        let level = front.map_or(fallback, |f| f.with_y(0.0));
        // The level the skeleton's points stand on lies a sole above the ground: where the ground plane is
        // just below it, the sole goes down to that.
        let stood_on = ground::floor_height(clip);
        let just_below = 0.0..=0.03 * f64::from(figure.height);
        let ground = if just_below.contains(&stood_on) {
            0.0
        } else {
            stood_on
        };
        let floor = ground - clip.root()[best.1].y;
        Self {
            ankle,
            toe: leg.toe.map(|t| at(t.index())),
            tip: leg.tip.map(|t| at(t.index())),
            ahead: level.try_normalize().unwrap_or(Vec3::Z),
            floor: floor as f32,
            scratch,
        }
    }

    /// Carries vertices from this frame to the bind pose, each with its joint.
    fn to_bind(&self, figure: &Figure<'_>, mut shape: Shape) -> Shape {
        for i in 0..shape.positions.len() {
            let joint = shape.follows[i].joint;
            let here = Affine3A::from_rotation_translation(
                self.scratch.rotations[joint],
                self.scratch.from_root[joint],
            );
            let carry = figure.bind.world(joint) * here.inverse();
            shape.positions[i] = carry.transform_point3(shape.positions[i]);
            shape.normals[i] = carry
                .transform_vector3(shape.normals[i])
                .normalize_or(Vec3::Y);
        }
        shape
    }
}
