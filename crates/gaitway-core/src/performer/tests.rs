//! The standard takes and random scripts, held against what the plan says and what a body can do.

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

#[test]
fn every_take_keeps_its_plants_its_floor_and_its_knees() {
    for (take, points) in takes() {
        check_body(take, points);
    }
}

#[test]
fn random_scripts_keep_them_too() {
    let mut rng = rng::Rng::named(11, "random scripts");
    for n in 0..40 {
        let moves: Vec<Move> = (0..6).map(|_| random_move(&mut rng)).collect();
        let script = Script::new(format!("random {n}"), moves);
        let take = Performer::new(n)
            .perform(&script)
            .expect("moves within their ranges");
        assert!(take.clip.frame_count() > 10);
        let points = fk::world_points(&take.clip);
        let worst = worst_plant(&take, &points);
        assert!(
            worst < 1e-6,
            "{script:?}: a planted point moves by {worst:e} m"
        );
        let lowest = points
            .places()
            .iter()
            .map(|p| p.y)
            .fold(f64::INFINITY, f64::min);
        assert!(lowest > -1e-3, "{script:?}: {lowest} m below the floor");
        for pair in knees(&take.clip) {
            assert!(
                pair.iter().all(|k| (1.0..165.0).contains(k)),
                "{script:?}: knees {pair:?}"
            );
        }
    }
}

fn random_move(rng: &mut rng::Rng) -> Move {
    let side = if rng.coin() { Side::Left } else { Side::Right };
    let steps = 1 + (rng.unit() * 6.0) as usize;
    let turn = rng.range(-0.3, 0.3) * steps as f64;
    match (rng.unit() * 12.0) as usize {
        0 => Move::Idle {
            seconds: rng.range(0.2, 3.0),
        },
        1 => {
            let step_length = rng.coin().then(|| rng.range(0.35, 0.8));
            Move::Walk {
                steps,
                speed: rng.range(0.6, 1.8),
                step_length,
                turn,
            }
        }
        2 => Move::Run {
            steps,
            speed: rng.range(2.0, 4.0),
            turn: 0.5 * turn,
        },
        3 => Move::Sneak {
            steps,
            speed: rng.range(0.4, 0.9),
            turn,
        },
        4 => Move::Duck {
            steps,
            depth: rng.range(0.1, 0.42),
        },
        5 => Move::Turn {
            angle: rng.range(-3.3, 3.3),
        },
        6 => Move::Jump {
            forward: rng.range(0.0, 1.1),
            height: rng.range(0.08, 0.35),
        },
        7 => Move::StepOnto {
            height: rng.range(0.1, 0.38),
        },
        8 => {
            let aside = rng.range(0.0, 0.35) * body::sign(side.index());
            Move::PickUp {
                side,
                height: rng.range(0.06, 1.3),
                reach: rng.range(0.3, 0.55),
                aside,
            }
        }
        9 => Move::Sit {
            height: rng.range(0.36, 0.62),
            seconds: rng.range(0.5, 2.0),
        },
        10 => Move::Punch { side },
        _ => Move::Kick {
            side,
            height: rng.range(0.5, 1.0),
        },
    }
}

#[test]
fn the_body_is_whole_and_known() {
    let skeleton = skeleton();
    assert!(skeleton.joint_count() >= 20);
    assert_eq!(skeleton.joint_count(), joint::COUNT);
    let anatomy = Anatomy::of(&skeleton);
    let [left, right] = anatomy.both_legs().expect("two legs");
    assert_eq!(skeleton.name(left.ankle), "LeftFoot");
    assert_eq!(right.toe.map(|t| skeleton.name(t)), Some("RightToeBase"));
    assert!(anatomy.both_arms().is_some() && anatomy.head.is_some());
    assert_eq!(body::contact_points(&skeleton).len(), 4);
    for (take, points) in takes().iter().take(3) {
        assert_eq!(take.clip.skeleton().as_ref(), skeleton.as_ref());
        for joint in skeleton.joints().skip(1) {
            let parent = skeleton.parent(joint).map_or(0, |p| p.index());
            let bone = points.at(20, joint.index()).distance(points.at(20, parent));
            assert!((bone - f64::from(skeleton.bone_length(joint))).abs() < 1e-6);
        }
    }
}

