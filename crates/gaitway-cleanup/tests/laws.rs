//! Laws of planted feet, on bodies whose contacts are known exactly.

use gaitway_cleanup::{FrameIn, OnlinePlanter, PlantOptions, Planted, SkipReason, plant_feet};
use gaitway_core::anatomy::Anatomy;
use gaitway_core::fk::{self, WorldPoints};
use gaitway_core::performer;
use gaitway_core::testing::{Walker, walking_clip};
use gaitway_core::{Clip, ContactTrack, Planar};
use glam::{DVec3, Quat};
use proptest::prelude::*;

fn skating(slide: f64, rate_hz: f64) -> Clip {
    walking_clip(&Walker {
        slide,
        rate_hz,
        seconds: 6.0,
        ..Walker::default()
    })
}

fn planted(clip: &Clip) -> Planted {
    plant_feet(clip, None, &PlantOptions::default()).expect("walkers have feet")
}

/// The largest distance between two clips' points.
fn apart(a: &Clip, b: &Clip) -> f64 {
    let (a, b) = (fk::world_points(a), fk::world_points(b));
    let both = a.places().iter().zip(b.places());
    both.map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
}

/// The largest distance of held points from their places.
fn off(clip: &Clip, done: &Planted) -> f64 {
    assert_eq!(clip.frame_count(), done.clip.frame_count());
    off_in(&done.clip, done)
}

/// The largest distance from their places that points have in some motion.
fn off_in(clip: &Clip, done: &Planted) -> f64 {
    let world = fk::world_points(clip);
    let points = done.clip.contacts().expect("carried").points();
    let mut most = 0.0_f64;
    for plant in &done.report.plants {
        let point = points
            .iter()
            .find(|p| p.name == plant.point)
            .expect("known");
        for f in plant.start..plant.end {
            let at = world.at(f, point.point.index());
            most = most.max(at.distance(DVec3::from(plant.place)));
        }
    }
    most
}

