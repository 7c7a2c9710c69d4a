//! Random walks.

use gaitway_graph::inspect::label_members;
use gaitway_graph::{ClipId, EdgeId, MotionGraph};
use gaitway_synth::{
    ClipTime, FeetApart, RandomWalk, SynthError, Walk, mixing, random_walk, wander,
};

use crate::common::{performer, real};

pub fn asked(seconds: f64, seed: u64) -> RandomWalk {
    RandomWalk {
        seconds,
        seed,
        ..RandomWalk::default()
    }
}

#[test]
fn seeds_say_everything_and_lengths_are_kept() {
    let graph = performer();
    let mut different = 0;
    let first = random_walk(graph, &asked(30.0, 0)).expect("a walk");
    for seed in 0..20 {
        let walk = random_walk(graph, &asked(30.0, seed)).expect("a walk");
        assert_eq!(
            walk,
            random_walk(graph, &asked(30.0, seed)).expect("a walk")
        );
        different += usize::from(walk != first);
        let over = walk.seconds(graph) - 30.0;
        assert!(
            (-1e-6..1.0 / graph.working_rate_hz()).contains(&over),
            "{over} s over"
        );
    }
    assert!(different >= 18);
}

/// Seconds of clip since the transition before each transition of a walk, with the edge before and the edge itself.
fn transitions(graph: &MotionGraph, walk: &Walk) -> Vec<(f64, Option<EdgeId>, EdgeId)> {
    let (mut since, mut before, mut out) = (f64::INFINITY, None, Vec::new());
    for &edge in walk.edges() {
        if graph.is_transition(edge) {
            out.push((since, before, edge));
            (since, before) = (0.0, Some(edge));
        } else {
            since += graph.seconds(edge);
        }
    }
    out
}

#[test]
fn walks_dwell_and_do_not_go_straight_back() {
    let graph = performer();
    // A walk that remembers leaves small circles sooner.
    let options = RandomWalk {
        recent_cm: 0.0,
        ..asked(1200.0, 4)
    };
    let walk = random_walk(graph, &options).expect("a walk");
    let found = transitions(graph, &walk);
    let per_s = found.len() as f64 / 1200.0;
    assert!((0.2..0.8).contains(&per_s), "{per_s} transitions a second");
    for (since, before, edge) in found {
        let goes_on = graph
            .out_edges(graph.from(edge))
            .any(|e| !graph.is_transition(e));
        assert!(since >= options.dwell_s || !goes_on, "left after {since} s");
        let (Some(t), Some(last)) = (
            graph.transition(edge),
            before.and_then(|e| graph.transition(e)),
        ) else {
            continue;
        };
        let at = |clip: ClipId, frame| graph.clip_info(clip).seconds_at(frame);
        let near = (at(t.to_clip, t.to_frame) - at(last.from_clip, last.from_frame)).abs();
        let back = t.to_clip == last.from_clip && near < options.no_return_s;
        assert!(
            !back || since >= options.no_return_s || !goes_on,
            "went straight back"
        );
    }
}

#[test]
fn good_transitions_are_preferred() {
    let graph = performer();
    let mean = |prefer_cm| {
        let options = RandomWalk {
            prefer_cm,
            ..asked(1200.0, 9)
        };
        let walk = random_walk(graph, &options).expect("a walk");
        walk.distance_cm(graph) / walk.transition_count(graph) as f64
    };
    assert!(mean(Some(1.0)) < 0.9 * mean(None));
}

fn check_labels(graph: &MotionGraph) -> usize {
    let member = label_members(graph);
    let (mut walked, mut from_outside) = (0, 0);
    for label in graph.labels().ids() {
        let inside = |n: gaitway_graph::NodeId| member[n.index()].contains(label);
        let name = graph.labels().name(label);
        let options = RandomWalk {
            label: Some(label),
            ..asked(40.0, 1)
        };
        match random_walk(graph, &options) {
            Err(SynthError::NoComponent { label }) => assert_eq!(label, name),
            Err(e) => panic!("{name}: {e}"),
            Ok(walk) => {
                walked += 1;
                for &edge in walk.edges() {
                    assert!(graph.edge_labels(edge).contains(label), "{name}");
                }
                // From anywhere: the way there, then nothing but the label.
                let home = graph.nodes().find(|&n| inside(n)).expect("a node");
                for node in graph.nodes().step_by(97).chain([home]) {
                    let at = graph.node(node);
                    let seconds = graph.clip_info(at.clip).seconds_at(at.boundary);
                    let start = Some(ClipTime {
                        clip: at.clip,
                        seconds,
                    });
                    match random_walk(
                        graph,
                        &RandomWalk {
                            start,
                            ..options.clone()
                        },
                    ) {
                        Err(SynthError::NotConnected { .. }) => assert!(!inside(node), "{name}"),
                        Err(e) => panic!("{name}: {e}"),
                        Ok(walk) => {
                            assert_eq!(walk.start(), node);
                            let arrives = walk.edges().iter().position(|&e| inside(graph.from(e)));
                            let arrives = arrives.unwrap_or_else(|| panic!("{name}: never there"));
                            let rest = &walk.edges()[arrives..];
                            assert!(rest.iter().all(|&e| graph.edge_labels(e).contains(label)));
                            from_outside += usize::from(arrives > 0);
                        }
                    }
                }
            }
        }
    }
    assert!(from_outside > walked, "{from_outside} ways from elsewhere");
    walked
}

