//! TRC: markers as a tab-separated table.
//!
//! ```text
//! PathFileType  4         (X/Y/Z)    name
//! DataRate      CameraRate  NumFrames  NumMarkers  Units  …
//! 60.00         60.00       900        41          mm     …
//! Frame#        Time        R.ASIS                 L.ASIS  …
//!                           X1   Y1    Z1          X2      …
//!
//! 1             0.000       596.8  1044.6  118.5   …
//! ```
//!
//! Header words may come in any order. An empty cell, or one that is not a number by name (`NaN`), is a gap.

use glam::DVec3;

use gaitway_core::{WarningCode, Warnings};

use crate::error::{Place, ReadError, shown};
use crate::lines::{Line, Lines, number};
use crate::markers::MarkerClip;
use crate::markers::clip::{metres_in, unique_names};

/// Samples per byte of text that short rows may stand for: rows that list none of thousands of claimed
/// markers shall not fill the memory.
const MOST_GROWTH: usize = 4;

/// Reads markers. `file` is the name errors give.
///
/// # Errors
/// When the text is no TRC: the place, what was expected there and what was found.
pub fn read(file: &str, bytes: &[u8]) -> Result<MarkerClip, ReadError> {
    let mut lines = Lines::new(bytes).filter(|line| !is_blank(line));
    let mut warnings = Warnings::new();
    let mut need = |expected: &str| {
        lines.next().ok_or_else(|| {
            let place = Place::in_text(bytes, bytes.len());
            ReadError::syntax(file, place, expected, "the end of the file")
        })
    };
    let first = need("`PathFileType`")?;
    let keys = if cells(&first)[0].is("PathFileType") {
        need("header words such as `DataRate`")?
    } else {
        first
    };
    let values = need("the header's values")?;
    let names = need("`Frame#`, `Time` and the markers' names")?;
    let header = Header::read(file, &keys, &values, bytes.len(), &mut warnings)?;
    let markers = marker_names(file, &names, header.markers, &mut warnings)?;
    let mut table = Table::new(file, bytes.len(), markers.len());
    for (i, line) in lines.enumerate() {
        if i == 0 && is_coordinates(&line) {
            continue;
        }
        table.row(&line)?;
    }
    table.finish(header, markers, warnings)
}

/// A cell of a line, trimmed.
#[derive(Clone, Copy)]
struct Cell<'a> {
    line: Line<'a>,
    start: usize,
    bytes: &'a [u8],
}

impl Cell<'_> {
    fn is(&self, word: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(word.as_bytes())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    fn unexpected(&self, file: &str, expected: impl Into<String>) -> ReadError {
        let found = if self.bytes.is_empty() {
            "an empty cell".to_owned()
        } else {
            shown(self.bytes)
        };
        ReadError::syntax(file, self.line.place(self.start), expected, found)
    }
}

fn is_blank(line: &Line<'_>) -> bool {
    line.bytes
        .iter()
        .all(|b| b.is_ascii_whitespace() || *b == 0)
}

/// The cells of a line: between tabs, or between blanks where a line has no tab at all.
fn cells<'a>(line: &Line<'a>) -> Vec<Cell<'a>> {
    let line = *line;
    if !line.bytes.contains(&b'\t') {
        let words = line.bytes.split(u8::is_ascii_whitespace);
        let filled = words.filter(|w| !w.is_empty());
        return filled.map(|bytes| cell_at(line, bytes)).collect();
    }
    let parts = line.bytes.split(|b| *b == b'\t');
    parts.map(|part| cell_at(line, part.trim_ascii())).collect()
}

/// `bytes` is a part of the line.
fn cell_at<'a>(line: Line<'a>, bytes: &'a [u8]) -> Cell<'a> {
    let start = bytes.as_ptr() as usize - line.bytes.as_ptr() as usize;
    Cell { line, start, bytes }
}

struct Header {
    rate_hz: f64,
    frames: Option<usize>,
    markers: Option<usize>,
    unit: String,
    unit_m: f64,
}

