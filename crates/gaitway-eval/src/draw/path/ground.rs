//! Grid, obstacles, paths, ways and marks.

use glam::{DVec2, DVec3, Vec2};

use super::stage::{BLOCK_M, Stage};
use super::{INTERPOLATED, OnPath, PathPicture, PathView, STYLES, Styles, TARGET};
use crate::draw::colour::{Colour, Theme};
use crate::draw::floor::{length_label, round_step};
use crate::draw::scene::{Anchor, Paint, Scene, Stroke};
use crate::draw::top::map_grid;

/// The ground's squares; on a map with metres beside them.
pub fn grid(scene: &mut Scene, stage: &Stage, picture: &PathPicture<'_>, theme: &Theme) {
    if picture.view == PathView::Map {
        map_grid(scene, &stage.camera, theme, stage.low, stage.high);
        return;
    }
    // Lines along and across the view, whatever the world's axes are: squares of the ground.
    let right = stage.camera.right();
    let right = DVec2::new(right.x, right.z);
    let down = DVec2::new(-right.y, right.x);
    let reach = |axis: DVec2| {
        let along = stage.places.iter().map(|p| p.dot(axis));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        })
    };
    let step = round_step((46.0 / stage.camera.scale).max(0.5));
    // A little beyond what is drawn, so that a straight path lies on squares too.
    let wider = |r: (f64, f64)| (r.0 - 0.8 * step, r.1 + 0.8 * step);
    let (across, along) = (wider(reach(right)), wider(reach(down)));
    let ticks = |(from, to): (f64, f64)| {
        let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
        (first..=last.min(first + 400)).map(move |k| k as f64 * step)
    };
    let place = |u: f64, v: f64| stage.at((right * u + down * v).to_array());
    let stroke = Stroke::new(theme.grid, 1.0);
    for u in ticks(across) {
        scene.line(place(u, along.0), place(u, along.1), stroke);
    }
    for v in ticks(along) {
        scene.line(place(across.0, v), place(across.1, v), stroke);
    }
    let words = format!("squares of {}", length_label(step));
    let corner = Vec2::new(scene.width as f32 - 20.0, scene.height as f32 - 12.0);
    scene.text(corner, 12.0, Anchor::End, theme.faint_ink, &words);
}

/// Obstacles as areas of the ground. In the slanted view they also stand: see [`block`].
pub fn obstacles_below(scene: &mut Scene, stage: &Stage, picture: &PathPicture<'_>, theme: &Theme) {
    for outline in &picture.obstacles {
        let points = outline.iter().map(|p| stage.at(*p)).collect();
        let rim = Some(Stroke::new(theme.line.darker(0.2), 1.4));
        scene.polygon(points, Paint::Flat(theme.line.lighter(0.35)), rim);
    }
}

/// An obstacle as a low block: its walls from far to near, then its top.
pub fn block(scene: &mut Scene, stage: &Stage, outline: &[[f64; 2]], theme: &Theme) {
    let see = |p: [f64; 2], y: f64| stage.camera.see(DVec3::new(p[0], y, p[1]));
    let corners = outline.len();
    let mut walls: Vec<(f64, Vec<Vec2>)> = (0..corners)
        .map(|k| {
            let (a, b) = (outline[k], outline[(k + 1) % corners]);
            let depth = see(a, 0.0).depth + see(b, 0.0).depth;
            let wall = [(a, 0.0), (b, 0.0), (b, BLOCK_M), (a, BLOCK_M)];
            (depth, wall.iter().map(|&(p, y)| see(p, y).at).collect())
        })
        .collect();
    walls.sort_by(|a, b| b.0.total_cmp(&a.0));
    let side = theme.line.darker(0.08);
    for (_, wall) in walls {
        scene.polygon(wall, Paint::Flat(side), Some(Stroke::new(side, 1.0)));
    }
    let top = outline.iter().map(|p| see(*p, BLOCK_M).at).collect();
    let rim = Some(Stroke::new(theme.line.darker(0.25), 1.2));
    scene.polygon(top, Paint::Flat(theme.line.lighter(0.45)), rim);
}

