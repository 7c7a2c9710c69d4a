//! SVG: documents by `roxmltree`, attributes by `svgtypes`, curves by `kurbo`.
//!
//! Curves become 32 chords each (a sketch has metres of curve, so chords are centimetres), arcs one per degree or so. Of
//! several sub-paths the first is taken. Lengths are in the drawing's own units: `width`, `height` and `viewBox`, which say how
//! large it is shown, are not looked at.

use glam::DVec2;
use kurbo::{Affine, Arc, CubicBez, ParamCurve, Point, QuadBez, SvgArc, Vec2};
use roxmltree::{Attribute, Document, Node, ParsingOptions};
use svgtypes::{
    Number, NumberListParser, PathParser, PathSegment, TransformListParser, TransformListToken,
};

use super::{Curve, MOST_POINTS, Wrong};

const CHORDS: usize = 32;
const NAMESPACE: &str = "http://www.w3.org/2000/svg";
/// What is in these is drawn elsewhere, or not at all.
const HIDING: [&str; 6] = ["clipPath", "defs", "marker", "mask", "pattern", "symbol"];

/// Points, and whether they close.
type Points = (Vec<Point>, bool);

/// What is wrong with an attribute.
enum InValue {
    /// A byte of it, and what should stand there.
    At(usize, &'static str),
    /// More than [`MOST_POINTS`].
    TooMany,
}

impl InValue {
    /// In a text in which the attribute's value begins at a byte.
    fn placed(self, text: &str, start: usize) -> Wrong {
        match self {
            Self::At(at, expected) => Wrong::at(text, start + at, expected),
            Self::TooMany => Wrong::TooMany,
        }
    }
}

/// Path data by itself.
pub(super) fn data(text: &str) -> Result<Curve, Wrong> {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let (points, closed) = path(&text[start..]).map_err(|wrong| wrong.placed(text, start))?;
    Ok(curve(points, closed, Affine::IDENTITY))
}

/// The first shape of a document: of those drawn, a path; else one of lines; else one that only others refer to.
pub(super) fn document(text: &str) -> Result<Curve, Wrong> {
    // Entities can be made to grow without end, and no drawing program needs them.
    let entities = text.find("<!ENTITY");
    if let Some(at) = entities {
        return Err(Wrong::at(text, at, "an SVG that declares no entities"));
    }
    // A declaration may have nothing before it, not even blanks.
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text[start..], options).map_err(|e| {
        let (before, pos) = (&text[..start], e.pos());
        let lines = before.matches('\n').count();
        let column = match pos.row {
            1 => before.chars().rev().take_while(|&c| c != '\n').count(),
            _ => 0,
        };
        let told = e.to_string();
        Wrong::Syntax {
            place: crate::Place::Text {
                line: pos.row as usize + lines,
                column: pos.col as usize + column,
            },
            expected: "an SVG document".to_owned(),
            // The place stands before the message already.
            found: told.split(" at ").next().unwrap_or(&told).to_owned(),
        }
    })?;
    let Some(shape) = first_shape(&document) else {
        return Err(Wrong::Content(
            "the SVG has no <path> with a d attribute, and no <polyline>, <polygon> or <line>",
        ));
    };
    let place = |attribute: Attribute<'_, '_>, wrong: InValue| {
        let range = attribute.range_value();
        // Blanks stand for line ends, one for one; what stood for a letter did not.
        let wrong = match wrong {
            InValue::At(_, expected) if attribute.value().len() != range.len() => {
                InValue::At(0, expected)
            }
            other => other,
        };
        wrong.placed(text, start + range.start)
    };
    let value = |name: &str| shape.attribute_node(name);
    let listed = |name: &str, read: fn(&str) -> Result<Points, InValue>| match value(name) {
        Some(a) => read(a.value()).map_err(|wrong| place(a, wrong)),
        None => Ok((Vec::new(), false)),
    };
    let (points, closed) = match shape.tag_name().name() {
        "path" => listed("d", path)?,
        "polygon" => listed("points", |text| Ok((pairs(text)?, true)))?,
        "polyline" => listed("points", |text| Ok((pairs(text)?, false)))?,
        _ => {
            let number = |name: &str| match value(name) {
                None => Ok(0.0),
                Some(a) => match a.value().parse::<Number>() {
                    Ok(n) => Ok(n.0),
                    Err(_) => Err(place(a, InValue::At(0, "a number"))),
                },
            };
            let from = Point::new(number("x1")?, number("y1")?);
            let to = Point::new(number("x2")?, number("y2")?);
            (vec![from, to], false)
        }
    };
    let mut whole = Affine::IDENTITY;
    for node in shape.ancestors() {
        if let Some(a) = node.attribute_node("transform") {
            whole = transform(a.value()).map_err(|wrong| place(a, wrong))? * whole;
        }
    }
    Ok(curve(points, closed, whole))
}

