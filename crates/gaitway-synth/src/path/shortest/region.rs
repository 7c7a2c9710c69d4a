//! Where one may go: the ground, or a corridor, less the obstacles; which segments are free, and where shortest ways bend.

use glam::DVec2;

use super::convex::{Convex, Pieces, TOUCH_M, corridor, pieces};
use crate::path::Path;
use crate::path::obstacles::{Obstacle, crosses};

/// Stretches of a corridor.
const MOST_STRETCHES: usize = 160;

pub(super) struct Region {
    pub(super) solids: Vec<Convex>,
    /// Obstacles that are not convex and have no clearance.
    outlines: Vec<Vec<DVec2>>,
    /// Free is what lies in any of these; everything where there are none.
    pub(super) corridor: Vec<Convex>,
    /// Where the corridor bends: its inner corners.
    pub(super) inner: Vec<DVec2>,
}

impl Region {
    pub(super) fn new(obstacles: &[Obstacle], clearance: f64, along: Option<(&Path, f64)>) -> Self {
        let mut out = Self {
            solids: Vec::new(),
            outlines: Vec::new(),
            corridor: along.map_or(Vec::new(), |(path, width)| {
                corridor(path, width, MOST_STRETCHES)
            }),
            inner: Vec::new(),
        };
        out.inner = out.inner_corners();
        for o in obstacles {
            match pieces(o, clearance) {
                Pieces::Convex(all) => out.solids.extend(all),
                Pieces::Outline(ring) => out.outlines.push(ring),
            }
        }
        out
    }

    /// Where shortest ways may bend: corners of obstacles, and inner corners of the corridor, as far as they are free. Where borders of an obstacle and of
    /// the corridor, or of two obstacles, meet, what is free is less than half of all directions, and nobody bends there.
    pub(super) fn bends(&self) -> Vec<DVec2> {
        let mut out: Vec<DVec2> = Vec::new();
        out.extend(self.solids.iter().flat_map(|s| &s.corners));
        for ring in &self.outlines {
            out.extend(ring);
            out.extend(self_crossings(ring));
        }
        out.extend(&self.inner);
        out.retain(|&p| self.is_free(p));
        out
    }

    /// Where the borders of two stretches of the corridor cross and more than half of all directions are free.
    fn inner_corners(&self) -> Vec<DVec2> {
        let mut out: Vec<DVec2> = Vec::new();
        for (k, a) in self.corridor.iter().enumerate() {
            for b in &self.corridor[k + 1..] {
                for (p, q) in sides(&a.corners) {
                    if b.span(p, q, TOUCH_M).is_none() {
                        continue;
                    }
                    let found = sides(&b.corners).filter_map(|(r, s)| crossing(p, q, r, s));
                    out.extend(found);
                }
            }
        }
        out.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        out.dedup_by(|a, b| a.distance(*b) < TOUCH_M);
        out.retain(|&p| {
            let open = self.corridor.iter().filter_map(|c| c.directions(p));
            let all = union_of_angles(open.collect());
            // All of them: inside. Up to half of them: nobody bends there.
            all > std::f64::consts::PI + 1e-9 && all < std::f64::consts::TAU - 1e-9
        });
        out
    }

    /// Whether a corner of any piece lies in a hull, deeper than touching.
    pub(super) fn any_corner_in(&self, hull: &Convex) -> bool {
        let solids = self.solids.iter().flat_map(|s| &s.corners);
        let outlines = self.outlines.iter().flatten();
        let mut all = solids.chain(outlines).chain(&self.inner);
        all.any(|&p| hull.holds(p))
    }

    /// Whether a place may be stood on.
    pub(super) fn is_free(&self, p: DVec2) -> bool {
        let inside = self.corridor.is_empty() || self.corridor.iter().any(|c| c.touches(p));
        inside
            && !self.solids.iter().any(|s| s.holds(p))
            && !self.outlines.iter().any(|o| holds(o, p))
    }

    /// Whether one may go straight from one place to another.
    pub(super) fn clear(&self, a: DVec2, b: DVec2) -> bool {
        let solid = |s: &Convex| s.span(a, b, -TOUCH_M).is_some();
        !self.solids.iter().any(solid)
            && !self.outlines.iter().any(|o| enters(o, a, b))
            && (self.corridor.is_empty() || self.gap(a, b).is_none())
    }

