//! Laws of walks: seeds, labels, shortest connections, seamless loops.
#![allow(clippy::print_stdout)] // What was measured stands in the log.

#[path = "../common/mod.rs"]
mod common;
mod connections;
mod feet_apart;
mod loops;
mod wandering;
