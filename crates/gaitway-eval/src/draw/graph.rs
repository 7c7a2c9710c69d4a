//! A motion graph as lanes and arcs: a lane per clip along time, coloured by the label in whose component each
//! piece lies, pale where it was lost; transitions as arcs between lanes.

use gaitway_graph::inspect::{GraphLayout, LabelLink};
use glam::Vec2;

use super::colour::{Colour, SERIES, Theme, heat};
use super::scene::{Anchor, Paint, Scene, Stroke};
use super::{DrawError, text};

/// Ways through motion that was not captured.
const INTERPOLATED: Colour = Colour::hex(0x1d_4e_d8);

const WIDTH: u32 = 1400;
const LANE: f32 = 22.0;
const TOP: f32 = 76.0;
const NAMES: f32 = 190.0;
const RIGHT: f32 = 40.0;

/// Draws a laid-out graph.
///
/// # Errors
/// When there are more lanes than a picture can hold.
pub fn graph_picture(layout: &GraphLayout, title: &str) -> Result<Scene, DrawError> {
    let theme = Theme::LIGHT;
    let height = TOP + LANE * layout.lanes.len() as f32 + 46.0;
    let mut scene = Scene::new(WIDTH, height.ceil() as u32, theme.background)?;
    let longest = layout.lanes.iter().map(|l| l.seconds).fold(1e-9, f64::max);
    let across = (WIDTH as f32 - NAMES - RIGHT) / longest as f32;
    let place =
        |lane: u32, s: f64| Vec2::new(NAMES + s as f32 * across, TOP + LANE * (lane as f32 + 0.5));
    scene.heading(Vec2::new(20.0, 30.0), 18.0, theme.ink, title);
    legend(&mut scene, layout, &theme);
    for (i, lane) in layout.lanes.iter().enumerate() {
        let at = place(i as u32, 0.0);
        let name = text::fit(short(&lane.clip), 11.0, NAMES - 30.0);
        let words = Vec2::new(NAMES - 8.0, at.y + 4.0);
        scene.text(words, 11.0, Anchor::End, theme.faint_ink, &name);
        for stretch in &lane.stretches {
            let (a, b) = (
                place(i as u32, stretch.start_s),
                place(i as u32, stretch.end_s),
            );
            let colour = match (stretch.kept, stretch.component) {
                (false, _) => theme.grid,
                (true, Some(label)) => label_colour(label),
                (true, None) => theme.line,
            };
            scene.line(
                a,
                b,
                Stroke::new(colour, if stretch.kept { 5.0 } else { 3.0 }),
            );
        }
    }
    for arc in layout.arcs.iter().rev() {
        let (a, b) = (
            place(arc.from_lane, arc.from_s),
            place(arc.to_lane, arc.to_s),
        );
        let colour = arc
            .component
            .map_or(theme.line, label_colour)
            .with_alpha(0.28);
        scene.polyline(curve(a, b), Stroke::new(colour, 0.9));
    }
    for arc in &layout.interpolated {
        let (a, b) = (
            place(arc.from_lane, arc.from_s),
            place(arc.to_lane, arc.to_s),
        );
        let mut stroke = Stroke::new(INTERPOLATED.with_alpha(0.5), 0.9);
        stroke.dash = Some((5.0, 3.0));
        scene.polyline(curve(a, b), stroke);
    }
    seconds_axis(
        &mut scene,
        longest,
        place(layout.lanes.len() as u32, 0.0).y,
        across,
        &theme,
    );
    Ok(scene)
}

