//! Curves on the ground, drawn elsewhere: JSON, CSV and SVG, read only.
//!
//! | text | what it is |
//! | --- | --- |
//! | `[[x,z],…]`, `{"points": [[x,z],…], "closed": bool}` | JSON |
//! | lines `x,z`, also with `;` or a tab between; `#` begins a comment, a first line may name the columns | CSV |
//! | `<svg>…</svg>` | the first drawn `<path>`, else the first `<polyline>`, `<polygon>` or `<line>`; transforms are applied |
//! | `M0 0 L…` | SVG path data by itself |
//!
//! Numbers are as they stand, without a unit: who reads says how long one is.

mod svg;

use std::path::Path;

pub use gaitway_core::limits::MOST_PATH_POINTS as MOST_POINTS;
use gaitway_core::text::found_in_json;
use glam::DVec2;
use serde::Deserialize;

use crate::error::{Place, ReadError, shown};

const HINT: &str = "a curve is JSON ([[x,z],…]), CSV (lines x,z), an SVG file or SVG path data";

/// A curve as points, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// (x, z); the y of an SVG is z. All are finite.
    pub points: Vec<DVec2>,
    /// Whether the end is joined to the start.
    pub closed: bool,
}

/// Reads a file as [`parse_curve`] does.
///
/// # Errors
/// When it cannot be opened or is no text, and as [`parse_curve`].
pub fn read_curve(path: &Path) -> Result<Curve, ReadError> {
    let text = std::fs::read_to_string(path).map_err(|e| ReadError::io(path, e))?;
    parse_curve(&path.display().to_string(), &text)
}

/// Reads a curve from text of any kind of the module's table; `file` is what errors call it.
///
/// ```
/// let curve = gaitway_io::curve::parse_curve("sketch", "M0 0 v3 h3 z")?;
/// assert!(curve.closed && curve.points.len() == 3);
/// # Ok::<(), gaitway_io::ReadError>(())
/// ```
///
/// # Errors
/// With its place, when something else stands where a curve should; when a number is not finite, or points are more than
/// [`MOST_POINTS`].
pub fn parse_curve(file: &str, text: &str) -> Result<Curve, ReadError> {
    let found = match text.trim_start_matches('\u{feff}').trim_start().as_bytes() {
        [] => Ok(Curve::default()),
        [b'[', ..] => json_points(text),
        [b'{', ..] => json_object(text),
        [b'<', ..] => svg::document(text),
        [b'M' | b'm', ..] => svg::data(text),
        _ => csv(text),
    };
    let curve = found.map_err(|wrong| wrong.in_file(file))?;
    if curve.points.is_empty() {
        return Err(Wrong::Content("the path is empty").in_file(file));
    }
    if curve.points.len() > MOST_POINTS {
        return Err(Wrong::TooMany.in_file(file));
    }
    if let Some(at) = curve.points.iter().position(|p| !p.is_finite()) {
        let message = format!("point {at} of the path is not a finite number");
        return Err(ReadError::content(file, message));
    }
    Ok(curve)
}

/// What is wrong with a text.
enum Wrong {
    /// Something else stands at a place.
    Syntax {
        place: Place,
        expected: String,
        found: String,
    },
    /// It reads, but there is no curve in it.
    Content(&'static str),
    /// More than [`MOST_POINTS`].
    TooMany,
}

impl Wrong {
    /// Something else stands at a byte of the text.
    fn at(text: &str, mut byte: usize, expected: impl Into<String>) -> Self {
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let rest = text[byte..].lines().next().unwrap_or("");
        Self::Syntax {
            place: Place::in_text(text.as_bytes(), byte),
            expected: expected.into(),
            found: if text[byte..].trim().is_empty() {
                "the end".to_owned()
            } else {
                shown(rest.as_bytes())
            },
        }
    }

    fn in_file(self, file: &str) -> ReadError {
        let error = match self {
            Self::Syntax {
                place,
                expected,
                found,
            } => ReadError::syntax(file, place, expected, found),
            Self::Content(message) => ReadError::content(file, message),
            Self::TooMany => {
                return ReadError::content(file, "the path has more than a million points")
                    .with_hint("a sketch needs a point every few centimetres; leave some out");
            }
        };
        error.with_hint(HINT)
    }
}

fn json_points(text: &str) -> Result<Curve, Wrong> {
    let points: Vec<[f64; 2]> = json(text, "[[x,z],…]")?;
    let points = points.into_iter().map(DVec2::from_array).collect();
    Ok(Curve {
        points,
        closed: false,
    })
}

fn json_object(text: &str) -> Result<Curve, Wrong> {
    #[derive(Deserialize)]
    struct Object {
        points: Vec<[f64; 2]>,
        #[serde(default)]
        closed: bool,
    }
    let read: Object = json(text, "{\"points\": [[x,z],…], \"closed\": bool}")?;
    let points = read.points.into_iter().map(DVec2::from_array).collect();
    Ok(Curve {
        points,
        closed: read.closed,
    })
}

fn json<'t, T: Deserialize<'t>>(text: &'t str, expected: &str) -> Result<T, Wrong> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| Wrong::Syntax {
        place: Place::Text {
            line: e.line(),
            column: e.column(),
        },
        expected: expected.to_owned(),
        found: found_in_json(&e.to_string()),
    })
}

