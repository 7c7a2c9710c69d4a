//! Inverse dynamics held against Pinocchio's: states and torques made by `benches/dynamics/oracle.py`, replayed without it.

use std::sync::Arc;

use gaitway_core::performer::{Move, Performer, Script};
use gaitway_core::{JointIdx, Skeleton};
use gaitway_dynamics::{Inverse, JointState, MassBody, MassOptions, Part, State};
use glam::{DMat3, DQuat, DVec3};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|v| v.as_f64().expect("a number")).collect()
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_slice(&numbers(value))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn body_of(joints: &[Value]) -> MassBody {
    let mut builder = Skeleton::builder();
    for (j, joint) in joints.iter().enumerate() {
        let offset = vector(&joint["offset"]).as_vec3();
        match joint["parent"].as_u64() {
            None => builder.root("j0", offset),
            Some(p) => builder.joint(format!("j{j}"), JointIdx(p as u32), offset),
        };
    }
    let parts = joints.iter().map(|joint| Part {
        mass: joint["mass"].as_f64().expect("a mass"),
        centre: vector(&joint["centre"]),
        inertia: DMat3::from_cols_slice(&numbers(&joint["inertia"])),
    });
    let skeleton: Arc<Skeleton> = builder.build().expect("a tree").shared();
    MassBody::from_parts(skeleton, parts.collect())
}

fn state_of(body: &MassBody, value: &Value) -> State {
    let turn = |v: &Value| DQuat::from_slice(&numbers(v)).normalize();
    let joints = body.skeleton.joints().map(|j| JointState {
        rotation: turn(&value["rotations"][j.index()]),
        omega: vector(&value["omegas"][j.index()]),
        alpha: vector(&value["alphas"][j.index()]),
        offset: body.skeleton.offset(j).as_dvec3(),
        sliding: [DVec3::ZERO; 2],
    });
    State {
        root: vector(&value["root"]),
        velocity: vector(&value["velocity"]),
        acceleration: vector(&value["acceleration"]),
        joints: joints.collect(),
    }
}

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/pinocchio.json")).expect("JSON")
}

#[test]
fn torques_are_those_of_pinocchio() {
    let mut worst = 0.0_f64;
    let mut count = 0;
    for golden in list(&golden()["bodies"]) {
        let body = body_of(list(&golden["joints"]));
        let mut inverse = Inverse::new(&body);
        for value in list(&golden["states"]) {
            let state = state_of(&body, value);
            inverse.solve(&body, &state);
            let root = state.joints[0].rotation.inverse() * inverse.forces[0];
            let wanted: Vec<DVec3> = list(&value["torques"]).iter().map(vector).collect();
            let largest = wanted.iter().map(|t| t.length()).fold(1.0, f64::max);
            for (joint, wanted) in body.skeleton.joints().zip(&wanted) {
                worst = worst.max((inverse.torque(joint) - *wanted).length() / largest);
                count += 1;
            }
            let force = vector(&value["root_force"]);
            worst = worst.max((root - force).length() / force.length());
            let centre = vector(&value["centre"]);
            worst = worst.max(inverse.centre(&body).distance(centre) / centre.length());
            let acceleration = vector(&value["centre_acceleration"]);
            let own = inverse.centre_acceleration(&body);
            worst = worst.max(own.distance(acceleration) / acceleration.length());
            let kinetic = value["kinetic"].as_f64().expect("a number");
            worst = worst.max((inverse.kinetic_energy(&body) / kinetic - 1.0).abs());
        }
    }
    assert!(count > 150, "{count}");
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn the_golden_body_is_the_one_we_make() {
    let take = Performer::new(1)
        .perform(&Script::new("stand", [Move::Idle { seconds: 1.0 }]))
        .expect("a take");
    let body = MassBody::of_clip(&take.clip, &MassOptions::default()).expect("a person");
    let golden = golden();
    let kept = body_of(list(&golden["bodies"][0]["joints"]));
    assert_eq!(kept.parts.len(), body.parts.len());
    for (a, b) in kept.parts.iter().zip(&body.parts) {
        assert!((a.mass - b.mass).abs() < 1e-9 && a.centre.distance(b.centre) < 1e-9);
        let off = a.inertia - b.inertia;
        assert!((0..3).all(|c| off.col(c).length() < 1e-9));
    }
}
