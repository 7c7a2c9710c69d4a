//! What was asked for is measured on the motion that is handed out, whatever the search says.
#![allow(missing_docs)]

mod common;

use common::paths::{walker, walking};
use gaitway_synth::path::{
    Obstacle, Path, PathMotion, PathOptions, PathRequest, Start, named_curve, plan_path,
};
use gaitway_synth::search::Outcome;
use glam::DVec2;

fn plan(path: Path, options: PathOptions) -> PathMotion {
    let request = PathRequest {
        options,
        ..PathRequest::new(path)
    };
    plan_path(walker(), &request).expect("possible").remove(0)
}

fn row<'a>(made: &'a PathMotion, what: &str) -> &'a gaitway_synth::report::ConstraintRow {
    let mut rows = made.report.constraints.iter();
    rows.find(|r| r.what == what)
        .unwrap_or_else(|| panic!("{what}: {:?}", made.report))
}

/// A wall across the path, and a corridor that is narrower than the way round it.
#[test]
fn a_wall_that_cannot_be_passed_within_the_corridor_is_told() {
    let wall = Obstacle::Box([-2.5, 3.5, 2.5, 4.0]);
    let made = plan(
        named_curve("line", 1.0).expect("a curve"),
        PathOptions {
            obstacles: vec![wall.clone()],
            corridor_m: Some(0.5),
            ..walking("walk")
        },
    );
    let Outcome::NoWalk { reason } = &made.walk.followed.found.outcome else {
        panic!("{:?}", made.report.status);
    };
    assert!(
        reason.contains("obstacle 0") && reason.contains("bars the path"),
        "{reason}"
    );
    assert!(reason.contains("corridor is 0.50 m"), "{reason}");
    // The way round all of it, not past its nearest place; and the corridor that is named is wide enough.
    assert!(reason.contains("2.85 m off the path"), "{reason}");
    let narrow = plan(
        named_curve("line", 1.0).expect("a curve"),
        PathOptions {
            obstacles: vec![wall.clone()],
            corridor_m: Some(2.8),
            ..walking("walk")
        },
    );
    let told = narrow.walk.reason().expect("no walk");
    assert!(told.contains("2.85 m off the path"), "{told}");
    // With room enough it goes round, and says how far.
    let made = plan(
        named_curve("line", 1.0).expect("a curve"),
        PathOptions {
            obstacles: vec![wall],
            corridor_m: Some(4.0),
            ..walking("walk")
        },
    );
    assert_eq!(
        made.report.status, "Solved",
        "{:?}",
        made.report.constraints
    );
    assert!(row(&made, "corridor").kept && row(&made, "obstacle").kept);
}

#[test]
fn a_corridor_and_a_start_hold_on_the_finished_motion() {
    let path = named_curve("s", 1.0).expect("a curve");
    let begins = path.at(0.0);
    let made = plan(
        path.clone(),
        PathOptions {
            corridor_m: Some(0.4),
            ..walking("walk")
        },
    );
    assert_eq!(
        made.report.status, "Solved",
        "{:?}",
        made.report.constraints
    );
    let clip = made.clip().expect("a motion");
    let farthest = clip
        .root()
        .iter()
        .map(|p| path.distance(DVec2::new(p.x, p.z)));
    assert!(farthest.fold(0.0, f64::max) <= 0.4);
    // Nobody gave a start: it is the path's.
    let first = clip.root()[0];
    assert!(DVec2::new(first.x, first.z).distance(begins) < 0.5);
    assert!(row(&made, "start").kept && row(&made, "end").kept && row(&made, "style").kept);
}

/// The report does not take the search's word: a start that no search could keep to is told where the motion is bent away from it.
#[test]
fn what_is_not_kept_is_not_solved() {
    let path = named_curve("line", 1.0).expect("a curve");
    let (x, z) = (path.at(0.0).x + 0.45, path.at(0.0).y);
    let request = PathRequest {
        options: PathOptions {
            start: Start::At { x, z, heading: 0.0 },
            ..walking("walk")
        },
        // Bending draws the first root towards the path.
        bend_m: Some(0.4),
        ..PathRequest::new(path)
    };
    let made = plan_path(walker(), &request).expect("possible").remove(0);
    let start = row(&made, "start");
    assert!(!start.kept, "{start:?}");
    assert_eq!(made.report.status, "ConstraintMissed");
    assert!(
        start.words().contains("start not kept"),
        "{}",
        start.words()
    );
}

/// What no search can change is told as such.
#[test]
fn walls_without_end_and_ends_in_walls_are_told() {
    for (obstacle, words) in [
        (Obstacle::Box([-9.0, 3.0, 9.0, 3.5]), "no way round it"),
        (
            Obstacle::Circle([0.0, 8.0, 0.9]),
            "the path's end lies in obstacle 0",
        ),
    ] {
        let made = plan(
            named_curve("line", 1.0).expect("a curve"),
            PathOptions {
                obstacles: vec![obstacle],
                ..walking("walk")
            },
        );
        let reason = made.walk.reason().expect("no walk");
        assert!(reason.contains(words), "{reason}");
    }
}