fn first_shape<'a, 'd>(document: &'a Document<'d>) -> Option<Node<'a, 'd>> {
    let mut best: Option<(u8, Node<'a, 'd>)> = None;
    // The byte up to which everything is hidden.
    let mut hidden = 0;
    for node in document.descendants() {
        let tag = node.tag_name();
        if tag.namespace().is_some_and(|n| n != NAMESPACE) {
            continue;
        }
        let range = node.range();
        if HIDING.contains(&tag.name()) {
            hidden = hidden.max(range.end);
        }
        let says = |name: &str| node.attribute(name).is_some_and(|v| !v.trim().is_empty());
        let kind = match tag.name() {
            "path" if says("d") => 0,
            "polyline" | "polygon" if says("points") => 1,
            "line" => 1,
            _ => continue,
        };
        let rank = if range.start < hidden { kind + 2 } else { kind };
        if best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, node));
        }
        if rank == 0 {
            break;
        }
    }
    best.map(|(_, node)| node)
}

fn curve(points: Vec<Point>, closed: bool, whole: Affine) -> Curve {
    let points = points.into_iter().map(|p| whole * p);
    Curve {
        points: points.map(|p| DVec2::new(p.x, p.y)).collect(),
        closed,
    }
}

/// Points of path data.
fn path(text: &str) -> Result<Points, InValue> {
    let mut out: Vec<Point> = Vec::new();
    let mut now = Point::ORIGIN;
    // The last control point, of a curve with two or with one: smooth ones go on from it.
    let (mut of_cubic, mut of_quad): (Option<Point>, Option<Point>) = (None, None);
    for segment in PathParser::from(text) {
        let segment = segment.map_err(|e| in_value(text, &e, "one of M L H V C S Q T A Z"))?;
        let base = if segment.is_abs() {
            Vec2::ZERO
        } else {
            now.to_vec2()
        };
        let at = |x: f64, y: f64| Point::new(x, y) + base;
        let mirrored = |last: Option<Point>| last.map_or(now, |c| now + (now - c));
        let (mut cubic, mut quad) = (None, None);
        let from = now;
        match segment {
            PathSegment::ClosePath { .. } => return Ok((out, true)),
            // A second sub-path; one of a single point is none.
            PathSegment::MoveTo { .. } if out.len() > 1 => break,
            PathSegment::MoveTo { x, y, .. } => {
                now = at(x, y);
                out.clear();
                out.push(now);
            }
            PathSegment::LineTo { x, y, .. } => {
                now = at(x, y);
                out.push(now);
            }
            PathSegment::HorizontalLineTo { x, .. } => {
                now.x = x + base.x;
                out.push(now);
            }
            PathSegment::VerticalLineTo { y, .. } => {
                now.y = y + base.y;
                out.push(now);
            }
            PathSegment::CurveTo {
                x1,
                y1,
                x2,
                y2,
                x,
                y,
                ..
            } => {
                now = at(x, y);
                cubic = Some(at(x2, y2));
                chords(&mut out, &CubicBez::new(from, at(x1, y1), at(x2, y2), now));
            }
            PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => {
                let first = mirrored(of_cubic);
                now = at(x, y);
                cubic = Some(at(x2, y2));
                chords(&mut out, &CubicBez::new(from, first, at(x2, y2), now));
            }
            PathSegment::Quadratic { x1, y1, x, y, .. } => {
                now = at(x, y);
                quad = Some(at(x1, y1));
                chords(&mut out, &QuadBez::new(from, at(x1, y1), now));
            }
            PathSegment::SmoothQuadratic { x, y, .. } => {
                let middle = mirrored(of_quad);
                now = at(x, y);
                quad = Some(middle);
                chords(&mut out, &QuadBez::new(from, middle, now));
            }
            PathSegment::EllipticalArc {
                rx,
                ry,
                x_axis_rotation,
                large_arc,
                sweep,
                x,
                y,
                ..
            } => {
                now = at(x, y);
                let arc = SvgArc {
                    from,
                    to: now,
                    radii: Vec2::new(rx, ry),
                    x_rotation: x_axis_rotation.to_radians(),
                    large_arc,
                    sweep,
                };
                degrees(&mut out, &arc);
            }
        }
        (of_cubic, of_quad) = (cubic, quad);
        if out.len() > MOST_POINTS {
            return Err(InValue::TooMany);
        }
    }
    Ok((out, false))
}

