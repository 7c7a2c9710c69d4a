//! Candidates near the ends of clips: equal to a naive scan, and their laws.
#![allow(missing_docs)]

mod common;

use common::ends::{check_all, check_pair};
use common::{cloud, motion, weights};
use gaitway_metric::{
    EndCandidate, EndMinima, EndOptions, EndSearch, KeepApart, KernelChoice, MetricError,
    MetricOptions, Placement, PointCloud, Progress, WindowKernel, find_end_candidates, naive,
};
use glam::DVec3;
use proptest::prelude::*;

fn search(clouds: &[PointCloud], options: &MetricOptions, ends: &EndOptions) -> EndSearch {
    find_end_candidates(clouds, options, ends, &KeepApart::default(), &mut ()).unwrap()
}

fn options() -> MetricOptions {
    MetricOptions {
        ceiling_cm: 90.0,
        ..MetricOptions::default()
    }
}

/// Short and long clips of few markers.
fn clips(count: u64) -> Vec<PointCloud> {
    (0..count)
        .map(|k| cloud(40 + k % 3, 20 + 31 * k as usize, 4, 1.4))
        .collect()
}

fn candidates(search: &EndSearch, from: usize, to: usize) -> &[EndCandidate] {
    let pair = search.pairs.iter().find(|p| (p.from, p.to) == (from, to));
    pair.map_or(&[], |p| &p.candidates)
}

/// Everything found, in bits.
fn bits(search: &EndSearch) -> Vec<[u64; 9]> {
    let row = |from: usize, to: usize, c: &EndCandidate| {
        let [d, theta, x0, z0] = [c.distance_m2, c.theta, c.x0, c.z0].map(f64::to_bits);
        let [i, j, n] = [c.i, c.j, c.frames].map(u64::from);
        [from as u64, to as u64, d, theta, x0, z0, i, j, n]
    };
    let pairs = search.pairs.iter();
    pairs
        .flat_map(|p| p.candidates.iter().map(|c| row(p.from, p.to, c)))
        .collect()
}

#[test]
fn every_window_kernel_and_rule_equals_the_scan() {
    let mut total = 0;
    for kernel in [
        WindowKernel::Box,
        WindowKernel::Triangle,
        WindowKernel::Gaussian,
    ] {
        for window_s in [0.0, 0.07, 0.2, 0.5, 0.75, 1.3] {
            for placement in [Placement::Free, Placement::Fixed] {
                for minima in [EndMinima::Both, EndMinima::Along] {
                    let options = MetricOptions {
                        kernel,
                        window_s,
                        placement,
                        ..options()
                    };
                    let clouds = [
                        cloud(3, 34, 5, 1.4),
                        cloud(4, 47, 5, 1.2),
                        cloud(5, 9, 5, 1.0),
                    ];
                    let ends = EndOptions { room: 6, minima };
                    let found = search(&clouds, &options, &ends);
                    // A window of one frame fits everywhere: there is no end to speak of.
                    assert!(window_s > 0.0 || found.pairs.is_empty());
                    total += check_all(&clouds, &options, &ends, &found);
                }
            }
        }
    }
    assert!(total > 300, "{total}");
}

#[test]
fn clips_of_more_than_one_run_of_columns_equal_the_scan() {
    let clouds = [cloud(13, 930, 2, 1.4), cloud(13, 40, 2, 1.5)];
    let options = MetricOptions {
        window_s: 0.2,
        ..options()
    };
    for minima in [EndMinima::Both, EndMinima::Along] {
        let ends = EndOptions { room: 6, minima };
        let found = search(&clouds, &options, &ends);
        // Pairs right where one run of columns ends and the next begins would show a lost neighbour.
        for (from, to) in [(0, 1), (1, 0)] {
            let (a, b, found) = (&clouds[from], &clouds[to], candidates(&found, from, to));
            assert!(check_pair(a, b, false, &options, &ends, found) > 10);
        }
    }
}

#[test]
fn kernels_agree() {
    let clouds = clips(4);
    let run = |kernel_choice: KernelChoice| {
        kernel_choice.resolved().map(|_| {
            let options = MetricOptions {
                kernel_choice,
                ..options()
            };
            let found = search(&clouds, &options, &EndOptions::default());
            check_all(&clouds, &options, &EndOptions::default(), &found);
            bits(&found)
        })
    };
    run(KernelChoice::Portable);
    let wide = run(KernelChoice::Avx512);
    let narrow = run(KernelChoice::Avx2);
    if wide.is_some() && narrow.is_some() {
        assert_eq!(wide, narrow);
    }
}

