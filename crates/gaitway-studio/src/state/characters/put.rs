//! Motion put on a character: worked out when somebody asks, held for a while. The same question gives the same frames, so nothing of it is on disk.

use std::sync::Arc;

use gaitway_core::Clip;
use gaitway_retarget::edit::{ChangedSpan, EditReport, Edited, Edits, Hold, Place, Size, edit};
use gaitway_retarget::solve::residuals;
use gaitway_retarget::{Body, Report, RetargetOptions, RoleOverrides, retarget};
use glam::DVec3;

use super::{CharacterEntry, OWN};
use crate::error::{ApiError, ApiResult};
use crate::project::CharacterRoles;
use crate::state::{Loaded, Source, Studio};

/// What is put on a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motion {
    /// A clip of the library, by id.
    Clip(String),
    /// One of the motions of a result.
    Result(String, usize),
}

/// A joint that is dragged to a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// A joint's name, or a role's.
    pub joint: String,
    /// When, seconds.
    pub at_s: f64,
    /// Where, metres.
    pub place: DVec3,
}

/// How the motion is changed once it is on the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Times as tall.
    pub taller: f64,
    /// Legs times as long.
    pub legs: f64,
    /// Arms times as long.
    pub arms: f64,
    /// Joints that are dragged.
    pub drags: Vec<Drag>,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            taller: 1.0,
            legs: 1.0,
            arms: 1.0,
            drags: Vec::new(),
        }
    }
}

impl Shape {
    /// Whether bones have other lengths.
    pub fn has_lengths(&self) -> bool {
        [self.taller, self.legs, self.arms] != [1.0; 3]
    }

    fn edits(&self, roles: RoleOverrides) -> Option<Edits> {
        if !self.has_lengths() && self.drags.is_empty() {
            return None;
        }
        let hold = |d: &Drag| Hold {
            joint: d.joint.clone(),
            from_s: d.at_s,
            to_s: d.at_s,
            place: Place::At(d.place),
        };
        Some(Edits {
            taller: (self.taller != 1.0).then_some(Size::Times(self.taller)),
            legs: self.legs,
            arms: self.arms,
            holds: self.drags.iter().map(hold).collect(),
            roles: Some(roles),
            ..Edits::default()
        })
    }
}

/// One span over which something is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What: `left_heel`.
    pub name: String,
    /// From, seconds.
    pub start_s: f64,
    /// To, exclusive.
    pub end_s: f64,
    /// How far off it was as copied, millimetres.
    pub before_mm: f64,
    /// And is now.
    pub left_mm: f64,
}

/// Motion on a character.
#[derive(Debug)]
pub struct Put {
    /// The frames.
    pub loaded: Loaded,
    /// What was mapped, kept and changed.
    pub report: Report,
    /// What was changed after that, where anything was.
    pub edited: Option<EditReport>,
    /// Where drags change it, whatever lengths do.
    pub dragged: Vec<ChangedSpan>,
    /// What was kept, span by span.
    pub kept: Vec<Kept>,
    /// Names of the source's joints.
    pub source_joints: Vec<String>,
    pub(super) bytes: usize,
}

impl Studio {
    /// Roles that somebody chose for a character.
    pub fn roles_of(&self, entry: &CharacterEntry) -> CharacterRoles {
        let roles = self.read().project.characters.get(&entry.file).cloned();
        roles.unwrap_or_default()
    }

    /// The frames that are put on somebody, contacts as they were set by hand. Reads files.
    ///
    /// # Errors
    /// When they are not there any more.
    pub fn moved(&self, motion: &Motion) -> ApiResult<Clip> {
        match motion {
            Motion::Result(id, member) => Ok(self.result_motion(id, *member)?.clip.clone()),
            Motion::Clip(id) => {
                let loaded = self.loaded(id)?;
                let clip = loaded.clip.clone();
                match self.contacts_by_hand(id, &loaded)? {
                    None => Ok(clip),
                    Some(track) => clip
                        .with_contacts(Some(track))
                        .map_err(|e| ApiError::unprocessable(e.to_string())),
                }
            }
        }
    }

