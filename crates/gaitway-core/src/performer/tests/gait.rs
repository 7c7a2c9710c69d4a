//! Contacts, steps, flights and arms of the gaits.

use super::*;

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
