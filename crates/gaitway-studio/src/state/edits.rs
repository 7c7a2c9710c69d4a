//! Labels and contacts set by hand, and the tables made from them.

use std::collections::BTreeMap;

use gaitway_core::contacts::{ContactRow, override_contacts};
use gaitway_core::{Clip, ContactTrack, LabelSpan, LabelTrack};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::gwmo::LabelSeconds;

/// One stretch in which a point stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ContactRowJson {
    /// A contact point, joint or end site.
    pub joint: String,
    /// From.
    pub start_s: f64,
    /// To, exclusive.
    pub end_s: f64,
    /// From 0 (a guess) to 1 (beyond doubt, or set by hand).
    #[serde(default = "sure")]
    #[schema(default = 1.0)]
    pub confidence: f64,
}

fn sure() -> f64 {
    1.0
}

/// Labels of a clip as they were last set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabelsEdit {
    /// Grows with every change.
    pub revision: u64,
    /// All of the clip's labels.
    pub rows: Vec<LabelSeconds>,
}

/// Contacts of a clip as they were last set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactsEdit {
    /// Grows with every change.
    pub revision: u64,
    /// Back to what is detected.
    pub detected: bool,
    /// All of the clip's contacts, unless detected.
    pub rows: Vec<ContactRowJson>,
}

/// What was set by hand for one clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipEdits {
    /// Labels, where they were ever set.
    pub labels: Option<LabelsEdit>,
    /// Contacts, where they were ever set.
    pub contacts: Option<ContactsEdit>,
}

/// All edits by clip name, as `edits.json` holds them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Edits(pub BTreeMap<String, ClipEdits>);

/// The most rows one clip may have.
const MOST_ROWS: usize = 10_000;

/// What no label may hold: it would break the tables that carry it.
fn bad_label(label: &str) -> Option<&'static str> {
    if label.trim().is_empty() {
        Some("a label needs a name")
    } else if label.len() > 60 {
        Some("a label has at most 60 letters")
    } else if label.contains(['"', ',', '\n', '\r', '@', '%', '#'])
        || label.chars().any(char::is_control)
    {
        Some("a label has no comma, quote, @, % or # in it")
    } else {
        None
    }
}

/// Checks and tidies rows of labels: within the clip, by start, no empty ones.
pub fn check_labels(rows: Vec<LabelSeconds>, seconds: f64) -> Result<Vec<LabelSeconds>, ApiError> {
    if rows.len() > MOST_ROWS {
        return Err(ApiError::bad(format!("more than {MOST_ROWS} rows"))
            .field("rows")
            .hint("join intervals that touch"));
    }
    let mut out = Vec::with_capacity(rows.len());
    for (k, row) in rows.into_iter().enumerate() {
        if let Some(what) = bad_label(&row.label) {
            return Err(ApiError::bad(what)
                .hint("a label is a word or two, as walk or pick-up")
                .field(format!("rows[{k}].label")));
        }
        let (start_s, end_s) = interval(row.start_s, row.end_s, seconds, k)?;
        out.push(LabelSeconds {
            label: row.label.trim().to_owned(),
            start_s,
            end_s,
        });
    }
    out.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(a.label.cmp(&b.label)));
    Ok(out)
}

/// Checks rows of contacts against a clip.
pub fn check_contacts(
    rows: Vec<ContactRowJson>,
    clip: &Clip,
) -> Result<Vec<ContactRowJson>, ApiError> {
    if rows.len() > MOST_ROWS {
        return Err(ApiError::bad(format!("more than {MOST_ROWS} rows"))
            .field("rows")
            .hint("join intervals that touch"));
    }
    let mut out = Vec::with_capacity(rows.len());
    for (k, row) in rows.into_iter().enumerate() {
        let (start_s, end_s) = interval(row.start_s, row.end_s, clip.seconds(), k)?;
        out.push(ContactRowJson {
            joint: row.joint,
            start_s,
            end_s,
            confidence: 1.0,
        });
    }
    apply_contacts(clip, &out).map_err(|e| e.field("rows"))?;
    Ok(out)
}

fn interval(start: f64, end: f64, seconds: f64, k: usize) -> Result<(f64, f64), ApiError> {
    if !(start.is_finite() && end.is_finite() && start >= 0.0 && end > start) {
        return Err(
            ApiError::bad("expected seconds from 0 on, the end after the start")
                .hint("times are counted from the clip's first frame")
                .field(format!("rows[{k}]")),
        );
    }
    if start >= seconds {
        let message = format!("begins at {start} s, after the clip's end at {seconds:.3} s");
        return Err(ApiError::bad(message)
            .hint("leave it out, or move it into the clip")
            .field(format!("rows[{k}].start_s")));
    }
    Ok((start, end.min(seconds)))
}

/// Labels of a clip from rows.
pub fn label_track(rows: &[LabelSeconds], rate_hz: f64, frames: usize) -> LabelTrack {
    let frame = |s: f64| ((s * rate_hz).round() as usize).min(frames);
    let spans = rows.iter().map(|r| LabelSpan {
        start: frame(r.start_s),
        end: frame(r.end_s),
        label: r.label.clone(),
    });
    LabelTrack::new(spans.collect())
}

/// Contacts of a clip from rows: its points stand exactly where rows say.
pub fn apply_contacts(clip: &Clip, rows: &[ContactRowJson]) -> Result<ContactTrack, ApiError> {
    let points = clip.contacts().map_or(Vec::new(), |c| c.points().to_vec());
    let bare = ContactTrack::new(points, clip.frame_count());
    let table: Vec<ContactRow> = rows
        .iter()
        .enumerate()
        .map(|(k, r)| ContactRow {
            file: clip.name().to_owned(),
            joint: r.joint.clone(),
            start_s: Some(r.start_s),
            end_s: Some(r.end_s),
            line: k + 1,
        })
        .collect();
    match override_contacts(clip, Some(&bare), &table) {
        Ok(track) => Ok(track.unwrap_or(bare)),
        Err(e) => Err(ApiError::bad(e.to_string())),
    }
}

/// The contacts of a clip as rows, by start; `sure` says how sure each is, from its point and frames.
pub fn rows_of_contacts(
    clip: &Clip,
    sure: impl Fn(usize, &std::ops::Range<usize>) -> f64,
) -> Vec<ContactRowJson> {
    let Some(track) = clip.contacts() else {
        return Vec::new();
    };
    let second = |f: usize| f as f64 / clip.rate_hz();
    let mut rows = Vec::new();
    for (k, point) in track.points().iter().enumerate() {
        for range in track.plants(k) {
            rows.push(ContactRowJson {
                joint: point.name.clone(),
                start_s: second(range.start),
                end_s: second(range.end),
                confidence: sure(k, &range),
            });
        }
    }
    rows.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(a.joint.cmp(&b.joint)));
    rows
}

/// A field of a table, quoted where it must be.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