#[test]
fn whole_windows_are_the_distance_itself() {
    let (a, b) = (cloud(1, 60, 5, 1.4), cloud(2, 70, 5, 1.0));
    let window = options().window(30.0).unwrap();
    for (i, j) in [(7, 7), (30, 41), (52, 62)] {
        let (end, n) = naive::end_align(&a, i, &b, j, &window);
        assert_eq!((end, n), (naive::align(&a, i, &b, j, &window), 15));
        let (end, n) = naive::end_fixed(&a, i, &b, j, &window);
        assert_eq!((end, n), (naive::fixed(&a, i, &b, j, &window), 15));
    }
    // n is what is left on both sides: 3 + 1 + 7, and 7 + 1 + 2.
    assert_eq!(naive::end_align(&a, 3, &b, 40, &window).1, 11);
    assert_eq!(naive::end_align(&a, 57, &b, 67, &window).1, 10);
    assert_eq!(naive::end_align(&a, 59, &b, 0, &window).1, 1);
}

#[test]
fn a_clip_cut_in_two_is_put_together_again() {
    let points = motion(21, 120, 5, 1.4, DVec3::ZERO);
    let w = weights(9, 5);
    let part = |from: usize, to: usize| {
        PointCloud::from_positions("part", 30.0, &w, &points[from * 5..to * 5]).unwrap()
    };
    // The second begins at frame 50 of the first; what they share is shorter than a window.
    for shared in [1, 3, 8, 12] {
        let clouds = [part(0, 50 + shared), part(50, 120)];
        for placement in [Placement::Free, Placement::Fixed] {
            let options = MetricOptions {
                placement,
                ..MetricOptions::default()
            };
            let found = search(&clouds, &options, &EndOptions::default());
            let there = candidates(&found, 0, 1)
                .iter()
                .find(|c| c.i == c.j + 50)
                .unwrap_or_else(|| panic!("{shared} frames shared, {placement:?}"));
            assert!(there.distance_m2 < 1e-12 && there.frames as usize <= shared);
            assert!(there.theta.abs() < 1e-9 && there.x0.abs() < 1e-9 && there.z0.abs() < 1e-9);
        }
    }
}

#[test]
fn short_looks_are_asked_for_more() {
    let clouds = clips(7);
    let found = search(&clouds, &options(), &EndOptions::default());
    let all = || found.pairs.iter().flat_map(|p| &p.candidates);
    assert!(all().any(|c| c.frames < 15) && all().count() > 20);
    assert!(all().all(|c| c.scaled_cm(15) < 90.0 && c.scaled_cm(15) >= c.distance_cm()));
    let lower = MetricOptions {
        ceiling_cm: 20.0,
        ..options()
    };
    let few: Vec<_> = bits(&search(&clouds, &lower, &EndOptions::default()));
    let kept = bits(&found).into_iter().filter(|row| {
        f64::from_bits(row[2]) * 15.0 / (row[8] as f64) < 0.04 // (20 cm)²
    });
    assert_eq!(few, kept.collect::<Vec<_>>());
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let clouds = clips(7);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| bits(&search(&clouds, &options(), &EndOptions::default())))
    };
    let one = run(1);
    assert!(one.len() > 100);
    assert_eq!(one, run(4));
    // Nor does it matter what else is in the set.
    let few = bits(&search(&clouds[..3], &options(), &EndOptions::default()));
    let rows: Vec<_> = one.into_iter().filter(|r| r[0] < 3 && r[1] < 3).collect();
    assert_eq!(few, rows);
}

