//! The strobe sheet: one body at evenly spaced moments.
//!
//! Where the motion travels in a line, poses stand where they were, evenly spaced along the way. Where it hardly travels or
//! turns back, they are set side by side, evenly spaced in time. In the three-quarter view the ground
//! and the way on it are drawn as well.

use gaitway_core::Clip;
use glam::{DVec3, Vec2};

use super::actor::{Actor, even_frames};
use super::camera::Camera;
use super::colour::Theme;
use super::figure::{self, Look};
use super::scene::{Anchor, Scene, Stroke};
use super::{DrawError, RenderOptions, Style, View, floor, text};

/// Picture width where none is asked for.
const WIDTH: u32 = 1600;
/// Pixels a standing person is high at most.
const TALLEST_PX: f64 = 430.0;
/// Room for the title above and the times below, and to the sides.
const ABOVE: f32 = 74.0;
const BELOW: f32 = 54.0;
const BESIDE: f32 = 34.0;
/// How far the first pose of a sheet fades into the paper.
const FADE: f32 = 0.38;

/// One pose of the sheet.
pub(super) struct Shot {
    frame: usize,
    pub(super) places: Vec<DVec3>,
}

/// Draws the sheet. [`View::Top`] is drawn as seen from above without a map; use [`super::top::top_view`] for that.
///
/// # Errors
/// When the clip has no frames, is too large to draw, or the options ask for an impossible picture.
pub fn strobe(clip: &Clip, options: &RenderOptions) -> Result<Scene, DrawError> {
    options.check()?;
    let actor = Actor::new(clip)?;
    let mut camera = Camera::new(options.view, actor.heading());
    let in_place = !travels(&actor, options.view);
    let shots = if in_place {
        side_by_side(&actor, &camera, options.moments)
    } else {
        along_the_way(&actor, options)
    };
    let mut balls: Vec<(DVec3, f64)> = shots.iter().flat_map(|s| actor.balls(&s.places)).collect();
    for shot in &shots {
        let under = shot.places[actor.body.pelvis];
        let under = DVec3::new(under.x, actor.floor, under.z);
        balls.push((under, 0.01 * actor.body.unit));
    }
    let theme = options.colours();
    let mut scene = framed(&actor, &mut camera, &balls, options, &theme)?;
    if options.view == View::ThreeQuarter {
        ground(&mut scene, &actor, &camera, &balls, &theme, in_place);
    } else if options.view != View::Top {
        let y = camera.see(DVec3::new(0.0, actor.floor, 0.0)).at.y;
        let wide = scene.width as f32;
        floor::band(&mut scene, &theme, y, 0.0, wide);
    }
    figures(&mut scene, &actor, &camera, &shots, options, &theme);
    times(&mut scene, &actor, &camera, &shots, &theme);
    let said = title(&mut scene, &actor, options, &theme);
    let right = Vec2::new(scene.width as f32 - BESIDE, 36.0);
    if options.view != View::ThreeQuarter && !in_place {
        // A narrow picture has no room for both, and its times and floor say as much.
        if right.x - floor::scale_bar_width(camera.scale) > said + 20.0 {
            floor::scale_bar(&mut scene, &theme, right, camera.scale);
        }
    }
    scene.description = format!(
        "{}: {} poses of {}",
        clip.name(),
        shots.len(),
        actor.summary()
    );
    Ok(scene)
}

/// Whether poses can stand where they were without hiding one another.
fn travels(actor: &Actor<'_>, view: View) -> bool {
    let unit = actor.body.unit;
    let gone = actor.gone();
    let (net, arc) = (actor.net().length(), gone[gone.len() - 1]);
    match view {
        View::Side => net > 1.6 * unit && net > 0.8 * arc,
        View::ThreeQuarter | View::Top => arc > 1.6 * unit && spread(actor) > 1.2 * unit,
        View::Front => false,
    }
}

/// The longest side of the box around the way on the ground.
fn spread(actor: &Actor<'_>) -> f64 {
    let (low, high) = actor
        .way
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| {
            (l.min(*p), h.max(*p))
        });
    (high.x - low.x).max(high.z - low.z)
}

