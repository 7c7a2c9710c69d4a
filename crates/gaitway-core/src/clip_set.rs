//! Clips that share one skeleton.

use std::sync::Arc;

use thiserror::Error;

use crate::{Clip, Skeleton};

/// Offsets may differ by this much, in metres, and still be one skeleton.
pub const OFFSET_TOLERANCE: f32 = 1e-4;

/// Why clips do not make a set.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipSetError {
    /// There is no clip.
    #[error("a set needs at least one clip")]
    Empty,
    /// Two clips move different bodies.
    #[error("`{first}` and `{other}` have different skeletons: {}", list(.differences))]
    Skeletons {
        /// The set's first clip.
        first: String,
        /// The first clip that does not fit it.
        other: String,
        /// What differs, joint by joint.
        differences: Vec<String>,
    },
    /// Two clips have one name, so nothing could tell them apart.
    #[error("two clips are called `{0}`")]
    DuplicateName(String),
}

fn list(differences: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = differences
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join("; ");
    if differences.len() > SHOWN {
        text.push_str(&format!("; and {} more", differences.len() - SHOWN));
    }
    text
}

/// Clips of one skeleton. All share the same [`Arc`].
#[derive(Clone, Debug)]
pub struct ClipSet {
    skeleton: Arc<Skeleton>,
    clips: Vec<Clip>,
}

impl ClipSet {
    /// Puts clips together.
    ///
    /// # Errors
    /// When there is none, two have one name, or their skeletons differ: names and parents must be
    /// equal and offsets agree to 0.1 mm.
    pub fn new(clips: Vec<Clip>) -> Result<Self, ClipSetError> {
        let Some(first) = clips.first() else {
            return Err(ClipSetError::Empty);
        };
        let skeleton = first.skeleton().clone();
        let first_name = first.name().to_owned();
        let mut names = std::collections::HashSet::new();
        let mut shared = Vec::with_capacity(clips.len());
        for clip in clips {
            if !names.insert(clip.name().to_owned()) {
                return Err(ClipSetError::DuplicateName(clip.name().to_owned()));
            }
            if !skeleton.agrees(clip.skeleton(), OFFSET_TOLERANCE) {
                let differences = skeleton.differences(clip.skeleton(), OFFSET_TOLERANCE);
                if !differences.is_empty() {
                    let other = clip.name().to_owned();
                    return Err(ClipSetError::Skeletons {
                        first: first_name,
                        other,
                        differences,
                    });
                }
            }
            shared.push(clip.with_shared_skeleton(skeleton.clone()));
        }
        Ok(Self {
            skeleton,
            clips: shared,
        })
    }

    /// Sorts clips into groups of one skeleton each, in order of first appearance.
    pub fn group(clips: Vec<Clip>) -> Vec<Vec<Clip>> {
        let mut groups: Vec<Vec<Clip>> = Vec::new();
        for clip in clips {
            let home = groups.iter_mut().find(|g| {
                let known = g[0].skeleton();
                Arc::ptr_eq(known, clip.skeleton())
                    || known
                        .differences(clip.skeleton(), OFFSET_TOLERANCE)
                        .is_empty()
            });
            match home {
                Some(group) => group.push(clip),
                None => groups.push(vec![clip]),
            }
        }
        groups
    }

    /// The body all clips share.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The clips, in the order given.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// Seconds of motion in all.
    pub fn seconds(&self) -> f64 {
        self.clips.iter().map(Clip::seconds).sum()
    }

    /// Takes the set apart.
    pub fn into_clips(self) -> Vec<Clip> {
        self.clips
    }
}
