//! `gaitway bench`: the line of data on the built-in performer, each step as a ratio taken in one run: against the machine's own
//! multiply-add peak, or against how long the motion plays. What needs real clips, other programs or many settings is
//! measured by `benches/*.sh`.

mod cases;

use serde_json::json;

use super::args::BenchArgs;
use super::term::{Term, table};
use super::{CliError, Outcome};
use cases::{Material, NAMES, Row};

/// Runs the verb.
pub fn run(args: &BenchArgs, term: &mut Term) -> Result<Outcome, CliError> {
    if cfg!(debug_assertions) {
        term.say("warning: this is a debug build; `cargo run --release` is what counts");
    }
    term.say("performing …");
    let material = Material::new()?;
    let wanted = |name: &str| args.only.as_deref().is_none_or(|only| only == name);
    let mut rows = Vec::new();
    for name in NAMES.into_iter().filter(|n| wanted(n)) {
        term.say(&format!("{name} …"));
        rows.push(cases::measure(name, &material, args.runs)?);
    }
    let text = if args.json {
        let list: Vec<_> = rows.iter().map(Row::json).collect();
        let all = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "runs": args.runs,
            "threads": rayon::current_num_threads(),
            "rows": list,
        });
        serde_json::to_string_pretty(&all).map_err(|e| CliError::new(e.to_string()))? + "\n"
    } else {
        let cells: Vec<Vec<String>> = rows.iter().map(Row::cells).collect();
        table(
            &["name", "median s", "threads", "ratio", "of", "on"],
            &cells,
        )
    };
    term.out(&text)?;
    Ok(Outcome::Done)
}
