//! Which project is open: one at a time, and another when somebody asks for it.
//!
//! A page may make, open and copy projects in one folder only, the *projects folder*: that which holds the project the server was
//! started with, or the one named with `--projects`. A page names a project by a folder's name, never by a path, and only folders right
//! below that hold a project of ours are opened. So whoever reaches the page (with a token, from another machine) reaches the projects
//! somebody put side by side, and not the rest of the disk; who wants another place starts the server there.
//!
//! What belongs to a project (jobs, events, frames in memory, results) is in its [`Studio`], and every request is answered by one of
//! them from its beginning to its end. A tab says with each request which project it shows; once another is open it is refused rather
//! than answered from that one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use gaitway_files::has_random_name;
use serde::Serialize;
use tower::ServiceExt;
use utoipa::ToSchema;

use crate::config::Config;
use crate::error::{ApiError, ApiResult, Code, StudioError};
use crate::jobs::{JobKind, JobRequest};
use crate::page;
use crate::project::{COPY, Origin, ProjectFile, new_key, write_json};
use crate::state::{Event, Studio, begin_empty, slug};

/// The header in which a tab says which project it shows.
pub const PROJECT: &str = "x-gaitway-project";
/// The folder of the demo.
pub const DEMO: &str = "demo";
/// More projects than this are not made by a page: a disk shall not fill up with folders.
const MOST_PROJECTS: usize = 500;
/// Parts of a project that lies in the projects folder itself, as those of older versions do.
const TAKEN: [&str; 3] = ["clips", "jobs", "results"];

/// A project of the projects folder.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProjectEntry {
    /// Name of its folder.
    pub folder: String,
    /// What it is called.
    pub name: String,
    /// The built-in performer's.
    pub demo: bool,
    /// Whether it is the one that is open.
    pub open: bool,
    /// When it was last open or changed, milliseconds since 1970; 0 where it was never.
    pub changed_ms: u64,
}

/// A project with those who work for it.
struct Open {
    studio: Arc<Studio>,
    router: Router,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Open {
    fn new(studio: Arc<Studio>) -> Self {
        Self {
            router: crate::server::project_router(studio.clone()),
            studio,
            workers: Mutex::default(),
        }
    }

    fn start(&self) -> Result<(), StudioError> {
        let started = self.studio.start_workers();
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.extend(started);
        drop(workers);
        self.studio.warm_up();
        if self.studio.wants_graph() && !self.studio.jobs.has_open(JobKind::Build) {
            self.studio
                .submit(JobRequest::plain_build())
                .map_err(|e| StudioError::new(e.to_string()))?;
        }
        Ok(())
    }

    /// Jobs are stopped and kept, as when the server stops.
    fn close(&self) {
        self.studio.close_jobs();
        let workers =
            std::mem::take(&mut *self.workers.lock().unwrap_or_else(PoisonError::into_inner));
        for worker in workers {
            // A worker that panicked has told so in its job.
            let _ = worker.join();
        }
        self.studio.leave();
    }
}

/// The open project, and the folder with the others.
pub struct Host {
    pub(crate) config: Config,
    home: PathBuf,
    current: RwLock<Arc<Open>>,
    /// Held while another project is being opened.
    switching: Mutex<()>,
    running: AtomicBool,
}

impl Host {
    /// Opens what the server is started with. The notes tell what could not be read.
    ///
    /// # Errors
    /// When the project cannot be had.
    pub fn open(config: Config) -> Result<(Arc<Self>, Vec<String>), StudioError> {
        let home = projects_folder(&config)?;
        sweep_copies(&home);
        let (studio, notes) = Studio::open(config.clone())?;
        let host = Self {
            config,
            home,
            current: RwLock::new(Arc::new(Open::new(studio))),
            switching: Mutex::default(),
            running: AtomicBool::new(false),
        };
        Ok((Arc::new(host), notes))
    }

