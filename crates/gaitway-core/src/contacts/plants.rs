//! Plants from speeds and heights.
//!
//! Speeds of points that are low enough to stand fall in two heaps, standing and moving. Otsu's split of their
//! logarithms (the value that leaves least variance within the heaps) lies between: a plant begins below
//! 0.8 of it and goes on below 1.4 of it. Heights likewise have a narrow and a wide limit.

use std::ops::Range;

use super::levels::{FloorLevels, quantile, runs};
use super::points::Kind;
use super::{Plant, Scene, Thresholds};

/// What is higher than this above its level says nothing about standing speeds, in metres for a person.
const LOW: f64 = 0.06;
/// A pause of contact shorter than this, back at the same place, is a flaw of the data.
const GAP_S: f64 = 0.05;
/// Nothing that stands goes this far in a frame, in metres for a person.
const JUMP: f64 = 0.1;
/// A point this much higher than it ever is in the middle of its plant is not down yet, in metres for a person.
const LANDED: f64 = 0.006;
/// The hips sit when they are lower than this part of their standing height.
const SITTING: f64 = 0.75;

/// The limits for a clip, from its own speeds and heights.
pub(super) fn thresholds(
    scene: &Scene<'_>,
    floor: &FloorLevels,
    window: usize,
    split: Option<f64>,
) -> Thresholds {
    let scale = scene.scale;
    let mut low_speeds = Vec::new();
    let mut rest_heights = Vec::new();
    let mut fastest = Vec::new();
    for (point, candidate) in scene.chosen.iter().enumerate() {
        if !candidate.is_foot() {
            continue;
        }
        let motion = &scene.motions[point];
        for (place, &speed) in motion.places.iter().zip(&motion.speed) {
            let height = above(floor, point, place.y);
            if height.abs() < LOW * scale {
                low_speeds.push(speed / scale);
                if speed < 0.1 * scale {
                    rest_heights.push(height.abs());
                }
            }
            fastest.push(speed / scale);
        }
    }
    // A sprinter's stance is too short to be quite still in the data.
    let ceiling = (0.05 * quantile(&mut fastest, 0.95)).max(0.4);
    let split = match split {
        Some(given) if given.is_finite() && given > 0.0 => given,
        _ => scale * otsu(&low_speeds).clamp(0.15, ceiling),
    };
    let enter_height = (1.2 * quantile(&mut rest_heights, 0.9)).clamp(0.02 * scale, 0.035 * scale)
        + 2.0 * scene.noise;
    Thresholds {
        enter_speed: 0.8 * split,
        stay_speed: 1.4 * split,
        enter_height,
        stay_height: 1.6 * enter_height,
        noise: scene.noise,
        window,
        scale,
    }
}

/// Height of a point above the level nearest to its sole.
fn above(floor: &FloorLevels, point: usize, y: f64) -> f64 {
    let sole = y - floor.sole_heights[point];
    sole - floor.nearest(sole)
}

/// Otsu's split of speeds on a logarithmic scale from 1 cm/s to 10 m/s.
fn otsu(speeds: &[f64]) -> f64 {
    const BINS: usize = 96;
    const DECADES: f64 = 3.0;
    let mut count = [0.0_f64; BINS];
    for &v in speeds {
        let at = (v.max(0.01) / 0.01).log10() / DECADES * BINS as f64;
        count[(at as usize).min(BINS - 1)] += 1.0;
    }
    let total: f64 = count.iter().sum();
    let sum: f64 = count.iter().enumerate().map(|(i, c)| i as f64 * c).sum();
    let (mut weight, mut part) = (0.0, 0.0);
    // Empty bins between two heaps all score alike; the middle of them is the split.
    let (mut best, mut first, mut last) = (-1.0, 0, 0);
    for (i, c) in count.iter().enumerate() {
        weight += c;
        part += i as f64 * c;
        if weight == 0.0 || weight == total {
            continue;
        }
        let apart = part / weight - (sum - part) / (total - weight);
        let between = weight * (total - weight) * apart * apart;
        if between > best * (1.0 + 1e-9) {
            (best, first, last) = (between, i, i);
        } else if between > best * (1.0 - 1e-9) {
            last = i;
        }
    }
    let middle = (first + last) as f64 / 2.0 + 1.0;
    0.01 * 10.0_f64.powf(middle / BINS as f64 * DECADES)
}

