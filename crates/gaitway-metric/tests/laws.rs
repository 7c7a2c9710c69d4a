//! The laws of the distance, on random motion.
#![allow(missing_docs)]

mod common;

use common::{check_against_scan, cloud, motion, twin_grid, weights};
use gaitway_metric::{
    KernelChoice, MetricOptions, Placement, PointCloud, Skipping, WindowKernel, candidates_between,
    distance_grid, naive,
};
use glam::DVec3;
use proptest::prelude::*;

fn rigid(positions: &[DVec3], theta: f64, x0: f64, z0: f64) -> Vec<DVec3> {
    positions
        .iter()
        .map(|&p| naive::moved(p, theta, x0, z0))
        .collect()
}

fn grid_error(a: &PointCloud, b: &PointCloud, options: &MetricOptions) -> f64 {
    let window = options.window(30.0).unwrap();
    let (grid, twin) = (
        distance_grid(a, b, options).unwrap(),
        twin_grid(a, b, options, &window),
    );
    let mut worst = 0.0f64;
    for (i, row) in twin.iter().enumerate() {
        for (j, &d) in row.iter().enumerate() {
            let got = f64::from(grid.at(i, j));
            if d.is_infinite() {
                assert!(got.is_nan(), "({i}, {j}) should be outside");
            } else {
                // Fixed in place, clips that part are metres from one another: the error is relative there.
                worst = worst.max(((got / 100.0).powi(2) - d).abs() / d.max(1.0));
            }
        }
    }
    worst
}

#[test]
fn closed_form_is_the_numerical_minimum() {
    let (a, b) = (cloud(1, 40, 5, 1.4), cloud(2, 40, 5, 1.1));
    let window = MetricOptions::default().window(30.0).unwrap();
    for (i, j) in [(7, 7), (12, 30), (32, 9)] {
        let best = naive::align(&a, i, &b, j, &window);
        // Coordinate search with shrinking steps from several turns: slow, sure and independent of the closed form.
        let mut found = f64::INFINITY;
        let mut at_best = [0.0; 3];
        for start in 0..4 {
            let mut at = [f64::from(start) * 1.57, 0.0, 0.0];
            let mut cost = naive::cost(&a, i, &b, j, &window, at);
            let mut step = 1.0;
            while step > 1e-10 {
                let mut moved = false;
                for k in 0..3 {
                    for sign in [-1.0, 1.0] {
                        let mut to = at;
                        to[k] += sign * step;
                        let c = naive::cost(&a, i, &b, j, &window, to);
                        if c < cost {
                            (at, cost, moved) = (to, c, true);
                        }
                    }
                }
                if !moved {
                    step *= 0.5;
                }
            }
            if cost < found {
                (found, at_best) = (cost, at);
            }
        }
        assert!(
            (found - best.distance_m2).abs() < 1e-9,
            "{found} {}",
            best.distance_m2
        );
        assert!((at_best[0] - best.theta).sin().abs() < 1e-4);
        assert!((at_best[1] - best.x0).abs() < 1e-3 && (at_best[2] - best.z0).abs() < 1e-3);
    }
}

#[test]
fn the_grid_equals_the_twin_for_every_window_and_kernel() {
    for kernel in [
        WindowKernel::Box,
        WindowKernel::Triangle,
        WindowKernel::Gaussian,
    ] {
        for window_s in [0.0, 0.1, 0.2, 0.34, 0.5, 0.75] {
            for placement in [Placement::Free, Placement::Fixed] {
                let options = MetricOptions {
                    kernel,
                    window_s,
                    placement,
                    ..MetricOptions::default()
                };
                let (a, b) = (cloud(3, 53, 7, 1.4), cloud(4, 75, 7, 1.2));
                let error = grid_error(&a, &b, &options);
                assert!(error < 2e-6, "{kernel:?} {window_s} {placement:?}: {error}");
            }
        }
    }
}