fn along_the_way(actor: &Actor<'_>, options: &RenderOptions) -> Vec<Shot> {
    let gone = actor.gone();
    // Apart enough that a stride does not reach into the next pose.
    let (clear, most) = match options.view {
        View::Side => (0.74, 14.0),
        _ => (0.95, 9.0),
    };
    let fits = gone[gone.len() - 1] / (clear * actor.body.unit);
    let count = options
        .moments
        .unwrap_or((fits.floor() + 1.0).clamp(2.0, most) as usize);
    even_frames(&gone, count)
        .into_iter()
        .map(|frame| Shot {
            frame,
            places: actor.pose(frame),
        })
        .collect()
}

/// Poses at even times, each beside the one before.
pub(super) fn side_by_side(
    actor: &Actor<'_>,
    camera: &Camera,
    moments: Option<usize>,
) -> Vec<Shot> {
    let times: Vec<f64> = (0..actor.way.len()).map(|f| actor.seconds(f)).collect();
    let wanted = (actor.clip.seconds() / 0.25).round().clamp(1.0, 9.0) as usize;
    let frames = even_frames(&times, moments.unwrap_or(wanted));
    let right = camera.right();
    let mut shots: Vec<Shot> = Vec::with_capacity(frames.len());
    let mut edge = 0.0;
    for frame in frames {
        let mut places = actor.pose(frame);
        let home = places[actor.body.pelvis];
        let home = DVec3::new(home.x, 0.0, home.z);
        let reach = actor.balls(&places);
        let across = |p: &(DVec3, f64)| (p.0 - home).dot(right);
        let left = reach.iter().map(|b| across(b) - b.1).fold(0.0, f64::min);
        let far = reach.iter().map(|b| across(b) + b.1).fold(0.0, f64::max);
        let half = left.abs().max(far).max(0.3 * actor.body.unit);
        let shift = right * (edge + half) - home;
        edge += 2.0 * half + 0.1 * actor.body.unit;
        for p in &mut places {
            *p += shift;
        }
        shots.push(Shot { frame, places });
    }
    shots
}

/// An empty picture with the camera set so that everything fits.
fn framed(
    actor: &Actor<'_>,
    camera: &mut Camera,
    balls: &[(DVec3, f64)],
    options: &RenderOptions,
    theme: &Theme,
) -> Result<Scene, DrawError> {
    let mut width = options.width.unwrap_or(WIDTH);
    let tall = options.height.map_or(4000.0, |h| h as f32);
    let low = Vec2::new(BESIDE, ABOVE);
    let high = Vec2::new(width as f32 - BESIDE, tall - BELOW);
    let high = high.max(low + Vec2::splat(8.0));
    if options.view == View::ThreeQuarter {
        let (near, far) = balls
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), b| {
                (l.min(b.0), h.max(b.0))
            });
        camera.distance = Some(1.5 * (far - near).length() + 4.0 * actor.body.unit);
    }
    let most = TALLEST_PX / (1.75 * actor.body.unit);
    camera.frame(balls, low, high, most);
    let height = match options.height {
        Some(h) => h,
        None => {
            let (near, far) = camera.bounds(balls);
            camera.centre.y -= near.y - ABOVE;
            (far.y - near.y + ABOVE + BELOW).ceil().max(160.0) as u32
        }
    };
    if options.width.is_none() {
        // No wider than the poses need, but wide enough for the title.
        let (near, far) = camera.bounds(balls);
        let needed = (far.x - near.x + 2.0 * BESIDE).ceil();
        width = needed.clamp(900.0, WIDTH as f32) as u32;
        camera.centre.x += width as f32 / 2.0 - (near.x + far.x) / 2.0;
    }
    Scene::new(width, height, theme.background)
}

