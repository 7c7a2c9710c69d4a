//! The heat map of a grid of distances: dark is close, pale is far, rings mark minima.
//!
//! Frames of clip A go down, frames of clip B go right, both in seconds. A grid larger than the picture is shown by the least
//! value under each pixel, so that narrow valleys do not vanish.

use glam::Vec2;

use super::axes::{self, Axis};
use super::colour::{Colour, Theme, heat};
use super::scene::{Anchor, Paint, Scene, Shape, Stroke};
use super::{DrawError, text};

/// Distances between all frames of A (rows) and all frames of B (columns).
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// Frames of A.
    pub rows: usize,
    /// Frames of B.
    pub cols: usize,
    /// Row by row, in centimetres; NaN where there is no value.
    pub values: &'a [f32],
}

/// What stands around the map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatmapOptions {
    /// First line.
    pub title: String,
    /// Name of A.
    pub rows_label: String,
    /// Name of B.
    pub cols_label: String,
    /// Frames a second of both.
    pub rate_hz: f64,
    /// Longest side of the map itself in pixels; 900 by default.
    pub side: u32,
    /// The distance that is palest, in cm; by default the 98th percentile, so that a few far pairs do not
    /// take the colours away from the near ones.
    pub palest_cm: Option<f32>,
}

impl Default for HeatmapOptions {
    fn default() -> Self {
        Self {
            title: "Distance between frames".to_owned(),
            rows_label: "A".to_owned(),
            cols_label: "B".to_owned(),
            rate_hz: 30.0,
            side: 900,
            palest_cm: None,
        }
    }
}

/// Draws the map with minima (row, column; a part of a frame is allowed) as rings.
///
/// # Errors
/// When the grid's sides do not fit its values, nothing in it is finite, or the options are out of range.
pub fn heatmap(
    grid: &Grid<'_>,
    minima: &[(f64, f64)],
    options: &HeatmapOptions,
) -> Result<Scene, DrawError> {
    check(grid, options)?;
    let theme = Theme::LIGHT;
    let (low_cm, high_cm) = ends(grid, options.palest_cm)?;
    // One grid cell becomes a whole number of pixels, or one pixel covers a whole number of cells.
    let longest = grid.rows.max(grid.cols) as f32;
    let zoom = options.side as f32 / longest;
    let zoom = if zoom >= 1.0 { zoom.floor() } else { zoom };
    let pixels = |n: usize| ((n as f32 * zoom).round() as u32).max(1);
    let (wide, tall) = (pixels(grid.cols), pixels(grid.rows));
    // Words need room even where the map is small.
    let low = Vec2::new(86.0, 84.0);
    let high = low + Vec2::new(wide as f32, tall as f32);
    let frame_wide = wide.max(260) + 86 + 130;
    let mut scene = Scene::new(frame_wide, tall.max(120) + 84 + 66, theme.background)?;
    scene.shapes.push(Shape::Image {
        at: low,
        size: high - low,
        columns: wide.min(grid.cols as u32),
        rows: tall.min(grid.rows as u32),
        pixels: colours(grid, wide, tall, low_cm, high_cm),
    });
    let seconds = |n: usize| n as f64 / options.rate_hz;
    let axis = |name: &str, n: usize| Axis {
        name: format!("{name}, seconds"),
        range: Some((0.0, seconds(n))),
        ..Axis::default()
    };
    let (x_axis, y_axis) = (
        axis(&options.cols_label, grid.cols),
        axis(&options.rows_label, grid.rows),
    );
    let x = x_axis.lay(std::iter::empty(), low.x, high.x);
    let y = y_axis.lay(std::iter::empty(), low.y, high.y);
    let x_name = text::fit(&x_axis.name, 14.0, frame_wide as f32 - 100.0);
    let y_name = text::fit(&y_axis.name, 14.0, tall.max(200) as f32);
    axes::frame(
        &mut scene,
        &theme,
        (&x, &x_name),
        (&y, &y_name),
        (low, high),
        false,
    );
    rings(&mut scene, grid, minima, low, high);
    colour_bar(
        &mut scene,
        &theme,
        Vec2::new(high.x.max(low.x + 260.0) + 30.0, low.y),
        tall,
        (low_cm, high_cm),
    );
    let title = text::fit(&options.title, 18.0, frame_wide as f32 - 40.0);
    scene.heading(Vec2::new(20.0, 36.0), 18.0, theme.ink, &title);
    let facts = format!(
        "{} × {} frames at {} Hz · {} minima",
        grid.rows,
        grid.cols,
        options.rate_hz,
        minima.len()
    );
    let at = Vec2::new(20.0, 62.0);
    scene.text(at, 14.0, Anchor::Start, theme.faint_ink, &facts);
    scene.description = format!(
        "{}: {} against {}",
        options.title, options.rows_label, options.cols_label
    );
    Ok(scene)
}

