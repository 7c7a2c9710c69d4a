//! Laws of path synthesis, on the performer and on real clips.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, motion, small, walker as graph, walking};
use gaitway_synth::search::path::{
    BendOptions, CrowdOptions, EdgePaths, Naturalness, Obstacle, PathError, PathOptions, PlaceWish,
    Search, Start, Wanted, arc_errors, bend, crowd, default_budget, follow_path, named,
    parse_obstacles, parse_path, parse_styles, path_plot, path_report, place_clip, working_roots,
};
use gaitway_synth::search::{BnbOptions, Budget, Outcome};
use gaitway_synth::{AssembleOptions, SynthError, assemble};
use glam::DVec2;

#[test]
fn the_cost_found_is_the_cost_of_the_motion() {
    let graph = graph();
    let path = named("figure8", 0.6).expect("a curve");
    let options = PathOptions {
        naturalness: Naturalness::NONE,
        ..walking("walk")
    };
    for search in [
        Search::default(),
        Search::Bnb(BnbOptions {
            per_bite: 3000,
            ..BnbOptions::default()
        }),
    ] {
        let followed = follow(graph, &path, &options, search, &small(&path));
        let motion = motion(graph, &followed);
        let places = working_roots(graph, followed.walk.as_ref().expect("a walk"), &motion.clip);
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
    let graph = graph();
    let path = named("s", 1.0).expect("a curve");
    let options = walking("walk");
    let followed = follow(
        graph,
        &path,
        &options,
        Search::default(),
        &default_budget(&path),
    );
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let motion = motion(graph, &followed);
    let report = path_report(graph, &path, &options, &followed, Some(&motion));
    assert!(report.arc_error_m.rms < 0.06, "{:?}", report.arc_error_m);
    assert!(report.path_error_m.rms <= report.arc_error_m.rms + 1e-9);
    assert!(report.facing_error_rad.within_30_deg > 0.95);
    let json = serde_json::to_value(&report).expect("JSON");
    for field in [
        "status",
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
    let graph = graph();
    let options = walking("walk");
    for name in ["line", "s", "zigzag"] {
        let path = named(name, 1.0).expect("a curve");
        let budget = small(&path);
        let bites = BnbOptions {
            per_bite: budget.expansions / 15,
            ..BnbOptions::default()
        };
        let beam = follow(graph, &path, &options, Search::default(), &budget).found;
        let bnb = follow(graph, &path, &options, Search::Bnb(bites), &budget).found;
        assert!(beam.expansions <= budget.expansions && bnb.expansions <= budget.expansions + 1000);
        assert!(
            !bnb.complete || beam.cost <= bnb.cost * 1.05,
            "{name}: {} against {}",
            beam.cost,
            bnb.cost
        );
    }
}

#[test]
fn seeds_repeat_and_differ() {
    let graph = graph();
    let path = named("line", 1.0).expect("a curve");
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

#[test]
fn styles_hold_outside_the_borders() {
    let graph = graph();
    let path = named("line", 1.5).expect("a curve");
    let options = walking("walk@0..50%,sneak@50%..");
    let followed = follow(
        graph,
        &path,
        &options,
        Search::default(),
        &default_budget(&path),
    );
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
    let delta = edges.body_height() / 2.0;
    let motion = motion(graph, &followed);
    let places = working_roots(graph, followed.walk.as_ref().expect("a walk"), &motion.clip);
    let per_frame = motion.clip.frame_count() as f64 / places.len() as f64;
    let mut arc = 0.0;
    let mut seen = [0, 0];
    for k in 1..places.len() {
        arc += places[k]
            .distance(places[k - 1])
            .max(options.least_progress_m);
        let frame = (k as f64 * per_frame) as usize;
        let has = |label: &str| motion.clip.labels().at(frame).any(|l| l == label);
        // A switch takes at most a transition more than the border's δ.
        if arc < 6.0 - delta {
            assert!(has("walk"), "not walking at {arc:.2} m");
            seen[0] += 1;
        } else if arc > 6.0 + delta {
            assert!(has("sneak"), "not sneaking at {arc:.2} m");
            seen[1] += 1;
        }
    }
    assert!(seen[0] > 60 && seen[1] > 60, "{seen:?}");
}

#[test]
fn an_action_is_done_at_its_point() {
    let graph = graph();
    let Some(label) = graph.labels().names().iter().find(|n| n.contains("pick")) else {
        panic!(
            "the performer picks up nothing: {:?}",
            graph.labels().names()
        );
    };
    let path = named("line", 1.0).expect("a curve");
    let options = walking(&format!("any,{label}@4"));
    let followed = follow(
        graph,
        &path,
        &options,
        Search::default(),
        &default_budget(&path),
    );
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let motion = motion(graph, &followed);
    let frames: Vec<usize> = (0..motion.clip.frame_count())
        .filter(|&f| motion.clip.labels().at(f).any(|l| l == label))
        .collect();
    assert!(
        frames.len() as f64 >= options.action_s * motion.clip.rate_hz() * 0.9,
        "{} frames",
        frames.len()
    );
    let middle = motion.clip.root()[frames[frames.len() / 2]];
    assert!(
        DVec2::new(middle.x, middle.z).distance(path.at(4.0)) < 1.2,
        "at {middle}"
    );
}

#[test]
fn obstacles_are_walked_round() {
    let graph = graph();
    let path = named("line", 1.0).expect("a curve");
    let obstacles = vec![Obstacle::Circle([0.15, 4.0, 0.25])];
    let options = PathOptions {
        obstacles,
        ..walking("walk")
    };
    let followed = follow(
        graph,
        &path,
        &options,
        Search::default(),
        &default_budget(&path),
    );
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let motion = motion(graph, &followed);
    for p in motion.clip.root() {
        let distance = options.obstacles[0].distance(DVec2::new(p.x, p.z));
        assert!(
            distance >= options.body_radius_m,
            "{distance:.3} m from the obstacle"
        );
    }
}

#[test]
fn walls_and_labels_are_given_as_reasons() {
    let graph = graph();
    let path = named("line", 1.0).expect("a curve");
    let reason = |options: &PathOptions| match follow(
        graph,
        &path,
        options,
        Search::default(),
        &small(&path),
    )
    .found
    .outcome
    {
        Outcome::NoWalk { reason } => reason,
        other => panic!("{other:?}"),
    };
    let wall = PathOptions {
        obstacles: vec![Obstacle::Box([-60.0, 3.0, 60.0, 4.0])],
        corridor_m: Some(5.0),
        ..walking("walk")
    };
    let told = reason(&wall);
    assert!(
        told.contains("obstacle 0") && told.contains("3.50"),
        "{told}"
    );
    let inside = PathOptions {
        obstacles: vec![Obstacle::Circle([0.0, 0.0, 1.0])],
        ..walking("walk")
    };
    assert!(reason(&inside).contains("start lies in obstacle 0"));
    let names: Vec<String> = graph
        .clip_ids()
        .map(|c| graph.clip_info(c).name().to_owned())
        .collect();
    let nothing = PathOptions {
        forbid: names,
        ..walking("walk")
    };
    assert!(
        reason(&nothing).contains("no start"),
        "{}",
        reason(&nothing)
    );
}

#[test]
fn a_crowd_keeps_apart_and_does_not_move_alike() {
    let graph = graph();
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
    let across = parse_path("[[-4,4],[4,4]]", 1.0).expect("a path");
    let paths = [named("line", 1.0).expect("a curve"), across];
    let wish = CrowdOptions {
        count: 6,
        budget: Some(Budget::expansions(60_000)),
        ..CrowdOptions::default()
    };
    let people =
        crowd(graph, &edges, &paths, &options, &wish, Default::default()).expect("a crowd");
    assert_eq!(people.len(), 6);
    let rate = graph.working_rate_hz();
    let at = |k: usize, frame: i64| {
        let first = (people[k].start_s * rate).round() as i64;
        usize::try_from(frame - first)
            .ok()
            .and_then(|f| people[k].places.get(f))
            .map(|&p| DVec2::from_array(p))
    };
    for a in 0..people.len() {
        assert_eq!(
            people[a].followed.found.outcome,
            Outcome::Solved,
            "person {a}"
        );
        for b in 0..a {
            for frame in 0..2000 {
                if let (Some(p), Some(q)) = (at(a, frame), at(b, frame)) {
                    assert!(
                        p.distance(q) >= 2.0 * options.body_radius_m,
                        "{a} and {b} at frame {frame}"
                    );
                }
            }
            assert_ne!(people[a].followed.walk, people[b].followed.walk);
        }
    }
}

#[test]
fn a_given_start_is_kept() {
    let graph = graph();
    let path = named("line", 1.0).expect("a curve");
    let start = Start::At {
        x: 0.3,
        z: -0.2,
        heading: 0.4,
    };
    let options = PathOptions {
        start,
        ..walking("walk")
    };
    let followed = follow(graph, &path, &options, Search::default(), &small(&path));
    let motion = motion(graph, &followed);
    let first = motion.clip.root()[0];
    assert!((first.x - 0.3).abs() < 1e-9 && (first.z + 0.2).abs() < 1e-9);
    let facing = gaitway_core::ground::facing(&motion.clip)[0];
    assert!((facing - 0.4).abs() < 1e-3, "faces {facing}");
}

#[test]
fn smoothed_arc_length_takes_no_short_cuts() {
    let graph = graph();
    let path = named("circle", 1.0).expect("a curve");
    let follow_with = |smooth_arc| {
        let options = PathOptions {
            smooth_arc,
            ..walking("walk")
        };
        let followed = follow(graph, &path, &options, Search::default(), &small(&path));
        path_report(
            graph,
            &path,
            &options,
            &followed,
            Some(&motion(graph, &followed)),
        )
    };
    let smooth = follow_with(true);
    assert!(
        smooth.arc_error_smooth_m.rms < 0.08,
        "{:?}",
        smooth.arc_error_smooth_m
    );
}

#[test]
fn bad_input_is_told_quickly() {
    let error = |text: &str| parse_path(text, 1.0).expect_err(text);
    assert!(matches!(
        error("[[0,0]]"),
        PathError::TooShort { points: 1, .. }
    ));
    assert!(matches!(
        error("[[0,0],[0,1e9]]"),
        PathError::TooLong { .. }
    ));
    assert!(matches!(
        error("[[0,0],[0,10000]]"),
        PathError::TooLong { .. }
    ));
    assert!(matches!(
        error("0,0\n0,NaN\n1,1"),
        PathError::NotFinite { at: 1 }
    ));
    assert!(matches!(
        error("[[0,0],[null,1]]"),
        PathError::Syntax { .. }
    ));
    assert!(matches!(error("<svg><rect/></svg>"), PathError::NoSvgPath));
    assert!(matches!(error("M 0 0 L 1"), PathError::Syntax { .. }));
    assert!(matches!(error("elephant"), PathError::UnknownCurve { .. }));
    assert!(matches!(error(""), PathError::Empty));
    assert!(matches!(
        parse_path("line", f64::NAN),
        Err(PathError::Scale { .. })
    ));
    assert!(parse_obstacles("[{\"polygon\": [[0,0],[1,1]]}]").is_err());
    assert!(parse_obstacles("[{\"circle\": [0,0,-1]}]").is_err());
    assert!(parse_styles("@3..4").is_err() && parse_styles("walk@x..4").is_err());
    let graph = graph();
    let path = named("line", 1.0).expect("a curve");
    let edges = EdgePaths::new(graph, &Naturalness::default(), false).expect("frames");
    let ask = |options: &PathOptions| {
        follow_path(
            graph,
            &edges,
            &path,
            options,
            Search::default(),
            &small(&path),
            Default::default(),
        )
    };
    assert!(matches!(
        ask(&walking("flying")),
        Err(SynthError::UnknownLabel { .. })
    ));
    assert!(ask(&walking("walk@0..2,sneak@4..8")).is_err());
    assert!(
        ask(&PathOptions {
            body_radius_m: f64::NAN,
            ..walking("walk")
        })
        .is_err()
    );
    // 100,000 points are a path like another.
    let many: Vec<[f64; 2]> = (0..100_000)
        .map(|k| [(f64::from(k) * 0.001).sin(), f64::from(k) * 1e-4])
        .collect();
    let many = parse_path(&serde_json::to_string(&many).expect("JSON"), 0.05).expect("a path");
    assert!(many.length() > 1.0);
    // Sharper than any turn: there and back again on the same line.
    let back = parse_path("[[0,0],[0,2],[0,0],[0,2]]", 1.0).expect("a path");
    let found = follow(
        graph,
        &back,
        &walking("walk"),
        Search::default(),
        &small(&back),
    )
    .found;
    assert!(found.complete || !matches!(found.outcome, Outcome::Solved));
}

#[test]
fn formats_agree_on_one_curve() {
    let json =
        parse_path("{\"points\": [[0,0],[0,3],[3,3]], \"closed\": true}", 1.0).expect("JSON");
    let svg = parse_path("<svg><path id=\"x\" d=\"M0 0 v3 h3 z\"/></svg>", 1.0).expect("SVG");
    assert!(json.closed() && svg.closed());
    assert_eq!(json.points(), svg.points());
    let csv = parse_path("x,z\n0,0\n0,3\n3,3\n", 2.0).expect("CSV");
    assert!((csv.length() - 12.0).abs() < 1e-9);
    // A quarter circle by arc command, against its length.
    let arc = parse_path("M0 0 A2 2 0 0 1 2 2", 1.0).expect("an arc");
    assert!(
        (arc.length() - std::f64::consts::PI).abs() < 1e-3,
        "{}",
        arc.length()
    );
    let cubic = parse_path("M0,0 C0,1.1046 0.8954,2 2,2 S4,3 4,4", 1.0).expect("a curve");
    assert!((cubic.at(0.0) - DVec2::ZERO).length() < 1e-12 && cubic.length() > 5.0);
}

#[test]
fn a_clip_is_placed_where_it_is_wanted() {
    let graph = graph();
    let options = PathOptions::default();
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
    let wish = PlaceWish::new(
        Wanted::Label("pick-up".to_owned()),
        DVec2::new(1.0, 5.0),
        0.3,
    );
    let placed = place_clip(graph, &edges, &wish, &options, None, Default::default())
        .expect("a possible wish");
    assert!(placed.len() >= 2, "{} alternatives", placed.len());
    let best = &placed[0];
    assert!(
        best.place_error_m < 0.3 && best.heading_error_rad < 0.3,
        "{} m, {} rad",
        best.place_error_m,
        best.heading_error_rad
    );
    // It goes there without dithering: little longer than the straight way.
    let motion = assemble(
        graph,
        &best.walk,
        &AssembleOptions {
            world_from_start: best.world_from_start,
            ..AssembleOptions::default()
        },
    )
    .expect("a motion");
    let picks = (0..motion.clip.frame_count())
        .find(|&f| motion.clip.labels().at(f).any(|l| l == "pick-up"))
        .expect("it picks up");
    let way: f64 = motion.clip.root()[..picks]
        .windows(2)
        .map(|w| w[0].distance(w[1]))
        .sum();
    assert!(way < 1.5 * 5.1, "{way} m");
    let unknown = PlaceWish::new(Wanted::Clip("nowhere".to_owned()), DVec2::ZERO, 0.0);
    assert!(place_clip(graph, &edges, &unknown, &options, None, Default::default()).is_err());
}

#[test]
fn bending_takes_out_much_of_what_error_is_left() {
    let graph = graph();
    let path = named("zigzag", 1.0).expect("a curve");
    let options = walking("walk");
    let followed = follow(graph, &path, &options, Search::default(), &small(&path));
    let mut motion = motion(graph, &followed);
    let before = path_report(graph, &path, &options, &followed, Some(&motion));
    let straight = motion.clip.clone();
    motion.clip = bend(
        &straight,
        &path,
        &BendOptions {
            most_m: 0.5,
            per_metre: 0.3,
        },
    )
    .expect("possible bounds");
    let after = path_report(graph, &path, &options, &followed, Some(&motion));
    assert!(
        after.path_error_m.rms < 0.6 * before.path_error_m.rms,
        "{:?} after {:?}",
        after.path_error_m,
        before.path_error_m
    );
    // Not bent at all: the same motion.
    let same = bend(
        &straight,
        &path,
        &BendOptions {
            most_m: 0.0,
            per_metre: 0.0,
        },
    )
    .expect("possible bounds");
    assert!(
        same.root()
            .iter()
            .zip(straight.root())
            .all(|(a, b)| a.distance(*b) < 1e-12)
    );
    assert!(bend(&straight, &path, &BendOptions::most(f64::NAN)).is_err());
    for (a, b) in motion.clip.root().iter().zip(straight.root()) {
        assert!(a.distance(*b) <= 0.5 + 1e-9);
    }
}
