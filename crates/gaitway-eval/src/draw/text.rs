//! Words as strokes, so that a picture needs no font file and looks the same on every machine.
//!
//! Text of size s has an em of s: a capital is 0.7 s high, letters stand 0.22 s apart beyond their ink.
//! Accented Latin letters are drawn without their accent; what has no shape at all becomes a box.

use glam::Vec2;

use super::glyphs::{self, Glyph};
use super::scene::{Anchor, Polyline, Text};

/// Grid units to an em.
const EM: f32 = 20.0;
/// Space between the ink of two letters, in grid units.
const GAP: f32 = 4.2;

/// The width of words in pixels at a size.
pub fn width(words: &str, size: f32) -> f32 {
    let units: f32 = words.chars().map(|c| glyph_of(c).0 + GAP).sum();
    (units - GAP).max(0.0) * size / EM
}

/// Words cut to a width, with `…` where something is missing.
pub fn fit(words: &str, size: f32, room: f32) -> String {
    if width(words, size) <= room {
        return words.to_owned();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for c in words.chars() {
        used += (glyph_of(c).0 + GAP) * size / EM;
        if used > room {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

/// How heavy the strokes of a text are, in pixels.
pub(super) fn stroke_width(text: &Text) -> f32 {
    text.size * if text.bold { 0.115 } else { 0.082 }
}

/// The strokes of a text in the picture.
pub(super) fn lines(text: &Text) -> Vec<Polyline> {
    let scale = text.size / EM;
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5,
        Anchor::End => -1.0,
    } * width(&text.words, text.size);
    let place = |p: Vec2| {
        let flat = Vec2::new(p.x * scale + shift, -p.y * scale);
        text.at
            + if text.upwards {
                Vec2::new(flat.y, -flat.x)
            } else {
                flat
            }
    };
    let mut out = Vec::new();
    let mut x = 0.0;
    for c in text.words.chars() {
        let (ink, strokes) = glyph_of(c);
        for mut line in parse(strokes) {
            for p in &mut line.points {
                *p = place(*p + Vec2::new(x, 0.0));
            }
            out.push(line);
        }
        x += ink + GAP;
    }
    out
}

fn glyph_of(c: char) -> Glyph {
    glyphs::glyph(c)
        .or_else(|| glyphs::glyph(without_accent(c)))
        .unwrap_or(glyphs::UNKNOWN)
}

/// The base letter of the accented letters of Latin-1.
fn without_accent(c: char) -> char {
    match c {
        'À'..='Å' => 'A',
        'Ç' => 'C',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ñ' => 'N',
        'Ò'..='Ö' | 'Ø' => 'O',
        'Ù'..='Ü' => 'U',
        'Ý' => 'Y',
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' | 'ø' => 'o',
        'ù'..='ü' => 'u',
        'ý' | 'ÿ' => 'y',
        '\t' | '\u{a0}' => ' ',
        other => other,
    }
}

/// A glyph's strokes as chains of lines in grid units, y up.
fn parse(strokes: &str) -> Vec<Polyline> {
    let mut pen = Pen::default();
    let mut tokens = strokes.split_ascii_whitespace();
    while let Some(command) = tokens.next() {
        let mut number = || {
            tokens
                .next()
                .and_then(|t| t.parse().ok())
                .unwrap_or(0.0_f32)
        };
        match command {
            "M" => {
                pen.lift();
                pen.line.push(Vec2::new(number(), number()));
            }
            "L" => pen.line.push(Vec2::new(number(), number())),
            "D" => {
                pen.lift();
                // A round-ended line of hardly any length is a dot.
                let p = Vec2::new(number(), number());
                pen.line.extend([p - Vec2::X * 0.25, p + Vec2::X * 0.25]);
                pen.lift();
            }
            "A" => {
                let ellipse = [number(), number(), number(), number()];
                pen.arc(ellipse, number(), number());
            }
            "E" => {
                pen.lift();
                let ellipse = [number(), number(), number(), number()];
                pen.arc(ellipse, 0.0, 360.0);
                pen.lift();
            }
            _ => pen.lift(),
        }
    }
    pen.lift();
    pen.done
}

#[derive(Default)]
struct Pen {
    done: Vec<Polyline>,
    line: Vec<Vec2>,
}

impl Pen {
    fn lift(&mut self) {
        if self.line.len() > 1 {
            let points = std::mem::take(&mut self.line);
            self.done.push(Polyline {
                points,
                closed: false,
            });
        }
        self.line.clear();
    }

    /// An arc between two angles in degrees, a corner every 10°.
    fn arc(&mut self, [cx, cy, rx, ry]: [f32; 4], from: f32, to: f32) {
        let steps = ((to - from).abs() / 10.0).ceil().max(1.0) as usize;
        for k in 0..=steps {
            let angle = (from + (to - from) * k as f32 / steps as f32).to_radians();
            self.line
                .push(Vec2::new(cx + rx * angle.cos(), cy + ry * angle.sin()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_a_shape() {
        for c in ' '..='~' {
            assert!(glyphs::glyph(c).is_some(), "{c:?}");
            let lines = parse(glyph_of(c).1);
            assert_eq!(lines.is_empty(), c == ' ', "{c:?}");
            for p in lines.iter().flat_map(|l| &l.points) {
                assert!((-2.0..=17.0).contains(&p.x), "{c:?} {p}");
                assert!((-5.0..=16.5).contains(&p.y), "{c:?} {p}");
            }
        }
    }

    #[test]
    fn fitting_keeps_within_the_room() {
        let words = "a rather long name of a clip";
        assert_eq!(fit(words, 14.0, 1e4), words);
        let short = fit(words, 14.0, 90.0);
        assert!(short.ends_with('…') && width(&short, 14.0) <= 90.0);
    }
}
