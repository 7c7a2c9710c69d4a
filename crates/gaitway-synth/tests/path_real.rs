//! Path synthesis on captured clips: the bars of the project on a sample, on the motion with its feet planted.
#![allow(missing_docs)]

mod common;

use common::paths::{follow_as_users_do, motion, planted, walking};
use common::real;
use gaitway_eval::{QualityOptions, quality};
use gaitway_graph::events::{ClipEvent, events_of};
use gaitway_synth::ClipTime;
use gaitway_synth::path::{Obstacle, PathOptions, PathRequest, named_curve, plan_path};
use gaitway_synth::report::{path_report, working_roots};
use glam::DVec2;

const SETS: [(&str, Option<f64>); 2] = [
    ("subject-143-many-behaviours.txt", Some(60.0)),
    ("subject-69-walk-turn-pick.txt", None),
];

#[test]
fn captured_walkers_keep_to_the_path_and_their_feet_to_the_ground() {
    for (set, fps) in SETS {
        let Some(graph) = real(set, fps, 10.0) else {
            return;
        };
        for curve in ["s", "circle"] {
            let path = named_curve(curve, 1.0).expect("a curve");
            let options = walking("walk");
            let followed = follow_as_users_do(&graph, &path, &options);
            let made = motion(&graph, &followed);
            let report = path_report(&graph, &path, &options, &followed, Some(&made));
            let what = format!("{set}, {curve}: {:?}", report.arc_error_smooth_m);
            assert_eq!(report.status, "Solved", "{what}");
            // By the measure of the search, and to the nearest point.
            assert!(report.arc_error_smooth_m.rms < 0.05, "{what}");
            assert!(report.path_error_m.rms < 0.05, "{what}");
            assert!(
                report.transitions_per_s <= 1.2,
                "{what}, {} transitions/s",
                report.transitions_per_s
            );
            assert!(report.facing_error_rad.within_30_deg > 0.95, "{what}");
            assert_eq!(report.closing.is_some(), path.closed());
            if let Some(gap) = report.closing {
                assert!(gap.place_m < 0.2 && gap.heading_rad < 0.8, "{gap:?}");
            }
            let clean = planted(&made).clip.with_contacts(None).expect("fits");
            let skate = quality(&clean, None, &QualityOptions::default()).skate_cm_s;
            assert!(skate.mean.expect("plants") < 0.2, "{what}: {skate:?}");
        }
    }
}

#[test]
fn captured_walkers_stay_out_of_obstacles_when_their_feet_are_planted() {
    for (set, fps) in SETS {
        let Some(graph) = real(set, fps, 10.0) else {
            return;
        };
        let path = named_curve("line", 1.0).expect("a curve");
        let options = PathOptions {
            obstacles: vec![
                Obstacle::Circle([0.1, 3.0, 0.3]),
                Obstacle::Box([-0.6, 5.4, -0.1, 5.9]),
            ],
            ..walking("walk")
        };
        let followed = follow_as_users_do(&graph, &path, &options);
        assert!(
            followed.found.complete,
            "{set}: {:?}",
            followed.found.outcome
        );
        for p in planted(&motion(&graph, &followed)).clip.root() {
            for obstacle in &options.obstacles {
                let away = obstacle.distance(DVec2::new(p.x, p.z));
                assert!(away >= options.body_radius_m, "{set}: {away:.3} m");
            }
        }
    }
}

