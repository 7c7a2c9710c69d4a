//! Sets of clips: threads, store, resuming, adding, caps, and bad input.
#![allow(missing_docs)]

mod common;

use common::{cloud, motion, weights};
use gaitway_metric::{
    CandidateSearch, CandidateStore, CoarseOptions, KeepApart, MetricError, MetricOptions,
    PointCloud, Progress, ProgressState, candidates_between, coarse_candidates_between,
    distance_grid, find_candidates,
};
use glam::DVec3;

fn clips(count: u64) -> Vec<PointCloud> {
    (0..count)
        .map(|k| cloud(40 + k % 3, 90 + 17 * k as usize, 6, 1.4))
        .collect()
}

fn options() -> MetricOptions {
    MetricOptions {
        ceiling_cm: 60.0,
        ..MetricOptions::default()
    }
}

fn search(clouds: &[PointCloud], store: Option<&CandidateStore>) -> CandidateSearch {
    find_candidates(clouds, &options(), store, &KeepApart::default(), &mut ()).unwrap()
}

/// Bytes of everything found, for comparing runs.
fn bytes(search: &CandidateSearch) -> Vec<u8> {
    search
        .pairs
        .iter()
        .flat_map(|p| {
            let mut out = vec![p.a as u8, p.b as u8];
            out.extend_from_slice(bytemuck::cast_slice(&p.found.candidates));
            out
        })
        .collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let clouds = clips(4);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| bytes(&search(&clouds, None)))
    };
    let one = run(1);
    assert!(one.len() > 1000);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}

#[test]
fn adding_clips_computes_only_new_pairs_and_equals_building_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let clouds = clips(4);
    let store = CandidateStore::open(dir.path()).unwrap();
    search(&clouds[..3], Some(&store));
    assert_eq!(store.entry_count(), 6);
    drop(store);
    let store = CandidateStore::open(dir.path()).unwrap();
    let added = search(&clouds, Some(&store));
    assert_eq!(bytes(&added), bytes(&search(&clouds, None)));
    let old: u64 = added
        .pairs
        .iter()
        .filter(|p| p.b < 3)
        .map(|p| p.found.pairs)
        .sum();
    assert_eq!(added.state.pairs_cached, old);
    assert_eq!(added.state.pairs_done, added.state.pairs_total);
    let again = search(&clouds, Some(&store));
    assert_eq!(again.state.pairs_cached, again.state.pairs_total);
    assert_eq!(bytes(&again), bytes(&added));
    // Another ceiling is another question.
    let other = MetricOptions {
        ceiling_cm: 20.0,
        ..options()
    };
    let fresh = find_candidates(
        &clouds,
        &other,
        Some(&store),
        &KeepApart::default(),
        &mut (),
    )
    .unwrap();
    assert_eq!(fresh.state.pairs_cached, 0);
}

/// Stops once something is finished.
#[derive(Default)]
struct StopAfterSome {
    done: u64,
}

