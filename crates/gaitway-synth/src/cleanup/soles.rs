//! Where the floor is: where the soles of flat feet are, as detection has it ([`standing_height`]).
//!
//! Asked once it is decided where feet stand and how they are turned. Neither that nor a median changes when toes
//! are then turned up to the floor, so planting again finds the same floor.

use gaitway_core::contacts::standing_height;

use super::ground::{LEVEL_REACH, StandingHeights};
use super::ingest::Sources;
use super::rig::{CHANNELS, Rig};
use super::watch::Plants;

/// A heel that stands higher than usual by more than this, in metres for a person, is off the floor.
const RAISED: f64 = 0.025;

/// What is known of the feet.
pub(super) struct Soles<'a> {
    pub rig: &'a Rig,
    pub sources: &'a Sources,
    pub plants: &'a [Plants; CHANNELS],
}

impl Soles<'_> {
    /// Levels of the floor, ascending.
    pub fn floors(&self, heights: &StandingHeights) -> Vec<f64> {
        let slopes = [0, 1].map(|leg| self.slope(leg));
        let mut found = Vec::new();
        for leg in 0..2 {
            let Some(bit) = self.last_bit(leg) else {
                continue;
            };
            for &level in &heights.points[bit] {
                let mut feet = [0, 1].map(|l| self.flat(l, level, slopes[l]));
                found.extend(standing_height(&mut feet));
            }
        }
        found.sort_by(f64::total_cmp);
        let reach = LEVEL_REACH * self.rig.scale;
        // Of levels that left and right have in common, the lower one.
        found.dedup_by(|next, kept| *next - *kept <= reach);
        found
    }

    /// The channel of a foot's toe, or of the only point it has.
    fn last(&self, leg: usize) -> usize {
        let toe = 2 * leg + 1;
        if self.rig.bit(toe).is_some() {
            toe
        } else {
            2 * leg
        }
    }

    fn last_bit(&self, leg: usize) -> Option<usize> {
        self.rig.bit(self.last(leg))
    }

    /// How much higher than its toe a foot's heel stands, most of the time.
    fn slope(&self, leg: usize) -> f64 {
        let mut all: Vec<f64> = Vec::new();
        for toe in &self.plants[2 * leg + 1].list {
            let frames = toe.start..toe.end.unwrap_or(toe.start);
            all.extend(frames.filter_map(|f| Some(self.heel(f, leg)? - toe.place?.y)));
        }
        if all.is_empty() {
            return 0.0;
        }
        let at = (all.len() - 1) / 2;
        *all.select_nth_unstable_by(at, f64::total_cmp).1
    }

    /// How high the heel is held.
    fn heel(&self, frame: usize, leg: usize) -> Option<f64> {
        let id = self.sources.slot(frame).plants[2 * leg];
        Some(self.plants[2 * leg].get(id as usize)?.place?.y)
    }

    /// Heights of the lowest point of a foot where it is flat on a level of its toe.
    fn flat(&self, leg: usize, level: f64, slope: f64) -> Vec<f64> {
        let (last, scale) = (self.last(leg), self.rig.scale);
        let mut out = Vec::new();
        for plant in &self.plants[last].list {
            let (Some(place), Some(end)) = (plant.place, plant.end) else {
                continue;
            };
            if (place.y - level).abs() > LEVEL_REACH * scale {
                continue;
            }
            let is_flat = |f: &usize| {
                last == 2 * leg
                    || self
                        .heel(*f, leg)
                        .is_some_and(|h| h - place.y - slope <= RAISED * scale)
            };
            let frames = (plant.start..end).filter(is_flat);
            out.extend(frames.map(|f| self.sources.slot(f).lowest(leg)));
        }
        out
    }
}
