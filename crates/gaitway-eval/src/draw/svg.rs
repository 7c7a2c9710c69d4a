//! Scene → SVG text. Numbers have two decimals, so the same scene is the same text everywhere.

use std::collections::HashMap;
use std::fmt::Write;

use base64::prelude::{BASE64_STANDARD, Engine};
use glam::Vec2;

use super::colour::Colour;
use super::scene::{Anchor, Circle, Paint, Polyline, Scene, Shape, Stroke, Text, hull};

impl Scene {
    /// The picture as an SVG document. Words stay words, so they can be found, copied and read aloud.
    pub fn to_svg(&self) -> String {
        let mut body = Body::default();
        for shape in &self.shapes {
            body.shape(shape);
        }
        let (w, h) = (self.width, self.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\" \
             font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\">\n"
        );
        if !self.description.is_empty() {
            let _ = writeln!(out, "<title>{}</title>", escape(&self.description));
        }
        if !body.paints.is_empty() {
            let _ = writeln!(out, "<defs>\n{}</defs>", body.paints);
        }
        let _ = writeln!(
            out,
            "<rect width=\"{w}\" height=\"{h}\"{}/>",
            fill(self.background)
        );
        out.push_str(&body.shapes);
        out.push_str("</svg>\n");
        out
    }
}

#[derive(Default)]
struct Body {
    paints: String,
    /// The number of each gradient already defined; equal ones are shared.
    known: HashMap<String, usize>,
    shapes: String,
}

impl Body {
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Path {
                lines,
                fill,
                stroke,
            } => self.path(&path_data(lines), fill.as_ref(), stroke.as_ref()),
            Shape::Hull {
                circles,
                fill,
                stroke,
            } => match circles[..] {
                [c] => {
                    let paint = self.fill(fill);
                    let _ = writeln!(
                        self.shapes,
                        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{paint}{}/>",
                        number(c.centre.x),
                        number(c.centre.y),
                        number(c.radius),
                        stroke_of(stroke.as_ref())
                    );
                }
                _ => self.path(&hull_data(circles), Some(fill), stroke.as_ref()),
            },
            Shape::Text(text) => self.text(text),
            Shape::Image {
                at,
                size,
                columns,
                rows,
                pixels,
            } => self.image(*at, *size, (*columns, *rows), pixels),
        }
    }

    fn path(&mut self, data: &str, fill: Option<&Paint>, stroke: Option<&Stroke>) {
        if data.is_empty() {
            return;
        }
        let paint = fill.map_or_else(|| " fill=\"none\"".to_owned(), |p| self.fill(p));
        let _ = writeln!(
            self.shapes,
            "<path d=\"{data}\"{paint}{}/>",
            stroke_of(stroke)
        );
    }

    fn text(&mut self, text: &Text) {
        let anchor = match text.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (number(text.at.x), number(text.at.y));
        // Fonts differ from machine to machine, and what stands beside a text is placed by our own measure of it.
        let length = match super::text::width(&text.words, text.size) {
            w if w > 0.0 => {
                format!(
                    " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                    number(w)
                )
            }
            _ => String::new(),
        };
        let turn = if text.upwards {
            format!(" transform=\"rotate(-90 {x} {y})\"")
        } else {
            String::new()
        };
        let _ = writeln!(
            self.shapes,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{}{anchor}{length}{turn}{}>{}</text>",
            number(text.size),
            if text.bold {
                " font-weight=\"600\""
            } else {
                ""
            },
            fill(text.colour),
            escape(&text.words)
        );
    }

    fn image(&mut self, at: Vec2, size: Vec2, (columns, rows): (u32, u32), pixels: &[Colour]) {
        let Some(mut image) = tiny_skia::Pixmap::new(columns, rows) else {
            return;
        };
        for (to, c) in image.pixels_mut().iter_mut().zip(pixels) {
            *to = tiny_skia::ColorU8::from_rgba(c.r, c.g, c.b, c.a).premultiply();
        }
        let Ok(png) = image.encode_png() else { return };
        let _ = writeln!(
            self.shapes,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64,{}\"/>",
            number(at.x),
            number(at.y),
            number(size.x),
            number(size.y),
            BASE64_STANDARD.encode(&png)
        );
    }

    fn fill(&mut self, paint: &Paint) -> String {
        let (open, close, colours) = match paint {
            Paint::Flat(c) => return fill(*c),
            Paint::Linear { from, to, colours } => (
                format!(
                    "gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                    number(from.x),
                    number(from.y),
                    number(to.x),
                    number(to.y)
                ),
                "linearGradient",
                colours,
            ),
            Paint::Radial {
                centre,
                radius,
                colours,
            } => (
                format!(
                    "gradientUnits=\"userSpaceOnUse\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
                    number(centre.x),
                    number(centre.y),
                    number(*radius)
                ),
                "radialGradient",
                colours,
            ),
        };
        let stops: String = ["0", ".5", "1"]
            .iter()
            .zip(colours)
            .map(|(at, c)| {
                format!(
                    "<stop offset=\"{at}\" stop-color=\"{}\"{}/>",
                    hex(*c),
                    opacity("stop-opacity", *c)
                )
            })
            .collect();
        let key = format!("{open}>{stops}</{close}>");
        let next = self.known.len();
        let id = *self.known.entry(key).or_insert_with_key(|key| {
            let _ = writeln!(self.paints, "<{close} id=\"p{next}\" {key}");
            next
        });
        format!(" fill=\"url(#p{id})\"")
    }
}

