//! Markers: points in space with names, as optical systems record them. Read from C3D and TRC.

pub mod c3d;
mod clip;
pub mod trc;
mod trc_write;

pub use clip::MarkerClip;
pub use trc_write::write as write_trc;
