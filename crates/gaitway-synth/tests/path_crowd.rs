//! Crowds: nobody without a walk, short waits, nobody through anybody, nobody alike; and seeds that differ.
#![allow(missing_docs)]

mod common;

use common::paths::{walker, walking};
use gaitway_synth::path::{
    CrowdOptions, EdgePaths, Obstacle, Path, PathMotion, PathOptions, PathRequest, Person, crowd,
    named_curve, plan_path,
};
use gaitway_synth::report::keep_apart;
use gaitway_synth::search::{Budget, Outcome};
use glam::DVec2;

fn line(a: [f64; 2], b: [f64; 2]) -> Path {
    Path::new(vec![DVec2::from_array(a), DVec2::from_array(b)], false).expect("a path")
}

fn people(paths: &[Path], options: &PathOptions, count: usize) -> Vec<Person> {
    let graph = walker();
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let wish = CrowdOptions {
        count,
        budget: Some(Budget::expansions(40_000)),
        ..CrowdOptions::default()
    };
    crowd(graph, &edges, paths, options, &wish, Default::default()).expect("a crowd")
}

/// How near two roots come, at the working frames that both are under way.
fn nearest(people: &[Person], rate: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    for (k, a) in people.iter().enumerate() {
        for b in &people[..k] {
            let later = ((a.start_s - b.start_s) * rate).round() as i64;
            for (f, p) in a.places.iter().enumerate() {
                let other = usize::try_from(f as i64 + later).ok();
                if let Some(q) = other.and_then(|g| b.places.get(g)) {
                    nearest = nearest.min((p[0] - q[0]).hypot(p[1] - q[1]));
                }
            }
        }
    }
    nearest
}

#[test]
fn four_paths_through_one_point_leave_nobody_without_a_walk() {
    let options = walking("walk");
    let star: Vec<Path> = (0..4)
        .map(|k| {
            let end = 5.0 * DVec2::from_angle(f64::from(k) * std::f64::consts::FRAC_PI_4);
            line((-end).to_array(), end.to_array())
        })
        .collect();
    let all = people(&star, &options, 24);
    assert_eq!(all.len(), 24);
    for (k, person) in all.iter().enumerate() {
        assert_eq!(person.path, k % 4);
        assert_eq!(person.followed.found.outcome, Outcome::Solved, "person {k}");
        // Who waits is told for whom, and who sets out first waits for nobody.
        assert_eq!(person.wait.wait_s > 0.0, person.wait.waited_for.is_some());
        assert!(person.wait.wait_s <= 8.0, "person {k}: {:?}", person.wait);
    }
    let keep = 2.0 * (options.body_radius_m + options.margin_m);
    assert!(nearest(&all, walker().working_rate_hz()) >= keep - 1e-9);
    // The line of a path keeps its order.
    for (k, person) in all.iter().enumerate().skip(4) {
        assert!(person.start_s >= all[k - 4].start_s + 1.5 - 1e-9);
    }
}

#[test]
fn who_comes_towards_another_passes_on_the_right() {
    let options = walking("walk");
    let ends = ([0.0, -5.0], [0.0, 5.0]);
    let both = [line(ends.0, ends.1), line(ends.1, ends.0)];
    let all = people(&both, &options, 8);
    for person in &all {
        assert_eq!(person.followed.found.outcome, Outcome::Solved);
        assert!(person.wait.wait_s <= 3.0, "{:?}", person.wait);
        let off = person.places.iter().map(|p| p[0].abs());
        assert!(off.fold(0.0, f64::max) <= options.off_path_m);
    }
}

#[test]
fn who_has_no_walk_has_none_with_the_path_to_themselves() {
    let options = PathOptions {
        obstacles: vec![Obstacle::Box([-30.0, 1.5, 30.0, 2.5])],
        ..walking("walk")
    };
    let paths = [
        line([0.0, 0.0], [0.0, 4.0]),
        line([-3.0, -2.0], [3.0, -2.0]),
    ];
    let all = people(&paths, &options, 4);
    for person in &all {
        let Outcome::NoWalk { reason } = &person.followed.found.outcome else {
            assert_eq!(person.path, 1);
            continue;
        };
        assert_eq!(person.path, 0);
        assert!(reason.contains("obstacle"), "{reason}");
        assert!(!reason.contains("person") && person.wait.wait_s == 0.0);
    }
    assert_eq!(all[1].followed.found.outcome, Outcome::Solved);
    assert_eq!(all[3].followed.found.outcome, Outcome::Solved);
}

