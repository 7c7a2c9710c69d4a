//! SVG path data: M L H V C S Q T A Z, absolute and relative. y becomes z.
//!
//! Curves are cut into 32 chords each (a sketch has metres of curve, so chords are centimetres), arcs into one per
//! degree or so. Of several sub-paths the first is taken.

use glam::DVec2;

use super::PathError;

const CHORDS: usize = 32;

/// The first `<path>` of a document.
pub(super) fn document(text: &str) -> Result<(Vec<DVec2>, bool), PathError> {
    let mut rest = text;
    while let Some(at) = rest.find("<path") {
        rest = &rest[at + 5..];
        let tag = rest.split('>').next().unwrap_or("");
        let mut from = 0;
        while let Some(d) = tag[from..].find("d=") {
            let at = from + d;
            from = at + 2;
            // `id=` ends in d= as well: an attribute begins after a blank.
            if !tag[..at].ends_with(|c: char| c.is_ascii_whitespace()) {
                continue;
            }
            let value = &tag[from..];
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            let data = quote.and_then(|q| value[1..].split(q).next());
            if let Some(data) = data.filter(|d| !d.trim().is_empty()) {
                return path_data(data);
            }
        }
    }
    Err(PathError::NoSvgPath)
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self) {
        let blank = |b: &u8| b.is_ascii_whitespace() || *b == b',';
        while self.bytes.get(self.at).is_some_and(blank) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, expected: &str) -> Result<T, PathError> {
        let line = self.bytes[..self.at]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
            + 1;
        let found: String = String::from_utf8_lossy(&self.bytes[self.at..])
            .chars()
            .take(12)
            .collect();
        let what = format!("SVG path data: expected {expected} and found `{found}`");
        Err(PathError::Syntax { line, what })
    }

    fn command(&mut self) -> Option<u8> {
        self.skip();
        let c = *self.bytes.get(self.at)?;
        c.is_ascii_alphabetic().then(|| {
            self.at += 1;
            c
        })
    }

    fn more(&mut self) -> bool {
        self.skip();
        let starts = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.');
        self.bytes.get(self.at).is_some_and(starts)
    }

    fn number(&mut self) -> Result<f64, PathError> {
        self.skip();
        let start = self.at;
        let mut at = start;
        let peek = |i: usize| self.bytes.get(i).copied().unwrap_or(0);
        at += usize::from(matches!(peek(at), b'-' | b'+'));
        while peek(at).is_ascii_digit() {
            at += 1;
        }
        if peek(at) == b'.' {
            at += 1;
            while peek(at).is_ascii_digit() {
                at += 1;
            }
        }
        let sign = usize::from(matches!(peek(at + 1), b'-' | b'+'));
        if matches!(peek(at), b'e' | b'E') && peek(at + 1 + sign).is_ascii_digit() {
            at += 1 + sign;
            while peek(at).is_ascii_digit() {
                at += 1;
            }
        }
        let text = std::str::from_utf8(&self.bytes[start..at]).unwrap_or("");
        match text.parse::<f64>() {
            Ok(v) => {
                self.at = at;
                Ok(v)
            }
            Err(_) => self.fail("a number"),
        }
    }

    fn flag(&mut self) -> Result<bool, PathError> {
        self.skip();
        match self.bytes.get(self.at) {
            Some(b @ (b'0' | b'1')) => {
                self.at += 1;
                Ok(*b == b'1')
            }
            _ => self.fail("a flag 0 or 1"),
        }
    }

    fn pair(&mut self, base: DVec2) -> Result<DVec2, PathError> {
        Ok(base + DVec2::new(self.number()?, self.number()?))
    }
}

/// Points of path data, and whether it was closed.
pub(super) fn path_data(text: &str) -> Result<(Vec<DVec2>, bool), PathError> {
    let mut r = Reader {
        bytes: text.as_bytes(),
        at: 0,
    };
    let mut out: Vec<DVec2> = Vec::new();
    let mut now = DVec2::ZERO;
    // The last control point, for S and T; which kind of curve it was.
    let mut control: Option<(u8, DVec2)> = None;
    let Some(mut command) = r.command() else {
        return r.fail("M");
    };
    loop {
        let relative = command.is_ascii_lowercase();
        let kind = command.to_ascii_uppercase();
        if out.is_empty() && kind != b'M' {
            r.at = 0;
            return r.fail("M");
        }
        if kind == b'Z' {
            return Ok((out, true));
        }
        if kind == b'M' && !out.is_empty() {
            return Ok((out, false));
        }
        segment(&mut r, (kind, relative), &mut now, &mut control, &mut out)?;
        if out.len() > super::curve::MOST_POINTS {
            return Err(PathError::TooManyPoints { found: out.len() });
        }
        if r.more() {
            // Pairs after a move are lines.
            if kind == b'M' {
                command = if relative { b'l' } else { b'L' };
            }
            continue;
        }
        match r.command() {
            Some(next) => command = next,
            None if r.at >= r.bytes.len() => return Ok((out, false)),
            None => return r.fail("a command"),
        }
    }
}

