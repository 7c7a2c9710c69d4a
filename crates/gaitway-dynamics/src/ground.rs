//! What the ground pushes: forces at the soles that carry the motion, split by least torque.
//!
//! Inverse dynamics leaves a force F and a moment n_c about the centre of mass that the world has to give, and moments n_j at the joints as if it gave them at
//! the root. Forces f_k at the points P_k that bear take over: with d_jk = P_k − p_j for the joints j above k they minimise
//!
//!   Σ_j e_j |n_j − Σ_k d_jk × f_k|²  +  Λ (ℓ² |F − Σ f_k|² + |n_c − Σ (P_k − c) × f_k|²)  +  δ² Σ |f_k|²
//!
//! e_j is the joint's effort ([`MassBody::effort`]), Λ = 10⁶ puts balance before comfort, ℓ = 1 m, and δ = 1 cm of lever spreads what makes no difference to any
//! torque. That is one weighted least-squares problem with a closed solution, (AᵀA) f = Aᵀ b, solved by Cholesky's factors. So in double support the two feet share
//! the load as costs the joints least. The ground does not pull: where a point would, the one that pulls most is let go and the rest is solved again. Friction is
//! not bounded. What the points that bear cannot give (one foot's moments are bounded by its sole; in flight nothing is given) is the *residual*.

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::{ContactPoint, JointIdx, PointIdx};
use gaitway_retarget::solve::Band;
use glam::DVec3;

use crate::body::{Bearing, MassBody};
use crate::inverse::{GRAVITY, Inverse};

/// Balance before comfort.
const BALANCE: f64 = 1e6;
/// Metres a missing newton counts as.
const FORCE_ARM: f64 = 1.0;
/// Metres of lever below which forces are spread evenly.
const SPREAD: f64 = 0.01;
/// A point pulls when it does by more than this part of the body's weight.
const PULLS: f64 = 1e-9;

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
    loop {
        if !solve(body, inverse, &need, &mut pushes) {
            pushes.clear();
        }
        let least = -PULLS * body.mass * GRAVITY;
        let lowest = (0..pushes.len())
            .filter(|&k| pushes[k].force.y < least)
            .min_by(|&a, &b| pushes[a].force.y.total_cmp(&pushes[b].force.y));
        match lowest {
            Some(k) => {
                pushes.remove(k);
            }
            None => break,
        }
    }
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

fn solve(body: &MassBody, inverse: &Inverse, need: &Need, pushes: &mut [Push]) -> bool {
    let n = 3 * pushes.len();
    if n == 0 {
        return true;
    }
    let mut normal = Band::new(n, n - 1);
    let mut right = vec![0.0; n];
    let mut add = |k: usize, l: usize, weight: f64, a: DVec3, b: DVec3| {
        // [a]×ᵀ [b]× = (a·b) 1 − b aᵀ, of which the lower triangle is kept.
        let dot = a.dot(b);
        for r in 0..3 {
            for c in 0..3 {
                if 3 * k + r >= 3 * l + c {
                    let value = if r == c { dot } else { 0.0 } - b[r] * a[c];
                    normal.add(3 * k + r, 3 * l + c, weight * value);
                }
            }
        }
    };
    for k in 0..pushes.len() {
        let arm = pushes[k].place - need.centre;
        let mut sum = need.force * (BALANCE * FORCE_ARM * FORCE_ARM);
        sum += need.moment.cross(arm) * BALANCE;
        for l in 0..=k {
            add(k, l, BALANCE, arm, pushes[l].place - need.centre);
        }
        for j in above(body, pushes[k].joint) {
            let effort = body.effort[j];
            if effort == 0.0 {
                continue;
            }
            let arm = pushes[k].place - inverse.places[j];
            sum += inverse.moments[j].cross(arm) * effort;
            for l in 0..=k {
                if above(body, pushes[l].joint).any(|i| i == j) {
                    add(k, l, effort, arm, pushes[l].place - inverse.places[j]);
                }
            }
        }
        right[3 * k..3 * k + 3].copy_from_slice(&sum.to_array());
    }
    for k in 0..pushes.len() {
        for c in 0..3 {
            normal.add(3 * k + c, 3 * k + c, SPREAD * SPREAD);
            for l in 0..=k {
                normal.add(3 * k + c, 3 * l + c, BALANCE * FORCE_ARM * FORCE_ARM);
            }
        }
    }
    if !normal.solve(&mut right) {
        return false;
    }
    for (push, f) in pushes.iter_mut().zip(right.chunks_exact(3)) {
        push.force = DVec3::from_slice(f);
    }
    true
}
