//! The kernel against the processor's peak and against NumPy, and how it scales.

use crate::{real, walker};
use gaitway_metric::peak;
use gaitway_metric::{
    CandidateList, KeepApart, KernelChoice, MarkerSet, MetricOptions, PointCloud, Skipping,
    candidates_between, find_candidates,
};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Multiply-adds per pair by the count of the design: five per marker.
fn multiply_adds(markers: usize) -> f64 {
    5.0 * markers as f64
}

/// Seconds of searches of a cloud against itself.
struct Times {
    best: f64,
    median: f64,
    /// Mean processor time, summed over threads.
    busy: f64,
    found: CandidateList,
}

fn time(cloud: &PointCloud, threads: usize, options: &MetricOptions, runs: usize) -> Times {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    let (mut times, mut found) = (Vec::new(), CandidateList::default());
    let before = peak::process_seconds();
    for _ in 0..runs {
        let start = Instant::now();
        found = pool
            .install(|| candidates_between(cloud, cloud, options))
            .expect("a walker has candidates");
        times.push(start.elapsed().as_secs_f64());
    }
    let busy = (peak::process_seconds() - before) / runs as f64;
    times.sort_by(f64::total_cmp);
    Times {
        best: times[0],
        median: times[runs / 2],
        busy,
        found,
    }
}

/// Runs the default kernel and prints pairs per run, for use under a profiler.
pub fn kernel_only(runs: usize) {
    let cloud = walker::cloud("walker", 6200, 31, 0.0);
    let options = MetricOptions {
        skipping: Skipping::Off,
        ..MetricOptions::default()
    };
    let t = time(&cloud, 1, &options, runs);
    println!(
        "{} pairs, {} candidates, {:.4} s processor time a run",
        t.found.pairs,
        t.found.candidates.len(),
        t.busy
    );
}

/// Share of the peak for each kernel and number of cores.
pub fn against_peak(out: &mut String, threads: usize) {
    let _ = writeln!(
        out,
        "| markers | kernel | cores | seconds, best (median of 20) | processor seconds | million pairs/s | of the peak by the clock | of the peak by processor time |"
    );
    let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (markers, kernels) in [(31, 3), (36, 1)] {
        let cloud = walker::cloud("walker", 6200, markers, 0.0);
        for (choice, name) in [
            (KernelChoice::Avx512, "AVX-512"),
            (KernelChoice::Avx2, "AVX2"),
            (KernelChoice::Portable, "portable"),
        ]
        .into_iter()
        .take(kernels)
        {
            if choice.resolved().is_none() {
                continue;
            }
            for cores in [1, threads] {
                let options = MetricOptions {
                    kernel_choice: choice,
                    skipping: Skipping::Off,
                    ..MetricOptions::default()
                };
                // The peak is taken just before and just after, as the clock of a shared machine moves.
                let before = peak::cores(cores);
                let t = time(&cloud, cores, &options, 20);
                let after = peak::cores(cores);
                let work = t.found.pairs as f64 * multiply_adds(markers);
                let _ = writeln!(
                    out,
                    "| {markers} | {name} | {cores} | {:.4} ({:.4}) | {:.4} | {:.0} | {:.0} % of {:.0} G/s | {:.0} % of {:.1} G per core and second |",
                    t.best,
                    t.median,
                    t.busy,
                    t.found.pairs as f64 / t.best / 1e6,
                    100.0 * work / t.best / before.0.max(after.0),
                    before.0.max(after.0) / 1e9,
                    100.0 * work / t.busy / before.1.max(after.1),
                    before.1.max(after.1) / 1e9
                );
            }
        }
    }
}

/// Ours on all cores beside the two NumPy programs, in one run.
pub fn against_numpy(out: &mut String, python: &str, peers: &Path, threads: usize) {
    let _ = writeln!(
        out,
        "| markers | | ours | blocked NumPy/BLAS (tile) | textbook NumPy | over blocked | over textbook | minima: ours, blocked, textbook |"
    );
    let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for markers in [31, 36] {
        let cloud = walker::cloud("walker", 6200, markers, 0.0);
        let file = std::env::temp_dir().join(format!(
            "gaitway-bench-{}-{markers}.npy",
            std::process::id()
        ));
        std::fs::write(&file, npy(&cloud)).expect("a temporary file");
        let peer = |name: &str, runs: &str| -> Vec<f64> {
            let run = Command::new(python)
                .arg(peers.join(name))
                .arg(&file)
                .arg(runs)
                .output()
                .expect("python runs");
            let text = String::from_utf8_lossy(&run.stdout).into_owned();
            assert!(
                run.status.success(),
                "{}",
                String::from_utf8_lossy(&run.stderr)
            );
            text.split_whitespace()
                .filter_map(|w| w.parse().ok())
                .collect()
        };
        let options = MetricOptions {
            skipping: Skipping::Off,
            ..MetricOptions::default()
        };
        let before = time(&cloud, threads, &options, 10);
        let (blocked, textbook) = (peer("blocked.py", "5"), peer("textbook.py", "1"));
        let after = time(&cloud, threads, &options, 10);
        let _ = std::fs::remove_file(&file);
        // Medians on both sides, ours the slower of the two halves; processor time is our mean and their least.
        for (what, ours, b, t) in [
            (
                "clock, median",
                before.median.max(after.median),
                blocked[0],
                textbook[0],
            ),
            (
                "processor time, ours mean, theirs least",
                before.busy.max(after.busy),
                blocked[3],
                textbook[2],
            ),
        ] {
            let _ = writeln!(
                out,
                "| {markers} | {what} | {ours:.4} s | {b:.3} s ({}) | {t:.2} s | {:.1} × | {:.0} × | {}, {}, {} |",
                blocked[2],
                b / ours,
                t / ours,
                before.found.candidates.len(),
                blocked[1],
                textbook[1]
            );
        }
    }
}

