//! What the colours mean.

use glam::Vec2;

use super::{INTERPOLATED, PathPicture, STYLES, Styles, TARGET};
use crate::draw::colour::{Colour, Theme};
use crate::draw::scene::{Anchor, Paint, Scene, Stroke};
use crate::draw::text;

const SIZE: f32 = 13.0;
const ROW: f32 = 24.0;
const KEY: f32 = 24.0;
const LEFT: f32 = 20.0;

/// How an entry's key looks.
#[derive(Clone, Copy)]
enum Key {
    Path,
    Way,
    Style(Colour),
    People,
    Interpolated,
    Ring,
    Block,
}

/// A key and its word.
pub struct Entry {
    key: Key,
    word: String,
}

/// What the picture has, in the order of reading.
pub fn entries(picture: &PathPicture<'_>, styles: &Styles<'_>) -> Vec<Entry> {
    let mut out = Vec::new();
    let mut add = |key: Key, word: &str| {
        out.push(Entry {
            key,
            word: word.to_owned(),
        });
    };
    if !picture.targets.is_empty() {
        add(Key::Path, "path asked for");
    }
    match picture.people.len() {
        0 => {}
        1 => add(Key::Way, "way of the motion"),
        n => add(
            Key::People,
            &format!("{n} {}", picture.called.unwrap_or("people")),
        ),
    }
    for name in &styles.names {
        add(Key::Style(styles.colour(name)), name);
    }
    if picture.people.iter().any(|p| !p.interpolated.is_empty()) {
        add(Key::Interpolated, "interpolated");
    }
    if picture.people.iter().any(|p| !p.transitions.is_empty()) {
        add(Key::Ring, "transition");
    }
    if !picture.obstacles.is_empty() {
        add(Key::Block, "obstacle");
    }
    out
}

/// The lines of a legend: which entries, and where each begins.
fn rows(entries: &[Entry], width: f32) -> Vec<(usize, Vec2)> {
    let mut at = Vec2::new(LEFT, 0.0);
    let mut out = Vec::with_capacity(entries.len());
    for (k, entry) in entries.iter().enumerate() {
        let wide = KEY + 8.0 + text::width(&entry.word, SIZE) + 22.0;
        if at.x > LEFT && at.x + wide > width - 10.0 {
            at = Vec2::new(LEFT, at.y + ROW);
        }
        out.push((k, at));
        at.x += wide;
    }
    out
}

/// Pixels that title and legend take.
pub fn height(entries: &[Entry], title: &str, width: f32) -> f32 {
    let lines = rows(entries, width).last().map_or(0.0, |r| r.1.y + ROW);
    let head = if title.is_empty() { 14.0 } else { 46.0 };
    head + lines + 18.0
}

/// Draws title and legend.
pub fn draw(scene: &mut Scene, entries: &[Entry], title: &str, theme: &Theme) {
    let width = scene.width as f32;
    let top = if title.is_empty() { 26.0 } else { 60.0 };
    let title = text::fit(title, 17.0, width - 2.0 * LEFT);
    scene.heading(Vec2::new(LEFT, 32.0), 17.0, theme.ink, &title);
    for (k, at) in rows(entries, width) {
        let at = at + Vec2::new(0.0, top);
        key(scene, entries[k].key, at - Vec2::new(0.0, 4.5), theme);
        let word = at + Vec2::new(KEY + 8.0, 0.0);
        scene.text(word, SIZE, Anchor::Start, theme.ink, &entries[k].word);
    }
}

fn key(scene: &mut Scene, key: Key, at: Vec2, theme: &Theme) {
    let end = at + Vec2::new(KEY, 0.0);
    let middle = (at + end) / 2.0;
    match key {
        Key::Path => {
            // Round ends reach beyond a wide line.
            let cap = Vec2::new(3.5, 0.0);
            scene.line(at + cap, end - cap, Stroke::new(TARGET, 9.0));
        }
        Key::Way => scene.line(at, end, Stroke::new(theme.ink, 1.9)),
        Key::Style(colour) => {
            scene.line(at, end, Stroke::new(colour, 6.0));
            scene.line(at, end, Stroke::new(theme.ink, 1.9));
        }
        Key::People => {
            for (k, colour) in STYLES.iter().take(3).enumerate() {
                let down = Vec2::new(0.0, 4.0 * (k as f32 - 1.0));
                scene.line(at + down, end + down, Stroke::new(*colour, 1.9));
            }
        }
        Key::Interpolated => {
            let mut stroke = Stroke::new(INTERPOLATED, 3.6);
            stroke.dash = Some((6.0, 4.0));
            scene.line(at, end, stroke);
        }
        Key::Ring => super::ground::ring(scene, middle, theme.ink, theme),
        Key::Block => {
            let half = Vec2::new(8.0, 6.0);
            let rim = Some(Stroke::new(theme.line.darker(0.2), 1.4));
            let fill = Paint::Flat(theme.line.lighter(0.35));
            scene.rectangle(middle - half, middle + half, fill, rim);
        }
    }
}
