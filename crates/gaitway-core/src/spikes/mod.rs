//! Frames that capture got wrong: for a frame or two a joint is somewhere else, and then back.
//!
//! A solver that loses a marker puts out one frame in which the hips are turned by thirty degrees and both thighs
//! turned back; a clip begins with two frames in which an arm hangs as at rest. Nothing that lives moves like this. A
//! *spike* is a hole of one or two frames (no longer than a fiftieth of a second, one frame at least) in which
//!
//! - a joint is d away from the cubic fitted through three frames on either side,
//! - those six frames lie on that cubic to within d / 10, and over the hole it gets as far as the frames beside it say, to
//!   within d / 3: it is back where it was going,
//! - d is 20 times what is usual for this joint in this clip (the median), and 4 times its 95th percentile,
//! - and no body does it: a joint would have to speed up at 3000 rad/s² (the root's place at 300 m/s²) twice, or three
//!   joints do it in the same frame at 50 Hz or more.
//!
//! Solvers make up for one joint by others, so in a frame that holds a spike all joints are looked at with a
//! lower bar (d / 5, d / 2). What then belongs in the hole is the cubic. At a clip's ends there is one side only: up
//! to three frames that a leap of 20° (10 cm) or more parts from six frames that go on in steps of an eighth of it.
//! They are filled by the line through those six. Last, a repair must calm the body: over the frames it touches, the sum
//! of squared accelerations of all points must fall to half or less, else it is left.
//!
//! A joint that does this more than once a second is not spiked but noisy, and is left alone. A leap that does
//! not come back (a cut) is none, either; a limb that is lost for longer is a *lapse* ([`lapses()`]).
//!
//! Cost: O(frames · joints), and kinematics of the few frames around what is found.
//! Checked by: smooth random motion keeps its bits; injected spikes are found and removed to within the noise; counts on
//! real clips.

mod channel;
mod fit;
#[cfg(test)]
mod lapse_tests;
mod lapses;
mod look;
mod pass;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::{Clip, JointIdx};
use pass::pass;

pub use lapses::{Bridged, Lapse, bridge, dropouts, lapses};

/// What of a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpikeKind {
    /// Where it is: the root in the world, other joints (with a translation track) in their parent.
    Position,
    /// How it is turned in its parent.
    Rotation,
}

impl SpikeKind {
    /// `place` or `turn`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Position => "place",
            Self::Rotation => "turn",
        }
    }
}

/// Frames in which one joint is somewhere else.
#[derive(Clone, Debug, PartialEq)]
pub struct Spike {
    /// The joint.
    pub joint: JointIdx,
    /// What of it.
    pub kind: SpikeKind,
    /// First frame to one past the last.
    pub frames: Range<usize>,
    /// How far from where it belongs, at most: metres for places, radians for turns.
    pub size: f64,
}

impl Spike {
    /// The size in centimetres or degrees, with its unit.
    pub fn measure(&self) -> (f64, &'static str) {
        match self.kind {
            SpikeKind::Position => (100.0 * self.size, "cm"),
            SpikeKind::Rotation => (self.size.to_degrees(), "deg"),
        }
    }

    /// What is off, by how much and where, for people. `first` is the number of the clip's first frame in its file.
    pub fn words(&self, clip: &Clip, first: usize) -> String {
        let joint = clip.skeleton().name(self.joint);
        let motion = self.kind.as_str();
        let (size, unit) = self.measure();
        let frame = first + self.frames.start;
        let time_s = self.frames.start as f64 / clip.rate_hz();
        format!("{joint} {motion} by {size:.1} {unit} at frame {frame} ({time_s:.3} s)")
    }
}

/// A clip without its spikes.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The clip.
    pub clip: Clip,
    /// What was taken out, by frame, then joint.
    pub spikes: Vec<Spike>,
}

/// Times that spikes close together are looked for again once the first are out.
const MOST_PASSES: usize = 4;
/// Takes the spikes out of a clip; `None` where there is none to be sure of.
///
/// ```
/// use gaitway_core::spikes::repair;
/// use gaitway_core::testing::{Walker, walking_clip};
/// use glam::Quat;
///
/// let clip = walking_clip(&Walker::default());
/// assert!(repair(&clip).is_none());
/// let mut parts = clip.clone().into_parts();
/// let knee = clip.skeleton().find("LeftLeg").unwrap();
/// let at = 100 * clip.joint_count() + knee.index();
/// parts.rotations[at] *= Quat::from_rotation_x(1.0);
/// let mended = repair(&parts.build()?).unwrap();
/// assert_eq!((mended.spikes[0].joint, mended.spikes[0].frames.clone()), (knee, 100..101));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repair(clip: &Clip) -> Option<Repaired> {
    let mut out: Option<Repaired> = None;
    for _ in 0..MOST_PASSES {
        let now = out.as_ref().map_or(clip, |r| &r.clip);
        let Some(mut next) = pass(now) else { break };
        if let Some(before) = out.take() {
            next.spikes.extend(before.spikes);
        }
        out = Some(next);
    }
    if let Some(out) = &mut out {
        out.spikes
            .sort_by_key(|s| (s.frames.start, s.joint.index(), s.kind));
    }
    out
}
