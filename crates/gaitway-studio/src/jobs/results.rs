//! Made motions on disk: `results/ID/` with `summary.json`, `result.json`, `path.json`, `obstacles.json`, `motion-K.gwcl`.

use std::path::PathBuf;
use std::sync::Arc;

use gaitway_core::Clip;
use gaitway_synth::report::KeptWalk;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::job::JobKind;
use super::request::{ObstacleJson, Sketch};
use crate::error::{ApiError, ApiResult};
use crate::project::{RESULT, motion_file, write_bytes, write_json};
use crate::state::{Loaded, ProjectPart, Studio};
use crate::wire::gwmo::{InterpolatedSpan, LabelSeconds, TransitionMarkJson};
use crate::wire::words;

/// A result in a line.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ResultSummary {
    /// Its id, that of the job that made it.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Kind of the job that made it.
    pub kind: JobKind,
    /// When it was made.
    pub created_ms: u64,
    /// Of the longest motion.
    pub seconds: f64,
    /// How many people.
    pub people: usize,
    /// How many alternatives.
    pub alternatives: usize,
    /// RMS distance of the best motion from its path, metres.
    #[schema(required)]
    pub rms_m: Option<f64>,
    /// Solved, OffPath, ActionMissed, ConstraintMissed, BudgetSpent or NoWalk.
    #[schema(schema_with = words::status)]
    pub status: String,
    /// Whose draft it is: the next search of the same takes its place. Null for what is kept.
    #[serde(default)]
    #[schema(required)]
    pub draft: Option<String>,
}

/// A measured number and its limit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BarJson {
    /// What is measured.
    pub name: String,
    /// What came of it; null where it cannot be measured.
    #[schema(required)]
    pub value: Option<f64>,
    /// The most it should be.
    pub bar: f64,
    /// Unit of value and limit.
    pub unit: String,
    /// Whether it stays below.
    pub pass: bool,
}

/// One motion of a result.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MemberFile {
    /// Which of the people, from 0.
    pub person: usize,
    /// Which of the alternatives, from 0.
    pub alternative: usize,
    /// When this one sets out, in a crowd.
    #[schema(required)]
    pub start_s: Option<f64>,
    /// Length in seconds.
    pub seconds: f64,
    /// Number of frames.
    pub frames: usize,
    /// Frames a second.
    pub rate_hz: f64,
    /// As `path --report` writes it.
    #[schema(value_type = HashMap<String, Value>)]
    pub report: Value,
    /// Numbers against bars.
    pub bars: Vec<BarJson>,
    /// The root on the ground, (x, z) every 5 cm.
    #[schema(value_type = Vec<(f64, f64)>)]
    pub way: Vec<[f64; 2]>,
    /// What is done when.
    pub labels: Vec<LabelSeconds>,
    /// Transitions taken.
    pub transitions: Vec<TransitionMarkJson>,
    /// When it plays interpolated clips; none in results kept before there were any.
    #[serde(default)]
    #[schema(required)]
    pub interpolated: Vec<InterpolatedSpan>,
    /// Height of the ground.
    pub floor_m: f64,
    /// The walk, where it can be searched again.
    #[schema(value_type = Option<HashMap<String, Value>>, required)]
    pub walk: Option<KeptWalk>,
}

/// A result.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ResultFile {
    /// Its id.
    pub id: String,
    /// Kind of the job that made it.
    pub kind: JobKind,
    /// What was asked for.
    #[schema(value_type = HashMap<String, Value>)]
    pub request: Value,
    /// The motions.
    pub members: Vec<MemberFile>,
    /// The path that was asked for, (x, z) every few centimetres.
    #[schema(value_type = Vec<(f64, f64)>)]
    pub target: Vec<[f64; 2]>,
    /// Obstacles.
    pub obstacles: Vec<ObstacleJson>,
    /// The command line that does the same.
    pub command: String,
    /// What that command needs beside it: exports and the graph.
    pub files: Vec<String>,
    /// What was told on the way.
    pub notes: Vec<String>,
    /// What it was drawn as, in the page's own form.
    #[serde(default)]
    #[schema(value_type = Option<HashMap<String, Value>>, required)]
    pub sketch: Option<Sketch>,
}

