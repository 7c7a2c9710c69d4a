//! Writes `docs/results/cuts.md`: run by `benches/cuts.sh`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod kept;
mod sets;
mod smooth;

use std::fmt::Write;
use std::path::PathBuf;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = args.iter().position(|a| a == flag)?;
        args.get(at + 1).cloned()
    };
    let Some(data) = gaitway_core::testing::data_dir() else {
        return;
    };
    let only = value("--only");
    let sets = sets::read(&data, only.as_deref());
    let mut page = String::from(include_str!("head.md"));
    let _ = writeln!(page, "\nCommand: `benches/cuts.sh`.\n\n## What is kept\n");
    let graphs = kept::table(&mut page, &sets);
    let _ = writeln!(page, "\n## Thresholds, side by side\n");
    kept::thresholds(&mut page, &graphs);
    let _ = writeln!(page, "\n## How smooth\n");
    smooth::table(&mut page, &graphs);
    if only.is_none() {
        let _ = writeln!(page, "\n## On people nobody looked at\n");
        kept::counted(&mut page, &sets::wide(&data));
    }
    match value("--out").map(PathBuf::from) {
        Some(path) => std::fs::write(path, page).expect("the page can be written"),
        None => println!("{page}"),
    }
}
