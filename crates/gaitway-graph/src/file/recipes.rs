//! Recipes of made clips, and how the body is mirrored, as the metadata tells them. Clips are named, so that a file can be read
//! without counting.

use gaitway_core::interpolate::Interpolation;
use gaitway_core::mirror::MirrorMap;
use gaitway_core::{JointIdx, Skeleton};
use serde::{Deserialize, Serialize};

use crate::model::library::Recipe;
use crate::{ClipId, ClipInfo};

/// How a clip is made.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RecipeMeta {
    /// The clip seen in the mirror.
    Mirror(String),
    /// Between two clips.
    Interpolation(Box<InterpolationMeta>),
}

#[derive(Serialize, Deserialize)]
pub(super) struct InterpolationMeta {
    first: String,
    second: String,
    /// Source frames of both that correspond.
    knots: Vec<[usize; 2]>,
    weight: f64,
}

impl RecipeMeta {
    pub fn of(recipe: &Recipe, clips: &[ClipInfo]) -> Self {
        let name = |c: ClipId| clips[c.index()].name.clone();
        match recipe {
            Recipe::Mirror { of } => Self::Mirror(name(*of)),
            Recipe::Interpolation { first, second, how } => {
                Self::Interpolation(Box::new(InterpolationMeta {
                    first: name(*first),
                    second: name(*second),
                    knots: how.knots.clone(),
                    weight: how.weight,
                }))
            }
        }
    }

    /// The recipe, or the name of a clip that is not there.
    pub fn recipe(&self, find: impl Fn(&str) -> Option<ClipId>) -> Result<Recipe, String> {
        let clip = |name: &str| find(name).ok_or_else(|| name.to_owned());
        Ok(match self {
            Self::Mirror(of) => Recipe::Mirror { of: clip(of)? },
            Self::Interpolation(m) => Recipe::Interpolation {
                first: clip(&m.first)?,
                second: clip(&m.second)?,
                how: Interpolation {
                    knots: m.knots.clone(),
                    weight: m.weight,
                },
            },
        })
    }
}

/// Whether a clip is one between two others.
pub(super) fn is_interpolation(recipe: &Option<RecipeMeta>) -> bool {
    matches!(recipe, Some(RecipeMeta::Interpolation(_)))
}

/// Which joint is whose mirror image, and how their axes relate.
#[derive(Serialize, Deserialize)]
pub(super) struct MirrorMeta {
    partners: Vec<u32>,
    axes: Vec<[i8; 3]>,
}

impl MirrorMeta {
    pub fn of(map: &MirrorMap) -> Self {
        let axes = map.axes();
        let joints = (0..axes.len() as u32).map(JointIdx);
        Self {
            partners: joints.map(|j| map.partner(j).0).collect(),
            axes,
        }
    }

    pub fn map(&self, skeleton: &Skeleton) -> Option<MirrorMap> {
        let partners = self.partners.iter().map(|&p| JointIdx(p)).collect();
        MirrorMap::from_parts(skeleton, partners, &self.axes)
    }
}