#[test]
fn a_style_that_cannot_turn_is_told_and_still_held() {
    let Some(graph) = real(SETS[0].0, SETS[0].1, 10.0) else {
        return;
    };
    let path = named_curve("s", 2.0).expect("a curve");
    let options = PathOptions {
        off_path_m: 0.1,
        ..walking("walk@0..50%,sneak@50%..")
    };
    let followed = follow_as_users_do(&graph, &path, &options);
    let made = planted(&motion(&graph, &followed));
    let report = path_report(&graph, &path, &options, &followed, Some(&made));
    assert!(followed.found.complete, "{:?}", followed.found.outcome);
    // The one sneak of this subject goes sideways and straight: it cannot keep to a bend.
    assert_eq!(report.status, "OffPath");
    let left = report.left_path.expect("where it leaves");
    assert_eq!(left.label.as_deref(), Some("sneak"), "{left:?}");
    assert!(
        left.worst_m > 0.1 && left.words.contains("sneak"),
        "{left:?}"
    );
    let places = working_roots(&graph, followed.walk.as_ref().expect("a walk"), &made);
    let per_place = made.clip.frame_count() as f64 / places.len() as f64;
    let label = |k: usize, name: &str| {
        let frame = (k as f64 * per_place) as usize;
        made.clip.labels().at(frame).any(|l| l == name)
    };
    let sneaks = (0..places.len()).filter(|&k| label(k, "sneak")).count();
    assert!(sneaks > places.len() / 4, "{sneaks} of {}", places.len());
    assert!((0..places.len()).all(|k| label(k, "sneak") || label(k, "walk")));
}

/// Takes are labelled from end to end: of one that is `walk` and `pick-up` a walk plays the walking.
#[test]
fn a_walk_does_not_pick_up_what_nobody_asked_for() {
    let Some(graph) = real("subject-143-many-behaviours.txt", Some(60.0), 10.0) else {
        return;
    };
    let acts: Vec<_> = ["pick-up", "sit", "jump", "step-over"]
        .iter()
        .filter_map(|l| graph.labels().find(l))
        .collect();
    assert!(acts.len() >= 3);
    let events = events_of(&graph, &acts).expect("frames");
    for curve in ["zigzag", "s", "figure8", "circle"] {
        let path = named_curve(curve, 1.0).expect("a curve");
        let options = walking("walk");
        let followed = follow_as_users_do(&graph, &path, &options);
        assert!(followed.found.complete, "{curve}");
        let made = motion(&graph, &followed);
        let plays = |e: &&ClipEvent| {
            let at = e.event.frame as f64 / graph.clip_info(e.clip).rate_hz();
            let near = |o: &ClipTime| o.clip == e.clip && (o.seconds - at).abs() < 0.05;
            made.origin.iter().any(near)
        };
        let played: Vec<_> = events.iter().filter(plays).collect();
        assert!(played.is_empty(), "{curve}: {played:?}");
    }
}

/// Clips without labels whose root lies on the floor walk forward like others.
#[test]
fn roots_on_the_floor_go_forward_too() {
    let Some(data) = gaitway_core::testing::data_dir() else {
        return;
    };
    let folder = data.join("bandai-namco-bvh").display().to_string();
    let files = gaitway_io::expand(&[folder]).expect("the data is there");
    let clips: Vec<_> = files
        .iter()
        .filter(|f| f.path.to_string_lossy().contains("walk_normal"))
        .map(|f| {
            let read = gaitway_io::read_file(&f.path, &Default::default()).expect("a clip");
            gaitway_core::ground::travel_to_root(&read[0].clip)
        })
        .collect();
    assert!(clips.len() >= 3);
    let set = gaitway_core::ClipSet::group(clips).swap_remove(0);
    let graph = common::graph_of(set, 10.0);
    let path = named_curve("line", 0.6).expect("a curve");
    let followed = follow_as_users_do(&graph, &path, &PathOptions::default());
    assert!(followed.found.complete, "{:?}", followed.found.outcome);
}

/// On few clips the walk of seed 0 is soon met again: then another is found, or it is said that there is none.
#[test]
fn another_seed_is_another_walk_of_captured_people_or_says_why_not() {
    let Some(graph) = real("subject-16-walk-run-jump.txt", None, 10.0) else {
        return;
    };
    for curve in ["s", "circle", "line"] {
        let of = |seed: u64| {
            let request = PathRequest {
                options: walking("walk"),
                seed,
                clean: false,
                ..PathRequest::new(named_curve(curve, 1.0).expect("a curve"))
            };
            plan_path(&graph, &request).expect("a plan").remove(0)
        };
        let first = of(0);
        for seed in [3, 4] {
            let one = of(seed);
            assert!(
                one.graph_walk() != first.graph_walk() || one.walk.alike.is_some(),
                "{curve}, seed {seed}: the walk of seed 0, without a word"
            );
        }
    }
}
