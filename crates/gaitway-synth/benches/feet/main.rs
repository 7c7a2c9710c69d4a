//! Writes `docs/results/feet.md`: run by `benches/feet.sh`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod detection;
mod measure;
mod pictures;
mod speed;
mod walks;

use std::fmt::Write;
use std::path::PathBuf;

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
    if let Some(folder) = value("--pictures") {
        pictures::draw(&data, &PathBuf::from(folder));
        return;
    }
    if let (Some(file), Some(folder)) = (value("--strobes"), value("--into")) {
        pictures::strobes(&data.join(file), &PathBuf::from(folder));
        return;
    }
    let only = value("--only");
    let sets = measure::sets(&data, only.as_deref());
    let mut page = String::from(include_str!("head.md"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        page,
        "\nMachine: {}, {cores} cores, one used. Command: `benches/feet.sh`.\n",
        cpu()
    );
    let _ = writeln!(page, "## Before and after\n");
    measure::table(&mut page, &sets, args.iter().any(|a| a == "--each"));
    if only.is_none() {
        let _ = writeln!(page, "\n## Walks of a minute through graphs\n");
        walks::table(&mut page, &sets, &data);
        let _ = writeln!(page, "\n## Detection against ground truth\n");
        detection::table(&mut page);
        let _ = writeln!(page, "\n## Speed\n");
        speed::table(&mut page, &sets);
    }
    match value("--out") {
        Some(path) => std::fs::write(path, page).expect("the page can be written"),
        None => println!("{page}"),
    }
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|l| l.starts_with("model name"));
    let name = line
        .and_then(|l| l.split_once(':'))
        .map(|(_, name)| name.trim());
    name.unwrap_or("unknown processor").to_owned()
}
