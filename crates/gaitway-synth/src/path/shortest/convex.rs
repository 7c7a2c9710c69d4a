//! Convex pieces of the ground: what of a segment lies in them, and how obstacles and corridors are made of them.

use glam::DVec2;

use crate::path::Path;
use crate::path::obstacles::Obstacle;

/// Metres by which touching and entering are told apart: what is asked to be free is given that much.
pub(super) const TOUCH_M: f64 = 1e-7;
/// How far a chord may lie inside its arc, metres.
const CHORD_M: f64 = 0.002;

/// A convex polygon, corners against the clock.
#[derive(Clone, Debug)]
pub(super) struct Convex {
    pub(super) corners: Vec<DVec2>,
    /// Of the side from each corner to the next, outward, of length 1.
    normals: Vec<DVec2>,
    low: DVec2,
    high: DVec2,
}

impl Convex {
    /// The hull of some points; nothing where they lie on a line.
    pub(super) fn hull(mut points: Vec<DVec2>) -> Option<Self> {
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        let half = |points: &mut dyn Iterator<Item = DVec2>| {
            let mut chain: Vec<DVec2> = Vec::new();
            for p in points {
                while let [.., a, b] = chain[..]
                    && (b - a).perp_dot(p - b) <= 0.0
                {
                    chain.pop();
                }
                chain.push(p);
            }
            chain.pop();
            chain
        };
        let mut corners = half(&mut points.iter().copied());
        corners.extend(half(&mut points.iter().rev().copied()));
        if corners.len() < 3 {
            return None;
        }
        let side = |k: usize| corners[(k + 1) % corners.len()] - corners[k];
        let normals = (0..corners.len()).map(|k| -side(k).perp().normalize_or_zero());
        let low = corners.iter().copied().reduce(DVec2::min)?;
        let high = corners.iter().copied().reduce(DVec2::max)?;
        Some(Self {
            normals: normals.collect(),
            corners,
            low,
            high,
        })
    }

    /// The part of the segment that lies within the polygon moved outward by so much: from where to where, as parts of it.
    pub(super) fn span(&self, a: DVec2, b: DVec2, out: f64) -> Option<(f64, f64)> {
        let margin = DVec2::splat(out.max(0.0));
        let (low, high) = (self.low - margin, self.high + margin);
        if a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any() {
            return None;
        }
        let way = b - a;
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (corner, normal) in self.corners.iter().zip(&self.normals) {
            let beyond = normal.dot(a - *corner) - out;
            let by = normal.dot(way);
            if by == 0.0 {
                if beyond > 0.0 {
                    return None;
                }
                continue;
            }
            let at = -beyond / by;
            if by < 0.0 {
                from = from.max(at);
            } else {
                to = to.min(at);
            }
            if from >= to {
                return None;
            }
        }
        Some((from, to))
    }

    /// Whether a place lies in it, deeper than touching.
    pub(super) fn holds(&self, p: DVec2) -> bool {
        self.deep(p) < -TOUCH_M
    }

    /// Whether a place lies in it or touches it.
    pub(super) fn touches(&self, p: DVec2) -> bool {
        self.deep(p) <= TOUCH_M
    }

