//! Who reaches whom: the transitive closure of a graph's frames, ordered by clip; white where there is a way, dark where there is none.

use glam::Vec2;

use super::colour::{Colour, Theme};
use super::scene::{Anchor, Scene, Shape, Stroke};
use super::{DrawError, text};
use crate::connectivity::{Closure, FrameGraph};

/// One graph's closure and what is written above it.
#[derive(Clone, Copy, Debug)]
pub struct ReachPanel<'a> {
    /// First line.
    pub title: &'a str,
    /// The frames and their clips.
    pub frames: &'a FrameGraph,
    /// Who reaches whom.
    pub closure: &'a Closure,
}

/// Pixels on a side of a panel.
const SIDE: f32 = 440.0;

/// Graphs side by side; from row to column.
///
/// # Errors
/// When there is nothing to show, or too many panels to draw.
pub fn reach_picture(panels: &[ReachPanel<'_>]) -> Result<Scene, DrawError> {
    const GAP: f32 = 40.0;
    let theme = Theme::LIGHT;
    if panels.iter().all(|p| p.closure.side == 0) {
        return Err(DrawError::NoData {
            what: "the picture of who reaches whom",
        });
    }
    let wide = GAP + (SIDE + GAP) * panels.len() as f32;
    let mut scene = Scene::new(wide as u32, (SIDE + 110.0) as u32, theme.background)?;
    for (k, panel) in panels.iter().enumerate() {
        let low = Vec2::new(GAP + (SIDE + GAP) * k as f32, 62.0);
        let title = text::fit(panel.title, 15.0, SIDE);
        scene.heading(low - Vec2::new(0.0, 34.0), 15.0, theme.ink, &title);
        let share = format!("{:.1} % of pairs have a way", 100.0 * panel.closure.share);
        scene.text(
            low - Vec2::new(0.0, 14.0),
            12.0,
            Anchor::Start,
            theme.ink,
            &share,
        );
        draw(&mut scene, panel, low, &theme);
        let below = low + Vec2::new(SIDE / 2.0, SIDE + 24.0);
        let words = "from a row's frame to a column's; clips in order";
        scene.text(below, 12.0, Anchor::Middle, theme.ink, words);
    }
    Ok(scene)
}

fn draw(scene: &mut Scene, panel: &ReachPanel<'_>, low: Vec2, theme: &Theme) {
    let side = panel.closure.side as u32;
    let (dark, none) = (Colour::hex(0x1d_24_2e), theme.grid);
    let pixel = |&share: &f32| match share.is_nan() {
        true => none,
        false => dark.towards(Colour::WHITE, share),
    };
    scene.shapes.push(Shape::Image {
        at: low,
        size: Vec2::splat(SIDE),
        columns: side,
        rows: side,
        pixels: panel.closure.cells.iter().map(pixel).collect(),
    });
    let frames = panel.frames.captured_count().max(1) as f32;
    let line = Stroke::new(Colour::hex(0xd0_7a_1e).with_alpha(0.35), 0.6);
    let captured = panel.frames.clips.iter().filter(|c| c.original);
    for clip in captured.skip(1) {
        let at = SIDE * clip.first as f32 / frames;
        scene.line(low + Vec2::new(at, 0.0), low + Vec2::new(at, SIDE), line);
        scene.line(low + Vec2::new(0.0, at), low + Vec2::new(SIDE, at), line);
    }
}
