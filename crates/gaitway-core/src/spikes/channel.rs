//! One thing that moves in a clip: the root's place, a joint's turn, a joint's place in its parent.

use glam::{DQuat, DVec3};

use super::SpikeKind;
use crate::clip::ClipParts;
use crate::{Clip, JointIdx};

/// One thing that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Channel {
    pub joint: JointIdx,
    pub kind: SpikeKind,
    /// Index of the translation track, for places of joints below the root.
    track: Option<usize>,
}

/// All of them.
pub(super) fn channels(clip: &Clip) -> Vec<Channel> {
    let place = |joint, track| Channel {
        joint,
        kind: SpikeKind::Position,
        track,
    };
    let mut out = vec![place(JointIdx::ROOT, None)];
    let tracks = clip.translations().iter().enumerate();
    out.extend(tracks.map(|(i, t)| place(t.joint, Some(i))));
    out.extend(clip.skeleton().joints().map(|joint| Channel {
        joint,
        kind: SpikeKind::Rotation,
        track: None,
    }));
    out
}

impl Channel {
    /// Where it is in a frame, seen from where it is in another one: metres, or the turn as a vector in radians.
    pub fn from(&self, clip: &Clip, origin: usize, frame: usize) -> DVec3 {
        match (self.kind, self.track) {
            (SpikeKind::Rotation, _) => {
                let at = |f| clip.rotation(f, self.joint).as_dquat();
                turn_vector(at(origin).inverse() * at(frame))
            }
            (SpikeKind::Position, Some(track)) => {
                let values = &clip.translations()[track].values;
                (values[frame] - values[origin]).as_dvec3()
            }
            (SpikeKind::Position, None) => clip.root()[frame] - clip.root()[origin],
        }
    }

    /// Puts it there.
    pub fn put(&self, parts: &mut ClipParts, origin: usize, frame: usize, value: DVec3) {
        let joints = parts.skeleton.joint_count();
        match (self.kind, self.track) {
            (SpikeKind::Rotation, _) => {
                let at = |f: usize| f * joints + self.joint.index();
                let turned =
                    parts.rotations[at(origin)].as_dquat() * DQuat::from_scaled_axis(value);
                parts.rotations[at(frame)] = turned.normalize().as_quat();
            }
            (SpikeKind::Position, Some(track)) => {
                let values = &mut parts.translations[track].values;
                values[frame] = values[origin] + value.as_vec3();
            }
            (SpikeKind::Position, None) => parts.root[frame] = parts.root[origin] + value,
        }
    }

    /// Per frame, how far it is from the cubic through two frames on either side: (−1, 4, 0, 4, −1) / 6. None of it
    /// at the two first and last.
    pub fn departures(&self, clip: &Clip, out: &mut Vec<f64>) {
        let frames = clip.frame_count();
        out.clear();
        let inner = 2..frames.saturating_sub(2);
        out.extend((0..frames).map(|f| match (inner.contains(&f), self.kind) {
            (false, _) => 0.0,
            (true, SpikeKind::Position) => {
                let at = |g| self.from(clip, f, g);
                let (near, far) = (at(f - 1) + at(f + 1), at(f - 2) + at(f + 2));
                (near * 4.0 - far).length() / 6.0
            }
            // Quaternions of turns a few degrees apart are as good as flat: twice their distance is the angle.
            (true, SpikeKind::Rotation) => {
                let now = clip.rotation(f, self.joint);
                let near = |g: usize| {
                    let q = clip.rotation(g, self.joint);
                    if q.dot(now) < 0.0 { -q } else { q }
                };
                let mixed = (near(f - 1) + near(f + 1)) * 4.0 - near(f - 2) - near(f + 2);
                f64::from((mixed * (1.0 / 6.0) - now).length()) * 2.0
            }
        }));
    }
}

/// A turn as a vector: its axis, as long as its angle, the short way round.
fn turn_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = v.length();
    if sine < 1e-12 {
        return 2.0 * v;
    }
    v * (2.0 * sine.atan2(q.w) / sine)
}
