//! Glides of feet whose way is known.

use glam::DVec3;

use super::glide::{FAST_M_S, NearTransitions, glides};
use super::{ContactOptions, Glide, GlideKind, detect};
use crate::testing::{ANKLE_HEIGHT, FootPose, Walker, clip_from_feet, walking_clip};
use crate::{Clip, Planar, fk, mirror};

/// Both feet stand; from 1 s on the left one goes `far` metres at `speed`, lifted by `lift` in the middle of its way.
fn sliding(rate_hz: f64, far: f64, speed: f64, lift: f64) -> Clip {
    clip_from_feet(
        "slide",
        (3.0 * rate_hz) as usize,
        rate_hz,
        |_| DVec3::new(0.0, 0.78, 0.0),
        |t, side| {
            let u = if side == 0 {
                ((t - 1.0) * speed / far).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let up = lift * (std::f64::consts::PI * u).sin();
            FootPose {
                ankle: DVec3::new(
                    if side == 0 { 0.1 } else { -0.1 },
                    ANKLE_HEIGHT + up,
                    far * u,
                ),
                pitch: 0.0,
            }
        },
    )
}

fn found(clip: &Clip) -> Vec<Glide> {
    let world = fk::world_points(clip);
    let detection = detect(clip, &ContactOptions::default()).expect("feet");
    glides(&world, &detection, clip.rate_hz())
}

#[test]
fn a_foot_that_slides_glides_as_far_and_as_fast_as_it_does() {
    for rate_hz in [30.0, 60.0, 120.0, 240.0] {
        for (far, speed) in [(0.08, 0.3), (0.2, 0.5), (0.3, 1.0)] {
            let all = found(&sliding(rate_hz, far, speed, 0.0));
            let [glide] = &all[..] else {
                panic!("{rate_hz} Hz, {far} m at {speed} m/s: {all:?}");
            };
            assert!((glide.travel_m - far).abs() < 0.02, "{glide:?}");
            assert!(
                (glide.fastest_m_s - speed).abs() < 0.05 * speed,
                "{glide:?}"
            );
            assert!(glide.mean_m_s > FAST_M_S && glide.mean_m_s <= glide.fastest_m_s);
            let middle = 1.0 + 0.5 * far / speed;
            assert!((glide.middle_s(rate_hz) - middle).abs() < 0.05, "{glide:?}");
            assert!(glide.lift_m < 1e-3);
        }
    }
}

#[test]
fn a_foot_that_is_lifted_creeps_or_hardly_moves_does_not_glide() {
    for rate_hz in [30.0, 60.0, 120.0] {
        for (far, speed, lift) in [
            (0.2, 0.5, 0.02),
            (0.2, 0.5, 0.1),
            (0.2, 0.12, 0.0),
            (0.04, 0.5, 0.0),
        ] {
            let all = found(&sliding(rate_hz, far, speed, lift));
            assert!(
                all.is_empty(),
                "{rate_hz} Hz, {far} {speed} {lift}: {all:?}"
            );
        }
    }
}

#[test]
fn walkers_with_a_swing_of_six_centimetres_do_not_glide() {
    for rate_hz in [30.0, 60.0, 120.0] {
        let walker = Walker {
            rate_hz,
            seconds: 10.0,
            ..Walker::default()
        };
        assert_eq!(found(&walking_clip(&walker)), []);
    }
}

#[test]
fn glides_do_not_depend_on_place_direction_side_or_rate() {
    for (far, speed, lift) in [(0.08, 0.34, 0.0), (0.2, 0.5, 0.008), (0.3, 1.0, 0.004)] {
        let clip = sliding(120.0, far, speed, lift);
        let all = found(&clip);
        assert_eq!(all.len(), 1);
        let same = |other: &Clip, within: f64| {
            let others = found(other);
            assert_eq!(others.len(), 1, "{others:?}");
            assert!((others[0].travel_m - all[0].travel_m).abs() < within);
            assert!((others[0].fastest_m_s - all[0].fastest_m_s).abs() < within);
            let rates = (other.rate_hz(), clip.rate_hz());
            assert!((others[0].middle_s(rates.0) - all[0].middle_s(rates.1)).abs() < 0.01);
            others[0].point
        };
        let moved = clip.clone().moved(Planar::new(2.1, 40.0, -7.0));
        assert_eq!(same(&moved, 1e-4), all[0].point);
        let map = mirror::MirrorMap::new(clip.skeleton(), &[&clip]);
        let mirrored = mirror::mirror(&clip, &map);
        assert_ne!(same(&mirrored, 1e-4), all[0].point, "the other foot");
        same(&sliding(60.0, far, speed, lift), 0.015);
    }
}

/// Somebody walks at 1.2 m/s for 8 s; each toe passes at 1.6 cm in the middle of its swing, after having been lifted. From 4.05 s on, in
/// a stand, the left foot slips by `slip` metres at 0.4 m/s.
fn low_walk(rate_hz: f64, slip: f64) -> Clip {
    const SPEED: f64 = 1.2;
    // Lift over a swing: up, low in the middle, up, down.
    let lift = |u: f64| {
        let ease = |u: f64| 0.5 - 0.5 * (std::f64::consts::PI * u.clamp(0.0, 1.0)).cos();
        let hump = |a: f64, b: f64| ease((u - a) / 0.15) - ease((u - b) / 0.15);
        0.016 * (ease(u / 0.1) - ease((u - 0.9) / 0.1)) + 0.05 * (hump(0.05, 0.2) + hump(0.65, 0.8))
    };
    clip_from_feet(
        "low walk",
        (8.0 * rate_hz) as usize,
        rate_hz,
        |t| DVec3::new(0.0, 0.76, SPEED * t),
        |t, side| {
            // A cycle takes a second, of which a foot is in the air for 0.4 s.
            let phase = t + if side == 0 { 0.0 } else { 0.5 };
            let (step, part) = (phase.floor(), phase.fract());
            let u = ((part - 0.6) / 0.4).max(0.0);
            let place = SPEED * (step + u - if side == 0 { 0.0 } else { 0.5 }) + 0.36;
            let slipped = match side {
                0 if step >= 4.0 => (0.4 * (t - 4.05)).clamp(0.0, slip),
                _ => 0.0,
            };
            // The next step makes up for it.
            let slipped = if step > 4.0 { 0.0 } else { slipped * (1.0 - u) };
            let (x, up) = (if side == 0 { 0.1 } else { -0.1 }, lift(u));
            FootPose {
                ankle: DVec3::new(x, ANKLE_HEIGHT + up, place + slipped),
                pitch: 0.0,
            }
        },
    )
}

#[test]
fn toes_that_pass_low_are_told_from_feet_that_slip() {
    for rate_hz in [30.0, 60.0, 120.0] {
        let kinds = |slip: f64| {
            let all = found(&low_walk(rate_hz, slip));
            let slides = all.iter().filter(|g| g.kind == GlideKind::Slide);
            let slides: Vec<f64> = slides.map(|g| g.travel_m).collect();
            (all.len() - slides.len(), slides)
        };
        let (low, slides) = kinds(0.0);
        assert!(
            low >= 8 && slides.is_empty(),
            "{rate_hz} Hz: {low}, {slides:?}"
        );
        let (still_low, slides) = kinds(0.1);
        assert!(still_low + 1 >= low, "{rate_hz} Hz: {still_low} of {low}");
        assert_eq!(slides.len(), 1, "{rate_hz} Hz: {slides:?}");
        assert!((slides[0] - 0.1).abs() < 0.03, "{slides:?}");
        // Who only slips has no swing to be mistaken for one.
        let alone = found(&sliding(rate_hz, 0.3, 1.0, 0.0));
        assert!(alone.iter().all(|g| g.kind == GlideKind::Slide));
    }
}

#[test]
fn times_near_transitions_overlap_and_stay_inside_the_motion() {
    let near = NearTransitions::new(&[5.3, 0.1, 5.0, 9.9, f64::NAN], 10.0);
    assert!((near.seconds() - (0.5 + 1.1 + 0.5)).abs() < 1e-12);
    for (t, is) in [
        (0.0, true),
        (0.49, true),
        (0.6, false),
        (4.61, true),
        (5.69, true),
        (5.8, false),
        (9.6, true),
    ] {
        assert_eq!(near.has(t), is, "{t}");
    }
    assert_eq!(NearTransitions::new(&[], 10.0).seconds(), 0.0);
    assert_eq!(NearTransitions::new(&[12.0, -3.0], 10.0).seconds(), 0.0);
}
