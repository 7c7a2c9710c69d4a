//! What every take keeps: plants, floor, knees, and random scripts with it.

use super::*;

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
