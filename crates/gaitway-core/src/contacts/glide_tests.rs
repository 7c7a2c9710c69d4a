//! Glides of feet whose way is known.

use glam::DVec3;

use super::glide::{FAST_M_S, NearTransitions, glides};
use super::{ContactOptions, Glide, detect};
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