#[test]
fn kept_apart_clips_never_meet() {
    let clouds = clips(3);
    let tags = ["football", "ballet", "walk"].map(|t| vec![t.to_owned()]);
    let rule = vec![("ballet".to_owned(), "football".to_owned())];
    let apart = KeepApart::new(tags.to_vec(), rule);
    let ends = EndOptions::default();
    let found = find_end_candidates(&clouds, &options(), &ends, &apart, &mut ()).unwrap();
    let all = search(&clouds, &options(), &ends);
    let apart = |p: &gaitway_metric::EndPair| p.from.min(p.to) == 0 && p.from.max(p.to) == 1;
    assert!(all.pairs.iter().any(apart));
    let rest: Vec<_> = all.pairs.into_iter().filter(|p| !apart(p)).collect();
    assert_eq!(found.pairs, rest);
}

#[test]
fn the_cap_keeps_the_best_of_every_pair_and_says_so() {
    let clouds = clips(5);
    let all = search(&clouds, &options(), &EndOptions::default());
    let (total, cap) = (all.candidate_count(), all.candidate_count() / 3);
    let capped = MetricOptions {
        max_candidates: cap,
        ..options()
    };
    let few = search(&clouds, &capped, &EndOptions::default());
    let kept = few.candidate_count();
    assert!(kept <= cap && kept > 0);
    assert_eq!(few.dropped as usize, total - kept);
    let most = few.pairs.iter().map(|p| p.candidates.len()).max().unwrap();
    for pair in &all.pairs {
        let mut best = pair.candidates.clone();
        best.sort_by(|a, b| a.scaled_cm(15).total_cmp(&b.scaled_cm(15)));
        best.truncate(most);
        best.sort_by_key(|c| (c.i, c.j));
        assert_eq!(candidates(&few, pair.from, pair.to), best);
    }
    let none = MetricOptions {
        max_candidates: 0,
        ..options()
    };
    let found = search(&clouds, &none, &EndOptions::default());
    assert_eq!((found.pairs.len(), found.dropped), (0, total as u64));
}

struct Stop;

impl Progress for Stop {
    fn cancelled(&mut self) -> bool {
        true
    }
}

#[test]
fn a_search_can_be_stopped_and_tells_how_far_it_is() {
    let clouds = clips(4);
    let run = |progress: &mut dyn Progress| {
        let (options, ends) = (options(), EndOptions::default());
        find_end_candidates(&clouds, &options, &ends, &KeepApart::default(), progress)
    };
    assert!(matches!(run(&mut Stop), Err(MetricError::Cancelled)));
    struct Last(gaitway_metric::ProgressState);
    impl Progress for Last {
        fn report(&mut self, state: &gaitway_metric::ProgressState) {
            assert!(state.pairs_done <= state.pairs_total);
            self.0 = *state;
        }
    }
    let mut last = Last(Default::default());
    let found = run(&mut last).unwrap();
    assert!(last.0.pairs_total > 0);
    assert_eq!(last.0.pairs_done, last.0.pairs_total);
    assert_eq!(last.0.candidates as usize, found.candidate_count());
}

#[test]
fn odd_input_is_told_or_finds_nothing() {
    let run = |clouds: &[PointCloud], room| {
        let (options, minima) = (options(), EndMinima::Both);
        let ends = EndOptions { room, minima };
        find_end_candidates(clouds, &options, &ends, &KeepApart::default(), &mut ())
    };
    assert!(matches!(run(&[], 6), Err(MetricError::NoClips)));
    let ok = cloud(1, 60, 4, 1.0);
    assert!(matches!(
        run(&[ok.clone(), cloud(1, 60, 5, 1.0)], 6),
        Err(MetricError::DifferentMarkers { .. })
    ));
    let (none, one) = (cloud(1, 0, 4, 1.0), cloud(1, 1, 4, 1.0));
    // A clip of one frame cannot be left after its first frame, but it can be entered.
    let found = run(&[none.clone(), one.clone(), ok.clone()], 1).unwrap();
    assert!(found.pairs.iter().all(|p| p.from == 2 && p.to != 0));
    assert!(run(&[none, one], 6).unwrap().pairs.is_empty());
    for room in [0, 1, 59, 60, 61, u32::MAX] {
        let clouds = [ok.clone(), cloud(2, 60, 4, 1.2)];
        let found = run(&clouds, room).unwrap();
        let (options, minima) = (options(), EndMinima::Both);
        check_all(&clouds, &options, &EndOptions { room, minima }, &found);
        assert_eq!(found.pairs.is_empty(), room > 60);
    }
    for ceiling_cm in [0.0, f64::NAN] {
        let options = MetricOptions {
            ceiling_cm,
            ..options()
        };
        let (ends, apart) = (EndOptions::default(), KeepApart::default());
        let run = find_end_candidates(std::slice::from_ref(&ok), &options, &ends, &apart, &mut ());
        assert!(matches!(run, Err(MetricError::Ceiling { .. })));
    }
    // All frames alike: ties everywhere, and the first by (i, j) of every plain wins.
    let still =
        |n: usize| PointCloud::from_positions("still", 30.0, &[1.0], &vec![DVec3::ONE; n]).unwrap();
    let found = run(&[still(20), still(30)], 6).unwrap();
    let first: Vec<_> = candidates(&found, 0, 1)
        .iter()
        .map(|c| (c.i, c.j, c.distance_m2))
        .collect();
    assert_eq!(first, []);
}