/// Not by the `csv` crate: a line may have any of three separators, and nothing is ever quoted.
fn csv(text: &str) -> Result<Curve, Wrong> {
    let mut points = Vec::new();
    let mut head = true;
    let mut next = 0;
    for whole in text.split_inclusive('\n') {
        let start = next;
        next += whole.len();
        let line = whole.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut cells = line
            .split([',', ';', '\t'])
            .map(|c| c.trim().parse::<f64>().ok());
        match (cells.next().flatten(), cells.next().flatten()) {
            (Some(x), Some(z)) if x.is_finite() && z.is_finite() => points.push(DVec2::new(x, z)),
            _ if head && line.starts_with(|c: char| c.is_ascii_alphabetic()) => {}
            _ => return Err(Wrong::at(text, start, "two finite numbers x,z")),
        }
        head = false;
    }
    Ok(Curve {
        points,
        closed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Curve {
        parse_curve("sketch", text).expect(text)
    }

    fn told(text: &str) -> String {
        parse_curve("sketch", text).expect_err(text).to_string()
    }

    #[test]
    fn kinds_of_text_agree_on_one_curve() {
        let corner = read("{\"points\": [[0,0],[0,3],[3,3]], \"closed\": true}");
        assert!(corner.closed);
        assert_eq!(read("M0 0 v3 h3 z"), corner);
        assert_eq!(
            read("\u{feff}\n <svg><path id=\"x\" d=\"M0 0 v3 h3 z\"/></svg>"),
            corner
        );
        for open in [
            "[[0,0],[0,3],[3,3]]",
            "x,z\n0,0\n# turn\n0,3\n\n3,3\n",
            "\u{feff}0;0\r\n0;3\r\n3\t3",
            "{\"points\": [[0,0],[0,3],[3,3]]}",
        ] {
            let open = read(open);
            assert!(!open.closed);
            assert_eq!(open.points, corner.points);
        }
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        for (text, part) in [
            ("", "sketch: the path is empty"),
            ("# nothing\n", "sketch: the path is empty"),
            ("[]", "sketch: the path is empty"),
            (
                "0,0\n0,NaN\n1,1",
                "sketch:2:1: expected two finite numbers x,z, found `0,NaN`",
            ),
            ("x,z\nx,z\n", "sketch:2:1: "),
            (
                "\n\n0,0\n1\n",
                "sketch:4:1: expected two finite numbers x,z, found `1`",
            ),
            (
                "[[0,0],\n[null,1]]",
                "sketch:2:5: expected [[x,z],…], found null where a number belongs",
            ),
            ("{\"closed\": true}", "found no `points`"),
            ("M 0 0 L 1", "sketch:1:10: expected a number, found the end"),
            ("M0 0\nL1 x", "sketch:2:4: expected a number, found `x`"),
            (
                "M0 0 X1 1",
                "sketch:1:6: expected one of M L H V C S Q T A Z",
            ),
            ("M0 0 A1 1 0 2 0 5 5", "sketch:1:13: "),
            ("<svg><rect/></svg>", "no <path>"),
            ("<svg>\n<path d='M0 0'></svg>", "sketch:2:"),
            (
                "<svg>\n<path\n d='M0 0 L\n1 x'/></svg>",
                "sketch:4:3: expected a number, found `x",
            ),
            (
                "<svg><path d='M0 0 1 1' transform='turn(3)'/></svg>",
                "sketch:1:36: expected a list of",
            ),
            (
                "<svg><polyline points='0 0 1'/></svg>",
                "expected pairs of numbers",
            ),
            (
                "<svg><line x2='3px'/></svg>",
                "sketch:1:16: expected a number",
            ),
            ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", "entit"),
        ] {
            let message = told(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn too_much_is_refused_before_it_is_made() {
        // 360 points out of 20 bytes each.
        let arcs = "a1 1 0 1 1 1e-9 1e-9".repeat(5_000);
        assert!(told(&format!("M0 0 {arcs}")).contains("more than a million"));
        // Radii and entities by which a careless reader asks for all memory there is.
        let vast = parse_curve("sketch", "M0 0 A1e60 1e60 0 0 1 1 1");
        assert!(vast.map_or(0, |c| c.points.len()) <= 361);
        let deep = "<g>".repeat(200_000);
        assert!(told(&format!("<svg>{deep}")).contains("sketch:1:"));
        let deep = format!(
            "<svg>{deep}<path d='M0 0 1 1'/>{}</svg>",
            "</g>".repeat(200_000)
        );
        assert_eq!(read(&deep).points.len(), 2);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,200}") {
            let _ = parse_curve("any", &text);
        }

        #[test]
        fn any_path_data_is_survived(
            text in "M0 0([ ,\\n]?[MLHVCSQTAZmlhvcsqtaze]|[ ,]?[-+]?[0-9]{0,3}\\.?[0-9]{0,2}(e[-+]?[0-9]{1,3})?){0,60}"
        ) {
            if let Ok(curve) = parse_curve("any", &text) {
                prop_assert!(curve.points.iter().all(|p| p.is_finite()));
            }
        }

        #[test]
        fn any_document_is_survived(
            text in "<svg>(<(g|path|line|polygon|defs)( (d|points|transform|x1)='[MLaz0-9 .,()a-z-]{0,12}')?/?>|</g>|&lt;|<!--|-->){0,20}(</svg>)?"
        ) {
            let _ = parse_curve("any", &text);
        }
    }
}
