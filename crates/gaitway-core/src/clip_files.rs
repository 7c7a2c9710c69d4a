//! Clips with the files they came from: what whoever reads files hands to whoever builds from them.

use std::collections::BTreeMap;

use crate::{Clip, Warnings};

/// Where a clip came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The file's name as the user gave it, never an absolute path.
    pub file: String,
    /// BLAKE3 of the file's bytes; zero where there was no file.
    pub checksum: [u8; 32],
}

/// Clips, each under a name of its own, and what was found out about them while they were read.
#[derive(Clone, Debug, Default)]
pub struct ClipFiles {
    /// The clips.
    pub clips: Vec<Clip>,
    /// Their files, by the clips' names.
    pub provenance: BTreeMap<String, Provenance>,
    /// Names of joints that carry noise in any of the clips: they say nothing about how alike two poses are.
    pub noise_joints: Vec<String>,
    /// What the user should know of the set as a whole.
    pub warnings: Warnings,
}
