//! Heights at which contact points stand.
//!
//! Plants of one point on one level of the floor get one height: the median of their mean heights. Heights are
//! taken from the plants themselves, point by point, so that a foot planted before is at its height already, and
//! planting it again moves nothing.

use std::ops::Range;

use glam::DQuat;

use super::ingest::Sources;
use super::rig::{CHANNELS, Rig};
use super::watch::Plants;

/// Heights this near to one another, in metres for a person, are one level.
const LEVEL_REACH: f64 = 0.04;

/// A plant farther than this from every level, in metres for a person, keeps its own height.
const SNAP_REACH: f64 = 0.025;

/// Per contact point (by its bit in the track), the heights it may stand at, ascending, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StandingHeights {
    /// One list per contact point; empty: as high as it is.
    pub points: Vec<Vec<f64>>,
    /// Height of the tips of the toes in a standing foot above the nearest height of the foot's second contact
    /// point, left and right; `None`: toes are not looked at.
    pub tips: [Option<f64>; 2],
}

impl StandingHeights {
    /// The height nearest to one, where one is near enough to be the same level.
    pub(super) fn snap(&self, bit: usize, height: f64, scale: f64) -> f64 {
        let listed = self.points.get(bit).map_or(&[][..], Vec::as_slice);
        let near = |h: &&f64| (**h - height).abs() <= SNAP_REACH * scale;
        let apart = |h: &&f64| (**h - height).abs();
        let best = listed
            .iter()
            .filter(near)
            .min_by(|a, b| apart(a).total_cmp(&apart(b)));
        best.copied().unwrap_or(height)
    }

    /// The height below which a point is in the floor: the lowest it stands at. (A foot on its way up to a step
    /// is below that step's height, and rightly so.)
    pub(super) fn floor(&self, bit: usize) -> Option<f64> {
        self.points.get(bit)?.first().copied()
    }

    /// From plants whose frames are all there.
    pub(super) fn estimate(rig: &Rig, sources: &Sources, plants: &[Plants; CHANNELS]) -> Self {
        let mut points = vec![Vec::new(); rig.names.len()];
        for (channel, plants) in plants.iter().enumerate() {
            if let Some(bit) = rig.bit(channel) {
                points[bit] = levels(plant_heights(sources, channel, plants), rig.scale);
            }
        }
        // Left and right are built alike: a foot that never stands has the heights of the other.
        for channel in 0..CHANNELS {
            let twin = (channel + 2) % CHANNELS;
            if let (Some(bit), Some(twin)) = (rig.bit(channel), rig.bit(twin))
                && points[bit].is_empty()
            {
                points[bit] = points[twin].clone();
            }
        }
        Self {
            points,
            tips: [None; 2],
        }
    }

    /// Adds the heights of the toes' tips, once it is decided how standing feet are turned.
    pub(super) fn estimate_tips(
        &mut self,
        rig: &Rig,
        sources: &Sources,
        plants: &[Plants; CHANNELS],
    ) {
        let tips = [0, 1].map(|leg| tip_height(rig, sources, leg, &plants[2 * leg..2 * leg + 2]));
        self.tips = [tips[0].or(tips[1]), tips[1].or(tips[0])];
    }
}

impl Rig {
    /// The bit of a channel in the contact track.
    pub(super) fn bit(&self, channel: usize) -> Option<usize> {
        let leg = self.legs[channel / 2].as_ref()?;
        leg.points[channel % 2].map(|p| p.0)
    }
}

/// Mean height and length of every plant.
fn plant_heights(sources: &Sources, channel: usize, plants: &Plants) -> Vec<(f64, usize)> {
    let mean = |frames: Range<usize>| {
        let count = frames.len();
        let sum: f64 = frames.map(|f| sources.slot(f).point(channel).y).sum();
        (sum / count as f64, count)
    };
    plants.ranges().map(mean).collect()
}

/// Medians of the heaps that heights fall into, the fullest first, returned ascending.
fn levels(mut heights: Vec<(f64, usize)>, scale: f64) -> Vec<f64> {
    let reach = LEVEL_REACH * scale;
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = Vec::new();
    while !heights.is_empty() {
        let weight = |from: f64| -> usize {
            let within = heights
                .iter()
                .filter(|h| h.0 >= from && h.0 <= from + reach);
            within.map(|h| h.1).sum()
        };
        let from = heights
            .iter()
            .map(|h| (weight(h.0), h.0))
            .fold((0, 0.0), |best, x| if x.0 > best.0 { x } else { best })
            .1;
        let heap: Vec<(f64, usize)> = heights
            .iter()
            .copied()
            .filter(|h| h.0 >= from && h.0 <= from + reach)
            .collect();
        let median = median(&heap);
        out.push(median);
        let before = heights.len();
        heights.retain(|h| (h.0 - median).abs() > reach);
        if heights.len() == before {
            break;
        }
    }
    out.sort_by(f64::total_cmp);
    out
}

/// The median of sorted values by weight.
fn median(sorted: &[(f64, usize)]) -> f64 {
    let mut half = sorted.iter().map(|h| h.1).sum::<usize>().div_ceil(2);
    for (height, count) in sorted {
        if half <= *count {
            return *height;
        }
        half -= count;
    }
    sorted.last().map_or(0.0, |h| h.0)
}

/// How high the toes' tip is above the ball of a foot that stands flat.
fn tip_height(rig: &Rig, sources: &Sources, leg: usize, plants: &[Plants]) -> Option<f64> {
    let rig_leg = rig.legs[leg].as_ref()?;
    rig_leg.toe?;
    rig_leg.points[1]?;
    let mut flat = Vec::new();
    let mut toes = plants[1].ranges().peekable();
    for heel in plants[0].ranges() {
        while toes.next_if(|t| t.end <= heel.start).is_some() {}
        if let Some(toe) = toes.peek() {
            let both = heel.start.max(toe.start)..heel.end.min(toe.end);
            flat.extend(both.map(|f| {
                let slot = sources.slot(f);
                let arm = (slot.legs[leg].tip - slot.legs[leg].points[1]).as_dvec3();
                (DQuat::from_scaled_axis(slot.turn[leg]) * arm).y
            }));
        }
    }
    if flat.is_empty() {
        return None;
    }
    let at = flat.len() / 2;
    Some(*flat.select_nth_unstable_by(at, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_of_a_stair_fall_into_steps() {
        let found = levels(
            vec![(0.08, 50), (0.09, 20), (0.25, 30), (0.255, 31), (0.43, 9)],
            1.0,
        );
        assert_eq!(found, vec![0.08, 0.255, 0.43]);
    }

    #[test]
    fn a_level_of_equal_heights_is_that_height() {
        assert_eq!(levels(vec![(0.0801, 7); 5], 1.0), vec![0.0801]);
    }
}
