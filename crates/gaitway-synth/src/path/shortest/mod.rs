//! The shortest way to a place round obstacles, within a corridor, asked for from millions of places.
//!
//! The ground that is free, F, is all of it or a corridor, less obstacles grown by a clearance. It is made of convex pieces, arcs drawn as chords: within them for
//! obstacles, about them for corridors, so that F holds all that is truly free. Shortest ways in F are straight but where they bend round corners of
//! pieces; from each corner the way to the goal is found by Dijkstra's search over corners that see each other, once.
//!
//!   d(p) = min over corners v that p sees of |p − v| + d(v),    the goal among them with d = 0
//!
//! **d never says too much, and is consistent:** it is the length of a shortest way in F, and F holds the true free ground. Whoever goes from p to q along a way of
//! length l that is free has gone a way in F, so d(p) ≤ l + d(q). (A straight line from p to q may be shorter than l and not free: an estimate
//! must charge for the way gone, not for the distance of its ends.)
//!
//! Asking: a grid of cells, each with the corners that can be the first of a way from anywhere in it, made when a place in it is first asked
//! for. A corner that is seen from all of the cell, none of the corners near the cell's beam to it being in that beam, needs no look at any
//! obstacle; one that is hidden from all of it is left out; one whose way is longer from anywhere in the cell than another's that is seen from all of
//! it, too. What is returned is d itself, not what a cell's middle has: a value per cell, less half its diagonal, would not say too much either, but it jumps by
//! more than a step's length where steps cross from cell to cell, and is not consistent.
//!
//! Checked by: all corners looked at (its slow twin), and a fine grid with 32 directions over the true obstacles, in hundreds of drawn scenes
//! (tests/shortest.rs).

mod cells;
mod convex;
mod region;

use glam::DVec2;

use self::cells::Cells;
use self::region::Region;
use super::obstacles::{Obstacle, check_obstacles};
use super::{Path, PathError};

/// The most corners that are looked at: a search over all pairs of more takes minutes.
const MOST_CORNERS: usize = 6000;

/// Shortest ways to one goal.
///
/// ```
/// use gaitway_synth::path::{Obstacle, ShortestWay};
/// use glam::DVec2;
///
/// let wall = [Obstacle::Box([-2.0, 1.0, 2.0, 1.5])];
/// let way = ShortestWay::new(&wall, 0.0, None, DVec2::new(0.0, 3.0))?;
/// // Round an end of the wall.
/// let round = 5.0_f64.sqrt() + 0.5 + (4.0_f64 + 2.25).sqrt();
/// assert!((way.distance(DVec2::ZERO) - round).abs() < 1e-6);
/// assert_eq!(way.way(DVec2::ZERO).map(|w| w.len()), Some(4));
/// assert!(way.distance(DVec2::new(0.0, 1.2)).is_infinite());
/// # Ok::<(), gaitway_synth::path::PathError>(())
/// ```
pub struct ShortestWay {
    region: Region,
    /// The goal, and corners from which it can be reached, by how far it is.
    corners: Vec<Corner>,
    cells: Cells,
}

/// Where ways bend.
#[derive(Clone, Copy)]
struct Corner {
    at: DVec2,
    to_go: f64,
    /// The next on the way; its own number for the goal.
    next: u32,
}

impl ShortestWay {
    /// Ways to a goal that keep so far from obstacles, and no further than so much from a path where one is given.
    ///
    /// # Errors
    /// When an obstacle cannot be, a number is not finite or below 0, or there are more corners than can be looked at.
    pub fn new(
        obstacles: &[Obstacle],
        clearance_m: f64,
        corridor: Option<(&Path, f64)>,
        goal: DVec2,
    ) -> Result<Self, PathError> {
        check_obstacles(obstacles)?;
        let width = corridor.map_or(1.0, |c| c.1);
        let possible = (0.0..1e4).contains(&clearance_m) && width > 0.0 && width < 1e4;
        if !possible || !goal.is_finite() {
            let what = "a clearance, a width or a goal that cannot be".to_owned();
            return Err(PathError::Obstacle { at: 0, what });
        }
        let region = Region::new(obstacles, clearance_m, corridor);
        let bends = region.bends();
        if bends.len() > MOST_CORNERS {
            let at = obstacles.len().saturating_sub(1);
            let what = format!(
                "{} corners in all; shortest ways are found round {MOST_CORNERS} at most",
                bends.len()
            );
            return Err(PathError::Obstacle { at, what });
        }
        let corners = reach(&region, goal, &bends);
        let cells = Cells::new(corners.iter().map(|c| c.at).chain(bends), goal);
        Ok(Self {
            region,
            corners,
            cells,
        })
    }

    /// Metres to the goal; infinite where no way leads there.
    #[inline]
    pub fn distance(&self, p: DVec2) -> f64 {
        self.cells.distance(self, p)
    }

    /// The same by a look at all corners: slower by far.
    pub fn distance_by_all(&self, p: DVec2) -> f64 {
        self.first(p).map_or(f64::INFINITY, |(_, d)| d)
    }

    /// The corners of the way from a place, itself and the goal among them; nothing where there is none.
    pub fn way(&self, p: DVec2) -> Option<Vec<DVec2>> {
        let (mut at, _) = self.first(p)?;
        let mut out = vec![p, self.corners[at].at];
        while at > 0 {
            at = self.corners[at].next as usize;
            out.push(self.corners[at].at);
        }
        Some(out)
    }

    /// The first corner of the way from a place, and how long the way is.
    fn first(&self, p: DVec2) -> Option<(usize, f64)> {
        let mut best = (0, f64::INFINITY);
        for (k, c) in self.corners.iter().enumerate() {
            let d = p.distance(c.at) + c.to_go;
            // What is not a number is not less than anything.
            if d < best.1 && self.region.clear(p, c.at) {
                best = (k, d);
            }
        }
        best.1.is_finite().then_some(best)
    }
}

/// Dijkstra's search from the goal over corners that see each other; those that are reached, by how far it is.
fn reach(region: &Region, goal: DVec2, bends: &[DVec2]) -> Vec<Corner> {
    let mut out = vec![Corner {
        at: goal,
        to_go: 0.0,
        next: 0,
    }];
    // Where it is not settled yet: how far it is, and by way of whom.
    let mut open: Vec<(DVec2, f64, u32)> = bends.iter().map(|&b| (b, f64::INFINITY, 0)).collect();
    let mut settled = 0;
    loop {
        let from = out[settled];
        for (at, to_go, next) in &mut open {
            let through = from.to_go + from.at.distance(*at);
            if through < *to_go && region.clear(from.at, *at) {
                (*to_go, *next) = (through, settled as u32);
            }
        }
        let nearest = (0..open.len()).min_by(|&a, &b| open[a].1.total_cmp(&open[b].1));
        match nearest.map(|k| (k, open[k])) {
            Some((k, (at, to_go, next))) if to_go.is_finite() => {
                out.push(Corner { at, to_go, next });
                open.swap_remove(k);
                settled += 1;
            }
            _ => return out,
        }
    }
}
