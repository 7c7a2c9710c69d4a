//! Paths on real clips: how near, how natural, how fast. Writes docs/results/path.md; see benches/path.sh.
#![allow(clippy::print_stdout, missing_docs)]

mod quality;
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
    let mut bent = String::from(study::BENT);
    let mut sneaking = String::from(study::SNEAKING);
    let quick = args.iter().any(|a| a == "--quick");
    let mut all = table::Tally::default();
    for set in sets::SETS {
        if only.as_deref().is_some_and(|o| !set.name.contains(o)) {
            continue;
        }
        let Some(graph) = set.graph()? else { continue };
        table::set(&mut text, set, &graph, &mut all, quick)?;
        if !set.mirrored && !quick {
            study::bent(&mut bent, set, &graph)?;
        }
        if set.name.starts_with("CMU 143") {
            study::sneaking(&mut sneaking, set, &graph)?;
        }
        if set.studied {
            study::all(&mut studies, set, &graph)?;
        }
        // After every set: a long run that is stopped leaves what it has.
        let mut page = String::from(table::HEAD);
        table::summary(&mut page, &all)?;
        for part in [&studies, &bent, &sneaking, &text] {
            page.push_str(part);
        }
        std::fs::write(&out, &page)?;
        println!("{}: done", set.name);
    }
    Ok(())
}
