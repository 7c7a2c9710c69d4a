//! From contact bits to plants worth enforcing, one frame at a time.
//!
//! Short stretches are dropped, short pauses at one place bridged, and a plant that drifts too far from its mean so
//! far is split: it would have to be in two places. The first part then ends where the drift was half as large
//! (at most `split` frames earlier), the second begins once the point is slow again; easing does the rest.
//! What is decided about a frame is final [`Frames::confirm`] frames later.
//!
//! A point that was held before stands *still*. Its plant ends where it leaves its place, and after a slip the next one
//! begins where it is still again: planted motion is split and bridged as it was when it was planted.

use std::collections::VecDeque;

use glam::DVec3;

use super::ingest::Slot;
use super::options::{Frames, PlantOptions};
use super::report::SkipReason;
use super::rig::CHANNELS;

/// Slower than this, in m/s for a person, a point may stand.
const SLOW: f64 = 0.25;

/// A point whose way over the frames that make a plant is shorter than this, in metres, was held before. (Held points
/// keep their place to a micrometre; captured ones go a hundred in that time, however still a person stands.)
const HELD: f64 = 2e-5;

/// Such a point is at its place when it is no farther from it than this, in metres.
const THERE: f64 = 1e-4;

/// Farther than this from its place, in metres, such a point slips.
const LEFT: f64 = 0.01;

/// One stretch in which one point is held.
#[derive(Clone, Debug)]
pub(super) struct Plant {
    pub start: usize,
    /// One past the last frame, once known.
    pub end: Option<usize>,
    /// One past the last frame in which it says how the foot lies, where another point takes over after its end.
    pub handed: Option<usize>,
    /// Where the point is held, once decided.
    pub place: Option<DVec3>,
    /// How far the place is from the mean of where the point was.
    pub moved: f64,
    /// The largest distance from `place` in the frames handed out so far.
    pub residual: f64,
}

impl Plant {
    /// One past the last frame in which the plant counts, once known.
    pub fn last(&self) -> Option<usize> {
        self.handed.or(self.end)
    }
}

/// Plants of one channel, in order; numbered from the motion's start, old ones forgotten online.
#[derive(Clone, Debug, Default)]
pub(super) struct Plants {
    pub list: VecDeque<Plant>,
    /// Number of the first in the list.
    pub first: usize,
}

impl Plants {
    pub fn get(&self, id: usize) -> Option<&Plant> {
        self.list.get(id.checked_sub(self.first)?)
    }

    pub fn get_mut(&mut self, id: usize) -> Option<&mut Plant> {
        self.list.get_mut(id.checked_sub(self.first)?)
    }

    /// Frames of all plants that are over.
    pub fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.list.iter().filter_map(|p| Some(p.start..p.end?))
    }

    /// Forgets plants that ended before a frame.
    pub fn forget(&mut self, before: usize) {
        while self
            .list
            .front()
            .is_some_and(|p| p.end.is_some_and(|e| e < before))
        {
            self.list.pop_front();
            self.first += 1;
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Up,
    Rising {
        start: usize,
        last: DVec3,
        /// How far it went since.
        way: f64,
    },
    /// Said to stand, but on its way to another place.
    Slipping {
        since: usize,
        last: DVec3,
        still: bool,
    },
    Down {
        last_on: usize,
        last_place: DVec3,
        /// Sum over the plant's frames, for the mean.
        sum: DVec3,
        count: usize,
        /// Last frame with at most half the drift that is allowed, or at its place if it is still.
        calm: usize,
        still: bool,
    },
}

/// A stretch that is not enforced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skip {
    pub channel: usize,
    pub start: usize,
    pub end: usize,
    pub reason: SkipReason,
}

/// Turns bits into plants.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    states: [State; CHANNELS],
    sums: [DVec3; CHANNELS],
    min_plant: usize,
    bridge: usize,
    split: usize,
    near: f64,
    drift: f64,
    /// The way of a frame below which a point that slipped stands again.
    slow: f64,
    /// What was left out, where anyone wants to know.
    pub skips: Option<Vec<Skip>>,
}

impl Watch {
    pub fn new(
        options: &PlantOptions,
        frames: &Frames,
        rate_hz: f64,
        scale: f64,
        record: bool,
    ) -> Self {
        Self {
            states: [State::Up; CHANNELS],
            sums: [DVec3::ZERO; CHANNELS],
            min_plant: frames.min_plant,
            bridge: frames.bridge,
            split: frames.split,
            near: options.bridge_m * scale,
            drift: options.max_drift * scale,
            slow: SLOW * scale / rate_hz,
            skips: record.then(Vec::new),
        }
    }

    /// Sees the next frame.
    pub fn see(&mut self, frame: usize, slot: &Slot, plants: &mut [Plants; CHANNELS]) {
        for (channel, plants) in plants.iter_mut().enumerate() {
            let place = slot.point(channel);
            if slot.down(channel) {
                self.down(frame, channel, place, slot.blend, plants);
            } else {
                self.up(frame, channel, slot.blend, plants);
            }
        }
    }

