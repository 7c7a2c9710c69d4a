//! All jobs, those that wait, and those who work on them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::job::{Job, JobFile, JobKind, JobState, JobView};
use super::request::JobRequest;
use super::run;
use crate::error::{ApiError, Code, StudioError};
use crate::project::{Folder, write_json};
use crate::state::{Event, Studio};

/// How many run at once.
const WORKERS: usize = 2;
/// How many may wait.
pub const MOST_QUEUED: usize = 256;
/// How many that are over are remembered.
const MOST_KEPT: usize = 500;

#[derive(Debug, Default)]
struct Table {
    jobs: BTreeMap<String, Arc<Job>>,
    waiting: VecDeque<String>,
    next: u64,
    closed: bool,
    busy: usize,
}

/// The jobs of a project.
#[derive(Debug, Default)]
pub struct Jobs {
    table: Mutex<Table>,
    wake: Condvar,
}

/// Ids sort by age.
fn number(id: &str) -> u64 {
    id.rsplit('-')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

impl Jobs {
    /// The jobs of a folder. What ran when the last server ended is interrupted; builds and what connects graphs better go on where they stopped.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn open(folder: &Folder, notes: &mut Vec<String>) -> Result<Self, StudioError> {
        let mut table = Table::default();
        let path = folder.file("jobs");
        let failed = |e: std::io::Error| StudioError::new(format!("{}: {e}", path.display()));
        for item in std::fs::read_dir(&path).map_err(failed)? {
            let file = item.map_err(failed)?.path();
            if file.extension().is_none_or(|e| e != "json") {
                continue;
            }
            match folder.read_json::<JobFile>(&file) {
                Ok(Some(job)) => {
                    table.next = table.next.max(number(&job.view.id));
                    table
                        .jobs
                        .insert(job.view.id.clone(), Arc::new(Job::of(job)));
                }
                Ok(None) => {}
                Err(e) => notes.push(e.to_string()),
            }
        }
        for (id, job) in &table.jobs {
            if !job.view().state.is_over() {
                let was = 100.0 * job.view().part;
                job.set(|v| {
                    v.state = JobState::Interrupted;
                    v.message = format!("the server ended in the middle of it, at {was:.0} %");
                });
            }
            // What compares clips goes on by itself: its journal holds what was compared.
            if job.view().state == JobState::Interrupted
                && matches!(
                    job.request,
                    JobRequest::Build { .. } | JobRequest::Enrich {}
                )
            {
                table.waiting.push_back(id.clone());
            }
        }
        forget_old(&mut table, folder);
        Ok(Self {
            table: Mutex::new(table),
            wake: Condvar::new(),
        })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All jobs, newest first.
    pub fn list(&self) -> Vec<JobView> {
        let mut all: Vec<JobView> = self.table().jobs.values().map(|j| j.view()).collect();
        all.sort_by_key(|j| std::cmp::Reverse(number(&j.id)));
        all
    }

    /// One job.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let found = self.table().jobs.get(id).cloned();
        found.ok_or_else(|| {
            ApiError::not_found(format!("job `{id}`"))
                .hint("the jobs there are, are listed at /api/jobs")
        })
    }

    /// Whether anything of a kind waits or runs.
    pub fn has_open(&self, kind: JobKind) -> bool {
        let table = self.table();
        let waits = |id: &String| table.jobs.get(id).is_some_and(|j| j.request.kind() == kind);
        table.waiting.iter().any(waits)
            || table
                .jobs
                .values()
                .any(|j| j.request.kind() == kind && !j.view().state.is_over())
    }
}

/// The oldest that are over go, with their files.
fn forget_old(table: &mut Table, folder: &Folder) {
    let over = |j: &Job| j.view().state.is_over() && j.view().state != JobState::Interrupted;
    let mut old: Vec<String> = table
        .jobs
        .iter()
        .filter(|(_, j)| over(j))
        .map(|(id, _)| id.clone())
        .collect();
    old.sort_by_key(|id| number(id));
    let excess = old.len().saturating_sub(MOST_KEPT);
    for id in old.into_iter().take(excess) {
        table.jobs.remove(&id);
        // A file that stays behind is read, and forgotten again, next time.
        let _ = std::fs::remove_file(folder.job(&id));
    }
}

