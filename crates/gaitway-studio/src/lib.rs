//! The studio: a web page, served from one's own machine, to see a motion graph, tune it, sketch a path, watch the motion
//! and take it home.
//!
//! ```text
//!  page (embedded) ◄── page ── guard ── server ── host ──► routes ──► state (project on disk) ◄── jobs (threads of their own)
//!                                                             └─► wire: GWMO, GWHM
//! ```
//!
//! | module | its part |
//! | --- | --- |
//! | [`config`], [`server`] | how it is started; listening and stopping |
//! | [`guard`], `token` | who may ask, and what every answer carries; the page that asks for the token |
//! | `pace` | bodies that come too slowly end |
//! | [`host`] | which project is open |
//! | [`page`] | the page, where it was built |
//! | `extract`, [`error`] | requests taken apart; what goes wrong, in one form |
//! | [`routes`] | what can be asked, by subject; OpenAPI at `/api` |
//! | [`state`] | what the server knows |
//! | [`project`] | the folder that holds it |
//! | [`jobs`] | what takes time |
//! | [`wire`] | binary forms for the page |
//!
//! Threads that serve never compute: all that takes more than a moment runs on threads of its own.

pub mod config;
pub mod error;
mod extract;
pub mod guard;
pub mod host;
pub mod jobs;
mod pace;
pub mod page;
pub mod project;
pub mod routes;
pub mod server;
pub mod state;
mod token;
pub mod wire;

pub use config::Config;
pub use error::StudioError;
pub use server::{Server, asked_to_stop};
