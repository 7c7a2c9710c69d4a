"""Inverse dynamics of random states by Pinocchio, for crates/gaitway-dynamics/tests/oracle.rs.

Two bodies: the performer's (model.json, by `cargo run -p gaitway-dynamics --example model`) and a random tree with random parts. Each joint is a ball, the root floats.
Pinocchio's root velocity and acceleration are spatial, in the body's frame; ours are those of its place in the world.

    python3 -m venv target/bench-venv && target/bench-venv/bin/pip install -r benches/peers/requirements-dynamics.txt
    cargo run -p gaitway-dynamics --example model > target/model.json
    target/bench-venv/bin/python benches/dynamics/oracle.py target/model.json crates/gaitway-dynamics/tests/golden/pinocchio.json
"""

import json
import sys

import numpy as np
import pinocchio as pin

STATES = 6


def quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def random_tree(rng, count=9):
    joints = []
    for j in range(count):
        # An inertia of three point masses and a little more is positive definite and obeys the triangle inequality.
        points = rng.normal(size=(3, 3)) * 0.1
        inertia = sum(np.dot(p, p) * np.eye(3) - np.outer(p, p) for p in points) * 2.0 + 1e-3 * np.eye(3)
        joints.append({
            "parent": None if j == 0 else int(rng.integers(0, j)),
            # Skeletons hold single precision.
            "offset": [float(np.float32(x)) for x in rng.normal(size=3) * 0.3],
            "mass": float(rng.uniform(0.1, 8.0)),
            "centre": list(rng.normal(size=3) * 0.1),
            "inertia": list(inertia.flatten()),
        })
    return joints


def build(joints):
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -9.81, 0.0])
    ids = []
    for j, joint in enumerate(joints):
        root = joint["parent"] is None
        parent = 0 if root else ids[joint["parent"]]
        place = pin.SE3(np.eye(3), np.zeros(3) if root else np.array(joint["offset"]))
        kind = pin.JointModelFreeFlyer() if root else pin.JointModelSpherical()
        ids.append(model.addJoint(parent, kind, place, f"j{j}"))
        inertia = np.array(joint["inertia"]).reshape(3, 3).T
        part = pin.Inertia(joint["mass"], np.array(joint["centre"]), inertia)
        model.appendBodyToJoint(ids[-1], part, pin.SE3.Identity())
    return model, ids


def state(rng, joints, model, ids):
    data = model.createData()
    q, v, a = np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
    root, velocity, acceleration = rng.normal(size=3), rng.normal(size=3) * 2, rng.normal(size=3) * 5
    turns, omegas, alphas = [], [], []
    for j, joint_id in enumerate(ids):
        turn, omega, alpha = quaternion(rng), rng.normal(size=3) * 4, rng.normal(size=3) * 30
        at, from_ = model.joints[joint_id].idx_q, model.joints[joint_id].idx_v
        if j == 0:
            back = pin.Quaternion(*turn[[3, 0, 1, 2]]).toRotationMatrix().T
            q[at:at + 3], q[at + 3:at + 7] = root, turn
            v[from_:from_ + 3], v[from_ + 3:from_ + 6] = back @ velocity, omega
            a[from_:from_ + 3] = back @ acceleration - np.cross(omega, back @ velocity)
            a[from_ + 3:from_ + 6] = alpha
        else:
            q[at:at + 4], v[from_:from_ + 3], a[from_:from_ + 3] = turn, omega, alpha
        turns.append(turn)
        omegas.append(omega)
        alphas.append(alpha)
    tau = pin.rnea(model, data, q, v, a)
    centre = pin.centerOfMass(model, data, q, v, a)
    kinetic = pin.computeKineticEnergy(model, data, q, v)
    torques = [list(tau[model.joints[i].idx_v:][3 * (j == 0):][:3]) for j, i in enumerate(ids)]
    return {
        "root": list(root), "velocity": list(velocity), "acceleration": list(acceleration),
        "rotations": [list(t) for t in turns], "omegas": [list(o) for o in omegas], "alphas": [list(x) for x in alphas],
        "torques": torques, "root_force": list(tau[:3]), "centre": list(centre), "kinetic": kinetic,
        "centre_acceleration": list(data.acom[0]),
    }


def main():
    rng = np.random.default_rng(18)
    bodies = [json.load(open(sys.argv[1])), random_tree(rng)]
    out = []
    for joints in bodies:
        model, ids = build(joints)
        out.append({"joints": joints, "states": [state(rng, joints, model, ids) for _ in range(STATES)]})
    json.dump({"made_by": f"benches/dynamics/oracle.py, pinocchio {pin.__version__}", "bodies": out}, open(sys.argv[2], "w"), separators=(",", ":"))


main()
