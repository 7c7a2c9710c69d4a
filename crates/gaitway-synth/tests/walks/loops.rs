//! Seamless loops.

use gaitway_core::{Clip, LabelTrack, TranslationTrack, fk};
use gaitway_graph::{EdgeId, MotionGraph};
use gaitway_synth::motion::{FinishOptions, finish_loop};
use gaitway_synth::{
    AssembleOptions, FeetApart, LoopOptions, LoopScope, STRAIGHT_RAD, SynthError, assemble,
    find_label, find_loop, take_out_net,
};

use crate::common::{jumps, performer, real};
use crate::connections::three;

/// Every cycle of one or two transitions, the slow way.
fn best_ratio(graph: &MotionGraph, options: &LoopOptions) -> f64 {
    let transitions: Vec<EdgeId> = graph.edges().filter(|&e| graph.is_transition(e)).collect();
    let feet = FeetApart::new(graph);
    let cm = |e: EdgeId| {
        let own = graph.transition(e).expect("a transition").distance_cm();
        own + feet.as_distance_cm(e)
    };
    // Seconds from where a transition arrives along the clip to where another leaves.
    let between = |a: EdgeId, b: EdgeId| {
        let mut node = graph.to(a);
        let mut seconds = 0.0;
        while node != graph.from(b) {
            let piece = graph.out_edges(node).find(|&e| !graph.is_transition(e))?;
            seconds += graph.seconds(piece);
            node = graph.to(piece);
        }
        Some(seconds)
    };
    let mut best = f64::INFINITY;
    let mut offer = |cost: f64, seconds: f64| {
        if (options.min_s..=options.max_s).contains(&seconds) {
            best = best.min(cost / seconds);
        }
    };
    for &a in &transitions {
        if let Some(s) = between(a, a) {
            offer(cm(a), s + graph.seconds(a));
        }
        for &b in transitions.iter().filter(|&&b| b != a) {
            if let Some((s, t)) = between(a, b).zip(between(b, a)) {
                offer(cm(a) + cm(b), s + t + graph.seconds(a) + graph.seconds(b));
            }
        }
    }
    best
}

#[test]
fn loops_are_the_best_there_are() {
    let graph = three();
    for (min_s, max_s) in [(0.0, 1.2), (1.0, 3.0), (2.0, 2.5), (0.7, 6.0)] {
        let options = LoopOptions {
            min_s,
            max_s,
            max_transitions: 2,
            least_pace: 0.0,
            ..LoopOptions::default()
        };
        let expected = best_ratio(&graph, &options);
        match find_loop(&graph, &options) {
            Ok(found) => {
                assert!(found.complete);
                let feet = FeetApart::new(&graph);
                let edges = found.walk.edges().iter();
                let apart: f64 = edges.map(|&e| feet.as_distance_cm(e)).sum();
                let ratio = (found.distance_cm + apart) / found.seconds;
                assert!((ratio - expected).abs() < 1e-6, "{ratio} for {expected}");
            }
            Err(_) => assert!(expected.is_infinite()),
        }
    }
}

/// A loop played twice has no rougher frame at its seam than it has anywhere.
fn check_seam(graph: &MotionGraph, options: &LoopOptions) {
    let found = find_loop(graph, options).expect("a loop");
    assert_eq!(found.walk.end(graph), found.walk.start());
    assert!((options.min_s - 1e-6..=options.max_s + 1e-6).contains(&found.seconds));
    let motion = assemble(graph, &found.walk, &AssembleOptions::default()).expect("a motion");
    let off = |a: f64, b: f64| (a - b).abs();
    assert!(
        off(motion.world_from_end.x, found.net.x) < 1e-9
            && off(motion.world_from_end.theta, found.net.theta) < 1e-9
    );
    let count = motion.clip.frame_count();
    let still = take_out_net(&motion.clip, found.net).expect("a clip");
    for clip in [
        twice(&motion.clip, &motion.clip.clone().moved(found.net)),
        twice(&still, &still),
    ] {
        let rough = jumps(&clip);
        let seam = |v: &[f64]| v[count - 1..=count].iter().copied().fold(0.0, f64::max);
        let most = |v: &[f64]| v[1..count - 1].iter().copied().fold(0.0, f64::max);
        assert!(rough.step[count] <= most(&rough.step), "a step at the seam");
        assert!(
            seam(&rough.change) <= most(&rough.change),
            "a change of velocity at the seam"
        );
    }
    println!(
        "loop {:.2} s, {:.2} cm, net {:.2} m {:.1} deg",
        found.seconds,
        found.distance_cm,
        found.net.x.hypot(found.net.z),
        found.net.theta.to_degrees(),
    );
}

