//! Scripts: seeds, what is reached, and what is refused.

use super::*;

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
                other => panic!("the standard takes have no {other:?}"),
            }
        }
    }
    assert!(items >= 10 && seats >= 4 && boxes >= 3);
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
