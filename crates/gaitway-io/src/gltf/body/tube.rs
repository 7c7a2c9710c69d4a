//! Closed tubes: rings of vertices along a line, drawn together at both ends.

use gaitway_core::JointIdx;
use gaitway_core::figure::{Follows, Form, Ring};
use glam::Vec3;

/// Vertices of a tube and triangles over them.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub follows: Vec<Follows>,
    pub triangles: Vec<[u32; 3]>,
}

/// The triangles round a form.
pub(super) fn sculpt(form: &Form) -> Shape {
    match form {
        Form::Capsule { ends, radii } => {
            capsule(ends[0].place, ends[1].place, *radii, ends[0].joint)
        }
        // How the two lie to one another in the bind pose says nothing about any frame, and vertices hung on both would be
        // drawn out to a ribbon: the joint that moves by itself is shown alone.
        Form::Link { ends, radii } => {
            let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * radii[0]);
            egg(ends[1].place, axes, 2.0, ends[1].joint)
        }
        Form::Egg {
            centre,
            axes,
            power,
        } => egg(centre.place, *axes, *power, centre.joint),
        Form::Tube { rings, beyond } => closed(rings, *beyond),
    }
}

/// Vertices round a ring.
const ROUND: usize = 16;

/// Closes rings to a tube; the two poles lie beyond the first and last ring.
fn tube(start: Vec3, rings: &[Ring], end: Vec3) -> Shape {
    let mut shape = Shape::default();
    let (Some(first), Some(last)) = (rings.first(), rings.last()) else {
        return shape;
    };
    shape.push(start, first.follows);
    for ring in rings {
        for k in 0..ROUND {
            let angle = std::f32::consts::TAU * k as f32 / ROUND as f32;
            let (sin, cos) = angle.sin_cos();
            let bend = |x: f32| x.signum() * x.abs().powf(2.0 / ring.power);
            let place = ring.centre + ring.wide * bend(cos) + ring.deep * bend(sin);
            shape.push(place, ring.follows);
        }
    }
    shape.push(end, last.follows);
    let tip = shape.positions.len() as u32 - 1;
    let at = |ring: usize, k: usize| (1 + ring * ROUND + k % ROUND) as u32;
    for k in 0..ROUND {
        shape.triangles.push([0, at(0, k + 1), at(0, k)]);
        for r in 1..rings.len() {
            let quad = [at(r - 1, k), at(r - 1, k + 1), at(r, k + 1), at(r, k)];
            shape.triangles.push([quad[0], quad[1], quad[2]]);
            shape.triangles.push([quad[0], quad[2], quad[3]]);
        }
        let r = rings.len() - 1;
        shape.triangles.push([at(r, k), at(r, k + 1), tip]);
    }
    shape.smooth();
    shape
}

impl Shape {
    fn push(&mut self, place: Vec3, follows: Follows) {
        self.positions.push(place);
        self.follows.push(follows);
    }

    /// Normals as the mean of the faces round each vertex, by their area.
    fn smooth(&mut self) {
        self.normals = vec![Vec3::ZERO; self.positions.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| self.positions[i as usize]);
            let face = (b - a).cross(c - a);
            triangle
                .iter()
                .for_each(|&i| self.normals[i as usize] += face);
        }
        for normal in &mut self.normals {
            *normal = normal.try_normalize().unwrap_or(Vec3::Y);
        }
    }
}

/// A capsule between two places with a radius at each.
fn capsule(a: Vec3, b: Vec3, radii: [f32; 2], joint: JointIdx) -> Shape {
    let along = (b - a).try_normalize().unwrap_or(Vec3::Y);
    let (wide, deep) = along.any_orthonormal_pair();
    let ring = |centre: Vec3, radius: f32| Ring {
        centre,
        wide: wide * radius,
        deep: deep * radius,
        power: 2.0,
        follows: Follows::one(joint),
    };
    let mut rings = Vec::with_capacity(8);
    for degrees in [-65.0_f32, -40.0, -15.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        rings.push(ring(a + along * (radii[0] * sin), radii[0] * cos));
    }
    for t in [0.1, 0.5, 0.9] {
        rings.push(ring(a.lerp(b, t), radii[0] + (radii[1] - radii[0]) * t));
    }
    for degrees in [15.0_f32, 40.0, 65.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        rings.push(ring(b + along * (radii[1] * sin), radii[1] * cos));
    }
    tube(a - along * radii[0], &rings, b + along * radii[1])
}

/// An egg or a rounded box about a centre, by its half axes (right-handed: wide × deep runs along `along`).
fn egg(centre: Vec3, axes: [Vec3; 3], power: f32, joint: JointIdx) -> Shape {
    let [wide, deep, along] = axes;
    let rings: Vec<Ring> = [-75.0_f32, -55.0, -35.0, -12.0, 12.0, 35.0, 55.0, 75.0]
        .iter()
        .map(|degrees| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let swell = cos.powf(2.0 / power);
            let rise = sin.signum() * sin.abs().powf(2.0 / power);
            Ring {
                centre: centre + along * rise,
                wide: wide * swell,
                deep: deep * swell,
                power,
                follows: Follows::one(joint),
            }
        })
        .collect();
    tube(centre - along, &rings, centre + along)
}

/// A tube that begins and ends a little beyond its rings.
fn closed(rings: &[Ring], reach: f32) -> Shape {
    let (Some(first), Some(last)) = (rings.first(), rings.last()) else {
        return Shape::default();
    };
    let along = |r: &Ring| r.wide.cross(r.deep).normalize_or(Vec3::Y) * reach;
    tube(
        first.centre - along(first),
        rings,
        last.centre + along(last),
    )
}
