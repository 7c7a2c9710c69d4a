//! Charts: lines, dots and bars over a pair of axes, with a legend.

use glam::Vec2;

use super::axes::{self, Axis, Laid};
use super::colour::{Colour, SERIES, Theme};
use super::scene::{Anchor, Paint, Scene, Stroke};
use super::{DrawError, text};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// A line through the points; a point without a place breaks it.
    #[default]
    Line,
    /// A line with a dot on every point.
    DottedLine,
    /// A dot for every point.
    Dot,
    /// A bar from the axis up to every point, as wide as points are apart.
    Bar,
    /// A thin line from the axis up to a dot on every point: events.
    Stem,
}

/// Points of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the legend calls it; empty: not in the legend.
    pub name: String,
    /// (x, y) in order.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub mark: Mark,
}

impl Series {
    /// A line through points.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points,
            mark: Mark::Line,
        }
    }

    /// The same points drawn another way.
    pub fn with_mark(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }
}

/// A vertical line with a name, e.g. a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Where on the x axis.
    pub x: f64,
    /// What is written beside it.
    pub name: String,
}

/// What a chart shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// First line.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// What is drawn, first things first.
    pub series: Vec<Series>,
    /// Vertical lines.
    pub markers: Vec<Marker>,
}

impl Chart {
    /// Draws the chart in the light theme.
    ///
    /// # Errors
    /// When no point has a place on both axes, or the size is impossible (each side needs 200 pixels).
    pub fn draw(&self, width: u32, height: u32) -> Result<Scene, DrawError> {
        self.draw_in(width, height, &Theme::LIGHT)
    }

    /// Draws the chart in a theme.
    ///
    /// # Errors
    /// As [`Chart::draw`].
    pub fn draw_in(&self, width: u32, height: u32, theme: &Theme) -> Result<Scene, DrawError> {
        let mut scene = Scene::new(width, height, theme.background)?;
        if width < 200 || height < 200 {
            return Err(DrawError::Option {
                option: "the chart's size",
                value: format!("{width} by {height} pixels"),
                expected: "200 by 200 or more",
            });
        }
        let points = || self.series.iter().flat_map(|s| &s.points);
        let placed = |p: &&(f64, f64)| self.x.holds(p.0) && self.y.holds(p.1);
        if !points().any(|p| placed(&p)) {
            return Err(DrawError::NoData { what: "the chart" });
        }
        let beside = self.legend_beside(width);
        let (low, high) = self.area(width, height);
        let (x, y) = self.laid(width, height);
        let names = ((&x, self.x.name.as_str()), (&y, self.y.name.as_str()));
        axes::frame(&mut scene, theme, names.0, names.1, (low, high), true);
        for marker in self.markers.iter().filter(|m| x.covers(m.x)) {
            let px = x.pixel(marker.x);
            let mut stroke = Stroke::new(theme.ink, 1.2);
            stroke.dash = Some((5.0, 5.0));
            scene.line(Vec2::new(px, low.y), Vec2::new(px, high.y), stroke);
            // Beside the line, on the side where there is room.
            let (shift, anchor) = match px + 12.0 + text::width(&marker.name, 13.0) {
                end if end > high.x => (-6.0, Anchor::End),
                _ => (6.0, Anchor::Start),
            };
            let at = Vec2::new(px + shift, low.y + 14.0);
            scene.text(at, 13.0, anchor, theme.ink, &marker.name);
        }
        for (i, series) in self.series.iter().enumerate() {
            self.series(&mut scene, series, colour_of(i), &x, &y);
        }
        let legend_y = if beside { 32.0 } else { 58.0 };
        legend(&mut scene, &self.series, theme, Vec2::new(high.x, legend_y));
        let room = width as f32 - 40.0;
        let title = text::fit(&self.title, 18.0, room);
        scene.heading(Vec2::new(20.0, 32.0), 18.0, theme.ink, &title);
        scene.description.clone_from(&self.title);
        Ok(scene)
    }

    /// The legend stands beside the title where both fit, else on a line of its own.
    fn legend_beside(&self, width: u32) -> bool {
        text::width(&self.title, 18.0) + legend_width(&self.series) < width as f32 - 80.0
    }

    /// The rectangle between the axes.
    fn area(&self, width: u32, height: u32) -> (Vec2, Vec2) {
        let top = if self.legend_beside(width) {
            56.0
        } else {
            78.0
        };
        let high = Vec2::new(width as f32 - 26.0, height as f32 - 62.0);
        (Vec2::new(84.0, top), high)
    }

