//! Where each plant is: the mean of where its point was, at the height it stands at; plants of one foot that
//! overlap in time are placed together, so that the foot keeps its shape.
//!
//!   minimise Σ nₖ ‖xₖ − meanₖ‖²  with  ‖xᵢ − xⱼ‖ = dᵢⱼ  for a heel i and a toe j that stand at one time
//!
//! n frames each, x on the ground, d the length of the sole seen from above. Heels do not overlap heels nor toes
//! toes, so the pairs form chains; one pair is solved at once, longer chains by sweeps over their pairs.
//! A plant is placed once, by what is known `horizon` frames after its start.

use glam::{DVec2, DVec3};

use super::ground::StandingHeights;
use super::ingest::Sources;
use super::rig::Rig;
use super::slope;
use super::watch::{Plant, Plants};

/// Sweeps over the pairs of a chain; each about halves what is left.
const SWEEPS: usize = 40;

/// Heel and toe are never farther apart in height than this part of the sole.
const STEEPEST: f64 = 0.9;

/// A plant that is being placed, or a placed one that it must fit.
#[derive(Clone, Copy, Debug)]
struct Member {
    side: usize,
    id: usize,
    start: usize,
    /// One past the last frame in which it stands, and in which it counts.
    end: usize,
    last: usize,
    /// Frames its mean is over; infinite for what is placed already.
    weight: f64,
    mean: DVec3,
    at: DVec3,
}

/// Working memory, kept so that nothing is allocated per frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Placer {
    members: Vec<Member>,
    /// Pairs of members and the distance between them on the ground.
    pairs: Vec<(usize, usize, f64)>,
    /// First plant of each of the foot's points that is not placed.
    next: [usize; 2],
}

/// What placing needs to know.
pub(super) struct Scene<'a> {
    pub rig: &'a Rig,
    pub leg: usize,
    pub sources: &'a Sources,
    pub heights: &'a StandingHeights,
    /// `usize::MAX`: all of the motion is known.
    pub horizon: usize,
    /// Frames whose plants are known.
    pub known: usize,
    pub finished: bool,
}

impl Placer {
    pub fn new() -> Self {
        Self {
            members: Vec::with_capacity(64),
            pairs: Vec::with_capacity(64),
            next: [0; 2],
        }
    }

    /// Room for members and pairs.
    #[cfg(test)]
    pub fn capacity(&self) -> [usize; 2] {
        [self.members.capacity(), self.pairs.capacity()]
    }

    /// Places what can be placed; all plants that start before the returned frame are then placed.
    pub fn run(&mut self, scene: &Scene<'_>, plants: &mut [Plants]) -> usize {
        loop {
            let start = |side: usize| plants[side].get(self.next[side]).map(|p| p.start);
            let (side, first) = match (start(0), start(1)) {
                (None, None) => return scene.known,
                (Some(a), None) => (0, a),
                (None, Some(b)) => (1, b),
                (Some(a), Some(b)) => {
                    if a <= b {
                        (0, a)
                    } else {
                        (1, b)
                    }
                }
            };
            let until = first.saturating_add(scene.horizon);
            if first >= scene.known {
                return scene.known;
            }
            if !scene.finished && scene.known < until {
                return first;
            }
            self.gather(scene, plants, side, until);
            self.place_heels(scene, until);
            self.pair_up(scene);
            self.solve();
            for m in &self.members {
                let Some(plant) = plants[m.side].get_mut(m.id) else {
                    continue;
                };
                if m.weight.is_finite() {
                    plant.place = Some(m.at);
                    plant.moved = m.at.distance(m.mean);
                }
            }
        }
    }

    /// The first plant, those that overlap it or one another as far as they are known, and what they must fit.
    fn gather(&mut self, scene: &Scene<'_>, plants: &[Plants], side: usize, until: usize) {
        self.members.clear();
        let half = scene.horizon / 2;
        let mut reach = [0; 2];
        let mut at = side;
        loop {
            let id = self.next[at];
            if let Some(plant) = plants[at].get(id).filter(|p| p.start < until) {
                let end = plant.end.unwrap_or(usize::MAX);
                let sampled = end <= until || until - plant.start >= half;
                let first = self.members.is_empty();
                if first || plant.start < reach[1 - at] && sampled {
                    self.members.push(member(scene, at, id, plant, until));
                    reach[at] = plant.last().unwrap_or(usize::MAX);
                    self.next[at] += 1;
                    at = 1 - at;
                    continue;
                }
            }
            // The other point may still go on where this one has nothing to add.
            let other = plants[1 - at]
                .get(self.next[1 - at])
                .filter(|p| p.start < until);
            let goes_on = other.is_some_and(|p| {
                let end = p.end.unwrap_or(usize::MAX);
                p.start < reach[at] && (end <= until || until - p.start >= half)
            });
            if !goes_on {
                break;
            }
            at = 1 - at;
        }
        let new = self.members.len();
        for k in 0..new {
            let m = self.members[k];
            let other = &plants[1 - m.side];
            // Placed in order, so that all before the next one are; from the last back to those that are over.
            for id in (other.first..self.next[1 - m.side]).rev() {
                let Some(p) = other.get(id) else { continue };
                if p.last().is_some_and(|e| e <= m.start) {
                    break;
                }
                let (Some(at), true) = (p.place, p.start < m.end) else {
                    continue;
                };
                self.members.push(Member {
                    side: 1 - m.side,
                    id,
                    start: p.start,
                    end: p.end.unwrap_or(usize::MAX),
                    last: p.last().unwrap_or(usize::MAX),
                    weight: f64::INFINITY,
                    mean: at,
                    at,
                });
            }
        }
    }

