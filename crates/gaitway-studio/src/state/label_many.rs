//! Labels of many clips at once: first proposed and shown, then put on.

use std::collections::BTreeMap;

use gaitway_io::{LabelRow, Labels, LabelsError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::edits::{LabelsEdit, check_labels};
use super::events::ProjectPart;
use super::library::ClipEntry;
use super::studio::{Inner, Studio};
use super::suggest::suggest;
use crate::error::{ApiError, ApiResult};
use crate::wire::gwmo::LabelSeconds;

/// The most rows in one request: more than a day of motion labelled step by step.
const MOST_ROWS: usize = 100_000;
/// The most clips that are looked at for suggestions in one request: their frames are read.
const MOST_CLIPS: usize = 1000;

/// A label on a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClipLabel {
    /// Id of the clip.
    pub clip: String,
    /// What is done.
    pub label: String,
    /// From.
    pub start_s: f64,
    /// To, exclusive.
    pub end_s: f64,
}

/// Where proposals come from.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Propose {
    /// Whole clips by their file's name, as `build --label-names` does.
    Names {
        /// With `*` and `?`; letter case does not count.
        pattern: String,
        /// What clips that fit are labelled.
        label: String,
        /// Only of these clips; of all where left out.
        #[serde(default)]
        clips: Option<Vec<String>>,
    },
    /// A table, as `build --labels` reads it.
    Table {
        /// What errors call it.
        name: String,
        /// Its text: `file,label,start_s,end_s`.
        text: String,
    },
    /// What speed and turning speak for.
    Motion {
        /// Only of these clips; of all where left out.
        #[serde(default)]
        clips: Option<Vec<String>>,
    },
}

/// Labels that nobody has put on yet.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Proposals {
    /// By clip.
    pub rows: Vec<ClipLabel>,
    /// What was left out and why.
    pub notes: Vec<String>,
}

/// Labels to be put on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddLabels {
    /// Put on beside those the clips have; what touches the same label becomes one with it.
    pub rows: Vec<ClipLabel>,
    /// The labels these clips have are taken off first.
    #[serde(default)]
    #[schema(default = false)]
    pub replace: bool,
}

impl Studio {
    /// Labels that a source speaks for. Nothing is changed. Reads files.
    ///
    /// # Errors
    /// When the source makes no sense.
    pub fn propose(&self, from: &Propose) -> ApiResult<Proposals> {
        match from {
            Propose::Names {
                pattern,
                label,
                clips,
            } => {
                if pattern.trim().is_empty() || pattern.len() > 200 {
                    return Err(ApiError::bad("a pattern has 1 to 200 letters")
                        .field("pattern")
                        .hint("walk_* fits every file whose name begins so"));
                }
                let labels = Labels::none().with_pattern(pattern.trim(), label);
                let inner = self.read();
                from_labels(&inner, &labels, clips.as_deref())
            }
            Propose::Table { name, text } => {
                let name: String = name.chars().take(120).collect();
                let labels = Labels::from_csv(text, &name, "").map_err(bad_table)?;
                if labels.rows().len() > MOST_ROWS {
                    return Err(too_many());
                }
                let inner = self.read();
                from_labels(&inner, &labels, None)
            }
            Propose::Motion { clips } => self.by_motion(clips.as_deref()),
        }
    }

    fn by_motion(&self, clips: Option<&[String]>) -> ApiResult<Proposals> {
        let ids: Vec<String> = match clips {
            Some(ids) => ids.to_vec(),
            None => self.read().clips.keys().cloned().collect(),
        };
        if ids.len() > MOST_CLIPS {
            return Err(ApiError::bad(format!("more than {MOST_CLIPS} clips"))
                .field("clips")
                .hint("ask for some of them at a time"));
        }
        let mut rows = Vec::new();
        for id in ids {
            let found = suggest(&self.loaded(&id)?.clip);
            rows.extend(found.into_iter().map(|row| on(&id, row)));
        }
        Ok(Proposals {
            rows,
            notes: Vec::new(),
        })
    }

    /// Puts labels on clips, all or none.
    ///
    /// # Errors
    /// With the row that does not fit.
    pub fn add_labels(&self, add: AddLabels) -> ApiResult<usize> {
        if add.rows.len() > MOST_ROWS {
            return Err(too_many());
        }
        let mut by_clip: BTreeMap<String, Vec<LabelSeconds>> = BTreeMap::new();
        for row in add.rows {
            by_clip.entry(row.clip).or_default().push(LabelSeconds {
                label: row.label,
                start_s: row.start_s,
                end_s: row.end_s,
            });
        }
        self.change(&[ProjectPart::Labels], |inner| {
            for (id, rows) in by_clip {
                let entry = inner.clips.get(&id).cloned();
                let entry = entry.ok_or_else(|| ApiError::no_clip(&id))?;
                let mut all = if add.replace {
                    Vec::new()
                } else {
                    inner.labels(&entry)
                };
                all.extend(check_labels(rows, entry.seconds())?);
                let rows = check_labels(joined(all, entry.rate_hz), entry.seconds())?;
                let edits = inner.edits.0.entry(entry.name.clone()).or_default();
                let revision = edits.labels.as_ref().map_or(0, |l| l.revision) + 1;
                edits.labels = Some(LabelsEdit { revision, rows });
            }
            Ok(inner.label_names().len())
        })
    }
}

