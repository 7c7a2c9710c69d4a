//! Axes: from values to pixels, with round ticks and names.

use glam::Vec2;

use super::colour::Theme;
use super::floor::round_step;
use super::scene::{Anchor, Scene, Shape, Stroke, Text};

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm; values of 0 and below have no place.
    Log,
}

/// One axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it measures, with its unit.
    pub name: String,
    /// How values are spread.
    pub spread: Spread,
    /// From where to where; by default what the data needs.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An even axis with a name.
    pub fn linear(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// A logarithmic axis with a name.
    pub fn log(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            spread: Spread::Log,
            range: None,
        }
    }

    /// Whether a value has a place on the axis.
    pub fn holds(&self, value: f64) -> bool {
        value.is_finite() && (self.spread == Spread::Linear || value > 0.0)
    }

    /// The axis laid out over pixels `from..to`, wide enough for the values.
    pub fn lay(&self, values: impl Iterator<Item = f64>, from: f32, to: f32) -> Laid {
        let held = values.filter(|&v| self.holds(v));
        let (low, high) = held.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        });
        let found = if low <= high { (low, high) } else { (0.0, 1.0) };
        let (mut low, mut high) = self
            .range
            .filter(|r| self.holds(r.0) && self.holds(r.1) && r.0 < r.1)
            .unwrap_or(found);
        if self.spread == Spread::Log {
            (low, high) = (low.max(1e-300).log10(), high.max(1e-300).log10());
        }
        if high - low < 1e-12 * low.abs().max(high.abs()).max(1e-12) {
            let half = if low == 0.0 { 0.5 } else { 0.5 * low.abs() };
            (low, high) = (low - half, high + half);
        } else if self.range.is_none() {
            let edge = 0.04 * (high - low);
            // A measure that begins at 0 keeps its 0 at the corner.
            let at_zero = self.spread == Spread::Linear && low == 0.0;
            (low, high) = (if at_zero { 0.0 } else { low - edge }, high + edge);
        }
        Laid {
            spread: self.spread,
            low,
            high,
            from,
            to,
        }
    }
}

/// An axis with its place in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laid {
    spread: Spread,
    /// Ends in the axis' own measure: the value, or its decimal logarithm.
    low: f64,
    high: f64,
    from: f32,
    to: f32,
}

impl Laid {
    /// The pixel of a value; values beyond the ends lie beyond the pixels.
    pub fn pixel(&self, value: f64) -> f32 {
        let v = match self.spread {
            Spread::Linear => value,
            Spread::Log => value.max(1e-300).log10(),
        };
        let share = ((v - self.low) / (self.high - self.low)).clamp(-10.0, 10.0);
        self.from + (self.to - self.from) * share as f32
    }

    /// Whether a value lies between the ends.
    pub fn covers(&self, value: f64) -> bool {
        let v = match self.spread {
            Spread::Linear => value,
            Spread::Log => value.log10(),
        };
        let edge = 1e-9 * (self.high - self.low);
        (self.low - edge..=self.high + edge).contains(&v)
    }

    /// Round values along the axis, at least `apart` pixels from one another, and how they are written.
    pub fn ticks(&self, apart: f32) -> Vec<(f64, String)> {
        let pixels = f64::from((self.to - self.from).abs()).max(1.0);
        let least = (self.high - self.low) * f64::from(apart) / pixels;
        if self.spread == Spread::Log {
            let step = least.ceil().max(1.0);
            let first = (self.low / step - 1e-9).ceil() as i64;
            let last = (self.high / step + 1e-9).floor() as i64;
            let decades = (first..=last.min(first + 200)).map(|k| k as f64 * step);
            let out: Vec<_> = decades
                .map(|d| (10_f64.powf(d), power_label(d as i32)))
                .collect();
            if out.len() >= 2 {
                return out;
            }
            // Less than two decades: even ticks between the ends' values.
            let (low, high) = (10_f64.powf(self.low), 10_f64.powf(self.high));
            return even_ticks(low, high, round_step((high - low) / 6.0));
        }
        even_ticks(self.low, self.high, round_step(least))
    }
}

