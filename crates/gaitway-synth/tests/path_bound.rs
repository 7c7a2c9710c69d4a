//! What ARA* proves of short paths is true: no other search finds anything cheaper, and branch and bound proves the same.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, walker, walking};
use gaitway_synth::path::{Followed, Path, PathOptions, Search, named_curve};
use gaitway_synth::search::{AraOptions, BnbOptions, Budget, Epsilons, Outcome, SearchEnd};
use glam::DVec2;

fn ara(path: &Path, options: &PathOptions, epsilons: Epsilons, expansions: u64) -> Followed {
    let search = Search::Ara(AraOptions {
        epsilons,
        ..AraOptions::default()
    });
    let budget = Budget {
        memory: 1 << 30,
        ..Budget::expansions(expansions)
    };
    follow(walker(), path, options, search, &budget)
}

#[test]
fn whole_branch_and_bound_proves_the_same() {
    let options = walking("walk");
    let mut compared = 0;
    for (length, bend) in [(0.2, 0.0), (0.3, 0.1), (0.35, 0.0)] {
        let points = [[0.0, 0.0], [0.0, length / 2.0], [bend, length]];
        let path = Path::new(points.map(DVec2::from_array).to_vec(), false).expect("a path");
        let whole = Search::Bnb(BnbOptions {
            horizon: None,
            ..BnbOptions::default()
        });
        let budget = Budget::expansions(30_000_000);
        let bnb = follow(walker(), &path, &options, whole, &budget).found;
        let found = ara(&path, &options, Epsilons::OPTIMAL, 30_000_000).found;
        assert_eq!(
            (found.search, &found.outcome),
            (SearchEnd::Complete, &Outcome::Solved)
        );
        assert_eq!(found.bound, Some(found.cost));
        assert!(found.cost <= bnb.cost * (1.0 + 1e-9));
        if let Some(bound) = bnb.bound {
            assert!(
                (bound - found.cost).abs() < 1e-9 * (1.0 + bound),
                "{bound}, {}",
                found.cost
            );
            compared += 1;
        }
    }
    assert!(compared > 0, "branch and bound proved nothing");
}

#[test]
fn nothing_found_is_below_the_bound_which_rises_with_the_budget() {
    let options = walking("walk");
    let corner = [[0.0, 0.0], [0.0, 0.8], [0.6, 1.0]].map(DVec2::from_array);
    for path in [
        named_curve("line", 0.15).expect("a curve"),
        Path::new(corner.to_vec(), false).expect("a path"),
    ] {
        let mut least = f64::INFINITY;
        for seed in 0..4 {
            let search = Search::default().with_seed(seed);
            let budget = Budget::expansions(150_000);
            let found = follow(walker(), &path, &options, search, &budget).found;
            assert!(found.complete);
            least = least.min(found.cost);
        }
        let mut before = 0.0;
        for expansions in [200_000, 500_000, 1_500_000] {
            let found = ara(&path, &options, Epsilons::OPTIMAL, expansions).found;
            let bound = found.bound.expect("proven");
            assert!(found.complete && found.deterministic);
            assert!(
                bound <= least * (1.0 + 1e-9) && bound <= found.cost,
                "{bound} above {least}"
            );
            assert!(bound >= before, "{bound} after {before}");
            assert!(found.expansions < expansions + 10_000);
            before = bound;
            if expansions > 200_000 {
                continue;
            }
            let again = ara(&path, &options, Epsilons::OPTIMAL, expansions).found;
            assert_eq!(again.actions, found.actions);
            assert_eq!(again.bound.map(f64::to_bits), Some(bound.to_bits()));
        }
        // By another way of looking the same is true.
        let falling = ara(&path, &options, Epsilons::default(), 1_500_000).found;
        assert!(falling.bound.expect("proven") <= least * (1.0 + 1e-9));
        assert!(falling.cost >= before * (1.0 - 1e-9));
    }
}

#[test]
fn what_the_estimate_cannot_know_is_searched_all_the_same() {
    // The paper's arc length, and an action at the end: nothing is estimated, and bounds still hold.
    let short_cuts = PathOptions {
        smooth_arc: false,
        ..walking("walk")
    };
    let line = named_curve("line", 0.1).expect("a curve");
    let found = ara(&line, &short_cuts, Epsilons::OPTIMAL, 3_000_000).found;
    assert!(found.complete && found.bound.is_some_and(|b| b <= found.cost));
    let longer = named_curve("line", 0.3).expect("a curve");
    let acts = walking("walk,pick-up@2");
    let found = ara(&longer, &acts, Epsilons::OPTIMAL, 3_000_000).found;
    assert!(found.bound.is_none_or(|b| b <= found.cost));
    // What cannot be is told as by other searches.
    let walled = PathOptions {
        obstacles: vec![gaitway_synth::path::Obstacle::Box([-9.0, 1.0, 9.0, 1.4])],
        corridor_m: Some(0.5),
        ..walking("walk")
    };
    let found = ara(&longer, &walled, Epsilons::OPTIMAL, 1_000_000).found;
    assert!(matches!(found.outcome, Outcome::NoWalk { .. }) && found.bound.is_none());
}
