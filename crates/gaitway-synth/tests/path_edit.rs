//! A walk shown while it is searched for, changed in part, and others beside it.
#![allow(missing_docs)]

mod common;

use std::sync::Mutex;
use std::time::Duration;

use common::paths::{follow, motion, planted, small, walker, walking};
use gaitway_eval::{Quality, QualityOptions, quality};
use gaitway_synth::path::{
    AlternativeOptions, BendOptions, EdgePaths, ForbiddenTransition, PathOptions, PathProblem,
    Search, Window, alternatives, bend, follow_path, named_curve, resolve_window,
};
use gaitway_synth::report::path_report;
use gaitway_synth::search::{BestSoFar, BnbOptions, Control, GraphProblem, Outcome, replay};
use gaitway_synth::{AssembleOptions, Motion, SynthError, assemble};

#[test]
fn the_best_so_far_is_shown_and_changes_nothing() {
    let graph = walker();
    let path = named_curve("s", 0.8).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let bites = Search::Bnb(BnbOptions {
        per_bite: Some(2000),
        ..BnbOptions::default()
    });
    for search in [Search::default(), bites] {
        let quiet = follow(graph, &path, &options, search, &small(&path));
        let seen: Mutex<Vec<BestSoFar>> = Mutex::default();
        let show = |best: BestSoFar| seen.lock().expect("one thread").push(best);
        let control = Control {
            best: Some(&show),
            best_every: Some(Duration::ZERO),
            ..Control::default()
        };
        let watched = follow_path(
            graph,
            &edges,
            &path,
            &options,
            search,
            &small(&path),
            control,
        )
        .expect("a possible wish");
        assert_eq!(watched.walk, quiet.walk, "watching changed the walk");
        let seen = seen.into_inner().expect("one thread");
        assert!(seen.len() > 3, "shown {} times", seen.len());
        assert!(!seen[0].complete, "partial walks come first");
        let mut best = f64::INFINITY;
        for shown in &seen {
            let walk = shown.walk(graph).expect("a walk of the graph");
            if let Some(walk) = walk {
                let options = AssembleOptions {
                    world_from_start: shown.world_from_start,
                    ..AssembleOptions::default()
                };
                assert!(assemble(graph, &walk, &options).is_ok());
            }
            assert!((0.0..=1.0).contains(&shown.part));
            if shown.complete {
                assert!(shown.cost <= best + 1e-9, "{} after {best}", shown.cost);
                best = shown.cost;
            }
        }
        if let Search::Beam(_) = search {
            assert!(best >= watched.found.cost - 1e-9 && best.is_finite());
        }
        // At a bounded rate: an hour is never over.
        let count = Mutex::new(0);
        let rare = |_: BestSoFar| *count.lock().expect("one thread") += 1;
        let control = Control {
            best: Some(&rare),
            best_every: Some(Duration::from_secs(3600)),
            ..Control::default()
        };
        follow_path(
            graph,
            &edges,
            &path,
            &options,
            search,
            &small(&path),
            control,
        )
        .expect("a possible wish");
        assert_eq!(count.into_inner().expect("one thread"), 1);
    }
}

#[test]
fn a_window_is_solved_again_and_the_rest_kept() {
    let graph = walker();
    let path = named_curve("s", 1.5).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let old = follow(graph, &path, &options, Search::default(), &small(&path));
    let seconds = old.walk.as_ref().expect("a walk").seconds(graph);
    let (from_s, to_s) = (seconds * 0.35, seconds * 0.65);
    let window = Window::new(from_s, to_s);
    let ask = |w: &Window| {
        resolve_window(graph, &edges, &path, &options, &old, w, Control::default())
            .expect("a window")
    };
    let new = ask(&window);
    assert_eq!(
        new.followed.found.outcome,
        Outcome::Solved,
        "{:?}",
        new.moved
    );
    let (a, b) = (old.found.edges(), new.followed.found.edges());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    // Ahead of before, the tail ends earlier; behind, it is walked on: its first edges are there in any case.
    let mut played = a.iter().scan(0.0, |s, &e| {
        let begins = *s;
        *s += f64::from(graph.working_length(e)) / graph.working_rate_hz();
        Some(begins)
    });
    let join = played.position(|s| s >= to_s).expect("a tail");
    let kept = &a[join..join + (a.len() - join) / 4];
    let tail = b.windows(kept.len()).any(|w| w == kept);
    assert_ne!(a, b, "the window is as before");
    assert!(new.window_s.0 <= from_s + 1e-6);
    assert!(head > 0 && tail, "{head} edges kept of {}", a.len());
    // The tail lies where the report says.
    assert!(new.moved.rms_m < 0.3, "{:?}", new.moved);
    // The cost is the path's, over all of the new walk.
    let problem = PathProblem::new(graph, &edges, &path, &options).expect("a problem");
    let found = &new.followed.found;
    let start = found.start.expect("a start");
    let (end, cost) = replay(&problem, &start, found.edges(), found.last_frames).expect("a walk");
    assert!((cost - found.cost).abs() < 1e-9 * cost.max(1.0));
    assert!(problem.is_goal(&end) && found.complete);
    let made = motion(graph, &new.followed);
    let report = path_report(graph, &path, &options, &new.followed, Some(&made));
    assert!(report.arc_error_m.rms < 0.25, "{:?}", report.arc_error_m);
    // Same seed, same window.
    assert_eq!(ask(&window).followed.walk, new.followed.walk);
    // Past the end there is no tail to keep.
    let rest = ask(&Window::new(from_s, 1e6));
    assert_eq!(rest.followed.found.outcome, Outcome::Solved);
    assert_eq!(rest.moved, Default::default());
    for bad in [
        Window::new(3.0, 2.0),
        Window::new(f64::NAN, 2.0),
        Window::new(-1.0, 2.0),
    ] {
        let out = resolve_window(
            graph,
            &edges,
            &path,
            &options,
            &old,
            &bad,
            Control::default(),
        );
        assert!(matches!(out, Err(SynthError::Options { .. })));
    }
}

