//! Paths from text: what `gaitway-io` reads, or what `gaitway-synth` knows by name, as a path to follow.

use std::path::Path as FilePath;

use gaitway_io::ReadError;
use gaitway_io::curve::{Curve, parse_curve, read_curve};
use gaitway_synth::path::{Path, PathError, named_curve};

/// Why there is no path.
#[derive(Debug, thiserror::Error)]
pub enum PathTextError {
    /// The text is no curve, or the file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The curve cannot be walked.
    #[error("{file}: {error}")]
    Path {
        /// What the text is called.
        file: String,
        /// What is wrong with it.
        error: PathError,
    },
}

impl PathTextError {
    /// What to try, where we know.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Read(error) => error.hint(),
            Self::Path { .. } => None,
        }
    }
}

/// A path from text: the name of a curve, or JSON, CSV or SVG (see [`gaitway_io::curve`]). A unit is a metre times `scale`.
///
/// ```
/// let round = gaitway::parse_path("circle", 0.5)?;
/// let corner = gaitway::parse_path("[[0,0],[0,3],[3,3]]", 1.0)?;
/// let drawn = gaitway::parse_path("<svg><path d='M0 0 v300 h300'/></svg>", 0.01)?;
/// assert!(round.closed() && corner.length() == drawn.length());
/// # Ok::<(), gaitway::PathTextError>(())
/// ```
///
/// # Errors
/// Says what was expected and what is wrong with it.
pub fn parse_path(text: &str, scale: f64) -> Result<Path, PathTextError> {
    parse_path_of("path", text, scale)
}

/// [`parse_path`] with a name for the text, which errors tell.
///
/// # Errors
/// As [`parse_path`].
pub fn parse_path_of(file: &str, text: &str, scale: f64) -> Result<Path, PathTextError> {
    let word = text.trim_start_matches('\u{feff}').trim();
    // Path data begins with M, and so do words; it has numbers, and they have none.
    let is_word = match word.as_bytes() {
        [b'M' | b'm', rest @ ..] => rest.iter().all(u8::is_ascii_alphabetic),
        [first, ..] => first.is_ascii_alphabetic() && !word.contains(['\n', ',']),
        [] => false,
    };
    if is_word {
        let short: String = word.chars().take(40).collect();
        return named_curve(&short, scale).map_err(|error| PathTextError::Path {
            file: file.to_owned(),
            error,
        });
    }
    scaled(file, parse_curve(file, text)?, scale)
}

/// A path from a file of JSON, CSV or SVG.
///
/// # Errors
/// When it cannot be opened, and as [`parse_path`].
pub fn read_path(file: &FilePath, scale: f64) -> Result<Path, PathTextError> {
    scaled(&file.display().to_string(), read_curve(file)?, scale)
}

fn scaled(file: &str, curve: Curve, scale: f64) -> Result<Path, PathTextError> {
    let made = if scale.is_finite() && scale > 0.0 {
        Path::new(
            curve.points.into_iter().map(|p| p * scale).collect(),
            curve.closed,
        )
    } else {
        Err(PathError::Scale { scale })
    };
    made.map_err(|error| PathTextError::Path {
        file: file.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_synth::path::CURVES;

    fn wrong(text: &str) -> PathError {
        match parse_path(text, 1.0).expect_err(text) {
            PathTextError::Path { error, .. } => error,
            PathTextError::Read(error) => panic!("{error}"),
        }
    }

    #[test]
    fn names_and_texts_are_told_apart() {
        for name in CURVES {
            let path = parse_path(&format!(" {name}\n"), 2.0).expect(name);
            assert_eq!(path, named_curve(name, 2.0).expect(name));
        }
        assert!(
            matches!(wrong("elephant"), PathError::UnknownCurve { name } if name == "elephant")
        );
        assert!(matches!(wrong("moon"), PathError::UnknownCurve { .. }));
        assert!(matches!(
            wrong("[[0,0]]"),
            PathError::TooShort { points: 1, .. }
        ));
        assert!(matches!(
            wrong("[[0,0],[0,1e6]]"),
            PathError::TooLong { .. }
        ));
        assert!(matches!(wrong("[[0,0],[0,1e9]]"), PathError::Limits { .. }));
        for text in ["", "M0 0 L1", "x,z\nno,numbers", "<svg/>"] {
            assert!(
                matches!(parse_path(text, 1.0), Err(PathTextError::Read(_))),
                "{text}"
            );
        }
        for (text, scale) in [("line", f64::NAN), ("[[0,0],[0,1]]", 0.0)] {
            assert!(matches!(
                parse_path(text, scale),
                Err(PathTextError::Path {
                    error: PathError::Scale { .. },
                    ..
                })
            ));
        }
    }

    #[test]
    fn drawings_have_their_length() {
        let csv = parse_path("x,z\n0,0\n0,3\n3,3\n", 2.0).expect("CSV");
        assert!((csv.length() - 12.0).abs() < 1e-9);
        // A quarter circle by arc command.
        let arc = parse_path("M0 0 A2 2 0 0 1 2 2", 1.0).expect("an arc");
        assert!((arc.length() - std::f64::consts::PI).abs() < 1e-4);
        // The same by the curve that is nearest to it.
        let cubic = parse_path("M0,0 C1.1046,0 2,0.8954 2,2", 1.0).expect("a curve");
        assert!((cubic.length() - std::f64::consts::PI).abs() < 1e-3);
    }
}
