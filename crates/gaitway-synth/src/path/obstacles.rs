//! What the root must not enter: circles, boxes, polygons, and others on the move.

use gaitway_core::limits;
use gaitway_core::text::found_in_json;
use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::PathError;
use super::curve::segment_distance;

/// Something on the ground, metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Obstacle {
    /// x, z, radius.
    Circle([f64; 3]),
    /// x₀, z₀, x₁, z₁.
    Box([f64; 4]),
    /// Corners in order.
    Polygon(Vec<[f64; 2]>),
}

impl Obstacle {
    /// The distance from a point to it; 0 inside.
    pub fn distance(&self, p: DVec2) -> f64 {
        match self {
            Self::Circle([x, z, r]) => (p.distance(DVec2::new(*x, *z)) - r).max(0.0),
            Self::Box([x0, z0, x1, z1]) => {
                let low = DVec2::new(x0.min(*x1), z0.min(*z1));
                let high = DVec2::new(x0.max(*x1), z0.max(*z1));
                p.distance(p.clamp(low, high))
            }
            Self::Polygon(corners) => polygon_distance(corners, p),
        }
    }

    /// Its outline for drawings: a circle as 48 corners.
    pub fn outline(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Circle([x, z, r]) => (0..48)
                .map(|k| {
                    let angle = f64::from(k) * std::f64::consts::TAU / 48.0;
                    [x + r * angle.cos(), z + r * angle.sin()]
                })
                .collect(),
            Self::Box([x0, z0, x1, z1]) => vec![[*x0, *z0], [*x1, *z0], [*x1, *z1], [*x0, *z1]],
            Self::Polygon(points) => points.clone(),
        }
    }

    /// A point in its middle, for messages.
    pub fn middle(&self) -> DVec2 {
        match self {
            Self::Circle([x, z, _]) => DVec2::new(*x, *z),
            Self::Box([x0, z0, x1, z1]) => DVec2::new((x0 + x1) / 2.0, (z0 + z1) / 2.0),
            Self::Polygon(c) => {
                c.iter().map(|&p| DVec2::from_array(p)).sum::<DVec2>() / c.len().max(1) as f64
            }
        }
    }

    fn check(&self, at: usize) -> Result<(), PathError> {
        let bad = |what: &str| {
            Err(PathError::Obstacle {
                at,
                what: what.to_owned(),
            })
        };
        let far = match self {
            Self::Circle(c) => limits::places(*c),
            Self::Box(b) => limits::places(*b),
            Self::Polygon(c) => limits::places(c.iter().flatten().copied()),
        };
        match self {
            Self::Circle(c) if !c.iter().all(|v| v.is_finite()) || c[2] < 0.0 => {
                bad("a circle needs finite x, z and a radius of at least 0")
            }
            Self::Box(b) if !b.iter().all(|v| v.is_finite()) => {
                bad("a box needs four finite numbers")
            }
            Self::Polygon(c) if c.len() < 3 => bad("a polygon needs three corners"),
            Self::Polygon(c) if !c.iter().flatten().all(|v| v.is_finite()) => {
                bad("a corner is not finite")
            }
            _ => far.map_err(|wrong| PathError::Limits {
                what: format!("obstacle {at}"),
                wrong,
            }),
        }
    }
}

/// Whether the side from a to b crosses the ray from p towards +x.
pub(super) fn crosses(p: DVec2, a: DVec2, b: DVec2) -> bool {
    (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x
}

fn polygon_distance(corners: &[[f64; 2]], p: DVec2) -> f64 {
    let mut inside = false;
    let mut nearest = f64::INFINITY;
    for (k, &a) in corners.iter().enumerate() {
        let (a, b) = (
            DVec2::from_array(a),
            DVec2::from_array(corners[(k + 1) % corners.len()]),
        );
        nearest = nearest.min(segment_distance(p, a, b));
        // Even-odd.
        inside ^= crosses(p, a, b);
    }
    if inside { 0.0 } else { nearest }
}

/// Reads a JSON list of `{"circle": [x,z,r]}`, `{"box": [x0,z0,x1,z1]}`, `{"polygon": [[x,z],…]}`.
///
/// # Errors
/// Says where the list is wrong.
pub fn parse_obstacles(text: &str) -> Result<Vec<Obstacle>, PathError> {
    let list: Vec<Obstacle> = serde_json::from_str(text).map_err(|e| PathError::Syntax {
        line: e.line(),
        what: format!(
            "expected obstacles, [{{\"circle\": [x,z,r]}}, {{\"box\": [x0,z0,x1,z1]}}, {{\"polygon\": [[x,z],…]}}], found {}",
            found_in_json(&e.to_string())
        ),
    })?;
    check_obstacles(&list)?;
    Ok(list)
}

/// Numbers that an obstacle cannot have.
pub(crate) fn check_obstacles(list: &[Obstacle]) -> Result<(), PathError> {
    let corners = |o: &Obstacle| match o {
        Obstacle::Polygon(c) => c.len(),
        _ => 0,
    };
    limits::count("obstacles", list.len(), limits::MOST_OBSTACLES)
        .and_then(|()| {
            let all = list.iter().map(corners).sum();
            limits::count("corners of all polygons", all, limits::MOST_CORNERS)
        })
        .map_err(|wrong| PathError::Limits {
            what: "obstacles".to_owned(),
            wrong,
        })?;
    list.iter().enumerate().try_for_each(|(k, o)| o.check(k))
}

/// Somebody else on the move: where their root is at every working frame. They stand where they stop.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingObstacle {
    /// (x, z) per working frame.
    pub places: Vec<[f64; 2]>,
    /// Half the width of their body, metres.
    pub radius_m: f64,
    /// The working frame of the search's clock at which they begin; before it they are not there.
    pub from_frame: u32,
    /// Whether they are gone once they have arrived, or stand there.
    pub leaves: bool,
    /// Who they are in messages: people are counted from 1.
    pub number: usize,
}

impl MovingObstacle {
    /// Where they are at a frame of the search's clock.
    #[inline]
    pub fn at(&self, frame: u32) -> Option<[f64; 2]> {
        let k = frame.checked_sub(self.from_frame)? as usize;
        match self.places.get(k) {
            Some(&p) => Some(p),
            None if self.leaves => None,
            None => self.places.last().copied(),
        }
    }
}
