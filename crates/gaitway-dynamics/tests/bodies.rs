//! Masses on many rigs, and whole motions with their forces.

use std::sync::Arc;

use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::mirror::{MirrorMap, Mirrored};
use gaitway_core::performer::{Move, PerformedClip, Performer, Script};
use gaitway_core::{Clip, PoseSource, Skeleton, ground, source, testing};
use gaitway_dynamics::{
    CostKind, CostOptions, CostTrack, ForceReader, GRAVITY, MassBody, MassError, MassOptions,
    Moment, Sex, Smoothing, ground::FRICTION,
};
use gaitway_io::{ReadOptions, read_file};
use glam::{DQuat, DVec3, Quat, Vec3};

fn perform(moves: &[Move]) -> PerformedClip {
    let script = Script::new("test", moves);
    Performer::new(3).perform(&script).expect("a valid script")
}

fn person(clip: &Clip) -> MassBody {
    MassBody::of_clip(clip, &MassOptions::default()).expect("a person")
}

fn moments(clip: &dyn PoseSource, body: &MassBody) -> Vec<Moment> {
    let mut reader = ForceReader::new(clip, body, Smoothing::default());
    (0..clip.frame_count())
        .map(|f| reader.read(f as f64))
        .collect()
}

#[test]
fn the_performer_weighs_what_people_of_his_height_do() {
    let take = perform(&[Move::Idle { seconds: 1.0 }]);
    let body = person(&take.clip);
    assert!(body.notes.is_empty(), "{:?}", body.notes);
    assert!((body.stature - 1.75).abs() < 0.05, "{}", body.stature);
    assert!((body.mass - 22.3 * body.stature * body.stature).abs() < 0.5);
    let given = MassOptions {
        sex: Sex::Male,
        stature: Some(1.9),
        mass: Some(90.0),
    };
    let other = MassBody::of_clip(&take.clip, &given).expect("a person");
    assert!((other.mass - 90.0).abs() < 1e-9 && other.stature == 1.9);
    // The thigh's share and centre are the table's.
    let thigh = take.clip.skeleton().find("LeftUpLeg").expect("a thigh");
    let part = other.parts[thigh.index()];
    assert!((part.mass - 0.1416 * 90.0).abs() < 1e-9);
    assert!(part.centre.distance(DVec3::new(0.0, -0.4095 * 0.42, 0.0)) < 1e-6);
    // Standing, the centre of mass is at 0.53 to 0.58 of the height.
    let all = moments(&take.clip, &body);
    let part = all[30].centre.y / body.stature;
    assert!((0.53..0.58).contains(&part), "{part}");
}

#[test]
fn who_stands_is_carried_by_both_feet() {
    let take = perform(&[Move::Idle { seconds: 2.0 }]);
    let body = person(&take.clip);
    for moment in moments(&take.clip, &body).iter().skip(20).take(60) {
        assert!((moment.weights(&body) - 1.0).abs() < 0.02);
        assert!(moment.ground.residual_force.length() < 0.5);
        assert!(moment.ground.residual_moment.length() < 0.5);
        for push in &moment.ground.pushes {
            assert!(push.force.y > 0.0);
            let most = FRICTION * push.force.y + 1e-9;
            assert!(push.force.x.abs() + push.force.z.abs() <= most);
        }
        // The pressure is below the centre of mass but for what speeds it up: p = c − h a / (g + a_y).
        let a = moment.centre_acceleration;
        let over = moment.ground.centre_of_pressure().expect("feet") - moment.centre;
        let swayed = over - a * (over.y / (GRAVITY + a.y));
        assert!(swayed.with_y(0.0).length() < 0.005, "{swayed}");
    }
}

