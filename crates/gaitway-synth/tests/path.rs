//! Laws of path synthesis: what is found is what is played.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, follow_as_users_do, motion, small, walker, walking};
use gaitway_core::Clip;
use gaitway_core::ground::smooth_ground_path;
use gaitway_synth::path::{Naturalness, Path, PathOptions, Search, circle_of, named_curve};
use gaitway_synth::report::{arc_errors, path_plot, path_report, working_roots};
use gaitway_synth::search::{BnbOptions, Outcome};
use glam::DVec2;

#[test]
fn the_cost_found_is_the_cost_of_the_motion() {
    let graph = walker();
    let path = named_curve("figure8", 0.6).expect("a curve");
    let options = PathOptions {
        naturalness: Naturalness::NONE,
        // Places alone do not tell the way without sway.
        smooth_arc: false,
        ..walking("walk")
    };
    for search in [
        Search::default(),
        Search::Bnb(BnbOptions {
            per_bite: Some(3000),
            ..BnbOptions::default()
        }),
    ] {
        let followed = follow(graph, &path, &options, search, &small(&path));
        let motion = motion(graph, &followed);
        let places = working_roots(graph, followed.walk.as_ref().expect("a walk"), &motion);
        let errors = arc_errors(&path, &places, options.least_progress_m);
        let cost: f64 = errors.iter().map(|e| e * e).sum();
        let found = followed.found.cost;
        assert!(
            (cost - found).abs() < 1e-6 * found.max(1.0),
            "{cost} is not {found}"
        );
    }
}

#[test]
fn a_curve_is_followed_and_told() {
    let graph = walker();
    let path = named_curve("s", 1.0).expect("a curve");
    let options = walking("walk");
    let followed = follow_as_users_do(graph, &path, &options);
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let motion = motion(graph, &followed);
    let report = path_report(graph, &path, &options, &followed, Some(&motion));
    assert!(report.arc_error_m.rms < 0.06, "{:?}", report.arc_error_m);
    assert!(report.path_error_m.rms <= report.arc_error_m.rms + 1e-9);
    assert!(report.facing_error_rad.within_30_deg > 0.95);
    let json = serde_json::to_value(&report).expect("JSON");
    for field in [
        "status",
        "search",
        "deterministic",
        "seconds",
        "frames",
        "search_seconds",
        "expansions",
        "cost",
        "bound",
        "path_error_m",
        "arc_error_m",
        "facing_error_rad",
        "transitions",
        "quality",
    ] {
        assert!(json.get(field).is_some(), "no {field}");
    }
    let plot = path_plot(
        graph,
        &path,
        followed.walk.as_ref().expect("a walk"),
        &motion,
    );
    assert_eq!(plot.transitions.len(), report.transitions.len());
    assert!(plot.target.len() > 100 && !plot.labels.is_empty());
}

#[test]
fn the_beam_beats_bites_at_equal_expansions() {
    let graph = walker();
    let options = walking("walk");
    for name in ["line", "s", "zigzag"] {
        let path = named_curve(name, 1.0).expect("a curve");
        let budget = small(&path);
        let bites = BnbOptions::default();
        let beam = follow(graph, &path, &options, Search::default(), &budget).found;
        let bnb = follow(graph, &path, &options, Search::Bnb(bites), &budget).found;
        assert!(beam.expansions <= budget.expansions && bnb.expansions <= budget.expansions + 1000);
        assert!(beam.complete, "{name}: the beam does not arrive");
        assert!(bnb.complete, "{name}: bites do not arrive");
        assert!(
            beam.cost <= bnb.cost * 1.05,
            "{name}: {} against {}",
            beam.cost,
            bnb.cost
        );
    }
}

#[test]
fn seeds_repeat_and_differ() {
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
    let options = walking("walk");
    let walk = |seed| {
        follow(
            graph,
            &path,
            &options,
            Search::default().with_seed(seed),
            &small(&path),
        )
        .walk
        .expect("a walk")
    };
    assert_eq!(walk(3), walk(3));
    assert!((4..8).any(|s| walk(s) != walk(3)));
}

/// How far outside a circle about a centre a walk goes on average, without its sway, metres; below 0 is a short cut.
fn outside(clip: &Clip, centre: DVec2, radius: f64) -> f64 {
    let way = smooth_ground_path(clip, 1.1);
    let off: f64 = way.iter().map(|p| p.distance(centre) - radius).sum();
    off / way.len() as f64
}

/// Neither sway nor what a walk is ahead by adds up.
#[test]
fn long_paths_are_followed_as_well_as_short_ones() {
    let graph = walker();
    let off = |count: i32| {
        let at = |k: i32| {
            let x = 0.5 * f64::from(k);
            glam::DVec2::new(x, 4.0 * (x / 8.0).sin())
        };
        let path = Path::new((0..count).map(at).collect(), false).expect("a path");
        let options = walking("walk");
        let followed = follow(graph, &path, &options, Search::default(), &small(&path));
        let made = motion(graph, &followed);
        let report = path_report(graph, &path, &options, &followed, Some(&made));
        assert_eq!(report.status, "Solved", "{:?}", report.path_error_m);
        report.path_error_m.rms
    };
    let (short, long) = (off(60), off(900));
    assert!(long < 1.5 * short.max(0.02), "{long} beside {short}");
}

/// The hips sway, so the root's way is longer than the path below it, and a walk that is held to its arc length saves the
/// difference on the inside of bends.
#[test]
fn smoothed_arc_length_takes_no_short_cuts() {
    let graph = walker();
    // Which pieces fit one circle is chance: it holds of several.
    for radius in [1.6, 2.0, 2.5, 3.2] {
        let path = circle_of(radius).expect("a curve");
        let centre = 0.5 * (path.at(0.0) + path.at(0.5 * path.length()));
        let follow_with = |smooth_arc| {
            let options = PathOptions {
                smooth_arc,
                ..walking("walk")
            };
            let followed = follow_as_users_do(graph, &path, &options);
            let motion = motion(graph, &followed);
            let report = path_report(graph, &path, &options, &followed, Some(&motion));
            (outside(&motion.clip, centre, radius), report)
        };
        let (smooth_off, smooth) = follow_with(true);
        let (cut_off, cut) = follow_with(false);
        assert!(
            cut_off < -0.015,
            "radius {radius}: no short cut to cure: {cut_off}"
        );
        assert!(
            smooth_off.abs() < 0.6 * cut_off.abs(),
            "radius {radius}: {smooth_off} beside {cut_off}"
        );
        // Each is the better one by its own measure.
        let own = (smooth.arc_error_smooth_m.rms, cut.arc_error_m.rms);
        let other = (cut.arc_error_smooth_m.rms, smooth.arc_error_m.rms);
        assert!(own.0 < 0.045 && own.1 < 0.045, "radius {radius}: {own:?}");
        assert!(
            other.0 > 1.2 * own.0 && other.1 > 1.5 * own.1,
            "radius {radius}: {own:?} {other:?}"
        );
    }
}
