//! Shortest connections.

use std::collections::HashMap;

use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, LabelTrack};
use gaitway_graph::{ClipId, EdgeId, MotionGraph, TransitionKind};
use gaitway_synth::{
    AssembleOptions, ClipTime, ConnectBy, FeetApart, LoopOptions, RandomWalk, SynthError, Walk,
    assemble, connect, find_label, find_loop, parse_clip_time, random_walk,
};

use crate::common::graph_of;
use crate::wandering::asked;

/// Least (working frames, cm) or (cm, working frames) between all working boundaries, relaxed until nothing changes.
fn brute_force(
    graph: &MotionGraph,
    from: (u32, u32),
    by: ConnectBy,
) -> HashMap<(u32, u32), [f64; 2]> {
    let key = |s: f64, cm: f64| match by {
        ConnectBy::Time => [s, cm],
        ConnectBy::Cost => [cm, s],
    };
    let mut steps = Vec::new();
    let feet = FeetApart::new(graph);
    for edge in graph.edges() {
        let (a, b) = (graph.node(graph.from(edge)), graph.node(graph.to(edge)));
        match graph.transition(edge) {
            Some(t) => {
                let cm = t.distance_cm() + feet.as_distance_cm(edge);
                let cost = key(f64::from(graph.working_length(edge)), cm);
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
pub fn three() -> MotionGraph {
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
        places.extend(parts.map(|seconds| ClipTime { clip, seconds }));
    }
    let boundary = |p: &ClipTime| (p.clip.0, graph.clip_info(p.clip).boundary_at(p.seconds));
    let mut counts = [0; 3];
    let feet = FeetApart::new(&graph);
    for by in [ConnectBy::Time, ConnectBy::Cost] {
        for from in &places {
            let known = brute_force(&graph, boundary(from), by);
            for to in &places {
                let (start, end) = (boundary(from), boundary(to));
                match connect(&graph, *from, *to, by) {
                    Err(SynthError::PlaceLost { .. }) => {
                        assert!(!is_kept(&graph, start) || !is_kept(&graph, end));
                        counts[0] += 1;
                    }
                    Err(SynthError::NotConnected { .. }) => {
                        assert!(!known.contains_key(&end));
                        counts[1] += 1;
                    }
                    Err(e) => panic!("{e}"),
                    Ok(walk) => {
                        let moved = |e: &EdgeId| feet.as_distance_cm(*e);
                        let cm =
                            walk.distance_cm(&graph) + walk.edges().iter().map(moved).sum::<f64>();
                        let found = match by {
                            ConnectBy::Time => [played_frames(&graph, &walk), cm],
                            ConnectBy::Cost => [cm, played_frames(&graph, &walk)],
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
    assert_eq!(last.clip.0, end.0);
    match graph.transition(walk.edges()[0]) {
        // It begins where a cut leaves: what is shown first is the clip entered, displaced to where the other was.
        Some(t) if t.kind == TransitionKind::Cut => assert_eq!(t.from_clip.0, start.0),
        _ => {
            assert_eq!(first.clip.0, start.0);
            assert!((first.seconds - at(start)).abs() < 1e-9);
        }
    }
    assert!((0.0..=tick + 1e-9).contains(&(at(end) - last.seconds)));
}

#[test]
fn places_that_cannot_be_reached_are_told_with_a_reason() {
    let graph = three();
    let from = parse_clip_time(&graph, "a@1.5").expect("a place");
    let high = parse_clip_time(&graph, "high@1.5").expect("a place");
    let told = connect(&graph, from, high, ConnectBy::Time)
        .expect_err("no way")
        .to_string();
    assert!(told.contains("`high`") && told.contains("(low)"), "{told}");
    let begin = parse_clip_time(&graph, "a@0").expect("a place");
    let told = connect(&graph, begin, from, ConnectBy::Time)
        .expect_err("cut off")
        .to_string();
    assert!(
        told.contains("a@0.000 is not in the graph: of this clip it keeps"),
        "{told}"
    );
    assert!(matches!(
        parse_clip_time(&graph, "a"),
        Err(SynthError::Options { .. })
    ));
    assert!(matches!(
        parse_clip_time(&graph, "nobody@1"),
        Err(SynthError::UnknownClip { .. })
    ));
    for seconds in [-1.0, 99.0, f64::NAN] {
        let place = ClipTime { seconds, ..from };
        assert!(matches!(
            connect(&graph, place, from, ConnectBy::Time),
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
        Err(SynthError::NotConnected { .. })
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
