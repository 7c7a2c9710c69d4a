//! Planning is its steps, done by hand: searched, sorted, assembled, bent, feet planted, reported on.
#![allow(missing_docs)]

mod common;

use std::time::Duration;

use common::paths::{walker, walking};
use gaitway_core::Clip;
use gaitway_synth::motion::plant;
use gaitway_synth::path::{
    AlternativeOptions, BendOptions, CrowdOptions, Followed, Obstacle, Path, PathMotion,
    PathOptions, PathRequest, PlaceRequest, PlaceWish, SEARCHES, Search, Wanted, alternatives,
    bend, crowd, default_budget, follow_path, named_curve, place_clip, plan_path, plan_place,
};
use gaitway_synth::report::{KeptWalk, path_report};
use gaitway_synth::search::{Budget, Control};
use gaitway_synth::{AssembleOptions, Motion, SynthError, assemble};
use glam::DVec2;
use serde_json::{Value, json};

fn straight(from: [f64; 2], to: [f64; 2]) -> Path {
    let ends = [from, to].map(DVec2::from_array);
    Path::new(ends.to_vec(), false).expect("a line")
}

fn quick(path: Path) -> PathRequest {
    let expansions = default_budget(&path).expansions / 4;
    PathRequest {
        expansions: Some(expansions),
        ..PathRequest::new(path)
    }
}

fn by_hand(request: &PathRequest, path: &Path, followed: &Followed) -> (Motion, Value) {
    let graph = walker();
    let options = AssembleOptions {
        world_from_start: followed.world_from_start,
        out_fps: request.out_fps,
        blend: request.blend,
        ..AssembleOptions::default()
    };
    let walk = followed.walk.as_ref().expect("a walk");
    let mut motion = assemble(graph, walk, &options).expect("a motion");
    if let Some(most_m) = request.bend_m {
        let bounds = BendOptions {
            most_m,
            ..BendOptions::default()
        };
        motion.clip = bend(&motion.clip, path, &bounds).expect("bent");
    }
    if request.clean {
        assert_eq!(plant(graph, &mut motion), None);
    }
    let report = path_report(graph, path, &request.options, followed, Some(&motion));
    let mut row = json!(report);
    row["complete"] = json!(followed.found.complete);
    row["walk"] = json!(KeptWalk::of(&graph.tag(), followed));
    (motion, row)
}

/// A planned motion against one by hand; times of searches differ from run to run.
fn same(planned: &PathMotion, mut by_hand: (Motion, Value), more: Value) {
    let motion = planned.motion.as_ref().expect("a motion");
    assert!(
        *motion == by_hand.0,
        "{} frames are not {}",
        motion.clip.frame_count(),
        by_hand.0.clip.frame_count()
    );
    let mut row = planned.row(&walker().tag(), None);
    for (field, value) in more.as_object().expect("fields") {
        by_hand.1[field] = value.clone();
    }
    // How near others come is known when all motions are made.
    if let Some(rows) = row["constraints"].as_array_mut() {
        rows.retain(|r| r["what"] != "others");
    }
    row["search_seconds"] = json!(0);
    by_hand.1["search_seconds"] = json!(0);
    assert_eq!(row, by_hand.1);
    assert_eq!(
        planned.clip().map(Clip::frame_count),
        Some(planned.report.frames)
    );
}

#[test]
fn a_path_is_planned_as_by_hand() {
    let graph = walker();
    let path = named_curve("s", 0.6).expect("a curve");
    let request = PathRequest {
        options: PathOptions {
            obstacles: vec![Obstacle::Circle([0.2, 2.0, 0.2])],
            ..walking("walk@0..50%,sneak@50%..")
        },
        bend_m: Some(0.1),
        out_fps: Some(30.0),
        seed: 3,
        ..quick(path.clone())
    };
    let planned = plan_path(graph, &request).expect("a possible wish");
    let edges = request.edge_paths(graph).expect("frames");
    let followed = follow_path(
        graph,
        &edges,
        &path,
        &request.options,
        Search::default().with_seed(3),
        &Budget {
            expansions: request.expansions.expect("set"),
            ..default_budget(&path)
        },
        Control::default(),
    )
    .expect("a possible wish");
    assert_eq!(planned.len(), 1);
    same(&planned[0], by_hand(&request, &path, &followed), json!({}));
    let row = planned[0].row("g", Some("s.bvh"));
    assert_eq!(
        (&row["file"], &row["walk"]["graph"]),
        (&json!("s.bvh"), &json!("g"))
    );
}

#[test]
fn alternatives_come_sorted_and_people_on_one_clock() {
    let graph = walker();
    let path = named_curve("s", 0.6).expect("a curve");
    let request = PathRequest {
        alternatives: 3,
        clean: false,
        ..quick(path.clone())
    };
    let edges = request.edge_paths(graph).expect("frames");
    let budget = request.budget_for(&path);
    let wish = AlternativeOptions::default();
    let search = (Search::default(), &budget);
    let options = &request.options;
    let mut found = alternatives(
        graph,
        &edges,
        &path,
        options,
        search,
        &wish,
        Control::default(),
    )
    .expect("a possible wish");
    found.sort_by(|a, b| {
        let key = |f: &Followed| (!f.found.complete, f.found.cost);
        key(&a.followed)
            .partial_cmp(&key(&b.followed))
            .expect("numbers")
    });
    let planned = plan_path(graph, &request).expect("a possible wish");
    assert_eq!(planned.len(), found.len());
    for (planned, other) in planned.iter().zip(&found) {
        let hand = by_hand(&request, &path, &other.followed);
        same(planned, hand, json!({ "shared": other.shared }));
    }

    let paths = vec![
        straight([-3.0, 0.0], [3.0, 0.0]),
        straight([0.0, -3.0], [0.0, 3.0]),
    ];
    let request = PathRequest {
        people: 3,
        seed: 5,
        ..PathRequest::along(paths.clone())
    };
    let wish = CrowdOptions {
        count: 3,
        seed: 5,
        ..CrowdOptions::default()
    };
    let options = &request.options;
    let people = crowd(graph, &edges, &paths, options, &wish, Control::default()).expect("a crowd");
    let planned = plan_path(graph, &request).expect("a crowd");
    assert_eq!(planned.len(), 3);
    for (planned, other) in planned.iter().zip(&people) {
        let hand = by_hand(&request, &paths[other.path], &other.followed);
        let mut more = json!({ "path": other.path, "start_s": other.start_s });
        more["wait_s"] = json!(other.wait.wait_s);
        if let Some(who) = other.wait.waited_for {
            more["waited_for"] = json!(who);
        }
        if let Some(alike) = &other.alike {
            more["alike"] = json!(alike);
        }
        same(planned, hand, more);
    }
}