#[test]
fn the_library_is_long_labelled_and_never_mute() {
    let seconds: f64 = takes().iter().map(|(t, _)| t.clip.seconds()).sum();
    assert!(seconds > 300.0, "{seconds} s");
    let has = |label: &str| {
        let spans = |t: &PerformedClip| t.clip.labels().spans().iter().any(|s| s.label == label);
        takes().iter().any(|(t, _)| spans(t))
    };
    for label in [
        "idle",
        "walk",
        "run",
        "sneak",
        "jump",
        "duck",
        "step",
        "pick-up",
        "sit",
        "punch",
        "kick",
        "martial",
        "turn-left",
        "turn-right",
        "start",
        "stop",
    ] {
        assert!(has(label), "nothing is labelled {label}");
    }
    for (take, _) in takes() {
        for frame in 0..take.clip.frame_count() {
            let count = take.clip.labels().at(frame).count();
            assert!(count > 0, "{} frame {frame} has no label", take.clip.name());
        }
    }
    let curve = takes()
        .iter()
        .find(|(t, _)| t.clip.name().contains("walk_left_middle"));
    let labels: Vec<&str> = curve
        .expect("in the library")
        .0
        .clip
        .labels()
        .at(300)
        .collect();
    assert!(
        labels.contains(&"walk") && labels.contains(&"turn-left"),
        "{labels:?}"
    );
}

#[test]
fn contacts_are_those_of_a_gait() {
    let take = perform(&[Move::walk(20, 1.3)], 60.0);
    let contacts = take.clip.contacts().expect("contacts");
    let last = contacts.frame_count();
    assert!(
        (0..last).all(|f| contacts.mask(f) != 0),
        "a walk never flies"
    );
    for point in 0..4 {
        assert!(
            contacts.plants(point).len() >= 9,
            "each point lands in each stride"
        );
    }
    // Both feet stand about a fifth to a third of the time.
    let both = (120..last).filter(|&f| contacts.mask(f) & 3 != 0 && contacts.mask(f) & 12 != 0);
    let share = both.count() as f64 / (last - 120) as f64;
    assert!((0.12..0.4).contains(&share), "{share}");
    let run = perform(&[Move::run(20, 3.2)], 60.0);
    let flying = run
        .clip
        .contacts()
        .expect("contacts")
        .masks()
        .iter()
        .filter(|&&m| m == 0)
        .count();
    let share = flying as f64 / run.clip.frame_count() as f64;
    assert!((0.15..0.4).contains(&share), "{share}");
}

#[test]
fn steps_and_speeds_are_as_told() {
    for (moves, gait, asked) in [
        (vec![Move::walk(40, 1.35)], "walk", 1.35),
        (vec![Move::walk(40, 0.8)], "walk", 0.8),
        (vec![Move::run(40, 3.1)], "run", 3.1),
        (vec![Move::sneak(40)], "sneak", 0.62),
    ] {
        let take = perform(&moves, 60.0);
        let steps: Vec<&Step> = take.truth.steps.iter().filter(|s| s.gait == gait).collect();
        let steady = &steps[4..36];
        let (way, time) = steady
            .iter()
            .fold((0.0, 0.0), |(w, t), s| (w + s.length, t + s.duration_s));
        assert!(
            (way / time - asked).abs() < 0.03 * asked,
            "{gait}: {} of {asked}",
            way / time
        );
        // Where the hips really were at both ends of those steps.
        let at = |t: f64| take.clip.root()[(t * 60.0).round() as usize];
        let (a, b) = (at(steps[3].strike_s), at(steps[35].strike_s));
        let travelled = DVec3::new(b.x - a.x, 0.0, b.z - a.z).length();
        assert!(
            (travelled - way).abs() < 0.03 * way,
            "{gait}: {travelled} of {way} m"
        );
        // A step's length is the distance between the plants, along the heading.
        for pair in steady.windows(2) {
            let forward = DVec3::new(pair[1].heading.sin(), 0.0, pair[1].heading.cos());
            let apart = (pair[1].place - pair[0].place).dot(forward);
            assert!(
                (apart - pair[1].length).abs() < 0.01,
                "{apart} of {}",
                pair[1].length
            );
        }
    }
}

