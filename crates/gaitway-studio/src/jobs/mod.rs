//! Background jobs: what takes longer than an answer: building graphs, making motion. Two at once, the rest in a queue, all of it on disk.
//!
//! | module | its part |
//! | --- | --- |
//! | `request` | what can be asked for |
//! | `job` | one job: how far it is, how to stop it |
//! | `queue` | all jobs, those that wait, those who work |
//! | `build` | clips to a graph |
//! | `ask`, `check` | what was asked for, as the library takes it; what cannot be |
//! | `path`, `resolve`, `walk`, `members`, `watch` | motion: searched, made, measured, shown on the way |
//! | `command` | the command line that does the same |
//! | `results` | made motions on disk |

mod ask;
mod build;
mod check;
mod command;
mod job;
mod members;
mod path;
mod queue;
mod request;
mod resolve;
mod results;
mod run;
mod walk;
mod watch;

pub use job::{Job, JobKind, JobState, JobView, Stop};
pub use members::file_name;
pub use queue::{Jobs, MOST_QUEUED};
pub use request::{
    Action, ArrivalJson, JobRequest, ObstacleJson, PathRequestJson, SpeedJson, StartJson, StyleJson,
};
pub use results::{BarJson, MemberFile, ResultFile, ResultSummary};