    /// The axes of a picture of this size: from values to pixels, for those who write more into a chart.
    pub fn laid(&self, width: u32, height: u32) -> (Laid, Laid) {
        let (low, high) = self.area(width, height);
        let points = self.series.iter().flat_map(|s| &s.points);
        let from_axis = |s: &Series| matches!(s.mark, Mark::Bar | Mark::Stem);
        let zero = (self.series.iter().any(from_axis) && self.y.holds(0.0)).then_some(0.0);
        let x_ends = self.series.iter().flat_map(x_reach);
        (
            self.x.lay(x_ends, low.x, high.x),
            self.y.lay(points.map(|p| p.1).chain(zero), high.y, low.y),
        )
    }

    fn series(&self, scene: &mut Scene, series: &Series, colour: Colour, x: &Laid, y: &Laid) {
        let place = |p: &(f64, f64)| {
            let held = self.x.holds(p.0) && self.y.holds(p.1) && x.covers(p.0) && y.covers(p.1);
            held.then(|| Vec2::new(x.pixel(p.0), y.pixel(p.1)))
        };
        if matches!(series.mark, Mark::Line | Mark::DottedLine) {
            let places: Vec<Option<Vec2>> = series.points.iter().map(place).collect();
            for run in places.split(Option::is_none) {
                let line: Vec<Vec2> = run.iter().flatten().copied().collect();
                if line.len() > 1 {
                    scene.polyline(line, Stroke::new(colour, 2.2));
                } else if let [alone] = line[..] {
                    scene.disc(alone, 2.2, Paint::Flat(colour), None);
                }
            }
        }
        match series.mark {
            Mark::Line => {}
            Mark::DottedLine | Mark::Dot => {
                let alone = series.mark == Mark::Dot;
                let fill = Paint::Flat(colour.with_alpha(if alone { 0.6 } else { 1.0 }));
                for at in series.points.iter().filter_map(place) {
                    scene.disc(at, 3.6, fill, None);
                }
            }
            Mark::Stem => {
                for p in &series.points {
                    let Some(top) = place(p) else { continue };
                    let foot = Vec2::new(top.x, y.pixel(0.0));
                    scene.line(foot, top, Stroke::new(colour, 2.0));
                    scene.disc(top, 4.0, Paint::Flat(colour), None);
                }
            }
            Mark::Bar => {
                let half = bar_width(series) / 2.0;
                for p in series.points.iter().filter(|p| place(p).is_some()) {
                    let top = Vec2::new(x.pixel(p.0 - half) + 0.5, y.pixel(p.1));
                    let foot = Vec2::new(x.pixel(p.0 + half) - 0.5, y.pixel(0.0));
                    let fill = Paint::Flat(colour.with_alpha(0.8));
                    scene.rectangle(top.min(foot), top.max(foot), fill, None);
                }
            }
        }
    }
}

fn colour_of(index: usize) -> Colour {
    SERIES[index % SERIES.len()]
}

/// Points are this far apart at least; bars are as wide.
fn bar_width(series: &Series) -> f64 {
    let pairs = series.points.windows(2);
    let least = pairs
        .map(|w| (w[1].0 - w[0].0).abs())
        .filter(|d| *d > 0.0)
        .fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The x values a series needs room for.
fn x_reach(series: &Series) -> impl Iterator<Item = f64> + '_ {
    let half = match series.mark {
        Mark::Bar => bar_width(series) / 2.0,
        _ => 0.0,
    };
    series
        .points
        .iter()
        .flat_map(move |p| [p.0 - half, p.0 + half])
}

/// Room the names and their keys take.
fn legend_width(series: &[Series]) -> f32 {
    let named = series.iter().filter(|s| !s.name.is_empty());
    named.map(|s| text::width(&s.name, 13.0) + 42.0).sum()
}

/// Names in a row that ends at a place, last series rightmost.
fn legend(scene: &mut Scene, series: &[Series], theme: &Theme, end: Vec2) {
    let mut x = end.x;
    for (i, s) in series
        .iter()
        .enumerate()
        .rev()
        .filter(|s| !s.1.name.is_empty())
    {
        let wide = text::width(&s.name, 13.0);
        let at = Vec2::new(x - wide, end.y);
        scene.text(at, 13.0, Anchor::Start, theme.ink, &s.name);
        let key = Stroke::new(colour_of(i), 3.0);
        let from = at - Vec2::new(24.0, 4.5);
        if s.mark == Mark::Dot {
            scene.disc(from + Vec2::X * 10.0, 4.0, Paint::Flat(colour_of(i)), None);
        } else {
            scene.line(from, from + Vec2::X * 16.0, key);
        }
        x = at.x - 42.0;
    }
}
