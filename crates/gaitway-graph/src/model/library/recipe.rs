//! How clips are made from others.

use gaitway_core::interpolate::Interpolation;

use super::Library;
use crate::{ClipId, GraphError};

/// How a clip is made from others of the library.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// Left and right swapped.
    Mirror {
        /// The clip seen in the mirror.
        of: ClipId,
    },
    /// Between two clips.
    Interpolation {
        /// The clip whose weight is told.
        first: ClipId,
        /// The other.
        second: ClipId,
        /// Stretches, weight, placement.
        how: Interpolation,
    },
}

impl Recipe {
    /// The clips it is made from.
    pub fn ingredients(&self) -> impl Iterator<Item = ClipId> {
        let both = match self {
            Self::Mirror { of } => [Some(*of), None],
            Self::Interpolation { first, second, .. } => [Some(*first), Some(*second)],
        };
        both.into_iter().flatten()
    }
}

impl Library {
    /// Checks that every recipe ends at captured clips, and that what it makes is what the clip's entry says.
    pub(crate) fn check_recipes(self: &std::sync::Arc<Self>) -> Result<(), GraphError> {
        /// Deeper than this is a slip or an attack: a copy of a copy has depth two.
        const DEEPEST: usize = 16;
        let broken = |clip: usize, what: String| GraphError::Recipe {
            clip: self.clips[clip].name.clone(),
            what,
        };
        // Ends at captured clips within so many steps, or not.
        let mut depth = vec![0_usize; self.clips.len()];
        let made: Vec<usize> = (0..self.clips.len())
            .filter(|&k| self.clips[k].recipe.is_some())
            .collect();
        for _ in 0..=DEEPEST {
            for &k in &made {
                let recipe = self.clips[k].recipe.as_ref();
                let below = recipe.into_iter().flat_map(Recipe::ingredients);
                for of in below {
                    let Some(&there) = depth.get(of.index()) else {
                        return Err(broken(k, format!("clip {} is not there", of.0)));
                    };
                    depth[k] = depth[k].max(there + 1);
                }
            }
        }
        if let Some(&k) = made.iter().find(|&&k| depth[k] > DEEPEST) {
            let what = "it is made from itself, or from copies of copies without end".to_owned();
            return Err(broken(k, what));
        }
        for &k in &made {
            let (info, source) = (&self.clips[k], self.unchecked_source(ClipId(k as u32))?);
            let same = source.frame_count() == info.frame_count()
                && source.rate_hz() == info.rate_hz
                && source
                    .moving_joints()
                    .iter()
                    .all(|j| info.translation_joints.contains(j))
                && source.contact_points() == self.contact_points(ClipId(k as u32));
            if !same {
                return Err(broken(
                    k,
                    "what it makes is not what the file says of the clip".to_owned(),
                ));
            }
        }
        Ok(())
    }
}
