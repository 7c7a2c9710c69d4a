//! Numbers for the page in binary forms: see `docs/formats/studio.md`.

pub mod account;
pub mod gwmo;
pub mod heatmap;
pub mod points;
pub mod words;
