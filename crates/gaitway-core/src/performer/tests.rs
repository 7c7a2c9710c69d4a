//! The standard takes and random scripts, held against what the plan says and what a body can do.

mod course;
mod gait;
mod motion;
mod scripts;
mod takes;

use std::sync::OnceLock;

use glam::{DVec3, Vec3};

use super::body::{self, joint};
use super::*;
use crate::anatomy::{Anatomy, Side};
use crate::fk::{self, WorldPoints};

/// The standard takes with their points, solved once for all tests.
fn takes() -> &'static [(PerformedClip, WorldPoints)] {
    static TAKES: OnceLock<Vec<(PerformedClip, WorldPoints)>> = OnceLock::new();
    TAKES.get_or_init(|| {
        let takes = library(1, 60.0).expect("60 Hz is a rate");
        takes
            .into_iter()
            .map(|t| (fk::world_points(&t.clip), t))
            .map(|(p, t)| (t, p))
            .collect()
    })
}

fn perform(moves: &[Move], rate_hz: f64) -> PerformedClip {
    let script = Script::new("test", moves).at_rate(rate_hz);
    Performer::new(3).perform(&script).expect("a valid script")
}

/// The farthest any planted point is from where its plant says, over all frames.
fn worst_plant(take: &PerformedClip, points: &WorldPoints) -> f64 {
    let contacts = take.clip.contacts().expect("performed clips have contacts");
    let rate = take.clip.rate_hz();
    let mut worst = 0.0_f64;
    let mut seen = 0;
    for plant in &take.truth.plants {
        let point = contacts.points()[plant.point].point.index();
        for frame in 0..points.frame_count() {
            let t = frame as f64 / rate;
            if plant.start_s <= t && t <= plant.end_s {
                assert!(contacts.get(frame, plant.point));
                worst = worst.max(points.at(frame, point).distance(plant.place));
                seen += 1;
            }
        }
    }
    let bits: u32 = contacts.masks().iter().map(|m| m.count_ones()).sum();
    assert!(seen >= bits as usize, "a contact without a plant");
    worst
}

/// Knee flexion in degrees per frame; negative where a knee bends the wrong way.
fn knees(clip: &Clip) -> Vec<[f64; 2]> {
    let angle = |frame: usize, side: usize| {
        let q = clip.frame_rotations(frame)[joint::LEG[side] + 1].as_dquat();
        (2.0 * q.x.atan2(q.w)).to_degrees()
    };
    (0..clip.frame_count())
        .map(|f| [0, 1].map(|s| angle(f, s)))
        .collect()
}

/// The largest acceleration of any point, m/s².
fn largest_acceleration(points: &WorldPoints, rate: f64) -> f64 {
    let mut largest = 0.0_f64;
    for f in 1..points.frame_count().saturating_sub(1) {
        for p in 0..points.point_count() {
            let second = points.at(f + 1, p) - 2.0 * points.at(f, p) + points.at(f - 1, p);
            largest = largest.max(second.length() * rate * rate);
        }
    }
    largest
}

fn check_body(take: &PerformedClip, points: &WorldPoints) {
    let name = take.clip.name();
    let worst = worst_plant(take, points);
    assert!(worst < 1e-6, "{name}: a planted point moves by {worst:e} m");
    let lowest = points
        .places()
        .iter()
        .map(|p| p.y)
        .fold(f64::INFINITY, f64::min);
    assert!(lowest > -1e-3, "{name}: {lowest} m below the floor");
    let knees = knees(&take.clip);
    for (f, pair) in knees.iter().enumerate() {
        for (side, &angle) in pair.iter().enumerate() {
            assert!(
                (3.0..150.0).contains(&angle),
                "{name} frame {f}: knee at {angle}°"
            );
            let before = knees[f.saturating_sub(1)][side];
            let speed = (angle - before).abs() * take.clip.rate_hz();
            assert!(speed < 1400.0, "{name} frame {f}: knee at {speed}°/s");
        }
    }
}