#[test]
fn every_search_has_what_it_needs_and_crowds_less() {
    let path = named_curve("circle", 1.0).expect("a curve");
    let mut request = PathRequest::new(path.clone());
    let each = default_budget(&path).expansions / SEARCHES as u64;
    for searches in [1, 2, 5] {
        request.searches = searches;
        assert_eq!(request.budget_for(&path).expansions, each * searches as u64);
    }
    assert_eq!(request.given_budget(), None);
    request.time = Some(Duration::from_secs(1));
    let given = request.given_budget().expect("a clock is a budget");
    assert_eq!((given.expansions, given.time), (each * 5, request.time));
    request.expansions = Some(17);
    assert_eq!(request.budget_for(&path).expansions, 17);
}

#[test]
fn what_cannot_be_is_said_before_the_search_and_no_walk_has_a_reason() {
    let graph = walker();
    let line = || named_curve("line", 0.4).expect("a curve");
    let refused = |change: &dyn Fn(&mut PathRequest)| {
        let mut request = PathRequest::new(line());
        change(&mut request);
        plan_path(graph, &request)
            .map(|_| ())
            .expect_err("impossible")
            .to_string()
    };
    assert!(refused(&|r| r.paths.clear()).contains("empty"));
    assert!(refused(&|r| r.people = 0).contains("nobody"));
    assert!(refused(&|r| r.people = 10_001).contains("crowd"));
    assert!(refused(&|r| (r.people, r.alternatives) = (2, 2)).contains("alternatives"));
    assert!(refused(&|r| r.alternatives = 101).contains("101"));
    assert!(refused(&|r| r.searches = 0).contains("search"));
    assert!(refused(&|r| r.bend_m = Some(f64::NAN)).contains("bent"));
    assert!(refused(&|r| r.out_fps = Some(0.0)).contains("frames a second"));
    let walled = PathRequest {
        options: PathOptions {
            obstacles: vec![Obstacle::Box([-30.0, 1.5, 30.0, 2.5])],
            ..PathOptions::default()
        },
        ..quick(straight([0.0, 0.0], [0.0, 4.0]))
    };
    let motions = plan_path(graph, &walled).expect("a possible wish");
    assert!(!motions[0].has_walk() && motions[0].clip().is_none());
    let error = motions[0].require_clip().expect_err("no walk");
    assert!(matches!(error, SynthError::NoWalk { .. }), "{error}");
    assert!(error.to_string().contains("obstacle"), "{error}");
    assert_eq!(motions[0].row("g", None)["status"], "NoWalk");
}

#[test]
fn a_placed_label_ends_the_motion() {
    let graph = walker();
    let label = Wanted::Label("pick-up".to_owned());
    let wish = PlaceWish {
        alternatives: 1,
        ..PlaceWish::new(label, DVec2::new(0.5, 4.0), 0.3)
    };
    let budget = Budget::expansions(1_000_000);
    let request = PlaceRequest {
        expansions: Some(budget.expansions),
        clean: false,
        ..PlaceRequest::new(wish.clone())
    };
    let options = PathOptions::default();
    let edges = PathRequest::new(named_curve("s", 1.0).expect("a curve"))
        .edge_paths(graph)
        .expect("frames");
    let planned = plan_place(graph, &edges, &request, Control::default()).expect("possible");
    let placed = place_clip(
        graph,
        &edges,
        &wish,
        &options,
        Some(budget),
        Control::default(),
    )
    .expect("possible");
    let led = PlaceRequest {
        clean: true,
        ..request.clone()
    };
    let led = plan_place(graph, &edges, &led, Control::default()).expect("possible");
    let off = led[0].action.as_ref().and_then(|a| a.off_m);
    assert!(off.is_some_and(|m| m < 0.05), "{off:?} m off");
    let (planned, placed) = (&planned[0], &placed[0]);
    assert_eq!(planned.placed.walk, placed.walk);
    let assembled = AssembleOptions {
        world_from_start: placed.world_from_start,
        ..AssembleOptions::default()
    };
    // Without planted feet it is not led to its place: the frames are those of the walk.
    let whole = assemble(graph, &placed.walk, &assembled).expect("a motion");
    let clip = &planned.motion.clip;
    let spans = clip.labels().spans().iter();
    let ends = spans.filter(|s| s.label == "pick-up").map(|s| s.end).max();
    assert_eq!(ends, Some(clip.frame_count()));
    assert_eq!(planned.motion.origin.len(), clip.frame_count());
    assert_eq!(clip.root(), &whole.clip.root()[..clip.frame_count()]);
    let row = planned.row(graph, "p.bvh");
    assert_eq!(
        (&row["frames"], &row["file"]),
        (&json!(clip.frame_count()), &json!("p.bvh"))
    );
}