impl Progress for StopAfterSome {
    fn report(&mut self, state: &ProgressState) {
        assert!(state.pairs_done >= self.done && state.pairs_done <= state.pairs_total);
        self.done = state.pairs_done;
    }
    fn cancelled(&mut self) -> bool {
        self.done > 0
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let clouds: Vec<_> = (0..12).map(|k| cloud(60 + k, 900, 20, 1.4)).collect();
    let store = CandidateStore::open(dir.path()).unwrap();
    let mut progress = StopAfterSome::default();
    let stopped = find_candidates(
        &clouds,
        &options(),
        Some(&store),
        &KeepApart::default(),
        &mut progress,
    );
    assert!(matches!(stopped, Err(MetricError::Cancelled)));
    drop(store);
    let store = CandidateStore::open(dir.path()).unwrap();
    let kept = store.entry_count();
    assert!(
        0 < kept && kept < 78,
        "{kept} of 78 pairs of clips are kept"
    );
    let resumed = search(&clouds, Some(&store));
    assert_eq!(bytes(&resumed), bytes(&search(&clouds, None)));
    // All that was told as done is there, and no more than what was kept is taken from there.
    let (cached, total) = (resumed.state.pairs_cached, resumed.state.pairs_total);
    assert!(
        progress.done <= cached && cached < total,
        "{} {cached} {total}",
        progress.done
    );
    assert_eq!(resumed.state.pairs_done, total);
}

#[test]
fn damaged_entries_are_told_and_computed_again() {
    let dir = tempfile::tempdir().unwrap();
    let clouds = clips(3);
    let whole = search(&clouds, Some(&CandidateStore::open(dir.path()).unwrap()));
    let segment = std::fs::read_dir(dir.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let good = std::fs::read(&segment).unwrap();
    let mut spoiled: Vec<Vec<u8>> = [200, good.len() / 2, good.len() - 40]
        .iter()
        .map(|&at| {
            let mut bad = good.clone();
            bad[at] ^= 0x55;
            bad
        })
        .collect();
    let mut long = good.clone();
    long[8 + 112..8 + 120].fill(0xff); // a count no file could hold
    spoiled.push(long);
    spoiled.push(good[..good.len() / 2].to_vec());
    spoiled.push(b"something else".to_vec());
    spoiled.push(Vec::new());
    for bad in spoiled {
        for old in std::fs::read_dir(dir.path()).unwrap() {
            std::fs::remove_file(old.unwrap().path()).unwrap();
        }
        std::fs::write(&segment, &bad).unwrap();
        let store = CandidateStore::open(dir.path()).unwrap();
        let run = search(&clouds, Some(&store));
        assert_eq!(bytes(&run), bytes(&whole));
        assert!(!run.warnings.is_empty());
        let healed = search(&clouds, Some(&CandidateStore::open(dir.path()).unwrap()));
        assert_eq!(healed.state.pairs_cached, healed.state.pairs_total);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, b"x").unwrap();
    let error = CandidateStore::open(file.join("store")).err().unwrap();
    assert!(error.to_string().contains("file"), "{error}");
    // `/dev/full`-like trouble while running: the folder goes away under the store.
    let gone = dir.path().join("gone");
    let store = CandidateStore::open(&gone).unwrap();
    std::fs::remove_dir_all(&gone).unwrap();
    let error = find_candidates(
        &clips(2),
        &options(),
        Some(&store),
        &KeepApart::default(),
        &mut (),
    )
    .unwrap_err();
    assert!(matches!(error, MetricError::Store { .. }), "{error}");
}

#[test]
fn kept_apart_clips_never_meet() {
    let tags = ["football", "ballet", "walk"]
        .map(|t| vec![t.to_owned()])
        .to_vec();
    let apart = KeepApart::new(tags, vec![("ballet".to_owned(), "football".to_owned())]);
    let run = find_candidates(&clips(3), &options(), None, &apart, &mut ()).unwrap();
    let pairs: Vec<_> = run.pairs.iter().map(|p| (p.a, p.b)).collect();
    assert_eq!(pairs, [(0, 0), (0, 2), (1, 1), (1, 2), (2, 2)]);
}

#[test]
fn the_cap_keeps_the_best_of_every_block_and_says_so() {
    let clouds = clips(4);
    let all = search(&clouds, None);
    let cap = all.candidate_count() / 3;
    let capped = MetricOptions {
        max_candidates: cap,
        ..options()
    };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            find_candidates(&clouds, &capped, None, &KeepApart::default(), &mut ()).unwrap()
        })
    };
    let few = run(2);
    assert!(few.candidate_count() <= cap && few.candidate_count() > 0);
    assert_eq!(
        few.dropped as usize,
        all.candidate_count() - few.candidate_count()
    );
    assert_eq!(bytes(&few), bytes(&run(1)));
    for (few, all) in few.pairs.iter().zip(&all.pairs) {
        let best = |p: &gaitway_metric::PairCandidates| {
            p.found
                .candidates
                .iter()
                .map(|c| c.distance_m2)
                .fold(f64::MAX, f64::min)
        };
        assert_eq!(best(few), best(all));
    }
}

