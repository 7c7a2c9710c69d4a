//! Writes `docs/results/distance.md`: run by `benches/distance.sh`, which also makes the Python that the peers need.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod ends;
mod real;
mod speed;
mod study;
mod walker;

use std::fmt::Write;
use std::path::PathBuf;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        args.iter()
            .position(|a| a == flag)
            .and_then(|k| args.get(k + 1))
            .cloned()
    };
    let data = PathBuf::from(std::env::var_os("GAITWAY_DATA").unwrap_or_default());
    if let Some(frames) = value("--scale-row") {
        speed::scale_row(&data, frames.parse().expect("a number of frames"));
        return;
    }
    if args.iter().any(|a| a == "--ends-only") {
        let mut text = String::new();
        ends::against_whole(&data, &["16", "143"], &mut text);
        println!("{text}");
        return;
    }
    if let Some(runs) = value("--kernel-only") {
        // For profilers: nothing but the kernel, on one core.
        speed::kernel_only(runs.parse().expect("a number of runs"));
        return;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if value("--out").is_none() {
        // Plain `cargo bench`: the numbers that need nothing but this machine.
        let mut text = String::new();
        speed::against_peak(&mut text, threads);
        println!("{text}");
        return;
    }
    let out = PathBuf::from(value("--out").unwrap_or_default());
    let python = value("--python").expect("--python PATH");
    let peers = PathBuf::from(value("--peers").expect("--peers DIR"));
    let sizes: Vec<usize> = value("--sizes")
        .unwrap_or_else(|| "2000,6200,20000,60000,200000".to_owned())
        .split(',')
        .filter_map(|s| s.parse().ok())
        .collect();
    let mut page = String::from(include_str!("head.md"));
    let _ = writeln!(
        page,
        "Machine: {}, {threads} cores. Command: `benches/distance.sh`.\n",
        cpu()
    );
    let _ = writeln!(page, "## The kernel and the processor's peak\n");
    let _ = writeln!(page, include_str!("peak.md"));
    speed::against_peak(&mut page, threads);
    eprintln!("peak done");
    let _ = writeln!(page, "\n## Beside NumPy\n");
    let _ = writeln!(page, include_str!("numpy.md"));
    speed::against_numpy(&mut page, &python, &peers, threads);
    eprintln!("numpy done");
    let _ = writeln!(page, "\n## Skipping\n");
    let _ = writeln!(page, include_str!("skipping.md"));
    let sets = [
        ("16", "walk, run, jump"),
        ("69", "walk, turn, pick up"),
        ("127", "run, duck, jump"),
        ("143", "mixed actions"),
        ("75", "sit, jump"),
        ("77", "sneak, idle, run"),
        ("83", "steps, hops"),
        ("135", "karate"),
    ];
    study::skipping(&data, &sets, &mut page);
    eprintln!("skipping done");
    let _ = writeln!(page, "\n## Stability of minima\n");
    let _ = writeln!(page, include_str!("stability.md"));
    for subject in ["16", "143"] {
        let _ = writeln!(page, "CMU subject {subject}:\n");
        study::stability(&data, subject, &mut page);
        page.push('\n');
    }
    eprintln!("stability done");
    let _ = writeln!(page, "## Near the ends of clips\n");
    let _ = writeln!(page, include_str!("ends.md"));
    ends::against_whole(&data, &["16", "143"], &mut page);
    eprintln!("ends done");
    let _ = writeln!(page, "\n## Scale\n");
    let _ = writeln!(page, include_str!("scale.md"));
    let svg = speed::scale(&mut page, &sizes);
    std::fs::write(out.with_file_name("distance-scale.svg"), svg).expect("the plot");
    let _ = writeln!(
        page,
        "\n![Pairs per second and memory over frames](distance-scale.svg)"
    );
    std::fs::write(&out, page).expect("the page");
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        info.lines()
            .find(|l| l.starts_with(name))
            .and_then(|l| l.split(':').nth(1))
            .unwrap_or("unknown")
            .trim()
            .to_owned()
    };
    format!(
        "{} (family {}, model {})",
        field("model name"),
        field("cpu family"),
        field("model\t")
    )
}
