//! Where everything lies in the picture.

use glam::{DVec2, DVec3, Vec2};

use super::legend::{self, Entry};
use super::{PathPicture, PathView};
use crate::draw::DrawError;
use crate::draw::actor::MAX_EXTENT_M;
use crate::draw::camera::Camera;

/// Pixels across where none are asked for.
const WIDTH: u32 = 1100;
/// Room for a legend at least.
const NARROWEST: f32 = 520.0;
/// How far the slanted view looks down, in degrees: steep enough to read the path, flat enough to see people.
const SLANT: f64 = 38.0;
/// Obstacles of the slanted view stand this high, in metres.
pub const BLOCK_M: f64 = 0.55;

/// The camera and the picture's size.
pub struct Stage {
    pub camera: Camera,
    pub width: u32,
    pub height: u32,
    /// The rectangle of the picture that the ground takes.
    pub low: Vec2,
    pub high: Vec2,
    /// What is shown on the ground.
    pub places: Vec<DVec2>,
}

impl Stage {
    /// Room for the ground that the picture shows and for what people are made of.
    pub fn new(
        picture: &PathPicture<'_>,
        mut balls: Vec<(DVec3, f64)>,
        entries: &[Entry],
    ) -> Result<Self, DrawError> {
        let ways = picture.people.iter().map(|p| &p.way);
        let flat = |lines: &mut dyn Iterator<Item = &Vec<[f64; 2]>>| -> Vec<DVec2> {
            let places = lines.flatten().map(|p| DVec2::from_array(*p));
            places.filter(|p| p.is_finite()).collect()
        };
        let lines = flat(&mut ways.chain(&picture.targets));
        let blocks = flat(&mut picture.obstacles.iter());
        let all = || lines.iter().chain(&blocks).copied();
        let (near, far) = all().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| {
            (l.min(p), h.max(p))
        });
        if !(near.is_finite() && far.is_finite()) {
            return Err(DrawError::NoData { what: "the path" });
        }
        let metres = (far - near).max_element();
        if metres > MAX_EXTENT_M {
            return Err(DrawError::Extent { metres });
        }
        let camera = match picture.view {
            PathView::Map => Camera::new(crate::draw::View::Top, 0.0),
            PathView::Slant => Camera::slanted(across(&lines), SLANT.to_radians()),
        };
        balls.extend(lines.iter().map(|p| (DVec3::new(p.x, 0.0, p.y), 0.18)));
        for p in &blocks {
            balls.push((DVec3::new(p.x, 0.0, p.y), 0.05));
            balls.push((DVec3::new(p.x, BLOCK_M, p.y), 0.05));
        }
        let places = all().collect();
        Ok(Self::around(camera, &balls, picture, entries, places))
    }

    fn around(
        mut camera: Camera,
        balls: &[(DVec3, f64)],
        picture: &PathPicture<'_>,
        entries: &[Entry],
        places: Vec<DVec2>,
    ) -> Self {
        let most = picture.width.unwrap_or(WIDTH).max(200) as f32;
        let (left, right, below) = match picture.view {
            PathView::Map => (70.0, 28.0, 58.0),
            PathView::Slant => (34.0, 34.0, 30.0),
        };
        let room = Vec2::new(most - left - right, 0.9 * most);
        camera.frame(balls, Vec2::ZERO, room.max(Vec2::splat(50.0)), 220.0);
        let (from, to) = camera.bounds(balls);
        let wide = (to.x - from.x).max(NARROWEST.min(most) - left - right);
        let tall = (to.y - from.y).max(120.0);
        let width = (wide + left + right).ceil();
        let above = legend::height(entries, &picture.title, width);
        let low = Vec2::new(left, above);
        let high = low + Vec2::new(wide, tall);
        camera.centre += (low + high) / 2.0 - (from + to) / 2.0;
        Self {
            camera,
            width: width as u32,
            height: (high.y + below).ceil() as u32,
            low,
            high,
            places,
        }
    }

    /// Where a place on the ground lands.
    pub fn at(&self, p: [f64; 2]) -> Vec2 {
        self.camera.see(DVec3::new(p[0], 0.0, p[1])).at
    }

    /// Pixels to a metre.
    pub fn scale(&self) -> f32 {
        self.camera.scale as f32
    }
}

/// The direction in which places are spread most, from the first towards the rest; +X where they are spread evenly.
fn across(places: &[DVec2]) -> DVec2 {
    let n = places.len().max(1) as f64;
    let mean = places.iter().sum::<DVec2>() / n;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in places {
        let d = *p - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    // Eigenvalues of the 2 × 2 covariance: half the trace ± half the gap.
    let gap = ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt();
    if gap < 0.2 * (xx + yy) {
        return DVec2::X;
    }
    let axis = DVec2::from_angle(0.5 * (2.0 * xy).atan2(xx - yy));
    let first = places.first().copied().unwrap_or(mean) - mean;
    if first.dot(axis) > 0.0 { -axis } else { axis }
}