/// Label × label: how well one leads to the other, darker where the way is shorter.
///
/// # Errors
/// When there are no labels or too many to draw.
pub fn label_matrix(links: &[LabelLink], title: &str) -> Result<Scene, DrawError> {
    const CELL: f32 = 74.0;
    let theme = Theme::LIGHT;
    let mut names: Vec<&str> = links.iter().map(|l| l.from.as_str()).collect();
    names.dedup();
    let side = 150.0 + CELL * names.len() as f32 + 30.0;
    let mut scene = Scene::new(
        side.max(420.0) as u32,
        (side - 40.0).max(160.0) as u32,
        theme.background,
    )?;
    scene.heading(Vec2::new(20.0, 30.0), 16.0, theme.ink, title);
    let corner = Vec2::new(150.0, 84.0);
    let longest = links
        .iter()
        .filter_map(|l| l.shortest_s)
        .fold(1.0, f64::max);
    let index = |name: &str| names.iter().position(|n| *n == name).unwrap_or(0) as f32;
    for (k, name) in names.iter().enumerate() {
        let along = k as f32 * CELL + CELL / 2.0;
        let left = corner + Vec2::new(-8.0, along + 4.0);
        scene.text(left, 12.0, Anchor::End, theme.ink, name);
        let above = corner + Vec2::new(along, -8.0);
        scene.text(
            above,
            12.0,
            Anchor::Middle,
            theme.ink,
            &text::fit(name, 12.0, CELL - 4.0),
        );
    }
    for link in links {
        let low = corner + CELL * Vec2::new(index(&link.to), index(&link.from));
        // Pale enough throughout for dark words.
        let fill = match link.shortest_s {
            Some(s) => heat(0.62 + 0.36 * (s / longest) as f32),
            None => theme.background,
        };
        let high = low + Vec2::splat(CELL - 2.0);
        scene.rectangle(
            low,
            high,
            Paint::Flat(fill),
            Some(Stroke::new(theme.grid, 1.0)),
        );
        let middle = (low + high) / 2.0;
        let way = link
            .shortest_s
            .map_or("no way".to_owned(), |s| format!("{s:.1} s"));
        scene.text(middle, 12.0, Anchor::Middle, theme.ink, &way);
        let count = format!("{} direct", link.transitions);
        scene.text(
            middle + Vec2::new(0.0, 16.0),
            10.0,
            Anchor::Middle,
            theme.ink,
            &count,
        );
    }
    Ok(scene)
}

/// The palette of charts, then its lighter and darker shades, so that eighteen labels can be told apart.
fn label_colour(label: u32) -> Colour {
    let base = SERIES[label as usize % SERIES.len()];
    match label as usize / SERIES.len() % 3 {
        0 => base,
        1 => base.lighter(0.45),
        _ => base.darker(0.45),
    }
}

fn short(clip: &str) -> &str {
    clip.rsplit('/').next().unwrap_or(clip)
}

fn legend(scene: &mut Scene, layout: &GraphLayout, theme: &Theme) {
    let mut x = 20.0;
    let used: std::collections::BTreeSet<u32> = layout
        .lanes
        .iter()
        .flat_map(|l| &l.stretches)
        .filter(|s| s.kept)
        .filter_map(|s| s.component)
        .collect();
    let mut entry = |colour: Colour, words: &str| {
        scene.line(
            Vec2::new(x, 52.0),
            Vec2::new(x + 16.0, 52.0),
            Stroke::new(colour, 5.0),
        );
        scene.text(
            Vec2::new(x + 22.0, 56.0),
            12.0,
            Anchor::Start,
            theme.ink,
            words,
        );
        x += 40.0 + text::width(words, 12.0);
    };
    for label in used {
        entry(label_colour(label), &layout.labels[label as usize]);
    }
    entry(theme.line, "bridge");
    entry(theme.grid, "lost");
    if !layout.interpolated.is_empty() {
        entry(INTERPOLATED, "through interpolated motion");
    }
    let between = match layout.interpolated.is_empty() {
        true => "",
        false => " between captured clips",
    };
    let shown = format!(
        "{} of {} transitions{between} drawn",
        layout.arcs.len(),
        layout.transitions
    );
    let at = Vec2::new(WIDTH as f32 - RIGHT, 56.0);
    scene.text(at, 11.0, Anchor::End, theme.faint_ink, &shown);
}

/// A curve that leaves and enters along time, so that its direction can be read.
fn curve(a: Vec2, b: Vec2) -> Vec<Vec2> {
    const STEPS: usize = 16;
    let reach = 18.0 + 0.12 * (b - a).length();
    let (c, d) = (a + Vec2::new(reach, 0.0), b - Vec2::new(reach, 0.0));
    (0..=STEPS)
        .map(|i| {
            let t = i as f32 / STEPS as f32;
            let s = 1.0 - t;
            s * s * s * a + 3.0 * s * s * t * c + 3.0 * s * t * t * d + t * t * t * b
        })
        .collect()
}

fn seconds_axis(scene: &mut Scene, longest: f64, y: f32, across: f32, theme: &Theme) {
    let steps = [
        0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0,
    ];
    let step = steps
        .into_iter()
        .find(|s| longest / s <= 14.0)
        .unwrap_or(1200.0);
    let mut s = 0.0;
    while s <= longest {
        let x = NAMES + s as f32 * across;
        scene.line(
            Vec2::new(x, TOP - 4.0),
            Vec2::new(x, y),
            Stroke::new(theme.grid.with_alpha(0.5), 0.7),
        );
        scene.text(
            Vec2::new(x, y + 16.0),
            11.0,
            Anchor::Middle,
            theme.faint_ink,
            &format!("{s} s"),
        );
        s += step;
    }
}
