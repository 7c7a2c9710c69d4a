//! Writes the table of clips of `docs/results/wide.md`: run by `benches/wide.sh`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod clips;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clips::Row;

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
    let mut page = String::from(include_str!("head.md"));
    for (name, input) in [
        (
            "sets/wide.txt",
            format!("@{}", data.join("sets/wide.txt").display()),
        ),
        ("cmu-bvh", data.join("cmu-bvh").display().to_string()),
    ] {
        if value("--set").is_some_and(|s| s != name) {
            continue;
        }
        let rows = clips::rows(&input, only.as_deref());
        if args.iter().any(|a| a == "--each") {
            each(&rows);
        }
        table(&mut page, name, &rows);
    }
    match value("--out") {
        Some(path) => std::fs::write(Path::new(&path), page).expect("the page can be written"),
        None => println!("{page}"),
    }
}

fn each(rows: &[Row]) {
    println!(
        "clip knee foot rougher skate anew floor root-mm tilt-deg stretch residual-mm straight bent"
    );
    for r in rows {
        println!(
            "{} {} {} {:.2} {:.3} {:.3} {:.2} {:.1} {:.1} {:.4} {:.3} {} {}",
            r.name,
            r.knee_jumps,
            r.foot_jumps,
            r.rougher,
            r.skate_cm_s,
            r.skate_anew_cm_s,
            r.in_floor_cm,
            1e3 * r.report.root_moved_mean_m,
            r.report.tilt_max_deg,
            r.report.stretch_max,
            1e3 * r.report.worst_residual_m,
            r.straight,
            r.bent
        );
    }
}

fn table(page: &mut String, name: &str, rows: &[Row]) {
    let _ = writeln!(page, "\n### {name}: {} clips\n", rows.len());
    let _ = writeln!(page, "| per clip cleaned | clips | share | which |");
    let _ = writeln!(page, "| --- | --- | --- | --- |");
    let mut line = |what: &str, bad: &dyn Fn(&Row) -> bool| {
        let found: Vec<&str> = rows
            .iter()
            .filter(|r| bad(r))
            .map(|r| r.name.as_str())
            .collect();
        let share = 100.0 * found.len() as f64 / rows.len().max(1) as f64;
        let _ = writeln!(
            page,
            "| {what} | {} | {share:.1} % | {} |",
            found.len(),
            found.join(", ")
        );
    };
    line("a knee jump over 2 cm added in one frame", &|r| {
        r.knee_jumps > 0
    });
    line("a foot jump over 2 cm added", &|r| r.foot_jumps > 0);
    line("99.9th percentile of acceleration above 1.1 ×", &|r| {
        r.rougher > 1.1
    });
    line("above 2 ×", &|r| r.rougher > 2.0);
    line("root moved more than 2 cm on average", &|r| {
        r.report.root_moved_mean_m > 0.02
    });
    line("pelvis tilted by more than 5° somewhere", &|r| {
        r.report.tilt_max_deg > 5.0
    });
    line("skate on held plants above 0.1 cm/s", &|r| {
        r.skate_cm_s > 0.1
    });
    line("skate re-detected above 0.2 cm/s", &|r| {
        r.skate_anew_cm_s > 0.2
    });
    line("a plant held worse than 2 mm", &|r| {
        r.report.worst_residual_m > 0.002
    });
    line("a leg stretched by more than 3 %", &|r| {
        r.report.stretch_max > 1.03 + 1e-9
    });
    line("stretched in more than 5 % of the frames", &|r| {
        r.report.stretched_frames > 0.05
    });
    line("a foot more than 2 mm in the floor", &|r| {
        r.in_floor_cm > 0.2
    });
    line("does not pass the gate of the guide", &|r| !r.passes);
    let (straight, bent) = rows
        .iter()
        .fold((0, 0), |(s, b), r| (s + r.straight, b + r.bent));
    let _ = writeln!(
        page,
        "\nOf {straight} frames of legs captured within 8° of straight, {bent} ({:.1} %) are bent by more than 4° otherwise now.",
        100.0 * bent as f64 / straight.max(1) as f64
    );
}
