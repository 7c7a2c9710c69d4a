//! Obstacles as a search asks for them: many times, each time whether a place is nearer to any than so much.
//!
//! A wall drawn with a hundred thousand corners costs hardly more than a box: its sides are in boxes, and only boxes near the place
//! are looked into. Checked by: [`Obstacle::distance`], its slow twin, in the test below.

use glam::DVec2;

use super::curve::segment_distance;
use super::near::Boxes;
use super::obstacles::{Obstacle, crosses};

/// Obstacles, ready to be asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solid {
    all: Vec<One>,
}

#[derive(Clone, Debug, PartialEq)]
enum One {
    Plain(Obstacle),
    /// Its corners, the first again at the end.
    Polygon(Vec<[f64; 2]>, Boxes),
}

impl Solid {
    pub fn new(obstacles: &[Obstacle]) -> Self {
        let one = |o: &Obstacle| match o {
            Obstacle::Polygon(corners) if !corners.is_empty() => {
                let mut ring = corners.clone();
                ring.push(corners[0]);
                let boxes = Boxes::new(&ring);
                One::Polygon(ring, boxes)
            }
            other => One::Plain(other.clone()),
        };
        Self {
            all: obstacles.iter().map(one).collect(),
        }
    }

    /// The first obstacle that is nearer to a place than so much; what is inside one is at no distance.
    pub fn within(&self, p: DVec2, metres: f64) -> Option<usize> {
        self.all.iter().position(|o| o.distance(p, metres) < metres)
    }

    /// How far a place is from one of them, as [`Obstacle::distance`] has it.
    pub fn distance(&self, which: usize, p: DVec2) -> f64 {
        self.all[which].distance(p, f64::INFINITY)
    }
}

impl One {
    /// As [`Obstacle::distance`]; any number not below `most` where it is that far away.
    fn distance(&self, p: DVec2, most: f64) -> f64 {
        let (ring, boxes) = match self {
            Self::Plain(obstacle) => return obstacle.distance(p),
            Self::Polygon(ring, boxes) => (ring, boxes),
        };
        let away = boxes.away(p);
        if away >= most {
            return away;
        }
        let sides = ring.len() - 1;
        let side = |i: usize| (DVec2::from_array(ring[i]), DVec2::from_array(ring[i + 1]));
        let mut inside = false;
        boxes.at_z(p.y, sides, |i| inside ^= crosses(p, side(i).0, side(i).1));
        if inside {
            return 0.0;
        }
        boxes.nearest(p, sides, |i| segment_distance(p, side(i).0, side(i).1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn obstacle() -> impl Strategy<Value = Obstacle> {
        let place = || (-9.0..9.0_f64, -9.0..9.0_f64);
        prop_oneof![
            (place(), 0.0..3.0_f64).prop_map(|((x, z), r)| Obstacle::Circle([x, z, r])),
            (place(), place()).prop_map(|((a, b), (c, d))| Obstacle::Box([a, b, c, d])),
            prop::collection::vec(place(), 3..60)
                .prop_map(|c| Obstacle::Polygon(c.into_iter().map(|(x, z)| [x, z]).collect())),
        ]
    }

    proptest! {
        #[test]
        fn what_is_near_is_what_looking_at_all_finds(
            list in prop::collection::vec(obstacle(), 0..5),
            places in prop::collection::vec((-12.0..12.0_f64, -12.0..12.0_f64), 30),
            metres in 0.0..2.0_f64,
        ) {
            let solid = Solid::new(&list);
            for (x, z) in places {
                let p = DVec2::new(x, z);
                let slow = list.iter().position(|o| o.distance(p) < metres);
                prop_assert_eq!(solid.within(p, metres), slow);
                for (k, o) in list.iter().enumerate() {
                    prop_assert_eq!(solid.distance(k, p), o.distance(p));
                }
            }
        }
    }
}
