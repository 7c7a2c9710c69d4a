//! Heights at which contact points stand, and the floor under them.
//!
//! Plants of one point on one level get one height: the median of their mean heights. Heights are
//! taken from the plants themselves, point by point, so that a foot planted before is at its height already, and
//! planting it again moves nothing.
//!
//! Levels are those of toes. The heel of a flat foot is higher by one slope; a heel in the air stands on no level.
//!
//! What stands up to a hand's breadth below where it stands most of the time is sunk, not on another level, and is put
//! there, too.

use std::ops::Range;

use super::ingest::Sources;
use super::rig::{CHANNELS, Rig};
use super::slope;
use super::watch::Plants;

/// Heights this near to one another, in metres for a person, are one level.
pub(super) const LEVEL_REACH: f64 = 0.04;

/// A plant farther than this above every level, in metres for a person, keeps its own height.
const SNAP_REACH: f64 = 0.025;

/// A point that stands on a level for less than this in all, in seconds, was in the floor for a moment, where there is
/// another level up to [`DEEP`] above it.
const LEVEL_S: f64 = 0.12;
const DEEP: f64 = 0.2;

/// A level up to [`UNEVEN`] below another one that is stood on longer is none, nor up to [`SUNK`] below one that is
/// stood on [`RARE`] times as long: floors of captured rooms are uneven and skeletons fit them badly.
const UNEVEN: f64 = 0.06;
const SUNK: f64 = 0.1;
const RARE: usize = 4;

/// Heights fall into levels within a few rounds; more cannot be worth it.
const MOST_ROUNDS: usize = 16;

/// Heights and for how many frames they are stood at.
type Heights = Vec<(f64, usize)>;

/// The heights at which contact points may stand, and those of the floor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StandingHeights {
    /// One list per contact point (by its bit in the track), ascending, in metres; empty: as high as it is.
    pub points: Vec<Vec<f64>>,
    /// How much higher than its toe a flat foot's heel is, left and right, in metres; `None`: as it was.
    pub slopes: [Option<f64>; 2],
    /// Levels of the floor, ascending, in metres; empty: toes are not looked at.
    pub floors: Vec<f64>,
}

impl StandingHeights {
    /// The height a plant of some height is put at: that of the nearest level where one is near enough. Nothing
    /// stands a little below a level, nor anywhere below the lowest.
    pub(super) fn snap(&self, bit: usize, height: f64, scale: f64) -> f64 {
        let listed = self.points.get(bit).map_or(&[][..], Vec::as_slice);
        let near = |h: &&f64| {
            let above = height - **h;
            above <= SNAP_REACH * scale && above >= -LEVEL_REACH * scale
        };
        let apart = |h: &&f64| (**h - height).abs();
        let best = listed
            .iter()
            .filter(near)
            .min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let sunk = listed.first().copied().filter(|l| height < *l);
        best.copied().or(sunk).unwrap_or(height)
    }

    /// The height below which a point is in the floor: the lowest it stands at. (A foot on its way up to a step
    /// is below that step's height, and rightly so.)
    pub(super) fn lowest(&self, bit: usize) -> Option<f64> {
        self.points.get(bit)?.first().copied()
    }

    /// The height below which a foot in the air has a point in the floor: no lower than soles stand, whatever heights the
    /// point has of its own. (A runner's heel never stands, and has none.)
    pub(super) fn in_the_air(&self, bit: Option<usize>) -> Option<f64> {
        let own = bit.and_then(|bit| self.lowest(bit));
        let floor = self.floors.first().copied();
        own.map_or(floor, |own| Some(floor.map_or(own, |f| own.max(f))))
    }

    /// The height another point of a foot has when it stands where a point of some height does.
    pub(super) fn mate(&self, bit: usize, height: f64, mate: usize, scale: f64) -> Option<f64> {
        let apart = self.lowest(bit)? - self.lowest(mate)?;
        let at_most = height - apart + SNAP_REACH * scale;
        let listed = self.points[mate].iter().rev();
        listed
            .copied()
            .find(|h| *h <= at_most)
            .or(self.lowest(mate))
    }