impl Studio {
    /// Takes a job in.
    ///
    /// # Errors
    /// When too many wait already, or the folder cannot be written.
    pub fn submit(&self, request: JobRequest) -> Result<Arc<Job>, ApiError> {
        let mut table = self.jobs.table();
        if table.closed {
            return Err(ApiError::new(Code::Busy, "the server is stopping"));
        }
        if table.waiting.len() >= MOST_QUEUED {
            return Err(
                ApiError::new(Code::Busy, format!("{MOST_QUEUED} jobs wait already"))
                    .hint("cancel some, or ask again later"),
            );
        }
        let earlier: Vec<String> = match request.live() {
            None => Vec::new(),
            Some(whose) => {
                let same =
                    |j: &&Arc<Job>| j.request.live() == Some(whose) && !j.view().state.is_over();
                table
                    .jobs
                    .values()
                    .filter(same)
                    .map(|j| j.view().id)
                    .collect()
            }
        };
        table.next += 1;
        let id = format!("{}-{:06}", request.kind().word(), table.next);
        let job = Arc::new(Job::new(id.clone(), request));
        write_json(&self.folder.job(&id), &job.file())?;
        table.jobs.insert(id.clone(), job.clone());
        table.waiting.push_back(id);
        forget_old(&mut table, &self.folder);
        drop(table);
        for old in &earlier {
            self.cancel(old)?;
        }
        self.jobs.wake.notify_one();
        self.tell_job(&job);
        Ok(job)
    }

    /// Asks a job to stop: at once where it waits, soon where it runs.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn cancel(&self, id: &str) -> Result<JobView, ApiError> {
        let job = self.jobs.get(id)?;
        job.cancel.store(true, Ordering::Relaxed);
        let mut table = self.jobs.table();
        let waited = table.waiting.iter().position(|w| w == id);
        if let Some(at) = waited {
            table.waiting.remove(at);
            job.set(|v| {
                v.state = JobState::Cancelled;
                v.message = "cancelled before it began".to_owned();
            });
            write_json(&self.folder.job(id), &job.file())?;
        }
        drop(table);
        self.tell_job(&job);
        Ok(job.view())
    }

    /// Takes up again a job that was interrupted, failed or cancelled.
    ///
    /// # Errors
    /// When it is still open, or done.
    pub fn resume(&self, id: &str) -> Result<JobView, ApiError> {
        let job = self.jobs.get(id)?;
        let mut table = self.jobs.table();
        let state = job.view().state;
        if !state.is_over() || state == JobState::Done || table.waiting.iter().any(|w| w == id) {
            return Err(ApiError::new(
                Code::Conflict,
                "only a job that did not end well can go on",
            )
            .hint("ask for the same again as a new job"));
        }
        if table.waiting.len() >= MOST_QUEUED {
            return Err(
                ApiError::new(Code::Busy, format!("{MOST_QUEUED} jobs wait already"))
                    .hint("wait until some are done, or cancel some"),
            );
        }
        job.cancel.store(false, Ordering::Relaxed);
        job.set(|v| {
            v.state = JobState::Queued;
            v.error = None;
            v.hint = None;
            v.message = "goes on".to_owned();
        });
        write_json(&self.folder.job(id), &job.file())?;
        table.waiting.push_back(id.to_owned());
        drop(table);
        self.jobs.wake.notify_one();
        self.tell_job(&job);
        Ok(job.view())
    }

    /// Tells everybody how a job is.
    pub fn tell_job(&self, job: &Job) {
        self.events.tell(Event::Job { job: job.view() });
    }

    /// Starts those who work. They end when the queue is closed.
    pub fn start_workers(self: &Arc<Self>) -> Vec<std::thread::JoinHandle<()>> {
        let spawn = |k: usize| {
            let studio = self.clone();
            let thread = std::thread::Builder::new().name(format!("job-{k}"));
            thread.spawn(move || studio.work())
        };
        (0..WORKERS).filter_map(|k| spawn(k).ok()).collect()
    }

    fn work(&self) {
        loop {
            let job = {
                let mut table = self.jobs.table();
                loop {
                    if table.closed {
                        return;
                    }
                    let next = table.waiting.pop_front();
                    if let Some(job) = next.and_then(|id| table.jobs.get(&id).cloned()) {
                        table.busy += 1;
                        break job;
                    }
                    table = self
                        .jobs
                        .wake
                        .wait(table)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            };
            run::run(self, &job);
            self.jobs.table().busy -= 1;
        }
    }

    /// Takes no more jobs and asks those that run to stop. Who waited is interrupted, and offered again next time.
    pub fn close_jobs(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        let mut table = self.jobs.table();
        table.closed = true;
        table.waiting.clear();
        for job in table.jobs.values().filter(|j| !j.view().state.is_over()) {
            job.cancel.store(true, Ordering::Relaxed);
        }
        drop(table);
        self.jobs.wake.notify_all();
    }
}
