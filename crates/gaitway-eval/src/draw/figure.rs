//! One pose, in one of three styles.
//!
//! A solid figure is painted part by part from far to near. Each part is the rubber band around its balls as the camera sees them,
//! shaded across its axis as a cylinder lit from the upper left would be.

use glam::{DVec3, Vec2};

use super::Style;
use super::body::{Body, Part, Tone};
use super::camera::{Camera, Seen};
use super::colour::{Colour, Theme};
use super::scene::{Circle, Paint, Polyline, Scene, Shape, Stroke, convex};

/// Where the light comes from in the picture: up and a little left.
const LIGHT: Vec2 = Vec2::new(-0.52, -0.854);
/// Where it comes from in the world relative to the camera: across, up, towards the eye.
const LIGHT_FROM: [f64; 3] = [-0.45, 1.0, 0.35];

/// How a pose is painted.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// From where.
    pub camera: &'a Camera,
    /// In which style.
    pub style: Style,
    /// In which colours.
    pub theme: &'a Theme,
    /// How far colours fade into the background, 0 to 1 (earlier poses of a strobe sheet).
    pub fade: f32,
}

/// Paints a pose.
pub fn draw(scene: &mut Scene, body: &Body, places: &[DVec3], look: &Look<'_>) {
    let seen: Vec<Seen> = places.iter().map(|p| look.camera.see(*p)).collect();
    match look.style {
        Style::Solid => solid(scene, body, &seen, look),
        Style::Stick => stick(scene, body, &seen, look),
        Style::Points => points(scene, body, &seen, look),
    }
}

fn tone(tone: Tone, look: &Look<'_>) -> Colour {
    let base = match tone {
        Tone::Trunk => look.theme.trunk,
        Tone::Head => look.theme.trunk.lighter(0.12),
        Tone::Left => look.theme.left,
        Tone::Right => look.theme.right,
    };
    base.towards(look.theme.background, look.fade)
}

fn solid(scene: &mut Scene, body: &Body, seen: &[Seen], look: &Look<'_>) {
    let mean = |part: &Part| {
        let sum: f64 = part.balls.iter().map(|b| seen[b.0].depth).sum();
        sum / part.balls.len().max(1) as f64
    };
    let trunk: Vec<f64> = body
        .parts
        .iter()
        .filter(|p| p.tone == Tone::Trunk)
        .map(mean)
        .collect();
    let trunk_depth = trunk.iter().sum::<f64>() / trunk.len().max(1) as f64;
    // Limbs begin inside the trunk: it is held a little nearer, so that it covers their ends. Its own parts keep
    // their order (pelvis, chest, neck), whichever is nearer, and the head covers the neck.
    let depth = |part: &Part| match part.tone {
        Tone::Trunk => trunk_depth - 0.11 * body.unit,
        Tone::Head => mean(part).min(trunk_depth) - 0.12 * body.unit,
        Tone::Left | Tone::Right => mean(part),
    };
    let mut order: Vec<&Part> = body.parts.iter().collect();
    order.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
    for part in order {
        let circles: Vec<Circle> = part
            .balls
            .iter()
            .map(|&(spot, r)| Circle {
                centre: seen[spot].at,
                radius: ((r * seen[spot].scale) as f32).max(0.3),
            })
            .collect();
        let base = tone(part.tone, look);
        let thick = circles.iter().map(|c| c.radius).fold(0.0, f32::max);
        let edge = base.darker(0.42).with_alpha(0.75);
        scene.shapes.push(Shape::Hull {
            fill: shade(&circles, base),
            circles,
            stroke: Some(Stroke::new(edge, (0.09 * thick).clamp(0.35, 1.1))),
        });
    }
}

/// Light to dark across the longest axis of a part.
fn shade(circles: &[Circle], base: Colour) -> Paint {
    let (mut from, mut to) = (circles[0].centre, circles[0].centre);
    for a in circles {
        for b in circles {
            if a.centre.distance(b.centre) > from.distance(to) {
                (from, to) = (a.centre, b.centre);
            }
        }
    }
    let across = match (to - from).try_normalize() {
        Some(axis) if from.distance(to) > 2.0 => {
            let side = axis.perp();
            // Nearer to the light's own direction where a part is seen nearly end on.
            let side = if side.dot(LIGHT) < 0.0 { -side } else { side };
            let round = (circles[0].radius / from.distance(to)).min(1.0);
            side.lerp(LIGHT, 0.6 * round).normalize_or(LIGHT)
        }
        _ => LIGHT,
    };
    let middle = (from + to) / 2.0;
    let reach = circles
        .iter()
        .map(|c| (c.centre - middle).dot(across).abs() + c.radius)
        .fold(1.0, f32::max);
    // A limb whose lit side looks away from the light is darker as a whole.
    let lit = across.dot(LIGHT).clamp(0.0, 1.0);
    Paint::Linear {
        from: middle + across * reach,
        to: middle - across * reach,
        colours: [
            base.lighter(0.28 + 0.2 * lit),
            base.lighter(0.04),
            base.darker(0.38),
        ],
    }
}