    fn now(&self) -> Arc<Open> {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The open project.
    pub fn studio(&self) -> Arc<Studio> {
        self.now().studio.clone()
    }

    /// Starts those who work.
    ///
    /// # Errors
    /// When the first build cannot be asked for.
    pub fn start(&self) -> Result<(), StudioError> {
        self.running.store(true, Ordering::Relaxed);
        self.now().start()
    }

    /// Asks all work to stop, without waiting for it.
    pub fn stop(&self) {
        self.running.store(false, Ordering::Relaxed);
        self.studio().close_jobs();
    }

    /// Waits until all work has stopped, and lets the folder go.
    pub fn close(&self) {
        self.running.store(false, Ordering::Relaxed);
        self.now().close();
    }

    /// All projects, the newest first; the demo is among them before it is first opened.
    pub fn projects(&self) -> Vec<ProjectEntry> {
        let open = self.studio();
        let here = open.folder.path().to_path_buf();
        let mut out = Vec::new();
        let list = std::fs::read_dir(&self.home)
            .into_iter()
            .flatten()
            .flatten();
        for item in list {
            let Some(folder) = item.file_name().to_str().map(str::to_owned) else {
                continue;
            };
            if let Some(entry) = entry(&item.path(), folder, item.path() == here) {
                out.push(entry);
            }
        }
        if !out.iter().any(|p| p.open) {
            let name = here.file_name().unwrap_or_default().to_string_lossy();
            out.extend(entry(&here, name.into_owned(), true));
        }
        out.sort_by(|a, b| {
            let newest = b.changed_ms.cmp(&a.changed_ms);
            newest.then(a.folder.cmp(&b.folder))
        });
        if !out.iter().any(|p| p.demo) && !self.home.join(DEMO).exists() {
            out.push(ProjectEntry {
                folder: DEMO.to_owned(),
                name: DEMO.to_owned(),
                demo: true,
                open: false,
                changed_ms: 0,
            });
        }
        out
    }

    /// Begins a project and opens it.
    ///
    /// # Errors
    /// When it cannot be called so, or cannot be made; or when work is under way and may not be interrupted.
    pub fn create(&self, name: &str, interrupt: bool) -> ApiResult<Arc<Studio>> {
        let _turn = self.turn();
        self.may_leave(interrupt)?;
        let folder = self.free_folder(name)?;
        begin_empty(&folder, name.trim()).map_err(ApiError::from)?;
        self.switch(&folder)
    }

    /// Opens a project of the projects folder.
    ///
    /// # Errors
    /// When there is none of this name; or when work is under way and may not be interrupted.
    pub fn open_project(&self, folder: &str, interrupt: bool) -> ApiResult<Arc<Studio>> {
        let _turn = self.turn();
        // Only what the list has: a page cannot lead anywhere else, whatever it sends.
        let known = self.projects().into_iter().find(|p| p.folder == folder);
        let known = known.ok_or_else(|| {
            ApiError::not_found(format!("project `{}`", short(folder)))
                .hint("GET /api/projects lists them; others are opened by starting the studio with --project DIR")
        })?;
        if known.open {
            return Ok(self.studio());
        }
        self.may_leave(interrupt)?;
        self.switch(&self.home.join(&known.folder))
    }

    /// Copies the open project under another name, and opens the copy.
    ///
    /// # Errors
    /// As [`Host::create`], and when the disk is full.
    pub fn save_as(&self, name: &str, interrupt: bool) -> ApiResult<Arc<Studio>> {
        let _turn = self.turn();
        self.may_leave(interrupt)?;
        let folder = self.free_folder(name)?;
        let failed = |e: std::io::Error| ApiError::internal(format!("the copy failed: {e}"));
        let beside = tempfile::Builder::new()
            .prefix(COPY)
            .tempdir_in(&self.home)
            .map_err(failed)?;
        let studio = self.studio();
        studio.at_rest(|inner| -> ApiResult<()> {
            studio.folder.copy_to(beside.path()).map_err(failed)?;
            let mut project: ProjectFile = inner.project.clone();
            project.key = new_key();
            project.name = name.trim().to_owned();
            if project.origin == Origin::Demo {
                // A copy is somebody's own: it may grow, which the demo may not.
                let file = DEMO.to_owned();
                project.origin = Origin::Graph { file };
            }
            write_json(&beside.path().join("project.json"), &project)?;
            Ok(())
        })?;
        std::fs::rename(beside.path(), &folder).map_err(failed)?;
        self.switch(&folder)
    }

    fn turn(&self) -> std::sync::MutexGuard<'_, ()> {
        self.switching
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Jobs of a project stop when it is left; a build goes on when it is opened again.
    fn may_leave(&self, interrupt: bool) -> ApiResult<()> {
        let jobs = self.studio().jobs.list();
        match jobs.iter().find(|j| !j.state.is_over()) {
            Some(job) if !interrupt => {
                let what = format!("{} is under way in this project", job.id);
                Err(ApiError::new(Code::Busy, what)
                    .hint("wait for it; or leave all the same (`interrupt`): it stops, and a build goes on when the project is opened again"))
            }
            _ => Ok(()),
        }
    }

    fn switch(&self, folder: &Path) -> ApiResult<Arc<Studio>> {
        let config = Config {
            inputs: Vec::new(),
            project: folder.to_path_buf(),
            ..self.config.clone()
        };
        // Opened before the other is left: what cannot be opened changes nothing.
        let (studio, _) = Studio::open(config).map_err(ApiError::from)?;
        let next = Arc::new(Open::new(studio.clone()));
        if self.running.load(Ordering::Relaxed) {
            next.start().map_err(ApiError::from)?;
        }
        let before = {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *current, next)
        };
        before.studio.events.tell(Event::Left {
            name: studio.read().project.name.clone(),
        });
        before.close();
        Ok(studio)
    }

