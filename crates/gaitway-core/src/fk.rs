//! Forward kinematics: where every joint and end site is in the world.
//!
//!   R_j = R_parent · r_j,     p_j = p_parent + R_parent · o_j
//!
//! with r_j the local rotation and o_j the rest offset or the frame's translation. The chain is summed in
//! `f32` relative to the root (a body is a few metres long: below a micrometre of error) and put at the
//! root's `f64` place at the end, so a clip ten kilometres out is as exact as one at the origin.
//! Cost: O(points) per frame, nothing allocated per frame.

use glam::{DVec3, Quat, Vec3};

use crate::{Clip, JointIdx, PointIdx, Pose, Skeleton};

/// Working memory for one frame, reused over a clip.
#[derive(Clone, Debug)]
pub struct FkScratch {
    /// World rotation of every joint.
    pub rotations: Vec<Quat>,
    /// Place of every point relative to the root joint, joints first, then end sites.
    pub from_root: Vec<Vec3>,
    /// Local translations, rest offsets where no track moves them.
    locals: Vec<Vec3>,
}

impl FkScratch {
    /// Memory for one skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self {
            rotations: vec![Quat::IDENTITY; skeleton.joint_count()],
            from_root: vec![Vec3::ZERO; skeleton.point_count()],
            locals: skeleton.offsets().to_vec(),
        }
    }

    /// Solves one frame of a clip.
    pub fn solve(&mut self, clip: &Clip, frame: usize) {
        for track in clip.translations() {
            self.locals[track.joint.index()] = track.values[frame];
        }
        self.chain(clip.skeleton(), clip.frame_rotations(frame));
    }

    /// Solves a pose given by local rotations, all joints at their rest offsets.
    pub fn solve_pose(&mut self, skeleton: &Skeleton, local_rotations: &[Quat]) {
        self.locals.copy_from_slice(skeleton.offsets());
        self.chain(skeleton, local_rotations);
    }

    /// Solves a pose, joints that move in their parents where it has them.
    pub fn solve_moving(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.locals.copy_from_slice(skeleton.offsets());
        for (joint, &place) in pose.moving().iter().zip(&pose.translations) {
            self.locals[joint.index()] = place;
        }
        self.chain(skeleton, &pose.rotations);
    }

    fn chain(&mut self, skeleton: &Skeleton, local_rotations: &[Quat]) {
        let joints = skeleton.joint_count();
        debug_assert_eq!(local_rotations.len(), joints);
        self.rotations[0] = local_rotations[0];
        self.from_root[0] = Vec3::ZERO;
        for joint in skeleton.joints().skip(1) {
            let (j, p) = (
                joint.index(),
                skeleton.parent(joint).map_or(0, JointIdx::index),
            );
            self.rotations[j] = self.rotations[p] * local_rotations[j];
            self.from_root[j] = self.from_root[p] + self.rotations[p] * self.locals[j];
        }
        for (i, site) in skeleton.end_sites().iter().enumerate() {
            let p = site.parent.index();
            self.from_root[joints + i] = self.from_root[p] + self.rotations[p] * site.offset;
        }
    }
}

/// World places of all points of all frames, frame-major.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldPoints {
    points: usize,
    places: Vec<DVec3>,
}

impl WorldPoints {
    /// Points per frame: joints, then end sites.
    pub fn point_count(&self) -> usize {
        self.points
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.places.len() / self.points.max(1)
    }

    /// One frame's points.
    pub fn frame(&self, frame: usize) -> &[DVec3] {
        &self.places[frame * self.points..(frame + 1) * self.points]
    }

    /// One point in one frame.
    pub fn at(&self, frame: usize, point: usize) -> DVec3 {
        self.places[frame * self.points + point]
    }

    /// The way of one point through all frames.
    pub fn track(&self, point: PointIdx) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        let (count, point) = (self.frame_count(), point.index());
        (0..count).map(move |f| self.at(f, point))
    }

    /// All places, frame-major.
    pub fn places(&self) -> &[DVec3] {
        &self.places
    }
}

/// Solves a whole clip.
pub fn world_points(clip: &Clip) -> WorldPoints {
    let points = clip.skeleton().point_count();
    let mut places = Vec::with_capacity(points * clip.frame_count());
    let mut scratch = FkScratch::new(clip.skeleton());
    for (frame, root) in clip.root().iter().enumerate() {
        scratch.solve(clip, frame);
        places.extend(scratch.from_root.iter().map(|p| *root + p.as_dvec3()));
    }
    WorldPoints { points, places }
}

/// World rotations of all joints of all frames, frame-major.
pub fn world_rotations(clip: &Clip) -> Vec<Quat> {
    let mut out = Vec::with_capacity(clip.rotations().len());
    let mut scratch = FkScratch::new(clip.skeleton());
    for frame in 0..clip.frame_count() {
        scratch.solve(clip, frame);
        out.extend_from_slice(&scratch.rotations);
    }
    out
}

/// The slow, obvious twin of [`world_points`]: each point by a walk up to the root in `f64` matrices.
pub fn naive_world_point(clip: &Clip, frame: usize, point: PointIdx) -> DVec3 {
    let skeleton = clip.skeleton();
    let joint = skeleton.point_joint(point);
    let mut place = match point.index().checked_sub(skeleton.joint_count()) {
        None => DVec3::ZERO,
        Some(site) => skeleton.end_sites()[site].offset.as_dvec3(),
    };
    let mut at = Some(joint);
    while let Some(j) = at {
        place = glam::DMat3::from_quat(clip.rotation(frame, j).as_dquat().normalize()) * place;
        place += match (skeleton.parent(j), clip.translation_track(j)) {
            (None, _) => clip.root()[frame],
            (Some(_), Some(track)) => track.values[frame].as_dvec3(),
            (Some(_), None) => skeleton.offset(j).as_dvec3(),
        };
        at = skeleton.parent(j);
    }
    place
}