#[test]
fn a_thrown_body_misses_nothing() {
    // One pose, thrown: it falls and keeps turning about the vertical through its centre of mass.
    let take = perform(&[Move::walk(4, 1.3)]);
    let body = person(&take.clip);
    let skeleton = take.clip.skeleton().clone();
    let pose = take.clip.frame_rotations(70).to_vec();
    let throw = |t: f64| DVec3::new(0.4 * t, 1.2 + 2.0 * t - 0.5 * GRAVITY * t * t, 1.1 * t);
    let root = (0..60).map(|f| throw(f as f64 / 120.0)).collect();
    let clip = Clip::new("thrown", skeleton, 120.0, root, pose.repeat(60)).expect("a clip");
    for moment in moments(&clip, &body) {
        assert!(moment.flies());
        let weight = body.mass * GRAVITY;
        assert!(moment.ground.residual_force.length() < 1e-6 * weight);
        assert!(moment.ground.residual_moment.length() < 1e-6 * weight);
        assert!(moment.squared_torque < 1e-6, "{}", moment.squared_torque);
        assert!((moment.centre_acceleration.y + GRAVITY).abs() < 1e-6);
    }
}

#[test]
fn whoever_starts_and_ends_at_rest_was_carried_all_the_while() {
    let take = perform(&[
        Move::Idle { seconds: 0.6 },
        Move::Jump {
            forward: 0.6,
            height: 0.3,
        },
        Move::Idle { seconds: 0.6 },
    ]);
    let body = person(&take.clip);
    let all = moments(&take.clip, &body);
    // Momentum: over the whole take force is the weight.
    let weight = body.mass * GRAVITY;
    let up = |m: &Moment| (m.ground.force().y + m.ground.residual_force.y) / weight;
    let mean = all.iter().map(up).sum::<f64>() / all.len() as f64;
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
    let most = all.iter().map(|m| m.weights(&body)).fold(0.0, f64::max);
    assert!((1.8..5.0).contains(&most), "{most}");
}

#[test]
fn walks_push_twice_a_step() {
    let take = perform(&[Move::walk(12, 1.4), Move::Stop]);
    let body = person(&take.clip);
    let all = moments(&take.clip, &body);
    let up: Vec<f64> = all.iter().map(|m| m.weights(&body)).collect();
    let mean = up.iter().sum::<f64>() / up.len() as f64;
    assert!((mean - 1.0).abs() < 0.02, "{mean}");
    let most = up.iter().copied().fold(0.0, f64::max);
    assert!((1.05..1.8).contains(&most), "{most}");
    let missing = all.iter().map(|m| m.ground.residual_force.length());
    let missing = missing.fold(0.0, f64::max) / (body.mass * GRAVITY);
    assert!(missing < 0.1, "{missing}");
}

#[test]
fn costs_do_not_know_where_and_in_which_mirror() {
    let take = perform(&[Move::walk(8, 1.3), Move::Stop]);
    let clip = &take.clip;
    let body = person(clip);
    let cost =
        |clip: &Clip, body: &MassBody| CostTrack::new(clip, body, &CostOptions::default()).total();
    let here = cost(clip, &body);
    let turn = DQuat::from_rotation_y(2.1);
    let root = clip
        .root()
        .iter()
        .map(|p| turn * *p + DVec3::new(900.0, 0.0, -70.0));
    let joints = clip.joint_count();
    let mut rotations: Vec<Quat> = clip.rotations().to_vec();
    for f in 0..clip.frame_count() {
        rotations[f * joints] = (turn.as_quat() * rotations[f * joints]).normalize();
    }
    let moved = Clip::new(
        "moved",
        clip.skeleton().clone(),
        60.0,
        root.collect(),
        rotations,
    )
    .and_then(|c| c.with_contacts(clip.contacts().cloned()))
    .expect("a clip");
    let there = cost(&moved, &body);
    assert!((there / here - 1.0).abs() < 1e-3, "{here} {there}");
    let map = Arc::new(MirrorMap::new(clip.skeleton(), &[clip]));
    let mirrored = source::bake(&Mirrored::new(Arc::new(clip.clone()), map), "m").expect("a clip");
    let other = cost(&mirrored, &body);
    assert!((other / here - 1.0).abs() < 2e-3, "{here} {other}");
}

