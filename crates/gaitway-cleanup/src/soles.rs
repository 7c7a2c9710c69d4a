//! Where the floor is: where soles stand, as detection has it ([`standing_height`]).
//!
//! Asked once it is decided where feet stand and how they are turned. Neither that nor a median changes when toes
//! are then turned up to the floor, so planting again finds the same floor.

use gaitway_core::contacts::standing_height;

use super::ground::{LEVEL_REACH, StandingHeights};
use super::ingest::Sources;
use super::rig::{CHANNELS, Rig};
use super::watch::Plants;

/// What is known of the feet.
pub(super) struct Soles<'a> {
    pub rig: &'a Rig,
    pub sources: &'a Sources,
    pub plants: &'a [Plants; CHANNELS],
}

impl Soles<'_> {
    /// Levels of the floor, ascending.
    pub fn floors(&self, heights: &StandingHeights) -> Vec<f64> {
        let mut found = Vec::new();
        for leg in 0..2 {
            let Some(bit) = self.last_bit(leg) else {
                continue;
            };
            for &level in &heights.points[bit] {
                let mut feet = [0, 1].map(|l| self.standing(l, level, heights));
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

    /// How high the heel is held.
    fn heel(&self, frame: usize, leg: usize) -> Option<f64> {
        let id = self.sources.slot(frame).plants[2 * leg];
        Some(self.plants[2 * leg].get(id as usize)?.place?.y)
    }

    /// Heights of a foot's sole while its toe stands on a level: of its lowest point where it is flat, else of the toe.
    fn standing(&self, leg: usize, level: f64, heights: &StandingHeights) -> Vec<f64> {
        let (last, scale) = (self.last(leg), self.rig.scale);
        let mut out = Vec::new();
        for plant in &self.plants[last].list {
            let (Some(place), Some(end)) = (plant.place, plant.end) else {
                continue;
            };
            if (place.y - level).abs() > LEVEL_REACH * scale {
                continue;
            }
            let low = |h: f64| !heights.is_raised(h - place.y, scale);
            let is_flat = |f: usize| last == 2 * leg || self.heel(f, leg).is_some_and(low);
            out.extend((plant.start..end).map(|f| {
                if is_flat(f) {
                    self.sources.slot(f).lowest(leg)
                } else {
                    place.y
                }
            }));
        }
        out
    }
}