/// What a job made, before it is written.
pub struct Fresh {
    /// For lists.
    pub summary: ResultSummary,
    /// All but the frames.
    pub result: ResultFile,
    /// A clip per member.
    pub clips: Vec<Clip>,
    /// `path.json`.
    pub path: Option<String>,
    /// `obstacles.json`.
    pub obstacles: Option<String>,
    /// `before.json`: the report of what this was changed from.
    pub before: Option<String>,
}

impl Studio {
    /// Writes a result: beside its place first, so that half of one is never seen.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep_result(&self, fresh: &Fresh) -> ApiResult<()> {
        let place = self.folder.result(&fresh.summary.id);
        let beside = self.folder.result(&format!("{RESULT}{}", fresh.summary.id));
        let failed = |e: std::io::Error| ApiError::internal(format!("{}: {e}", place.display()));
        if beside.exists() {
            std::fs::remove_dir_all(&beside).map_err(failed)?;
        }
        std::fs::create_dir_all(&beside).map_err(failed)?;
        write_json(&beside.join("result.json"), &fresh.result)?;
        write_json(&beside.join("request.json"), &fresh.result.request)?;
        for (k, clip) in fresh.clips.iter().enumerate() {
            write_bytes(
                &beside.join(format!("motion-{k}.gwcl")),
                &motion_file::encode(clip),
            )?;
        }
        for (name, text) in [
            ("path.json", &fresh.path),
            ("obstacles.json", &fresh.obstacles),
            ("before.json", &fresh.before),
        ] {
            if let Some(text) = text {
                write_bytes(&beside.join(name), text.as_bytes())?;
            }
        }
        write_json(&beside.join("summary.json"), &fresh.summary)?;
        if place.exists() {
            // A job that goes on after an interruption makes its result again.
            std::fs::remove_dir_all(&place).map_err(failed)?;
        }
        std::fs::rename(&beside, &place).map_err(failed)?;
        self.cache.forget(&format!("result/{}/", fresh.summary.id));
        if let Some(whose) = &fresh.summary.draft {
            self.drop_old_drafts(whose)?;
        }
        self.change(&[ProjectPart::Results], |_| Ok(()))
    }

    /// Takes away what newer drafts took the place of: all of the same but the last two, one of which may still be playing; and the
    /// oldest of those whose tab is long closed.
    fn drop_old_drafts(&self, whose: &str) -> ApiResult<()> {
        const OWN: usize = 2;
        const ALL: usize = 4;
        let drafts = self.results()?.into_iter().filter(|r| r.draft.is_some());
        let (own, others): (Vec<_>, Vec<_>) =
            drafts.partition(|r| r.draft.as_deref() == Some(whose));
        for old in own.iter().skip(OWN).chain(others.iter().skip(ALL)) {
            // What cannot be removed is tried again with the next.
            let _ = std::fs::remove_dir_all(self.folder.result(&old.id));
            self.cache.forget(&format!("result/{}/", old.id));
        }
        Ok(())
    }

    /// All results, newest first. Reads files.
    ///
    /// # Errors
    /// What the system says.
    pub fn results(&self) -> ApiResult<Vec<ResultSummary>> {
        let folder = self.folder.file("results");
        let failed = |e: std::io::Error| ApiError::internal(format!("{}: {e}", folder.display()));
        let mut out: Vec<ResultSummary> = Vec::new();
        for item in std::fs::read_dir(&folder).map_err(failed)? {
            let path = item.map_err(failed)?.path().join("summary.json");
            // A folder without a summary is no result: half written, or somebody else's.
            if let Ok(Some(summary)) = self.folder.read_json(&path) {
                out.push(summary);
            }
        }
        out.sort_by(|a, b| b.created_ms.cmp(&a.created_ms).then(b.id.cmp(&a.id)));
        Ok(out)
    }

    fn result_folder(&self, id: &str) -> ApiResult<PathBuf> {
        let folder = self.folder.result(id);
        if crate::extract::is_id(id) && folder.join("summary.json").is_file() {
            Ok(folder)
        } else {
            Err(ApiError::no_result(id))
        }
    }

    /// One result without its frames. Reads files.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn result(&self, id: &str) -> ApiResult<ResultFile> {
        let path = self.result_folder(id)?.join("result.json");
        let read = self.folder.read_json(&path).map_err(ApiError::internal)?;
        read.ok_or_else(|| ApiError::no_result(id))
    }

    /// A small file of a result, as it was written.
    ///
    /// # Errors
    /// When the result has none.
    pub fn result_text(&self, id: &str, name: &'static str) -> ApiResult<Vec<u8>> {
        let path = self.result_folder(id)?.join(name);
        std::fs::read(path).map_err(|_| {
            ApiError::not_found(format!("{name} of result `{id}`"))
                .hint("a result's `files` names those it has")
        })
    }

    /// The frames of a motion of a result.
    ///
    /// # Errors
    /// When there is none.
    pub fn result_motion(&self, id: &str, member: usize) -> ApiResult<Arc<Loaded>> {
        let folder = self.result_folder(id)?;
        self.cache.get(&format!("result/{id}/{member}"), || {
            let missing = || ApiError::no_motion(id, member);
            let bytes = std::fs::read(folder.join(format!("motion-{member}.gwcl")))
                .map_err(|_| missing())?;
            motion_file::decode(&bytes)
                .ok_or_else(|| ApiError::internal("the motion's file is damaged"))
        })
    }

    /// Calls a result something else, or keeps a draft for good; the rest of it stays as it was made. What has a name is kept.
    ///
    /// # Errors
    /// When there is none of this id, or it cannot be called that.
    pub fn rename_result(&self, id: &str, name: Option<&str>) -> ApiResult<ResultSummary> {
        let name = name.map(str::trim);
        if name == Some("") {
            return Err(ApiError::bad("a name has at least one letter")
                .field("name")
                .hint("to go back to no name of its own, say what it is: 8 m path"));
        }
        name.map(super::check::name).transpose()?;
        let path = self.result_folder(id)?.join("summary.json");
        // In the turn of all changes: two who rename at once end with one of the names, whole.
        self.change(&[ProjectPart::Results], |_| {
            let read = self.folder.read_json(&path).map_err(ApiError::internal)?;
            let mut summary: ResultSummary = read.ok_or_else(|| ApiError::no_result(id))?;
            if let Some(name) = name {
                summary.name = name.to_owned();
            }
            summary.draft = None;
            write_json(&path, &summary)?;
            Ok(summary)
        })
    }

    /// Takes a result away.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn drop_result(&self, id: &str) -> ApiResult<()> {
        let folder = self.result_folder(id)?;
        std::fs::remove_dir_all(&folder).map_err(|e| ApiError::internal(e.to_string()))?;
        self.cache.forget(&format!("result/{id}/"));
        self.change(&[ProjectPart::Results], |_| Ok(()))
    }
}

/// The root on the ground, a place every 5 cm or so.
pub fn ground_path_of(clip: &Clip) -> Vec<[f64; 2]> {
    every_step(clip.root().iter().map(|p| [p.x, p.z]))
}

/// Of many places those that are 5 cm or so apart, and the last.
pub fn every_step(places: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    const STEP_M: f64 = 0.05;
    let mut out: Vec<[f64; 2]> = Vec::new();
    let mut end = None;
    for p in places {
        let far = |q: &[f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]) >= STEP_M;
        if out.last().is_none_or(far) {
            out.push(p);
        }
        end = Some(p);
    }
    if end.as_ref() != out.last() {
        out.extend(end);
    }
    out
}