    /// Pairs that stand at one time.
    fn pair_up(&mut self, scene: &Scene<'_>) {
        self.pairs.clear();
        for i in 0..self.members.len() {
            for j in 0..self.members.len() {
                let (a, b) = (self.members[i], self.members[j]);
                let free = a.weight.is_finite() || b.weight.is_finite();
                let start = a.start.max(b.start);
                if a.side != 0 || b.side != 1 || !free || start >= a.last.min(b.last) {
                    continue;
                }
                self.level_out(scene, i, j);
                self.pairs.push((i, j, 0.0));
            }
        }
        for (i, j, distance) in &mut self.pairs {
            let (a, b) = (&self.members[*i], &self.members[*j]);
            let (sole, drop) = (sole(scene, a, b).length_squared(), a.at.y - b.at.y);
            *distance = (sole - drop * drop).max(0.0).sqrt();
        }
    }

    /// Heights that no foot can have at one time: the higher point is put where the foot's own slope has it.
    fn level_out(&mut self, scene: &Scene<'_>, i: usize, j: usize) {
        let (a, b) = (self.members[i], self.members[j]);
        let sole = sole(scene, &a, &b);
        // A foot of a rig whose ankle is its heel may stand steeper than that: as steep as it is when flat is no mistake.
        let flat = scene.heights.slopes[scene.leg].map_or(0.0, f64::abs);
        let steepest = (STEEPEST * sole.length()).max(flat.min(sole.length()));
        if (a.at.y - b.at.y).abs() <= steepest {
            return;
        }
        let drop = (-sole.y).clamp(-steepest, steepest);
        let heel_moves = (a.at.y > b.at.y || b.weight.is_infinite()) && a.weight.is_finite();
        if heel_moves {
            self.members[i].at.y = b.at.y + drop;
        } else {
            self.members[j].at.y = a.at.y - drop;
        }
    }

    /// A heel that stands with a toe is placed above it: as in a flat foot, or, in the air, as it was.
    fn place_heels(&mut self, scene: &Scene<'_>, until: usize) {
        let both = |heel: &Member, toe: &Member| {
            let start = heel.start.max(toe.start);
            let known = until.min(scene.known.max(start + 1));
            start..heel.last.min(toe.last).min(known)
        };
        for i in 0..self.members.len() {
            let heel = self.members[i];
            if heel.side != 0 || heel.weight.is_infinite() {
                continue;
            }
            let toes = self.members.iter().filter(|m| m.side == 1);
            let longest = toes.max_by_key(|t| {
                let frames = both(&heel, t);
                (frames.len(), std::cmp::Reverse(frames.start))
            });
            let Some(toe) = longest.copied() else {
                continue;
            };
            let was = slope::heel_above_toe(scene.sources, scene.leg, both(&heel, &toe));
            let above = |h| scene.heights.heel_above_toe(scene.leg, h, scene.rig.scale);
            if let Some(above) = was.and_then(above) {
                self.members[i].at.y = toe.at.y + above;
            }
        }
    }

    fn solve(&mut self) {
        let sweeps = if self.pairs.len() > 1 {
            SWEEPS
        } else {
            self.pairs.len()
        };
        for _ in 0..sweeps {
            for &(i, j, distance) in &self.pairs {
                let (a, b) = (self.members[i], self.members[j]);
                let way = DVec2::new(b.at.x - a.at.x, b.at.z - a.at.z);
                let long = way.length();
                if long < 1e-6 {
                    continue;
                }
                let excess = way * ((long - distance) / long);
                // The share that a takes: all of it when b stands already.
                let share = match (a.weight.is_finite(), b.weight.is_finite()) {
                    (true, true) => b.weight / (a.weight + b.weight),
                    (true, false) => 1.0,
                    (false, _) => 0.0,
                };
                self.members[i].at += DVec3::new(excess.x, 0.0, excess.y) * share;
                self.members[j].at -= DVec3::new(excess.x, 0.0, excess.y) * (1.0 - share);
            }
        }
    }
}

/// From heel to toe when both come to stand.
fn sole(scene: &Scene<'_>, heel: &Member, toe: &Member) -> DVec3 {
    let leg = &scene.sources.slot(heel.start.max(toe.start)).legs[scene.leg];
    (leg.points[1] - leg.points[0]).as_dvec3()
}

fn member(scene: &Scene<'_>, side: usize, id: usize, plant: &Plant, until: usize) -> Member {
    let end = plant.end.unwrap_or(usize::MAX);
    let channel = 2 * scene.leg + side;
    let last = end.min(until).min(scene.known.max(plant.start + 1));
    let sum =
        (plant.start..last).fold(DVec3::ZERO, |s, f| s + scene.sources.slot(f).point(channel));
    let weight = (last - plant.start) as f64;
    let mean = sum / weight;
    let height = match scene.rig.bit(channel) {
        Some(bit) => scene.heights.snap(bit, mean.y, scene.rig.scale),
        None => mean.y,
    };
    Member {
        side,
        id,
        start: plant.start,
        end,
        last: plant.last().unwrap_or(usize::MAX),
        weight,
        mean,
        at: mean.with_y(height),
    }
}