fn path_data(lines: &[Polyline]) -> String {
    let mut out = String::new();
    for line in lines {
        for (i, p) in line.points.iter().enumerate() {
            let _ = write!(
                out,
                "{}{} {}",
                if i == 0 { 'M' } else { 'L' },
                number(p.x),
                number(p.y)
            );
        }
        if line.closed && !line.points.is_empty() {
            out.push('Z');
        }
    }
    out
}

/// The border of a hull with true arcs: runs of corners on one circle become one arc.
fn hull_data(circles: &[Circle]) -> String {
    let corners = hull(circles);
    let Some(first) = (0..corners.len()).find(|&i| {
        let before = corners[(i + corners.len() - 1) % corners.len()];
        before.1 != corners[i].1
    }) else {
        return path_data(&[Polyline {
            points: corners.into_iter().map(|c| c.0).collect(),
            closed: true,
        }]);
    };
    let mut out = String::new();
    let at = |k: usize| corners[(first + k) % corners.len()];
    let mut k = 0;
    while k < corners.len() {
        let (start, circle) = at(k);
        let mut end = k;
        while end + 1 < corners.len() && at(end + 1).1 == circle {
            end += 1;
        }
        let command = if k == 0 { 'M' } else { 'L' };
        let _ = write!(out, "{command}{} {}", number(start.x), number(start.y));
        if end > k {
            // More than half of the 40 samples of a circle is more than half a turn.
            let large = u8::from(end - k > 20);
            let (r, p) = (number(circles[circle].radius), at(end).0);
            let _ = write!(out, "A{r} {r} 0 {large} 1 {} {}", number(p.x), number(p.y));
        }
        k = end + 1;
    }
    out.push('Z');
    out
}

fn stroke_of(stroke: Option<&Stroke>) -> String {
    let Some(stroke) = stroke else {
        return String::new();
    };
    let dash = stroke.dash.map_or_else(String::new, |(dash, gap)| {
        format!(" stroke-dasharray=\"{} {}\"", number(dash), number(gap))
    });
    format!(
        " stroke=\"{}\"{} stroke-width=\"{}\"{dash}",
        hex(stroke.colour),
        opacity("stroke-opacity", stroke.colour),
        number(stroke.width)
    )
}

fn fill(c: Colour) -> String {
    format!(" fill=\"{}\"{}", hex(c), opacity("fill-opacity", c))
}

fn hex(c: Colour) -> String {
    format!("#{:02x}{:02x}{:02x}", c.r, c.g, c.b)
}

fn opacity(name: &str, c: Colour) -> String {
    if c.a == 255 {
        String::new()
    } else {
        format!(" {name}=\"{}\"", number(f32::from(c.a) / 255.0))
    }
}

/// At most two decimals, no trailing zeros, no minus zero.
fn number(x: f32) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

/// Words safe inside XML: markup escaped, characters that XML forbids left out.
pub(super) fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push(' '),
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => {}
            c => out.push(c),
        }
    }
    out
}
