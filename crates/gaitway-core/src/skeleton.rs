//! A skeleton: a tree of named joints, their rest offsets, and the end sites at its tips.
//!
//! Joints are stored parents first, so one pass in index order visits every parent before its
//! children. The root is joint 0. End sites (the tips of fingers, toes, head) never rotate, so they
//! stand apart from the joints; a *point* is either, joints counted first.

use std::sync::Arc;

use glam::Vec3;
use thiserror::Error;

/// A joint of a skeleton, by its place in [`Skeleton::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointIdx(pub u32);

impl JointIdx {
    /// The root of every skeleton.
    pub const ROOT: Self = Self(0);

    /// As an index into per-joint arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A joint or an end site: joints come first, then end sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointIdx(pub u32);

impl PointIdx {
    /// As an index into per-point arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<JointIdx> for PointIdx {
    fn from(joint: JointIdx) -> Self {
        Self(joint.0)
    }
}

/// The tip of a limb: a fixed point in the frame of its parent joint.
#[derive(Clone, Debug, PartialEq)]
pub struct EndSite {
    /// The joint it is fixed to.
    pub parent: JointIdx,
    /// Where it is in the parent's frame, in metres.
    pub offset: Vec3,
}

/// Why a skeleton cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SkeletonError {
    /// There is no joint at all.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// More joints than a real rig has; a sign of a corrupt file.
    #[error("{count} joints are more than the {limit} a skeleton may have")]
    TooManyJoints {
        /// How many were asked for.
        count: usize,
        /// The most there may be.
        limit: usize,
    },
    /// Two joints share a name, so nothing could tell them apart.
    #[error("two joints are called `{0}`")]
    DuplicateName(String),
    /// A parent does not come before its child.
    #[error("joint `{joint}` names a parent that does not come before it")]
    ParentOrder {
        /// The joint in question.
        joint: String,
    },
    /// An offset is NaN or infinite.
    #[error("the offset of `{joint}` is not finite")]
    NotFinite {
        /// The joint in question.
        joint: String,
    },
}

/// A tree of joints with rest offsets in metres. Immutable once built.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    names: Vec<String>,
    /// `u32::MAX` for the root.
    parents: Vec<u32>,
    offsets: Vec<Vec3>,
    end_sites: Vec<EndSite>,
}

impl Skeleton {
    /// The most joints a skeleton may have.
    pub const MAX_JOINTS: usize = 4096;

    /// Starts an empty builder.
    pub fn builder() -> SkeletonBuilder {
        SkeletonBuilder::default()
    }

    /// Wraps the skeleton for sharing between clips.
    pub fn shared(self) -> Arc<Self> {
        Arc::new(self)
    }

    /// Number of joints, end sites not counted.
    pub fn joint_count(&self) -> usize {
        self.names.len()
    }

    /// Number of joints and end sites together.
    pub fn point_count(&self) -> usize {
        self.names.len() + self.end_sites.len()
    }

