//! Laws of motion, held on random bodies and states.

use std::sync::Arc;

use gaitway_core::random::SplitMix64;
use gaitway_core::{JointIdx, Skeleton};
use gaitway_dynamics::{GRAVITY, Inverse, JointState, MassBody, Part, State, naive};
use glam::{DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;

fn vector(random: &mut SplitMix64, size: f64) -> DVec3 {
    let mut one = || random.range(-size, size);
    DVec3::new(one(), one(), one())
}

fn turn(random: &mut SplitMix64) -> DQuat {
    DQuat::from_scaled_axis(vector(random, 1.7))
}

/// A random tree with random parts, one joint of it without mass.
fn random_body(random: &mut SplitMix64, joints: usize) -> MassBody {
    let mut builder = Skeleton::builder();
    builder.root("j0", Vec3::ZERO);
    for j in 1..joints {
        let parent = (random.unit() * j as f64) as u32;
        builder.joint(
            format!("j{j}"),
            JointIdx(parent),
            vector(random, 0.4).as_vec3(),
        );
    }
    let skeleton: Arc<Skeleton> = builder.build().expect("a tree").shared();
    let parts = (0..joints).map(|j| {
        if j == 1 {
            return Part::default();
        }
        let mut inertia = DMat3::IDENTITY * 1e-3;
        for _ in 0..3 {
            let p = vector(random, 0.15);
            inertia += DMat3::from_diagonal(DVec3::splat(p.length_squared()))
                - DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        }
        Part {
            mass: random.range(0.2, 9.0),
            centre: vector(random, 0.2),
            inertia,
        }
    });
    let parts: Vec<Part> = parts.collect();
    MassBody::from_parts(skeleton, parts)
}

fn random_state(random: &mut SplitMix64, body: &MassBody) -> State {
    let mut state = State::rest(&body.skeleton);
    state.root = vector(random, 1.0);
    state.velocity = vector(random, 2.0);
    state.acceleration = vector(random, 5.0);
    for joint in &mut state.joints {
        *joint = JointState {
            rotation: turn(random),
            omega: vector(random, 3.0),
            alpha: vector(random, 15.0),
            offset: joint.offset,
            sliding: [vector(random, 0.3), vector(random, 1.0)],
        };
    }
    state
}

fn solved(body: &MassBody, state: &State) -> Inverse {
    let mut inverse = Inverse::new(body);
    inverse.solve(body, state);
    inverse
}

/// The state a moment later, along the same curves.
fn later(body: &MassBody, state: &State, t: f64) -> State {
    let mut out = state.clone();
    out.root += state.velocity * t + state.acceleration * (0.5 * t * t);
    out.velocity += state.acceleration * t;
    for (new, old) in out.joints.iter_mut().zip(&state.joints) {
        let phi = old.omega * t + old.alpha * (0.5 * t * t);
        new.rotation = old.rotation * DQuat::from_scaled_axis(phi);
        // ω of R exp φ(t) is φ′ − ½ φ × φ′ + …
        let rate = old.omega + old.alpha * t;
        new.omega = rate - 0.5 * phi.cross(rate);
        new.offset = old.offset + old.sliding[0] * t + old.sliding[1] * (0.5 * t * t);
        new.sliding[0] = old.sliding[0] + old.sliding[1] * t;
    }
    assert_eq!(body.parts.len(), out.joints.len());
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_recursion_is_its_slow_twin(seed in 0..100_000_u64, joints in 2..7_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let state = random_state(&mut random, &body);
        let fast = solved(&body, &state);
        let size = fast.moments.iter().chain(&fast.forces).map(|v| v.length()).fold(1.0, f64::max);
        for joint in body.skeleton.joints() {
            let [force, moment] = naive::through(&body, &state, joint);
            prop_assert!(force.distance(fast.forces[joint.index()]) < 2e-6 * size);
            prop_assert!(moment.distance(fast.moments[joint.index()]) < 2e-6 * size);
        }
    }

    #[test]
    fn free_fall_takes_no_torque(seed in 0..100_000_u64, joints in 2..12_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let mut state = State::rest(&body.skeleton);
        for joint in &mut state.joints {
            joint.rotation = turn(&mut random);
        }
        state.velocity = vector(&mut random, 3.0);
        state.acceleration = DVec3::NEG_Y * GRAVITY;
        let inverse = solved(&body, &state);
        let largest = inverse.moments.iter().chain(&inverse.forces).map(|v| v.length()).fold(0.0, f64::max);
        prop_assert!(largest < 1e-9, "{largest}");
    }

    #[test]
    fn standing_still_takes_the_weight(seed in 0..100_000_u64, joints in 2..12_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let mut state = State::rest(&body.skeleton);
        for joint in &mut state.joints {
            joint.rotation = turn(&mut random);
        }
        let inverse = solved(&body, &state);
        let weight = DVec3::Y * (body.mass * GRAVITY);
        prop_assert!(inverse.forces[0].distance(weight) < 1e-9);
        // A force at the centre of mass has no moment about it.
        let moment = (inverse.centre(&body) - state.root).cross(weight);
        prop_assert!(inverse.moments[0].distance(moment) < 1e-9);
    }

    #[test]
    fn power_is_what_energy_gains(seed in 0..100_000_u64, joints in 2..10_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let state = random_state(&mut random, &body);
        let energy = |t: f64| {
            let then = solved(&body, &later(&body, &state, t));
            then.kinetic_energy(&body) + then.potential_energy(&body)
        };
        const H: f64 = 1e-4;
        let gain = (energy(H) - energy(-H)) / (2.0 * H);
        let now = solved(&body, &state);
        let power = now.power(&body, &state);
        let size = now.kinetic_energy(&body) * 100.0 + power.abs();
        prop_assert!((gain - power).abs() < 1e-6 * size, "{gain} {power}");
    }

    #[test]
    fn forces_go_along_when_the_world_turns(seed in 0..100_000_u64, joints in 2..10_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let state = random_state(&mut random, &body);
        let about = DQuat::from_rotation_y(random.range(-3.0, 3.0));
        let shift = vector(&mut random, 100.0);
        let mut moved = state.clone();
        moved.root = about * state.root + shift;
        moved.velocity = about * state.velocity;
        moved.acceleration = about * state.acceleration;
        moved.joints[0].rotation = about * state.joints[0].rotation;
        let (here, there) = (solved(&body, &state), solved(&body, &moved));
        for j in 0..joints {
            prop_assert!((about * here.forces[j]).distance(there.forces[j]) < 1e-8);
            prop_assert!((about * here.moments[j]).distance(there.moments[j]) < 1e-8);
        }
    }

    #[test]
    fn in_the_mirror_torques_are_mirrored(seed in 0..100_000_u64, joints in 2..10_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let state = random_state(&mut random, &body);
        // Places lose their sign along x, turns about y and z theirs.
        let place = |v: DVec3| DVec3::new(-v.x, v.y, v.z);
        let spin = |v: DVec3| DVec3::new(v.x, -v.y, -v.z);
        let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        let mut other = body.clone();
        for part in &mut other.parts {
            part.centre = place(part.centre);
            part.inertia = flip * part.inertia * flip;
        }
        let mut mirrored = state.clone();
        mirrored.root = place(state.root);
        mirrored.velocity = place(state.velocity);
        mirrored.acceleration = place(state.acceleration);
        for joint in &mut mirrored.joints {
            let q = joint.rotation;
            joint.rotation = DQuat::from_xyzw(q.x, -q.y, -q.z, q.w);
            joint.omega = spin(joint.omega);
            joint.alpha = spin(joint.alpha);
            joint.offset = place(joint.offset);
            joint.sliding = joint.sliding.map(place);
        }
        let (one, two) = (solved(&body, &state), solved(&other, &mirrored));
        for j in 0..joints {
            prop_assert!(place(one.forces[j]).distance(two.forces[j]) < 1e-8);
            prop_assert!(spin(one.moments[j]).distance(two.moments[j]) < 1e-8);
        }
    }

    #[test]
    fn half_as_fast_leaves_a_quarter_of_what_is_not_weight(seed in 0..100_000_u64, joints in 2..10_usize) {
        let mut random = SplitMix64::new(seed);
        let body = random_body(&mut random, joints);
        let state = random_state(&mut random, &body);
        let paced = |by: f64| {
            let mut slow = state.clone();
            slow.velocity *= by;
            slow.acceleration *= by * by;
            for joint in &mut slow.joints {
                joint.omega *= by;
                joint.alpha *= by * by;
                joint.sliding = [joint.sliding[0] * by, joint.sliding[1] * by * by];
            }
            solved(&body, &slow)
        };
        let (still, half, full) = (paced(0.0), paced(0.5), paced(1.0));
        for j in 0..joints {
            let moving = full.moments[j] - still.moments[j];
            let slow = half.moments[j] - still.moments[j];
            prop_assert!((moving * 0.25).distance(slow) < 1e-8 * (1.0 + moving.length()));
        }
    }
}
