//! Clips read anew with other options: what was labelled stays with the frames it was put on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gaitway_io::Input;
use serde::Deserialize;
use utoipa::ToSchema;

use super::edits::Edits;
use super::events::ProjectPart;
use super::import::import_uploads;
use super::library::{ClipEntry, Source};
use super::studio::Studio;
use crate::error::{ApiError, ApiResult, Code};
use crate::jobs::JobKind;
use crate::project::{Reading, Readings};

/// The fewest seconds a cut leaves: anything shorter is a slip.
const SHORTEST_CUT_S: f64 = 0.1;

/// A clip, and how its file is to be read from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadAs {
    /// Id of the clip; other clips of the same file follow.
    pub clip: String,
    /// All of it: what is left out is as without any option.
    pub reading: Reading,
}

impl Studio {
    /// Reads the files of some clips anew. When one of them cannot be read so, nothing has happened. Reads files.
    ///
    /// # Errors
    /// When a clip is not here or comes of no file, an option makes no sense, or a file cannot be read with it.
    pub fn read_as(&self, changes: &[ReadAs]) -> ApiResult<Vec<Arc<ClipEntry>>> {
        if self.jobs.has_open(JobKind::Build) {
            return Err(
                ApiError::new(Code::Conflict, "a graph is being built from the clips")
                    .hint("wait for it, or cancel it"),
            );
        }
        let (wanted, fps) = self.wanted(changes)?;
        let mut table = self.read().project.reading.clone();
        for (path, reading) in &wanted {
            let key = Readings::key(&self.folder, path);
            if reading.is_plain() {
                table.remove(&key);
            } else {
                table.insert(key, reading.clone());
            }
        }
        let input = |path: &PathBuf| Input {
            path: path.clone(),
            fps: fps.get(path).copied().flatten(),
            animation: None,
        };
        let readings = Readings {
            folder: &self.folder,
            table: &table,
        };
        let uploads = import_uploads(wanted.keys().map(input).collect(), &readings);
        if let Some(error) = uploads.bad.into_iter().next() {
            return Err(error.into());
        }
        let read = uploads.clips;
        for entry in &read {
            if let Source::File { reading, .. } = &entry.source
                && reading.cut.is_some()
                && entry.seconds() < SHORTEST_CUT_S
            {
                let what = format!("the cut leaves {:.2} s of {}", entry.seconds(), entry.file);
                return Err(ApiError::bad(what).field("reading.cut").hint(
                    "times are counted from the clip's first frame, before anything was cut",
                ));
            }
        }
        let parts = [
            ProjectPart::Clips,
            ProjectPart::Labels,
            ProjectPart::Contacts,
        ];
        let changed = self.change(&parts, |inner| {
            inner.project.reading = table;
            let mut changed = Vec::new();
            for new in read {
                let old = inner.clips.values().find(|e| same_place(e, &new)).cloned();
                let Some(old) = old else {
                    continue;
                };
                let new = ClipEntry {
                    id: old.id.clone(),
                    name: old.name.clone(),
                    file: old.file.clone(),
                    uploaded: old.uploaded,
                    ..new
                };
                move_edits(&mut inner.edits, &old, &new);
                changed.push(new.id.clone());
                inner.clips.insert(new.id.clone(), Arc::new(new));
            }
            Ok(changed)
        })?;
        for id in &changed {
            self.cache.forget(&format!("clip/{id}"));
        }
        let inner = self.read();
        Ok(changed
            .iter()
            .filter_map(|id| inner.clips.get(id).cloned())
            .collect())
    }

    /// What is wanted of each file, and the rate a list gave it.
    #[allow(clippy::type_complexity, reason = "two maps of one key")]
    fn wanted(
        &self,
        changes: &[ReadAs],
    ) -> ApiResult<(BTreeMap<PathBuf, Reading>, BTreeMap<PathBuf, Option<f64>>)> {
        let mut wanted = BTreeMap::new();
        let mut rates = BTreeMap::new();
        for (k, change) in changes.iter().enumerate() {
            let entry = self
                .entry(&change.clip)
                .map_err(|e| e.field(format!("clips[{k}].clip")))?;
            let Source::File { path, fps, .. } = &entry.source else {
                let what = format!("`{}` comes with the graph, not of a file", entry.name);
                return Err(ApiError::unprocessable(what).hint(
                    "drop the file it was made from onto a project of your own, and read that",
                ));
            };
            change.reading.options(&self.folder).map_err(|e| {
                let field = e.body().field.clone().unwrap_or_default();
                e.field(format!("clips[{k}].{field}"))
            })?;
            wanted.insert(path.clone(), change.reading.clone());
            rates.insert(path.clone(), *fps);
        }
        Ok((wanted, rates))
    }
}

