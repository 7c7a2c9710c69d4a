//! Poses of the SMPL family of body models, as the AMASS collection keeps them: NumPy arrays in a zip file.
//!
//! | array | shape | meaning |
//! | --- | --- | --- |
//! | `poses` | frames × 3·joints | local rotations as axis times angle (radians), joints in the model's order |
//! | `trans` | frames × 3 | metres; the world has Z up |
//! | `betas`, `gender` | | the body's shape, for the model |
//! | `mocap_framerate` or `mocap_frame_rate` | none | frames a second |
//!
//! Newer files have `root_orient`, `pose_body`, `pose_jaw`, `pose_eye` and `pose_hand` beside `poses` or instead of it, and
//! `surface_model_type` (Mahmood et al., AMASS: Archive of Motion Capture as Surface Shapes, ICCV 2019).
//!
//! How long bones are is for the body model to say, which is not free and not here: a skeleton the user gives stands in for it, or
//! one of a person's usual proportions ([`Body`]). Rotations are the file's own either way.

mod body;
mod joints;
mod read;
mod write;

use std::path::Path;

pub use body::{Body, USUAL_HEIGHT_M};
pub use joints::Model;
pub use read::read;
pub use write::write;

use crate::UpAxis;
use crate::npz::read::Archive;

/// What a file says beside the motion, for writing it back.
#[derive(Clone, Debug, PartialEq)]
pub struct AmassInfo {
    /// Whose joints the poses are of.
    pub model: Model,
    /// The axis that points up in the file.
    pub up: UpAxis,
    /// Where the pelvis is at rest, in the file's axes: `trans` counts from there. Zero where nobody knows.
    pub origin: glam::DVec3,
    /// The body's shape, as it is.
    pub betas: Vec<f64>,
    /// The body's gender, as it is.
    pub gender: Option<String>,
}

/// Whether arrays are poses of a body model.
pub(crate) fn holds_poses(archive: &Archive<'_>) -> bool {
    !archive.has("parents") && (archive.has("poses") || archive.has("pose_body"))
}

/// Whether bytes are a zip file with poses of a body model.
pub(crate) fn is_amass(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK") && Archive::open("", bytes).is_ok_and(|a| holds_poses(&a))
}

/// Whether a file is one, by the list at its end alone.
pub(crate) fn is_amass_file(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else {
        return false;
    };
    let Ok(zip) = zip::ZipArchive::new(std::io::BufReader::new(file)) else {
        return false;
    };
    let has = |name: &str| zip.index_for_name(name).is_some();
    !has("parents.npy") && (has("poses.npy") || has("pose_body.npy"))
}
