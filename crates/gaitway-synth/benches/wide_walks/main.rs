//! Walks of a minute through graphs of many people: how often feet glide and joints jump near transitions and elsewhere.
//!
//! Run by `benches/wide.sh`: `-- [--out PAGE.md] [--only SUBJECT,…] [--seeds N] [--list]`
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod count;
mod people;

use std::fmt::Write;
use std::path::PathBuf;

use count::Counts;
use gaitway_graph::{BuildOptions, GraphBuilder};
use gaitway_synth::{FinishOptions, RandomWalk, finish_motion, random_walk};
use people::Person;

/// Walks of each person, unless said otherwise.
const SEEDS: u64 = 3;
const SECONDS: f64 = 60.0;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = args.iter().position(|a| a == flag)?;
        args.get(at + 1).cloned()
    };
    let Some(data) = std::env::var_os("GAITWAY_DATA").map(PathBuf::from) else {
        eprintln!("skipped: GAITWAY_DATA names no folder of clips");
        return;
    };
    let only = value("--only");
    let seeds = value("--seeds").map_or(SEEDS, |n| n.parse().expect("--seeds takes a number"));
    let list = args.iter().any(|a| a == "--list");
    let mut page = String::from(include_str!("head.md"));
    let _ = writeln!(
        page,
        "\n{seeds} walks of {SECONDS:.0} s per person.\n\n{}",
        Counts::HEAD
    );
    let (mut all, mut tuned, mut others) =
        (Counts::default(), Counts::default(), Counts::default());
    let mut without = Vec::new();
    for person in people::read(&data, only.as_deref()) {
        let Some(counts) = walks(&person, seeds, list) else {
            without.push(person.name);
            continue;
        };
        eprintln!("{}", counts.row(&person.name));
        let _ = writeln!(page, "{}", counts.row(&person.name));
        all.add(&counts);
        if person.wide_only {
            &mut others
        } else {
            &mut tuned
        }
        .add(&counts);
    }
    for (name, counts) in [
        ("people of `cmu-bvh`", &tuned),
        ("people of `cmu-wide` alone", &others),
        ("**all**", &all),
    ] {
        let _ = writeln!(page, "{}", counts.row(name));
    }
    if !without.is_empty() {
        let _ = writeln!(
            page,
            "\nNo endless walk in the graphs of {}: {}.",
            without.len(),
            without.join(", ")
        );
    }
    match value("--out") {
        Some(path) => std::fs::write(path, page).expect("the page can be written"),
        None => println!("{page}"),
    }
}

/// All walks of one person; `None` where the graph has none.
fn walks(person: &Person, seeds: u64, list: bool) -> Option<Counts> {
    let options = BuildOptions {
        with_mirrored: true,
        ..BuildOptions::default()
    };
    let builder = GraphBuilder::from_files(person.files.clone()).ok()?;
    let (graph, _) = builder.options(options).build(&mut ()).ok()?;
    let mut counts = Counts::default();
    for seed in 1..=seeds {
        let wish = RandomWalk {
            seconds: SECONDS,
            seed,
            ..RandomWalk::default()
        };
        let walk = random_walk(&graph, &wish).ok()?;
        let made = finish_motion(&graph, &walk, &FinishOptions::default()).ok()?;
        let walked = Counts::of(&made.motion);
        if list {
            walked.list(&format!("{} seed {seed}", person.name));
        }
        counts.add(&walked);
    }
    Some(counts)
}