    /// The motion has ended.
    pub fn finish(&mut self, frames: usize, plants: &mut [Plants; CHANNELS]) {
        for (channel, plants) in plants.iter_mut().enumerate() {
            match std::mem::take(&mut self.states[channel]) {
                State::Up => {}
                State::Rising { start, .. } => {
                    self.skip(channel, start, frames, SkipReason::TooShort);
                }
                State::Slipping { since, .. } => {
                    self.skip(channel, since, frames, SkipReason::Conflict);
                }
                State::Down { last_on, .. } => close(plants, last_on + 1),
            }
        }
    }

    fn skip(&mut self, channel: usize, start: usize, end: usize, reason: SkipReason) {
        if let Some(skips) = &mut self.skips {
            skips.push(Skip {
                channel,
                start,
                end,
                reason,
            });
        }
    }

    fn up(&mut self, frame: usize, channel: usize, blend: bool, plants: &mut Plants) {
        match self.states[channel] {
            State::Up => {}
            State::Rising { start, .. } => {
                self.skip(channel, start, frame, SkipReason::TooShort);
                self.states[channel] = State::Up;
            }
            State::Slipping { since, .. } => {
                self.skip(channel, since, frame, SkipReason::Conflict);
                self.states[channel] = State::Up;
            }
            State::Down { last_on, .. } => {
                let bridge = if blend { 2 * self.bridge } else { self.bridge };
                if frame - last_on > bridge {
                    close(plants, last_on + 1);
                    self.states[channel] = State::Up;
                }
            }
        }
    }

    fn down(
        &mut self,
        frame: usize,
        channel: usize,
        place: DVec3,
        blend: bool,
        plants: &mut Plants,
    ) {
        match self.states[channel] {
            State::Up => self.rise(frame, channel, place, plants),
            State::Slipping { since, last, still } => {
                let step = place.distance(last);
                if still && step < HELD / self.min_plant as f64 {
                    // Held again since the frame before.
                    self.skip(channel, since, frame - 1, SkipReason::Conflict);
                    self.rise(frame - 1, channel, last, plants);
                    self.down(frame, channel, place, blend, plants);
                } else if !still && step < self.slow {
                    self.skip(channel, since, frame, SkipReason::Conflict);
                    self.rise(frame, channel, place, plants);
                } else {
                    let last = place;
                    self.states[channel] = State::Slipping { since, last, still };
                }
            }
            State::Rising { start, last, way } => {
                self.sums[channel] += place;
                let way = way + place.distance(last);
                self.settle(start, frame, channel, place, way, plants);
            }
            State::Down {
                last_on,
                last_place,
                sum,
                count,
                calm,
                still,
            } => {
                let mean = sum / count as f64;
                let off = (place - mean).with_y(0.0).length();
                // A blend moves what was held.
                let still = still && !blend;
                let near = match (blend, still) {
                    (true, _) => 2.0 * self.near,
                    (false, true) => THERE,
                    (false, false) => self.near,
                };
                if frame - last_on > 1 && place.distance(last_place) > near {
                    close(plants, last_on + 1);
                    self.rise(frame, channel, place, plants);
                } else if off > if still { LEFT } else { self.drift } {
                    // With all of the motion at hand, an end may be found late.
                    let whole = still && self.skips.is_some();
                    let least = if whole {
                        0
                    } else {
                        frame.saturating_sub(self.split)
                    };
                    let end = (calm + 1).max(least);
                    close(plants, end);
                    self.states[channel] = State::Slipping {
                        since: end,
                        last: place,
                        still,
                    };
                } else {
                    self.states[channel] = State::Down {
                        last_on: frame,
                        last_place: place,
                        sum: sum + place,
                        count: count + 1,
                        calm: if off <= if still { THERE } else { 0.5 * self.drift } {
                            frame
                        } else {
                            calm
                        },
                        still,
                    };
                }
            }
        }
    }

    fn rise(&mut self, frame: usize, channel: usize, place: DVec3, plants: &mut Plants) {
        self.sums[channel] = place;
        self.settle(frame, frame, channel, place, 0.0, plants);
    }

    /// A stretch that has lasted long enough becomes a plant.
    fn settle(
        &mut self,
        start: usize,
        frame: usize,
        channel: usize,
        place: DVec3,
        way: f64,
        plants: &mut Plants,
    ) {
        let count = frame + 1 - start;
        if count < self.min_plant {
            let last = place;
            self.states[channel] = State::Rising { start, last, way };
            return;
        }
        plants.list.push_back(Plant {
            start,
            end: None,
            handed: None,
            place: None,
            moved: 0.0,
            residual: 0.0,
        });
        self.states[channel] = State::Down {
            last_on: frame,
            last_place: place,
            sum: self.sums[channel],
            count,
            calm: frame,
            still: way < HELD,
        };
    }
}

fn close(plants: &mut Plants, end: usize) {
    if let Some(plant) = plants.list.back_mut() {
        plant.end = Some(end.max(plant.start + 1));
    }
}