fn chords(out: &mut Vec<Point>, curve: &impl ParamCurve) {
    out.extend((1..=CHORDS).map(|k| curve.eval(k as f64 / CHORDS as f64)));
}

/// One chord per degree, and the end exactly.
fn degrees(out: &mut Vec<Point>, arc: &SvgArc) {
    // Ends nearer than this leave no digits for a middle.
    if arc.from.distance(arc.to) > 1e-12
        && let Some(round) = Arc::from_svg_arc(arc)
    {
        let degrees = round.sweep_angle.abs().to_degrees().ceil();
        let count = (degrees as usize).clamp(8, 360);
        out.extend((1..count).map(|k| round.eval(k as f64 / count as f64)));
    }
    out.push(arc.to);
}

fn pairs(text: &str) -> Result<Vec<Point>, InValue> {
    let mut numbers = Vec::new();
    for number in NumberListParser::from(text) {
        numbers.push(number.map_err(|e| in_value(text, &e, "a number"))?);
    }
    let (pairs, rest) = numbers.as_chunks();
    if rest.is_empty() {
        Ok(pairs.iter().map(|&[x, y]| Point::new(x, y)).collect())
    } else {
        Err(InValue::At(text.len(), "pairs of numbers"))
    }
}

fn transform(text: &str) -> Result<Affine, InValue> {
    let mut whole = Affine::IDENTITY;
    for token in TransformListParser::from(text) {
        let token = token.map_err(|e| {
            let expected =
                "a list of matrix(…), translate(…), scale(…), rotate(…), skewX(…) and skewY(…)";
            in_value(text, &e, expected)
        })?;
        whole *= match token {
            TransformListToken::Matrix { a, b, c, d, e, f } => Affine::new([a, b, c, d, e, f]),
            TransformListToken::Translate { tx, ty } => Affine::translate((tx, ty)),
            TransformListToken::Scale { sx, sy } => Affine::scale_non_uniform(sx, sy),
            TransformListToken::Rotate { angle } => Affine::rotate(angle.to_radians()),
            TransformListToken::SkewX { angle } => Affine::skew(angle.to_radians().tan(), 0.0),
            TransformListToken::SkewY { angle } => Affine::skew(0.0, angle.to_radians().tan()),
        };
    }
    Ok(whole)
}

/// Where a reader of attributes stopped; `otherwise` is what should stand there if not a number.
fn in_value(text: &str, error: &svgtypes::Error, otherwise: &'static str) -> InValue {
    use svgtypes::Error as E;
    let (letter, expected) = match error {
        E::InvalidNumber(letter) => (*letter, "a number"),
        E::UnexpectedData(letter) | E::InvalidChar(_, letter) | E::InvalidString(_, letter) => {
            (*letter, otherwise)
        }
        E::UnexpectedEndOfStream => (usize::MAX, "a number"),
        E::InvalidValue | E::InvalidIdent => (1, otherwise),
    };
    // Letters are counted from 1.
    let at = text.char_indices().nth(letter.saturating_sub(1));
    InValue::At(at.map_or(text.len(), |(at, _)| at), expected)
}

#[cfg(test)]
mod tests {
    use super::super::parse_curve;
    use super::*;

    fn points(text: &str) -> Vec<DVec2> {
        parse_curve("sketch.svg", text).expect(text).points
    }

    fn near(a: DVec2, x: f64, y: f64) -> bool {
        (a - DVec2::new(x, y)).length() < 1e-9
    }