impl Header {
    fn read(
        file: &str,
        keys: &Line<'_>,
        values: &Line<'_>,
        size: usize,
        warnings: &mut Warnings,
    ) -> Result<Self, ReadError> {
        let (keys, values) = (cells(keys), cells(values));
        let value = |key: &str| {
            let at = keys.iter().position(|k| k.is(key))?;
            values.get(at).filter(|v| !v.bytes.is_empty()).copied()
        };
        let Some(rate) = value("DataRate").or_else(|| value("CameraRate")) else {
            let place = keys.first().map_or(Place::File, |k| k.line.place(0));
            let found = keys
                .first()
                .map_or(String::new(), |k| shown(k.line.bytes.trim_ascii()));
            return Err(ReadError::syntax(
                file,
                place,
                "`DataRate` with a value below it",
                found,
            ));
        };
        let rate_hz = number(rate.bytes)
            .filter(|r| *r > 0.0)
            .ok_or_else(|| rate.unexpected(file, "a rate in frames a second"))?;
        let count = |key: &str| -> Result<Option<usize>, ReadError> {
            let Some(cell) = value(key) else {
                return Ok(None);
            };
            // Some writers print counts with a point.
            let count = number(cell.bytes).filter(|n| *n >= 0.0 && n.fract() == 0.0);
            let count =
                count.ok_or_else(|| cell.unexpected(file, format!("a count for `{key}`")))?;
            Ok(Some(count as usize))
        };
        let markers = count("NumMarkers")?;
        // A marker takes more than a byte, even where it is never seen.
        let too_many = |cell: &Cell<'_>| number(cell.bytes).is_some_and(|n| n > size as f64);
        if let Some(cell) = value("NumMarkers").filter(too_many) {
            return Err(cell.unexpected(file, "a count of markers the file has room for"));
        }
        let (unit, unit_m) = match value("Units") {
            Some(cell) => {
                let unit = cell.text();
                let metres = metres_in(&unit)
                    .ok_or_else(|| cell.unexpected(file, "a unit of length such as mm or m"))?;
                (unit, metres)
            }
            None => {
                let message = "the file gives no unit; millimetres were assumed";
                warnings.add(WarningCode::UnitGuessed, message);
                ("mm".to_owned(), 1e-3)
            }
        };
        Ok(Self {
            rate_hz,
            frames: count("NumFrames")?,
            markers,
            unit,
            unit_m,
        })
    }
}

/// Names are the cells with text after `Frame#` and `Time`: files put two or three columns between them.
fn marker_names(
    file: &str,
    line: &Line<'_>,
    claimed: Option<usize>,
    warnings: &mut Warnings,
) -> Result<Vec<String>, ReadError> {
    let cells = cells(line);
    if !cells[0].is("Frame#") && !cells[0].is("Frame") {
        return Err(cells[0].unexpected(file, "`Frame#`, `Time` and the markers' names"));
    }
    let filled = cells.iter().skip(2).filter(|c| !c.bytes.is_empty());
    let mut labels: Vec<String> = filled.map(Cell::text).collect();
    let named = labels.len();
    let count = claimed.unwrap_or(named);
    if count == 0 {
        return Err(ReadError::content(file, "the file has no markers"));
    }
    if named != count {
        let message = format!("the header claims {count} markers, {named} are named");
        warnings.add(WarningCode::Unusual, message);
        // Names beyond the count are markers all the same; rows decide whether they have values.
        labels.resize(count.max(named), String::new());
    }
    Ok(unique_names(labels, warnings))
}

/// The line `X1 Y1 Z1 …` below the names.
fn is_coordinates(line: &Line<'_>) -> bool {
    let cells = cells(line);
    let first = cells.iter().find(|c| !c.bytes.is_empty());
    first.is_some_and(|c| c.bytes[0].eq_ignore_ascii_case(&b'x'))
}

struct Table<'a> {
    file: &'a str,
    most_samples: usize,
    markers: usize,
    positions: Vec<DVec3>,
    visible: Vec<bool>,
    times: Option<(f64, f64)>,
    last_frame: Option<f64>,
    frames: usize,
    skipped: usize,
    short: usize,
}

impl<'a> Table<'a> {
    fn new(file: &'a str, size: usize, markers: usize) -> Self {
        Self {
            file,
            most_samples: size.saturating_mul(MOST_GROWTH) + (1 << 16),
            markers,
            positions: Vec::new(),
            visible: Vec::new(),
            times: None,
            last_frame: None,
            frames: 0,
            skipped: 0,
            short: 0,
        }
    }

