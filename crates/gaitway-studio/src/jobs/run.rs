//! A job from its turn to its end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use super::job::{Job, JobState, Stop};
use super::request::JobRequest;
use super::{build, connect, draw, enrich, path, place, resolve, retarget, walk};
use crate::project::write_json;
use crate::state::Studio;

/// What a job that ended well says: words, and the id of what it made.
pub struct Done {
    /// For people.
    pub message: String,
    /// Of the result.
    pub result: Option<String>,
}

/// Runs a job and notes how it ended.
pub fn run(studio: &Studio, job: &Job) {
    job.set(|v| {
        v.state = JobState::Running;
        v.part = 0.0;
        v.message = "begins".to_owned();
    });
    job.clock(true);
    // Not written: a job that waits and one that runs are the same to the next server, and the search need not wait for the disk.
    studio.tell_job(job);
    // A fault in one job must not take the others down with it.
    let ended = catch_unwind(AssertUnwindSafe(|| dispatch(studio, job)));
    job.clock(false);
    let stopping = studio.stopping.load(Ordering::Relaxed);
    match ended {
        Ok(Ok(done)) => job.set(|v| {
            // A search that was stopped keeps its best so far.
            v.state = if job.cancelled() && done.result.is_some() {
                JobState::Cancelled
            } else {
                JobState::Done
            };
            v.part = 1.0;
            v.message = done.message;
            v.result = done.result;
        }),
        Ok(Err(Stop::Cancelled)) if stopping => job.set(|v| {
            v.state = JobState::Interrupted;
            v.message = "the server was stopped in the middle of it".to_owned();
        }),
        Ok(Err(Stop::Cancelled)) => job.set(|v| {
            v.state = JobState::Cancelled;
            v.message = "cancelled".to_owned();
        }),
        Ok(Err(Stop::Failed(message))) => fail(job, message, None),
        Ok(Err(Stop::Advised { message, hint })) => fail(job, message, Some(hint)),
        Err(_) => fail(
            job,
            "a fault of ours ended this job; please report it".to_owned(),
            None,
        ),
    }
    note(studio, job);
}

fn fail(job: &Job, message: String, hint: Option<String>) {
    job.set(|v| {
        v.state = JobState::Failed;
        v.message = "failed".to_owned();
        v.error = Some(message);
        v.hint = hint;
    });
}

/// Writes the job's file and tells everybody. A disk that is full must not end the job: it goes on in memory.
fn note(studio: &Studio, job: &Job) {
    let view = job.view();
    let _ = write_json(&studio.folder.job(&view.id), &job.file());
    studio.tell_job(job);
}

fn dispatch(studio: &Studio, job: &Job) -> Result<Done, Stop> {
    match &job.request {
        JobRequest::Build {
            options,
            body,
            clips,
        } => {
            let from = (body.as_deref(), clips.as_deref());
            build::build(studio, job, options.as_ref(), from)
        }
        JobRequest::Enrich {} => enrich::enrich(studio, job),
        JobRequest::Retarget { clips, onto } => {
            retarget::retarget(studio, job, clips.as_deref(), onto)
        }
        JobRequest::Path {
            request, sketch, ..
        } => path::path(studio, job, request, sketch.as_ref()),
        JobRequest::Place { request, sketch } => {
            place::place(studio, job, request, sketch.as_ref())
        }
        JobRequest::Connect { from, to, by, name } => {
            connect::connect(studio, job, (from, to), by, name.as_deref())
        }
        JobRequest::Draw { result, member } => draw::draw(studio, job, result, *member),
        JobRequest::Resolve {
            result,
            member,
            from_s,
            to_s,
            seed,
        } => resolve::resolve(studio, job, result, *member, (*from_s, *to_s), *seed),
        JobRequest::Walk {
            seconds,
            label,
            seed,
            name,
        } => walk::walk(
            studio,
            job,
            *seconds,
            label.as_deref(),
            *seed,
            name.as_deref(),
        ),
    }
}