/// All plants, by start, then point.
pub(super) fn find(
    scene: &Scene<'_>,
    floor: &FloorLevels,
    limits: &Thresholds,
    min_plant_s: f64,
) -> Vec<Plant> {
    let mut out = Vec::new();
    for (point, candidate) in scene.chosen.iter().enumerate() {
        let finder = Finder {
            scene,
            floor,
            limits,
            point,
        };
        out.extend(match candidate.kind {
            Kind::Heel | Kind::Toe | Kind::Hand => finder.standing(min_plant_s),
            Kind::Hips => finder.sitting(),
        });
    }
    out.sort_by_key(|p| (p.frames.start, p.point));
    out
}

struct Finder<'a> {
    scene: &'a Scene<'a>,
    floor: &'a FloorLevels,
    limits: &'a Thresholds,
    point: usize,
}

impl Finder<'_> {
    fn speed(&self, frame: usize) -> f64 {
        self.scene.motions[self.point].speed[frame]
    }

    fn place(&self, frame: usize) -> glam::DVec3 {
        self.scene.motions[self.point].places[frame]
    }

    /// How far above its level the point is, wrists given the height of a palm.
    fn height(&self, frame: usize) -> f64 {
        let above = above(self.floor, self.point, self.place(frame).y);
        match self.scene.chosen[self.point].kind {
            Kind::Hand => (above.abs() - 0.12 * self.limits.scale).max(0.0),
            _ => above,
        }
    }

    fn level(&self, frame: usize) -> f64 {
        let sole = self.place(frame).y - self.floor.sole_heights[self.point];
        self.floor.nearest(sole)
    }

    /// Slow and near a level. Being below it is no reason not to stand: captured floors are uneven.
    fn within(&self, frame: usize, speed: f64, height: f64) -> bool {
        let above = self.height(frame);
        self.speed(frame) < speed && above < height && above > -2.0 * height
    }

    fn standing(&self, min_plant_s: f64) -> Vec<Plant> {
        let frames = self.scene.frames();
        let (l, mut found) = (self.limits, Vec::new());
        let stays = (0..frames).map(|f| self.within(f, l.stay_speed, l.stay_height));
        for run in runs(stays) {
            for part in self.split_at_levels(run) {
                let begins = |f: usize| self.within(f, l.enter_speed, l.enter_height);
                if part.clone().any(begins) {
                    found.push(self.fit_borders(part));
                }
            }
        }
        found.retain(|r| !r.is_empty());
        let least = self.scene.frames_in(min_plant_s, 2);
        self.join(found)
            .into_iter()
            .filter(|r| r.len() >= least)
            .map(|r| self.plant(r, least))
            .collect()
    }

    /// Cuts a run where the nearest level changes, and where the point is elsewhere from one frame to the next (capture
    /// that breaks: before and after, the point is slow).
    fn split_at_levels(&self, run: Range<usize>) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut start = run.start;
        for f in run.start + 1..run.end {
            let jumps = self.place(f).distance(self.place(f - 1)) > JUMP * self.limits.scale;
            if jumps || self.level(f) != self.level(f - 1) {
                out.push(start..f);
                start = f;
            }
        }
        out.push(start..run.end);
        out
    }

    /// Moves both borders to where the point leaves the place it has just inside them.
    fn fit_borders(&self, run: Range<usize>) -> Range<usize> {
        let width = self.scene.frames_in(0.06, 2);
        // Far enough inside to be past a soft landing, and within the run's own half.
        let depth = width.min(run.len() / 4);
        let from = run.start + depth;
        let (anchor, near) = self.anchor(from..(from + width).min(run.end));
        let to = run.end - depth;
        let (anchor_end, near_end) = self.anchor(to.saturating_sub(width).max(run.start)..to);
        let (mut start, mut end) = (run.start, run.end);
        while start < end && self.place(start).distance(anchor) > near {
            start += 1;
        }
        while end > start && self.place(end - 1).distance(anchor_end) > near_end {
            end -= 1;
        }
        let grow = self.scene.frames_in(0.05, 1);
        let least = run.start.saturating_sub(grow);
        while start > least && self.place(start - 1).distance(anchor) < near / 2.0 {
            start -= 1;
        }
        let most = (run.end + grow).min(self.scene.frames());
        while end < most && self.place(end).distance(anchor_end) < near_end / 2.0 {
            end += 1;
        }
        self.once_down(start..end)
    }

    /// Without the frames at the start of a toe's plant in which it is still coming down: slowly enough to be taken for
    /// standing, since it is set down softly, and higher than in the middle. Other borders stay where speed puts them: the ball
    /// of a foot rises over its tip, which stands, before it leaves; a heel strikes before it settles.
    fn once_down(&self, run: Range<usize>) -> Range<usize> {
        let quarter = run.len() / 4;
        if quarter == 0 || self.scene.chosen[self.point].kind != Kind::Toe {
            return run;
        }
        let middle = run.start + quarter..run.end - quarter;
        let mut heights: Vec<f64> = middle.map(|f| self.place(f).y).collect();
        let (scale, noise) = (self.limits.scale, self.limits.noise);
        let most = quantile(&mut heights, 0.95) + LANDED * scale + noise;
        // The mean of a frame and its neighbours, as far as noise asks for it.
        let around = usize::from(noise > 0.0005 * scale);
        let height = |f: usize| {
            let frames = f.saturating_sub(around)..(f + around + 1).min(self.scene.frames());
            let count = frames.len() as f64;
            frames.map(|f| self.place(f).y).sum::<f64>() / count
        };
        let mut start = run.start;
        while start < run.start + quarter && height(start) > most {
            start += 1;
        }
        start..run.end
    }

    /// The mean place over a range, and how far from it still counts as there: 0.8 mm and a third of a frame's way for a
    /// point that does not move at all, up to 12 mm for one that rolls or slides, and room for noise.
    fn anchor(&self, range: Range<usize>) -> (glam::DVec3, f64) {
        let count = range.len().max(1) as f64;
        let mean = range.clone().map(|f| self.place(f)).sum::<glam::DVec3>() / count;
        let spread = range
            .map(|f| self.place(f).distance(mean))
            .fold(0.0, f64::max);
        let rolls = (spread - 2.0 * self.limits.noise).max(0.0);
        let scale = self.limits.scale;
        // What a point that just begins a plant goes in the part of a frame by which its border is uncertain.
        let step = 0.35 * self.limits.stay_speed / self.scene.rate;
        let near = (0.0008 * scale + step + 2.5 * rolls).min(0.012 * scale);
        (mean, near + 0.8 * self.limits.noise)
    }

    /// Joins plants at one place with next to no time between them.
    fn join(&self, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let gap = self.scene.frames_in(GAP_S, 1);
        let mut out: Vec<Range<usize>> = Vec::new();
        for next in found {
            match out.last_mut() {
                Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
                Some(last)
                    if next.start - last.end <= gap
                        && self.place(next.start).distance(self.place(last.end - 1))
                            < 0.02 * self.limits.scale =>
                {
                    last.end = next.end;
                }
                _ => out.push(next),
            }
        }
        out
    }

    /// How sure: the weakest of slow enough, low enough and long enough, each against its limit.
    fn plant(&self, frames: Range<usize>, least: usize) -> Plant {
        let count = frames.len() as f64;
        let speed = frames.clone().map(|f| self.speed(f)).sum::<f64>() / count;
        let height = frames.clone().map(|f| self.height(f).abs()).sum::<f64>() / count;
        let slow = 1.0 - speed / self.limits.stay_speed;
        let low = 1.0 - height / (1.5 * self.limits.stay_height);
        let long = count / (count + least as f64);
        let middle = frames.start + frames.len() / 2;
        Plant {
            point: self.point,
            confidence: slow.min(low).min(long).clamp(0.0, 1.0),
            height: self.level(middle),
            frames,
        }
    }

    /// The hips sit while they are still and well below where they are when standing.
    fn sitting(&self) -> Vec<Plant> {
        let mut heights: Vec<f64> = (0..self.scene.frames()).map(|f| self.place(f).y).collect();
        let floor = self.floor.main_height();
        let standing = quantile(&mut heights, 0.95) - floor;
        let (still, least) = (0.08 * self.limits.scale, self.scene.frames_in(0.3, 3));
        let sits = (0..self.scene.frames())
            .map(|f| self.speed(f) < still && self.place(f).y - floor < SITTING * standing);
        runs(sits)
            .into_iter()
            .filter(|r| r.len() >= least)
            .map(|frames| {
                let count = frames.len() as f64;
                let speed = frames.clone().map(|f| self.speed(f)).sum::<f64>() / count;
                let height = frames.clone().map(|f| self.place(f).y).sum::<f64>() / count;
                Plant {
                    point: self.point,
                    confidence: (1.0 - speed / still).min(count / (count + least as f64)),
                    height,
                    frames,
                }
            })
            .collect()
    }
}