#[test]
fn costs_add_up_and_go_by_their_names() {
    let take = perform(&[Move::walk(8, 1.3), Move::Stop, Move::Idle { seconds: 1.0 }]);
    let body = person(&take.clip);
    for name in ["torque", "acceleration", "time", "distance", "labels:walk"] {
        let kind = CostKind::from_name(name).expect("a name");
        assert!(name.starts_with(kind.name()) && CostKind::NAMES.contains(&kind.name()));
        let track = CostTrack::new(&take.clip, &body, &CostOptions::of(kind));
        let last = (take.clip.frame_count() - 1) as f64;
        let sum =
            track.between(0.0, 31.7) + track.between(31.7, 160.0) + track.between(160.0, last);
        assert!((sum - track.total()).abs() < 1e-9 * track.total(), "{name}");
        assert!(track.total() > 0.0);
        let seconds = last / 60.0;
        match name {
            "time" => assert!((track.total() - seconds).abs() < 1e-9),
            "distance" => {
                let way = take.clip.root()[0].distance(take.clip.root()[last as usize]);
                assert!((track.total() / way - 1.0).abs() < 0.05);
            }
            "labels:walk" => assert!(track.total() < 0.7 * seconds),
            _ => {}
        }
    }
    assert_eq!(CostKind::from_name("labels:"), None);
    assert_eq!(CostKind::from_name("money"), None);
}

#[test]
fn played_slowly_a_motion_costs_what_standing_so_does() {
    // Without speed only weight is left: at a tenth of the rate squared torque is that of the poses, and slower still changes nothing.
    let take = perform(&[Move::walk(6, 1.4), Move::Stop]);
    let body = person(&take.clip);
    let mean = |by: f64| {
        let clip = take.clip.clone();
        let slow = Clip::new(
            "slow",
            clip.skeleton().clone(),
            60.0 / by,
            clip.root().to_vec(),
            clip.rotations().to_vec(),
        )
        .and_then(|c| c.with_contacts(clip.contacts().cloned()))
        .expect("a clip");
        let all = moments(&slow, &body);
        all.iter().map(|m| m.squared_torque).sum::<f64>() / all.len() as f64
    };
    let (slow, slower) = (mean(10.0), mean(20.0));
    assert!((slower / slow - 1.0).abs() < 0.02, "{slow} {slower}");
}

#[test]
fn what_is_no_person_is_refused() {
    let mut chain = Skeleton::builder();
    let mut last = chain.root("a", Vec3::ZERO);
    for name in ["b", "c", "d"] {
        last = chain.joint(name, last, Vec3::Y);
    }
    let skeleton = chain.build().expect("a tree").shared();
    let clip = Clip::new(
        "x",
        skeleton,
        30.0,
        vec![DVec3::ZERO],
        vec![Quat::IDENTITY; 4],
    );
    let found = MassBody::of_clip(&clip.expect("a clip"), &MassOptions::default());
    assert!(
        matches!(found, Err(MassError::NoPerson { .. })),
        "{found:?}"
    );
    let take = perform(&[Move::Idle { seconds: 0.5 }]);
    for (stature, mass) in [
        (Some(f64::NAN), None),
        (Some(30.0), None),
        (None, Some(-1.0)),
    ] {
        let options = MassOptions {
            stature,
            mass,
            ..MassOptions::default()
        };
        let found = MassBody::of_clip(&take.clip, &options);
        assert!(
            matches!(found, Err(MassError::OutOfRange { .. })),
            "{found:?}"
        );
    }
}

