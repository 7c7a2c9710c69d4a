//! From a file's bytes to a [`MarkerClip`].

use std::ops::Range;

use gaitway_core::{WarningCode, Warnings};

use super::bytes::Machine;
use super::params::Params;
use super::points::Layout;
use crate::error::{Place, ReadError};
use crate::markers::MarkerClip;
use crate::markers::clip::{metres_in, unique_names};
use crate::raw::UpAxis;

const BLOCK: usize = 512;
/// The second byte of every C3D file.
const MARK: u8 = 0x50;
/// The rate taken when neither header nor parameters give one.
const ASSUMED_RATE_HZ: f64 = 100.0;

/// Lists of labels of one kind that are looked at; each holds 255.
const MOST_LABEL_PARTS: usize = 258;

/// Reads markers. `file` is the name errors give.
///
/// # Errors
/// When the bytes are no C3D, or hold no points: the offset, what was expected there and what was found.
pub fn read(file: &str, bytes: &[u8]) -> Result<MarkerClip, ReadError> {
    let mut warnings = Warnings::new();
    let (machine, records) = sections(file, bytes, &mut warnings)?;
    let params = Params::read(bytes, records, machine, &mut warnings);
    let header = Header::read(bytes, machine);
    let layout = header.layout(file, &params)?;
    let data = data_section(file, bytes, &header, &params, &layout)?;
    let whole = data.len() / layout.frame_bytes();
    let claimed = frame_count(&header, &params, whole);
    let frames = claimed.min(whole);
    if frames < claimed {
        let message = format!("the file claims {claimed} frames, {frames} are there");
        warnings.add(WarningCode::FrameCount, message);
    }
    let (mut positions, visible) = layout.read(data, frames);
    let (unit, unit_m) = unit(&params, &mut warnings);
    for place in &mut positions {
        *place *= unit_m;
    }
    let labels = labels(&params, layout.points);
    let mut clip = MarkerClip {
        quantities: quantities(&params, &labels),
        names: unique_names(labels, &mut warnings),
        rate_hz: rate(&header, &params, &mut warnings),
        unit,
        unit_m,
        up: up_axis(&params, &mut warnings),
        frames,
        frames_in_file: claimed,
        positions,
        visible,
        warnings,
    };
    clip.doubt_up();
    Ok(clip)
}

fn wrong(
    file: &str,
    at: usize,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> ReadError {
    ReadError::syntax(file, Place::Offset(at as u64), expected, found)
}

/// The machine, and where the parameter records lie.
fn sections(
    file: &str,
    bytes: &[u8],
    warnings: &mut Warnings,
) -> Result<(Machine, Range<usize>), ReadError> {
    if bytes.len() < BLOCK {
        let found = format!("a file of {} bytes", bytes.len());
        return Err(wrong(file, 0, "a C3D header of 512 bytes", found));
    }
    if bytes[1] != MARK {
        let found = format!("0x{:02X}", bytes[1]);
        return Err(
            wrong(file, 1, "0x50, the mark of a C3D file", found).with_hint("is this a C3D file?")
        );
    }
    let start = match usize::from(bytes[0]) {
        0 => {
            return Err(wrong(
                file,
                0,
                "the block of the parameters, 2 or more",
                "0",
            ));
        }
        block => (block - 1) * BLOCK,
    };
    let Some(head) = bytes.get(start..start + 4) else {
        let found = format!("the end of the file at byte {}", bytes.len());
        return Err(wrong(file, start, "the parameter section", found));
    };
    let machine = match head[3] {
        84 => Machine::Intel,
        85 => Machine::Dec,
        86 => Machine::Sgi,
        other => {
            let message = format!("byte order {other} is unknown; Intel's was assumed");
            warnings.add(WarningCode::Unusual, message);
            Machine::Intel
        }
    };
    // The section's own count of blocks, where it has one.
    let end = match usize::from(head[2]) {
        0 => bytes.len(),
        blocks => start + blocks * BLOCK,
    };
    Ok((machine, start + 4..end))
}

/// The header's fields that we need.
struct Header {
    points: usize,
    analog: usize,
    first_frame: u16,
    last_frame: u16,
    scale: f64,
    data_block: usize,
    rate_hz: f64,
}

impl Header {
    /// The caller has made sure of the header's 512 bytes.
    fn read(bytes: &[u8], machine: Machine) -> Self {
        let word = |at: usize| machine.u16_at(bytes, at).unwrap_or(0);
        let float = |at: usize| f64::from(machine.f32_at(bytes, at).unwrap_or(0.0));
        Self {
            points: word(2).into(),
            analog: word(4).into(),
            first_frame: word(6),
            last_frame: word(8),
            scale: float(12),
            data_block: word(16).into(),
            rate_hz: float(20),
        }
    }

    fn layout(&self, file: &str, params: &Params<'_>) -> Result<Layout, ReadError> {
        let (points, analog) = (self.points, self.analog);
        let machine = params.machine();
        if points == 0 {
            return Err(ReadError::content(file, "the file has no points (markers)")
                .with_hint("files with analog samples only hold no motion"));
        }
        let good = |scale: &f64| scale.is_finite() && *scale != 0.0;
        let scale = [Some(self.scale), params.number("POINT:SCALE")];
        let Some(scale) = scale.into_iter().flatten().find(good) else {
            let found = self.scale.to_string();
            return Err(wrong(file, 12, "a scale that is not zero", found));
        };
        Ok(Layout {
            machine,
            points,
            analog,
            integer_scale: (scale > 0.0).then_some(scale),
        })
    }

    fn frames(&self) -> usize {
        usize::from(self.last_frame).saturating_sub(usize::from(self.first_frame)) + 1
    }
}

/// The bytes of the data section, at least one frame long.
fn data_section<'a>(
    file: &str,
    bytes: &'a [u8],
    header: &Header,
    params: &Params<'_>,
    layout: &Layout,
) -> Result<&'a [u8], ReadError> {
    let block = match header.data_block {
        0 | 1 => params.number("POINT:DATA_START").unwrap_or(0.0) as usize,
        block => block,
    };
    if block < 2 {
        let expected = "the block of the data, 2 or more";
        return Err(wrong(file, 16, expected, block.to_string()));
    }
    let start = (block - 1) * BLOCK;
    let data = bytes.get(start..).unwrap_or_default();
    if data.len() < layout.frame_bytes() {
        let expected = format!(
            "{} bytes, a frame of {} points",
            layout.frame_bytes(),
            layout.points
        );
        let found = format!("{} bytes to the end of the file", data.len());
        return Err(wrong(file, start.min(bytes.len()), expected, found)
            .with_hint("the file may have been cut short"));
    }
    Ok(data)
}

