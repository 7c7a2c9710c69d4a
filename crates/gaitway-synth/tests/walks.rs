//! Laws of walks: seeds, labels, shortest connections, seamless loops.
#![allow(clippy::print_stdout)] // What was measured stands in the log.

mod common;

use std::collections::HashMap;

use common::{graph_of, jumps, performer, real};
use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, LabelTrack};
use gaitway_graph::inspect::label_members;
use gaitway_graph::{ClipId, EdgeId, MotionGraph};
use gaitway_synth::{
    AssembleOptions, By, LoopOptions, Place, RandomWalk, SynthError, Walk, Within, assemble,
    connect, find_label, find_loop, parse_place, random_walk, take_out_net,
};

fn asked(seconds: f64, seed: u64) -> RandomWalk {
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
    let options = asked(1200.0, 4);
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
    let mut walked = 0;
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
                for node in graph.nodes().step_by(97) {
                    let at = graph.node(node);
                    let seconds = graph.clip_info(at.clip).seconds_at(at.boundary);
                    let start = Some(Place {
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
                        Err(SynthError::NoWay { .. }) => {}
                        Err(e) => panic!("{name}: {e}"),
                        Ok(walk) => {
                            assert_eq!(walk.start(), node);
                            let arrives = walk.edges().iter().position(|&e| inside(graph.from(e)));
                            let rest = &walk.edges()[arrives.unwrap_or(walk.edges().len())..];
                            assert!(rest.iter().all(|&e| graph.edge_labels(e).contains(label)));
                        }
                    }
                }
            }
        }
    }
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

/// Least (working frames, cm) or (cm, working frames) between all working boundaries, relaxed until nothing changes.
fn brute_force(graph: &MotionGraph, from: (u32, u32), by: By) -> HashMap<(u32, u32), [f64; 2]> {
    let key = |s: f64, cm: f64| match by {
        By::Time => [s, cm],
        By::Cost => [cm, s],
    };
    let mut steps = Vec::new();
    for edge in graph.edges() {
        let (a, b) = (graph.node(graph.from(edge)), graph.node(graph.to(edge)));
        match graph.transition(edge) {
            Some(t) => {
                let cost = key(f64::from(graph.working_length(edge)), t.distance_cm());
                steps.push(((a.clip.0, a.boundary), (b.clip.0, b.boundary), cost));
            }
            None => {
                for f in a.boundary..b.boundary {
                    let cost = key(1.0, 0.0);
                    steps.push(((a.clip.0, f), (a.clip.0, f + 1), cost));
                }
            }
        }
    }
    let mut best = HashMap::from([(from, [0.0; 2])]);
    loop {
        let mut changed = false;
        for &(a, b, cost) in &steps {
            let Some(&here) = best.get(&a) else { continue };
            let next = [here[0] + cost[0], here[1] + cost[1]];
            let old = best.get(&b).copied().unwrap_or([f64::INFINITY; 2]);
            if next[0] < old[0] - 1e-9 || (next[0] < old[0] + 1e-9 && next[1] < old[1] - 1e-9) {
                best.insert(b, next);
                changed = true;
            }
        }
        if !changed {
            return best;
        }
    }
}

fn raised(clip: &Clip, name: &str, by: f64) -> Clip {
    let mut parts = clip.clone().with_name(name).into_parts();
    parts.root.iter_mut().for_each(|p| p.y += by);
    parts.build().expect("a clip")
}

/// Two that connect, and one a metre higher that connects to neither.
fn three() -> MotionGraph {
    let label = |c: Clip, l: &str| {
        let frames = c.frame_count();
        c.with_labels(LabelTrack::whole(l, frames))
    };
    let (a, b) = (swinging_clip("a", 260, 60.0), swinging_clip("b", 330, 75.0));
    let high = raised(&a, "high", 1.0);
    graph_of(
        vec![label(a, "low"), label(b, "low"), label(high, "high")],
        6.0,
    )
}

/// Whether a working boundary is a node or lies on a kept piece.
fn is_kept(graph: &MotionGraph, (clip, boundary): (u32, u32)) -> bool {
    graph
        .nodes()
        .any(|n| graph.node(n).clip.0 == clip && graph.node(n).boundary == boundary)
        || graph.edges().filter(|&e| !graph.is_transition(e)).any(|e| {
            let (a, b) = (graph.node(graph.from(e)), graph.node(graph.to(e)));
            a.clip.0 == clip && (a.boundary..=b.boundary).contains(&boundary)
        })
}

