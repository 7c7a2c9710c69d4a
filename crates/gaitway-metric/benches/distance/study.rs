//! How stable minima are when the metric changes, after section 4.1.4 of the paper; and what the bound skips.

use crate::real;
use gaitway_metric::{
    Candidate, CandidateSearch, KeepApart, MarkerSet, MetricOptions, PointCloud, Skipping,
    WeightPreset, WindowKernel, distance_grid, find_candidates,
};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

fn search(clouds: &[PointCloud], options: &MetricOptions) -> CandidateSearch {
    find_candidates(clouds, options, None, &KeepApart::default(), &mut ())
        .expect("the clips fit together")
}

/// Distance in frames to the nearest candidate of another list.
fn shift(c: &Candidate, others: &[Candidate]) -> u32 {
    others
        .iter()
        .map(|o| o.i.abs_diff(c.i).max(o.j.abs_diff(c.j)))
        .min()
        .unwrap_or(u32::MAX)
}

/// The table of section 4.1.4 on one subject's clips.
pub fn stability(data: &Path, subject: &str, out: &mut String) {
    let base_markers = MarkerSet::default();
    let (base_clouds, base_options) = (
        real::clouds(data, subject, &base_markers),
        MetricOptions::default(),
    );
    let base = search(&base_clouds, &base_options);
    let _ = writeln!(
        out,
        "| changed | minima below 15 cm | of the default's: same frames | within 1 | within 2 | of the default's below 8 cm: within 2 |"
    );
    let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- |");
    let _ = writeln!(
        out,
        "| default: 0.5 s, triangle, one marker, no-fingers | {} | | | | |",
        base.candidate_count()
    );
    let m = |weights: WeightPreset, per_joint| MarkerSet {
        per_joint,
        ..MarkerSet::preset(weights)
    };
    let o = |window_s, kernel| MetricOptions {
        window_s,
        kernel,
        ..MetricOptions::default()
    };
    use WindowKernel::{Box, Gaussian, Triangle};
    let rows = [
        ("window 0.1 s", base_markers.clone(), o(0.1, Triangle)),
        ("window 0.25 s", base_markers.clone(), o(0.25, Triangle)),
        ("window 0.75 s", base_markers.clone(), o(0.75, Triangle)),
        ("box", base_markers.clone(), o(0.5, Box)),
        ("gaussian", base_markers.clone(), o(0.5, Gaussian)),
        (
            "two markers per joint",
            m(WeightPreset::NoFingers, 2),
            o(0.5, Triangle),
        ),
        (
            "three markers per joint",
            m(WeightPreset::NoFingers, 3),
            o(0.5, Triangle),
        ),
        (
            "uniform weights",
            m(WeightPreset::Uniform, 1),
            o(0.5, Triangle),
        ),
        (
            "limbs (Lee 2002)",
            m(WeightPreset::Limbs, 1),
            o(0.5, Triangle),
        ),
    ];
    for (name, markers, options) in rows {
        let changed = search(&real::clouds(data, subject, &markers), &options);
        let mut shifts: Vec<(u32, f64)> = Vec::new();
        for (b, c) in base.pairs.iter().zip(&changed.pairs) {
            shifts.extend(
                b.found
                    .candidates
                    .iter()
                    .map(|x| (shift(x, &c.found.candidates), x.distance_cm())),
            );
        }
        let share = |most: u32, below: f64| {
            let of: Vec<_> = shifts.iter().filter(|s| s.1 < below).collect();
            100.0 * of.iter().filter(|s| s.0 <= most).count() as f64 / of.len().max(1) as f64
        };
        let _ = writeln!(
            out,
            "| {name} | {} | {:.0} % | {:.0} % | {:.0} % | {:.0} % |",
            changed.candidate_count(),
            share(0, 99.0),
            share(1, 99.0),
            share(2, 99.0),
            share(2, 8.0)
        );
    }
}

/// What the exact bound leaves out, beside what truly lies above the ceiling, and what that costs or saves.
pub fn skipping(data: &Path, subjects: &[(&str, &str)], out: &mut String) {
    let _ = writeln!(
        out,
        "| set | frames | truly above 15 cm | skipped (on) | time on / off | skipped (auto) | time auto / off | candidates |"
    );
    let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (subject, what) in subjects {
        let clouds = real::clouds(data, subject, &MarkerSet::default());
        let frames: usize = clouds.iter().map(PointCloud::frame_count).sum();
        let run = |skipping| {
            let options = MetricOptions {
                skipping,
                ..MetricOptions::default()
            };
            let mut best = f64::MAX;
            let mut found = CandidateSearch::default();
            for _ in 0..5 {
                let start = Instant::now();
                found = search(&clouds, &options);
                best = best.min(start.elapsed().as_secs_f64());
            }
            (found, best)
        };
        let ((off, t_off), (on, t_on), (auto, t_auto)) =
            (run(Skipping::Off), run(Skipping::On), run(Skipping::Auto));
        assert!(
            on.pairs
                .iter()
                .zip(&off.pairs)
                .all(|(a, b)| a.found.candidates == b.found.candidates)
        );
        assert!(
            auto.pairs
                .iter()
                .zip(&off.pairs)
                .all(|(a, b)| a.found.candidates == b.found.candidates)
        );
        let _ = writeln!(
            out,
            "| {subject} ({what}) | {frames} | {:.0} % | {:.1} % | {:.2} | {:.1} % | {:.2} | {} |",
            100.0 * above(&clouds),
            100.0 * on.state.skipped_share,
            t_on / t_off,
            100.0 * auto.state.skipped_share,
            t_auto / t_off,
            off.candidate_count()
        );
    }
}

/// Share of all pairs above the ceiling.
fn above(clouds: &[PointCloud]) -> f64 {
    let (mut above, mut all) = (0u64, 0u64);
    for (k, a) in clouds.iter().enumerate() {
        for b in &clouds[k..] {
            let grid = distance_grid(a, b, &MetricOptions::default())
                .expect("clips of a set fit together");
            all += grid.cm.iter().filter(|d| !d.is_nan()).count() as u64;
            above += grid.cm.iter().filter(|d| **d >= 15.0).count() as u64;
        }
    }
    above as f64 / all.max(1) as f64
}
