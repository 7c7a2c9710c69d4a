//! A clip from chosen nodes and their motion, with scale taken out.
//!
//! With A_p the linear part of a parent's world transform (scale and all) and R_p the product of the
//! rotations alone, a joint at local translation t stands at A_p·t from its parent, so its scale-free
//! offset is
//!
//!   o = R_pᵀ · A_p · t.
//!
//! Joints therefore stand where the scene has them, whatever the scales. Where every scale above is one,
//! o = t and the file's own bits are kept. Cost: O(frames · joints).

use glam::{DMat3, DQuat, DVec3, Quat};

use gaitway_core::{WarningCode, Warnings};

use super::choose::Above;
use super::{Chosen, Node, NodeMotion};
use crate::raw::{RawClip, RawJoint, RawTrack};

/// Scales this close to one are rounding of exporters.
const SCALE_SLACK: f64 = 1e-5;

/// Builds the clip; the caller fills in name, rate, unit and axes.
pub(crate) fn assemble(
    nodes: &[Node],
    chosen: &Chosen,
    motions: &[NodeMotion],
    frames: usize,
    warnings: &mut Warnings,
) -> RawClip {
    let count = chosen.joints.len();
    let scaled = scaled_above(nodes, chosen, motions);
    tell_scale(nodes, chosen, motions, &scaled, warnings);
    let mut solver = Solver::new(nodes, chosen, motions, scaled);
    let mut rotations = Vec::with_capacity(frames * count);
    let mut root = Vec::with_capacity(frames);
    let mut moving: Vec<Option<Vec<DVec3>>> = (0..count)
        .map(|j| solver.may_move(j).then(|| Vec::with_capacity(frames)))
        .collect();
    for frame in 0..frames {
        solver.solve(Some(frame));
        root.push(solver.offsets[0]);
        rotations.extend_from_slice(&solver.locals);
        for (j, values) in moving.iter_mut().enumerate() {
            if let Some(values) = values {
                values.push(solver.offsets[j]);
            }
        }
    }
    solver.solve(None);
    let rest = solver.offsets.clone();
    let translations = tracks(&rest, moving);
    let joints = (0..count).map(|j| RawJoint {
        name: match chosen.joints[j] {
            Some(n) => nodes[n].name.clone(),
            None => "root".into(),
        },
        parent: chosen.parents[j],
        offset: rest[j],
    });
    RawClip {
        joints: joints.collect(),
        end_sites: solver.end_sites(),
        root,
        rotations,
        translations,
        frames_in_file: frames,
        ..RawClip::default()
    }
}

/// Tracks of the joints that leave their rest offset by more than a millionth of the longest bone.
fn tracks(rest: &[DVec3], moving: Vec<Option<Vec<DVec3>>>) -> Vec<RawTrack> {
    let longest = rest.iter().skip(1).map(|o| o.length()).fold(0.0, f64::max);
    let slack = 1e-6 * longest;
    let mut out = Vec::new();
    for (joint, values) in moving.into_iter().enumerate().skip(1) {
        let Some(values) = values else { continue };
        if values.iter().any(|v| v.distance(rest[joint]) > slack) {
            let values = values.iter().map(|v| v.as_vec3()).collect();
            out.push(RawTrack { joint, values });
        }
    }
    out
}

/// Whether any scale other than one stands above a joint's own translation.
pub(crate) fn scaled_above(nodes: &[Node], chosen: &Chosen, motions: &[NodeMotion]) -> Vec<bool> {
    let own: Vec<bool> = chosen
        .joints
        .iter()
        .map(|n| n.is_some_and(|n| is_scaled(&nodes[n], &motions[n])))
        .collect();
    let mut out = vec![false; own.len()];
    for j in 0..own.len() {
        out[j] = match chosen.parents[j] {
            Some(p) if chosen.joints[p].is_some() => out[p] || own[p],
            // A topmost node: what stands above it is looked at as a whole.
            _ => chosen
                .above
                .iter()
                .find(|(n, _)| Some(*n) == chosen.joints[j])
                .is_some_and(|(_, above)| !is_turn(above)),
        };
    }
    out
}

fn is_one(scale: DVec3) -> bool {
    (scale - DVec3::ONE).abs().max_element() <= SCALE_SLACK
}

fn is_scaled(node: &Node, motion: &NodeMotion) -> bool {
    match &motion.scale {
        Some(values) => values.iter().any(|&s| !is_one(s)),
        None => !is_one(node.scale),
    }
}

fn is_turn(above: &Above) -> bool {
    let apart = above.linear - DMat3::from_quat(above.rotation);
    apart.to_cols_array().iter().all(|x| x.abs() <= SCALE_SLACK)
}

fn tell_scale(
    nodes: &[Node],
    chosen: &Chosen,
    motions: &[NodeMotion],
    scaled: &[bool],
    warnings: &mut Warnings,
) {
    let animated: Vec<&str> = chosen
        .joints
        .iter()
        .flatten()
        .filter(|&&n| {
            motions[n]
                .scale
                .as_ref()
                .is_some_and(|s| s.iter().any(|&v| !is_one(v * s[0].recip())))
        })
        .map(|&n| &*nodes[n].name)
        .collect();
    if let Some(first) = animated.first() {
        let message = format!(
            "the scale of {} joints moves (first `{first}`); joints below stand where it puts them, by \
             translation tracks, and the growth of limbs itself is left out",
            animated.len()
        );
        warnings.add(WarningCode::ScaleBaked, message);
    } else if scaled.iter().any(|&s| s) {
        let message = "scale other than one was multiplied into the offsets of the joints below it";
        warnings.add(WarningCode::ScaleBaked, message);
    }
}

