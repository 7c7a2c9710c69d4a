//! Markers: points in space with names, as optical systems record them. Read from C3D and TRC.

pub mod c3d;
mod clip;
pub mod trc;

pub use clip::MarkerClip;
