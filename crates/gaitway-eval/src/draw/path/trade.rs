//! One quality against another: what is gained, what is given up, as a chart.

use glam::Vec2;

use super::charts::CHART;
use crate::draw::axes::Axis;
use crate::draw::chart::{Chart, Mark, Series};
use crate::draw::scene::{Anchor, Scene};
use crate::draw::{DrawError, colour::Theme};

/// One setting and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What the setting is called.
    pub name: String,
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
}

/// Draws the curve through the points in their order, each with its name.
///
/// # Errors
/// When no point has a place.
pub fn trade_off(title: &str, axes: (&str, &str), points: &[Point]) -> Result<Scene, DrawError> {
    let line: Vec<(f64, f64)> = points.iter().map(|p| (p.x, p.y)).collect();
    let most = |of: fn(&(f64, f64)) -> f64| line.iter().map(of).fold(0.0, f64::max);
    let (wide, tall) = (1.08 * most(|p| p.0), 1.12 * most(|p| p.1));
    let axis = |name: &str, to: f64| Axis {
        range: Some((0.0, to)),
        ..Axis::linear(name)
    };
    let chart = Chart {
        title: title.to_owned(),
        x: axis(axes.0, wide),
        y: axis(axes.1, tall),
        series: vec![Series::line("", line).with_mark(Mark::DottedLine)],
        markers: Vec::new(),
    };
    let mut scene = chart.draw(CHART.0, 420)?;
    let (x, y) = chart.laid(CHART.0, 420);
    let mut above: Option<Vec2> = None;
    for p in points.iter().filter(|p| x.covers(p.x) && y.covers(p.y)) {
        let at = Vec2::new(x.pixel(p.x), y.pixel(p.y));
        // A name that would stand on the one before goes below its point.
        let crowded = above.is_some_and(|a| (a - at).abs().cmplt(Vec2::new(70.0, 18.0)).all());
        let shift = if crowded { 20.0 } else { -8.0 };
        above = (!crowded).then_some(at);
        let place = at + Vec2::new(9.0, shift);
        scene.text(place, 13.0, Anchor::Start, Theme::LIGHT.faint_ink, &p.name);
    }
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_named() {
        let point = |name: &str, x, y| Point {
            name: name.into(),
            x,
            y,
        };
        let points = [point("× 0", 1.6, 1.2), point("× 8", 0.6, 5.4)];
        let svg = trade_off("near or natural", ("transitions", "cm"), &points)
            .expect("a chart")
            .to_svg();
        assert!(svg.contains("× 0") && svg.contains("× 8"));
        assert!(trade_off("", ("", ""), &[]).is_err());
    }
}