#[test]
fn what_a_rig_lacks_is_told_and_weighs_all_the_same() {
    let clip = testing::swinging_clip("small", 30, 30.0);
    let body = person(&clip);
    assert!((body.mass - 22.3 * body.stature * body.stature).abs() < 0.5);
    let said = body.notes.join("; ");
    for word in ["head", "forearm", "hand"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    for frame in moments(&clip, &body) {
        assert!(frame.squared_torque.is_finite() && frame.centre.is_finite());
    }
}

#[test]
fn many_rigs_have_the_same_people_in_them() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    for file in [
        "cmu-bvh/16/16_15.bvh",
        "lafan1-bvh/walk4_subject1.bvh",
        "bandai-namco-bvh/dataset-1_walk_normal_001.bvh",
        "pfnn-bvh/LocomotionFlat04_000.bvh",
        "gltf/CesiumMan.glb",
    ] {
        let path = data.join(file);
        let import = read_file(&path, &ReadOptions::default())
            .expect("a clip")
            .remove(0);
        let clip = ground::travel_to_root(&import.clip);
        let body = person(&clip);
        assert!(
            (1.1..2.2).contains(&body.stature),
            "{file}: {} m",
            body.stature
        );
        let sum: f64 = body.parts.iter().map(|p| p.mass).sum();
        let wanted = 22.3 * body.stature * body.stature;
        assert!((sum / wanted - 1.0).abs() < 0.01, "{file}: {sum} kg");
        // Left and right weigh the same.
        let map = MirrorMap::new(clip.skeleton(), &[&clip]);
        for (l, r) in map.pairs() {
            let (l, r) = (body.parts[l.index()].mass, body.parts[r.index()].mass);
            assert!((l - r).abs() < 0.02 * body.mass, "{file}: {l} {r}");
        }
        let Ok(found) = detect(&clip, &ContactOptions::default()) else {
            continue;
        };
        let clip = clip.with_contacts(Some(found.track)).expect("it fits");
        let mut reader = ForceReader::new(&clip, &body, Smoothing::default());
        let frames: Vec<usize> = (0..clip.frame_count().min(900)).step_by(3).collect();
        let all: Vec<Moment> = frames.iter().map(|&f| reader.read(f as f64)).collect();
        assert!(all.iter().all(|m| m.squared_torque.is_finite()), "{file}");
        let standing: Vec<f64> = all
            .iter()
            .filter(|m| !m.flies())
            .map(|m| m.weights(&body))
            .collect();
        let mean = standing.iter().sum::<f64>() / standing.len().max(1) as f64;
        assert!((0.8..1.2).contains(&mean), "{file}: {mean} weights");
    }
}

#[test]
fn captured_walks_have_two_humps_and_captured_jumps_fall() {
    let Some(data) = testing::data_dir() else {
        return;
    };
    let read = |file: &str| {
        let import = read_file(&data.join(file), &ReadOptions::default());
        let clip = ground::travel_to_root(&import.expect("a clip").remove(0).clip);
        let found = detect(&clip, &ContactOptions::default()).expect("feet");
        clip.with_contacts(Some(found.track)).expect("it fits")
    };
    let jump = read("cmu-bvh/16/16_01.bvh");
    let body = person(&jump);
    let all = moments(&jump, &body);
    let margin = (0.09 * jump.rate_hz()).ceil() as usize;
    let inside: Vec<&Moment> = (margin..all.len() - margin)
        .filter(|&f| all[f - margin..=f + margin].iter().all(Moment::flies))
        .map(|f| &all[f])
        .collect();
    assert!(inside.len() > 10, "{}", inside.len());
    let fall = inside.iter().map(|m| m.centre_acceleration.y).sum::<f64>() / inside.len() as f64;
    assert!((-10.8..-8.5).contains(&fall), "{fall}");
    let walk = read("cmu-bvh/16/16_15.bvh");
    let all = moments(&walk, &person(&walk));
    let up: Vec<f64> = all.iter().map(|m| m.weights(&body)).collect();
    let mean = up.iter().sum::<f64>() / up.len() as f64;
    assert!((0.94..1.06).contains(&mean), "{mean}");
}
