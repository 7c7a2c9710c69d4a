//! How many seconds of motion are assembled per second, on one core: `benches/assemble.sh`.
//!
//! Prints a Markdown table. A ratio is the motion's length over the median time of the runs, both of one run.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use gaitway_core::{Clip, ClipSet};
use gaitway_graph::{GraphBuilder, MotionGraph, Thresholds};
use gaitway_io::{ReadOptions, read_file};
use gaitway_synth::{AssembleOptions, Blend, RandomWalk, Walk, WalkPlayer, assemble, random_walk};

const RUNS: usize = 9;
const SECONDS: f64 = 600.0;

type Anything = Box<dyn std::error::Error>;

fn main() -> Result<(), Anything> {
    println!(
        "| clips | joints | rate | transitions / min | what | blend | × real time | µs / frame |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let takes = gaitway_core::performer::library(1, 120.0)?;
    table("performer", takes.into_iter().map(|t| t.clip).collect())?;
    match std::env::var_os("GAITWAY_DATA") {
        Some(data) => {
            let data = Path::new(&data);
            for (name, fps, set) in [
                ("CMU 16", None, "subject-16-walk-run-jump.txt"),
                ("CMU 143", Some(60.0), "subject-143-many-behaviours.txt"),
            ] {
                table(name, read(&data.join("sets").join(set), fps)?)?;
            }
        }
        None => println!("\nGAITWAY_DATA names no folder of real clips: those rows are missing."),
    }
    Ok(())
}

fn read(list: &Path, source_fps: Option<f64>) -> Result<Vec<Clip>, Anything> {
    let options = ReadOptions {
        source_fps,
        ..ReadOptions::default()
    };
    let mut clips = Vec::new();
    for input in gaitway_io::expand(&[format!("@{}", list.display())])? {
        clips.extend(
            read_file(&input.path, &options)?
                .into_iter()
                .map(|i| i.clip),
        );
    }
    Ok(clips)
}

fn table(name: &str, clips: Vec<Clip>) -> Result<(), Anything> {
    let builder = GraphBuilder::new(ClipSet::new(clips)?).thresholds(Thresholds::cm(8.0));
    let (graph, _) = builder.build(&mut ())?;
    let asked = RandomWalk {
        seconds: SECONDS,
        ..RandomWalk::default()
    };
    let usual = random_walk(&graph, &asked)?;
    let restless = RandomWalk {
        dwell_s: 0.0,
        mean_s: 0.0,
        ..asked.clone()
    };
    let restless = random_walk(&graph, &restless)?;
    row(
        name,
        &graph,
        &asked_words(&graph, &usual),
        "find the walk",
        None,
        || Ok(random_walk(&graph, &asked)?.edges().len()),
    )?;
    for (walk, blends) in [
        (
            &usual,
            &[Blend::Centered, Blend::StartEnd, Blend::Inertialized][..],
        ),
        (&restless, &[Blend::Centered][..]),
    ] {
        for &blend in blends {
            let options = AssembleOptions {
                blend,
                ..AssembleOptions::default()
            };
            let words = asked_words(&graph, walk);
            row(name, &graph, &words, "play", Some(blend), || {
                play(&graph, walk, &options)
            })?;
            row(name, &graph, &words, "assemble", Some(blend), || {
                Ok(assemble(&graph, walk, &options)?.clip.frame_count())
            })?;
        }
    }
    Ok(())
}

fn asked_words(graph: &MotionGraph, walk: &Walk) -> String {
    let per_min = walk.transition_count(graph) as f64 / walk.seconds(graph) * 60.0;
    format!("{per_min:.0}")
}

/// One pose at a time, as a game would.
fn play(graph: &MotionGraph, walk: &Walk, options: &AssembleOptions) -> Result<usize, Anything> {
    let mut player = WalkPlayer::new(graph, walk, options)?;
    let mut pose = player.pose();
    let mut far = 0.0_f64;
    while player.next_into(&mut pose).is_some() {
        far = far.max(pose.root.length());
    }
    assert!(far.is_finite());
    Ok(player.frame_count())
}

fn row(
    name: &str,
    graph: &MotionGraph,
    per_min: &str,
    what: &str,
    blend: Option<Blend>,
    mut run: impl FnMut() -> Result<usize, Anything>,
) -> Result<(), Anything> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let begin = Instant::now();
        std::hint::black_box(run()?);
        times.push(begin.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let seconds = times[RUNS / 2];
    let rate = graph.output_rate_hz();
    let blend = blend.map_or("–".to_owned(), |b| format!("{b:?}").to_lowercase());
    println!(
        "| {name} | {} | {rate} Hz | {per_min} | {what} | {blend} | {:.0} | {:.2} |",
        graph.skeleton().joint_count(),
        SECONDS / seconds,
        seconds * 1e6 / (SECONDS * rate)
    );
    Ok(())
}
