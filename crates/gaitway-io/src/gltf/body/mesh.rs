//! The body's shapes as one glTF mesh, a primitive per side.

use gaitway_core::Clip;
use gaitway_core::anatomy::Side;
use gaitway_core::figure::{Bind, Figure, Kind};
use serde_json::{Value, json};

use super::tube::{Shape, sculpt};
use crate::gltf::buffer::{ARRAY_BUFFER, BufferBuilder};

/// Shapes in the bind pose and the side of the body they belong to.
pub(in crate::gltf) struct Body {
    shapes: Vec<(Option<Side>, Shape)>,
}

/// Left and right differ a little, so that a viewer can tell them apart: cooler left, warmer right.
const COLOURS: [(&str, Option<Side>, [f32; 4]); 3] = [
    ("body", None, [0.60, 0.58, 0.55, 1.0]),
    ("left", Some(Side::Left), [0.42, 0.54, 0.62, 1.0]),
    ("right", Some(Side::Right), [0.66, 0.50, 0.40, 1.0]),
];

impl Body {
    /// Shapes a body for a clip's skeleton; the clip shows how the feet stand.
    pub fn sculpt(clip: &Clip, bind: &Bind) -> Self {
        let figure = Figure::of(clip, bind);
        let mut parts = figure.parts.iter().peekable();
        let mut shapes = Vec::new();
        while let Some(part) = parts.next() {
            // Seen from near, a hand has fingers where the rig has them.
            let fingers =
                part.kind == Kind::Hand && parts.peek().is_some_and(|next| next.kind == Kind::Palm);
            if !fingers {
                shapes.push((part.side, sculpt(&part.form)));
            }
        }
        shapes.retain(|(_, s)| s.positions.iter().all(|p| p.is_finite()));
        Self { shapes }
    }

    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The sides that occur, in the order of their materials.
    fn sides(&self) -> impl Iterator<Item = &'static (&'static str, Option<Side>, [f32; 4])> {
        COLOURS
            .iter()
            .filter(|(_, side, _)| self.shapes.iter().any(|(s, _)| s == side))
    }

    pub fn materials(&self) -> Value {
        let material = |(name, _, colour): &(&str, Option<Side>, [f32; 4])| {
            json!({
                "name": name,
                "pbrMetallicRoughness": {
                    "baseColorFactor": colour,
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.75,
                },
            })
        };
        self.sides().map(material).collect()
    }

    pub fn mesh(&self, buffer: &mut BufferBuilder) -> Value {
        let primitives: Vec<Value> = self
            .sides()
            .enumerate()
            .map(|(material, (_, side, _))| self.primitive(*side, material, buffer))
            .collect();
        json!([{ "name": "body", "primitives": primitives }])
    }

    fn primitive(&self, side: Option<Side>, material: usize, buffer: &mut BufferBuilder) -> Value {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        let (mut joints, mut weights, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for (_, shape) in self.shapes.iter().filter(|(s, _)| *s == side) {
            let base = joints.len() as u32;
            positions.extend(shape.positions.iter().flat_map(|p| p.to_array()));
            normals.extend(shape.normals.iter().flat_map(|n| n.to_array()));
            indices.extend(shape.triangles.iter().flatten().map(|i| base + i));
            for follows in &shape.follows {
                let two = follows.share > 0.0 && follows.other != follows.joint;
                let share = if two { follows.share } else { 0.0 };
                let other = if two { follows.other as u16 } else { 0 };
                joints.push([follows.joint as u16, other, 0, 0]);
                weights.extend([1.0 - share, share, 0.0, 0.0]);
            }
        }
        json!({
            "attributes": {
                "POSITION": buffer.bounded_floats(&positions, "VEC3", Some(ARRAY_BUFFER)),
                "NORMAL": buffer.attribute(&normals, "VEC3"),
                "JOINTS_0": buffer.joints(&joints),
                "WEIGHTS_0": buffer.attribute(&weights, "VEC4"),
            },
            "indices": buffer.indices(&indices),
            "material": material,
        })
    }
}
