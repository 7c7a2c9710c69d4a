//! Scene → pixels, by `tiny-skia`.

use glam::Vec2;
use tiny_skia::{
    FillRule, FilterQuality, GradientStop, LineCap, LineJoin, LinearGradient, Paint as SkPaint,
    Path, PathBuilder, Pattern, Pixmap, Point, RadialGradient, Rect, Shader, SpreadMode,
    StrokeDash, Transform,
};

use super::colour::Colour;
use super::scene::{Paint, Polyline, Scene, Shape, Stroke, check_size, hull};
use super::{DrawError, text};

impl Scene {
    /// The picture as a PNG file's bytes.
    ///
    /// # Errors
    /// When the scene's size is beyond the limits.
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        self.to_pixels()?
            .encode_png()
            .map_err(|e| DrawError::Encode(e.to_string()))
    }

    /// The picture as opaque RGBA pixels, row by row.
    ///
    /// # Errors
    /// When the scene's size is beyond the limits.
    pub fn to_rgba(&self) -> Result<Vec<u8>, DrawError> {
        Ok(self.to_pixels()?.take_demultiplied())
    }

    fn to_pixels(&self) -> Result<Pixmap, DrawError> {
        check_size(self.width, self.height)?;
        let mut pixels = Pixmap::new(self.width, self.height)
            .ok_or_else(|| DrawError::Encode("no memory for the pixels".into()))?;
        pixels.fill(colour(self.background));
        for shape in &self.shapes {
            draw(&mut pixels, shape);
        }
        Ok(pixels)
    }
}

fn draw(pixels: &mut Pixmap, shape: &Shape) {
    match shape {
        Shape::Path {
            lines,
            fill,
            stroke,
        } => {
            let Some(path) = path_of(lines) else { return };
            if let Some(paint) = fill {
                fill_path(pixels, &path, paint);
            }
            if let Some(stroke) = stroke {
                stroke_path(pixels, &path, stroke);
            }
        }
        Shape::Hull {
            circles,
            fill,
            stroke,
        } => {
            let path = match circles[..] {
                [c] => PathBuilder::from_circle(c.centre.x, c.centre.y, c.radius),
                _ => path_of(&[Polyline {
                    points: hull(circles).into_iter().map(|(p, _)| p).collect(),
                    closed: true,
                }]),
            };
            let Some(path) = path else { return };
            fill_path(pixels, &path, fill);
            if let Some(stroke) = stroke {
                stroke_path(pixels, &path, stroke);
            }
        }
        Shape::Text(words) => {
            if let Some(path) = path_of(&text::lines(words)) {
                let stroke = Stroke::new(words.colour, text::stroke_width(words));
                stroke_path(pixels, &path, &stroke);
            }
        }
        Shape::Image {
            at,
            size,
            columns,
            rows,
            pixels: colours,
        } => draw_image(pixels, *at, *size, (*columns, *rows), colours),
    }
}

fn draw_image(
    target: &mut Pixmap,
    at: Vec2,
    size: Vec2,
    (columns, rows): (u32, u32),
    from: &[Colour],
) {
    let Some(mut image) = Pixmap::new(columns, rows) else {
        return;
    };
    for (to, c) in image.pixels_mut().iter_mut().zip(from) {
        *to = tiny_skia::ColorU8::from_rgba(c.r, c.g, c.b, c.a).premultiply();
    }
    let Some(area) = Rect::from_xywh(at.x, at.y, size.x, size.y) else {
        return;
    };
    let scale = size / Vec2::new(columns as f32, rows as f32);
    let place = Transform::from_row(scale.x, 0.0, 0.0, scale.y, at.x, at.y);
    let shader = Pattern::new(
        image.as_ref(),
        SpreadMode::Pad,
        FilterQuality::Nearest,
        1.0,
        place,
    );
    let paint = SkPaint {
        shader,
        ..SkPaint::default()
    };
    target.fill_rect(area, &paint, Transform::identity(), None);
}

fn fill_path(pixels: &mut Pixmap, path: &Path, paint: &Paint) {
    let paint = SkPaint {
        shader: shader(paint),
        anti_alias: true,
        ..SkPaint::default()
    };
    pixels.fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
}

fn stroke_path(pixels: &mut Pixmap, path: &Path, stroke: &Stroke) {
    let paint = SkPaint {
        shader: Shader::SolidColor(colour(stroke.colour)),
        anti_alias: true,
        ..SkPaint::default()
    };
    let dash = stroke
        .dash
        .and_then(|(dash, gap)| StrokeDash::new(vec![dash, gap], 0.0));
    let stroke = tiny_skia::Stroke {
        width: stroke.width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash,
        ..tiny_skia::Stroke::default()
    };
    pixels.stroke_path(path, &paint, &stroke, Transform::identity(), None);
}

fn path_of(lines: &[Polyline]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for line in lines {
        let Some((first, rest)) = line.points.split_first() else {
            continue;
        };
        path.move_to(first.x, first.y);
        for p in rest {
            path.line_to(p.x, p.y);
        }
        if line.closed {
            path.close();
        }
    }
    path.finish()
}

fn shader(paint: &Paint) -> Shader<'static> {
    let stops = |colours: &[Colour; 3]| {
        let places = [0.0, 0.5, 1.0];
        let pairs = places.iter().zip(colours);
        pairs
            .map(|(&at, &c)| GradientStop::new(at, colour(c)))
            .collect::<Vec<_>>()
    };
    let (flat, made) = match paint {
        Paint::Flat(c) => (*c, None),
        Paint::Linear { from, to, colours } => (
            colours[1],
            LinearGradient::new(
                point(*from),
                point(*to),
                stops(colours),
                SpreadMode::Pad,
                Transform::identity(),
            ),
        ),
        Paint::Radial {
            centre,
            radius,
            colours,
        } => (
            colours[1],
            RadialGradient::new(
                point(*centre),
                0.0,
                point(*centre),
                *radius,
                stops(colours),
                SpreadMode::Pad,
                Transform::identity(),
            ),
        ),
    };
    made.unwrap_or(Shader::SolidColor(colour(flat)))
}

fn point(p: Vec2) -> Point {
    Point::from_xy(p.x, p.y)
}

fn colour(c: Colour) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(c.r, c.g, c.b, c.a)
}