fn ground(
    scene: &mut Scene,
    actor: &Actor<'_>,
    camera: &Camera,
    balls: &[(DVec3, f64)],
    theme: &Theme,
    in_place: bool,
) {
    let (low, high) = balls
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), b| {
            (l.min(b.0), h.max(b.0))
        });
    let middle = (low + high) / 2.0;
    let reach = 0.75 * (high - low).length() + 2.0 * actor.body.unit;
    let step = floor::round_step((0.5 * actor.body.unit).max(reach / 40.0));
    let at = DVec3::new(middle.x, actor.floor, middle.z);
    floor::grid(scene, camera, theme, at, reach, step);
    if !in_place {
        let stride = (actor.way.len() / 600).max(1);
        let way = actor.way.iter().step_by(stride);
        let line = way.map(|p| camera.see(DVec3::new(p.x, actor.floor, p.z)).at);
        let colour = theme.faint_ink.with_alpha(0.55);
        scene.polyline(line.collect(), Stroke::new(colour, 1.6));
    }
}

fn figures(
    scene: &mut Scene,
    actor: &Actor<'_>,
    camera: &Camera,
    shots: &[Shot],
    options: &RenderOptions,
    theme: &Theme,
) {
    let last = shots.len().saturating_sub(1).max(1) as f32;
    let mut order: Vec<usize> = (0..shots.len()).collect();
    if options.view == View::ThreeQuarter {
        let depth = |i: usize| camera.see(shots[i].places[actor.body.pelvis]).depth;
        order.sort_by(|&a, &b| depth(b).total_cmp(&depth(a)));
    }
    let look = |i: usize| Look {
        camera,
        style: options.style,
        theme,
        fade: FADE * (1.0 - i as f32 / last) * if shots.len() > 1 { 1.0 } else { 0.0 },
    };
    if options.view == View::ThreeQuarter {
        for &i in &order {
            figure::shadow(scene, &actor.body, &shots[i].places, actor.floor, &look(i));
        }
    }
    for i in order {
        figure::draw(scene, &actor.body, &shots[i].places, &look(i));
    }
}

fn times(scene: &mut Scene, actor: &Actor<'_>, camera: &Camera, shots: &[Shot], theme: &Theme) {
    let size = 14.0;
    let mut taken: Vec<(Vec2, f32)> = Vec::new();
    for shot in shots {
        let p = shot.places[actor.body.pelvis];
        let on_floor = camera.see(DVec3::new(p.x, actor.floor, p.z)).at;
        let words = format!("{:.2} s", actor.seconds(shot.frame));
        let half = text::width(&words, size) / 2.0;
        let at = on_floor + Vec2::new(0.0, 32.0);
        let clear = |&(q, h): &(Vec2, f32)| {
            (q.x - at.x).abs() > h + half + 8.0 || (q.y - at.y).abs() > 18.0
        };
        if taken.iter().all(clear) {
            scene.text(at, size, Anchor::Middle, theme.faint_ink, &words);
            taken.push((at, half));
        }
    }
}

/// Name on the first line, facts beside it; gives where they end.
pub(super) fn title(
    scene: &mut Scene,
    actor: &Actor<'_>,
    options: &RenderOptions,
    theme: &Theme,
) -> f32 {
    let name = options.title.as_deref().unwrap_or(actor.clip.name());
    let facts = actor.summary();
    let facts_room = text::width(&facts, 15.0) + 140.0;
    let room = (scene.width as f32 - 2.0 * BESIDE - facts_room).max(80.0);
    let name = text::fit(name, 20.0, room);
    scene.heading(Vec2::new(BESIDE, 42.0), 20.0, theme.ink, &name);
    let x = BESIDE + text::width(&name, 20.0) + 22.0;
    scene.text(
        Vec2::new(x, 42.0),
        15.0,
        Anchor::Start,
        theme.faint_ink,
        &facts,
    );
    let end = x + text::width(&facts, 15.0);
    if options.style == Style::Points {
        return end;
    }
    let sides = [("left", theme.left), ("right", theme.right)];
    let mut x = end + 26.0;
    for (word, colour) in sides {
        let at = Vec2::new(x, 37.0);
        scene.disc(at, 4.5, super::scene::Paint::Flat(colour), None);
        scene.text(
            Vec2::new(x + 10.0, 42.0),
            15.0,
            Anchor::Start,
            theme.faint_ink,
            word,
        );
        x += 28.0 + text::width(word, 15.0);
    }
    x - 18.0
}