#[test]
fn forced_kernels_agree() {
    let (a, b) = (cloud(5, 200, 31, 1.4), cloud(6, 150, 31, 2.0));
    let run = |kernel_choice| {
        let options = MetricOptions {
            kernel_choice,
            ceiling_cm: 60.0,
            ..MetricOptions::default()
        };
        kernel_choice.resolved().map(|_| {
            (
                candidates_between(&a, &b, &options).unwrap(),
                distance_grid(&a, &b, &options).unwrap(),
            )
        })
    };
    let (portable, plain) = run(KernelChoice::Portable).unwrap();
    for choice in [KernelChoice::Avx512, KernelChoice::Avx2, KernelChoice::Auto] {
        let Some((found, grid)) = run(choice) else {
            assert!(
                candidates_between(
                    &a,
                    &b,
                    &MetricOptions {
                        kernel_choice: choice,
                        ..Default::default()
                    }
                )
                .is_err()
            );
            continue;
        };
        let same = plain
            .cm
            .iter()
            .zip(&grid.cm)
            .all(|(x, y)| (x.is_nan() && y.is_nan()) || (x * x - y * y).abs() < 2e-2);
        assert!(same, "{choice:?}");
        assert_eq!(found.candidates, portable.candidates, "{choice:?}");
    }
}

#[test]
fn a_run_fifty_metres_away_keeps_its_digits() {
    let w = weights(9, 20);
    let far = |seed| {
        PointCloud::from_positions(
            "far",
            30.0,
            &w,
            &motion(seed, 400, 20, 6.0, DVec3::new(50_000.0, 0.0, -30_000.0)),
        )
        .unwrap()
    };
    let (a, b) = (far(11), far(12));
    let options = MetricOptions {
        ceiling_cm: 80.0,
        ..MetricOptions::default()
    };
    let window = options.window(30.0).unwrap();
    let (found, grid) = (
        candidates_between(&a, &b, &options).unwrap(),
        distance_grid(&a, &b, &options).unwrap(),
    );
    assert!(!found.candidates.is_empty());
    for c in &found.candidates {
        let exact = naive::align(&a, c.i as usize, &b, c.j as usize, &window)
            .distance_m2
            .sqrt()
            * 1000.0;
        assert!((c.distance_cm() * 10.0 - exact).abs() < 0.01);
        assert!((f64::from(grid.at(c.i as usize, c.j as usize)) * 10.0 - exact).abs() < 0.01);
    }
}

#[test]
fn minima_equal_a_scan_across_strips_and_chunks() {
    // Wider than a strip and longer than a chunk, with a ragged edge.
    let (a, b) = (cloud(21, 203, 6, 1.4), cloud(22, 531, 6, 1.3));
    for (options, ceiling) in [
        (
            MetricOptions {
                ceiling_cm: 70.0,
                ..Default::default()
            },
            0.49,
        ),
        (
            MetricOptions {
                ceiling_cm: 70.0,
                skipping: Skipping::On,
                ..Default::default()
            },
            0.49,
        ),
        (
            MetricOptions {
                ceiling_cm: 1000.0,
                placement: Placement::Fixed,
                ..Default::default()
            },
            100.0,
        ),
    ] {
        let window = options.window(30.0).unwrap();
        let grid = twin_grid(&a, &b, &options, &window);
        let found = candidates_between(&a, &b, &options).unwrap();
        assert!(!found.candidates.is_empty(), "{options:?}");
        check_against_scan(&found.candidates, &grid, ceiling, None);
    }
}

#[test]
fn a_clip_against_itself_keeps_off_the_diagonal() {
    let a = cloud(23, 460, 6, 1.4);
    let options = MetricOptions {
        ceiling_cm: 30.0,
        ..Default::default()
    };
    let window = options.window(30.0).unwrap();
    let found = candidates_between(&a, &a, &options).unwrap();
    check_against_scan(
        &found.candidates,
        &twin_grid(&a, &a, &options, &window),
        0.09,
        Some(15),
    );
    assert!(found.candidates.iter().all(|c| c.j > c.i + 15));
}