/// One frame's local rotations and scale-free offsets.
struct Solver<'a> {
    nodes: &'a [Node],
    chosen: &'a Chosen,
    motions: &'a [NodeMotion],
    above: Vec<Option<Above>>,
    /// Whether the joint's offset needs the matrices.
    scaled: Vec<bool>,
    any_scaled: bool,
    linear: Vec<DMat3>,
    turned: Vec<DQuat>,
    locals: Vec<Quat>,
    offsets: Vec<DVec3>,
}

impl<'a> Solver<'a> {
    fn new(
        nodes: &'a [Node],
        chosen: &'a Chosen,
        motions: &'a [NodeMotion],
        scaled: Vec<bool>,
    ) -> Self {
        let count = chosen.joints.len();
        let above = chosen.joints.iter().map(|&n| {
            let of = chosen.above.iter().find(|(top, _)| Some(*top) == n);
            of.map(|(_, above)| *above).filter(|a| !a.is_nothing())
        });
        // The offsets of children of a scaled joint need its matrices even if its own do not.
        let own = |n: &Option<usize>| n.is_some_and(|n| is_scaled(&nodes[n], &motions[n]));
        Self {
            nodes,
            chosen,
            motions,
            above: above.collect(),
            any_scaled: scaled.iter().any(|&s| s) || chosen.joints.iter().any(own),
            scaled,
            linear: vec![DMat3::IDENTITY; count],
            turned: vec![DQuat::IDENTITY; count],
            locals: vec![Quat::IDENTITY; count],
            offsets: vec![DVec3::ZERO; count],
        }
    }

    /// Whether a joint's offset can change from frame to frame.
    fn may_move(&self, joint: usize) -> bool {
        let own = self.chosen.joints[joint].is_some_and(|n| self.motions[n].translation.is_some());
        joint > 0 && (own || self.scaled[joint])
    }

    /// Solves a frame, or the rest pose.
    fn solve(&mut self, frame: Option<usize>) {
        for j in 0..self.chosen.joints.len() {
            let Some(n) = self.chosen.joints[j] else {
                continue;
            };
            let (node, motion) = (&self.nodes[n], &self.motions[n]);
            let at = |values: &Option<Vec<DVec3>>, rest: DVec3| match (values, frame) {
                (Some(v), Some(f)) => v[f],
                _ => rest,
            };
            let translation = at(&motion.translation, node.translation);
            let rotation = match (&motion.rotation, frame) {
                (Some(v), Some(f)) => v[f],
                _ => node.rotation.as_quat(),
            };
            if let Some(above) = self.above[j] {
                self.offsets[j] = above.place + above.linear * translation;
                self.locals[j] = (above.rotation * rotation.as_dquat()).normalize().as_quat();
            } else {
                self.offsets[j] = translation;
                self.locals[j] = rotation;
            }
            if self.any_scaled {
                self.with_scale(
                    j,
                    translation,
                    rotation.as_dquat(),
                    at(&motion.scale, node.scale),
                );
            }
        }
    }

    fn with_scale(&mut self, j: usize, translation: DVec3, rotation: DQuat, scale: DVec3) {
        let parent = self.chosen.parents[j].filter(|&p| self.chosen.joints[p].is_some());
        let (linear, turned) = match (parent, self.above[j]) {
            (Some(p), _) => {
                if self.scaled[j] {
                    self.offsets[j] = self.turned[p].inverse() * (self.linear[p] * translation);
                }
                (self.linear[p], self.turned[p])
            }
            (None, Some(above)) => (above.linear, above.rotation),
            (None, None) => (DMat3::IDENTITY, DQuat::IDENTITY),
        };
        self.linear[j] = linear * DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
        self.turned[j] = (turned * rotation).normalize();
    }

    /// Tips at rest, after the rest pose was solved.
    fn end_sites(&self) -> Vec<(usize, DVec3)> {
        let tip = |&(n, joint): &(usize, usize)| {
            let translation = self.nodes[n].translation;
            let offset = if self.any_scaled {
                self.turned[joint].inverse() * (self.linear[joint] * translation)
            } else {
                translation
            };
            (joint, offset)
        };
        self.chosen.end_sites.iter().map(tip).collect()
    }
}

/// Puts translations that never change, and are the same in all clips of a file, into the offsets: an
/// exporter that writes every channel does not make every bone a moving one.
pub(crate) fn fold_constant_tracks(clips: &mut [RawClip]) {
    let Some(first) = clips.first() else { return };
    let longest = first.joints.iter().skip(1).map(|j| j.offset.length());
    let slack = (2e-6 * longest.fold(0.0, f64::max)) as f32;
    for joint in 1..first.joints.len() {
        let mut constants = clips.iter().map(|clip| {
            let Some(track) = clip.translations.iter().find(|t| t.joint == joint) else {
                return Some(clip.joints[joint].offset.as_vec3());
            };
            let value = *track.values.first()?;
            let still = track.values.iter().all(|v| v.distance(value) <= slack);
            still.then_some(value)
        });
        let Some(Some(value)) = constants.next() else {
            continue;
        };
        if !constants.all(|other| other.is_some_and(|o| o.distance(value) <= slack)) {
            continue;
        }
        for clip in clips.iter_mut() {
            if clip.translations.iter().any(|t| t.joint == joint) {
                clip.translations.retain(|t| t.joint != joint);
                clip.joints[joint].offset = value.as_dvec3();
            }
        }
    }
}
