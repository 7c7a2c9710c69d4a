//! A transition to look at, whether a graph has it or not: the motion left, the motion entered, and the blend of both, on
//! one clock and in one world.

use gaitway_core::clip::ClipParts;
use gaitway_core::{Clip, LabelTrack, Planar, TranslationTrack};
use gaitway_graph::{ClipId, MotionGraph};

use super::blend::{Blend, blend};
use super::sample::{Pose, nearest, sample};
use super::timeline::Track;
use crate::SynthError;

/// A transition about two working frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewOptions {
    /// The clip left and the middle frame there.
    pub from: (ClipId, u32),
    /// The clip entered and the middle frame there.
    pub to: (ClipId, u32),
    /// Carries the entered clip onto the one left.
    pub before_from_after: Planar,
    /// Seconds shown before and after the transition.
    pub context_s: f64,
    /// How both become one.
    pub blend: Blend,
}

/// Three motions with equal frames: frame k of each is the same moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The clip left, as it goes on; held at its ends.
    pub from: Clip,
    /// The clip entered, moved onto the one left; held at its ends.
    pub to: Clip,
    /// What the transition would show.
    pub blend: Clip,
    /// Seconds at which the transition begins and ends.
    pub window_s: (f64, f64),
}

/// Makes the three motions.
///
/// # Errors
/// When a clip or frame is not there, the context is no time, or the graph's frames are damaged.
pub fn preview(graph: &MotionGraph, wish: &PreviewOptions) -> Result<Preview, SynthError> {
    for (clip, frame) in [wish.from, wish.to] {
        if clip.index() >= graph.clip_count() || frame >= graph.clip_info(clip).working_frames() {
            let what = format!("frame {frame} of clip {}", clip.0);
            return Err(SynthError::NotInGraph { what });
        }
    }
    if !(0.0..=60.0).contains(&wish.context_s) {
        let what = format!("{} s is no context to show", wish.context_s);
        return Err(SynthError::Options { what });
    }
    let rate = |clip: ClipId| graph.clip_info(clip).rate_hz();
    let out_hz = rate(wish.from.0).max(rate(wish.to.0));
    let context = (wish.context_s * out_hz).round();
    let length =
        (f64::from(2 * graph.half_window() + 1) * out_hz / graph.working_rate_hz()).round();
    let middle = context + 0.5 * (length - 1.0);
    let track = |(clip, frame): (ClipId, u32), world: Planar| {
        let step = rate(clip) / out_hz;
        let at = graph.clip_info(clip).source_frame(frame) as f64;
        Track::new(clip, at - middle * step, step, world)
    };
    let from = track(wish.from, Planar::IDENTITY);
    let to = track(wish.to, wish.before_from_after);
    let count = (2.0 * context + length) as usize;
    let clips = Clips::new(graph, wish, out_hz)?;
    let offset = |k: usize| k as f64 - context;
    Ok(Preview {
        from: clips.make("from", count, |k| Shown::One(&from, k))?,
        to: clips.make("to", count, |k| Shown::One(&to, k))?,
        blend: clips.make("blend", count, |k| {
            let into = offset(k as usize);
            if into < 0.0 {
                Shown::One(&from, k)
            } else if into >= length {
                Shown::One(&to, k)
            } else {
                Shown::Both(&from, &to, k, wish.blend.weight(into, length))
            }
        })?,
        window_s: (context / out_hz, (context + length) / out_hz),
    })
}

/// What one frame shows.
enum Shown<'t> {
    One(&'t Track, f64),
    Both(&'t Track, &'t Track, f64, f64),
}

/// What the three clips share.
struct Clips<'g> {
    graph: &'g MotionGraph,
    frames: gaitway_graph::Frames<'g>,
    moving: Vec<gaitway_core::JointIdx>,
    rate_hz: f64,
}

impl<'g> Clips<'g> {
    fn new(
        graph: &'g MotionGraph,
        wish: &PreviewOptions,
        rate_hz: f64,
    ) -> Result<Self, SynthError> {
        let both = [wish.from.0, wish.to.0];
        let joints = both.map(|c| graph.clip_info(c).translation_joints());
        let mut moving = joints.concat();
        moving.sort_unstable();
        moving.dedup();
        Ok(Self {
            graph,
            frames: graph.frames()?,
            moving,
            rate_hz,
        })
    }

    fn make<'t>(
        &self,
        name: &str,
        count: usize,
        shown: impl Fn(f64) -> Shown<'t>,
    ) -> Result<Clip, SynthError> {
        let joints = self.graph.skeleton().joint_count();
        let mut pose = Pose::new(joints, self.moving.len());
        let mut other = pose.clone();
        let mut parts = ClipParts {
            name: name.to_owned(),
            skeleton: self.graph.skeleton().clone(),
            rate_hz: self.rate_hz,
            root: Vec::with_capacity(count),
            rotations: Vec::with_capacity(count * joints),
            translations: self
                .moving
                .iter()
                .map(|&joint| TranslationTrack {
                    joint,
                    values: Vec::new(),
                })
                .collect(),
            labels: LabelTrack::default(),
            contacts: None,
        };
        let mut stood = Vec::with_capacity(count);
        let sample = |track: &Track, k: f64, pose: &mut Pose| {
            sample(self.graph, &self.frames, &self.moving, track, k, pose);
        };
        for k in 0..count {
            let (track, at) = match shown(k as f64) {
                Shown::One(track, at) => {
                    sample(track, at, &mut pose);
                    (track, at)
                }
                Shown::Both(from, to, at, weight) => {
                    sample(from, at, &mut pose);
                    sample(to, at, &mut other);
                    blend(&mut pose, &other, weight);
                    (if weight >= 0.5 { from } else { to }, at)
                }
            };
            parts.root.push(pose.root);
            parts.rotations.extend_from_slice(&pose.rotations);
            for (track, &value) in parts.translations.iter_mut().zip(&pose.translations) {
                track.values.push(value);
            }
            stood.push((track.clip, track.frame_at(at)));
        }
        parts.contacts = self.contacts(&stood);
        Ok(parts.build()?)
    }

    /// Contacts where both clips name the same points.
    fn contacts(&self, stood: &[(ClipId, f64)]) -> Option<gaitway_core::ContactTrack> {
        let points = self.graph.contact_points(stood.first()?.0)?;
        if stood
            .iter()
            .any(|s| self.graph.contact_points(s.0) != Some(points))
        {
            return None;
        }
        let mut track = gaitway_core::ContactTrack::new(points.to_vec(), stood.len());
        for (k, &(clip, place)) in stood.iter().enumerate() {
            let masks = self.frames.contacts(clip);
            track.set_mask(k, masks[nearest(place, masks.len())]);
        }
        Some(track)
    }
}