/// Paths, and the ways on them.
pub fn ways(
    scene: &mut Scene,
    stage: &Stage,
    picture: &PathPicture<'_>,
    styles: &Styles<'_>,
    theme: &Theme,
) {
    // A path is as wide as a hand on the ground, within what reads well.
    let wide = (0.16 * stage.scale()).clamp(7.0, 16.0);
    for target in &picture.targets {
        let line = target.iter().map(|p| stage.at(*p)).collect();
        scene.polyline(line, Stroke::new(TARGET, wide));
    }
    if let Some((place, heading)) = picture.goal {
        arrow(scene, stage, place, heading, theme);
    }
    for (k, person) in picture.people.iter().enumerate() {
        if picture.people.len() == 1 {
            for (start, end, name) in &person.styles {
                let run = person.way.get(*start..(*end + 1).min(person.way.len()));
                let line = run.unwrap_or_default().iter().map(|p| stage.at(*p));
                scene.polyline(
                    line.collect(),
                    Stroke::new(styles.colour(name), 0.55 * wide),
                );
            }
        }
        let colour = way_colour(picture, k, theme);
        let line = person.way.iter().map(|p| stage.at(*p)).collect();
        scene.polyline(line, Stroke::new(colour, 1.9));
        for stretch in &person.interpolated {
            let line: Vec<_> = stretch.iter().map(|p| stage.at(*p)).collect();
            // Dashed on white, since styles may be blue as well.
            let mut stroke = Stroke::new(INTERPOLATED, 3.6);
            stroke.dash = Some((6.0, 4.0));
            scene.polyline(line.clone(), Stroke::new(theme.background, 3.6));
            scene.polyline(line, stroke);
        }
    }
}

/// Black for one, a colour each for several.
pub fn way_colour(picture: &PathPicture<'_>, person: usize, theme: &Theme) -> Colour {
    if picture.people.len() < 2 {
        theme.ink
    } else {
        STYLES[person % STYLES.len()]
    }
}

/// Where something shall end, and which way it shall face.
fn arrow(scene: &mut Scene, stage: &Stage, place: [f64; 2], heading: f64, theme: &Theme) {
    let at = DVec2::from_array(place);
    let ahead = DVec2::new(heading.sin(), heading.cos());
    let aside = ahead.perp();
    let shape = [(0.62, 0.0), (0.2, 0.3), (0.2, 0.12), (-0.35, 0.12)];
    let half = |sign: f64| {
        shape
            .iter()
            .map(move |&(a, s)| at + ahead * a + aside * (s * sign))
    };
    let outline: Vec<Vec2> = half(1.0)
        .chain(half(-1.0).rev())
        .map(|p| stage.at(p.to_array()))
        .collect();
    let rim = Some(Stroke::new(theme.ink, 1.4));
    scene.polygon(outline, Paint::Flat(TARGET), rim);
}

/// Transitions, starts and ends.
pub fn marks(scene: &mut Scene, stage: &Stage, picture: &PathPicture<'_>, theme: &Theme) {
    for (k, person) in picture.people.iter().enumerate() {
        let colour = way_colour(picture, k, theme);
        for place in &person.transitions {
            ring(scene, stage.at(*place), colour, theme);
        }
        end_marks(scene, stage, person, colour);
    }
}

/// The mark of a transition.
pub fn ring(scene: &mut Scene, at: Vec2, colour: Colour, theme: &Theme) {
    let ring = Some(Stroke::new(colour, 1.6));
    scene.disc(at, 4.2, Paint::Flat(theme.background), ring);
}

fn end_marks(scene: &mut Scene, stage: &Stage, person: &OnPath<'_>, colour: Colour) {
    let (Some(first), Some(last)) = (person.way.first(), person.way.last()) else {
        return;
    };
    let (start, end) = (stage.at(*first), stage.at(*last));
    let half = Vec2::splat(4.5);
    scene.rectangle(end - half, end + half, Paint::Flat(colour), None);
    scene.disc(start, 5.0, Paint::Flat(colour), None);
}

/// "start" and "end", on paper of their own, on the far sides of one another.
pub fn end_words(scene: &mut Scene, stage: &Stage, picture: &PathPicture<'_>, theme: &Theme) {
    let [person] = &picture.people[..] else {
        return;
    };
    let (Some(first), Some(last)) = (person.way.first(), person.way.last()) else {
        return;
    };
    let (start, end) = (stage.at(*first), stage.at(*last));
    let apart = if start.y <= end.y { 1.0 } else { -1.0 };
    // Beside its mark or, where that would leave the picture, on the other side.
    let room = scene.width as f32 - 8.0;
    for (at, word, side) in [(start, "start", -apart), (end, "end", apart)] {
        let wide = crate::draw::text::width(word, 13.0);
        let shift = if at.x + 14.0 + wide > room {
            -14.0 - wide
        } else {
            14.0
        };
        let side = match picture.view {
            PathView::Map => side,
            // People stand above their feet: words go below.
            PathView::Slant => 1.0,
        };
        let place = at + Vec2::new(shift, 5.0 + 14.0 * side);
        let paper = Paint::Flat(theme.background.with_alpha(0.8));
        let (low, high) = (
            place + Vec2::new(-4.0, -13.0),
            place + Vec2::new(wide + 4.0, 4.0),
        );
        scene.rectangle(low, high, paper, None);
        scene.text(place, 13.0, Anchor::Start, theme.ink, word);
    }
}
