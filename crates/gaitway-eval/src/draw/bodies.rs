//! Bodies at rest as sticks, side by side, each seen from the front and from its left, with groups of bones in colours.

use glam::{DVec3, Vec2};

use super::DrawError;
use super::colour::{SERIES, Theme};
use super::scene::{Anchor, Paint, Scene, Stroke};

/// A bone to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// Where it begins, metres.
    pub from: DVec3,
    /// Where it ends.
    pub to: DVec3,
    /// Its colour's number; grey where it has none.
    pub group: Option<usize>,
}

/// A body as sticks; it faces +Z.
#[derive(Clone, Debug, PartialEq)]
pub struct StickBody {
    /// What stands below it.
    pub name: String,
    /// Its bones.
    pub bones: Vec<Bone>,
    /// Its joints, with the number of their colour.
    pub joints: Vec<(DVec3, Option<usize>)>,
}

const PANEL: f32 = 300.0;
const TALL: f32 = 420.0;
const TOP: f32 = 64.0;

/// Draws bodies side by side, each as tall as the others: what is compared are proportions.
///
/// # Errors
/// When the picture would be larger than pictures may be.
pub fn bodies(title: &str, all: &[StickBody], groups: &[&str]) -> Result<Scene, DrawError> {
    let theme = Theme::LIGHT;
    let width = (2.0 * PANEL * all.len().max(1) as f32) as u32 + 40;
    let mut scene = Scene::new(width, (TOP + TALL + 76.0) as u32, theme.background)?;
    scene.heading(Vec2::new(20.0, 34.0), 18.0, theme.ink, title);
    for (k, body) in all.iter().enumerate() {
        let left = 20.0 + 2.0 * PANEL * k as f32;
        // From the front the body's left is on the right of the picture.
        draw(&mut scene, &theme, body, left, |p| p.x);
        draw(&mut scene, &theme, body, left + PANEL, |p| -p.z);
        let at = Vec2::new(left + PANEL, TOP + TALL + 26.0);
        scene.text(at, 13.0, Anchor::Middle, theme.ink, &body.name);
    }
    let mut x = 20.0;
    for (k, name) in groups.iter().enumerate() {
        let y = TOP + TALL + 54.0;
        scene.disc(
            Vec2::new(x + 5.0, y - 4.0),
            5.0,
            Paint::Flat(SERIES[k % SERIES.len()]),
            None,
        );
        scene.text(Vec2::new(x + 15.0, y), 12.0, Anchor::Start, theme.ink, name);
        x += 34.0 + 7.5 * name.len() as f32;
    }
    Ok(scene)
}

fn draw(
    scene: &mut Scene,
    theme: &Theme,
    body: &StickBody,
    left: f32,
    across: impl Fn(DVec3) -> f64,
) {
    let points = || {
        body.joints
            .iter()
            .map(|j| j.0)
            .chain(body.bones.iter().map(|b| b.to))
            .filter(|p| p.is_finite())
    };
    let range = |of: &dyn Fn(DVec3) -> f64| {
        points()
            .map(of)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
                (l.min(v), h.max(v))
            })
    };
    let (low, high) = range(&|p| p.y);
    let (first, last) = range(&|p| across(p));
    if !(low.is_finite() && first.is_finite()) {
        return;
    }
    let scale = (f64::from(TALL - 20.0) / (high - low).max(1e-6))
        .min(f64::from(PANEL - 24.0) / (last - first).max(1e-6));
    let middle = 0.5 * (first + last);
    let see = |p: DVec3| {
        let x = f64::from(left + 0.5 * PANEL) + scale * (across(p) - middle);
        let y = f64::from(TOP + TALL - 10.0) - scale * (p.y - low);
        Vec2::new(x as f32, y as f32)
    };
    let colour = |group: Option<usize>| group.map_or(theme.line, |g| SERIES[g % SERIES.len()]);
    let floor = TOP + TALL - 9.0;
    scene.line(
        Vec2::new(left + 12.0, floor),
        Vec2::new(left + PANEL - 12.0, floor),
        Stroke::new(theme.line, 1.0),
    );
    for bone in body
        .bones
        .iter()
        .filter(|b| b.from.is_finite() && b.to.is_finite())
    {
        let width = if bone.group.is_some() { 4.0 } else { 1.5 };
        scene.line(
            see(bone.from),
            see(bone.to),
            Stroke::new(colour(bone.group), width),
        );
    }
    for &(place, group) in body.joints.iter().filter(|j| j.0.is_finite()) {
        let radius = if group.is_some() { 3.5 } else { 2.0 };
        scene.disc(see(place), radius, Paint::Flat(theme.ink), None);
    }
}
