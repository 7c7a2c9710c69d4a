//! Where the floor is, once it is known what stands.
//!
//! Rests say about where levels are, which is enough to find plants. The floor itself is where soles stand: of each
//! foot the median, over the frames in which its toe stands on a level, of the height of its lowest point while the heel
//! stands, too, and of the toe while it does not (the tip of a toe that points down is no sole); of both
//! feet the lower one. (Captured left and right feet often stand at heights one or two centimetres apart, and no floor
//! is above a foot that stands on it.)
//!
//! A median is not moved by lifting to it what was below it. So feet that were taken out of the floor stand on
//! the same floor as before, and there is nothing left to lift.

use crate::anatomy::is_at_or_below;
use crate::fk::WorldPoints;
use crate::{JointIdx, PointIdx, Skeleton};

use super::levels::FloorLevels;
use super::{Plant, Scene};

/// A foot with less than this part of the samples of both says nothing beside the other.
const LEAST_SHARE: f64 = 0.1;

/// The height of the floor from heights of each foot's sole in the frames in which it stands.
///
/// ```
/// use gaitway_core::contacts::standing_height;
///
/// let mut feet = [vec![0.031, 0.029, 0.030], vec![0.052, 0.050, 0.051]];
/// assert_eq!(standing_height(&mut feet), Some(0.030));
/// ```
pub fn standing_height(feet: &mut [Vec<f64>; 2]) -> Option<f64> {
    let all: usize = feet.iter().map(Vec::len).sum();
    let least = ((LEAST_SHARE * all as f64).ceil() as usize).max(1);
    let medians = feet.iter_mut().filter(|f| f.len() >= least).map(|foot| {
        // The lower of the two middle ones, so that it is a height some foot has.
        let at = (foot.len() - 1) / 2;
        *foot.select_nth_unstable_by(at, f64::total_cmp).1
    });
    medians.min_by(f64::total_cmp)
}

/// All points of a foot: what hangs on an ankle, and the ankle.
pub fn foot_points(skeleton: &Skeleton, ankle: JointIdx) -> Vec<PointIdx> {
    (0..skeleton.point_count() as u32)
        .map(PointIdx)
        .filter(|&p| is_at_or_below(skeleton, skeleton.point_joint(p), ankle))
        .collect()
}

/// Puts every level to where soles stand on it; levels on which no foot is ever flat stay where they are.
pub(super) fn settle(
    scene: &Scene<'_>,
    skeleton: &Skeleton,
    world: &WorldPoints,
    plants: &mut [Plant],
    floor: &mut FloorLevels,
) {
    let frames = scene.frames();
    let mut moved: Vec<(f64, f64)> = Vec::with_capacity(floor.levels.len());
    for &level in &floor.levels {
        let mut feet = [Vec::new(), Vec::new()];
        for (limb, heights) in feet.iter_mut().enumerate() {
            let own: Vec<usize> = (0..scene.chosen.len())
                .filter(|&k| scene.chosen[k].is_foot() && scene.chosen[k].limb == limb)
                .collect();
            let ankle = own.iter().find_map(|&k| scene.chosen[k].ankle);
            let (Some(ankle), Some(&toe)) = (ankle, own.last()) else {
                continue;
            };
            let mut down = vec![0_usize; frames];
            let mut stands = vec![false; frames];
            let here = |p: &&Plant| p.height == level && own.contains(&p.point);
            for plant in plants.iter().filter(here) {
                plant.frames.clone().for_each(|f| {
                    down[f] += 1;
                    stands[f] |= plant.point == toe;
                });
            }
            let foot = foot_points(skeleton, ankle);
            heights.extend((0..frames).filter(|&f| stands[f]).map(|f| {
                let row = world.frame(f);
                if down[f] < own.len() {
                    return row[scene.chosen[toe].point.index()].y;
                }
                let low = foot.iter().map(|p| row[p.index()].y);
                low.fold(f64::INFINITY, f64::min)
            }));
        }
        moved.push((level, standing_height(&mut feet).unwrap_or(level)));
    }
    for plant in plants.iter_mut() {
        if let Some((_, to)) = moved.iter().find(|(from, _)| *from == plant.height) {
            plant.height = *to;
        }
    }
    let main = moved[floor.main].1;
    floor.levels = moved.into_iter().map(|(_, to)| to).collect();
    floor.levels.sort_by(f64::total_cmp);
    floor.main = floor.levels.iter().position(|&l| l == main).unwrap_or(0);
}
