//! Laws of several searches, and of what is said of a walk: whether it does what was asked, what ended the search, where it
//! leaves its path.
#![allow(missing_docs)]

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use common::paths::{follow, motion, small, walker, walking};
use gaitway_synth::path::{
    BendOptions, EdgePaths, PathOptions, PathProblem, PathRequest, Search, bend, default_budget,
    named_curve, solve,
};
use gaitway_synth::report::{ErrorStats, path_report};
use gaitway_synth::search::{
    BeamOptions, BestSoFar, BnbOptions, Budget, Control, Outcome, SearchEnd, SearchProgress, replay,
};

fn beam(searches: usize, threads: usize) -> Search {
    Search::Beam(BeamOptions {
        searches,
        threads,
        ..BeamOptions::default()
    })
}

#[test]
fn starts_share_a_budget_and_find_the_same_on_any_number_of_threads() {
    let graph = walker();
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    for name in ["s", "zigzag"] {
        let path = named_curve(name, 0.8).expect("a curve");
        let problem = PathProblem::new(graph, &edges, &path, &options).expect("a problem");
        let budget = small(&path);
        let ask = |searches, threads| {
            let search = beam(searches, threads);
            solve(&problem, search, &budget, Control::default()).expect("a walk")
        };
        let (a, b, c) = (ask(3, 1), ask(3, 2), ask(3, 3));
        assert_eq!((&a.walk, &a.walk), (&b.walk, &c.walk), "{name}");
        assert_eq!(a.found.expansions, b.found.expansions);
        assert_eq!(a.found.cost.to_bits(), c.found.cost.to_bits());
        assert!(a.found.expansions <= budget.expansions);
        assert_eq!((a.found.searches, ask(1, 0).found.searches), (3, 1));
        let start = a.found.start.expect("a start");
        let again = replay(&problem, &start, a.found.edges(), a.found.last_frames);
        assert_eq!(again.expect("a walk").1.to_bits(), a.found.cost.to_bits());
        // What one start finds alone with its share, several make better or leave as it is.
        let share = Budget::expansions(budget.expansions / 3);
        let one = solve(&problem, beam(1, 1), &share, Control::default()).expect("a walk");
        assert!(
            a.found.cost <= one.found.cost * 1.05,
            "{name}: {} by three, {} by one",
            a.found.cost,
            one.found.cost
        );
    }
}

#[test]
fn several_starts_speak_with_one_voice() {
    let graph = walker();
    let path = named_curve("s", 0.8).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let problem = PathProblem::new(graph, &edges, &path, &options).expect("a problem");
    let budget = small(&path);
    let alone = solve(&problem, beam(2, 2), &budget, Control::default()).expect("a walk");
    let shown: Mutex<Vec<BestSoFar>> = Mutex::default();
    let told: Mutex<Vec<SearchProgress>> = Mutex::default();
    let show = |b: BestSoFar| shown.lock().expect("a lock").push(b);
    let tell = |p: SearchProgress| told.lock().expect("a lock").push(p);
    let control = Control {
        best: Some(&show),
        progress: Some(&tell),
        best_every: Some(std::time::Duration::ZERO),
        ..Control::default()
    };
    let watched = solve(&problem, beam(2, 2), &budget, control).expect("a walk");
    assert_eq!(watched.walk, alone.walk, "being watched changes nothing");
    let shown = shown.into_inner().expect("a lock");
    assert!(!shown.is_empty());
    for pair in shown.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        assert!(b.complete || (!a.complete && b.part > a.part));
        assert!(!a.complete || b.cost < a.cost);
    }
    for best in &shown {
        assert!(best.walk(graph).is_ok());
    }
    let told = told.into_inner().expect("a lock");
    assert!(told.iter().all(|p| (0.0..=1.0).contains(&p.part)));
    let most = told.iter().map(|p| p.expansions).max().unwrap_or(0);
    assert!(most <= watched.found.expansions);
    let last = told.iter().filter_map(|p| p.best).next_back();
    assert!(last.is_some_and(|c| c >= watched.found.cost - 1e-9));
}

