//! Gaitway turns folders of motion capture into clean, continuous human motion.
//!
//! This crate is the facade: one name for the crates that do the work. The binary of the same name is a
//! thin command line over them.
//!
//! ```no_run
//! use gaitway::io::{ReadOptions, WriteOptions, read_file, write_file};
//! use gaitway::core::{edit, resample};
//!
//! let import = read_file("walk.bvh".as_ref(), &ReadOptions::default())?.remove(0);
//! for warning in &import.warnings {
//!     eprintln!("{}: {}", warning.code, warning.message);
//! }
//! let two_seconds = edit::cut(&import.clip, 0..240);
//! let at_60_hz = resample::resample(&two_seconds, 60.0)?;
//! write_file("walk.glb".as_ref(), &at_60_hz, &WriteOptions::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod path_text;

pub use gaitway_core as core;
pub use gaitway_eval as eval;
pub use gaitway_graph as graph;
pub use gaitway_io as io;
pub use gaitway_metric as metric;
pub use gaitway_runtime as runtime;
pub use gaitway_synth as synth;

pub use path_text::{PathTextError, parse_path, parse_path_of, read_path};