    /// A stretch of a segment that lies outside the corridor, as parts of it.
    pub(super) fn gap(&self, a: DVec2, b: DVec2) -> Option<(f64, f64)> {
        let spans = self.corridor.iter().filter_map(|c| c.span(a, b, TOUCH_M));
        let mut spans: Vec<(f64, f64)> = spans.collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let tiny = TOUCH_M / a.distance(b).max(TOUCH_M);
        let mut reached = 0.0;
        for (from, to) in spans {
            if from > reached + tiny {
                return Some((reached, from));
            }
            reached = f64::max(reached, to);
        }
        (reached + tiny < 1.0).then_some((reached, 1.0))
    }
}

fn sides(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]))
}

/// Where two segments cross or touch; nothing of parallel ones.
fn crossing(p: DVec2, q: DVec2, r: DVec2, s: DVec2) -> Option<DVec2> {
    let (a, b) = (q - p, s - r);
    let across = a.perp_dot(b);
    if across.abs() < 1e-12 * a.length() * b.length() {
        return None;
    }
    let t = (r - p).perp_dot(b) / across;
    let u = (r - p).perp_dot(a) / across;
    let (near_t, near_u) = (TOUCH_M / a.length(), TOUCH_M / b.length());
    let within = |v: f64, near: f64| (-near..=1.0 + near).contains(&v);
    (within(t, near_t) && within(u, near_u)).then(|| p + t * a)
}

/// How much of all directions some cover together, radians.
fn union_of_angles(all: Vec<(f64, f64)>) -> f64 {
    let full = std::f64::consts::TAU;
    let mut parts: Vec<(f64, f64)> = Vec::new();
    for (from, by) in all {
        let from = from.rem_euclid(full);
        parts.push((from, (from + by).min(full)));
        if from + by > full {
            parts.push((0.0, from + by - full));
        }
    }
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut reached, mut sum) = (0.0, 0.0);
    for (from, to) in parts {
        sum += (to - f64::max(from, reached)).max(0.0);
        reached = f64::max(reached, to);
    }
    sum
}

/// Corners that a ring has where it crosses itself: two that are free on opposite sides may be passed between.
fn self_crossings(ring: &[DVec2]) -> Vec<DVec2> {
    /// Rings of more corners are looked at as they are drawn: their crossings are no wider than a point.
    const MOST: usize = 400;
    let mut out = Vec::new();
    if ring.len() <= MOST {
        let all: Vec<_> = sides(ring).collect();
        for (k, &(p, q)) in all.iter().enumerate() {
            out.extend(
                all[k + 1..]
                    .iter()
                    .filter_map(|&(r, s)| crossing(p, q, r, s)),
            );
        }
    }
    out
}

/// Whether a place is inside a ring (even-odd), deeper than touching.
fn holds(ring: &[DVec2], p: DVec2) -> bool {
    let inside = sides(ring).fold(false, |inside, (a, b)| inside ^ crosses(p, a, b));
    let near = |(a, b)| crate::path::curve::segment_distance(p, a, b) <= TOUCH_M;
    inside && !sides(ring).any(near)
}

/// Whether a segment enters a ring.
fn enters(ring: &[DVec2], a: DVec2, b: DVec2) -> bool {
    let way = b - a;
    let length = way.length();
    let mut cuts = vec![0.0, 1.0];
    for (p, q) in sides(ring) {
        if let Some(x) = crossing(a, b, p, q) {
            cuts.push((x - a).length() / length.max(1e-12));
        }
        // A side that the segment runs along.
        for corner in [p, q] {
            let t = (corner - a).dot(way) / (length * length).max(1e-24);
            if (0.0..=1.0).contains(&t) && (a + t * way).distance(corner) <= TOUCH_M {
                cuts.push(t);
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    let middles = cuts
        .windows(2)
        .filter(|w| (w[1] - w[0]) * length > 2.0 * TOUCH_M);
    middles
        .map(|w| a + way * (0.5 * (w[0] + w[1])))
        .any(|m| holds(ring, m))
}
