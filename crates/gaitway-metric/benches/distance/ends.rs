//! The search near the ends of clips, beside the whole search and beside its naive twin.

use crate::real;
use gaitway_metric::{
    EndMinima, EndOptions, EndSearch, KeepApart, MarkerSet, MetricError, MetricOptions, PointCloud,
    Search, find_candidates, find_end_candidates, naive,
};
use rayon::prelude::*;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Rounds in which every search runs once; the best of each counts, as the machine may be shared.
const ROUNDS: usize = 15;

/// Runs a search, keeps its best time, and gives what it found.
fn timed<T>(best: &mut f64, run: impl FnOnce() -> Result<T, MetricError>) -> T {
    let start = Instant::now();
    let found = run().expect("the clips fit together");
    *best = best.min(start.elapsed().as_secs_f64());
    found
}

/// One ordered pair in this many is given to the naive twin, and its time scaled up.
const NAIVE_EVERY: usize = 10;

/// A row per set of clips.
pub fn against_whole(data: &Path, subjects: &[&str], out: &mut String) {
    let _ = writeln!(
        out,
        "| set | clips, frames | pairs near ends | seconds | million pairs/s | of the whole search's time | naive / ours | candidates: all neighbours | along one clip | whole search |"
    );
    let _ = writeln!(
        out,
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    for subject in subjects {
        let clouds = real::clouds(data, subject, &MarkerSet::default());
        let options = MetricOptions::default();
        let apart = KeepApart::default();
        let ends = |minima| {
            let ends = EndOptions {
                minima,
                ..EndOptions::default()
            };
            find_end_candidates(&clouds, &options, &ends, &apart, &mut ())
        };
        let (mut seconds, mut whole_seconds) = (f64::MAX, f64::MAX);
        let (mut both, mut whole) = (EndSearch::default(), Search::default());
        for _ in 0..ROUNDS {
            both = timed(&mut seconds, || ends(EndMinima::Both));
            whole = timed(&mut whole_seconds, || {
                find_candidates(&clouds, &options, None, &apart, &mut ())
            });
        }
        let along = ends(EndMinima::Along).expect("the clips fit together");
        let (naive_seconds, pairs) = naive_scan(&clouds, &options);
        let frames: usize = clouds.iter().map(PointCloud::frame_count).sum();
        let _ = writeln!(
            out,
            "| {subject} | {}, {frames} | {pairs:.3e} | {seconds:.4} | {:.0} | {:.2} | {:.0} | {} | {} | {} |",
            clouds.len(),
            pairs / seconds / 1e6,
            seconds / whole_seconds,
            naive_seconds / seconds,
            both.candidate_count(),
            along.candidate_count(),
            whole.candidate_count()
        );
    }
}

/// Seconds that the naive twin needs for every pair near an end on all cores, and how many those are.
fn naive_scan(clouds: &[PointCloud], options: &MetricOptions) -> (f64, f64) {
    let window = options.window(30.0).expect("a window");
    let (half, room) = (window.half(), EndOptions::default().room as usize);
    let n = clouds.len();
    let near = |a: &PointCloud, b: &PointCloud| -> Vec<(usize, usize)> {
        let entered = 0..(b.frame_count() + 1).saturating_sub(room);
        (1..a.frame_count())
            .flat_map(|i| entered.clone().map(move |j| (i, j)))
            .filter(|&(i, j)| i + half >= a.frame_count() || j < half)
            .collect()
    };
    let scan = |k: usize| {
        let (a, b) = (&clouds[k / n], &clouds[k % n]);
        let near = near(a, b);
        for &(i, j) in &near {
            black_box(naive::end_align(a, i, b, j, &window));
        }
        near.len()
    };
    let sample: Vec<usize> = (0..n * n).step_by(NAIVE_EVERY).collect();
    let start = Instant::now();
    let scanned: usize = sample.par_iter().map(|&k| scan(k)).sum();
    let seconds = start.elapsed().as_secs_f64();
    let pairs: usize = (0..n * n)
        .map(|k| near(&clouds[k / n], &clouds[k % n]).len())
        .sum();
    (seconds * pairs as f64 / scanned.max(1) as f64, pairs as f64)
}
