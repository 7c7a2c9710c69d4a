//! The clips of a project.

use std::path::PathBuf;
use std::sync::Arc;

use gaitway_core::{Clip, Warning};
use gaitway_io::door::Flight;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::project::Reading;
use crate::wire::gwmo::LabelSeconds;
use crate::wire::words;

/// A finding about a clip, and whether it needs somebody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// The stable word.
    pub code: String,
    /// A sentence with numbers.
    pub message: String,
    /// Whether somebody has to look.
    #[schema(schema_with = words::level)]
    pub level: String,
    /// A number that goes with it: of a rate that cannot be, the one that fits.
    #[schema(required)]
    pub value: Option<f64>,
}

impl Finding {
    /// A finding of the studio's own that somebody has to look at.
    pub fn warning(code: &str, message: String) -> Self {
        Self {
            code: code.to_owned(),
            message,
            level: "warning".to_owned(),
            value: None,
        }
    }
}

impl From<&Warning> for Finding {
    fn from(w: &Warning) -> Self {
        let level = if w.code.needs_person() {
            "warning"
        } else {
            "note"
        };
        Self {
            code: w.code.as_str().to_owned(),
            message: w.message.clone(),
            level: level.to_owned(),
            value: w.value.map(|(_, v)| v),
        }
    }
}

/// Where a clip's frames lie.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// In the graph of the project.
    Graph,
    /// In a file.
    File {
        /// Where.
        path: PathBuf,
        /// Which of its animations.
        animation: Option<String>,
        /// The rate a list gave it.
        fps: Option<f64>,
        /// What somebody knows better than it.
        reading: Box<Reading>,
    },
}

/// A clip of the project, without its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipEntry {
    /// Stable: made from the name.
    pub id: String,
    /// As in the graph.
    pub name: String,
    /// Its file's name, never an absolute path.
    pub file: String,
    /// Of the file: bvh, amc, …, or `graph`.
    pub format: String,
    /// Without end sites.
    pub joints: usize,
    /// Source frames.
    pub frames: usize,
    /// Source rate.
    pub rate_hz: f64,
    /// The labels it came with.
    pub labels: Vec<LabelSeconds>,
    /// What was found when it was read.
    pub warnings: Vec<Finding>,
    /// Joints that carry noise, by name.
    pub noise: Vec<String>,
    /// Where its frames lie.
    pub source: Source,
    /// BLAKE3 of its file, or of its frames in the graph.
    pub checksum: [u8; 32],
    /// Whether it lies in the project's own folder.
    pub uploaded: bool,
    /// Its body: the clip's first frame, or a rest pose.
    pub body: Arc<Clip>,
    /// Where nothing holds the body, which tells whether its rate can be true.
    pub flights: Vec<Flight>,
    /// The number its first frame has in the file: what was dropped or cut before it counts.
    pub first_frame: usize,
    /// As its file says; absent where it comes of no file.
    pub file_says: Option<FileSays>,
}

/// What a file says of itself, or how it was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FileSays {
    /// Frames a second of its header.
    pub header_rate_hz: f64,
    /// The unit of length it was read with.
    pub unit: String,
    /// The axis that pointed up.
    #[schema(schema_with = words::up)]
    pub up: String,
    /// Seconds before anything was cut.
    pub whole_s: f64,
}

impl ClipEntry {
    /// Frames over rate.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate_hz
    }
}

/// A clip's labels in seconds.
pub fn labels_of(clip: &Clip) -> Vec<LabelSeconds> {
    let seconds = |f: usize| f as f64 / clip.rate_hz();
    clip.labels()
        .spans()
        .iter()
        .map(|s| LabelSeconds {
            label: s.label.clone(),
            start_s: seconds(s.start),
            end_s: seconds(s.end),
        })
        .collect()
}

/// A name in letters an id may have.
pub fn slug(name: &str, most: usize) -> String {
    let mut out = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if out.len() >= most {
            break;
        }
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// The id of a clip: readable, and the same whenever and wherever the name is. Six digits of a hash tell names apart that
/// differ only in what an id cannot hold.
pub fn clip_id(name: &str) -> String {
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let slug = slug(name, 60);
    let dash = if slug.is_empty() { "" } else { "-" };
    format!("{slug}{dash}{}", &hash[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_and_tell_names_apart() {
        for name in [
            "walk_01",
            "16/16_16",
            "Übung 3",
            "…",
            "",
            "a".repeat(300).as_str(),
        ] {
            assert!(
                crate::extract::is_id(&clip_id(name)),
                "{name}: {}",
                clip_id(name)
            );
        }
        assert_ne!(clip_id("walk_01"), clip_id("walk-01"));
        assert!(clip_id("walk_01").starts_with("walk-01-"));
    }
}