    /// How far outside a place is, by the side it is furthest from; below 0 inside.
    fn deep(&self, p: DVec2) -> f64 {
        let sides = self.corners.iter().zip(&self.normals);
        let away = sides.map(|(corner, normal)| normal.dot(p - *corner));
        away.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The directions that lead into it from a place on its border: from which angle, and how far against the clock. All of them from a place
    /// inside, none from one outside.
    pub(super) fn directions(&self, p: DVec2) -> Option<(f64, f64)> {
        if self.deep(p) > TOUCH_M {
            return None;
        }
        let count = self.corners.len();
        let on = |k: usize| self.normals[k].dot(p - self.corners[k]) > -TOUCH_M;
        let sides: Vec<usize> = (0..count).filter(|&k| on(k)).collect();
        let along = |k: usize| (self.corners[(k + 1) % count] - self.corners[k]).to_angle();
        match sides[..] {
            [] => Some((0.0, std::f64::consts::TAU)),
            [k] => Some((along(k), std::f64::consts::PI)),
            _ => {
                // Between the last of them, against the clock, and the first turned round.
                let last = sides.iter().copied().find(|&k| !on((k + 1) % count))?;
                let first = sides
                    .iter()
                    .copied()
                    .find(|&k| !on((k + count - 1) % count))?;
                let from = along(last);
                let turned =
                    (along(first) + std::f64::consts::PI - from).rem_euclid(std::f64::consts::TAU);
                Some((from, turned))
            }
        }
    }
}

/// Chords of a whole circle; four times some number, so that it reaches as far as the circle along the axes.
pub(super) fn chords(radius: f64) -> usize {
    if radius <= CHORD_M {
        return 8;
    }
    let half = (1.0 - CHORD_M / radius).acos();
    (((std::f64::consts::PI / half / 4.0).ceil() as usize) * 4).clamp(8, 48)
}

/// Corners on a circle.
fn ring(centre: DVec2, radius: f64, chords: usize) -> impl Iterator<Item = DVec2> {
    let step = std::f64::consts::TAU / chords as f64;
    (0..chords).map(move |k| centre + radius * DVec2::from_angle(step * k as f64))
}

/// A segment widened by a radius. With `outside` its ends are drawn about the arcs, else within them; its sides are exact.
fn capsule(a: DVec2, b: DVec2, radius: f64, outside: bool) -> Option<Convex> {
    let chords = chords(radius);
    let round = match outside {
        true => radius / (std::f64::consts::PI / chords as f64).cos(),
        false => radius,
    };
    let aside = radius * (b - a).perp().normalize_or_zero();
    let sides = [a + aside, a - aside, b + aside, b - aside];
    let ends = ring(a, round, chords).chain(ring(b, round, chords));
    Convex::hull(ends.chain(sides).collect())
}

fn is_convex(corners: &[DVec2]) -> bool {
    let count = corners.len();
    let at = |k: usize| corners[k % count];
    let mut turned = 0.0;
    let mut side = 0.0;
    for k in 0..count {
        let (a, b) = (at(k + 1) - at(k), at(k + 2) - at(k + 1));
        let bend = a.perp_dot(b);
        if bend * side < 0.0 {
            return false;
        }
        side = if side == 0.0 { bend } else { side };
        turned += a.angle_to(b);
    }
    // Once round, not twice.
    turned.abs() < 1.5 * std::f64::consts::TAU
}

/// An obstacle grown by a clearance, as convex pieces that lie within it, or as an outline where it is neither grown nor convex.
pub(super) enum Pieces {
    Convex(Vec<Convex>),
    Outline(Vec<DVec2>),
}

pub(super) fn pieces(obstacle: &Obstacle, clearance: f64) -> Pieces {
    let grown = |corners: &[DVec2]| {
        if clearance <= 0.0 {
            return Convex::hull(corners.to_vec());
        }
        let mut points: Vec<DVec2> = Vec::new();
        for (k, &a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let aside = clearance * (b - a).perp().normalize_or_zero();
            points.extend(ring(a, clearance, chords(clearance)));
            points.extend([a + aside, a - aside, b + aside, b - aside]);
        }
        Convex::hull(points)
    };
    match obstacle {
        Obstacle::Circle([x, z, r]) => {
            let radius = r + clearance;
            let round = ring(DVec2::new(*x, *z), radius, chords(radius));
            Pieces::Convex(Convex::hull(round.collect()).into_iter().collect())
        }
        Obstacle::Box([x0, z0, x1, z1]) => {
            let corners = [[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
            let corners = corners.map(|[x, z]| DVec2::new(*x, *z));
            Pieces::Convex(grown(&corners).into_iter().collect())
        }
        Obstacle::Polygon(corners) => {
            let corners: Vec<DVec2> = corners.iter().map(|&p| DVec2::from_array(p)).collect();
            if is_convex(&corners) {
                return Pieces::Convex(grown(&corners).into_iter().collect());
            }
            if clearance <= 0.0 {
                return Pieces::Outline(corners);
            }
            let next = |k: usize| corners[(k + 1) % corners.len()];
            let sides = (0..corners.len()).map(|k| capsule(corners[k], next(k), clearance, false));
            Pieces::Convex(sides.flatten().collect())
        }
    }
}

/// A corridor to either side of a path as convex pieces that hold all of it: of fewer and fewer stretches, each somewhat wider, until there are no more than
/// so many.
pub(super) fn corridor(path: &Path, width: f64, most: usize) -> Vec<Convex> {
    let mut off = 0.005;
    loop {
        let line = simpler(path.points(), off);
        if line.len() <= most + 1 {
            let stretch = |w: &[DVec2]| capsule(w[0], w[1], width + off, true);
            return line.windows(2).filter_map(stretch).collect();
        }
        off *= 2.0;
    }
}

/// Fewer points of a line, none of the line further than so much from what is left.
fn simpler(points: &[DVec2], off: f64) -> Vec<DVec2> {
    let mut keep = vec![false; points.len()];
    let last = points.len() - 1;
    (keep[0], keep[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((a, b)) = open.pop() {
        let far = |k: usize| crate::path::curve::segment_distance(points[k], points[a], points[b]);
        let worst = (a + 1..b).max_by(|&i, &k| far(i).total_cmp(&far(k)));
        if let Some(k) = worst
            && far(k) > off
        {
            keep[k] = true;
            open.extend([(a, k), (k, b)]);
        }
    }
    let kept = points.iter().zip(keep);
    kept.filter(|(_, k)| *k).map(|(p, _)| *p).collect()
}
