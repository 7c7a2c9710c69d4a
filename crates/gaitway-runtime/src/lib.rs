//! Plays motion: what a game or a viewer needs at run time, and nothing else.
//!
//! No threads, no files, no clock, no memory map: time comes in as `dt`, poses go out, and a player owns what it plays by `Arc`.
//! It builds for `wasm32-unknown-unknown`.

pub mod timeline;
