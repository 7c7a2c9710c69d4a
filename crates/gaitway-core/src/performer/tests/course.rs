//! The takes for plans: what they act upon, to the millimetre.

use super::*;
use crate::events::{EventKind, Usual, events_in};
use crate::performer::course::{PICK_HEIGHTS, PICK_REACHES};

fn performed() -> &'static [(PerformedClip, WorldPoints)] {
    static TAKES: OnceLock<Vec<(PerformedClip, WorldPoints)>> = OnceLock::new();
    TAKES.get_or_init(|| {
        let takes = course(1, 60.0).expect("60 Hz is a rate");
        let with = |t: PerformedClip| (fk::world_points(&t.clip), t);
        takes.into_iter().map(with).map(|(p, t)| (t, p)).collect()
    })
}

fn ahead(heading: f64) -> DVec3 {
    DVec3::new(heading.sin(), 0.0, heading.cos())
}

/// Points of feet and knees: what may touch a beam.
fn low_points(clip: &Clip) -> Vec<usize> {
    let sites = clip.joint_count();
    let legs = joint::LEG.iter().flat_map(|&l| l + 1..l + 4);
    legs.chain(sites + 3..sites + 7).collect()
}

#[test]
fn every_take_keeps_its_plants_its_floor_and_its_knees() {
    for (take, points) in performed() {
        check_body(take, points);
    }
}

#[test]
fn nothing_pops() {
    for (take, points) in performed() {
        let name = take.clip.name();
        let a = largest_acceleration(points, 60.0);
        let most = match name.split(['/', '_']).nth(1) {
            Some("gap") => 190.0,
            Some("beam" | "stones" | "box") => 110.0,
            _ => 90.0,
        };
        assert!(a < most, "{name}: {a} m/s²");
    }
}

#[test]
fn palms_are_where_things_are_to_a_millimetre() {
    let mut taken = Vec::new();
    let mut put = 0;
    for (take, points) in performed() {
        for prop in &take.truth.props {
            let (place, at_s, side) = match *prop {
                Prop::Item { place, at_s, side } => {
                    taken.push((side, place.y));
                    (place, at_s, side)
                }
                Prop::PutDown { place, at_s, side } => {
                    put += 1;
                    (place, at_s, side)
                }
                _ => continue,
            };
            let hand = joint::ARM[side.index()] + 3;
            let tip = take.clip.joint_count() + 1 + side.index();
            // The palm rests there for 0.22 s.
            for frame in (at_s * 60.0).ceil() as usize..((at_s + 0.2) * 60.0) as usize {
                let palm = 0.5 * (points.at(frame, hand) + points.at(frame, tip));
                let off = palm.distance(place);
                assert!(off < 1e-3, "{}: {off} m from {place}", take.clip.name());
            }
        }
    }
    assert_eq!(taken.len(), 2 * PICK_HEIGHTS.len() * PICK_REACHES.len());
    for side in [Side::Left, Side::Right] {
        for height in PICK_HEIGHTS {
            let of = |t: &&(Side, f64)| t.0 == side && (t.1 - height).abs() < 1e-9;
            assert_eq!(taken.iter().filter(of).count(), PICK_REACHES.len());
        }
    }
    assert_eq!(put, 8);
}

#[test]
fn seats_are_sat_on() {
    let mut heights = Vec::new();
    for (take, _) in performed() {
        for prop in &take.truth.props {
            let Prop::Seat { top, .. } = prop else {
                continue;
            };
            let seated = take.truth.moments.iter().find(|m| m.1 == "sit");
            let (at, _) = seated.expect("a moment");
            let frame = (at * 60.0).ceil() as usize + 12;
            let pelvis = take.clip.root()[frame];
            let off = pelvis.distance(*top + DVec3::Y * 0.1);
            assert!(off < 5e-3, "{}: {off} m", take.clip.name());
            heights.push(top.y);
        }
    }
    assert_eq!(heights.len(), 4);
}

#[test]
fn bars_are_passed_below_and_no_lower_than_need_be() {
    let mut bars = 0;
    for (take, points) in performed() {
        for prop in &take.truth.props {
            let Prop::Bar {
                place,
                heading,
                at_s,
            } = *prop
            else {
                continue;
            };
            bars += 1;
            let mut highest = 0.0_f64;
            for frame in 0..points.frame_count() {
                for p in points.frame(frame) {
                    if (*p - place).dot(ahead(heading)).abs() < 0.12 {
                        highest = highest.max(p.y);
                    }
                }
            }
            let air = place.y - highest;
            assert!((0.03..0.12).contains(&air), "{}: {air} m", take.clip.name());
            let frame = (at_s * 60.0).round() as usize;
            let hips = (take.clip.root()[frame] - place).dot(ahead(heading));
            assert!(hips.abs() < 0.02, "{}: {hips} m", take.clip.name());
        }
    }
    assert_eq!(bars, 3);
}