#[test]
fn seeds_give_different_walks_or_say_that_there_is_none() {
    let graph = walker();
    for curve in ["line", "s"] {
        let of = |seed: u64| {
            let request = PathRequest {
                options: walking("walk"),
                seed,
                clean: false,
                ..PathRequest::new(named_curve(curve, 0.6).expect("a curve"))
            };
            plan_path(graph, &request).expect("a plan").remove(0)
        };
        let all: Vec<_> = (0..6).map(of).collect();
        assert!(
            all[0].walk.alike.is_none(),
            "seed 0 is held against nothing"
        );
        for (seed, one) in all.iter().enumerate().skip(1) {
            let told = one.walk.alike.is_some();
            let same = one.graph_walk() == all[0].graph_walk();
            assert!(!same || told, "{curve}, seed {seed}");
            assert_eq!(one.row("g", None)["alike"].is_object(), told);
        }
        let mut walks = Vec::new();
        for one in &all[1..] {
            if !walks.contains(&one.graph_walk()) {
                walks.push(one.graph_walk());
            }
        }
        assert!(
            walks.len() >= 4,
            "{curve}: {} of 5 seeds differ",
            walks.len()
        );
    }
}

#[test]
fn finished_motions_are_held_against_each_other() {
    let across = [line([0.0, -4.0], [0.0, 4.0]), line([-4.0, 0.0], [4.0, 0.0])];
    let request = PathRequest {
        paths: across.to_vec(),
        people: 6,
        options: walking("walk"),
        expansions: Some(40_000),
        ..PathRequest::new(across[0].clone())
    };
    let mut made = plan_path(walker(), &request).expect("a crowd");
    let told = |m: &PathMotion| {
        let mut rows = m.report.constraints.iter();
        rows.rfind(|c| c.what == "others").cloned()
    };
    let bodies = 2.0 * request.options.body_radius_m;
    for (k, one) in made.iter().enumerate() {
        assert_eq!(one.report.status, "Solved", "person {}", k + 1);
        let row = told(one).expect("they meet at the crossing");
        assert!(row.kept, "{row:?}");
        // What the row says is what a plain look at all frames of all others gives.
        let near = made.iter().enumerate().filter(|(j, _)| *j != k);
        let near = near.map(|(_, m)| plain_nearest(one, m));
        let near = near.fold(f64::INFINITY, f64::min) - bodies;
        assert!(
            row.found.starts_with(&format!("{near:.2} m")),
            "{near} {row:?}"
        );
    }
    // Two who set out as one walk through each other, whatever the searches said.
    made[0].walk.start_s = made[2].walk.start_s;
    keep_apart(&mut made, &request.options);
    for k in [0, 2] {
        let row = told(&made[k]).expect("a row");
        assert!(!row.kept && row.found.contains("person"), "{row:?}");
        assert_eq!(made[k].report.status, "ConstraintMissed");
    }
}

/// How near two roots come, frame by frame of the first.
fn plain_nearest(a: &PathMotion, b: &PathMotion) -> f64 {
    let (p, q) = (a.clip().expect("frames"), b.clip().expect("frames"));
    let later = (a.walk.start_s.unwrap_or(0.0) - b.walk.start_s.unwrap_or(0.0)) * q.rate_hz();
    let ground = |v: glam::DVec3| DVec2::new(v.x, v.z);
    let mut nearest = f64::INFINITY;
    for (k, &r) in p.root().iter().enumerate() {
        let f = (k as f64 + later).round();
        if f >= 0.0
            && let Some(&s) = q.root().get(f as usize)
        {
            nearest = nearest.min(ground(r).distance(ground(s)));
        }
    }
    nearest
}