fn check(grid: &Grid<'_>, options: &HeatmapOptions) -> Result<(), DrawError> {
    let cells = grid.rows.checked_mul(grid.cols);
    if cells != Some(grid.values.len()) {
        return Err(DrawError::Grid {
            rows: grid.rows,
            columns: grid.cols,
            found: grid.values.len(),
        });
    }
    let wrong = |option, value: String, expected| {
        Err(DrawError::Option {
            option,
            value,
            expected,
        })
    };
    if !(options.rate_hz.is_finite() && options.rate_hz > 0.0) {
        let value = options.rate_hz.to_string();
        return wrong("the heat map's rate", value, "above 0");
    }
    if !(32..=8000).contains(&options.side) {
        let value = options.side.to_string();
        return wrong("the heat map's side", value, "from 32 to 8000 pixels");
    }
    Ok(())
}

/// The distances that are darkest and palest.
fn ends(grid: &Grid<'_>, palest: Option<f32>) -> Result<(f32, f32), DrawError> {
    // A bounded sample is enough for a percentile.
    let stride = (grid.values.len() / 400_000).max(1);
    let mut finite: Vec<f32> = grid
        .values
        .iter()
        .step_by(stride)
        .copied()
        .filter(|v| v.is_finite())
        .collect();
    finite.sort_by(f32::total_cmp);
    let last = *finite.last().ok_or(DrawError::NoData {
        what: "the heat map",
    })?;
    let least = grid.values.iter().copied().filter(|v| v.is_finite());
    let low = least.fold(f32::INFINITY, f32::min).min(finite[0]);
    let low = if low >= 0.0 { 0.0 } else { low };
    let high = finite.get(finite.len() * 98 / 100).copied().unwrap_or(last);
    let high = palest.filter(|p| p.is_finite()).unwrap_or(high);
    Ok((low, if high > low { high } else { low + 1.0 }))
}

/// One colour per cell, or per pixel where cells are smaller: the least value under it.
fn colours(grid: &Grid<'_>, wide: u32, tall: u32, low: f32, high: f32) -> Vec<Colour> {
    let (columns, rows) = (
        (wide as usize).min(grid.cols),
        (tall as usize).min(grid.rows),
    );
    let mut least = vec![f32::NAN; columns * rows];
    for i in 0..grid.rows {
        let line = &mut least[i * rows / grid.rows * columns..][..columns];
        let values = &grid.values[i * grid.cols..][..grid.cols];
        for (j, &value) in values.iter().enumerate() {
            let cell = &mut line[j * columns / grid.cols];
            // `min` gives the number where the other is NaN.
            *cell = cell.min(value);
        }
    }
    let missing = Colour::hex(0xf1_f3_f6);
    least
        .into_iter()
        .map(|v| {
            if v.is_nan() {
                missing
            } else {
                heat((v - low) / (high - low))
            }
        })
        .collect()
}

fn rings(scene: &mut Scene, grid: &Grid<'_>, minima: &[(f64, f64)], low: Vec2, high: Vec2) {
    let radius = if minima.len() > 400 { 2.4 } else { 4.2 };
    let clear = Paint::Flat(Colour::WHITE.with_alpha(0.0));
    let (rows, cols) = (grid.rows as f64, grid.cols as f64);
    let inside = |m: &&(f64, f64)| (0.0..rows).contains(&m.0) && (0.0..cols).contains(&m.1);
    for &(i, j) in minima.iter().filter(inside).take(20_000) {
        let share = Vec2::new(((j + 0.5) / cols) as f32, ((i + 0.5) / rows) as f32);
        let at = low + share * (high - low);
        let dark = Stroke::new(Colour::hex(0x11_15_1c), radius * 0.75);
        let light = Stroke::new(Colour::WHITE, radius * 0.38);
        scene.disc(at, radius, clear, Some(dark));
        scene.disc(at, radius, clear, Some(light));
    }
}

fn colour_bar(scene: &mut Scene, theme: &Theme, at: Vec2, tall: u32, (low, high): (f32, f32)) {
    const STEPS: u32 = 128;
    let size = Vec2::new(18.0, tall.max(120) as f32);
    let pixels = (0..STEPS).map(|k| heat(1.0 - k as f32 / (STEPS - 1) as f32));
    scene.shapes.push(Shape::Image {
        at,
        size,
        columns: 1,
        rows: STEPS,
        pixels: pixels.collect(),
    });
    let axis = Axis {
        range: Some((f64::from(low), f64::from(high))),
        ..Axis::default()
    };
    let laid = axis.lay(std::iter::empty(), at.y + size.y, at.y);
    for (value, words) in laid.ticks(44.0) {
        let y = laid.pixel(value);
        let x = at.x + size.x;
        let tick = Stroke::new(theme.line, 1.2);
        scene.line(Vec2::new(x + 1.0, y), Vec2::new(x + 5.0, y), tick);
        let place = Vec2::new(x + 10.0, y + 4.5);
        scene.text(place, 13.0, Anchor::Start, theme.faint_ink, &words);
    }
    let above = at + Vec2::new(0.0, -12.0);
    scene.text(above, 13.0, Anchor::Start, theme.ink, "cm");
}
