//! How high points sit in a standing foot, and the levels feet stand on.
//!
//! A *rest* is a stretch in which a point hardly moves. In rests where heel and toe of a foot are both still,
//! the foot is flat: that gives each point's *sole height* (an ankle is 8 cm up, a ball 2 cm). Heights of
//! rests less sole heights gather at the levels of the floor: the level most time is spent on is the main one,
//! and others count when a foot rests on them flat *and* bears the body, that is, while the other foot
//! moves or is no lower. A knee held up is still, too, but the other foot stands below it all the while.

use std::ops::Range;

use crate::fk::WorldPoints;
use crate::{Clip, PointIdx, Skeleton, ground};

use super::Scene;
use super::soles::foot_points;

/// Levels of the floor.
#[derive(Clone, Debug, PartialEq)]
pub struct FloorLevels {
    /// Heights in metres, ascending; never empty.
    pub levels: Vec<f64>,
    /// Index of the level most time is spent on.
    pub main: usize,
    /// Per contact point: how high it sits above the floor in a standing foot, in metres.
    pub sole_heights: Vec<f64>,
}

impl FloorLevels {
    /// The level most time is spent on, in metres.
    pub fn main_height(&self) -> f64 {
        self.levels[self.main]
    }

    /// The lowest level, in metres.
    pub fn lowest(&self) -> f64 {
        self.levels[0]
    }

    /// The level nearest to a height.
    pub fn nearest(&self, height: f64) -> f64 {
        let apart = |level: &f64| (height - level).abs();
        let by_distance = |a: &f64, b: &f64| apart(a).total_cmp(&apart(b));
        self.levels
            .iter()
            .copied()
            .min_by(by_distance)
            .unwrap_or(0.0)
    }

    /// The highest level at or (by no more than `within`) above a height; the lowest where there is none.
    pub fn below(&self, height: f64, within: f64) -> f64 {
        let fitting = self.levels.iter().rev().find(|&&l| l <= height + within);
        fitting.copied().unwrap_or(self.lowest())
    }
}

/// Slower than this a point may be at rest, in m/s for a person.
const REST_SPEED: f64 = 0.15;
/// A rest shorter than this says nothing about the floor (the top of a jump lasts half as long).
const REST_S: f64 = 0.1;
/// A foot must bear the body for this long to make a level.
const BEAR_S: f64 = 0.08;
/// Rests this near to a level belong to it. Captured floors can be less flat over a room; then the clip gets a
/// second level a little above the first, which does no harm.
const LEVEL_REACH: f64 = 0.05;
/// Rests of all points on a level other than the main one must last this long together.
const LEVEL_S: f64 = 0.15;
/// How far heel and toe of a flat foot may be from one height.
const FLAT: f64 = 0.03;
/// More levels than a stair has.
const MOST_LEVELS: usize = 24;

/// A stretch in which a point hardly moves.
struct Rest {
    point: usize,
    frames: Range<usize>,
    /// Median height less the sole height.
    height: f64,
    flat: bool,
}

/// Finds sole heights and levels.
pub(super) fn find(
    scene: &Scene<'_>,
    clip: &Clip,
    world: &WorldPoints,
    given: Option<&[f64]>,
) -> FloorLevels {
    let sole_heights = sole_heights(scene, clip.skeleton(), world);
    let mut given: Vec<f64> = given.unwrap_or_default().to_vec();
    given.retain(|h| h.is_finite());
    given.sort_by(f64::total_cmp);
    let rests = rests(scene, &sole_heights);
    if !given.is_empty() {
        let main = heaviest(&rests, &given);
        return FloorLevels {
            levels: given,
            main,
            sole_heights,
        };
    }
    let Some(main) = main_level(&rests, scene.scale) else {
        let floor = ground::floor_height_in(clip, world);
        return FloorLevels {
            levels: vec![floor],
            main: 0,
            sole_heights,
        };
    };
    let mut levels = vec![main];
    let mut open: Vec<&Rest> = rests
        .iter()
        .filter(|r| r.flat && bears(scene, &sole_heights, r))
        .collect();
    while levels.len() < MOST_LEVELS && !open.is_empty() {
        let reach = LEVEL_REACH * scene.scale;
        open.retain(|r| levels.iter().all(|l| (r.height - l).abs() > reach));
        let Some(level) = densest(&open, 0.04 * scene.scale) else {
            break;
        };
        let near = |r: &&&Rest| (r.height - level).abs() < 0.04 * scene.scale;
        let time: usize = open.iter().filter(near).map(|r| r.frames.len()).sum();
        if time >= scene.frames_in(LEVEL_S, 4) {
            levels.push(level);
        } else {
            open.retain(|r| !near(&r));
        }
    }
    levels.sort_by(f64::total_cmp);
    let main = levels.iter().position(|&l| l == main).unwrap_or(0);
    FloorLevels {
        levels,
        main,
        sole_heights,
    }
}

