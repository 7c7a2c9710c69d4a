//! The library of a graph: its clips as sources of poses.
//!
//! A clip is *captured*, its frames held in one store that may be a mapped file, or *made*, by a [`Recipe`] from other
//! clips, and then no frame of it is held anywhere. Whoever wants poses asks for a [`PoseSource`] and need not know which.
//!
//! | module | its part |
//! | --- | --- |
//! | `store` | frames of captured clips, as arrays |
//! | `captured` | a captured clip as a source |
//! | `recipe` | how clips are made from others |
//! | `intake` | clips taken in |

mod captured;
mod intake;
mod recipe;
mod store;

use std::sync::Arc;

use gaitway_core::mirror::{MirrorMap, Mirrored};
use gaitway_core::source::bake;
use gaitway_core::{Clip, ContactPoint, PoseSource, Skeleton};

use self::captured::Captured;
pub(crate) use self::intake::Intake;
pub use self::recipe::Recipe;
pub(crate) use self::store::FrameStore;
use crate::model::clip_info::{ClipInfo, ContactPoints};
use crate::{ClipId, GraphError};

/// The clips of a graph, captured and made.
#[derive(Clone, Debug)]
pub struct Library {
    pub(crate) skeleton: Arc<Skeleton>,
    /// Sorted by name, interpolated ones after all others.
    pub(crate) clips: Vec<ClipInfo>,
    pub(crate) contact_points: Vec<ContactPoints>,
    /// Where some clip is a mirrored copy.
    pub(crate) mirror: Option<Arc<MirrorMap>>,
    pub(crate) store: FrameStore,
}

impl Library {
    /// The body.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// All clips, by id.
    pub fn clips(&self) -> &[ClipInfo] {
        &self.clips
    }

    /// The contact points whose bits a clip's frames carry; `None` where contacts are not known.
    pub fn contact_points(&self, clip: ClipId) -> Option<&[ContactPoint]> {
        let list = self.clips[clip.index()].contact_points?;
        Some(&self.contact_points[list])
    }

    /// A clip as a source of poses. Frames from a file are checked against their checksum on the first call.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn source(self: &Arc<Self>, clip: ClipId) -> Result<Arc<dyn PoseSource>, GraphError> {
        self.store.check()?;
        self.unchecked_source(clip)
    }

    /// Follows recipes down to captured clips; they were checked to end there when the library was made.
    fn unchecked_source(self: &Arc<Self>, clip: ClipId) -> Result<Arc<dyn PoseSource>, GraphError> {
        let info = &self.clips[clip.index()];
        let broken = |what: String| GraphError::Recipe {
            clip: info.name.clone(),
            what,
        };
        match &info.recipe {
            None => Ok(Arc::new(Captured::new(self.clone(), clip))),
            Some(Recipe::Mirror { of }) => {
                let map = self.mirror.clone();
                let map = map.ok_or_else(|| broken("left and right are not known".to_owned()))?;
                Ok(Arc::new(Mirrored::new(self.unchecked_source(*of)?, map)))
            }
            Some(Recipe::Interpolation { first, second, how }) => {
                let (a, b) = (
                    self.unchecked_source(*first)?,
                    self.unchecked_source(*second)?,
                );
                let made = gaitway_core::interpolate::Interpolated::new(a, b, how.clone());
                Ok(Arc::new(made.map_err(|e| broken(e.to_string()))?))
            }
        }
    }

    /// A clip with all its frames, equal to the one the graph was built from.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn clip(self: &Arc<Self>, clip: ClipId) -> Result<Clip, GraphError> {
        let info = &self.clips[clip.index()];
        let baked = bake(&*self.source(clip)?, info.name.clone());
        let baked = baked.map_err(|e| GraphError::Damaged {
            what: format!("clip `{}`: {e}", info.name),
        })?;
        Ok(baked.with_labels(info.labels.clone()))
    }
}