#[test]
fn stopped_starts_return_the_best_so_far() {
    let graph = walker();
    let path = named_curve("figure8", 1.0).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let problem = PathProblem::new(graph, &edges, &path, &options).expect("a problem");
    let cancel = AtomicBool::new(false);
    // Once there is a complete walk it is enough.
    let tell = |p: SearchProgress| {
        if p.best.is_some() {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let control = Control {
        cancel: Some(&cancel),
        progress: Some(&tell),
        ..Control::default()
    };
    let budget = Budget::expansions(40_000_000);
    let found = solve(&problem, beam(2, 0), &budget, control)
        .expect("a walk")
        .found;
    assert!(found.complete && found.outcome == Outcome::Solved);
    assert!(found.expansions < budget.expansions / 2);
    // Stopped before it begins, nothing is claimed.
    let found = solve(&problem, beam(2, 0), &budget, control)
        .expect("an answer")
        .found;
    assert!(!found.complete && found.outcome == Outcome::BudgetSpent);
}

#[test]
fn each_stretch_off_the_path_is_told() {
    let graph = walker();
    let path = named_curve("zigzag", 1.0).expect("a curve");
    let options = PathOptions {
        off_path_m: 0.02,
        ..walking("walk")
    };
    let followed = follow(graph, &path, &options, Search::default(), &small(&path));
    let left = followed.left_path.as_ref().expect("nobody is that near");
    assert!(left.ranges.len() > 1, "{left:?}");
    assert!(left.ranges.len() <= left.range_count && left.ranges.len() <= 32);
    for pair in left.ranges.windows(2) {
        assert!(pair[0].to_m < pair[1].from_m, "{left:?}");
    }
    for r in &left.ranges {
        assert!(left.from_m <= r.from_m && r.from_m <= r.to_m && r.to_m <= left.to_m);
        assert!(r.worst_m > options.off_path_m && r.worst_m <= left.worst_m);
        assert!(0.0 <= r.from_s && r.from_s <= r.to_s, "{r:?}");
        // Nothing is in the way, so metres along the path are those of the path as drawn.
        for (m, at) in [(r.from_m, r.from_at), (r.to_m, r.to_at)] {
            assert!(path.at(m).distance(at.into()) < 1e-6, "{r:?}");
        }
    }
    for pair in left.ranges.windows(2) {
        assert!(pair[0].to_s < pair[1].from_s, "{left:?}");
    }
    assert!(left.words.contains("places"), "{}", left.words);
    let report = path_report(graph, &path, &options, &followed, None);
    assert_eq!((report.status, report.searches), ("OffPath", 2));
    let json = serde_json::to_value(&report).expect("JSON");
    for field in ["from_m", "to_m", "ranges", "words"] {
        assert!(json["left_path"].get(field).is_some(), "{field}");
    }
}

#[test]
fn the_motion_says_whether_it_does_what_was_asked() {
    let graph = walker();
    let path = named_curve("s", 1.0).expect("a curve");
    let ask = |off_path_m| PathOptions {
        off_path_m,
        ..walking("walk")
    };
    let followed = follow(graph, &path, &ask(0.5), Search::default(), &small(&path));
    let straight = motion(graph, &followed);
    let mut bent = straight.clone();
    bent.clip = bend(&straight.clip, &path, &BendOptions::default()).expect("possible bounds");
    let report = |m, off| path_report(graph, &path, &ask(off), &followed, m);
    let furthest = |m| report(Some(m), 0.5).path_error_m.max;
    let (before, after) = (furthest(&straight), furthest(&bent));
    assert!(after < 0.9 * before, "{after} of {before}");
    // Between the two it is bending that makes the difference, with the same walk.
    let off = (before + after) / 2.0;
    assert_eq!(report(Some(&straight), off).status, "OffPath");
    assert_eq!(report(Some(&bent), off).status, "Solved");
    // A motion that keeps to its path has nothing to say of where the walk did not.
    let strict = follow(graph, &path, &ask(off), Search::default(), &small(&path));
    let told = |m| path_report(graph, &path, &ask(off), &strict, m);
    assert_eq!(
        (told(None).status, told(None).left_path.is_some()),
        ("OffPath", true)
    );
    assert_eq!(told(Some(&straight)).left_path, strict.left_path);
    assert_eq!(
        (told(Some(&bent)).status, told(Some(&bent)).left_path),
        ("Solved", None)
    );
    // The beam spends all it has on a better walk; what it found does what was asked none the less.
    let report = report(Some(&straight), 0.5);
    assert_eq!(
        (report.status, report.search),
        ("Solved", SearchEnd::Budget)
    );
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(
        (&json["status"], &json["search"]),
        (&"Solved".into(), &"budget".into())
    );
    // Bites arrive and are done, however far off; cut short, they have not arrived.
    let line = named_curve("line", 1.0).expect("a curve");
    let bites = Search::Bnb(BnbOptions {
        per_bite: Some(12_000),
        ..BnbOptions::default()
    });
    for (expansions, status, search) in [
        (u64::MAX / 4, "OffPath", SearchEnd::Complete),
        (400, "BudgetSpent", SearchEnd::Budget),
    ] {
        let budget = Budget::expansions(expansions);
        let followed = follow(graph, &line, &ask(0.01), bites, &budget);
        let report = path_report(graph, &line, &ask(0.01), &followed, None);
        assert_eq!((report.status, report.search), (status, search));
        assert_eq!(report.path_error_m, ErrorStats::default());
    }
}

#[test]
fn bites_follow_where_they_used_to_run_off() {
    let graph = walker();
    let options = walking("walk");
    let mut spent = Vec::new();
    for name in ["s", "figure8", "circle"] {
        let path = named_curve(name, 1.0).expect("a curve");
        let budget = default_budget(&path);
        let bites = |spare| {
            let options_of = BnbOptions {
                spare,
                ..BnbOptions::default()
            };
            follow(graph, &path, &options, Search::Bnb(options_of), &budget)
        };
        let followed = bites(3);
        let found = &followed.found;
        assert!(found.complete && found.expansions <= budget.expansions + 20_000);
        let report = path_report(graph, &path, &options, &followed, None);
        // Never without a word: a walk that leaves its path says where.
        assert_eq!(report.status == "OffPath", followed.left_path.is_some());
        let off = followed.left_path.as_ref().map_or(0.0, |l| l.worst_m);
        assert!(off < 1.0, "{name}: {off} m off");
        spent.push(found.expansions as f64 / budget.expansions as f64);
    }
    assert!(spent.iter().all(|&s| s > 0.4), "left unspent: {spent:?}");
}

#[test]
fn a_larger_budget_is_spent_on_a_better_walk() {
    let graph = walker();
    let (path, options) = (named_curve("s", 1.0).expect("a curve"), walking("walk"));
    let bites = Search::Bnb(BnbOptions::default());
    let costs: Vec<(f64, u64)> = [1, 4, 16]
        .map(|times| {
            let budget = Budget::expansions(times * default_budget(&path).expansions);
            let found = follow(graph, &path, &options, bites, &budget).found;
            assert!(found.complete);
            (found.cost, found.expansions)
        })
        .to_vec();
    assert!(costs[2].0 <= costs[0].0, "{costs:?}");
    assert!(costs[2].1 > 4 * costs[0].1, "{costs:?}");
}

#[test]
fn options_of_bites_that_cannot_be_are_told() {
    let ask = |bnb: BnbOptions| PathRequest {
        search: Search::Bnb(bnb),
        ..PathRequest::new(named_curve("s", 1.0).expect("a curve"))
    };
    let whole = BnbOptions::default();
    assert!(ask(whole).check().is_ok());
    let wrong = [
        BnbOptions {
            horizon: Some(0),
            ..whole
        },
        BnbOptions {
            horizon: Some(9999),
            ..whole
        },
        BnbOptions { keep: 0, ..whole },
        BnbOptions { keep: 91, ..whole },
        BnbOptions {
            epsilon: -1.0,
            ..whole
        },
        BnbOptions {
            epsilon: f64::NAN,
            ..whole
        },
        BnbOptions { best: 0, ..whole },
        BnbOptions { best: 101, ..whole },
    ];
    for bnb in wrong {
        assert!(ask(bnb).check().is_err(), "{bnb:?}");
    }
}
