//! Background jobs: what takes longer than an answer: building graphs, making motion. Two at once, the rest in a queue, all of it on disk.
//!
//! | module | its part |
//! | --- | --- |
//! | `request` | what can be asked for |
//! | `job` | one job: how far it is, how to stop it |
//! | `queue` | all jobs, those that wait, those who work |
//! | `build`, `enrich` | clips to a graph; the graph connected better |
//! | `retarget`, `people`, `undo` | clips on another body, who is who among them, and the way back |
//! | `ask`, `check` | what was asked for, as the library takes it; what cannot be |
//! | `between` | interpolated clips in words |
//! | `path`, `place`, `resolve`, `walk`, `connect`, `members`, `watch`, `keep` | motion: searched, made, measured, shown on the way, kept |
//! | `draw` | a result as an animation |
//! | `command` | the command line that does the same |
//! | `results` | made motions on disk |

mod ask;
mod between;
mod build;
mod check;
mod command;
mod connect;
mod draw;
mod enrich;
mod job;
mod keep;
mod members;
mod path;
mod people;
mod place;
mod queue;
mod request;
mod resolve;
mod results;
mod retarget;
mod run;
mod undo;
mod walk;
mod watch;

pub use draw::{drawn_gif, file_name as gif_name, outlines};
pub use job::{Job, JobKind, JobState, JobView, Stop};
pub use members::file_name;
pub use queue::{Jobs, MOST_QUEUED};
pub use request::{
    Action, ArrivalJson, JobRequest, MomentJson, ObstacleJson, OntoJson, PathRequestJson,
    PlaceRequestJson, Sketch, SpeedJson, StartJson, StyleJson,
};
pub use results::{BarJson, MemberFile, ResultFile, ResultSummary};
