//! The stages in order, each as far as what it needs is known.
//!
//! ```text
//!  pushed ─confirm─► known ─horizon─► placed ─ease_turn─► turned ─ease─► shifted ─lag─► followed ─root─► widened ─root─► ready
//! ```
//!
//! A stage at frame f reads the stage before it up to a window after f, never further. So frames may come one at a
//! time or all at once: what a stage finds for a frame is the same.

use gaitway_core::Skeleton;
use glam::{DQuat, DVec3, Quat, Vec3};

use super::ease::{self, Border, Gap, SLOPE_FRAMES, Trail};
use super::ground::StandingHeights;
use super::hand_over::hand_over;
use super::ingest::{self, NONE, Sources};
use super::knee::{self, LegHinges};
use super::options::{Frames, PlantOptions};
use super::pelvis::{self, Follow};
use super::place::{Placer, Scene};
use super::rig::{CHANNELS, LegKinematics, Rig};
use super::root;
use super::steps::Steps;
use super::watch::{Plants, Watch};

/// How far each stage has come: one past the last frame that is done.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    pushed: usize,
    held: usize,
    placed: [usize; 2],
    turned: usize,
    shifted: usize,
    eliminated: usize,
    followed: usize,
    widened: usize,
}

/// What one foot carries from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootState {
    turn: Trail,
    shift: Trail,
    pub pitch: Trail,
    pub depth: Trail,
    /// No frame from the present one up to this is held by both points (by any point).
    none_before_turn: usize,
    none_before_shift: usize,
}

impl FootState {
    /// The shift of the last frame that was held.
    pub fn shift_border(&self) -> Option<Border> {
        self.shift.border()
    }
}

/// A frame as it came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Came<'a> {
    pub root: DVec3,
    pub rotations: &'a [Quat],
    /// Translations of all joints in their parents' frames.
    pub locals: &'a [Vec3],
    pub contacts: u32,
    /// Part of a blend.
    pub blend: bool,
    /// By how much knees are bent further, in radians; `None`: by what this frame alone needs.
    pub mends: Option<[f64; 2]>,
}

/// All stages and what they know.
#[derive(Clone, Debug)]
pub(super) struct Pipeline {
    pub rig: Rig,
    pub frames: Frames,
    pub heights: StandingHeights,
    pub hinges: LegHinges,
    pub sources: Sources,
    pub plants: [Plants; CHANNELS],
    pub watch: Watch,
    pub full_reach: f64,
    pub max_stretch: f64,
    rate_hz: f64,
    lift: bool,
    /// Whether feet in the air are held to the floor of soles, which shows when all of a motion is there.
    whole: bool,
    weights: Vec<f64>,
    placers: [Placer; 2],
    cursors: [usize; CHANNELS],
    pub feet: [FootState; 2],
    pub steps: Steps,
    solved: LegKinematics,
    at: Progress,
    finished: bool,
}

impl Pipeline {
    /// `capacity`: how many frames are kept.
    pub fn new(
        skeleton: &Skeleton,
        rig: Rig,
        rate_hz: f64,
        options: &PlantOptions,
        capacity: usize,
        record: bool,
    ) -> Self {
        let frames = Frames::new(options, rate_hz);
        // Between two plants there is at least a frame, and a plant has at least two.
        let most = if record { 0 } else { capacity / 3 + 2 };
        let plants = || Plants {
            list: std::collections::VecDeque::with_capacity(most),
            first: 0,
        };
        Self {
            watch: Watch::new(options, &frames, rate_hz, rig.scale, record),
            weights: root::weights(frames.root),
            heights: options.heights.clone().unwrap_or_default(),
            hinges: options.hinges.unwrap_or_else(|| rig.rest_hinges(skeleton)),
            sources: Sources::new(capacity),
            plants: [plants(), plants(), plants(), plants()],
            full_reach: options.full_reach,
            max_stretch: options.max_stretch,
            rate_hz,
            lift: options.lift_out_of_floor,
            whole: options.horizon_s.is_none(),
            placers: [Placer::new(), Placer::new()],
            cursors: [0; CHANNELS],
            feet: [FootState::default(); 2],
            steps: Steps::default(),
            solved: LegKinematics::new(skeleton),
            at: Progress::default(),
            finished: false,
            rig,
            frames,
        }
    }