    /// All joints, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointIdx> + DoubleEndedIterator + use<> {
        (0..self.names.len() as u32).map(JointIdx)
    }

    /// The joints' names in index order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// One joint's name.
    pub fn name(&self, joint: JointIdx) -> &str {
        &self.names[joint.index()]
    }

    /// The joint above, `None` for the root.
    pub fn parent(&self, joint: JointIdx) -> Option<JointIdx> {
        let parent = self.parents[joint.index()];
        (parent != u32::MAX).then_some(JointIdx(parent))
    }

    /// Where the joint sits in its parent's frame at rest, in metres. The root's is where a file put
    /// it; clips carry the root's place themselves and never add this to it.
    pub fn offset(&self, joint: JointIdx) -> Vec3 {
        self.offsets[joint.index()]
    }

    /// All rest offsets in joint order.
    pub fn offsets(&self) -> &[Vec3] {
        &self.offsets
    }

    /// The tips of the tree.
    pub fn end_sites(&self) -> &[EndSite] {
        &self.end_sites
    }

    /// The point of an end site, by its place in [`Skeleton::end_sites`].
    pub fn end_site_point(&self, end_site: usize) -> PointIdx {
        PointIdx((self.names.len() + end_site) as u32)
    }

    /// The joint whose frame a point moves with: itself for a joint, the parent for an end site.
    pub fn point_joint(&self, point: PointIdx) -> JointIdx {
        match point.index().checked_sub(self.names.len()) {
            None => JointIdx(point.0),
            Some(site) => self.end_sites[site].parent,
        }
    }

    /// The point above another: the parent of a joint or of an end site, `None` for the root.
    pub fn point_parent(&self, point: PointIdx) -> Option<JointIdx> {
        match point.index().checked_sub(self.names.len()) {
            None => self.parent(JointIdx(point.0)),
            Some(site) => Some(self.end_sites[site].parent),
        }
    }

    /// A name for any point: a joint's own, or the parent's with `_end` (and a number from the
    /// second tip of one joint on).
    pub fn point_name(&self, point: PointIdx) -> String {
        let Some(site) = point.index().checked_sub(self.names.len()) else {
            return self.names[point.index()].clone();
        };
        let parent = self.end_sites[site].parent;
        let earlier = self.end_sites[..site]
            .iter()
            .filter(|e| e.parent == parent)
            .count();
        match earlier {
            0 => format!("{}_end", self.name(parent)),
            n => format!("{}_end{}", self.name(parent), n + 1),
        }
    }

    /// The joint of this exact name.
    pub fn find(&self, name: &str) -> Option<JointIdx> {
        self.names
            .iter()
            .position(|n| n == name)
            .map(|i| JointIdx(i as u32))
    }

    /// The joint or end site of this exact name, as [`Skeleton::point_name`] gives it.
    pub fn find_point(&self, name: &str) -> Option<PointIdx> {
        (0..self.point_count() as u32)
            .map(PointIdx)
            .find(|&p| self.point_name(p) == name)
    }

    /// The joints directly below another.
    pub fn children(&self, joint: JointIdx) -> impl Iterator<Item = JointIdx> + '_ {
        self.joints()
            .filter(move |&j| self.parent(j) == Some(joint))
    }

    /// Length of the bone from the parent to this joint, in metres; 0 for the root.
    pub fn bone_length(&self, joint: JointIdx) -> f32 {
        if joint == JointIdx::ROOT {
            0.0
        } else {
            self.offset(joint).length()
        }
    }

    /// Whether two skeletons can share a clip set: names, parents and end sites equal, offsets within
    /// `tolerance` metres. The root's own offset does not count, since clips place the root themselves.
    pub fn agrees(&self, other: &Self, tolerance: f32) -> bool {
        let near = |a: &Vec3, b: &Vec3| a.distance(*b) <= tolerance;
        self.parents == other.parents
            && self.names == other.names
            && self
                .offsets
                .iter()
                .zip(&other.offsets)
                .skip(1)
                .all(|(a, b)| near(a, b))
            && self.end_sites.len() == other.end_sites.len()
            && self
                .end_sites
                .iter()
                .zip(&other.end_sites)
                .all(|(a, b)| a.parent == b.parent && near(&a.offset, &b.offset))
    }

    /// The same tree with the offsets that another of the same joints has of some of them. The root's never counts.
    pub(crate) fn with_offsets_of(&self, other: &Self, of: impl Fn(JointIdx) -> bool) -> Self {
        let mut out = self.clone();
        if self.names == other.names {
            for joint in self.joints().skip(1).filter(|&j| of(j)) {
                out.offsets[joint.index()] = other.offset(joint);
            }
        }
        out
    }

    /// Joints that only carry the body: from the one below the root to the first that more than one thing hangs on, where each
    /// is all that hangs on the one above. How far they are from it is a matter of where a root is put, not of the body.
    pub(crate) fn lead(&self) -> Vec<JointIdx> {
        let mut out = Vec::new();
        let mut at = JointIdx::ROOT;
        loop {
            let mut children = self.children(at);
            let (Some(child), None) = (children.next(), children.next()) else {
                // A chain that nothing branches off from is all body.
                let branches = self.children(at).next().is_some();
                return if branches { out } else { Vec::new() };
            };
            if self.end_sites.iter().any(|e| e.parent == at) {
                return out;
            }
            out.push(child);
            at = child;
        }
    }

    /// Whether another of the same tree has tips where this one's have no length.
    pub(crate) fn lacks_tips_of(&self, other: &Self) -> bool {
        self.names == other.names
            && self.end_sites.len() == other.end_sites.len()
            && self.end_sites.iter().zip(&other.end_sites).any(|(a, b)| {
                a.parent == b.parent && a.offset == Vec3::ZERO && b.offset != Vec3::ZERO
            })
    }

    /// Takes those tips over; whether there were any.
    pub(crate) fn take_tips_of(&mut self, other: &Self) -> bool {
        let lacks = self.lacks_tips_of(other);
        if lacks {
            for (own, tip) in self.end_sites.iter_mut().zip(&other.end_sites) {
                if own.offset == Vec3::ZERO {
                    own.offset = tip.offset;
                }
            }
        }
        lacks
    }

    /// The point whose offset is farthest from that of another skeleton of the same tree, and by how much, in metres.
    pub(crate) fn farthest(&self, other: &Self) -> Option<(PointIdx, f32)> {
        let joints = self.offsets.iter().zip(&other.offsets);
        let joints = joints.map(|(a, b)| a.distance(*b)).enumerate().skip(1);
        let sites = self.end_sites.iter().zip(&other.end_sites);
        let sites = sites.enumerate().map(|(i, (a, b))| {
            let apart = a.offset.distance(b.offset);
            (self.names.len() + i, apart)
        });
        let farthest = joints.chain(sites).max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((PointIdx(farthest.0 as u32), farthest.1))
    }

    /// The differences that keep two skeletons from sharing a clip set: joints by name where names,
    /// parents or offsets (beyond `tolerance` metres) disagree. Empty when they agree.
    pub fn differences(&self, other: &Self, tolerance: f32) -> Vec<String> {
        let mut out = Vec::new();
        for joint in self.joints() {
            let name = self.name(joint);
            let Some(twin) = other.find(name) else {
                out.push(format!("`{name}` is missing in the other"));
                continue;
            };
            let (a, b) = (self.parent(joint), other.parent(twin));
            let parent_names = (a.map(|p| self.name(p)), b.map(|p| other.name(p)));
            if parent_names.0 != parent_names.1 {
                out.push(format!(
                    "`{name}` hangs on {} here and on {} there",
                    parent_names.0.unwrap_or("nothing"),
                    parent_names.1.unwrap_or("nothing")
                ));
            } else if joint != twin {
                out.push(format!(
                    "`{name}` is joint {} here and {} there",
                    joint.0, twin.0
                ));
            } else if joint != JointIdx::ROOT {
                let apart = self.offset(joint).distance(other.offset(twin));
                if apart > tolerance {
                    out.push(format!(
                        "the offset of `{name}` differs by {:.1} mm",
                        apart * 1000.0
                    ));
                }
            }
        }
        let extra = other.names.iter().filter(|n| self.find(n).is_none());
        out.extend(extra.map(|n| format!("`{n}` is missing here")));
        if out.is_empty() && !self.agrees(other, tolerance) {
            out.push("the end sites differ".to_owned());
        }
        out
    }
}