#[test]
fn skipping_changes_nothing_and_skips() {
    // Standing and lying: heights tell them apart.
    let low: Vec<DVec3> = motion(31, 300, 8, 1.0, DVec3::ZERO)
        .iter()
        .map(|p| DVec3::new(p.x, 0.2 * p.y, p.z))
        .collect();
    let mut mixed = motion(31, 300, 8, 1.0, DVec3::ZERO);
    mixed.extend(low);
    let a = PointCloud::from_positions("mixed", 30.0, &weights(9, 8), &mixed).unwrap();
    let run = |skipping| {
        candidates_between(
            &a,
            &a,
            &MetricOptions {
                skipping,
                ..Default::default()
            },
        )
        .unwrap()
    };
    let (on, off, auto) = (run(Skipping::On), run(Skipping::Off), run(Skipping::Auto));
    assert!(!off.candidates.is_empty());
    assert_eq!(on.candidates, off.candidates);
    assert_eq!(auto.candidates, off.candidates);
    assert!(on.skipped_share > 0.3, "{}", on.skipped_share);
    assert_eq!(off.skipped_share, 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_clips_equal_the_twin(seed in 0u64..1000, na in 15usize..90, nb in 15usize..90, markers in 1usize..12, speed in 0.0f64..6.0) {
        let (a, b) = (cloud(seed, na, markers, speed), cloud(seed + 1, nb, markers, speed));
        prop_assert!(grid_error(&a, &b, &MetricOptions::default()) < 1e-6);
    }

    #[test]
    fn symmetric_and_reversible(seed in 0u64..1000) {
        let (a, b) = (cloud(seed, 80, 6, 1.4), cloud(seed + 1, 120, 6, 1.0));
        let options = MetricOptions { ceiling_cm: 60.0, ..Default::default() };
        let (ab, ba) = (distance_grid(&a, &b, &options).unwrap(), distance_grid(&b, &a, &options).unwrap());
        for i in 7..73 {
            for j in 7..113 {
                prop_assert!((ab.at(i, j).powi(2) - ba.at(j, i).powi(2)).abs() < 1e-2);
            }
        }
        let there = candidates_between(&a, &b, &options).unwrap().candidates;
        let mut back: Vec<_> = candidates_between(&b, &a, &options).unwrap().candidates.iter().map(|c| c.reversed()).collect();
        back.sort_by_key(|c| (c.i, c.j));
        prop_assert_eq!(there.len(), back.len());
        for (x, y) in there.iter().zip(&back) {
            prop_assert_eq!((x.i, x.j), (y.i, y.j));
            prop_assert!((x.distance_m2 - y.distance_m2).abs() < 1e-12);
            prop_assert!((x.theta - y.theta).sin().abs() < 1e-9 && (x.x0 - y.x0).abs() < 1e-9 && (x.z0 - y.z0).abs() < 1e-9);
        }
    }

    #[test]
    fn unmoved_by_rigid_motion_and_zero_for_a_moved_copy(seed in 0u64..1000, theta in -3.1f64..3.1, x0 in -50.0f64..50.0, z0 in -50.0f64..50.0) {
        let w = weights(9, 6);
        let (pa, pb) = (motion(seed, 90, 6, 1.4, DVec3::ZERO), motion(seed + 1, 90, 6, 1.4, DVec3::ZERO));
        let make = |p: &[DVec3]| PointCloud::from_positions("p", 30.0, &w, p).unwrap();
        let (a, b, b2, a2) = (make(&pa), make(&pb), make(&rigid(&pb, theta, x0, z0)), make(&rigid(&pa, theta, x0, z0)));
        let options = MetricOptions::default();
        let (g, h) = (distance_grid(&a, &b, &options).unwrap(), distance_grid(&a, &b2, &options).unwrap());
        for (x, y) in g.cm.iter().zip(&h.cm) {
            prop_assert!((x.is_nan() && y.is_nan()) || (x * x - y * y).abs() < 1e-2, "{x} {y}");
        }
        let window = options.window(30.0).unwrap();
        let copy = naive::align(&a, 40, &a2, 40, &window);
        prop_assert!(copy.distance_m2 < 1e-18 + 1e-12);
        let zero = distance_grid(&a, &a2, &options).unwrap();
        prop_assert!((7..83).all(|i| zero.at(i, i) < 0.1));
    }

    #[test]
    fn height_counts(seed in 0u64..1000, up in 0.05f64..1.0) {
        let w = weights(9, 6);
        let pa = motion(seed, 60, 6, 1.4, DVec3::ZERO);
        let raised: Vec<DVec3> = pa.iter().map(|&p| p + DVec3::Y * up).collect();
        let (a, b) = (PointCloud::from_positions("a", 30.0, &w, &pa).unwrap(), PointCloud::from_positions("b", 30.0, &w, &raised).unwrap());
        let grid = distance_grid(&a, &b, &MetricOptions::default()).unwrap();
        prop_assert!((f64::from(grid.at(30, 30)) - up * 100.0).abs() < 0.01);
    }
}
