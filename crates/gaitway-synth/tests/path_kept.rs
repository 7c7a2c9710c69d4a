//! Walks as reports keep them: the same again, and changed in part among others.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, small, walker, walking};
use gaitway_synth::SynthError;
use gaitway_synth::path::{
    CrowdOptions, EdgePaths, Followed, PathProblem, Search, Window, crowd, named_curve,
};
use gaitway_synth::report::{Kept, KeptWalk, ResolvedAmong, resolve_kept};
use gaitway_synth::search::{Control, Outcome};
use glam::DVec2;

#[test]
fn a_kept_walk_is_the_same_again() {
    let graph = walker();
    let path = named_curve("s", 1.0).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let old = follow(graph, &path, &options, Search::default(), &small(&path));
    let kept = KeptWalk::of(&graph.tag(), &old).expect("a walk");
    let text = serde_json::to_string(&kept).expect("text");
    let read: KeptWalk = serde_json::from_str(&text).expect("read");
    assert_eq!(read, kept);
    let problem = PathProblem::new(graph, &edges, &path, &options).expect("a problem");
    let again = read.again(&problem).expect("the walk");
    assert_eq!(again.walk, old.walk);
    assert_eq!(again.world_from_start, old.world_from_start);
    let arc = |f: &Followed| f.found.end.map(|e| e.arc());
    assert_eq!(arc(&again), arc(&old));
    assert_eq!(again.left_path.is_some(), old.left_path.is_some());
    // Anything else is an error, never a fault.
    type Change = fn(&mut KeptWalk);
    let changes: [Change; 7] = [
        |w| w.graph.push('x'),
        |w| w.start = u32::MAX,
        |w| w.edges[0] = u32::MAX,
        |w| w.edges.swap(0, 1),
        |w| w.edges.clear(),
        |w| w.last_frames = 0,
        |w| w.last_frames = u32::MAX,
    ];
    for (k, change) in changes.iter().enumerate() {
        let mut wrong = kept.clone();
        change(&mut wrong);
        assert!(wrong.again(&problem).is_err(), "change {k}");
    }
}

#[test]
fn one_of_a_crowd_is_changed_and_walks_through_nobody() {
    let graph = walker();
    let paths = [named_curve("s", 1.5).expect("a curve")];
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
    let wish = CrowdOptions {
        count: 3,
        apart_s: 4.0,
        ..CrowdOptions::default()
    };
    let people =
        crowd(graph, &edges, &paths, &options, &wish, Control::default()).expect("a crowd");
    let tag = graph.tag();
    let kept: Vec<Kept> = people
        .iter()
        .map(|p| Kept {
            path: p.path,
            start_s: Some(p.start_s),
            walk: KeptWalk::of(&tag, &p.followed).expect("a walk"),
        })
        .collect();
    let search = |from_s: f64, to_s: f64, seed: u64| {
        let window = Window {
            seed,
            ..Window::new(from_s, to_s)
        };
        resolve_kept(
            graph,
            &edges,
            &paths,
            &options,
            &kept,
            1,
            &window,
            Control::default(),
        )
        .expect("possible")
    };
    // Among others not every part has another way with every seed.
    let tries = [(1.0, 4.0), (0.5, 6.0), (3.0, 8.0), (2.0, 1e6)];
    let tries = (1..5).flat_map(|seed| tries.map(|(from, to)| search(from, to, seed)));
    let other_way = |a: &ResolvedAmong| {
        let new = &a.resolved.followed;
        new.found.outcome == Outcome::Solved && new.walk != people[1].followed.walk
    };
    let all = { tries }.find(other_way).expect("another way");
    assert_eq!(
        all.others[0].as_ref().map(|f| &f.walk),
        Some(&people[0].followed.walk)
    );
    assert_eq!(
        all.others[2].as_ref().map(|f| &f.walk),
        Some(&people[2].followed.walk)
    );
    assert!(all.others[1].is_none());
    let problem = PathProblem::new(graph, &edges, &paths[0], &options).expect("a problem");
    let mine = problem.places(&all.resolved.followed.found);
    let rate = graph.working_rate_hz();
    let begin = |k: usize| (people[k].start_s * rate).round() as usize;
    for other in [0, 2] {
        for (f, p) in mine.iter().enumerate() {
            let at = (begin(1) + f).checked_sub(begin(other));
            let Some(q) = at.and_then(|at| people[other].places.get(at)) else {
                continue;
            };
            let gap = DVec2::from_array(*p).distance(DVec2::from_array(*q));
            assert!(
                gap >= 2.0 * options.body_radius_m - 1e-9,
                "{gap:.2} m from person {other}"
            );
        }
    }
    let none = resolve_kept(
        graph,
        &edges,
        &paths,
        &options,
        &kept,
        3,
        &Window::new(1.0, 2.0),
        Control::default(),
    );
    assert!(matches!(none, Err(SynthError::Options { .. })));
}
