//! Planting while motion plays: a frame goes in, the frame of a fixed time ago comes out.

use std::sync::Arc;

use gaitway_core::anatomy::Anatomy;
use gaitway_core::{ContactPoint, Skeleton};
use glam::{DVec3, Quat, Vec3};

use super::emit::Emitted;
use super::options::{Frames, PlantError, PlantOptions};
use super::pipeline::{Came, Pipeline};
use super::rig::Rig;

/// A frame that goes in.
#[derive(Clone, Copy, Debug)]
pub struct FrameIn<'a> {
    /// The root's place.
    pub root: DVec3,
    /// Local rotations of all joints.
    pub rotations: &'a [Quat],
    /// Translations of all joints in their parents' frames; empty: rest offsets.
    pub translations: &'a [Vec3],
    /// What stands, as bits of the contact points.
    pub contacts: u32,
    /// Part of a blend of two motions.
    pub in_transition: bool,
}

/// A frame that comes out.
#[derive(Clone, Copy, Debug)]
pub struct FrameOut<'a> {
    /// Which one, counted from the first that went in.
    pub frame: usize,
    /// The root's place.
    pub root: DVec3,
    /// Local rotations of all joints.
    pub rotations: &'a [Quat],
    /// Translations of all joints; other than what went in only where a leg is stretched.
    pub translations: &'a [Vec3],
    /// Stretch of the left and the right leg: 1 for none.
    pub stretch: [f64; 2],
}

/// Plants feet frame by frame, with a fixed delay and without allocating.
#[derive(Clone, Debug)]
pub struct OnlinePlanter {
    skeleton: Arc<Skeleton>,
    pipeline: Pipeline,
    look_ahead: usize,
    capacity: usize,
    rotations: Vec<Quat>,
    locals: Vec<Vec3>,
    out_rotations: Vec<Quat>,
    out_locals: Vec<Vec3>,
    given: usize,
}

impl OnlinePlanter {
    /// A planter for frames of one skeleton at one rate. Options need a horizon and standing heights (those of
    /// [`Planted::heights`](super::Planted) of clips of this body).
    ///
    /// # Errors
    /// When points belong to no leg, or options are out of range or lack what playing needs.
    pub fn new(
        skeleton: Arc<Skeleton>,
        rate_hz: f64,
        points: &[ContactPoint],
        options: &PlantOptions,
    ) -> Result<Self, PlantError> {
        options.check()?;
        if options.horizon_s.is_none() {
            return Err(PlantError::Online("horizon_s"));
        }
        if options.heights.is_none() {
            return Err(PlantError::Online("heights"));
        }
        // Beyond this a window of five seconds would ask for more memory than motion does.
        if !(rate_hz > 0.0 && rate_hz <= 10_000.0) {
            let (name, value) = ("rate_hz", rate_hz);
            return Err(PlantError::Option { name, value });
        }
        let rig = Rig::new(&skeleton, &Anatomy::of(&skeleton), points)?;
        let frames = Frames::new(options, rate_hz);
        let look_ahead = frames.look_ahead();
        // Frames that came out are asked for their floor a little longer.
        let capacity = (look_ahead + 2 * frames.root + frames.ease_turn + 2).next_power_of_two();
        let joints = skeleton.joint_count();
        Ok(Self {
            pipeline: Pipeline::new(&skeleton, rig, rate_hz, options, capacity, false),
            look_ahead,
            capacity,
            rotations: vec![Quat::IDENTITY; capacity * joints],
            locals: vec![Vec3::ZERO; capacity * joints],
            out_rotations: vec![Quat::IDENTITY; joints],
            out_locals: vec![Vec3::ZERO; joints],
            given: 0,
            skeleton,
        })
    }

    /// How many frames later a frame comes out.
    pub fn look_ahead(&self) -> usize {
        self.look_ahead
    }

