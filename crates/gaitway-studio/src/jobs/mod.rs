//! What takes longer than an answer: building graphs, making motion. Two at once, the rest in a queue, all of it on disk.
//!
//! | module | its part |
//! | --- | --- |
//! | `request` | what can be asked for |
//! | `job` | one job: how far it is, how to stop it |
//! | `queue` | all jobs, those that wait, those who work |
//! | `build` | clips to a graph |

mod build;
mod job;
mod queue;
mod request;
mod run;

pub use job::{Job, JobState, JobView, Stop};
pub use queue::{Jobs, MOST_QUEUED};
pub use request::{Action, JobRequest, ObstacleJson, PathRequest, StartJson, StyleJson};