fn twice(first: &Clip, second: &Clip) -> Clip {
    let mut parts = first.clone().into_parts();
    parts.root.extend_from_slice(second.root());
    parts.rotations.extend_from_slice(second.rotations());
    // Where a leg is stretched, in either.
    let tracks = second.translations().to_vec();
    for track in &tracks {
        if parts.translations.iter().all(|t| t.joint != track.joint) {
            let (joint, rest) = (track.joint, first.skeleton().offset(track.joint));
            let values = vec![rest; first.frame_count()];
            parts.translations.push(TranslationTrack { joint, values });
        }
    }
    for track in &mut parts.translations {
        let other = tracks.iter().find(|t| t.joint == track.joint);
        let rest = first.skeleton().offset(track.joint);
        let none = vec![rest; second.frame_count()];
        track.values.extend(other.map_or(&none, |t| &t.values));
    }
    (parts.contacts, parts.labels) = (None, LabelTrack::default());
    parts.build().expect("a clip")
}

#[test]
fn loops_close_without_a_seam() {
    let graph = performer();
    for name in ["walk", "run", "sneak"] {
        let label = find_label(graph, name).expect("a label");
        let within = LoopScope::Label(label);
        check_seam(
            graph,
            &LoopOptions {
                within,
                ..LoopOptions::default()
            },
        );
    }
    let clip = graph.find_clip("walk_normal_02").expect("a clip");
    let options = LoopOptions {
        within: LoopScope::Clip(clip),
        ..LoopOptions::default()
    };
    let found = find_loop(graph, &options).expect("a loop");
    assert!(
        found
            .walk
            .edges()
            .iter()
            .all(|&e| graph.node(graph.from(e)).clip == clip)
    );
    check_seam(graph, &options);
}

#[test]
fn loops_of_real_clips_close_without_a_seam() {
    if let Some(graph) = real("subject-16-walk-run-jump.txt", None, 8.0) {
        for name in ["walk", "turn-left", "jump"] {
            let within = LoopScope::Label(find_label(&graph, name).expect("a label"));
            check_seam(
                &graph,
                &LoopOptions {
                    within,
                    ..LoopOptions::default()
                },
            );
        }
    }
}

/// How far the step of a foot at each frame is from lying between the steps before and after it, metres: 0 where velocity changes
/// evenly, a pop's size where it pops.
fn pops(clip: &Clip) -> Vec<f64> {
    let points = fk::world_points(clip);
    let skeleton = clip.skeleton();
    let foot = |name: &str| name.contains("Foot") || name.contains("Toe");
    let feet: Vec<usize> = skeleton
        .joints()
        .filter(|&j| foot(skeleton.name(j)))
        .map(|j| j.index())
        .collect();
    let step = |f: usize, j: usize| points.at(f, j) - points.at(f - 1, j);
    let pop = |f: usize, j: usize| {
        let (before, here, after) = (step(f - 1, j), step(f, j), step(f + 1, j));
        let off = (here - (before + after) / 2.0).length() - (after - before).length() / 2.0;
        off.max(0.0)
    };
    let worst = |f: usize| feet.iter().map(|&j| pop(f, j)).fold(0.0, f64::max);
    let count = clip.frame_count();
    let inside = |f: usize| (2..count.saturating_sub(1)).contains(&f);
    (0..count)
        .map(|f| if inside(f) { worst(f) } else { 0.0 })
        .collect()
}