    /// The floor under a plant of a point at some height.
    pub(super) fn floor_under(&self, bit: usize, height: f64, scale: f64) -> Option<f64> {
        let lowest = self.floors.first().copied()?;
        let sole = height - self.lowest(bit).map_or(0.0, |l| l - lowest);
        let under = |f: &&f64| **f <= sole + SNAP_REACH * scale;
        self.floors
            .iter()
            .rev()
            .find(under)
            .copied()
            .or(Some(lowest))
    }

    /// The same with floors put where they are found to be in the planted motion, those that are near to one found; `None` where
    /// they are there.
    pub(super) fn on_floors(&self, found: &[f64], scale: f64) -> Option<Self> {
        /// Nearer than this, in metres, is there: less cannot be seen.
        const THERE: f64 = 2e-3;
        let mut moved = self.clone();
        for floor in &mut moved.floors {
            let apart = |f: &f64| (f - *floor).abs();
            let nearest = found
                .iter()
                .copied()
                .min_by(|a, b| apart(a).total_cmp(&apart(b)));
            *floor = nearest
                .filter(|f| apart(f) <= LEVEL_REACH * scale)
                .unwrap_or(*floor);
        }
        moved.floors.dedup();
        let there = moved.floors.len() == self.floors.len()
            && (moved.floors.iter().zip(&self.floors)).all(|(a, b)| (a - b).abs() < THERE);
        (!there).then_some(moved)
    }

    /// How far above its toe a heel is put that was so far above it: as in a flat foot, unless it is in the air.
    pub(super) fn heel_above_toe(&self, leg: usize, was: f64, scale: f64) -> Option<f64> {
        let slope = self.slopes[leg]?;
        Some(if self.is_raised(was, scale) {
            was
        } else {
            slope
        })
    }

    /// Whether a heel so far above its toe is in the air.
    pub(super) fn is_raised(&self, above_toe: f64, scale: f64) -> bool {
        slope::is_raised(self.slopes, above_toe, scale)
    }

    /// From plants whose frames are all there.
    pub(super) fn estimate(
        rig: &Rig,
        sources: &Sources,
        plants: &[Plants; CHANNELS],
        rate_hz: f64,
    ) -> Self {
        let mut heights = [0, 1, 2, 3].map(|c| plant_heights(sources, c, &plants[c]));
        let mut out = Self {
            points: vec![Vec::new(); rig.names.len()],
            slopes: slope::slopes(rig, sources, plants),
            floors: Vec::new(),
        };
        let least = (LEVEL_S * rate_hz).round() as usize;
        out.settle(rig, [1, 3], &mut heights, least);
        out.settle(rig, [0, 2], &mut heights, least);
        for (leg, slope) in out.slopes.into_iter().enumerate() {
            let bits = [2 * leg, 2 * leg + 1].map(|c| rig.bit(c));
            if let ([Some(heel), Some(toe)], Some(slope)) = (bits, slope)
                && !out.points[toe].is_empty()
            {
                out.points[heel] = out.points[toe].iter().map(|h| h + slope).collect();
            }
        }
        out
    }

