//! Reads a PATH: a name, JSON, CSV, or SVG.

use glam::DVec2;

use super::curve::PathJson;
use super::svg;
use super::{Path, PathError, named_curve};

/// Reads a path from text: a curve's name, JSON (`[[x,z],…]` or `{"points": […], "closed": bool}`), an SVG document or
/// path data (`M0 0 L…`), or CSV lines `x,z`. A unit is a metre times `scale`.
///
/// # Errors
/// Says what was expected and what is wrong with it.
pub fn parse_path(text: &str, scale: f64) -> Result<Path, PathError> {
    if !(scale.is_finite() && scale > 0.0) {
        return Err(PathError::Scale { scale });
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if super::CURVES.contains(&text) {
        return named_curve(text, scale);
    }
    let (points, closed) = match text.as_bytes().first() {
        None => return Err(PathError::Empty),
        Some(b'[' | b'{') => json(text)?,
        Some(b'<') => svg::document(text)?,
        Some(b'M' | b'm') => svg::path_data(text)?,
        Some(c) if c.is_ascii_alphabetic() && !text.contains(['\n', ',']) => {
            return Err(PathError::UnknownCurve {
                name: text.chars().take(40).collect(),
            });
        }
        Some(_) => (csv(text)?, false),
    };
    Path::new(points.into_iter().map(|p| p * scale).collect(), closed)
}

fn json(text: &str) -> Result<(Vec<DVec2>, bool), PathError> {
    let read: PathJson = serde_json::from_str(text).map_err(|e| PathError::Syntax {
        line: e.line(),
        what: format!("expected [[x,z],…] or {{\"points\": […], \"closed\": bool}}: {e}"),
    })?;
    Ok(match read {
        PathJson::Points(points) => (points.into_iter().map(DVec2::from_array).collect(), false),
        PathJson::Object { points, closed } => {
            (points.into_iter().map(DVec2::from_array).collect(), closed)
        }
    })
}

fn csv(text: &str) -> Result<Vec<DVec2>, PathError> {
    let mut out = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut cells = line
            .split([',', ';', '\t'])
            .map(|c| c.trim().parse::<f64>());
        match (cells.next(), cells.next()) {
            (Some(Ok(x)), Some(Ok(z))) => out.push(DVec2::new(x, z)),
            // A head line may name the columns.
            _ if out.is_empty()
                && k == 0
                && line.starts_with(|c: char| c.is_ascii_alphabetic()) => {}
            _ => {
                let shown: String = line.chars().take(40).collect();
                let what = format!("expected x,z and found `{shown}`");
                return Err(PathError::Syntax { line: k + 1, what });
            }
        }
    }
    Ok(out)
}
