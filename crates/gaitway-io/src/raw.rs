//! What a format's parser hands to the door: a clip in the file's own unit and axes.

use glam::{DVec3, Quat, Vec3};

use gaitway_core::{ContactTrack, LabelTrack, Warnings};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Biovision hierarchy.
    Bvh,
    /// Acclaim motion, with its skeleton in an ASF file.
    Amc,
    /// glTF as JSON.
    Gltf,
    /// glTF as one binary file.
    Glb,
    /// Autodesk FBX.
    Fbx,
    /// C3D marker trajectories.
    C3d,
    /// TRC marker trajectories.
    Trc,
    /// NumPy arrays in a zip file; written only.
    Npz,
    /// NumPy arrays in a zip file that are poses of a body model, as in AMASS.
    Amass,
}

impl Format {
    /// The stable word, which is also the usual extension (but that of AMASS is `npz`).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Amc => "amc",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Fbx => "fbx",
            Self::C3d => "c3d",
            Self::Trc => "trc",
            Self::Npz => "npz",
            Self::Amass => "amass",
        }
    }

    /// The format an extension (any letter case) stands for.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "bvh" => Self::Bvh,
            "amc" => Self::Amc,
            "gltf" => Self::Gltf,
            "glb" => Self::Glb,
            "fbx" => Self::Fbx,
            "c3d" => Self::C3d,
            "trc" => Self::Trc,
            "npz" => Self::Npz,
            "amass" => Self::Amass,
            _ => return None,
        })
    }
}

/// Which axis points up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// +Y, as inside Gaitway.
    Y,
    /// +Z, as in many engines and labs.
    Z,
    /// +X, rare.
    X,
}

impl UpAxis {
    /// `y`, `z` or `x`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Y => "y",
            Self::Z => "z",
            Self::X => "x",
        }
    }

    /// The rotation that brings the file's axes to Y up. Proper (no mirroring) and cyclic, so that Z up
    /// becomes Y up with x → z, y → x, z → y: the file's +X ends as our forward +Z.
    pub fn to_y_up(self) -> Quat {
        // A third of a turn about (1, 1, 1) has the quaternion (½, ½, ½, ½): exact, so nothing is rounded.
        match self {
            Self::Y => Quat::IDENTITY,
            // x→z, y→x, z→y.
            Self::Z => Quat::from_xyzw(-0.5, -0.5, -0.5, 0.5),
            // x→y, y→z, z→x.
            Self::X => Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        }
    }
}

/// A joint as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct RawJoint {
    /// Its name; the door makes names unique.
    pub name: String,
    /// Index of the joint above, always smaller than its own; `None` for the root, which comes first.
    pub parent: Option<usize>,
    /// Rest offset in the file's unit.
    pub offset: DVec3,
}

/// Translations of one joint that stand in place of its offset, in the file's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct RawTrack {
    /// Index of the joint; never the root.
    pub joint: usize,
    /// One per frame.
    pub values: Vec<Vec3>,
}

/// A clip in the file's own unit and axes. Arrays fit one another: the parser has checked.
#[derive(Clone, Debug, Default)]
pub struct RawClip {
    /// The name of the animation inside the file where a file holds several (`Walking`), else empty.
    pub name: String,
    /// Joints, parents first; exactly one root.
    pub joints: Vec<RawJoint>,
    /// Tips: the joint they are fixed to and where, in the file's unit.
    pub end_sites: Vec<(usize, DVec3)>,
    /// Frames a second, as the file says.
    pub rate_hz: f64,
    /// The root's place per frame, in the file's unit.
    pub root: Vec<DVec3>,
    /// Local rotations, frame-major.
    pub rotations: Vec<Quat>,
    /// Joints whose translation moves.
    pub translations: Vec<RawTrack>,
    /// Metres per unit where the format or file says so.
    pub unit_m: Option<f64>,
    /// The up axis where the format or file says so.
    pub up: Option<UpAxis>,
    /// How many frames the file holds or claims, before any repair, for the account.
    pub frames_in_file: usize,
    /// Labels where the file carries them.
    pub labels: LabelTrack,
    /// Contacts where the file carries them.
    pub contacts: Option<ContactTrack>,
    /// What the parser found and repaired.
    pub warnings: Warnings,
}