#[test]
fn coarse_finds_most_and_counts_what_it_misses() {
    let a = cloud(71, 700, 10, 1.4);
    let exact = candidates_between(&a, &a, &options()).unwrap();
    let coarse = coarse_candidates_between(
        &a,
        &a,
        &options(),
        &CoarseOptions {
            sample_every: 1,
            ..Default::default()
        },
    )
    .unwrap();
    let found: std::collections::HashSet<_> =
        coarse.found.candidates.iter().map(|c| (c.i, c.j)).collect();
    let missed = exact
        .candidates
        .iter()
        .filter(|c| !found.contains(&(c.i, c.j)))
        .count();
    assert_eq!(
        (coarse.sampled, coarse.missed),
        (exact.candidates.len(), missed)
    );
    assert!(
        missed * 4 < exact.candidates.len(),
        "{missed} of {}",
        exact.candidates.len()
    );
}

#[test]
fn bad_input_has_a_clear_message() {
    let ok = cloud(1, 60, 6, 1.0);
    let short = cloud(1, 14, 6, 1.0);
    let message =
        |r: Result<gaitway_metric::CandidateList, MetricError>| r.unwrap_err().to_string();
    assert!(message(candidates_between(&ok, &short, &options())).contains("14 frames"));
    assert!(
        message(candidates_between(&ok, &cloud(1, 60, 5, 1.0), &options()))
            .contains("different skeletons")
    );
    for ceiling_cm in [0.0, -1.0, f64::NAN] {
        let options = MetricOptions {
            ceiling_cm,
            ..options()
        };
        assert!(message(candidates_between(&ok, &ok, &options)).contains("ceiling"));
    }
    assert!(matches!(
        find_candidates(&[], &options(), None, &KeepApart::default(), &mut ()),
        Err(MetricError::NoClips)
    ));
    let single = search(std::slice::from_ref(&ok), None);
    assert_eq!(single.pairs.len(), 1);
    // As short as a window: one frame has a place, and it is a minimum by having no neighbours.
    let least = cloud(1, 15, 6, 1.0);
    assert_eq!(
        candidates_between(&least, &least.clone(), &options())
            .unwrap()
            .candidates
            .len(),
        1
    );
    assert!(
        candidates_between(&least, &least, &options())
            .unwrap()
            .candidates
            .is_empty()
    );

    let mut positions = motion(1, 30, 4, 1.0, DVec3::ZERO);
    let make = |p: &[DVec3], w: &[f64]| PointCloud::from_positions("bad", 30.0, w, p);
    assert!(matches!(
        make(&positions, &[0.0; 4]),
        Err(MetricError::NoWeight)
    ));
    assert!(matches!(make(&positions, &[]), Err(MetricError::NoWeight)));
    assert!(matches!(
        make(&positions, &[1.0, f64::NAN, 1.0, 1.0]),
        Err(MetricError::BadWeight { .. })
    ));
    positions[9].z = f64::NAN;
    assert!(matches!(
        make(&positions, &[1.0; 4]),
        Err(MetricError::NotFinite { frame: 2, .. })
    ));
    let other_rate = PointCloud::from_positions(
        "r",
        60.0,
        &weights(9, 6),
        &motion(1, 60, 6, 1.0, DVec3::ZERO),
    )
    .unwrap();
    assert!(message(candidates_between(&ok, &other_rate, &options())).contains("different rates"));
    let huge = PointCloud::from_positions("h", 30.0, &[1.0], &vec![DVec3::ZERO; 40_000]).unwrap();
    assert!(
        distance_grid(&huge, &huge, &options())
            .unwrap_err()
            .to_string()
            .contains("too large")
    );
}
