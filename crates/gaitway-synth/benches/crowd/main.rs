//! Crowds in numbers: who has no walk, who waits how long, how near bodies come, how many move alike. Written to `--out FILE`.
#![allow(missing_docs, clippy::print_stdout)]

#[path = "../path/sets.rs"]
#[allow(dead_code)]
mod sets;

use std::fmt::Write as _;
use std::time::Instant;

use gaitway_graph::MotionGraph;
use gaitway_synth::path::{
    Path, PathMotion, PathOptions, PathRequest, find_walks, make_motion, named_curve, parse_styles,
};
use gaitway_synth::report::keep_apart;
use gaitway_synth::search::Control;
use glam::DVec2;

type Any = Box<dyn std::error::Error>;
/// A name, paths, and how many people walk on them.
type Crowd = (&'static str, Vec<Path>, usize);

/// Sets that crowds are made on.
const SETS: [&str; 3] = ["performer", "CMU 16", "CMU 143"];

fn main() -> Result<(), Any> {
    let words: Vec<String> = std::env::args().collect();
    let out = words.iter().position(|w| w == "--out");
    let mut text = String::from(
        "# Crowds\n\nMade by `benches/crowd.sh`. Waits: how much later than 1.5 s behind the one in front somebody sets out. Nearest: between the roots of any two, on the final motions with feet planted, every 0.05 s.\n",
    );
    text += "\n| graph | crowd | without a walk | off the path | into another, or something else not kept | longest wait, s | mean wait, s | last sets out, s | nearest, m | told alike | search, s |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for set in sets::SETS.iter().filter(|s| SETS.contains(&s.name)) {
        let Some(graph) = set.graph()? else { continue };
        for (name, paths, people) in crowds()? {
            let options = PathOptions {
                styles: parse_styles(set.label.unwrap_or("any"))?,
                ..PathOptions::default()
            };
            let request = PathRequest {
                options,
                people,
                ..PathRequest::along(paths)
            };
            row(&mut text, &graph, (set.name, name), &request)?;
        }
    }
    match out.and_then(|k| words.get(k + 1)) {
        Some(file) => std::fs::write(file, text)?,
        None => println!("{text}"),
    }
    Ok(())
}

fn crowds() -> Result<Vec<Crowd>, Any> {
    let across = |turn: f64| {
        let end = 10.0 * DVec2::from_angle(turn);
        Path::new(vec![-end, end], false)
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    let star: Result<Vec<Path>, _> = (0..4)
        .map(|k| across(f64::from(k) * quarter / 2.0))
        .collect();
    Ok(vec![
        (
            "20 on two crossing paths",
            vec![across(0.0)?, across(quarter)?],
            20,
        ),
        (
            "20 towards one another",
            vec![across(0.0)?, across(2.0 * quarter)?],
            20,
        ),
        (
            "50 on a figure eight",
            vec![named_curve("figure8", 1.0)?],
            50,
        ),
        ("200 on four crossing paths", star?, 200),
    ])
}

fn row(
    text: &mut String,
    graph: &MotionGraph,
    (set, name): (&str, &str),
    request: &PathRequest,
) -> Result<(), Any> {
    let edges = request.edge_paths(graph)?;
    let since = Instant::now();
    let walks = find_walks(graph, &edges, request, Control::default())?;
    let seconds = since.elapsed().as_secs_f64();
    let made: Result<Vec<PathMotion>, _> = walks
        .into_iter()
        .map(|w| make_motion(graph, request, w))
        .collect();
    let mut made = made?;
    keep_apart(&mut made, &request.options);
    let none = made.iter().filter(|m| !m.has_walk()).count();
    let off = made.iter().filter(|m| m.report.status == "OffPath").count();
    let missed = |m: &&PathMotion| m.report.constraints.iter().any(|c| !c.kept);
    let through = made.iter().filter(missed).count();
    let waits: Vec<f64> = made
        .iter()
        .filter_map(|m| m.walk.wait.map(|w| w.wait_s))
        .collect();
    let longest = waits.iter().copied().fold(0.0, f64::max);
    let mean = waits.iter().sum::<f64>() / waits.len().max(1) as f64;
    let last = made
        .iter()
        .filter_map(|m| m.walk.start_s)
        .fold(0.0, f64::max);
    let alike = made.iter().filter(|m| m.walk.alike.is_some()).count();
    writeln!(
        text,
        "| {set} | {name} | {none} | {off} | {through} | {longest:.1} | {mean:.1} | {last:.1} | {:.2} | {alike} | {seconds:.1} |",
        nearest(&made)
    )?;
    println!("{set}, {name}: {seconds:.1} s");
    Ok(())
}

/// How near two roots come on the final motions; infinite where nobody meets.
fn nearest(made: &[PathMotion]) -> f64 {
    const STEP_S: f64 = 0.05;
    let place = |m: &PathMotion, tick: usize| {
        let clip = m.clip()?;
        let at = tick as f64 * STEP_S - m.walk.start_s?;
        let frame = (at * clip.rate_hz()).round();
        let root = clip.root().get(frame as usize).filter(|_| frame >= 0.0)?;
        Some(DVec2::new(root.x, root.z))
    };
    let end = |m: &PathMotion| m.walk.start_s.unwrap_or(0.0) + m.report.seconds;
    let ticks = (made.iter().map(end).fold(0.0, f64::max) / STEP_S) as usize;
    let mut nearest = f64::INFINITY;
    for tick in 0..=ticks {
        let there: Vec<DVec2> = made.iter().filter_map(|m| place(m, tick)).collect();
        for (k, p) in there.iter().enumerate() {
            nearest = there[..k]
                .iter()
                .map(|q| p.distance(*q))
                .fold(nearest, f64::min);
        }
    }
    nearest
}