fn largest_step_change(world: &WorldPoints, points: std::ops::Range<usize>) -> f64 {
    let mut most = 0.0_f64;
    for f in 1..world.frame_count() - 1 {
        for p in points.clone() {
            let (a, b, c) = (world.at(f - 1, p), world.at(f, p), world.at(f + 1, p));
            most = most.max(((c - b) - (b - a)).length());
        }
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn planted_points_do_not_move_and_planting_again_changes_nothing(
        slide in -0.12..0.12_f64, speed in 0.6..1.5_f64, rate in prop::sample::select(vec![30.0, 60.0, 120.0]),
        turn in -3.0..3.0_f64, far in -4000.0..4000.0_f64,
    ) {
        let clip = walking_clip(&Walker { slide, speed, rate_hz: rate, seconds: 4.0, ..Walker::default() });
        let clip = clip.moved(Planar::new(turn, far, 10.0));
        let once = planted(&clip);
        prop_assert!(!once.report.plants.is_empty());
        prop_assert!(once.report.worst_residual_m < 1e-5, "{}", once.report.worst_residual_m);
        prop_assert!(off(&clip, &once) < 1e-5, "off by {}", off(&clip, &once));
        let twice = planted(&once.clip);
        prop_assert!(apart(&once.clip, &twice.clip) < 1e-4, "moved by {}", apart(&once.clip, &twice.clip));
    }

    #[test]
    fn bones_keep_their_length_up_to_the_stretch_that_is_told(slide in -0.2..0.2_f64, rise in -0.02..0.02_f64) {
        let clip = walking_clip(&Walker { slide, rise, seconds: 4.0, ..Walker::default() });
        let done = planted(&clip);
        prop_assert!(done.report.stretch_max <= 1.03 + 1e-9);
        let world = fk::world_points(&done.clip);
        let skeleton = clip.skeleton();
        for f in 0..clip.frame_count() {
            for joint in skeleton.joints().skip(1) {
                let parent = skeleton.parent(joint).expect("not the root");
                let long = world.at(f, joint.index()).distance(world.at(f, parent.index()));
                let rest = f64::from(skeleton.bone_length(joint));
                prop_assert!(long > rest - 1e-5 && long < rest * done.report.stretch_max + 1e-5);
            }
        }
    }
}

#[test]
fn velocities_jump_no_more_than_they_did() {
    for rate in [30.0, 60.0, 120.0] {
        let clip = skating(0.08, rate);
        let done = planted(&clip);
        let (before, after) = (fk::world_points(&clip), fk::world_points(&done.clip));
        let legs = 1..9;
        let (was, is) = (
            largest_step_change(&before, legs.clone()),
            largest_step_change(&after, legs),
        );
        // The walker's feet land with a jerk; planting may add to steps what an easing of 8 cm/s does.
        assert!(
            is < 1.15 * was + 0.1 / rate,
            "{was} became {is} at {rate} Hz"
        );
    }
}

#[test]
fn the_performer_is_planted_already() {
    for rate in [30.0, 60.0, 120.0] {
        for take in performer::library(3, rate).expect("the library performs") {
            let done = planted(&take.clip);
            let (a, b) = (fk::world_points(&take.clip), fk::world_points(&done.clip));
            // One step of one take is longer than the leg, by less than a millimetre.
            let missed = off_in(&take.clip, &done);
            assert!(missed < 1e-3, "{} misses by {missed}", take.clip.name());
            let knees = Anatomy::of_clip(&take.clip)
                .both_legs()
                .expect("two legs")
                .map(|l| l.knee);
            for f in 0..a.frame_count() {
                for joint in take.clip.skeleton().joints() {
                    let moved = a.at(f, joint.index()).distance(b.at(f, joint.index()));
                    // From straight, the little by which the performer misses a step bends a knee by more.
                    let most = if knees.contains(&joint) {
                        0.015
                    } else {
                        5e-4 + 2.0 * missed
                    };
                    let name = take.clip.name();
                    assert!(
                        moved < most,
                        "{name} at {rate} Hz: {joint:?} by {moved} in {f}"
                    );
                }
            }
        }
    }
}

#[test]
fn without_contacts_nothing_changes_by_a_bit() {
    let clip = skating(0.1, 60.0);
    let none = ContactTrack::new(
        clip.contacts().expect("known").points().to_vec(),
        clip.frame_count(),
    );
    let done = plant_feet(&clip, Some(&none), &PlantOptions::default()).expect("has legs");
    assert_eq!(done.clip.root(), clip.root());
    assert_eq!(done.clip.rotations(), clip.rotations());
    assert_eq!(done.clip.translations(), clip.translations());
    assert!(done.report.plants.is_empty() && done.report.changed_frames == 0.0);
}

#[test]
fn frames_far_from_plants_keep_their_bits() {
    let clip = skating(0.1, 60.0);
    let mut track = ContactTrack::new(
        clip.contacts().expect("known").points().to_vec(),
        clip.frame_count(),
    );
    let first = clip.contacts().expect("known").plants(0)[1].clone();
    first.clone().for_each(|f| track.set(f, 0, true));
    let options = PlantOptions {
        lift_out_of_floor: false,
        ..PlantOptions::default()
    };
    let done = plant_feet(&clip, Some(&track), &options).expect("has legs");
    assert_eq!(done.report.plants.len(), 1);
    for f in (0..first.start - 40).chain(first.end + 40..clip.frame_count()) {
        assert_eq!(
            done.clip.frame_rotations(f),
            clip.frame_rotations(f),
            "frame {f}"
        );
        assert_eq!(done.clip.root()[f], clip.root()[f]);
    }
}

fn play(clip: &Clip, options: &PlantOptions) -> (Vec<DVec3>, Vec<Quat>, usize) {
    let track = clip.contacts().expect("known");
    let mut planter = OnlinePlanter::new(
        clip.skeleton().clone(),
        clip.rate_hz(),
        track.points(),
        options,
    )
    .expect("has legs");
    let (mut root, mut rotations) = (Vec::new(), Vec::new());
    let ahead = planter.look_ahead();
    for f in 0..clip.frame_count() {
        let frame = FrameIn {
            root: clip.root()[f],
            rotations: clip.frame_rotations(f),
            translations: &[],
            contacts: track.mask(f),
            in_transition: false,
        };
        let out = planter.push(frame).expect("fits");
        assert_eq!(out.is_some(), f >= ahead, "the delay is fixed");
        if let Some(out) = out {
            assert_eq!(out.frame, f - ahead);
            root.push(out.root);
            rotations.extend_from_slice(out.rotations);
        }
    }
    while let Some(out) = planter.drain() {
        root.push(out.root);
        rotations.extend_from_slice(out.rotations);
    }
    (root, rotations, ahead)
}

#[test]
fn playing_gives_what_planting_the_whole_gives() {
    for rate in [30.0, 60.0, 120.0] {
        let mut clips = vec![skating(0.07, rate), skating(-0.03, rate)];
        let takes = performer::library(5, rate).expect("the library performs");
        clips.extend(takes.into_iter().take(4).map(|t| t.clip));
        for clip in clips {
            let bounded = PlantOptions::for_play();
            let whole = plant_feet(&clip, None, &bounded).expect("feet");
            let options = PlantOptions {
                heights: Some(whole.heights.clone()),
                hinges: Some(whole.hinges),
                ..bounded
            };
            let (root, rotations, ahead) = play(&clip, &options);
            assert!((ahead as f64) < 1.0 * rate, "{ahead} frames at {rate} Hz");
            assert_eq!(root, whole.clip.root(), "{} at {rate}", clip.name());
            assert_eq!(
                rotations,
                whole.clip.rotations(),
                "{} at {rate}",
                clip.name()
            );
        }
    }
}

#[test]
fn a_foot_that_would_be_in_two_places_is_let_go_between_them() {
    // One long contact while the whole body slides 30 cm in half a second, as a blend of two motions would.
    let still = skating(0.0, 60.0);
    let mut parts = gaitway_core::edit::cut(&still, 0..120).into_parts();
    let joints = parts.skeleton.joint_count();
    let pose: Vec<Quat> = parts.rotations[..joints].to_vec();
    let at = parts.root[0];
    for f in 0..120 {
        let t = ((f as f64 - 45.0) / 30.0).clamp(0.0, 1.0);
        parts.root[f] = at + DVec3::X * 0.3 * t * t * (3.0 - 2.0 * t);
        parts.rotations[f * joints..(f + 1) * joints].copy_from_slice(&pose);
    }
    parts.contacts = None;
    let clip = parts.build().expect("finite");
    let mut track = ContactTrack::new(still.contacts().expect("known").points().to_vec(), 120);
    (0..120).for_each(|f| track.set_mask(f, 0b0011));
    let range = 45..75;
    let options = PlantOptions {
        transitions: vec![range],
        ..PlantOptions::default()
    };
    let done = plant_feet(&clip, Some(&track), &options).expect("has legs");
    let conflicts = done
        .report
        .skipped
        .iter()
        .filter(|s| s.reason == SkipReason::Conflict);
    assert!(conflicts.count() >= 2, "{:?}", done.report.skipped);
    let world = fk::world_points(&done.clip);
    let before = fk::world_points(&clip);
    let jump = largest_step_change(&world, 1..9);
    assert!(jump < largest_step_change(&before, 1..9) + 0.012, "{jump}");
    assert!(off(&clip, &done) < 5e-3, "{}", off(&clip, &done));
    assert!(apart(&clip, &done.clip) < 0.25);
}

#[test]
fn a_plant_that_goes_on_through_a_transition_is_one() {
    let clip = skating(0.03, 60.0);
    let mut track = clip.contacts().expect("known").clone();
    let plant = track.plants(0)[1].clone();
    let middle = plant.start + plant.len() / 2;
    // The blend loses contact for three frames.
    let blend = middle - 10..middle + 10;
    (middle..middle + 3).for_each(|f| track.set(f, 0, false));
    let options = PlantOptions {
        transitions: vec![blend],
        ..PlantOptions::default()
    };
    let done = plant_feet(&clip, Some(&track), &options).expect("has legs");
    let over = |p: &&gaitway_cleanup::EnforcedPlant| {
        p.point == "left_heel" && p.start < plant.end && p.end > plant.start
    };
    let held: Vec<_> = done.report.plants.iter().filter(over).collect();
    assert_eq!(held.len(), 1, "{held:?}");
    assert_eq!((held[0].start, held[0].end), (plant.start, plant.end));
}

#[test]
fn feet_do_not_sink() {
    let clip = skating(0.05, 60.0);
    let sunk = {
        let mut parts = clip.clone().into_parts();
        for (f, place) in parts.root.iter_mut().enumerate() {
            place.y -= 0.02 * (f as f64 / 9.0).sin().abs();
        }
        parts.build().expect("finite")
    };
    let done = planted(&sunk);
    let (world, track) = (
        fk::world_points(&done.clip),
        done.clip.contacts().expect("known"),
    );
    for f in 0..sunk.frame_count() {
        for (i, point) in track.points().iter().enumerate() {
            let (y, least) = (
                world.at(f, point.point.index()).y,
                done.heights.points[i][0],
            );
            let name = &point.name;
            assert!(y > least - 1e-4, "{name} is at {y} in {f}, not {least}");
        }
        let floor = done.heights.floors[0];
        let low = world
            .frame(f)
            .iter()
            .map(|p| p.y)
            .fold(f64::INFINITY, f64::min);
        assert!(low > floor - 1e-4, "{low} in frame {f}, floor {floor}");
    }
}

#[test]
fn toes_bend_up_from_the_floor() {
    let clip = skating(0.03, 60.0);
    let toes: Vec<_> = Anatomy::of_clip(&clip)
        .legs
        .map(|l| l.and_then(|l| l.toe).expect("toes"))
        .to_vec();
    // Toes that point down by a quarter of a radian for some steps.
    let mut parts = clip.clone().into_parts();
    let joints = parts.skeleton.joint_count();
    for f in 100..200 {
        for toe in &toes {
            parts.rotations[f * joints + toe.index()] *= Quat::from_rotation_x(0.25);
        }
    }
    let bent = parts.build().expect("finite");
    let done = planted(&bent);
    let floor = done.heights.floors[0];
    let (was, is) = (fk::world_points(&bent), fk::world_points(&done.clip));
    let track = done.clip.contacts().expect("known");
    let mut lifted = 0;
    for f in 0..bent.frame_count() {
        for (side, toe) in toes.iter().enumerate() {
            let mut sites = bent.skeleton().end_sites().iter();
            let site = sites.position(|s| s.parent == *toe);
            let tip = joints + site.expect("toes have tips");
            let (before, after) = (was.at(f, tip).y, is.at(f, tip).y);
            assert!(after > floor - 1e-4, "{after} in frame {f} over {floor}");
            let stands = track.mask(f) >> (2 * side + 1) & 1 == 1;
            lifted += usize::from(stands && after > before + 5e-3);
        }
    }
    assert!(lifted > 50, "{lifted}");
    assert!(apart(&done.clip, &planted(&done.clip).clip) < 1e-4);
}