    /// Takes a frame in and gives the one of [`OnlinePlanter::look_ahead`] frames ago, once there is one.
    ///
    /// # Errors
    /// When arrays do not fit the skeleton or a number is not finite; the frame is then not taken in.
    pub fn push(&mut self, frame: FrameIn<'_>) -> Result<Option<FrameOut<'_>>, PlantError> {
        let joints = self.skeleton.joint_count();
        let fits = frame.rotations.len() == joints
            && (frame.translations.is_empty() || frame.translations.len() == joints)
            && frame.root.is_finite()
            && frame.rotations.iter().all(|q| q.is_finite())
            && frame.translations.iter().all(|t| t.is_finite());
        if !fits {
            return Err(PlantError::Frame {
                found: frame.rotations.len(),
                expected: joints,
            });
        }
        let at = (self.pipeline.pushed() & (self.capacity - 1)) * joints;
        self.rotations[at..at + joints].copy_from_slice(frame.rotations);
        let locals = if frame.translations.is_empty() {
            self.skeleton.offsets()
        } else {
            frame.translations
        };
        self.locals[at..at + joints].copy_from_slice(locals);
        let came = Came {
            root: frame.root,
            rotations: frame.rotations,
            locals,
            contacts: frame.contacts,
            blend: frame.in_transition,
            mends: None,
        };
        self.pipeline.ingest(&self.skeleton, &came);
        self.pipeline.advance();
        Ok(if self.pipeline.pushed() > self.look_ahead {
            self.give()
        } else {
            None
        })
    }

    /// After the last frame went in: gives those that are still inside, one by one, then `None`.
    pub fn drain(&mut self) -> Option<FrameOut<'_>> {
        self.pipeline.finish();
        self.pipeline.advance();
        self.give()
    }

    fn give(&mut self) -> Option<FrameOut<'_>> {
        let frame = self.given;
        if frame >= self.pipeline.ready() {
            return None;
        }
        let joints = self.skeleton.joint_count();
        let at = (frame & (self.capacity - 1)) * joints;
        self.out_rotations
            .copy_from_slice(&self.rotations[at..at + joints]);
        self.out_locals
            .copy_from_slice(&self.locals[at..at + joints]);
        let out: Emitted = self
            .pipeline
            .emit(frame, &mut self.out_rotations, &mut self.out_locals);
        self.given += 1;
        // Borders of gaps are remembered apart from plants; only floors are asked for a little longer.
        let kept = self.pipeline.frames.ease_turn;
        self.pipeline.forget(frame.saturating_sub(kept));
        Some(FrameOut {
            frame,
            root: out.root,
            rotations: &self.out_rotations,
            translations: &self.out_locals,
            stretch: out.stretch,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant_feet;
    use gaitway_core::testing::{Walker, walking_clip};

    #[test]
    fn nothing_grows_while_it_plays() {
        let clip = walking_clip(&Walker {
            slide: 0.05,
            ..Walker::default()
        });
        let whole = plant_feet(&clip, None, &PlantOptions::default()).expect("feet");
        let options = PlantOptions {
            heights: Some(whole.heights),
            ..PlantOptions::for_play()
        };
        let track = clip.contacts().expect("known");
        let rate = clip.rate_hz();
        let points = track.points();
        let planter = OnlinePlanter::new(clip.skeleton().clone(), rate, points, &options);
        let mut planter = planter.expect("feet");
        let before = planter.pipeline.capacities();
        // Contacts that flicker as fast as a plant can be long, too.
        for f in 0..4 * clip.frame_count() {
            let k = f % clip.frame_count();
            let flicker = if f > 3 * k && f % 5 < 3 { 0b1111 } else { 0 };
            let frame = FrameIn {
                root: clip.root()[k],
                rotations: clip.frame_rotations(k),
                translations: &[],
                contacts: track.mask(k) ^ flicker,
                in_transition: false,
            };
            planter.push(frame).expect("fits");
        }
        assert_eq!(planter.pipeline.capacities(), before);
    }
}
