//! The figure's forms as balls whose hull is drawn.
//!
//! A ring becomes the two balls that fit into its ends, an egg those that touch it from inside where it is most bent.

use gaitway_core::figure::{Figure, Form, Held, Kind, Part, Ring};
use glam::Vec3;

use super::body::{self, Assembly, Spot, Tone};

type Balls = Vec<(Spot, f64)>;

/// From this power on an egg is rather a box with rounded corners.
const BOX: f32 = 2.5;

/// Adds the outlines of all parts.
pub(super) fn add(work: &mut Assembly<'_>, figure: &Figure) {
    for part in &figure.parts {
        match (part.kind, &part.form) {
            // The mitten stands for the fingers, and the chest takes the collar bones in.
            (Kind::Palm | Kind::Finger | Kind::Collar, _) => {}
            (Kind::Trunk, Form::Tube { rings, .. }) => trunk(work, figure, rings),
            _ => {
                let balls = balls(work, &part.form);
                push(work, tone(part), balls);
            }
        }
    }
    if work.body.parts.is_empty() {
        let spot = work.joint(figure.top);
        let radius = 0.08 * work.body.unit;
        push(work, Tone::Trunk, vec![(spot, radius)]);
    }
}

/// The colour of a part.
pub(super) fn tone(part: &Part) -> Tone {
    match (part.kind, part.side) {
        (Kind::Head, _) => Tone::Head,
        (_, Some(side)) => side.into(),
        (_, None) => Tone::Trunk,
    }
}

fn push(work: &mut Assembly<'_>, tone: Tone, balls: Balls) {
    work.body.parts.push(body::Part { balls, tone });
}

/// Two hulls that meet at the waist, since one would have none.
fn trunk(work: &mut Assembly<'_>, figure: &Figure, rings: &[Ring]) {
    let waist = waist(rings);
    let mut below = Balls::new();
    let mut above = Balls::new();
    for (k, ring) in rings.iter().enumerate() {
        let balls = oval(work, ring);
        if k <= waist {
            below.extend(&balls);
        }
        if k >= waist {
            above.extend(&balls);
        }
    }
    for collar in figure.parts.iter().filter(|p| p.kind == Kind::Collar) {
        if let Form::Capsule { ends, radii } = &collar.form {
            let inner = (work.held(ends[0]), f64::from(radii[0]));
            // Where the arm begins is the arm's.
            let back = (ends[0].place - ends[1].place).clamp_length_max(0.8 * radii[1]);
            let place = ends[1].place + back;
            let outer = work.held(Held { place, ..ends[1] });
            above.extend([inner, (outer, f64::from(radii[1]))]);
        }
    }
    push(work, Tone::Trunk, below);
    push(work, Tone::Trunk, above);
}

/// The narrowest ring of a trunk that is not one of its ends.
pub(super) fn waist(rings: &[Ring]) -> usize {
    let narrow = |&a: &usize, &b: &usize| rings[a].wide.length().total_cmp(&rings[b].wide.length());
    let inner = rings.len() / 4..rings.len() - rings.len() / 4;
    inner.min_by(narrow).unwrap_or(0)
}

fn balls(work: &mut Assembly<'_>, form: &Form) -> Balls {
    match form {
        Form::Capsule { ends, radii } | Form::Link { ends, radii } => ends
            .iter()
            .zip(radii)
            .map(|(end, radius)| (work.held(*end), f64::from(*radius)))
            .collect(),
        Form::Egg {
            centre,
            axes,
            power,
        } => {
            let inside = if *power > BOX {
                inside_box(*axes)
            } else {
                inside_egg(*axes)
            };
            let held = |(step, radius): (Vec3, f32)| {
                let place = centre.place + step;
                (work.held(Held { place, ..*centre }), f64::from(radius))
            };
            inside.into_iter().map(held).collect()
        }
        Form::Tube { rings, .. } => rings.iter().flat_map(|r| oval(work, r)).collect(),
    }
}

/// The balls that fit into both ends of an oval.
fn oval(work: &mut Assembly<'_>, ring: &Ring) -> Balls {
    let (wide, deep) = (ring.wide.length(), ring.deep.length());
    let (long, radius) = if wide > deep {
        (ring.wide, deep)
    } else {
        (ring.deep, wide)
    };
    let step = long * (1.0 - radius / long.length().max(1e-9));
    [step, -step]
        .map(|step| {
            let spot = work.follows(ring.centre + step, ring.follows);
            (spot, f64::from(radius))
        })
        .to_vec()
}

/// Balls as thick as a rounded box at both ends of its longer axes, as steps from its middle and radii.
fn inside_box(axes: [Vec3; 3]) -> Vec<(Vec3, f32)> {
    let thick = axes.iter().map(|a| a.length()).fold(f32::MAX, f32::min);
    let steps = axes.map(|a| a * (1.0 - thick / a.length().max(1e-9)));
    let both = steps.iter().flat_map(|&step| [step, -step]);
    both.map(|step| (step, thick)).collect()
}

/// Balls inside an ellipsoid that touch it, as steps from its middle and radii.
///
/// With half axes a ≤ b, c the middles of all balls that touch it on two sides fill the ellipse of half axes (b² − a²)/b and
/// (c² − a²)/c across the shortest; at the share s of the way to its rim, in direction φ, the
/// radius is a·√(1 − s²·(1 − a²cos²φ/b² − a²sin²φ/c²)).
fn inside_egg(mut axes: [Vec3; 3]) -> Vec<(Vec3, f32)> {
    axes.sort_by(|p, q| p.length_squared().total_cmp(&q.length_squared()));
    let [a, b, c] = axes.map(Vec3::length);
    let mut out = vec![(Vec3::ZERO, a)];
    if c < 1.001 * a || a <= 0.0 {
        return out;
    }
    let (by_b, by_c) = (a * a / (b * b), a * a / (c * c));
    for share in [0.6, 1.0] {
        for k in 0..12_u8 {
            let (sin, cos) = (std::f32::consts::PI / 6.0 * f32::from(k)).sin_cos();
            let left = 1.0 - by_b * cos * cos - by_c * sin * sin;
            let step = axes[1] * ((1.0 - by_b) * cos) + axes[2] * ((1.0 - by_c) * sin);
            out.push((share * step, a * (1.0 - share * share * left).sqrt()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_fill_an_egg_and_stay_inside() {
        let (a, b, c) = (0.07_f32, 0.09, 0.11);
        let balls = inside_egg([Vec3::Y * c, Vec3::X * a, Vec3::Z * b]);
        // The furthest an ellipsoid goes in a direction is the length of the direction scaled by its half axes.
        for k in 0..400_u16 {
            let (turn, up) = (0.7 * f32::from(k), f32::from(k) / 199.5 - 1.0);
            let level = (1.0 - up * up).max(0.0).sqrt();
            let way = Vec3::new(level * turn.cos(), up, level * turn.sin());
            let most = (way * Vec3::new(a, c, b)).length();
            let reach = |(step, radius): &(Vec3, f32)| step.dot(way) + radius;
            let found = balls.iter().map(reach).fold(0.0, f32::max);
            assert!(found <= most + 1e-6, "{found} beyond {most} along {way}");
            assert!(found >= 0.97 * most, "{found} of {most} along {way}");
        }
        assert_eq!(inside_egg([Vec3::X, Vec3::Y, Vec3::Z]).len(), 1);
    }
}