#[test]
fn a_window_longer_than_all_clips_and_a_long_way_off() {
    let w = weights(9, 3);
    let far = |seed: u64, n: usize, start: DVec3| {
        PointCloud::from_positions("far", 30.0, &w, &motion(seed, n, 3, 5.0, start)).unwrap()
    };
    let clouds = [
        far(1, 40, DVec3::new(4e4, 0.0, -3e4)),
        far(2, 30, DVec3::ZERO),
        far(3, 25, DVec3::new(-1e5, 0.0, 1e5)),
    ];
    let options = MetricOptions {
        window_s: 20.0,
        ceiling_cm: 600.0,
        ..options()
    };
    let found = search(&clouds, &options, &EndOptions::default());
    assert!(found.candidate_count() > 0);
    check_all(&clouds, &options, &EndOptions::default(), &found);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_clips_equal_the_scan(
        seed in 0u64..1000, na in 3usize..80, nb in 3usize..80, markers in 1usize..=5, speed in 0.0f64..6.0,
        window_s in 0.0f64..1.0, kernel in 0usize..3, fixed: bool, along: bool, room in 0u32..20,
    ) {
        let clouds = [cloud(seed, na, markers, speed), cloud(seed + 1, nb, markers, speed)];
        let options = MetricOptions {
            window_s,
            kernel: [WindowKernel::Box, WindowKernel::Triangle, WindowKernel::Gaussian][kernel],
            placement: if fixed { Placement::Fixed } else { Placement::Free },
            ..options()
        };
        let minima = if along { EndMinima::Along } else { EndMinima::Both };
        let ends = EndOptions { room, minima };
        check_all(&clouds, &options, &ends, &search(&clouds, &options, &ends));
    }

    #[test]
    fn unmoved_by_turning_and_shifting_either_clip(
        seed in 0u64..1000, first: bool, theta in -3.1f64..3.1, x0 in -50.0f64..50.0, z0 in -50.0f64..50.0,
    ) {
        let w = weights(9, 5);
        let make = |p: &[DVec3]| PointCloud::from_positions("p", 30.0, &w, p).unwrap();
        let mut points = [motion(seed, 40, 5, 1.4, DVec3::ZERO), motion(seed + 1, 50, 5, 1.4, DVec3::ZERO)];
        let before = points.each_ref().map(|p| make(p));
        let which = usize::from(!first);
        points[which].iter_mut().for_each(|p| *p = naive::moved(*p, theta, x0, z0));
        let after = points.each_ref().map(|p| make(p));
        let (options, ends) = (options(), EndOptions::default());
        let (x, y) = (search(&before, &options, &ends), search(&after, &options, &ends));
        // The moved search is held to the scan of the clips as they were.
        check_pair(&before[0], &before[1], false, &options, &ends, candidates(&y, 0, 1));
        check_pair(&before[1], &before[0], false, &options, &ends, candidates(&y, 1, 0));
        for (from, to) in [(0, 1), (1, 0)] {
            for c in candidates(&x, from, to) {
                let Some(d) = candidates(&y, from, to).iter().find(|d| (c.i, c.j) == (d.i, d.j)) else { continue };
                // θ of the clip entered changes by what it was turned, of the clip left the other way.
                let turned = if to == which { -theta } else { theta };
                prop_assert!((d.theta - c.theta - turned).sin().abs() < 1e-6);
                prop_assert!((d.distance_m2 - c.distance_m2).abs() < 1e-10);
            }
        }
    }
}
