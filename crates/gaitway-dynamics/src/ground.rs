//! What the ground pushes: forces at the soles that carry the motion, split by least torque.
//!
//! Inverse dynamics leaves a force F and a moment n_c about the centre of mass that the world has to give, and moments n_j at the joints as if it gave them at
//! the root. Forces f_k at the points P_k that bear take over: with d_jk = P_k − p_j for the joints j above k they minimise
//!
//!   Σ_j e_j |n_j − Σ_k d_jk × f_k|²  +  Λ (ℓ² |F − Σ f_k|² + |n_c − Σ (P_k − c) × f_k|²)  +  δ² Σ |f_k|²
//!
//! over forces that the ground can give: each a sum of non-negative parts of the four edges of a friction pyramid, (±μ, 1, 0) and (0, 1, ±μ). e_j is the joint's
//! effort ([`MassBody::effort`]), Λ = 10⁴ puts balance before comfort and ℓ = 10 m force before moment (where the centre of mass goes is measured better than how
//! the body spins), and δ = 1 cm of lever spreads what makes no difference to any torque. A weighted least-squares problem with one solution, found
//! exactly (`nonnegative`). So in double support the two feet share the load as costs the joints least. What the points that bear cannot give (a foot's moments are
//! bounded by its sole; in flight nothing is given) is the *residual*.
//!
//! Checked by: the conditions of a least sum (tests), standing bodies, and clips.

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::{ContactPoint, JointIdx, PointIdx};
use glam::{DMat3, DVec3};

use crate::body::{Bearing, MassBody};
use crate::inverse::Inverse;
use crate::nonnegative::Normal;
use crate::part::outer;

/// Λ: balance before comfort.
const BALANCE: f64 = 1e4;
/// ℓ: metres a missing newton counts as.
const FORCE_ARM: f64 = 10.0;
/// δ: metres of lever below which forces are spread evenly.
const SPREAD: f64 = 0.01;
/// μ: a shoe on a dry floor.
pub const FRICTION: f64 = 1.0;

/// Which points of a body bear, by the bits of a contact track.
#[derive(Clone, Debug, Default)]
pub struct Supports {
    bits: Vec<Vec<Bearing>>,
}

impl Supports {
    /// What bears when which point of a track stands: heels and toes their parts of the sole, hips what one sits on, any other point itself.
    pub fn new(body: &MassBody, points: &[ContactPoint]) -> Self {
        let bits = points.iter().map(|p| bearings(body, p)).collect();
        Self { bits }
    }

    /// The points that bear under a mask.
    pub fn under(&self, mask: u32) -> impl Iterator<Item = &Bearing> + Clone {
        let each = self.bits.iter().enumerate();
        each.filter(move |(k, _)| *k < 32 && mask & (1 << k) != 0)
            .flat_map(|(_, b)| b)
    }
}

fn bearings(body: &MassBody, point: &ContactPoint) -> Vec<Bearing> {
    let skeleton = &body.skeleton;
    let joint = skeleton.point_joint(point.point);
    for sole in &body.soles {
        let Some(ankle) = sole.ankle.filter(|&a| is_at_or_below(skeleton, joint, a)) else {
            continue;
        };
        let heel = point.name.contains("heel") || PointIdx::from(ankle) == point.point;
        return if heel { &sole.heel } else { &sole.toe }.clone();
    }
    if joint == body.hips && !body.seat.is_empty() {
        return body.seat.clone();
    }
    let place = match point.point.index().checked_sub(skeleton.joint_count()) {
        None => DVec3::ZERO,
        Some(site) => skeleton.end_sites()[site].offset.as_dvec3(),
    };
    vec![Bearing { joint, place }]
}

/// A push at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// The joint it goes into.
    pub joint: JointIdx,
    /// Where, in the world.
    pub place: DVec3,
    /// N.
    pub force: DVec3,
}

/// What the world gives, and what it cannot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ground {
    /// All points that push.
    pub pushes: Vec<Push>,
    /// Force that nothing gives, N.
    pub residual_force: DVec3,
    /// Moment about the centre of mass that nothing gives, N m.
    pub residual_moment: DVec3,
}

impl Ground {
    /// All pushes together, N.
    pub fn force(&self) -> DVec3 {
        self.pushes.iter().map(|p| p.force).sum()
    }

