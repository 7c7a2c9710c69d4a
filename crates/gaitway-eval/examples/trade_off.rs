//! Near or natural: the trade-off of `docs/results/path.md` as a chart.
//!
//! Run it: `cargo run -p gaitway-eval --features draw --example trade_off -- docs/results/path.md OUT.svg`
#![allow(clippy::print_stderr)]

use std::error::Error;

use gaitway_eval::draw::path::trade::{Point, trade_off};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(page), Some(out)) = (args.next(), args.next()) else {
        eprintln!("usage: trade_off PATH.md OUT.svg");
        return Err("two arguments are needed".into());
    };
    let points = table(&std::fs::read_to_string(page)?);
    let axes = (
        "transitions a second (fewer is calmer)",
        "cm RMS at equal arc length",
    );
    let title = "Near or natural: all weights of naturalness times a factor (CMU 143, figure8)";
    std::fs::write(out, trade_off(title, axes, &points)?.to_svg())?;
    Ok(())
}

/// The rows under "Near or natural": factor, RMS, transitions a second, …
fn table(page: &str) -> Vec<Point> {
    let section = page
        .lines()
        .skip_while(|l| !l.starts_with("## Near or natural"));
    let rows = section
        .skip(1)
        .take_while(|l| !l.starts_with("## "))
        .filter(|l| l.starts_with('|'));
    let cells = |row: &str| -> Vec<String> {
        let inner = row.trim().trim_matches('|');
        inner.split('|').map(|c| c.trim().to_owned()).collect()
    };
    rows.filter_map(|row| {
        let cells = cells(row);
        // The head and the line under it hold no numbers.
        let number = |k: usize| cells.get(k)?.parse::<f64>().ok();
        Some(Point {
            name: format!("× {}", number(0)?),
            x: number(2)?,
            y: number(1)?,
        })
    })
    .collect()
}
