//! What hangs on one joint: a rigid part with a mass, a centre and an inertia; and segments of the table laid along joints.
//!
//! A segment that lies on one joint is there with the table's mass m, centre and radii r L, exactly. One that spans several joints (a spine of four, a thigh
//! with a twist joint) is a slab of length ℓ about its centre, cut where its joints are: a piece of length h has mass m h / ℓ and moments
//!
//!   m h / ℓ · ((r L)² − ℓ²/12 + h²/12)   across,     m h / ℓ · (r L)²   along,
//!
//! so all pieces together have the table's mass, centre and inertia while the segment is straight. ℓ = L, or what the radii allow where a limb is
//! slimmer at its ends than a slab.

use gaitway_core::JointIdx;
use glam::{DMat3, DQuat, DVec3};

use crate::table::Numbers;

/// A rigid part, in the frame of the joint it hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Kilograms; 0 for joints that carry nothing of their own.
    pub mass: f64,
    /// The centre of mass, metres.
    pub centre: DVec3,
    /// Inertia about the centre, kg m².
    pub inertia: DMat3,
}

impl Default for Part {
    /// Nothing: no mass, no inertia.
    fn default() -> Self {
        Self {
            mass: 0.0,
            centre: DVec3::ZERO,
            inertia: DMat3::ZERO,
        }
    }
}

impl Part {
    /// Adds another part that is fixed to the same joint.
    pub fn add(&mut self, other: &Self) {
        let mass = self.mass + other.mass;
        if mass <= 0.0 {
            return;
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let inertia = self.about(centre) + other.about(centre);
        *self = Self {
            mass,
            centre,
            inertia,
        };
    }

    /// Inertia about another point: the parallel axis theorem.
    pub fn about(&self, point: DVec3) -> DMat3 {
        let d = self.centre - point;
        self.inertia
            + self.mass * (DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer(d, d))
    }
}

/// a bᵀ.
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// A joint of the chain a segment lies along: its place and rotation in the pose the segment is laid in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) joint: JointIdx,
    pub(crate) place: DVec3,
    pub(crate) rotation: DQuat,
}

/// A segment between two places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// The way its sagittal axis points, about.
    pub(crate) front: DVec3,
}

/// Puts a segment of a mass onto the joints it lies along, the first of which holds whatever lies before it and the last whatever lies behind it.
/// `numbers.centre` counts from `span.from`.
pub(crate) fn lay(parts: &mut [Part], chain: &[Link], span: &Span, numbers: &Numbers, mass: f64) {
    let way = span.to - span.from;
    let length = way.length();
    let Some(along) = way.try_normalize() else {
        return;
    };
    let across = (span.front - along * along.dot(span.front)).try_normalize();
    let sagittal = across.unwrap_or_else(|| along.any_orthonormal_vector());
    let transverse = along.cross(sagittal);
    let [rs, rt, rl] = numbers.radii.map(|r| (r * length) * (r * length));
    let slab = length.min((12.0 * rs.min(rt)).sqrt());
    let middle = numbers.centre * length;
    let (low, high) = (middle - 0.5 * slab, middle + 0.5 * slab);
    let mut from = low;
    for (i, link) in chain.iter().enumerate() {
        let to = match chain.get(i + 1) {
            Some(next) => (next.place - span.from).dot(along).clamp(from, high),
            None => high,
        };
        let piece = to - from;
        if piece > 0.0 {
            let m = mass * piece / slab;
            let thick = (piece * piece - slab * slab) / 12.0;
            let world = outer(sagittal, sagittal) * (rs + thick)
                + outer(transverse, transverse) * (rt + thick)
                + outer(along, along) * rl;
            let turn = DMat3::from_quat(link.rotation);
            let centre = span.from + along * (0.5 * (from + to));
            parts[link.joint.index()].add(&Part {
                mass: m,
                centre: link.rotation.inverse() * (centre - link.place),
                inertia: turn.transpose() * world * turn * m,
            });
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Segment, Sex};

    fn link(joint: u32, y: f64) -> Link {
        Link {
            joint: JointIdx(joint),
            place: DVec3::new(0.3, y, 0.0),
            rotation: DQuat::from_rotation_x(0.3 * f64::from(joint)),
        }
    }

    #[test]
    fn cut_into_pieces_a_segment_weighs_and_turns_as_a_whole() {
        for segment in Segment::ALL {
            let numbers = segment.numbers(Sex::Mean);
            let span = Span {
                from: DVec3::new(0.3, 1.0, 0.0),
                to: DVec3::new(0.3, 0.6, 0.0),
                front: DVec3::Z,
            };
            let lay_on = |chain: &[Link]| {
                let mut parts = vec![Part::default(); 4];
                lay(&mut parts, chain, &span, &numbers, 8.0);
                // All in the world, as one.
                let mut sum = Part::default();
                for l in chain {
                    let p = parts[l.joint.index()];
                    let turn = DMat3::from_quat(l.rotation);
                    sum.add(&Part {
                        mass: p.mass,
                        centre: l.place + l.rotation * p.centre,
                        inertia: turn * p.inertia * turn.transpose(),
                    });
                }
                sum
            };
            let one = lay_on(&[link(0, 1.0)]);
            let many = lay_on(&[link(1, 1.0), link(2, 0.83), link(3, 0.7)]);
            let radius = numbers.radii[2] * 0.4;
            assert!((one.mass - 8.0).abs() < 1e-12);
            assert!((one.inertia.col(1).y - 8.0 * radius * radius).abs() < 1e-12);
            let at = 1.0 - 0.4 * numbers.centre;
            assert!((one.centre.y - at).abs() < 1e-12);
            assert!((many.mass - 8.0).abs() < 1e-12);
            assert!(many.centre.distance(one.centre) < 1e-12);
            let off = many.inertia - one.inertia;
            let worst = (0..3).map(|c| off.col(c).abs().max_element());
            assert!(worst.fold(0.0, f64::max) < 1e-12, "{off}");
        }
    }
}
