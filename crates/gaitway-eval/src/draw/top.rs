//! The top view: the way on the ground as a map, +X to the right, +Z down, in metres.

use gaitway_core::Clip;
use glam::{DVec3, Vec2};

use super::actor::{Actor, even_frames};
use super::body::Tone;
use super::camera::Camera;
use super::colour::Theme;
use super::figure::{self, Look};
use super::scene::{Anchor, Circle, Paint, Scene, Shape, Stroke};
use super::strobe::title;
use super::{DrawError, RenderOptions, View, floor};

/// Picture width where none is asked for.
const WIDTH: u32 = 1100;
/// The most of the height a map may take relative to its width, where no height is asked for.
const TALL: f32 = 1.0;

/// Draws the map: way, start and end, where the body faces, its footprints where contacts are known, and a few
/// poses from above.
///
/// # Errors
/// When the clip has no frames, is too large to draw, or the options ask for an impossible picture.
pub fn top_view(clip: &Clip, options: &RenderOptions) -> Result<Scene, DrawError> {
    options.check()?;
    let actor = Actor::new(clip)?;
    let theme = options.colours();
    let unit = actor.body.unit;
    let mut balls: Vec<(DVec3, f64)> = actor.way.iter().map(|p| (*p, 0.6 * unit)).collect();
    let frames = poses(&actor, options.moments);
    for &frame in &frames {
        balls.extend(actor.balls(&actor.pose(frame)));
    }
    let mut camera = Camera::new(View::Top, 0.0);
    let width = options.width.unwrap_or(WIDTH);
    let (low, right) = (Vec2::new(70.0, 66.0), width as f32 - 28.0);
    let tall = options.height.map_or(TALL * width as f32, |h| h as f32);
    let high = Vec2::new(right, tall - 58.0).max(low + Vec2::splat(8.0));
    camera.frame(&balls, low, high, 260.0 / unit);
    let height = options.height.unwrap_or_else(|| {
        let (near, far) = camera.bounds(&balls);
        let rows = (far.y - near.y).max(120.0);
        camera.centre.y -= (near.y + far.y - rows) / 2.0 - low.y;
        (rows + low.y + 58.0).ceil() as u32
    });
    let mut scene = Scene::new(width, height, theme.background)?;
    let high = Vec2::new(right, height as f32 - 58.0);
    map_grid(&mut scene, &camera, &theme, low, high);
    way(&mut scene, &actor, &camera, &theme);
    footprints(&mut scene, &actor, &camera, &theme);
    for &frame in &frames {
        let look = Look {
            camera: &camera,
            style: options.style,
            theme: &theme,
            fade: 0.25,
        };
        figure::draw(&mut scene, &actor.body, &actor.pose(frame), &look);
    }
    facing(&mut scene, &actor, &camera, &theme);
    ends(&mut scene, &actor, &camera, &theme);
    title(&mut scene, &actor, options, &theme);
    scene.description = format!("{}: the way from above, {}", clip.name(), actor.summary());
    Ok(scene)
}

/// As many poses as stand clear of one another; those asked for, if asked.
fn poses(actor: &Actor<'_>, moments: Option<usize>) -> Vec<usize> {
    let gone = actor.gone();
    let fits = (gone[gone.len() - 1] / (1.4 * actor.body.unit)).floor() + 1.0;
    even_frames(&gone, moments.unwrap_or(fits.clamp(1.0, 8.0) as usize))
}

/// Squares of a map with metres beside them.
pub(super) fn map_grid(scene: &mut Scene, camera: &Camera, theme: &Theme, low: Vec2, high: Vec2) {
    let step = floor::round_step(58.0 / camera.scale);
    let world = |p: Vec2| {
        let off = (p - camera.centre).as_dvec2() / camera.scale;
        (camera.target.x + off.x, camera.target.z + off.y)
    };
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (from, to) = (world(low), world(high));
    let stroke = Stroke::new(theme.grid, 1.0);
    let ticks = |from: f64, to: f64| {
        let first = (from / step).ceil() as i64;
        let last = (to / step).floor() as i64;
        (first..=last.min(first.saturating_add(400))).map(|k| k as f64 * step)
    };
    for x in ticks(from.0, to.0) {
        let px = camera.see(DVec3::new(x, 0.0, 0.0)).at.x;
        scene.line(Vec2::new(px, low.y), Vec2::new(px, high.y), stroke);
        let at = Vec2::new(px, high.y + 20.0);
        let words = format!("{:.decimals$}", x + 0.0);
        scene.text(at, 13.0, Anchor::Middle, theme.faint_ink, &words);
    }
    for z in ticks(from.1, to.1) {
        let py = camera.see(DVec3::new(0.0, 0.0, z)).at.y;
        scene.line(Vec2::new(low.x, py), Vec2::new(high.x, py), stroke);
        let at = Vec2::new(low.x - 10.0, py + 4.5);
        let words = format!("{:.decimals$}", z + 0.0);
        scene.text(at, 13.0, Anchor::End, theme.faint_ink, &words);
    }
    let middle = (low + high) / 2.0;
    let x_name = Vec2::new(middle.x, high.y + 44.0);
    scene.text(x_name, 14.0, Anchor::Middle, theme.ink, "x in metres");
    scene.shapes.push(Shape::Text(super::scene::Text {
        at: Vec2::new(24.0, middle.y),
        size: 14.0,
        anchor: Anchor::Middle,
        colour: theme.ink,
        bold: false,
        upwards: true,
        words: "z in metres".to_owned(),
    }));
}

