//! One job.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use gaitway_synth::search::BestSoFar;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::request::JobRequest;
use super::undo::Undo;
use crate::error::ApiError;
use crate::state::GraphState;

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waits for its turn.
    Queued,
    /// Under way.
    Running,
    /// Ended well.
    Done,
    /// Ended badly: see the error.
    Failed,
    /// Stopped as asked.
    Cancelled,
    /// The server ended in the middle of it.
    Interrupted,
}

impl JobState {
    /// Whether nothing more will happen by itself.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Builds the graph.
    Build,
    /// Makes motion along a path.
    Path,
    /// Searches a part of a result again.
    Resolve,
    /// Walks at random.
    Walk,
    /// Makes motion that ends at a place.
    Place,
    /// Goes from one moment of a clip to another.
    Connect,
    /// Draws a result as an animation.
    Draw,
    /// Connects the graph better.
    Enrich,
    /// Puts clips on another body.
    Retarget,
}

impl JobKind {
    /// The word for it, with which ids begin.
    pub fn word(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Path => "path",
            Self::Resolve => "resolve",
            Self::Walk => "walk",
            Self::Place => "place",
            Self::Connect => "connect",
            Self::Draw => "draw",
            Self::Enrich => "enrich",
            Self::Retarget => "retarget",
        }
    }
}

/// A job as the page sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobView {
    /// Its id.
    pub id: String,
    /// What it does.
    pub kind: JobKind,
    /// How far it is.
    pub state: JobState,
    /// Progress, 0 to 1.
    pub part: f64,
    /// What happens now, or what came of it.
    pub message: String,
    /// Why it failed.
    #[schema(required)]
    pub error: Option<String>,
    /// What to do about that.
    #[serde(default)]
    #[schema(required)]
    pub hint: Option<String>,
    /// The result it made, or drew.
    #[schema(required)]
    pub result: Option<String>,
    /// Clips it made, by id.
    #[serde(default)]
    #[schema(required)]
    pub clips: Vec<String>,
    /// Whether what it did to the library can be taken back.
    #[serde(default)]
    #[schema(required)]
    pub can_undo: bool,
    /// When it was asked for, milliseconds since 1970.
    pub created_ms: u64,
    /// How long it has run.
    pub elapsed_s: f64,
}

/// A job as `jobs/ID.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobFile {
    /// As the page sees it.
    #[serde(flatten)]
    pub view: JobView,
    /// What was asked for.
    pub request: JobRequest,
    /// What it did that can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undo>,
}

/// Why a job ends before it is done.
#[derive(Debug)]
pub enum Stop {
    /// As asked.
    Cancelled,
    /// For a reason.
    Failed(String),
    /// For a reason, with what to do about it.
    Advised {
        /// The reason.
        message: String,
        /// What to press.
        hint: String,
    },
}

impl From<ApiError> for Stop {
    fn from(error: ApiError) -> Self {
        let body = error.body();
        let hint = body
            .hint
            .as_ref()
            .map_or(String::new(), |h| format!(" ({h})"));
        Self::Failed(format!("{}{hint}", body.message))
    }
}

/// The best walk a search has so far. Its frames are made when somebody asks for them: the search must not wait for that.
pub struct Best {
    /// The graph it goes through.
    pub state: Arc<GraphState>,
    /// The walk.
    pub walk: BestSoFar,
}

impl std::fmt::Debug for Best {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.walk.fmt(f)
    }
}

/// A job with all that belongs to it while the server runs.
#[derive(Debug)]
pub struct Job {
    /// What was asked for.
    pub request: JobRequest,
    /// Set to stop it.
    pub cancel: AtomicBool,
    /// The best so far of a search.
    pub best: Mutex<Option<Arc<Best>>>,
    undo: Mutex<Option<Undo>>,
    view: Mutex<JobView>,
    begun: Mutex<Option<Instant>>,
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Job {
    /// A job that waits.
    pub fn new(id: String, request: JobRequest) -> Self {
        let view = JobView {
            id,
            kind: request.kind(),
            state: JobState::Queued,
            part: 0.0,
            message: "waits for its turn".to_owned(),
            error: None,
            hint: None,
            result: None,
            clips: Vec::new(),
            can_undo: false,
            created_ms: now_ms(),
            elapsed_s: 0.0,
        };
        Self::of(JobFile {
            view,
            request,
            undo: None,
        })
    }

    /// A job from its file.
    pub fn of(file: JobFile) -> Self {
        Self {
            request: file.request,
            cancel: AtomicBool::new(false),
            best: Mutex::new(None),
            undo: Mutex::new(file.undo),
            view: Mutex::new(file.view),
            begun: Mutex::new(None),
        }
    }

    /// As it is now.
    pub fn view(&self) -> JobView {
        let mut view = self
            .view
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(begun) = *begun {
            view.elapsed_s = begun.elapsed().as_secs_f64();
        }
        view
    }

    /// As its file holds it.
    pub fn file(&self) -> JobFile {
        JobFile {
            view: self.view(),
            request: self.request.clone(),
            undo: self.undo(),
        }
    }

    /// What it did that can be taken back.
    pub fn undo(&self) -> Option<Undo> {
        self.undo
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Notes what it did that can be taken back, or that it was.
    pub fn set_undo(&self, undo: Option<Undo>) {
        self.set(|v| {
            v.clips = undo.as_ref().map_or_else(Vec::new, |u| u.clips.clone());
            v.can_undo = undo.is_some();
        });
        *self.undo.lock().unwrap_or_else(PoisonError::into_inner) = undo;
    }

    /// Changes what the page sees.
    pub fn set(&self, change: impl FnOnce(&mut JobView)) {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut view);
    }

    /// Starts or stops its clock.
    pub fn clock(&self, runs: bool) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if runs {
            *begun = Some(Instant::now());
        } else if let Some(since) = begun.take() {
            self.set(|v| v.elapsed_s = since.elapsed().as_secs_f64());
        }
    }

    /// Whether it shall stop.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
