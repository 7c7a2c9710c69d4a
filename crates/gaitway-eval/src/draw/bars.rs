//! Numbers against the bars they must stay below: a row each, filled to their share of the bar.

use glam::Vec2;

use super::colour::{Colour, Theme};
use super::scene::{Anchor, Paint, Scene, Stroke};
use super::{DrawError, text};

/// One number and its bar.
#[derive(Clone, Debug, PartialEq)]
pub struct BarRow {
    /// What is measured.
    pub name: String,
    /// What came of it; `None` where it could not be measured.
    pub value: Option<f64>,
    /// The most it should be.
    pub bar: f64,
    /// Unit of both.
    pub unit: String,
}

const WIDTH: u32 = 940;
const ROW: f32 = 34.0;
const ABOVE: f32 = 58.0;
/// The picture shows up to this many times the bar.
const REACH: f64 = 1.3;
const INSIDE: Colour = Colour::hex(0x1d_9a_78);
const OUTSIDE: Colour = Colour::hex(0xc8_3f_36);

/// Draws the rows.
///
/// # Errors
/// When there are none, or more than fit into a picture.
pub fn bars(title: &str, rows: &[BarRow]) -> Result<Scene, DrawError> {
    if rows.is_empty() {
        return Err(DrawError::NoData { what: "the bars" });
    }
    let theme = Theme::LIGHT;
    let height = ABOVE + ROW * rows.len() as f32 + 20.0;
    let mut scene = Scene::new(WIDTH, height as u32, theme.background)?;
    scene.heading(
        Vec2::new(20.0, 32.0),
        18.0,
        theme.ink,
        &text::fit(title, 18.0, WIDTH as f32 - 40.0),
    );
    let names = rows
        .iter()
        .map(|r| text::width(&r.name, 14.0))
        .fold(0.0, f32::max);
    let from = 20.0 + names.min(340.0) + 16.0;
    let to = WIDTH as f32 - 240.0;
    let at = |share: f64| from + (to - from) * (share.clamp(0.0, REACH) / REACH) as f32;
    for (k, row) in rows.iter().enumerate() {
        let y = ABOVE + ROW * k as f32;
        let base = y + 16.0;
        let name = text::fit(&row.name, 14.0, 340.0);
        scene.text(Vec2::new(20.0, base), 14.0, Anchor::Start, theme.ink, &name);
        scene.rectangle(
            Vec2::new(from, y + 2.0),
            Vec2::new(to, y + 20.0),
            Paint::Flat(theme.grid.lighter(0.4)),
            None,
        );
        let share = row.value.map(|v| v / row.bar.max(1e-12));
        if let Some(share) = share {
            let colour = if share <= 1.0 { INSIDE } else { OUTSIDE };
            scene.rectangle(
                Vec2::new(from, y + 2.0),
                Vec2::new(at(share).max(from + 2.0), y + 20.0),
                Paint::Flat(colour),
                None,
            );
        }
        let line = Stroke::new(theme.ink, 1.6);
        scene.line(
            Vec2::new(at(1.0), y - 3.0),
            Vec2::new(at(1.0), y + 25.0),
            line,
        );
        let words = match row.value {
            Some(v) => format!("{} of {} {}", short(v), short(row.bar), row.unit),
            None => "not measured".to_owned(),
        };
        let place = Vec2::new(to + 16.0, base);
        scene.text(place, 14.0, Anchor::Start, theme.ink, &words);
    }
    scene.description = title.to_owned();
    Ok(scene)
}

/// Two digits after the point for small numbers, fewer for large ones.
fn short(v: f64) -> String {
    match v.abs() {
        a if a >= 100.0 => format!("{v:.0}"),
        a if a >= 10.0 => format!("{v:.1}"),
        _ => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_their_number_and_their_bar() {
        let row = |value, bar| BarRow {
            name: "sliding feet".into(),
            value,
            bar,
            unit: "cm/s".into(),
        };
        let rows = [row(Some(0.05), 0.2), row(Some(0.4), 0.2), row(None, 0.2)];
        let svg = bars("quality", &rows).expect("a picture").to_svg();
        assert!(svg.contains("0.05 of 0.20 cm/s") && svg.contains("not measured"));
        assert!(bars("quality", &[]).is_err());
    }
}
