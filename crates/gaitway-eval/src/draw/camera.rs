//! World → picture.
//!
//! A camera stands anywhere and looks along `forward`; `right` and `up` complete it (right × up = −forward).
//! Parallel cameras keep lengths; a perspective one shrinks what is farther by d / (d + depth), with d the
//! distance from the eye to the point it looks at.

use glam::{DVec2, DVec3, Vec2};

use super::View;

/// Where a point lands in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// In pixels.
    pub at: Vec2,
    /// Metres behind the point looked at; negative is nearer to the eye.
    pub depth: f64,
    /// Pixels to a metre there.
    pub scale: f64,
}

/// A point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// What is looked at.
    pub target: DVec3,
    /// From the eye to the target; none for parallel rays.
    pub distance: Option<f64>,
    /// Pixels to a metre at the target.
    pub scale: f64,
    /// Where the target lands.
    pub centre: Vec2,
}

/// How far the three-quarter view turns from the side towards the front, in degrees.
const THREE_QUARTER_TURN: f64 = 38.0;
/// How far it looks down, in degrees.
const THREE_QUARTER_PITCH: f64 = 16.0;

impl Camera {
    /// A camera for a motion that goes (or faces) along `heading`: 0 is +Z, positive is to the left. One pixel is a
    /// metre and the origin lies at the origin until [`Camera::frame`] is called.
    pub fn new(view: View, heading: f64) -> Self {
        let ahead = DVec3::new(heading.sin(), 0.0, heading.cos());
        let beside = DVec3::Y.cross(ahead);
        let (turn, pitch) = (
            THREE_QUARTER_TURN.to_radians(),
            THREE_QUARTER_PITCH.to_radians(),
        );
        let forward = match view {
            View::Side => beside,
            View::Front => -ahead,
            View::Top => -DVec3::Y,
            View::ThreeQuarter => {
                let level = beside * turn.cos() - ahead * turn.sin();
                level * pitch.cos() - DVec3::Y * pitch.sin()
            }
        };
        let right = match view {
            // A map: +X to the right, +Z down, so that left and right of the body are not swapped.
            View::Top => DVec3::X,
            _ => forward.cross(DVec3::Y).normalize(),
        };
        Self {
            right,
            up: right.cross(forward),
            forward,
            target: DVec3::ZERO,
            distance: None,
            scale: 1.0,
            centre: Vec2::ZERO,
        }
    }

    /// A parallel camera that looks down at the ground by `pitch` radians, with a direction of the ground (x, z) to the
    /// right of the picture.
    pub fn slanted(right: DVec2, pitch: f64) -> Self {
        let right = right.normalize_or(DVec2::X);
        let right = DVec3::new(right.x, 0.0, right.y);
        let level = DVec3::Y.cross(right);
        let forward = level * pitch.cos() - DVec3::Y * pitch.sin();
        Self {
            right,
            up: right.cross(forward),
            forward,
            ..Self::new(View::Top, 0.0)
        }
    }

    /// Where a point lands.
    pub fn see(&self, point: DVec3) -> Seen {
        let from_target = point - self.target;
        let depth = from_target.dot(self.forward);
        let shrink = match self.distance {
            // What is behind the eye is held just in front of it: pictures stay finite.
            Some(d) => d / (d + depth).max(0.05 * d),
            None => 1.0,
        };
        let scale = self.scale * shrink;
        let across = (from_target.dot(self.right) * scale) as f32;
        let down = (-from_target.dot(self.up) * scale) as f32;
        Seen {
            at: self.centre + Vec2::new(across, down),
            depth,
            scale,
        }
    }

    /// The direction to the right of the picture.
    pub fn right(&self) -> DVec3 {
        self.right
    }

    /// The direction of view.
    pub fn forward(&self) -> DVec3 {
        self.forward
    }

    /// Chooses scale and centre so that balls (centre and radius) fill a rectangle of the picture, at most `most`
    /// pixels to a metre.
    pub fn frame(&mut self, balls: &[(DVec3, f64)], low: Vec2, high: Vec2, most: f64) {
        let Some((first, _)) = balls.first() else {
            return;
        };
        let middle = balls
            .iter()
            .fold((*first, *first), |(l, h), b| (l.min(b.0), h.max(b.0)));
        self.target = (middle.0 + middle.1) / 2.0;
        let room = high - low;
        self.scale = 1.0;
        self.centre = Vec2::ZERO;
        let (near, far) = self.bounds(balls);
        let span = (far - near).max(Vec2::splat(1e-6));
        let fit = f64::from((room / span).min_element());
        self.scale = fit.min(most);
        self.centre = (low + high) / 2.0 - (near + far) / 2.0 * self.scale as f32;
    }

    /// The rectangle of the picture that balls cover.
    pub fn bounds(&self, balls: &[(DVec3, f64)]) -> (Vec2, Vec2) {
        balls.iter().fold(
            (Vec2::INFINITY, Vec2::NEG_INFINITY),
            |(low, high), (p, r)| {
                let seen = self.see(*p);
                let reach = Vec2::splat((r * seen.scale) as f32);
                (low.min(seen.at - reach), high.max(seen.at + reach))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_view_shows_travel_from_left_to_right() {
        let camera = Camera::new(View::Side, 0.7);
        let ahead = DVec3::new(0.7_f64.sin(), 0.0, 0.7_f64.cos());
        assert!((camera.see(ahead).at - Vec2::X).length() < 1e-6);
        assert!((camera.see(DVec3::Y).at + Vec2::Y).length() < 1e-6);
    }

    #[test]
    fn views_are_not_mirrored() {
        for view in [View::Side, View::Top, View::ThreeQuarter, View::Front] {
            let c = Camera::new(view, 0.3);
            assert!(
                (c.right.cross(c.up) + c.forward).length() < 1e-12,
                "{view:?}"
            );
        }
    }

    #[test]
    fn a_slanted_view_is_a_map_leaned_back() {
        let map = Camera::new(View::Top, 0.0);
        let steep = Camera::slanted(DVec2::X, std::f64::consts::FRAC_PI_2);
        for p in [DVec3::X, DVec3::Z, DVec3::new(0.3, 1.0, -2.0)] {
            assert!((map.see(p).at - steep.see(p).at).length() < 1e-6);
        }
        let c = Camera::slanted(DVec2::new(1.0, 2.0), 0.7);
        assert!((c.right.cross(c.up) + c.forward).length() < 1e-12);
        assert!(c.see(DVec3::Y).at.y < -0.5);
    }

    #[test]
    fn framing_fills_the_room() {
        let balls = [(DVec3::ZERO, 0.1), (DVec3::new(1.0, 2.0, 5.0), 0.2)];
        let mut camera = Camera::new(View::Side, 0.0);
        camera.frame(&balls, Vec2::splat(10.0), Vec2::new(210.0, 110.0), 1e9);
        let (low, high) = camera.bounds(&balls);
        assert!(low.min_element() > 9.9 && high.x < 210.1 && high.y < 110.1);
    }
}