    #[test]
    fn an_arc_is_round() {
        let quarter = points("M0 0 A2 2 0 0 1 2 2");
        assert_eq!(quarter.len(), 91);
        assert!(
            quarter
                .iter()
                .all(|p| (p.distance(DVec2::new(0.0, 2.0)) - 2.0).abs() < 1e-12)
        );
        // Radii too small for their ends grow; none at all, or the other way round, are a line.
        assert_eq!(points("M0 0 A1 1 0 0 1 8 0").len(), 181);
        assert_eq!(points("M0 0 A0 1 0 0 1 8 0").len(), 2);
        assert_eq!(points("M0 0 a1 1 0 0 0 0 0").len(), 2);
        // Ends that differ by nothing that can be squared.
        assert_eq!(points("M0 0 A1 1 0 0 1 1e-200 0").len(), 2);
    }

    #[test]
    fn smooth_curves_go_on_from_their_own_kind_only() {
        assert_eq!(
            points("M0 0 C0 1 1 2 2 2 S4 3 4 4"),
            points("M0 0 C0 1 1 2 2 2 C3 2 4 3 4 4")
        );
        assert_eq!(
            points("M0 0 Q1 2 2 2 T4 4"),
            points("M0 0 Q1 2 2 2 Q3 2 4 4")
        );
        assert_eq!(
            points("M0 0 Q1 2 2 2 S4 3 4 4"),
            points("M0 0 Q1 2 2 2 C2 2 4 3 4 4")
        );
        assert_eq!(
            points("M0 0 C0 1 1 2 2 2 T4 4"),
            points("M0 0 C0 1 1 2 2 2 Q2 2 4 4")
        );
        assert_eq!(
            points("m1 1 c0 1 1 2 2 2 s2 1 2 2"),
            points("M1 1 C1 2 2 3 3 3 S5 4 5 5")
        );
        assert_eq!(points("M0 0 C0 1 1 2 2 2").len(), 33);
    }

    #[test]
    fn numbers_may_stand_close() {
        assert_eq!(points("M0 0l1+2-.5.5"), points("M 0,0 L 1,2 L 0.5,2.5"));
        assert_eq!(points("M0 0 5 5m1 1 1 1").len(), 2);
        assert_eq!(points("M9 9M0 0 5 5").len(), 2);
    }

    #[test]
    fn transforms_are_applied_from_within() {
        let moved = points(
            "<svg xmlns='http://www.w3.org/2000/svg'><g transform='translate(10 20)'>\
             <path transform='scale(2) rotate(90)' d='M0 0 L3 0'/></g></svg>",
        );
        assert!(
            near(moved[0], 10.0, 20.0) && near(moved[1], 10.0, 26.0),
            "{moved:?}"
        );
        let about = points("<svg><line x2='1' transform='rotate(90 1 0)'/></svg>");
        assert!(
            near(about[0], 1.0, -1.0) && near(about[1], 1.0, 0.0),
            "{about:?}"
        );
        let skewed = points(
            "<svg><line x1='0' y1='2' transform='matrix(1 0 0 1 0 1),skewX(45),skewY(0)'/></svg>",
        );
        assert!(
            near(skewed[0], 2.0, 3.0) && near(skewed[1], 0.0, 1.0),
            "{skewed:?}"
        );
    }

    #[test]
    fn the_first_path_that_is_drawn_is_taken() {
        let text = "<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd'>\
            <s:svg xmlns:s='http://www.w3.org/2000/svg' xmlns:o='other'>\
            <s:defs><s:marker><s:path d='M1 1 2 2'/></s:marker></s:defs>\
            <o:path d='M3 3 4 4'/><s:polyline points='5,5 6,6'/><s:path d=' '/>\
            <s:g><s:path d='M7 7 8 8'/></s:g></s:svg>";
        assert_eq!(points(text)[0], DVec2::splat(7.0));
        let lines = text.replace("M7 7 8 8", "");
        assert_eq!(points(&lines)[0], DVec2::splat(5.0));
        let hidden = lines.replace("5,5 6,6", "");
        assert_eq!(points(&hidden)[0], DVec2::splat(1.0));
        let round = parse_curve("s.svg", "<svg><polygon points='0 0, 0 3 3,3'/></svg>");
        let round = round.expect("a polygon");
        assert!(round.closed && round.points.len() == 3);
    }
}
