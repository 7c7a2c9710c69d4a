//! Optimal search: how fast, and what it proves of short paths. Writes docs/results/search.md; see benches/ara.sh.
#![allow(clippy::print_stdout, missing_docs)]

mod lattice;
mod paths;
// Of which the path's own benchmark reads more.
#[allow(dead_code)]
#[path = "../path/sets.rs"]
mod sets;

use std::fmt::Write as _;
use std::time::Instant;

use gaitway_synth::search::{AraOptions, Budget, Control, Epsilons, OpenList, ara_star};
use lattice::{Lattice, plain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = args.iter().rposition(|a| a == name)?;
        args.get(at + 1).cloned()
    };
    let Some(out) = value("--out") else {
        println!("give --out FILE, as benches/ara.sh does");
        return Ok(());
    };
    let mut page = String::from(HEAD);
    let part = |name: &str| value("--part").is_none_or(|p| p == name);
    if part("speed") {
        speed(&mut page)?;
    }
    if part("paths") {
        paths::all(&mut page, value("--only").as_deref())?;
    }
    std::fs::write(&out, &page)?;
    Ok(())
}

const HEAD: &str = "# Optimal search\n\nWritten by `benches/ara.sh`. [How it works](../book/concepts/search.md#optimal-search).\n\n";

/// What this thread has worked since it began, seconds: on a machine that others use, too, the clock on the wall says little. That clock where the system
/// does not tell.
fn worked(began: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|t| t.split_whitespace().next()?.parse::<u64>().ok());
    nanos.map_or(began.elapsed().as_secs_f64(), |n| n as f64 * 1e-9)
}

fn speed(page: &mut String) -> Result<(), std::fmt::Error> {
    writeln!(
        page,
        "## Speed on a lattice\n\nA drawn graph of motions over places of 5 cm and turns of 1.5° (`benches/ara/lattice.rs`), from one place to another, ε = 1, one thread, and the same \
        search written with the standard library's heap and map, in one run; seconds are those of the processor. The plain one keeps states that cannot be cheaper than a way met already, ours does not. Successors are those generated; bytes are of states, table and queue together, over the states met.\n"
    )?;
    writeln!(
        page,
        "| goal at | search | states | expanded | successors | seconds | million successors a second | against the plain one | bytes a state |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    )?;
    for (far, nodes) in [(6.0, 200), (9.0, 800)] {
        let space = Lattice::new(nodes, 12, [far, 0.4 * far], 20.0);
        let budget = Budget {
            memory: 3 << 30,
            ..Budget::expansions(50_000_000)
        };
        let began = Instant::now();
        let before = worked(began);
        let (cost, tried, states) = plain(&space, budget.expansions);
        let seconds = worked(began) - before;
        let plain_rate = tried as f64 / seconds / 1e6;
        let mut rows = vec![("plain", states, 0, tried, seconds, None)];
        for (name, open) in [("heap", OpenList::Heap), ("buckets", OpenList::Buckets)] {
            let options = AraOptions {
                epsilons: Epsilons::OPTIMAL,
                open,
                known: None,
            };
            let before = worked(began);
            let r = ara_star(&space, &options, &budget, Control::default());
            let seconds = worked(began) - before;
            let arrives = tried < budget.expansions && r.found.complete;
            assert!(
                !arrives || (r.found.cost - cost).abs() < 1e-9 * cost,
                "{} is not {cost}",
                r.found.cost
            );
            let bytes = r.bytes as f64 / r.states as f64;
            rows.push((
                name,
                r.states,
                r.expanded,
                r.found.expansions,
                seconds,
                Some(bytes),
            ));
        }
        for (name, states, expanded, tried, seconds, bytes) in rows {
            let rate = tried as f64 / seconds / 1e6;
            let bytes = bytes.map_or("–".to_owned(), |b| format!("{b:.1}"));
            let expanded = if expanded > 0 {
                expanded.to_string()
            } else {
                "–".to_owned()
            };
            let row = format!(
                "| {far} m | {name} | {states} | {expanded} | {tried} | {seconds:.2} | {rate:.2} | {:.1} × | {bytes} |",
                rate / plain_rate
            );
            println!("{row}");
            writeln!(page, "{row}")?;
        }
    }
    Ok(())
}