#[test]
fn labels_are_kept() {
    assert!(check_labels(performer()) >= 3);
}

#[test]
fn labels_are_kept_on_real_clips() {
    if let Some(graph) = real("subject-16-walk-run-jump.txt", None, 8.0) {
        assert!(check_labels(&graph) >= 4);
    }
}

/// The most that the same way is gone round running, over some seeds of every label: with a memory and without, and of
/// how many walks.
fn stutter(graph: &MotionGraph) -> (Vec<usize>, Vec<usize>) {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for label in graph.labels().ids() {
        for seed in 0..4 {
            let options = RandomWalk {
                label: Some(label),
                ..asked(120.0, seed)
            };
            let Ok(found) = wander(graph, &options) else {
                break;
            };
            // A few seconds are all there is: they come round whatever is done.
            if found.region_s < 10.0 {
                break;
            }
            with.push(found.repeats.times);
            let forgets = RandomWalk {
                recent_cm: 0.0,
                ..options
            };
            without.push(wander(graph, &forgets).expect("a walk").repeats.times);
        }
    }
    (with, without)
}

#[test]
fn walks_do_not_go_round_and_round() {
    let (with, without) = stutter(performer());
    println!("performer: {with:?} for {without:?}");
    assert!(with.iter().all(|&times| times <= 3), "{with:?}");
    if let Some(graph) = real("subject-143-many-behaviours.txt", Some(60.0), 8.0) {
        let (with, without) = stutter(&graph);
        println!("143: {with:?} for {without:?}");
        let sum = |v: &[usize]| v.iter().sum::<usize>();
        assert!(sum(&with) < sum(&without), "{with:?} for {without:?}");
        assert!(with.iter().all(|&times| times <= 3), "{with:?}");
    }
}

#[test]
fn feet_that_stand_together_are_preferred() {
    let graph = performer();
    let feet = FeetApart::new(graph);
    let mean = |prefer_cm: Option<f64>| {
        let options = RandomWalk {
            prefer_cm,
            ..asked(600.0, 3)
        };
        let walk = random_walk(graph, &options).expect("a walk");
        let sum: f64 = walk.edges().iter().map(|&e| feet.metres(e)).sum();
        sum / walk.transition_count(graph) as f64
    };
    let (with, without) = (mean(Some(1.0)), mean(None));
    println!("feet apart: {with} m for {without} m a transition");
    assert!(with < without);
}

#[test]
fn walks_keep_to_level_ground_unless_asked() {
    let Some(graph) = real("subject-143-many-behaviours.txt", Some(60.0), 8.0) else {
        return;
    };
    let walk_label = graph.labels().find("walk").expect("a label");
    let stairs = graph.labels().find("stairs").expect("a label");
    // The root's height against its mean tells climbing by another measure than the walk's own.
    let rise = |walk: &Walk| {
        let motion = gaitway_synth::assemble(&graph, walk, &Default::default()).expect("a motion");
        let root = motion.clip.root();
        let half = (0.5 * motion.clip.rate_hz()) as usize;
        let calm: Vec<f64> = root
            .windows(2 * half + 1)
            .map(|w| w.iter().map(|p| p.y).sum::<f64>() / w.len() as f64)
            .collect();
        let most = calm.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = calm.iter().copied().fold(f64::INFINITY, f64::min);
        most - least
    };
    let mut climbed = 0;
    for seed in 0..4 {
        let options = RandomWalk {
            label: Some(walk_label),
            ..asked(120.0, seed)
        };
        let found = wander(&graph, &options).expect("a walk");
        let (flat, off) = (rise(&found.walk), found.climbing_s);
        assert!(!found.climbs && off > 0.0, "{off} s left out");
        let any = RandomWalk {
            any_height: true,
            ..options
        };
        let high = rise(&random_walk(&graph, &any).expect("a walk"));
        println!("seed {seed}: {flat:.2} m for {high:.2} m, {off:.1} s left out");
        assert!(flat < 0.25, "{flat} m on level ground");
        climbed += usize::from(high > 0.3);
    }
    assert!(climbed > 0, "nobody climbs even when asked");
    let asked_for = RandomWalk {
        label: Some(stairs),
        ..asked(20.0, 1)
    };
    let found = wander(&graph, &asked_for).expect("a walk");
    assert_eq!(found.climbing_s, 0.0);
}

#[test]
fn mixing_is_told_per_label_and_half_comes_before_most() {
    let graph = performer();
    let rows = mixing(graph).expect("rows");
    assert_eq!(rows, mixing(graph).expect("the same again"));
    assert!(rows.len() >= 3);
    for row in &rows {
        println!("{row:?}");
        // In a second or two a walk may have one way round that is much the best.
        if row.seconds < 5.0 {
            continue;
        }
        let half = row.half_s.expect("half of it is seen");
        assert!(row.most_s.is_none_or(|most| most >= half));
    }
    let mut sorted = rows.clone();
    let key = |m: &gaitway_synth::Mixing| m.half_s.unwrap_or(f64::INFINITY);
    sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
    assert_eq!(rows, sorted);
}