#[test]
fn alternatives_differ_and_stay_near_the_path() {
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let wish = AlternativeOptions::default();
    let budget = small(&path);
    let ask = || {
        let search = (Search::default(), &budget);
        alternatives(
            graph,
            &edges,
            &path,
            &options,
            search,
            &wish,
            Control::default(),
        )
        .expect("walks")
    };
    let all = ask();
    assert_eq!(all.len(), 3);
    let plain = follow(graph, &path, &options, Search::default(), &budget);
    assert_eq!(all[0].followed.walk, plain.walk);
    assert_eq!(all[0].shared, 0.0);
    for (k, one) in all.iter().enumerate() {
        assert!(one.shared < 0.5, "{} of {k} was played before", one.shared);
        let made = motion(graph, &one.followed);
        let report = path_report(graph, &path, &options, &one.followed, Some(&made));
        assert!(
            report.arc_error_m.rms < 0.12,
            "{k}: {:?}",
            report.arc_error_m
        );
    }
    for (a, b) in all.iter().zip(ask()) {
        assert_eq!(a.followed.walk, b.followed.walk);
    }
}

#[test]
fn forbidden_transitions_are_not_taken() {
    let graph = walker();
    let path = named_curve("s", 0.8).expect("a curve");
    let mut options = walking("walk");
    let budget = small(&path);
    let rows = |o: &PathOptions| {
        let followed = follow(graph, &path, o, Search::default(), &budget);
        motion(graph, &followed).transition_rows(graph)
    };
    let before = rows(&options);
    assert!(!before.is_empty());
    options.forbid_transitions = before.iter().map(ForbiddenTransition::from).collect();
    let after = rows(&options);
    assert!(!after.is_empty(), "a curve needs other transitions then");
    for row in &after {
        assert!(
            before
                .iter()
                .all(|r| (&r.from, &r.to) != (&row.from, &row.to)),
            "{row:?}"
        );
    }
    let json = serde_json::to_string(&options.forbid_transitions).expect("JSON");
    let back: Vec<ForbiddenTransition> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(back, options.forbid_transitions);
    options.forbid_transitions[0].to = "nobody@1".to_owned();
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    assert!(PathProblem::new(graph, &edges, &path, &options).is_err());
}

#[test]
fn bending_halves_what_error_is_left_and_keeps_quality() {
    let graph = walker();
    let path = named_curve("s", 1.0).expect("a curve");
    let options = walking("walk");
    let followed = follow(graph, &path, &options, Search::default(), &small(&path));
    let straight = motion(graph, &followed);
    let bounds = BendOptions::default();
    let mut bent = straight.clone();
    bent.clip = bend(&straight.clip, &path, &bounds).expect("possible bounds");
    for (a, b) in bent.clip.root().iter().zip(straight.clip.root()) {
        assert!(a.distance(*b) <= bounds.most_m + 1e-9);
    }
    // After cleanup, as it is written.
    let (before, after) = (planted(&straight), planted(&bent));
    let report = |m| path_report(graph, &path, &options, &followed, Some(m));
    let (a, b) = (report(&before), report(&after));
    let (drift, left) = (a.path_error_smooth_m.rms, b.path_error_smooth_m.rms);
    assert!(left < 0.5 * drift, "{left} of {drift}");
    assert!(b.path_error_m.rms < 0.7 * a.path_error_m.rms);
    let measured = |m: &Motion| {
        let bare = m.clip.clone().with_contacts(None).expect("fits");
        quality(&bare, None, &QualityOptions::default())
    };
    let (p, q) = (measured(&before), measured(&after));
    assert!(q.skate_cm_s.mean.expect("plants") < 0.2);
    let pop = |q: &Quality| q.accel_m_s2.p999.expect("moves");
    assert!(pop(&q) < 1.1 * pop(&p), "{} after {}", pop(&q), pop(&p));
    // Not bent at all: the same motion.
    let none = BendOptions {
        most_m: 0.0,
        per_metre: 0.0,
        ..bounds
    };
    let same = bend(&straight.clip, &path, &none).expect("possible bounds");
    let pairs = same.root().iter().zip(straight.clip.root());
    assert!(pairs.into_iter().all(|(a, b)| a.distance(*b) < 1e-12));
    assert!(bend(&straight.clip, &path, &BendOptions::most(f64::NAN)).is_err());
}
