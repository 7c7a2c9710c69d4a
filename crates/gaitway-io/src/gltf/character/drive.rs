//! The way back from a clip to a file's own nodes.
//!
//! Reading took scale out and multiplied what stands above the body into its root (`nodes`). With A the linear part of the world
//! transform of a node's parent (scale and all), R its rotation alone and p its place, a joint that the clip has at place P, turned
//! by W, wants the node at
//!
//!   t = A⁻¹ · (P − p),    r = R⁻¹ · W.
//!
//! Where every scale above is one that is the clip's own offset and rotation, whose bits are kept. Cost: O(frames · joints).

use gaitway_core::{Clip, JointIdx};
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::fit::Fit;
use crate::nodes::{Above, Chosen, Node, scaled_above};

/// How one node moves, a value per frame.
pub(super) struct NodeTrack {
    pub node: usize,
    pub rotations: Vec<Quat>,
    pub translations: Vec<Vec3>,
}

/// The tracks of all joints that have a node, and how many nodes hang below a scale of zero, which no place can be undone through:
/// they keep their rest translation.
pub(super) fn drive(
    nodes: &[Node],
    chosen: &Chosen,
    clip: &Clip,
    fit: &Fit,
) -> (Vec<NodeTrack>, usize) {
    let frames = clip.frame_count();
    let mut driver = Driver::new(nodes, chosen, clip, fit);
    let mut tracks: Vec<NodeTrack> = Vec::new();
    let mut track_of = vec![None; chosen.joints.len()];
    for (j, node) in chosen.joints.iter().enumerate() {
        if let Some(node) = *node {
            track_of[j] = Some(tracks.len());
            tracks.push(NodeTrack {
                node,
                rotations: Vec::with_capacity(frames),
                translations: Vec::with_capacity(frames),
            });
        }
    }
    for frame in 0..frames {
        for (j, track) in track_of.iter().enumerate() {
            let (turn, place) = driver.joint(j, frame);
            if let Some(track) = track.map(|t| &mut tracks[t]) {
                track.rotations.push(turn);
                track.translations.push(place);
            }
        }
    }
    let lost = driver.lost.iter().filter(|l| **l).count();
    (tracks, lost)
}

struct Driver<'a> {
    nodes: &'a [Node],
    chosen: &'a Chosen,
    clip: &'a Clip,
    fit: &'a Fit,
    /// Tracks of joints that move, by the clip's joints.
    moving: Vec<Option<&'a [Vec3]>>,
    above: Vec<Option<Above>>,
    scaled: Vec<bool>,
    /// Where the clip has each joint.
    places: Vec<DVec3>,
    turns: Vec<DQuat>,
    /// The linear parts of the nodes' world transforms.
    linear: Vec<DMat3>,
    lost: Vec<bool>,
}

impl<'a> Driver<'a> {
    fn new(nodes: &'a [Node], chosen: &'a Chosen, clip: &'a Clip, fit: &'a Fit) -> Self {
        let count = chosen.joints.len();
        let mut moving = vec![None; clip.joint_count()];
        for track in clip.translations() {
            moving[track.joint.index()] = Some(track.values.as_slice());
        }
        let above = chosen.joints.iter().map(|&n| {
            let of = chosen.above.iter().find(|(top, _)| Some(*top) == n);
            of.map(|(_, above)| *above)
        });
        let still = vec![crate::nodes::NodeMotion::default(); nodes.len()];
        Self {
            nodes,
            chosen,
            clip,
            fit,
            moving,
            above: above.collect(),
            scaled: scaled_above(nodes, chosen, &still),
            places: vec![DVec3::ZERO; count],
            turns: vec![DQuat::IDENTITY; count],
            linear: vec![DMat3::IDENTITY; count],
            lost: vec![false; count],
        }
    }

    /// Local rotation and translation of a joint's node; joints above must have been asked for first.
    fn joint(&mut self, j: usize, frame: usize) -> (Quat, Vec3) {
        let twin = self.fit.joints[j];
        let local = self.clip.rotation(frame, twin);
        let offset = if twin == JointIdx::ROOT {
            self.clip.root()[frame] * self.fit.scale
        } else {
            let own =
                self.moving[twin.index()].map_or(self.fit.offsets[j], |v| v[frame].as_dvec3());
            own * self.fit.scale
        };
        let parent = self.chosen.parents[j];
        let (place, turn) = match parent {
            Some(p) => (
                self.places[p] + self.turns[p] * offset,
                (self.turns[p] * local.as_dquat()).normalize(),
            ),
            None => (offset, local.as_dquat()),
        };
        (self.places[j], self.turns[j]) = (place, turn);
        let Some(node) = self.chosen.joints[j] else {
            return (local, offset.as_vec3());
        };
        let node = &self.nodes[node];
        let on_node = parent.filter(|&p| self.chosen.joints[p].is_some());
        let (linear, from, rotation, translation) = match (on_node, self.above[j]) {
            (Some(p), _) if !self.scaled[j] => (self.linear[p], None, local, offset),
            (Some(p), _) => (self.linear[p], Some(self.places[p]), local, offset),
            (None, Some(above)) if parent.is_none() && above.is_nothing() => {
                (DMat3::IDENTITY, None, local, offset)
            }
            (None, above) => {
                let above = above.unwrap_or(Above::NOTHING);
                let rotation = (above.rotation.inverse() * turn).normalize().as_quat();
                (above.linear, Some(above.place), rotation, offset)
            }
        };
        let translation = from.map_or(translation, |from| {
            let back = linear.inverse() * (place - from);
            if back.is_finite() {
                return back;
            }
            self.lost[j] = true;
            node.translation
        });
        self.linear[j] =
            linear * DMat3::from_quat(rotation.as_dquat()) * DMat3::from_diagonal(node.scale);
        (rotation, translation.as_vec3())
    }
}