fn too_many() -> ApiError {
    ApiError::bad(format!("more than {MOST_ROWS} rows"))
        .field("rows")
        .hint("put them on in several parts")
}

fn bad_table(error: LabelsError) -> ApiError {
    let out = ApiError::unprocessable(&error).field("text");
    match error.hint() {
        Some(hint) => out.hint(hint),
        None => out,
    }
}

fn on(id: &str, row: LabelSeconds) -> ClipLabel {
    ClipLabel {
        clip: id.to_owned(),
        label: row.label,
        start_s: row.start_s,
        end_s: row.end_s,
    }
}

fn from_labels(inner: &Inner, labels: &Labels, only: Option<&[String]>) -> ApiResult<Proposals> {
    let entries: Vec<&ClipEntry> = inner
        .clips
        .values()
        .map(AsRef::as_ref)
        .filter(|e| only.is_none_or(|ids| ids.contains(&e.id)))
        .collect();
    let names: Vec<String> = entries.iter().map(|e| e.name.clone()).collect();
    let found = labels.proposals(&names).map_err(bad_table)?;
    let mut notes = Vec::new();
    let known: Vec<&str> = found.iter().map(|(_, r)| r.file.as_str()).collect();
    let missing = labels
        .rows()
        .iter()
        .filter(|r| !known.contains(&&r.file[..]));
    let mut missing: Vec<&str> = missing.map(|r| r.file.as_str()).collect();
    missing.dedup();
    if let Some(first) = missing.first() {
        notes.push(format!(
            "{} files of the table are not among the clips, the first: {first}",
            missing.len()
        ));
    }
    if found.iter().any(|(_, r)| r.at_s.is_some()) {
        notes.push(
            "the column @ (when an action happens) is left out: the studio finds those moments itself"
                .to_owned(),
        );
    }
    let mut rows = Vec::new();
    for (at, row) in found {
        match placed(entries[at], &row) {
            Some(placed) => rows.push(placed),
            None => notes.push(format!(
                "`{}` begins after the end of `{}`; left out",
                row.label, entries[at].name
            )),
        }
    }
    Ok(Proposals { rows, notes })
}

/// A row on a clip, within its ends.
fn placed(entry: &ClipEntry, row: &LabelRow) -> Option<ClipLabel> {
    let seconds = entry.seconds();
    let start_s = row.start_s.unwrap_or(0.0);
    (start_s < seconds).then(|| ClipLabel {
        clip: entry.id.clone(),
        label: row.label.clone(),
        start_s,
        end_s: row.end_s.unwrap_or(seconds).min(seconds),
    })
}

/// Intervals of one label that overlap or touch within half a frame, as one.
fn joined(mut rows: Vec<LabelSeconds>, rate_hz: f64) -> Vec<LabelSeconds> {
    let near = 0.5 / rate_hz;
    rows.sort_by(|a, b| a.label.cmp(&b.label).then(a.start_s.total_cmp(&b.start_s)));
    let mut out: Vec<LabelSeconds> = Vec::with_capacity(rows.len());
    for row in rows {
        match out.last_mut() {
            Some(last) if last.label == row.label && row.start_s <= last.end_s + near => {
                last.end_s = last.end_s.max(row.end_s);
            }
            _ => out.push(row),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A moment has a label afterwards exactly when it had it before, and no two intervals of a label touch.
        #[test]
        fn joining_covers_the_same(rows in prop::collection::vec((0..3_u8, 0..200_u32, 1..60_u32), 0..30)) {
            let rows: Vec<LabelSeconds> = rows.into_iter().map(|(l, a, n)| LabelSeconds {
                label: l.to_string(), start_s: f64::from(a) / 30.0, end_s: f64::from(a + n) / 30.0,
            }).collect();
            let out = joined(rows.clone(), 30.0);
            for label in ["0", "1", "2"] {
                for frame in 0..270 {
                    let t = (f64::from(frame) + 0.5) / 30.0;
                    let has = |rows: &[LabelSeconds]| {
                        rows.iter().any(|r| r.label == label && r.start_s <= t && t < r.end_s)
                    };
                    prop_assert_eq!(has(&rows), has(&out));
                }
            }
            for pair in out.windows(2) {
                prop_assert!(pair[0].label != pair[1].label || pair[0].end_s < pair[1].start_s);
            }
        }
    }
}
