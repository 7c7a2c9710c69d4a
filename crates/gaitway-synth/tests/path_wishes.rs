//! Styles, obstacles, company: what is asked for beside the curve holds, on the motion with its feet planted too.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, follow_as_users_do, motion, planted, small, walker, walking};
use gaitway_core::events::EventKind;
use gaitway_graph::{LabelSet, MotionGraph, Transition};
use gaitway_synth::path::{
    CrowdOptions, EdgePaths, Obstacle, Path, PathOptions, PathRequest, PlaceRequest, PlaceWish,
    Search, Start, StylePiece, Wanted, crowd, named_curve, parse_styles, place_clip, plan_path,
    plan_place, resolve_styles,
};
use gaitway_synth::report::working_roots;
use gaitway_synth::search::{Budget, Outcome};
use gaitway_synth::{AssembleOptions, Walk, assemble};
use glam::{DVec2, DVec3};

#[test]
fn what_no_style_covers_is_free() {
    let pieces = |text: &str| {
        let styles = parse_styles(text).expect("styles");
        let pieces = resolve_styles(walker(), &styles, 8.0)
            .expect("pieces")
            .pieces;
        let row = |p: &StylePiece| (p.label.is_some(), p.from, p.to);
        pieces.iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(
        pieces("sneak@2..4"),
        [(false, 0.0, 2.0), (true, 2.0, 4.0), (false, 4.0, 8.0)]
    );
    assert_eq!(pieces("sneak@4.."), [(false, 0.0, 4.0), (true, 4.0, 8.0)]);
    // What drawing by hand leaves over is not worth a change of style.
    assert_eq!(pieces("sneak@0.1..7.9"), [(true, 0.0, 8.0)]);
    assert_eq!(pieces("walk"), [(true, 0.0, 8.0)]);
}

#[test]
fn styles_hold_outside_the_borders() {
    let graph = walker();
    let path = named_curve("line", 1.5).expect("a curve");
    let options = walking("walk@0..50%,sneak@50%..");
    let followed = follow_as_users_do(graph, &path, &options);
    assert_eq!(followed.found.outcome, Outcome::Solved);
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let delta = edges.body_height() / 2.0;
    let motion = planted(&motion(graph, &followed));
    let places = working_roots(graph, followed.walk.as_ref().expect("a walk"), &motion);
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
    let graph = walker();
    let Some(label) = graph.labels().names().iter().find(|n| n.contains("pick")) else {
        panic!(
            "the performer picks up nothing: {:?}",
            graph.labels().names()
        );
    };
    for around in ["", "walk,"] {
        let request = PathRequest {
            options: walking(&format!("{around}{label}@4")),
            ..PathRequest::new(named_curve("line", 1.0).expect("a curve"))
        };
        let motions = plan_path(graph, &request).expect("a possible wish");
        let report = &motions[0].report;
        let [action] = &report.actions[..] else {
            panic!("{:?}", report.actions);
        };
        assert!(action.happened && action.as_asked, "{}", action.words());
        assert_eq!(report.status, "Solved", "{}", action.words());
        // By the motion itself: a hand is there at that time.
        let clip = motions[0].require_clip().expect("a motion");
        let frame = (action.time_s.expect("a time") * clip.rate_hz()).round() as usize;
        let points = gaitway_core::fk::world_points(clip);
        let arms = gaitway_core::anatomy::Anatomy::of_clip(clip).arms;
        let there = DVec3::from(action.place_m.expect("a place"));
        let near = |a: &gaitway_core::anatomy::Arm| {
            points.at(frame, a.wrist.index()).distance(there) < 0.3
        };
        assert!(arms.iter().flatten().any(near), "no hand is at {there}");
    }
}

#[test]
fn an_action_without_an_event_is_told() {
    let graph = walker();
    let request = PathRequest {
        options: walking("walk@4"),
        ..PathRequest::new(named_curve("line", 1.0).expect("a curve"))
    };
    let planned = plan_path(graph, &request).map(|motions| motions[0].report.status);
    let error = planned.expect_err("walking has no event").to_string();
    assert!(error.contains("no event"), "{error}");
}

/// Labels at both ends of each transition of a walk, with the second it is at.
fn joints(graph: &MotionGraph, walk: &Walk) -> Vec<[LabelSet; 2]> {
    let at = |t: Transition| {
        [
            graph.clip_info(t.from_clip).labels_at(t.from_frame),
            graph.clip_info(t.to_clip).labels_at(t.to_frame),
        ]
    };
    let edges = walk.edges().iter();
    edges.filter_map(|&e| graph.transition(e)).map(at).collect()
}

#[test]
fn a_stretch_has_its_label_at_both_ends_of_every_transition() {
    let graph = walker();
    let path = named_curve("s", 1.0).expect("a curve");
    for label in ["walk", "sneak"] {
        let followed = follow_as_users_do(graph, &path, &walking(label));
        assert_eq!(followed.found.outcome, Outcome::Solved, "{label}");
        let id = graph.labels().find(label).expect("a label");
        let all = joints(graph, followed.walk.as_ref().expect("a walk"));
        assert!(!all.is_empty());
        let inside = |ends: &[LabelSet; 2]| ends.iter().all(|l| l.contains(id));
        assert!(all.iter().all(inside), "{label}: {all:?}");
    }
}

#[test]
fn a_path_without_styles_keeps_to_the_manner_of_its_start() {
    let graph = walker();
    for curve in ["line", "s", "figure8"] {
        let path = named_curve(curve, 1.0).expect("a curve");
        let followed = follow_as_users_do(graph, &path, &PathOptions::default());
        assert_eq!(followed.found.outcome, Outcome::Solved, "{curve}");
        let motion = motion(graph, &followed);
        for span in motion.clip.labels().spans() {
            let kind = EventKind::of_label(&span.label);
            let goes = kind.is_none_or(|k| !k.is_act());
            // Blends carry a label of their other end for a few frames.
            assert!(goes, "{curve}: {span:?}");
        }
    }
}

#[test]
fn obstacles_are_walked_round() {
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
    let obstacles = vec![Obstacle::Circle([0.15, 4.0, 0.25])];
    let options = PathOptions {
        obstacles,
        ..walking("walk")
    };
    let nearest = |asked: &PathOptions| {
        let followed = follow_as_users_do(graph, &path, asked);
        assert_eq!(followed.found.outcome, Outcome::Solved);
        let motion = planted(&motion(graph, &followed));
        let places = motion.clip.root().iter();
        let away = |p: &DVec3| options.obstacles[0].distance(DVec2::new(p.x, p.z));
        places.map(away).fold(f64::INFINITY, f64::min)
    };
    let distance = nearest(&options);
    assert!(
        distance >= options.body_radius_m && distance.is_finite(),
        "{distance:.3} m from the obstacle"
    );
    // It stands in the way: who does not know of it walks into it.
    assert!(nearest(&walking("walk")) < 0.5 * options.body_radius_m);
}

#[test]
fn walls_and_labels_are_given_as_reasons() {
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
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
    let graph = walker();
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let ends = [DVec2::new(-4.0, 4.0), DVec2::new(4.0, 4.0)];
    let across = Path::new(ends.to_vec(), false).expect("a path");
    let paths = [named_curve("line", 1.0).expect("a curve"), across];
    let wish = CrowdOptions {
        count: 6,
        budget: Some(Budget::expansions(60_000)),
        ..CrowdOptions::default()
    };
    let people =
        crowd(graph, &edges, &paths, &options, &wish, Default::default()).expect("a crowd");
    assert_eq!(people.len(), 6);
    // What is written: feet planted, at the output rate.
    let clips: Vec<_> = people
        .iter()
        .map(|p| planted(&motion(graph, &p.followed)).clip)
        .collect();
    let at = |k: usize, frame: i64| {
        let first = (people[k].start_s * clips[k].rate_hz()).round() as i64;
        usize::try_from(frame - first)
            .ok()
            .and_then(|f| clips[k].root().get(f))
            .map(|p| DVec2::new(p.x, p.z))
    };
    for a in 0..people.len() {
        assert_eq!(
            people[a].followed.found.outcome,
            Outcome::Solved,
            "person {a}"
        );
        for b in 0..a {
            for frame in 0..4000 {
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
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
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
fn a_clip_is_placed_where_it_is_wanted() {
    let graph = walker();
    let options = PathOptions::default();
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
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
fn a_label_is_placed_by_its_event_with_a_style_on_the_way() {
    let graph = walker();
    let wanted = Wanted::Label("pick-up".to_owned());
    let (at, heading) = (DVec2::new(1.0, 5.0), 1.2);
    let request = PlaceRequest {
        options: walking("walk"),
        ..PlaceRequest::new(PlaceWish {
            alternatives: 1,
            ..PlaceWish::new(wanted, at, heading)
        })
    };
    let edges = EdgePaths::new(
        graph,
        &request.options.naturalness,
        request.options.smooth_arc,
    )
    .expect("frames");
    let motions = plan_place(graph, &edges, &request, Default::default()).expect("possible");
    let action = motions[0].action.as_ref().expect("an action");
    assert!(action.as_asked, "{}", action.words());
    assert_eq!(motions[0].status(), "Solved");
    let place = action.place_m.expect("a place");
    assert!(DVec2::new(place[0], place[2]).distance(at) < 0.3);
}