#[test]
fn connections_are_the_shortest() {
    let graph = three();
    let mut places = Vec::new();
    for clip in graph.clip_ids() {
        let seconds = graph.clip_info(clip).seconds();
        let parts = (0..=16).map(|k| f64::from(k) / 16.0 * seconds);
        places.extend(parts.map(|seconds| Place { clip, seconds }));
    }
    let boundary = |p: &Place| (p.clip.0, graph.clip_info(p.clip).boundary_at(p.seconds));
    let mut counts = [0; 3];
    for by in [By::Time, By::Cost] {
        for from in &places {
            let known = brute_force(&graph, boundary(from), by);
            for to in &places {
                let (start, end) = (boundary(from), boundary(to));
                match connect(&graph, *from, *to, by) {
                    Err(SynthError::PlaceLost { .. }) => {
                        assert!(!is_kept(&graph, start) || !is_kept(&graph, end));
                        counts[0] += 1;
                    }
                    Err(SynthError::NoWay { .. }) => {
                        assert!(!known.contains_key(&end));
                        counts[1] += 1;
                    }
                    Err(e) => panic!("{e}"),
                    Ok(walk) => {
                        let cm = walk.distance_cm(&graph);
                        let found = match by {
                            By::Time => [played_frames(&graph, &walk), cm],
                            By::Cost => [cm, played_frames(&graph, &walk)],
                        };
                        let best = known[&end];
                        let same = (0..2).all(|k| (found[k] - best[k]).abs() < 1e-6);
                        assert!(same, "{found:?} for {best:?}");
                        check_ends(&graph, &walk, start, end);
                        counts[2] += 1;
                    }
                }
            }
        }
    }
    println!("lost, no way, connected: {counts:?}");
    assert!(counts.iter().all(|&c| c > 300));
}

fn played_frames(graph: &MotionGraph, walk: &Walk) -> f64 {
    let of = |place| {
        let (a, b) = walk.played(graph, place);
        f64::from(b - a)
    };
    (0..walk.edges().len()).map(of).sum()
}

/// The motion begins and ends at the frames asked for.
fn check_ends(graph: &MotionGraph, walk: &Walk, start: (u32, u32), end: (u32, u32)) {
    if walk.edges().is_empty() || walk.seconds(graph) == 0.0 {
        assert_eq!(start, end);
        return;
    }
    let motion = assemble(graph, walk, &AssembleOptions::default()).expect("a motion");
    let tick = 1.0 / motion.clip.rate_hz();
    let at = |p: (u32, u32)| graph.clip_info(ClipId(p.0)).seconds_at(p.1);
    let (first, last) = (motion.origin[0], motion.origin[motion.origin.len() - 1]);
    assert_eq!((first.clip.0, last.clip.0), (start.0, end.0));
    assert!((first.seconds - at(start)).abs() < 1e-9);
    assert!((0.0..=tick + 1e-9).contains(&(at(end) - last.seconds)));
}

#[test]
fn places_that_cannot_be_reached_are_told_with_a_reason() {
    let graph = three();
    let from = parse_place(&graph, "a@1.5").expect("a place");
    let high = parse_place(&graph, "high@1.5").expect("a place");
    let told = connect(&graph, from, high, By::Time)
        .expect_err("no way")
        .to_string();
    assert!(told.contains("`high`") && told.contains("(low)"), "{told}");
    let begin = parse_place(&graph, "a@0").expect("a place");
    let told = connect(&graph, begin, from, By::Time)
        .expect_err("cut off")
        .to_string();
    assert!(
        told.contains("a@0.000 is not in the graph: of this clip it keeps"),
        "{told}"
    );
    assert!(matches!(
        parse_place(&graph, "a"),
        Err(SynthError::Options { .. })
    ));
    assert!(matches!(
        parse_place(&graph, "nobody@1"),
        Err(SynthError::UnknownClip { .. })
    ));
    for seconds in [-1.0, 99.0, f64::NAN] {
        let place = Place { seconds, ..from };
        assert!(matches!(
            connect(&graph, place, from, By::Time),
            Err(SynthError::PlaceLost { .. })
        ));
    }
    let told = find_label(&graph, "fly").expect_err("unknown").to_string();
    assert!(told.contains("high, low"), "{told}");
    let label = find_label(&graph, "high").ok();
    let away = RandomWalk {
        start: Some(from),
        label,
        ..asked(5.0, 0)
    };
    assert!(matches!(
        random_walk(&graph, &away),
        Err(SynthError::NoWay { .. })
    ));
    for seconds in [0.0, -1.0, f64::NAN, 1e9] {
        assert!(matches!(
            random_walk(&graph, &asked(seconds, 0)),
            Err(SynthError::Options { .. })
        ));
    }
    let empty = graph_of(vec![swinging_clip("short", 20, 60.0)], 1.0);
    assert!(matches!(
        random_walk(&empty, &asked(5.0, 0)),
        Err(SynthError::EmptyGraph)
    ));
    assert!(matches!(
        find_loop(&empty, &LoopOptions::default()),
        Err(SynthError::NoLoop { .. })
    ));
}

/// Every cycle of one or two transitions, the slow way.
fn best_ratio(graph: &MotionGraph, options: &LoopOptions) -> f64 {
    let transitions: Vec<EdgeId> = graph.edges().filter(|&e| graph.is_transition(e)).collect();
    let cm = |e: EdgeId| graph.transition(e).expect("a transition").distance_cm();
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
            ..LoopOptions::default()
        };
        let expected = best_ratio(&graph, &options);
        match find_loop(&graph, &options) {
            Ok(found) => {
                assert!(found.complete);
                let ratio = found.distance_cm / found.seconds;
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
    (parts.contacts, parts.labels) = (None, LabelTrack::default());
    parts.build().expect("a clip")
}

#[test]
fn loops_close_without_a_seam() {
    let graph = performer();
    for name in ["walk", "run", "sneak"] {
        let label = find_label(graph, name).expect("a label");
        let within = Within::Label(label);
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
        within: Within::Clip(clip),
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
            let within = Within::Label(find_label(&graph, name).expect("a label"));
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
