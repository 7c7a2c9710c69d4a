//! Frames in memory: as many as fit, the longest unused ones go first.

use std::sync::Arc;

use gaitway_core::contacts::{ContactOptions, Plant, detect};
use gaitway_core::{Clip, ground};

use super::recent::Recent;
use crate::error::ApiError;

/// A clip with what is worked out from it once.
#[derive(Debug)]
pub struct Loaded {
    /// Travel on the root, contacts known where they can be.
    pub clip: Clip,
    /// Height of the ground.
    pub floor_m: f64,
    /// What stands, with confidence, where that was found and not given.
    pub plants: Vec<Plant>,
}

impl Loaded {
    /// Makes a clip ready.
    pub fn new(clip: Clip) -> Self {
        let clip = ground::travel_to_root(&clip);
        let floor_m = if clip.frame_count() > 0 {
            ground::floor_height(&clip)
        } else {
            0.0
        };
        if clip.contacts().is_some() {
            return Self {
                clip,
                floor_m,
                plants: Vec::new(),
            };
        }
        // A clip without feet, or of three frames, is shown without contacts.
        match detect(&clip, &ContactOptions::default()) {
            Ok(found) => match clip.clone().with_contacts(Some(found.track)) {
                Ok(clip) => Self {
                    clip,
                    floor_m,
                    plants: found.plants,
                },
                Err(_) => Self {
                    clip,
                    floor_m,
                    plants: Vec::new(),
                },
            },
            Err(_) => Self {
                clip,
                floor_m,
                plants: Vec::new(),
            },
        }
    }

    fn bytes(&self) -> usize {
        self.clip.frame_count()
            * (24 + 4 + 16 * self.clip.joint_count() + 12 * self.clip.translations().len())
    }
}

/// Clips by key.
#[derive(Debug)]
pub struct ClipCache(Recent<Loaded>);

impl Default for ClipCache {
    fn default() -> Self {
        Self(Recent::new(512 << 20, Loaded::bytes))
    }
}

impl ClipCache {
    /// The clip of a key, loaded where it is not held.
    pub fn get(
        &self,
        key: &str,
        load: impl FnOnce() -> Result<Clip, ApiError>,
    ) -> Result<Arc<Loaded>, ApiError> {
        self.0.get(key, || Ok(Loaded::new(load()?)))
    }

    /// Forgets keys that begin with a text.
    pub fn forget(&self, prefix: &str) {
        self.0.forget(prefix);
    }
}