    /// Everything that could grow.
    #[cfg(test)]
    pub fn capacities(&self) -> Vec<usize> {
        let lists = self.plants.iter().map(|p| p.list.capacity());
        let placers = self.placers.iter().flat_map(Placer::capacity);
        lists.chain(placers).collect()
    }

    /// Takes the next frame in; stages run in [`Pipeline::advance`].
    pub fn ingest(&mut self, skeleton: &Skeleton, came: &Came<'_>) {
        let (root, rotations, locals) = (came.root, came.rotations, came.locals);
        self.solved.solve(skeleton, &self.rig, rotations, locals);
        let mut slot = ingest::slot_of(skeleton, &self.rig, &self.solved, root, came.contacts);
        slot.blend = came.blend;
        for (i, leg) in slot.legs.iter_mut().enumerate() {
            leg.hinge = self.hinges.knee(i, leg);
            let by = came
                .mends
                .map_or_else(|| knee::missing(knee::bend(leg)), |m| m[i]);
            if by > 0.0 && self.rig.legs[i].is_some() {
                leg.bend_further(by);
            }
        }
        let frame = self.at.pushed;
        *self.sources.slot_mut(frame) = slot;
        self.watch.see(frame, &slot, &mut self.plants);
        self.hand_over();
        self.at.pushed += 1;
    }

