//! Frames in memory: as many as fit, the longest unused ones go first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use gaitway_core::contacts::{ContactOptions, Plant, detect};
use gaitway_core::{Clip, ground};

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

/// Clips by key, newest use last.
#[derive(Debug)]
pub struct ClipCache {
    most_bytes: usize,
    held: Mutex<VecDeque<(String, Arc<Loaded>)>>,
}

impl Default for ClipCache {
    fn default() -> Self {
        Self {
            most_bytes: 512 << 20,
            held: Mutex::default(),
        }
    }
}

impl ClipCache {
    /// The clip of a key, loaded where it is not held.
    pub fn get(
        &self,
        key: &str,
        load: impl FnOnce() -> Result<Clip, ApiError>,
    ) -> Result<Arc<Loaded>, ApiError> {
        if let Some(found) = self.find(key) {
            return Ok(found);
        }
        let loaded = Arc::new(Loaded::new(load()?));
        self.put(key, loaded.clone());
        Ok(loaded)
    }

    fn find(&self, key: &str) -> Option<Arc<Loaded>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let at = held.iter().position(|(k, _)| k == key)?;
        let entry = held.remove(at)?;
        let found = entry.1.clone();
        held.push_back(entry);
        Some(found)
    }

    fn put(&self, key: &str, loaded: Arc<Loaded>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(k, _)| k != key);
        held.push_back((key.to_owned(), loaded));
        let mut bytes: usize = held.iter().map(|(_, l)| l.bytes()).sum();
        while bytes > self.most_bytes && held.len() > 1 {
            let gone = held.pop_front();
            bytes -= gone.map_or(0, |(_, l)| l.bytes());
        }
    }

    /// Forgets keys that begin with a text.
    pub fn forget(&self, prefix: &str) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(k, _)| !k.starts_with(prefix));
    }
}