/// Index of the given level most rests are near.
fn heaviest(rests: &[Rest], levels: &[f64]) -> usize {
    let mut weight = vec![0; levels.len()];
    for rest in rests {
        let apart = |i: &usize| (levels[*i] - rest.height).abs();
        let nearest = (0..levels.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)));
        weight[nearest.unwrap_or(0)] += rest.frames.len();
    }
    // Of equals the first, which is the lowest.
    (0..levels.len())
        .max_by_key(|&i| (weight[i], std::cmp::Reverse(i)))
        .unwrap_or(0)
}

/// The level most time is spent on, flat feet first.
fn main_level(rests: &[Rest], scale: f64) -> Option<f64> {
    let flat: Vec<&Rest> = rests.iter().filter(|r| r.flat).collect();
    let all: Vec<&Rest> = rests.iter().collect();
    densest(&flat, 0.04 * scale).or_else(|| densest(&all, 0.04 * scale))
}

/// Median height, by time, of the fullest window of a given width.
fn densest(rests: &[&Rest], width: f64) -> Option<f64> {
    let mut sorted: Vec<(f64, usize)> = rests.iter().map(|r| (r.height, r.frames.len())).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut best, mut end, mut weight) = ((0, 0, 0), 0, 0);
    for start in 0..sorted.len() {
        while end < sorted.len() && sorted[end].0 <= sorted[start].0 + width {
            weight += sorted[end].1;
            end += 1;
        }
        if weight > best.0 {
            best = (weight, start, end);
        }
        weight -= sorted[start].1;
    }
    let mut half = best.0.div_ceil(2);
    for (height, frames) in &sorted[best.1..best.2] {
        if half <= *frames {
            return Some(*height);
        }
        half -= frames;
    }
    None
}

/// Height of every point above the lowest point of its own foot, in frames where the foot is flat.
fn sole_heights(scene: &Scene<'_>, skeleton: &Skeleton, world: &WorldPoints) -> Vec<f64> {
    let mut out: Vec<f64> = (0..scene.chosen.len())
        .map(|i| sole_height(scene, skeleton, world, i).unwrap_or(0.0))
        .collect();
    even_out(scene, &mut out);
    out
}

/// [`sole_heights`] for one point; `None` for what is no part of a foot.
fn sole_height(
    scene: &Scene<'_>,
    skeleton: &Skeleton,
    world: &WorldPoints,
    point: usize,
) -> Option<f64> {
    let chosen = &scene.chosen[point];
    let ankle = chosen.ankle?;
    let mates: Vec<usize> = (0..scene.chosen.len())
        .filter(|&k| scene.chosen[k].is_foot() && scene.chosen[k].limb == chosen.limb)
        .collect();
    let mut foot: Vec<usize> = foot_points(skeleton, ankle)
        .into_iter()
        .map(PointIdx::index)
        .collect();
    // Points that the caller named may lie outside of what hangs on the ankle.
    foot.extend(mates.iter().map(|&k| scene.chosen[k].point.index()));
    let slow = REST_SPEED * scene.scale;
    let still = |f: &usize| mates.iter().all(|&k| scene.motions[k].speed[*f] < slow);
    let mut flat: Vec<usize> = (0..scene.frames()).filter(still).collect();
    if flat.len() < scene.frames_in(REST_S, 3) {
        flat = calmest_frames(scene, &mates);
    }
    let mut heights: Vec<f64> = flat
        .iter()
        .map(|&f| {
            let row = world.frame(f);
            let lowest = foot.iter().map(|&p| row[p].y).fold(f64::INFINITY, f64::min);
            row[chosen.point.index()].y - lowest
        })
        .collect();
    // A raised heel may be still as well; the height most often taken is that of the flat foot.
    heights.sort_by(f64::total_cmp);
    Some(ground::densest(&heights, 0.015 * scene.scale))
}