fn even_ticks(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    let decimals = (-step.log10() + 1e-9).ceil().clamp(0.0, 9.0) as usize;
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last.min(first.saturating_add(200)))
        .map(|k| {
            let value = k as f64 * step;
            (value, number_label(value, decimals))
        })
        .collect()
}

fn number_label(value: f64, decimals: usize) -> String {
    match value.abs() {
        v if v >= 1e9 => format!("{value:.1e}"),
        v if v >= 1e6 => format!("{}M", trimmed(value / 1e6)),
        v if v >= 1e4 => format!("{}k", trimmed(value / 1e3)),
        _ => format!("{:.decimals$}", value + 0.0),
    }
}

fn power_label(power: i32) -> String {
    match power {
        -3..=3 => trimmed(10_f64.powi(power)),
        4 | 5 => format!("{}k", trimmed(10_f64.powi(power - 3))),
        6..=8 => format!("{}M", trimmed(10_f64.powi(power - 6))),
        _ => format!("1e{power}"),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Draws the frame of a plot: grid lines, ticks and names. `low` and `high` are the corners in the picture.
pub fn frame(
    scene: &mut Scene,
    theme: &Theme,
    (x, x_name): (&Laid, &str),
    (y, y_name): (&Laid, &str),
    (low, high): (Vec2, Vec2),
    with_grid: bool,
) {
    let grid = Stroke::new(theme.grid, 1.0);
    let line = Stroke::new(theme.line, 1.3);
    for (value, words) in x.ticks(74.0) {
        let px = x.pixel(value);
        if with_grid {
            scene.line(Vec2::new(px, low.y), Vec2::new(px, high.y), grid);
        }
        scene.line(Vec2::new(px, high.y), Vec2::new(px, high.y + 5.0), line);
        let at = Vec2::new(px, high.y + 21.0);
        scene.text(at, 13.0, Anchor::Middle, theme.faint_ink, &words);
    }
    for (value, words) in y.ticks(40.0) {
        let py = y.pixel(value);
        if with_grid {
            scene.line(Vec2::new(low.x, py), Vec2::new(high.x, py), grid);
        }
        scene.line(Vec2::new(low.x - 5.0, py), Vec2::new(low.x, py), line);
        let at = Vec2::new(low.x - 10.0, py + 4.5);
        scene.text(at, 13.0, Anchor::End, theme.faint_ink, &words);
    }
    scene.polyline(vec![low, Vec2::new(low.x, high.y), high], line);
    let middle = (low + high) / 2.0;
    let below = Vec2::new(middle.x, high.y + 44.0);
    scene.text(below, 14.0, Anchor::Middle, theme.ink, x_name);
    scene.shapes.push(Shape::Text(Text {
        at: Vec2::new(low.x - 58.0, middle.y),
        size: 14.0,
        anchor: Anchor::Middle,
        colour: theme.ink,
        bold: false,
        upwards: true,
        words: y_name.to_owned(),
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let laid = Axis::linear("x").lay([0.0, 9.7].into_iter(), 0.0, 500.0);
        let ticks = laid.ticks(70.0);
        assert!(ticks.len() >= 4);
        assert!(ticks.iter().all(|t| laid.covers(t.0)));
        assert_eq!(ticks[1].1, "2");
    }

    #[test]
    fn log_axes_leave_out_what_has_no_logarithm() {
        let axis = Axis::log("x");
        assert!(!axis.holds(0.0) && !axis.holds(-1.0) && axis.holds(1e-6));
        let laid = axis.lay([0.0, 1.0, 1e4].into_iter(), 0.0, 400.0);
        let words: Vec<String> = laid.ticks(60.0).into_iter().map(|t| t.1).collect();
        assert_eq!(words, ["1", "10", "100", "1000", "10k"]);
    }

    #[test]
    fn one_value_still_has_a_place() {
        let laid = Axis::linear("x").lay([3.0].into_iter(), 0.0, 100.0);
        assert!((laid.pixel(3.0) - 50.0).abs() < 1e-3);
        let none = Axis::linear("x").lay([f64::NAN].into_iter(), 0.0, 100.0);
        assert!(none.ticks(20.0).len() > 1);
    }
}
