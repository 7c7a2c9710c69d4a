//! Contacts a user gives, put on clips. The table they stand in is read by `gaitway_io::read_contacts`.

use thiserror::Error;

use crate::{Clip, ContactPoint, ContactTrack, Skeleton};

/// One row of a contacts file.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRow {
    /// Which clip, as written.
    pub file: String,
    /// Which point, as written.
    pub joint: String,
    /// First second; `None`: from the clip's start.
    pub start_s: Option<f64>,
    /// End in seconds; `None`: to the clip's end.
    pub end_s: Option<f64>,
    /// Where the row stands, counted from 1.
    pub line: usize,
}

/// Why rows do not fit a clip.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "line {line}: `{clip}` has no joint or contact point `{joint}`; contact points are {known}"
)]
pub struct OverrideError {
    /// Where the row stands.
    pub line: usize,
    /// The clip's name.
    pub clip: String,
    /// The joint it lacks.
    pub joint: String,
    /// What it has.
    pub known: String,
}

/// Whether a row's file means a clip: equal paths or a suffix of whole path parts, extension or not.
fn names_clip(file: &str, clip: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let path = path.replace('\\', "/");
        path.split('/')
            .filter(|p| !p.is_empty() && *p != ".")
            .map(str::to_owned)
            .collect()
    };
    let bare = |mut parts: Vec<String>| {
        if let Some(last) = parts.last_mut()
            && let Some((stem, ext)) = last.rsplit_once('.')
            && !stem.is_empty()
            && (1..=4).contains(&ext.len())
            && ext.chars().all(|c| c.is_ascii_alphanumeric())
            && ext.chars().any(|c| c.is_ascii_alphabetic())
        {
            *last = stem.to_owned();
        }
        parts
    };
    let (file, clip) = (bare(parts(file)), bare(parts(clip)));
    !file.is_empty() && (clip.ends_with(&file) || file.ends_with(&clip) && !clip.is_empty())
}

/// A clip's contacts with those rows of a file that mean it put in place of what was found: every point that a
/// row names stands exactly where rows say, all others stay as in `found`. `None` when no row means the clip.
///
/// # Errors
/// When a row that means the clip names a joint it lacks.
pub fn override_contacts(
    clip: &Clip,
    found: Option<&ContactTrack>,
    rows: &[ContactRow],
) -> Result<Option<ContactTrack>, OverrideError> {
    let rows: Vec<&ContactRow> = rows
        .iter()
        .filter(|r| names_clip(&r.file, clip.name()))
        .collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let frames = clip.frame_count();
    let mut points: Vec<ContactPoint> = found.map_or(Vec::new(), |t| t.points().to_vec());
    let mut named = Vec::with_capacity(rows.len());
    for row in &rows {
        let at = match index_of(clip.skeleton(), &points, &row.joint) {
            Known::Track(i) => i,
            Known::New(point) if points.len() < ContactTrack::MAX_POINTS => {
                points.push(point);
                points.len() - 1
            }
            _ => return Err(unknown(clip, &points, row)),
        };
        named.push(at);
    }
    let mut track = ContactTrack::new(points, frames);
    if let Some(found) = found {
        for frame in 0..frames.min(found.frame_count()) {
            track.set_mask(frame, found.mask(frame));
        }
    }
    for &point in &named {
        (0..frames).for_each(|f| track.set(f, point, false));
    }
    for (row, &point) in rows.iter().zip(&named) {
        // Frame f shows time f / rate; `as` saturates, so wild times end at the clip's end.
        let frame = |s: f64| ((s * clip.rate_hz()).round() as usize).min(frames);
        let start = row.start_s.map_or(0, frame);
        let end = row.end_s.map_or(frames, frame);
        (start..end).for_each(|f| track.set(f, point, true));
    }
    Ok(Some(track))
}

enum Known {
    Track(usize),
    New(ContactPoint),
    Nothing,
}

fn index_of(skeleton: &Skeleton, points: &[ContactPoint], name: &str) -> Known {
    if let Some(i) = points.iter().position(|p| p.name == name) {
        return Known::Track(i);
    }
    let Some(point) = skeleton.find_point(name) else {
        return Known::Nothing;
    };
    match points.iter().position(|p| p.point == point) {
        Some(i) => Known::Track(i),
        None => Known::New(ContactPoint {
            name: name.to_owned(),
            point,
        }),
    }
}

fn unknown(clip: &Clip, points: &[ContactPoint], row: &ContactRow) -> OverrideError {
    let names: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
    OverrideError {
        line: row.line,
        clip: clip.name().to_owned(),
        joint: row.joint.clone(),
        known: if names.is_empty() {
            "none".into()
        } else {
            names.join(", ")
        },
    }
}