/// Builds a [`Skeleton`] joint by joint, parents first.
#[derive(Clone, Debug, Default)]
pub struct SkeletonBuilder {
    names: Vec<String>,
    parents: Vec<u32>,
    offsets: Vec<Vec3>,
    end_sites: Vec<EndSite>,
}

impl SkeletonBuilder {
    /// Adds the root; must come first.
    pub fn root(&mut self, name: impl Into<String>, offset: Vec3) -> JointIdx {
        self.push(name.into(), u32::MAX, offset)
    }

    /// Adds a joint below another.
    pub fn joint(&mut self, name: impl Into<String>, parent: JointIdx, offset: Vec3) -> JointIdx {
        self.push(name.into(), parent.0, offset)
    }

    /// Adds a tip below a joint.
    pub fn end_site(&mut self, parent: JointIdx, offset: Vec3) {
        self.end_sites.push(EndSite { parent, offset });
    }

    /// How many joints there are so far.
    pub fn joint_count(&self) -> usize {
        self.names.len()
    }

    fn push(&mut self, name: String, parent: u32, offset: Vec3) -> JointIdx {
        self.names.push(name);
        self.parents.push(parent);
        self.offsets.push(offset);
        JointIdx((self.names.len() - 1) as u32)
    }

    /// Checks the tree and freezes it.
    ///
    /// # Errors
    /// When there is no joint, a name occurs twice, a parent comes after its child, there is a
    /// second root, or an offset is not finite.
    pub fn build(self) -> Result<Skeleton, SkeletonError> {
        let count = self.names.len();
        if count == 0 {
            return Err(SkeletonError::Empty);
        }
        if count.max(self.end_sites.len()) > Skeleton::MAX_JOINTS {
            let limit = Skeleton::MAX_JOINTS;
            return Err(SkeletonError::TooManyJoints { count, limit });
        }
        let mut seen = std::collections::HashSet::with_capacity(count);
        for (i, name) in self.names.iter().enumerate() {
            if !seen.insert(name.as_str()) {
                return Err(SkeletonError::DuplicateName(name.clone()));
            }
            let parent = self.parents[i];
            let in_order = if i == 0 {
                parent == u32::MAX
            } else {
                (parent as usize) < i
            };
            if !in_order {
                return Err(SkeletonError::ParentOrder {
                    joint: name.clone(),
                });
            }
            if !self.offsets[i].is_finite() {
                return Err(SkeletonError::NotFinite {
                    joint: name.clone(),
                });
            }
        }
        for site in &self.end_sites {
            let Some(name) = self.names.get(site.parent.index()) else {
                return Err(SkeletonError::ParentOrder {
                    joint: "an end site".into(),
                });
            };
            if !site.offset.is_finite() {
                return Err(SkeletonError::NotFinite {
                    joint: format!("{name}_end"),
                });
            }
        }
        Ok(Skeleton {
            names: self.names,
            parents: self.parents,
            offsets: self.offsets,
            end_sites: self.end_sites,
        })
    }
}