    /// A folder of the projects folder that nobody has, called after a name.
    fn free_folder(&self, name: &str) -> ApiResult<PathBuf> {
        let name = name.trim();
        if name.is_empty() || name.len() > 120 || name.chars().any(char::is_control) {
            return Err(ApiError::bad("a name has 1 to 120 letters")
                .field("name")
                .hint("such as the name of the folder the clips come from"));
        }
        if self.projects().len() >= MOST_PROJECTS {
            let what = format!("there are {MOST_PROJECTS} projects already");
            return Err(ApiError::new(Code::TooLarge, what)
                .hint("take folders of old ones out of the projects folder"));
        }
        let base = match slug(name, 60) {
            s if s.is_empty() || s == DEMO || TAKEN.contains(&&s[..]) => format!("project-{s}"),
            s => s,
        };
        let base = base.trim_end_matches('-');
        std::iter::once(self.home.join(base))
            .chain((2..1000).map(|k| self.home.join(format!("{base}-{k}"))))
            .find(|path| !path.exists())
            .ok_or_else(|| ApiError::bad("too many projects have this name").field("name"))
    }
}

/// What a folder holds, where that is a project.
fn entry(path: &Path, folder: String, open: bool) -> Option<ProjectEntry> {
    if folder.starts_with('.') {
        return None;
    }
    let file = path.join("project.json");
    let meta = std::fs::metadata(&file)
        .ok()
        .filter(|m| m.len() < 64 << 20)?;
    let project: ProjectFile = serde_json::from_slice(&std::fs::read(&file).ok()?).ok()?;
    let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(ProjectEntry {
        folder,
        demo: project.origin == Origin::Demo,
        name: project.name,
        open,
        changed_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
    })
}

/// Takes away copies that a server which was killed was about to make. One that is younger may be another server's, under way.
fn sweep_copies(home: &Path) {
    const OLD: Duration = Duration::from_secs(3600);
    let list = std::fs::read_dir(home).into_iter().flatten().flatten();
    for item in list.filter(|i| has_random_name(&i.file_name(), COPY, "")) {
        let changed = item.metadata().and_then(|m| m.modified()).ok();
        let age = changed.and_then(|t| t.elapsed().ok());
        if age.is_some_and(|a| a > OLD) {
            // What cannot be removed is never taken for a project either.
            let _ = std::fs::remove_dir_all(item.path());
        }
    }
}

/// Where projects lie side by side.
fn projects_folder(config: &Config) -> Result<PathBuf, StudioError> {
    let wrong = |e: std::io::Error| StudioError::new(e.to_string());
    if let Some(folder) = &config.projects {
        let failed = |e| StudioError::new(format!("{}: {e}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
        return std::path::absolute(folder).map_err(wrong);
    }
    let project = std::path::absolute(&config.project).map_err(wrong)?;
    let parent = project.parent().unwrap_or(&project);
    Ok(parent.to_path_buf())
}

/// The project to open where none is named: for clips or a graph, one called after them; for nothing, the one that was open last, else
/// the demo. A project that lies in the folder itself, as older versions kept it, is that one.
pub fn project_for(inputs: &[String], home: &Path) -> PathBuf {
    if home.join("project.json").is_file() {
        return home.to_path_buf();
    }
    let name = match inputs {
        [] => {
            let list = std::fs::read_dir(home).into_iter().flatten().flatten();
            let newest = list
                .filter_map(|i| entry(&i.path(), i.file_name().to_str()?.to_owned(), false))
                .max_by_key(|p| p.changed_ms);
            newest.map_or_else(|| DEMO.to_owned(), |p| p.folder)
        }
        [first, ..] => {
            let first = first.trim_start_matches('@').trim_end_matches(['/', '\\']);
            let whole = std::path::absolute(first).unwrap_or_else(|_| first.into());
            let stem = whole.file_stem().unwrap_or_default().to_string_lossy();
            match slug(&stem, 60) {
                s if s.is_empty() || s == DEMO => "project".to_owned(),
                s => s,
            }
        }
    };
    home.join(name)
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Hands a request to the open project.
pub async fn serve(State(host): State<Arc<Host>>, request: Request) -> Response {
    let path = request.uri().path();
    if !path.starts_with("/api/") {
        return page::serve(request.uri().clone(), request.headers().clone()).await;
    }
    let open = host.now();
    let asked = request.headers().get(PROJECT).and_then(|v| v.to_str().ok());
    let query = request.uri().query().unwrap_or("");
    let asked = asked.or_else(|| query.split('&').find_map(|p| p.strip_prefix("project=")));
    if asked.is_some_and(|key| key != open.studio.read().project.key) {
        return ApiError::other_project().into_response();
    }
    match open.router.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_called_after_what_it_is_made_of() {
        let home = tempfile::tempdir().expect("a folder");
        let name = |inputs: &[&str]| {
            let inputs: Vec<String> = inputs.iter().map(|i| (*i).to_owned()).collect();
            let path = project_for(&inputs, home.path());
            path.strip_prefix(home.path()).expect("inside").to_owned()
        };
        assert_eq!(name(&[]), Path::new("demo"));
        assert_eq!(name(&["captures/"]), Path::new("captures"));
        assert_eq!(name(&["a/My Walks.gway"]), Path::new("my-walks"));
        assert_eq!(name(&["@list.txt", "more"]), Path::new("list"));
        assert_eq!(name(&["demo"]), Path::new("project"));
        // The one that was open last is gone on with.
        begin_empty(&home.path().join("mine"), "mine").expect("begun");
        assert_eq!(name(&[]), Path::new("mine"));
        // As older versions kept it.
        std::fs::copy(
            home.path().join("mine/project.json"),
            home.path().join("project.json"),
        )
        .expect("copied");
        assert_eq!(name(&[]), Path::new(""));
    }
}