#[test]
fn flights_fall() {
    let mut flights = 0;
    for (take, _) in takes() {
        let rate = take.clip.rate_hz();
        for &(off, strike) in &take.truth.flights {
            let (first, last) = (
                (off * rate).ceil() as usize,
                (strike * rate).floor() as usize,
            );
            for f in first + 1..last.min(take.clip.frame_count() - 1) {
                let y = |i: usize| take.clip.root()[i].y;
                let a = (y(f + 1) - 2.0 * y(f) + y(f - 1)) * rate * rate;
                assert!(
                    (a + 9.81).abs() < 0.1,
                    "{} frame {f}: {a} m/s²",
                    take.clip.name()
                );
                assert_eq!(take.clip.contacts().expect("contacts").mask(f), 0);
                flights += 1;
            }
        }
    }
    assert!(flights > 200);
}

#[test]
fn motion_is_smooth() {
    // m/s², of the hardest point: knees and toes about strikes.
    let bounds = [
        ("idle", 5.0),
        ("sit", 20.0),
        ("pick_up", 40.0),
        ("sneak_0", 60.0),
        ("walk_slow", 70.0),
        ("walk_normal", 80.0),
        ("walk_left", 80.0),
        ("walk_turns", 90.0),
        ("walk_duck", 90.0),
        ("walk_box", 90.0),
        ("walk_fast", 110.0),
        ("jump", 160.0),
        ("punch", 180.0),
        ("run_0", 160.0),
        ("run_fast", 220.0),
        ("kick", 220.0),
    ];
    for (name, bound) in bounds {
        let mut found = false;
        for (take, points) in takes() {
            if take.clip.name().starts_with(&format!("performer/{name}")) {
                let a = largest_acceleration(points, 60.0);
                assert!(a < bound, "{}: {a} m/s²", take.clip.name());
                found = true;
            }
        }
        assert!(found, "no take is called {name}");
    }
}

#[test]
fn no_point_jumps_in_speed() {
    // A jump in speed shows as an acceleration that grows with the rate: 1 m/s would be 240 m/s² at 240 Hz.
    let moves = [
        Move::walk(5, 1.3),
        Move::run(5, 3.0),
        Move::pick_up(Side::Left, 0.5),
    ];
    let take = perform(&moves, 240.0);
    let a = largest_acceleration(&fk::world_points(&take.clip), 240.0);
    assert!(a < 240.0, "{a} m/s²");
}

#[test]
fn the_same_seed_gives_the_same_take_and_another_one_differs() {
    let script = &library_scripts()[1];
    let one = Performer::new(5).perform(script).expect("valid");
    let two = Performer::new(5).perform(script).expect("valid");
    assert_eq!(one, two);
    let other = Performer::new(6).perform(script).expect("valid");
    assert_ne!(one.truth, other.truth);
    let strides: Vec<f64> = one.truth.steps.iter().skip(3).map(|s| s.length).collect();
    let (low, high) = strides
        .iter()
        .take(10)
        .fold((9.0_f64, 0.0_f64), |(l, h), &s| (l.min(s), h.max(s)));
    assert!(
        high - low > 0.005 && high - low < 0.1,
        "strides vary like a person's: {low} to {high}"
    );
}

#[test]
fn rates_agree_at_common_times() {
    let moves = [
        Move::walk(5, 1.3),
        Move::Jump {
            forward: 0.3,
            height: 0.2,
        },
    ];
    let (slow, fast) = (perform(&moves, 60.0), perform(&moves, 120.0));
    for f in 0..slow.clip.frame_count() {
        assert_eq!(slow.clip.root()[f], fast.clip.root()[2 * f]);
        assert_eq!(
            slow.clip.frame_rotations(f),
            fast.clip.frame_rotations(2 * f)
        );
    }
    assert_eq!(slow.truth, fast.truth);
}

