//! Writes `docs/results/calibrate.md`: run by `benches/calibrate.sh`. `--few` looks at every tenth clip, `--only PART` (truth, wide, real, speed) makes a part of the page. For looking closer: `--on FOLDER`
//! takes clips of another folder for the faults, `--rows WORD` the rows of faults whose name holds a word, and
//! `--wrong` tells which joints are where the clip has none.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod hips;
mod real;
mod speed;
mod truth;

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
    let step = if args.iter().any(|a| a == "--few") {
        10
    } else {
        1
    };
    let mut page = String::from(include_str!("head.md"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        page,
        "\nMachine: {cores} cores. Command: `benches/calibrate.sh{}`.\n",
        if step > 1 { " --few" } else { "" }
    );
    let only = value("--only");
    let wanted = |part: &str| only.as_deref().is_none_or(|o| o == part);
    if wanted("truth") {
        truth::exact(&mut page, &data, step);
        truth::noise(&mut page);
    }
    if wanted("wide") {
        let folder = value("--on").unwrap_or_else(|| "cmu-wide".to_owned());
        let tell = args.iter().any(|a| a == "--wrong");
        let rows = value("--rows").unwrap_or_default();
        let list = truth::clips(&data, &folder, step);
        truth::wide(&mut page, &folder, &list, step, &rows, tell);
    }
    if wanted("real") {
        real::cmu(&mut page, &data);
        real::hidden(&mut page, &data);
        hips::table(&mut page, &data);
    }
    if wanted("speed") {
        speed::table(&mut page, &data);
    }
    match value("--out") {
        Some(path) => std::fs::write(path, page).expect("the page can be written"),
        None => println!("{page}"),
    }
}
