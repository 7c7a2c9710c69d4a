//! Paths on real clips: how near, how natural, how fast. Writes docs/results/path.md; see benches/path.sh.
#![allow(clippy::print_stdout, missing_docs)]

mod sets;
mod study;
mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        // The last counts: what is passed on to benches/path.sh overrules what it says itself.
        let at = args.iter().rposition(|a| a == name)?;
        args.get(at + 1).cloned()
    };
    let Some(out) = value("--out") else {
        println!("give --out FILE, as benches/path.sh does");
        return Ok(());
    };
    let only = value("--only");
    let mut text = String::new();
    let mut studies = String::new();
    let mut all = table::Tally::default();
    for set in sets::SETS {
        if only.as_deref().is_some_and(|o| !set.name.contains(o)) {
            continue;
        }
        let Some(graph) = set.graph()? else { continue };
        table::set(
            &mut text,
            set,
            &graph,
            &mut all,
            args.iter().any(|a| a == "--quick"),
        )?;
        if set.studied {
            study::all(&mut studies, set, &graph)?;
        }
    }
    let mut head = String::from(table::HEAD);
    table::summary(&mut head, &all)?;
    head.push_str(&studies);
    let text = head + &text;
    std::fs::write(&out, &text)?;
    println!("{text}");
    Ok(())
}
