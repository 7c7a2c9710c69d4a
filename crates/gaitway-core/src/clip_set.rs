//! Clips that share one skeleton.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Clip, JointIdx, Skeleton, ground};

/// Offsets may differ by this much, in metres, and still be written down as one skeleton.
pub const OFFSET_TOLERANCE: f32 = 1e-4;

/// Offsets may differ by this much, in metres, and still be one body: solvers measure no finer, and nobody sees it.
pub const SAME_BODY: f32 = 1e-3;

/// What keeps two clips from being of one body: joints by name, and offsets that differ by a millimetre or more. An offset that a translation
/// track of either clip stands in place of does not count, nor does how far a root that only carries the body is from it. Empty where they go
/// together.
pub fn body_differences(a: &Clip, b: &Clip) -> Vec<String> {
    if same_body(a, b) {
        return Vec::new();
    }
    a.skeleton().differences(&seen_by(a, b), SAME_BODY)
}

/// Whether two clips are of one body, as [`body_differences`] says in words.
pub fn same_body(a: &Clip, b: &Clip) -> bool {
    Arc::ptr_eq(a.skeleton(), b.skeleton()) || a.skeleton().agrees(&seen_by(a, b), SAME_BODY)
}

/// The skeleton of `b` with the offsets of `a` wherever either does not use its own.
fn seen_by<'a>(a: &Clip, b: &'a Clip) -> Cow<'a, Skeleton> {
    let lead = b.skeleton().lead();
    if a.translations().is_empty() && b.translations().is_empty() && lead.is_empty() {
        return Cow::Borrowed(b.skeleton());
    }
    let has_track = |c: &Clip, j| c.translation_track(j).is_some();
    let moved = |j: JointIdx| has_track(a, j) || has_track(b, j) || lead.contains(&j);
    Cow::Owned(b.skeleton().with_offsets_of(a.skeleton(), moved))
}

/// Offsets that were taken for those of one body although they differ by more than files round.
#[derive(Clone, Debug, PartialEq)]
pub struct NearlySame {
    /// How many clips differ from the set's skeleton.
    pub clips: usize,
    /// Where they differ most, as a point's name.
    pub point: String,
    /// By how much, in metres.
    pub apart: f32,
    /// How many clips have tips of no length where others have some, and took theirs.
    pub tips: usize,
}

impl fmt::Display for NearlySame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clips = |n: usize| match n {
            1 => "1 clip".to_owned(),
            n => format!("{n} clips"),
        };
        let mut parts = Vec::new();
        if self.clips > 0 {
            let (point, mm) = (&self.point, 1000.0 * self.apart);
            let of = clips(self.clips);
            parts.push(format!(
                "offsets of {of} differ by up to {mm:.1} mm (`{point}`)"
            ));
        }
        if self.tips > 0 {
            let of = clips(self.tips);
            parts.push(format!(
                "tips of {of} have no length and are taken from the others"
            ));
        }
        write!(f, "taken for one body: {}", parts.join("; "))
    }
}

/// Why clips do not make a set.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipSetError {
    /// There is no clip.
    #[error("a set needs at least one clip")]
    Empty,
    /// Two clips move different bodies.
    #[error("`{first}` and `{other}` have different skeletons: {}", list(.differences))]
    Skeletons {
        /// The clip that all are held against: the first by name.
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
    nearly_same: Option<NearlySame>,
}