    fn row(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        let cells = cells(line);
        self.frame_number(&cells[0])?;
        let Some(time) = cells.get(1) else {
            let expected = "a time behind the frame number";
            let place = line.end();
            return Err(ReadError::syntax(
                self.file,
                place,
                expected,
                "the end of the line",
            ));
        };
        if !time.bytes.is_empty() {
            let time = number(time.bytes)
                .ok_or_else(|| time.unexpected(self.file, "a time in seconds"))?;
            self.times = Some((self.times.map_or(time, |t| t.0), time));
        }
        let width = 3 * self.markers;
        let coordinates = &cells[2..];
        let extra = coordinates.iter().skip(width).find(|c| !c.bytes.is_empty());
        if let Some(extra) = extra {
            let expected = format!("{width} coordinates ({} markers)", self.markers);
            return Err(extra.unexpected(self.file, expected));
        }
        if self.positions.len() + self.markers > self.most_samples {
            let message = "the header claims far more markers than the rows have values";
            return Err(ReadError::content(self.file, message));
        }
        if coordinates.len() < width {
            self.short += 1;
        }
        for marker in 0..self.markers {
            let place = self.place(coordinates.get(3 * marker..).unwrap_or_default())?;
            self.positions.push(place.unwrap_or(DVec3::ZERO));
            self.visible.push(place.is_some());
        }
        self.frames += 1;
        Ok(())
    }

    fn frame_number(&mut self, cell: &Cell<'_>) -> Result<(), ReadError> {
        let found = number(cell.bytes).filter(|n| n.fract() == 0.0);
        let frame = found.ok_or_else(|| cell.unexpected(self.file, "a frame number"))?;
        if let Some(last) = self.last_frame {
            if frame <= last {
                let expected = format!("a frame number above {last}");
                return Err(cell.unexpected(self.file, expected));
            }
            self.skipped += (frame - last - 1.0) as usize;
        }
        self.last_frame = Some(frame);
        Ok(())
    }

    /// The place in the first three cells, `None` for a gap.
    fn place(&self, cells: &[Cell<'_>]) -> Result<Option<DVec3>, ReadError> {
        let mut place = [0.0; 3];
        let mut is_gap = cells.len() < 3;
        for (value, cell) in place.iter_mut().zip(cells) {
            if cell.bytes.is_empty() || cell.is("nan") || cell.is("-nan") {
                is_gap = true;
                continue;
            }
            *value = number(cell.bytes)
                .ok_or_else(|| cell.unexpected(self.file, "a coordinate or an empty cell"))?;
        }
        Ok((!is_gap).then(|| DVec3::from_array(place)))
    }

    fn finish(
        mut self,
        header: Header,
        names: Vec<String>,
        mut warnings: Warnings,
    ) -> Result<MarkerClip, ReadError> {
        if self.frames == 0 {
            return Err(ReadError::content(self.file, "the file has no frames"));
        }
        for place in &mut self.positions {
            *place *= header.unit_m;
        }
        self.tell(&header, &mut warnings);
        Ok(MarkerClip {
            quantities: vec![None; names.len()],
            names,
            rate_hz: header.rate_hz,
            unit: header.unit,
            unit_m: header.unit_m,
            up: None,
            frames: self.frames,
            frames_in_file: header.frames.unwrap_or(self.frames),
            positions: self.positions,
            visible: self.visible,
            warnings,
        })
    }

    fn tell(&self, header: &Header, warnings: &mut Warnings) {
        if let Some(claimed) = header.frames.filter(|&f| f != self.frames) {
            let message = format!("the header claims {claimed} frames, {} follow", self.frames);
            warnings.add(WarningCode::FrameCount, message);
        }
        if self.skipped > 0 {
            let message = format!(
                "frame numbers skip {} frames; the frames after follow without a pause",
                self.skipped
            );
            warnings.add(WarningCode::Unusual, message);
        }
        if self.short > 0 {
            let message = format!(
                "{} rows are short; what they lack counts as gaps",
                self.short
            );
            warnings.add(WarningCode::Unusual, message);
        }
        self.tell_rate(header, warnings);
    }

    /// The time column is a second witness of the rate.
    fn tell_rate(&self, header: &Header, warnings: &mut Warnings) {
        let steps = (self.frames + self.skipped) as f64 - 1.0;
        let Some((first, last)) = self.times else {
            return;
        };
        if steps < 1.0 || last <= first {
            return;
        }
        let rate = steps / (last - first);
        // Times are printed with few digits, so short trials are forgiven more.
        if (rate / header.rate_hz - 1.0).abs() > 0.02 + 1.0 / steps {
            let message = format!(
                "the header says {} Hz, the times say {rate:.3} Hz; the header's rate was kept",
                header.rate_hz
            );
            let field = "suggested_rate_hz";
            warnings.add_value(WarningCode::RateImplausible, message, field, rate);
        }
    }
}
