//! Curves behind the numbers: how fast planted points slide, and where feet go on the floor.

use gaitway_core::{Clip, ContactTrack, fk};
use glam::DVec3;

/// A contact point's curve, with its name.
pub type Trace = (String, Vec<(f64, f64)>);

/// The horizontal speed of every contact point while it stands, in cm/s over seconds. Between plants there is a point that
/// has no place (NaN), so that a line drawn through it breaks.
pub fn slide_traces(clip: &Clip, contacts: &ContactTrack) -> Vec<Trace> {
    let world = fk::world_points(clip);
    let rate = clip.rate_hz();
    let mut out = Vec::new();
    for (k, point) in contacts.points().iter().enumerate() {
        let mut curve = Vec::new();
        for plant in contacts.plants(k) {
            for f in plant.clone().skip(1) {
                let step = world.at(f, point.point.index()) - world.at(f - 1, point.point.index());
                curve.push((f as f64 / rate, 100.0 * rate * step.x.hypot(step.z)));
            }
            curve.push((plant.end as f64 / rate, f64::NAN));
        }
        out.push((point.name.clone(), curve));
    }
    out
}

/// How far every contact point strays on the floor while it stands: (x, z) from the mean of its plant in millimetres, all
/// plants laid over one another, broken between them.
pub fn stray_traces(clip: &Clip, contacts: &ContactTrack) -> Vec<Trace> {
    let world = fk::world_points(clip);
    let mut out = Vec::new();
    for (k, point) in contacts.points().iter().enumerate() {
        let mut curve = Vec::new();
        for plant in contacts.plants(k) {
            let places = || plant.clone().map(|f| world.at(f, point.point.index()));
            let mean = places().sum::<DVec3>() / plant.len() as f64;
            curve.extend(places().map(|p| (1000.0 * (p.x - mean.x), 1000.0 * (p.z - mean.z))));
            curve.push((f64::NAN, f64::NAN));
        }
        out.push((point.name.clone(), curve));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::testing::{Walker, walking_clip};

    #[test]
    fn a_sliding_foot_shows_its_speed_and_a_planted_one_a_point() {
        let clip = walking_clip(&Walker {
            slide: 0.10,
            ..Walker::default()
        });
        let contacts = clip.contacts().expect("the walker knows its contacts");
        let speeds = slide_traces(&clip, contacts);
        let fastest = |t: &Trace| {
            t.1.iter()
                .map(|p| p.1)
                .filter(|v| v.is_finite())
                .fold(0.0, f64::max)
        };
        assert!(speeds.iter().any(|t| fastest(t) > 5.0));
        let still = walking_clip(&Walker {
            slide: 0.0,
            ..Walker::default()
        });
        let contacts = still.contacts().expect("the walker knows its contacts");
        assert!(
            slide_traces(&still, contacts)
                .iter()
                .all(|t| fastest(t) < 0.1)
        );
        let stray = |t: &Trace| {
            t.1.iter()
                .map(|p| p.0.hypot(p.1))
                .filter(|v| v.is_finite())
                .fold(0.0, f64::max)
        };
        assert!(
            stray_traces(&still, contacts)
                .iter()
                .all(|t| stray(t) < 0.1)
        );
    }
}
