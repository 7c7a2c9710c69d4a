//! From a frame's numbers to rotations and places. What each number drives is worked out once; a frame then
//! costs no allocation and no look at names.

use glam::{DQuat, DVec3, Quat, Vec3};

use gaitway_core::rotation::Axis;

use crate::raw::RawTrack;

use super::angles::{self, Order};
use super::hierarchy::Node;
use super::layout::{self, Channel, Position, PositionMode};
use super::number::Fraction;

/// A joint's rotation channels: they lie side by side in the array of angles from `at` on.
enum Turn {
    /// Three different axes.
    Three { at: usize, order: Order },
    /// Any others, none among them.
    Any { at: usize, axes: Vec<Axis> },
}

/// A joint's position channels.
struct Places {
    /// The clip's joint.
    joint: usize,
    /// Whether it is a root in the file.
    is_root: bool,
    /// Where the values of x, y, z are in a frame's numbers.
    slots: [Option<usize>; 3],
    offset: DVec3,
    mode: PositionMode,
    /// Per frame; empty as long as the joint has not left its offset.
    track: Vec<Vec3>,
}

impl Places {
    /// The channels' values, 0 where there is none.
    fn values(&self, frame: &[f64]) -> DVec3 {
        DVec3::from_array(self.slots.map(|s| s.map_or(0.0, |s| frame[s])))
    }

    /// OFFSET where there is a channel, else 0.
    fn replaced_offset(&self) -> DVec3 {
        let [x, y, z] = self.slots.map(|s| if s.is_some() { 1.0 } else { 0.0 });
        self.offset * DVec3::new(x, y, z)
    }

    fn translation(&self, frame: &[f64]) -> DVec3 {
        let base = match self.mode {
            PositionMode::Add => self.offset,
            PositionMode::Replace => self.offset - self.replaced_offset(),
        };
        base + self.values(frame)
    }
}

/// The decoder of one file, and what it has decoded.
pub struct Decoder {
    /// Where each channel's number goes: rotations first, the others after them.
    pub slots: Vec<usize>,
    /// A frame's numbers by slot, as read.
    pub numbers: Vec<Fraction>,
    /// Their values.
    values: Vec<f64>,
    sines: Vec<f64>,
    cosines: Vec<f64>,
    turns: Vec<Turn>,
    places: Vec<Places>,
    /// Which of `places` is the clip's root, where it has position channels.
    root_place: Option<usize>,
    root_offset: DVec3,
    /// Departures from OFFSET up to this are rounding in the file, not motion.
    still: f64,
    made_root: bool,
    /// The root's place per frame.
    pub root: Vec<DVec3>,
    /// Rotations, frame-major.
    pub rotations: Vec<Quat>,
}

impl Decoder {
    /// Works out what drives what. With several roots the clip's joint 0 is one of ours.
    pub fn new(nodes: &[Node]) -> Self {
        let made_root = nodes.iter().filter(|n| n.parent.is_none()).count() > 1;
        let channels = || nodes.iter().map(|n| n.channels.as_deref().unwrap_or(&[]));
        let is_turn = |c: &Channel| matches!(c, Channel::Rotation(_));
        let angle_count = channels().flatten().filter(|c| is_turn(c)).count();
        let count = channels().flatten().count();
        let (mut next_angle, mut next_other) = (0, angle_count);
        let mut slots = Vec::with_capacity(count);
        let mut turns = Vec::new();
        let mut places = Vec::new();
        if made_root {
            turns.push(Turn::Any {
                at: 0,
                axes: Vec::new(),
            });
        }
        for (n, node) in nodes.iter().enumerate() {
            let at = next_angle;
            let mut axes = Vec::new();
            let mut position = [None; 3];
            for channel in node.channels.as_deref().unwrap_or(&[]) {
                match channel {
                    Channel::Rotation(axis) => {
                        axes.push(*axis);
                        slots.push(next_angle);
                        next_angle += 1;
                    }
                    Channel::Position(_) | Channel::Scale(_) => {
                        if let Channel::Position(axis) = channel {
                            position[axis.index()] = Some(next_other);
                        }
                        slots.push(next_other);
                        next_other += 1;
                    }
                }
            }
            turns.push(match Order::of(&axes) {
                Some(order) => Turn::Three { at, order },
                None => Turn::Any { at, axes },
            });
            if position.iter().any(Option::is_some) {
                places.push(Places {
                    joint: n + usize::from(made_root),
                    is_root: node.parent.is_none(),
                    slots: position,
                    offset: node.offset.unwrap_or(DVec3::ZERO),
                    mode: PositionMode::Replace,
                    track: Vec::new(),
                });
            }
        }
        let longest = nodes
            .iter()
            .filter_map(|n| n.offset)
            .map(DVec3::length)
            .fold(0.0, f64::max);
        let root_offset = if made_root {
            DVec3::ZERO
        } else {
            nodes[0].offset.unwrap_or(DVec3::ZERO)
        };
        Self {
            numbers: vec![Fraction::of(0.0); count],
            values: vec![0.0; count],
            slots,
            sines: vec![0.0; angle_count],
            cosines: vec![0.0; angle_count],
            turns,
            root_place: places.iter().position(|p| p.joint == 0),
            places,
            root_offset,
            still: 1e-6 * longest,
            made_root,
            root: Vec::new(),
            rotations: Vec::new(),
        }
    }

