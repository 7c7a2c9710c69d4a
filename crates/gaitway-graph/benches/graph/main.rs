//! Writes `docs/results/graph.md` from real clips (`GAITWAY_DATA`): run by `benches/graph.sh`. Without `--out` the page
//! is printed.
#![allow(clippy::print_stdout)]

mod page;
mod time;

use std::path::Path;

use gaitway_core::{Clip, ClipSet};
use gaitway_io::{Labels, ReadOptions, read_file};

/// A data set: name, list of files, rate where the header's is wrong.
const SETS: [(&str, &str, Option<f64>); 2] = [
    ("subject 16", "sets/subject-16-walk-run-jump.txt", None),
    (
        "subject 143",
        "sets/subject-143-many-behaviours.txt",
        Some(60.0),
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(data) = gaitway_core::testing::data_dir() else {
        return Ok(());
    };
    let arguments: Vec<String> = std::env::args().collect();
    let out = arguments
        .iter()
        .position(|a| a == "--out")
        .and_then(|k| arguments.get(k + 1));
    let labels = Labels::from_csv_file(&data.join("labels-gaitway.csv"))?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = String::from(include_str!("head.md"));
    text.push_str(&format!(
        "Machine: {}, {threads} cores. Command: `benches/graph.sh`.\n",
        cpu()
    ));
    let mut last = None;
    for (name, list, fps) in SETS {
        let clips = labels.label(read(&data, list, fps)?.into_clips())?;
        let clips = ClipSet::new(clips)?;
        page::subject(&mut text, name, &clips)?;
        last = Some(clips);
    }
    if let Some(clips) = last {
        time::many_candidates(&mut text, clips.clone())?;
        time::loading(&mut text, clips)?;
    }
    match out {
        Some(path) => std::fs::write(path, text)?,
        None => println!("{text}"),
    }
    Ok(())
}

/// The clips of a list, named by file.
fn read(data: &Path, list: &str, fps: Option<f64>) -> Result<ClipSet, Box<dyn std::error::Error>> {
    let options = ReadOptions {
        source_fps: fps,
        ..ReadOptions::default()
    };
    let inputs = gaitway_io::expand(&[format!("@{}", data.join(list).display())])?;
    let mut clips: Vec<Clip> = Vec::new();
    for input in inputs {
        let name = input
            .path
            .strip_prefix(data)?
            .with_extension("")
            .display()
            .to_string();
        clips.extend(
            read_file(&input.path, &options)?
                .into_iter()
                .map(|i| i.clip.with_name(name.clone())),
        );
    }
    Ok(ClipSet::new(clips)?)
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|l| l.strip_prefix("model name"));
    line.map_or("unknown processor".to_owned(), |l| {
        l.trim_start_matches([' ', '\t', ':']).to_owned()
    })
}
