//! Builds a graph from files and prints what became of them: `account LABELS.csv CM|auto FPS|- FILE…`.
//!
//! A measuring stick for development; users have `gaitway build --report`.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

use gaitway_core::ClipSet;
use gaitway_graph::{BuildOptions, GraphBuilder, Labels, MotionGraph, Thresholds, inspect};
use gaitway_io::{ReadOptions, read_file};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [labels, threshold, fps, files @ ..] = &arguments[..] else {
        return Err(
            "give LABELS.csv, a threshold in cm or `auto`, a rate or `-`, and files".into(),
        );
    };
    let begin = Instant::now();
    let options = ReadOptions {
        source_fps: fps.parse().ok(),
        ..ReadOptions::default()
    };
    let mut clips = Vec::new();
    for import in gaitway_io::expand(files)?
        .iter()
        .map(|f| read_file(&f.path, &options))
    {
        clips.extend(import?.into_iter().map(|i| i.clip));
    }
    println!(
        "read {} clips in {:.3} s",
        clips.len(),
        begin.elapsed().as_secs_f64()
    );
    let thresholds = threshold.parse().map_or(Thresholds::Auto, Thresholds::cm);
    let builder = GraphBuilder::new(ClipSet::new(clips)?)
        .labels(Labels::from_csv_file(&PathBuf::from(labels))?);
    let (graph, mut account) = builder.thresholds(thresholds.clone()).build(&mut ())?;
    let path = std::env::temp_dir().join(format!("account-{}.gway", std::process::id()));
    let begin = Instant::now();
    graph.save(&path)?;
    account.timings_s.save = begin.elapsed().as_secs_f64();
    println!("{}", serde_json::to_string_pretty(&account)?);
    let size = std::fs::metadata(&path)?.len() as f64 / 1e6;
    let begin = Instant::now();
    let loaded = MotionGraph::load(&path)?;
    println!(
        "file {size:.1} MB, loaded in {:.2} ms",
        begin.elapsed().as_secs_f64() * 1e3
    );
    std::fs::remove_file(&path)?;
    let spec = loaded.thresholds().clone();
    let given = Thresholds::Pairs {
        default_cm: spec.default_cm,
        pairs: spec
            .pairs()
            .map(|(a, b, cm)| {
                (
                    loaded.labels().name(a).into(),
                    loaded.labels().name(b).into(),
                    cm,
                )
            })
            .collect(),
    };
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let begin = Instant::now();
            let again = loaded.rethreshold_quick(&given, &BuildOptions::default());
            again.map(|g| begin.elapsed().as_secs_f64() * 1e3 + 0.0 * g.node_count() as f64)
        })
        .collect::<Result<_, _>>()?;
    times.sort_by(f64::total_cmp);
    let per = times[10] * 1e5 / account.candidates.max(1) as f64;
    println!(
        "rethreshold {:.2} ms for {} candidates, {per:.2} ms per 100,000",
        times[10], account.candidates
    );
    let steps: Vec<f64> = (1..=15).map(f64::from).collect();
    for p in inspect::threshold_curve(&loaded, &steps)? {
        println!(
            "{:4.1} cm  largest {:5.1} %  kept {:5.1} %  mean {:6.2} s  transitions {}",
            p.cm,
            p.largest_share * 100.0,
            p.kept_share * 100.0,
            p.mean_transition_s.unwrap_or(f64::NAN),
            p.transitions
        );
    }
    Ok(())
}