    /// Numbers in a frame.
    pub fn channel_count(&self) -> usize {
        self.slots.len()
    }

    /// Bytes a decoded frame takes at most.
    pub fn frame_bytes(&self) -> usize {
        size_of::<DVec3>()
            + self.turns.len() * size_of::<Quat>()
            + self.places.len() * size_of::<Vec3>()
    }

    /// Makes room for so many frames.
    pub fn reserve(&mut self, frames: usize) {
        self.root.reserve_exact(frames);
        self.rotations.reserve_exact(frames * self.turns.len());
    }

    /// Decides from the first frame's numbers what position channels below the root mean.
    #[cold]
    #[inline(never)]
    fn decide_modes(&mut self) {
        let below = |p: &&Places| !p.is_root;
        let evidence: Vec<Position> = self
            .places
            .iter()
            .filter(below)
            .map(|p| Position {
                offset: p.replaced_offset(),
                first: p.values(&self.values),
            })
            .collect();
        let modes = layout::decide(&evidence);
        for (place, mode) in self.places.iter_mut().filter(|p| !p.is_root).zip(modes) {
            place.mode = mode;
        }
    }

    /// Decodes `numbers` as the next frame.
    #[inline(always)]
    pub fn push_frame(&mut self) {
        for (value, number) in self.values.iter_mut().zip(&self.numbers) {
            *value = number.digits / number.over;
        }
        let frame = self.root.len();
        if frame == 0 {
            self.decide_modes();
        }
        let angle_count = self.sines.len();
        angles::half_sin_cos(
            &mut self.values[..angle_count],
            &mut self.sines,
            &mut self.cosines,
        );
        let (s, c) = (&self.sines, &self.cosines);
        self.rotations
            .extend(self.turns.iter().map(|turn| match turn {
                Turn::Three { at, order } => {
                    let at = *at;
                    angles::three_turns(
                        *order,
                        [s[at], s[at + 1], s[at + 2]],
                        [c[at], c[at + 1], c[at + 2]],
                    )
                }
                Turn::Any { at, axes } => any_turns(axes, &s[*at..], &c[*at..]),
            }));
        let root = match self.root_place {
            Some(place) => self.places[place].translation(&self.values),
            None => self.root_offset,
        };
        self.root.push(root);
        for place in self.places.iter_mut().filter(|p| p.joint != 0) {
            let now = place.translation(&self.values);
            let moved = (now - place.offset).abs().max_element() > self.still;
            if place.track.is_empty() && moved {
                place.track.reserve_exact(self.root.capacity());
                place.track.resize(frame, place.offset.as_vec3());
            }
            if !place.track.is_empty() || moved {
                place.track.push(now.as_vec3());
            }
        }
    }

    /// The joints that left their offset, with their translations.
    pub fn take_tracks(&mut self) -> Vec<RawTrack> {
        let moving = self.places.iter_mut().filter(|p| !p.track.is_empty());
        moving
            .map(|p| RawTrack {
                joint: p.joint,
                values: std::mem::take(&mut p.track),
            })
            .collect()
    }

    /// What the position channels of a joint of the clip mean.
    pub fn mode(&self, joint: usize) -> PositionMode {
        let place = self.places.iter().find(|p| p.joint == joint);
        place.map_or(PositionMode::Replace, |p| p.mode)
    }

    /// Joints of the clip whose position channels add to their offset.
    pub fn added(&self) -> Vec<usize> {
        let adds = self.places.iter().filter(|p| p.mode == PositionMode::Add);
        adds.map(|p| p.joint).collect()
    }

    /// Whether joint 0 was made by us.
    pub fn made_root(&self) -> bool {
        self.made_root
    }
}

/// The product of turns about any axes, from half-angle sines and cosines.
fn any_turns(axes: &[Axis], sines: &[f64], cosines: &[f64]) -> Quat {
    let turns = axes.iter().zip(sines).zip(cosines).map(|((axis, &s), &c)| {
        let v = axis.unit() * s;
        DQuat::from_xyzw(v.x, v.y, v.z, c)
    });
    turns.fold(DQuat::IDENTITY, |q, turn| q * turn).as_quat()
}