fn stick(scene: &mut Scene, body: &Body, seen: &[Seen], look: &Look<'_>) {
    let width = |spot: usize| ((0.026 * body.unit * seen[spot].scale) as f32).clamp(1.0, 8.0);
    let depth = |b: &super::body::Bone| seen[b.from].depth + seen[b.to].depth;
    let mut order: Vec<_> = body.bones.iter().collect();
    order.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
    let paper = look.theme.background;
    for bone in order {
        let (a, b) = (seen[bone.from].at, seen[bone.to].at);
        let colour = tone(bone.tone, look);
        let colour = if bone.tone == Tone::Trunk {
            colour.towards(look.theme.ink.towards(paper, look.fade), 0.45)
        } else {
            colour
        };
        // A border in the colour of the paper keeps crossing limbs apart.
        scene.line(a, b, Stroke::new(paper, width(bone.from) * 1.9));
        scene.line(a, b, Stroke::new(colour, width(bone.from)));
        for (end, place) in [(bone.from, a), (bone.to, b)] {
            let disc = Paint::Flat(colour.darker(0.25));
            scene.disc(place, 0.78 * width(end), disc, None);
        }
    }
    if let Some((spot, radius)) = body.head {
        let ring = look
            .theme
            .trunk
            .towards(look.theme.ink, 0.45)
            .towards(paper, look.fade);
        let radius = (radius * seen[spot].scale) as f32;
        let stroke = Some(Stroke::new(ring, width(spot)));
        scene.disc(seen[spot].at, radius, Paint::Flat(paper), stroke);
    }
}

fn points(scene: &mut Scene, body: &Body, seen: &[Seen], look: &Look<'_>) {
    let mut order: Vec<&(usize, Tone)> = body.dots.iter().collect();
    order.sort_by(|a, b| seen[b.0].depth.total_cmp(&seen[a.0].depth));
    for &(spot, _) in order {
        let radius = ((0.034 * body.unit * seen[spot].scale) as f32).max(1.2);
        let white = Colour::hex(0xff_f8_e6).towards(look.theme.background, look.fade);
        let glow = Paint::Radial {
            centre: seen[spot].at,
            radius: 2.4 * radius,
            colours: [
                white.with_alpha(0.4),
                white.with_alpha(0.1),
                white.with_alpha(0.0),
            ],
        };
        scene.disc(seen[spot].at, 2.4 * radius, glow, None);
        scene.disc(seen[spot].at, radius, Paint::Flat(white), None);
    }
}

/// Paints the shadow a pose casts on the floor: one area, so that overlapping parts do not darken twice, in three layers of
/// falling size for a soft border.
pub fn shadow(scene: &mut Scene, body: &Body, places: &[DVec3], floor: f64, look: &Look<'_>) {
    if look.style != Style::Solid {
        return;
    }
    let [across, up, back] = LIGHT_FROM;
    let forward = look.camera.forward();
    let level = DVec3::new(forward.x, 0.0, forward.z).normalize_or_zero();
    let light = look.camera.right() * across + DVec3::Y * up - level * back;
    for (grow, alpha) in [(0.03, 0.05), (0.0, 0.08), (-0.022, 0.07)] {
        let lines: Vec<Polyline> = body
            .parts
            .iter()
            .map(|part| {
                let mut rim = Vec::new();
                for &(spot, r) in &part.balls {
                    let p = places[spot];
                    let foot = p - light * ((p.y - floor).max(0.0) / light.y);
                    let r = (r + grow * body.unit).max(0.1 * r);
                    for k in 0..16 {
                        let (sin, cos) = (f64::from(k) / 16.0 * std::f64::consts::TAU).sin_cos();
                        let at = DVec3::new(foot.x + r * cos, floor, foot.z + r * sin);
                        rim.push(look.camera.see(at).at);
                    }
                }
                Polyline {
                    points: convex(rim),
                    closed: true,
                }
            })
            .collect();
        let colour = look.theme.shadow.with_alpha(alpha * (1.0 - look.fade));
        scene.shapes.push(Shape::Path {
            lines,
            fill: Some(Paint::Flat(colour)),
            stroke: None,
        });
    }
}