    /// Finds the levels of a left and a right channel.
    ///
    /// Plants put at their heights must have those heights again, so that planting again moves nothing: levels are
    /// looked for anew among the heights they lead to, until nothing changes.
    fn settle(
        &mut self,
        rig: &Rig,
        channels: [usize; 2],
        heights: &mut [Heights; CHANNELS],
        least: usize,
    ) {
        for _ in 0..MOST_ROUNDS {
            let found = channels.map(|c| levels(heights[c].clone(), rig.scale, least));
            let found = alike(found, channels.map(|c| time(&heights[c])), rig.scale);
            let mut changed = false;
            for (channel, found) in channels.into_iter().zip(found) {
                let Some(bit) = rig.bit(channel) else {
                    continue;
                };
                self.points[bit] = found;
                for (height, _) in &mut heights[channel] {
                    let snapped = self.snap(bit, *height, rig.scale);
                    changed |= snapped != *height;
                    *height = snapped;
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// Frames that plants have together.
fn time(heights: &Heights) -> usize {
    heights.iter().map(|h| h.1).sum()
}

/// Left and right are built alike: a foot that never stands has the heights of the other, and one that hardly does
/// is no lower.
fn alike(found: [Vec<f64>; 2], time: [usize; 2], scale: f64) -> [Vec<f64>; 2] {
    [0, 1].map(|i| {
        let (own, other) = (&found[i], &found[1 - i]);
        if own.is_empty() || time[1 - i] < RARE * time[i] {
            return if own.is_empty() { other } else { own }.clone();
        }
        let Some(&least) = other.first() else {
            return own.clone();
        };
        let sunk = |h: f64| h < least && least <= h + SUNK * scale;
        let raised = own.iter().map(|&h| if sunk(h) { least } else { h });
        let mut raised: Vec<f64> = raised.collect();
        raised.dedup();
        raised
    })
}

impl Rig {
    /// The bit of a channel in the contact track.
    pub(super) fn bit(&self, channel: usize) -> Option<usize> {
        let leg = self.legs[channel / 2].as_ref()?;
        leg.points[channel % 2].map(|p| p.0)
    }
}

/// Mean height and length of every plant.
fn plant_heights(sources: &Sources, channel: usize, plants: &Plants) -> Heights {
    let mean = |frames: Range<usize>| {
        let count = frames.len();
        let sum: f64 = frames.map(|f| sources.slot(f).point(channel).y).sum();
        (sum / count as f64, count)
    };
    plants.ranges().map(mean).collect()
}

/// Medians of the heaps that heights fall into, the fullest first, returned ascending. `least`: frames a heap has
/// unless the foot was just sunk.
fn levels(mut heights: Heights, scale: f64, least: usize) -> Vec<f64> {
    let reach = LEVEL_REACH * scale;
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f64, usize)> = Vec::new();
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
        out.push((median, weight(from)));
        let before = heights.len();
        heights.retain(|h| (h.0 - median).abs() > reach);
        if heights.len() == before {
            break;
        }
    }
    out.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = out.clone();
    out.retain(|&(height, weight)| {
        !all.iter().any(|&(above, usual)| {
            let sunk = above - height;
            let shallow = sunk <= UNEVEN * scale && usual >= weight
                || sunk <= SUNK * scale && usual >= RARE * weight;
            let short = sunk <= DEEP * scale && weight < least && usual >= least;
            sunk > 0.0 && (shallow || short)
        })
    });
    out.into_iter().map(|l| l.0).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_of_a_stair_fall_into_steps() {
        let found = levels(
            vec![(0.08, 50), (0.09, 20), (0.25, 30), (0.255, 31), (0.43, 9)],
            1.0,
            5,
        );
        assert_eq!(found, vec![0.08, 0.255, 0.43]);
    }

    #[test]
    fn a_level_of_equal_heights_is_that_height() {
        assert_eq!(levels(vec![(0.0801, 7); 5], 1.0, 5), vec![0.0801]);
    }

    #[test]
    fn a_foot_that_is_sunk_makes_no_level() {
        let heights = || vec![(-0.1, 4), (0.02, 9), (0.08, 50), (0.3, 4)];
        assert_eq!(levels(heights(), 1.0, 5), vec![0.08, 0.3]);
        assert_eq!(levels(heights(), 1.0, 4), vec![-0.1, 0.08, 0.3]);
        let standing = StandingHeights {
            points: vec![vec![0.08, 0.3], vec![0.03, 0.25]],
            floors: vec![0.02, 0.24],
            ..StandingHeights::default()
        };
        let snap = |y: f64| standing.snap(0, y, 1.0);
        assert_eq!([snap(-0.1), snap(0.27), snap(0.15)], [0.08, 0.3, 0.15]);
        let floor = |y: f64| standing.floor_under(0, y, 1.0);
        assert_eq!([floor(0.31), floor(0.2)], [Some(0.24), Some(0.02)]);
        let mate = |y: f64| standing.mate(0, y, 1, 1.0);
        assert_eq!([mate(0.31), mate(0.0)], [Some(0.25), Some(0.03)]);
    }
}