    /// What tells frames from those the same id had before: results stay as they were made, clips are read anew.
    fn print_of(&self, motion: &Motion) -> String {
        let inner = self.read();
        let Motion::Clip(id) = motion else {
            return String::new();
        };
        let Some(entry) = inner.clips.get(id) else {
            return String::new();
        };
        let reading = match &entry.source {
            Source::File { reading, .. } => serde_json::to_string(reading).unwrap_or_default(),
            Source::Graph => String::new(),
        };
        let rows = inner.contact_rows(&entry.name);
        let sum = blake3::Hash::from(entry.checksum).to_hex();
        format!("{sum}{reading}{rows:?}")
    }

    /// Motion on a character. Takes seconds the first time: not for the threads that serve.
    ///
    /// # Errors
    /// When either is not there, or roles do not fit.
    pub fn put_on(&self, id: &str, motion: &Motion, shape: &Shape) -> ApiResult<Arc<Put>> {
        let given = match id {
            OWN => CharacterRoles::default(),
            _ => self.roles_of(&*self.character(id)?),
        };
        let key = format!("{id}?{motion:?}{given:?}{shape:?}{}", self.print_of(motion));
        self.characters.put.get(&key, || {
            let clip = self.moved(motion)?;
            if id == OWN {
                return put(&clip, &clip, shape, &given);
            }
            let figure = self.figure(id)?;
            if shape.has_lengths() && figure.whole.is_some() {
                return Err(ApiError::unprocessable("a mesh keeps its lengths")
                    .hint("change them where the mesh is made, or on a body without one"));
            }
            put(&clip, &figure.clip, shape, &given)
        })
    }
}

fn put(clip: &Clip, onto: &Clip, shape: &Shape, given: &CharacterRoles) -> ApiResult<Put> {
    let target = body(onto, given.of_target()?)?;
    let from = given.of_source()?;
    // Roles of the source are said for one body; a clip of another has other joints.
    let source = match body(clip, from) {
        Ok(source) => source,
        Err(_) => body(clip, RoleOverrides::default())?,
    };
    let options = RetargetOptions::planted();
    let done = retarget(clip, &source, &target, &options)
        .map_err(|e| ApiError::unprocessable(e.to_string()))?;
    let before = residuals(&done.first, &done.constraints);
    let after = residuals(&done.clip, &done.constraints);
    let seconds = |f: usize| f as f64 / done.clip.rate_hz();
    let kept = before
        .iter()
        .zip(&after)
        .map(|(b, a)| Kept {
            name: a.name.clone(),
            start_s: seconds(a.start),
            end_s: seconds(a.end),
            before_mm: b.max_mm,
            left_mm: a.max_mm,
        })
        .collect();
    let (clip_on, edited) = match shape.edits(given.of_target()?) {
        None => (done.clip.clone(), None),
        Some(edits) => {
            let changed = edited(&done.clip, &edits)?;
            (changed.clip, Some(changed.report))
        }
    };
    let dragged = dragged(&done.clip, shape, edited.as_ref(), &given.of_target()?)?;
    let bytes = clip_on.frame_count() * (28 + 16 * clip_on.joint_count());
    Ok(Put {
        loaded: Loaded::new(clip_on),
        edited,
        dragged,
        report: done.report,
        kept,
        source_joints: clip.skeleton().names().to_vec(),
        bytes,
    })
}

fn edited(clip: &Clip, edits: &Edits) -> ApiResult<Edited> {
    edit(clip, edits).map_err(|e| ApiError::unprocessable(e.to_string()))
}

/// Where drags change the motion. Lengths change all of it, so where there are both, drags are done on the longer body by themselves.
fn dragged(
    clip: &Clip,
    shape: &Shape,
    whole: Option<&EditReport>,
    roles: &RoleOverrides,
) -> ApiResult<Vec<ChangedSpan>> {
    let (Some(whole), false) = (whole, shape.drags.is_empty()) else {
        return Ok(Vec::new());
    };
    let lengths = Shape {
        drags: Vec::new(),
        ..shape.clone()
    };
    let Some(lengths) = lengths.edits(roles.clone()) else {
        return Ok(whole.spans.clone());
    };
    let alone = Shape {
        drags: shape.drags.clone(),
        ..Shape::default()
    };
    let sized = edited(clip, &lengths)?.clip;
    let Some(drags) = alone.edits(roles.clone()) else {
        return Ok(Vec::new());
    };
    Ok(edited(&sized, &drags)?.report.spans)
}

fn body(clip: &Clip, given: RoleOverrides) -> ApiResult<Body> {
    Body::of_clip(clip, Some(&given)).map_err(|e| {
        ApiError::unprocessable(e.to_string()).hint("choose another joint for this role, or none")
    })
}
