//! The point of a long path that is nearest to a place, without looking at all of it.
//!
//! Pieces of the path in order, sixteen to a box, sixteen boxes to a larger one and so on. What is in a box is no nearer than the box is: of
//! a box's parts the nearest is looked at first, and those that are farther than what was found already are not looked at. Time grows with the logarithm of the
//! path's length for places near it. Checked by: its twin that looks at all pieces
//! ([`Path::distance_within`](super::Path::distance_within)), tests below.

use glam::DVec2;

/// Parts of a box.
const PARTS: usize = 16;

/// Least and largest x and z.
type Bounds = [f64; 4];

/// Boxes about the pieces between points that follow each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Boxes {
    /// About sixteen pieces each, then about sixteen of those each, up to one about all.
    levels: Vec<Vec<Bounds>>,
}

impl Boxes {
    /// Of the pieces between points.
    pub fn new(points: &[[f64; 2]]) -> Self {
        let pieces = points.windows(2).map(|w| {
            let (a, b) = (w[0], w[1]);
            [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[0].max(b[0]),
                a[1].max(b[1]),
            ]
        });
        let pieces: Vec<Bounds> = pieces.collect();
        let mut levels = vec![about(&pieces)];
        while let Some(below) = levels.last()
            && below.len() > 1
        {
            let above = about(below);
            levels.push(above);
        }
        Self { levels }
    }

    /// The least of `piece(i)`, the distance from p to a piece.
    pub fn nearest(&self, p: DVec2, pieces: usize, piece: impl Fn(usize) -> f64) -> f64 {
        let top = self.levels.len() - 1;
        let mut best = f64::INFINITY;
        // Boxes still to be looked into: level, which, how far away.
        let mut open = vec![(top, 0, 0.0)];
        while let Some((level, at, away)) = open.pop() {
            if away >= best {
                continue;
            }
            let parts = at * PARTS..((at + 1) * PARTS);
            if level == 0 {
                let near = parts.take_while(|i| *i < pieces).map(&piece);
                best = near.fold(best, f64::min);
                continue;
            }
            let boxes = &self.levels[level - 1];
            let first = open.len();
            open.extend(
                parts
                    .take_while(|i| *i < boxes.len())
                    .map(|i| (level - 1, i, away_from(p, &boxes[i]))),
            );
            // The nearest is taken first.
            open[first..].sort_by(|a, b| b.2.total_cmp(&a.2));
        }
        best
    }
    /// All pieces whose z from end to end holds `z`, and some others in the same boxes.
    pub fn at_z(&self, z: f64, pieces: usize, mut piece: impl FnMut(usize)) {
        let mut open = vec![(self.levels.len() - 1, 0)];
        while let Some((level, at)) = open.pop() {
            let b = &self.levels[level][at];
            if z < b[1] || z > b[3] {
                continue;
            }
            let parts = at * PARTS..(at + 1) * PARTS;
            if level == 0 {
                parts.take_while(|i| *i < pieces).for_each(&mut piece);
            } else {
                let below = self.levels[level - 1].len();
                open.extend(parts.take_while(|i| *i < below).map(|i| (level - 1, i)));
            }
        }
    }

    /// A distance that no piece is nearer than.
    pub fn away(&self, p: DVec2) -> f64 {
        away_from(p, &self.levels[self.levels.len() - 1][0])
    }
}

fn about(parts: &[Bounds]) -> Vec<Bounds> {
    let one = |group: &[Bounds]| {
        let join = |a: Bounds, b: &Bounds| {
            [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[2].max(b[2]),
                a[3].max(b[3]),
            ]
        };
        group[1..].iter().fold(group[0], join)
    };
    parts.chunks(PARTS).map(one).collect()
}

/// A distance that nothing in the box is nearer than: a hair less, since pieces are measured with rounding of their own.
fn away_from(p: DVec2, b: &Bounds) -> f64 {
    let x = (b[0] - p.x).max(p.x - b[2]).max(0.0);
    let z = (b[1] - p.y).max(p.y - b[3]).max(0.0);
    x.hypot(z) * (1.0 - 1e-9) - 1e-12 * (p.x.abs() + p.y.abs())
}

#[cfg(test)]
mod tests {
    use super::super::Path;
    use glam::DVec2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_point_is_that_of_looking_at_all(
            points in prop::collection::vec((-30.0..30.0_f64, -30.0..30.0_f64), 2..12),
            places in prop::collection::vec((-40.0..40.0_f64, -40.0..40.0_f64), 20),
            far in prop::sample::select(vec![0.0, 1e5]),
        ) {
            let at = |(x, z): (f64, f64)| DVec2::new(x + far, z - far);
            let path = Path::new(points.into_iter().map(at).collect(), false).expect("a path");
            for place in places {
                let p = at(place);
                let all = path.distance_within(p, 0.0, path.length());
                prop_assert_eq!(path.distance(p).to_bits(), all.to_bits());
            }
        }
    }
}