impl ClipSet {
    /// Puts clips together. The skeleton is that of the first by name, so that it does not depend on the order they are given in; an offset
    /// that its translation track stands in place of is taken from the first clip that uses its own.
    ///
    /// # Errors
    /// When there is none, two have one name, or their skeletons differ: names and parents must be equal, and offsets agree to 1 mm where no
    /// translation track stands in their place.
    pub fn new(clips: Vec<Clip>) -> Result<Self, ClipSetError> {
        let mut by_name: Vec<&Clip> = clips.iter().collect();
        by_name.sort_by(|a, b| a.name().cmp(b.name()));
        let first = *by_name.first().ok_or(ClipSetError::Empty)?;
        if let Some(pair) = by_name.windows(2).find(|w| w[0].name() == w[1].name()) {
            return Err(ClipSetError::DuplicateName(pair[0].name().to_owned()));
        }
        let skeleton = shared_skeleton(&by_name);
        let lead = skeleton.lead();
        let mut nearly = NearlySame {
            clips: 0,
            point: String::new(),
            apart: OFFSET_TOLERANCE,
            tips: 0,
        };
        for clip in by_name {
            if Arc::ptr_eq(clip.skeleton(), &skeleton) {
                continue;
            }
            let (seen, tips) = seen_as(clip, &skeleton, &lead);
            nearly.tips += usize::from(tips);
            let differences = skeleton.differences(&seen, SAME_BODY);
            if !differences.is_empty() {
                return Err(ClipSetError::Skeletons {
                    first: first.name().to_owned(),
                    other: clip.name().to_owned(),
                    differences,
                });
            }
            let Some((point, apart)) = skeleton.farthest(&seen) else {
                continue;
            };
            nearly.clips += usize::from(apart > OFFSET_TOLERANCE);
            if apart > nearly.apart {
                nearly.apart = apart;
                nearly.point = skeleton.point_name(point);
            }
        }
        let share =
            |clip: Clip| seated(clip, &lead, &skeleton).with_shared_skeleton(skeleton.clone());
        Ok(Self {
            clips: clips.into_iter().map(share).collect(),
            nearly_same: Some(nearly).filter(|n| n.clips + n.tips > 0),
            skeleton,
        })
    }

    /// Offsets that were taken for one body's although they differ, where there are any.
    pub fn nearly_same(&self) -> Option<&NearlySame> {
        self.nearly_same.as_ref()
    }

    /// Sorts clips into groups of one skeleton each, in order of first appearance.
    pub fn group(clips: Vec<Clip>) -> Vec<Vec<Clip>> {
        let homes = homes(&clips.iter().collect::<Vec<_>>());
        let count = homes.iter().max().map_or(0, |k| k + 1);
        let mut groups: Vec<Vec<Clip>> = vec![Vec::new(); count];
        for (clip, home) in clips.into_iter().zip(homes) {
            groups[home].push(clip);
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

/// Per clip the number of its group, in order of first appearance: each is held against the first of every group, then groups that make one
/// set are joined, since two clips may be of one body only by what a third says of it.
fn homes(clips: &[&Clip]) -> Vec<usize> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (k, clip) in clips.iter().enumerate() {
        let known = groups.iter().position(|g| same_body(clips[g[0]], clip));
        match known {
            Some(g) => groups[g].push(k),
            None => groups.push(vec![k]),
        }
    }
    let mut joined: Vec<Vec<usize>> = Vec::new();
    for group in groups {
        let with = |other: &Vec<usize>| {
            let both = other.iter().chain(&group).map(|&k| clips[k]);
            is_one_body(&both.collect::<Vec<_>>())
        };
        match joined.iter().position(with) {
            Some(g) => joined[g].extend(group),
            None => joined.push(group),
        }
    }
    let mut out = vec![0; clips.len()];
    for (home, group) in joined.iter().enumerate() {
        group.iter().for_each(|&k| out[k] = home);
    }
    out
}

/// Whether [`ClipSet::new`] takes clips together, whatever their names.
fn is_one_body(clips: &[&Clip]) -> bool {
    let mut by_name = clips.to_vec();
    by_name.sort_by(|a, b| a.name().cmp(b.name()));
    let skeleton = shared_skeleton(&by_name);
    let lead = skeleton.lead();
    by_name.iter().all(|clip| {
        Arc::ptr_eq(clip.skeleton(), &skeleton) || {
            let seen = seen_as(clip, &skeleton, &lead).0;
            skeleton.differences(&seen, SAME_BODY).is_empty()
        }
    })
}

/// A clip's skeleton with what does not count taken from the set's; and whether tips were.
fn seen_as(clip: &Clip, skeleton: &Skeleton, lead: &[JointIdx]) -> (Skeleton, bool) {
    let moved = |j: JointIdx| clip.translation_track(j).is_some() || lead.contains(&j);
    let mut seen = clip.skeleton().with_offsets_of(skeleton, moved);
    let tips = seen.take_tips_of(skeleton);
    (seen, tips)
}

/// Clips of one body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// A hash of the body, ten hex digits: equal for all clips that [`same_body`] takes together here, and from run to run for
    /// clips of one rig.
    pub id: String,
    /// Which of the clips given, in order.
    pub clips: Vec<usize>,
}

/// Sorts clips by body, in order of first appearance.
pub fn bodies(clips: &[&Clip]) -> Vec<Body> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for (k, home) in homes(clips).into_iter().enumerate() {
        match out.get_mut(home) {
            Some(group) => group.push(k),
            None => out.push(vec![k]),
        }
    }
    let body = |members: Vec<usize>| {
        // The first by name speaks for all, in whatever order they were given.
        let first = members.iter().min_by_key(|&&k| clips[k].name());
        Body {
            id: first.map_or(String::new(), |&k| skeleton_id(clips[k])),
            clips: members,
        }
    };
    out.into_iter().map(body).collect()
}

