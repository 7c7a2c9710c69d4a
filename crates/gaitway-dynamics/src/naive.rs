//! The slow, obvious twin of [`Inverse`](crate::Inverse): no recursion of velocities and no formula of them at all.
//!
//! The motion through a state is played for a few milliseconds to either side; where parts are and how they lie comes from a walk up to the root. Momentum and
//! spin of each part are differences of places, forces are differences of momentum, and the torque at a joint is the sum over all that hangs on it:
//!
//!   n_j = Σ_i (c_i − p_j) × (d(m v_i)/dt − m g) + dL_i/dt.

use gaitway_core::JointIdx;
use glam::{DMat3, DQuat, DVec3};

use crate::body::MassBody;
use crate::inverse::GRAVITY;
use crate::state::State;

/// Seconds between places; the fourth-order differences below then err by parts in 10⁹.
const STEP: f64 = 2e-3;

/// Place and rotation of a joint `t` seconds from a state.
pub fn joint_at(body: &MassBody, state: &State, joint: JointIdx, t: f64) -> (DVec3, DQuat) {
    let own = &state.joints[joint.index()];
    // Of R exp(ω t + α t²/2) the first two derivatives at t = 0 are the state's.
    let turn = own.rotation * DQuat::from_scaled_axis(own.omega * t + own.alpha * (0.5 * t * t));
    let Some(parent) = body.skeleton.parent(joint) else {
        let place = state.root + state.velocity * t + state.acceleration * (0.5 * t * t);
        return (place, turn);
    };
    let (place, above) = joint_at(body, state, parent, t);
    let [slide, speeding] = own.sliding;
    let offset = own.offset + slide * t + speeding * (0.5 * t * t);
    (place + above * offset, above * turn)
}

/// A part's centre `t` seconds from a state.
fn centre_at(body: &MassBody, state: &State, joint: JointIdx, t: f64) -> DVec3 {
    let (place, turn) = joint_at(body, state, joint, t);
    place + turn * body.parts[joint.index()].centre
}

/// A part's spin about its centre, from how its axes move.
fn spin_at(body: &MassBody, state: &State, joint: JointIdx, t: f64) -> DVec3 {
    let turn = |t: f64| DMat3::from_quat(joint_at(body, state, joint, t).1);
    let now = turn(t);
    let rate = slope(|k| turn(t + k));
    // Ṙ Rᵀ = [ω]×.
    let cross = rate * now.transpose();
    let omega = DVec3::new(cross.y_axis.z, cross.z_axis.x, cross.x_axis.y);
    now * body.parts[joint.index()].inertia * now.transpose() * omega
}

/// The derivative at 0, to fourth order.
fn slope<T>(f: impl Fn(f64) -> T) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let near = f(STEP) - f(-STEP);
    let far = f(2.0 * STEP) - f(-2.0 * STEP);
    (near * 8.0 - far) * (1.0 / (12.0 * STEP))
}

/// Force through and moment about a joint, in world axes.
pub fn through(body: &MassBody, state: &State, joint: JointIdx) -> [DVec3; 2] {
    let about = joint_at(body, state, joint, 0.0).0;
    let mut sum = [DVec3::ZERO; 2];
    for part in body.skeleton.joints() {
        let mut up = std::iter::successors(Some(part), |&j| body.skeleton.parent(j));
        if !up.any(|j| j == joint) || body.parts[part.index()].mass == 0.0 {
            continue;
        }
        let mass = body.parts[part.index()].mass;
        let momentum = |t: f64| slope(|k| centre_at(body, state, part, t + k)) * mass;
        let force = slope(momentum) + DVec3::Y * (mass * GRAVITY);
        let turning = slope(|t| spin_at(body, state, part, t));
        let arm = centre_at(body, state, part, 0.0) - about;
        sum[0] += force;
        sum[1] += turning + arm.cross(force);
    }
    sum
}
