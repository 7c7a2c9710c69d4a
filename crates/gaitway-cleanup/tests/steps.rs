//! Feet that would slide from plant to plant at a transition take steps.

use gaitway_cleanup::{PlantOptions, Planted, plant_feet};
use gaitway_core::contacts::{ContactOptions, detect, glides};
use gaitway_core::testing::{ANKLE_HEIGHT, FootPose, clip_from_feet};
use gaitway_core::{Clip, fk};
use glam::DVec3;

const RATE: f64 = 120.0;
/// Where the transition is, in frames.
const BLEND: std::ops::Range<usize> = 240..276;

/// Both feet stand, and slide `far[side]` metres along z, `apart_s` one after the other, within a transition at 2 s. At 0.8 s and 3.6 s
/// the left foot steps by itself: 20 cm in 0.4 s, 5 cm high.
fn shuffled(far: [f64; 2], apart_s: f64) -> Clip {
    let smooth = |u: f64| {
        let u = u.clamp(0.0, 1.0);
        u * u * (3.0 - 2.0 * u)
    };
    let foot = move |t: f64, side: usize| {
        let slide = far[side] * smooth((t - 2.05 - apart_s * side as f64) / 0.15);
        let own = |at: f64| (t - at) / 0.4;
        let (mut z, mut y) = (slide, ANKLE_HEIGHT);
        if side == 0 {
            for at in [0.8, 3.6] {
                z += 0.2 * smooth(own(at));
                y += 0.05 * (std::f64::consts::PI * own(at).clamp(0.0, 1.0)).sin();
            }
        }
        FootPose {
            ankle: DVec3::new(if side == 0 { 0.1 } else { -0.1 }, y, z),
            pitch: 0.0,
        }
    };
    clip_from_feet(
        "shuffle",
        (5.0 * RATE) as usize,
        RATE,
        |t| DVec3::new(0.0, 0.74, 0.1 * smooth((t - 0.8) / 3.0)),
        foot,
    )
}

fn planted(clip: &Clip, options: &PlantOptions) -> Planted {
    plant_feet(clip, None, options).expect("feet")
}

fn in_transition() -> PlantOptions {
    PlantOptions {
        transitions: vec![BLEND],
        ..PlantOptions::default()
    }
}

/// Glides about the transition, and how high each toe gets there.
fn slides(clip: &Clip) -> (usize, [f64; 2]) {
    let world = fk::world_points(clip);
    let bare = clip.clone().with_contacts(None).expect("none fits");
    let found = detect(&bare, &ContactOptions::default()).expect("feet");
    let near = BLEND.start - 40..BLEND.end + 40;
    let all = glides(&world, &found, clip.rate_hz());
    let count = all
        .iter()
        .filter(|g| near.contains(&g.frames.start))
        .count();
    let lift = ["left_toe", "right_toe"].map(|name| {
        let points = found.track.points();
        let point = points.iter().find(|p| p.name == name).expect("a toe").point;
        let y = |f: usize| world.at(f, point.index()).y;
        near.clone().map(y).fold(f64::NEG_INFINITY, f64::max) - y(near.start)
    });
    (count, lift)
}

#[test]
fn a_foot_that_would_slide_is_lifted_and_the_other_stands() {
    for far in [0.08, 0.12, 0.25, -0.15] {
        for side in 0..2 {
            let mut way = [0.0; 2];
            way[side] = far;
            let clip = shuffled(way, 0.0);
            assert!(slides(&clip).0 > 0, "{far}: captured, it glides");
            let done = planted(&clip, &in_transition());
            let [step] = &done.report.steps[..] else {
                panic!("{far}: {:?}", done.report.steps);
            };
            assert_eq!(step.foot, ["left", "right"][side]);
            assert!((step.distance_m - f64::abs(far)).abs() < 0.03, "{step:?}");
            let seconds = (step.end - step.start) as f64 / RATE;
            assert!((0.19..0.46).contains(&seconds), "{step:?}");
            let (count, lift) = slides(&done.clip);
            assert_eq!(count, 0, "{far}");
            assert!(lift[side] > 0.015 && lift[side] < 0.08, "{lift:?}");
            assert!(lift[1 - side].abs() < 1e-4, "{lift:?}");
            assert!(done.report.worst_residual_m < 1e-4);
        }
    }
}

#[test]
fn two_feet_step_one_after_the_other() {
    for apart_s in [0.0, 0.05, -0.05, 0.3] {
        let clip = shuffled([0.12, 0.12], apart_s);
        let done = planted(&clip, &in_transition());
        assert_eq!(done.report.steps.len(), 2, "{apart_s}: {:?}", done.report);
        let track = done.clip.contacts().expect("held");
        let down = BLEND.start - 60..BLEND.end + 100;
        assert!(down.into_iter().all(|f| track.mask(f) != 0), "{apart_s}");
        assert_eq!(slides(&done.clip).0, 0, "{apart_s}");
    }
}

#[test]
fn steps_are_smooth() {
    let clip = shuffled([0.12, 0.12], 0.0);
    let done = planted(&clip, &in_transition());
    let world = fk::world_points(&done.clip);
    for point in 0..clip.skeleton().point_count() {
        for f in BLEND.start - 60..BLEND.end + 100 {
            let [a, b, c] = [f - 1, f, f + 1].map(|f| world.at(f, point));
            let jolt = (a - 2.0 * b + c).length() * RATE * RATE;
            assert!(jolt < 60.0, "point {point} at frame {f}: {jolt:.0} m/s²");
        }
    }
}

#[test]
fn what_stepped_does_not_step_again() {
    let clip = shuffled([0.12, 0.1], 0.0);
    let done = planted(&clip, &in_transition());
    let again = plant_feet(&done.clip, None, &in_transition()).expect("feet");
    assert_eq!(again.report.steps, []);
    let (a, b) = (fk::world_points(&done.clip), fk::world_points(&again.clip));
    for f in 0..clip.frame_count() {
        for (p, q) in a.frame(f).iter().zip(b.frame(f)) {
            assert!(p.distance(*q) < 1e-4, "frame {f}");
        }
    }
}

#[test]
fn feet_that_were_captured_sliding_and_small_corrections_are_left() {
    let captured = shuffled([0.12, 0.0], 0.0);
    let done = planted(&captured, &PlantOptions::default());
    assert_eq!(done.report.steps, [], "no transition");
    let near = planted(&shuffled([0.02, 0.02], 0.0), &in_transition());
    assert_eq!(near.report.steps, [], "2 cm are carried over");
    let playing = PlantOptions {
        horizon_s: Some(0.12),
        ..in_transition()
    };
    assert_eq!(
        planted(&captured, &playing).report.steps,
        [],
        "not while it plays"
    );
}