fn segment(
    r: &mut Reader<'_>,
    (kind, relative): (u8, bool),
    now: &mut DVec2,
    control: &mut Option<(u8, DVec2)>,
    out: &mut Vec<DVec2>,
) -> Result<(), PathError> {
    let base = if relative { *now } else { DVec2::ZERO };
    let start = *now;
    let mirrored = |of: u8| {
        control
            .filter(|c| c.0 == of)
            .map_or(start, |c| start * 2.0 - c.1)
    };
    let mut next = None;
    match kind {
        b'M' | b'L' => {
            *now = r.pair(base)?;
            out.push(*now);
        }
        b'H' => {
            now.x = base.x + r.number()?;
            out.push(*now);
        }
        b'V' => {
            now.y = base.y + r.number()?;
            out.push(*now);
        }
        b'C' | b'S' => {
            let a = if kind == b'C' {
                r.pair(base)?
            } else {
                mirrored(b'C')
            };
            let b = r.pair(base)?;
            *now = r.pair(base)?;
            next = Some((b'C', b));
            chords(out, |t| {
                let u = 1.0 - t;
                start * (u * u * u)
                    + a * (3.0 * u * u * t)
                    + b * (3.0 * u * t * t)
                    + *now * (t * t * t)
            });
        }
        b'Q' | b'T' => {
            let a = if kind == b'Q' {
                r.pair(base)?
            } else {
                mirrored(b'Q')
            };
            *now = r.pair(base)?;
            next = Some((b'Q', a));
            chords(out, |t| {
                let u = 1.0 - t;
                start * (u * u) + a * (2.0 * u * t) + *now * (t * t)
            });
        }
        b'A' => {
            let radii = DVec2::new(r.number()?.abs(), r.number()?.abs());
            let turn = r.number()?.to_radians();
            let (large, sweep) = (r.flag()?, r.flag()?);
            *now = r.pair(base)?;
            arc(out, start, *now, radii, turn, large, sweep);
        }
        _ => return r.fail("one of M L H V C S Q T A Z"),
    }
    *control = next;
    Ok(())
}

fn chords(out: &mut Vec<DVec2>, at: impl Fn(f64) -> DVec2) {
    out.extend((1..=CHORDS).map(|k| at(k as f64 / CHORDS as f64)));
}

/// An elliptic arc by its centre, as the SVG standard's notes derive it (F.6.5).
fn arc(
    out: &mut Vec<DVec2>,
    from: DVec2,
    to: DVec2,
    radii: DVec2,
    turn: f64,
    large: bool,
    sweep: bool,
) {
    if radii.x == 0.0 || radii.y == 0.0 || from == to {
        out.push(to);
        return;
    }
    let axis = DVec2::from_angle(turn);
    let half = axis.conjugate_rotate((from - to) / 2.0);
    let stretch = (half / radii).length().max(1.0);
    let radii = radii * stretch;
    let unit = half / radii;
    let d2 = unit.length_squared();
    let side = if large == sweep { -1.0 } else { 1.0 };
    let root = side * ((1.0 - d2) / d2).max(0.0).sqrt();
    let centre = DVec2::new(unit.y, -unit.x) * root;
    let a0 = (unit - centre).to_angle();
    let mut sweep_by = (-unit - centre).to_angle() - a0;
    if sweep && sweep_by < 0.0 {
        sweep_by += std::f64::consts::TAU;
    } else if !sweep && sweep_by > 0.0 {
        sweep_by -= std::f64::consts::TAU;
    }
    let count = (sweep_by.abs().to_degrees().ceil() as usize).clamp(8, 360);
    let middle = (from + to) / 2.0 + axis.rotate(centre * radii);
    for k in 1..count {
        let a = a0 + sweep_by * k as f64 / count as f64;
        out.push(middle + axis.rotate(DVec2::from_angle(a) * radii));
    }
    out.push(to);
}

/// A turn back by the angle of a unit vector.
trait ConjugateRotate {
    fn conjugate_rotate(self, v: DVec2) -> DVec2;
}

impl ConjugateRotate for DVec2 {
    fn conjugate_rotate(self, v: DVec2) -> DVec2 {
        DVec2::new(self.x, -self.y).rotate(v)
    }
}
