//! What a job did to the library, taken back.

use serde::{Deserialize, Serialize};

use super::job::{JobKind, JobView};
use crate::error::{ApiError, ApiResult, Code};
use crate::project::write_json;
use crate::state::{LabelsEdit, ProjectPart, Studio};

/// What a job did that can be taken back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    /// Clips it made, by id.
    pub clips: Vec<String>,
    /// Labels it put on clips that were there: id and label.
    pub marks: Vec<(String, String)>,
}

impl Studio {
    /// Takes back what a job did to the library: clips it made go, with their labels, and labels it put on others.
    ///
    /// # Errors
    /// When there is nothing to take back, or a graph is being built from the clips.
    pub fn undo_job(&self, id: &str) -> ApiResult<JobView> {
        let job = self.jobs.get(id)?;
        if self.jobs.has_open(JobKind::Build) {
            return Err(
                ApiError::new(Code::Conflict, "a graph is being built from the clips")
                    .hint("wait for it, or cancel it"),
            );
        }
        let undo = job.undo().ok_or_else(|| {
            ApiError::new(Code::Conflict, "there is nothing of this job to take back")
                .hint("clips can be removed from the library by themselves")
        })?;
        let parts = [
            ProjectPart::Clips,
            ProjectPart::Labels,
            ProjectPart::Contacts,
        ];
        let gone = self.change(&parts, |inner| {
            let gone: Vec<_> = undo
                .clips
                .iter()
                .filter_map(|c| inner.clips.remove(c))
                .collect();
            for entry in &gone {
                inner.edits.0.remove(&entry.name);
            }
            for (clip, label) in &undo.marks {
                let Some(entry) = inner.clips.get(clip).cloned() else {
                    continue;
                };
                let mut rows = inner.labels(&entry);
                rows.retain(|r| r.label != *label);
                let edits = inner.edits.0.entry(entry.name.clone()).or_default();
                let revision = edits.labels.as_ref().map_or(0, |l| l.revision) + 1;
                edits.labels = Some(LabelsEdit { revision, rows });
            }
            Ok(gone)
        })?;
        self.forget_clips(&gone);
        job.set_undo(None);
        job.set(|v| v.message = format!("taken back: {}", v.message));
        write_json(&self.folder.job(id), &job.file())?;
        self.tell_job(&job);
        Ok(job.view())
    }
}
