//! A curve on the ground by arc length.
//!
//! P(s) is looked up in a table of points at even steps of s (1 cm, or a 2^20th of the length where that is more) and
//! drawn straight between them: one multiply, one look-up, one interpolation. Corners are cut by less than half a step.

use gaitway_core::limits;
pub use gaitway_core::limits::{LONGEST_PATH_M as LONGEST_M, MOST_PATH_POINTS as MOST_POINTS};
use glam::DVec2;

use super::PathError;
use super::near::Boxes;
use super::progress::Place;

/// Shorter ones have no direction.
pub const SHORTEST_M: f64 = 0.05;
const STEP_M: f64 = 0.01;
const MOST_STEPS: f64 = 1_048_576.0;
/// Turning less than this over half a metre is straight.
const STRAIGHT_RAD: f64 = 0.12;

/// A curve on the ground, (x, z) in metres, by arc length.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    points: Vec<DVec2>,
    closed: bool,
    length: f64,
    table: Vec<[f64; 2]>,
    /// About the table's pieces.
    boxes: Boxes,
    /// One over the table's step.
    per_step: f64,
    /// Whether the path is straight at a table place.
    straight: Vec<bool>,
}

impl Path {
    /// A path along points; a closed one ends where it starts.
    ///
    /// # Errors
    /// When there are fewer than two different points or too many, one is not finite or too far away
    /// ([`FARTHEST_M`](limits::FARTHEST_M)), or the path is too long.
    pub fn new(points: Vec<DVec2>, closed: bool) -> Result<Self, PathError> {
        if points.len() > MOST_POINTS {
            return Err(PathError::TooManyPoints {
                found: points.len(),
            });
        }
        if let Some(at) = points.iter().position(|p| !p.is_finite()) {
            return Err(PathError::NotFinite { at });
        }
        for (at, p) in points.iter().enumerate() {
            limits::places(p.to_array()).map_err(|wrong| PathError::Limits {
                what: format!("point {at} of the path"),
                wrong,
            })?;
        }
        let mut clean: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
        for p in points {
            if clean.last().is_none_or(|q| q.distance(p) > 1e-9) {
                clean.push(p);
            }
        }
        if closed && clean.len() > 1 && clean[0].distance(clean[clean.len() - 1]) > 1e-9 {
            clean.push(clean[0]);
        }
        let length: f64 = clean.windows(2).map(|w| w[0].distance(w[1])).sum();
        if clean.len() < 2 || length < SHORTEST_M {
            return Err(PathError::TooShort {
                points: clean.len(),
                // A sum over nothing is -0.
                length: length.abs(),
            });
        }
        if !length.is_finite() || length > LONGEST_M {
            return Err(PathError::TooLong { length });
        }
        Ok(Self::tabled(clean, closed, length))
    }

    fn tabled(points: Vec<DVec2>, closed: bool, length: f64) -> Self {
        let steps = (length / STEP_M).ceil().clamp(1.0, MOST_STEPS);
        let step = length / steps;
        let count = steps as usize + 1;
        let mut table = Vec::with_capacity(count + 1);
        let (mut k, mut before) = (0, 0.0);
        for i in 0..count {
            let s = (i as f64 * step).min(length);
            let mut piece = points[k].distance(points[k + 1]);
            while s > before + piece && k + 2 < points.len() {
                before += piece;
                k += 1;
                piece = points[k].distance(points[k + 1]);
            }
            let part = ((s - before) / piece).clamp(0.0, 1.0);
            let p = points[k].lerp(points[k + 1], part);
            table.push([p.x, p.y]);
        }
        let end = points[points.len() - 1];
        table[count - 1] = [end.x, end.y];
        // One more, so that the place after the last can be read.
        table.push([end.x, end.y]);
        let mut path = Self {
            boxes: Boxes::new(&table),
            points,
            closed,
            length,
            table,
            per_step: 1.0 / step,
            straight: Vec::new(),
        };
        path.straight = (0..count)
            .map(|i| {
                let s = i as f64 * step;
                let ahead = path.heading(s + 0.25);
                let behind = path.heading(s - 0.25);
                gaitway_core::planar::wrap_angle(ahead - behind).abs() < STRAIGHT_RAD
            })
            .collect();
        path
    }

    /// Metres from end to end.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Whether it ends where it starts.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// The points it was made from.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// P(s); s past the ends maps to the ends.
    #[inline]
    pub fn at(&self, s: f64) -> DVec2 {
        let place = s.clamp(0.0, self.length) * self.per_step;
        let i = (place as usize).min(self.table.len() - 2);
        let part = place - i as f64;
        let (a, b) = (self.table[i], self.table[i + 1]);
        DVec2::new(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
    }

    /// P(s), where it leads, and whether the path is straight there.
    #[inline]
    pub(crate) fn look(&self, s: f64) -> Place {
        let place = s.clamp(0.0, self.length) * self.per_step;
        let i = (place as usize).min(self.straight.len() - 1);
        let part = place - i as f64;
        let a = DVec2::from_array(self.table[i]);
        let step = DVec2::from_array(self.table[i + 1]) - a;
        Place {
            at: a + step * part,
            along: step * self.per_step,
            straight: self.straight[i],
        }
    }

    /// The direction of the path at s, a heading: 0 along +Z, positive to the left.
    pub fn heading(&self, s: f64) -> f64 {
        let s = s.clamp(0.0, self.length);
        let (a, b) = ((s - 0.02).max(0.0), (s + 0.02).min(self.length));
        let d = self.at(b) - self.at(a);
        gaitway_core::planar::heading_of(d.x, d.y)
    }

    /// The distance from a point to the path's nearest point between two arc lengths.
    pub fn distance_within(&self, p: DVec2, from: f64, to: f64) -> f64 {
        let at = |s: f64| {
            ((s.clamp(0.0, self.length) * self.per_step) as usize).min(self.table.len() - 2)
        };
        let (first, last) = (at(from), at(to));
        let point = |i: usize| DVec2::from_array(self.table[i]);
        (first..=last)
            .map(|i| segment_distance(p, point(i), point(i + 1)))
            .fold(f64::INFINITY, f64::min)
    }

    /// The distance from a point to the path's nearest point.
    pub fn distance(&self, p: DVec2) -> f64 {
        let point = |i: usize| DVec2::from_array(self.table[i]);
        let piece = |i: usize| segment_distance(p, point(i), point(i + 1));
        self.boxes.nearest(p, self.table.len() - 1, piece)
    }

    /// The path about the origin's axes, larger or smaller.
    ///
    /// # Errors
    /// When nothing, or too much, is left of it.
    pub fn scaled(&self, by: f64) -> Result<Self, PathError> {
        Self::new(self.points.iter().map(|&p| p * by).collect(), self.closed)
    }

    /// `count` points at even steps, for drawing.
    pub fn sampled(&self, count: usize) -> Vec<[f64; 2]> {
        let last = count.max(2) - 1;
        (0..=last)
            .map(|k| self.at(self.length * k as f64 / last as f64).to_array())
            .collect()
    }
}

/// The distance from a point to a segment.
pub(crate) fn segment_distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let d = b - a;
    let part = if d.length_squared() > 0.0 {
        ((p - a).dot(d) / d.length_squared()).clamp(0.0, 1.0)
    } else {
        0.0
    };
    p.distance(a + d * part)
}