/// Left and right are built alike. Where they differ by more than 3 cm, one foot was never flat on the ground
/// (a stride of a run, a kick), and the lower value is the sound one.
fn even_out(scene: &Scene<'_>, soles: &mut [f64]) {
    for i in 0..soles.len() {
        for k in 0..i {
            let (a, b) = (&scene.chosen[i], &scene.chosen[k]);
            let twins = a.is_foot() && a.kind == b.kind && a.limb != b.limb;
            if twins && (soles[i] - soles[k]).abs() > 0.03 * scene.scale {
                let lower = soles[i].min(soles[k]);
                (soles[i], soles[k]) = (lower, lower);
            }
        }
    }
}

/// The twelfth of frames in which the points of a foot are slowest: the middle of stance in a run.
fn calmest_frames(scene: &Scene<'_>, mates: &[usize]) -> Vec<usize> {
    let speed = |f: usize| {
        let speeds = mates.iter().map(|&k| scene.motions[k].speed[f]);
        speeds.fold(0.0, f64::max)
    };
    let mut frames: Vec<(f64, usize)> = (0..scene.frames()).map(|f| (speed(f), f)).collect();
    frames.sort_by(|a, b| a.0.total_cmp(&b.0));
    frames.truncate(scene.frames().div_ceil(12));
    frames.into_iter().map(|(_, f)| f).collect()
}

/// The value below which a fraction of the values lies; 0 for none.
pub(super) fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let at = ((values.len() - 1) as f64 * fraction).round() as usize;
    *values.select_nth_unstable_by(at, f64::total_cmp).1
}

/// All rests of the feet.
fn rests(scene: &Scene<'_>, sole: &[f64]) -> Vec<Rest> {
    let least = scene.frames_in(REST_S, 3);
    let slow = REST_SPEED * scene.scale;
    let mut out = Vec::new();
    for (point, candidate) in scene.chosen.iter().enumerate() {
        if !candidate.is_foot() {
            continue;
        }
        let motion = &scene.motions[point];
        for frames in runs(motion.speed.iter().map(|&v| v < slow)) {
            if frames.len() < least {
                continue;
            }
            let mut heights: Vec<f64> = frames
                .clone()
                .map(|f| motion.places[f].y - sole[point])
                .collect();
            let height = quantile(&mut heights, 0.5);
            let mut rest = Rest {
                point,
                frames,
                height,
                flat: false,
            };
            rest.flat = is_flat(scene, sole, &rest);
            out.push(rest);
        }
    }
    out
}

/// Whether the other end of the foot is on the same level for part of the rest.
fn is_flat(scene: &Scene<'_>, sole: &[f64], rest: &Rest) -> bool {
    let limb = scene.chosen[rest.point].limb;
    let mut mates = (0..scene.chosen.len())
        .filter(|&k| k != rest.point && scene.chosen[k].is_foot() && scene.chosen[k].limb == limb)
        .peekable();
    if mates.peek().is_none() {
        return true;
    }
    let needed = scene.frames_in(REST_S / 2.0, 2);
    mates.any(|k| {
        let level = |f: &usize| {
            (scene.motions[k].places[*f].y - sole[k] - rest.height).abs() < FLAT * scene.scale
        };
        rest.frames.clone().filter(level).count() >= needed
    })
}

/// Whether no other foot stands lower for some of the time.
fn bears(scene: &Scene<'_>, sole: &[f64], rest: &Rest) -> bool {
    let limb = scene.chosen[rest.point].limb;
    let others: Vec<usize> = (0..scene.chosen.len())
        .filter(|&k| scene.chosen[k].is_foot() && scene.chosen[k].limb != limb)
        .collect();
    let slow = REST_SPEED * scene.scale;
    let alone = |f: &usize| {
        !others.iter().any(|&k| {
            let lower =
                scene.motions[k].places[*f].y - sole[k] < rest.height - LEVEL_REACH * scene.scale;
            lower && scene.motions[k].speed[*f] < slow
        })
    };
    rest.frames.clone().filter(alone).count() >= scene.frames_in(BEAR_S, 2)
}

/// Stretches of `true`.
pub(super) fn runs(flags: impl Iterator<Item = bool>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = None;
    let mut end = 0;
    for (i, flag) in flags.enumerate() {
        end = i + 1;
        match (flag, start) {
            (true, None) => start = Some(i),
            (false, Some(first)) => {
                out.push(first..i);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(first) = start {
        out.push(first..end);
    }
    out
}