/// How many frames the file claims. The header's 16 bits are too few for long trials; `TRIAL` and
/// `POINT:FRAMES` have room for more, so the first figure that the file can hold counts.
fn frame_count(header: &Header, params: &Params<'_>, whole: usize) -> usize {
    let long = |name: &str| {
        let param = params.get(name)?;
        let high = param.number(1).unwrap_or(0.0);
        Some(param.number(0)? + 65536.0 * high)
    };
    let trial = match (
        long("TRIAL:ACTUAL_START_FIELD"),
        long("TRIAL:ACTUAL_END_FIELD"),
    ) {
        (Some(first), Some(last)) => Some(last - first + 1.0),
        _ => None,
    };
    let claims = [
        trial,
        params.number("POINT:LONG_FRAMES"),
        Some(header.frames() as f64),
        params.number("POINT:FRAMES"),
    ];
    let claims = claims.into_iter().flatten();
    let claims: Vec<usize> = claims
        .filter(|c| *c >= 1.0 && *c <= 4e9)
        .map(|c| c as usize)
        .collect();
    let fits = claims.iter().copied().find(|&c| c <= whole);
    fits.or(claims.first().copied()).unwrap_or(whole)
}

fn rate(header: &Header, params: &Params<'_>, warnings: &mut Warnings) -> f64 {
    let given = [params.number("POINT:RATE"), Some(header.rate_hz)];
    let good = |rate: &f64| rate.is_finite() && *rate > 0.0 && *rate < 1e6;
    if let Some(rate) = given.into_iter().flatten().find(good) {
        return rate;
    }
    let message = format!("the file gives no rate; {ASSUMED_RATE_HZ} Hz was assumed");
    let field = "assumed_rate_hz";
    warnings.add_value(WarningCode::Unusual, message, field, ASSUMED_RATE_HZ);
    ASSUMED_RATE_HZ
}

fn unit(params: &Params<'_>, warnings: &mut Warnings) -> (String, f64) {
    let said = params.text("POINT:UNITS");
    match said.as_deref().and_then(metres_in) {
        Some(metres) => (said.unwrap_or_default(), metres),
        None => {
            let unit = said.map_or("no unit".to_owned(), |u| format!("the unit `{u}`"));
            let message = format!("the file gives {unit}; millimetres were assumed");
            warnings.add(WarningCode::UnitGuessed, message);
            ("mm".to_owned(), 1e-3)
        }
    }
}

/// The up axis: the one that is up on the screen, `POINT:Y_SCREEN`.
fn up_axis(params: &Params<'_>, warnings: &mut Warnings) -> Option<UpAxis> {
    let said = params.text("POINT:Y_SCREEN")?.to_ascii_uppercase();
    match said.as_str() {
        "+X" | "X" => Some(UpAxis::X),
        "+Y" | "Y" => Some(UpAxis::Y),
        "+Z" | "Z" => Some(UpAxis::Z),
        _ => {
            let message = format!("`{said}` as the up axis (POINT:Y_SCREEN) is not understood");
            warnings.add(WarningCode::Unusual, message);
            None
        }
    }
}

/// Labels of all points: `LABELS` holds 255 at most, `LABELS2` and so on the rest. Empty where missing.
fn labels(params: &Params<'_>, points: usize) -> Vec<String> {
    let mut labels = Vec::new();
    for part in 1.. {
        let name = match part {
            1 => "POINT:LABELS".to_owned(),
            n => format!("POINT:LABELS{n}"),
        };
        let Some(param) = params.get(&name) else {
            break;
        };
        labels.extend(param.texts());
        if labels.len() >= points {
            break;
        }
    }
    labels.resize(points, String::new());
    labels
}

/// Which labels the file lists as something else than places: systems store computed angles, forces, moments and powers as
/// points (`POINT:ANGLES` and so on), in whatever unit they have.
fn quantities(params: &Params<'_>, labels: &[String]) -> Vec<Option<&'static str>> {
    let mut out = vec![None; labels.len()];
    for (group, what) in [
        ("ANGLES", "angle"),
        ("FORCES", "force"),
        ("MOMENTS", "moment"),
        ("POWERS", "power"),
        ("SCALARS", "scalar"),
    ] {
        for part in 1..=MOST_LABEL_PARTS {
            let name = match part {
                1 => format!("POINT:{group}"),
                n => format!("POINT:{group}{n}"),
            };
            let Some(param) = params.get(&name) else {
                break;
            };
            let listed: std::collections::HashSet<String> = param.texts().into_iter().collect();
            for (label, kind) in labels.iter().zip(&mut out) {
                if !label.is_empty() && listed.contains(label) {
                    *kind = Some(what);
                }
            }
        }
    }
    out
}