/// A frames × markers × 3 array of f64 in NumPy's own format.
fn npy(cloud: &PointCloud) -> Vec<u8> {
    let (frames, markers) = (cloud.frame_count(), cloud.marker_count());
    let mut head =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({frames}, {markers}, 3), }}");
    while (head.len() + 11) % 64 != 0 {
        head.push(' ');
    }
    head.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend_from_slice(&(head.len() as u16).to_le_bytes());
    out.extend_from_slice(head.as_bytes());
    for f in 0..frames {
        for s in 0..markers {
            cloud
                .position(f, s)
                .to_array()
                .iter()
                .for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        }
    }
    out
}

/// One row of the scaling table, printed by a child process so that its peak memory is its own.
pub fn scale_row(data: &Path, frames: usize) {
    let clips = real::clouds(data, "143", &MarkerSet::default());
    let clouds = real::varied(&clips, frames);
    drop(clips);
    let total: usize = clouds.iter().map(PointCloud::frame_count).sum();
    let start = Instant::now();
    let found = find_candidates(
        &clouds,
        &MetricOptions::default(),
        None,
        &KeepApart::default(),
        &mut (),
    )
    .expect("one skeleton");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{total} {} {} {seconds} {} {} {} {}",
        clouds.len(),
        found.state.pairs_total,
        found.state.skipped_share,
        found.candidate_count(),
        found.dropped,
        peak_memory_mib()
    );
}

fn peak_memory_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|l| l.starts_with("VmHWM:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|v| v.parse::<f64>().ok())
        .unwrap_or(f64::NAN)
        / 1024.0
}

/// The scaling table and its plot.
pub fn scale(out: &mut String, sizes: &[usize]) -> String {
    let _ = writeln!(
        out,
        "| frames | clips | frame pairs | seconds | million pairs/s | skipped | candidates (dropped by the cap) | peak memory |"
    );
    let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    let me = std::env::current_exe().expect("own path");
    let mut points = Vec::new();
    for size in sizes {
        let run = Command::new(&me)
            .args(["--scale-row", &size.to_string()])
            .output()
            .expect("own program runs");
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let v: Vec<f64> = text
            .split_whitespace()
            .filter_map(|w| w.parse().ok())
            .collect();
        let [
            frames,
            clips,
            pairs,
            seconds,
            skipped,
            candidates,
            dropped,
            memory,
        ] = v[..]
        else {
            panic!("{text}{}", String::from_utf8_lossy(&run.stderr));
        };
        let rate = pairs / seconds / 1e6;
        let _ = writeln!(
            out,
            "| {frames} | {clips} | {pairs:.3e} | {seconds:.2} | {rate:.0} | {:.1} % | {candidates} ({dropped}) | {memory:.0} MiB |",
            100.0 * skipped
        );
        points.push((frames, rate, memory));
    }
    plot(&points)
}

/// Pairs per second and peak memory over frames, both axes logarithmic.
fn plot(points: &[(f64, f64, f64)]) -> String {
    let (w, h, margin) = (640.0, 360.0, 60.0);
    let x = |f: f64| margin + (f.log10() - 3.0) / 2.5 * (w - 2.0 * margin);
    let y = |v: f64| h - margin - (v.log10() - 1.0) / 3.0 * (h - 2.0 * margin);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n"
    );
    for (value, label) in [
        (10.0, "10"),
        (100.0, "100"),
        (1000.0, "1,000"),
        (10000.0, "10,000"),
    ] {
        let _ = writeln!(
            svg,
            "<line x1=\"{margin}\" x2=\"{}\" y1=\"{1}\" y2=\"{1}\" stroke=\"#ddd\"/><text x=\"{2}\" y=\"{3}\" text-anchor=\"end\">{label}</text>",
            w - margin,
            y(value),
            margin - 6.0,
            y(value) + 4.0
        );
    }
    for (value, label) in [(1e3, "1k"), (1e4, "10k"), (1e5, "100k")] {
        let _ = writeln!(
            svg,
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"{margin}\" y2=\"{1}\" stroke=\"#eee\"/><text x=\"{0}\" y=\"{2}\" text-anchor=\"middle\">{label}</text>",
            x(value),
            h - margin,
            h - margin + 18.0
        );
    }
    for (name, colour, at, label_y) in [
        ("million pairs per second", "#1f6fb4", 0, 24.0),
        ("peak memory, MiB", "#c2571a", 1, 42.0),
    ] {
        let line: Vec<String> = points
            .iter()
            .map(|p| format!("{:.1},{:.1}", x(p.0), y(if at == 0 { p.1 } else { p.2 })))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        for p in &line {
            let (cx, cy) = p.split_once(',').unwrap_or_default();
            let _ = writeln!(
                svg,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3.5\" fill=\"{colour}\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{label_y}\" fill=\"{colour}\">{name}</text>",
            margin + 8.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">frames at 30 Hz</text>\n</svg>",
        w / 2.0,
        h - 14.0
    );
    svg
}