/// Played twice, feet are no rougher at the seam than anywhere else in the loop.
fn check_feet(graph: &MotionGraph, labels: &[&str]) {
    for name in labels {
        let within = LoopScope::Label(find_label(graph, name).expect("a label"));
        let options = LoopOptions {
            within,
            ..LoopOptions::default()
        };
        let Ok(found) = find_loop(graph, &options) else {
            continue;
        };
        let once = finish_loop(graph, &found, &FinishOptions::default()).expect("a motion");
        let once = once.motion.clip;
        let count = once.frame_count();
        let rough = pops(&twice(&once, &once.clone().moved(found.net)));
        let seam = rough[count - 1..=count + 1]
            .iter()
            .copied()
            .fold(0.0, f64::max);
        let inside = rough[2..count - 2].iter().copied().fold(0.0, f64::max);
        println!(
            "{name}: {:.2} s, feet at the seam {:.2} mm, elsewhere up to {:.2} mm",
            found.seconds,
            1000.0 * seam,
            1000.0 * inside
        );
        assert!(
            seam <= inside.max(5e-4) && seam < 2.5e-3,
            "{name}: feet jump by {} mm",
            1000.0 * seam
        );
    }
}

#[test]
fn feet_go_on_over_the_seam() {
    check_feet(performer(), &["walk", "run", "sneak"]);
}

#[test]
fn captured_feet_go_on_over_the_seam() {
    if let Some(graph) = real("subject-16-walk-run-jump.txt", None, 8.0) {
        check_feet(&graph, &["walk", "run", "turn-left", "turn-right", "jump"]);
    }
    if let Some(graph) = real("subject-143-many-behaviours.txt", Some(60.0), 8.0) {
        check_feet(&graph, &["walk", "run", "sneak", "martial", "sideways"]);
    }
    if let Some(graph) = real("subject-69-walk-turn-pick.txt", None, 8.0) {
        check_feet(&graph, &["walk", "backward"]);
    }
}

#[test]
fn loops_that_shall_go_straight_do() {
    let check = |graph: &MotionGraph| {
        let (mut straight, mut turned) = (0, 0);
        for label in graph.labels().ids() {
            let options = LoopOptions {
                within: LoopScope::Label(label),
                max_turn_rad: Some(STRAIGHT_RAD),
                ..LoopOptions::default()
            };
            match find_loop(graph, &options) {
                Ok(found) => {
                    let turn = gaitway_core::planar::wrap_angle(found.net.theta);
                    assert!(turn.abs() <= STRAIGHT_RAD, "{turn}");
                    straight += 1;
                }
                Err(SynthError::NoLoop { .. }) => turned += 1,
                Err(e) => panic!("{e}"),
            }
        }
        (straight, turned)
    };
    assert!(check(performer()).0 >= 3);
    if let Some(graph) = real("subject-143-many-behaviours.txt", Some(60.0), 8.0) {
        let (straight, turned) = check(&graph);
        println!("143: {straight} labels have straight loops, {turned} have none");
        assert!(straight > turned);
    }
}

/// A loop that must get on does not go round or out and back.
#[test]
fn straight_loops_get_on_by_the_way_they_walk() {
    let graph = performer();
    let options = LoopOptions {
        max_turn_rad: Some(STRAIGHT_RAD),
        least_straight: 0.85,
        ..LoopOptions::default()
    };
    let found = find_loop(graph, &options).expect("a loop");
    let motion = assemble(graph, &found.walk, &AssembleOptions::default()).expect("a motion");
    let way = gaitway_core::ground::smooth_ground_path(&motion.clip, 1.0);
    let walked: f64 = way.windows(2).map(|w| w[0].distance(w[1])).sum();
    assert!(
        found.travel_m > 0.8 * walked,
        "{} of {walked} m",
        found.travel_m
    );
}
