//! How long things take.

use std::fmt::Write;
use std::time::Instant;

use gaitway_core::ClipSet;
use gaitway_core::resample::resample;
use gaitway_graph::{BuildOptions, GraphBuilder, MotionGraph, Thresholds};
use gaitway_metric::{KeepApart, MetricOptions, PointCloud, find_candidates};

/// The median of some runs, in seconds.
pub fn median<T>(runs: usize, mut run: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let begin = Instant::now();
            std::hint::black_box(run());
            begin.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

/// The search for candidates alone: clouds are ready, nothing but distances.
pub fn search(clips: &ClipSet, options: &BuildOptions) -> Result<f64, Box<dyn std::error::Error>> {
    let cloud = |c| PointCloud::from_clip(c, &options.markers, options.fps);
    let clouds: Vec<PointCloud> = clips.clips().iter().map(cloud).collect::<Result<_, _>>()?;
    let half = options.metric.window(options.fps)?.half();
    let clouds: Vec<PointCloud> = clouds
        .into_iter()
        .filter(|c| c.frame_count() > 2 * half)
        .collect();
    let metric = MetricOptions::default();
    Ok(median(20, || {
        find_candidates(&clouds, &metric, None, &KeepApart::default(), &mut ())
    }))
}

/// Opening a file of about 200 MB: the clips at many times their rate, so that frames fill it.
pub fn loading(page: &mut String, clips: ClipSet) -> Result<(), Box<dyn std::error::Error>> {
    let rate = 1500.0;
    let dense = clips
        .into_clips()
        .iter()
        .map(|c| resample(c, rate))
        .collect::<Result<Vec<_>, _>>()?;
    let (graph, _) = GraphBuilder::new(ClipSet::new(dense)?)
        .thresholds(Thresholds::cm(7.0))
        .build(&mut ())?;
    let path = std::env::temp_dir().join(format!("gaitway-bench-{}.gway", std::process::id()));
    let save = median(3, || graph.save(&path));
    let size = std::fs::metadata(&path)?.len() as f64 / 1e6;
    let load = median(20, || MotionGraph::load(&path).map(|g| g.edge_count()));
    let verify = median(5, || {
        MotionGraph::load(&path).and_then(|g| g.source(gaitway_graph::ClipId(0)).map(drop))
    });
    std::fs::remove_file(&path)?;
    writeln!(page, "\n## Opening a large file\n")?;
    writeln!(
        page,
        "Subject 143 resampled to {rate} Hz, {size:.0} MB, warm cache:\n"
    )?;
    writeln!(
        page,
        "| save | load | load and check all frames |\n| --- | --- | --- |"
    )?;
    writeln!(
        page,
        "| {:.2} s | {:.1} ms | {:.0} ms |",
        save,
        load * 1e3,
        verify * 1e3
    )?;
    Ok(())
}

/// Cutting a graph of many candidates: mirrored copies, and a ceiling far above any sensible threshold.
pub fn many_candidates(
    page: &mut String,
    clips: ClipSet,
) -> Result<(), Box<dyn std::error::Error>> {
    let metric = MetricOptions {
        ceiling_cm: 20.0,
        ..MetricOptions::default()
    };
    let options = BuildOptions {
        metric,
        with_mirrored: true,
        ..BuildOptions::default()
    };
    let builder = GraphBuilder::new(clips);
    let (graph, _) = builder
        .thresholds(Thresholds::cm(8.0))
        .options(options.clone())
        .build(&mut ())?;
    writeln!(page, "\n## Cutting anew\n")?;
    writeln!(
        page,
        "Subject 143 with mirrored copies, ceiling 20 cm: {} candidates. Thresholds, thinning, transitions and pruning in memory, without the account:\n",
        graph.candidates().len()
    )?;
    writeln!(
        page,
        "| threshold | transitions | time | per 100,000 candidates |\n| --- | --- | --- | --- |"
    )?;
    for cm in [5.0, 10.0, 15.0, 20.0] {
        let at = graph.rethreshold_quick(&Thresholds::cm(cm), &options)?;
        let time = median(20, || {
            graph.rethreshold_quick(&Thresholds::cm(cm), &options)
        }) * 1e3;
        let per = time * 1e5 / graph.candidates().len().max(1) as f64;
        writeln!(
            page,
            "| {cm:.0} cm | {} | {time:.1} ms | {per:.1} ms |",
            at.transition_count()
        )?;
    }
    Ok(())
}