fn same_place(a: &ClipEntry, b: &ClipEntry) -> bool {
    let place = |e: &ClipEntry| match &e.source {
        Source::File {
            path, animation, ..
        } => Some((path.clone(), animation.clone())),
        Source::Graph => None,
    };
    place(a).is_some() && place(a) == place(b)
}

/// Labels and contacts stay on their frames: second s of the old clip is frame s·r + f of the file, which the new clip shows at
/// (s·r + f − f′)/r′.
fn move_edits(edits: &mut Edits, old: &ClipEntry, new: &ClipEntry) {
    let Some(edit) = edits.0.get_mut(&old.name) else {
        return;
    };
    let moved = |start: &mut f64, end: &mut f64| {
        let at = |s: f64| {
            let frame = s * old.rate_hz + old.first_frame as f64 - new.first_frame as f64;
            (frame / new.rate_hz).clamp(0.0, new.seconds())
        };
        (*start, *end) = (at(*start), at(*end));
        *end - *start > 0.5 / new.rate_hz
    };
    if let Some(labels) = &mut edit.labels {
        labels
            .rows
            .retain_mut(|r| moved(&mut r.start_s, &mut r.end_s));
        labels.revision += 1;
    }
    if let Some(contacts) = &mut edit.contacts {
        contacts
            .rows
            .retain_mut(|r| moved(&mut r.start_s, &mut r.end_s));
        contacts.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use proptest::prelude::*;

    use super::*;
    use crate::state::{ClipEdits, LabelsEdit, rest_pose};
    use crate::wire::gwmo::LabelSeconds;

    fn entry(rate_hz: f64, frames: usize, first_frame: usize) -> ClipEntry {
        let clip = gaitway_core::testing::swinging_clip("a", 2, 30.0);
        ClipEntry {
            id: "a".to_owned(),
            name: "a".to_owned(),
            file: "a.bvh".to_owned(),
            format: "bvh".to_owned(),
            joints: 1,
            frames,
            rate_hz,
            labels: Vec::new(),
            warnings: Vec::new(),
            noise: Vec::new(),
            source: Source::File {
                path: PathBuf::from("a.bvh"),
                animation: None,
                fps: None,
                reading: Box::default(),
            },
            checksum: [0; 32],
            uploaded: true,
            body: Arc::new(rest_pose(clip.skeleton()).expect("a pose")),
            flights: Vec::new(),
            first_frame,
            file_says: None,
        }
    }

    proptest! {
        /// Whatever rate, T-pose and cut become: a label covers the frames of the file it covered before, as far as they are left.
        #[test]
        fn labels_stay_on_their_frames(
            (was, is) in (prop::sample::select(vec![30.0, 60.0, 120.0]), prop::sample::select(vec![24.0, 60.0, 120.0])),
            first in 0..2_usize, cut in 0..300_usize, left in 50..400_usize, a in 0..390_usize, long in 1..200_usize,
        ) {
            let (old, new) = (entry(was, 600, first), entry(is, left, cut));
            let (from, to) = (a, (a + long).min(600));
            let row = LabelSeconds { label: "walk".to_owned(), start_s: from as f64 / was, end_s: to as f64 / was };
            let edit = ClipEdits { labels: Some(LabelsEdit { revision: 4, rows: vec![row] }), contacts: None };
            let mut edits = Edits(BTreeMap::from([("a".to_owned(), edit)]));
            move_edits(&mut edits, &old, &new);
            let labels = edits.0["a"].labels.as_ref().expect("labels");
            prop_assert_eq!(labels.revision, 5);
            let frame = |f: usize| (f + first).saturating_sub(cut).min(left);
            let expected = frame(from)..frame(to);
            if expected.is_empty() {
                prop_assert!(labels.rows.is_empty());
            } else {
                let row = &labels.rows[0];
                let found = (row.start_s * is).round() as usize..(row.end_s * is).round() as usize;
                prop_assert_eq!(found, expected);
            }
        }
    }
}
