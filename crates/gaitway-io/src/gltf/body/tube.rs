//! Closed tubes: rings of vertices along a line, drawn together at both ends.

use glam::Vec3;

/// Up to two joints a vertex follows, and how much it follows the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Follows {
    pub joint: usize,
    pub other: usize,
    pub share: f32,
}

impl Follows {
    pub fn one(joint: usize) -> Self {
        Self {
            joint,
            other: joint,
            share: 0.0,
        }
    }
}

/// An oval ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub centre: Vec3,
    /// Half axes; the tube runs along their cross product.
    pub wide: Vec3,
    pub deep: Vec3,
    /// 2 is an ellipse, larger a box with rounded corners.
    pub power: f32,
    pub follows: Follows,
}

/// Vertices of a tube and triangles over them.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub follows: Vec<Follows>,
    pub triangles: Vec<[u32; 3]>,
}

/// Vertices round a ring.
const ROUND: usize = 16;

/// Closes rings to a tube; the two poles lie beyond the first and last ring.
pub(super) fn tube(start: Vec3, rings: &[Ring], end: Vec3) -> Shape {
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
pub(super) fn capsule(a: Vec3, b: Vec3, radii: [f32; 2], joint: usize) -> Shape {
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
pub(super) fn egg(centre: Vec3, axes: [Vec3; 3], power: f32, joint: usize) -> Shape {
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