    /// No more frames will come.
    pub fn finish(&mut self) {
        if !self.finished {
            self.finished = true;
            self.watch.finish(self.at.pushed, &mut self.plants);
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        self.plants.chunks_mut(2).for_each(hand_over);
    }

    pub fn pushed(&self) -> usize {
        self.at.pushed
    }

    /// One past the last frame that can be handed out.
    pub fn ready(&self) -> usize {
        self.behind(self.at.widened, self.frames.root)
    }

    /// How far a stage may go that looks a window ahead of one that has come to `done`.
    fn behind(&self, done: usize, window: usize) -> usize {
        if self.finished && done >= self.at.pushed {
            self.at.pushed
        } else {
            done.saturating_sub(window)
        }
    }

    /// Runs every stage as far as it can.
    pub fn advance(&mut self) {
        let known = if self.finished {
            self.at.pushed
        } else {
            self.at.pushed.saturating_sub(self.frames.confirm())
        };
        while self.at.held < known {
            self.hold(self.at.held);
            self.at.held += 1;
        }
        for leg in 0..2 {
            let scene = Scene {
                rig: &self.rig,
                leg,
                sources: &self.sources,
                heights: &self.heights,
                horizon: self.frames.horizon,
                known,
                finished: self.finished,
            };
            let plants = &mut self.plants[2 * leg..2 * leg + 2];
            self.at.placed[leg] = self.placers[leg].run(&scene, plants);
        }
        let placed = self.at.placed[0].min(self.at.placed[1]);
        let turn_to = self.behind(placed, self.frames.ease_turn + SLOPE_FRAMES + 1);
        while self.at.turned < turn_to {
            self.turn(self.at.turned);
            self.at.turned += 1;
        }
        let shift_to = self.behind(self.at.turned, self.frames.ease + SLOPE_FRAMES + 1);
        while self.at.shifted < shift_to {
            self.shift(self.at.shifted);
            self.at.shifted += 1;
        }
        self.follow();
        let widen_to = self.behind(self.at.followed, self.frames.root);
        while self.at.widened < widen_to {
            let f = self.at.widened;
            let end = self.at.followed;
            self.sources.slot_mut(f).wide = root::widest(&self.sources, f, self.frames.root, end);
            self.at.widened += 1;
        }
    }

    /// Forgets plants that no later frame can ask for.
    pub fn forget(&mut self, before: usize) {
        self.plants.iter_mut().for_each(|p| p.forget(before));
    }

    /// Which plants hold a frame.
    fn hold(&mut self, frame: usize) {
        for channel in 0..CHANNELS {
            let plants = &self.plants[channel];
            let cursor = &mut self.cursors[channel];
            let over = |id: usize| {
                let next = plants.get(id + 1).is_some_and(|p| p.start <= frame);
                let plant = plants.get(id);
                next || plant.is_some_and(|p| p.last().is_some_and(|e| e <= frame))
            };
            while over(*cursor) {
                *cursor += 1;
            }
            let counts = plants.get(*cursor).filter(|p| p.start <= frame);
            let holds = counts.is_some_and(|p| p.end.is_none_or(|e| frame < e));
            let id = |there: bool| if there { *cursor as u32 } else { NONE };
            let (lies, holds) = (id(counts.is_some()), id(holds));
            let slot = self.sources.slot_mut(frame);
            slot.plants[channel] = holds;
            slot.lies[channel] = lies;
        }
    }

    /// Where the plant that holds a channel in a frame is.
    pub fn place_of(&self, frame: usize, channel: usize) -> Option<DVec3> {
        let id = self.sources.slot(frame).plants[channel];
        if id == NONE {
            return None;
        }
        self.plants[channel].get(id as usize)?.place
    }

    /// Where the plants are along which a foot lies: those that hold it, and one that was handed over.
    pub fn lies_along(&self, frame: usize, leg: usize) -> Option<[DVec3; 2]> {
        let place = |channel: usize| {
            let id = self.sources.slot(frame).lies[channel];
            let plant = self.plants[channel].get(usize::try_from(id).ok()?)?;
            let counts = plant.last().is_none_or(|last| frame < last);
            plant.place.filter(|_| counts)
        };
        Some([place(2 * leg)?, place(2 * leg + 1)?])
    }

    /// Both points down: the turn with which the sole lies along its plants.
    fn held_turn(&self, frame: usize, leg: usize) -> Option<DVec3> {
        let [heel, toe] = self.lies_along(frame, leg)?;
        let points = self.sources.slot(frame).legs[leg].points;
        let now = (points[1] - points[0]).as_dvec3().try_normalize()?;
        let wanted = (toe - heel).try_normalize()?;
        let turn = DQuat::from_rotation_arc(now, wanted).to_scaled_axis();
        let both = (0..2).all(|side| self.place_of(frame, 2 * leg + side).is_some());
        Some(if both { turn } else { beyond(turn, ROLLED) })
    }

    /// Any point down: the shift of the ankle with which it is at its plant, the foot turned as decided.
    pub fn held_shift(&self, frame: usize, leg: usize) -> Option<DVec3> {
        let slot = self.sources.slot(frame);
        let base = DQuat::from_scaled_axis(slot.turn[leg]);
        let turn = match self.held_pitch(frame, leg) {
            Some(pitch) if pitch != DVec3::ZERO => DQuat::from_scaled_axis(pitch) * base,
            _ => base,
        };
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for side in 0..2 {
            let Some(place) = self.place_of(frame, 2 * leg + side) else {
                continue;
            };
            let ankle = slot.legs[leg].ankle;
            let arm = (slot.legs[leg].points[side] - ankle).as_dvec3();
            sum += place - turn * arm - (slot.root + ankle.as_dvec3());
            count += 1.0;
        }
        (count > 0.0).then(|| sum / count)
    }

    fn turn(&mut self, frame: usize) {
        for leg in 0..2 {
            if self.rig.legs[leg].is_none() {
                continue;
            }
            let window = self.frames.ease_turn;
            let value = match self.held_turn(frame, leg) {
                Some(v) => {
                    self.feet[leg].turn.push(frame, v);
                    v
                }
                None => {
                    let from = self.feet[leg].none_before_turn.max(frame + 1);
                    let find = |f| self.held_turn(f, leg);
                    let (after, looked) = next_border(find, from, frame + window, self.at.pushed);
                    self.feet[leg].none_before_turn = looked;
                    ease::between(frame, self.feet[leg].turn.border(), after, window, window)
                }
            };
            self.sources.slot_mut(frame).turn[leg] = value;
        }
    }

    fn shift(&mut self, frame: usize) {
        for leg in 0..2 {
            if self.rig.legs[leg].is_none() {
                continue;
            }
            let (window, short) = (self.frames.ease, self.frames.ease_turn);
            let mut gap = Gap::default();
            let value = match self.held_shift(frame, leg) {
                Some(v) => {
                    self.feet[leg].shift.push(frame, v);
                    v
                }
                None => match self.step_shift(frame, leg) {
                    Some((shift, around)) => {
                        gap = around;
                        shift
                    }
                    None => {
                        let from = self.feet[leg].none_before_shift.max(frame + 1);
                        let find = |f| self.held_shift(f, leg);
                        let (after, looked) =
                            next_border(find, from, frame + window, self.at.pushed);
                        self.feet[leg].none_before_shift = looked;
                        gap = Gap {
                            before: self.feet[leg].shift.border(),
                            after,
                        };
                        ease::between(frame, gap.before, gap.after, window, short.min(window))
                    }
                },
            };
            self.sources.slot_mut(frame).shift[leg] = value;
            if self.lift {
                self.lift_out(frame, leg, gap);
            }
        }
    }

    /// A frame that is held, as the border of the gap before it.
    pub fn border_at(&self, frame: usize, leg: usize) -> Option<Border> {
        next_border(|f| self.held_shift(f, leg), frame, frame, self.at.pushed).0
    }

    /// How the root follows its feet, as far as feet are known.
    fn follow(&mut self) {
        let end = self.finished.then_some(self.at.pushed);
        let eliminate_to = self.behind(self.at.shifted, 2);
        while self.at.eliminated < eliminate_to {
            let f = self.at.eliminated;
            let path = pelvis::eliminate(&self.rig, &self.sources, f, end, self.rate_hz);
            self.sources.slot_mut(f).root_path = path;
            self.at.eliminated += 1;
        }
        let lag = self.frames.lag;
        let follow_to = self.behind(self.at.eliminated, lag);
        let first = self.at.followed;
        if lag == usize::MAX && first < follow_to {
            pelvis::back(&self.rig, &mut self.sources, first, follow_to - 1);
        } else {
            for f in first..follow_to {
                let last = (f + lag).min(self.at.pushed - 1);
                pelvis::back(&self.rig, &mut self.sources, f, last);
            }
        }
        for f in first..follow_to {
            let need = root::need(&self.rig, self.sources.slot(f), self.full_reach);
            self.sources.slot_mut(f).need = need;
        }
        self.at.followed = follow_to.max(first);
    }

    /// Whether feet are lifted out of the floor.
    pub fn lifts(&self) -> bool {
        self.lift
    }

    /// Whether all of the motion is there, and not a part of it at a time.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// What the pelvis does in a frame that is ready.
    pub fn pelvis(&self, frame: usize) -> Follow {
        let mut follow = self.sources.slot(frame).follow;
        let (weights, end) = (&self.weights, self.at.widened);
        follow.shift += root::smoothed(&self.sources, weights, frame, end, |s| s.wide);
        follow
    }
}

/// As a foot hands over from heel to toe, the first has left by some millimetres: a turn by less than this, in radians, comes of that.
const ROLLED: f64 = 0.02;

/// What of a turn goes beyond an angle.
fn beyond(turn: DVec3, angle: f64) -> DVec3 {
    let far = turn.length();
    turn * (1.0 - angle / far.max(angle))
}

/// The first frame in `from..=to` that is held, as the border of a gap before it, and up to where was looked.
fn next_border(
    held: impl Fn(usize) -> Option<DVec3>,
    from: usize,
    to: usize,
    end: usize,
) -> (Option<Border>, usize) {
    for frame in from..(to + 1).min(end) {
        let Some(value) = held(frame) else { continue };
        let mut inside = (value, 0);
        for steps in 1..=SLOPE_FRAMES {
            match held(frame + steps).filter(|_| frame + steps < end) {
                Some(v) => inside = (v, steps),
                None => break,
            }
        }
        let slope = ease::slope(value, inside.0, inside.1);
        return (
            Some(Border {
                frame,
                value,
                slope,
            }),
            frame,
        );
    }
    (None, (to + 1).min(end).max(from))
}
