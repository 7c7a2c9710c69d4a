//! A grid over the ground, with the corners that ways from each cell can begin with.

use std::sync::OnceLock;

use glam::DVec2;

use super::ShortestWay;
use super::convex::{Convex, TOUCH_M};

/// A side of a cell, metres: larger ones have longer lists, smaller ones are more lists to make.
const SIDE_M: f64 = 0.25;
/// Cells to either side at most; wider scenes get larger cells.
const MOST_CELLS: f64 = 400.0;
/// How far the grid reaches beyond what stands in it, metres.
const BEYOND_M: f64 = 4.0;

pub(super) struct Cells {
    low: DVec2,
    side: f64,
    wide: usize,
    deep: usize,
    cells: Vec<OnceLock<Box<[Choice]>>>,
}

/// A corner that a way may begin with.
struct Choice {
    at: DVec2,
    to_go: f64,
    /// No way by it from anywhere in the cell is shorter.
    least: f64,
    /// It is seen from all of the cell.
    seen: bool,
}

impl Cells {
    pub(super) fn new(places: impl Iterator<Item = DVec2>, goal: DVec2) -> Self {
        let (low, high) = places.fold((goal, goal), |(low, high), p| (low.min(p), high.max(p)));
        let (low, high) = (low - BEYOND_M, high + BEYOND_M);
        let most = (high - low).max_element();
        let side = SIDE_M.max(most / MOST_CELLS);
        let count = |m: f64| (m / side).ceil().max(1.0) as usize;
        let (wide, deep) = (count(high.x - low.x), count(high.y - low.y));
        Self {
            low,
            side,
            wide,
            deep,
            cells: (0..wide * deep).map(|_| OnceLock::new()).collect(),
        }
    }

    #[inline]
    pub(super) fn distance(&self, ways: &ShortestWay, p: DVec2) -> f64 {
        let at = (p - self.low) / self.side;
        // What is not a number is nowhere.
        let inside = at.x >= 0.0 && at.y >= 0.0;
        let (x, z) = (at.x as usize, at.y as usize);
        if !inside || x >= self.wide || z >= self.deep {
            return ways.distance_by_all(p);
        }
        let cell = &self.cells[z * self.wide + x];
        let choices = cell.get_or_init(|| self.choices(ways, x, z));
        let mut best = f64::INFINITY;
        for c in choices {
            if c.least >= best {
                break;
            }
            let d = p.distance(c.at) + c.to_go;
            if d < best && (c.seen || ways.region.clear(p, c.at)) {
                best = d;
            }
        }
        best
    }

    fn choices(&self, ways: &ShortestWay, x: usize, z: usize) -> Box<[Choice]> {
        let low = self.low + self.side * DVec2::new(x as f64, z as f64);
        let high = low + self.side;
        let cell = [
            low,
            DVec2::new(high.x, low.y),
            high,
            DVec2::new(low.x, high.y),
        ];
        let middle = 0.5 * (low + high);
        let half = 0.5 * self.side * std::f64::consts::SQRT_2 * (1.0 + 1e-9) + 1e-9;
        let mut out: Vec<Choice> = ways
            .corners
            .iter()
            .map(|c| Choice {
                at: c.at,
                to_go: c.to_go,
                least: middle.distance(c.at) - half + c.to_go,
                seen: false,
            })
            .collect();
        out.sort_by(|a, b| a.least.total_cmp(&b.least));
        // No way from anywhere in the cell needs to be longer.
        let mut most = f64::INFINITY;
        out.retain_mut(|c| {
            if c.least > most {
                return false;
            }
            c.seen = ways.sees(&cell, c.at);
            if c.seen {
                most = most.min(c.least + 2.0 * half);
            }
            c.seen || !ways.hidden(&cell, c.at)
        });
        out.into_boxed_slice()
    }
}

impl ShortestWay {
    /// Whether a corner is surely seen from all of a cell: all that lies between them is free. That is so if the border of their hull is, and no
    /// corner lies inside: whatever is not free and inside would have one there.
    fn sees(&self, cell: &[DVec2; 4], v: DVec2) -> bool {
        let Some(hull) = Convex::hull(cell.iter().copied().chain([v]).collect()) else {
            return false;
        };
        let count = hull.corners.len();
        let side = |k: usize| (hull.corners[k], hull.corners[(k + 1) % count]);
        (0..count).all(|k| self.region.clear(side(k).0, side(k).1))
            && !self.region.any_corner_in(&hull)
    }

    /// Whether a corner is surely hidden from all of a cell. What one convex piece hides from a point is convex, so if it hides the cell's corners it
    /// hides all of it. A corridor hides it where some line lies outside all of the corridor and cuts the cell off.
    fn hidden(&self, cell: &[DVec2; 4], v: DVec2) -> bool {
        let by = |s: &Convex| cell.iter().all(|&c| s.span(c, v, -TOUCH_M).is_some());
        if self.region.solids.iter().any(by) {
            return true;
        }
        if self.region.corridor.is_empty() {
            return false;
        }
        // The outermost of the cell's corners as seen from v.
        let middle = cell[0].midpoint(cell[2]) - v;
        let aside = |c: &DVec2| middle.perp_dot(*c - v) / (*c - v).dot(middle);
        if cell.iter().any(|c| (*c - v).dot(middle) <= 0.0) {
            return false;
        }
        let left = cell.iter().max_by(|a, b| aside(a).total_cmp(&aside(b)));
        let right = cell.iter().min_by(|a, b| aside(a).total_cmp(&aside(b)));
        let (Some(&left), Some(&right)) = (left, right) else {
            return false;
        };
        let outside = |c: DVec2| {
            let (from, to) = self.region.gap(c, v)?;
            Some(c.lerp(v, 0.5 * (from + to)))
        };
        let (Some(a), Some(b)) = (outside(left), outside(right)) else {
            return false;
        };
        let across = b - a;
        let side = |p: DVec2| across.perp_dot(p - a);
        let cut_off = cell.iter().all(|&c| side(c) * side(v) < 0.0);
        let touched = |c: &Convex| c.span(a, b, TOUCH_M).is_some();
        cut_off && !self.region.corridor.iter().any(touched)
    }
}
