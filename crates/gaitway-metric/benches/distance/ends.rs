//! The search near the ends of clips, beside the whole search and beside its naive twin.

use crate::real;
use gaitway_metric::{
    CandidateSearch, EndMinima, EndOptions, EndSearch, KeepApart, MarkerSet, MetricError,
    MetricOptions, PointCloud, find_candidates, find_end_candidates, naive, peak,
};
use rayon::prelude::*;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Rounds in which every search runs once; the best of each counts, as the machine may be shared.
const ROUNDS: usize = 15;

/// Least time of some runs, by the clock and by the processor time of all threads, in seconds.
struct Best {
    clock: f64,
    busy: f64,
}

impl Best {
    const NONE: Self = Self {
        clock: f64::MAX,
        busy: f64::MAX,
    };

    /// Runs a search and gives what it found.
    fn of<T>(&mut self, run: impl FnOnce() -> Result<T, MetricError>) -> T {
        let (start, before) = (Instant::now(), peak::process_seconds());
        let found = run().expect("the clips fit together");
        self.clock = self.clock.min(start.elapsed().as_secs_f64());
        self.busy = self.busy.min(peak::process_seconds() - before);
        found
    }
}

/// One ordered pair in this many is given to the naive twin, and its time scaled up.
const NAIVE_EVERY: usize = 10;

/// A row per set of clips.
pub fn against_whole(data: &Path, subjects: &[&str], out: &mut String) {
    let _ = writeln!(
        out,
        "| set | clips, frames | pairs near ends | seconds, by the clock (processor) | million pairs/s | of the whole search's processor time | naive / ours, processor time | candidates: all neighbours | along one clip | whole search |"
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
        let (mut near, mut all) = (Best::NONE, Best::NONE);
        let (mut both, mut whole) = (EndSearch::default(), CandidateSearch::default());
        for _ in 0..ROUNDS {
            both = near.of(|| ends(EndMinima::Both));
            whole = all.of(|| find_candidates(&clouds, &options, None, &apart, &mut ()));
        }
        let along = ends(EndMinima::Along).expect("the clips fit together");
        let (naive_seconds, pairs) = naive_scan(&clouds, &options);
        let frames: usize = clouds.iter().map(PointCloud::frame_count).sum();
        let _ = writeln!(
            out,
            "| {subject} | {}, {frames} | {pairs:.3e} | {:.4} ({:.4}) | {:.0} | {:.2} | {:.0} | {} | {} | {} |",
            clouds.len(),
            near.clock,
            near.busy,
            pairs / near.clock / 1e6,
            near.busy / all.busy,
            naive_seconds / near.busy,
            both.candidate_count(),
            along.candidate_count(),
            whole.candidate_count()
        );
    }
}

/// Processor time that the naive twin needs for every pair near an end, in seconds, and how many those are.
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
    let before = peak::process_seconds();
    let scanned: usize = sample.par_iter().map(|&k| scan(k)).sum();
    let seconds = peak::process_seconds() - before;
    let pairs: usize = (0..n * n)
        .map(|k| near(&clouds[k / n], &clouds[k % n]).len())
        .sum();
    (seconds * pairs as f64 / scanned.max(1) as f64, pairs as f64)
}