    /// Where they act on the ground: the mean place by upward force.
    pub fn centre_of_pressure(&self) -> Option<DVec3> {
        let up: f64 = self.pushes.iter().map(|p| p.force.y).sum();
        let sum: DVec3 = self.pushes.iter().map(|p| p.place * p.force.y).sum();
        (up > 0.0).then(|| sum / up)
    }
}

/// Lets the points that bear carry the motion: `inverse` has its moments and forces changed to what is left for the joints.
pub fn carry<'b>(
    body: &MassBody,
    inverse: &mut Inverse,
    bearing: impl IntoIterator<Item = &'b Bearing>,
) -> Ground {
    let centre = inverse.centre(body);
    let push = |b: &Bearing| {
        let j = b.joint.index();
        Push {
            joint: b.joint,
            place: inverse.places[j] + inverse.rotations[j] * b.place,
            force: DVec3::ZERO,
        }
    };
    let mut pushes: Vec<Push> = bearing.into_iter().map(push).collect();
    let need = Need {
        force: inverse.forces[0],
        moment: inverse.moments[0] + (inverse.places[0] - centre).cross(inverse.forces[0]),
        centre,
    };
    solve(body, inverse, &need, &mut pushes);
    pushes.retain(|p| p.force != DVec3::ZERO);
    let mut ground = Ground {
        residual_force: need.force,
        residual_moment: need.moment,
        pushes,
    };
    for p in &ground.pushes {
        ground.residual_force -= p.force;
        ground.residual_moment -= (p.place - centre).cross(p.force);
        for j in above(body, p.joint) {
            inverse.forces[j] -= p.force;
            let arm = p.place - inverse.places[j];
            inverse.moments[j] -= arm.cross(p.force);
        }
    }
    ground
}

/// What the world has to give.
struct Need {
    force: DVec3,
    moment: DVec3,
    centre: DVec3,
}

/// A joint and all above it, the root last.
fn above(body: &MassBody, joint: JointIdx) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(joint), |&j| body.skeleton.parent(j)).map(JointIdx::index)
}

/// Edges of the friction pyramid.
const EDGES: [DVec3; 4] = [
    DVec3::new(FRICTION, 1.0, 0.0),
    DVec3::new(-FRICTION, 1.0, 0.0),
    DVec3::new(0.0, 1.0, FRICTION),
    DVec3::new(0.0, 1.0, -FRICTION),
];

fn solve(body: &MassBody, inverse: &Inverse, need: &Need, pushes: &mut [Push]) {
    let count = pushes.len();
    let mut normal = Normal::new(4 * count);
    for k in 0..count {
        let to_joints: Vec<usize> = above(body, pushes[k].joint)
            .filter(|&j| body.effort[j] > 0.0)
            .collect();
        let arm = pushes[k].place - need.centre;
        let mut right = need.force * (BALANCE * FORCE_ARM * FORCE_ARM);
        right += need.moment.cross(arm) * BALANCE;
        for &j in &to_joints {
            let arm = pushes[k].place - inverse.places[j];
            right += inverse.moments[j].cross(arm) * body.effort[j];
        }
        for (e, edge) in EDGES.iter().enumerate() {
            normal.right[4 * k + e] = right.dot(*edge);
        }
        for l in 0..=k {
            let own = if l == k { SPREAD * SPREAD } else { 0.0 };
            let even = DMat3::from_diagonal(DVec3::splat(BALANCE * FORCE_ARM * FORCE_ARM + own));
            let other = pushes[l].place - need.centre;
            let mut block = even + cross_product(arm, other) * BALANCE;
            for &j in &to_joints {
                if above(body, pushes[l].joint).any(|i| i == j) {
                    let at = inverse.places[j];
                    block +=
                        cross_product(pushes[k].place - at, pushes[l].place - at) * body.effort[j];
                }
            }
            for (e, edge) in EDGES.iter().enumerate() {
                for (f, with) in EDGES.iter().enumerate() {
                    normal.set(4 * k + e, 4 * l + f, edge.dot(block * *with));
                }
            }
        }
    }
    let parts = normal.nonnegative();
    for (push, parts) in pushes.iter_mut().zip(parts.chunks_exact(4)) {
        push.force = EDGES.iter().zip(parts).map(|(e, c)| *e * *c).sum();
    }
}

/// [a]×ᵀ [b]× = (a·b) 1 − b aᵀ.
fn cross_product(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(a.dot(b))) - outer(b, a)
}