/// FNV-1a over names, parents, offsets and tips, those to a tenth of a millimetre. Left out is what [`same_body`] leaves out: how far a root
/// that only carries the body is from it, and offsets that a track stands in place of.
fn skeleton_id(clip: &Clip) -> String {
    let (skeleton, lead) = (clip.skeleton(), clip.skeleton().lead());
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bytes: &[u8]| {
        for &b in bytes {
            hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let rounded = |v: glam::Vec3| v.to_array().map(|c| (f64::from(c) * 1e4).round() as i64);
    for joint in skeleton.joints() {
        take(skeleton.name(joint).as_bytes());
        let parent = skeleton.parent(joint).map_or(u32::MAX, |p| p.0);
        take(&parent.to_le_bytes());
        let unused = clip.translation_track(joint).is_some() || lead.contains(&joint);
        if skeleton.parent(joint).is_some() && !unused {
            rounded(skeleton.offset(joint))
                .iter()
                .for_each(|c| take(&c.to_le_bytes()));
        }
    }
    for tip in skeleton.end_sites() {
        take(&tip.parent.0.to_le_bytes());
        rounded(tip.offset)
            .iter()
            .for_each(|c| take(&c.to_le_bytes()));
    }
    format!("{:010x}", hash >> 24)
}

/// The clip with its root where a root must be that carries the body at the shared skeleton's offsets; the body stays where it is.
fn seated(clip: Clip, lead: &[JointIdx], skeleton: &Skeleton) -> Clip {
    let off = |j: &&JointIdx| {
        let apart = clip.skeleton().offset(**j).distance(skeleton.offset(**j));
        clip.translation_track(**j).is_none() && apart > OFFSET_TOLERANCE
    };
    let wrong: Vec<JointIdx> = lead.iter().filter(off).copied().collect();
    wrong.into_iter().fold(clip, |clip, joint| {
        ground::seat_root(&clip, joint, skeleton.offset(joint))
    })
}

/// The first clip's skeleton, with offsets of others where its own are not used, and tips of others where its own have no length.
fn shared_skeleton(by_name: &[&Clip]) -> Arc<Skeleton> {
    let first = by_name[0];
    let mut skeleton = first.skeleton().clone();
    for track in first.translations() {
        let uses_offset = |c: &&&Clip| {
            c.joint_count() == first.joint_count() && c.translation_track(track.joint).is_none()
        };
        let Some(other) = by_name.iter().find(uses_offset) else {
            continue;
        };
        if other.skeleton().offset(track.joint) != skeleton.offset(track.joint) {
            let own = skeleton.with_offsets_of(other.skeleton(), |j| j == track.joint);
            skeleton = Arc::new(own);
        }
    }
    for other in by_name {
        if !Arc::ptr_eq(other.skeleton(), &skeleton) && skeleton.lacks_tips_of(other.skeleton()) {
            Arc::make_mut(&mut skeleton).take_tips_of(other.skeleton());
        }
    }
    skeleton
}