fn way(scene: &mut Scene, actor: &Actor<'_>, camera: &Camera, theme: &Theme) {
    let stride = (actor.way.len() / 4000).max(1);
    let way = actor.way.iter().step_by(stride);
    let line: Vec<Vec2> = way.map(|p| camera.see(*p).at).collect();
    let colour = theme.ink.towards(theme.background, 0.35);
    scene.polyline(line, Stroke::new(colour, 2.2));
}

/// Short ticks in the direction the body faces, about twice a second but never crowded.
fn facing(scene: &mut Scene, actor: &Actor<'_>, camera: &Camera, theme: &Theme) {
    let length = 0.32 * actor.body.unit;
    let every = (0.5 * actor.clip.rate_hz()).round().max(1.0) as usize;
    let every = every.max(actor.way.len() / 60);
    for frame in (0..actor.way.len()).step_by(every) {
        let (sin, cos) = actor.facing[frame].sin_cos();
        let ahead = DVec3::new(sin, 0.0, cos);
        let at = camera.see(actor.way[frame]).at;
        let tip = camera.see(actor.way[frame] + ahead * length).at;
        let stroke = Stroke::new(theme.ink, 1.6);
        scene.line(at, tip, stroke);
        let back = (at - tip).normalize_or_zero() * 6.0;
        for turn in [0.5_f32, -0.5] {
            scene.line(tip, tip + Vec2::from_angle(turn).rotate(back), stroke);
        }
        scene.disc(at, 2.6, Paint::Flat(theme.ink), None);
    }
}

/// A mark where each contact point stood: left and right in their colours.
fn footprints(scene: &mut Scene, actor: &Actor<'_>, camera: &Camera, theme: &Theme) {
    let Some(contacts) = actor.clip.contacts() else {
        return;
    };
    let mut solved = gaitway_core::fk::FkScratch::new(actor.clip.skeleton());
    for (index, point) in contacts.points().iter().enumerate() {
        let side = gaitway_core::anatomy::side_of(&point.name).map(Tone::from);
        let colour = match side {
            Some(Tone::Left) => theme.left,
            Some(_) => theme.right,
            None => theme.trunk,
        };
        for plant in contacts.plants(index) {
            let middle = (plant.start + plant.end) / 2;
            solved.solve(actor.clip, middle);
            let at = actor.clip.root()[middle] + solved.from_root[point.point.index()].as_dvec3();
            let seen = camera.see(at);
            let radius = ((0.045 * actor.body.unit * seen.scale) as f32).max(2.0);
            scene.shapes.push(Shape::Hull {
                circles: vec![Circle {
                    centre: seen.at,
                    radius,
                }],
                fill: Paint::Flat(colour.with_alpha(0.35)),
                stroke: Some(Stroke::new(colour, 1.0)),
            });
        }
    }
}

/// Start is a ring, end is a square, both named.
fn ends(scene: &mut Scene, actor: &Actor<'_>, camera: &Camera, theme: &Theme) {
    let paper = Paint::Flat(theme.background);
    let ring = Some(Stroke::new(theme.ink, 2.4));
    let start = camera.see(actor.way[0]).at;
    let end = camera.see(actor.way[actor.way.len() - 1]).at;
    let half = Vec2::splat(5.5);
    scene.rectangle(end - half, end + half, Paint::Flat(theme.ink), ring);
    scene.disc(start, 6.5, paper, ring);
    // The names stand beside their marks, on the far sides of one another.
    let apart = if start.y <= end.y { 1.0 } else { -1.0 };
    for (at, word, side) in [(start, "start", -apart), (end, "end", apart)] {
        let place = at + Vec2::new(13.0, 5.0 + 9.0 * side);
        scene.text(place, 14.0, Anchor::Start, theme.ink, word);
    }
}