#[test]
fn beams_are_stepped_over_and_gaps_jumped() {
    let (mut beams, mut gaps) = (0, 0);
    for (take, points) in performed() {
        let name = take.clip.name();
        for prop in &take.truth.props {
            match *prop {
                Prop::Beam { top, half, heading } => {
                    beams += 1;
                    let low = low_points(&take.clip);
                    for frame in 0..points.frame_count() {
                        for &p in &low {
                            let p = points.at(frame, p);
                            let inside = (p - top).dot(ahead(heading)).abs() < half[1];
                            assert!(!inside || p.y > top.y + 0.01, "{name} frame {frame}: {p}");
                        }
                    }
                    // One foot on either side of it at some time, and both behind it in the end.
                    let along = |p: &Plant| (p.place - top).dot(ahead(heading));
                    assert!(take.truth.plants.iter().any(|p| along(p) < -half[1]));
                    assert!(take.truth.plants.iter().any(|p| along(p) > half[1]));
                }
                Prop::Gap {
                    middle,
                    half,
                    heading,
                } => {
                    gaps += 1;
                    let along = |p: DVec3| (p - middle).dot(ahead(heading)).abs();
                    for plant in &take.truth.plants {
                        assert!(along(plant.place) > half[1], "{name}: a foot in the gap");
                    }
                    // Heels and the tips of toes that are on the ground are off it too.
                    let sites = take.clip.joint_count();
                    for frame in 0..points.frame_count() {
                        for site in sites + 3..sites + 7 {
                            let p = points.at(frame, site);
                            assert!(p.y > 0.02 || along(p) > half[1], "{name} frame {frame}");
                        }
                    }
                    assert_eq!(take.truth.flights.len(), 1);
                    let (off, land) = take.truth.flights[0];
                    assert!((0.3..0.75).contains(&(land - off)), "{name}");
                }
                _ => {}
            }
        }
    }
    assert_eq!((beams, gaps), (3, 4));
}

#[test]
fn stones_and_boxes_bear_the_feet() {
    let mut tops = 0;
    for (take, _) in performed() {
        for prop in &take.truth.props {
            let Prop::Box { top, half, heading } = *prop else {
                continue;
            };
            tops += 1;
            let on = |p: &&Plant| {
                let from = p.place - top;
                let along = from.dot(ahead(heading));
                let across = from.dot(DVec3::Y.cross(ahead(heading)));
                // The ball is 15 mm above its sole.
                (-1e-3..0.02).contains(&from.y) && along.abs() <= half[1] && across.abs() <= half[0]
            };
            assert!(take.truth.plants.iter().filter(on).count() >= 2);
        }
    }
    assert_eq!(tops, 3 + 4 + 4 + 5);
}

#[test]
fn what_is_done_stands_in_the_labels() {
    let takes = performed();
    let usual = Usual::of(takes.iter().map(|t| &t.0.clip));
    for (label, kind, count) in [
        ("pick-up", EventKind::PickUp, 24),
        ("put", EventKind::PickUp, 8),
        ("sit", EventKind::Sit, 4),
        ("duck", EventKind::Duck, 3),
        ("step-over", EventKind::StepOver, 3),
        ("jump", EventKind::Jump, 4),
    ] {
        let mut found = 0;
        for (take, _) in takes {
            let clip = &take.clip;
            for event in events_in(clip, 0..clip.frame_count(), label, &usual) {
                if clip.labels().moments().iter().any(|m| m.label == label) {
                    assert!(event.given && event.kind == kind, "{event:?}");
                    found += 1;
                }
            }
        }
        assert_eq!(found, count, "{label}");
    }
    let seconds: f64 = takes.iter().map(|(t, _)| t.clip.seconds()).sum();
    assert!((500.0..700.0).contains(&seconds), "{seconds} s");
    // Walks between are walks.
    for (take, _) in takes {
        if let Some(speed) = take.truth.speed("walk") {
            assert!((0.6..1.5).contains(&speed), "{}: {speed}", take.clip.name());
        }
    }
}

#[test]
fn random_obstacles_are_passed_too() {
    let mut rng = rng::Rng::named(18, "random obstacles");
    for n in 0..24 {
        let side = if rng.coin() { Side::Left } else { Side::Right };
        let thing = [
            rng.range(0.05, 1.65),
            rng.range(0.3, 0.58),
            rng.range(0.0, 0.6),
        ];
        let [height, reach, aside] = thing;
        let moves = vec![
            Move::Take {
                side,
                height,
                reach,
                bearing: aside * body::sign(side.index()),
            },
            Move::DuckUnder {
                height: rng.range(1.1, 1.5),
            },
            Move::StepOver {
                height: rng.range(0.08, 0.36),
            },
            Move::LeapOver {
                gap: rng.range(0.2, 1.1),
            },
            Move::Stones {
                count: 1 + (rng.unit() * 5.0) as usize,
                spacing: rng.range(0.38, 0.66),
                height: rng.range(0.05, 0.3),
            },
        ];
        let script = Script::new(format!("random {n}"), moves);
        let take = Performer::new(n).perform(&script).expect("within ranges");
        let points = fk::world_points(&take.clip);
        check_body(&take, &points);
        for prop in &take.truth.props {
            if let Prop::Item { place, at_s, side } = *prop {
                let hand = joint::ARM[side.index()] + 3;
                let tip = take.clip.joint_count() + 1 + side.index();
                let frame = (at_s * 60.0).ceil() as usize;
                let palm = 0.5 * (points.at(frame, hand) + points.at(frame, tip));
                assert!(palm.distance(place) < 1e-3, "{thing:?}: {palm} {place}");
            }
        }
    }
}