#[test]
fn hands_seats_and_boxes_are_reached() {
    let (mut items, mut seats, mut boxes) = (0, 0, 0);
    for (take, points) in takes() {
        for prop in &take.truth.props {
            match prop {
                Prop::Item { place, at_s, side } => {
                    let hand = joint::ARM[side.index()] + 3;
                    let frame = (at_s * 60.0).ceil() as usize;
                    let tip = take.clip.joint_count() + 1 + side.index();
                    let palm = 0.5 * (points.at(frame, hand) + points.at(frame, tip));
                    let off = palm.distance(*place);
                    assert!(
                        off < 0.03,
                        "{}: {off} m from the item at {place}",
                        take.clip.name()
                    );
                    items += 1;
                }
                Prop::Seat { top, .. } => {
                    let low = take
                        .clip
                        .root()
                        .iter()
                        .map(|p| p.y)
                        .fold(f64::INFINITY, f64::min);
                    let near = |p: &&DVec3| (p.x - top.x).hypot(p.z - top.z) < 0.02;
                    let seated = take.clip.root().iter().filter(near);
                    assert!(seated.count() > 60, "{}: not on the seat", take.clip.name());
                    assert!(
                        low < top.y + 0.11 && low > 0.4,
                        "{}: {low} m",
                        take.clip.name()
                    );
                    seats += 1;
                }
                Prop::Box { top, half, .. } => {
                    let on = |p: &&Plant| (p.place.y - top.y).abs() < 0.03;
                    let plants: Vec<&Plant> = take.truth.plants.iter().filter(on).collect();
                    assert!(plants.len() >= 4);
                    let reach = half[0].hypot(half[1]) + 0.02;
                    assert!(plants.iter().all(|p| (p.place - *top).length() < reach));
                    boxes += 1;
                }
            }
        }
    }
    assert!(items >= 10 && seats >= 4 && boxes >= 3);
}

#[test]
fn arms_swing_against_legs_and_the_head_stays_level() {
    let take = perform(&[Move::walk(16, 1.4)], 60.0);
    let points = fk::world_points(&take.clip);
    let frames = 150..points.frame_count() - 60;
    let ahead = |f: usize, l: usize, r: usize| points.at(f, l).z - points.at(f, r).z;
    let product: f64 = frames
        .clone()
        .map(|f| {
            ahead(f, joint::ARM[0] + 3, joint::ARM[1] + 3)
                * ahead(f, joint::LEG[0] + 2, joint::LEG[1] + 2)
        })
        .sum();
    assert!(product < -1.0, "{product}");
    let world = fk::world_rotations(&take.clip);
    for f in frames {
        let up = world[f * joint::COUNT + joint::HEAD] * Vec3::Y;
        assert!(up.y > 0.97, "frame {f}: the head's up is {up}");
    }
}

#[test]
fn impossible_scripts_are_refused() {
    let refuse = |script: Script| {
        Performer::new(1)
            .perform(&script)
            .expect_err("out of range")
    };
    assert_eq!(refuse(Script::new("none", [])), PerformError::Empty);
    assert!(matches!(
        refuse(Script::new("r", [Move::Stop]).at_rate(f64::NAN)),
        PerformError::Rate(_)
    ));
    for bad in [
        Move::walk(0, 1.3),
        Move::walk(5, f64::NAN),
        Move::run(5, 30.0),
        Move::Idle {
            seconds: f64::INFINITY,
        },
        Move::Walk {
            steps: 2,
            speed: 1.0,
            step_length: None,
            turn: 9.0,
        },
        Move::Kick {
            side: Side::Left,
            height: -1.0,
        },
    ] {
        let error = refuse(Script::new("bad", [Move::Stop, bad]));
        assert!(
            matches!(error, PerformError::Move { index: 1, .. }),
            "{error}"
        );
    }
    let long = vec![Move::Idle { seconds: 600.0 }; 7];
    assert!(matches!(
        refuse(Script::new("long", long)),
        PerformError::TooLong { .. }
    ));
}
